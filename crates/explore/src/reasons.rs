//! Reasons why an exploration is not complete: everything that was left out, with place and count.

use std::collections::BTreeMap;

use tine_trace::event::{ConcretiseReason, NoteKind, Site};
use tine_trace::outcome::{ErrorKind, MEMORY_REFUSED, OutcomeKind};

use crate::budget::{Budget, StopReason};
use crate::errors;
use crate::job::{DESTROYED, Place, Run};
use crate::map::ProgramMap;

/// Strength of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Nothing was left out.
    Complete,
    /// Only stated bounds cut something off.
    Bounded,
    /// Something else was left out.
    Incomplete,
}

impl Verdict {
    /// Text for reports.
    pub const fn text(self) -> &'static str {
        match self {
            Verdict::Complete => "complete",
            Verdict::Bounded => "bounded",
            Verdict::Incomplete => "incomplete",
        }
    }
}

/// Something that was left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    /// True if a stated bound caused it, so that the verdict may be *bounded*.
    pub is_bound: bool,
    /// Description for the user.
    pub what: String,
    /// Place; unknown if there is none.
    pub place: Place,
    pub count: u64,
}

/// Kinds of reasons counted during the exploration. Numbers keep counting cheap; descriptions are made at the end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Concretise(u32),
    Note(u8),
    Unknown(String),
    Bound(String),
    NotReproduced(ErrorKind),
    Diverged,
    Unfinished,
    Depth,
    Dropped,
    RunTime,
    Memory,
    Output,
    Refused,
    Undefined,
}

/// Everything that an exploration left out, with places and counts.
#[derive(Clone, Debug, Default)]
pub struct Reasons {
    /// A place is stored only if the executor found it. Otherwise the site determines it.
    counts: BTreeMap<(Key, Site, Option<Place>), u64>,
    /// Counts of refused system calls, by number. Together they are one reason, but they are also reported
    /// individually.
    refused: BTreeMap<u32, u64>,
}

impl Reasons {
    /// Counts everything that a run left out. `cut` is the first decision beyond the tree's depth bound, if any.
    /// `known` is true if the run reached a state that another run had already continued from.
    pub(crate) fn add_run(&mut self, run: &Run, cut: Option<Site>, known: bool) {
        for concretisation in &run.concretisations {
            self.count(Key::Concretise(concretisation.reason as u32), concretisation.site, None, 1);
        }
        for note in &run.notes {
            let count = u64::from(note.count.max(1));
            match note.kind {
                NoteKind::Error | NoteKind::Monitored => {}
                NoteKind::NotReproduced => {
                    let kind = ErrorKind::from_number(note.detail).unwrap_or(ErrorKind::OtherUndefined);
                    self.count(Key::NotReproduced(kind), note.site, note.place.clone(), count);
                }
                NoteKind::MaxCalls if known => {}
                NoteKind::Refused => {
                    *self.refused.entry(note.detail).or_default() += count;
                    self.count(Key::Refused, Site::NONE, None, count);
                }
                // Reaching both the unit's and the tree's depth bound is one reason.
                NoteKind::Depth if cut.is_some() => {}
                NoteKind::Depth => self.count(Key::Depth, note.site, note.place.clone(), count),
                kind => self.count(Key::Note(kind as u8), note.site, note.place.clone(), count),
            }
        }
        if let Some(site) = cut {
            self.count(Key::Depth, site, None, 1);
        }
        let end = match run.end.kind {
            OutcomeKind::Unfinished => Key::Unfinished,
            OutcomeKind::Timeout if run.asks_for_ever() => return,
            OutcomeKind::Timeout => Key::RunTime,
            // A note names the refused allocation.
            OutcomeKind::OutOfMemory if run.end.code == MEMORY_REFUSED => return,
            OutcomeKind::OutOfMemory => Key::Memory,
            _ => match errors::of_end(&run.end) {
                Some(ErrorKind::OutputLimit) => Key::Output,
                // With another value the run would have gone on differently.
                Some(ErrorKind::Uninitialised) => Key::Undefined,
                _ => return,
            },
        };
        self.count(end, run.end.site, run.end.place.clone(), 1);
    }

    pub(crate) fn add_unknown(&mut self, site: Site, why: &str) {
        self.count(Key::Unknown(why.to_string()), site, None, 1);
    }

