//! Calls: passing of shadows with arguments and results (`trace::entry::Passing`).

use std::mem::offset_of;

use llvm_sys::LLVMTypeKind;
use tine_trace::entry::{
    CALLEE_LIBRARY, ESCAPE_FOLLOWS, ESCAPE_NUMBER, ESCAPE_RETURNED, MAX_ARGUMENTS, MAX_BYVAL, MAX_RESULTS, MAX_VA,
    Module as ModuleRecord, Passing, VA_STACK,
};
use tine_trace::event::{ConcretiseReason, NoteKind};
use tine_trace::map::{CallRecord, SiteKind};
use tine_trace::outcome::ErrorKind;

use super::Walk;
use super::branches::error_of_handler;
use super::regions::leading_allocas;
use crate::jumps::is_long_jump;
use crate::leaf::{Leaf, leaves};
use crate::llvm::{LLVMLinkage, Module, Value};
use crate::loops;
use crate::map::signature;
use crate::names;
use crate::undefined;

const FUNCTION: u32 = u32::MAX;

// Flags added to a function's address in `Passing::callee`.
/// It returned symbolic results.
pub(super) const RETURNED: u64 = 1;
/// It is called without symbolic arguments.
pub(super) const CONCRETE: u64 = 2;
/// Mask of these flags.
pub(super) const MARKS: u64 = 3;

impl Walk<'_, '_> {
    /// At the start of the function: takes the shadows that the caller passed, if they are meant for this function.
    pub(super) fn enter(&mut self) {
        let params = self.function.params();
        let byval = Module::attribute_kind("byval");
        let n_leaves: usize = params.iter().map(|param| leaves(param.ty()).len()).sum();
        let returns = leaves(self.function.function_type().return_type()).len();
        let is_variadic = self.function.function_type().is_variadic();
        if n_leaves + returns == 0 && !is_variadic {
            return;
        }
        let entry = self.function.blocks()[0];
        // After the allocas, so that they stay one group.
        let instructions = entry.instructions();
        let first = instructions[leading_allocas(&instructions).count()];
        self.b().before(first);
        let slot = self.runtime.passing(offset_of!(Passing, callee));
        let callee = self.b().load(self.b().i64, slot, 8);
        let meant = self.b().eq(callee, self.bits(self.function));
        let (ours, by_instrumented) = self.meaning_of(callee);
        self.meant = Some(by_instrumented);
        let left = self.b().select(ours, self.b().i64.constant(0), callee);
        self.b().store(left, slot, 8);

        let (mut leaf_index, mut byval_index) = (0, 0);
        for (k, param) in params.iter().enumerate() {
            if let Some(ty) = self.function.param_byval(k, byval) {
                let size = self.module.alloc_size(ty);
                if byval_index < MAX_BYVAL {
                    self.copy_byval(*param, byval_index, meant, size);
                }
                byval_index += 1;
            }
            let mut shadows = Vec::new();
            for leaf in leaves(param.ty()) {
                let shadow = if leaf_index < MAX_ARGUMENTS && leaf.is_supported() {
                    let slot = self.runtime.passing(offset_of!(Passing, arguments) + 4 * leaf_index);
                    let passed = self.b().load(self.b().i32, slot, 4);
                    self.b().select(meant, passed, self.zero())
                } else {
                    self.zero()
                };
                leaf_index += 1;
                shadows.push(shadow);
            }
            self.shadows.insert(*param, shadows);
        }
        if is_variadic {
            self.save_variadic(meant);
        }
    }

    /// Meaning of the caller's mark: whether it names this function in any form, and whether instrumented code called
    /// it.
    pub(super) fn meaning_of(&self, callee: Value) -> (Value, Value) {
        let b = self.b();
        let own = self.bits(self.function);
        let is = |marks: u64| {
            let marks = b.i64.constant(marks);
            b.eq(b.or(callee, marks), b.add(own, marks))
        };
        (is(MARKS), is(CONCRETE))
    }

