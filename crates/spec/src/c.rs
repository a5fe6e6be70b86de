//! Monitors as C code. The harness includes it after the unit, so conditions can use the unit's types and are explored
//! like the unit.
//!
//! For each monitored moment of a function there is one hook, which the instrumented unit calls:
//!
//! ```text
//!   static void __tine_call_conn_send(struct conn *c, int n, void *saved)
//!   static void __tine_return_conn_send(struct conn *c, int n, int result, void *saved)
//! ```
//! The parameters come first, so that clang passes them like those of the function. `saved` is memory of the call for
//! the values of `old(…)`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tine_trace::event::MAX_DISTANCE;
use tine_trace::map::{CALL_HOOK, DRIVER_FILE, RETURN_HOOK, SAVED_BYTES};

use crate::letters::{Letters, Point};
use crate::monitor::Monitor;
use crate::parse::Mistake;
use crate::syntax::{Duty, Moment, Proposition, Spec};

/// The automata's interpreter.
const INTERPRETER: &str = include_str!("monitor.c");

/// Largest distance to a violation that is counted, also used for states from which no violation can be reached.
const FAR: u8 = MAX_DISTANCE;

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
}

/// A file of specifications.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    /// Path that messages name.
    pub path: &'a str,
    pub specs: &'a [Spec],
}

