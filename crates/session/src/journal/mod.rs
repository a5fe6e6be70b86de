//! Results of an exploration, in order. An exploration that replays them reaches the state in which the earlier one
//! ended.
//!
//! Each row of the `journal` table is a blob of entries, as many as were committed together: a row per entry would cost
//! more than some runs. Numbers are in groups of seven bits, the lowest first. The blob is compressed. It begins with a
//! checksum of the compressed bytes and the row number, so that damage is noticed before an exploration uses the
//! entries.

pub mod bytes;
mod inputs;

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use tine_explore::job::{Concretisation, Decision, NoteSeen, Run, RunEnd, StateSeen};
use tine_explore::map::Edge;
use tine_explore::requirements::{Requirement, RequirementKind};
use tine_explore::tree::{NodeId, OpenBranch};
use tine_explore::{CaseId, JobResult, Past, Place, Prefix, Step};
use tine_trace::event::{ConcretiseReason, EventKind, NoteKind, Site};
use tine_trace::outcome::OutcomeKind;

use bytes::{Damaged, Reader, Writer};
pub use inputs::{decode, encode};

use crate::error::SessionError;
use crate::recorder::digest_of_words;

/// One result, and the step of the exploration that it belongs to.
#[derive(Debug)]
pub struct Entry {
    /// As [`Step::target`].
    pub target: Option<OpenBranch>,
    /// As [`Step::seed`].
    pub seed: Option<u32>,
    /// As [`Step::compacted`].
    pub compacted: Option<Vec<OpenBranch>>,
    pub result: JobResult,
    /// Encoded input of the case that ran, for [`decode`]. Empty if the case was kept: then [`crate::Session::input`]
    /// has it.
    pub inputs: Vec<u8>,
}

impl Entry {
    /// Input of [`tine_explore::Explorer::replay`].
    pub fn past(&self) -> Past<'_> {
        let Entry { target, seed, compacted, result, .. } = self;
        Past { target: *target, seed: *seed, result, given_up: compacted.as_deref() }
    }
}

/// Size of the checksum in bytes.
const CHECKSUM: usize = 8;

/// Maximum size of a row's entries in bytes, so that a damaged or hostile session cannot use up the memory. A row is
/// committed when it has a few MiB.
const MAX_ENTRIES: u64 = 1 << 30;

/// Blob of a row: a checksum, followed by the compressed entries.
pub(crate) fn sealed(row: u64, entries: &[u8]) -> Vec<u8> {
    // The fastest level already finds the common parts of paths and inputs.
    let mut encoder = DeflateEncoder::new(vec![0; CHECKSUM], Compression::fast());
    let compressed = encoder.write_all(entries).and_then(|()| encoder.finish());
    let mut blob = compressed.expect("memory takes all bytes");
    let sum = checksum(row, &blob[CHECKSUM..]);
    blob[..CHECKSUM].copy_from_slice(&sum.to_le_bytes());
    blob
}

/// Checks and decompresses the blob of a row.
pub(crate) fn unsealed(row: u64, blob: &[u8]) -> Result<Vec<u8>, SessionError> {
    let damaged = || SessionError::Damaged(format!("row {row} of the journal has changed"));
    let (sum, compressed) = blob.split_at_checked(CHECKSUM).ok_or_else(damaged)?;
    if checksum(row, compressed).to_le_bytes() != sum {
        return Err(damaged());
    }
    let mut entries = Vec::new();
    let read = DeflateDecoder::new(compressed).take(MAX_ENTRIES).read_to_end(&mut entries);
    read.map(|_| entries).map_err(|_| damaged())
}

fn checksum(row: u64, entries: &[u8]) -> u64 {
    let hash = digest_of_words(row, entries);
    (hash ^ hash >> 64) as u64
}

const UNSAT: u8 = 0;
const UNKNOWN: u8 = 1;
const BOUNDED: u8 = 2;
const RAN: u8 = 3;
const GAVE_UP: u8 = 4;
const ASSUMED: u8 = 5;

/// Appends an entry to a blob.
pub(crate) fn append(blob: &mut Vec<u8>, step: &Step, result: &JobResult, inputs: &[u8]) {
    let mut to = Writer { bytes: std::mem::take(blob) };
    to.option(step.target.as_ref(), write_branch);
    to.option(step.seed, Writer::number);
    to.option(step.compacted.as_ref(), |to, dropped| to.list(dropped, write_branch));
    write_result(&mut to, result);
    to.blob(inputs);
    *blob = to.bytes;
}

/// Writes the result of a job.
pub fn write_result(to: &mut Writer, result: &JobResult) {
    match result {
        JobResult::Unsat => to.byte(UNSAT),
        JobResult::Unknown(why) => {
            to.byte(UNKNOWN);
            to.text(why);
        }
        JobResult::GaveUp(why) => {
            to.byte(GAVE_UP);
            to.text(why);
        }
        JobResult::Bounded(what) => {
            to.byte(BOUNDED);
            to.text(what);
        }
        JobResult::Assumed(requirement) => {
            to.byte(ASSUMED);
            write_requirement(to, requirement);
        }
        JobResult::Ran(run) => {
            to.byte(RAN);
            write_run(to, run);
        }
    }
}

/// Reads the entries of a blob in order.
pub(crate) fn read(blob: &[u8], mut take: impl FnMut(Entry) -> Result<(), SessionError>) -> Result<(), SessionError> {
    let mut from = Reader::new(blob);
    while !from.is_at_end() {
        let entry = read_entry(&mut from);
        take(entry.map_err(|Damaged| SessionError::Damaged("an entry of the journal cannot be read".to_owned()))?)?;
    }
    Ok(())
}

