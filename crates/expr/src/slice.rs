//! Removes constraints that are irrelevant to a query (CUTE's third optimisation).

use rustc_hash::FxHashMap;

use crate::domain::Domain;
use crate::pool::TermPool;
use crate::support::{Block, Node, SupportId, leaves};
use crate::term::TermId;

/// Returns the constraints that share input bytes with the goal, directly or through others, in order. The other
/// constraints already hold under the hint, and they still hold afterwards because none of their bytes change.
///
/// The bytes of a variable with a domain change together, so a term that mentions one of them depends on all of them.
pub fn independent_slice(pool: &TermPool, constraints: &[TermId], goal: TermId, domains: &[Domain]) -> Vec<TermId> {
    let goal_support = pool.support_id(goal);
    if goal_support == SupportId::EMPTY {
        return Vec::new();
    }
    // Paths have thousands of constraints on few bytes, so the different sets of bytes are grouped.
    let mut groups = Groups::default();
    let goal_group = groups.add(pool, goal_support);
    let of: Vec<Option<u32>> = constraints
        .iter()
        .map(|&constraint| match pool.support_id(constraint) {
            SupportId::EMPTY => None,
            support => Some(groups.add(pool, support)),
        })
        .collect();
    for domain in domains {
        groups.add_domain(domain);
    }
    groups.join_overlapping();
    let root = groups.root(goal_group);
    let mut in_slice = |group: Option<u32>| group.is_some_and(|group| groups.root(group) == root);
    constraints.iter().zip(of).filter(|&(_, group)| in_slice(group)).map(|(&constraint, _)| constraint).collect()
}

/// Union-find over sets of bytes and their shared parts.
#[derive(Default)]
struct Groups {
    numbers: FxHashMap<SupportId, u32>,
    parents: Vec<u32>,
    /// Blocks with some of their bytes, and the number of the set that they belong to.
    leaves: Vec<(Block, u64, u32)>,
}

impl Groups {
    /// All parts of a set belong together, so each part is visited once, however many sets contain it.
    fn add(&mut self, pool: &TermPool, support: SupportId) -> u32 {
        let next = self.parents.len() as u32;
        let number = *self.numbers.entry(support).or_insert(next);
        if number == next {
            self.parents.push(next);
            match pool.support_node(support) {
                Node::Leaf { block, bytes } => self.leaves.push((block, bytes, number)),
                Node::Branch { low, high, .. } => {
                    for part in [low, high] {
                        let part = self.add(pool, part);
                        self.join(number, part);
                    }
                }
            }
        }
        number
    }

    /// Adds a domain as a set, which will be joined with all sets that have bytes of it.
    fn add_domain(&mut self, domain: &Domain) {
        let number = self.parents.len() as u32;
        self.parents.push(number);
        self.leaves.extend(leaves(domain.range()).map(|(block, bytes)| (block, bytes, number)));
    }

    /// Joins the leaves that have bytes in common.
    fn join_overlapping(&mut self) {
        self.leaves.sort_unstable();
        let leaves = std::mem::take(&mut self.leaves);
        // Groups in the current block, with disjoint bytes.
        let mut seen: Vec<(u64, u32)> = Vec::new();
        for same in leaves.chunk_by(|a, b| a.0 == b.0) {
            seen.clear();
            for &(_, mut bytes, group) in same {
                seen.retain(|&(others, other)| {
                    let apart = others & bytes == 0;
                    if !apart {
                        bytes |= others;
                        self.join(group, other);
                    }
                    apart
                });
                seen.push((bytes, group));
            }
        }
    }

