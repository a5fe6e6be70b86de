//! Input views that share bytes.

use crate::term::InputView;

/// `n_bits` bits from `a_low` on of view `a` are those from `b_low` on of view `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    pub a: InputView,
    pub a_low: u32,
    pub b: InputView,
    pub b_low: u32,
    pub n_bits: u32,
}

/// Returns the conditions under which views agree on every shared byte. Sorts and deduplicates the list of views.
///
/// Each byte belongs to the first view that contains it. Every other view that contains the byte is tied to that view.
///
/// ```text
///   owner    a a a a b b
///   a        a a a a
///   b            b b b b     tied to a on its first two bytes
///   c              c c       one byte to a, one to b
/// ```
pub fn overlaps(views: &mut Vec<InputView>) -> Vec<Overlap> {
    // Among views with the same start the widest comes first, because it is the best owner.
    views.sort_unstable_by_key(|view| (view.input, view.offset, u32::MAX - view.width));
    views.dedup();
    let mut overlaps = Vec::new();
    // Owners that may overlap the next view, in order. Their parts are contiguous.
    let mut owners: Vec<(InputView, u32, u32)> = Vec::new();
    for &view in views.iter() {
        let (start, end) = (view.offset, view.offset.saturating_add(view.n_bytes()));
        owners.retain(|&(owner, _, owned_end)| owner.input == view.input && owned_end > start);
        let mut covered = start;
        for &(owner, owned_start, owned_end) in &owners {
            let (from, to) = (start.max(owned_start), end.min(owned_end));
            if from < to {
                let bits = |byte: u32, of: InputView| (byte - of.offset) * 8;
                overlaps.push(Overlap {
                    a: owner,
                    a_low: bits(from, owner),
                    b: view,
                    b_low: bits(from, view),
                    n_bits: (to - from) * 8,
                });
            }
            covered = covered.max(owned_end);
        }
        if covered < end {
            owners.push((view, covered, end));
        }
    }
    overlaps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(offset: u32, width: u32) -> InputView {
        InputView { input: 0, offset, width }
    }

    fn check(views: &[InputView], expected: &[(u32, u32, u32, u32, u32, u32, u32)]) {
        let found = overlaps(&mut views.to_vec());
        let found: Vec<_> =
            found.iter().map(|o| (o.a.offset, o.a.width, o.a_low, o.b.offset, o.b.width, o.b_low, o.n_bits)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn disjoint_views_say_nothing() {
        check(&[view(0, 32), view(4, 32), view(0, 32)], &[]);
        check(&[view(0, 32), InputView { input: 1, offset: 0, width: 8 }], &[]);
    }

    #[test]
    fn parts_are_tied_to_the_whole() {
        check(&[view(1, 8), view(0, 32), view(3, 8)], &[(0, 32, 8, 1, 8, 0, 8), (0, 32, 24, 3, 8, 0, 8)]);
    }

    #[test]
    fn a_view_across_two_owners_is_tied_to_both() {
        check(
            &[view(0, 32), view(2, 32), view(3, 16)],
            &[(0, 32, 16, 2, 32, 0, 16), (0, 32, 24, 3, 16, 0, 8), (2, 32, 16, 3, 16, 8, 8)],
        );
    }
}