    /// Copies the shadow of a `byval` parameter, whose bytes code generation copies.
    pub(super) fn copy_byval(&mut self, param: Value, index: usize, meant: Value, size: u64) {
        let slot = self.runtime.passing(offset_of!(Passing, byval) + 8 * index);
        let (place, copy) = (self.runtime.entry("stack_object"), self.runtime.entry("copy"));
        let b = self.b();
        let to = self.bits(param);
        b.call(place, &[to, b.i64.constant(size)]);
        let original = b.load(b.i64, slot, 8);
        // No shadows were passed. Copying the shadow onto itself would keep the shadow of an earlier frame.
        let from = b.select(meant, original, b.i64.constant(0));
        b.call(copy, &[to, from, b.i64.constant(size)]);
    }

    fn save_variadic(&mut self, meant: Value) {
        let none = self.runtime.no_variadic();
        let passed = self.runtime.passing(offset_of!(Passing, va));
        let b = self.b();
        let saved = b.alloca(b.i32.array(MAX_VA as u64));
        let from = b.select(meant, passed, none);
        b.memcpy(saved, from, 4 * MAX_VA as u64);
        self.saved_va = Some(saved);
    }

    pub(super) fn visit_call(&mut self, call: Value) {
        let called = call.called();
        if called.is_inline_asm() {
            return self.visit_assembly(call);
        }
        if undefined::is_use(call) {
            return self.visit_undefined(call);
        }
        let name = if called.is_function() { names::shown(&called.name()).to_owned() } else { String::new() };
        if called.is_intrinsic() {
            return self.visit_intrinsic(call, &name);
        }
        if loops::is_marker(call) {
            return;
        }
        if names::sanitizer_handler(&name).is_some()
            && let Some(kind) = error_of_handler(self.original)
        {
            return self.visit_sanitizer_handler(call, kind);
        }
        let site = self.site(SiteKind::Call, call, &name);
        self.call_site = site;
        let callee = self.map.text(&name);
        let signature = signature(&call.called_type().text());
        self.calls.push(CallRecord { callee, signature, site, _pad: 0 });

        if name == "__tine_fail" {
            return self.visit_fail(call);
        }
        if name == "__tine_is_symbolic" {
            let shadow = self.shadow_of(call.arguments()[0]);
            self.b().after(call);
            let is_symbolic = self.b().resize(self.b().not_equal(shadow, self.zero()), self.b().i32);
            return call.replace_uses(is_symbolic);
        }
        if names::is_interface(&name) {
            if name == "__tine_compare" {
                // It writes its answer, not the strings.
                self.b().after(call);
                let written = self.runtime.entry("written");
                let answer = self.bits(call.arguments()[4]);
                self.b().call(written, &[answer]);
            }
            return;
        }
        if let Some(kind) = names::failure(&name) {
            self.fail(call, kind);
        }
        if names::is_immediate_exit(&name) && call.arguments().len() == 1 {
            self.before_exit(call);
        }
        self.check_contracts(call, site, true);
        if called.is_function()
            && called.is_declaration()
            && let Some(pure) = names::library_function(&name)
            && self.fits_pure(call, pure)
        {
            return self.visit_pure(call, pure);
        }
        self.pass(call, site);
    }

    /// Handles the use of a value that may not have been written.
    fn visit_undefined(&mut self, call: Value) {
        let (value, is_undefined) = (call.operand(0), call.operand(1));
        let Some(leaf) = Self::scalar(value) else { return };
        let shadow = self.shadow_of(value);
        self.b().after(call);
        let undefined = self.undefined(is_undefined, leaf);
        let shadow = self.b().select(is_undefined, undefined, shadow);
        self.set(call, shadow);
    }

