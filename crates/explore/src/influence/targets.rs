//! Targets: functions and lines named by the user, located in the program.

use std::fmt;
use std::str::FromStr;

use super::depend::Depend;
use super::points_to::PointsTo;
use super::program::{Code, Program};
use crate::map::{BlockId, ProgramMap};

/// `FN`, `FILE:LINE`, `FILE:LINE-LINE` or `FN@/FILE:LINE-LINE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetSpec {
    Function(String),
    /// A range of lines in a file. The file is named by the end of its path.
    Lines(String, u32, u32),
    /// Changed lines of a function. If they have no code, the whole function is meant.
    Within(String, String, u32, u32),
}

/// Reasons why a target is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    #[error("the target `{0}` is not of the form FUNCTION, FILE:LINE or FILE:LINE-LINE")]
    Form(String),
    #[error("there is no function `{name}` in the program{}", near.as_ref().map_or_else(String::new, |near| format!("; did you mean `{near}`?")))]
    Function { name: String, near: Option<String> },
    #[error("no function of the program is in a file `{0}`")]
    File(String),
    #[error("there is no code at {place}; the nearest line with code is {file}:{nearest}")]
    Line { place: String, file: String, nearest: u32 },
}

impl FromStr for TargetSpec {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<TargetSpec, TargetError> {
        let wrong = || TargetError::Form(text.to_owned());
        let Some((file, lines)) = text.rsplit_once(':') else {
            return if text.is_empty() { Err(wrong()) } else { Ok(TargetSpec::Function(text.to_owned())) };
        };
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let line = |text: &str| text.parse::<u32>().ok().filter(|line| *line > 0).ok_or_else(wrong);
        let (first, last) = (line(first)?, line(last)?);
        if file.is_empty() || last < first {
            return Err(wrong());
        }
        if let Some((function, path)) = file.split_once("@/") {
            return Ok(TargetSpec::Within(function.to_owned(), format!("/{path}"), first, last));
        }
        Ok(TargetSpec::Lines(file.to_owned(), first, last))
    }
}

impl fmt::Display for TargetSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TargetSpec::Function(name) => write!(f, "{name}"),
            TargetSpec::Lines(file, first, last) if first == last => write!(f, "{file}:{first}"),
            TargetSpec::Lines(file, first, last) => write!(f, "{file}:{first}-{last}"),
            TargetSpec::Within(function, file, first, last) if first == last => write!(f, "{function}@{file}:{first}"),
            TargetSpec::Within(function, file, first, last) => write!(f, "{function}@{file}:{first}-{last}"),
        }
    }
}

/// A target found in the program.
pub(super) struct Found {
    /// Nodes of the dependence graph.
    pub(super) nodes: Vec<u32>,
    /// Functions and values that the target passes on by calls. They are influenced, but need not be reached.
    pub(super) passed: Vec<u32>,
    pub(super) blocks: Vec<BlockId>,
}

