//! Writes a session while it happens. One recorder per directory; readers may look on.
//!
//! Rows gather in a transaction that is committed when it is 200 ms old, at every error and on
//! [`Recorder::flush`]: flush before you tell the user of something, and a kill cannot take it back.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, params};
use tine_explore::errors::FoundError;
use tine_explore::explorer::{Explorer, Keep, Step};
use tine_explore::job::{CaseId, Run, RunEnd};
use tine_explore::map::{AlternativeId, ProgramMap};
use tine_explore::suite::Suite;
use tine_trace::outcome::OutcomeKind;

use crate::error::SessionError;
use crate::input::{CaseInput, to_hex};
use crate::schema;
use crate::summary::Summary;

/// How long rows wait for a commit.
const COMMIT_AFTER: Duration = Duration::from_millis(200);

/// What a session is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// A function's or a program's name.
    pub name: String,
    /// See [`Program::digest_of`].
    pub digest: String,
}

impl Program {
    /// A number for the program's code as far as its map shows it.
    pub fn digest_of(map: &ProgramMap) -> String {
        const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        let bytes = map.modules().iter().flat_map(|module| module.digest);
        let digest = bytes.fold(START, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME));
        to_hex(&digest.to_be_bytes())
    }
}

#[derive(Debug)]
pub struct Recorder {
    connection: Connection,
    dir: PathBuf,
    /// The directory itself, locked as long as this is open.
    _lock: File,
    /// When the open transaction began, if one is open.
    pending: Option<Instant>,
}

impl Recorder {
    /// Whether a session could be made in `dir`, before any work is done for it. Leaves nothing behind.
    pub fn check(dir: &Path) -> Result<(), SessionError> {
        let made = Directory::make(dir)?;
        let _lock = lock(dir)?;
        if schema::path(dir).exists() {
            made.keep();
            return Err(SessionError::Exists(dir.to_path_buf()));
        }
        let probe = dir.join("session.probe");
        File::create(&probe).and_then(|_| fs::remove_file(&probe)).map_err(|error| SessionError::unwritable(dir, error))
    }

    /// Makes a session in `dir`, which must not hold one; the directory is made if need be. If that fails,
    /// everything is as it was.
    pub fn create(
        dir: &Path,
        program: &Program,
        settings: &serde_json::Map<String, serde_json::Value>,
    ) -> Result<Recorder, SessionError> {
        let made = Directory::make(dir)?;
        let lock = lock(dir)?;
        let path = schema::path(dir);
        if path.exists() {
            made.keep();
            return Err(SessionError::Exists(dir.to_path_buf()));
        }
        // Under another name until it is whole: a crash in between leaves no half session.
        let fresh = dir.join("session.new");
        let written = write_fresh(dir, &fresh, program, settings)
            .and_then(|()| fs::rename(&fresh, &path).map_err(|error| SessionError::unwritable(dir, error)));
        if let Err(error) = written {
            let _ = fs::remove_file(&fresh);
            return Err(error);
        }
        made.keep();
        let connection = Connection::open(&path)?;
        // A commit then costs no wait for the disk, and survives the process if not a power cut.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        Ok(Recorder { connection, dir: dir.to_path_buf(), _lock: lock, pending: None })
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Writes down the sides of all user branches, none covered. Once, before the first step.
    pub fn add_branches(&mut self, map: &ProgramMap) -> Result<(), SessionError> {
        self.begin()?;
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO branches (id, file, function, ordinal, condition, line, col, alternative, side)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        for branch in map.branches() {
            for (side, alternative) in branch.alternatives().enumerate() {
                insert.execute(params![
                    alternative.0,
                    &*branch.file,
                    &*branch.key.function,
                    branch.key.ordinal,
                    branch.key.condition.map(|hash| hash as i64),
                    branch.line,
                    branch.column,
                    side as u32,
                    map.label(alternative),
                ])?;
            }
        }
        drop(insert);
        self.flush()
    }

    /// Writes down what a step of the exploration brought. `input` gives the case's input, if it is kept.
    pub fn add_step(
        &mut self,
        step: &Step,
        run: Option<&Run>,
        explorer: &Explorer,
        elapsed: Duration,
        input: impl FnOnce() -> CaseInput,
    ) -> Result<(), SessionError> {
        if let (Some(run), Some(keep), Some((_, number))) = (run, step.kept, step.ran) {
            self.add_case(run.case, &input(), &run.end, keep, number, elapsed)?;
            if !step.new_coverage.is_empty() {
                self.add_coverage(&step.new_coverage, run.case, number, elapsed, explorer.coverage().n_covered())?;
            }
            for index in &step.new_errors {
                self.add_error(&explorer.errors()[*index])?;
            }
            if !step.new_errors.is_empty() {
                return self.flush();
            }
        }
        self.tick()
    }

    fn add_case(
        &mut self,
        case: CaseId,
        input: &CaseInput,
        end: &RunEnd,
        keep: Keep,
        run: u64,
        elapsed: Duration,
    ) -> Result<(), SessionError> {
        self.begin()?;
        let input = serde_json::to_string(input)?;
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO cases (id, input, outcome, code, kept, run, elapsed_ms) VALUES (?, ?, ?, ?, ?, ?, ?)",
        )?;
        insert.execute(params![case.0, input, outcome_name(end.kind), end.code, keep.text(), run, millis(elapsed)])?;
        Ok(())
    }

