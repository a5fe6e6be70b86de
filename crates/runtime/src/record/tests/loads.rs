//! Memory: loads after stores, copies and fills of all sizes, also evaluated for other inputs.

use tine_trace::eval::mask;
use tine_trace::event::NoteKind;
use tine_trace::op::Op;

use super::{Random, Run, input, load, store};
use crate::record::{calls, shadow, state};

fn number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | *byte as u128)
}

/// Memory of this run, and the same memory with other inputs.
struct Worlds {
    here: Box<[u8]>,
    there: Box<[u8]>,
}

impl Worlds {
    /// Loads in both; the expression found here must evaluate to both contents.
    fn check(&self, run: &Run, at: usize, size: usize, others: &[Vec<u8>]) -> u32 {
        let node = load(&self.here[at..at + size]);
        let (here, there) = (number(&self.here[at..at + size]), number(&self.there[at..at + size]));
        if node == 0 {
            assert_eq!(here, there, "a symbolic value was lost at {at}, {size}");
        } else {
            assert_eq!((run.node(node).width as usize, run.node(node).value()), (size * 8, here));
            assert_eq!(run.evaluate(node, others), there, "at {at}, {size}");
        }
        node
    }
}

#[test]
fn random_memory_is_followed_in_two_worlds() {
    let sizes = [1, 1, 2, 2, 4, 4, 8, 8, 16, 3, 5, 7, 12];
    for seed in 1..60 {
        let mut random = Random(seed * 0x9e37_79b9);
        let len = 400;
        let (mine, others) = (random.bytes(64), random.bytes(64));
        let run = Run::new(std::slice::from_ref(&mine));
        let others = [others];
        let mut worlds = Worlds { here: vec![0; len].into(), there: vec![0; len].into() };
        input(&mut worlds.here[100..164], "buffer");
        worlds.there[100..164].copy_from_slice(&others[0]);
        for _ in 0..400 {
            let size = sizes[random.below(sizes.len() as u64) as usize];
            let (at, to) = (random.below((len - 160) as u64) as usize, random.below((len - 160) as u64) as usize);
            match random.below(6) {
                0 | 1 => {
                    let node = worlds.check(&run, at, size, &others);
                    let value = number(&worlds.here[at..at + size]);
                    store(&mut worlds.here[to..to + size], node, value);
                    worlds.there.copy_within(at..at + size, to);
                }
                2 => {
                    let n = random.below(150) as usize;
                    worlds.here.copy_within(at..at + n, to);
                    worlds.there.copy_within(at..at + n, to);
                    let start = worlds.here.as_ptr() as u64;
                    // SAFETY: an entry point without requirements.
                    unsafe { calls::copy(start + to as u64, start + at as u64, n as u64) };
                }
                3 => {
                    let n = random.below(100) as usize;
                    let node = worlds.check(&run, at, 1, &others);
                    let (here, there) = (worlds.here[at], worlds.there[at]);
                    worlds.here[to..to + n].fill(here);
                    worlds.there[to..to + n].fill(there);
                    // SAFETY: an entry point without requirements.
                    unsafe { calls::fill(worlds.here.as_ptr() as u64 + to as u64, node, n as u64) };
                }
                4 if random.below(3) == 0 => {
                    let value = random.value(size as u32 * 8);
                    store(&mut worlds.here[to..to + size], 0, value);
                    worlds.there[to..to + size].copy_from_slice(&value.to_le_bytes()[..size]);
                }
                _ => {
                    worlds.check(&run, at, size, &others);
                }
            }
        }
        assert_eq!(run.noted(NoteKind::Stale), 0);
    }
}

#[test]
fn what_was_stored_is_loaded_as_the_same_node() {
    let run = Run::new(&[vec![1, 2, 3, 4]]);
    let (x, value) = run.symbolic(32);
    let mut memory = [0u8; 16];
    store(&mut memory[3..7], x, value);
    let n = run.n_nodes();
    assert_eq!(load(&memory[3..7]), x);
    assert_eq!(run.n_nodes(), n);
    // A wider load: zeros above make an extension.
    let node = run.node(load(&memory[3..11]));
    assert_eq!((node.op(), node.a), (Some(Op::ZExt), x));
    // A narrower load: a part.
    let node = run.node(load(&memory[5..7]));
    assert_eq!((node.op(), node.a, node.b), (Some(Op::Extract), x, 16));
}

#[test]
fn a_value_copied_byte_by_byte_is_the_value_again() {
    let run = Run::new(&[vec![1, 2, 3, 4, 5, 6, 7, 8]]);
    let (x, value) = run.symbolic(64);
    let (mut from, mut to) = ([0u8; 8], [0u8; 8]);
    store(&mut from, x, value);
    for k in 0..8 {
        let byte = load(&from[k..=k]);
        store(&mut to[k..=k], byte, from[k] as u128);
    }
    assert_eq!(load(&to), x);
    // After other bytes, too.
    let mut shifted = [9u8; 12];
    for k in 0..4 {
        let byte = load(&from[k..=k]);
        store(&mut shifted[k + 2..=k + 2], byte, from[k] as u128);
    }
    store(&mut shifted[..2], 0, 0x0909);
    let joined = load(&shifted[..6]);
    assert_eq!(run.evaluate(joined, &[vec![0xa, 0xb, 0xc, 0xd, 0, 0, 0, 0]]), 0x0d0c_0b0a_0909);
}

