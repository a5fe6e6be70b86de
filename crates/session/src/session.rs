//! Reads a session, finished or running.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, OptionalExtension, Row};
use tine_explore::Keep;
use tine_types::input::{CaseInput, Input};

use crate::details::decode_path;
use crate::error::SessionError;
use crate::journal::{self, Entry};
use crate::recorder::Program;
use crate::schema;
use crate::summary::{CallSummary, Summary, Uncoverable};

/// A stored session.
#[derive(Debug)]
pub struct Session {
    connection: Connection,
    dir: PathBuf,
}

/// A kept case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub id: u32,
    pub input: CaseInput,
    /// `exited`, `failed`, `signal` …
    pub outcome: String,
    /// Exit code, error kind or signal number.
    pub code: u32,
    /// `error`, `requirement`, `unreproduced`, `coverage`, `first` or `all`.
    pub kept: String,
    /// Number of its run, from 1.
    pub run: u64,
    pub elapsed_ms: u64,
}

/// An error that a case shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub kind: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    /// Description of the memory that it is about.
    pub about: String,
    /// Calls that led there, innermost first.
    pub callers: Vec<CallSummary>,
    pub case: u32,
}

/// A side of a branch of the user's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    pub file: String,
    pub function: String,
    pub ordinal: u32,
    pub condition: Option<u64>,
    pub line: u32,
    pub column: u32,
    pub side_index: u32,
    pub side: String,
    /// The first case that took it.
    pub case: Option<u32>,
    /// Reason why no run took it, once the exploration has ended.
    pub why: Option<Uncoverable>,
    /// Description of the reason.
    pub reason: Option<String>,
}

/// A site that occurs in paths or in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    pub id: u32,
    /// `branch`, `switch`, `check`, `assumption` or `choice`.
    pub kind: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    /// Names of the sides, if they have any.
    pub sides: Vec<String>,
}

/// A line with code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub file: String,
    pub line: u32,
    pub function: String,
    pub is_executed: bool,
    /// A run without errors executed it.
    pub is_passed: bool,
}

/// A point of the coverage curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Covered {
    pub run: u64,
    pub elapsed_ms: u64,
    pub covered: u64,
}

impl Session {
    /// Opens the session in a directory.
    pub fn open(dir: &Path) -> Result<Session, SessionError> {
        let path = schema::path(dir);
        if !path.exists() {
            return Err(SessionError::Missing(dir.to_path_buf()));
        }
        let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        schema::check(&connection, dir)?;
        Ok(Session { connection, dir: dir.to_path_buf() })
    }

    /// Directory of the session.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The explored program.
    pub fn program(&self) -> Result<Program, SessionError> {
        let read = |row: &Row<'_>| Ok(Program { name: row.get(0)?, digest: row.get(1)? });
        Ok(self.connection.query_row("SELECT name, digest FROM program", [], read)?)
    }

    /// A setting of the session at its creation.
    pub fn setting(&self, key: &str) -> Result<Option<serde_json::Value>, SessionError> {
        let query = "SELECT value FROM settings WHERE key = ?";
        let text: Option<String> = self.connection.query_row(query, [key], |row| row.get(0)).optional()?;
        Ok(text.map(|text| serde_json::from_str(&text)).transpose()?)
    }

    /// All kept cases, by number.
    pub fn cases(&self) -> Result<Vec<Case>, SessionError> {
        let rows = self.rows(&format!("{CASES} ORDER BY id"), read_case)?;
        rows.into_iter().map(parse_case).collect()
    }

    /// Reads a case.
    pub fn case(&self, id: u32) -> Result<Case, SessionError> {
        match self.connection.query_row(&format!("{CASES} WHERE id = ?"), [id], read_case).optional()? {
            Some(row) => parse_case(row),
            None => {
                let kept = self.rows("SELECT id FROM cases ORDER BY id", |row| row.get(0))?;
                Err(SessionError::NoSuchCase { case: id, kept })
            }
        }
    }

