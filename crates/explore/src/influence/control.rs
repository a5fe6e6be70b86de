//! Control dependence: the branches that decide whether a block is executed.
//!
//! A block depends on a side of a branch if it is executed whenever that side is taken, but not whenever the branch is
//! reached. Sides on which the run ends with an error do not count. Otherwise everything would depend on every earlier
//! check.

/// The flow of control in a function.
#[derive(Debug, Default)]
pub(super) struct Flow {
    /// Successors of each block. `None` is the end of the function.
    pub(super) successors: Vec<Vec<Option<usize>>>,
}

/// A branch that a block depends on: the block of the branch and the number of its side. `None` is the call of the
/// function.
pub(super) type Decider = Option<(usize, usize)>;

impl Flow {
    /// The deciders of each block.
    pub(super) fn dependences(&self) -> Vec<Vec<Decider>> {
        let n = self.successors.len();
        let after = self.immediate_postdominators();
        let mut dependences = vec![Vec::new(); n];
        let mut walk = |from: usize, decider: Decider, stop: usize| {
            let mut block = from;
            while block != stop && block != n {
                if !dependences[block].contains(&decider) {
                    dependences[block].push(decider);
                }
                block = after[block];
            }
        };
        for (block, successors) in self.successors.iter().enumerate() {
            if successors.len() > 1 {
                for (side, next) in successors.iter().enumerate() {
                    walk(next.unwrap_or(n), Some((block, side)), after[block]);
                }
            }
        }
        if n > 0 {
            walk(0, None, n);
        }
        dependences
    }

    /// The next block that control always reaches, whatever is decided, by block. The number of blocks stands for the
    /// end of the function, which is also the result for blocks that do not reach the end.
    fn immediate_postdominators(&self) -> Vec<usize> {
        let n = self.successors.len();
        let mut sources = vec![Vec::new(); n + 1];
        for (block, successors) in self.successors.iter().enumerate() {
            let ends = if successors.is_empty() { &[None][..] } else { successors };
            ends.iter().for_each(|next| sources[next.unwrap_or(n)].push(block));
        }
        // Endless loops reach the end from their last block.
        let mut order = Vec::new();
        let mut seen = vec![false; n + 1];
        visit(n, &sources, &mut seen, &mut order);
        let mut extra = vec![false; n];
        for block in (0..n).rev() {
            if !seen[block] {
                extra[block] = true;
                sources[n].push(block);
                visit(block, &sources, &mut seen, &mut order);
                // The end comes last in the order of a walk that starts there.
                order.retain(|known| *known != n);
                order.push(n);
            }
        }
        let mut place = vec![0; n + 1];
        order.iter().enumerate().for_each(|(at, block)| place[*block] = at);
        let mut after: Vec<Option<usize>> = vec![None; n + 1];
        after[n] = Some(n);
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for block in order.iter().rev().copied().filter(|block| *block != n) {
                let mut next: Vec<usize> = self.successors[block].iter().map(|next| next.unwrap_or(n)).collect();
                if next.is_empty() || extra[block] {
                    next.push(n);
                }
                let mut known = next.into_iter().filter(|next| after[*next].is_some());
                let Some(first) = known.next() else { continue };
                let new = known.fold(first, |a, b| meet(a, b, &after, &place));
                if after[block] != Some(new) {
                    after[block] = Some(new);
                    is_changed = true;
                }
            }
        }
        after.into_iter().take(n).map(|next| next.unwrap_or(n)).collect()
    }
}

/// Collects the blocks from which `start` is reached, in postorder.
fn visit(start: usize, sources: &[Vec<usize>], seen: &mut [bool], order: &mut Vec<usize>) {
    let mut stack = vec![(start, 0)];
    seen[start] = true;
    while let Some((block, at)) = stack.pop() {
        match sources[block].get(at) {
            Some(source) => {
                stack.push((block, at + 1));
                if !std::mem::replace(&mut seen[*source], true) {
                    stack.push((*source, 0));
                }
            }
            None => order.push(block),
        }
    }
}

/// The first common postdominator of two blocks.
fn meet(mut a: usize, mut b: usize, after: &[Option<usize>], place: &[usize]) -> usize {
    while a != b {
        if place[a] < place[b] {
            a = after[a].expect("known");
        } else {
            b = after[b].expect("known");
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(successors: &[&[usize]]) -> Vec<Vec<Decider>> {
        let n = successors.len();
        let next = |block: &usize| (*block < n).then_some(*block);
        Flow { successors: successors.iter().map(|all| all.iter().map(next).collect()).collect() }.dependences()
    }

    #[test]
    fn sides_of_a_branch_depend_on_it_and_what_follows_does_not() {
        let found = flow(&[&[1, 2], &[3], &[3], &[4]]);
        assert_eq!(found, [vec![None], vec![Some((0, 0))], vec![Some((0, 1))], vec![None]]);
    }

    #[test]
    fn a_loop_depends_on_its_condition() {
        let found = flow(&[&[1], &[2, 3], &[1], &[4]]);
        assert_eq!(found, [vec![None], vec![Some((1, 0)), None], vec![Some((1, 0))], vec![None]]);
    }

    #[test]
    fn what_follows_an_early_return_depends_on_it() {
        let found = flow(&[&[3, 1], &[2], &[3], &[4]]);
        assert_eq!(found[1], [Some((0, 1))]);
        assert_eq!(found[2], [Some((0, 1))]);
        assert_eq!(found[3], [None]);
    }

    #[test]
    fn endless_loops_are_no_problem() {
        let found = flow(&[&[1, 3], &[2], &[1], &[4]]);
        assert_eq!(found[1][0], Some((0, 0)));
        assert_eq!(found[3], [Some((0, 1))]);
    }
}
