//! From the records of a run in the segment to a [`Run`]: inputs, decisions, states, notes, end and new coverage.
//! Together they make a case.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use tine_explore::errors;
use tine_explore::job::{NoteSeen, StateSeen};
use tine_explore::map::Edge;
use tine_explore::requirements::Requirement;
use tine_explore::{Decision, Flip, Prefix, Run, RunEnd};
use tine_trace::event::{EventKind, Note, NoteKind, PREFIX_HASH_START, Site};
use tine_trace::map::MODELS_FOLDER;
use tine_trace::outcome::{ErrorKind, OutcomeKind};
use tine_trace::plan::{FUNCTIONS, InputKind, OBJECT};
use tine_trace::segment::Limits;
use tine_types::TypeId;
use tine_types::input::{Element, Input, Object, Request};

use super::{ExecutorError, LocalExecutor};
use crate::fault;
use crate::graph::aliasing::AliasingChoice;
use crate::import::{ImportError, Recorded, Trace};
use crate::seen::{arrives, before_endless, concretisations, note_seen, side_index};
use crate::slow::Seen;
use crate::states::States;
use crate::unit::Integrity;

/// Input and trace of a run that is not yet a case.
pub(super) struct Ran {
    pub(super) inputs: Input,
    pub(super) trace: Rc<Trace>,
    /// Planned input, and limits.
    pub(super) planned: Input,
    pub(super) limits: Limits,
}

impl LocalExecutor {
    /// Imports the records of the run that the segment shows.
    pub(super) fn look(
        &mut self,
        planned: Input,
        parent: Option<(&Trace, &Flip)>,
        limits: Limits,
    ) -> Result<Ran, ExecutorError> {
        self.check_records()?;
        let wanted = parent.map_or(0, |(_, flip)| flip.decision as usize + 1);
        let parent = parent.map(|(trace, _)| trace).filter(|_| !self.traces.is_empty());
        let inputs = self.seen_inputs(&planned);
        let trace = self.import(&inputs, parent, wanted)?;
        Ok(Ran { inputs, trace, planned, limits })
    }

    /// Checks the seal. Nothing is known of a run whose records were overwritten.
    pub(super) fn check_records(&self) -> Result<(), ExecutorError> {
        let is_destroyed = self.unit.segment().integrity() == Integrity::Destroyed;
        if is_destroyed { Err(ExecutorError::Destroyed) } else { Ok(()) }
    }

    /// Makes the last run a case.
    pub(super) fn recorded(&mut self, mut ran: Ran, parent: Option<(&Trace, &Flip)>) -> Result<Run, ExecutorError> {
        let trace = Rc::clone(&ran.trace);
        let (prefix, first) = match parent {
            Some((parent, flip)) if arrives(&trace, parent, flip) => (Prefix::Parent, flip.decision as usize),
            _ => (Prefix::Whole, 0),
        };
        let states = self.states(&trace, &ran.inputs, (prefix == Prefix::Parent).then_some(first as u32));
        let mut seen = Seen { notes: self.notes(&trace), end: self.end() };
        if seen.ran_out_of_time() {
            self.run_unrecorded(&mut ran, &mut seen)?;
        }
        let Seen { notes, end } = seen;
        let (new_edges, is_first) = self.new_edges(&notes, &end);
        let requirement = self.requirement(&trace, &ran.inputs, &end);
        let end = self.with_null_pointer(end, &trace, &ran.inputs);
        let inputs = self.shapes.portable(ran.inputs);
        let size = inputs.bytes_kept();
        let case = self.cases.add(inputs);
        let mut run = Run {
            case,
            size,
            prefix,
            decisions: self.decisions(&trace, first),
            concretisations: concretisations(&trace, first),
            states,
            notes,
            end,
            new_edges,
            requirement,
        };
        if is_first {
            self.cases.note(case);
        }
        self.traces.keep(case, trace);
        self.reproduce(&mut run, &ran.limits)?;
        if let (Some(requirements), Some(found)) = (&mut self.requirements, &run.requirement)
            && errors::ending(&run, &self.map).is_some()
        {
            requirements.assume(found);
        }
        Ok(run)
    }

