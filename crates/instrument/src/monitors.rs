//! Hooks of specifications: the harness defines `__tine_call_F` and `__tine_return_F`, and this pass calls them.
//!
//! ```text
//!   F defined in the module    hooks at its first instruction and before every return
//!   F only declared            hooks before and after every call of it
//! ```
//! Call sites of monitored functions store their position in `__tine_call_file`, `__tine_call_line` and
//! `__tine_call_function`. Line 0 means the harness. A hook whose parameters clang passes differently from the
//! function's is not called: see [`Unmonitored`].

use tine_trace::map::{CALL_FILE, CALL_FUNCTION, CALL_HOOK, CALL_LINE, DRIVER_FILE, RETURN_HOOK, SAVED_BYTES};

use crate::llvm::{Builder, LLVMOpcode, Module, Value};
use crate::names;

/// A function that cannot be monitored, because it passes structures by value.
pub(crate) type Unmonitored = String;

/// The hooks of one function.
#[derive(Clone, Copy)]
struct Hooks {
    function: Value,
    call: Option<Value>,
    leave: Option<Value>,
}

/// Calls the hooks that the module defines.
pub(crate) fn hook(module: &Module) -> Result<(), Unmonitored> {
    let functions = module.functions();
    let find = |name: &str| functions.iter().copied().find(|function| function.name() == name);
    let defined = |name: String| find(&name).filter(|hook| !hook.is_declaration());
    let mut all = Vec::new();
    for function in &functions {
        let name = function.name();
        let hooks = Hooks {
            function: *function,
            call: defined(format!("{CALL_HOOK}{name}")),
            leave: defined(format!("{RETURN_HOOK}{name}")),
        };
        if hooks.call.is_some() || hooks.leave.is_some() {
            hooks.check()?;
            all.push(hooks);
        }
    }
    if all.is_empty() {
        return Ok(());
    }
    let global = |name: &str| module.globals().into_iter().find(|global| global.name() == name);
    let (Some(file), Some(line), Some(in_function)) = (global(CALL_FILE), global(CALL_LINE), global(CALL_FUNCTION))
    else {
        return Ok(());
    };
    let builder = module.builder();
    let sites = Sites { module, builder: &builder, file, line, in_function };
    for function in functions.iter().filter(|function| !function.is_declaration() && !is_hook(**function)) {
        for call in calls(*function) {
            let hooks = all.iter().find(|hooks| hooks.function == call.called());
            if hooks.is_some() || !call.called().is_function() && !call.called().is_inline_asm() {
                sites.leave_place(*function, call);
            }
            if let Some(hooks) = hooks.filter(|hooks| hooks.function.is_declaration()) {
                sites.around(*function, call, hooks);
            }
        }
    }
    for hooks in all.iter().filter(|hooks| !hooks.function.is_declaration()) {
        sites.inside(hooks);
    }
    Ok(())
}

impl Hooks {
    /// Checks that the hooks take the function's parameters, then the result and memory of the call.
    fn check(&self) -> Result<(), Unmonitored> {
        let ty = self.function.function_type();
        let parameters = ty.params();
        let fits = |hook: Value, more: usize| {
            let given = hook.function_type().params();
            given.len() == parameters.len() + more && given.starts_with(&parameters)
        };
        let call = self.call.is_none_or(|hook| fits(hook, 1));
        let more = if ty.return_type().is_void() { 1 } else { 2 };
        let leave = self.leave.is_none_or(|hook| fits(hook, more));
        if call && leave { Ok(()) } else { Err(self.function.name()) }
    }
}

struct Sites<'a> {
    module: &'a Module,
    builder: &'a Builder,
    file: Value,
    line: Value,
    in_function: Value,
}

impl Sites<'_> {
    fn leave_place(&self, caller: Value, call: Value) {
        let location = call.location();
        let path = std::path::Path::new(&location.file);
        let is_harness = path.file_name().is_some_and(|name| name == DRIVER_FILE);
        let line = if is_harness { 0 } else { location.line.max(1) };
        let text = |text: &str| self.module.add_text(&[text.as_bytes(), b"\0"].concat());
        let b = self.builder;
        b.before(call);
        b.store(text(&location.file), self.file, 8);
        b.store(text(names::shown(&caller.name())), self.in_function, 8);
        b.store(b.i32.constant(u64::from(line)), self.line, 4);
    }

    /// Hooks before and after a call of a function that is defined elsewhere.
    fn around(&self, caller: Value, call: Value, hooks: &Hooks) {
        let b = self.builder;
        let saved = self.saved(caller);
        let arguments = call.arguments();
        if let Some(hook) = hooks.call {
            b.before(call);
            b.call(hook, &[&arguments[..], &[saved]].concat());
        }
        if let Some(hook) = hooks.leave {
            b.after(call);
            let result = if call.is_void() { Vec::new() } else { vec![call] };
            b.call(hook, &[&arguments[..], &result, &[saved]].concat());
        }
    }

    /// Hooks at the start and the returns of a function.
    fn inside(&self, hooks: &Hooks) {
        let (b, function) = (self.builder, hooks.function);
        let saved = self.saved(function);
        let parameters = function.params();
        let Some(first) = saved.next() else { return };
        b.before(first);
        let file = b.load(b.ptr, self.file, 8);
        let line = b.load(b.i32, self.line, 4);
        let instructions: Vec<Value> = function.blocks().into_iter().flat_map(|block| block.instructions()).collect();
        if let Some(hook) = hooks.call {
            let call = b.call(hook, &[&parameters[..], &[saved]].concat());
            if let Some(placed) = instructions.iter().find(|instruction| instruction.location().line > 0) {
                call.set_location(*placed);
            }
        }
        let Some(hook) = hooks.leave else { return };
        for leave in instructions.into_iter().filter(|instruction| instruction.opcode() == LLVMOpcode::LLVMRet) {
            b.before(leave);
            b.store(file, self.file, 8);
            b.store(line, self.line, 4);
            let result = if leave.n_operands() == 0 { Vec::new() } else { vec![leave.operand(0)] };
            b.call(hook, &[&parameters[..], &result, &[saved]].concat());
        }
    }

    /// Memory of one call for the values that `old` names, at the start of a function.
    fn saved(&self, function: Value) -> Value {
        let first = function.blocks()[0].instructions()[0];
        self.builder.before(first);
        let saved = self.builder.alloca(self.builder.i8.array(SAVED_BYTES));
        saved.set_alignment(16);
        saved
    }
}

fn calls(function: Value) -> Vec<Value> {
    let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
    instructions.filter(|instruction| instruction.opcode() == LLVMOpcode::LLVMCall).collect()
}

fn is_hook(function: Value) -> bool {
    let name = function.name();
    name.starts_with(CALL_HOOK) || name.starts_with(RETURN_HOOK)
}
