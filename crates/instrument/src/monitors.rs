//! Hooks of specifications: the harness defines functions `__tine_at_N`, and this pass calls them in every module of
//! the unit, as the [`Manifest`] says.
//!
//! ```text
//!   F defined in the module    hooks at its first instruction and before every return
//!   F of a library             hooks before and after every call of it; its address becomes that of a function which
//!                              calls it (`__tine_through_F`)
//!   F defined in another one   nothing: that module calls the hooks
//! ```
//! Call sites of monitored functions store their position in `__tine_call_place`. Line 0 means the harness. A hook whose
//! parameters clang passes differently from the function's cannot be called: see [`Unmonitored`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tine_trace::map::{CALL_PLACE, DRIVER_FILE, END_HOOK, HOOK, RETURN_PLACE, SAVED_BYTES, THROUGH};

use crate::llvm::{Block, Builder, LLVMLinkage, LLVMOpcode, Module, Type, Value};
use crate::names;

/// Reason why a function cannot be monitored.
#[derive(Debug, thiserror::Error)]
pub enum Unmonitored {
    #[error("cannot read the list of hooks {0}: {1}")]
    Manifest(PathBuf, std::io::Error),
    #[error("`{0}` cannot be monitored, because it takes or returns a structure by value")]
    Structure(String),
    #[error("`{0}` cannot be monitored, because it has another type in {1}")]
    Type(String, String),
    #[error("`{0}` cannot be monitored, because it is another name of a function")]
    Alias(String),
    #[error("`{0}` cannot be monitored, because it is called in code that handles exceptions")]
    Exceptions(String),
}

/// A hook of a function.
#[derive(Clone, Debug)]
struct Hook {
    is_return: bool,
    symbol: String,
    /// Number of its memory for values from the call until the return.
    slot: Option<u32>,
}

/// The hooks of a unit, from a list with one line per fact.
///
/// ```text
///   defined FUNCTION                  a module of the unit defines it
///   call|return FUNCTION HOOK SLOT|-
/// ```
/// The modules that define hooks add their types (`type HOOK TYPE`), for the modules that only call them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manifest {
    path: PathBuf,
    defined: BTreeSet<String>,
    hooks: BTreeMap<String, Vec<Hook>>,
    types: BTreeMap<String, String>,
}

impl Manifest {
    fn read(path: &Path) -> std::io::Result<Manifest> {
        let mut manifest = Manifest { path: path.to_path_buf(), ..Manifest::default() };
        for line in std::fs::read_to_string(path)?.lines() {
            let words: Vec<&str> = line.splitn(4, ' ').collect();
            match words[..] {
                ["defined", function] => _ = manifest.defined.insert(function.to_owned()),
                ["type", hook, ..] => {
                    let ty = line.splitn(3, ' ').nth(2).unwrap_or_default();
                    manifest.types.insert(hook.to_owned(), ty.to_owned());
                }
                [moment, function, symbol, slot] => {
                    let hook =
                        Hook { is_return: moment == "return", symbol: symbol.to_owned(), slot: slot.parse().ok() };
                    manifest.hooks.entry(function.to_owned()).or_default().push(hook);
                }
                _ => {}
            }
        }
        Ok(manifest)
    }

    /// Adds the types of the hooks that a module defines.
    fn add_types(&mut self, module: &Module) -> std::io::Result<()> {
        let mut text = String::new();
        for hook in module.functions().iter().filter(|function| is_hook(**function) && !function.is_declaration()) {
            let ty = text_of(*hook, hook.function_type());
            let _ = writeln!(text, "type {} {ty}", hook.name());
            self.types.insert(hook.name(), ty);
        }
        use std::io::Write as _;
        std::fs::File::options().append(true).open(&self.path)?.write_all(text.as_bytes())
    }
}

/// Calls the hooks of the manifest in a module.
pub(crate) fn hook(module: &Module, manifest: &Path) -> Result<(), Unmonitored> {
    let failed = |why| Unmonitored::Manifest(manifest.to_path_buf(), why);
    let mut manifest = Manifest::read(manifest).map_err(failed)?;
    manifest.add_types(module).map_err(failed)?;
    let aliases = module.aliases();
    if let Some(alias) = aliases.iter().find(|alias| manifest.hooks.contains_key(&alias.name())) {
        return Err(Unmonitored::Alias(alias.name()));
    }
    let builder = module.builder();
    let sites = Sites { module, builder: &builder, manifest: &manifest };
    sites.end_before_exits();
    let mut libraries = Vec::new();
    for function in module.functions() {
        if !manifest.hooks.contains_key(&function.name()) || function.is_intrinsic() {
            continue;
        }
        let is_library = function.is_declaration() && !manifest.defined.contains(&function.name());
        libraries.extend(is_library.then_some(function));
    }
    for function in &libraries {
        sites.pass_through(*function);
    }
    sites.visit_calls(&libraries)?;
    for function in module.functions().into_iter().filter(|function| !function.is_declaration()) {
        if manifest.hooks.contains_key(&function.name()) {
            sites.inside(function)?;
        }
    }
    Ok(())
}

