//! The control-flow and call graph of a program, with the coverage of a session.

mod svg;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use tine_explore::ProgramMap;
use tine_explore::graph::Callees;
use tine_explore::map::{Block, FunctionId};
use tine_report::printable;
use tine_session::summary::Uncoverable;
use tine_session::{SUMMARY_VERSION, Session, SessionError};

/// Coverage of each side, by its number in the program's map.
pub fn sides(session: &Session) -> Result<Vec<Seen>, SessionError> {
    let seen = |side: &tine_session::session::Branch| match (side.case, side.why) {
        (Some(_), _) => Seen::Covered,
        (None, Some(Uncoverable::Infeasible)) => Seen::Infeasible,
        (None, _) => Seen::Missed,
    };
    Ok(session.branches()?.iter().map(seen).collect())
}

/// Coverage of a branch side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    Covered,
    /// No input takes it, within the bounds if there are any.
    Infeasible,
    Missed,
    /// Unknown without a session.
    Unknown,
}

/// The graph of a program.
#[derive(Debug)]
pub struct Graph<'a> {
    map: &'a ProgramMap,
    callees: Callees,
    /// Coverage by side number; empty without a session.
    sides: Vec<Seen>,
    is_session: bool,
    /// Colours of blocks in the picture; black if empty.
    colours: Vec<&'static str>,
    /// Also include functions that are not the user's.
    all: bool,
}

/// A successor of a block, as it is printed.
struct Shown {
    to: u32,
    /// Description and coverage of the side. `None` if no branch of the user decides this flow.
    side: Option<(String, Seen)>,
}

impl<'a> Graph<'a> {
    /// `sides` are those of a session. `all` also shows functions of libraries and system headers.
    pub fn new(map: &'a ProgramMap, sides: Option<Vec<Seen>>, all: bool) -> Graph<'a> {
        let is_session = sides.is_some();
        Graph {
            map,
            callees: Callees::new(map),
            sides: sides.unwrap_or_default(),
            is_session,
            colours: Vec::new(),
            all,
        }
    }

    /// Gives each block a colour.
    pub fn coloured(self, colours: Vec<&'static str>) -> Graph<'a> {
        Graph { colours, ..self }
    }
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
            let side = branch.sides().nth(decided.1 as usize)?;
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

    /// Each function is a box with its blocks. Dashed arrows are calls. Red parts were not covered by the session, and
    /// grey parts cannot be covered by any input.
    pub fn dot(&self) -> String {
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

    /// The graph as JSON.
    pub fn json(&self) -> String {
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
        serde_json::json!({ "version": SUMMARY_VERSION, "functions": functions.collect::<Vec<_>>() }).to_string()
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(text).replace('\\', "\\\\").replace('"', "\\\""))
}
