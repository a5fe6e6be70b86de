//! Runtime entry points, listed once: `instrument` declares them from this list, `runtime` defines them
//! from it. The symbol of `name` is `__tine_name`.
//!
//! Types: `shadow` is a node id (`u32`), 0 for a concrete value. An entry point with `shadow` parameters is
//! called only when at least one of them is not 0: the instrumenter makes an always-inlined guard around
//! it that otherwise answers 0 (or nothing). `u64` values are zero-extended; `ptr` is a machine address.
//! `wide` points at 128-bit values, for the rare ones that do not fit.
//!
//! `module` is the address of the module's [`Module`]; `site` counts from 0 in each module.

/// Calls `$callback!` with the whole list.
#[macro_export]
macro_rules! entry_points {
    ($callback:ident) => {
        $callback! {
            // Expressions. `op` is `pack(op, width)`: the width of the operands for predicates, else the
            // result's; `r` is what the machine computed.
            fn binary(op: u32, sa: shadow, sb: shadow, a: u64, b: u64, r: u64) -> shadow;
            fn binary_wide(op: u32, sa: shadow, sb: shadow, abr: ptr) -> shadow;
            fn unary(op: u32, immediate: u32, sa: shadow, r: u64) -> shadow;
            fn unary_wide(op: u32, immediate: u32, sa: shadow, r: ptr) -> shadow;
            // Only when the condition itself is symbolic.
            fn select(width: u32, sc: shadow, st: u32, sf: u32, t: u64, f: u64, r: u64) -> shadow;
            fn select_wide(width: u32, sc: shadow, st: u32, sf: u32, tfr: ptr) -> shadow;
            // Compositions; `what` is `pack_composite(composite, width)`, `abcr` four 128-bit values.
            fn compose(what: u32, sa: shadow, sb: shadow, sc: shadow, abcr: ptr) -> shadow;

            // Memory. Called when a cell, or the node to be stored, is not 0. `lo`, `hi` is what was loaded.
            fn load(address: u64, size: u32, lo: u64, hi: u64) -> u32;
            fn store(address: u64, size: u32, node: u32);
            fn clear(address: u64, len: u64);
            // An object on the stack comes to life; `stack_padded` if there is room around it that is no object.
            fn stack_object(address: u64, len: u64);
            fn stack_padded(address: u64, len: u64);
            // Memory of the stack is about to be used for something else.
            fn stack_clear(address: u64, len: u64);
            // The scope of a padded object ends, or its function returns.
            fn scope_end(address: u64, len: u64);
            fn stack_end(address: u64, len: u64);
            // `setjmp` has returned: frames below may be gone.
            fn stack_jumped();
            // Around a load or store whose address depends on inputs: `access` before it, with the size and `ACCESS_*`;
            // `read` behind a load, with the shadow that `load` gave, answers what the value is; `wrote` behind a store.
            fn access(module: ptr, site: u32, pointer: shadow, address: u64, size: u32);
            fn read(pointer: shadow, loaded: u32, lo: u64, hi: u64) -> u32;
            fn wrote(pointer: shadow, value: u32, lo: u64, hi: u64);
            // Likewise around a copy and a fill: `access` before it for each address, then instead of `copy` and `fill`:
            fn copied(to_node: shadow, from_node: shadow, to: u64, from: u64, len: u64);
            fn filled(to_node: shadow, node: u32, to: u64, len: u64);
            fn copy(to: u64, from: u64, len: u64);
            fn fill(to: u64, node: u32, len: u64);
            // Code that is not followed may have written what an address leads to.
            fn written(address: u64);
            // A value that the program has not written is used. It is 0. `place` tells it from values used elsewhere.
            fn undefined(width: u32, place: u32) -> u32;
            // A value is printed.
            fn printed(value: shadow);
            // `list` is the `va_list`, `saved` the callee's copy of `Passing::va`.
            fn va_start(list: u64, saved: ptr);

            // The path.
            fn branch(module: ptr, site: u32, condition: shadow, taken: u32);
            fn switch(module: ptr, site: u32, value: shadow, alternative: u32);
            fn pin(module: ptr, site: u32, value: shadow, reason: u32);
            fn note(module: ptr, site: u32, value: shadow, kind: u32);
            // Before a call: what the callee is (`CALLEE_*`). If it is not followed and not of the C library, notes whether it
            // can read symbolic memory without being given a pointer to it now.
            fn calling(module: ptr, site: u32, callee: u64) -> u32;
            // Code that is not followed gets `address`: notes it if symbolic memory can be reached from there. `how` is what
            // `calling` answered (`CALLEE_OTHER` for inline assembly), with flags (`ESCAPE_*`). `len` is 0 where the object's
            // size is not known.
            fn escape(module: ptr, site: u32, how: u32, address: u64, len: u64);
            // Before a call of the C library: one of its contracts ([`crate::contract`]). `sa`, `sb`, `sc` are the shadows of the
            // operands, 0 in code where nothing is symbolic.
            fn contract(module: ptr, site: u32, rule: u32, sa: u32, sb: u32, sc: u32, a: u64, b: u64, c: u64, d: u64);
            // A check failed here. Returns if the kind of error lets a run go on.
            fn failed(module: ptr, site: u32, kind: u32);
            // The program is about to end at once (`_exit`, `_Exit`, `quick_exit`). Does not return while exploring.
            fn exiting(code: u32);

            // Called by a constructor of each module, before anything else in it runs.
            fn register(module: ptr);
        }
    };
}