    /// The shadow of an undefined value, if it is one.
    fn undefined(&mut self, is_undefined: Value, leaf: Leaf) -> Value {
        let guard = self.runtime.undefined_guard();
        self.runtime.n_undefined += 1;
        let (width, place) = (u64::from(leaf.bits), self.runtime.n_undefined);
        let b = self.b();
        b.call(guard, &[is_undefined, b.i32.constant(width), b.i32.constant(place)])
    }

    /// Handles the return of a value that may not have been written, in the concrete track. Such values are often
    /// returned and not used, so this is not a reason to leave.
    pub(super) fn return_undefined(&mut self, call: Value) {
        let Some(leaf) = Self::scalar(call.operand(0)) else { return };
        self.b().before(call);
        let shadow = self.undefined(call.operand(1), leaf);
        let (results, callee) = (offset_of!(Passing, results), offset_of!(Passing, callee));
        let marked = self.runtime.marked_token(self.function, RETURNED);
        let b = self.b();
        let left = b.select(b.eq(shadow, self.zero()), b.ptr.null(), marked);
        b.store(shadow, self.runtime.passing(results), 4);
        b.store(left, self.runtime.passing(callee), 8);
    }

    pub(super) fn before_exit(&mut self, call: Value) {
        let exiting = self.runtime.entry("exiting");
        self.b().before(call);
        let code = self.b().resize(call.arguments()[0], self.b().i32);
        self.b().call(exiting, &[code]);
    }

    /// Reports an error at `call`, before it.
    fn fail(&mut self, call: Value, kind: ErrorKind) {
        let site = self.failure_site(call, kind);
        let failed = self.runtime.entry("failed");
        self.b().before(call);
        let b = self.b();
        let [site, kind] = [site as u64, kind as u64].map(|number| b.i32.constant(number));
        let (unknown, none) = (b.i32.constant(0), b.i64.constant(0));
        b.call(failed, &[self.runtime.descriptor, site, kind, unknown, none, none]);
    }

    /// `__tine_fail(kind, …)`: reports an error with its place, if the kind is known.
    fn visit_fail(&mut self, call: Value) {
        let kind = call.arguments()[0].as_constant().and_then(|kind| ErrorKind::from_number(kind as u32));
        if let Some(kind) = kind {
            self.fail(call, kind);
        }
    }

    /// Instruments an ordinary call: shadows before, result shadows after.
    fn pass(&mut self, call: Value, site: u32) {
        let called = call.called();
        let ty = call.called_type();
        let arguments = call.arguments();
        let target = self.shadow_of(called);
        self.b().before(call);
        self.concretise(call, SiteKind::Call, target, ConcretiseReason::Target);

        let n_fixed = ty.n_params().min(arguments.len());
        let (fixed, variadic) = arguments.split_at(n_fixed);
        let results = leaves(ty.return_type());
        let jumped = self.runtime.passing(offset_of!(Passing, jumped));
        if is_long_jump(call) {
            let value = self.shadow_of(arguments[1]);
            self.b().store(value, jumped, 4);
        }
        let returns_twice = !call.is_void() && self.returns_twice(call);
        if returns_twice {
            self.b().store(self.zero(), jumped, 4);
        }
        let how = self.calling(call, self.original, site);
        let passes_shadows = fixed.iter().any(|a| !leaves(a.ty()).is_empty()) || ty.is_variadic();
        if !passes_shadows && results.is_empty() {
            return;
        }
        let mut passed = self.pass_fixed(call, fixed);
        if ty.is_variadic() {
            passed.extend(self.pass_variadic(call, fixed, variadic));
        } else {
            // Called through a type without a prototype: the arguments are still passed.
            passed.extend(variadic.iter().flat_map(|a| self.shadows_of(*a)));
        }
        if called.is_function() && names::only_prints(names::shown(&called.name())) {
            let printed = self.runtime.guard("printed");
            passed.iter().filter(|shadow| !shadow.is_zero()).for_each(|shadow| _ = self.b().call(printed, &[*shadow]));
        }
        let slot = self.runtime.passing(offset_of!(Passing, callee));
        let token = self.runtime.token(called);
        self.leave_user_site(called, site);
        self.b().store(token, slot, 8);
        if token.is_function() {
            call.set_called(token);
        }
        call.set_not_tail();

        self.b().after(call);
        let passed: Vec<Value> = passed.into_iter().filter(|shadow| !shadow.is_zero()).collect();
        let internal = self.is_instrumented(called);
        self.escape_after(call, self.original, site, how);
        if passed.is_empty() && results.is_empty() {
            return;
        }
        if !internal && !passed.is_empty() && !self.only_prints(self.original) {
            let foreign = match how {
                Some(how) => self.b().not_equal(how, self.zero()),
                None => self.b().eq(self.b().load(self.b().ptr, slot, 8), token),
            };
            let all = passed.into_iter().reduce(|x, y| self.b().or(x, y)).expect("not empty");
            let lost = self.b().select(foreign, all, self.zero());
            self.note(site, lost, NoteKind::ExternCall);
        }
        if returns_twice {
            let (jump, save) = (self.runtime.entry("stack_jumped"), self.runtime.stack_save());
            let b = self.b();
            let end_of_frame = b.call(save, &[]);
            b.call(jump, &[b.cast(crate::llvm::LLVMOpcode::LLVMPtrToInt, end_of_frame, b.i64)]);
            let shadow = self.b().load(self.b().i32, jumped, 4);
            self.b().store(self.zero(), jumped, 4);
            self.shadows.insert(call, vec![shadow]);
            return;
        }
        if call.is_void() {
            return;
        }
        let (shadows, genuine) = self.take_results(called, &results);
        let shadows = shadows
            .into_iter()
            .map(|shadow| if shadow.is_zero() { shadow } else { self.b().select(genuine, shadow, self.zero()) });
        let shadows = shadows.collect();
        self.shadows.insert(call, shadows);
    }

