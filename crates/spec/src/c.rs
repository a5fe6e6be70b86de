//! Monitors as C code. The harness includes it after the unit, so conditions can use the unit's types and are explored
//! like the unit. A function that only another file of the unit knows has its code after that file.
//!
//! For each monitored moment of a function and each specification there is one hook, which the instrumented unit calls:
//!
//! ```text
//!   void __tine_at_0(struct conn *c, int n, void *saved)               call of conn_send
//!   void __tine_at_1(struct conn *c, int n, int result, void *saved)   return of conn_send
//! ```
//! The parameters come first, so that clang passes them like those of the function. `saved` is memory of the call for
//! the values of `old(…)`. [`Monitors::hooks`] lists the hooks for the instrumenter.

use std::fmt::Write as _;

use tine_trace::event::MAX_DISTANCE;
use tine_trace::map::{DRIVER_FILE, END_HOOK, HOOK, SAVED_BYTES};

use crate::letters::{Letters, Point};
use crate::monitor::Monitor;
use crate::parse::Mistake;
use crate::syntax::{Duty, Moment, Proposition, Spec};

/// Structures of the tables, and the hooks' common part.
const INTERPRETER: &str = include_str!("monitor.c");

/// Largest distance to a violation that is counted, also used for states from which no violation can be reached.
const FAR: u8 = MAX_DISTANCE;

/// Maximum number of values of an event.
const MAX_VALUES: usize = 4;

/// A function's type in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Declaration of a variable `result` of the result type; `None` for `void`.
    pub result: Option<Variable>,
    pub parameters: Vec<Variable>,
}

/// A declared variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    /// `int (*f)(int)`
    pub declaration: String,
    /// Its type as C spells it.
    pub ty: String,
    pub shown: Shown,
}

/// Display of a variable's value in an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Signed,
    Unsigned,
    No,
}

/// A function of the unit, or one that the unit calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Index of the first file that knows it.
    pub file: usize,
    /// Its name for the linker.
    pub symbol: String,
    pub signature: Signature,
}

/// A file of specifications.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    /// Path that messages name.
    pub path: &'a str,
    pub specs: &'a [Spec],
    /// True if it ships with tine: the user cannot change its properties, so there are no warnings about them.
    pub is_shipped: bool,
}

/// C code, and warnings about properties that cannot have the intended effect.
#[derive(Clone, Debug, Default)]
pub struct Monitors {
    /// C code after each file of the unit; empty for most of them. That of the first file has the tables.
    pub codes: Vec<String>,
    /// The hooks, one per line in the order of their execution: `call` or `return`, the function's symbol, the hook, and
    /// the number of its memory for `old(…)` or `-`.
    pub hooks: String,
    /// Reachable states.
    pub states: Vec<States>,
    /// Path, line and text of each warning.
    pub warnings: Vec<(String, u32, String)>,
}

/// States of a specification's monitors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct States {
    /// Name of the specification.
    pub spec: String,
    /// Per property: its number in the unit, its first state, and the number of states. State 0, the violation, is not
    /// counted: the states are 1 to this number.
    pub properties: Vec<(u32, u8, u8)>,
}

/// Returns the monitors of all specifications of a unit with `n_files` files. `find` returns the unit's functions.
pub fn monitors(
    sources: &[Source<'_>],
    n_files: usize,
    find: &dyn Fn(&str) -> Option<Known>,
) -> Result<Monitors, (String, Mistake)> {
    let mut monitors = Monitors::default();
    if sources.iter().all(|source| source.specs.is_empty()) {
        return Ok(monitors);
    }
    monitors.codes = vec![String::new(); n_files];
    monitors.codes[0] = INTERPRETER.to_owned();
    monitors.codes[0] += "const struct tine_place *__tine_call_place, *__tine_return_place;\nunsigned __tine_is_asking;\nstatic unsigned tine_near[];\n";
    let mut all = All { monitors, find, n_properties: 0, n_specs: 0, n_hooks: 0, near: [0; FAR as usize + 1] };
    for source in sources {
        for spec in source.specs {
            all.spec(source, spec).map_err(|mistake| (source.path.to_owned(), mistake))?;
        }
    }
    Ok(all.finish())
}

/// The monitors of the specifications so far.
struct All<'a> {
    monitors: Monitors,
    find: &'a dyn Fn(&str) -> Option<Known>,
    n_properties: u32,
    n_specs: usize,
    n_hooks: usize,
    /// Number of properties whose first state is at each distance.
    near: [u32; FAR as usize + 1],
}

