//! Mutated places of a file, and the text that selects one of the mutants of each.

use std::ops::Range;

use serde_json::Value;

use super::{Mutant, SWITCH};

/// Replacements of each operator.
const OPERATORS: &[(&str, &[&str])] = &[
    ("+", &["-"]),
    ("-", &["+"]),
    ("*", &["+"]),
    ("/", &["*"]),
    ("%", &["/"]),
    ("<", &["<=", ">="]),
    ("<=", &["<", ">"]),
    (">", &[">=", "<="]),
    (">=", &[">", "<"]),
    ("==", &["!="]),
    ("!=", &["=="]),
    ("&&", &["||"]),
    ("||", &["&&"]),
    ("&", &["|"]),
    ("|", &["&"]),
    ("^", &["|"]),
    ("<<", &[">>"]),
    (">>", &["<<"]),
    ("+=", &["-="]),
    ("-=", &["+="]),
    ("*=", &["+="]),
    ("/=", &["*="]),
    ("|=", &["&="]),
    ("&=", &["|="]),
    ("^=", &["|="]),
    ("<<=", &[">>="]),
    (">>=", &["<<="]),
];

/// Operators whose operands may be pointers.
const OF_ANY: &[&str] = &["<", "<=", ">", ">=", "==", "!=", "&&", "||", "+=", "-="];

/// Constant expressions, and nodes that are not code of the function.
const SKIPPED: &[&str] = &[
    "ConstantExpr",
    "UnaryExprOrTypeTraitExpr",
    "OffsetOfExpr",
    "GenericSelectionExpr",
    "StmtExpr",
    "GCCAsmStmt",
    "StaticAssertDecl",
    "RecordDecl",
    "EnumDecl",
    "TypedefDecl",
    "DesignatedInitExpr",
];

/// Replacement of a range of the text.
type Edit = (Range<usize>, String);

pub(super) struct Writer<'a> {
    text: &'a str,
    edits: Vec<Edit>,
    mutants: Vec<Mutant>,
    function: String,
}

/// True for a place in the file itself, outside of macros.
pub(super) fn is_of_file(location: &Value) -> bool {
    location["offset"].is_u64() && location["includedFrom"].is_null()
}

impl<'a> Writer<'a> {
    pub(super) fn new(text: &'a str) -> Writer<'a> {
        Writer { text, edits: Vec::new(), mutants: Vec::new(), function: String::new() }
    }

    pub(super) fn function(&mut self, name: &str, body: &Value) {
        self.function = name.to_owned();
        let mut edits = Vec::new();
        self.visit(body, false, &mut edits);
        self.edits.extend(edits);
    }

    /// Returns the text with all selections, and the mutants.
    pub(super) fn finish(self) -> (String, Vec<Mutant>) {
        (self.compose(0..self.text.len(), &self.edits), self.mutants)
    }

    fn range(&self, node: &Value) -> Option<Range<usize>> {
        let (begin, end) = (&node["range"]["begin"], &node["range"]["end"]);
        if !is_of_file(begin) || !is_of_file(end) {
            return None;
        }
        let range = begin["offset"].as_u64()? as usize..(end["offset"].as_u64()? + end["tokLen"].as_u64()?) as usize;
        self.text.get(range.clone()).map(|_| range)
    }

    fn original(&self, node: &Value) -> Option<&'a str> {
        self.text.get(self.range(node)?)
    }

    /// A range of the text with its edits applied.
    fn compose(&self, range: Range<usize>, edits: &[Edit]) -> String {
        let mut inside: Vec<&Edit> =
            edits.iter().filter(|(at, _)| range.start <= at.start && at.end <= range.end).collect();
        inside.sort_by_key(|(at, _)| at.start);
        let (mut text, mut done) = (String::new(), range.start);
        for (at, replacement) in inside {
            text += &self.text[done..at.start];
            text += replacement;
            done = at.end;
        }
        text + &self.text[done..range.end]
    }

