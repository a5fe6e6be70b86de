//! From text to syntax. `parse` reads a `.spec` file, [`parse_comments`] the `//@` comments of a C file.
//!
//! ```text
//!   file        = { "spec" NAME [ "for" "each" NAME ":" C-TYPE ] "{" { item } "}" }
//!   item        = NAME ":=" ( "call" | "return" ) callee { "," callee } [ "on" C-EXPRESSION ] [ "if" C-EXPRESSION ]
//!               | ( "expects" | "ensures" ) ( regular [ "end" ] | formula )
//!   callee      = NAME | C-PROTOTYPE
//!   regular     = sequence { "|" sequence }
//!   sequence    = atom { atom }
//!   atom        = ( NAME | "(" regular ")" ) { "*" | "+" | "?" }
//!   formula     = or [ "->" formula ]
//!   or          = and { "||" and }
//!   and         = pair { "&&" pair }
//!   pair        = unary [ ( "since" | "until" | "weak" "until" ) pair ]
//!   unary       = ( "!" | "previously" | "once" | "historically" | "next" | "weak" "next" | "eventually" | "always" )
//!                 unary | NAME | "true" | "false" | "(" formula ")"
//! ```
//! A C expression ends with its line, or before `if`, unless a parenthesis is open. A property is a formula if it contains an operator
//! of formulas, otherwise a regular expression.

use crate::lex::{Kind, Token, tokens};
use crate::syntax::{
    Duty, Formula, MAX_PROPOSITIONS, Moment, Object, Property, Proposition, PropositionId, Prototype, Regex, Rule,
    Spec, Specs,
};

/// A mistake in a specification, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Mistake {
    pub line: u32,
    pub column: u32,
    pub message: String,
    /// Advice on how to correct it.
    pub help: Option<String>,
}

impl Mistake {
    pub(crate) fn new(line: u32, column: u32, message: impl Into<String>) -> Mistake {
        Mistake { line, column, message: message.into(), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Mistake {
        self.help = Some(help.into());
        self
    }
}

/// Operators that occur in formulas only.
const FORMULA_OPERATORS: [&str; 15] = [
    "!",
    "&&",
    "||",
    "->",
    "previously",
    "once",
    "historically",
    "since",
    "next",
    "eventually",
    "always",
    "until",
    "weak",
    "true",
    "false",
];

/// Maximum number of words and symbols of one property. It limits the nesting of regular expressions and formulas,
/// which recursive functions follow.
const MAX_WORDS: usize = 1000;

/// Words that cannot name a proposition.
const RESERVED: [&str; 10] = ["spec", "for", "each", "call", "return", "on", "if", "expects", "ensures", "end"];

/// Reads the specifications of a `.spec` file.
pub fn parse(text: &str) -> Result<Specs, Mistake> {
    let tokens = tokens(text)?;
    let mut parser = Parser { text, tokens: &tokens, at: 0, names: Vec::new() };
    let mut specs = Specs::new();
    while parser.peek().kind != Kind::End {
        let place = parser.peek().clone();
        let spec = parser.spec()?;
        if specs.iter().any(|other: &Spec| other.name == spec.name) {
            return Err(mistake(&place, format!("there are two specifications with the name `{}`", spec.name)));
        }
        specs.push(spec);
    }
    Ok(specs)
}

/// Reads the specifications in the `//@` comments of a C file. Lines keep their numbers. Other tools use such comments,
/// too: those outside of a specification are skipped. Also returns the lines of those that begin with a word.
pub fn parse_comments(source: &str) -> Result<(Specs, Vec<u32>), Mistake> {
    let (mut text, mut skipped) = (String::new(), Vec::new());
    let (mut is_inside, mut n_open) = (false, 0);
    for (line, number) in source.lines().zip(1..) {
        if let Some(comment) = line.trim_start().strip_prefix("//@") {
            is_inside |= comment.split_whitespace().next() == Some("spec");
            if is_inside {
                text += comment;
                let before = n_open;
                n_open += comment.matches('{').count();
                n_open = n_open.saturating_sub(comment.matches('}').count());
                is_inside = n_open > 0 || before == 0 && !comment.contains('{');
            } else if comment.trim_start().starts_with(|first: char| first.is_ascii_alphabetic()) {
                skipped.push(number);
            }
        }
        text.push('\n');
    }
    Ok((parse(&text)?, skipped))
}

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    /// Names of the current specification, and their propositions. A name has one for each function.
    names: Vec<(String, Vec<PropositionId>)>,
}

impl Parser<'_> {
    fn spec(&mut self) -> Result<Spec, Mistake> {
        let line = self.peek().line;
        self.expect("spec")?;
        let name = self.name("a name for the specification")?;
        let object = if self.take("for") {
            self.expect("each")?;
            let name = self.name("a name for the object")?;
            self.expect(":")?;
            let start = self.peek().clone();
            while !self.is("{") && self.peek().kind != Kind::End {
                self.at += 1;
            }
            let ty = self.text[start.start..self.peek().start].trim().to_owned();
            if !ty.ends_with('*') {
                return Err(mistake(&start, "the type of an object must be a pointer")
                    .help(format!("write `for each {name}: TYPE *`")));
            }
            Some(Object { name, ty })
        } else {
            None
        };
        self.expect("{")?;
        self.names.clear();
        let mut spec = Spec { name, object, propositions: Vec::new(), properties: Vec::new(), line };
        while !self.take("}") {
            self.item(&mut spec)?;
        }
        if spec.properties.is_empty() {
            return Err(Mistake::new(line, 1, format!("the specification `{}` has no property", spec.name))
                .help("add a line that begins with `expects` or `ensures`"));
        }
        Ok(spec)
    }

