//! Intrinsics that are replaced by plain instructions before all other steps.

use llvm_sys::LLVMTypeKind;

use crate::llvm::{Builder, LLVMOpcode, LLVMRealPredicate, Value};

/// `llvm.fmuladd` rounds once or twice, as the target prefers. Without fused hardware it rounds twice.
pub(super) fn multiply_add(builder: &Builder, call: Value) {
    let arguments = call.arguments();
    builder.before(call);
    let product = builder.binary(LLVMOpcode::LLVMFMul, arguments[0], arguments[1]);
    let sum = builder.binary(LLVMOpcode::LLVMFAdd, product, arguments[2]);
    call.replace_uses(sum);
    call.erase();
}

/// `llvm.is.fpclass(x, mask)`, the implementation of `isnan`, `isinf`, `isnormal` and similar functions.
///
/// ```text
///   bit   0     1     2     3        4           5      6      7           8        9
///         snan  qnan  -inf  -normal  -subnormal  -zero  +zero  +subnormal  +normal  +inf
/// ```
/// Uses comparisons of floats as far as possible, because expressions do not know the bits of a NaN. Kinds of NaN and
/// the signs of zeros require the bits. Calls for types other than `float` and `double` are kept.
pub(super) fn float_class(b: &Builder, call: Value) {
    use LLVMRealPredicate::*;
    let arguments = call.arguments();
    let (x, Some(mask)) = (arguments[0], arguments[1].as_constant()) else { return };
    let (bits, min_normal, infinity, quiet) = match x.ty().kind() {
        LLVMTypeKind::LLVMFloatTypeKind => (b.i32, f32::MIN_POSITIVE as f64, f32::INFINITY as f64, 1u64 << 22),
        LLVMTypeKind::LLVMDoubleTypeKind => (b.i64, f64::MIN_POSITIVE, f64::INFINITY, 1 << 51),
        _ => return,
    };
    b.before(call);
    let float = |value: f64| x.ty().float(value);
    let both = |yes: Value, and: Value| b.and(yes, and);
    let between = |low: Value, high: Value| both(b.fcmp(LLVMRealOGE, x, low), b.fcmp(LLVMRealOLT, x, high));
    let raw = || b.cast(LLVMOpcode::LLVMBitCast, x, bits);
    let mut tests = Vec::new();
    match mask & 3 {
        0 => {}
        3 => tests.push(b.fcmp(LLVMRealUNO, x, x)),
        kind => {
            let is_quiet = b.and(raw(), bits.constant(quiet));
            let zero = bits.constant(0);
            let wanted = if kind == 2 { b.not_equal(is_quiet, zero) } else { b.eq(is_quiet, zero) };
            tests.push(both(b.fcmp(LLVMRealUNO, x, x), wanted));
        }
    }
    for (bit, test) in [
        (2, &(|| b.fcmp(LLVMRealOEQ, x, float(-infinity))) as &dyn Fn() -> Value),
        (3, &|| both(b.fcmp(LLVMRealOGT, x, float(-infinity)), b.fcmp(LLVMRealOLE, x, float(-min_normal)))),
        (4, &|| both(b.fcmp(LLVMRealOGT, x, float(-min_normal)), b.fcmp(LLVMRealOLT, x, float(0.0)))),
        (7, &|| both(b.fcmp(LLVMRealOGT, x, float(0.0)), b.fcmp(LLVMRealOLT, x, float(min_normal)))),
        (8, &|| between(float(min_normal), float(infinity))),
        (9, &|| b.fcmp(LLVMRealOEQ, x, float(infinity))),
    ] {
        if mask >> bit & 1 != 0 {
            tests.push(test());
        }
    }
    match mask >> 5 & 3 {
        0 => {}
        3 => tests.push(b.fcmp(LLVMRealOEQ, x, float(0.0))),
        1 => tests.push(b.eq(raw(), bits.constant(1 << (bits.int_width() - 1)))),
        _ => tests.push(b.eq(raw(), bits.constant(0))),
    }
    let result = tests.into_iter().reduce(|a, c| b.or(a, c)).unwrap_or_else(|| b.i1.constant(0));
    call.replace_uses(result);
    call.erase();
}
