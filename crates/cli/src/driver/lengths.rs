//! Lengths that are tied to pointers: `--len PTR=N`, `--len PTR=PARAM`, and those of `main`'s arguments.

use std::fmt::Write as _;

use tine_types::Function;

use super::roots::{Roots, known_parameter};
use crate::failure::Failure;

/// "This pointer leads to so many elements."
#[derive(Clone, Debug)]
pub(super) struct Length {
    /// The driver's name for the pointer.
    pointer: String,
    count: Count,
}

#[derive(Clone, Debug)]
enum Count {
    Number(u64),
    /// The driver's name for the parameter.
    Parameter(String),
}

pub(super) fn parse(function: &Function, roots: &Roots<'_>, lengths: &[String]) -> Result<Vec<Length>, Failure> {
    let parse = |text: &String| {
        let (pointer, count) = text.split_once('=').ok_or_else(|| {
            Failure::usage(format!("--len {text:?} has no `=`"), "write PTR=N or PTR=PARAM, as in --len buffer=size")
        })?;
        let variable = |name: &str| {
            known_parameter(function, name, "--len")?;
            Ok(roots.variable_of(name).unwrap_or_default().to_owned())
        };
        let count = match count.parse() {
            Ok(number) => Count::Number(number),
            Err(_) => Count::Parameter(variable(count)?),
        };
        Ok(Length { pointer: variable(pointer)?, count })
    };
    lengths.iter().map(parse).collect()
}

/// The largest number among the lengths: objects must have room for it.
pub(crate) fn largest(lengths: &[String]) -> u32 {
    let number = |text: &String| text.split_once('=').and_then(|(_, count)| count.parse().ok());
    lengths.iter().filter_map(number).max().unwrap_or(0)
}

impl Length {
    pub(super) fn statements(&self, max_elements: u32) -> String {
        let pointer = &self.pointer;
        let mut text = String::new();
        let count = match &self.count {
            Count::Number(number) => {
                let _ = writeln!(text, "    static const unsigned long {pointer}_length = {number};");
                format!("{pointer}_length")
            }
            Count::Parameter(count) => {
                let _ = writeln!(text, "    if ({count} < 0)\n        __tine_reject();");
                let _ = writeln!(text, "    if ({count} > {max_elements})\n        __tine_beyond();");
                count.clone()
            }
        };
        let _ = writeln!(
            text,
            "    __tine_length((void *const *)&{pointer}, &{count}, sizeof {count}, sizeof *{pointer});"
        );
        text
    }
}

/// What the C library promises `main`: `argc` arguments, none of them NULL, and then a NULL.
pub(super) fn argument_vector(function: &Function) -> String {
    if function.params.len() < 2 {
        return String::new();
    }
    "    if (tine_in_1 < 0 || !tine_in_2)\n        __tine_reject();\n    \
     for (int k = 0;; k++) {\n        \
     if (k == tine_in_1) {\n            if (tine_in_2[k])\n                __tine_reject();\n            \
     break;\n        }\n        \
     if (!tine_in_2[k])\n            __tine_reject();\n    }\n"
        .to_owned()
}
