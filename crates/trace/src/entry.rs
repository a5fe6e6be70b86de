//! Runtime entry points, listed once: `instrument` declares them from this list, `runtime` defines them from it. The
//! symbol of `name` is `__tine_name`.
//!
//! Types: `shadow` is a node id (`u32`), 0 for a concrete value. An entry point with `shadow` parameters is called only
//! if at least one of them is not 0. The instrumenter makes an always-inlined guard around it that otherwise returns 0
//! (or nothing). `u64` values are zero-extended; `ptr` is a machine address. `wide` points to 128-bit values, for the
//! rare values that do not fit.
//!
//! `module` is the address of the module's [`Module`]; `site` counts from 0 in each module.

/// Calls `$callback!` with the whole list.
#[macro_export]
macro_rules! entry_points {
    ($callback:ident) => {
        $callback! {
            // Expressions. `op` is `pack(op, width)`: the width of the operands for predicates, otherwise the result's.
            // `r` is the machine's result.
            fn binary(op: u32, sa: shadow, sb: shadow, a: u64, b: u64, r: u64) -> shadow;
            fn binary_wide(op: u32, sa: shadow, sb: shadow, abr: ptr) -> shadow;
            fn unary(op: u32, immediate: u32, sa: shadow, r: u64) -> shadow;
            fn unary_wide(op: u32, immediate: u32, sa: shadow, r: ptr) -> shadow;
            // Only when the condition itself is symbolic.
            fn select(width: u32, sc: shadow, st: u32, sf: u32, t: u64, f: u64, r: u64) -> shadow;
            fn select_wide(width: u32, sc: shadow, st: u32, sf: u32, tfr: ptr) -> shadow;
            // Compositions; `what` is `pack_composite(composite, width)`, `abcr` four 128-bit values.
            fn compose(what: u32, sa: shadow, sb: shadow, sc: shadow, abcr: ptr) -> shadow;

            // Memory. Called if a cell, or the node to be stored, is not 0. `lo`, `hi` is the loaded value.
            fn load(address: u64, size: u32, lo: u64, hi: u64) -> u32;
            fn store(address: u64, size: u32, node: u32);
            fn clear(address: u64, len: u64);
            // An object on the stack begins its life; `stack_padded` if there is a gap around it.
            fn stack_object(address: u64, len: u64);
            fn stack_padded(address: u64, len: u64);
            // Memory of the stack is reused next.
            fn stack_clear(address: u64, len: u64);
            // The scope of a padded object ends, or its function returns.
            fn scope_end(address: u64, len: u64);
            fn stack_end(address: u64, len: u64);
            // `setjmp` has returned: frames below may be gone.
            fn stack_jumped(frame: u64);
            // Around a load or store whose address depends on inputs. `access` comes before it, with the size and
            // `ACCESS_*`. `read` comes after a load, with the shadow that `load` returned, and returns the value's
            // shadow. `wrote` comes after a store.
            fn access(module: ptr, site: u32, pointer: shadow, address: u64, size: u32);
            fn read(pointer: shadow, loaded: u32, lo: u64, hi: u64) -> u32;
            fn wrote(pointer: shadow, value: u32, lo: u64, hi: u64);
            // The same for a copy and a fill: `access` before it for each address, then one of these instead of `copy`
            // and `fill`:
            fn copied(to_node: shadow, from_node: shadow, to: u64, from: u64, len: u64);
            fn filled(to_node: shadow, node: u32, to: u64, len: u64);
            fn copy(to: u64, from: u64, len: u64);
            fn fill(to: u64, node: u32, len: u64);
            // Uninstrumented code may have written the memory that an address points to.
            fn written(address: u64);
            // A value is used that the program has not written. It is 0. `place` distinguishes it from values used
            // elsewhere.
            fn undefined(width: u32, place: u32) -> u32;
            // A value is printed.
            fn printed(value: shadow);
            // `list` is the `va_list`, `saved` the callee's copy of `Passing::va`.
            fn va_start(list: u64, saved: ptr);

            // The path.
            fn branch(module: ptr, site: u32, condition: shadow, taken: u32);
            fn switch(module: ptr, site: u32, value: shadow, side_index: u32);
            fn concretise(module: ptr, site: u32, value: shadow, reason: u32);
            fn note(module: ptr, site: u32, value: shadow, kind: u32);
            // Before a call: returns the kind of the callee (`CALLEE_*`). If it is neither instrumented nor in the C
            // library, notes whether it can read symbolic memory without receiving a pointer to it now.
            fn calling(module: ptr, site: u32, callee: u64) -> u32;
            // Uninstrumented code receives `address`: notes it if symbolic memory is reachable from there. `how` is the
            // answer of `calling` (`CALLEE_OTHER` for inline assembly), with flags (`ESCAPE_*`). `len` is 0 if the
            // object's size is not known.
            fn escape(module: ptr, site: u32, how: u32, address: u64, len: u64);
            // Before a call of the C library: one of its contracts ([`crate::contract`]). `sa`, `sb`, `sc` are the
            // shadows of the operands, 0 in code that handles nothing symbolic.
            fn contract(module: ptr, site: u32, rule: u32, sa: u32, sb: u32, sc: u32, a: u64, b: u64, c: u64, d: u64);
            // A check failed here. Returns if the run continues after this kind of error. `how` is `Refused::pack`, or
            // 0 if the operands `a` and `b` are not known.
            fn failed(module: ptr, site: u32, kind: u32, how: u32, a: u64, b: u64);
            // The program ends immediately (`_exit`, `_Exit`, `quick_exit`). Does not return while exploring.
            fn exiting(code: u32);

            // Called by a constructor of each module, before any other code of the module runs.
            fn register(module: ptr);
        }
    };
}

