//! Functions with a special meaning to the instrumenter, by name.

use tine_trace::entry::{Composite, INTERFACE};
use tine_trace::op::{Op, Rounding};
use tine_trace::outcome::ErrorKind;

pub(crate) use tine_trace::map::MODEL;

/// Name of functions that contain only assembly with jumps; LLVM adds numbers.
pub(crate) const ASM_GOTO: &str = "asm goto";

/// The name of a function as the user knows it. LLVM marks names that were given by `__asm__`.
pub(crate) fn shown(name: &str) -> &str {
    if name.starts_with(ASM_GOTO) {
        return ASM_GOTO;
    }
    name.strip_prefix(MODEL).or(name.strip_prefix('\u{1}')).unwrap_or(name)
}

/// True if clang chose `name`: it adds numbers if a name is already used.
pub(crate) fn is_numbered(name: &str, chosen: &str) -> bool {
    name.strip_prefix(chosen).is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// True if this function belongs to the runtime, so that shadows are neither passed to it nor returned.
pub(crate) fn is_interface(name: &str) -> bool {
    INTERFACE.contains(&name)
}

/// True if the result is the exit code, which the program does not see: `main`, and its caller if arguments are inputs.
pub(crate) fn is_main(name: &str) -> bool {
    matches!(name, "main" | "__tine_start")
}

/// The error reported by a call of this function.
pub(crate) fn failure(name: &str) -> Option<ErrorKind> {
    Some(match name {
        "__assert_fail" | "__assert_perror_fail" | "__assert" => ErrorKind::AssertionFailure,
        "reach_error" | "__VERIFIER_error" => ErrorKind::ReachError,
        "abort" => ErrorKind::Abort,
        _ => return None,
    })
}

/// True if a call of this function is the failing side of an assertion: the branch to it is a check.
pub(crate) fn is_assertion(name: &str) -> bool {
    failure(name) == Some(ErrorKind::AssertionFailure) || name == "__tine_fail"
}

/// True if the function ends the process without running exit handlers. Its argument is the code.
pub(crate) fn is_immediate_exit(name: &str) -> bool {
    matches!(name, "_exit" | "_Exit" | "quick_exit")
}

/// True if the function makes `setjmp` return its second argument.
pub(crate) fn is_long_jump(name: &str) -> bool {
    matches!(shown(name), "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk")
}

/// True if the effect of this function does not depend on the memory that its pointers point to.
pub(crate) fn ignores_contents(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "fopencookie",
        "free",
        "realloc",
        "reallocarray",
        "bsearch",
        "setjmp",
        "_setjmp",
        "__sigsetjmp",
        "sigsetjmp",
        "longjmp",
        "_longjmp",
        "siglongjmp",
        "__longjmp_chk",
        "fflush",
        "fclose",
        "setbuf",
        "setvbuf",
        "pthread_mutex_lock",
        "pthread_mutex_unlock",
        "malloc_usable_size",
        // Shadows follow the effects of these functions on mappings.
        "mmap",
        "mmap64",
        "munmap",
        "mremap",
        "mprotect",
        "madvise",
        "msync",
        "mlock",
        "munlock",
        "memset",
        "bzero",
        "fgets",
        "fread",
        "read",
        "pread",
        "pread64",
        "fstat",
        "fstat64",
        "fstatfs",
        "getcwd",
        "getentropy",
        "getgroups",
        "gethostname",
        "getrandom",
        "getrlimit",
        "getrusage",
        "sigemptyset",
        "sigfillset",
        "socketpair",
        "sysinfo",
        "times",
        "uname",
        // The results of these functions depend on the amount written and on the destination.
        "write",
        "pwrite",
        "fwrite",
        "fwrite_unlocked",
        "fputs",
        "fputs_unlocked",
        "puts",
        "pipe",
        "pipe2",
        "time",
        "gettimeofday",
        "clock_gettime",
    ];
    NAMES.contains(&name)
}

/// True if this function of the C library follows pointers that it finds in its arguments' memory.
pub(crate) fn follows_pointers(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "readv",
        "writev",
        "preadv",
        "pwritev",
        "preadv2",
        "pwritev2",
        "preadv64",
        "pwritev64",
        "vmsplice",
        "process_vm_readv",
        "process_vm_writev",
        "sendmsg",
        "recvmsg",
        "sendmmsg",
        "recvmmsg",
        "execv",
        "execve",
        "execvp",
        "execvpe",
        "fexecve",
        "posix_spawn",
        "posix_spawnp",
        "tsearch",
        "tfind",
        "tdelete",
        "twalk",
        "twalk_r",
        "tdestroy",
        "hsearch",
        "hsearch_r",
        "insque",
        "remque",
        "fts_open",
        "argp_parse",
        "getaddrinfo",
        "io_submit",
        "lio_listio",
        "aio_write",
        "aio_read",
        "syscall",
        "vprintf",
        "vfprintf",
        "vdprintf",
        "vscanf",
        "vfscanf",
        "vsyslog",
        "vwarn",
        "vwarnx",
        "obstack_vprintf",
    ];
    NAMES.contains(&name)
}