    fn item(&mut self, spec: &mut Spec) -> Result<(), Mistake> {
        let duty = match self.peek().text.as_str() {
            "expects" => Duty::Expects,
            "ensures" => Duty::Ensures,
            _ => {
                let first = spec.propositions.len();
                spec.propositions.extend(self.propositions(first)?);
                let name = spec.propositions[first].name.clone();
                self.names.push((name, (first..spec.propositions.len()).collect()));
                return Ok(());
            }
        };
        let line = self.peek().line;
        self.at += 1;
        let start = self.peek().start;
        let rule = self.rule()?;
        let end = self.tokens[self.at - 1].start + self.tokens[self.at - 1].text.len();
        let text = self.text[start..end].split_whitespace().collect::<Vec<_>>().join(" ");
        spec.properties.push(Property { duty, rule, text, line });
        Ok(())
    }

    /// The propositions of one name: one for each function. `first` is the number of the first one.
    fn propositions(&mut self, first: PropositionId) -> Result<Vec<Proposition>, Mistake> {
        let place = self.peek().clone();
        let name = self.name("a proposition (`NAME := call FUNCTION`), `expects`, `ensures` or `}`")?;
        if RESERVED.contains(&name.as_str()) || FORMULA_OPERATORS.contains(&name.as_str()) {
            return Err(mistake(&place, format!("`{name}` is a word of the language and cannot name a proposition")));
        }
        if self.names.iter().any(|(known, _)| *known == name) {
            return Err(mistake(&place, format!("there are two propositions with the name `{name}`")));
        }
        self.expect(":=")?;
        let moment = match self.peek().text.as_str() {
            "call" => Moment::Call,
            "return" => Moment::Return,
            _ => return Err(self.expected("`call` or `return`")),
        };
        self.at += 1;
        let mut callees = vec![self.callee()?];
        while self.take(",") {
            callees.push(self.callee()?);
        }
        if first + callees.len() > MAX_PROPOSITIONS {
            let message = format!("a specification can have at most {MAX_PROPOSITIONS} propositions");
            return Err(mistake(&place, message).help("split it into several specifications"));
        }
        let object = if self.take("on") { Some(self.expression("on")?) } else { None };
        let condition = if self.take("if") { Some(self.expression("if")?) } else { None };
        let proposition = |(function, prototype)| Proposition {
            name: name.clone(),
            moment,
            function,
            prototype,
            object: object.clone(),
            condition: condition.clone(),
            line: place.line,
        };
        Ok(callees.into_iter().map(proposition).collect())
    }

