//! Mutation: inputs made from parts of others, without solving. A part of a string is repeated, left out, or taken from
//! another string. A character or a number becomes one that the program compares with, or a multiple of itself. The
//! arguments of one run are combined with the string of another.
//!
//! Solving changes the values that a path compares. The length of a string and the number of its repeated parts are
//! decided in loops. Each round is a decision like those before and covers nothing new, so a side that needs six rounds
//! is found late. Copies provide the rounds at once, and the solver corrects the details. The same holds for numbers:
//! in `while (i < n) i++; if (i > 1000)` it takes a thousand decisions on `n` to reach the value that the constant
//! gives at once.

use tine_explore::strategy::Random;
use tine_trace::plan::InputKind;

use tine_types::input::Request;

/// Maximum number of copies of a part.
const MAX_COPIES: u64 = 4;
/// One, two or four changes.
const MAX_CHANGES: usize = 3;

/// Start and end of a random part of `len` bytes. Short parts are more likely.
fn part(numbers: &mut Random, len: usize) -> (usize, usize) {
    let start = numbers.below(len);
    let most = (len - start).min(1 << numbers.below(5));
    (start, start + 1 + numbers.below(most))
}

/// Chooses two of `n` cases for a mutation. Every second time the first is one of the latest.
pub(crate) fn chosen(seed: u64, n: usize) -> (usize, usize) {
    const LATEST: usize = 8;
    let mut numbers = Random::new(seed);
    let first = if numbers.below(2) == 0 { n - 1 - numbers.below(n.min(LATEST)) } else { numbers.below(n) };
    (first, numbers.below(n))
}

/// Mutates `inputs` with the help of `others` and of constants that the program compares with: takes some inputs from
/// the others, or changes one input a few times. `None` if the inputs contain neither a string nor a number.
pub(crate) fn mutated(inputs: &[Request], others: &[Request], constants: &[i64], seed: u64) -> Option<Vec<Request>> {
    let mut numbers = Random::new(!seed);
    let those = |which: fn(&Request) -> bool| (0..inputs.len()).filter(move |k| which(&inputs[*k]));
    let strings: Vec<usize> = those(|input| Text::of(input).is_some()).collect();
    let integers: Vec<usize> = those(is_integer).collect();
    let mut changed = inputs.to_vec();
    if strings.len() > 1 && numbers.below(2) == 0 && mix(&mut changed, others, &mut numbers) {
        return Some(changed);
    }
    let among = if strings.is_empty() || (!integers.is_empty() && numbers.below(2) == 0) { integers } else { strings };
    let which = *among.get(numbers.below(among.len().max(1)))?;
    let kind = inputs[which].kind;
    let other = others.iter().find(|other| other.kind == kind);
    for _ in 0..1 << numbers.below(MAX_CHANGES) {
        changed[which].bytes = match Text::of(&changed[which]) {
            Some(text) => {
                let other = other.and_then(Text::of).map_or(text.bytes, |other| other.bytes);
                text.with(&changed_text(text.bytes, other, constants, &mut numbers))
            }
            None => changed_integer(&changed[which].bytes, constants, &mut numbers),
        };
    }
    Some(changed)
}

/// Takes some of the other inputs as they are, for example the arguments of one run with a string of another. Returns
/// true if anything changed.
fn mix(inputs: &mut [Request], others: &[Request], numbers: &mut Random) -> bool {
    let mut has_changed = false;
    for (input, other) in inputs.iter_mut().zip(others) {
        let fits = input.kind == other.kind && input.bytes.len() == other.bytes.len();
        if fits && input.bytes != other.bytes && numbers.below(2) == 0 {
            input.bytes.clone_from(&other.bytes);
            has_changed = true;
        }
    }
    has_changed
}

/// Largest constant that is tried. A constant may determine the number of rounds of a loop, and a run with many rounds
/// takes long and leaves many open branches.
const MAX_CONSTANT: u64 = 1 << 17;
/// Largest multiple that is tried. Smaller, because a multiple has no known meaning for the program.
const MAX_MULTIPLE: u64 = 1 << 12;