    /// Instruments a call from the concrete track: no shadows are passed, but memory may be symbolic.
    pub(super) fn pass_concrete(&mut self, call: Value, site: u32) {
        let called = call.called();
        if self.runtime.entries.contains_key(&called) {
            return;
        }
        let byval = Module::attribute_kind("byval");
        let ty = call.called_type();
        let arguments = call.arguments();
        self.b().before(call);
        let how = self.calling(call, call, site);
        if arguments.is_empty() && leaves(ty.return_type()).is_empty() {
            return;
        }
        let slot = self.runtime.passing(offset_of!(Passing, callee));
        if is_long_jump(call) {
            self.b().store(self.b().i32.constant(0), self.runtime.passing(offset_of!(Passing, jumped)), 4);
        }
        let token = if (0..arguments.len()).any(|k| call.call_byval(k, byval).is_some()) {
            let (fixed, variadic) = arguments.split_at(ty.n_params().min(arguments.len()));
            self.pass_fixed(call, fixed);
            if ty.is_variadic() {
                self.pass_variadic(call, fixed, variadic);
            }
            called
        } else {
            self.runtime.marked_token(called, CONCRETE)
        };
        self.leave_user_site(called, site);
        self.b().store(token, slot, 8);
        self.b().after(call);
        self.escape_after(call, call, site, how);
    }

    /// Stores the site before user code calls a model. The builder is positioned before the call.
    fn leave_user_site(&mut self, called: Value, site: u32) {
        if self.runtime.is_model || !called.is_function() || !called.name().starts_with(names::MODEL) {
            return;
        }
        let base =
            self.b().offset(self.runtime.descriptor, self.b().i64.constant(offset_of!(ModuleRecord, site_base) as u64));
        let to = self.runtime.passing(offset_of!(Passing, user_site));
        let b = self.b();
        let number = b.add(b.load(b.i32, base, 4), b.i32.constant(u64::from(site) + 1));
        b.store(number, to, 4);
    }

