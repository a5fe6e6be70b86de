//! Inputs for fuzzers, one file each. The names sort by age, as AFL++ requires. libFuzzer accepts any name.

use std::collections::HashSet;
use std::fs;

use tine_session::Input;
use tine_session::session::Case;
use tine_trace::plan::InputKind;

use super::{Exported, Exporting, Format};
use crate::source::{LeftOut, Reason};
use crate::{Error, failed};

#[derive(Debug)]
pub(super) struct Corpus;

impl Format for Corpus {
    fn name(&self) -> &'static str {
        "corpus"
    }

    fn about(&self) -> &'static str {
        "inputs for AFL++ and libFuzzer, a file each"
    }

    /// Inputs that the directory already contains are not written again.
    fn export(&self, exporting: &Exporting<'_>) -> Result<Exported, Error> {
        let failed = failed(exporting.out);
        let mut known = HashSet::new();
        let mut n_files = 0;
        if exporting.out.is_dir() {
            for entry in fs::read_dir(exporting.out).map_err(&failed)? {
                let path = entry.map_err(&failed)?.path();
                if path.is_file() {
                    known.insert(fs::read(&path).map_err(&failed)?);
                    n_files += 1;
                }
            }
        }
        let mut exported = Exported::default();
        for case in exporting.session.cases()? {
            if has_pointers(&case) {
                exported.left_out.push(LeftOut { case: case.id, reason: Reason::Pointer });
                continue;
            }
            let bytes = the_input(&case.input.input);
            if known.insert(bytes.clone()) {
                let name = loop {
                    let name = format!("id:{n_files:06},src:tine,case:{}", case.id);
                    n_files += 1;
                    if !exporting.out.join(&name).exists() {
                        break name;
                    }
                };
                exported.files.push((name.into(), bytes));
                exported.n_tests += 1;
            }
        }
        Ok(exported)
    }
}

/// True if the input has objects or addresses, which mean nothing outside of tine.
pub(super) fn has_pointers(case: &Case) -> bool {
    let input = &case.input.input;
    !input.objects.is_empty() || input.requests.iter().any(|request| request.kind == InputKind::Pointer)
}

/// The bytes of the fuzzers' input: a file, otherwise all requests of the program.
fn the_input(input: &Input) -> Vec<u8> {
    match input.requests.first() {
        Some(first) if first.kind == InputKind::Contents => first.contents().to_vec(),
        _ => input.requests.iter().flat_map(|input| input.contents().iter().copied()).collect(),
    }
}
