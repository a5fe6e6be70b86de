//! Inputs for fuzzers, a file each.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use tine_session::{Input, Session};
use tine_trace::plan::InputKind;

use crate::{Error, failed};

/// Writes a file for each kept input that the directory does not have yet. The names sort by age, as AFL++ has it; libFuzzer
/// takes any.
pub fn write(session: &Path, folder: &Path) -> Result<(), Error> {
    let session = Session::open(session)?;
    let failed = failed("--corpus", folder);
    fs::create_dir_all(folder).map_err(&failed)?;
    let mut known = HashSet::new();
    let mut n_files = 0;
    for entry in fs::read_dir(folder).map_err(&failed)? {
        let path = entry.map_err(&failed)?.path();
        if path.is_file() {
            known.insert(fs::read(&path).map_err(&failed)?);
            n_files += 1;
        }
    }
    for case in session.cases()? {
        let bytes = the_input(&case.input.input);
        if known.insert(bytes.clone()) {
            let name = loop {
                let name = folder.join(format!("id:{n_files:06},src:tine,case:{}", case.id));
                n_files += 1;
                if !name.exists() {
                    break name;
                }
            };
            fs::write(name, bytes).map_err(&failed)?;
        }
    }
    Ok(())
}

/// The bytes that fuzzers call the input: a file, or else everything that the program asked for.
fn the_input(input: &Input) -> Vec<u8> {
    match input.requests.first() {
        Some(first) if first.kind == InputKind::Contents => first.contents().to_vec(),
        _ => input.requests.iter().flat_map(|input| input.contents().iter().copied()).collect(),
    }
}
