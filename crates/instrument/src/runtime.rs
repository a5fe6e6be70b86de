//! The runtime's interface for instrumented code: declarations of its entry points, and guards around them.
//!
//! A guard is an always-inlined function. While all its shadows are 0, it returns "concrete" without a call, so that no
//! block of the program needs to be split:
//!
//! ```text
//!   define i32 @tine.binary(i32 op, i32 sa, i32 sb, …) alwaysinline {
//!     br (sa | sb) != 0 ? slow : fast
//!   fast:  ret 0
//!   slow:  ret @tine.binary.slow(op, sa, sb, …)       ; calls @__tine_binary
//!   }
//! ```

use std::collections::{HashMap, HashSet};
use std::mem::offset_of;

use tine_trace::entry::{MAX_VA, Module as Descriptor, Passing, UNKNOWN_VARIABLES, pack};
use tine_trace::layout::{FOLD_MASK, SHADOW_BASE};
use tine_trace::op::Op;

use crate::lines::Lines;
use crate::llvm::{Area, Builder, LLVMIntPredicate, LLVMLinkage, LLVMOpcode, Module, Type, Value};
use crate::map::MapBuilder;
use crate::padding::Padded;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    U32,
    U64,
    Ptr,
    Shadow,
}

#[derive(Debug)]
struct Entry {
    name: &'static str,
    params: &'static [Kind],
    result: Option<Kind>,
}

macro_rules! kind {
    () => {
        None
    };
    (some $kind:ident) => {
        Some(kind!($kind))
    };
    (u32) => {
        Kind::U32
    };
    (u64) => {
        Kind::U64
    };
    (ptr) => {
        Kind::Ptr
    };
    (shadow) => {
        Kind::Shadow
    };
}
macro_rules! entry_table {
    ($( fn $name:ident($($param:ident: $kind:ident),*) $(-> $result:ident)?; )*) => {
        const ENTRIES: &[Entry] = &[ $( Entry {
            name: stringify!($name),
            params: &[ $( kind!($kind) ),* ],
            result: kind!($(some $result)?),
        } ),* ];
    };
}
tine_trace::entry_points!(entry_table);

/// Declarations and guards of one module.
#[derive(Debug)]
pub(crate) struct Runtime<'m> {
    module: &'m Module,
    pub(crate) builder: Builder,
    functions: HashMap<String, Value>,
    passing: Value,
    /// The module's [`Descriptor`].
    pub(crate) descriptor: Value,
    /// True if guards are called instead of inlined, for code whose size matters more than its speed.
    pub(crate) outlined: bool,
    /// Functions whose callers are all known, with the entry for callers that pass shadows.
    pub(crate) entries: HashMap<Value, Value>,
    /// Buffer for the state of a function while it changes tracks, and its current length.
    pub(crate) buffer: Value,
    buffer_len: u64,
    /// Number of places where a value that may not have been written is used.
    pub(crate) n_undefined: u64,
    /// Functions that compute the shadow of an expression, by its shape.
    pub(crate) trees: HashMap<String, Value>,
    /// Functions of this module that are instrumented.
    pub(crate) instrumented: HashSet<Value>,
    /// Functions whose address the program takes.
    pub(crate) address_taken: HashSet<Value>,
    /// True if the module is a model: lost shadows are then reported at the user's call.
    pub(crate) is_model: bool,
    /// Allocas with padding around their object.
    pub(crate) padded: HashMap<Value, Padded>,
    /// Lines of the blocks in the source.
    pub(crate) lines: Lines,
    /// Lengths of global variables followed by a gap.
    pub(crate) padded_globals: HashMap<Value, u64>,
}