impl All<'_> {
    fn spec(&mut self, source: &Source<'_>, spec: &Spec) -> Result<(), Mistake> {
        let letters = Letters::new(spec).map_err(|function| {
            Mistake::new(spec.line, 1, format!("too many propositions about one moment of `{function}`"))
        })?;
        let automata = self.automata(source, spec, &letters)?;
        self.tables(source.path, spec, &letters, &automata);
        let numbered = (self.n_properties..).zip(&automata);
        let properties = numbered.map(|(number, monitor)| (number, monitor.start, (monitor.next.len() - 1) as u8));
        self.monitors.states.push(States { spec: spec.name.clone(), properties: properties.collect() });
        self.n_properties += automata.len() as u32;
        for monitor in &automata {
            self.near[usize::from(distances(monitor)[usize::from(monitor.start)])] += 1;
        }
        for point in &letters.points {
            self.hook(source.path, spec, point)?;
        }
        self.n_specs += 1;
        Ok(())
    }

    fn automata(&mut self, source: &Source<'_>, spec: &Spec, letters: &Letters) -> Result<Vec<Monitor>, Mistake> {
        let mut automata = Vec::new();
        for property in &spec.properties {
            let monitor = Monitor::new(property, letters).map_err(|why| {
                Mistake::new(property.line, 1, why.to_string()).help("split the property into smaller ones")
            })?;
            let what = match () {
                () if source.is_shipped => None,
                () if monitor.is_always_kept() => Some("can never be violated"),
                () if monitor.is_never_kept(property, letters) => Some("can never be satisfied"),
                () if spec.object.is_some() && !monitor.adopting().is_followed => {
                    Some("has too many states to be checked for objects of the input")
                }
                () => None,
            };
            let warning =
                what.map(|what| (source.path.to_owned(), property.line, format!("`{}` {what}", property.text)));
            self.monitors.warnings.extend(warning);
            automata.push(monitor);
        }
        Ok(automata)
    }

    /// The data of one specification.
    fn tables(&mut self, path: &str, spec: &Spec, letters: &Letters, automata: &[Monitor]) {
        let numbers =
            |numbers: &mut dyn Iterator<Item = u8>| numbers.map(|n| n.to_string()).collect::<Vec<_>>().join(",");
        let (text, id) = (&mut self.monitors.codes[0], format!("tine_spec_{}", self.n_specs));
        let mut properties = String::new();
        for (index, (known, property)) in automata.iter().zip(&spec.properties).enumerate() {
            let adopting = known.adopting();
            let monitor = &adopting.monitor;
            for (what, values) in [
                ("next", numbers(&mut monitor.next.iter().flatten().copied())),
                ("may_end", numbers(&mut monitor.may_end.iter().map(|may_end| u8::from(*may_end)))),
                ("distance", numbers(&mut distances(monitor).into_iter())),
            ] {
                let _ = writeln!(text, "static const unsigned char {id}_{what}_{index}[] = {{{values}}};");
            }
            let _ = write!(
                properties,
                "{{{}, {}, {id}_next_{index}, {id}_may_end_{index}, {id}_distance_{index}, {}, {}, {}, {}, {}, {}}}, ",
                quoted(&property.text),
                quoted(path),
                property.line,
                self.n_properties + index as u32,
                u8::from(property.duty == Duty::Expects),
                monitor.start,
                adopting.unknown,
                known.next.len(),
            );
        }
        let _ = write!(
            text,
            "static const struct tine_property {id}_properties[] = {{{properties}}};\n\
             struct tine_spec {id} = {{{}, {id}_properties, {}, {}, {}, {}, TINE_ADOPTS, tine_near, &__tine_call_place, &__tine_return_place, 0, {{0}}}};\n",
            quoted(&spec.name),
            self.n_specs,
            letters.sets.len(),
            spec.properties.len(),
            u8::from(spec.object.is_some()),
        );
    }

    /// The hook at one point of a specification, and the one that saves the values of `old(…)` for it.
    fn hook(&mut self, path: &str, spec: &Spec, point: &Point) -> Result<(), Mistake> {
        let known = self.known(spec, point)?;
        let text = &mut self.monitors.codes[known.file];
        if text.is_empty() {
            *text = INTERPRETER.to_owned();
        }
        let id = format!("tine_spec_{}", self.n_specs);
        if known.file > 0 {
            let _ = writeln!(text, "extern struct tine_spec {id};");
        }
        let event = Event::new(spec, point, &known.signature, path)?;
        let (number, symbol) = (self.n_hooks, &known.symbol);
        self.n_hooks += 1;
        let name = format!("{HOOK}{number}");
        *text += &event.point(number);
        *text += &event.hook(&name, &id, number);
        let slot = if event.old.is_empty() { "-".to_owned() } else { number.to_string() };
        if !event.old.is_empty() {
            let save = format!("{HOOK}{}", self.n_hooks);
            self.n_hooks += 1;
            *text += &event.save(&save);
            let _ = writeln!(self.monitors.hooks, "call {symbol} {save} {slot}");
        }
        let _ = writeln!(text, "#line 1 \"{DRIVER_FILE}\"");
        let moment = if point.moment == Moment::Call { "call" } else { "return" };
        let _ = writeln!(self.monitors.hooks, "{moment} {symbol} {name} {slot}");
        Ok(())
    }

    /// The function of a point. A prototype in the specification replaces what the unit knows.
    fn known(&self, spec: &Spec, point: &Point) -> Result<Known, Mistake> {
        let mut propositions = point.propositions.iter().map(|id| &spec.propositions[*id]);
        let line = propositions.clone().next().map_or(spec.line, |first| first.line);
        let name = &point.function;
        let known = (self.find)(name);
        if let Some(prototype) = propositions.find_map(|proposition| proposition.prototype.as_ref()) {
            let has_result = prototype.result.as_str() != "void" && !prototype.result.is_empty();
            let signature = Signature {
                result: has_result.then(|| variable(&format!("{} result", prototype.result))),
                parameters: prototype.parameters.iter().map(|parameter| variable(parameter)).collect(),
            };
            let symbol = known.map_or_else(|| name.clone(), |known| known.symbol);
            return Ok(Known { file: 0, symbol, signature });
        }
        known.ok_or_else(|| {
            Mistake::new(line, 1, format!("the function `{name}` is not defined in the unit"))
                .help(format!("correct its name, or write its prototype: `call int {name}(int parameter)`"))
        })
    }

    fn finish(mut self) -> Monitors {
        let text = &mut self.monitors.codes[0];
        let near: String = self.near.iter().map(|count| format!("{count},")).collect();
        let ends: String =
            (0..self.n_specs).map(|spec| format!("    __tine_end_of_run(&tine_spec_{spec});\n")).collect();
        let _ = writeln!(text, "static unsigned tine_near[] = {{{near}}};");
        let _ = writeln!(text, "__attribute__((destructor)) void {END_HOOK}(void) {{\n{ends}}}");
        self.monitors
    }
}