pub(super) fn find(
    map: &ProgramMap,
    program: &Program,
    graph: &Depend,
    points: &PointsTo,
    spec: &TargetSpec,
) -> Result<Found, TargetError> {
    let (mut nodes, mut passed, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
    for (index, code) in program.functions.iter().enumerate() {
        let first = code.first + code.flow.n_parameters;
        let n_values: usize = code.flow.blocks.iter().map(|block| block.operations.len()).sum();
        let own = first..first + n_values as u32;
        let meant: Vec<u32> =
            own.filter(|value| is_meant(map, program, spec, index, graph.places[*value as usize].2)).collect();
        let Some(mapped) = code.mapped.filter(|_| !meant.is_empty()) else { continue };
        let start = map.function(mapped).blocks.start;
        match spec {
            // A function is reached when it is called.
            TargetSpec::Function(_) => {
                blocks.push(BlockId(start));
                nodes.push(points.results[index]);
            }
            TargetSpec::Lines(..) | TargetSpec::Within(..) => blocks.extend(meant.iter().filter_map(|value| {
                let block = graph.places[*value as usize].1;
                code.flow.blocks[block as usize].number.map(|number| BlockId(start + number))
            })),
        }
        // The callees and the passed values may change.
        for call in meant.iter().filter_map(|value| points.call_of.get(value)) {
            for callee in &points.calls[*call].callees {
                passed.push(graph.functions[*callee]);
                let code = &program.functions[*callee];
                passed.extend(code.first..code.first + code.flow.n_parameters);
            }
        }
        nodes.extend(meant);
    }
    blocks.sort_unstable();
    blocks.dedup();
    match spec {
        TargetSpec::Within(name, ..) if nodes.is_empty() => {
            find(map, program, graph, points, &TargetSpec::Function(name.clone()))
        }
        _ if nodes.is_empty() => Err(missing(map, program, &lines(program), spec)),
        _ => Ok(Found { nodes, passed, blocks }),
    }
}

/// True if a target includes this line of a function.
fn is_meant(map: &ProgramMap, program: &Program, spec: &TargetSpec, function: usize, line: u32) -> bool {
    let Some(mapped) = program.functions[function].mapped else { return false };
    let mapped = map.function(mapped);
    match spec {
        TargetSpec::Function(name) => *mapped.name == **name,
        TargetSpec::Lines(file, first, last) => names(file, &mapped.file) && (*first..=*last).contains(&line),
        TargetSpec::Within(name, _, first, last) => *mapped.name == **name && (*first..=*last).contains(&line),
    }
}

/// Checks that a target is in the program, before anything is computed for it.
pub(super) fn check(map: &ProgramMap, program: &Program, spec: &TargetSpec) -> Result<(), TargetError> {
    let lines = lines(program);
    let is_meant = |(function, line): &(usize, u32)| is_meant(map, program, spec, *function, *line);
    // Changed lines without code stand for their function.
    let is_found = lines.iter().any(is_meant) || matches!(spec, TargetSpec::Within(..));
    if is_found { Ok(()) } else { Err(missing(map, program, &lines, spec)) }
}

/// Function and line of each operation.
fn lines(program: &Program) -> Vec<(usize, u32)> {
    let of = |(index, code): (usize, &Code)| {
        let operations = code.flow.blocks.iter().flat_map(|block| &block.operations);
        operations.map(|operation| (index, operation.line)).collect::<Vec<_>>()
    };
    program.functions.iter().enumerate().flat_map(of).collect()
}

/// The reason why a target is not in the program.
fn missing(map: &ProgramMap, program: &Program, lines: &[(usize, u32)], spec: &TargetSpec) -> TargetError {
    match spec {
        TargetSpec::Function(name) | TargetSpec::Within(name, ..) => {
            let own = map.functions().iter().filter(|function| !function.is_library());
            let near = own.map(|function| (distance(name, &function.name), function.name.to_string())).min();
            TargetError::Function {
                name: name.clone(),
                near: near.filter(|(distance, near)| *distance * 2 < near.len()).map(|(_, near)| near),
            }
        }
        TargetSpec::Lines(file, first, _) => {
            let lines = lines.iter().filter_map(|(function, line)| {
                let mapped = program.functions[*function].mapped?;
                (*line != 0 && names(file, &map.function(mapped).file)).then_some(*line)
            });
            match lines.min_by_key(|line| line.abs_diff(*first)) {
                None => TargetError::File(file.clone()),
                Some(nearest) => TargetError::Line { place: spec.to_string(), file: file.clone(), nearest },
            }
        }
    }
}

/// True if `end` is the end of `path` in whole path components.
fn names(end: &str, path: &str) -> bool {
    let end = end.strip_prefix("./").unwrap_or(end);
    path.strip_suffix(end).is_some_and(|start| start.is_empty() || start.ends_with('/'))
}

/// Edit distance: number of characters to insert, remove or replace.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_functions_or_lines() {
        let parse = |text: &str| text.parse::<TargetSpec>();
        assert_eq!(parse("f"), Ok(TargetSpec::Function("f".to_owned())));
        assert_eq!(parse("a/b.c:7"), Ok(TargetSpec::Lines("a/b.c".to_owned(), 7, 7)));
        let within = TargetSpec::Within("f".to_owned(), "/a@b.c".to_owned(), 2, 3);
        assert_eq!(parse("f@/a@b.c:2-3"), Ok(within.clone()));
        assert_eq!(within.to_string(), "f@/a@b.c:2-3");
        assert_eq!(parse("b.c:7-9").map(|spec| spec.to_string()).as_deref(), Ok("b.c:7-9"));
        for wrong in ["", ":3", "b.c:", "b.c:0", "b.c:9-7", "b.c:x"] {
            assert_eq!(parse(wrong), Err(TargetError::Form(wrong.to_owned())));
        }
    }
}