    fn add_coverage(
        &mut self,
        new: &[AlternativeId],
        case: CaseId,
        run: u64,
        elapsed: Duration,
        covered: usize,
    ) -> Result<(), SessionError> {
        self.begin()?;
        let mut update = self.connection.prepare_cached("UPDATE branches SET case_id = ? WHERE id = ?")?;
        for alternative in new {
            update.execute(params![case.0, alternative.0])?;
        }
        let mut insert =
            self.connection.prepare_cached("INSERT INTO coverage (run, elapsed_ms, covered) VALUES (?, ?, ?)")?;
        insert.execute(params![run, millis(elapsed), covered as u64])?;
        Ok(())
    }

    fn add_error(&mut self, error: &FoundError) -> Result<(), SessionError> {
        self.begin()?;
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO errors (kind, file, line, col, function, case_id) VALUES (?, ?, ?, ?, ?, ?)",
        )?;
        let place = &error.place;
        let row = params![error.kind.text(), &*place.file, place.line, place.column, &*place.function, error.case.0];
        insert.execute(row)?;
        Ok(())
    }

    /// Leaves only these cases, which cover all that was covered.
    pub fn keep_only(&mut self, suite: &Suite) -> Result<(), SessionError> {
        self.begin()?;
        let mut update = self.connection.prepare_cached("UPDATE branches SET case_id = ? WHERE id = ?")?;
        for (side, case) in &suite.sides {
            update.execute(params![case.0, side.0])?;
        }
        let mut ids = self.connection.prepare_cached("SELECT id FROM cases")?;
        let ids = ids.query_map([], |row| row.get::<_, u32>(0))?.collect::<Result<Vec<_>, _>>()?;
        let mut delete = self.connection.prepare_cached("DELETE FROM cases WHERE id = ?")?;
        for id in ids.into_iter().filter(|id| !suite.cases.contains(&CaseId(*id))) {
            delete.execute([id])?;
        }
        Ok(())
    }

    /// The end. After this the database is one ordinary file.
    pub fn finish(mut self, summary: &Summary) -> Result<(), SessionError> {
        self.begin()?;
        self.connection.execute("DELETE FROM summary", [])?;
        self.connection.execute("INSERT INTO summary (value) VALUES (?)", [serde_json::to_string(summary)?])?;
        self.flush()?;
        // A reader may hold the log open: then it stays, and is read all the same.
        let _ = self.connection.pragma_update(None, "journal_mode", "DELETE");
        Ok(())
    }

    /// Commits what is older than 200 ms.
    pub fn tick(&mut self) -> Result<(), SessionError> {
        match self.pending {
            Some(since) if since.elapsed() >= COMMIT_AFTER => self.flush(),
            _ => Ok(()),
        }
    }

    /// Commits everything.
    pub fn flush(&mut self) -> Result<(), SessionError> {
        if self.pending.take().is_some() {
            self.connection.execute_batch("COMMIT")?;
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<(), SessionError> {
        if self.pending.is_none() {
            self.connection.execute_batch("BEGIN IMMEDIATE")?;
            self.pending = Some(Instant::now());
        }
        Ok(())
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // Whoever wants to know about errors calls `finish` or `flush`.
        let _ = self.flush();
    }
}

/// How a run ended, as the `outcome` column has it.
pub(crate) fn outcome_name(kind: OutcomeKind) -> &'static str {
    match kind {
        OutcomeKind::Unfinished => "unfinished",
        OutcomeKind::Exited => "exited",
        OutcomeKind::Rejected => "rejected",
        OutcomeKind::Failed => "failed",
        OutcomeKind::Signal => "signal",
        OutcomeKind::StackOverflow => "stack-overflow",
        OutcomeKind::OutOfMemory => "out-of-memory",
        OutcomeKind::Timeout => "timeout",
    }
}

fn millis(elapsed: Duration) -> u64 {
    elapsed.as_millis() as u64
}

fn write_fresh(
    dir: &Path,
    path: &Path,
    program: &Program,
    settings: &serde_json::Map<String, serde_json::Value>,
) -> Result<(), SessionError> {
    // Left over from a crash, or a first try at writing here. SQLite says less clearly what is wrong.
    File::create(path).map_err(|error| SessionError::unwritable(dir, error))?;
    let mut connection = Connection::open(path)?;
    let transaction = connection.transaction()?;
    schema::create(&transaction)?;
    transaction.execute("INSERT INTO program (name, digest) VALUES (?, ?)", [&program.name, &program.digest])?;
    for (key, value) in settings {
        transaction.execute("INSERT INTO settings (key, value) VALUES (?, ?)", [key, &value.to_string()])?;
    }
    transaction.commit()?;
    connection.close().map_err(|(_, error)| error.into())
}

/// Locks the directory itself, so that no lock file is left behind.
fn lock(dir: &Path) -> Result<File, SessionError> {
    let file = File::open(dir).map_err(|error| SessionError::unwritable(dir, error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(SessionError::InUse(dir.to_path_buf())),
        Err(TryLockError::Error(error)) => Err(SessionError::unwritable(dir, error)),
    }
}

/// A directory that is there now; what was made for it goes away again unless it is kept.
struct Directory {
    /// Outermost first.
    made: Vec<PathBuf>,
}

impl Directory {
    fn make(dir: &Path) -> Result<Directory, SessionError> {
        let missing = dir.ancestors().take_while(|dir| !dir.as_os_str().is_empty() && !dir.exists());
        let mut missing: Vec<PathBuf> = missing.map(Path::to_path_buf).collect();
        missing.reverse();
        let mut directory = Directory { made: Vec::new() };
        for path in missing {
            fs::create_dir(&path).map_err(|error| SessionError::unwritable(dir, error))?;
            directory.made.push(path);
        }
        Ok(directory)
    }

    fn keep(mut self) {
        self.made.clear();
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        for path in self.made.iter().rev() {
            // Not empty: someone else uses it now.
            let _ = fs::remove_dir(path);
        }
    }
}