/// Distance of each state to a violation, as the monitors count it.
fn distances(monitor: &Monitor) -> Vec<u8> {
    let capped = |distance: Option<u32>| distance.map_or(FAR, |distance| distance.min(FAR.into()) as u8);
    monitor.distances().into_iter().map(capped).collect()
}

/// The events at one point.
struct Event<'a> {
    spec: &'a Spec,
    point: &'a Point,
    propositions: Vec<&'a Proposition>,
    signature: &'a Signature,
    path: &'a str,
    /// C expression for the object; 0 without objects.
    object: String,
    /// C expressions for the conditions.
    conditions: Vec<String>,
    /// Expressions inside `old(…)`, with their lines.
    old: Vec<(String, u32)>,
}

impl<'a> Event<'a> {
    fn new(spec: &'a Spec, point: &'a Point, signature: &'a Signature, path: &'a str) -> Result<Event<'a>, Mistake> {
        let propositions: Vec<&Proposition> = point.propositions.iter().map(|id| &spec.propositions[*id]).collect();
        let mut old = Vec::new();
        let line = propositions[0].line;
        let object = replace_old(&object(spec, point, signature, line)?, line, &mut old);
        let mut conditions = Vec::new();
        for proposition in &propositions {
            let condition = proposition.condition.as_deref().unwrap_or("1");
            conditions.push(replace_old(condition, proposition.line, &mut old));
            if point.moment == Moment::Call && !old.is_empty() {
                return Err(Mistake::new(proposition.line, 1, "`old` is only meaningful in a condition at a return"));
            }
        }
        Ok(Event { spec, point, propositions, signature, path, object, conditions, old })
    }

    /// Variables whose values are recorded: integers other than the object.
    fn values(&self) -> Vec<&Variable> {
        let is_shown = |variable: &&Variable| variable.shown != Shown::No && variable.name != self.object;
        let result = self.signature.result.iter().filter(|_| self.point.moment == Moment::Return).find(is_shown);
        let n = MAX_VALUES - usize::from(result.is_some());
        self.signature.parameters.iter().filter(is_shown).take(n).chain(result).collect()
    }

    /// The names of the propositions and values.
    fn point(&self, number: usize) -> String {
        let list = |names: Vec<String>| if names.is_empty() { "0".to_owned() } else { names.join(", ") };
        let propositions = list(self.propositions.iter().map(|proposition| quoted(&proposition.name)).collect());
        let values = self.values();
        let n_values = values.len();
        let named = |variable: &&Variable| {
            let kind = if variable.shown == Shown::Signed { 'd' } else { 'u' };
            quoted(&format!("{kind}{}", variable.name))
        };
        let values = list(values.iter().map(named).collect());
        format!(
            "static const char *const tine_propositions_{number}[] = {{{propositions}}};\n\
             static const char *const tine_values_{number}[] = {{{values}}};\n\
             static const struct tine_point tine_point_{number} = {{tine_propositions_{number}, \
             tine_values_{number}, {n_values}}};\n"
        )
    }

    /// The function that evaluates the conditions and reports the event.
    fn hook(&self, name: &str, id: &str, number: usize) -> String {
        let is_return = self.point.moment == Moment::Return;
        let mut text = self.header(name, is_return) + "    unsigned tine_bits = 0;\n";
        let asks = self.conditions.iter().chain([&self.object]).any(|condition| condition.contains('('));
        if asks {
            text += "    if (__tine_is_asking)\n        return;\n    __tine_is_asking = 1;\n";
        }
        if !self.old.is_empty() {
            text += &self.saved();
        }
        if let Some(named) = self.spec.object.as_ref().filter(|named| self.is_new(&named.name)) {
            text += &self.line(self.propositions[0].line);
            let _ =
                writeln!(text, "    {} {} = (void *)({}); (void){};", named.ty, named.name, self.object, named.name);
        }
        for (bit, (proposition, condition)) in self.propositions.iter().zip(&self.conditions).enumerate() {
            text += &self.line(proposition.line);
            let _ = match proposition.condition {
                Some(_) => writeln!(text, "    if ({condition}) tine_bits |= {};", 1_u32 << bit),
                None => writeln!(text, "    tine_bits |= {};", 1_u32 << bit),
            };
        }
        if asks {
            text += "    __tine_is_asking = 0;\n";
        }
        let mut values: Vec<String> =
            self.values().iter().map(|variable| format!("(unsigned long){}", variable.name)).collect();
        values.resize(MAX_VALUES, "0".to_owned());
        let _ = writeln!(
            text,
            "    if (tine_bits) {}(&{id}, (const void *)({}), {}u | tine_bits, &tine_point_{number}, {});\n}}",
            if self.spec.object.is_some() { "tine_event" } else { "__tine_event" },
            self.object,
            u32::from(self.spec.object.is_none()) << 31 | (self.point.first as u32) << 9 | u32::from(is_return) << 8,
            values.join(", "),
        );
        text
    }

    /// The function that saves the values of `old(…)` at the call.
    fn save(&self, name: &str) -> String {
        let mut text = self.header(name, false);
        text += "    __tine_is_asking++;\n";
        text += &self.saved();
        let _ = writeln!(text, "    _Static_assert(sizeof *tine_old <= {SAVED_BYTES}, \"too many values in old()\");");
        for (index, (old, line)) in self.old.iter().enumerate() {
            text += &self.line(*line);
            let _ = writeln!(text, "    tine_old->v{index} = ({old});");
        }
        text + "    __tine_is_asking--;\n}\n"
    }

    /// The start of a hook. Its line is that of the specification, so that errors in a condition have that place.
    fn header(&self, name: &str, has_result: bool) -> String {
        let result = self.signature.result.iter().filter(|_| has_result);
        let parameters = self.signature.parameters.iter().chain(result).map(|variable| variable.declaration.as_str());
        let parameters: Vec<&str> = parameters.chain(["void *tine_saved"]).collect();
        format!(
            "{}__attribute__((used, visibility(\"hidden\"))) void {name}({}) {{\n    (void)tine_saved;\n",
            self.line(self.propositions[0].line),
            parameters.join(", ")
        )
    }

    /// Declares the memory for `old(…)`. The comma makes pointers of arrays, and drops qualifiers.
    fn saved(&self) -> String {
        let mut text = "    struct {\n".to_owned();
        for (index, (old, line)) in self.old.iter().enumerate() {
            text += &self.line(*line);
            let _ = writeln!(text, "        __typeof__((0, ({old}))) v{index};");
        }
        text + "    } *tine_old = tine_saved;\n"
    }

    fn line(&self, line: u32) -> String {
        format!("#line {line} {}\n", quoted(self.path))
    }

    /// True if the function has no parameter of this name.
    fn is_new(&self, name: &str) -> bool {
        self.object != name && self.signature.parameters.iter().all(|parameter| parameter.name != name)
    }
}