/// Flag of `site` in `note` and `escape`: it is in a model, so the caller of the model is used
/// ([`Passing::user_site`]).
pub const SITE_IN_MODEL: u32 = 1 << 30;

/// Bit of a site in `branch`: a check after which the run continues. Its operands may be undefined, because it is not a
/// decision of the program.
pub const SITE_GOES_ON: u32 = 1 << 29;

/// Answer of `calling`: the callee is instrumented.
pub const CALLEE_FOLLOWED: u32 = 0;
/// Answer of `calling`: a function of the C library. It accesses only the memory that it receives, and follows no
/// pointers in there unless [`ESCAPE_FOLLOWS`] is set.
pub const CALLEE_LIBRARY: u32 = 1;
/// Answer of `calling`: any other uninstrumented code.
pub const CALLEE_OTHER: u32 = 2;
/// Flag of `how` in `escape`: a function of the C library that follows pointers found in memory.
pub const ESCAPE_FOLLOWS: u32 = 4;
/// Flag of `how` in `escape`: the address was passed as an integer, and may not be an address.
pub const ESCAPE_NUMBER: u32 = 8;
/// Flag of `how` in `escape`: the callee returned this address, so it can access the object.
pub const ESCAPE_RETURNED: u32 = 16;

/// Size of the largest access through an address that depends on inputs, in bytes.
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
    // Floats; the comparisons give one bit. If an operand is a NaN, ordered ones are false and unordered ones true.
    FOrd,
    FUno,
    FOne,
    FUeq,
    FUlt,
    FUle,
    FUne,
    /// `fmin`, `fmax`: if one operand is a NaN, the other one.
    FMin,
    FMax,
    FCopySign,
    /// [`crate::op::Op::FMa`]: in this list because it has three operands.
    FMa,
}

impl Composite {
    /// All operations.
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

/// Description of a module of the program for the runtime. It is in the module's writable data. The instrumenter writes
/// it, and `register` completes it.
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
    /// Its variables that can change: address and number of [`Variable`]s; [`UNKNOWN_VARIABLES`] if the list is not
    /// complete.
    pub variables: u64,
    pub n_variables: u64,
    /// All its objects of static storage, including constant ones: address and number of [`Variable`]s.
    pub objects: u64,
    pub n_objects: u64,
    /// Variables that uninstrumented code can name: address and number of [`Variable`]s. The length is 0 if it is not
    /// known. The address is 0 if the variable is undefined.
    pub exported: u64,
    pub n_exported: u64,
    /// Addresses of its instrumented functions that other modules can call, and their number.
    pub functions: u64,
    pub n_functions: u64,
    /// Variables followed by a gap: address and number of [`Variable`]s.
    pub padded: u64,
    pub n_padded: u64,
}

/// A variable of a module, declared in any scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Variable {
    pub address: u64,
    pub len: u64,
}

