//! Files of arrays from outside: what is read from each format, what is said of a bad one, and that nothing makes the readers fall over.
//!
//! The samples in `tests/data/arrays` were written by NumPy, by the safetensors package, and by hand.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use attention_tutor::attention::Alignment;
use attention_tutor::words::Words;
use attention_tutor::words::diagnostic::{Diagnostic, Severity};
use attention_tutor::worked_example::{
    ArrayFile, ArrayName, ArrayPlace, Keep, MOST_NUMBERS, Shown, WriteFormat, WriteProblem,
    read_arrays, read_one, run_arrays, write_arrays,
};
use ndarray::{ArrayD, IxDyn};
use proptest::prelude::*;

const ENDINGS: [&str; 6] = ["ron", "json", "csv", "npy", "npz", "safetensors"];

fn sample(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/arrays");
    fs::read(folder.join(name)).unwrap()
}

fn samples() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/arrays");
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
        .into_iter()
        .map(|name| (name.clone(), sample(&name)))
        .collect()
}

fn read(name: &str, bytes: &[u8]) -> (Option<ArrayFile>, Vec<Diagnostic>) {
    read_arrays(&Words::english(), name, bytes)
}

/// What a file that reads without an error holds.
fn good(name: &str, bytes: &[u8]) -> ArrayFile {
    let (file, told) = read(name, bytes);
    let errors: Vec<_> = told
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .collect();
    assert!(errors.is_empty(), "{name}: {errors:#?}");
    file.unwrap()
}

/// The codes of what is told, in order.
fn codes(name: &str, text: &str) -> Vec<&'static str> {
    read(name, text.as_bytes())
        .1
        .iter()
        .map(|d| d.code)
        .collect()
}

fn numbers(file: &ArrayFile, name: ArrayName) -> (&[usize], Vec<f64>) {
    let values = &file.arrays[&name].values;
    (values.shape(), values.iter().copied().collect())
}

/// The promise that every file gets: something is read, or something is said; and where an error is said, it says what to do.
fn read_or_explained(words: &Words, name: &str, bytes: &[u8]) -> Result<bool, String> {
    let (file, told) = read_arrays(words, name, bytes);
    let is_error = told.iter().any(|d| d.severity == Severity::Error);
    let holds = file.as_ref().is_some_and(|file| !file.arrays.is_empty());
    if !is_error && !holds {
        return Err(format!("{name}: nothing read and nothing said"));
    }
    for d in &told {
        if d.severity == Severity::Error && d.remedy.is_none() {
            return Err(format!("{name}: no remedy for {}", d.message));
        }
        if let Some(source) = &d.source
            && (d.range.start > d.range.end || source.text.get(d.range.clone()).is_none())
        {
            return Err(format!("{name}: {:?} is no place: {}", d.range, d.message));
        }
    }
    for (array, named) in file.iter().flat_map(|file| &file.arrays) {
        let rank = named.values.ndim();
        let fits = if array.is_list() {
            rank == 1
        } else {
            (2..=4).contains(&rank)
        };
        if !fits || named.values.len() > MOST_NUMBERS {
            return Err(format!(
                "{name}: {array:?} of shape {:?}",
                named.values.shape()
            ));
        }
    }
    Ok(holds)
}

#[test]
fn every_text_format_says_the_same() {
    let truth = good("plain.json", &sample("plain.json"));
    assert_eq!(
        numbers(&truth, ArrayName::Q),
        (&[2, 2][..], vec![1.0, 0.5, 0.25, -2.0])
    );
    assert_eq!(
        numbers(&truth, ArrayName::Keep).1,
        [1.0, 0.0, 1.0, 1.0, 1.0, 1.0]
    );
    assert_eq!(truth.spec.scale, Some(0.5));
    assert_eq!(truth.spec.spec().causal, Some(Alignment::TopLeft));
    assert_eq!(
        truth.tokens.as_ref().unwrap(),
        &["Jane", "visits", "Africa"]
    );
    for name in ["plain.ron", "plain.csv"] {
        let file = good(name, &sample(name));
        assert_eq!(file.spec, truth.spec, "{name}");
        assert_eq!(file.tokens, truth.tokens, "{name}");
        assert_eq!(file.arrays.len(), truth.arrays.len(), "{name}");
        for (array, named) in &truth.arrays {
            let there = &file.arrays[array].values;
            assert_eq!(there.shape(), named.values.shape(), "{name} {array:?}");
            assert!(
                there
                    .iter()
                    .zip(&named.values)
                    .all(|(a, b)| a == b || a.is_nan() && b.is_nan()),
                "{name} {array:?}"
            );
        }
    }
}

