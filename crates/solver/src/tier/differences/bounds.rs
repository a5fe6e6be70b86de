//! Closed bounds on the differences of variables: the greatest value of each `a - b`.

/// No bound. A sum of a few does not overflow, and it exceeds any difference of 64-bit numbers.
const FREE: i128 = 1 << 120;

/// Number of a variable; 0 is the constant zero.
pub(super) type Variable = usize;

/// `low ≤ a - b ≤ high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Atom {
    pub(super) a: Variable,
    pub(super) b: Variable,
    pub(super) low: i128,
    pub(super) high: i128,
}

/// The greatest `a - b` for all pairs of variables, as tight as all bounds together imply.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    n: usize,
    greatest: Vec<i128>,
}

impl Bounds {
    pub(super) fn new(n: usize) -> Self {
        let mut greatest = vec![FREE; n * n];
        (0..n).for_each(|k| greatest[k * n + k] = 0);
        Self { n, greatest }
    }

    pub(super) fn greatest(&self, a: Variable, b: Variable) -> i128 {
        self.greatest[a * self.n + b]
    }

    pub(super) fn least(&self, a: Variable, b: Variable) -> i128 {
        -self.greatest(b, a)
    }

    /// False if the atom alone contradicts the bounds.
    pub(super) fn allows(&self, atom: &Atom) -> bool {
        atom.low <= atom.high && atom.low <= self.greatest(atom.a, atom.b) && atom.high >= self.least(atom.a, atom.b)
    }

    pub(super) fn implies(&self, atom: &Atom) -> bool {
        atom.low <= self.least(atom.a, atom.b) && atom.high >= self.greatest(atom.a, atom.b)
    }

    /// Adds an atom. False if the bounds become infeasible.
    pub(super) fn add(&mut self, atom: &Atom) -> bool {
        self.tighten(atom.a, atom.b, atom.high) && self.tighten(atom.b, atom.a, -atom.low)
    }

    /// Adds `a - b ≤ most`, and its consequences for all other pairs.
    fn tighten(&mut self, a: Variable, b: Variable, most: i128) -> bool {
        if most >= self.greatest(a, b) {
            return true;
        }
        if most < self.least(a, b) {
            return false;
        }
        for p in 0..self.n {
            let to_b = self.greatest(p, a) + most;
            if to_b >= self.greatest(p, b) {
                continue;
            }
            for q in 0..self.n {
                let sum = to_b + self.greatest(b, q);
                let known = &mut self.greatest[p * self.n + q];
                *known = sum.min(*known);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_with_a_negative_sum_leave_nothing() {
        let mut bounds = Bounds::new(4);
        assert!(bounds.add(&Atom { a: 1, b: 2, low: -10, high: -1 }));
        assert!(bounds.add(&Atom { a: 2, b: 3, low: -10, high: 0 }));
        assert_eq!((bounds.least(1, 3), bounds.greatest(1, 3)), (-20, -1));
        assert!(!bounds.allows(&Atom { a: 3, b: 1, low: -5, high: 0 }));
        assert!(!bounds.clone().add(&Atom { a: 3, b: 1, low: -5, high: 0 }));
        assert!(bounds.implies(&Atom { a: 3, b: 1, low: 1, high: 20 }));
        // Without a bound relative to zero, a variable may have any value.
        assert!(bounds.greatest(1, 0) > 1 << 100);
        assert!(bounds.add(&Atom { a: 3, b: 0, low: 0, high: 7 }));
        assert_eq!((bounds.least(1, 0), bounds.greatest(1, 0)), (-20, 6));
    }
}