/// Flag of `site` in `note` and `escape`: it is in a model, and of interest is who called that ([`Passing::user_site`]).
pub const SITE_IN_MODEL: u32 = 1 << 30;

/// Bit of a site in `branch`: a check that the run goes on after. Its operands may be undefined: it computes, and decides nothing.
pub const SITE_GOES_ON: u32 = 1 << 29;

/// Answer of `calling`: the callee is instrumented.
pub const CALLEE_FOLLOWED: u32 = 0;
/// A function of the C library: it knows of the program's memory only what it is given, and follows no pointers in there
/// unless [`ESCAPE_FOLLOWS`] says so.
pub const CALLEE_LIBRARY: u32 = 1;
/// Any other code without instrumentation.
pub const CALLEE_OTHER: u32 = 2;
/// Flag of `how` in `escape`: a function of the C library that follows pointers which it finds in memory.
pub const ESCAPE_FOLLOWS: u32 = 4;
/// Flag of `how` in `escape`: the address was passed as an integer, and may be none.
pub const ESCAPE_NUMBER: u32 = 8;
/// Flag of `how` in `escape`: the callee returned this address, so it knows the object.
pub const ESCAPE_RETURNED: u32 = 16;

/// Bytes of the largest access that is followed through an address that depends on inputs.
pub const MAX_ACCESS: u32 = 4096;

/// Flag of `size` in `access`: it is a store.
pub const ACCESS_WRITES: u32 = 1 << 31;

/// `op` of the expression entry points.
pub const fn pack(op: crate::op::Op, width: u32) -> u32 {
    op as u32 | width << 8
}

/// Operations that `runtime` composes from [`crate::op::Op`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Composite {
    // Integers.
    UAddO,
    SAddO,
    USubO,
    SSubO,
    UAddSat,
    SAddSat,
    USubSat,
    SSubSat,
    UShlSat,
    SShlSat,
    Abs,
    UMin,
    UMax,
    SMin,
    SMax,
    Bswap,
    BitReverse,
    CtPop,
    /// Leading zeros; of 0: the width.
    CtLz,
    /// Trailing zeros; of 0: the width.
    CtTz,
    /// Funnel shifts of `a`:`b` by `c` modulo the width.
    FShl,
    FShr,
    // Floats; the comparisons give one bit. Ordered ones are false, unordered ones true, where a NaN takes part.
    FOrd,
    FUno,
    FOne,
    FUeq,
    FUlt,
    FUle,
    FUne,
    /// `fmin`, `fmax`: the other operand where one is a NaN.
    FMin,
    FMax,
    FCopySign,
    /// [`crate::op::Op::FMa`]: here because it has three operands.
    FMa,
}

impl Composite {
    pub const ALL: &'static [Composite] = &[
        Composite::UAddO,
        Composite::SAddO,
        Composite::USubO,
        Composite::SSubO,
        Composite::UAddSat,
        Composite::SAddSat,
        Composite::USubSat,
        Composite::SSubSat,
        Composite::UShlSat,
        Composite::SShlSat,
        Composite::Abs,
        Composite::UMin,
        Composite::UMax,
        Composite::SMin,
        Composite::SMax,
        Composite::Bswap,
        Composite::BitReverse,
        Composite::CtPop,
        Composite::CtLz,
        Composite::CtTz,
        Composite::FShl,
        Composite::FShr,
        Composite::FOrd,
        Composite::FUno,
        Composite::FOne,
        Composite::FUeq,
        Composite::FUlt,
        Composite::FUle,
        Composite::FUne,
        Composite::FMin,
        Composite::FMax,
        Composite::FCopySign,
        Composite::FMa,
    ];
}

/// `what` of `compose`.
pub const fn pack_composite(composite: Composite, width: u32) -> u32 {
    composite as u32 | width << 8
}

