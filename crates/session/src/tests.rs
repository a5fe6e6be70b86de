//! Sessions on disk: written, killed, read back, rejected.

use std::convert::Infallible;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tine_explore::job::{CaseId, Decision, Executor, Job, JobResult, Place, Prefix, Run, RunEnd};
use tine_explore::map::{Edge, ProgramMap, SideId};
use tine_explore::{Budget, Dfs, Explorer, Next, Settings, Step};
use tine_trace::event::{EventKind, PREFIX_HASH_START, Site};
use tine_trace::map::codec::ModuleMap;
use tine_trace::map::{FunctionRecord, SiteKind, SiteRecord};
use tine_trace::outcome::{ErrorKind, OutcomeKind};
use tine_trace::plan::InputKind;
use tine_trace::segment::ModuleRecord;

use crate::summary::{SolverSummary, Uncoverable, Verdict};
use tine_types::InputMap;

use crate::{CaseInput, Details, Input, Kept, Program, Record, Recorder, Request, Session, SessionError, Summary};

/// The map of a program with one branch, `if` in line 7 of `f.c`.
fn map() -> ProgramMap {
    let mut map = ModuleMap::default();
    let (name, file) = (map.text("f"), map.text("f.c"));
    map.header.n_covered = 2;
    map.functions.push(FunctionRecord { name, file, line: 5, n_sites: 1, ..FunctionRecord::default() });
    map.sites.push(SiteRecord {
        kind: SiteKind::Branch as u8,
        n_sides: 2,
        file,
        line: 7,
        column: 9,
        block: u32::MAX,
        ..SiteRecord::default()
    });
    let module = ModuleRecord { digest: [0; 16], site_base: 0, n_sites: 1, edge_base: 0, n_edges: 2 };
    ProgramMap::parse(&map.encode(|_| [0; 16]), &[module]).unwrap()
}

/// `if (x == 1) abort();`
struct Unit;

impl Executor for Unit {
    type Error = Infallible;

    fn execute(&mut self, job: &Job) -> Result<JobResult, Infallible> {
        let x = u16::from(*job != Job::Initial);
        let place = Place { file: "f.c".into(), line: 8, column: 0, function: "f".into() };
        let end = match x {
            0 => RunEnd {
                kind: OutcomeKind::Exited,
                code: 0,
                site: Site::NONE,
                place: None,
                about: "".into(),
                callers: Arc::default(),
            },
            _ => RunEnd {
                kind: OutcomeKind::Signal,
                code: 6,
                site: Site::NONE,
                place: Some(place),
                about: "".into(),
                callers: Arc::default(),
            },
        };
        let decision = Decision {
            kind: EventKind::Branch,
            site: Site(0),
            side_index: x,
            n_sides: 2,
            event: 0,
            before: PREFIX_HASH_START,
            distance: 0,
        };
        Ok(JobResult::Ran(Box::new(Run {
            case: CaseId(u32::from(x) + 1),
            size: 4,
            prefix: Prefix::Whole,
            decisions: vec![decision],
            concretisations: Vec::new(),
            notes: Vec::new(),
            end,
            states: Vec::new(),
            new_edges: vec![Edge(u32::from(x))],
            requirement: None,
        })))
    }
}

fn input_of(case: CaseId) -> CaseInput {
    input_with(vec![case.0 as u8 - 1, 0, 0, 0])
}

fn input_with(bytes: Vec<u8>) -> CaseInput {
    let input = Request { name: "x".to_string(), kind: InputKind::Signed, bytes, choices: 0, ty: 0 };
    CaseInput { input: Input { requests: vec![input], ..Input::default() }, ..CaseInput::default() }
}

fn kept(case: CaseId) -> Kept {
    Kept { map: InputMap::default(), covers: vec![SideId(case.0 - 1)], path: vec![(Site(0), 1)] }
}

fn program() -> Program {
    Program { name: "f".to_string(), digest: Program::digest_of(&map()) }
}

fn create(dir: &Path) -> Result<Recorder, SessionError> {
    let settings = serde_json::json!({ "seed": 7 });
    Recorder::create(dir, &program(), settings.as_object().unwrap(), &[])
}

