//! Lengths of arrays that pointers point to: `--len PTR=N`, `--len PTR=PARAM`, those that the code implies, and those of
//! `main`'s arguments.

use std::fmt::Write as _;
use std::path::Path;

use tine_types::{Function, Program, ScalarKind};

use super::pairs;
use super::roots::{Roots, known_parameter, name_of, pointer_parameter};
use crate::Error;

/// Number of elements that a pointer points to.
#[derive(Clone, Debug)]
pub(super) struct Length {
    /// The harness's name for the pointer.
    pointer: String,
    count: Count,
    /// The pair of parameters, if the code implies it.
    implied: Option<Implied>,
}

/// A length that the code implies.
#[derive(Clone, Debug)]
pub(super) struct Implied {
    /// In the form of `--len`.
    pub(super) option: String,
    /// Name of the count, unless the function compares it with constants.
    pub(super) untested: Option<String>,
}

/// Value of `--len PTR=…` for an array of unknown length, although the code implies one.
const ANY: &str = "any";

#[derive(Clone, Debug)]
enum Count {
    Number(u64),
    /// The harness's name for the parameter.
    Parameter(String),
}

pub(super) fn parse(
    program: &Program,
    function: &Function,
    roots: &Roots<'_>,
    lengths: &[String],
) -> Result<Vec<Length>, Error> {
    let mut found: Vec<Length> = Vec::new();
    for text in lengths.iter().filter(|text| !is_any(function, text)) {
        let (pointer, count) = text.split_once('=').ok_or_else(|| {
            Error::request(format!("--len {text:?} has no `=`"), "write PTR=N or PTR=PARAM, as in --len buffer=size")
        })?;
        let variable = |name: &str| roots.variable_of(name).unwrap_or_default().to_owned();
        let help = "--len gives the number of elements that a pointer points to; leave it out";
        pointer_parameter(program, function, pointer, "--len", help)?;
        let count = match count.parse() {
            Ok(number) => Count::Number(number),
            Err(_) => {
                number_parameter(program, function, count)?;
                Count::Parameter(variable(count))
            }
        };
        let length = Length { pointer: variable(pointer), count, implied: None };
        if found.iter().any(|known| known.pointer == length.pointer) {
            return Err(Error::request(format!("--len: two lengths for `{pointer}`"), "give one of them"));
        }
        found.push(length);
    }
    Ok(found)
}

/// True for `PTR=any`, unless a parameter has that name.
fn is_any(function: &Function, text: &str) -> bool {
    let has_parameter = || function.params.iter().any(|parameter| parameter.name.as_deref() == Some(ANY));
    text.split_once('=').is_some_and(|(_, count)| count == ANY) && !has_parameter()
}

/// Lengths that the code of the function implies. Options that state a length or a type of a pointer win.
pub(super) fn implied(program: &Program, function: &Function, roots: &Roots<'_>, stated: &[String]) -> Vec<Length> {
    let Ok(bytes) = std::fs::read(Path::new(&function.file)) else { return Vec::new() };
    let name = |index: usize| name_of(function, index);
    let is_stated =
        |pointer: &str| stated.iter().any(|text| text.split_once('=').is_some_and(|(stated, _)| stated == pointer));
    let length = |pair: &pairs::Pair| {
        let (pointer, count) = (name(pair.pointer), name(pair.count));
        let variable = |name: &str| roots.variable_of(name).map(str::to_owned);
        Some(Length {
            pointer: variable(&pointer)?,
            count: Count::Parameter(variable(&count)?),
            implied: Some(Implied {
                option: format!("{pointer}={count}"),
                untested: (!pair.is_tested).then_some(count),
            }),
        })
    };
    let pairs = pairs::infer(program, function, &String::from_utf8_lossy(&bytes));
    pairs.iter().filter(|pair| !is_stated(&name(pair.pointer))).filter_map(length).collect()
}

/// Fails if `name` is not an integer parameter.
fn number_parameter(program: &Program, function: &Function, name: &str) -> Result<(), Error> {
    let ty = known_parameter(function, name, "--len")?;
    let is_number = program.types.scalar(ty).is_some_and(|scalar| scalar.size <= 8 && scalar.kind != ScalarKind::Float);
    if is_number {
        return Ok(());
    }
    let declaration = program.types.declare(ty, name);
    let help = "write PTR=N or PTR=PARAM, with a parameter that is an integer";
    Err(Error::request(format!("--len: `{declaration}` is not an integer of up to 64 bits"), help))
}

impl Length {
    pub(super) fn implied(&self) -> Option<&Implied> {
        self.implied.as_ref()
    }

    pub(super) fn statements(&self, max_elements: u32) -> String {
        let pointer = &self.pointer;
        let mut text = String::new();
        let count = match &self.count {
            Count::Number(number) => {
                if *number > 0 {
                    let _ = writeln!(text, "    if (!{pointer})\n        __tine_reject();");
                }
                let _ = writeln!(text, "    static const unsigned long {pointer}_length = {number};");
                format!("{pointer}_length")
            }
            // The function may check what callers pass. A length beyond the bound is named where it is reached.
            Count::Parameter(count) if self.implied.is_some() => count.clone(),
            Count::Parameter(count) => {
                let _ = writeln!(text, "    if ({count} < 0)\n        __tine_reject();");
                let _ = writeln!(text, "    if (!{pointer} && {count} > 0)\n        __tine_reject();");
                let _ = writeln!(text, "    if ({count} > {max_elements})\n        __tine_beyond();");
                count.clone()
            }
        };
        let _ = writeln!(
            text,
            "    __tine_length((void *const *)&{pointer}, &{count}, sizeof {count}, sizeof *{pointer}, {});",
            u32::from(self.implied.is_none())
        );
        text
    }
}

/// The C library's guarantee for `main`: `argc` arguments that are not NULL, followed by a NULL.
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
