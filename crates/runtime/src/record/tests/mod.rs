//! The recorder on a separate segment, in one process with std. Its records are evaluated under the run's inputs and
//! under others.

use std::ffi::CString;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tine_trace::eval::{concat, integer, mask};
use tine_trace::event::{Event, Note, NoteKind};
use tine_trace::node::Node;
use tine_trace::op::Op;
use tine_trace::plan::InputRecord;
use tine_trace::planned::Plan;
use tine_trace::segment::{Area, AreaKind, FLAG_RECORD, HEADER_LEN, Header, Limits, N_AREAS};

use super::{calls, value};
use crate::segment::Segment;

mod bounds;
mod composites;
mod expressions;
mod inputs;
mod loads;
mod path;
mod ranges;
mod rest;
mod speed;

/// The recorder's memory lies at fixed addresses: one test at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A run on a segment in ordinary memory.
struct Run {
    memory: Box<[u128]>,
    _guard: MutexGuard<'static, ()>,
}

fn limits() -> Limits {
    Limits {
        max_depth: 1000,
        max_nodes: 1 << 20,
        max_events: 1 << 20,
        flags: FLAG_RECORD,
        memory: 0,
        fill_seed: 0,
        max_inputs: 0,
        unchecked: 0,
    }
}

impl Run {
    /// Starts a run with room for everything.
    fn new(inputs: &[Vec<u8>]) -> Run {
        Run::with(
            limits(),
            [1 << 16, 1 << 12, 1 << 16, 1 << 12, 1 << 21, 1 << 16, 1 << 12, 1 << 10, 1 << 10, 1 << 12, 1 << 16, 0],
            inputs,
        )
    }

    /// Starts a run with these limits and lengths of areas.
    fn with(limits: Limits, lengths: [u64; N_AREAS], inputs: &[Vec<u8>]) -> Run {
        let guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let total = HEADER_LEN + lengths.iter().map(|len| len.next_multiple_of(64)).sum::<u64>();
        let mut run = Run { memory: vec![0u128; total as usize / 16].into_boxed_slice(), _guard: guard };
        let header = run.memory.as_mut_ptr().cast::<Header>();
        let mut offset = HEADER_LEN;
        // SAFETY: zeroed memory is a valid header, and there is room for it.
        unsafe {
            let mut fixed = (*header).fixed.copy();
            for (area, len) in fixed.areas.iter_mut().zip(lengths) {
                *area = Area { offset, len };
                offset += len.next_multiple_of(64);
            }
            (*header).fixed.set(fixed);
            (*header).limits.set(limits);
            Segment::install(header);
        }
        run.again(inputs);
        run
    }

    /// Starts the next run on the same segment.
    fn again(&mut self, inputs: &[Vec<u8>]) {
        super::end();
        super::reset();
        let plan = Plan::of_requests(inputs).file();
        let (area, room) = self.segment().area::<u8>(AreaKind::Plan);
        assert!(plan.len() <= room as usize);
        // SAFETY: the area has room for the plan.
        unsafe { area.copy_from_nonoverlapping(plan.as_ptr(), plan.len()) };
        super::begin(self.segment());
    }

    fn segment(&self) -> Segment {
        Segment::get().expect("installed")
    }

    fn records<T: Copy>(&self, kind: AreaKind, n: u32) -> Vec<T> {
        let (area, room) = self.segment().area::<T>(kind);
        assert!(n <= room);
        // SAFETY: the area has this many.
        unsafe { std::slice::from_raw_parts(area, n as usize) }.to_vec()
    }

    fn results(&self) -> &tine_trace::segment::Results {
        // SAFETY: the header is in the run's memory.
        unsafe { &(*self.segment().header()).results }
    }

    fn n_nodes(&self) -> u32 {
        super::state::owned().arena.n
    }

    fn node(&self, id: u32) -> Node {
        assert!(id != 0 && id <= self.n_nodes(), "no node {id}");
        self.records::<Node>(AreaKind::Nodes, id + 1)[id as usize]
    }

    fn events(&self) -> Vec<Event> {
        self.records(AreaKind::Events, self.results().n_events.load(std::sync::atomic::Ordering::Acquire))
    }

    fn notes(&self) -> Vec<Note> {
        self.records(AreaKind::Notes, self.results().n_notes.load(std::sync::atomic::Ordering::Acquire))
    }

    /// Number of notes of this kind.
    fn noted(&self, kind: NoteKind) -> u32 {
        self.notes().iter().filter(|note| note.kind == kind as u8).map(|note| note.count).sum()
    }

    fn input_records(&self) -> Vec<InputRecord> {
        self.records(AreaKind::Inputs, self.results().n_inputs.load(std::sync::atomic::Ordering::Acquire))
    }

    /// Requests the next input with a width of `bits`; returns its node and value.
    fn symbolic(&self, bits: u32) -> (u32, u128) {
        let size = (bits as usize).div_ceil(8);
        let mut buffer = Box::new([0u8; 16]);
        input(&mut buffer[..size], "x");
        let value = u128::from_le_bytes(*buffer);
        let node = load(&buffer[..size]);
        super::shadow::clear(buffer.as_ptr() as u64, 16);
        let low = value & mask(bits);
        if bits == size as u32 * 8 { (node, low) } else { (unary(Op::Extract, bits, 0, node, low), low) }
    }

