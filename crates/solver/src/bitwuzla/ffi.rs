//! The part of Bitwuzla 0.8's C interface that is used here, as `bitwuzla/c/bitwuzla.h` and `enums.h` declare it.

use std::ffi::{c_char, c_int, c_void};

/// Opaque types of the library.
macro_rules! opaque {
    ($($name:ident)*) => { $( #[repr(C)] pub(super) struct $name { _opaque: [u8; 0] } )* };
}

opaque! { TermManager Options Solver RawTerm RawSort }

pub(super) type Term = *mut RawTerm;
pub(super) type Sort = *mut RawSort;

/// Results of a check.
pub(super) const SAT: c_int = 10;
pub(super) const UNSAT: c_int = 20;
/// Results of our own guard, `native/guard.cpp`.
pub(super) const OUT_OF_MEMORY: c_int = -1;
pub(super) const EXCEPTION: c_int = -2;
pub(super) const LATE: c_int = -3;
pub(super) const SIGNAL: c_int = -4;

/// Options.
pub(super) mod option {
    use std::ffi::c_int;

    pub(in super::super) const PRODUCE_MODELS: c_int = 1;
    pub(in super::super) const PRODUCE_UNSAT_CORES: c_int = 3;
}

/// Rounding modes.
pub(super) mod rounding {
    use std::ffi::c_int;

    pub(in super::super) const RNE: c_int = 0;
    pub(in super::super) const RNA: c_int = 1;
    pub(in super::super) const RTN: c_int = 2;
    pub(in super::super) const RTP: c_int = 3;
    pub(in super::super) const RTZ: c_int = 4;
}

/// Kinds of terms; a kind's value is its place in the header's list.
pub(super) mod kind {
    use std::ffi::c_int;

    macro_rules! kinds {
        ($($name:ident = $value:literal)*) => { $( pub(in super::super) const $name: c_int = $value; )* };
    }

    kinds! {
        AND = 4  EQUAL = 6  NOT = 9  OR = 10  XOR = 11  ITE = 12
        BV_ADD = 19  BV_AND = 20  BV_ASHR = 21  BV_CONCAT = 23  BV_MUL = 26  BV_NOT = 31  BV_OR = 32
        BV_SDIV = 40  BV_SHL = 43  BV_SHR = 44  BV_SLE = 45  BV_SLT = 46  BV_SMUL_OVERFLOW = 48  BV_SREM = 49
        BV_SUB = 51  BV_UDIV = 53  BV_ULE = 56  BV_ULT = 57  BV_UMUL_OVERFLOW = 58  BV_UREM = 59  BV_XOR = 62
        BV_EXTRACT = 63  BV_SIGN_EXTEND = 67  BV_ZERO_EXTEND = 68
        FP_ABS = 69  FP_ADD = 70  FP_DIV = 71  FP_EQUAL = 72  FP_FMA = 73  FP_IS_NAN = 78  FP_IS_NEG = 79
        FP_LEQ = 84  FP_LT = 85  FP_MUL = 88  FP_NEG = 89  FP_REM = 90  FP_RTI = 91  FP_SQRT = 92  FP_SUB = 93
        FP_TO_FP_FROM_BV = 94  FP_TO_FP_FROM_FP = 95  FP_TO_FP_FROM_SBV = 96  FP_TO_FP_FROM_UBV = 97
        FP_TO_SBV = 98  FP_TO_UBV = 99
    }
}

unsafe extern "C" {
    pub(super) fn bitwuzla_set_abort_callback(callback: extern "C" fn(*const c_char));
}

// Bitwuzla's functions of these names behind `native/guard.cpp`, which lets no exception and no signal through: where there was
// one, the result is null or false.
unsafe extern "C" {
    /// Bytes that C++ code of this thread has.
    pub(super) fn tine_memory_used() -> i64;
    /// From now on C++ code of this thread that would have more, or asks for memory later than in so many nanoseconds,
    /// gets an exception, once.
    pub(super) fn tine_limit(bytes: i64, nanoseconds: i64);

    /// The signal that ended one of the calls below in this thread, 0 for none since this was last asked.
    pub(super) fn tine_take_signal() -> c_int;

    /// After so many of the calls below one of them has a fault, as guard.cpp numbers them.
    #[cfg(test)]
    pub(super) fn tine_fault_after(n_calls: u64, fault: c_int);
    /// Whether an exception is survived where there must be none; with a limit that is passed.
    #[cfg(test)]
    pub(super) fn tine_survives_noexcept() -> bool;

    pub(super) fn tine_options_new() -> *mut Options;
    pub(super) fn tine_options_delete(options: *mut Options);
    pub(super) fn tine_set_option(options: *mut Options, option: c_int, value: u64) -> bool;
    pub(super) fn tine_term_release(term: Term) -> bool;
    pub(super) fn tine_term_manager_new() -> *mut TermManager;
    pub(super) fn tine_term_manager_delete(manager: *mut TermManager);

    /// A solver that asks `callback` now and then whether to stop.
    pub(super) fn tine_new(
        manager: *mut TermManager,
        options: *const Options,
        callback: extern "C" fn(*mut c_void) -> i32,
        state: *mut c_void,
    ) -> *mut Solver;
    pub(super) fn tine_delete(solver: *mut Solver);
    /// Pushes a level and asserts the term on it.
    pub(super) fn tine_push_assert(solver: *mut Solver, term: Term) -> bool;
    pub(super) fn tine_pop(solver: *mut Solver, n_levels: u64) -> bool;
    pub(super) fn tine_check_sat_assuming(solver: *mut Solver, n_terms: u32, terms: *const Term) -> c_int;
    pub(super) fn tine_get_value(solver: *mut Solver, term: Term) -> Term;
    /// The asserted terms that cannot hold together, in an array that lives until the next such call.
    pub(super) fn tine_get_unsat_core(solver: *mut Solver, n_terms: *mut usize) -> *const Term;
    pub(super) fn tine_term_value_get_str_fmt(term: Term, base: u8) -> *const c_char;

    pub(super) fn tine_mk_bv_sort(manager: *mut TermManager, size: u64) -> Sort;

    pub(super) fn tine_mk_const(manager: *mut TermManager, sort: Sort, symbol: *const c_char) -> Term;
    pub(super) fn tine_mk_bv_value_uint64(manager: *mut TermManager, sort: Sort, value: u64) -> Term;
    pub(super) fn tine_mk_bv_value(manager: *mut TermManager, sort: Sort, value: *const c_char, base: u8) -> Term;
    pub(super) fn tine_mk_rm_value(manager: *mut TermManager, mode: c_int) -> Term;
    pub(super) fn tine_mk_term_indexed(
        manager: *mut TermManager,
        kind: c_int,
        n_operands: u32,
        operands: *const Term,
        n_indices: u32,
        indices: *const u64,
    ) -> Term;
}