    /// Takes back one unknown answer at this place, because the query has been decided now.
    pub(crate) fn forget_unknown(&mut self, site: Site) {
        let counted = |key: &(Key, Site, Option<Place>)| matches!(key.0, Key::Unknown(_)) && key.1 == site;
        let Some(key) = self.counts.keys().find(|key| counted(key)).cloned() else { return };
        if let Some(count) = self.counts.get_mut(&key) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&key);
            }
        }
    }

    pub(crate) fn add_bound(&mut self, site: Site, what: &str) {
        self.count(Key::Bound(what.to_string()), site, None, 1);
    }

    /// Counts a branch side that was given up because the tree was too large.
    pub(crate) fn add_dropped(&mut self, site: Site) {
        self.count(Key::Dropped, site, None, 1);
    }

    pub(crate) fn add_divergence(&mut self, site: Site) {
        self.count(Key::Diverged, site, None, 1);
    }

    fn count(&mut self, key: Key, site: Site, place: Option<Place>, count: u64) {
        *self.counts.entry((key, site, place)).or_default() += count;
    }

    /// Refused system calls by number, with counts.
    pub fn refused(&self) -> &BTreeMap<u32, u64> {
        &self.refused
    }

    /// Returns all reasons with descriptions. Copies of one place are merged. `stop` and `n_open` determine the reason
    /// for branches that were not tried.
    pub fn list(&self, map: &ProgramMap, stop: StopReason, budget: Budget, n_open: u64) -> Vec<Reason> {
        let mut merged = BTreeMap::<(bool, String, Place), u64>::new();
        for ((key, site, place), count) in &self.counts {
            let place = place.clone().unwrap_or_else(|| map.place(*site));
            let place = Place { column: 0, function: "".into(), ..place };
            *merged.entry((is_bound(key), what(key, *site, map), place)).or_default() += count;
        }
        if n_open > 0 || stop != StopReason::Exhausted {
            let what = match stop {
                // A strategy may stop although branches are open.
                StopReason::Exhausted => "open branches not tried".to_owned(),
                StopReason::MaxRuns => "open branches not tried: --max-runs reached".to_owned(),
                StopReason::MaxTime => {
                    let limit = budget.max_time.map_or(String::new(), |time| format!(" ({time:?})"));
                    format!("open branches not tried: --max-time reached{limit}")
                }
                StopReason::MaxMemory => "bound reached: --memory, open branches not tried".to_owned(),
                StopReason::Interrupted => "open branches not tried: interrupted".to_owned(),
            };
            let is_bound = stop == StopReason::MaxMemory;
            merged.insert((is_bound, what, Place::unknown()), n_open);
        }
        merged.into_iter().map(|((is_bound, what, place), count)| Reason { is_bound, what, place, count }).collect()
    }
}

/// Verdict for a list of reasons.
pub fn verdict(reasons: &[Reason]) -> Verdict {
    if reasons.is_empty() {
        Verdict::Complete
    } else if reasons.iter().all(|reason| reason.is_bound) {
        Verdict::Bounded
    } else {
        Verdict::Incomplete
    }
}