    /// The value of a node under these inputs.
    fn evaluate(&self, id: u32, inputs: &[Vec<u8>]) -> u128 {
        let nodes: Vec<Node> = self.records(AreaKind::Nodes, self.n_nodes() + 1);
        evaluate(&nodes, id, inputs, &mut vec![None; nodes.len()])
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        super::end();
        super::reset();
        // SAFETY: null is not a segment.
        unsafe { Segment::install(std::ptr::null_mut()) };
    }
}

fn evaluate(nodes: &[Node], id: u32, inputs: &[Vec<u8>], known: &mut Vec<Option<u128>>) -> u128 {
    if let Some(value) = known[id as usize] {
        return value;
    }
    let node = nodes[id as usize];
    let op = node.op().expect("an operation");
    let fields = [node.a, node.b, node.c];
    let n = op.shape().operands as usize;
    assert!(fields[..n].iter().all(|operand| *operand != 0 && *operand < id), "operands of {id} {node:?}");
    let mut v = [0; 3];
    for (value, operand) in v.iter_mut().zip(&fields[..n]) {
        *value = evaluate(nodes, *operand, inputs, known);
    }
    let width = node.width as u32;
    let from = if n > 0 { nodes[node.a as usize].width as u32 } else { 0 };
    let result = match op {
        Op::Const => node.value(),
        Op::Input => {
            let bytes = &inputs[node.a as usize][node.b as usize..][..width as usize / 8];
            bytes.iter().rev().fold(0, |value, byte| value << 8 | *byte as u128)
        }
        Op::Concat => {
            let low = nodes[node.b as usize].width as u32;
            assert_eq!(width, from + low);
            concat(low, v[0], v[1])
        }
        Op::Extract => {
            assert!(node.b + width <= from);
            (v[0] >> node.b) & mask(width)
        }
        Op::FIsNan => value::is_nan(from, v[0]) as u128,
        Op::FEq | Op::FLt | Op::FLe => value::float_predicate(op, from, v[0], v[1]).expect("a predicate"),
        Op::FToS | Op::FToU => value::float_to_integer(op, width, value::float(from, v[0])).unwrap_or(0),
        Op::FAdd if width == 64 => (f64::from_bits(v[0] as u64) + f64::from_bits(v[1] as u64)).to_bits() as u128,
        Op::FAdd => (f32::from_bits(v[0] as u32) + f32::from_bits(v[1] as u32)).to_bits() as u128,
        Op::Ite => {
            assert_eq!((from, nodes[node.b as usize].width), (1, node.width));
            if v[0] != 0 { v[1] } else { v[2] }
        }
        _ => {
            if n == 2 {
                assert_eq!(from, nodes[node.b as usize].width as u32, "widths of {node:?}");
            }
            integer(op, width, from, v[0], v[1], v[2]).expect("an integer operation")
        }
    };
    known[id as usize] = Some(result);
    result
}

// The entry points, called as by instrumented code.

fn input(to: &mut [u8], name: &str) {
    let name = CString::new(name).expect("no zeros");
    // SAFETY: a buffer and a C string.
    unsafe { calls::input(to.as_mut_ptr(), to.len() as u64, name.as_ptr(), 0, 0) };
}

/// The instrumented load of all of `bytes`.
fn load(bytes: &[u8]) -> u32 {
    let value = bytes.iter().rev().fold(0u128, |value, byte| value << 8 | *byte as u128);
    // SAFETY: an entry point without requirements.
    unsafe { calls::load(bytes.as_ptr() as u64, bytes.len() as u32, value as u64, (value >> 64) as u64) }
}

/// The instrumented store to all of `bytes`.
fn store(bytes: &mut [u8], node: u32, value: u128) {
    bytes.copy_from_slice(&value.to_le_bytes()[..bytes.len()]);
    // SAFETY: an entry point without requirements.
    unsafe { calls::store(bytes.as_ptr() as u64, bytes.len() as u32, node) };
}

fn binary(op: Op, width: u32, [sa, sb]: [u32; 2], [a, b, r]: [u128; 3]) -> u32 {
    let packed = tine_trace::entry::pack(op, width);
    if width > 64 {
        let mut abr = [a, b, r];
        // SAFETY: three values.
        unsafe { calls::binary_wide(packed, sa, sb, abr.as_mut_ptr().cast()) }
    } else {
        // SAFETY: an entry point without requirements.
        unsafe { calls::binary(packed, sa, sb, a as u64, b as u64, r as u64) }
    }
}

fn unary(op: Op, width: u32, immediate: u32, sa: u32, r: u128) -> u32 {
    let mut r = [r];
    // SAFETY: one value.
    unsafe { calls::unary_wide(tine_trace::entry::pack(op, width), immediate, sa, r.as_mut_ptr().cast()) }
}

fn select(width: u32, [sc, st, sf]: [u32; 3], [t, f, r]: [u128; 3]) -> u32 {
    let mut tfr = [t, f, r];
    // SAFETY: three values.
    unsafe { calls::select_wide(width, sc, st, sf, tfr.as_mut_ptr().cast()) }
}

/// A reproducible source of numbers (xorshift) that prefers boundary values.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn value(&mut self, width: u32) -> u128 {
        let wide = self.next() as u128 | (self.next() as u128) << 64;
        let edges = [0, 1, 2, u128::MAX, u128::MAX - 1, 1 << (width - 1), (1 << (width - 1)) - 1, width as u128];
        let value = match self.below(4) {
            0 => edges[self.below(edges.len() as u64) as usize],
            1 => wide & 0xf,
            _ => wide,
        };
        value & mask(width)
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next() as u8).collect()
    }
}
