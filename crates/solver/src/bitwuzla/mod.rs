//! Bitwuzla, the primary SMT solver: a thin safe layer over its C interface.
//!
//! [`Manager`] makes terms, a [`Stack`] of them answers questions. [`backend`] puts the two to use.

pub(crate) mod backend;
mod ffi;
mod limits;
mod target;

use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::ptr::NonNull;
use std::rc::Rc;

use limits::Watch;
use tine_expr::Reason;

use crate::Limits;

thread_local! {
    /// What the library complained of last, in this thread.
    static COMPLAINT: RefCell<Option<String>> = const { RefCell::new(None) };
}

extern "C" fn on_abort(message: *const c_char) {
    // SAFETY: the library passes a string that lives for the call.
    let message = unsafe { CStr::from_ptr(message) }.to_string_lossy().trim().to_owned();
    COMPLAINT.with(|complaint| *complaint.borrow_mut() = Some(message));
}

/// Takes the library's complaint, if there is one since the last call.
fn complaint() -> Option<String> {
    COMPLAINT.with(|complaint| complaint.borrow_mut().take())
}

/// A term of the manager that made it, and of no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Term(NonNull<ffi::RawTerm>);

#[derive(Clone, Copy, Debug)]
struct Sort(NonNull<ffi::RawSort>);

/// Makes terms and keeps them, until it and its stacks are dropped. Stays in its thread.
#[derive(Clone, Debug)]
struct Manager(Rc<Handles>);

/// What the library gave us, deleted once.
#[derive(Debug)]
struct Handles {
    manager: NonNull<ffi::TermManager>,
    options: NonNull<ffi::Options>,
}

impl Manager {
    fn new() -> Self {
        // SAFETY: no arguments but a function that lives for ever; the callback is the thread's own.
        unsafe { ffi::bitwuzla_set_abort_callback(on_abort) };
        // SAFETY: constructors without preconditions.
        let (manager, options) = unsafe { (ffi::bitwuzla_term_manager_new(), ffi::bitwuzla_options_new()) };
        let manager = NonNull::new(manager).expect("Bitwuzla makes a term manager");
        let options = NonNull::new(options).expect("Bitwuzla makes options");
        // SAFETY: `options` was just made; the option exists and takes 0 or 1.
        unsafe { ffi::bitwuzla_set_option(options.as_ptr(), ffi::option::PRODUCE_MODELS, 1) };
        Self(Rc::new(Handles { manager, options }))
    }

    fn raw(&self) -> *mut ffi::TermManager {
        self.0.manager.as_ptr()
    }

    fn bits_sort(&self, width: u32) -> Sort {
        // SAFETY: the manager lives; the width is not zero.
        sort(unsafe { ffi::bitwuzla_mk_bv_sort(self.raw(), width as u64) })
    }

    /// A bit-vector constant.
    fn bits(&self, width: u32, value: u128) -> Term {
        let sort = self.bits_sort(width);
        if let Ok(value) = u64::try_from(value) {
            // SAFETY: the manager lives, the sort is its own and holds the value.
            return term(unsafe { ffi::bitwuzla_mk_bv_value_uint64(self.raw(), sort.0.as_ptr(), value) });
        }
        let digits = format!("{value:x}\0");
        // SAFETY: as above, and the string ends with a zero and is copied.
        term(unsafe { ffi::bitwuzla_mk_bv_value(self.raw(), sort.0.as_ptr(), digits.as_ptr().cast(), 16) })
    }

    /// A fresh variable.
    fn variable(&self, sort: Sort) -> Term {
        // SAFETY: the manager lives and the sort is its own; a symbol is optional.
        term(unsafe { ffi::bitwuzla_mk_const(self.raw(), sort.0.as_ptr(), std::ptr::null()) })
    }

    fn rounding(&self, mode: std::ffi::c_int) -> Term {
        // SAFETY: the manager lives and the mode is one of `ffi::rounding`.
        term(unsafe { ffi::bitwuzla_mk_rm_value(self.raw(), mode) })
    }

    fn apply(&self, kind: std::ffi::c_int, operands: &[Term], indices: &[u64]) -> Term {
        // SAFETY: the manager lives and the operands are its own; `Term` is a pointer in memory, so the slice is an
        // array of them. Sorts that do not fit make the library complain and return null, not misbehave.
        let made = unsafe {
            ffi::bitwuzla_mk_term_indexed(
                self.raw(),
                kind,
                operands.len() as u32,
                operands.as_ptr().cast(),
                indices.len() as u32,
                indices.as_ptr(),
            )
        };
        term(made)
    }
}

impl Drop for Handles {
    fn drop(&mut self) {
        // SAFETY: both were made by the library, are deleted once, and every stack holds them alive.
        unsafe {
            ffi::bitwuzla_options_delete(self.options.as_ptr());
            ffi::bitwuzla_term_manager_delete(self.manager.as_ptr());
        }
    }
}