impl<'m> Runtime<'m> {
    pub(crate) fn new(module: &'m Module) -> Runtime<'m> {
        let builder = module.builder();
        let passing = module.add_thread_local("__tine_passing", builder.i8.array(size_of::<Passing>() as u64));
        let word = builder.i64.constant(0);
        let (null, b) = (builder.ptr.null(), word);
        let fields = [null, b, b, null, b, b, null, b, null, b, null, b, null, b, null, b];
        let descriptor = module.add_global("tine.module", module.constant_struct(&fields).ty());
        descriptor.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        // Its length is known only at the end.
        let buffer = module.add_thread_local("tine.buffer", builder.i8);
        Runtime {
            module,
            builder,
            functions: HashMap::new(),
            passing,
            descriptor,
            outlined: false,
            entries: HashMap::new(),
            buffer,
            n_undefined: 0,
            trees: HashMap::new(),
            buffer_len: 0,
            instrumented: HashSet::new(),
            address_taken: HashSet::new(),
            is_model: false,
            padded: HashMap::new(),
            lines: Lines::default(),
            padded_globals: HashMap::new(),
        }
    }

    /// Address of a field of the thread's `Passing`.
    pub(crate) fn passing(&self, offset: usize) -> Value {
        if offset == 0 {
            return self.passing;
        }
        self.builder.offset(self.passing, self.builder.i64.constant(offset as u64))
    }

    /// Requires a buffer of at least this many bytes.
    pub(crate) fn need_buffer(&mut self, len: u64) {
        self.buffer_len = self.buffer_len.max(len);
    }

    /// The value in the thread's `Passing` that marks a call as meant for `called`.
    pub(crate) fn token(&self, called: Value) -> Value {
        self.entries.get(&called).copied().unwrap_or(called)
    }

    /// The same with a flag: 1 means that symbolic results were returned, 2 that a call passes no symbolic values.
    pub(crate) fn marked_token(&self, called: Value, mark: u64) -> Value {
        let (token, mark) = (self.token(called), self.builder.i64.constant(mark));
        if token.is_function() {
            token.constant_offset(self.builder.i8, mark)
        } else {
            self.builder.offset(token, mark)
        }
    }

    /// Variadic shadows of a call without any.
    pub(crate) fn no_variadic(&mut self) -> Value {
        if let Some(global) = self.functions.get("tine.no_variadic") {
            return *global;
        }
        let ty = self.builder.i32.array(MAX_VA as u64);
        let global = self.module.add_global("tine.no_variadic", ty);
        global.set_initializer(ty.null());
        global.set_constant();
        global.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        self.functions.insert("tine.no_variadic".to_owned(), global);
        global
    }

    /// Address of the module's coverage bytes.
    pub(crate) fn coverage(&self) -> Value {
        const { assert!(offset_of!(Descriptor, coverage) == 0) };
        self.builder.load_invariant(self.builder.ptr, self.descriptor, 8)
    }

    /// The intrinsic that returns the stack pointer.
    pub(crate) fn stack_save(&self) -> Value {
        const NAME: &str = "llvm.stacksave.p0";
        let known = self.module.functions().into_iter().find(|function| function.name() == NAME);
        known.unwrap_or_else(|| self.module.add_function(NAME, self.builder.ptr.function(&[])))
    }

    /// The entry point without a guard.
    pub(crate) fn entry(&mut self, name: &'static str) -> Value {
        if let Some(function) = self.functions.get(name) {
            return *function;
        }
        let entry = find(name);
        let params: Vec<Type> = entry.params.iter().map(|kind| self.ty(*kind)).collect();
        let result = entry.result.map_or(self.builder.void, |kind| self.ty(kind));
        let function = self.module.add_function(&format!("__tine_{name}"), result.function(&params));
        self.module.add_function_attribute(function, "cold");
        self.functions.insert(name.to_owned(), function);
        function
    }

    /// The guard of an entry point: same parameters, same result.
    pub(crate) fn guard(&mut self, name: &'static str) -> Value {
        let entry = self.entry(name);
        let shadows = positions(find(name).params, Kind::Shadow);
        self.guarded(
            &format!("tine.{name}"),
            entry.function_type(),
            |this, p| this.any(shadows.iter().map(|i| p[*i])),
            |this, p| this.builder.call(entry, p),
        )
    }

    /// The guard of an entry point that takes its 128-bit values through memory (`ptr` is its last parameter):
    /// the guard takes `n_values` of them by value instead.
    pub(crate) fn wide_guard(&mut self, name: &'static str, n_values: usize) -> Value {
        let entry = self.entry(name);
        let fixed = find(name).params.len() - 1;
        let mut params: Vec<Type> = entry.function_type().params()[..fixed].to_vec();
        params.extend(std::iter::repeat_n(self.builder.i128, n_values));
        let shadows = positions(find(name).params, Kind::Shadow);
        self.guarded(
            &format!("tine.{name}"),
            self.builder.i32.function(&params),
            |this, p| this.any(shadows.iter().map(|i| p[*i])),
            |this, p| {
                let b = &this.builder;
                let values = b.alloca(b.i128.array(n_values as u64));
                for (k, value) in p[fixed..].iter().enumerate() {
                    b.store(*value, b.offset(values, b.i64.constant(16 * k as u64)), 16);
                }
                let mut arguments = p[..fixed].to_vec();
                arguments.push(values);
                b.call(entry, &arguments)
            },
        )
    }

    /// `condition ? yes : no` of shadows if the condition is concrete, otherwise an expression.
    /// Parameters: width, sc, st, sf, condition (i1), t, f, r (all i64, or i128 when `wide`).
    pub(crate) fn select_guard(&mut self, wide: bool) -> Value {
        let key = self.flavoured(if wide { "tine.choose.wide" } else { "tine.choose" });
        if let Some(function) = self.functions.get(&key) {
            return *function;
        }
        let expression = if wide { self.wide_guard("select_wide", 3) } else { self.guard("select") };
        let b = &self.builder;
        let value = if wide { b.i128 } else { b.i64 };
        let ty = b.i32.function(&[b.i32, b.i32, b.i32, b.i32, b.i1, value, value, value]);
        self.inlined(&key, ty, |this, function| {
            let b = &this.builder;
            let p = function.params();
            // The guard returns 0 unless the condition is symbolic.
            let symbolic = b.call(expression, &[p[0], p[1], p[2], p[3], p[5], p[6], p[7]]);
            let chosen = b.select(p[4], p[2], p[3]);
            let concrete = b.eq(p[1], b.i32.constant(0));
            b.ret(Some(b.select(concrete, chosen, symbolic)));
        })
    }

    /// A predicate and its negation: parameters as `binary`, `r` is the negated result.
    pub(crate) fn negated_guard(&mut self) -> Value {
        let (binary, not) = (self.entry("binary"), self.guard("unary"));
        self.guarded(
            "tine.negated",
            binary.function_type(),
            |this, p| this.any([p[1], p[2]]),
            |this, p| {
                let b = &this.builder;
                let positive = b.binary(LLVMOpcode::LLVMXor, p[5], b.i64.constant(1));
                let predicate = b.call(binary, &[p[0], p[1], p[2], p[3], p[4], positive]);
                let op = b.i32.constant(pack(Op::Not, 1) as u64);
                b.call(not, &[op, b.i32.constant(0), predicate, p[5]])
            },
        )
    }

    /// Address arithmetic `base + index * scale`: parameters s_base, s_index, base, index (sign-extended),
    /// width of the index, scale.
    pub(crate) fn address_guard(&mut self) -> Value {
        let (unary, binary) = (self.guard("unary"), self.guard("binary"));
        let b = &self.builder;
        let ty = b.i32.function(&[b.i32, b.i32, b.i64, b.i64, b.i32, b.i64]);
        self.guarded(
            "tine.address",
            ty,
            |this, p| this.any([p[0], p[1]]),
            |this, p| {
                let b = &this.builder;
                let op = |op: Op| b.i32.constant(pack(op, 64) as u64);
                let zero = b.i32.constant(0);
                let narrow = b.icmp(LLVMIntPredicate::LLVMIntULT, p[4], b.i32.constant(64));
                let extended = b.call(unary, &[op(Op::SExt), zero, b.select(narrow, p[1], zero), p[3]]);
                let index = b.select(narrow, extended, p[1]);
                let scaled = b.binary(LLVMOpcode::LLVMMul, p[3], p[5]);
                let product = b.call(binary, &[op(Op::Mul), index, zero, p[3], p[5], scaled]);
                let product = b.select(b.eq(p[5], b.i64.constant(1)), index, product);
                let sum = b.add(p[2], scaled);
                b.call(binary, &[op(Op::Add), p[0], product, p[2], scaled, sum])
            },
        )
    }

    /// Shadow of `size` bytes just loaded: parameters address (i64), lo, hi.
    pub(crate) fn load_guard(&mut self, size: u32) -> Value {
        let entry = self.entry("load");
        let b = &self.builder;
        let ty = b.i32.function(&[b.i64, b.i64, b.i64]);
        self.guarded(
            &format!("tine.load.{size}"),
            ty,
            |this, p| this.any_cell(p[0], size),
            |this, p| this.builder.call(entry, &[p[0], this.builder.i32.constant(size as u64), p[1], p[2]]),
        )
    }

    /// Stores the shadow `node` for `size` bytes at an address: parameters address (i64), node.
    pub(crate) fn store_guard(&mut self, size: u32) -> Value {
        let entry = self.entry("store");
        let b = &self.builder;
        let ty = b.void.function(&[b.i64, b.i32]);
        self.guarded(
            &format!("tine.store.{size}"),
            ty,
            |this, p| {
                let cells = this.any_cell(p[0], size);
                this.builder.or(cells, this.any([p[1]]))
            },
            |this, p| this.builder.call(entry, &[p[0], this.builder.i32.constant(size as u64), p[1]]),
        )
    }

    /// Shadow of a value that was not written, otherwise 0: parameters whether it was not (i1), width, place.
    pub(crate) fn undefined_guard(&mut self) -> Value {
        let entry = self.entry("undefined");
        let ty = self.builder.i32.function(&[self.builder.i1, self.builder.i32, self.builder.i32]);
        self.guarded("tine.not_written", ty, |_, p| p[0], |this, p| this.builder.call(entry, &p[1..]))
    }

    /// `escape` of an operand of inline assembly of `size` bytes, if a cell of it is not 0: parameters site, how, address.
    pub(crate) fn operand_guard(&mut self, size: u32) -> Value {
        let (entry, descriptor) = (self.entry("escape"), self.descriptor);
        let b = &self.builder;
        let ty = b.void.function(&[b.i32, b.i32, b.i64]);
        self.guarded(
            &format!("tine.operand.{size}"),
            ty,
            |this, p| this.any_cell(p[2], size),
            |this, p| {
                let len = this.builder.i64.constant(u64::from(size));
                this.builder.call(entry, &[descriptor, p[0], p[1], p[2], len])
            },
        )
    }

    /// Reports that a callee gets a pointer, if it is uninstrumented: parameters how, flags, site, address, length.
    pub(crate) fn escape_guard(&mut self) -> Value {
        let (entry, descriptor) = (self.entry("escape"), self.descriptor);
        let b = &self.builder;
        let ty = b.void.function(&[b.i32, b.i32, b.i32, b.i64, b.i64]);
        self.guarded(
            "tine.escape",
            ty,
            |this, p| this.any([p[0]]),
            |this, p| this.builder.call(entry, &[descriptor, p[2], this.builder.or(p[0], p[1]), p[3], p[4]]),
        )
    }

    /// An always-inlined function that returns 0 (or nothing) unless `rare`, and otherwise the result of `slow`.
    ///
    /// The slow part is a separate function that preserves the caller's registers: the program pays for a test and a
    /// call instruction, not for spilling registers.
    pub(crate) fn guarded(
        &mut self,
        name: &str,
        ty: Type,
        rare: impl FnOnce(&Self, &[Value]) -> Value,
        slow: impl FnOnce(&Self, &[Value]) -> Value,
    ) -> Value {
        let key = self.flavoured(name);
        if let Some(function) = self.functions.get(&key) {
            return *function;
        }
        let finish = |result: Value| if result.is_void() { None } else { Some(result) };
        if self.outlined {
            return self.inlined(&key, ty, |this, function| {
                let p = function.params();
                let (slow_block, fast_block) =
                    (this.builder.block(function, "slow"), this.builder.block(function, "fast"));
                this.builder.branch_unlikely(rare(this, &p), slow_block, fast_block);
                this.builder.at_end(slow_block);
                let result = finish(slow(this, &p));
                this.builder.ret(result);
                this.builder.at_end(fast_block);
                this.builder.ret(result.map(|value| value.ty().null()));
            });
        }
        let slow = self.define(&format!("{name}.slow"), ty, |this, function| {
            let result = slow(this, &function.params());
            this.builder.ret(finish(result));
        });
        self.module.add_function_attribute(slow, "noinline");
        self.module.add_function_attribute(slow, "cold");
        slow.set_register_preserving();
        self.inlined(&key, ty, |this, function| {
            let p = function.params();
            let b = &this.builder;
            let (slow_block, fast_block) = (b.block(function, "slow"), b.block(function, "fast"));
            b.branch_unlikely(rare(this, &p), slow_block, fast_block);
            b.at_end(slow_block);
            let result = finish(b.call(slow, &p));
            b.ret(result);
            b.at_end(fast_block);
            b.ret(result.map(|value| value.ty().null()));
        })
    }

    fn inlined(&mut self, name: &str, ty: Type, body: impl FnOnce(&mut Self, Value)) -> Value {
        let function = self.define(name, ty, body);
        let attribute = if self.outlined { "noinline" } else { "alwaysinline" };
        self.module.add_function_attribute(function, attribute);
        function
    }

    fn flavoured(&self, name: &str) -> String {
        if self.outlined { format!("{name}.called") } else { name.to_owned() }
    }

    /// Defines a new internal function. The builder returns to its previous position.
    pub(crate) fn define(&mut self, name: &str, ty: Type, body: impl FnOnce(&mut Self, Value)) -> Value {
        let function = self.module.add_function(name, ty);
        function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        self.functions.insert(name.to_owned(), function);
        // Bodies are built with a separate builder, so that callers need not restore theirs.
        let outer = std::mem::replace(&mut self.builder, self.module.builder());
        let entry = self.builder.block(function, "entry");
        self.builder.at_end(entry);
        body(self, function);
        self.builder = outer;
        function
    }

    /// Writes the descriptor, the map and the constructor that registers the module.
    pub(crate) fn finish(mut self, map: &MapBuilder) {
        let bytes = map.serialise();
        let ty = self.builder.i8.array(self.buffer_len.next_multiple_of(16));
        let buffer = self.module.add_thread_local("tine.buffer", ty);
        buffer.set_initializer(ty.null());
        buffer.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        buffer.set_alignment(16);
        self.buffer.replace_uses(buffer);
        self.buffer.erase_global();
        let b = &self.builder;
        let blob = self.module.constant_bytes(&bytes);
        let map_global = self.module.add_global("tine.map", blob.ty());
        map_global.set_initializer(blob);
        map_global.set_constant();
        map_global.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        let private = b.i8.array(map.n_covered().max(1) as u64);
        let coverage = self.module.add_global("tine.coverage", private);
        coverage.set_initializer(private.null());
        coverage.set_linkage(LLVMLinkage::LLVMInternalLinkage);

        let (variables, n_variables) = self.variables();
        let (objects, n_objects) = self.objects();
        let (exported, n_exported) = self.exported();
        let (functions, n_functions) = self.own_functions();
        let (padded, n_padded) = self.padded_table();
        let b = &self.builder;
        // Field by field as in `trace::entry::Module`, with pairs of 32-bit fields in one word.
        let pair = |low: u32, high: u32| b.i64.constant(low as u64 | (high as u64) << 32);
        let fields = [
            coverage,
            pair(0, map.n_sites() as u32),
            pair(0, map.n_covered()),
            map_global,
            b.i64.constant(bytes.len() as u64),
            b.i64.constant(0),
            variables,
            b.i64.constant(n_variables),
            objects,
            b.i64.constant(n_objects),
            exported,
            b.i64.constant(n_exported),
            functions,
            b.i64.constant(n_functions),
            padded,
            b.i64.constant(n_padded),
        ];
        const { assert!(size_of::<Descriptor>() == 128 && offset_of!(Descriptor, map) == 24) };
        let descriptor = self.descriptor;
        descriptor.set_initializer(self.module.constant_struct(&fields));

        let register = self.entry("register");
        let ty = self.builder.void.function(&[]);
        let constructor = self.define("tine.register", ty, |this, _| {
            this.builder.call(register, &[descriptor]);
            this.builder.ret(None);
        });
        self.module.add_constructor(constructor);
    }

    /// A table of the program's variables in this module, including those of functions, and their number.
    fn variables(&self) -> (Value, u64) {
        let b = &self.builder;
        let is_own = |global: &Value| {
            let name = global.name();
            // The program cannot change variables made by the compiler (private: strings, data of sanitizer checks).
            !global.is_constant_global()
                && !global.is_declaration()
                && global.linkage() != LLVMLinkage::LLVMPrivateLinkage
                && global.linkage() != LLVMLinkage::LLVMAvailableExternallyLinkage
                && !name.starts_with("tine.")
                && !name.starts_with("llvm.")
        };
        let own: Vec<Value> = self.module.globals().into_iter().filter(is_own).collect();
        if own.iter().any(|global| global.is_thread_local()) {
            return (b.ptr.null(), UNKNOWN_VARIABLES);
        }
        self.table_of("tine.variables", &own)
    }

    /// A table of all objects of this module that an address can point to.
    fn objects(&self) -> (Value, u64) {
        let is_own = |global: &Value| {
            let name = global.name();
            !global.is_declaration()
                && !global.is_thread_local()
                && global.linkage() != LLVMLinkage::LLVMAvailableExternallyLinkage
                && !name.starts_with("tine.")
                && !name.starts_with("llvm.")
        };
        let own: Vec<Value> = self.module.globals().into_iter().filter(is_own).collect();
        self.table_of("tine.objects", &own)
    }

    /// A table of the variables that other code can name, including those of other modules.
    fn exported(&self) -> (Value, u64) {
        let is_shared = |global: &Value| {
            let name = global.name();
            let linkage = global.linkage();
            !global.is_thread_local()
                && !matches!(linkage, LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
                && !["tine.", "llvm.", "__tine_"].iter().any(|prefix| name.starts_with(prefix))
        };
        let shared: Vec<Value> = self.module.globals().into_iter().filter(is_shared).collect();
        self.table_of("tine.exported", &shared)
    }

    /// A table of instrumented functions that can be called from other modules. The table refers to separate aliases,
    /// so that it has this module's definition even if another one replaces it.
    fn own_functions(&self) -> (Value, u64) {
        let b = &self.builder;
        let mut functions: Vec<Value> = self.instrumented.iter().copied().collect();
        functions.sort_by_key(|function| function.name());
        let mut own = Vec::new();
        for function in functions {
            match function.linkage() {
                LLVMLinkage::LLVMAvailableExternallyLinkage => {}
                LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage => {
                    own.extend(self.address_taken.contains(&function).then_some(function));
                }
                LLVMLinkage::LLVMExternalLinkage | LLVMLinkage::LLVMWeakAnyLinkage => {
                    let alias = self.module.add_alias(&format!("tine.own.{}", function.name()), function);
                    alias.set_linkage(LLVMLinkage::LLVMInternalLinkage);
                    own.push(alias);
                }
                // The linker keeps one of several equal functions.
                _ => own.push(function),
            }
        }
        if own.is_empty() {
            return (b.ptr.null(), 0);
        }
        let table = self.module.constant_struct(&own);
        let global = self.module.add_global("tine.functions", table.ty());
        global.set_initializer(table);
        global.set_constant();
        global.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        (global, own.len() as u64)
    }

    fn padded_table(&self) -> (Value, u64) {
        let is_padded = |global: &Value| self.padded_globals.contains_key(global);
        let padded: Vec<Value> = self.module.globals().into_iter().filter(is_padded).collect();
        self.table_of("tine.padded", &padded)
    }

    /// Size of a global variable in bytes.
    pub(crate) fn len_of(&self, global: Value) -> u64 {
        let ty = global.held_type();
        let len = || if ty.is_sized() { self.module.alloc_size(ty) } else { 0 };
        self.padded_globals.get(&global).copied().unwrap_or_else(len)
    }

    fn table_of(&self, name: &str, own: &[Value]) -> (Value, u64) {
        let b = &self.builder;
        if own.is_empty() {
            return (b.ptr.null(), 0);
        }
        let record = |global: &Value| self.module.constant_struct(&[*global, b.i64.constant(self.len_of(*global))]);
        let records: Vec<Value> = own.iter().map(record).collect();
        let table = self.module.constant_struct(&records);
        let global = self.module.add_global(name, table.ty());
        global.set_initializer(table);
        global.set_constant();
        global.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        (global, own.len() as u64)
    }

    fn ty(&self, kind: Kind) -> Type {
        match kind {
            Kind::U32 | Kind::Shadow => self.builder.i32,
            Kind::U64 => self.builder.i64,
            Kind::Ptr => self.builder.ptr,
        }
    }

    /// True if any of these shadows is not 0.
    fn any(&self, shadows: impl IntoIterator<Item = Value>) -> Value {
        let zero = self.builder.i32.constant(0);
        let all = shadows.into_iter().reduce(|a, b| self.builder.or(a, b)).unwrap_or(zero);
        self.builder.icmp(LLVMIntPredicate::LLVMIntNE, all, zero)
    }

    /// True if any cell of the `size` bytes at `address` is not 0.
    pub(crate) fn any_cell(&self, address: Value, size: u32) -> Value {
        let b = &self.builder;
        let folded = b.and(address, b.i64.constant(FOLD_MASK));
        let scaled = b.binary(LLVMOpcode::LLVMShl, folded, b.i64.constant(2));
        let cells = b.cast(LLVMOpcode::LLVMIntToPtr, b.add(scaled, b.i64.constant(SHADOW_BASE)), b.ptr);
        // Two cells at a time: with vector registers, testing the result would take more instructions.
        let mut all: Option<Value> = None;
        for done in (0..size).step_by(2) {
            let at = b.offset(cells, b.i64.constant(4 * done as u64));
            let part = b.load(if done + 1 < size { b.i64 } else { b.i32 }, at, 4);
            b.confine(part, &[Area::Cells], &[Area::Coverage]);
            let part = if size == 1 { part } else { b.resize(part, b.i64) };
            all = Some(all.map_or(part, |all| b.or(all, part)));
        }
        let all = all.expect("sizes are at least 1");
        b.icmp(LLVMIntPredicate::LLVMIntNE, all, all.ty().constant(0))
    }
}

fn find(name: &str) -> &'static Entry {
    ENTRIES.iter().find(|entry| entry.name == name).unwrap_or_else(|| panic!("no entry point `{name}` in the list"))
}

fn positions(params: &[Kind], kind: Kind) -> Vec<usize> {
    params.iter().enumerate().filter(|(_, k)| **k == kind).map(|(i, _)| i).collect()
}
