//! The database: its tables and their version.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::error::SessionError;

/// Version of the tables. Changes whenever they do.
pub(crate) const VERSION: i64 = 12;

/// "tine" as big-endian bytes: distinguishes a session from any other database.
const APPLICATION: i64 = i32::from_be_bytes(*b"tine") as i64;

const TABLES: &str = "
    -- Settings of the exploration; values are JSON.
    CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

    -- One row. `digest` is over the program map: another build of other code has another.
    CREATE TABLE program (name TEXT NOT NULL, digest TEXT NOT NULL);

    -- Inputs of all cases that were kept at some time (see `journal`). The others are in the journal.
    CREATE TABLE inputs (case_id INTEGER PRIMARY KEY, input BLOB NOT NULL);

    -- Cases that are kept. `map` is the input as people read it, as JSON; `outcome` and `code` are how the run ended.
    CREATE TABLE cases (
        id INTEGER PRIMARY KEY,
        map TEXT NOT NULL,
        outcome TEXT NOT NULL,
        code INTEGER NOT NULL,
        kept TEXT NOT NULL,
        run INTEGER NOT NULL,
        elapsed_ms INTEGER NOT NULL,
        -- Sides of branches, as JSON.
        covers TEXT NOT NULL,
        -- Decisions of a case with an error (see `details`), at most the last 1,000; NULL for others.
        path BLOB
    );

    -- Every result in order (see `journal`), until nothing is left to explore. Numbers count up from 1 without gaps.
    CREATE TABLE journal (id INTEGER PRIMARY KEY, entries BLOB NOT NULL);

    -- One row: how long it has taken up to the last commit.
    CREATE TABLE progress (elapsed_ms INTEGER NOT NULL);
    INSERT INTO progress VALUES (0);

    CREATE TABLE errors (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        file TEXT NOT NULL,
        line INTEGER NOT NULL,
        col INTEGER NOT NULL,
        function TEXT NOT NULL,
        about TEXT NOT NULL,
        -- Calls that led there, innermost first, as JSON.
        callers TEXT NOT NULL,
        case_id INTEGER NOT NULL REFERENCES cases (id)
    );

    -- Sides of the user's branches; `case_id` is the first case that took it, NULL while none has.
    -- (file, function, ordinal, condition) is the same in another build while the function is.
    CREATE TABLE branches (
        id INTEGER PRIMARY KEY,
        file TEXT NOT NULL,
        function TEXT NOT NULL,
        ordinal INTEGER NOT NULL,
        condition INTEGER,
        line INTEGER NOT NULL,
        col INTEGER NOT NULL,
        side_index INTEGER NOT NULL,
        side TEXT NOT NULL,
        case_id INTEGER,
        -- Why no case took it: `infeasible`, `not-reached` or `open`; NULL until the end, and where one did.
        why TEXT,
        -- The same in words, where runs reached the branch.
        reason TEXT
    );

    -- The curve: sides covered after this many runs.
    CREATE TABLE coverage (run INTEGER PRIMARY KEY, elapsed_ms INTEGER NOT NULL, covered INTEGER NOT NULL);

    -- Places that paths and tree name. `sides` are the names of the sides, as JSON; empty if they have only numbers.
    CREATE TABLE sites (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        file TEXT NOT NULL,
        line INTEGER NOT NULL,
        col INTEGER NOT NULL,
        function TEXT NOT NULL,
        sides TEXT NOT NULL
    );

    -- Lines with code, and whether a run executed them.
    CREATE TABLE lines (
        file TEXT NOT NULL,
        line INTEGER NOT NULL,
        function TEXT NOT NULL,
        executed INTEGER NOT NULL,
        PRIMARY KEY (file, line)
    ) WITHOUT ROWID;

    -- At most one row while the exploration runs: the known part of the summary, as JSON.
    CREATE TABLE so_far (value TEXT NOT NULL);

    -- One row when the exploration has ended: the execution tree (see `details`).
    CREATE TABLE tree (nodes BLOB NOT NULL);

    -- One row when the exploration has ended; JSON.
    CREATE TABLE summary (value TEXT NOT NULL);
";

/// Names that the database and its auxiliary files may have in a session's directory.
pub(crate) const NAMES: [&str; 8] = [
    "session.db",
    "session.db-journal",
    "session.db-wal",
    "session.db-shm",
    "session.new",
    "session.new-journal",
    "session.new-wal",
    "session.new-shm",
];

/// The database in a session's directory.
pub(crate) fn path(dir: &Path) -> PathBuf {
    dir.join("session.db")
}

pub(crate) fn create(connection: &Connection) -> Result<(), SessionError> {
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", VERSION)?;
    connection.execute_batch(TABLES)?;
    Ok(())
}

/// Checks that an open database is a session that this version can read.
pub(crate) fn check(connection: &Connection, dir: &Path) -> Result<(), SessionError> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    match pragma("application_id") {
        Ok(APPLICATION) => {}
        Ok(_) => return Err(SessionError::NotASession(dir.to_path_buf())),
        Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase) => {
            return Err(SessionError::NotASession(dir.to_path_buf()));
        }
        Err(error) => return Err(error.into()),
    }
    match pragma("user_version")? {
        VERSION => Ok(()),
        found => Err(SessionError::Version { dir: dir.to_path_buf(), found, expected: VERSION }),
    }
}