    /// Before a call of a function that may be uninstrumented: gets the kind of the callee from the runtime, and
    /// reports memory it can read. `original` is the program's call. The builder is positioned before the call.
    fn calling(&mut self, call: Value, original: Value, site: u32) -> Option<Value> {
        let called = call.called();
        let name = if called.is_function() { called.name() } else { String::new() };
        let shown = names::shown(&name);
        if self.is_instrumented(called)
            || name.starts_with(names::MODEL)
            || names::is_interface(shown)
            || names::ignores_contents(shown)
            || names::failure(shown).is_some()
            || self.only_prints(original)
        {
            return None;
        }
        let calling = self.runtime.entry("calling");
        let user_site = self.b().i32.constant(self.place_for_user(site));
        let callee = self.bits(called);
        // Assembly accesses only its operands.
        let how = if shown == names::ASM_GOTO {
            self.b().i32.constant(u64::from(CALLEE_LIBRARY))
        } else {
            self.b().call(calling, &[self.runtime.descriptor, user_site, callee])
        };
        let follows = if names::follows_pointers(shown) || shown == names::ASM_GOTO { ESCAPE_FOLLOWS } else { 0 };
        for (index, len, flag) in self.escaping(original) {
            self.escape(site, how, follows | flag, call.arguments()[index], len);
        }
        Some(how)
    }

    /// Reports that uninstrumented code gets a pointer, or a number that may be one. `how` is the answer of `calling`.
    pub(super) fn escape(&mut self, site: u32, how: Value, flags: u32, pointer: Value, len: u64) {
        let escape = self.runtime.escape_guard();
        let site = self.b().i32.constant(self.place_for_user(site));
        let address = self.bits(pointer);
        let b = self.b();
        let arguments = [how, b.i32.constant(u64::from(flags)), site, address, b.i64.constant(len)];
        b.call(escape, &arguments);
    }

    /// Emits the checks after a call. Functions of the program that the callee called may have stored inputs in memory
    /// that the callee then read. The callee may also keep an object that it returned a pointer to. `original` is the
    /// program's call.
    fn escape_after(&mut self, call: Value, original: Value, site: u32, how: Option<Value>) {
        let called = call.called();
        let name = if called.is_function() { called.name() } else { String::new() };
        let Some(how) = how else {
            let shown = names::shown(&name);
            // Models are instrumented, and some know how much the library wrote.
            let is_exact = name.starts_with(names::MODEL) || self.runtime.is_model && names::reads_exactly(shown);
            if names::ignores_contents(shown) && !is_exact {
                self.written(call, original);
            }
            return;
        };
        let follows = if names::follows_pointers(names::shown(&name)) { ESCAPE_FOLLOWS } else { 0 };
        for (index, len, flag) in self.escaping(original) {
            self.escape(site, how, follows | flag, call.arguments()[index], len);
        }
        if call.ty().kind() == LLVMTypeKind::LLVMPointerTypeKind {
            self.escape(site, how, ESCAPE_RETURNED, call, 0);
        }
    }

    /// After a call of uninstrumented code: reports that it may have written memory that its arguments point to.
    fn written(&mut self, call: Value, original: Value) {
        let written = self.runtime.entry("written");
        for (index, ..) in self.escaping(original).into_iter().filter(|(.., flag)| *flag == 0) {
            let address = self.bits(call.arguments()[index]);
            self.b().call(written, &[address]);
        }
    }

    /// Takes the shadows of a result and leaves zeros. The second result tells if `called` left them.
    pub(super) fn take_results(&mut self, called: Value, results: &[Leaf]) -> (Vec<Value>, Value) {
        let mut shadows = Vec::new();
        for (k, leaf) in results.iter().enumerate() {
            let at = self.runtime.passing(offset_of!(Passing, results) + 4 * k);
            shadows.push(match k < MAX_RESULTS && leaf.is_supported() {
                true => self.b().load(self.b().i32, at, 4),
                false => self.zero(),
            });
        }
        let b = self.b();
        b.store(b.i64.constant(0), self.runtime.passing(offset_of!(Passing, results)), 8);
        for k in 2..results.len().min(MAX_RESULTS) {
            b.store(b.i32.constant(0), self.runtime.passing(offset_of!(Passing, results) + 4 * k), 4);
        }
        let left = b.load(b.ptr, self.runtime.passing(offset_of!(Passing, callee)), 8);
        (shadows, b.eq(left, self.runtime.marked_token(called, RETURNED)))
    }