/// C code, and warnings about properties that cannot have the intended effect.
#[derive(Clone, Debug, Default)]
pub struct Monitors {
    pub text: String,
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

/// Returns the monitors of all specifications. `signature_of` returns the signatures of the unit's functions.
pub fn monitors(
    sources: &[Source<'_>],
    signature_of: &dyn Fn(&str) -> Option<Signature>,
) -> Result<Monitors, (String, Mistake)> {
    let mut monitors = Monitors::default();
    if sources.iter().all(|source| source.specs.is_empty()) {
        return Ok(monitors);
    }
    monitors.text += INTERPRETER;
    let mut hooks: BTreeMap<(Moment, String), Hook> = BTreeMap::new();
    let mut ends = String::new();
    let mut near = [0_u32; FAR as usize + 1];
    let mut n_properties = 0;
    for source in sources {
        for spec in source.specs {
            let id = format!("tine_spec_{}", spec.name);
            let failed = |mistake: Mistake| (source.path.to_owned(), mistake);
            let letters = Letters::new(spec).map_err(|function| {
                failed(Mistake::new(spec.line, 1, format!("too many propositions about one moment of `{function}`")))
            })?;
            let automata = automata(source.path, spec, &letters, &mut monitors.warnings).map_err(failed)?;
            tables(&mut monitors.text, &id, spec, &letters, &automata, n_properties);
            let numbered = (n_properties..).zip(&automata);
            let properties = numbered.map(|(number, monitor)| (number, monitor.start, (monitor.next.len() - 1) as u8));
            monitors.states.push(States { spec: spec.name.clone(), properties: properties.collect() });
            n_properties += automata.len() as u32;
            for monitor in &automata {
                near[usize::from(distances(monitor)[usize::from(monitor.start)])] += 1;
            }
            for point in &letters.points {
                let event = event(&id, spec, point, source.path, signature_of).map_err(failed)?;
                let hook = hooks.entry((point.moment, point.function.clone())).or_default();
                hook.signature.get_or_insert(event.signature);
                hook.body += &event.body;
                hook.old.extend(event.old);
            }
            let _ = writeln!(ends, "    tine_end(&{id}, {});", u8::from(spec.object.is_some()));
        }
    }
    save_before_returns(&mut hooks);
    for ((moment, function), hook) in &hooks {
        monitors.text += &hook.text(*moment, function);
    }
    let near: String = near.iter().map(|count| format!("{count},")).collect();
    let _ = writeln!(monitors.text, "static unsigned tine_near[TINE_FAR + 1] = {{{near}}};");
    let _ = writeln!(monitors.text, "__attribute__((destructor)) static void tine_end_of_specs(void) {{\n{ends}}}");
    Ok(monitors)
}

/// The body of a hook, gathered from all specifications.
#[derive(Default)]
struct Hook {
    signature: Option<Signature>,
    body: String,
    /// Expressions inside `old(…)` in conditions at the return.
    old: Vec<String>,
}

impl Hook {
    fn text(&self, moment: Moment, function: &str) -> String {
        let signature = self.signature.clone().unwrap_or(Signature { result: None, parameters: Vec::new() });
        let mut parameters = Vec::new();
        let prefix = match moment {
            Moment::Call => CALL_HOOK,
            Moment::Return => RETURN_HOOK,
        };
        parameters.extend(signature.parameters.into_iter().map(|parameter| parameter.declaration));
        if moment == Moment::Return {
            parameters.extend(signature.result.map(|result| result.declaration));
        }
        parameters.push("void *tine_saved".to_owned());
        let parameters = parameters.join(", ");
        let mut text =
            format!("__attribute__((used)) static void {prefix}{function}({parameters}) {{\n    (void)tine_saved;\n");
        if !self.old.is_empty() {
            text += "    struct {";
            for (index, old) in self.old.iter().enumerate() {
                let _ = write!(text, " __typeof__({old}) v{index};");
            }
            text += " } *tine_old = tine_saved;\n";
            let _ =
                writeln!(text, "    _Static_assert(sizeof *tine_old <= {SAVED_BYTES}, \"too many values in old()\");");
        }
        if moment == Moment::Call {
            for (index, old) in self.old.iter().enumerate() {
                let _ = writeln!(text, "    tine_old->v{index} = ({old});");
            }
        }
        text + &self.body + "}\n"
    }
}

/// Adds a hook at the call to every function whose return has `old(…)`. It saves the values.
fn save_before_returns(hooks: &mut BTreeMap<(Moment, String), Hook>) {
    let returns: Vec<(String, Option<Signature>, Vec<String>)> = hooks
        .iter()
        .filter(|((moment, _), hook)| *moment == Moment::Return && !hook.old.is_empty())
        .map(|((_, function), hook)| (function.clone(), hook.signature.clone(), hook.old.clone()))
        .collect();
    for (function, signature, old) in returns {
        let hook = hooks.entry((Moment::Call, function)).or_default();
        hook.signature = hook.signature.take().or(signature);
        hook.old = old;
    }
}

fn automata(
    path: &str,
    spec: &Spec,
    letters: &Letters,
    warnings: &mut Vec<(String, u32, String)>,
) -> Result<Vec<Monitor>, Mistake> {
    let mut automata = Vec::new();
    for property in &spec.properties {
        let monitor = Monitor::new(property, letters).map_err(|why| {
            Mistake::new(property.line, 1, why.to_string()).help("split the property into smaller ones")
        })?;
        let mut warn = |what: &str| {
            warnings.push((path.to_owned(), property.line, format!("`{}` can never be {what}", property.text)));
        };
        if monitor.is_always_kept() {
            warn("violated");
        } else if monitor.is_never_kept() {
            warn("satisfied");
        }
        automata.push(monitor);
    }
    Ok(automata)
}

/// Distance of each state to a violation, as the monitors count it.
fn distances(monitor: &Monitor) -> Vec<u8> {
    let capped = |distance: Option<u32>| distance.map_or(FAR, |distance| distance.min(FAR.into()) as u8);
    monitor.distances().into_iter().map(capped).collect()
}

/// The data of one specification. Its properties are numbered from `first` on.
fn tables(text: &mut String, id: &str, spec: &Spec, letters: &Letters, automata: &[Monitor], first: u32) {
    let numbers = |numbers: &mut dyn Iterator<Item = u8>| numbers.map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let mut properties = String::new();
    for (index, (monitor, property)) in automata.iter().zip(&spec.properties).enumerate() {
        let next = numbers(&mut monitor.next.iter().flatten().copied());
        let may_end = numbers(&mut monitor.may_end.iter().map(|may_end| u8::from(*may_end)));
        let _ = writeln!(text, "static const unsigned char {id}_next_{index}[] = {{{next}}};");
        let distance = numbers(&mut distances(monitor).into_iter());
        let _ = writeln!(text, "static const unsigned char {id}_may_end_{index}[] = {{{may_end}}};");
        let _ = writeln!(text, "static const unsigned char {id}_distance_{index}[] = {{{distance}}};");
        let _ = write!(
            properties,
            "{{{}, {}, {}, {id}_next_{index}, {id}_may_end_{index}, {id}_distance_{index}, {}}}, ",
            quoted(&property.text),
            u8::from(property.duty == Duty::Expects),
            monitor.start,
            first + index as u32,
        );
    }
    let n_properties = spec.properties.len();
    let instances = if spec.object.is_some() { "TINE_LIVE" } else { "1" };
    let _ = write!(
        text,
        "static const struct tine_property {id}_properties[] = {{{properties}}};\n\
         static struct tine_instance {id}_instances[{instances}];\n\
         static unsigned char {id}_states[{instances} * {n_properties}];\n\
         static struct tine_spec {id} = {{{}, {}, {n_properties}, {id}_properties, 0, {id}_instances, {id}_states, 0, {{{{0}}}}}};\n",
        quoted(&spec.name),
        letters.sets.len(),
    );
}

/// Part of a hook that one specification adds.
struct Event {
    signature: Signature,
    body: String,
    old: Vec<String>,
}

fn event(
    id: &str,
    spec: &Spec,
    point: &Point,
    path: &str,
    signature_of: &dyn Fn(&str) -> Option<Signature>,
) -> Result<Event, Mistake> {
    let propositions: Vec<&Proposition> = point.propositions.iter().map(|p| &spec.propositions[*p]).collect();
    let written = propositions.iter().find_map(|proposition| proposition.prototype.as_ref());
    let signature = match written {
        Some(prototype) => Signature {
            result: (prototype.result.as_str() != "void" && !prototype.result.is_empty())
                .then(|| variable(&format!("{} result", prototype.result))),
            parameters: prototype.parameters.iter().map(|parameter| variable(parameter)).collect(),
        },
        None => signature_of(&point.function).ok_or_else(|| {
            Mistake::new(
                propositions[0].line,
                1,
                format!("the function `{}` is not defined in the unit", point.function),
            )
            .help(format!("correct its name, or write its prototype: `call int {}(int parameter)`", point.function))
        })?,
    };
    // The caller is responsible for a call, the function itself for its return.
    let is_return = u8::from(point.moment == Moment::Return);
    let object = object(spec, point, &signature, propositions[0].line)?;
    let mut old = Vec::new();
    let mut body =
        format!("    {{ unsigned tine_bits = 0; const char *tine_name = {};\n", quoted(&propositions[0].name));
    if let Some(named) = spec.object.as_ref().filter(|named| object != named.name) {
        let _ = writeln!(body, "    {} {} = {object}; (void){};", named.ty, named.name, named.name);
    }
    for (bit, proposition) in propositions.iter().enumerate() {
        let condition = proposition.condition.as_deref().unwrap_or("1");
        let condition = replace_old(condition, &mut old);
        if point.moment == Moment::Call && !old.is_empty() {
            return Err(Mistake::new(proposition.line, 1, "`old` is only meaningful in a condition at a return"));
        }
        let _ = writeln!(body, "#line {} {}", proposition.line, quoted(path));
        let _ = writeln!(
            body,
            "    if ({condition}) {{ tine_bits |= {}; tine_name = {}; }}",
            1_u32 << bit,
            quoted(&proposition.name)
        );
    }
    let _ = writeln!(
        body,
        "#line 1 \"{DRIVER_FILE}\"\n    if (tine_bits) tine_event(&{id}, (const void *)({object}), {} + tine_bits - 1, tine_name, {is_return});\n    }}",
        point.first
    );
    Ok(Event { signature, body, old })
}

/// The variable of a hook that is the object of its event; 0 without objects.
fn object(spec: &Spec, point: &Point, signature: &Signature, line: u32) -> Result<String, Mistake> {
    let Some(object) = &spec.object else { return Ok("0".to_owned()) };
    let fits = |variable: &&Variable| plain(&variable.ty) == plain(&object.ty);
    let by_name = signature.parameters.iter().find(|parameter| parameter.name == object.name && fits(parameter));
    let result = signature.result.as_ref().filter(|result| point.moment == Moment::Return && fits(result));
    let found = result.or(by_name).or_else(|| signature.parameters.iter().find(fits));
    found.map(|variable| variable.name.clone()).ok_or_else(|| {
        Mistake::new(line, 1, format!("`{}` has no parameter or result of the type `{}`", point.function, object.ty))
            .help(format!("every event of `for each {}` must be about such an object", object.name))
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
    Variable { name: name.to_owned(), declaration: declaration.to_owned(), ty: ty.trim().to_owned() }
}

/// Replaces each `old(…)` by a saved value.
fn replace_old(condition: &str, old: &mut Vec<String>) -> String {
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
        let index = old.iter().position(|known| *known == expression).unwrap_or_else(|| {
            old.push(expression);
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
