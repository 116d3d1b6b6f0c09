//! Reads the cases of `tests/data/onnx`: each number becomes the very one that ONNX stores, in its type, and then f64.

use std::collections::BTreeMap;

use attention_tutor::attention::Precision;
use ndarray::ArrayD;
use serde::Deserialize;

/// One node test.
pub struct Case {
    pub name: String,
    attributes: BTreeMap<String, f64>,
    inputs: Vec<Option<Tensor>>,
    outputs: Vec<Option<Tensor>>,
}

/// Numbers, and the type that ONNX keeps them in.
pub struct Tensor {
    pub kind: Kind,
    pub numbers: ArrayD<f64>,
}

/// ONNX's types of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Kind {
    F32,
    F16,
    Bf16,
    Bool,
    I64,
}

impl Kind {
    /// How near an f64 computation of the stored inputs must come to the stored outputs, which ONNX computes in this type.
    pub fn tolerance(self) -> f64 {
        match self {
            Self::F32 => 1e-6,
            Self::F16 => 2e-3,
            Self::Bf16 => 1e-2,
            Self::Bool | Self::I64 => 0.0,
        }
    }

    fn read(self, x: f64) -> f64 {
        match self {
            Self::F32 => Precision::F32.round(x),
            Self::F16 => Precision::F16.round(x),
            Self::Bf16 => Precision::Bf16.round(x),
            Self::Bool | Self::I64 => x,
        }
    }
}

impl Case {
    /// An attribute, or what ONNX says it is where it is not given.
    pub fn attribute(&self, name: &str, default: f64) -> f64 {
        self.given(name).unwrap_or(default)
    }

    pub fn given(&self, name: &str) -> Option<f64> {
        self.attributes.get(name).copied()
    }

    /// An attribute that counts; 0 where it is not given.
    pub fn count(&self, name: &str) -> usize {
        self.attribute(name, 0.0) as usize
    }

    /// The input at a position of the operator's signature.
    pub fn input(&self, position: usize) -> Option<&Tensor> {
        self.inputs.get(position)?.as_ref()
    }

    /// The numbers of an input that must be there.
    pub fn numbers(&self, position: usize) -> &ArrayD<f64> {
        &self.input(position).unwrap().numbers
    }

    /// An expected output.
    pub fn output(&self, position: usize) -> Option<&Tensor> {
        self.outputs.get(position)?.as_ref()
    }
}

/// The cases of one file.
pub fn cases(text: &str) -> Vec<Case> {
    let File { arrays, cases } = ron::from_str(text).unwrap();
    let tensor = |stored: Stored| {
        let Stored {
            _name: _,
            dtype,
            shape,
            data,
        } = stored;
        let numbers = arrays[data].iter().map(|x| dtype.read(*x)).collect();
        let numbers = ArrayD::from_shape_vec(shape, numbers).unwrap();
        Tensor {
            kind: dtype,
            numbers,
        }
    };
    let all =
        |side: Vec<Option<Stored>>| side.into_iter().map(|stored| stored.map(tensor)).collect();
    let case = |stored: StoredCase| {
        let StoredCase {
            name,
            attributes,
            inputs,
            outputs,
            ..
        } = stored;
        let attributes = attributes
            .into_iter()
            .map(|(name, x)| (name, Kind::F32.read(x)));
        Case {
            name,
            attributes: attributes.collect(),
            inputs: all(inputs),
            outputs: all(outputs),
        }
    };
    cases.into_iter().map(case).collect()
}

#[derive(Deserialize)]
struct File {
    arrays: Vec<Vec<f64>>,
    cases: Vec<StoredCase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredCase {
    name: String,
    #[serde(rename = "opset")]
    _opset: u32,
    /// ONNX's own tolerances, for results in the type of the case; ours are tighter.
    #[serde(rename = "rtol")]
    _relative: f64,
    #[serde(rename = "atol")]
    _absolute: f64,
    attributes: BTreeMap<String, f64>,
    inputs: Vec<Option<Stored>>,
    outputs: Vec<Option<Stored>>,
}

#[derive(Deserialize)]
struct Stored {
    #[serde(rename = "name")]
    _name: String,
    dtype: Kind,
    shape: Vec<usize>,
    data: usize,
}