#[test]
fn a_node_of_odd_width_is_followed_by_zeros() {
    let run = Run::new(&[vec![1, 0, 0, 0]]);
    let (x, value) = run.symbolic(32);
    let bit = super::binary(Op::Eq, 32, [x, 0], [value, 1, 1]);
    let mut memory = [0u8; 4];
    store(&mut memory[..1], bit, 1);
    let loaded = load(&memory[..1]);
    assert_eq!((run.node(loaded).width, run.node(loaded).a), (8, bit));
    assert_eq!(run.evaluate(load(&memory), &[vec![0; 4]]), 0);
}

#[test]
fn memory_changed_behind_the_shadow_is_stale() {
    let run = Run::new(&[vec![1, 2, 3, 4]]);
    let mut memory = [0u8; 8];
    input(&mut memory[..4], "x");
    assert_ne!(load(&memory[..4]), 0);
    memory[1] = 77; // by uninstrumented code
    assert_eq!(load(&memory[..4]), 0);
    assert_eq!(run.noted(NoteKind::Stale), 1);
    assert_eq!(load(&memory[..4]), 0);
    assert_eq!(run.noted(NoteKind::Stale), 1, "its cells are gone");
}

#[test]
fn an_unread_input_changed_behind_the_shadow_is_stale() {
    let run = Run::new(&[vec![1, 2, 3, 4]]);
    let mut memory = [0u8; 4];
    input(&mut memory, "x");
    memory[1] = 77;
    let node = load(&memory);
    assert_eq!(run.noted(NoteKind::Stale), 1);
    assert_eq!(run.evaluate(node, &[vec![9, 9, 9, 9]]), 0x0909_4d09);
}

#[test]
fn clearing_ends_what_was_symbolic() {
    let run = Run::new(&[vec![7; 200]]);
    let mut memory = vec![0u8; 400];
    input(&mut memory[100..300], "x");
    // SAFETY: an entry point without requirements.
    unsafe { calls::clear(memory.as_ptr() as u64 + 150, 100) };
    for at in 0..400 {
        let node = load(&memory[at..=at]);
        assert_eq!(node != 0, (100..150).contains(&at) || (250..300).contains(&at), "{at}");
    }
    assert_eq!(run.noted(NoteKind::Stale), 0);
}

#[test]
fn overlapping_moves() {
    for distance in [-70i64, -65, -64, -3, -1, 1, 3, 64, 65, 70] {
        let bytes: Vec<u8> = (0..=255).collect();
        let run = Run::new(std::slice::from_ref(&bytes));
        let mut memory = vec![0u8; 512];
        input(&mut memory[128..384], "x");
        let (from, to) = (140usize, (140 + distance) as usize);
        memory.copy_within(from..from + 200, to);
        let start = memory.as_ptr() as u64;
        // SAFETY: an entry point without requirements.
        unsafe { calls::copy(start + to as u64, start + from as u64, 200) };
        for k in 0..200 {
            let node = run.node(load(&memory[to + k..=to + k]));
            assert_eq!((node.op(), node.b as usize), (Some(Op::Input), 12 + k), "distance {distance}, byte {k}");
        }
    }
}

#[test]
fn a_reset_leaves_no_cell() {
    let mut run = Run::new(&[vec![1; 300]]);
    let mut memory = vec![0u8; 1 << 14];
    for round in 0..1000usize {
        let at = round * 13 % 10_000;
        input(&mut memory[at..at + 300], "x");
        let node = load(&memory[at..at + 8]);
        assert_ne!(node, 0);
        // SAFETY: an entry point without requirements.
        unsafe { calls::fill(memory.as_ptr() as u64 + 12_000, load(&memory[at + 8..=at + 8]), 100) };
        run.again(&[vec![1; 300]]);
        assert!(!shadow::is_dirty(memory.as_ptr() as u64, memory.len() as u64));
        // SAFETY: cells of the buffer.
        let cells = unsafe { std::slice::from_raw_parts(shadow::cell(memory.as_ptr() as u64), memory.len()) };
        assert!(cells.iter().all(|cell| *cell == 0), "round {round}");
        assert_eq!(run.n_nodes(), 0);
    }
}

#[test]
fn a_long_run_gives_its_memory_back() {
    let mut run = Run::new(&[vec![1]]);
    let memory = vec![1u8; 20 << 20];
    let (x, _) = run.symbolic(8);
    // SAFETY: an entry point without requirements.
    unsafe { calls::fill(memory.as_ptr() as u64, x, memory.len() as u64) };
    assert_eq!(load(&memory[12_345..12_346]), x);
    run.again(&[vec![1]]);
    assert!(!shadow::is_dirty(memory.as_ptr() as u64, memory.len() as u64));
    assert_eq!(load(&memory[12_345..12_346]), 0);
    assert_eq!(state::owned().arena.n, 0);
}

#[test]
fn values_of_128_bits() {
    let bytes: Vec<u8> = (1..=16).collect();
    let run = Run::new(std::slice::from_ref(&bytes));
    let mut memory = [0u8; 32];
    input(&mut memory[..16], "x");
    let x = load(&memory[..16]);
    assert_eq!((run.node(x).width, run.node(x).value() & mask(64)), (128, number(&bytes[..8])));
    store(&mut memory[8..24], x, number(&bytes));
    assert_eq!(load(&memory[8..24]), x);
    assert_eq!(run.node(load(&memory[16..24])).b, 64);
}