/// The expression for the object of a point's events; 0 without objects.
fn object(spec: &Spec, point: &Point, signature: &Signature, line: u32) -> Result<String, Mistake> {
    let Some(object) = &spec.object else {
        let help = "write `for each NAME: TYPE *` after the name of the specification";
        let unused = || Mistake::new(line, 1, "`on` names an object, but the specification has none").help(help);
        return point.object.as_ref().map_or_else(|| Ok("0".to_owned()), |_| Err(unused()));
    };
    if let Some(expression) = &point.object {
        return Ok(expression.clone());
    }
    let fits = |variable: &&Variable| plain(&variable.ty) == plain(&object.ty);
    let by_name = signature.parameters.iter().find(|parameter| parameter.name == object.name && fits(parameter));
    let result = signature.result.as_ref().filter(|result| point.moment == Moment::Return && fits(result));
    let found = result.or(by_name).or_else(|| signature.parameters.iter().find(fits));
    found.map(|variable| variable.name.clone()).ok_or_else(|| {
        Mistake::new(line, 1, format!("`{}` has no parameter or result of the type `{}`", point.function, object.ty))
            .help("every event must be about such an object: write `on EXPRESSION` after the function")
    })
}

/// A type without qualifiers and with single spaces, for comparison.
fn plain(ty: &str) -> String {
    let words = ty.replace('*', " * ");
    words
        .split_whitespace()
        .filter(|word| !["const", "volatile", "restrict"].contains(word))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Name and type of a declaration such as `const char *path`.
fn variable(declaration: &str) -> Variable {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let start = declaration.rfind(|c| !is_word(c)).map_or(0, |at| at + 1);
    let (ty, name) = declaration.split_at(start);
    let ty = ty.trim().to_owned();
    Variable { name: name.to_owned(), declaration: declaration.to_owned(), shown: shown(&ty), ty }
}

/// Display of a variable of a type that is only known as text.
fn shown(ty: &str) -> Shown {
    const INTEGERS: [&str; 11] =
        ["int", "char", "long", "short", "unsigned", "signed", "size_t", "ssize_t", "off_t", "_Bool", "bool"];
    let ty = plain(ty);
    match ty.split(' ').all(|word| INTEGERS.contains(&word)) {
        true if ty.contains("unsigned") || ty == "size_t" => Shown::Unsigned,
        true => Shown::Signed,
        false => Shown::No,
    }
}

/// Replaces each `old(…)` by a saved value.
fn replace_old(condition: &str, line: u32, old: &mut Vec<(String, u32)>) -> String {
    let mut text = String::new();
    let mut rest = condition;
    while let Some(at) = rest.find("old(") {
        let is_word = rest[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
        let inside = &rest[at + 4..];
        let mut depth = 1;
        let end = inside.char_indices().find_map(|(index, c)| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            (depth == 0).then_some(index)
        });
        let Some(end) = end.filter(|_| !is_word) else {
            text += &rest[..at + 4];
            rest = inside;
            continue;
        };
        text += &rest[..at];
        let expression = inside[..end].to_owned();
        let index = old.iter().position(|(known, _)| *known == expression).unwrap_or_else(|| {
            old.push((expression, line));
            old.len() - 1
        });
        let _ = write!(text, "tine_old->v{index}");
        rest = &inside[end + 1..];
    }
    text + rest
}

/// A C string constant.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                quoted.push('\\');
                quoted.push(char::from(byte));
            }
            0x20..=0x7e => quoted.push(char::from(byte)),
            _ => {
                let _ = write!(quoted, "\\{byte:03o}");
            }
        }
    }
    quoted + "\""
}