    /// The condition that a new mutant is active.
    fn mutant(&mut self, at: usize, change: String) -> String {
        let before = &self.text[..at];
        let number = self.mutants.len() as u32 + 1;
        let line = before.matches('\n').count() as u32 + 1;
        let column = (at - before.rfind('\n').map_or(0, |newline| newline + 1)) as u32 + 1;
        self.mutants.push(Mutant { number, line, column, function: self.function.clone(), change });
        format!("{SWITCH}.number == {number}")
    }

    /// Adds the mutants of a node. The value of a statement is not used.
    fn visit(&mut self, node: &Value, is_statement: bool, edits: &mut Vec<Edit>) {
        let kind = node["kind"].as_str().unwrap_or_default();
        if SKIPPED.contains(&kind) || node["storageClass"] == "static" {
            return;
        }
        let Some(range) = self.range(node) else { return };
        let children: Vec<&Value> = node["inner"].as_array().map(|inner| inner.iter().collect()).unwrap_or_default();
        let mut inner = Vec::new();
        // The compiler demands constants for some arguments of its own functions.
        let is_builtin = kind == "CallExpr" && self.original(node).is_some_and(|call| call.starts_with("__builtin_"));
        if !is_builtin {
            let own = statements(kind, &children);
            for child in &children {
                self.visit(child, own.iter().any(|statement| std::ptr::eq(*statement, *child)), &mut inner);
            }
        }
        for statement in statements(kind, &children) {
            self.delete(statement, &mut inner);
        }
        if let Some(condition) = condition(kind, &children) {
            self.negate(condition, &mut inner);
        }
        let alternatives = self.alternatives(node, kind, &children).unwrap_or_default();
        // A call without a use of its result is deleted instead.
        let alternatives = if is_statement && kind == "CallExpr" { Vec::new() } else { alternatives };
        if alternatives.is_empty() {
            edits.extend(inner);
            return;
        }
        let mut text = format!("({})", self.compose(range.clone(), &inner));
        for (change, mutated) in alternatives {
            let is_on = self.mutant(range.start, change);
            text = format!("({is_on} ? ({mutated}) : {text})");
        }
        edits.push((range, text));
    }

    /// Mutations of one expression, each with its text.
    fn alternatives(&self, node: &Value, kind: &str, children: &[&Value]) -> Option<Vec<(String, String)>> {
        let operator = node["opcode"].as_str().unwrap_or_default();
        match kind {
            "IntegerLiteral" | "CharacterLiteral" => {
                let literal = self.original(node)?;
                let by = |by: &str| (format!("`{literal}` → `{literal} {by}`"), format!("{literal} {by}"));
                Some(vec![by("+ 1"), by("- 1")])
            }
            "BinaryOperator" | "CompoundAssignOperator" => {
                let [left, right] = children else { return None };
                let is_plain = is_arithmetic(node) && is_arithmetic(left) && is_arithmetic(right);
                let integers = is_plain || OF_ANY.contains(&operator);
                let is_float = [*left, *right]
                    .iter()
                    .any(|operand| type_of(operand).contains("double") || type_of(operand).contains("float"));
                let (_, others) = OPERATORS.iter().find(|(known, _)| *known == operator).filter(|_| integers)?;
                let fits =
                    |other: &&&str| !is_float || !matches!(other.trim_end_matches('='), "%" | "&" | "|" | "<<" | ">>");
                let (left, right) = (self.original(left)?, self.original(right)?);
                let change =
                    |other: &&str| (format!("`{operator}` → `{other}`"), format!("({left}) {other} ({right})"));
                Some(others.iter().filter(fits).map(change).collect())
            }
            "UnaryOperator" => {
                let operand = self.original(children.first()?)?;
                let is_after = node["isPostfix"] == true;
                let changed = match operator {
                    "-" | "~" => vec![(format!("`{operator}` deleted"), format!("({operand})"))],
                    "!" => vec![("`!` deleted".to_owned(), format!("!!({operand})"))],
                    "++" if is_after => vec![("`++` → `--`".to_owned(), format!("({operand})--"))],
                    "--" if is_after => vec![("`--` → `++`".to_owned(), format!("({operand})++"))],
                    "++" => vec![("`++` → `--`".to_owned(), format!("--({operand})"))],
                    "--" => vec![("`--` → `++`".to_owned(), format!("++({operand})"))],
                    _ => Vec::new(),
                };
                Some(changed)
            }
            "CallExpr" if is_arithmetic(node) || type_of(node).ends_with('*') => {
                let call = self.original(node)?;
                Some(vec![(format!("call `{}` → `0`", shortened(call)), "0".to_owned())])
            }
            _ => None,
        }
    }