#[test]
fn numpy_and_safetensors_files_read_in_every_width_order_and_layout() {
    let k = vec![1.0, 0.0, 0.0, 1.0, 0.5, 0.5];
    let one = |array, name: &str| {
        let (file, told) = read_one(&Words::english(), array, name, &sample(name));
        assert!(told.is_empty(), "{told:?}");
        file.unwrap()
    };
    let read = one(ArrayName::K, "k_f32_big_fortran.npy");
    assert_eq!(numbers(&read, ArrayName::K), (&[3, 2][..], k.clone()));
    let read = one(ArrayName::V, "v_i8.npy");
    assert_eq!(
        numbers(&read, ArrayName::V),
        (&[3, 1][..], vec![1.0, 2.0, 4.0])
    );
    let read = good("keep.npy", &sample("keep.npy"));
    assert_eq!(
        read.arrays[&ArrayName::Keep]
            .truths()
            .into_raw_vec_and_offset()
            .0,
        [true, false, true, true, true, true]
    );

    let read = good("numpy.npz", &sample("numpy.npz"));
    assert_eq!(numbers(&read, ArrayName::K), (&[3, 2][..], k.clone()));
    assert_eq!(numbers(&read, ArrayName::V).1, [1.0, 2.0, 4.0]);
    assert_eq!(
        (read.spec.scale, read.spec.causal),
        (Some(0.5), Some(Alignment::TopLeft))
    );
    assert_eq!(read.tokens.unwrap(), ["Jane", "visits", "Africa"]);

    let read = good("compressed.npz", &sample("compressed.npz"));
    assert_eq!(numbers(&read, ArrayName::K), (&[1, 3, 2][..], k.clone()));
    assert_eq!(read.spec.heads, Some(1));

    let read = good("numpy.safetensors", &sample("numpy.safetensors"));
    assert_eq!(numbers(&read, ArrayName::K), (&[3, 2][..], k));
    assert_eq!(numbers(&read, ArrayName::V).1, [1.0, 2.0, 4.0]);
    assert_eq!(numbers(&read, ArrayName::Bias).1, [0.0; 6]);
    assert_eq!(read.spec.causal, Some(Alignment::BottomRight));
    let place = &read.arrays[&ArrayName::Q].place;
    assert!(
        matches!(place, ArrayPlace::Byte { byte, .. } if *byte > 8),
        "{place:?}"
    );
}

/// Every type of number that NumPy writes, read by `npyz` and by us.
#[test]
fn numbers_are_what_npyz_reads() {
    let one = |bytes: &[u8]| {
        let (file, told) = read_one(&Words::english(), ArrayName::Q, "q.npy", bytes);
        assert!(
            told.iter().all(|d| d.severity < Severity::Error),
            "{told:?}"
        );
        numbers(&file.unwrap(), ArrayName::Q).1
    };
    macro_rules! same {
        ($type:ty: $($number:expr),*) => {{
            use npyz::WriterBuilder as _;
            let numbers: Vec<$type> = vec![$($number),*];
            let mut bytes = Vec::new();
            let mut writer = npyz::WriteOptions::new().default_dtype()
                .shape(&[1, numbers.len() as u64]).writer(&mut bytes).begin_nd().unwrap();
            writer.extend(numbers.iter().copied()).unwrap();
            writer.finish().unwrap();
            let wanted: Vec<f64> = numbers.iter().map(|x| *x as f64).collect();
            assert_eq!(one(&bytes), wanted, stringify!($type));
        }};
    }
    same!(i8: i8::MIN, -1, 0, i8::MAX);
    same!(i16: i16::MIN, -1, 0, i16::MAX);
    same!(i32: i32::MIN, -1, 0, i32::MAX);
    same!(i64: -(1 << 53), -1, 0, 1 << 53, i64::MIN, i64::MAX);
    same!(u8: 0, u8::MAX);
    same!(u16: 0, u16::MAX);
    same!(u32: 0, u32::MAX);
    same!(u64: 0, 1 << 53, u64::MAX);
    same!(f32: 0.1, f32::MIN_POSITIVE, f32::MAX, f32::NEG_INFINITY);
    same!(f64: 0.1, 5e-324, f64::MAX, f64::INFINITY);
}

