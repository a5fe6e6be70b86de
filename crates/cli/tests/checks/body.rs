//! Bodies of generated functions: statements as a tree, so that a failing one can be reduced.
//!
//! Every statement is on its own line. `C(id, condition)` is a branch whose sides the brute-force build records.
//! `FAIL(id);` is an abort whose line tine must report. `END(N);` is an end with a number.

use std::ops::Range;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    Line(String),
    If { condition: String, yes: Vec<Statement>, no: Vec<Statement> },
    Loop { rounds: usize, body: Vec<Statement> },
}

/// A generated function: its declaration and its statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) head: String,
    pub(crate) body: Vec<Statement>,
}

/// Numbers of aborts start here. Returned numbers are smaller.
pub(crate) const FIRST_FAILURE: u32 = 200;

/// Range of a function in the file.
#[derive(Clone, Debug)]
pub(crate) struct Extent {
    pub(crate) lines: Range<u32>,
    pub(crate) branches: Range<usize>,
}

/// Text of functions, with the meaning of its lines.
#[derive(Debug, Default)]
pub(crate) struct Rendered {
    pub(crate) text: String,
    n_lines: u32,
    /// Lines of branches, by their number.
    pub(crate) branches: Vec<u32>,
    /// Lines of aborts, by their number.
    pub(crate) failures: Vec<u32>,
    /// Lines of each function, and the numbers of its branches.
    pub(crate) functions: Vec<Extent>,
    n_ends: u32,
    n_loops: u32,
}

impl Rendered {
    /// Continues a file after `before`.
    pub(crate) fn after(before: &str) -> Rendered {
        Rendered { text: before.to_owned(), n_lines: before.matches('\n').count() as u32, ..Rendered::default() }
    }

    /// Adds a function. Numbers of branches and aborts continue from the previous function.
    pub(crate) fn add(&mut self, function: &Function) {
        self.n_ends = 0;
        let (line, branch) = (self.n_lines, self.branches.len());
        for line in function.head.lines() {
            self.line(line);
        }
        self.statements(&function.body);
        let end = self.end();
        self.line(&end);
        self.line("}");
        self.functions.push(Extent { lines: line + 1..self.n_lines + 1, branches: branch..self.branches.len() });
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.n_lines += 1;
    }

    fn end(&mut self) -> String {
        self.n_ends += 1;
        format!("END({});", self.n_ends % FIRST_FAILURE)
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Line(line) if line == "return;" => {
                    let end = self.end();
                    self.line(&end);
                }
                Statement::Line(line) if line == "FAIL;" => {
                    let line = format!("FAIL({});", self.failures.len());
                    self.line(&line);
                    self.failures.push(self.n_lines);
                }
                Statement::Line(line) => self.line(line),
                Statement::If { condition, yes, no } => {
                    let line = format!("if (C({}, {condition})) {{", self.branches.len());
                    self.line(&line);
                    self.branches.push(self.n_lines);
                    self.statements(yes);
                    if !no.is_empty() {
                        self.line("} else {");
                        self.statements(no);
                    }
                    self.line("}");
                }
                Statement::Loop { rounds, body } => {
                    self.n_loops += 1;
                    let k = self.n_loops;
                    self.line(&format!("for (unsigned k{k} = 0; k{k} < {rounds}; k{k}++) {{"));
                    self.statements(body);
                    self.line("}");
                }
            }
        }
    }
}

impl Function {
    /// The function with this declaration instead of `NAME`.
    pub(crate) fn named(&self, declaration: &str) -> Function {
        Function { head: self.head.replace("NAME", declaration), ..self.clone() }
    }

    /// Smaller functions, the largest reductions first: without a statement, or with a statement replaced by its
    /// contents.
    pub(crate) fn smaller(&self) -> Vec<Function> {
        let with = |body| Function { head: self.head.clone(), body };
        smaller(&self.body).into_iter().map(with).collect()
    }
}

fn smaller(body: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for (index, statement) in body.iter().enumerate() {
        let replaced = |by: &[Statement]| [&body[..index], by, &body[index + 1..]].concat();
        all.push(replaced(&[]));
        match statement {
            Statement::Line(_) => {}
            Statement::If { condition, yes, no } => {
                all.push(replaced(yes));
                all.push(replaced(no));
                let same = |yes, no| Statement::If { condition: condition.clone(), yes, no };
                all.extend(smaller(yes).into_iter().map(|yes| replaced(&[same(yes, no.clone())])));
                all.extend(smaller(no).into_iter().map(|no| replaced(&[same(yes.clone(), no)])));
            }
            Statement::Loop { rounds, body: inner } => {
                all.push(replaced(inner));
                let same = |body| Statement::Loop { rounds: *rounds, body };
                all.extend(smaller(inner).into_iter().map(|inner| replaced(&[same(inner)])));
            }
        }
    }
    all
}