    /// Input of a case that was kept at some time, even if it was removed later.
    pub fn input(&self, case: u32) -> Result<Input, SessionError> {
        let query = "SELECT input FROM inputs WHERE case_id = ?";
        let blob: Option<Vec<u8>> = self.connection.query_row(query, [case], |row| row.get(0)).optional()?;
        journal::decode(&blob.ok_or_else(|| SessionError::Damaged(format!("the input of case {case} is missing")))?)
    }

    /// Errors, in the order in which they were found.
    pub fn errors(&self) -> Result<Vec<Error>, SessionError> {
        self.rows("SELECT kind, file, line, col, function, about, callers, case_id FROM errors ORDER BY id", |row| {
            Ok(Error {
                kind: row.get(0)?,
                file: row.get(1)?,
                line: row.get(2)?,
                column: row.get(3)?,
                function: row.get(4)?,
                about: row.get(5)?,
                callers: serde_json::from_str(&row.get::<_, String>(6)?).unwrap_or_default(),
                case: row.get(7)?,
            })
        })
    }

    /// Sides of the user's branches, in order of the program map.
    pub fn branches(&self) -> Result<Vec<Branch>, SessionError> {
        let query = "SELECT file, function, ordinal, condition, line, col, side_index, side, case_id, why, reason
                     FROM branches ORDER BY id";
        self.rows(query, |row| {
            Ok(Branch {
                file: row.get(0)?,
                function: row.get(1)?,
                ordinal: row.get(2)?,
                condition: row.get::<_, Option<i64>>(3)?.map(|hash| hash as u64),
                line: row.get(4)?,
                column: row.get(5)?,
                side_index: row.get(6)?,
                side: row.get(7)?,
                case: row.get(8)?,
                why: row.get::<_, Option<String>>(9)?.and_then(|why| Uncoverable::from_text(&why)),
                reason: row.get(10)?,
            })
        })
    }

    /// Lines with code, by file and number.
    pub fn lines(&self) -> Result<Vec<Line>, SessionError> {
        self.rows("SELECT file, line, function, executed FROM lines ORDER BY file, line", |row| {
            let executed: u32 = row.get(3)?;
            let (is_executed, is_passed) = (executed > 0, executed > 1);
            Ok(Line { file: row.get(0)?, line: row.get(1)?, function: row.get(2)?, is_executed, is_passed })
        })
    }

    /// Sites that occur in paths or in the tree.
    pub fn sites(&self) -> Result<Vec<Site>, SessionError> {
        let rows = self.rows("SELECT id, kind, file, line, col, function, sides FROM sites ORDER BY id", |row| {
            let site = Site {
                id: row.get(0)?,
                kind: row.get(1)?,
                file: row.get(2)?,
                line: row.get(3)?,
                column: row.get(4)?,
                function: row.get(5)?,
                sides: Vec::new(),
            };
            Ok((site, row.get::<_, String>(6)?))
        })?;
        rows.into_iter().map(|(site, sides)| Ok(Site { sides: serde_json::from_str(&sides)?, ..site })).collect()
    }

    /// Decisions of a case with an error: site and side of each, at most the last 1,000.
    pub fn path(&self, case: u32) -> Result<Vec<(u32, u32)>, SessionError> {
        let query = "SELECT path FROM cases WHERE id = ?";
        let path: Option<Option<Vec<u8>>> = self.connection.query_row(query, [case], |row| row.get(0)).optional()?;
        Ok(decode_path(&path.flatten().unwrap_or_default()))
    }

    /// The execution tree as [`crate::details`] describes it, once the exploration has ended.
    pub fn tree(&self) -> Result<Vec<u8>, SessionError> {
        let tree = self.connection.query_row("SELECT nodes FROM tree", [], |row| row.get(0)).optional()?;
        Ok(tree.unwrap_or_default())
    }

    /// Growth of coverage over the runs.
    pub fn coverage(&self) -> Result<Vec<Covered>, SessionError> {
        self.rows("SELECT run, elapsed_ms, covered FROM coverage ORDER BY run", |row| {
            Ok(Covered { run: row.get(0)?, elapsed_ms: row.get(1)?, covered: row.get(2)? })
        })
    }