/// [`Module::n_variables`] of a module with variables that have a separate address in each thread.
pub const UNKNOWN_VARIABLES: u64 = u64::MAX;

/// Passing of shadows with calls: the thread-local `__tine_passing`, initial-exec, defined by `runtime`.
///
/// The caller writes the shadows of the arguments and the callee's address. An instrumented callee finds its own
/// address there, takes the arguments and writes 0. So an address that is still there after the call means that
/// uninstrumented code was called. If such code calls back, the callback sees that the arguments are not meant for it.
///
/// The low bits of the address are flags. 2: nothing symbolic is passed, and `arguments` were not written. 1, left by a
/// callee that returns: `results` are its own and not all 0. Code that takes results writes 0 there, so code that
/// handles nothing symbolic need not write.
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
    /// Shadows of variadic calls in the order of the x86-64 ABI's save area, one per eight bytes: 6 general registers,
    /// 8 vector registers, then the stack. Fixed arguments have slots, too, which are unused.
    pub va: [u32; MAX_VA],
    /// Program-wide number of the site from which the user's code last called a model, plus one; 0 before the first
    /// call.
    pub user_site: u32,
    /// Shadow of the value passed from a `longjmp` to the `setjmp` that returns it, which writes 0.
    pub jumped: u32,
    /// 1 while accesses of a loop are observed, to prove it infinite.
    pub observes_loop: u32,
}

/// Maximum number of result leaves that have shadows.
pub const MAX_RESULTS: usize = 8;
/// Maximum number of arguments that have shadows.
pub const MAX_ARGUMENTS: usize = 64;
/// Maximum number of arguments passed in memory.
pub const MAX_BYVAL: usize = 16;
/// Maximum number of slots for variable arguments.
pub const MAX_VA: usize = 64;
/// First stack slot in [`Passing::va`].
pub const VA_STACK: usize = 14;

