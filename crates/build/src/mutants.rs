//! First-order mutants of a file in one program: every mutated place selects the active mutant at run time.
//!
//! ```c
//! if (a < b)     if ((tine_mutant.number == 1 ? (a <= b) : (tine_mutant.number == 2 ? (a > b) : (a < b))))
//! ```
//! Places come from clang's syntax tree, so that only expressions of suitable types are mutated. Line numbers do not
//! change. Code from macros and headers is not mutated. The number of the active mutant follows a mark in the program,
//! so that [`trial`] can set it.

mod places;
pub mod table;
pub mod trial;

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{Error, Unit};
use places::Writer;

/// Mark in the program before the number of the active mutant.
pub const MARK: &[u8; 16] = b"tine-mutant-nr:\0";

/// Variable with the number of the active mutant.
pub const SWITCH: &str = "tine_mutant";

/// A mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Number, from 1.
    pub number: u32,
    pub line: u32,
    pub column: u32,
    pub function: String,
    /// Original and replacement, as in C.
    pub change: String,
}

/// A file with all its mutants.
#[derive(Clone, Debug)]
pub struct Schema {
    pub text: String,
    pub mutants: Vec<Mutant>,
}

/// The mutants of a function of the unit's first file, and of the functions of this file that it calls.
pub fn schema(unit: &Unit, function: &str) -> Result<Schema, Error> {
    let text = std::fs::read_to_string(unit.main_file())
        .map_err(|why| Error::request(format!("cannot read {}: {why}", unit.name()), "give a file in UTF-8"))?;
    let tree = unit.syntax_tree()?;
    let none = Vec::new();
    let of_file = tree["inner"].as_array().unwrap_or(&none);
    let defined: Vec<&Value> = of_file
        .iter()
        .filter(|node| node["kind"] == "FunctionDecl" && places::is_of_file(&node["loc"]) && body(node).is_some())
        .collect();
    if !defined.iter().any(|node| node["name"] == function) {
        return Err(Error::request(
            format!("{} defines no function `{function}` outside of macros", unit.name()),
            "name one with --fn",
        ));
    }
    let mut wanted = BTreeSet::from([function.to_owned()]);
    loop {
        let mut called = BTreeSet::new();
        for node in defined.iter().filter(|node| node["name"].as_str().is_some_and(|name| wanted.contains(name))) {
            references(node, &mut called);
        }
        let before = wanted.len();
        wanted.extend(called);
        if wanted.len() == before {
            break;
        }
    }
    let mut writer = Writer::new(&text);
    for node in defined {
        if let Some((name, body)) = node["name"].as_str().filter(|name| wanted.contains(*name)).zip(body(node)) {
            writer.function(name, body);
        }
    }
    let (body, mutants) = writer.finish();
    let mark = MARK[..15].escape_ascii();
    let text = format!(
        "struct {{ char mark[16]; int number; }} {SWITCH} = {{ \"{mark}\", -1 }};\n#line 1 \"{}\"\n{body}",
        unit.main_file().display()
    );
    Ok(Schema { text, mutants })
}

/// The statements of a function.
fn body(function: &Value) -> Option<&Value> {
    function["inner"].as_array()?.iter().find(|node| node["kind"] == "CompoundStmt")
}

/// Collects the names of functions that a node mentions.
fn references(node: &Value, names: &mut BTreeSet<String>) {
    let declaration = &node["referencedDecl"];
    if let Some(name) = declaration["name"].as_str().filter(|_| declaration["kind"] == "FunctionDecl") {
        names.insert(name.to_owned());
    }
    node["inner"].as_array().into_iter().flatten().for_each(|child| references(child, names));
}
