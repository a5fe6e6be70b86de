//! Kept cases as a suite of Test-Comp (test-format 1.1): `metadata.xml`, and an XML file per case with the inputs in
//! the order of the program's requests.

use std::fmt::Write as _;
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};
use tine_session::{Request, Session};
use tine_trace::plan::InputKind;

use tine_engine::stored::Stored;

use super::{Exported, Exporting, Format};
use crate::Error;
use crate::source::{LeftOut, Reason};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";
const COVERAGE: &str = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )";

#[derive(Debug)]
pub(super) struct TestComp;

impl Format for TestComp {
    fn name(&self) -> &'static str {
        "testcomp"
    }

    fn about(&self) -> &'static str {
        "a suite of Test-Comp (test-format 1.1)"
    }

    fn export(&self, exporting: &Exporting<'_>) -> Result<Exported, Error> {
        let session = exporting.session;
        let source = source(session)?;
        let hash = hash(&fs::read(&source).unwrap_or_default());
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let mut exported = Exported::default();
        exported.files.push(("metadata.xml".into(), metadata(&source, &hash, &time_text(now)).into_bytes()));
        let errors = session.errors()?;
        for case in session.cases()? {
            if super::corpus::has_pointers(&case) {
                exported.left_out.push(LeftOut { case: case.id, reason: Reason::Pointer });
                continue;
            }
            let is_error = errors.iter().any(|error| error.case == case.id);
            let text = testcase(&case.input.input.requests, is_error);
            exported.files.push((format!("testcase-{}.xml", case.id).into(), text.into_bytes()));
            exported.n_tests += 1;
        }
        Ok(exported)
    }
}

/// The file that has `main`, if the session knows it; otherwise the program.
fn source(session: &Session) -> Result<String, Error> {
    let branches = session.branches()?;
    let of_main = branches.iter().find(|branch| branch.function == "main").or(branches.first());
    Ok(match of_main {
        Some(branch) => branch.file.clone(),
        None => Stored::read(session)?.target.program.to_string_lossy().into_owned(),
    })
}

fn metadata(source: &str, hash: &str, time: &str) -> String {
    let mut text = HEAD.to_owned();
    text.push_str(
        "<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" \
         \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n<test-metadata>\n",
    );
    for (name, value) in [
        ("sourcecodelang", "C"),
        ("producer", concat!("tine ", env!("CARGO_PKG_VERSION"))),
        ("specification", COVERAGE),
        ("programfile", source),
        ("programhash", hash),
        ("entryfunction", "main"),
        ("architecture", "64bit"),
        ("creationtime", time),
    ] {
        writeln!(text, "  <{name}>{}</{name}>", escaped(value)).expect("a string");
    }
    text + "</test-metadata>\n"
}

fn testcase(inputs: &[Request], is_error: bool) -> String {
    let mut text = HEAD.to_owned();
    text.push_str(
        "<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \
         \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n",
    );
    text.push_str(if is_error { "<testcase coversError=\"true\">\n" } else { "<testcase>\n" });
    for value in inputs.iter().flat_map(values) {
        writeln!(text, "  <input>{value}</input>").expect("a string");
    }
    text + "</testcase>\n"
}

/// A number per request. Bytes without a type are one number each.
fn values(input: &Request) -> Vec<String> {
    let bytes = &input.bytes;
    match (input.kind, bytes.len()) {
        (InputKind::Call | InputKind::Passed | InputKind::Functions | InputKind::Failure, _) => Vec::new(),
        (InputKind::Float, 4 | 8) => vec![float(bytes)],
        (InputKind::Bool, 1) => vec![(bytes[0] & 1).to_string()],
        (InputKind::Signed | InputKind::Char, 1..=16) => {
            let unused = 128 - 8 * bytes.len() as u32;
            vec![((number(bytes) << unused) as i128 >> unused).to_string()]
        }
        (InputKind::Unsigned | InputKind::Pointer | InputKind::Choice, 1..=16) => vec![number(bytes).to_string()],
        _ => input.contents().iter().map(u8::to_string).collect(),
    }
}

fn number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u128::from(*byte))
}

/// A literal that C reads back as the same bits. Values without such a literal are given by their bits.
fn float(bytes: &[u8]) -> String {
    let bits = number(bytes) as u64;
    let (value, text) = match bytes.len() {
        4 => (f64::from(f32::from_bits(bits as u32)), format!("{:?}", f32::from_bits(bits as u32))),
        _ => (f64::from_bits(bits), format!("{:?}", f64::from_bits(bits))),
    };
    if value.is_finite() { text } else { format!("0x{bits:0width$x}", width = 2 * bytes.len()) }
}

fn escaped(text: &str) -> String {
    tine_report::printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Seconds since 1970 as `2026-11-15T10:30:00Z`.
fn time_text(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut day) = (1970, days);
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while day >= lengths[month] {
        day -= lengths[month];
        month += 1;
    }
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", month + 1, day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(time_text(0), "1970-01-01T00:00:00Z");
        assert_eq!(time_text(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(time_text(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(time_text(1_794_738_896), "2026-11-15T10:34:56Z");
    }

    #[test]
    fn hashes() {
        assert_eq!(hash(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn values_are_what_c_reads() {
        let check = |kind, bytes: &[u8], expected: &[&str]| {
            let input = Request { name: "x".into(), kind, bytes: bytes.to_vec(), choices: 0, ty: 0 };
            assert_eq!(values(&input), expected);
        };
        check(InputKind::Signed, &(-3i32).to_le_bytes(), &["-3"]);
        check(InputKind::Unsigned, &u64::MAX.to_le_bytes(), &["18446744073709551615"]);
        check(InputKind::Char, &[0x80], &["-128"]);
        check(InputKind::Bool, &[3], &["1"]);
        check(InputKind::Float, &0.1f32.to_le_bytes(), &["0.1"]);
        check(InputKind::Float, &f64::MAX.to_le_bytes(), &["1.7976931348623157e308"]);
        check(InputKind::Float, &f32::NAN.to_bits().to_le_bytes(), &["0x7fc00000"]);
        check(InputKind::Bytes, b"ab", &["97", "98"]);
        check(InputKind::Call, b"", &[]);
    }
}