fn sort(raw: ffi::Sort) -> Sort {
    Sort(NonNull::new(raw).unwrap_or_else(|| panic!("Bitwuzla refuses a sort: {:?}", complaint())))
}

fn term(raw: ffi::Term) -> Term {
    Term(NonNull::new(raw).unwrap_or_else(|| panic!("Bitwuzla refuses a term: {:?}", complaint())))
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    Sat,
    Unsat,
    Unknown(Reason),
}

/// Terms asserted one above the other, and questions about them. What they mean in clauses is kept while they are
/// popped and pushed, and so is what the solver learned: following a path costs its last condition only.
#[derive(Debug)]
struct Stack {
    solver: NonNull<ffi::Solver>,
    terms: Vec<Term>,
    watch: Box<Watch>,
    /// An exception went through the solver: nothing that it says from now on is to be believed.
    broken: bool,
    _manager: Manager,
}

impl Stack {
    fn new(manager: &Manager) -> Self {
        // SAFETY: manager and options live.
        let solver = unsafe { ffi::bitwuzla_new(manager.raw(), manager.0.options.as_ptr()) };
        let solver = NonNull::new(solver).expect("Bitwuzla makes a solver");
        let watch = Box::new(Watch::default());
        let state = std::ptr::from_ref::<Watch>(&watch).cast_mut().cast();
        // SAFETY: the watch has a place of its own that outlives the solver, and the callback only reads it through
        // a shared reference, in this thread.
        unsafe { ffi::bitwuzla_set_termination_callback(solver.as_ptr(), limits::on_poll, state) };
        Self { solver, terms: Vec::new(), watch, broken: false, _manager: manager.clone() }
    }

    /// Makes `terms` what is asserted, keeping what they have in common with what was.
    fn assert(&mut self, terms: &[Term]) {
        let common = self.terms.iter().zip(terms).take_while(|(a, b)| a == b).count();
        let n_popped = self.terms.len() - common;
        if n_popped > 0 {
            // SAFETY: the solver lives and has as many levels as terms.
            unsafe { ffi::bitwuzla_pop(self.solver.as_ptr(), n_popped as u64) };
            self.terms.truncate(common);
        }
        for &term in &terms[common..] {
            // SAFETY: the solver lives and the term is of its manager.
            self.broken |= unsafe {
                ffi::bitwuzla_push(self.solver.as_ptr(), 1);
                !ffi::tine_assert(self.solver.as_ptr(), term.0.as_ptr())
            };
            self.terms.push(term);
        }
    }

    /// Whether what is asserted can hold together with `assumptions`.
    fn check(&mut self, assumptions: &[Term], limits: &Limits) -> Verdict {
        if self.broken {
            return Verdict::Unknown(Reason::Memory);
        }
        complaint();
        self.watch.start(limits);
        let n = assumptions.len() as u32;
        // SAFETY: the solver lives and the terms are of its manager; `Term` is a pointer in memory, so the slice is
        // an array of them.
        let result = unsafe { ffi::tine_check_sat_assuming(self.solver.as_ptr(), n, assumptions.as_ptr().cast()) };
        match result {
            ffi::SAT => Verdict::Sat,
            ffi::UNSAT => Verdict::Unsat,
            ffi::OUT_OF_MEMORY => {
                self.broken = true;
                Verdict::Unknown(Reason::Memory)
            }
            ffi::EXCEPTION => {
                self.broken = true;
                Verdict::Unknown(Reason::Crashed("a C++ exception".into()))
            }
            _ => {
                let crashed = complaint().map(Reason::Crashed);
                Verdict::Unknown(crashed.or(self.watch.reason()).unwrap_or(Reason::GaveUp))
            }
        }
    }

    /// The value of a bit-vector term, after [`Verdict::Sat`].
    fn value(&mut self, term: Term) -> Option<u128> {
        // SAFETY: the solver lives and the term is of its manager; in a wrong state the library complains and
        // returns null.
        let value = NonNull::new(unsafe { ffi::tine_get_value(self.solver.as_ptr(), term.0.as_ptr()) })?;
        // SAFETY: the value is a term; the string lives until the next such call in this thread.
        let digits = unsafe {
            let digits = ffi::bitwuzla_term_value_get_str_fmt(value.as_ptr(), 2);
            CStr::from_ptr(digits).to_str().ok().and_then(|digits| u128::from_str_radix(digits, 2).ok())
        };
        // SAFETY: `get_value` gave us this reference.
        unsafe { ffi::bitwuzla_term_release(value.as_ptr()) };
        digits
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: made by the library, deleted once, before the manager that it holds alive.
        unsafe { ffi::tine_delete(self.solver.as_ptr()) };
    }
}
