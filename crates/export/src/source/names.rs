//! Names and order of tests. Both are independent of case numbers.

use std::collections::{BTreeMap, BTreeSet};

use tine_report::condition::operand;
use tine_session::session::{Branch, Error as Found};
use tine_session::{Session, SessionError, Summary};
use tine_types::map::{ObjectId, Value};
use tine_types::{Function, Kind, TypeGraph};

use super::condition::{Fact, Source};
use super::literal;
use super::memory::{Memory, unused};
use super::{Ends, Expectation, Test};

/// Maximum number of branch sides that a comment lists.
const MAX_SIDES: usize = 4;
/// Comment of a test whose error calls of the unit were not found to lead to.
const NOT_SHOWN_REACHABLE: &str =
    "Not shown reachable: the unit makes such objects, and no calls were found that lead here.";
/// Maximum number of inputs in a name.
const MAX_TRAITS: usize = 2;

pub(super) struct Naming<'a> {
    branches: Vec<Branch>,
    /// Sides that each case takes.
    covers: BTreeMap<u32, Vec<u32>>,
    /// Number of cases that take a side.
    takers: BTreeMap<u32, usize>,
    /// Lines of source files.
    lines: BTreeMap<String, Vec<String>>,
    taken: &'a BTreeSet<String>,
    function: &'a Function,
    source: Source,
}

impl<'a> Naming<'a> {
    pub(super) fn new(
        session: &Session,
        taken: &'a BTreeSet<String>,
        graph: &TypeGraph,
        function: &'a Function,
    ) -> Result<Naming<'a>, SessionError> {
        let branches = session.branches()?;
        let mut takers = BTreeMap::new();
        let mut covers = BTreeMap::new();
        for (case, _, sides) in session.covers()? {
            for side in &sides {
                *takers.entry(*side).or_default() += 1;
            }
            covers.insert(case, sides);
        }
        let files: BTreeSet<&String> = branches.iter().map(|branch| &branch.file).collect();
        let read = |file: &String| {
            let text = std::fs::read(file).unwrap_or_default();
            String::from_utf8_lossy(&text).lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let lines: BTreeMap<String, Vec<String>> = files.into_iter().map(|file| (file.clone(), read(file))).collect();
        let parameters = function.params.iter().filter_map(|parameter| parameter.name.clone()).collect();
        let has_floats =
            function.params.iter().any(|one| matches!(graph.kind(graph.strip(one.ty)), Kind::Float { .. }));
        let own = branches.iter().find(|branch| branch.function == function.name);
        let text = own.and_then(|branch| lines.get(&branch.file)).map_or(&[][..], Vec::as_slice);
        let source = Source::new(text, function.line, parameters, has_floats);
        Ok(Naming { branches, covers, takers, lines, taken, function, source })
    }

    /// Sides that only this case takes, in source order.
    fn own_sides(&self, case: u32) -> Vec<&Branch> {
        let sides = self.covers.get(&case).map(Vec::as_slice).unwrap_or_default();
        let own = sides.iter().filter(|side| self.takers.get(side) == Some(&1));
        let mut own: Vec<&Branch> = own.filter_map(|side| self.branches.get(*side as usize)).collect();
        own.sort_by_key(|branch| (branch.line, branch.column, branch.side_index));
        own
    }

    /// ``Path: `x > 2 && p->v == x`.``
    fn path(&self, case: u32) -> Option<String> {
        let taken = self.covers.get(&case)?.iter().filter_map(|side| self.branches.get(*side as usize));
        let mut taken: Vec<&Branch> = taken.filter(|branch| branch.function == self.function.name).collect();
        taken.sort_by_key(|branch| (branch.line, branch.column, branch.ordinal));
        let is_same = |one: &Branch, other: &Branch| (one.ordinal, one.condition) == (other.ordinal, other.condition);
        let sides = |branch: &Branch| taken.iter().filter(|other| is_same(other, branch)).count();
        let fact = |branch: &&Branch| {
            let line = self.lines.get(&branch.file)?.get((branch.line as usize).checked_sub(1)?)?;
            let text = operand(line, branch.column).unwrap_or_default();
            let (text, holds) = match (sides(branch), branch.side.strip_prefix("case ")) {
                (1, Some(label)) => (format!("{text} == {label}"), true),
                (1, None) if branch.side != "default" => (text, branch.side == "true"),
                _ => (String::new(), true),
            };
            Some(Fact { line: branch.line, text, holds })
        };
        let facts: Vec<Fact> = taken.iter().filter_map(fact).collect();
        let (text, is_all) = self.source.path(&facts)?;
        Some(if is_all { format!("Path: `{text}`.") } else { format!("Path: `{text}`, and other conditions.") })
    }