struct Sites<'a> {
    module: &'a Module,
    builder: &'a Builder,
    manifest: &'a Manifest,
}

/// Values around one call of a function.
struct Around<'a> {
    function: Value,
    /// Type of the function, as the call sees it.
    ty: Type,
    arguments: &'a [Value],
    /// Memory of the call, by slot.
    saved: BTreeMap<u32, Value>,
    /// Condition under which the function is called.
    only_if: Option<Value>,
}

impl Sites<'_> {
    /// Before every call, leaves the position and calls the hooks of library functions.
    fn visit_calls(&self, libraries: &[Value]) -> Result<(), Unmonitored> {
        let is_unit = |function: &Value| !function.is_declaration() && !is_hook(*function);
        for function in self.module.functions().into_iter().filter(is_unit) {
            for call in calls(function) {
                let called = call.called();
                let is_monitored = called.is_function() && self.manifest.hooks.contains_key(&called.name());
                if is_monitored && call.opcode() != LLVMOpcode::LLVMCall {
                    return Err(Unmonitored::Exceptions(called.name()));
                }
                let is_indirect = !called.is_function() && !called.is_inline_asm();
                if (is_monitored || is_indirect) && !function.name().starts_with(THROUGH) {
                    self.leave_place(CALL_PLACE, function, call, call);
                }
                if is_monitored && libraries.contains(&called) {
                    self.around(function, call, called, None)?;
                } else if is_indirect && call.called_type().is_variadic() && call.opcode() == LLVMOpcode::LLVMCall {
                    self.perhaps_around(function, call, libraries)?;
                }
            }
        }
        Ok(())
    }

    /// Before `instruction`, stores the position of `at`.
    fn leave_place(&self, variable: &str, caller: Value, at: Value, instruction: Value) {
        let place = self.place(caller, at);
        let variable = self.variable(variable);
        self.builder.before(instruction);
        self.builder.store(place, variable, 8);
    }

    /// The position of an instruction as a constant.
    fn place(&self, caller: Value, at: Value) -> Value {
        let location = at.location();
        let is_harness = Path::new(&location.file).file_name().is_some_and(|name| name == DRIVER_FILE);
        let line = if is_harness { 0 } else { location.line.max(1) };
        let text = |text: &str| self.module.add_text(&[text.as_bytes(), b"\0"].concat());
        let (file, function) = (text(&location.file), text(names::shown(&caller.name())));
        let line = self.builder.i64.constant(u64::from(line));
        let value = self.module.constant_struct(&[file, function, line]);
        let place = self.module.add_global("tine.place", value.ty());
        place.set_linkage(LLVMLinkage::LLVMPrivateLinkage);
        place.set_constant();
        place.set_initializer(value);
        place
    }

    fn variable(&self, name: &str) -> Value {
        let known = self.module.globals().into_iter().find(|global| global.name() == name);
        known.unwrap_or_else(|| self.module.add_global(name, self.builder.ptr))
    }

    /// Hooks before and after a call of a function of a library. With `only_if`, they do nothing unless it holds.
    fn around(&self, caller: Value, call: Value, function: Value, only_if: Option<Value>) -> Result<(), Unmonitored> {
        let b = self.builder;
        let n_fixed = call.called_type().n_params().min(call.arguments().len());
        let arguments = &call.arguments()[..n_fixed];
        let saved = self.saved(caller, &function.name());
        let around = Around { function, ty: call.called_type(), arguments, saved, only_if };
        b.before(call);
        // The function may call others of the unit.
        let place = b.load(b.ptr, self.variable(CALL_PLACE), 8);
        self.call_hooks(&around, false, None)?;
        if self.hooks(&function.name(), true).next().is_some() {
            b.after(call);
            b.store(place, self.variable(CALL_PLACE), 8);
            b.store(place, self.variable(RETURN_PLACE), 8);
            self.call_hooks(&around, true, (!call.is_void()).then_some(call))?;
        }
        Ok(())
    }

    /// Hooks around an indirect call with variable arguments, for each library function that it may call.
    fn perhaps_around(&self, caller: Value, call: Value, libraries: &[Value]) -> Result<(), Unmonitored> {
        let fits = |function: &&Value| function.function_type() == call.called_type() && function.address_taken();
        for function in libraries.iter().filter(fits) {
            self.builder.before(call);
            let is_called = self.builder.eq(call.called(), *function);
            self.around(caller, call, *function, Some(is_called))?;
        }
        Ok(())
    }

    /// Hooks at the start and the returns of a function.
    fn inside(&self, function: Value) -> Result<(), Unmonitored> {
        let b = self.builder;
        let saved = self.saved(function, &function.name());
        let arguments = function.params();
        let around = Around { function, ty: function.function_type(), arguments: &arguments, saved, only_if: None };
        let instructions: Vec<Value> = function.blocks().into_iter().flat_map(|block| block.instructions()).collect();
        let is_new = |instruction: &&Value| around.saved.values().all(|saved| saved != *instruction);
        let Some(first) = instructions.iter().find(is_new).copied() else { return Ok(()) };
        let has_returns = self.hooks(&function.name(), true).next().is_some();
        b.before(first);
        let place = has_returns.then(|| b.load(b.ptr, self.variable(CALL_PLACE), 8));
        let placed = instructions.iter().find(|instruction| instruction.location().line > 0);
        for call in self.call_hooks(&around, false, None)? {
            placed.into_iter().for_each(|placed| call.set_location(*placed));
        }
        let Some(place) = place else { return Ok(()) };
        for leave in instructions.into_iter().filter(|instruction| instruction.opcode() == LLVMOpcode::LLVMRet) {
            // LLVM accepts nothing between such a call and the return.
            leave
                .previous()
                .filter(|call| is_call(call) && call.is_must_tail())
                .into_iter()
                .for_each(Value::set_not_tail);
            for end in ends_before(function, leave) {
                self.leave_place(RETURN_PLACE, function, end, end);
            }
            b.before(leave);
            b.store(place, self.variable(CALL_PLACE), 8);
            self.call_hooks(&around, true, (leave.n_operands() > 0).then(|| leave.operand(0)))?;
        }
        Ok(())
    }

    fn hooks(&self, function: &str, is_return: bool) -> impl Iterator<Item = &Hook> {
        let hooks = self.manifest.hooks.get(function).into_iter().flatten();
        hooks.filter(move |hook| hook.is_return == is_return)
    }

    /// Calls the hooks of one moment where the builder is.
    fn call_hooks(
        &self,
        around: &Around<'_>,
        is_return: bool,
        result: Option<Value>,
    ) -> Result<Vec<Value>, Unmonitored> {
        let name = around.function.name();
        // A result in memory is an argument of the function.
        let (sret, byval) = (Module::attribute_kind("sret"), Module::attribute_kind("byval"));
        let is_structure = |k: usize| {
            around.function.has_attribute(k as u32 + 1, sret) || around.function.param_byval(k, byval).is_some()
        };
        if (0..around.function.params().len()).any(is_structure) {
            return Err(Unmonitored::Structure(name));
        }
        let mut calls = Vec::new();
        for hook in self.hooks(&name, is_return) {
            let mut types = around.ty.params();
            types.extend(result.map(Value::ty));
            types.push(self.builder.ptr);
            let ty = self.builder.void.function(&types);
            self.check(&name, &hook.symbol, ty)?;
            let known = self.module.functions().into_iter().find(|known| known.name() == hook.symbol);
            let called = known.unwrap_or_else(|| self.module.add_function(&hook.symbol, ty));
            let saved = hook.slot.and_then(|slot| around.saved.get(&slot)).copied();
            let mut arguments = around.arguments.to_vec();
            arguments.extend(result);
            arguments.push(saved.unwrap_or_else(|| self.builder.ptr.null()));
            let called = match around.only_if {
                Some(condition) => self.builder.select(condition, called, self.nothing(ty)),
                None => called,
            };
            calls.push(self.builder.call_as(ty, called, &arguments));
        }
        Ok(calls)
    }

    /// A function of this type that does nothing.
    fn nothing(&self, ty: Type) -> Value {
        let name = format!("{HOOK}none");
        let is_known = |known: &Value| known.name().starts_with(&name) && known.function_type() == ty;
        self.module.functions().into_iter().find(is_known).unwrap_or_else(|| {
            let nothing = self.module.add_function(&name, ty);
            nothing.set_linkage(LLVMLinkage::LLVMInternalLinkage);
            let b = self.module.builder();
            b.at_end(b.block(nothing, "entry"));
            b.ret(None);
            nothing
        })
    }

    /// Checks that clang passes the same parameters to a hook.
    fn check(&self, function: &str, hook: &str, ty: Type) -> Result<(), Unmonitored> {
        match self.manifest.types.get(hook) {
            Some(known) if *known == ty.text() => Ok(()),
            Some(known) if known.contains(BYVAL) => Err(Unmonitored::Structure(function.to_owned())),
            _ => Err(Unmonitored::Type(function.to_owned(), self.module.source_file())),
        }
    }

    /// Memory of one call for the values that `old` names, at the start of a function.
    fn saved(&self, function: Value, monitored: &str) -> BTreeMap<u32, Value> {
        let slots: BTreeSet<u32> = self.manifest.hooks[monitored].iter().filter_map(|hook| hook.slot).collect();
        let mut saved = BTreeMap::new();
        for slot in slots {
            let Some(first) = function.blocks().first().and_then(|block| block.first()) else { continue };
            self.builder.before(first);
            let memory = self.builder.alloca(self.builder.i8.array(SAVED_BYTES));
            memory.set_alignment(16);
            saved.insert(slot, memory);
        }
        saved
    }

    /// Lets pointers to a library function point to a function that calls it, where the hooks are. Variable arguments
    /// cannot be passed on: see `perhaps_around`.
    fn pass_through(&self, function: Value) {
        if !function.address_taken() || function.function_type().is_variadic() {
            return;
        }
        let direct = |call: &Value| call.called() == function;
        let all = self.module.functions().into_iter().filter(|caller| !caller.is_declaration());
        let direct: Vec<Value> = all.flat_map(calls).filter(direct).collect();
        let through = self.module.add_function(&format!("{THROUGH}{}", function.name()), function.function_type());
        through.copy_attributes(function);
        function.replace_uses(through);
        direct.into_iter().for_each(|call| call.set_called(function));
        through.set_linkage(LLVMLinkage::LLVMLinkOnceODRLinkage);
        through.set_hidden();
        let b = self.builder;
        b.at_end(b.block(through, "entry"));
        let call = b.call(function, &through.params());
        call.copy_call_attributes(function);
        b.ret((!call.is_void()).then_some(call));
    }

    /// Ends the monitors before the program ends without exit handlers.
    fn end_before_exits(&self) {
        for function in self.module.functions().into_iter().filter(|function| !function.is_declaration()) {
            for call in calls(function) {
                let called = call.called();
                if called.is_function() && names::is_immediate_exit(names::shown(&called.name())) {
                    let known = self.module.functions().into_iter().find(|known| known.name() == END_HOOK);
                    let ty = self.builder.void.function(&[]);
                    let end = known.unwrap_or_else(|| self.module.add_function(END_HOOK, ty));
                    self.builder.before(call);
                    self.builder.call(end, &[]);
                }
            }
        }
    }
}