/// What the `safetensors` crate writes; whole numbers that an f64 cannot hold are rounded, and that is told.
#[test]
fn brain_floats_and_long_whole_numbers_read() {
    use safetensors::tensor::{Dtype, TensorView, serialize};
    let brain: Vec<u8> = [1.0, -0.15625, 3e38]
        .iter()
        .flat_map(|x| half::bf16::from_f64(*x).to_le_bytes())
        .collect();
    let whole: Vec<u8> = [1i64, (1 << 53) + 1, -3]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let views = [
        (
            "q",
            TensorView::new(Dtype::BF16, vec![1, 3], &brain).unwrap(),
        ),
        (
            "k",
            TensorView::new(Dtype::I64, vec![3, 1], &whole).unwrap(),
        ),
    ];
    let bytes = serialize(views, None).unwrap();
    let (file, told) = read("a.safetensors", &bytes);
    assert_eq!(told.iter().map(|d| d.code).collect::<Vec<_>>(), ["A049"]);
    let file = file.unwrap();
    let rounded = half::bf16::from_f64(3e38).to_f64();
    assert_eq!(
        numbers(&file, ArrayName::Q),
        (&[1, 3][..], vec![1.0, -0.15625, rounded])
    );
    assert_eq!(
        numbers(&file, ArrayName::K),
        (&[3, 1][..], vec![1.0, 9_007_199_254_740_992.0, -3.0])
    );
}

#[test]
fn spreadsheets_of_german_excel_read() {
    for name in ["german.csv", "utf16.csv"] {
        let file = good(name, &sample(name));
        assert_eq!(
            numbers(&file, ArrayName::Q),
            (&[2, 2][..], vec![1.5, 2.0, -0.25, 0.001]),
            "{name}"
        );
        assert_eq!(numbers(&file, ArrayName::Keep).1, [1.0, 0.0, 1.0, 1.0]);
        assert_eq!(file.spec.scale, Some(0.5));
    }
    let heads = good("heads.csv", &sample("heads.csv"));
    assert_eq!(
        numbers(&heads, ArrayName::Q),
        (&[2, 2, 2][..], (1..=8).map(f64::from).collect())
    );
}

