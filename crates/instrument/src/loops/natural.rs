//! Natural loops: a header that dominates all blocks of the loop, and the edges back to it.

use std::collections::{HashMap, HashSet};

use crate::function::reverse_postorder;
use crate::llvm::{Block, Value};

pub(super) struct Loop {
    pub(super) function: Value,
    pub(super) header: Block,
    /// Blocks of the loop, including the header.
    pub(super) blocks: HashSet<Block>,
    /// Those that every complete turn executes.
    pub(super) every_turn: HashSet<Block>,
}

/// Predecessors of this block, each once.
pub(super) fn predecessors(block: Block) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    for user in block.users().into_iter().filter(|user| user.is_instruction()) {
        if user.successors().contains(&block) && !found.contains(&user.parent()) {
            found.push(user.parent());
        }
    }
    found
}

/// The loops of a function. Edges back to the same header are one loop.
pub(super) fn loops(function: Value) -> Vec<Loop> {
    let order = reverse_postorder(&function.blocks());
    let number: HashMap<Block, usize> = order.iter().enumerate().map(|(k, block)| (*block, k)).collect();
    let is_back = |from: &Block, to: &Block| number.get(to).is_some_and(|to| *to <= number[from]);
    if !order.iter().any(|from| from.terminator().successors().iter().any(|to| is_back(from, to))) {
        return Vec::new();
    }
    let before: Vec<Vec<usize>> = order
        .iter()
        .map(|block| predecessors(*block).iter().filter_map(|from| number.get(from).copied()).collect())
        .collect();
    let dominators = dominators(&before);
    let mut loops = Vec::new();
    for (header, from) in before.iter().enumerate() {
        let latches: Vec<usize> = from.iter().copied().filter(|k| dominates(&dominators, header, *k)).collect();
        if latches.is_empty() {
            continue;
        }
        let mut blocks = HashSet::from([header]);
        let mut todo = latches.clone();
        while let Some(block) = todo.pop() {
            if blocks.insert(block) {
                todo.extend(&before[block]);
            }
        }
        let every_turn = |block: &&usize| latches.iter().all(|latch| dominates(&dominators, **block, *latch));
        let every_turn = blocks.iter().filter(every_turn).map(|k| order[*k]).collect();
        let blocks = blocks.into_iter().map(|k| order[k]).collect();
        loops.push(Loop { function, header: order[header], blocks, every_turn });
    }
    loops
}

/// The immediate dominator of every block, by number in reverse postorder (Cooper, Harvey and Kennedy).
fn dominators(before: &[Vec<usize>]) -> Vec<usize> {
    const OPEN: usize = usize::MAX;
    let mut immediate = vec![OPEN; before.len()];
    immediate[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for block in 1..before.len() {
            let known = before[block].iter().copied().filter(|from| immediate[*from] != OPEN);
            let common = known.reduce(|mut a, mut b| {
                while a != b {
                    if a > b {
                        a = immediate[a];
                    } else {
                        b = immediate[b];
                    }
                }
                a
            });
            if let Some(common) = common.filter(|common| immediate[block] != *common) {
                immediate[block] = common;
                changed = true;
            }
        }
    }
    immediate
}

fn dominates(immediate: &[usize], a: usize, b: usize) -> bool {
    let mut block = b;
    while block > a {
        block = immediate[block];
    }
    block == a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_dominates_its_loop() {
        // 0 → 1 → 2 → 3 → 1, 0 → 3 would enter in the middle.
        let plain = dominators(&[vec![], vec![0, 3], vec![1], vec![2]]);
        assert_eq!(plain, [0, 0, 1, 2]);
        assert!(dominates(&plain, 1, 3) && !dominates(&plain, 3, 2));
        let entered = dominators(&[vec![], vec![0, 3], vec![1], vec![2, 0]]);
        assert_eq!(entered, [0, 0, 1, 0]);
        assert!(!dominates(&entered, 1, 3));
    }
}
