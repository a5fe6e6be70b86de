//! Writes a session during the exploration. There is one recorder per directory. Other processes may read meanwhile.
//!
//! Rows are collected in a transaction, which is committed after 200 ms, at every error and on [`Recorder::flush`].
//! Flush before reporting a result to the user, so that a kill cannot undo it. All rows of a step are in one
//! transaction. If a transaction cannot be written, it is rolled back as a whole, and the session has the state of the
//! last commit.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::{Connection, params};
use tine_explore::errors::FoundError;
use tine_explore::job::{CaseId, RunEnd};
use tine_explore::lines::Line;
use tine_explore::map::{ProgramMap, SideId};
use tine_explore::suite::Suite;
use tine_explore::{JobResult, Keep, Step};
use tine_trace::event::Site;
use tine_trace::map::SiteKind;
use tine_trace::outcome::OutcomeKind;
use tine_types::input::CaseInput;
use tine_types::literal::hexadecimal;
use tine_types::{Input, InputMap};

use crate::details::{Details, SoFar, encode_path};
use crate::directory::{Directory, lock};
use crate::error::SessionError;
use crate::journal;
use crate::schema;
use crate::summary::{Stopped, Summary, calls};

/// Size of the write-ahead log in pages at which it is moved to the database: 64 MiB.
const CHECKPOINT_PAGES: u32 = 16 << 10;
/// Maximum age of uncommitted rows.
const COMMIT_AFTER: Duration = Duration::from_millis(200);

/// Maximum size of the uncommitted part of the journal, in bytes.
const COMMIT_BYTES: usize = 4 << 20;

/// Subject of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Name of the function or program.
    pub name: String,
    /// See [`Program::digest_of`].
    pub digest: String,
}

impl Program {
    /// Digest of the program's code, as described by its map.
    pub fn digest_of(map: &ProgramMap) -> String {
        digest(map.modules().iter().flat_map(|module| module.digest))
    }
}

/// Hash of some bytes, computed eight at a time. `salt` separates different uses.
pub(crate) fn digest_of_words(salt: u64, bytes: &[u8]) -> u128 {
    let (words, rest) = bytes.as_chunks();
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    let start = START ^ bytes.len() as u128 ^ u128::from(salt) << 64;
    words.chain(rest.iter().map(|byte| u64::from(*byte))).fold(start, mix)
}

const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;

fn mix(hash: u128, word: u64) -> u128 {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    (hash ^ u128::from(word)).wrapping_mul(PRIME)
}

/// Digest of some bytes.
fn digest(bytes: impl IntoIterator<Item = u8>) -> String {
    hexadecimal(&bytes.into_iter().fold(START, |hash, byte| mix(hash, byte.into())).to_be_bytes())
}

/// A step of the exploration to store.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    pub step: &'a Step,
    pub result: &'a JobResult,
    /// Input of the run, if there was one.
    pub input: &'a Input,
    /// The case, if it is kept.
    pub kept: Option<&'a Kept>,
    /// New errors.
    pub errors: &'a [FoundError],
    /// Number of branch sides covered so far.
    pub n_covered: usize,
    pub elapsed: Duration,
}

/// A case that is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Readable form of the input.
    pub map: InputMap,
    /// Everything that it covers, not only new items.
    pub covers: Vec<SideId>,
    /// Decisions of a case with an error.
    pub path: Vec<(Site, u16)>,
}

/// Writes a session while the exploration runs.
#[derive(Debug)]
pub struct Recorder {
    connection: Connection,
    dir: PathBuf,
    /// The directory, locked as long as this is open.
    _lock: File,
    /// Start of the open transaction, if there is one.
    pending: Option<Instant>,
    /// Entries of the journal for the next commit, and their number of rows.
    entries: Vec<u8>,
    n_rows: u64,
    /// Time of the exploration, including the time before a resumption.
    elapsed: Duration,
    /// Map of the program, once it has started.
    map: Option<Arc<ProgramMap>>,
    /// Lines that were stored before the end.
    lines: Vec<Line>,
}

impl Recorder {
    /// Checks that a session could be created in `dir`, before any work is done for it. `replaces`: in the place of
    /// another. Leaves no files.
    pub fn check(dir: &Path, replaces: bool) -> Result<(), SessionError> {
        let made = Directory::make(dir)?;
        let _lock = lock(dir)?;
        if schema::path(dir).exists() && !replaces {
            made.keep();
            return Err(SessionError::Exists(dir.to_path_buf()));
        }
        let probe = dir.join("session.probe");
        // Remove an old probe, or a link that was placed there.
        let _ = fs::remove_file(&probe);
        File::create_new(&probe)
            .and_then(|_| fs::remove_file(&probe))
            .map_err(|error| SessionError::unwritable(dir, error))
    }