fn add(
    recorder: &mut Recorder,
    step: &Step,
    result: &JobResult,
    explorer: &Explorer,
    elapsed: Duration,
    input: &Input,
) -> Result<(), SessionError> {
    let kept = step.kept.and(result.run()).map(|run| kept(run.case));
    let errors: Vec<_> = step.new_errors.iter().map(|index| explorer.errors()[*index].clone()).collect();
    let n_covered = explorer.coverage().n_covered();
    recorder.add(&Record { step, result, input, kept: kept.as_ref(), errors: &errors, n_covered, elapsed }).map(|_| ())
}

/// Explores `Unit`, writing into `recorder`.
fn explore(recorder: &mut Recorder, max_runs: Option<u64>) -> Explorer {
    let settings = Settings { budget: Budget { max_runs, max_time: None }, ..Settings::default() };
    let mut explorer = Explorer::new(Arc::new(map()), Box::new(Dfs::default()), settings);
    recorder.add_branches(&Arc::new(explorer.map().clone())).unwrap();
    while let Next::Job(ticket) = explorer.next(Duration::ZERO, false) {
        let Ok(result) = Unit.execute(ticket.job());
        let step = explorer.feed(ticket, &result);
        let input = result.run().map(|run| input_of(run.case)).unwrap_or_default().input;
        add(recorder, &step, &result, &explorer, Duration::from_millis(30), &input).unwrap();
    }
    explorer
}

#[test]
fn everything_can_be_read_back() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("deep/out");
    let mut recorder = create(&dir).unwrap();
    let explorer = explore(&mut recorder, None);
    let summary = Summary::new("f", &explorer, |case| Some(input_of(case)), SolverSummary::default(), Duration::ZERO);
    recorder.finish(&summary, &Details::default()).unwrap();

    let session = Session::open(&dir).unwrap();
    assert_eq!(session.program().unwrap(), program());
    assert_eq!(session.setting("seed").unwrap(), Some(7.into()));
    assert_eq!(session.setting("sneed").unwrap(), None);
    let cases = session.cases().unwrap();
    let shown: Vec<_> = cases
        .iter()
        .map(|case| {
            format!("{} [{}] {} {} {} run {}", case.id, case.input, case.outcome, case.code, case.kept, case.run)
        })
        .collect();
    assert_eq!(shown, ["1 [x = 0] exited 0 coverage run 1", "2 [x = 1] signal 6 error run 2"]);
    assert_eq!(session.case(2).unwrap(), cases[1]);
    let errors = session.errors().unwrap();
    assert_eq!((errors[0].kind.as_str(), errors[0].line, errors[0].case), (ErrorKind::Abort.text(), 8, 2));
    let sides: Vec<_> = session.branches().unwrap().into_iter().map(|side| (side.line, side.side, side.case)).collect();
    assert_eq!(sides, [(7, "false".to_string(), Some(1)), (7, "true".to_string(), Some(2))]);
    let curve: Vec<_> = session.coverage().unwrap().iter().map(|point| (point.run, point.covered)).collect();
    assert_eq!(curve, [(1, 1), (2, 2)]);
    assert_eq!(session.summary().unwrap(), Some(summary));
    let left: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["session.db"], "one ordinary file");
}

#[test]
fn a_summary_says_what_was_missed() {
    let home = tempfile::tempdir().unwrap();
    let explorer = explore(&mut create(&home.path().join("out")).unwrap(), Some(1));
    let summary = Summary::new("f", &explorer, |_| None, SolverSummary::default(), Duration::ZERO);
    assert_eq!((summary.verdict, summary.complete, summary.runs, summary.open), (Verdict::Incomplete, false, 1, 1));
    let [missed] = summary.uncovered.as_slice() else { panic!("{:?}", summary.uncovered) };
    assert_eq!((missed.line, missed.side.as_str(), missed.why), (7, "true", Uncoverable::Open));
    assert_eq!((summary.functions[0].covered, missed.id), (1, 1));
    let text = serde_json::to_string(&summary).unwrap();
    assert_eq!(serde_json::from_str::<Summary>(&text).unwrap(), summary);
}