/// Names of the bounds that were reached, as options where the user can change them.
pub fn bounds(reasons: &[Reason]) -> Vec<&str> {
    let mut names = Vec::new();
    for reason in reasons.iter().filter(|reason| reason.is_bound) {
        let what = reason.what.trim_start_matches("bound reached: ");
        let option = what.find("--").map(|at| &what[at..]);
        let option = option.map(|text| text.split([',', ' ', ')', ':']).next().unwrap_or(text));
        let name = option.unwrap_or(match what {
            DEPTH => "--depth",
            RUN_TIME => "--run-timeout",
            RUN_MEMORY => "--memory",
            what => what,
        });
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Start of the description of an unknown answer.
pub(crate) const UNDECIDED: &str = "solver could not decide: ";
/// Descriptions of bounds that do not name their option.
const DEPTH: &str = "depth bound reached";
const RUN_TIME: &str = "run stopped at its time limit";
const RUN_MEMORY: &str = "run stopped at its memory limit";

fn is_bound(key: &Key) -> bool {
    match key {
        Key::Depth | Key::Dropped | Key::RunTime | Key::Memory | Key::Output | Key::Refused | Key::Undefined => true,
        Key::Bound(_) => true,
        Key::Note(kind) => {
            use NoteKind::{
                Characters, MaxCalls, MaxElements, MaxInputs, MaxObjects, MaxText, MemoryRefused, SamePlace, TooSlow,
                Unset,
            };
            let kind = NoteKind::from_number(*kind);
            matches!(
                kind,
                Some(
                    Characters
                        | MaxElements
                        | MaxObjects
                        | MaxText
                        | MaxCalls
                        | MaxInputs
                        | MemoryRefused
                        | SamePlace
                        | TooSlow
                        | Unset
                )
            )
        }
        _ => false,
    }
}

fn what(key: &Key, site: Site, map: &ProgramMap) -> String {
    let named = || map.site(site).map(|site| &*site.text).filter(|text| !text.is_empty());
    let text = match key {
        Key::Concretise(reason) => {
            ConcretiseReason::from_number(*reason).map_or("value concretised", ConcretiseReason::text)
        }
        Key::Note(kind) => match (NoteKind::from_number(*kind), named()) {
            (Some(NoteKind::ExternCall), Some(callee)) => {
                return format!("input flows into `{callee}`, which is not instrumented");
            }
            (Some(NoteKind::ExternCall), None) => "input flows into code that is not instrumented",
            (Some(NoteKind::Stale), _) => "code that is not instrumented changed a value that depends on the input",
            (Some(NoteKind::Unsupported), Some(operation)) => {
                return format!("`{operation}` was executed only concretely");
            }
            (Some(NoteKind::Unsupported), None) => "an operation was executed only concretely",
            (Some(NoteKind::NodeCap), _) => "run too long: the rest was executed only concretely",
            (Some(NoteKind::Thread), _) => "another thread used the input",
            (Some(NoteKind::MaxElements), _) => "bound reached: --max-elements",
            (Some(NoteKind::MaxText), _) => "bound reached: --max-string",
            (Some(NoteKind::MaxObjects), _) => "bound reached: more objects than specifications can follow at a time",
            (Some(NoteKind::MaxCalls), _) => "bound reached: --max-calls",
            (Some(NoteKind::MaxInputs), _) => "bound reached: unbounded input requests",
            (Some(NoteKind::TooSlow), _) => "bound reached: --run-timeout, run too slow to trace",
            (Some(NoteKind::MemoryRefused), _) => "bound reached: --memory, an allocation larger than that was refused",
            (Some(NoteKind::SamePlace), _) => {
                "bound reached: --sym-fail, of the calls from one place only the first fails"
            }
            (Some(NoteKind::Unset), _) => {
                "bound reached: memory that was not written is not followed beyond 64 KiB of an object and at an index \
                 that depends on the input"
            }
            (Some(NoteKind::Overlap), _) => "input arrays that overlap were tried only at elements read before",
            (Some(NoteKind::Characters), _) => {
                "bound reached: pointers to characters are not tried inside other objects, and one was written here \
                 before the other was read"
            }
            (Some(NoteKind::BeforeObject), _) => "access before the first element of an input",
            (Some(NoteKind::ReadBack), _) => {
                "data that the program writes here and reads back loses its dependence on the input"
            }
            (Some(NoteKind::InputCap), _) => "too much input: the rest was not explored",
            _ => "something was executed only concretely",
        },
        Key::Bound(what) => return format!("bound reached: {what}"),
        Key::Unknown(why) if why == DESTROYED => DESTROYED,
        Key::Unknown(why) => return format!("{UNDECIDED}{why}"),
        Key::NotReproduced(kind) => return format!("{} not reproduced, probably a defect of tine", kind.text()),
        Key::Diverged => "run diverged from its predicted path",
        Key::Unfinished => "run was stopped before its end",
        Key::Depth => DEPTH,
        Key::Dropped => "bound reached: --memory, branches dropped from the execution tree",
        Key::RunTime => RUN_TIME,
        Key::Memory => RUN_MEMORY,
        Key::Output => "run stopped at its output limit",
        Key::Refused => "bound reached: the sandbox refused a system call",
        Key::Undefined => "bound reached: runs end where they use an uninitialised value",
    };
    text.to_string()
}