    /// Creates a session in `dir`, which must not contain one, with copies of `files` under these names. Creates the
    /// directory if necessary. Does not change anything on failure.
    pub fn create(
        dir: &Path,
        program: &Program,
        settings: &serde_json::Map<String, serde_json::Value>,
        files: &[(PathBuf, String)],
    ) -> Result<Recorder, SessionError> {
        let lock = make(dir, program, settings, files)?;
        Recorder::begun(dir, lock)
    }

    /// Creates a session in the place of the one in `dir`. The old one is removed with everything in its directory once
    /// the new one is complete. Does not change anything on failure.
    pub fn replace(
        dir: &Path,
        program: &Program,
        settings: &serde_json::Map<String, serde_json::Value>,
        files: &[(PathBuf, String)],
    ) -> Result<Recorder, SessionError> {
        if !schema::path(dir).exists() {
            return Recorder::create(dir, program, settings, files);
        }
        let _replaced = lock(dir)?;
        let fresh = beside(dir);
        // A directory left over from a crash.
        let _ = fs::remove_dir_all(&fresh);
        let lock = make(&fresh, program, settings, files)?;
        if let Err(error) = exchange(&fresh, dir) {
            let _ = fs::remove_dir_all(&fresh);
            return Err(SessionError::unwritable(dir, error));
        }
        // This is now the name of the old session.
        let _ = fs::remove_dir_all(&fresh);
        Recorder::begun(dir, lock)
    }

    /// The recorder of a new session.
    fn begun(dir: &Path, lock: File) -> Result<Recorder, SessionError> {
        let recorder = Recorder::open(dir, lock)?;
        recorder.write_ahead()?;
        Ok(recorder)
    }

    /// Continues the session in `dir`, finished or not. Nothing changes before [`Recorder::begin_again`].
    pub fn resume(dir: &Path) -> Result<Recorder, SessionError> {
        if !schema::path(dir).exists() {
            return Err(SessionError::Missing(dir.to_path_buf()));
        }
        let lock = lock(dir)?;
        Recorder::open(dir, lock)
    }

    fn open(dir: &Path, lock: File) -> Result<Recorder, SessionError> {
        let connection = Connection::open(schema::path(dir))?;
        schema::check(&connection, dir)?;
        let n_rows = connection.query_row("SELECT coalesce(max(id), 0) FROM journal", [], |row| row.get(0))?;
        Ok(Recorder {
            connection,
            n_rows,
            dir: dir.to_path_buf(),
            _lock: lock,
            pending: None,
            entries: Vec::new(),
            elapsed: Duration::ZERO,
            map: None,
            lines: Vec::new(),
        })
    }

    /// Enables write-ahead logging. A commit then does not wait for the disk. It survives the end of the process, but
    /// not a power failure.
    fn write_ahead(&self) -> Result<(), SessionError> {
        self.connection.pragma_update(None, "journal_mode", "WAL")?;
        self.connection.pragma_update(None, "synchronous", "NORMAL")?;
        // Moving pages from the log to the database waits for the disk, so it is done rarely.
        self.connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
        Ok(())
    }

    /// Removes the summary, because the exploration continues.
    pub fn begin_again(&mut self) -> Result<(), SessionError> {
        self.write_ahead()?;
        self.begin()?;
        self.connection.execute("DELETE FROM summary", [])?;
        self.flush()
    }

    /// Stores what is known while the exploration runs.
    pub fn add_so_far(&mut self, so_far: &SoFar) -> Result<(), SessionError> {
        self.try_add_so_far(so_far).inspect_err(|_| self.take_back())
    }

    fn try_add_so_far(&mut self, so_far: &SoFar) -> Result<(), SessionError> {
        self.begin()?;
        self.connection.execute("DELETE FROM so_far", [])?;
        self.connection.execute("INSERT INTO so_far (value) VALUES (?)", [serde_json::to_string(&so_far.summary)?])?;
        // The map has the same lines in the same order every time.
        let is_new = |(index, line): &(usize, &Line)| self.lines.get(*index) != Some(line);
        self.add_lines(so_far.lines.iter().enumerate().filter(is_new).map(|(_, line)| line))?;
        self.lines.clone_from(&so_far.lines);
        Ok(())
    }

