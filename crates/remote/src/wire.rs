//! Orders and replies as bytes in the encoding of the session's journal. Long ones are compressed. Received bytes may
//! be hostile.

use std::io::{Read as _, Write as _};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use tine_engine::remote::{Answer, Evidence, Order, Task};
use tine_explore::map::Edge;
use tine_explore::{CaseId, Flip};
use tine_session::journal::bytes::{Damaged, Reader, Writer};
use tine_session::journal::{decode, encode, read_result, write_result};
use tine_trace::event::Site;
use tine_types::Input;

/// Size below which messages are not compressed.
const SHORT: usize = 1 << 10;
/// Maximum size of a decompressed message in bytes.
const MAX_BYTES: u64 = 256 << 20;

const PLAIN: u8 = 0;
const COMPRESSED: u8 = 1;

const INPUT: u8 = 0;
const FRESH: u8 = 1;
const FLIP: u8 = 2;
const RETRY: u8 = 3;

/// A worker's reply.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) number: u64,
    pub(crate) worker: String,
    pub(crate) version: String,
    pub(crate) answers: Result<Vec<Answer>, String>,
}

pub(crate) fn write_order(order: &Order) -> Vec<u8> {
    let mut to = Writer::default();
    to.number(order.number);
    to.number(order.lease);
    match &order.task {
        Task::Input(input) => {
            to.byte(INPUT);
            to.blob(&encode(input));
        }
        Task::Fresh(seed) => {
            to.byte(FRESH);
            to.word(*seed);
        }
        Task::Flip { flip, parent, again } => {
            to.byte(if *again { RETRY } else { FLIP });
            write_flip(&mut to, flip);
            to.blob(&encode(parent));
        }
    }
    packed(&to.bytes)
}

pub(crate) fn read_order(bytes: &[u8]) -> Result<Order, Damaged> {
    let bytes = unpacked(bytes)?;
    let mut from = Reader::new(&bytes);
    let (number, lease) = (from.number()?, from.number()?);
    let task = match from.byte()? {
        INPUT => Task::Input(Arc::new(read_input(&mut from)?)),
        FRESH => Task::Fresh(from.word()?),
        kind @ (FLIP | RETRY) => {
            Task::Flip { flip: read_flip(&mut from)?, parent: Arc::new(read_input(&mut from)?), again: kind == RETRY }
        }
        _ => return Err(Damaged),
    };
    from.end()?;
    Ok(Order { number, task, lease })
}

pub(crate) fn write_message(message: &Message) -> Vec<u8> {
    let mut to = Writer::default();
    to.number(message.number);
    to.text(&message.worker);
    to.text(&message.version);
    match &message.answers {
        Ok(answers) => {
            to.byte(1);
            to.list(answers, |to, answer| {
                to.option(answer.flip.as_ref(), write_flip);
                write_result(to, &answer.result);
                to.option(answer.input.as_ref(), |to, input| to.blob(&encode(input)));
                to.option(answer.evidence.as_ref(), |to, evidence| {
                    to.blob(&serde_json::to_vec(&evidence.map).expect("a map is JSON"));
                    to.list(&evidence.covers, |to, edge| to.number(edge.0));
                    to.blob(&evidence.output);
                });
            });
        }
        Err(why) => {
            to.byte(0);
            to.text(why);
        }
    }
    packed(&to.bytes)
}

pub(crate) fn read_message(bytes: &[u8]) -> Result<Message, Damaged> {
    let bytes = unpacked(bytes)?;
    let mut from = Reader::new(&bytes);
    let number = from.number()?;
    let (worker, version) = (from.text()?.to_owned(), from.text()?.to_owned());
    let answers = match from.byte()? {
        1 => Ok(from.list(|from| {
            Ok(Answer {
                flip: from.option(read_flip)?,
                result: read_result(from)?,
                input: from.option(read_input)?,
                evidence: from.option(|from| {
                    Ok(Evidence {
                        map: serde_json::from_slice(from.blob()?).map_err(|_| Damaged)?,
                        covers: from.list(|from| Ok(Edge(from.number()?)))?,
                        output: from.blob()?.to_vec(),
                    })
                })?,
            })
        })?),
        0 => Err(from.text()?.to_owned()),
        _ => return Err(Damaged),
    };
    from.end()?;
    Ok(Message { number, worker, version, answers })
}

