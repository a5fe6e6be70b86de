//! `tine graph`: the control-flow and call graph of a program, with what a session has covered.

mod svg;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use tine_build::temporary::Temporary;
use tine_build::unit::absolute;
use tine_executor::unit::{Unit, UnitOptions};
use tine_explore::ProgramMap;
use tine_explore::graph::Callees;
use tine_explore::map::{Block, FunctionId};
use tine_report::printable;
use tine_session::Session;
use tine_session::summary::Uncoverable;

use crate::explore::{print_json, print_text};
use crate::failure::{EXIT_FINE, Failure};
use crate::options::GraphOptions;
use crate::settings::{exploration, open_rebuilt};
use crate::verified::Verified;

pub(crate) fn graph(options: &GraphOptions) -> Result<u8, Failure> {
    let is_session = options.target.is_dir();
    // Open until its map is read.
    let verified;
    let (program, session) = if is_session {
        let session = Session::open(&options.target).map_err(|why| {
            Failure::usage(why.to_string(), "give a program, or the directory of a session (`--out`)")
        })?;
        verified = program_of(&session, &options.target)?;
        (verified.descriptor(), Some(session))
    } else {
        (absolute(&options.target)?, None)
    };
    let map = map_of(&program)?;
    let sides = match &session {
        Some(session) => sides(session, &map)?,
        None => Vec::new(),
    };
    let graph = Graph { map: &map, callees: Callees::new(&map), sides, is_session, all: options.all };
    match (options.json, options.svg) {
        (true, _) => print_json(&(graph.json() + "\n")),
        (_, true) => print_text(&(graph.svg().trim_end().to_owned() + "\n")),
        _ => print_text(&(graph.dot().trim_end().to_owned() + "\n")),
    }?;
    Ok(EXIT_FINE)
}

/// What a session explored.
fn program_of(session: &Session, directory: &Path) -> Result<Verified, Failure> {
    let name = session.setting("program").ok().flatten().and_then(|value| value.as_str().map(str::to_owned));
    let (Some(name), Some(exploration)) = (name, exploration(session)) else {
        return Err(Failure::usage("the session does not say what it explored", "explore again"));
    };
    open_rebuilt(&exploration, directory, &name)
}

/// The program says itself where its modules are.
fn map_of(program: &Path) -> Result<ProgramMap, Failure> {
    let scratch = Temporary::new("scratch").map_err(|why| {
        Failure::usage(format!("cannot make a scratch directory: {why}"), "set TMPDIR to a writable one")
    })?;
    let directory = Some(scratch.path().to_path_buf());
    let options = UnitOptions { scratch: directory.clone(), directory, ..UnitOptions::default() };
    let unit = Unit::start(program, &[], options)
        .map_err(|why| Failure::usage(why.to_string(), "build the program with `tine cc`"))?;
    ProgramMap::parse(unit.maps(), unit.segment().modules()).map_err(|why| {
        Failure::usage(format!("the program's map cannot be read: {why}"), "build it again with `tine cc`")
    })
}

/// What the session knows of each side. They have the numbers of the program's map, if it is the same program.
fn sides(session: &Session, map: &ProgramMap) -> Result<Vec<Seen>, Failure> {
    let broken = |why: tine_session::SessionError| Failure::usage(why.to_string(), "explore again");
    let digest = session.program().map_err(broken)?.digest;
    if digest != tine_session::Program::digest_of(map) {
        return Err(Failure::usage("the program was built again since that session", "explore again"));
    }
    let seen = |side: &tine_session::session::Branch| match (side.case, side.why) {
        (Some(_), _) => Seen::Covered,
        (None, Some(Uncoverable::Infeasible)) => Seen::Infeasible,
        (None, _) => Seen::Missed,
    };
    Ok(session.branches().map_err(broken)?.iter().map(seen).collect())
}

/// What is known of a side of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Covered,
    /// No input goes there, within the bounds if there are some.
    Infeasible,
    Missed,
    /// Nobody has looked.
    Unknown,
}

struct Graph<'a> {
    map: &'a ProgramMap,
    callees: Callees,
    /// By number; empty without a session.
    sides: Vec<Seen>,
    is_session: bool,
    /// Also functions that are not the user's.
    all: bool,
}