/// True if this function only writes its arguments elsewhere, or frees them. Only its result depends on them.
pub(crate) fn only_prints(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "free",
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
        "syslog",
        "error",
        "error_at_line",
        "warn",
        "warnx",
        "vwarn",
        "vwarnx",
        "err",
        "errx",
        "verr",
        "verrx",
        "psignal",
        "putc_unlocked",
        "fputc_unlocked",
        "putchar_unlocked",
        "fputs_unlocked",
        "fwrite_unlocked",
    ];
    NAMES.contains(&name)
}

/// True if the meaning of this intrinsic depends on its stack frame.
pub(crate) fn is_frame_intrinsic(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "stacksave",
        "stackrestore",
        "frameaddress",
        "returnaddress",
        "addressofreturnaddress",
        "sponentry",
        "localescape",
        "va_start",
        "get.dynamic.area.offset",
        "eh",
    ];
    name.strip_prefix("llvm.").is_some_and(|base| NAMES.iter().any(|prefix| starts(base, prefix)))
}

/// True for functions whose model reports the number of bytes they wrote.
pub(crate) fn reads_exactly(name: &str) -> bool {
    matches!(name, "read" | "pread" | "pread64" | "fread")
}

/// True for copies and fills of memory.
pub(crate) fn is_memory_intrinsic(name: &str) -> bool {
    let base = name.strip_prefix("llvm.").unwrap_or("");
    ["memcpy", "memmove", "memset"].iter().any(|prefix| starts(base, prefix))
}

pub(crate) fn is_lifetime_marker(name: &str) -> bool {
    name.strip_prefix("llvm.").is_some_and(|base| starts(base, "lifetime") || base.starts_with("lifetime."))
}

/// Error that a handler of the minimal sanitizer runtime reports.
pub(crate) fn sanitizer_handler(name: &str) -> Option<ErrorKind> {
    let check = name.strip_prefix("__ubsan_handle_")?;
    let check = check.strip_suffix("_abort").unwrap_or(check);
    let check = check.strip_suffix("_minimal").unwrap_or(check);
    Some(match check {
        "type_mismatch" => ErrorKind::Misaligned, // or null: distinguished by the condition
        "add_overflow" | "sub_overflow" | "mul_overflow" | "negate_overflow" => ErrorKind::SignedOverflow,
        "divrem_overflow" => ErrorKind::DivisionOverflow, // or zero: distinguished by the condition
        "shift_out_of_bounds" => ErrorKind::Shift,
        "out_of_bounds" | "local_out_of_bounds" => ErrorKind::ArrayBounds,
        "builtin_unreachable" => ErrorKind::Unreachable,
        "missing_return" => ErrorKind::MissingReturn,
        "vla_bound_not_positive" => ErrorKind::VlaBound,
        "float_cast_overflow" => ErrorKind::FloatCast,
        "load_invalid_value" => ErrorKind::InvalidValue,
        "invalid_builtin" => ErrorKind::InvalidBuiltin,
        "nonnull_arg" | "nullability_arg" => ErrorKind::NullArgument,
        "nonnull_return" | "nullability_return" => ErrorKind::NullReturn,
        "implicit_conversion" => ErrorKind::Narrowing,
        "pointer_overflow" => ErrorKind::PointerOverflow,
        _ => ErrorKind::OtherUndefined,
    })
}

/// The error of a failed check of this kind if its "is not zero" part is false.
pub(crate) fn when_zero(kind: ErrorKind) -> Option<ErrorKind> {
    match kind {
        ErrorKind::Misaligned => Some(ErrorKind::NullPointer),
        ErrorKind::DivisionOverflow => Some(ErrorKind::DivisionByZero),
        _ => None,
    }
}

/// Expression of a pure function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pure {
    /// The result is the first argument.
    Identity,
    Unary(Op),
    Round(Rounding),
    Binary(Op),
    /// Three operands.
    Fused,
    Composite(Composite),
    /// A value and an overflow bit: the operation and its overflow predicate.
    WithOverflow(Op, Overflow),
}

/// Expression for the overflow of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overflow {
    Op(Op),
    Composite(Composite),
}

