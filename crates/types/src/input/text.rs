//! Readable form of inputs: `x = -3, c = 'a' (97), buf = "ab\x00"`.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use tine_trace::plan::{FAILING, InputKind};

use super::{Input, Request};
use crate::{InputMap, literal};

/// The input of a case, with the map of the parts that have a type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseInput {
    pub input: Input,
    #[serde(default, skip_serializing_if = "InputMap::is_empty")]
    pub map: InputMap,
}

impl CaseInput {
    /// Returns `name = value` for each cell of the input. A name that was used before gets a number: `x`, `x#2`.
    ///
    /// A sequence of calls has a line per call, `add(x = 3)`.
    pub fn lines(&self) -> Vec<String> {
        if self.input.requests.iter().any(|input| input.kind == InputKind::Call) {
            return self.calls();
        }
        let mut lines = self.map.lines();
        let mut used = BTreeMap::<&str, u32>::new();
        let line = |input: &Request, count: u32| match count {
            _ if input.kind == InputKind::Failure => input.failure_line(),
            1 => format!("{} = {}", input.name, input.value()),
            _ => format!("{}#{count} = {}", input.name, input.value()),
        };
        // The effect of an unnamed choice is visible in other inputs.
        let is_shown = |input: &&Request| match input.kind {
            InputKind::Choice => !input.is_mapped() && !input.name.is_empty(),
            InputKind::Failure => input.failing_call().is_some(),
            _ => !input.is_mapped(),
        };
        for input in self.input.requests.iter().filter(is_shown) {
            let count = used.entry(&input.name).or_default();
            *count += 1;
            lines.push(line(input, *count));
        }
        lines
    }

    /// The calls of a sequence with their arguments. An unnamed choice selects the next call.
    fn calls(&self) -> Vec<String> {
        let mut calls = Vec::<(&str, Vec<String>)>::new();
        let mut roots = self.map.roots.iter().zip(self.map.lines_of_roots());
        for input in &self.input.requests {
            let root = if input.is_mapped() { roots.next() } else { None };
            let arguments = match (input.kind, root) {
                (InputKind::Call, _) => {
                    calls.push((&input.name, Vec::new()));
                    continue;
                }
                (InputKind::Passed, _) => vec![input.name.clone()],
                (InputKind::Choice, _) if input.name.is_empty() => continue,
                (InputKind::Failure, _) => match input.failing_call() {
                    Some(_) => vec![input.failure_line()],
                    None => continue,
                },
                // No other text refers to a number, so it needs no unique name among the calls.
                (_, Some((root, lines))) => match root.value.literal() {
                    Some(literal) => vec![format!("{} = {literal}", input.name)],
                    None => lines,
                },
                (_, None) => vec![format!("{} = {}", input.name, input.value())],
            };
            if let Some((_, known)) = calls.last_mut() {
                known.extend(arguments);
            }
        }
        calls.into_iter().map(|(name, arguments)| format!("{name}({})", arguments.join(", "))).collect()
    }
}

/// Written on one line.
impl fmt::Display for CaseInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines().join(", "))
    }
}

impl Request {
    /// True if the map shows the request.
    fn is_mapped(&self) -> bool {
        self.ty != 0
    }

    /// Readable form of the value.
    pub fn value(&self) -> String {
        let number = self.number();
        match (self.kind, number) {
            (InputKind::Failure, _) => match self.failing_call() {
                Some((what, number)) => format!("{what} {number}"),
                None => "nothing".to_string(),
            },
            (InputKind::Text | InputKind::Contents, _) => literal::quoted(self.contents()),
            (InputKind::Bool, Some(0)) => "false".to_string(),
            (InputKind::Bool, Some(1)) => "true".to_string(),
            (InputKind::Bool | InputKind::Unsigned, Some(number)) => number.to_string(),
            (InputKind::Char, Some(number)) if self.bytes.len() == 1 => {
                literal::character(i64::from(number as u8 as i8))
            }
            (InputKind::Char | InputKind::Signed, Some(number)) => self.signed(number).to_string(),
            (InputKind::Float, Some(number)) if matches!(self.bytes.len(), 4 | 8) => {
                literal::float(8 * self.bytes.len() as u32, number as u64)
            }
            (InputKind::Pointer, Some(0)) => "NULL".to_string(),
            (InputKind::Pointer, Some(number)) => format!("{number:#x}"),
            (InputKind::Choice, Some(number)) => format!("{number} of {}", self.choices),
            _ => literal::quoted(&self.bytes),
        }
    }

    /// `fails: allocation 7 at list.c:12`, where the name is `fails at list.c:12`.
    fn failure_line(&self) -> String {
        let (name, place) = self.name.split_once(' ').map_or((&*self.name, None), |(name, place)| (name, Some(place)));
        match place {
            Some(place) => format!("{name}: {} {place}", self.value()),
            None => format!("{name}: {}", self.value()),
        }
    }

    /// Kind of the call that the request causes to fail, and its number among the calls of that kind.
    pub fn failing_call(&self) -> Option<(&'static str, u32)> {
        let (words, _) = self.bytes.as_chunks::<4>();
        let word = |k: usize| words.get(k).map(|word| u32::from_le_bytes(*word));
        let (kind, number) = (word(1)?, word(2)?);
        let what = FAILING.get((kind as usize).checked_sub(1)?)?;
        Some((what, number))
    }

    /// The bytes that the unit sees of a string or a file; all bytes of other requests.
    pub fn contents(&self) -> &[u8] {
        match self.kind {
            InputKind::Text => {
                let end = self.bytes.iter().position(|byte| *byte == 0).unwrap_or(self.bytes.len());
                &self.bytes[..end]
            }
            InputKind::Contents => {
                let Some((size, bytes)) = self.bytes.split_first_chunk() else { return &[] };
                &bytes[..bytes.len().min(u32::from_le_bytes(*size) as usize)]
            }
            _ => &self.bytes,
        }
    }

