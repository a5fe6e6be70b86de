//! Files of KLEE (`.ktest`, version 3): the program's name, and a named object per request.

use tine_trace::plan::InputKind;

use super::{Exported, Exporting, Format};
use crate::Error;

#[derive(Debug)]
pub(super) struct Ktest;

impl Format for Ktest {
    fn name(&self) -> &'static str {
        "ktest"
    }

    fn about(&self) -> &'static str {
        "KLEE's .ktest files"
    }

    fn export(&self, exporting: &Exporting<'_>) -> Result<Exported, Error> {
        let program = exporting.session.program()?.name;
        let mut exported = Exported::default();
        for case in exporting.session.cases()? {
            let is_input = |kind: InputKind| {
                !matches!(kind, InputKind::Call | InputKind::Passed | InputKind::Functions | InputKind::Failure)
            };
            let requests = case.input.input.requests.iter().filter(|request| is_input(request.kind));
            let objects: Vec<(&str, &[u8])> =
                requests.map(|request| (request.name.as_str(), request.contents())).collect();
            let name = format!("test{:06}.ktest", exported.n_tests + 1);
            exported.files.push((name.into(), ktest(&program, &objects)));
            exported.n_tests += 1;
        }
        Ok(exported)
    }
}

/// Numbers are big-endian, and strings are preceded by their length.
fn ktest(program: &str, objects: &[(&str, &[u8])]) -> Vec<u8> {
    const VERSION: u32 = 3;
    let mut bytes = b"KTEST".to_vec();
    let number = |bytes: &mut Vec<u8>, number: usize| bytes.extend((number as u32).to_be_bytes());
    bytes.extend(VERSION.to_be_bytes());
    number(&mut bytes, 1);
    number(&mut bytes, program.len());
    bytes.extend(program.as_bytes());
    // Symbolic arguments and their length.
    number(&mut bytes, 0);
    number(&mut bytes, 0);
    number(&mut bytes, objects.len());
    for (name, contents) in objects {
        number(&mut bytes, name.len());
        bytes.extend(name.as_bytes());
        number(&mut bytes, contents.len());
        bytes.extend(*contents);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_as_klee_reads_them() {
        let bytes = ktest("p", &[("x", &[7, 0])]);
        let expected = b"KTEST\0\0\0\x03\0\0\0\x01\0\0\0\x01p\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01x\0\0\0\x02\x07\0";
        assert_eq!(bytes, expected);
    }
}
