//! Effects of undefined functions that the program calls.

/// Effect of a function without code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Effect {
    /// The result depends only on the arguments.
    Computes,
    /// The result depends on the arguments and what they point to.
    Reads,
    /// Returns new memory.
    Allocates,
    /// Returns memory with the contents of the memory that the first argument points to.
    Reallocates,
    /// Writes input values, which may be addresses of input objects, to the memory that the first argument points to.
    WritesInput,
    /// The first argument points to a table of the functions that an input may be.
    NamesFunctions,
    /// Returns a second time, with the value that a jump passes.
    Returns,
    /// Continues where [`Effect::Returns`] was called.
    Jumps,
    /// Reads and writes the memory that the arguments point to, and state of the system. Keeps no address.
    Accesses,
    /// Returns the address of a variable of the C library, such as `errno`.
    ReturnsVariable,
    /// Unknown function: may do anything with its arguments and with everything that was passed to other unknown
    /// functions.
    Unknown,
}

const COMPUTES: &[&str] = &[
    "abs",
    "labs",
    "llabs",
    "imaxabs",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "pow",
    "sqrt",
    "cbrt",
    "hypot",
    "fabs",
    "floor",
    "ceil",
    "round",
    "trunc",
    "rint",
    "nearbyint",
    "fmod",
    "fmin",
    "fmax",
    "lround",
    "llround",
    "lrint",
    "ldexp",
    "copysign",
    "fma",
    "getpagesize",
    "free",
    "cfree",
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "__assert_fail",
    "__assert",
    "reach_error",
    "usleep",
    "sleep",
    "nanosleep",
    "sched_yield",
];

const READS: &[&str] = &[
    "printf",
    "fprintf",
    "dprintf",
    "vprintf",
    "vfprintf",
    "__printf_chk",
    "__fprintf_chk",
    "__vprintf_chk",
    "__vfprintf_chk",
    "puts",
    "fputs",
    "putchar",
    "putc",
    "fputc",
    "_IO_putc",
    "fwrite",
    "write",
    "perror",
    "fflush",
];

const ACCESSES: &[&str] = &[
    "read",
    "pread",
    "pread64",
    "readv",
    "open",
    "open64",
    "openat",
    "openat64",
    "close",
    "lseek",
    "lseek64",
    "stat",
    "stat64",
    "fstat",
    "fstat64",
    "lstat",
    "lstat64",
    "fstatat",
    "fstatat64",
    "access",
    "faccessat",
    "readlink",
    "readlinkat",
    "unlink",
    "rename",
    "mkdir",
    "rmdir",
    "getcwd",
    "time",
    "clock",
    "clock_gettime",
    "gettimeofday",
    "getpid",
    "getuid",
    "getrandom",
    "uname",
];

const RETURNS_VARIABLE: &[&str] = &["__errno_location", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc"];

const ALLOCATES: &[&str] = &["malloc", "calloc", "aligned_alloc", "memalign", "valloc", "pvalloc", "alloca"];

const SETJMP: &[&str] = &["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"];
const LONGJMP: &[&str] = &["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];

/// The effect of a function, by its name.
pub(super) fn effect(name: &str) -> Effect {
    let plain = name.strip_prefix(tine_trace::map::MODEL).unwrap_or(name);
    let is_float = |name: &str| name.strip_suffix(['f', 'l']).is_some_and(|name| COMPUTES.contains(&name));
    match plain {
        "__tine_input" | "__tine_root" | "__tine_volatile" => Effect::WritesInput,
        "__tine_functions" => Effect::NamesFunctions,
        "realloc" | "reallocarray" => Effect::Reallocates,
        name if name.starts_with("__tine_stream") => Effect::Unknown,
        name if name.starts_with("__tine_") || name.starts_with("__ubsan_handle") => Effect::Reads,
        name if COMPUTES.contains(&name) || is_float(name) => Effect::Computes,
        name if READS.contains(&name) => Effect::Reads,
        name if ALLOCATES.contains(&name) => Effect::Allocates,
        name if ACCESSES.contains(&name) => Effect::Accesses,
        name if RETURNS_VARIABLE.contains(&name) => Effect::ReturnsVariable,
        name if SETJMP.contains(&name) => Effect::Returns,
        name if LONGJMP.contains(&name) => Effect::Jumps,
        _ => Effect::Unknown,
    }
}

/// True if a call of this function reports an error, which ends the run.
pub(super) fn is_failure(name: &str) -> bool {
    let failures = ["__tine_fail", "__tine_reject", "__tine_beyond", "__tine_missing", "__tine_endless"];
    name.starts_with("__ubsan_handle")
        || failures.contains(&name)
        || [
            "__assert_fail",
            "__assert_perror_fail",
            "__assert",
            "abort",
            "reach_error",
            "__VERIFIER_error",
            "llvm.trap",
        ]
        .contains(&name)
}