    /// Names a test after its result, or its inputs and its result, if that is unique. Otherwise after the branch side
    /// that only it takes.
    pub(super) fn name_tests(&self, tests: &mut Vec<(u32, Test)>) {
        let outcomes: Vec<String> = tests.iter().map(|(_, test)| shown(test)).collect();
        let whole: Vec<String> = tests.iter().zip(&outcomes).map(|((_, test), end)| with_inputs(test, end)).collect();
        let is_unique = |names: &[String], name: &String| names.iter().filter(|other| *other == name).count() == 1;
        for (index, (case, test)) in tests.iter_mut().enumerate() {
            let own = self.own_sides(*case);
            test.line = own.first().map_or(0, |branch| branch.line);
            test.name = match own.first() {
                _ if is_unique(&outcomes, &outcomes[index]) && !is_weak(&outcomes[index]) => outcomes[index].clone(),
                _ if is_unique(&whole, &whole[index]) => whole[index].clone(),
                _ if is_unique(&outcomes, &outcomes[index]) => outcomes[index].clone(),
                Some(branch) => format!("line_{}_{}", branch.line, word(&branch.side)),
                None => whole[index].clone(),
            };
            test.about = own.iter().map(|branch| self.about(branch)).collect();
            // The source may have the same condition twice.
            test.about.dedup();
            test.about.truncate(MAX_SIDES);
            let path = self.path(*case).filter(|_| test.title.is_none());
            // One condition need not be listed twice.
            let repeats = |path: &String| {
                let mut conditions = test.about.iter().filter_map(|line| line.strip_suffix(" is true."));
                conditions.any(|condition| *path == format!("Path: {condition}."))
            };
            let path = path.filter(|path| !repeats(path));
            test.about.extend(path);
        }
        self.finish(tests);
    }

    /// `division_by_zero_line_3`, or `requires_list_not_null` for an input that violates a requirement.
    pub(super) fn name_errors(&self, tests: &mut Vec<(u32, Test)>, found: &[Found], summary: Option<&Summary>) {
        let requirements = summary.map(|summary| summary.requirements.as_slice()).unwrap_or_default();
        let unreachable = summary.map(|summary| summary.not_shown_reachable.as_slice()).unwrap_or_default();
        for (case, test) in tests.iter_mut() {
            let errors: Vec<&Found> = found.iter().filter(|error| error.case == *case).collect();
            let required = requirements.iter().find(|required| required.evidence.case == *case);
            match (errors.first(), required) {
                (Some(error), _) => {
                    test.name = format!("{}_line_{}", word(&error.kind), error.line);
                    test.line = error.line;
                }
                (None, Some(required)) => {
                    test.name = format!("requires_{}", word(&required.condition.replace("!=", "_not_")));
                    test.line = required.evidence.line;
                }
                // Another test shows the same error on another path.
                (None, None) => {
                    test.name = format!(
                        "fails_{}",
                        self.own_sides(*case).first().map_or_else(String::new, |branch| format!(
                            "line_{}_{}",
                            branch.line,
                            word(&branch.side)
                        ))
                    );
                }
            }
            let about =
                |error: &&Found| self.about_error(&error.kind, &error.file, error.line, &error.function, &error.about);
            test.about = errors.iter().map(about).collect();
            if let Some(required) = required {
                let error = &required.evidence;
                test.about.push(format!("The function requires `{}`. Otherwise:", required.condition));
                test.about.push(self.about_error(&error.kind, &error.file, error.line, &error.function, &error.about));
            }
            if unreachable.iter().any(|error| error.case == *case) {
                test.about.push(NOT_SHOWN_REACHABLE.to_owned());
            }
            if test.about.is_empty() {
                test.about.push("Another path to an error that a test shows.".to_owned());
            }
        }
        self.finish(tests);
    }

    /// ``Division by zero in `f` (list.c): `10 / x`.`` Without the line's number, which changes often.
    fn about_error(&self, kind: &str, file: &str, line: u32, function: &str, about: &str) -> String {
        let text = std::fs::read(file).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let text = text.lines().nth((line as usize).saturating_sub(1)).map(whole_line).unwrap_or_default();
        let text = if text.is_empty() { format!("line {line}") } else { format!("`{text}`") };
        let file = file.rsplit('/').next().unwrap_or(file);
        let about = if about.is_empty() { String::new() } else { format!(" ({about})") };
        format!("{} in `{function}` ({file}): {text}{about}", capital(kind))
    }

    /// Sorts by line and text, and makes names unique.
    fn finish(&self, tests: &mut Vec<(u32, Test)>) {
        let key = |(_, test): &(u32, Test)| {
            (test.line, test.name.clone(), test.setup.concat().len(), test.setup.concat(), test.calls.clone())
        };
        tests.sort_by_cached_key(key);
        // Cases may differ only in values that no branch depends on. Then their tests are equal.
        tests.dedup_by(|(_, one), (_, other)| one.setup == other.setup && one.calls == other.calls);
        let mut used = self.taken.clone();
        for (_, test) in tests {
            test.name = unused(&format!("test_{}", test.name.chars().take(64).collect::<String>()), &mut used);
        }
    }

    /// ```x > 2` is true.`` Without the line's number, which changes often.
    fn about(&self, branch: &Branch) -> String {
        let text = self.lines.get(&branch.file).and_then(|lines| lines.get((branch.line as usize).checked_sub(1)?));
        let text = text.map(String::as_str).unwrap_or_default();
        let text = operand(text, branch.column).unwrap_or_else(|| whole_line(text));
        let what = if text.is_empty() { format!("Line {}", branch.line) } else { format!("`{text}`") };
        format!("{what} is {}.", branch.side)
    }
}

