//! Inputs that come from elsewhere and go elsewhere: a fuzzer's corpus, a Test-Comp suite.
//!
//! Of a program's surroundings one is what others call *the* input: standard input, else the first file that is one, else
//! whatever the program asks for first. It comes first in every plan, and its bytes are what a file of a corpus holds.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use tine_session::{CaseInput, Session};
use tine_trace::plan::InputKind;

use crate::explore::session_failure;
use crate::failure::Failure;
use crate::surroundings::SurroundingOptions;
use crate::testcomp;

#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Seeds and suites")]
pub(crate) struct SuiteOptions {
    /// Start from existing inputs: a file, or every file of a directory.
    ///
    /// Each file becomes standard input if that is symbolic, otherwise the first --sym-file, otherwise the first input
    /// that the program requests.
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) seed_input: Vec<PathBuf>,
    /// Write the kept inputs to this directory, one file each, for fuzzers such as AFL++ and libFuzzer.
    ///
    /// Inputs that the directory already contains are not written again.
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Option<PathBuf>,
    /// Write the kept cases as a Test-Comp suite (test-format 1.1).
    #[arg(long, value_name = "DIR")]
    pub(crate) testcomp: Option<PathBuf>,
}

impl SuiteOptions {
    /// The inputs to start from, each as the bytes of the first requests.
    pub(crate) fn seeds(&self, surroundings: &SurroundingOptions) -> Result<Vec<Vec<Vec<u8>>>, Failure> {
        let help = "give a file, or a directory of files, that can be read";
        let mut files = Vec::new();
        for path in &self.seed_input {
            let unreadable =
                |why: std::io::Error| Failure::usage(format!("--seed-input {}: {why}", path.display()), help);
            if fs::metadata(path).map_err(unreadable)?.is_dir() {
                let entries: Result<Vec<_>, _> = fs::read_dir(path).map_err(unreadable)?.collect();
                let mut found: Vec<PathBuf> = entries.map_err(unreadable)?.iter().map(fs::DirEntry::path).collect();
                found.retain(|path| path.is_file());
                found.sort();
                files.extend(found);
            } else {
                files.push(path.clone());
            }
        }
        if !files.is_empty() && surroundings.capacity().is_none() && surroundings.sym_argv.is_some() {
            return Err(Failure::usage(
                "--seed-input needs a symbolic file, and only arguments are symbolic",
                "add --sym-stdin or --sym-file, which receives the seed inputs",
            ));
        }
        let mut cut = 0;
        let mut seeds = Vec::new();
        for path in files {
            let bytes = fs::read(&path);
            let bytes = bytes.map_err(|why| Failure::usage(format!("--seed-input {}: {why}", path.display()), help))?;
            let request = match surroundings.capacity() {
                None => bytes,
                Some(capacity) => {
                    let kept = &bytes[..bytes.len().min(capacity as usize)];
                    cut += usize::from(kept.len() < bytes.len());
                    [&(kept.len() as u32).to_le_bytes(), kept].concat()
                }
            };
            seeds.push(vec![request]);
        }
        if cut > 0 {
            eprintln!("warning: {cut} of {} seeds are longer than the input can be, and were cut off", seeds.len());
        }
        Ok(seeds)
    }

    /// Writes what a finished session kept.
    pub(crate) fn write(&self, session: &Path) -> Result<(), Failure> {
        if self.corpus.is_none() && self.testcomp.is_none() {
            return Ok(());
        }
        let session = Session::open(session).map_err(session_failure)?;
        if let Some(folder) = &self.corpus {
            write_corpus(&session, folder)?;
        }
        if let Some(folder) = &self.testcomp {
            testcomp::write(&session, folder)?;
        }
        Ok(())
    }
}

/// A file for each input that the directory has not yet. The names sort by age, as AFL++ has it; libFuzzer takes any.
fn write_corpus(session: &Session, folder: &Path) -> Result<(), Failure> {
    let failed = |why: std::io::Error| {
        Failure::usage(format!("--corpus {}: {why}", folder.display()), "choose a directory that can be written")
    };
    fs::create_dir_all(folder).map_err(failed)?;
    let mut known = HashSet::new();
    let mut n_files = 0;
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_file() {
            known.insert(fs::read(&path).map_err(failed)?);
            n_files += 1;
        }
    }
    for case in session.cases().map_err(session_failure)? {
        let bytes = the_input(&case.input);
        if known.insert(bytes.clone()) {
            let name = loop {
                let name = folder.join(format!("id:{n_files:06},src:tine,case:{}", case.id));
                n_files += 1;
                if !name.exists() {
                    break name;
                }
            };
            fs::write(name, bytes).map_err(failed)?;
        }
    }
    Ok(())
}

/// The bytes that others would call the input of the case.
fn the_input(input: &CaseInput) -> Vec<u8> {
    match input.inputs.first() {
        Some(first) if first.kind == InputKind::Contents => first.contents().to_vec(),
        _ => input.inputs.iter().flat_map(|input| input.contents().iter().copied()).collect(),
    }
}