#[test]
fn a_file_of_one_array_is_named_by_its_name_or_by_who_asks() {
    assert_eq!(
        numbers(&good("in/k.csv", b"1,2\n3,4\n"), ArrayName::K).0,
        [2, 2]
    );
    assert_eq!(
        numbers(&good("v.json", b"[[1, 2]]"), ArrayName::V).0,
        [1, 2]
    );
    assert_eq!(codes("mine.csv", "1,2\n3,4\n"), ["A012"]);
    let words = Words::english();
    let ask = |name: &str, text: &str| read_one(&words, ArrayName::Q, name, text.as_bytes());
    let (file, told) = ask("mine.csv", "1,2\n3,4\n");
    assert!(told.is_empty() && file.unwrap().arrays.contains_key(&ArrayName::Q));
    // The output of a run becomes the queries of the next.
    let (file, told) = ask("out.json", r#"{"output": [[1, 2]]}"#);
    assert!(told.is_empty() && file.unwrap().arrays.contains_key(&ArrayName::Q));
    let (_, told) = ask("two.json", r#"{"a": [[1, 2]], "b": [[1]]}"#);
    assert_eq!(told[0].code, "A013");
}

#[test]
fn all_faults_are_told_at_their_places_and_what_is_good_is_kept() {
    let text = "(
    q: [[1, 0], [1, 2, 3]],
    k: [[1, x], [0, 1]],
    v: [[1], [2]],
    skale: 0.5,
    causal: \"top-lef\",
    heads: 1.5,
)";
    let (file, told) = read("a.ron", text.as_bytes());
    let places: Vec<_> = told.iter().map(|d| (d.code, d.place())).collect();
    let place = |code, place: &str| (code, format!("a.ron:{place}"));
    assert_eq!(
        places,
        [
            place("A041", "2:17"),
            place("A040", "3:13"),
            place("A010", "5:5"),
            place("A014", "6:13"),
            place("A014", "7:12"),
        ]
    );
    assert!(
        told[2].message.contains("did you mean “scale”"),
        "{}",
        told[2].message
    );
    assert!(
        told[3].message.contains("did you mean “top-left”"),
        "{}",
        told[3].message
    );
    let file = file.unwrap();
    assert_eq!(file.arrays.keys().collect::<Vec<_>>(), [&ArrayName::V]);
}

#[test]
fn each_slip_has_its_own_word() {
    let json = |text: &str| codes("a.json", text);
    let arrays = |rest: &str| format!(r#"{{"v": [[1]]{rest}}}"#);
    assert_eq!(json(&arrays(r#", "q": [1, 2]"#)), ["A044"]);
    assert_eq!(json(&arrays(r#", "q": [[[[[1]]]]]"#)), ["A043"]);
    assert_eq!(json(&arrays(r#", "q": [[1], 2]"#)), ["A042"]);
    assert_eq!(json(&arrays(r#", "q": [1, [2]]"#)), ["A042"]);
    assert_eq!(json(&arrays(r#", "q": [[1, true]]"#)), ["A042"]);
    assert_eq!(json(&arrays(r#", "q": [[true]]"#)), ["A047"]);
    assert_eq!(json(&arrays(r#", "keep": [[0.5]]"#)), ["A048"]);
    assert_eq!(json(&arrays(r#", "bq": [[1, 2], [3, 4]]"#)), ["A046"]);
    assert_eq!(json(&arrays(r#", "q": [[1e999]]"#)), ["A040"]);
    assert_eq!(json(&arrays(r#", "q": [[NaN, -Infinity]]"#)), ["A029"]);
    assert_eq!(json(&arrays(r#", "q": [[1 2]]"#)), ["A023"]);
    assert_eq!(json(&arrays(r#", "q": [[1,, 2]]"#)), ["A024"]);
    assert_eq!(json(&arrays(r#", "q": [[1, 2,]]"#)), ["A024"]);
    assert_eq!(json(&arrays(r#", "q" [[1, 2]]"#)), ["A025"]);
    assert_eq!(json(&arrays(r#", "q":"#)), ["A026"]);
    assert_eq!(json(&arrays(r#", "v": [[2]]"#)), ["A011"]);
    assert_eq!(json(&arrays(r#", "causal": true"#)), ["A014"]);
    assert_eq!(
        json(&arrays(r#", "scale": 1, "spec": {"scale": 2, "q": 1}"#)),
        ["A011", "A014"]
    );
    assert_eq!(json(&arrays(r#", "q": {"rows": [[1]]}"#)), ["A020"]);
    assert_eq!(
        json(&arrays(
            r#", "causal": null, "bias": null, "window_left": 0"#
        )),
        [""; 0]
    );
    assert_eq!(json(&arrays("} {")), ["A027"]);
    assert_eq!(json("{\"v\": [[1]] // one\n}"), ["A028"]);
    assert_eq!(json(r#"{"v": [[1], [2"#), ["A021", "A021"]);
    assert_eq!(json(""), ["A008"]);
    assert_eq!(json("nonsense"), ["A030"]);
    assert_eq!(json("{\"v\": [[1\0]]}"), ["A006"]);
    assert_eq!(
        codes(
            "a.ron",
            "(v: [[1]], causal: TopLeft, scale: Some(0.5), spec: (softcap: 5,),)"
        ),
        [""; 0]
    );

    let csv = |text: &str| codes("a.csv", text);
    assert_eq!(csv("q\n1,2\n3\n"), ["A041"]);
    assert_eq!(csv("q # queries\n1,2 # Jane\n"), [""; 0]);
    assert_eq!(csv("q\n1,,2\n"), ["A061"]);
    assert_eq!(csv("q\n1;1.234,5\n"), ["A040"]);
    assert_eq!(csv("d0,d1\n1,2\n"), ["A062", "A012"]);
    assert_eq!(csv("v\n1\nscale\n"), ["A026"]);
    assert_eq!(csv("q[0]\n1\nq[2]\n1\n"), ["A063"]);
    assert_eq!(csv("q[0]\n1\nq[1]\n1\n2\n"), ["A064"]);
    assert_eq!(csv("q\n1\nq\n2\n"), ["A011"]);
    assert_eq!(csv("v\n1\nweird\n1\n2\n"), ["A010"]);
    assert_eq!(codes("a.bin", "\u{1}\u{2}"), ["A001"]);

    let npy = |name: &str| read(&format!("q-{name}"), &sample(name)).1[0].code;
    assert_eq!(npy("objects.npy"), "A073");
    assert_eq!(npy("complex.npy"), "A074");
    assert_eq!(codes("q.npy", "no array"), ["A070"]);
    let (_, told) = read("q.json", &sample("q.npy"));
    assert_eq!(told[0].code, "A002", "the content wins");
}

#[test]
fn sizes_are_looked_at_before_memory_is_asked_for() {
    let npy = |shape: &str, data: usize| {
        let head = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({shape}), }}");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend(u16::try_from(head.len()).unwrap().to_le_bytes());
        bytes.extend(head.bytes());
        bytes.extend(vec![0; data]);
        read("q.npy", &bytes)
            .1
            .iter()
            .map(|d| d.code)
            .collect::<Vec<_>>()
    };
    assert_eq!(npy("1, 2", 16), [""; 0]);
    assert_eq!(npy("1, 2", 15), ["A003"]);
    assert_eq!(npy("1, 2", 17), ["A004"]);
    assert_eq!(npy("100000, 1000", 16), ["A003"]);
    assert_eq!(npy("4294967296, 4294967296, 4294967296", 16), ["A005"]);
    assert_eq!(npy("99999999999999999999, 1", 16), ["A072"]);
    assert_eq!(npy("0, 18446744073709551615", 0), ["A005"]);
    assert_eq!(npy("0, 100000000, 100000000", 0), ["A005"]);
    assert_eq!(npy("0, 3", 0), [""; 0]);
    let deep = format!("{{\"q\": {}", "[".repeat(1_000_000));
    assert!(codes("a.json", &deep).contains(&"A043"));
    let deep = format!("{{\"other\": {}", "[".repeat(1_000_000));
    assert!(codes("a.json", &deep).contains(&"A010"));
    assert!(codes("a.ron", &"(".repeat(1_000_000)).len() < 100);
}

/// Each array of a safetensors file is looked at by itself: those that lie are told, the others are read.
#[test]
fn a_lying_head_of_safetensors_is_told_array_by_array() {
    let told = |entries: &str, data: usize| {
        let head = format!("{{{entries}}}");
        let mut bytes = (head.len() as u64).to_le_bytes().to_vec();
        bytes.extend(head.bytes());
        bytes.extend(vec![0; data]);
        let (file, told) = read("a.safetensors", &bytes);
        let arrays = file.map_or(0, |file| file.arrays.len());
        (arrays, told.iter().map(|d| d.code).collect::<Vec<_>>())
    };
    let q = r#""q": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}"#;
    let with = |other: &str| format!("{q}, {other}");
    assert_eq!(told(q, 8), (1, vec![]));
    assert_eq!(told(q, 9), (1, vec!["A004"]));
    assert_eq!(told(q, 7), (0, vec!["A079"]));
    let k = |dtype: &str, shape: &str, offsets: &str| {
        with(&format!(
            r#""k": {{"dtype": "{dtype}", "shape": [{shape}], "data_offsets": [{offsets}]}}"#
        ))
    };
    assert_eq!(told(&k("F32", "1, 2", "8, 16"), 16), (2, vec![]));
    assert_eq!(told(&k("F32", "1, 3", "8, 16"), 16), (1, vec!["A078"]));
    assert_eq!(told(&k("F32", "1, 2", "16, 8"), 8), (1, vec!["A078"]));
    assert_eq!(told(&k("F32", "1, 2", "4, 12"), 12), (2, vec!["A080"]));
    assert_eq!(told(&k("F8_E4M3", "1, 2", "8, 10"), 10), (1, vec!["A074"]));
    assert_eq!(
        told(&k("F32", "4294967296, 4294967296", "8, 16"), 16),
        (1, vec!["A005"])
    );
    assert_eq!(
        told(&k("F32", "-1, 2", "8, 16"), 16),
        (1, vec!["A077", "A004"])
    );
    assert_eq!(told("\"q\": [[[", 8), (0, vec!["A077"]));
}

/// Some files make a reader look to their end again and again; ours look a few times.
#[test]
fn no_small_file_takes_long() {
    let lines = 200_000;
    let slow = [
        ("a.json", format!("{{\"{}", "\\\"\n".repeat(lines))),
        ("a.ron", format!("({}", "r#\"\n".repeat(lines))),
        ("a.json", format!("{{{}", "\"nothing\": 1,".repeat(lines))),
        ("a.csv", "word\n".repeat(lines)),
        ("a.csv", "1;\"\n".repeat(lines)),
    ];
    for (name, text) in slow {
        let start = Instant::now();
        assert!(!codes(name, &text).is_empty());
        let took = start.elapsed();

        assert!(
            took < Duration::from_secs(20),
            "{name} took {took:?}: {}",
            &text[..20]
        );
    }
}

/// A small archive that unpacks to a large member is refused by the member's head, or after its last number, never unpacked whole.
#[test]
fn an_archive_that_swells_is_refused() {
    use std::io::Write as _;
    let archive = |shape: &str, data: usize| {
        let head = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({shape}), }}");
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let deflated = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated);
        zip.start_file("q.npy", deflated).unwrap();
        zip.write_all(b"\x93NUMPY\x01\x00").unwrap();
        let length = u16::try_from(head.len()).unwrap();
        zip.write_all(&length.to_le_bytes()).unwrap();
        zip.write_all(head.as_bytes()).unwrap();
        zip.write_all(&vec![0; data]).unwrap();
        let bytes = zip.finish().unwrap().into_inner();
        assert!(bytes.len() < 100_000);
        let (_, told) = read("a.npz", &bytes);
        told.iter().map(|d| d.code).collect::<Vec<_>>()
    };
    assert_eq!(archive("1, 3", 3), [""; 0]);
    assert_eq!(archive("1, 3", 1 << 24), ["A004"]);
    assert_eq!(archive("1, 200000000", 1 << 20), ["A005"]);
    assert_eq!(archive("1, 100000000", 1 << 20), ["A003"]);
}

#[test]
fn a_cut_file_is_read_or_explained_wherever_it_is_cut() {
    let words = Words::english();
    let (mut cuts, mut whole) = (0, 0);
    for (name, bytes) in samples() {
        for cut in 0..bytes.len() {
            read_or_explained(&words, &name, &bytes[..cut]).unwrap();
            cuts += 1;
        }
        whole += usize::from(read_or_explained(&words, &name, &bytes).unwrap());
    }
    println!("{cuts} cuts; {whole} whole files read");
}

#[test]
fn a_file_with_one_changed_byte_is_read_or_explained() {
    let words = Words::english();
    let (mut changed, mut unread) = (0, 0);
    for (name, bytes) in samples() {
        for at in 0..bytes.len() {
            for flip in [0x01, 0x10, 0x80, 0xFF] {
                let mut bytes = bytes.clone();
                bytes[at] ^= flip;
                unread += usize::from(!read_or_explained(&words, &name, &bytes).unwrap());
                changed += 1;
            }
        }
    }
    println!("{changed} changes, {unread} of them left nothing to read");
}

/// Any array with at least one number, of any rank.
fn any_array(ranks: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = ArrayD<f64>> {
    prop::collection::vec(1usize..4, ranks).prop_flat_map(|shape| {
        let count = shape.iter().product::<usize>();
        let number = prop_oneof![
            4 => any::<f64>().prop_filter("NaN has no one bit pattern", |x| !x.is_nan()),
            1 => prop::sample::select(vec![0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324, f64::MAX, 1e300, 79.0]),
        ];
        prop::collection::vec(number, count)
            .prop_map(move |numbers| ArrayD::from_shape_vec(IxDyn(&shape), numbers).unwrap())
    })
}

fn bits(array: &ArrayD<f64>) -> (Vec<usize>, Vec<u64>) {
    let bits = |x: &f64| if x.is_nan() { f64::NAN } else { *x }.to_bits();
    (array.shape().to_vec(), array.iter().map(bits).collect())
}

proptest! {
    #[test]
    fn what_is_written_reads_back_the_same_to_the_bit(q in any_array(2..=4), v in any_array(2..=4), bq in any_array(1..=1)) {
        let arrays = [("q", q.view()), ("v", v.view()), ("bq", bq.view())];
        for format in [WriteFormat::Json, WriteFormat::Csv] {
            let bytes = write_arrays(format, &arrays).unwrap();
            let name = if format == WriteFormat::Json { "out.json" } else { "out.csv" };
            let file = good(name, &bytes);
            for (array, written) in [(ArrayName::Q, &q), (ArrayName::V, &v), (ArrayName::Bq, &bq)] {
                prop_assert_eq!(bits(&file.arrays[&array].values), bits(written));
            }
        }
        let bytes = write_arrays(WriteFormat::Npy, &[("q", q.view())]).unwrap();
        prop_assert_eq!(bits(&good("q.npy", &bytes).arrays[&ArrayName::Q].values), bits(&q));
        let npyz = npyz::NpyFile::new(&bytes[..]).unwrap();
        prop_assert_eq!(npyz.shape().iter().map(|n| *n as usize).collect::<Vec<_>>(), q.shape());
        prop_assert_eq!(npyz.into_vec::<f64>().unwrap().iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
            q.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
        let two = write_arrays(WriteFormat::Npy, &arrays);
        prop_assert_eq!(two, Err(WriteProblem::OneArrayOnly(3)));
    }

    /// What is written is JSON to others too, and what others read we read.
    #[test]
    fn json_is_what_serde_reads(q in any_array(2..=2)) {
        let bytes = write_arrays(WriteFormat::Json, &[("q", q.view())]).unwrap();
        let others: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        for (ours, theirs) in q.iter().zip(others["q"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap())) {
            match theirs.as_f64() {
                Some(x) => prop_assert_eq!(x.to_bits(), ours.to_bits()),
                None => prop_assert!(!ours.is_finite() && theirs.is_string()),
            }
        }
        let pretty = serde_json::to_vec_pretty(&others).unwrap();
        prop_assert_eq!(bits(&good("q.json", &pretty).arrays[&ArrayName::Q].values), bits(&q));
    }

    /// RON as the `ron` crate writes it.
    #[test]
    fn ron_is_read_as_the_crate_writes_it(rows in prop::collection::vec(prop::collection::vec(any::<f64>(), 3), 1..4)) {
        let flat: Vec<u64> = rows.iter().flatten().map(|x| if x.is_nan() { f64::NAN } else { *x }.to_bits()).collect();
        let text = ron::ser::to_string_pretty(&std::collections::BTreeMap::from([("q", rows)]), Default::default()).unwrap();
        prop_assert_eq!(bits(&good("a.ron", text.as_bytes()).arrays[&ArrayName::Q].values).1, flat);
    }

    #[test]
    fn any_bytes_are_read_or_explained(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for ending in ENDINGS {
            prop_assert_eq!(read_or_explained(&Words::english(), &format!("q.{ending}"), &bytes).err(), None);
        }
    }

    #[test]
    fn any_signs_of_the_grammars_are_read_or_explained(text in r#"([\[\](){},:;"'/\#\n\t 01.eE+-]|q|v|keep|scale|spec|tokens|Some|inf|NaN|null|true|r#|\[\[1, 2\]\]){0,40}"#) {
        for ending in ["ron", "json", "csv", "xyz"] {
            prop_assert_eq!(read_or_explained(&Words::english(), &format!("q.{ending}"), text.as_bytes()).err(), None);
        }
    }
}

/// A long run of changed samples: `ATTENTION_TUTOR_FUZZ_SECONDS=600 cargo test --test array_files -- --ignored --nocapture`.
#[test]
#[ignore = "runs as long as it is told"]
fn fuzz_the_readers() {
    let seconds = std::env::var("ATTENTION_TUTOR_FUZZ_SECONDS").map_or(10, |s| s.parse().unwrap());
    let end = Instant::now() + Duration::from_secs(seconds);
    let words = Words::english();
    let seeds = samples();
    let start = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let mut dice = Dice(start.as_nanos() as u64 | 1);
    println!("seed {}", dice.0);
    let (mut runs, mut read) = ([0u64; 6], 0u64);
    while Instant::now() < end {
        let (name, bytes) = &seeds[dice.below(seeds.len())];
        let (_, other) = &seeds[dice.below(seeds.len())];
        let mut bytes = if dice.below(20) == 0 {
            (0..dice.below(300))
                .map(|_| dice.below(256) as u8)
                .collect()
        } else {
            bytes.clone()
        };
        for _ in 0..=dice.below(6) {
            mutate(&mut bytes, other, &mut dice);
        }
        let own = name.rsplit('.').next().unwrap();
        let ending = if dice.below(10) == 0 {
            ENDINGS[dice.below(6)]
        } else {
            own
        };
        let at = ENDINGS.iter().position(|e| *e == ending).unwrap();
        let name = format!("q.{ending}");
        let outcome = std::panic::catch_unwind(|| {
            let one = read_one(&words, ArrayName::Q, &name, &bytes);
            drop(one);
            if let (Some(file), _) = read_arrays(&words, &name, &bytes) {
                run_small(&words, &file);
            }
            read_or_explained(&words, &name, &bytes)
        });
        match outcome {
            Ok(Ok(holds)) => read += u64::from(holds),
            fault => {
                let kept = std::env::temp_dir().join(format!("array-file-{}", name));
                fs::write(&kept, &bytes).unwrap();
                panic!("{fault:?}: kept as {}", kept.display());
            }
        }
        runs[at] += 1;
    }
    let each: Vec<String> = ENDINGS
        .iter()
        .zip(runs)
        .map(|(e, n)| format!("{e} {n}"))
        .collect();
    println!(
        "{} files ({}), {read} held arrays",
        runs.iter().sum::<u64>(),
        each.join(", ")
    );
}

/// What can be read can be run, or it is told why not.
fn run_small(words: &Words, file: &ArrayFile) {
    let numbers: usize = file.arrays.values().map(|array| array.values.len()).sum();
    if numbers > 1 << 14 {
        return;
    }
    match run_arrays(words, file, Keep::Stages) {
        Err(told) => assert!(!told.is_empty()),
        Ok(run) if run.size().iter().product::<usize>() > 1 << 14 => {}
        Ok(run) => {
            for (_, shown) in Shown::ALL {
                let _ = run.array(shown);
            }
            let _ = run.example(0, 0, 0);
        }
    }
}

/// One change that fuzzers make: a byte, a number at the edge, a piece cut, doubled, moved, or taken from another file.
fn mutate(bytes: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    if bytes.is_empty() {
        return bytes.extend_from_slice(&other[..dice.below(other.len() + 1)]);
    }
    let at = dice.below(bytes.len());
    let to = (at + 1 + dice.below(16)).min(bytes.len());
    match dice.below(9) {
        0 => bytes[at] ^= 1 << dice.below(8),
        1 => bytes[at] = dice.below(256) as u8,
        2 => bytes[at] = [0, 1, 0x7F, 0x80, 0xFF, b'[', b']', b'"', b',', b'9'][dice.below(10)],
        3 => bytes.truncate(at),
        4 => drop(bytes.drain(at..to)),
        5 => {
            let piece = bytes[at..to].to_vec();
            let times = 1 + dice.below(40);
            for _ in 0..times {
                bytes.splice(at..at, piece.iter().copied());
            }
        }
        6 if !other.is_empty() => {
            let from = dice.below(other.len());
            let until = (from + 1 + dice.below(64)).min(other.len());
            bytes.splice(at..to, other[from..until].iter().copied());
        }
        7 => {
            let edges: [u64; 6] = [
                0,
                u64::MAX,
                i64::MAX as u64,
                u64::from(u32::MAX),
                1 << 31,
                1 << 40,
            ];
            let edge = edges[dice.below(6)].to_le_bytes();
            let wide = [1, 2, 4, 8][dice.below(4)].min(bytes.len() - at);
            bytes[at..at + wide].copy_from_slice(&edge[..wide]);
        }
        _ => {
            let words: [&[u8]; 12] = [
                b"[[",
                b"]]",
                b"NaN",
                b"1e999",
                b"-",
                b"\"",
                b"Some(",
                b"q[0]",
                b"/*",
                b"\xFF\xFE",
                b"99999999999999999999",
                b"null",
            ];
            bytes.splice(at..at, words[dice.below(12)].iter().copied());
        }
    }
}

/// A small generator of numbers (xorshift), so that a run can be told again from its seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}
