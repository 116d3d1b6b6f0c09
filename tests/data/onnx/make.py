#!/usr/bin/env python3
"""Writes the conformance data of this folder: ONNX's own node tests of the operators that attention needs, one RON file an operator.

    python3 -m venv venv && venv/bin/pip install onnx==1.23.2 && venv/bin/python make.py

Since 1.23 the wheel holds no stored tests: they are generated (numpy, seeded) by importing onnx.backend.test.case.node. Older wheels store
cases that contradict today's specification; do not use them.

An array stands once in `arrays`, however many cases share it, and a tensor names it by its index. Numbers are the shortest decimals that
become the same number again when read as f64 and rounded to the tensor's type; that is checked here for each of them. Booleans are 0 and 1.
Attributes are f32 or integers in ONNX: read them as f64 and round to f32.
"""
import json
import math
import os
import subprocess
import sys

import numpy as np
import onnx
from ml_dtypes import bfloat16
from onnx import TensorProto, helper, numpy_helper

VERSION = "1.23.2"
COUNTS = {"Attention": 93, "RotaryEmbedding": 8, "Softmax": 7, "LogSoftmax": 7, "LayerNormalization": 19, "RMSNormalization": 19}
TYPES = {
    "float32": ("F32", np.float32),
    "float16": ("F16", np.float16),
    "bfloat16": ("Bf16", bfloat16),
    "bool": ("Bool", np.float64),
    "int64": ("I64", np.float64),
}


def decimal(x, kind):
    """The shortest decimal that is x again after f64 and `kind`."""
    exact = float(x)
    if math.isnan(exact):
        return "NaN"
    if math.isinf(exact):
        return "inf" if exact > 0 else "-inf"
    for digits in range(1, 18):
        text = f"{exact:.{digits}g}"
        if float(kind(float(text))) == exact:
            break
    short = repr(float(text)).removesuffix(".0")
    assert float(kind(float(short))) == exact, (x, short)
    return short


class Arrays:
    """Every distinct array of a file, with its index."""

    def __init__(self):
        self.index = {}

    def tensor(self, named):
        if named is None:
            return "None"
        name, array = named
        dtype, kind = TYPES[str(array.dtype)]
        numbers = ",".join(decimal(x, kind) for x in array.reshape(-1))
        index = self.index.setdefault(numbers, len(self.index))
        shape = ",".join(map(str, array.shape))
        return f"Some((name:{json.dumps(name)},dtype:{dtype},shape:[{shape}],data:{index}))"


def cases(op):
    """(name, opset, rtol, atol, attributes, inputs, outputs) of every case; a tensor is (name, array), one that is left out None."""
    from onnx.backend.test.case.node import collect_testcases

    def named(names, values):
        values = iter(values)
        arrays = (next(values) if name else None for name in names)
        return [None if a is None else (n, numpy_helper.to_array(a) if isinstance(a, TensorProto) else np.asarray(a)) for n, a in zip(names, arrays)]

    found = {}
    for case in collect_testcases(op):
        nodes = case.model.graph.node
        if "_expanded" in case.name or case.name in found or len(nodes) != 1 or nodes[0].op_type != op:
            continue
        opset = next(o.version for o in case.model.opset_import if o.domain in ("", "ai.onnx"))
        attributes = {a.name: helper.get_attribute_value(a) for a in nodes[0].attribute}
        inputs, outputs = case.data_sets[0]
        sides = named(nodes[0].input, inputs), named(nodes[0].output, outputs)
        found[case.name] = (case.name, opset, case.rtol, case.atol, attributes, *sides)
    return found.values()


def write(op, cases):
    arrays, lines = Arrays(), []
    for name, opset, rtol, atol, attributes, inputs, outputs in cases:
        attributes = ",".join(f"{json.dumps(k)}:{decimal(v, np.float32)}" for k, v in attributes.items())
        inputs, outputs = (",".join(map(arrays.tensor, side)) for side in (inputs, outputs))
        lines.append(
            f"  (name:{json.dumps(name)},opset:{opset},rtol:{rtol},atol:{atol},attributes:{{{attributes}}},\n"
            f"   inputs:[{inputs}],\n   outputs:[{outputs}]),\n"
        )
    assert len(lines) == COUNTS[op], (op, len(lines))
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{op}.ron"), "w") as file:
        file.write(f"// {op} of onnx {VERSION} (Apache-2.0, see README.md), written by make.py.\n(arrays:[\n")
        file.writelines(f"[{numbers}],\n" for numbers in arrays.index)
        file.write("],cases:[\n")
        file.writelines(lines)
        file.write("])\n")
    print(op, len(lines))


if __name__ == "__main__":
    assert onnx.__version__ == VERSION, onnx.__version__
    if len(sys.argv) == 2:
        write(sys.argv[1], cases(sys.argv[1]))
    else:
        for op in COUNTS:  # a process for each: onnx's collector keeps what it collected
            subprocess.run([sys.executable, os.path.abspath(__file__), op], check=True)
