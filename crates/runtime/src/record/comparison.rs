//! `__tine_compare`: how much of two strings can be compared at once.
//!
//! A loop over strings makes a decision for each byte and reads on only if that byte is equal. So finding a word of ten
//! letters takes ten runs, nine of which cover nothing new. But bytes after the first difference can be read, too, if
//! they depend on inputs, and so can the rest of a string that has not ended. All these bytes are combined into one
//! expression.

use tine_trace::entry::Comparison;

use super::objects;
use crate::process::heap::{Life, object_of};

/// Maximum number of bytes at once: few words are longer.
const MAX_LEN: u64 = 64;
const PAGE: u64 = 4096;

/// `depends` tells if a byte depends on inputs. The answer must not depend on the value of such bytes. Otherwise
/// another input with the same decisions would get another answer, and its run would diverge. `is_unset` tells if a byte
/// was not written. The caller reads such a byte only if the comparison reaches it.
///
/// # Safety
/// Both must be readable for `n` bytes, or up to their first difference or end.
pub(super) unsafe fn of(
    strings: [u64; 2],
    n: u64,
    folded: bool,
    depends: impl Fn(u64) -> bool,
    is_unset: impl Fn(u64) -> bool,
) -> Comparison {
    // SAFETY: called only for bytes that are readable by the caller's contract, or certainly mapped.
    let byte = |k: usize, i: u64| unsafe { *core::ptr::with_exposed_provenance::<u8>((strings[k] + i) as usize) };
    let letter = |k: usize, i: u64| if folded { byte(k, i).to_ascii_lowercase() } else { byte(k, i) };
    let ends = |i: u64| letter(0, i) != letter(1, i) || byte(1, i) == 0;
    let depends_at = |i: u64| depends(strings[0] + i) || depends(strings[1] + i);

    let is_unset_at = |i: u64| is_unset(strings[0] + i) || is_unset(strings[1] + i);

    let mut first = 0;
    while first < n && !depends_at(first) {
        if is_unset_at(first) {
            return Comparison { first, end: first + 1, is_decided: 0 };
        }
        if ends(first) {
            return Comparison { first, end: first + 1, is_decided: 1 };
        }
        first += 1;
    }
    // The strings that had a byte depending on inputs so far. It is unknown if such a string continues after these
    // bytes.
    let mut may_end = [false; 2];
    let mut end = first;
    while end < n && end < first + MAX_LEN {
        let at = end;
        end += 1;
        let ends_here = !depends_at(at) && ends(at);
        if ends_here || byte(1, at) == 0 && !depends(strings[1] + at) {
            return Comparison { first, end, is_decided: 1 };
        }
        let is_there = |k: usize| {
            let next = strings[k] + end;
            depends(next)
                || !is_unset(next) && !may_end[k] && !depends(strings[k] + at) && byte(k, at) != 0 && is_near(next)
        };
        if !is_there(0) || !is_there(1) {
            break;
        }
        may_end = [0, 1].map(|k| may_end[k] || depends(strings[k] + at));
    }
    Comparison { first, end, is_decided: 0 }
}

/// True if a byte is readable because the previous one is: both lie in the same object, where known, and on the same
/// page.
fn is_near(address: u64) -> bool {
    if let Some(object) = object_of(address) {
        return object.life == Life::Live && address < object.address + object.size;
    }
    if objects::is_input(address) {
        return objects::extent_at(address) > 0;
    }
    !address.is_multiple_of(PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answer for two strings. The marked bytes depend on inputs.
    fn of_texts(s: &[u8], t: &[u8], n: u64, folded: bool, marks: [&str; 2]) -> (u64, u64, bool) {
        let strings = [s, t];
        let addresses = strings.map(|text| text.as_ptr().expose_provenance() as u64);
        let is_marked = |k: usize, i: u64| marks[k].as_bytes().get(i as usize) == Some(&b'?');
        let depends = |address: u64| (0..2).any(|k| is_marked(k, address.wrapping_sub(addresses[k])));
        // SAFETY: the strings end with zeros, and after that only marked bytes are read.
        let comparison = unsafe { of(addresses, n, folded, depends, |_| false) };
        (comparison.first, comparison.end, comparison.is_decided != 0)
    }

    #[test]
    fn what_depends_on_nothing_is_compared_at_one_byte() {
        assert_eq!(of_texts(b"abcd\0", b"abce\0", 99, false, ["", ""]), (3, 4, true));
        assert_eq!(of_texts(b"abc\0", b"abc\0", 99, false, ["", ""]), (3, 4, true));
        assert_eq!(of_texts(b"abcd\0", b"ABCE\0", 99, true, ["", ""]), (3, 4, true));
        assert_eq!(of_texts(b"abcd\0", b"abcd\0", 2, false, ["", ""]), (2, 2, false));
    }

    #[test]
    fn an_input_is_compared_with_all_of_a_word() {
        assert_eq!(of_texts(b"x\0\0\0\0\0\0\0\0", b"hello\0", 99, false, ["????????", ""]), (0, 6, true));
        assert_eq!(of_texts(b"x\0\0\0\0\0\0\0\0", b"hello\0", 3, false, ["????????", ""]), (0, 3, false));
        assert_eq!(
            of_texts(b"--x\0\0\0\0\0\0", b"--hello\0", 99, false, ["  ??????", ""]),
            (2, 8, true),
            "what is the same before it is not"
        );
    }

    #[test]
    fn no_further_than_is_sure() {
        // The input's room ends before the word does. The bytes after it are not read, even if the input is not
        // shorter.
        for input in [b"x\0\0\0", b"hel\0"] {
            assert_eq!(of_texts(input, b"hello\0", 99, false, ["???", ""]), (0, 3, false));
        }
        // It is also unknown if a string continues after an input.
        assert_eq!(of_texts(b"axcd\0", b"abce\0", 99, false, [" ?", ""]), (1, 2, false));
    }

    #[test]
    fn two_inputs_end_where_one_does() {
        assert_eq!(of_texts(b"a\0\0\0", b"b\0\0\0", 99, false, ["???", "??"]), (0, 2, false));
    }

    #[test]
    fn a_long_word_is_compared_in_parts() {
        let (s, t) = ([0; 200], [b'a'; 200]);
        assert_eq!(of_texts(&s, &t, 150, false, [&"?".repeat(200), ""]), (0, MAX_LEN, false));
    }
}