/// Functions for programs and harnesses (`include/tine.h` and the interfaces of other tools are written in C with
/// these). They are called like any C function: the instrumenter passes no shadows to them.
///
/// ```c
/// void     __tine_input(void *to, unsigned long size, const char *name, unsigned kind);   // InputKind
/// void     __tine_root(void *to, unsigned long size, const char *name, unsigned kind, unsigned type);
///                             // an input with a type: number of a variable of the harness
/// void     __tine_functions(void *const *table, unsigned n);    // functions that input pointers may point to
/// void     __tine_length(void *const *pointer, const void *count, unsigned long count_size, unsigned long element,
///                        unsigned is_stated);
///                             // it points to this many elements of that size; other pointers to the object, too, if stated
/// void     __tine_volatile(void *to, unsigned long size, const char *name);   // before a read of a volatile object
/// unsigned long __tine_room(const void *array, unsigned long n, unsigned long size);
///                             // elements of an array at the end of a structure: n, or as many as fit the allocation
/// _Noreturn void __tine_missing(const char *name);               // replaces a function that is undefined
/// _Noreturn void __tine_difference(const char *message, const char *file, unsigned line, const char *function);
///                                                                // two versions of a function differ
/// unsigned __tine_ends(const char *file, unsigned line, const char *function);
///                             // returns 1 if both versions ended early; reports a difference
/// void     __tine_attempt(unsigned version, void (*leave)(void));   // version 0 or 1 is called; 2: it returned
/// void    *__tine_object(unsigned index, unsigned long *size);   // an object of the input
/// void     __tine_transfer(void *to, const void *from, unsigned long size);   // a copy including the cells
/// unsigned long __tine_unlike(const void *, const void *, unsigned long from, unsigned long size, unsigned *width);
///                                                                // the first bytes that may differ
/// unsigned __tine_extent(const void *, void **start, unsigned long *size);   // of an object of the heap
/// unsigned __tine_is_symbolic(const void *);                     // 1 if the pointer depends on inputs
/// unsigned __tine_event(struct tine_spec *, …);                   // an event of a specification (`spec/src/monitor.c`)
/// void     __tine_end_of_run(struct tine_spec *);                // no event follows
/// const void *__tine_followed(struct tine_spec *, unsigned index);   // an object of a specification
/// void     __tine_not_followed(void);                            // an object of a specification is not followed
/// void     __tine_endless(void);                                 // in a loop that no code inside it can end
/// void     __tine_loop(unsigned long loop, unsigned long turn, …);   // in a loop: its turn, and the values that
///                             // determine its exits ([`LOOP_STATE`])
/// void     __tine_loop_read(const void *, unsigned long size);   // bytes that determine the exits of a loop were read
/// void     __tine_loop_wrote(const void *, unsigned long size, unsigned long known);
///                             // bytes were written; 1 if the values that determine the exits determine them
/// void     __tine_loop_opaque(void);                             // code ran that is not analysed
/// _Noreturn void __tine_beyond(void);                            // more elements than a bound allows
/// unsigned __tine_choice(unsigned n, const char *name);          // 0 … n-1, a decision of the tree
/// _Noreturn void __tine_reject(void);                            // an assumption does not hold
/// void     __tine_fail(unsigned kind, const char *message, const char *file, unsigned line);   // ErrorKind
/// void     __tine_state(unsigned calls_left);                    // between two calls of a sequence: see `state`
/// unsigned __tine_alive(const void *);                           // 0 if it points to a freed object
/// unsigned __tine_depends(const void *, unsigned long size);     // 1 if these bytes depend on inputs
/// unsigned long __tine_plain(unsigned long value);               // the value, without its shadow
/// void     __tine_sized(void *object, const unsigned long *size);   // an object of the heap has this size
/// void     __tine_unset(void *object, unsigned long size);       // nothing has written the object yet
/// unsigned __tine_freeing(void *const *pointer);                 // it is passed to `free` or `realloc` next; returns
///                                                                // 1 if a decision was made which object that is
/// void     __tine_overwritten(void *at, unsigned long size);     // uninstrumented code wrote there
/// void     __tine_leaving(const void *from, unsigned long size); // bytes leave the program next
/// int      __tine_reserve_descriptor(int from);                  // the lowest free number; -1 if there is none
/// int      __tine_release_descriptor(int number);                // returns 1 if it was reserved
/// void     __tine_read_back(void);                               // written bytes may be read back, without shadows
/// unsigned long __tine_place(void);                              // hash of the innermost calls; 0 if not recorded
/// unsigned __tine_chosen(const unsigned *chosen, unsigned number, unsigned long place);
///                             // returns 1 if it equals this number: a call at a place fails
/// void     __tine_call_failed(unsigned kind, unsigned number);   // the result of the last `InputKind::Failure`
/// void     __tine_same_place(void);                              // a call cannot fail: one from the same place could
/// void     __tine_compare(const void *, const void *, unsigned long n, unsigned folded, struct comparison *);
///                             // bytes of two strings to compare at once: see [`Comparison`]
/// ```
pub const INTERFACE: [&str; 45] = [
    "__tine_input",
    "__tine_root",
    "__tine_functions",
    "__tine_length",
    "__tine_volatile",
    "__tine_room",
    "__tine_missing",
    "__tine_difference",
    "__tine_ends",
    "__tine_attempt",
    "__tine_object",
    "__tine_transfer",
    "__tine_unlike",
    "__tine_extent",
    "__tine_is_symbolic",
    "__tine_event",
    "__tine_end_of_run",
    "__tine_followed",
    "__tine_not_followed",
    "__tine_endless",
    "__tine_loop",
    "__tine_loop_read",
    "__tine_loop_wrote",
    "__tine_loop_opaque",
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

/// Number of values of a loop's state that are compared.
pub const LOOP_STATE: usize = 6;
/// Bit of the number of a loop that writes memory or calls functions, so that its accesses are observed.
pub const LOOP_OBSERVES: u64 = 1;
/// Number of first turns of a loop that are not compared. Turns are counted from minus this number.
pub const LOOP_WAIT: u64 = 64;
/// Bits of the turn that are 0 while a loop is compared: 1,024 turns of every 65,536.
pub const LOOP_WINDOW: u64 = 0xfc00;
/// Number of turns from the start of one such window to the next.
pub const LOOP_PERIOD: u64 = 0x1_0000;

/// Answer of `__tine_compare`: bytes `first` to `end` must be compared; those before are equal constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Comparison {
    pub first: u64,
    pub end: u64,
    /// 1 if the strings differ or end by then for all inputs.
    pub is_decided: u32,
}