    /// `None` while the exploration runs, or if it was killed.
    pub fn summary(&self) -> Result<Option<Summary>, SessionError> {
        let text: Option<String> =
            self.connection.query_row("SELECT value FROM summary", [], |row| row.get(0)).optional()?;
        Ok(text.map(|text| serde_json::from_str(&text)).transpose()?)
    }

    /// The known part of the summary of an exploration that is running or was killed.
    pub fn so_far(&self) -> Result<Summary, SessionError> {
        let text: Option<String> =
            self.connection.query_row("SELECT value FROM so_far", [], |row| row.get(0)).optional()?;
        Ok(text.map(|text| serde_json::from_str(&text)).transpose()?.unwrap_or_default())
    }

    /// Coverage of each kept case: number, whether it was kept for an error (reproduced or not), branch sides.
    pub fn covers(&self) -> Result<Vec<(u32, bool, Vec<u32>)>, SessionError> {
        let rows = self.rows("SELECT id, kept, covers FROM cases ORDER BY id", |row| {
            Ok((row.get(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
        })?;
        let parse = |(id, kept, covers): (u32, String, String)| {
            let evidence = [Keep::Error, Keep::Requirement, Keep::Unreproduced];
            let has_error = evidence.iter().any(|keep| keep.text() == kept);
            Ok((id, has_error, serde_json::from_str(&covers)?))
        };
        rows.into_iter().map(parse).collect()
    }

    /// Reads every result so far, in order. There are none if nothing is left to explore.
    pub fn journal(&self, mut take: impl FnMut(Entry) -> Result<(), SessionError>) -> Result<(), SessionError> {
        let mut statement = self.connection.prepare("SELECT id, entries FROM journal ORDER BY id")?;
        let mut rows = statement.query([])?;
        let mut number = 0;
        while let Some(row) = rows.next()? {
            number += 1;
            if row.get::<_, i64>(0)? != number as i64 {
                return Err(SessionError::Damaged(format!("row {number} of the journal is missing")));
            }
            let entries = journal::unsealed(number, row.get_ref(1)?.as_blob().unwrap_or_default())?;
            journal::read(&entries, &mut take)?;
        }
        Ok(())
    }

    /// Time of the exploration, up to the last commit.
    pub fn elapsed_ms(&self) -> Result<u64, SessionError> {
        Ok(self.connection.query_row("SELECT elapsed_ms FROM progress", [], |row| row.get(0))?)
    }

    fn rows<T>(&self, query: &str, read: impl Fn(&Row<'_>) -> rusqlite::Result<T>) -> Result<Vec<T>, SessionError> {
        let mut statement = self.connection.prepare(query)?;
        let rows = statement.query_map([], |row| read(row))?;
        Ok(rows.collect::<rusqlite::Result<Vec<T>>>()?)
    }
}

#[cfg(test)]
impl Session {
    /// Returns "ok" if the database is sound.
    pub(crate) fn check(&self) -> Result<String, SessionError> {
        Ok(self.connection.query_row("PRAGMA integrity_check", [], |row| row.get(0))?)
    }
}

const CASES: &str =
    "SELECT id, input, map, outcome, code, kept, run, elapsed_ms FROM cases JOIN inputs ON case_id = id";

/// A case with its encoded input.
fn read_case(row: &Row<'_>) -> rusqlite::Result<(Case, Vec<u8>, String)> {
    let case = Case {
        id: row.get(0)?,
        input: CaseInput::default(),
        outcome: row.get(3)?,
        code: row.get(4)?,
        kept: row.get(5)?,
        run: row.get(6)?,
        elapsed_ms: row.get(7)?,
    };
    Ok((case, row.get(1)?, row.get(2)?))
}

fn parse_case((case, input, map): (Case, Vec<u8>, String)) -> Result<Case, SessionError> {
    let input = CaseInput { input: journal::decode(&input)?, map: serde_json::from_str(&map)? };
    Ok(Case { input, ..case })
}