    /// Arguments through which a callee could read symbolic memory, with the size of the memory (0: not known) and
    /// flags of `escape`.
    fn escaping(&self, call: Value) -> Vec<(usize, u64, u32)> {
        let arguments = call.arguments().into_iter().enumerate();
        arguments
            .filter(|(_, argument)| !argument.is_zero())
            .filter_map(|(index, argument)| match argument.ty().kind() {
                LLVMTypeKind::LLVMPointerTypeKind => {
                    let object = underlying(argument);
                    if object.is_function() || object.is_global_variable() && object.is_private() {
                        return None;
                    }
                    Some((index, self.size_of_object(object), 0))
                }
                LLVMTypeKind::LLVMIntegerTypeKind if argument.ty().int_width() == 64 && !argument.is_constant() => {
                    Some((index, 0, ESCAPE_NUMBER))
                }
                _ => None,
            })
            .collect()
    }

    /// Size of a variable in bytes; 0 if it is not a variable, or the size is not known. For a pointer inside the
    /// object, the size is an upper bound. Memory after the object is rarely symbolic.
    fn size_of_object(&self, object: Value) -> u64 {
        if object.is_global_variable() {
            self.runtime.len_of(object)
        } else if let Some(padded) = self.runtime.padded.get(&object) {
            padded.len.as_constant().unwrap_or(0)
        } else if object.is_instruction() && object.opcode() == crate::llvm::LLVMOpcode::LLVMAlloca {
            object.operand(0).as_constant().map_or(0, |n| n * self.module.alloc_size(object.allocated()))
        } else {
            0
        }
    }

    /// True if the callee's use of its arguments cannot affect the program.
    fn only_prints(&self, call: Value) -> bool {
        let called = call.called();
        called.is_function() && names::only_prints(names::shown(&called.name())) && call.users().is_empty()
    }

    /// True if a callee is known to be instrumented: it cannot be replaced when the program is linked.
    fn is_instrumented(&self, called: Value) -> bool {
        self.runtime.instrumented.contains(&called)
            && matches!(called.linkage(), LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMExternalLinkage)
    }

    fn returns_twice(&self, call: Value) -> bool {
        let kind = Module::attribute_kind("returns_twice");
        let called = call.called();
        call.has_call_attribute(FUNCTION, kind) || (called.is_function() && called.has_attribute(FUNCTION, kind))
    }

    /// Writes the shadows of fixed arguments and returns them.
    fn pass_fixed(&mut self, call: Value, fixed: &[Value]) -> Vec<Value> {
        let byval = Module::attribute_kind("byval");
        let (mut leaf_index, mut byval_index) = (0, 0);
        let mut passed = Vec::new();
        for (k, argument) in fixed.iter().enumerate() {
            if call.call_byval(k, byval).is_some() {
                if byval_index < MAX_BYVAL {
                    let slot = self.runtime.passing(offset_of!(Passing, byval) + 8 * byval_index);
                    let address = self.bits(*argument);
                    self.b().store(address, slot, 8);
                }
                byval_index += 1;
            }
            for shadow in self.shadows_of(*argument) {
                if leaf_index < MAX_ARGUMENTS {
                    let slot = self.runtime.passing(offset_of!(Passing, arguments) + 4 * leaf_index);
                    self.b().store(shadow, slot, 4);
                } else {
                    self.note_too_many(call, shadow);
                }
                leaf_index += 1;
                passed.push(shadow);
            }
        }
        passed
    }

