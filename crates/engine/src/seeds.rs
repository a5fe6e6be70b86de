//! Seed inputs from files: a fuzzer's corpus.
//!
//! One part of a program's environment is *the* input of fuzzers: standard input, otherwise the first file that is an
//! input, otherwise the program's first request. It comes first in every plan. A file of a corpus has its bytes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tine_types::Input;

use crate::Error;
use crate::config::Config;

/// Seed inputs, each with the bytes of the first request.
#[derive(Debug, Default)]
pub struct Seeds {
    pub seeds: Vec<Input>,
    /// Number of inputs that were longer than the maximum, and were truncated.
    pub n_cut: usize,
}

/// Reads the files of `seed_input`.
pub fn read(config: &Config) -> Result<Seeds, Error> {
    let failed = |file: &Path| {
        let file = file.to_path_buf();
        move |why: io::Error| Error::Seed { file, why }
    };
    let mut files = Vec::new();
    for path in &config.seed_input {
        if fs::metadata(path).map_err(failed(path))?.is_dir() {
            let entries: Result<Vec<_>, _> = fs::read_dir(path).map_err(failed(path))?.collect();
            let mut found: Vec<PathBuf> = entries.map_err(failed(path))?.iter().map(fs::DirEntry::path).collect();
            found.retain(|path| path.is_file());
            found.sort();
            files.extend(found);
        } else {
            files.push(path.clone());
        }
    }
    if !files.is_empty() && config.capacity().is_none() && config.sym_argv.is_some() {
        return Err(Error::SeedWithoutFile);
    }
    let mut read = Seeds::default();
    for path in files {
        let bytes = fs::read(&path).map_err(failed(&path))?;
        let request = match config.capacity() {
            None => bytes,
            Some(capacity) => {
                let kept = &bytes[..bytes.len().min(capacity as usize)];
                read.n_cut += usize::from(kept.len() < bytes.len());
                [&(kept.len() as u32).to_le_bytes(), kept].concat()
            }
        };
        read.seeds.push(Input::of_requests(vec![request]));
    }
    Ok(read)
}