fn is_integer(input: &Request) -> bool {
    matches!(input.kind, InputKind::Bytes | InputKind::Char | InputKind::Signed | InputKind::Unsigned)
        && matches!(input.bytes.len(), 1 | 2 | 4 | 8)
}

/// Returns a number that the program compares with, a neighbour of one, or a multiple of the old number.
fn changed_integer(bytes: &[u8], constants: &[i64], numbers: &mut Random) -> Vec<u8> {
    // Numbers below 0 may make loops endless. The solver finds them, and the smallest numbers, itself.
    let first = constants.partition_point(|constant| *constant < 2);
    let end = constants.partition_point(|constant| *constant <= MAX_CONSTANT as i64);
    let constants = &constants[first..end];
    let changed = if !constants.is_empty() && numbers.below(4) != 0 {
        constants[numbers.below(constants.len())] + numbers.below(3) as i64 - 1
    } else {
        let mut all = [0; 8];
        all[..bytes.len()].copy_from_slice(bytes);
        let old = u64::from_le_bytes(all).clamp(1, MAX_MULTIPLE);
        (old << (1 + numbers.below(10))).min(MAX_MULTIPLE) as i64
    };
    changed.to_le_bytes()[..bytes.len()].to_vec()
}

fn changed_text(text: &[u8], other: &[u8], constants: &[i64], numbers: &mut Random) -> Vec<u8> {
    let place = numbers.below(text.len() + 1);
    match numbers.below(10) {
        // Repeat a part, once or several times.
        0..4 if !text.is_empty() => {
            let (start, end) = part(numbers, text.len());
            let copies = 1 + numbers.below(MAX_COPIES as usize);
            [&text[..end], &text[start..end].repeat(copies), &text[end..]].concat()
        }
        // Insert a part of the other string.
        4..6 if !other.is_empty() => {
            let (start, end) = part(numbers, other.len());
            [&text[..place], &other[start..end], &text[place..]].concat()
        }
        6 if !text.is_empty() => {
            let (start, end) = part(numbers, text.len());
            [&text[..start], &text[end..]].concat()
        }
        // Insert or substitute a character that the program compares with.
        kind @ (7 | 8) if let Some(character) = compared(constants, numbers) => {
            let rest = if kind == 7 { place } else { (place + 1).min(text.len()) };
            [&text[..place], &[character], &text[rest..]].concat()
        }
        // Replace the end by that of the other string.
        _ => [&text[..place], &other[numbers.below(other.len() + 1)..]].concat(),
    }
}

fn compared(constants: &[i64], numbers: &mut Random) -> Option<u8> {
    let first = constants.partition_point(|constant| *constant < 1);
    let end = constants.partition_point(|constant| *constant <= i64::from(u8::MAX));
    (first < end).then(|| constants[first + numbers.below(end - first)] as u8)
}

/// The used part of an input that is a string.
struct Text<'a> {
    bytes: &'a [u8],
    capacity: usize,
    /// Its length precedes it.
    counted: bool,
}

const COUNT: usize = 4;