/// Simulates `kill -9`: the recorder's destructor does not run.
#[test]
fn a_killed_run_keeps_what_was_flushed() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("out");
    let mut recorder = create(&dir).unwrap();
    explore(&mut recorder, None);
    std::mem::forget(recorder);
    let session = Session::open(&dir).unwrap();
    assert_eq!(session.cases().unwrap().len(), 2, "the error was written at once, and what came before");
    assert_eq!(session.errors().unwrap().len(), 1);
    assert_eq!(session.summary().unwrap(), None);
}

#[test]
fn readers_may_look_on() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("out");
    let mut recorder = create(&dir).unwrap();
    let session = Session::open(&dir).unwrap();
    assert_eq!(session.cases().unwrap(), []);
    let explorer = explore(&mut recorder, Some(1));
    recorder.flush().unwrap();
    assert_eq!(session.cases().unwrap().len(), 1);
    let summary = Summary::new("f", &explorer, |_| None, SolverSummary::default(), Duration::ZERO);
    recorder.finish(&summary, &Details::default()).unwrap();
    assert!(session.summary().unwrap().is_some());
}

#[test]
fn an_existing_session_is_refused_and_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("out");
    drop(create(&dir).unwrap());
    let before = fs::read(dir.join("session.db")).unwrap();
    assert!(matches!(Recorder::check(&dir, false), Err(SessionError::Exists(_))));
    let error = create(&dir).unwrap_err();
    assert!(matches!(error, SessionError::Exists(_)));
    assert!(error.to_string().ends_with("already holds a session"));
    assert_eq!(fs::read(dir.join("session.db")).unwrap(), before);
}

#[test]
fn a_session_is_replaced_as_a_whole() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("out");
    let settings = serde_json::Map::new();
    let source = home.path().join("source");
    fs::write(&source, "new").unwrap();
    let replace = |files: &[(std::path::PathBuf, String)]| Recorder::replace(&dir, &program(), &settings, files);
    drop(create(&dir).unwrap());
    fs::write(dir.join("unit"), "old").unwrap();
    let old = fs::read(dir.join("session.db")).unwrap();
    // A failed replacement leaves the old session.
    replace(&[(home.path().join("missing"), "unit".to_owned())]).unwrap_err();
    assert_eq!(fs::read(dir.join("session.db")).unwrap(), old);
    assert_eq!(fs::read_to_string(dir.join("unit")).unwrap(), "old");
    // A directory left over from a crash does not matter.
    fs::create_dir(home.path().join(".out.new")).unwrap();
    fs::write(home.path().join(".out.new/session.db"), "half").unwrap();
    let recorder = replace(&[(source.clone(), "unit".to_owned())]).unwrap();
    assert_eq!(fs::read_to_string(dir.join("unit")).unwrap(), "new");
    // Replacement is rejected while the session is being written.
    assert!(matches!(replace(&[]), Err(SessionError::InUse(_))));
    drop(recorder);
    assert!(Session::open(&dir).is_ok());
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 2, "the old one is gone");
}

#[test]
fn two_at_a_time_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("out");
    let recorder = create(&dir).unwrap();
    fs::rename(dir.join("session.db"), dir.join("elsewhere")).unwrap();
    assert!(matches!(create(&dir), Err(SessionError::InUse(_))));
    drop(recorder);
    create(&dir).unwrap();
}

#[test]
fn checking_leaves_nothing_behind() {
    let home = tempfile::tempdir().unwrap();
    Recorder::check(&home.path().join("a/b/c"), false).unwrap();
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn an_unwritable_directory_is_refused() {
    // A file instead of the directory stops even root.
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("file"), "").unwrap();
    for dir in [home.path().join("file"), home.path().join("file/out")] {
        assert!(matches!(Recorder::check(&dir, false), Err(SessionError::Unwritable { .. })), "{}", dir.display());
        assert!(matches!(create(&dir), Err(SessionError::Unwritable { .. })), "{}", dir.display());
    }
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
}

#[test]
fn what_is_no_session_is_refused() {
    let home = tempfile::tempdir().unwrap();
    assert!(matches!(Session::open(home.path()), Err(SessionError::Missing(_))));
    let path = home.path().join("session.db");
    fs::write(&path, "not a database, but long enough to have a header of one hundred bytes ".repeat(3)).unwrap();
    assert!(matches!(Session::open(home.path()), Err(SessionError::NotASession(_))));
    fs::remove_file(&path).unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("CREATE TABLE cats (name TEXT)").unwrap();
    assert!(matches!(Session::open(home.path()), Err(SessionError::NotASession(_))));
}

