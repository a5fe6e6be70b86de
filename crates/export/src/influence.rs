//! Branches that decide about targets or are influenced by them, as text, JSON, a graph and weights of the search.

use std::fmt::Write as _;

use tine_explore::ProgramMap;
use tine_explore::influence::{Influence, Link, Relation, TargetSpec};
use tine_explore::map::{Block, UserBranch};
use tine_session::SUMMARY_VERSION;

use crate::graph::Graph;

fn place(branch: &UserBranch) -> String {
    format!("{}:{}:{}", tine_report::printable(&branch.file), branch.line, branch.column)
}

fn relation(influence: &Influence, branch: &UserBranch) -> Relation {
    influence.relation(branch.site)
}

/// One line per branch, and a count.
pub fn text(map: &ProgramMap, influence: &Influence) -> String {
    let mut text = String::new();
    let mut counts = [0; 3];
    for branch in map.branches() {
        let relation = relation(influence, branch);
        counts[0] += u32::from(relation.decides);
        counts[1] += u32::from(relation.influenced);
        counts[2] += u32::from(relation.is_unrelated());
        let function = tine_report::printable(&branch.key.function);
        writeln!(text, "{}: {} in `{function}`", place(branch), relation.text()).expect("a string");
    }
    let total = map.branches().len();
    let [decide, influenced, unrelated] = counts;
    writeln!(text, "{total} branches: {decide} decide, {influenced} influenced, {unrelated} unrelated")
        .expect("a string");
    text
}

/// One object per branch.
pub fn json(map: &ProgramMap, influence: &Influence) -> String {
    let branches = map.branches().iter().map(|branch| {
        let relation = relation(influence, branch);
        serde_json::json!({
            "file": &*branch.file,
            "line": branch.line,
            "column": branch.column,
            "function": &*branch.key.function,
            "decides": relation.decides,
            "influenced": relation.influenced,
        })
    });
    serde_json::json!({ "version": SUMMARY_VERSION, "branches": branches.collect::<Vec<_>>() }).to_string()
}

/// Colour of a block by its branch: blue if it decides, orange if it is influenced, purple for both, grey if it is
/// unrelated, and black without a branch.
fn colour(map: &ProgramMap, influence: &Influence, block: &Block) -> &'static str {
    let Some((site, _)) = map.flows(block).iter().find_map(|flow| flow.decided_by) else { return "black" };
    let Relation { decides, influenced } = influence.relation(site);
    match (decides, influenced) {
        (true, true) => "purple",
        (true, false) => "blue",
        (false, true) => "orange",
        (false, false) => "grey",
    }
}

/// The control flow as SVG, with a colour for the relation of each branch.
pub fn svg(map: &ProgramMap, influence: &Influence) -> String {
    let colours = map.blocks().iter().map(|block| colour(map, influence, block)).collect();
    Graph::new(map, None, false).coloured(colours).svg()
}

/// The control flow for Graphviz, with a colour for the relation of each branch.
pub fn dot(map: &ProgramMap, influence: &Influence) -> String {
    let mut text = "digraph influence {\n  node [shape=box, fontname=\"monospace\"];\n".to_owned();
    for (number, block) in map.blocks().iter().enumerate() {
        let function = map.function(block.function);
        if function.is_library() {
            continue;
        }
        let colour = colour(map, influence, block);
        let name = tine_report::printable(&function.name).replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "  b{number} [label=\"{name}:{}\", color={colour}];", block.line).expect("a string");
        for flow in map.flows(block) {
            writeln!(text, "  b{number} -> b{};", flow.to.0).expect("a string");
        }
    }
    text + "}\n"
}

/// Weights that prefer branches near the targets: both sides of a deciding branch are equally likely, all other
/// branches are rarely flipped.
pub fn weights(map: &ProgramMap, influence: &Influence) -> String {
    let mut text = "# Written by `tine influence`: file:line, probability of the true side.\n".to_owned();
    for branch in map.branches() {
        let relation = relation(influence, branch);
        let weight = if relation.is_unrelated() { "0.05" } else { "0.5" };
        writeln!(text, "{}:{} {weight} # {}", branch.file, branch.line, relation.text()).expect("a string");
    }
    text
}

/// A line that cannot be explained, with advice.
#[derive(Debug)]
pub struct NoBranch {
    pub what: String,
    pub help: String,
}

/// The chains that relate the branches of a line to the targets.
pub fn explain(map: &ProgramMap, influence: &Influence, place_text: &str) -> Result<String, NoBranch> {
    let Ok(TargetSpec::Lines(file, line, _)) = place_text.parse() else {
        let what = format!("`{place_text}` is not of the form FILE:LINE");
        return Err(NoBranch { what, help: "see `tine influence --help`".to_owned() });
    };
    let is_file = |branch: &&UserBranch| {
        branch.file.strip_suffix(&*file).is_some_and(|start| start.is_empty() || start.ends_with('/'))
    };
    let meant: Vec<&UserBranch> = map.branches().iter().filter(is_file).filter(|branch| branch.line == line).collect();
    if meant.is_empty() {
        let near = map.branches().iter().filter(is_file).min_by_key(|branch| branch.line.abs_diff(line));
        let help = near.map_or_else(
            || "name a file of the program".to_owned(),
            |near| format!("the nearest branch is in line {}", near.line),
        );
        return Err(NoBranch { what: format!("there is no branch at {place_text}"), help });
    }
    let mut text = String::new();
    for branch in meant {
        writeln!(text, "{}: {}", place(branch), relation(influence, branch).text()).expect("a string");
        let (to_target, from_target) = influence.why(branch.site);
        for (what, links) in [("decides, by way of", to_target), ("influenced, by way of", from_target)] {
            if !links.is_empty() {
                writeln!(text, "  {what}").expect("a string");
            }
            links.iter().for_each(|link| text += &line_of(link));
        }
    }
    Ok(text)
}

fn line_of(link: &Link) -> String {
    let Link { function, file, line } = link;
    format!("    {}:{line} in `{}`\n", tine_report::printable(file), tine_report::printable(function))
}