    /// Adds the mutant that negates a condition. Other mutants negate comparisons.
    fn negate(&mut self, condition: &Value, edits: &mut Vec<Edit>) {
        let Some((range, original)) = self.range(condition).zip(self.original(condition)) else { return };
        let is_comparison = |operator: &str| ["<", "<=", ">", ">=", "==", "!="].contains(&operator);
        if condition["opcode"].as_str().is_some_and(|operator| is_comparison(operator) || operator == "!") {
            return;
        }
        let body = self.compose(range.clone(), edits);
        let is_on = self.mutant(range.start, format!("condition `{}` negated", shortened(original)));
        edits.retain(|(at, _)| !(range.start <= at.start && at.end <= range.end));
        edits.push((range, format!("({is_on} ? !({original}) : !!({body}))")));
    }

    /// Adds the mutant that deletes a statement.
    fn delete(&mut self, statement: &Value, edits: &mut Vec<Edit>) {
        let Some((range, original)) = self.range(statement).zip(self.original(statement)) else { return };
        let rest = &self.text[range.end..];
        let Some(end) = rest.find(|c: char| !c.is_whitespace()).filter(|at| rest[*at..].starts_with(';')) else {
            return;
        };
        let body = self.compose(range.clone(), edits);
        let is_on = self.mutant(range.start, format!("`{};` deleted", shortened(original)));
        edits.retain(|(at, _)| !(range.start <= at.start && at.end <= range.end));
        let gap = &rest[..end];
        edits.push((range.start..range.end + end + 1, format!("{{ if (!({is_on})) {{ {body};{gap} }} }}")));
    }
}

/// The statements among the children of a node that can be deleted.
fn statements<'v>(kind: &str, children: &[&'v Value]) -> Vec<&'v Value> {
    let bodies = match kind {
        "CompoundStmt" => children,
        "IfStmt" | "WhileStmt" => children.get(1..).unwrap_or_default(),
        "ForStmt" => children.get(4..).unwrap_or_default(),
        "CaseStmt" | "DefaultStmt" => children,
        "DoStmt" => children.get(..1).unwrap_or_default(),
        _ => &[],
    };
    let is_statement = |node: &&&Value| match node["kind"].as_str() {
        Some("CallExpr" | "CompoundAssignOperator" | "BreakStmt" | "ContinueStmt") => true,
        Some("BinaryOperator") => node["opcode"] == "=",
        Some("UnaryOperator") => node["opcode"] == "++" || node["opcode"] == "--",
        _ => false,
    };
    bodies.iter().filter(is_statement).copied().collect()
}

/// The condition among the children of a node.
fn condition<'v>(kind: &str, children: &[&'v Value]) -> Option<&'v Value> {
    let index = match kind {
        "IfStmt" | "WhileStmt" | "ConditionalOperator" => 0,
        "DoStmt" => 1,
        "ForStmt" => 2,
        _ => return None,
    };
    children.get(index).copied()
}

fn type_of(node: &Value) -> &str {
    node["type"]["desugaredQualType"].as_str().or(node["type"]["qualType"].as_str()).unwrap_or_default()
}

fn is_arithmetic(node: &Value) -> bool {
    let name = type_of(node);
    let words =
        ["int", "char", "short", "long", "unsigned", "signed", "float", "double", "_Bool", "const", "volatile", "enum"];
    !name.is_empty() && (name.starts_with("enum ") || name.split(' ').all(|word| words.contains(&word)))
}

/// The start of an expression, in one line.
fn shortened(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 40 { line } else { line.chars().take(39).chain(['…']).collect() }
}