/// Description of a module of the program for the runtime. Lives in the module's writable data; the
/// instrumenter writes it, `register` fills in the rest.
#[derive(Debug)]
#[repr(C)]
pub struct Module {
    /// Address of the module's coverage bytes: its own `private_coverage` until registered with an engine.
    pub coverage: u64,
    pub site_base: u32,
    pub n_sites: u32,
    pub edge_base: u32,
    pub n_edges: u32,
    /// Address and length of its [`crate::map`].
    pub map: u64,
    pub map_len: u64,
    /// The next registered module, kept by the runtime.
    pub next: u64,
    /// Its variables that can change: address of [`Variable`]s, and how many; [`UNKNOWN_VARIABLES`] if some are not
    /// among them.
    pub variables: u64,
    pub n_variables: u64,
    /// All its objects of static storage, constant ones included: address of [`Variable`]s, and how many.
    pub objects: u64,
    pub n_objects: u64,
    /// Variables that code without instrumentation can name: address of [`Variable`]s, and how many. The length is 0 where it is
    /// not known, the address where nothing defines the variable.
    pub exported: u64,
    pub n_exported: u64,
    /// Addresses of its instrumented functions that other modules can call, and how many.
    pub functions: u64,
    pub n_functions: u64,
    /// Variables with a gap behind them that is no object: address of [`Variable`]s, and how many.
    pub padded: u64,
    pub n_padded: u64,
}

/// A variable of a module, wherever it is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Variable {
    pub address: u64,
    pub len: u64,
}

/// [`Module::n_variables`] of a module with variables that have no one address: every thread has its own.
pub const UNKNOWN_VARIABLES: u64 = u64::MAX;

/// Passing of shadows with calls: the thread-local `__tine_passing`, initial-exec, defined by `runtime`.
///
/// The caller writes the shadows of the arguments and the callee's address; an instrumented callee finds
/// its own address there, takes the arguments and writes 0. So after the call an address still there says
/// that code without instrumentation was called, and a callback called by such code sees that the
/// arguments are not meant for it.
///
/// The low bits of the address say more: 2 that nothing symbolic is passed, and `arguments` were not written; 1,
/// left by a callee that returns, that `results` are its own and not all 0. Whoever takes results writes 0 there, so
/// that code which handles nothing symbolic need not write any.
#[derive(Debug)]
#[repr(C)]
pub struct Passing {
    pub callee: u64,
    /// Shadows of the scalars of the result, in order.
    pub results: [u32; MAX_RESULTS],
    /// Shadows of the scalars of the fixed parameters, in order.
    pub arguments: [u32; MAX_ARGUMENTS],
    /// For the k-th `byval` parameter: the address of the caller's original.
    pub byval: [u64; MAX_BYVAL],
    /// Shadows of variadic calls in the order of the x86-64 ABI's save area, one per eight bytes: 6 general
    /// registers, 8 vector registers, then the stack. Fixed arguments take their slots, unused.
    pub va: [u32; MAX_VA],
    /// One more than the program-wide number of the site from which code of the user called a model last; 0 before
    /// the first.
    pub user_site: u32,
    /// Shadow of the value on its way from a `longjmp` to the `setjmp` that returns it, which writes 0.
    pub jumped: u32,
}

pub const MAX_RESULTS: usize = 8;
pub const MAX_ARGUMENTS: usize = 64;
pub const MAX_BYVAL: usize = 16;
pub const MAX_VA: usize = 64;
/// First stack slot in [`Passing::va`].
pub const VA_STACK: usize = 14;

