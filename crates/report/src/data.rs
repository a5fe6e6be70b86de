//! A session in memory, for all formats: the summary, and data that only the session has.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use tine_session::session::{Branch, Covered, Line, Site};
use tine_session::summary::{ErrorSummary, ReasonSummary};
use tine_session::{Session, SessionError, Summary};

use crate::source::Sources;
use crate::terminal::CALLS;

/// See the module's documentation.
#[derive(Debug, Default)]
pub struct Data {
    /// The directory of the session, as the user specified it.
    pub dir: PathBuf,
    pub summary: Summary,
    /// False while the exploration runs, or if it was killed.
    pub is_finished: bool,
    pub branches: Vec<Branch>,
    pub lines: Vec<Line>,
    pub curve: Vec<Covered>,
    pub cases: Vec<Case>,
    /// Number of kept cases that take each side, by number of the side.
    pub taken: BTreeMap<u32, u64>,
    /// Decisions on the path to an error, by case.
    pub paths: BTreeMap<u32, Vec<Decision>>,
    pub sites: Vec<Site>,
    /// The execution tree, as [`tine_session::details`] describes it.
    pub tree: Vec<u8>,
    pub sources: Sources,
}

/// A kept case without its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub id: u32,
    pub outcome: String,
    pub code: u32,
    pub kept: String,
    pub run: u64,
    pub elapsed_ms: u64,
    pub input: String,
}

/// A decision on the path to an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    pub kind: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    /// `true`, `case 3`, or the number of a choice.
    pub side: String,
}

impl Data {
    /// Directory of the session that has the case of an error.
    pub(crate) fn folder_of(&self, error: &ErrorSummary) -> PathBuf {
        if error.is_only_by_calls() { self.dir.join(CALLS) } else { self.dir.clone() }
    }

    /// Decisions on the path to an error, as far as they are known.
    pub(crate) fn path_to(&self, error: &ErrorSummary) -> &[Decision] {
        let path = self.paths.get(&error.case).filter(|_| !error.is_only_by_calls());
        path.map_or(&[][..], Vec::as_slice)
    }

    /// Reads a session, finished or running. `read` loads its source files.
    pub fn read(dir: &Path, read: impl Fn(&Session, &BTreeSet<String>) -> Sources) -> Result<Data, SessionError> {
        let session = Session::open(dir)?;
        let stored = session.summary()?;
        let is_finished = stored.is_some();
        let (branches, curve) = (session.branches()?, session.coverage()?);
        let summary = match stored {
            Some(summary) => summary,
            None => unfinished(&session, &branches, &curve)?,
        };
        let sites = session.sites()?;
        let mut paths = BTreeMap::new();
        for case in summary
            .errors
            .iter()
            .chain(&summary.not_shown_reachable)
            .chain(&summary.unreproduced)
            .chain(summary.requirements.iter().map(|required| &required.evidence))
            .map(|error| error.case)
        {
            paths.insert(case, decisions(&session.path(case)?, &sites));
        }
        let mut taken = BTreeMap::<u32, u64>::new();
        for (_, _, covers) in session.covers()? {
            for side in covers {
                *taken.entry(side).or_default() += 1;
            }
        }
        let lines = session.lines()?;
        let named = branches.iter().map(|branch| &branch.file).chain(lines.iter().map(|line| &line.file));
        let files: BTreeSet<String> = named.chain(summary.errors.iter().map(|error| &error.file)).cloned().collect();
        let sources = read(&session, &files);
        Ok(Data {
            dir: dir.to_path_buf(),
            is_finished,
            lines,
            curve,
            cases: session.cases()?.into_iter().map(Case::from).collect(),
            taken,
            paths,
            sites,
            tree: session.tree()?,
            sources,
            branches,
            summary,
        })
    }

    /// Files that have branches or lines.
    pub fn files(&self) -> BTreeSet<&str> {
        let branches = self.branches.iter().map(|branch| &branch.file[..]);
        branches.chain(self.lines.iter().map(|line| &line.file[..])).collect()
    }
}

impl From<tine_session::session::Case> for Case {
    fn from(case: tine_session::session::Case) -> Case {
        Case {
            id: case.id,
            input: case.input.to_string(),
            outcome: case.outcome,
            code: case.code,
            kept: case.kept,
            run: case.run,
            elapsed_ms: case.elapsed_ms,
        }
    }
}

fn decisions(path: &[(u32, u32)], sites: &[Site]) -> Vec<Decision> {
    let decision = |(id, side): &(u32, u32)| {
        let site = sites.binary_search_by_key(id, |site| site.id).ok().map(|index| &sites[index])?;
        let name = site.sides.get(*side as usize).cloned().unwrap_or_else(|| format!("choice {side}"));
        Some(Decision {
            kind: site.kind.clone(),
            file: site.file.clone(),
            line: site.line,
            column: site.column,
            function: site.function.clone(),
            side: name,
        })
    };
    path.iter().filter_map(decision).collect()
}

/// The known part of the summary of an exploration that is running or was killed.
fn unfinished(session: &Session, branches: &[Branch], curve: &[Covered]) -> Result<Summary, SessionError> {
    let mut errors = Vec::new();
    for error in session.errors()? {
        let values = session.case(error.case)?.input;
        errors.push(ErrorSummary {
            kind: error.kind,
            file: error.file,
            line: error.line,
            column: error.column,
            function: error.function,
            about: error.about,
            callers: error.callers,
            case: error.case,
            input: values.to_string(),
            values,
            runs: 1,
            by_calls: None,
        });
    }
    let what = "the exploration has not ended: it runs, or was killed".to_owned();
    let so_far = session.so_far()?;
    Ok(Summary {
        version: tine_session::summary::SUMMARY_VERSION,
        target: session.program()?.name,
        runs: so_far.runs.max(curve.last().map_or(0, |point| point.run)),
        branches_total: branches.len(),
        branches_covered: branches.iter().filter(|side| side.case.is_some()).count(),
        reasons: vec![ReasonSummary { what, file: String::new(), line: 0, count: 1, bound: false }],
        errors,
        time_ms: session.elapsed_ms()?,
        ..so_far
    })
}