/// Intrinsics (by the name between `llvm.` and the type suffix) that have expressions.
pub(crate) fn intrinsic(name: &str) -> Option<Pure> {
    use Composite::*;
    let base = name.strip_prefix("llvm.")?;
    Some(match base {
        b if starts(b, "expect") || starts(b, "expect.with.probability") => Pure::Identity,
        b if starts(b, "launder.invariant.group") || starts(b, "strip.invariant.group") => Pure::Identity,
        b if starts(b, "threadlocal.address") || starts(b, "ptr.annotation") => Pure::Identity,
        b if starts(b, "ssa.copy") || starts(b, "arithmetic.fence") => Pure::Identity,
        b if starts(b, "sadd.with.overflow") => Pure::WithOverflow(Op::Add, Overflow::Composite(SAddO)),
        b if starts(b, "uadd.with.overflow") => Pure::WithOverflow(Op::Add, Overflow::Composite(UAddO)),
        b if starts(b, "ssub.with.overflow") => Pure::WithOverflow(Op::Sub, Overflow::Composite(SSubO)),
        b if starts(b, "usub.with.overflow") => Pure::WithOverflow(Op::Sub, Overflow::Composite(USubO)),
        b if starts(b, "smul.with.overflow") => Pure::WithOverflow(Op::Mul, Overflow::Op(Op::SMulO)),
        b if starts(b, "umul.with.overflow") => Pure::WithOverflow(Op::Mul, Overflow::Op(Op::UMulO)),
        b if starts(b, "sadd.sat") => Pure::Composite(SAddSat),
        b if starts(b, "uadd.sat") => Pure::Composite(UAddSat),
        b if starts(b, "ssub.sat") => Pure::Composite(SSubSat),
        b if starts(b, "usub.sat") => Pure::Composite(USubSat),
        b if starts(b, "sshl.sat") => Pure::Composite(SShlSat),
        b if starts(b, "ushl.sat") => Pure::Composite(UShlSat),
        b if starts(b, "abs") => Pure::Composite(Abs),
        b if starts(b, "umin") => Pure::Composite(UMin),
        b if starts(b, "umax") => Pure::Composite(UMax),
        b if starts(b, "smin") => Pure::Composite(SMin),
        b if starts(b, "smax") => Pure::Composite(SMax),
        b if starts(b, "bswap") => Pure::Composite(Bswap),
        b if starts(b, "bitreverse") => Pure::Composite(BitReverse),
        b if starts(b, "ctpop") => Pure::Composite(CtPop),
        b if starts(b, "ctlz") => Pure::Composite(CtLz),
        b if starts(b, "cttz") => Pure::Composite(CtTz),
        b if starts(b, "fshl") => Pure::Composite(FShl),
        b if starts(b, "fshr") => Pure::Composite(FShr),
        b => return float_function(b.split('.').next()?),
    })
}

/// Functions of the C library with exactly this meaning.
pub(crate) fn library_function(name: &str) -> Option<Pure> {
    match name {
        "abs" | "labs" | "llabs" => Some(Pure::Composite(Composite::Abs)),
        "fmod" | "fmodf" => Some(Pure::Binary(Op::FRem)),
        "fmin" | "fminf" => Some(Pure::Composite(Composite::FMin)),
        "fmax" | "fmaxf" => Some(Pure::Composite(Composite::FMax)),
        _ => float_function(name.strip_suffix('f').unwrap_or(name)),
    }
}

fn float_function(name: &str) -> Option<Pure> {
    Some(match name {
        "fabs" => Pure::Unary(Op::FAbs),
        "sqrt" => Pure::Unary(Op::FSqrt),
        "floor" => Pure::Round(Rounding::Down),
        "ceil" => Pure::Round(Rounding::Up),
        "trunc" => Pure::Round(Rounding::Zero),
        "rint" | "nearbyint" | "roundeven" => Pure::Round(Rounding::NearestEven),
        "round" => Pure::Round(Rounding::NearestAway),
        "fma" => Pure::Fused,
        "minnum" | "minimumnum" => Pure::Composite(Composite::FMin),
        "maxnum" | "maximumnum" => Pure::Composite(Composite::FMax),
        "copysign" => Pure::Composite(Composite::FCopySign),
        _ => return None,
    })
}

/// True if `name` is `prefix` with a type suffix.
fn starts(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// True for intrinsics that neither compute a value from their arguments nor touch memory of the program.
pub(crate) fn is_silent_intrinsic(name: &str) -> bool {
    const SILENT: &[&str] = &[
        "dbg",
        "lifetime",
        "invariant",
        "assume",
        "prefetch",
        "stacksave",
        "stackrestore",
        "trap",
        "debugtrap",
        "ubsantrap",
        "donothing",
        "sideeffect",
        "pseudoprobe",
        "annotation",
        "var.annotation",
        "frameaddress",
        "returnaddress",
        "addressofreturnaddress",
        "sponentry",
        "va_end",
        "eh",
        "is.constant",
        "objectsize",
        "fake.use",
        "experimental.noalias.scope.decl",
        "allow.ubsan.check",
        "allow.runtime.check",
        "read_register",
        "readcyclecounter",
    ];
    let base = name.strip_prefix("llvm.").unwrap_or(name);
    SILENT.iter().any(|prefix| starts(base, prefix))
}