    fn add_lines<'a>(&self, lines: impl Iterator<Item = &'a Line>) -> Result<(), SessionError> {
        let mut insert = self
            .connection
            .prepare_cached("INSERT OR REPLACE INTO lines (file, line, function, executed) VALUES (?, ?, ?, ?)")?;
        for line in lines {
            let executed = u32::from(line.is_executed) + u32::from(line.is_passed);
            insert.execute(params![&*line.file, line.line, &*line.function, executed])?;
        }
        Ok(())
    }

    /// Directory of the session.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Adds the missing sides of all user branches as not covered. Call it before the first step.
    pub fn add_branches(&mut self, map: &Arc<ProgramMap>) -> Result<(), SessionError> {
        self.map = Some(Arc::clone(map));
        self.begin()?;
        let mut insert = self.connection.prepare_cached(
            "INSERT OR IGNORE INTO branches (id, file, function, ordinal, condition, line, col, side_index, side)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        for branch in map.branches() {
            for (index, side) in branch.sides().enumerate() {
                insert.execute(params![
                    side.0,
                    &*branch.file,
                    &*branch.key.function,
                    branch.key.ordinal,
                    branch.key.condition.map(|hash| hash as i64),
                    branch.line,
                    branch.column,
                    index as u32,
                    map.label(side),
                ])?;
            }
        }
        drop(insert);
        self.flush()
    }

    /// Stores a step of the exploration. True if everything so far was committed.
    pub fn add(&mut self, record: &Record<'_>) -> Result<bool, SessionError> {
        self.elapsed = record.elapsed;
        let is_urgent = !record.errors.is_empty();
        let added = self.try_add(record).and_then(|()| if is_urgent { self.flush() } else { self.tick() });
        if added.is_err() {
            self.take_back();
        }
        added.map(|()| self.pending.is_none())
    }

    fn try_add(&mut self, record: &Record<'_>) -> Result<(), SessionError> {
        let Record { step, result, input, kept, errors, n_covered, .. } = *record;
        self.begin()?;
        let input = if result.run().is_some() { journal::encode(input) } else { Vec::new() };
        let is_kept = kept.is_some() && step.kept.is_some() && step.ran.is_some();
        journal::append(&mut self.entries, step, result, if is_kept { &[] } else { &input });
        if let (Some(run), Some(keep), Some((_, number)), Some(kept)) = (result.run(), step.kept, step.ran, kept) {
            let mut insert = self.connection.prepare_cached("INSERT INTO inputs (case_id, input) VALUES (?, ?)")?;
            insert.execute(params![run.case.0, input])?;
            drop(insert);
            self.add_case(run.case, kept, &run.end, keep, number)?;
            if !step.new_coverage.is_empty() {
                self.add_coverage(&step.new_coverage, run.case, number, n_covered)?;
            }
            for error in errors {
                self.add_error(error)?;
            }
        }
        Ok(())
    }

    fn add_case(&mut self, case: CaseId, kept: &Kept, end: &RunEnd, keep: Keep, run: u64) -> Result<(), SessionError> {
        let map = serde_json::to_string(&kept.map)?;
        let covers = serde_json::to_string(&kept.covers.iter().map(|side| side.0).collect::<Vec<_>>())?;
        let (outcome, elapsed) = (outcome_name(end.kind), millis(self.elapsed));
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO cases (id, map, outcome, code, kept, run, elapsed_ms, covers, path)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        let path = (!kept.path.is_empty()).then(|| encode_path(&kept.path));
        insert.execute(params![case.0, map, outcome, end.code, keep.text(), run, elapsed, covers, path])?;
        drop(insert);
        self.add_sites(kept.path.iter().map(|(site, _)| *site))
    }

    /// Adds sites that are not stored yet.
    fn add_sites(&self, sites: impl IntoIterator<Item = Site>) -> Result<(), SessionError> {
        let Some(map) = &self.map else { return Ok(()) };
        let mut insert = self.connection.prepare_cached(
            "INSERT OR IGNORE INTO sites (id, kind, file, line, col, function, sides) VALUES (?, ?, ?, ?, ?, ?, ?)",
        )?;
        for site in sites {
            let place = map.place(site);
            let info = map.site(site);
            let branch = info.and_then(|info| info.branch).map(|branch| map.branch(branch));
            let sides: Vec<String> = match (branch, info.map(|info| info.kind)) {
                (Some(branch), _) => branch.sides().map(|side| map.label(side)).collect(),
                (None, Some(SiteKind::Branch | SiteKind::Check | SiteKind::Assume)) => {
                    vec!["false".to_owned(), "true".to_owned()]
                }
                _ => Vec::new(),
            };
            let kind = match info.map(|info| info.kind) {
                Some(SiteKind::Branch) => "branch",
                Some(SiteKind::Switch) => "switch",
                Some(SiteKind::Check) => "check",
                Some(SiteKind::Assume) => "assumption",
                _ => "choice",
            };
            let sides = serde_json::to_string(&sides)?;
            insert.execute(params![site.0, kind, &*place.file, place.line, place.column, &*place.function, sides])?;
        }
        Ok(())
    }

    fn add_coverage(&mut self, new: &[SideId], case: CaseId, run: u64, covered: usize) -> Result<(), SessionError> {
        let mut update = self.connection.prepare_cached("UPDATE branches SET case_id = ? WHERE id = ?")?;
        for side in new {
            update.execute(params![case.0, side.0])?;
        }
        let mut insert =
            self.connection.prepare_cached("INSERT INTO coverage (run, elapsed_ms, covered) VALUES (?, ?, ?)")?;
        insert.execute(params![run, millis(self.elapsed), covered as u64])?;
        Ok(())
    }

    fn add_error(&mut self, error: &FoundError) -> Result<(), SessionError> {
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO errors (kind, file, line, col, function, about, callers, case_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        let place = &error.place;
        let (kind, function) = (error.kind.text(), &*place.function);
        let callers = serde_json::to_string(&calls(&error.callers)).expect("places are JSON");
        let (file, about) = (&*place.file, &*error.about);
        let row = params![kind, file, place.line, place.column, function, about, callers, error.case.0];
        insert.execute(row)?;
        Ok(())
    }

    /// Removes all cases but these, which keep the coverage.
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

    /// Replaces the input of a case by another one on the same path.
    pub fn replace_input(&mut self, case: CaseId, input: &CaseInput) -> Result<(), SessionError> {
        self.begin()?;
        let map = serde_json::to_string(&input.map)?;
        let mut update = self.connection.prepare_cached("UPDATE inputs SET input = ? WHERE case_id = ?")?;
        update.execute(params![journal::encode(&input.input), case.0])?;
        let mut update = self.connection.prepare_cached("UPDATE cases SET map = ? WHERE id = ?")?;
        update.execute(params![map, case.0])?;
        Ok(())
    }

    /// Finishes the session. After this the database is one ordinary file. The journal is deleted if nothing is left to
    /// explore.
    pub fn finish(mut self, summary: &Summary, details: &Details) -> Result<(), SessionError> {
        let written = self.write_summary(summary);
        let written = written.and_then(|()| self.write_details(details)).and_then(|()| self.flush());
        if written.is_err() {
            self.take_back();
        }
        written?;
        if summary.stopped == Stopped::Exhausted {
            // A failure (no room) is harmless.
            let _ = self.connection.execute_batch("VACUUM");
        }
        // A reader may hold the log open. Then it stays, and is still read.
        let _ = self.connection.pragma_update(None, "journal_mode", "DELETE");
        Ok(())
    }

    fn write_summary(&mut self, summary: &Summary) -> Result<(), SessionError> {
        self.begin()?;
        self.elapsed = Duration::from_millis(summary.time_ms);
        self.connection.execute("DELETE FROM summary", [])?;
        self.connection.execute("INSERT INTO summary (value) VALUES (?)", [serde_json::to_string(summary)?])?;
        let last = params![summary.runs, summary.time_ms, summary.branches_covered as u64];
        self.connection.execute("INSERT OR IGNORE INTO coverage (run, elapsed_ms, covered) VALUES (?, ?, ?)", last)?;
        self.connection.execute("UPDATE branches SET why = NULL, reason = NULL", [])?;
        let mut update = self.connection.prepare_cached("UPDATE branches SET why = ?, reason = ? WHERE id = ?")?;
        for side in &summary.uncovered {
            let reason = Some(&side.reason).filter(|reason| !reason.is_empty());
            update.execute(params![side.why.text(), reason, side.id])?;
        }
        drop(update);
        if summary.stopped == Stopped::Exhausted {
            self.connection.execute("DELETE FROM journal", [])?;
            self.connection.execute("DELETE FROM inputs WHERE case_id NOT IN (SELECT id FROM cases)", [])?;
        }
        Ok(())
    }

    fn write_details(&self, details: &Details) -> Result<(), SessionError> {
        self.connection.execute_batch("DELETE FROM lines; DELETE FROM tree; DELETE FROM so_far")?;
        self.add_lines(details.lines.iter())?;
        self.add_sites(details.sites.iter().copied())?;
        self.connection.execute("INSERT INTO tree (nodes) VALUES (?)", [&details.tree])?;
        Ok(())
    }

    /// Commits if the transaction is older than 200 ms.
    pub fn tick(&mut self) -> Result<(), SessionError> {
        match self.pending {
            Some(since) if since.elapsed() >= COMMIT_AFTER || self.entries.len() >= COMMIT_BYTES => self.flush(),
            _ => Ok(()),
        }
    }

    /// Commits everything, or rolls it back if that fails.
    pub fn flush(&mut self) -> Result<(), SessionError> {
        let committed = self.commit();
        if committed.is_err() {
            self.take_back();
        }
        committed
    }

    fn commit(&mut self) -> Result<(), SessionError> {
        if self.pending.is_some() {
            let mut update = self.connection.prepare_cached("UPDATE progress SET elapsed_ms = ?")?;
            update.execute([millis(self.elapsed)])?;
            drop(update);
            if !self.entries.is_empty() {
                let mut insert = self.connection.prepare_cached("INSERT INTO journal (id, entries) VALUES (?, ?)")?;
                let row = self.n_rows + 1;
                insert.execute(params![row, journal::sealed(row, &self.entries)])?;
            }
            self.connection.execute_batch("COMMIT")?;
            self.n_rows += u64::from(!self.entries.is_empty());
            self.entries.clear();
            self.pending = None;
        }
        Ok(())
    }

    /// Rolls the transaction back.
    fn take_back(&mut self) {
        self.entries.clear();
        if self.pending.take().is_some() {
            // SQLite may have done this itself.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
    }

    fn begin(&mut self) -> Result<(), SessionError> {
        if self.pending.is_none() {
            self.connection.execute_batch("BEGIN IMMEDIATE")?;
            self.pending = Some(Instant::now());
        }
        Ok(())
    }
}

#[cfg(test)]
impl Recorder {
    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // Callers that need errors use `finish` or `flush`.
        let _ = self.flush();
    }
}

