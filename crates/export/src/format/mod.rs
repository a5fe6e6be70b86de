//! Formats in which the cases of a session are written. Each is one file that implements [`Format`].

mod c;
mod check;
mod cmocka;
mod corpus;
mod criterion;
mod gtest;
mod json;
mod ktest;
mod libfuzzer;
mod program;
mod source;
mod testcomp;
mod unity;

use std::path::{Path, PathBuf};

use tine_session::Session;

use crate::Error;
use crate::source::LeftOut;
use crate::update::Recorded;

/// The exported session.
#[derive(Debug)]
pub struct Exporting<'a> {
    pub session: &'a Session,
    /// Directory of the session.
    pub folder: &'a Path,
    /// Directory of the files: paths in them are relative to it.
    pub out: &'a Path,
    /// Tests in it from an earlier export, if the suite is refreshed.
    pub previous: Option<&'a [Recorded]>,
}

/// Files of an export.
#[derive(Debug, Default)]
pub struct Exported {
    /// Names relative to the directory, and contents.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    pub n_tests: usize,
    pub n_errors: usize,
    pub left_out: Vec<LeftOut>,
    /// Tests without changes by people.
    pub recorded: Vec<Recorded>,
    /// Differences between a refreshed suite and its earlier version.
    pub differences: Vec<String>,
}

/// A format for the cases of a session.
pub trait Format: Sync {
    fn name(&self) -> &'static str;

    /// One line for help strings.
    fn about(&self) -> &'static str;

    /// True for tests that are compiled and run.
    fn is_source(&self) -> bool {
        false
    }

    fn export(&self, exporting: &Exporting<'_>) -> Result<Exported, Error>;
}

/// All formats, source code first.
pub const FORMATS: [&dyn Format; 11] = [
    &c::C,
    &gtest::GoogleTest,
    &cmocka::Cmocka,
    &criterion::Criterion,
    &check::Check,
    &unity::Unity,
    &libfuzzer::LibFuzzer,
    &testcomp::TestComp,
    &ktest::Ktest,
    &corpus::Corpus,
    &json::Json,
];

/// The format of that name, or the nearest names.
pub fn find(name: &str) -> Result<&'static dyn Format, Error> {
    let found = FORMATS.iter().copied().find(|format| format.name() == name);
    found.ok_or_else(|| {
        let known = FORMATS.iter().map(|format| format.name());
        let nearest = known.max_by_key(|known| (strsim::jaro(name, known) * 1000.0) as u32).unwrap_or_default();
        Error::UnknownFormat { name: name.to_owned(), nearest }
    })
}