#[test]
fn another_version_and_another_case_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let mut recorder = create(home.path()).unwrap();
    explore(&mut recorder, None);
    drop(recorder);
    let error = Session::open(home.path()).unwrap().case(9).unwrap_err();
    assert_eq!(error.to_string(), "the session has no case 9; it has 1, 2");
    let connection = rusqlite::Connection::open(home.path().join("session.db")).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(Session::open(home.path()), Err(SessionError::Version { found: 99, .. })));
}

/// After a kill following the first run, the journal brings another exploration to the same state.
#[test]
fn a_killed_exploration_can_be_told_again() {
    let home = tempfile::tempdir().unwrap();
    let mut recorder = create(home.path()).unwrap();
    let first = explore(&mut recorder, Some(1));
    recorder.flush().unwrap();
    std::mem::forget(recorder);
    let session = Session::open(home.path()).unwrap();
    let mut second = Explorer::new(Arc::new(map()), Box::new(Dfs::default()), Settings::default());
    let mut inputs = Vec::new();
    let read = session.journal(|entry| {
        second.replay(&entry.past()).expect("a place of the tree");
        inputs.push(entry.inputs);
        Ok(())
    });
    read.unwrap();
    assert_eq!((second.counters(), inputs), (first.counters(), vec![Vec::new()]));
    assert_eq!(session.input(1).unwrap(), input_of(CaseId(1)).input, "the case was kept: its input is stored once");
    assert_eq!(second.tree().n_open(), 1);
    assert_eq!(session.covers().unwrap(), [(1, false, vec![0])]);
    assert_eq!(session.elapsed_ms().unwrap(), 30);
}

#[test]
fn a_session_is_resumed_by_one_at_a_time() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("out");
    assert!(matches!(Recorder::resume(&dir), Err(SessionError::Missing(_))));
    let mut recorder = create(&dir).unwrap();
    assert!(matches!(Recorder::resume(&dir), Err(SessionError::InUse(_))));
    let explorer = explore(&mut recorder, Some(1));
    let summary = Summary::new("f", &explorer, |_| None, SolverSummary::default(), Duration::ZERO);
    recorder.finish(&summary, &Details::default()).unwrap();
    let why: Vec<_> = Session::open(&dir).unwrap().branches().unwrap().iter().map(|side| side.why).collect();
    assert_eq!(why, [None, Some(Uncoverable::Open)]);
    let mut recorder = Recorder::resume(&dir).unwrap();
    assert!(matches!(Recorder::resume(&dir), Err(SessionError::InUse(_))));
    recorder.begin_again().unwrap();
    drop(recorder);
    let session = Session::open(&dir).unwrap();
    assert_eq!(session.summary().unwrap(), None, "it goes on");
    let mut n_entries = 0;
    session
        .journal(|_| {
            n_entries += 1;
            Ok(())
        })
        .unwrap();
    assert_eq!(n_entries, 1, "the budget was spent, not the work");
}

#[test]
fn what_is_explored_to_the_end_needs_no_journal() {
    let home = tempfile::tempdir().unwrap();
    let mut recorder = create(home.path()).unwrap();
    let explorer = explore(&mut recorder, None);
    let summary = Summary::new("f", &explorer, |_| None, SolverSummary::default(), Duration::ZERO);
    recorder.finish(&summary, &Details::default()).unwrap();
    let session = Session::open(home.path()).unwrap();
    session.journal(|entry| panic!("{entry:?}")).unwrap();
}

