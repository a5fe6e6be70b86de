//! The harness for libFuzzer of a call sequence: bytes of the input select the calls and are their arguments.
//!
//! ```text
//!   first calls: their arguments │ number of a call │ its arguments │ number of a call │ …
//!   argument: its value, or, if earlier calls return the type, a code first: 0 for a value, k for the k-th of them
//! ```
//! A call that happens once at most (`free?`) is the last: it may end the life of the object.

use std::fmt::Write as _;

use tine_session::Input;
use tine_trace::plan::InputKind;
use tine_types::{Function, Kind, TypeId};

use super::fuzz::{Encoder, Tables, argument};
use super::sequence::{Object, is_same};
use super::{Maker, write};
use crate::Error;

/// Number of calls if `--max-calls` does not say.
const MAX_CALLS: u64 = 16;

/// A function of a sequence.
pub(super) struct Callee<'a> {
    function: &'a Function,
    /// Called once, before the others.
    is_first: bool,
    is_last: bool,
    /// The object, or a value with the number of its type.
    arguments: Vec<Argument>,
}

enum Argument {
    Object(String),
    Value {
        layout: usize,
        /// Functions whose results it may be.
        results: Vec<usize>,
    },
}

impl Maker<'_> {
    /// The functions of the sequences, in the order of `--calls`.
    pub(super) fn callees(&self, object: &Object, tables: &mut Tables<'_>) -> Result<Vec<Callee<'_>>, Error> {
        let graph = &self.program.types;
        let missing = || Error::Types("a function of the sequence is missing".to_owned());
        let items: Vec<&str> = self.stored.target.name.split(',').map(str::trim).collect();
        let functions = items.iter().map(|item| self.program.function(item.trim_end_matches(['*', '?'])));
        let functions: Vec<&Function> = functions.collect::<Option<_>>().ok_or_else(missing)?;
        let returns = |ty: TypeId| {
            let is_pointer = matches!(graph.kind(graph.strip(ty)), Kind::Pointer { .. });
            let found = functions.iter().enumerate().skip(1).filter(|(_, one)| is_same(graph, one.ret, ty));
            found.filter(|_| is_pointer).map(|(index, _)| index).collect::<Vec<usize>>()
        };
        let callee = |(index, function): (usize, &&'_ Function)| {
            let arguments = function.params.iter().map(|parameter| {
                let own = object.argument(graph, parameter.ty).filter(|_| index > 0 || object.is_owned);
                own.map_or_else(
                    || Argument::Value { layout: tables.number(parameter.ty), results: returns(parameter.ty) },
                    Argument::Object,
                )
            });
            let arguments = arguments.collect();
            let (is_first, is_last) = (!items[index].ends_with(['*', '?']), items[index].ends_with('?'));
            Callee { function: functions[index], is_first, is_last, arguments }
        };
        Ok(functions.iter().enumerate().map(callee).collect())
    }

    /// The harness below the tables.
    pub(super) fn sequence_harness(&self, object: &Object, callees: &[Callee<'_>]) -> Result<String, Error> {
        let graph = &self.program.types;
        let failed = |why: super::Reason| Error::Types(why.to_string());
        let mut text = String::from(
            "\nint LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);\n\
             int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {\n    \
             struct input in = { data, size };\n",
        );
        if let Some(line) = object.declaration(graph).map_err(failed)? {
            let _ = writeln!(text, "    {line}");
        }
        for (index, callee) in callees.iter().enumerate().filter(|(index, _)| is_passed(callees, *index)) {
            let ty = write::unqualified(graph, callee.function.ret);
            let _ = writeln!(text, "    {} = 0;", write::declaration(graph, ty, &result(index)).map_err(failed)?);
        }
        for (index, _) in callees.iter().enumerate().filter(|(_, callee)| callee.is_first) {
            if index == 0 && !object.is_owned {
                let declared = write::declaration(graph, object.ty, &object.name).map_err(failed)?;
                let _ = writeln!(text, "    {declared};");
            }
            text.push_str("    {\n");
            text.push_str(&self.call_text(object, callees, index)?);
            text.push_str("    }\n");
            if index == 0 && !object.is_owned && matches!(graph.kind(graph.strip(object.ty)), Kind::Pointer { .. }) {
                let _ = writeln!(text, "    if (!{})\n        return 0;", object.name);
            }
        }
        let n_free = callees.iter().filter(|callee| !callee.is_first).count();
        if n_free > 0 {
            let max = self.config.max_calls.map_or(MAX_CALLS, |max| max.get());
            let _ = writeln!(
                text,
                "    for (unsigned n = 0; n < {max} && in.size > 0; n++) {{\n        switch (read_code(&in) % {n_free}) {{"
            );
            let free = callees.iter().enumerate().filter(|(_, callee)| !callee.is_first);
            for (number, (index, callee)) in free.enumerate() {
                let _ = writeln!(text, "        case {number}: {{");
                text.push_str(&self.call_text(object, callees, index)?);
                let end = if callee.is_last { "release_objects();\n            return 0;" } else { "break;" };
                let _ = writeln!(text, "            {end}\n        }}");
            }
            text.push_str("        }\n    }\n");
        }
        text.push_str("    release_objects();\n    return 0;\n}\n");
        Ok(text)
    }

    fn call_text(&self, object: &Object, callees: &[Callee<'_>], index: usize) -> Result<String, Error> {
        let graph = &self.program.types;
        let Callee { function, arguments, .. } = &callees[index];
        let (mut text, mut passed) = (String::new(), Vec::new());
        for (number, (own, parameter)) in arguments.iter().zip(&function.params).enumerate() {
            let Argument::Value { layout, results } = own else {
                if let Argument::Object(name) = own {
                    passed.push(name.clone());
                }
                continue;
            };
            let name = argument(number);
            let declared = write::declaration(graph, write::unqualified(graph, parameter.ty), &name);
            let _ = writeln!(text, "            {};", declared.map_err(|why| Error::Types(why.to_string()))?);
            let read = format!("read_value(&in, (void *)&{name}, {layout});");
            if results.is_empty() {
                let _ = writeln!(text, "            {read}");
            } else {
                text.push_str("            switch (read_code(&in)) {\n");
                for (code, of) in (1..).zip(results) {
                    let _ = writeln!(
                        text,
                        "            case {code}:\n                {name} = {};\n                break;",
                        result(*of)
                    );
                }
                let _ = writeln!(text, "            default:\n                {read}\n            }}");
            }
            passed.push(name);
        }
        let makes = index == 0 && !object.is_owned;
        let target = match (makes, is_passed(callees, index)) {
            (true, _) => format!("{} = ", object.name),
            (false, true) => format!("{} = ", result(index)),
            (false, false) => "(void)".to_owned(),
        };
        let _ = writeln!(text, "            {target}{}({});", function.name, passed.join(", "));
        Ok(text)
    }
}

/// True if the results of a function are passed to others.
fn is_passed(callees: &[Callee<'_>], index: usize) -> bool {
    let mut arguments = callees.iter().flat_map(|callee| &callee.arguments);
    arguments.any(|one| matches!(one, Argument::Value { results, .. } if results.contains(&index)))
}

fn result(index: usize) -> String {
    format!("result_{index}")
}

impl Encoder<'_> {
    /// The bytes of a case.
    pub(super) fn sequence(&self, input: &Input, callees: &[Callee<'_>]) -> Vec<u8> {
        let mut requests = input.requests.iter().filter(|one| match one.kind {
            InputKind::Call | InputKind::Passed => true,
            _ => one.ty != 0,
        });
        let (mut bytes, mut known) = (Vec::new(), Default::default());
        while let Some(call) = requests.next() {
            let Some(index) = callees.iter().position(|callee| callee.function.name == call.name) else { break };
            if !callees[index].is_first {
                let number = callees[..index].iter().filter(|callee| !callee.is_first).count();
                bytes.push(number as u8);
            }
            for argument in &callees[index].arguments {
                let Argument::Value { layout, results } = argument else { continue };
                let Some(request) = requests.next() else { return bytes };
                let of = request.name.split_once(" = result of ").map(|(_, of)| of);
                let code = results.iter().position(|one| Some(callees[*one].function.name.as_str()) == of);
                if !results.is_empty() {
                    bytes.push(code.map_or(0, |code| code as u8 + 1));
                }
                if code.is_none() {
                    self.value(&request.bytes, *layout, &mut bytes, &mut known);
                }
            }
        }
        bytes
    }
}