/// Mark of a hook with a parameter in memory, in the text of its type.
const BYVAL: &str = " byval";

/// The type of a hook as text, which also says whether parameters are in memory.
fn text_of(hook: Value, ty: Type) -> String {
    let byval = Module::attribute_kind("byval");
    let mark = if (0..hook.params().len()).any(|k| hook.param_byval(k, byval).is_some()) { BYVAL } else { "" };
    ty.text() + mark
}

/// The ends of the statements that return by this instruction: without optimisation, clang lets all of them jump there.
fn ends_before(function: Value, leave: Value) -> Vec<Value> {
    let block = leave.parent();
    let ends = function.blocks().into_iter().map(Block::terminator);
    let jumps: Vec<Value> = ends.filter(|end| end.successors() == [block]).collect();
    let is_join = block.first().is_some_and(|first| first == leave || first.next() == Some(leave));
    if is_join && jumps.len() > 1 { jumps } else { vec![leave] }
}

fn calls(function: Value) -> Vec<Value> {
    let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
    instructions.filter(is_call).collect()
}

fn is_call(instruction: &Value) -> bool {
    matches!(instruction.opcode(), LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke | LLVMOpcode::LLVMCallBr)
}

fn is_hook(function: Value) -> bool {
    let name = function.name();
    name.starts_with(HOOK) || name == END_HOOK
}