/// However full the disk is, a step is stored either as a whole or not at all.
#[test]
fn a_full_disk_leaves_the_session_as_it_was() {
    let input = input_with(vec![9; 50_000]).input;
    let mut seen = Vec::new();
    for room in 0..40 {
        let home = tempfile::tempdir().unwrap();
        let mut recorder = create(home.path()).unwrap();
        recorder.add_branches(&Arc::new(map())).unwrap();
        let pages: u32 = recorder.connection().pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
        recorder.connection().pragma_update(None, "max_page_count", pages + room).unwrap();
        let mut explorer = Explorer::new(Arc::new(map()), Box::new(Dfs::default()), Settings::default());
        let mut added = Ok(());
        let mut n_steps = 0;
        while let Next::Job(ticket) = explorer.next(Duration::ZERO, false) {
            let Ok(result) = Unit.execute(ticket.job());
            let step = explorer.feed(ticket, &result);
            added = add(&mut recorder, &step, &result, &explorer, Duration::ZERO, &input);
            added = added.and_then(|()| recorder.flush());
            if added.is_err() {
                break;
            }
            n_steps += 1;
        }
        assert!(added.is_ok() || matches!(added, Err(SessionError::Full)), "{added:?}");
        drop(recorder);
        let session = Session::open(home.path()).unwrap();
        let mut n_entries = 0;
        session
            .journal(|_| {
                n_entries += 1;
                Ok(())
            })
            .unwrap();
        assert_eq!((n_entries, session.cases().unwrap().len()), (n_steps, n_steps), "with room for {room}");
        assert_eq!(session.check().unwrap(), "ok");
        seen.push(n_steps);
    }
    seen.dedup();
    assert_eq!(seen, [0, 1, 2], "it was full at each step");
}

/// A session with one run whose exploration was killed.
fn killed(dir: &Path) {
    let mut recorder = create(dir).unwrap();
    explore(&mut recorder, Some(1));
    recorder.flush().unwrap();
    recorder.connection().pragma_update(None, "journal_mode", "DELETE").unwrap();
}

/// Reads all of a session like `tine resume`.
fn read_all(dir: &Path) -> Result<(), SessionError> {
    let session = Session::open(dir)?;
    let mut explorer = Explorer::new(Arc::new(map()), Box::new(Dfs::default()), Settings::default());
    session.journal(|entry| {
        explorer.replay(&entry.past()).map(drop).ok_or_else(|| SessionError::Damaged("not of this program".to_owned()))
    })?;
    session.cases()?;
    session.covers()?;
    session.errors()?;
    session.branches()?;
    session.coverage()?;
    session.summary()?;
    session.program()?;
    session.setting("seed")?;
    session.elapsed_ms()?;
    Recorder::resume(dir).map(drop)
}

/// Any damage to a row of the journal is noticed before its entries are used.
#[test]
fn every_damage_to_the_journal_is_noticed() {
    let home = tempfile::tempdir().unwrap();
    killed(home.path());
    let connection = rusqlite::Connection::open(crate::schema::path(home.path())).unwrap();
    let whole: Vec<u8> = connection.query_row("SELECT entries FROM journal", [], |row| row.get(0)).unwrap();
    let with = |id: i64, blob: &[u8]| {
        connection.execute("UPDATE journal SET id = ?, entries = ?", rusqlite::params![id, blob]).unwrap();
        read_all(home.path())
    };
    with(1, &whole).unwrap();
    for len in 0..whole.len() {
        assert!(matches!(with(1, &whole[..len]), Err(SessionError::Damaged(_))), "cut off after {len} bytes");
        for bit in 0..8 {
            let mut changed = whole.clone();
            changed[len] ^= 1 << bit;
            assert!(matches!(with(1, &changed), Err(SessionError::Damaged(_))), "byte {len}, bit {bit}");
        }
    }
    assert!(matches!(with(1, &[&whole[..], &[0]].concat()), Err(SessionError::Damaged(_))));
    assert!(matches!(with(2, &whole), Err(SessionError::Damaged(_))), "the row before is missing");
}

/// Damage to the file is an error or has no relevant effect. It never causes a panic.
#[test]
fn no_damage_to_the_file_is_a_panic() {
    const STEP: usize = 251;
    let home = tempfile::tempdir().unwrap();
    killed(home.path());
    read_all(home.path()).unwrap();
    let path = crate::schema::path(home.path());
    let whole = fs::read(&path).unwrap();
    let mut n_errors = 0;
    for at in (0..whole.len()).step_by(STEP) {
        let mut changed = whole.clone();
        changed[at] ^= 0xff;
        for bytes in [&changed[..], &whole[..at]] {
            fs::write(&path, bytes).unwrap();
            n_errors += u32::from(read_all(home.path()).is_err());
        }
    }
    assert!(n_errors as usize > whole.len() / STEP / 2, "most that is cut off is noticed: {n_errors}");
}