fn write_flip(to: &mut Writer, flip: &Flip) {
    to.number(flip.parent.0);
    to.number(flip.decision);
    to.number(flip.side_index);
    to.number(flip.site.0);
    to.word(flip.before);
}

fn read_flip(from: &mut Reader<'_>) -> Result<Flip, Damaged> {
    Ok(Flip {
        parent: CaseId(from.number()?),
        decision: from.number()?,
        side_index: from.number()?,
        site: Site(from.number()?),
        before: from.word()?,
    })
}

fn read_input(from: &mut Reader<'_>) -> Result<Input, Damaged> {
    decode(from.blob()?).map_err(|_| Damaged)
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    if bytes.len() < SHORT {
        return [&[PLAIN], bytes].concat();
    }
    let mut encoder = DeflateEncoder::new(vec![COMPRESSED], Compression::fast());
    let compressed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    compressed.expect("memory takes all bytes")
}

fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, Damaged> {
    match bytes.split_first() {
        Some((&PLAIN, rest)) => Ok(rest.to_vec()),
        Some((&COMPRESSED, rest)) => {
            let mut all = Vec::new();
            let read = DeflateDecoder::new(rest).take(MAX_BYTES).read_to_end(&mut all);
            read.map(|_| all).map_err(|_| Damaged)
        }
        _ => Err(Damaged),
    }
}

#[cfg(test)]
mod tests {
    use tine_explore::fake::{END, Fake, Program, Random};
    use tine_explore::{Executor as _, Job, JobResult};

    use super::*;

    fn order(number: u64, bytes: usize) -> Order {
        let flip = Flip { parent: CaseId(7), decision: 3, side_index: 1, site: Site(9), before: u64::MAX - 5 };
        let parent = Arc::new(Input::of_requests(vec![vec![5; bytes]]));
        Order { number, task: Task::Flip { flip, parent, again: number.is_multiple_of(2) }, lease: 16 }
    }

    #[test]
    fn orders_come_back_as_they_were() {
        for order in [
            order(1, 4),
            order(2, 100_000),
            Order { number: 3, task: Task::Fresh(u64::MAX), lease: 1 },
            Order { number: 4, task: Task::Input(Arc::new(Input::of_requests(vec![vec![1], vec![]]))), lease: 1 },
        ] {
            assert_eq!(read_order(&write_order(&order)), Ok(order));
        }
        assert!(write_order(&order(1, 700)).len() < 1024, "a job is about a KiB at most");
    }

    fn message() -> Message {
        let program = Program::Decide(0, vec![0, 1], vec![END, END]);
        let mut executor = Fake::new(2, program);
        let result = executor.execute(&Job::Initial).expect("it cannot fail");
        let flip = Flip { parent: CaseId(1), decision: 0, side_index: 1, site: Site(0), before: 1 };
        let answers = vec![
            Answer { flip: None, result, input: Some(Input::default()), evidence: None },
            Answer { flip: Some(flip), result: JobResult::GaveUp("time".to_owned()), input: None, evidence: None },
        ];
        Message { number: 12, worker: "w".to_owned(), version: "v".to_owned(), answers: Ok(answers) }
    }

    #[test]
    fn replies_come_back_as_they_were() {
        let message = message();
        let read = read_message(&write_message(&message)).expect("it is whole");
        assert_eq!(format!("{read:?}"), format!("{message:?}"));
        let failed = Message { answers: Err("no".to_owned()), ..message };
        let read = read_message(&write_message(&failed)).expect("it is whole");
        assert_eq!(read.answers.err().as_deref(), Some("no"));
    }

    #[test]
    fn damaged_messages_are_refused_or_read_as_something_else() {
        let whole = write_message(&message());
        let mut random = Random(5);
        let mut n_refused = 0;
        for _ in 0..2000 {
            let mut bytes = whole.clone();
            let at = random.below(bytes.len() as u64) as usize;
            bytes[at] ^= 1 << random.below(8);
            bytes.truncate(bytes.len() - random.below(4) as usize);
            n_refused += u32::from(read_message(&bytes).is_err());
            let _ = read_order(&bytes);
        }
        assert!(n_refused > 1000, "{n_refused} of 2000");
    }
}