    /// A name alone, or a C prototype: the name is the word before the first parenthesis.
    fn callee(&mut self) -> Result<(String, Option<Prototype>), Mistake> {
        let line = self.peek().line;
        let first = self.at;
        let goes_on = |parser: &Self| {
            let token = parser.peek();
            let is_item = parser.tokens.get(parser.at + 1).is_some_and(|next| next.text == ":=");
            let is_reserved = RESERVED.contains(&token.text.as_str());
            token.line == line && (token.kind == Kind::Word && !is_item && !is_reserved || token.text == "*")
        };
        while goes_on(self) {
            self.at += 1;
        }
        let name = match self.at.checked_sub(1).filter(|last| *last >= first) {
            Some(last) if self.tokens[last].kind == Kind::Word => &self.tokens[last],
            _ => return Err(self.expected("the name of a function")),
        };
        let result = self.text[self.tokens[first].start..name.start].trim().to_owned();
        if !self.is("(") {
            if result.is_empty() {
                return Ok((name.text.clone(), None));
            }
            return Err(self.expected("`(` and the parameters of the function"));
        }
        self.at += 1;
        let mut parameters = Vec::new();
        let (mut depth, mut start) = (0, self.peek().start);
        loop {
            let token = self.peek().clone();
            match token.text.as_str() {
                _ if token.kind == Kind::End => return Err(self.expected("`)`")),
                "," | ")" if depth == 0 => {
                    let parameter = self.text[start..token.start].trim();
                    if !["", "void", "..."].contains(&parameter) {
                        parameters.push(parameter.to_owned());
                    }
                    self.at += 1;
                    start = self.peek().start;
                    if token.text == ")" {
                        break;
                    }
                }
                "(" => {
                    depth += 1;
                    self.at += 1;
                }
                ")" => {
                    depth -= 1;
                    self.at += 1;
                }
                _ => self.at += 1,
            }
        }
        Ok((name.text.clone(), Some(Prototype { result, parameters })))
    }