fn read_entry(from: &mut Reader<'_>) -> Result<Entry, Damaged> {
    let target = from.option(read_branch)?;
    let seed = from.option(Reader::number)?;
    let compacted = from.option(|from| from.list(read_branch))?;
    let result = read_result(from)?;
    Ok(Entry { target, seed, compacted, result, inputs: from.blob()?.to_vec() })
}

/// Reads the result of a job.
pub fn read_result(from: &mut Reader<'_>) -> Result<JobResult, Damaged> {
    Ok(match from.byte()? {
        UNSAT => JobResult::Unsat,
        UNKNOWN => JobResult::Unknown(from.text()?.to_owned()),
        BOUNDED => JobResult::Bounded(from.text()?.to_owned()),
        GAVE_UP => JobResult::GaveUp(from.text()?.to_owned()),
        ASSUMED => JobResult::Assumed(read_requirement(from)?),
        RAN => JobResult::Ran(Box::new(read_run(from)?)),
        _ => return Err(Damaged),
    })
}

fn write_branch(to: &mut Writer, branch: &OpenBranch) {
    to.number(branch.node.0);
    to.number(branch.side_index);
}

fn read_branch(from: &mut Reader<'_>) -> Result<OpenBranch, Damaged> {
    Ok(OpenBranch { node: NodeId(from.number()?), side_index: from.number()? })
}

fn write_run(to: &mut Writer, run: &Run) {
    to.number(run.case.0);
    to.number(run.size);
    to.byte(u8::from(run.prefix == Prefix::Parent));
    to.list(&run.decisions, |to, decision| {
        to.byte(decision.kind as u8);
        to.number(decision.site.0);
        to.number(decision.side_index);
        to.number(decision.n_sides);
        to.number(decision.event);
        to.word(decision.before);
        to.byte(decision.distance);
    });
    to.list(&run.concretisations, |to, concretisation| {
        to.number(concretisation.site.0);
        to.number(concretisation.reason as u32);
    });
    to.list(&run.states, |to, state| {
        to.number(state.event);
        to.word(state.before);
        to.word(state.key);
        to.list(&state.constraints, |to, constraint| to.word(*constraint));
        to.number(state.calls_left);
    });
    to.list(&run.notes, |to, note| {
        to.byte(note.kind as u8);
        to.number(note.site.0);
        to.number(note.detail);
        to.number(note.count);
        to.option(note.place.as_ref(), write_place);
        to.text(&note.about);
        to.list(note.callers.iter(), write_place);
    });
    to.number(run.end.kind as u32);
    to.number(run.end.code);
    to.number(run.end.site.0);
    to.option(run.end.place.as_ref(), write_place);
    to.text(&run.end.about);
    to.list(run.end.callers.iter(), write_place);
    to.list(&run.new_edges, |to, edge| to.number(edge.0));
    to.option(run.requirement.as_ref(), write_requirement);
}

fn read_run(from: &mut Reader<'_>) -> Result<Run, Damaged> {
    Ok(Run {
        case: CaseId(from.number()?),
        size: from.number()?,
        prefix: if from.byte()? == 0 { Prefix::Whole } else { Prefix::Parent },
        decisions: from.list(|from| {
            Ok(Decision {
                kind: EventKind::from_number(from.byte()?).ok_or(Damaged)?,
                site: Site(from.number()?),
                side_index: from.number()?,
                n_sides: from.number()?,
                event: from.number()?,
                before: from.word()?,
                distance: from.byte()?,
            })
        })?,
        concretisations: from.list(|from| {
            let site = Site(from.number()?);
            Ok(Concretisation { site, reason: ConcretiseReason::from_number(from.number()?).ok_or(Damaged)? })
        })?,
        states: from.list(|from| {
            Ok(StateSeen {
                event: from.number()?,
                before: from.word()?,
                key: from.word()?,
                constraints: from.list(Reader::word)?,
                calls_left: from.number()?,
            })
        })?,
        notes: from.list(|from| {
            Ok(NoteSeen {
                kind: NoteKind::from_number(from.byte()?).ok_or(Damaged)?,
                site: Site(from.number()?),
                detail: from.number()?,
                count: from.number()?,
                place: from.option(read_place)?,
                about: from.text()?.into(),
                callers: from.list(read_place)?.into(),
            })
        })?,
        end: RunEnd {
            kind: OutcomeKind::from_number(from.number()?).ok_or(Damaged)?,
            code: from.number()?,
            site: Site(from.number()?),
            place: from.option(read_place)?,
            about: from.text()?.into(),
            callers: from.list(read_place)?.into(),
        },
        new_edges: from.list(|from| Ok(Edge(from.number()?)))?,
        requirement: from.option(read_requirement)?,
    })
}

fn write_requirement(to: &mut Writer, requirement: &Requirement) {
    let Requirement { kind, subject, condition, predicate } = requirement;
    to.text(kind.text());
    for text in [subject, condition, predicate] {
        to.text(text);
    }
}

fn read_requirement(from: &mut Reader<'_>) -> Result<Requirement, Damaged> {
    Ok(Requirement {
        kind: RequirementKind::from_text(from.text()?).ok_or(Damaged)?,
        subject: from.text()?.into(),
        condition: from.text()?.into(),
        predicate: from.text()?.into(),
    })
}

fn write_place(to: &mut Writer, place: &Place) {
    to.text(&place.file);
    to.number(place.line);
    to.number(place.column);
    to.text(&place.function);
}

fn read_place(from: &mut Reader<'_>) -> Result<Place, Damaged> {
    Ok(Place { file: from.text()?.into(), line: from.number()?, column: from.number()?, function: from.text()?.into() })
}

#[cfg(test)]
mod tests;