/// A way out of a block, as it is printed.
struct Shown {
    to: u32,
    /// The side, in words, and what is known of it; nothing for flow that is not decided by a branch of the user's.
    side: Option<(String, Seen)>,
}

impl Graph<'_> {
    fn functions(&self) -> impl Iterator<Item = FunctionId> {
        let functions = self.map.functions().iter().enumerate();
        let shown = functions.filter(|(_, function)| self.all || !function.is_library());
        shown.map(|(number, _)| FunctionId(number as u32))
    }

    fn is_shown(&self, function: FunctionId) -> bool {
        self.all || !self.map.function(function).is_library()
    }

    fn flows(&self, block: &Block) -> Vec<Shown> {
        let side = |decided: (tine_trace::event::Site, u16)| {
            let branch = self.map.branch(self.map.site(decided.0)?.branch?);
            let side = branch.alternatives().nth(decided.1 as usize)?;
            Some((self.map.label(side), self.sides.get(side.index()).copied().unwrap_or(Seen::Unknown)))
        };
        let flows = self.map.flows(block).iter();
        flows.map(|flow| Shown { to: flow.to.0, side: flow.decided_by.and_then(side) }).collect()
    }

    fn calls(&self, block: &Block) -> BTreeSet<FunctionId> {
        let calls = self.map.calls(block).iter();
        let callees = calls.flat_map(|call| self.callees.of(call, self.map, block.function));
        callees.filter(|function| self.is_shown(*function)).collect()
    }

    /// Each function is a box of its blocks; dashed arrows are calls; red is what the session did not cover, grey what
    /// no input covers.
    fn dot(&self) -> String {
        let mut text = "digraph program {\n  node [shape=box, fontname=\"monospace\"];\n".to_owned();
        let mut calls = String::new();
        for id in self.functions() {
            let function = self.map.function(id);
            writeln!(text, "  subgraph cluster_{} {{\n    label={};", id.0, quoted(&function.name)).expect("a string");
            for number in function.blocks.clone() {
                let block = &self.map.blocks()[number as usize];
                let line = if block.line == 0 { String::new() } else { block.line.to_string() };
                writeln!(text, "    b{number} [label=\"{line}\"];").expect("a string");
                for flow in self.flows(block) {
                    let attributes = match &flow.side {
                        Some((side, Seen::Missed)) => format!(" [label={}, color=red]", quoted(side)),
                        Some((side, Seen::Infeasible)) => {
                            format!(" [label={}, color=grey, style=dotted]", quoted(side))
                        }
                        Some((side, _)) => format!(" [label={}]", quoted(side)),
                        None => String::new(),
                    };
                    writeln!(text, "    b{number} -> b{}{attributes};", flow.to).expect("a string");
                }
                for callee in self.calls(block) {
                    let entry = self.map.function(callee).blocks.start;
                    if !self.map.function(callee).blocks.is_empty() {
                        writeln!(calls, "  b{number} -> b{entry} [style=dashed];").expect("a string");
                    }
                }
            }
            text.push_str("  }\n");
        }
        text + &calls + "}\n"
    }

    fn json(&self) -> String {
        let functions = self.functions().map(|id| {
            let function = self.map.function(id);
            let blocks = function.blocks.clone().map(|number| {
                let block = &self.map.blocks()[number as usize];
                let flows = self.flows(block).into_iter().map(|flow| {
                    let mut value = serde_json::json!({ "to": flow.to });
                    if let Some((side, seen)) = flow.side {
                        value["side"] = side.into();
                        if self.is_session {
                            value["covered"] = (seen == Seen::Covered).into();
                            value["infeasible"] = (seen == Seen::Infeasible).into();
                        }
                    }
                    value
                });
                let calls = self.calls(block).into_iter().map(|id| &*self.map.function(id).name);
                serde_json::json!({
                    "block": number,
                    "line": block.line,
                    "flows": flows.collect::<Vec<_>>(),
                    "calls": calls.collect::<Vec<_>>(),
                })
            });
            serde_json::json!({
                "function": &*function.name,
                "file": &*function.file,
                "line": function.line,
                "blocks": blocks.collect::<Vec<_>>(),
            })
        });
        serde_json::json!({ "functions": functions.collect::<Vec<_>>() }).to_string()
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(text).replace('\\', "\\\\").replace('"', "\\\""))
}