    /// C expression after the word `after`, up to the end of the line or the word `if`. An open parenthesis continues it.
    fn expression(&mut self, after: &str) -> Result<String, Mistake> {
        let first = self.peek().clone();
        let line = self.tokens[self.at - 1].line;
        let mut depth = 0;
        let mut end = first.start;
        let mut last = line;
        while self.peek().kind != Kind::End && (self.peek().line == last || depth > 0) {
            let token = self.peek();
            match token.text.as_str() {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                "}" | "if" if depth <= 0 => break,
                _ => {}
            }
            last = token.line;
            end = token.start + token.text.len();
            self.at += 1;
        }
        let text = self.text[first.start..end].trim();
        if text.is_empty() {
            return Err(mistake(&first, format!("a C expression is missing after `{after}`")));
        }
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn rule(&mut self) -> Result<Rule, Mistake> {
        let place = self.peek().clone();
        if self.property().count() > MAX_WORDS {
            let message = format!("a property can have at most {MAX_WORDS} words and symbols");
            return Err(mistake(&place, message).help("split it into smaller ones"));
        }
        if self.property().any(|token| FORMULA_OPERATORS.contains(&token.text.as_str())) {
            let formula = self.formula()?;
            return match (formula.has_past(), formula.has_future()) {
                (true, true) => Err(mistake(&place, "a formula has either past or future operators, not both")
                    .help("write two properties")),
                (_, true) => Ok(Rule::Future(formula)),
                _ => Ok(Rule::Past(formula)),
            };
        }
        let regex = self.regular()?;
        let whole = self.take("end");
        Ok(Rule::Regular { regex, whole })
    }

    /// Words and symbols up to the next item.
    fn property(&self) -> impl Iterator<Item = &Token> {
        let ends = |at: &usize| {
            let token = &self.tokens[*at];
            let is_proposition = self.tokens.get(at + 1).is_some_and(|next| next.text == ":=");
            token.kind == Kind::End || is_proposition || ["}", "expects", "ensures"].contains(&token.text.as_str())
        };
        (self.at..self.tokens.len()).take_while(move |at| !ends(at)).map(|at| &self.tokens[at])
    }

    fn regular(&mut self) -> Result<Regex, Mistake> {
        let mut choices = vec![self.sequence()?];
        while self.take("|") {
            choices.push(self.sequence()?);
        }
        Ok(single(choices, Regex::Choice))
    }

    fn sequence(&mut self) -> Result<Regex, Mistake> {
        let mut parts = vec![self.repeated()?];
        while self.is("(") || self.is_event() {
            parts.push(self.repeated()?);
        }
        Ok(single(parts, Regex::Sequence))
    }

    fn repeated(&mut self) -> Result<Regex, Mistake> {
        let mut regex = if self.take("(") {
            let inner = self.regular()?;
            self.expect(")")?;
            inner
        } else {
            single(self.event()?.into_iter().map(Regex::Event).collect(), Regex::Choice)
        };
        loop {
            regex = if self.take("*") {
                Regex::Star(Box::new(regex))
            } else if self.take("?") {
                Regex::Optional(Box::new(regex))
            } else if self.take("+") {
                Regex::Sequence(vec![regex.clone(), Regex::Star(Box::new(regex))])
            } else {
                return Ok(regex);
            };
        }
    }

    fn formula(&mut self) -> Result<Formula, Mistake> {
        let left = self.disjunction()?;
        if self.take("->") {
            let right = self.formula()?;
            return Ok(Formula::Or(Box::new(Formula::Not(Box::new(left))), Box::new(right)));
        }
        Ok(left)
    }

    fn disjunction(&mut self) -> Result<Formula, Mistake> {
        let mut formula = self.conjunction()?;
        while self.take("||") {
            formula = Formula::Or(Box::new(formula), Box::new(self.conjunction()?));
        }
        Ok(formula)
    }

    fn conjunction(&mut self) -> Result<Formula, Mistake> {
        let mut formula = self.pair()?;
        while self.take("&&") {
            formula = Formula::And(Box::new(formula), Box::new(self.pair()?));
        }
        Ok(formula)
    }

    fn pair(&mut self) -> Result<Formula, Mistake> {
        let left = self.unary()?;
        if self.take("since") {
            return Ok(Formula::Since(Box::new(left), Box::new(self.pair()?)));
        }
        let is_weak = self.take("weak");
        if is_weak && !self.is("until") {
            return Err(self.expected("`until`"));
        }
        if self.take("until") {
            let right = self.pair()?;
            let until = Formula::Until(Box::new(left.clone()), Box::new(right));
            return Ok(if is_weak {
                Formula::Or(Box::new(until), Box::new(Formula::Always(Box::new(left))))
            } else {
                until
            });
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Formula, Mistake> {
        let operator: fn(Box<Formula>) -> Formula = match self.peek().text.as_str() {
            "!" => Formula::Not,
            "previously" => Formula::Previously,
            "once" => Formula::Once,
            "historically" => Formula::Historically,
            "next" => Formula::Next,
            "eventually" => Formula::Eventually,
            "always" => Formula::Always,
            // True at the last event: `!next !f`.
            "weak" => {
                self.at += 1;
                self.expect("next")?;
                let inner = Formula::Not(Box::new(self.unary()?));
                return Ok(Formula::Not(Box::new(Formula::Next(Box::new(inner)))));
            }
            "true" => {
                self.at += 1;
                return Ok(Formula::True);
            }
            "false" => {
                self.at += 1;
                return Ok(Formula::Not(Box::new(Formula::True)));
            }
            "(" => {
                self.at += 1;
                let inner = self.formula()?;
                self.expect(")")?;
                return Ok(inner);
            }
            _ => {
                let events = self.event()?.into_iter().map(Formula::Event);
                let either = |a, b| Formula::Or(Box::new(a), Box::new(b));
                return Ok(events.reduce(either).expect("a name has propositions"));
            }
        };
        self.at += 1;
        Ok(operator(Box::new(self.unary()?)))
    }

    /// True if the next token names an event of a regular expression, and not the next item.
    fn is_event(&self) -> bool {
        let token = self.peek();
        let is_proposition = self.tokens.get(self.at + 1).is_some_and(|next| next.text == ":=");
        token.kind == Kind::Word && !is_proposition && !RESERVED.contains(&token.text.as_str())
    }

    /// The propositions of a name.
    fn event(&mut self) -> Result<Vec<PropositionId>, Mistake> {
        let place = self.peek().clone();
        if !self.is_event() {
            return Err(self.expected("a proposition or `(`"));
        }
        self.at += 1;
        let known = self.names.iter().find(|(name, _)| *name == place.text);
        known.map(|(_, propositions)| propositions.clone()).ok_or_else(|| {
            let known = self.names.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let message = format!("`{}` is not a proposition of this specification", place.text);
            match known.is_empty() {
                true => mistake(&place, message).help("define it before the property: `NAME := call FUNCTION`"),
                false => mistake(&place, message).help(format!("defined above are {known}")),
            }
        })
    }

    fn name(&mut self, what: &str) -> Result<String, Mistake> {
        let token = self.peek().clone();
        if token.kind != Kind::Word || token.text.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(self.expected(what));
        }
        self.at += 1;
        Ok(token.text)
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn is(&self, text: &str) -> bool {
        self.peek().text == text
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), Mistake> {
        if self.take(text) { Ok(()) } else { Err(self.expected(&format!("`{text}`"))) }
    }

    fn expected(&self, what: &str) -> Mistake {
        let token = self.peek();
        let found = match token.kind {
            Kind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", token.text),
        };
        mistake(token, format!("expected {what}, found {found}"))
    }
}

fn mistake(token: &Token, message: impl Into<String>) -> Mistake {
    Mistake::new(token.line, token.column, message)
}

fn single(mut parts: Vec<Regex>, several: fn(Vec<Regex>) -> Regex) -> Regex {
    match parts.len() {
        1 => parts.remove(0),
        _ => several(parts),
    }
}

#[cfg(test)]
#[path = "parse/tests.rs"]
mod tests;