/// Functions for programs and drivers (`include/tine.h` and the interfaces of other tools are written in C
/// on top of these). They are called like any C function: the instrumenter passes no shadows to them.
///
/// ```c
/// void     __tine_input(void *to, unsigned long size, const char *name, unsigned kind);   // InputKind
/// void     __tine_root(void *to, unsigned long size, const char *name, unsigned kind, unsigned type);
///                                                                // an input with a type: number of a driver's variable
/// void     __tine_functions(void *const *table, unsigned n);    // what input pointers may call
/// void     __tine_length(void *const *pointer, const void *count, unsigned long count_size, unsigned long element);
///                                                                // what it points to has this many elements of that size
/// void     __tine_volatile(void *to, unsigned long size, const char *name);   // before a read of a volatile object
/// unsigned long __tine_room(const void *array, unsigned long n, unsigned long size);
///                             // elements of an array at the end of a structure: n, or what the allocation has room for
/// _Noreturn void __tine_missing(const char *name);               // stands for a function that is undefined
/// _Noreturn void __tine_violation(const char *message, const char *file, unsigned line, const char *function);
///                                                                // a specification is violated, at a place or (line 0) here
/// _Noreturn void __tine_difference(const char *message, const char *file, unsigned line, const char *function);
///                                                                // two versions of a function differ
/// unsigned __tine_ends(const char *file, unsigned line, const char *function);
///                                                                // whether both versions ended early; reports a difference
/// void     __tine_attempt(unsigned version, void (*leave)(void));   // version 0 or 1 is called; 2: it returned
/// void    *__tine_object(unsigned index, unsigned long *size);   // an object of the input
/// void     __tine_transfer(void *to, const void *from, unsigned long size);   // a copy with what is known of it
/// unsigned long __tine_unlike(const void *, const void *, unsigned long from, unsigned long size, unsigned *width);
///                                                                // the first bytes that may differ
/// unsigned __tine_extent(const void *, void **start, unsigned long *size);   // of an object of the heap
/// void     __tine_monitored(unsigned property, unsigned state, unsigned distance);
///                                                                // a monitor came to a state; the nearest violation of all
/// void     __tine_endless(void);                                 // in a loop that nothing inside it can end
/// void     __tine_loop(unsigned long loop, unsigned long turn, …);   // in a loop that writes nothing: its turn, and the
///                                                                // values on which its ways out depend ([`LOOP_STATE`])
/// _Noreturn void __tine_beyond(void);                            // more elements than a bound allows
/// unsigned __tine_choice(unsigned n, const char *name);          // 0 … n-1, a decision of the tree
/// _Noreturn void __tine_reject(void);                            // an assumption does not hold
/// void     __tine_fail(unsigned kind, const char *message, const char *file, unsigned line);   // ErrorKind
/// void     __tine_state(unsigned calls_left);                    // between two calls of a sequence: see `state`
/// unsigned __tine_alive(const void *);                           // whether it is not an object that was freed
/// unsigned __tine_depends(const void *, unsigned long size);     // whether what lies there depends on inputs
/// unsigned long __tine_plain(unsigned long value);               // the value, without what is known of it
/// void     __tine_sized(void *object, const unsigned long *size);   // an object of the heap has this size, not all its room
/// void     __tine_unset(void *object, unsigned long size);       // nothing has written the object yet
/// unsigned __tine_freeing(void *const *pointer);                 // it is about to be given to `free` or `realloc`; whether it
///                                                                // was decided which object that is
/// void     __tine_overwritten(void *at, unsigned long size);     // code without instrumentation wrote there
/// void     __tine_leaving(const void *from, unsigned long size); // bytes are about to be written out
/// int      __tine_reserve_descriptor(int from);                  // the lowest free number; -1 if there is none
/// int      __tine_release_descriptor(int number);                // whether it was reserved
/// void     __tine_read_back(void);                               // what is written may be read, without what is known of it
/// unsigned long __tine_place(void);                              // where the run is, by a few calls; 0 if it is not recorded
/// unsigned __tine_chosen(const unsigned *chosen, unsigned number, unsigned long place);
///                                                                // whether it has this number: a call at a place fails
/// void     __tine_call_failed(unsigned kind, unsigned number);   // what the last `InputKind::Failure` led to
/// void     __tine_same_place(void);                              // a call is not offered to fail: one from there was
/// void     __tine_compare(const void *, const void *, unsigned long n, unsigned folded, struct comparison *);
///                                                                // what of two strings to compare at once: see [`Comparison`]
/// ```
pub const INTERFACE: [&str; 39] = [
    "__tine_input",
    "__tine_root",
    "__tine_functions",
    "__tine_length",
    "__tine_volatile",
    "__tine_room",
    "__tine_missing",
    "__tine_violation",
    "__tine_difference",
    "__tine_ends",
    "__tine_attempt",
    "__tine_object",
    "__tine_transfer",
    "__tine_unlike",
    "__tine_extent",
    "__tine_monitored",
    "__tine_endless",
    "__tine_loop",
    "__tine_beyond",
    "__tine_choice",
    "__tine_reject",
    "__tine_fail",
    "__tine_state",
    "__tine_alive",
    "__tine_depends",
    "__tine_plain",
    "__tine_sized",
    "__tine_unset",
    "__tine_freeing",
    "__tine_overwritten",
    "__tine_leaving",
    "__tine_reserve_descriptor",
    "__tine_release_descriptor",
    "__tine_read_back",
    "__tine_place",
    "__tine_chosen",
    "__tine_call_failed",
    "__tine_same_place",
    "__tine_compare",
];

/// Values of a loop's state that are compared.
pub const LOOP_STATE: usize = 4;
/// First turns of a loop, in which it is not looked at. Turns are counted from minus this number.
pub const LOOP_WAIT: u64 = 64;
/// Bits of the turn that are 0 while a loop is looked at: 1,024 turns of every 65,536.
pub const LOOP_WINDOW: u64 = 0xfc00;
/// Turns from the start of one such window to the next.
pub const LOOP_PERIOD: u64 = 0x1_0000;

/// Answer of `__tine_compare`: bytes `first` to `end` must be compared; those before are equal constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Comparison {
    pub first: u64,
    pub end: u64,
    /// Whatever the inputs are, the strings differ or end by then.
    pub is_decided: u32,
}
