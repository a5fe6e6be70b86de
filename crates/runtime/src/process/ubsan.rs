//! Handlers of UBSan's minimal runtime, for native builds: each prints the error, and the program continues.
//! Instrumented code calls `__tine_failed` instead.

use core::arch::global_asm;

use tine_trace::outcome::ErrorKind;

use super::native::Line;

/// Defines `__ubsan_handle_<name>_minimal` and the corresponding `_abort` function: both pass the number of the kind
/// and their caller's address to `report`.
macro_rules! handlers {
    ($( $name:ident $kind:ident )*) => {
        global_asm!(
            ".pushsection .text.__tine_ubsan,\"ax\",@progbits",
            $(
                concat!(".globl __ubsan_handle_", stringify!($name), "_minimal"),
                concat!(".type __ubsan_handle_", stringify!($name), "_minimal,@function"),
                concat!("__ubsan_handle_", stringify!($name), "_minimal:"),
                concat!("mov edi, {", stringify!($name), "}"),
                "mov rsi, [rsp]",
                "jmp {report}",
                concat!(".globl __ubsan_handle_", stringify!($name), "_minimal_abort"),
                concat!(".type __ubsan_handle_", stringify!($name), "_minimal_abort,@function"),
                concat!("__ubsan_handle_", stringify!($name), "_minimal_abort:"),
                concat!("mov edi, {", stringify!($name), "}"),
                "mov rsi, [rsp]",
                "jmp {abort}",
            )*
            ".popsection",
            report = sym report,
            abort = sym report_and_abort,
            $( $name = const ErrorKind::$kind as u32, )*
        );
    };
}

handlers! {
    type_mismatch NullPointer
    alignment_assumption Misaligned
    add_overflow SignedOverflow
    sub_overflow SignedOverflow
    mul_overflow SignedOverflow
    negate_overflow SignedOverflow
    divrem_overflow DivisionByZero
    shift_out_of_bounds Shift
    out_of_bounds ArrayBounds
    local_out_of_bounds ArrayBounds
    builtin_unreachable Unreachable
    missing_return MissingReturn
    vla_bound_not_positive VlaBound
    float_cast_overflow FloatCast
    load_invalid_value InvalidValue
    invalid_builtin InvalidBuiltin
    invalid_objc_cast OtherUndefined
    function_type_mismatch OtherUndefined
    implicit_conversion Narrowing
    nonnull_arg NullArgument
    nonnull_return NullReturn
    nullability_arg NullArgument
    nullability_return NullReturn
    pointer_overflow PointerOverflow
    cfi_check_fail OtherUndefined
}

unsafe extern "C" {
    fn abort() -> !;
}

/// Prints one line for each place, because a loop would flood stderr.
extern "C" fn report(kind: u32, caller: u64) {
    if !is_new(caller) {
        return;
    }
    let text = match ErrorKind::from_number(kind) {
        // Signed and unsigned operations share handlers.
        Some(ErrorKind::SignedOverflow) => "integer overflow",
        Some(kind) => kind.text(),
        None => "undefined behaviour",
    };
    Line::new().text("tine: ").text(text).text(" by code at 0x").number(caller, 16).write();
}

extern "C" fn report_and_abort(kind: u32, caller: u64) -> ! {
    report(kind, caller);
    // SAFETY: the C library's.
    unsafe { abort() }
}

/// True if this caller reports for the first time. A full table reports no more.
fn is_new(caller: u64) -> bool {
    use core::sync::atomic::{AtomicU64, Ordering};
    static CALLERS: [AtomicU64; 64] = [const { AtomicU64::new(0) }; 64];
    for known in &CALLERS {
        match known.compare_exchange(0, caller, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return true,
            Err(other) if other == caller => return false,
            Err(_) => {}
        }
    }
    false
}