    /// The requirement that the input violates, if that ended the run.
    fn requirement(&self, trace: &Trace, inputs: &Input, end: &RunEnd) -> Option<Requirement> {
        let requirements = self.requirements.as_ref()?;
        requirements.violated(&self.shapes, &self.map, trace, inputs, end)
    }

    /// Names the pointer of the input whose use ended the run, if it is NULL.
    fn with_null_pointer(&self, end: RunEnd, trace: &Trace, inputs: &Input) -> RunEnd {
        let name = || self.requirements.as_ref()?.null_pointer(&self.shapes, &self.map, trace, inputs, &end);
        match name().filter(|_| end.about.is_empty()) {
            Some(name) => RunEnd { about: format!("`{name}` is NULL").into(), ..end },
            None => end,
        }
    }

    /// Notes of the last run. Writes to inputs matter only if the inputs could have been shared.
    fn notes(&self, trace: &Trace) -> Vec<NoteSeen> {
        let notes = self.notes_seen();
        let sites = trace.aliasing_choices().overlaps().iter().map(|event| Site(trace.events()[*event as usize].site));
        let overlap = |site| NoteSeen::new(NoteKind::Overlap, site, 0, 1, None);
        notes.filter(|note| note.kind != NoteKind::Overlap).chain(sites.map(overlap)).collect()
    }

    /// Path of the last run, which should have at least `wanted` events.
    pub(super) fn import(
        &mut self,
        inputs: &Input,
        parent: Option<&Trace>,
        wanted: usize,
    ) -> Result<Rc<Trace>, ExecutorError> {
        let segment = self.unit.segment();
        let (is_cut, integrity) = (segment.outcome().kind == OutcomeKind::Timeout as u32, segment.integrity());
        let notes = segment.notes().iter().filter(|note| note.kind == NoteKind::Overlap as u8);
        let written: Vec<(u32, u32)> = notes.map(|note| (note.site, note.detail)).collect();
        let (mut nodes, mut events) = self.unit.segment_mut().take_path();
        if is_cut {
            events.truncate(before_endless(&events, wanted).len());
            nodes.truncate(events.last().map_or(1, |event| event.n_nodes as usize));
        }
        let recorded = Recorded { nodes, events, images: self.unit.segment().images(), written: &written };
        match Trace::import(&mut self.pool, &self.map, &self.shapes, recorded, inputs, parent) {
            Ok(trace) => Ok(Rc::new(trace)),
            // The initial bytes of arrays are not part of the seal, but their hashes are.
            Err(ImportError::Image { .. }) => Err(ExecutorError::Destroyed),
            // A contradiction in sealed records is a bug of the runtime. Unsealed records may have been written by the
            // unit.
            Err(why) if integrity == Integrity::Sealed => Err(why.into()),
            Err(_) => Err(ExecutorError::Destroyed),
        }
    }

    /// Input of the last run as it was recorded, with addresses of functions. `planned` has the element types of its
    /// objects.
    pub(super) fn seen_inputs(&mut self, planned: &Input) -> Input {
        let mut seen = Input { slot_shift: self.shapes.slot_shift(), ..Input::default() };
        let mut functions = None;
        for (record, input) in self.unit.segment().inputs() {
            if record.id == FUNCTIONS {
                let addresses = input.bytes.chunks_exact(8);
                let address = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
                functions = Some(addresses.map(address).collect());
            } else if record.id & OBJECT != 0 {
                let slot = record.id & !OBJECT;
                let unknown = Element { ty: TypeId::VOID, size: 1, extent: record.size, start: 0, flags: 0 };
                let element = planned.objects.get(&slot).map_or(unknown, |object| object.element);
                seen.objects.insert(slot, Object { element, bytes: input.bytes });
            } else {
                let place = if input.kind == InputKind::Failure { self.place_of_failure(&input) } else { None };
                seen.requests.push(match place {
                    Some(place) => Request { name: format!("{} at {place}", input.name), ..input },
                    None => input,
                });
            }
        }
        if let Some(functions) = functions {
            self.shapes.set_functions(functions);
        }
        seen
    }