    fn number(&self) -> Option<u128> {
        let mut bytes = [0; 16];
        bytes.get_mut(..self.bytes.len())?.copy_from_slice(&self.bytes);
        (!self.bytes.is_empty()).then(|| u128::from_le_bytes(bytes))
    }

    fn signed(&self, number: u128) -> i128 {
        let unused = 128 - 8 * self.bytes.len() as u32;
        (number << unused) as i128 >> unused
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use tine_trace::plan::Relocation;

    use super::*;
    use crate::TypeId;
    use crate::input::{Element, Object};

    fn value(kind: InputKind, bytes: &[u8]) -> Request {
        Request { name: "x".to_string(), kind, bytes: bytes.to_vec(), choices: 0, ty: 0 }
    }

    #[track_caller]
    fn check(kind: InputKind, bytes: &[u8], expected: &str) {
        assert_eq!(value(kind, bytes).value(), expected);
    }

    #[test]
    fn values_read_as_c_writes_them() {
        check(InputKind::Signed, &i32::MIN.to_le_bytes(), "-2147483648");
        check(InputKind::Signed, &(-5i64).to_le_bytes(), "-5");
        check(InputKind::Signed, &(i128::MIN).to_le_bytes(), "-170141183460469231731687303715884105728");
        check(InputKind::Signed, &[0x80], "-128");
        check(InputKind::Unsigned, &u64::MAX.to_le_bytes(), "18446744073709551615");
        check(InputKind::Failure, &[9, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0], "allocation 7");
        check(InputKind::Failure, &[9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "nothing");
        check(InputKind::Failure, &[9, 0, 0, 0], "nothing");
        check(InputKind::Char, b"a", "'a' (97)");
        check(InputKind::Char, b"'", "'\\'' (39)");
        check(InputKind::Char, &[0xff], "'\\xff' (-1)");
        check(InputKind::Bool, &[1], "true");
        check(InputKind::Bool, &[0], "false");
        check(InputKind::Bool, &[7], "7");
        check(InputKind::Float, &3.0f64.to_le_bytes(), "0x1.8p+1 (3.0)");
        check(InputKind::Float, &0.1f32.to_le_bytes(), "0x1.99999ap-4 (0.1)");
        check(InputKind::Float, &f32::INFINITY.to_le_bytes(), "inf");
        check(InputKind::Float, &0x7fc0_0000u32.to_le_bytes(), "nan (0x7fc00000)");
        check(InputKind::Float, &[0; 16], &format!("\"{}\"", "\\x00".repeat(16)));
        check(InputKind::Pointer, &[0; 8], "NULL");
        check(InputKind::Bytes, b"ab\"\n\0\xff", "\"ab\\\"\\n\\x00\\xff\"");
        check(InputKind::Bytes, &[], "\"\"");
        check(InputKind::Text, b"ab\0c", "\"ab\"");
        check(InputKind::Contents, b"\x03\0\0\0a\0cd", "\"a\\x00c\"");
        check(InputKind::Contents, b"\xff\0\0\0a", "\"a\"");
        check(InputKind::Contents, b"\x03\0", "\"\"");
        check(InputKind::Signed, &[], "\"\"");
    }

    #[test]
    fn choices_name_their_number() {
        let choice = Request { choices: 5, ..value(InputKind::Choice, &2u32.to_le_bytes()) };
        assert_eq!(choice.value(), "2 of 5");
    }

    fn sample() -> CaseInput {
        let choice = Request {
            name: "op".to_string(),
            kind: InputKind::Choice,
            bytes: 2u32.to_le_bytes().to_vec(),
            choices: 5,
            ty: 0,
        };
        let requests = vec![value(InputKind::Signed, &[1, 0]), choice, value(InputKind::Char, b"z")];
        CaseInput { input: Input { requests, ..Input::default() }, ..CaseInput::default() }
    }

    #[test]
    fn names_are_told_apart() {
        assert_eq!(sample().to_string(), "x = 1, op = 2 of 5, x#2 = 'z' (122)");
    }

    fn json(input: &CaseInput, expected: &Expect) {
        let text = serde_json::to_string(input).unwrap();
        expected.assert_eq(&text);
        assert_eq!(&serde_json::from_str::<CaseInput>(&text).unwrap(), input);
    }

    #[test]
    fn written_and_read_back() {
        let element = Element { ty: TypeId::VOID, size: 1, extent: 4, start: 0, flags: 0 };
        let mut sample = sample();
        sample.input.objects.insert(3, Object { element, bytes: vec![1, 2] });
        sample.input.functions.push(Relocation { input: 0, offset: 8, function: 2 });
        sample.input.slot_shift = 12;
        json(
            &sample,
            &expect![[
                r#"{"input":{"requests":[{"name":"x","kind":"signed","bytes":"0100"},{"name":"op","kind":"choice","bytes":"02000000","choices":5},{"name":"x","kind":"char","bytes":"7a"}],"objects":{"3":{"element":{"type":0,"size":1,"extent":4,"start":0,"flags":0},"bytes":"0102"}},"functions":[[0,8,2]],"slot_shift":12}}"#
            ]],
        );
        assert!(serde_json::from_str::<Request>(r#"{"name":"x","kind":"char","bytes":"7"}"#).is_err());
        assert!(serde_json::from_str::<Request>(r#"{"name":"x","kind":"chair","bytes":"77"}"#).is_err());
    }
}
