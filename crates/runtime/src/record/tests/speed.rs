//! Timings: printed, with limits so large that only a gross error exceeds them.

use std::time::{Duration, Instant};

use tine_trace::op::Op;

use super::{Run, binary, input, limits, load, store};

#[test]
fn nodes_and_resets_are_cheap() {
    let areas = [1 << 12, 1 << 12, 1 << 12, 1 << 12, 32 << 20, 1 << 14, 1 << 12, 1 << 10, 1 << 10, 1 << 12, 1 << 12, 0];
    let mut run = Run::with(limits(), areas, &[vec![1; 64]]);
    let mut memory = [0u8; 64];
    let mut best = [Duration::MAX; 4];
    for _ in 0..5 {
        run.again(&[vec![1; 64]]);
        input(&mut memory, "x");
        let mut node = load(&memory[..4]);
        let x = node;
        let mut sum = 0x0101_0101u128;
        let n = 20_000u32;
        let start = Instant::now();
        for _ in 0..n {
            let next = (sum + 0x0101_0101) & 0xffff_ffff;
            node = binary(Op::Add, 32, [node, x], [sum, 0x0101_0101, next]);
            sum = next;
        }
        best[0] = best[0].min(start.elapsed() / n);
        let start = Instant::now();
        for _ in 0..n {
            store(&mut memory[8..12], node, sum);
            assert_eq!(load(&memory[8..12]), node);
        }
        best[1] = best[1].min(start.elapsed() / n);
        let start = Instant::now();
        for _ in 0..n {
            binary(Op::Add, 32, [x, x], [0x0101_0101, 0x0101_0101, 0x0202_0202]);
        }
        best[2] = best[2].min(start.elapsed() / n);
    }
    let start = Instant::now();
    let n = 10_000;
    for _ in 0..n {
        run.again(&[vec![1; 64]]);
        input(&mut memory, "x");
        let x = load(&memory[..4]);
        binary(Op::Add, 32, [x, 0], [0x0101_0101, 1, 0x0101_0102]);
    }
    best[3] = start.elapsed() / n;
    println!("new node {:?}, store and load {:?}, known node {:?}, short run {:?}", best[0], best[1], best[2], best[3]);
    assert!(best[0] < Duration::from_micros(2) && best[3] < Duration::from_micros(200), "{best:?}");
}