    /// File and line of the call that an input caused to fail.
    fn place_of_failure(&self, input: &Request) -> Option<String> {
        let words: Vec<u32> = input.bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let [_, kind, _, frames @ ..] = &words[..] else { return None };
        if *kind == 0 {
            return None;
        }
        // The first frame must be the current position. All of these are return addresses, so 0 takes its place.
        let frames: Vec<u64> = [0].into_iter().chain(frames.iter().copied()).map(u64::from).collect();
        let place = self.places.first(&frames)?;
        Some(format!("{}:{}", Path::new(&*place.file).file_name()?.to_str()?, place.line))
    }

    fn decisions(&self, trace: &Trace, first: usize) -> Vec<Decision> {
        let events = trace.events();
        let mut before = if first == 0 { PREFIX_HASH_START } else { events[first - 1].prefix_hash };
        let mut decisions = Vec::new();
        for (index, event) in events.iter().enumerate().skip(first) {
            let site = Site(event.site);
            let n_sides = match EventKind::from_number(event.kind) {
                Some(EventKind::Branch | EventKind::Failing) => Some(2),
                // The unit chooses the numbers, so the side that was taken is always one of them.
                Some(EventKind::Choice) => {
                    Some((event.aux.min(u16::MAX as u32) as u16).max(event.side_index.saturating_add(1)))
                }
                Some(EventKind::Switch) => self.map.site(site).map(|site| site.n_sides),
                Some(EventKind::Aliasing) => trace.aliasing_choice(index as u32).map(AliasingChoice::n_sides),
                Some(EventKind::Concretise) | None => None,
            };
            if let (Some(kind), Some(n_sides)) = (EventKind::from_number(event.kind), n_sides) {
                let side_index = side_index(trace, index as u32);
                let distance = event.distance();
                decisions.push(Decision { kind, site, side_index, n_sides, event: index as u32, before, distance });
            }
            before = event.prefix_hash;
        }
        decisions
    }

    /// States of the last run after event `first`.
    fn states(&self, trace: &Trace, inputs: &Input, first: Option<u32>) -> Vec<StateSeen> {
        let segment = self.unit.segment();
        if segment.states().is_empty() {
            return Vec::new();
        }
        let states = States {
            shapes: &self.shapes,
            nodes: trace.nodes(),
            events: trace.events(),
            inputs,
            owners: segment.input_records(),
            records: segment.states(),
        };
        states.signatures(first)
    }

    /// End of the last run.
    pub(super) fn end(&self) -> RunEnd {
        let outcome = self.unit.segment().outcome();
        let kind = OutcomeKind::from_number(outcome.kind).unwrap_or(OutcomeKind::Unfinished);
        let frames = &outcome.frames[..(outcome.n_frames as usize).min(outcome.frames.len())];
        let site = Site(outcome.site);
        let is_in_code = site == Site::NONE && kind != OutcomeKind::Exited || self.is_in_model(site);
        let mut place = if is_in_code { self.places.first(frames) } else { None };
        let has_message = [ErrorKind::Specification, ErrorKind::Difference].map(|kind| kind as u32);
        let about = if kind == OutcomeKind::Failed && has_message.contains(&outcome.code) {
            let text = self.unit.segment().text(&outcome.fault);
            let (message, call) = fault::violation(&text, outcome.fault.size);
            if outcome.code == ErrorKind::Specification as u32 {
                place = self.places.first_outside_hooks(frames);
            }
            place = call.or(place);
            message.into()
        } else {
            fault::in_words(&outcome.fault, |site| self.map.place(site)).into()
        };
        let is_error = !matches!(kind, OutcomeKind::Exited | OutcomeKind::Rejected | OutcomeKind::Unfinished);
        let callers = match &place {
            // The current position is not a return address: one more keeps it where it is.
            Some(place) if is_error && !frames.is_empty() => {
                let frames: Vec<u64> = [frames[0] + 1].iter().chain(&frames[1..]).copied().collect();
                self.places.callers(place, &frames)
            }
            _ => Arc::default(),
        };
        self.without_unchecked(RunEnd { kind, code: outcome.code, site, place, about, callers })
    }