/// A line without its comments, if it is short.
fn whole_line(text: &str) -> String {
    let text = text.trim().trim_end_matches('{').trim_end();
    let text = text.split("//").next().unwrap_or_default().trim().replace("*/", "").replace("/*", "");
    if text.len() > 90 { String::new() } else { text }
}

/// True if an outcome means little without the inputs.
fn is_weak(outcome: &str) -> bool {
    outcome == "returns" || outcome.starts_with("sets_")
}

/// `null_list_and_empty_name_returns_object`: the name of an outcome with the distinctive inputs.
fn with_inputs(test: &Test, outcome: &str) -> String {
    let traits: Vec<&str> = test.traits.iter().take(MAX_TRAITS).map(String::as_str).collect();
    if traits.is_empty() { outcome.to_owned() } else { format!("{}_{outcome}", traits.join("_and_")) }
}

/// Words for distinctive inputs: a NULL pointer, an empty string, the number of nodes of a list, two parameters with
/// the same target, a limit of a type.
pub(super) fn traits(graph: &TypeGraph, memory: &Memory, n_parameters: usize) -> Vec<String> {
    let mut traits = Vec::new();
    let mut targets: BTreeMap<ObjectId, &str> = BTreeMap::new();
    for root in memory.roots.iter().filter(|root| root.number <= n_parameters) {
        let name = &root.name;
        match &root.value {
            Value::Null => traits.push(format!("null_{name}")),
            Value::Pointer(pointer) => {
                if let Some(other) = targets.insert(pointer.object, name) {
                    traits.push(format!("same_{other}_and_{name}"));
                    continue;
                }
                let Some(object) = memory.objects.get(&pointer.object) else { continue };
                match object.values.as_slice() {
                    [Value::Text(text)] if text.is_empty() => traits.push(format!("empty_{name}")),
                    _ => traits.extend(list_trait(graph, memory, pointer.object, name)),
                }
            }
            value => {
                let text = literal::scalar(graph, root.ty, value);
                traits.extend(
                    text.filter(|text| text.ends_with("_MAX") || text.ends_with("_MIN")).map(|text| word(&text)),
                );
            }
        }
    }
    traits
}

/// `list_of_2` and `circular_list`: a chain of objects with one pointer each to their own type.
fn list_trait(graph: &TypeGraph, memory: &Memory, first: ObjectId, name: &str) -> Option<String> {
    let mut seen = BTreeSet::from([first]);
    let mut at = first;
    loop {
        let object = memory.objects.get(&at)?;
        let [Value::Struct(members)] = object.values.as_slice() else { return None };
        let Kind::Struct { members: types } = graph.kind(graph.strip(object.element)) else { return None };
        let own = graph.strip(object.element);
        let is_link = |ty| matches!(graph.kind(graph.strip(ty)), Kind::Pointer { to } if graph.strip(*to) == own);
        let mut links = types.iter().zip(members).filter(|(member, _)| is_link(member.ty));
        let (Some((_, link)), None) = (links.next(), links.next()) else { return None };
        match &link.value {
            Value::Pointer(pointer) if seen.insert(pointer.object) => at = pointer.object,
            Value::Pointer(_) => return Some(format!("circular_{name}")),
            _ => return Some(format!("{name}_of_{}", seen.len())),
        }
    }
}

/// A name for the result of the test.
fn shown(test: &Test) -> String {
    if let Ends::Exits(code) = test.ends {
        return format!("exits_{code}");
    }
    if let Some(title) = &test.title {
        return word(title);
    }
    let result = test.expectations.iter().find_map(|one| match one {
        Expectation::Equal { actual, expected, .. } if actual == "result" => {
            Some(format!("returns_{}", word(expected)))
        }
        Expectation::Null(actual) if actual == "result" => Some("returns_null".to_owned()),
        Expectation::NotNull(actual) if actual == "result" => Some("returns_object".to_owned()),
        Expectation::Pointer { actual, expected } if actual == "result" => Some(format!("returns_{}", word(expected))),
        Expectation::Text { actual, .. } if actual == "result" => Some("returns_text".to_owned()),
        Expectation::Holds(condition) if condition == "result" => Some("returns_true".to_owned()),
        Expectation::Holds(condition) if condition == "!result" => Some("returns_false".to_owned()),
        Expectation::Output(_) => Some("prints".to_owned()),
        _ => None,
    });
    let changes = test.expectations.iter().find_map(|one| match one {
        Expectation::Equal { actual, .. } | Expectation::Pointer { actual, .. } => {
            Some(format!("sets_{}", word(actual)))
        }
        _ => None,
    });
    result.or(changes).unwrap_or_else(|| "returns".to_owned())
}

/// Letters, digits and underscores.
fn word(text: &str) -> String {
    let text = text.strip_prefix('-').map_or_else(|| text.to_owned(), |rest| format!("minus_{rest}"));
    let plain: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    let parts: Vec<&str> = plain.split('_').filter(|part| !part.is_empty()).collect();
    parts.join("_")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
