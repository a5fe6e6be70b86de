//! Variables with few possible values: pointers, which are NULL or the address of some object, and flags.

use crate::assignment::Assignment;
use crate::pool::TermPool;
use crate::support::ByteRange;
use crate::term::TermId;

/// A variable and its possible values, the preferred ones first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Domain {
    pub input: u32,
    pub offset: u32,
    pub width: u32,
    /// In order of preference, without duplicates.
    pub values: Vec<u128>,
}

impl Domain {
    /// The bytes of the variable.
    pub fn range(&self) -> ByteRange {
        ByteRange { input: self.input, start: self.offset, end: self.offset.saturating_add(self.width / 8) }
    }

    /// The variable's value under an assignment.
    pub fn value(&self, assignment: &Assignment) -> u128 {
        assignment.read(self.input, self.offset, self.width)
    }

    /// True if the variable has one of its values.
    pub fn holds(&self, assignment: &Assignment) -> bool {
        self.values.contains(&self.value(assignment))
    }

    /// The domain as a term: the variable equals one of its values.
    pub fn term(&self, pool: &mut TermPool) -> TermId {
        let variable = pool.input(self.input, self.offset, self.width);
        any(pool, variable, &self.values)
    }
}

/// A balanced disjunction. Its depth is the logarithm of the number of values.
fn any(pool: &mut TermPool, variable: TermId, values: &[u128]) -> TermId {
    match *values {
        [] => pool.bit(false),
        [value] => {
            let value = pool.constant(pool.width(variable), value);
            pool.eq(variable, value)
        }
        _ => {
            let (left, right) = values.split_at(values.len() / 2);
            let (left, right) = (any(pool, variable, left), any(pool, variable, right));
            pool.or(left, right)
        }
    }
}

/// True if the domains are sorted by position and no two share a byte, as queries require.
pub fn in_order(domains: &[Domain]) -> bool {
    domains.windows(2).all(|pair| {
        let (a, b) = (pair[0].range(), pair[1].range());
        place(a.input, a.end) <= place(b.input, b.start)
    })
}

/// Returns those of the sorted domains whose variables have bytes in this range.
pub fn overlapping(domains: &[Domain], range: ByteRange) -> &[Domain] {
    let start = place(range.input, range.start);
    let end = place(range.input, range.end);
    let from = domains.partition_point(|domain| {
        let own = domain.range();
        place(own.input, own.end) <= start
    });
    // The number is small, usually one.
    let n = domains[from..].iter().take_while(|domain| place(domain.input, domain.offset) < end).count();
    &domains[from..from + n]
}

/// Input and offset as one number in the same order, which compares faster.
fn place(input: u32, offset: u32) -> u64 {
    (input as u64) << 32 | offset as u64
}

/// Returns the index of the sorted domain whose variable contains this range.
pub fn containing(domains: &[Domain], range: ByteRange) -> Option<usize> {
    let start = place(range.input, range.start);
    let after = domains.partition_point(|domain| place(domain.input, domain.offset) <= start);
    let own = domains.get(after.checked_sub(1)?)?.range();
    (own.input == range.input && range.end <= own.end).then_some(after - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Names, print};

    fn domain(input: u32, offset: u32, width: u32, values: &[u128]) -> Domain {
        Domain { input, offset, width, values: values.to_vec() }
    }

    #[test]
    fn a_domain_is_a_disjunction() {
        let mut pool = TermPool::new();
        for n in 0..20u128 {
            let values: Vec<u128> = (0..n).map(|k| 7 * k).collect();
            let domain = domain(0, 3, 8, &values);
            let term = domain.term(&mut pool);
            for value in 0..=255 {
                let mut assignment = Assignment::new();
                assignment.write(0, 3, 8, value);
                let holds = crate::eval(&pool, term, &assignment) != 0;
                assert_eq!(holds, values.contains(&value), "{value} in {}", print(&pool, term, &Names::new()));
                assert_eq!(holds, domain.holds(&assignment));
            }
        }
    }

    #[test]
    fn overlapping_finds_every_shared_byte() {
        let domains = [domain(0, 0, 64, &[]), domain(0, 8, 8, &[]), domain(0, 16, 64, &[]), domain(2, 0, 64, &[])];
        assert!(in_order(&domains));
        for input in 0..4 {
            for start in 0..30 {
                for end in start + 1..31 {
                    let range = ByteRange { input, start, end };
                    let shares = |domain: &&Domain| {
                        let own = domain.range();
                        own.input == input && own.start < end && start < own.end
                    };
                    let expected: Vec<&Domain> = domains.iter().filter(shares).collect();
                    let found: Vec<&Domain> = overlapping(&domains, range).iter().collect();
                    assert_eq!(found, expected, "{range:?}");
                    let holds = |domain: &Domain| domain.input == input && domain.offset <= start;
                    let holder = domains.iter().position(|domain| holds(domain) && end <= domain.range().end);
                    assert_eq!(containing(&domains, range), holder, "{range:?}");
                }
            }
        }
    }

    #[test]
    fn order_is_by_place_without_overlap() {
        assert!(in_order(&[]));
        assert!(!in_order(&[domain(0, 8, 64, &[]), domain(0, 0, 64, &[])]));
        assert!(!in_order(&[domain(0, 0, 64, &[]), domain(0, 4, 64, &[])]));
        assert!(!in_order(&[domain(1, 0, 64, &[]), domain(0, 8, 64, &[])]));
    }
}