    /// Notes that there is no room for the shadow of this argument: the callee sees a concrete value.
    fn note_too_many(&mut self, call: Value, shadow: Value) {
        if !shadow.is_zero() {
            let site = self.site(SiteKind::Operation, call, "an argument beyond those that are followed");
            self.note(site, shadow, NoteKind::Unsupported);
        }
    }

    /// Writes the shadows of variadic arguments into the slots where the x86-64 ABI puts the values.
    fn pass_variadic(&mut self, call: Value, fixed: &[Value], variadic: &[Value]) -> Vec<Value> {
        let byval = Module::attribute_kind("byval");
        let (mut general, mut vector, mut stack) = (0usize, 0usize, 0usize);
        let mut passed = Vec::new();
        for (k, argument) in fixed.iter().chain(variadic).enumerate() {
            let is_variadic = k >= fixed.len();
            if let Some(ty) = call.call_byval(k, byval) {
                let words = self.module.alloc_size(ty).div_ceil(8) as usize;
                if is_variadic {
                    self.pass_stack_copy(*argument, self.module.alloc_size(ty), stack);
                }
                // A fixed argument on the stack lies before the variadic area.
                stack += if is_variadic { words } else { 0 };
                continue;
            }
            let slot = match argument.ty().kind() {
                LLVMTypeKind::LLVMFloatTypeKind
                | LLVMTypeKind::LLVMDoubleTypeKind
                | LLVMTypeKind::LLVMVectorTypeKind
                | LLVMTypeKind::LLVMHalfTypeKind
                | LLVMTypeKind::LLVMFP128TypeKind
                    if vector < 8 =>
                {
                    vector += 1;
                    6 + vector - 1
                }
                LLVMTypeKind::LLVMX86_FP80TypeKind => {
                    stack = stack.next_multiple_of(2) + 2;
                    continue;
                }
                LLVMTypeKind::LLVMIntegerTypeKind if argument.ty().int_width() > 64 => {
                    // Two registers or two words of the stack. Only the latter are contiguous memory.
                    if general + 2 <= 6 {
                        general += 2;
                        general - 2
                    } else {
                        let at = VA_STACK + stack.next_multiple_of(2);
                        stack = stack.next_multiple_of(2) + 2;
                        at
                    }
                }
                LLVMTypeKind::LLVMIntegerTypeKind | LLVMTypeKind::LLVMPointerTypeKind if general < 6 => {
                    general += 1;
                    general - 1
                }
                _ => {
                    if !is_variadic {
                        continue;
                    }
                    stack += 1;
                    VA_STACK + stack - 1
                }
            };
            if !is_variadic {
                continue;
            }
            let shadow = self.shadow_of(*argument);
            if slot >= MAX_VA {
                self.note_too_many(call, shadow);
                continue;
            }
            let at = self.runtime.passing(offset_of!(Passing, va) + 4 * slot);
            self.b().store(shadow, at, 4);
            passed.push(shadow);
        }
        passed
    }

    /// Passes a struct that is variadic on the stack: its shadow, word by word.
    fn pass_stack_copy(&mut self, original: Value, size: u64, stack: usize) {
        for word in 0..(size / 8) as usize {
            let slot = VA_STACK + stack + word;
            if slot >= MAX_VA {
                return;
            }
            let b = self.b();
            let from = b.offset(original, b.i64.constant(8 * word as u64));
            let value = b.load(b.i64, from, 1);
            let address = self.bits(from);
            let shadow = self.load_scalar(address, value, 64);
            let at = self.runtime.passing(offset_of!(Passing, va) + 4 * slot);
            self.b().store(shadow, at, 4);
        }
    }
}

/// The object that a pointer was computed from, as far as the instructions show.
pub(super) fn underlying(pointer: Value) -> Value {
    let mut object = pointer;
    for _ in 0..16 {
        if object.is_instruction() && object.opcode() == crate::llvm::LLVMOpcode::LLVMGetElementPtr {
            object = object.operand(0);
        } else {
            break;
        }
    }
    object
}