    /// Returns the group's representative. Halves paths on the way, which keeps them short.
    fn root(&mut self, group: u32) -> u32 {
        let mut at = group as usize;
        while self.parents[at] as usize != at {
            let above = self.parents[at] as usize;
            self.parents[at] = self.parents[above];
            at = self.parents[at] as usize;
        }
        at as u32
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_are_joined_through_shared_bytes() {
        let mut pool = TermPool::new();
        let byte = |pool: &mut TermPool, offset| pool.input(0, offset, 8);
        let less = |pool: &mut TermPool, i, j| {
            let (x, y) = (byte(pool, i), byte(pool, j));
            pool.ult(x, y)
        };
        let chain = less(&mut pool, 0, 1);
        let far = less(&mut pool, 8, 9);
        let link = less(&mut pool, 1, 2);
        let word = pool.input(0, 2, 16);
        let k = pool.constant(16, 77);
        let goal = pool.eq(word, k);
        assert_eq!(independent_slice(&pool, &[chain, far, link], goal, &[]), [chain, link]);
        assert_eq!(independent_slice(&pool, &[chain, link], far, &[]), []);
        let never = pool.bit(false);
        assert_eq!(independent_slice(&pool, &[chain, never], goal, &[]), []);
    }

    #[test]
    fn views_that_only_touch_are_independent() {
        let mut pool = TermPool::new();
        let (low, high, k) = (pool.input(0, 0, 32), pool.input(0, 4, 32), pool.constant(32, 9));
        let (a, b) = (pool.ult(low, k), pool.ult(high, k));
        assert_eq!(independent_slice(&pool, &[a], b, &[]), []);
        let other = pool.input(1, 0, 32);
        let c = pool.ult(other, k);
        assert_eq!(independent_slice(&pool, &[a, c], a, &[]), [a]);
    }

    #[test]
    fn a_wide_view_joins_what_lies_inside() {
        let mut pool = TermPool::new();
        let k8 = pool.constant(8, 9);
        let bytes: Vec<TermId> = (0..16)
            .map(|offset| {
                let byte = pool.input(0, offset, 8);
                pool.ult(byte, k8)
            })
            .collect();
        let wide = pool.input(0, 2, 64);
        let k = pool.constant(64, 1 << 40);
        let goal = pool.ult(wide, k);
        assert_eq!(independent_slice(&pool, &bytes, goal, &[]), bytes[2..10]);
    }

    #[test]
    fn a_domain_joins_the_bytes_of_its_variable_only() {
        let mut pool = TermPool::new();
        let k = pool.constant(8, 9);
        let bytes: Vec<TermId> = (0..24)
            .map(|offset| {
                let byte = pool.input(0, offset, 8);
                pool.ult(byte, k)
            })
            .collect();
        let domain = |offset| Domain { input: 0, offset, width: 64, values: vec![0, 1] };
        let domains = [domain(0), domain(8)];
        assert_eq!(independent_slice(&pool, &bytes, bytes[3], &domains), bytes[..8]);
        assert_eq!(independent_slice(&pool, &bytes, bytes[15], &domains), bytes[8..16]);
        assert_eq!(independent_slice(&pool, &bytes, bytes[16], &domains), bytes[16..17]);
        let across = pool.input(0, 7, 16);
        let k = pool.constant(16, 9);
        let goal = pool.ult(across, k);
        assert_eq!(independent_slice(&pool, &bytes, goal, &domains), bytes[..16]);
    }

    /// A bound on the running sum, after each of many inputs. With lists of bytes it would take quadratic time and
    /// space.
    #[test]
    fn sums_over_thousands_of_inputs_are_sliced() {
        const N: u32 = 10_000;
        let mut pool = TermPool::new();
        let (mut sum, bound) = (pool.constant(32, 0), pool.constant(32, 1 << 20));
        let mut constraints = Vec::new();
        for input in 0..N {
            let x = pool.input(input, 0, 32);
            sum = pool.add(sum, x);
            constraints.push(pool.ult(sum, bound));
        }
        let other = pool.input(N, 0, 32);
        constraints.push(pool.ult(other, bound));
        let last = pool.input(N - 1, 3, 8);
        let goal = pool.ult(bound, sum);
        assert_eq!(independent_slice(&pool, &constraints, goal, &[]), constraints[..N as usize]);
        let nine = pool.constant(8, 9);
        let goal = pool.eq(last, nine);
        assert_eq!(independent_slice(&pool, &constraints, goal, &[]), constraints[..N as usize]);
        assert_eq!(independent_slice(&pool, &constraints[..N as usize - 1], goal, &[]), []);
        assert_eq!(pool.support_of_all(constraints).len(), N as usize + 1);
        assert!(pool.n_supports() < 20 * N as usize, "{} nodes", pool.n_supports());
    }
}