impl Text<'_> {
    fn of(input: &Request) -> Option<Text<'_>> {
        match input.kind {
            InputKind::Contents => {
                let (count, bytes) = input.bytes.split_first_chunk::<COUNT>()?;
                let len = (u32::from_le_bytes(*count) as usize).min(bytes.len());
                Some(Text { bytes: &bytes[..len], capacity: bytes.len(), counted: true })
            }
            InputKind::Text => {
                let bytes = &input.bytes[..];
                let len = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
                Some(Text { bytes: &bytes[..len], capacity: bytes.len(), counted: false })
            }
            _ => None,
        }
    }

    /// The input with another string, as much of it as fits.
    fn with(&self, text: &[u8]) -> Vec<u8> {
        let len = text.len().min(self.capacity);
        let mut bytes = if self.counted { (len as u32).to_le_bytes().to_vec() } else { Vec::new() };
        bytes.extend_from_slice(&text[..len]);
        bytes.resize(self.capacity + if self.counted { COUNT } else { 0 }, 0);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn file(text: &[u8], capacity: usize) -> Request {
        let room = Text { bytes: text, capacity, counted: true };
        Request { kind: InputKind::Contents, ..Request::unseen(room.with(text)) }
    }

    fn strings(inputs: &[Request], others: &[Request], n: u64) -> BTreeSet<Vec<u8>> {
        let strings = (0..n).map(|seed| {
            let mutated = mutated(inputs, others, &[], seed).expect("a string");
            assert_eq!(mutated.len(), inputs.len());
            assert_eq!(mutated[0].bytes.len(), inputs[0].bytes.len(), "the size stays");
            Text::of(&mutated[0]).expect("a string").bytes.to_vec()
        });
        strings.collect()
    }

    #[test]
    fn parts_come_again_and_go_and_come_from_others() {
        let found = strings(&[file(b"\"\\u12\"", 10)], &[file(b"[x]", 10)], 4000);
        for wanted in [&b"\"\\u12\\u12\""[..], b"\"\\u1212\"", b"\"\\u1\"", b"[x]", b"\"\\u12x\"", b"\"\\u12]"] {
            assert!(found.contains(wanted), "{}", wanted.escape_ascii());
        }
        assert!(found.iter().all(|text| text.len() <= 10));
    }

    #[test]
    fn an_empty_text_takes_from_the_other() {
        assert!(strings(&[file(b"", 4)], &[file(b"ab", 4)], 100).contains(&b"ab"[..]));
        assert_eq!(strings(&[file(b"", 4)], &[], 100).len(), 1);
    }

    #[test]
    fn arguments_end_with_a_zero() {
        let argument = Request { kind: InputKind::Text, ..Request::unseen(b"-x\0\0\0\0".to_vec()) };
        assert!(strings(&[argument], &[], 1000).contains(&b"-x-x"[..]));
    }

    fn integers(old: i32, constants: &[i64]) -> BTreeSet<i32> {
        let number = Request { kind: InputKind::Signed, ..Request::unseen(old.to_le_bytes().to_vec()) };
        let changed =
            (0..1000).map(|seed| mutated(std::slice::from_ref(&number), &[], constants, seed).expect("a number"));
        changed.map(|inputs| i32::from_le_bytes(inputs[0].bytes[..].try_into().expect("four bytes"))).collect()
    }

    #[test]
    fn numbers_become_what_the_program_compares_with() {
        let found = integers(7, &[-20, 1000, 0x7fff_ffff]);
        for wanted in [999, 1000, 1001] {
            assert!(found.contains(&wanted), "{wanted}");
        }
        assert!(found.iter().all(|number| (1..5000).contains(number)), "rounds of a loop are not without number");
    }

    #[test]
    fn numbers_become_many_times_what_they_were() {
        let found = integers(3, &[]);
        assert!([6, 12, 3 << 10].iter().all(|wanted| found.contains(wanted)), "{found:?}");
        assert_eq!(integers(-1, &[]), BTreeSet::from([MAX_MULTIPLE as i32]));
    }

    #[test]
    fn one_input_changes() {
        let number = Request { kind: InputKind::Signed, ..Request::unseen(vec![1, 0, 0, 0]) };
        let both = [number, file(b"a", 4)];
        let changed = |k: usize| {
            let changes = (0..100).map(|seed| mutated(&both, &[], &[50], seed).expect("something"));
            changes.filter(|inputs| inputs[k] != both[k] && inputs[1 - k] == both[1 - k]).count()
        };
        assert!(changed(0) > 20 && changed(1) > 20, "{} {}", changed(0), changed(1));
    }

    #[test]
    fn what_is_neither_text_nor_number_stays() {
        let choice = Request { kind: InputKind::Choice, ..Request::unseen(vec![1, 2, 3, 4]) };
        assert_eq!(mutated(std::slice::from_ref(&choice), &[], &[5], 1), None);
    }

    #[test]
    fn the_latest_are_chosen_more_often() {
        let latest = (0..1000).filter(|seed| chosen(*seed, 100).0 >= 92).count();
        assert!((450..700).contains(&latest), "{latest}");
        assert_eq!(chosen(7, 1), (0, 0));
    }
}