/// Name of a run's end, as in the column `outcome`.
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

/// Creates a session without steps, and locks its directory.
fn make(
    dir: &Path,
    program: &Program,
    settings: &serde_json::Map<String, serde_json::Value>,
    files: &[(PathBuf, String)],
) -> Result<File, SessionError> {
    let made = Directory::make(dir)?;
    let lock = lock(dir)?;
    let path = schema::path(dir);
    if path.exists() {
        made.keep();
        return Err(SessionError::Exists(dir.to_path_buf()));
    }
    // Use another name until the database is complete, so that a crash leaves no partial session.
    let fresh = dir.join("session.new");
    let unwritable = |error| SessionError::unwritable(dir, error);
    // The directory may contain downloaded files, so never write through a link in it.
    for path in files.iter().map(|(_, name)| name.as_str()).chain(schema::NAMES).map(|name| dir.join(name)) {
        if path.is_symlink() {
            fs::remove_file(&path).map_err(|error| SessionError::unwritable(dir, error))?;
        }
    }
    let copy = |(from, name): &(PathBuf, String)| fs::copy(from, dir.join(name)).map(|_| ());
    let written = write_fresh(dir, &fresh, program, settings)
        .and_then(|()| files.iter().try_for_each(copy).map_err(unwritable))
        .and_then(|()| fs::rename(&fresh, &path).map_err(unwritable));
    if let Err(error) = written {
        for name in files.iter().map(|(_, name)| name.as_str()).chain(["session.new"]) {
            let _ = fs::remove_file(dir.join(name));
        }
        return Err(error);
    }
    made.keep();
    Ok(lock)
}

/// A hidden name beside `dir` for the session that replaces it.
fn beside(dir: &Path) -> PathBuf {
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    dir.with_file_name(format!(".{name}.new"))
}

/// Exchanges two directories, atomically if the file system supports it.
fn exchange(fresh: &Path, dir: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};

    if renameat_with(CWD, fresh, CWD, dir, RenameFlags::EXCHANGE).is_ok() {
        return Ok(());
    }
    let old = fresh.with_extension("old");
    let _ = fs::remove_dir_all(&old);
    fs::rename(dir, &old)?;
    fs::rename(fresh, dir).inspect_err(|_| {
        let _ = fs::rename(&old, dir);
    })?;
    fs::rename(&old, fresh)
}

fn write_fresh(
    dir: &Path,
    path: &Path,
    program: &Program,
    settings: &serde_json::Map<String, serde_json::Value>,
) -> Result<(), SessionError> {
    // Replaces a file left over from a crash, and tests write access: SQLite's error message is less clear.
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