    /// True if a site is in a model of the C library. Its errors are those of the call in the user's code.
    fn is_in_model(&self, site: Site) -> bool {
        site != Site::NONE && Path::new(&*self.map.place(site).file).starts_with(MODELS_FOLDER)
    }

    /// Turns an error whose kind is not checked into the exit status that a shell shows.
    fn without_unchecked(&self, end: RunEnd) -> RunEnd {
        const SIGABRT: u32 = 6;
        const SIGSEGV: u32 = 11;
        // A timeout stays a bound even if its kind is not checked: see `run_unrecorded`.
        let is_error = |kind| self.checks.reports(kind) || end.kind == OutcomeKind::Timeout;
        if errors::of_end(&end).is_none_or(is_error) {
            return end;
        }
        let signal = match end.kind {
            OutcomeKind::Signal => end.code,
            OutcomeKind::StackOverflow => SIGSEGV,
            _ => SIGABRT,
        };
        RunEnd { kind: OutcomeKind::Exited, code: 128 + signal, about: "".into(), ..end }
    }

    /// The notes of the last run, without errors that are not checked for.
    pub(super) fn notes_seen(&self) -> impl Iterator<Item = NoteSeen> {
        let is_error = |note: &NoteSeen| {
            note.kind != NoteKind::Error
                || ErrorKind::from_number(note.detail).is_none_or(|kind| self.checks.reports(kind))
        };
        let with_details = |note: &Note| {
            let mut seen = note_seen(note)?;
            if seen.kind == NoteKind::Error {
                seen.about = fault::refused(&note.refused).into();
                let frames = note.frames.map(u64::from);
                if self.is_in_model(seen.site) {
                    // All of these are return addresses, so 0 takes the place of the current position.
                    let calls: Vec<u64> = [0].into_iter().chain(frames).collect();
                    seen.place = self.places.first(&calls);
                }
                let place = seen.place.clone().unwrap_or_else(|| self.map.place(seen.site));
                let place = self.map.with_function(place);
                seen.callers = self.places.callers(&place, &frames);
            }
            Some(seen)
        };
        self.unit.segment().notes().iter().filter_map(with_details).filter(is_error)
    }

    /// Coverage bytes that this run was the first to set, or all that are not known yet. A run without errors also
    /// reports those that only runs with errors have set. The flag is true if some byte was set for the first time. A
    /// rejected run counts for none.
    fn new_edges(&mut self, notes: &[NoteSeen], end: &RunEnd) -> (Vec<Edge>, bool) {
        let mut new = Vec::new();
        if end.kind == OutcomeKind::Rejected {
            self.forget_coverage();
            return (new, false);
        }
        const AT_ONCE: usize = 64;
        let mut is_first = false;
        let passes = errors::passes(notes, end, &self.map);
        let seen = self.unit.segment().coverage().chunks(AT_ONCE);
        let known = self.covered.chunks_mut(AT_ONCE).zip(self.passed.chunks_mut(AT_ONCE));
        for (number, ((covered, passed), now)) in known.zip(seen).enumerate() {
            let known = if passes { &*passed } else { &*covered };
            if known.iter().zip(now).all(|(known, now)| now <= known) {
                continue;
            }
            for (index, now) in now.iter().enumerate() {
                if *now <= if passes { passed[index] } else { covered[index] } {
                    continue;
                }
                is_first |= *now > covered[index];
                if !self.reports_again {
                    covered[index] = covered[index].max(*now);
                    passed[index] = if passes { *now } else { passed[index] };
                }
                new.push(Edge((number * AT_ONCE + index) as u32));
            }
        }
        (new, is_first)
    }

    pub(super) fn forget_coverage(&mut self) {
        let n_edges = self.covered.len();
        self.unit.segment_mut().clear_coverage(n_edges);
    }

    /// All coverage of the last run, old and new.
    pub fn edges(&self) -> Vec<Edge> {
        let seen = self.unit.segment().coverage().iter().take(self.covered.len()).enumerate();
        seen.filter(|(_, now)| **now != 0).map(|(index, _)| Edge(index as u32)).collect()
    }
}
