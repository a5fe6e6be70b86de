//! Bitwuzla, the primary SMT solver: a thin safe layer over its C interface.
//!
//! [`Manager`] makes terms, a [`Stack`] of them answers questions. [`backend`] puts the two to use.

pub(crate) mod backend;
mod ffi;
mod limits;
mod target;
#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char};
use std::ptr::NonNull;
use std::rc::Rc;
use std::time::Instant;

use limits::{MemoryLimit, Watch};
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

/// How the last call came to its end, if that was a complaint or a signal since this was last asked.
fn crash() -> Option<Reason> {
    // SAFETY: reads and sets a number of this thread.
    let signal = unsafe { ffi::tine_take_signal() };
    let complaint = complaint();
    if signal != 0 {
        return Some(Reason::Crashed(format!("Bitwuzla got signal {signal}")));
    }
    complaint.map(Reason::Crashed)
}

/// A term of the manager that made it, and of no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Term(NonNull<ffi::RawTerm>);

#[derive(Clone, Copy, Debug)]
struct Sort(NonNull<ffi::RawSort>);

/// Makes terms and keeps them, until it and its stacks are dropped. Stays in its thread.
///
/// A term that could not be made, for want of memory, is another one instead, and the manager is of no use any more
/// ([`Manager::failure`]).
#[derive(Clone, Debug)]
struct Manager(Rc<Handles>);

/// What the library gave us, deleted once, unless an exception went through it.
#[derive(Debug)]
struct Handles {
    manager: NonNull<ffi::TermManager>,
    options: NonNull<ffi::Options>,
    /// What stands for terms and sorts that could not be made.
    filler: Option<(Sort, Term)>,
    /// Why the first of them could not.
    failure: RefCell<Option<Reason>>,
    /// An exception or a complaint did that, not our own looking at the limit.
    broken: Cell<bool>,
    memory: Cell<MemoryLimit>,
    /// When the time for making terms is up.
    end: Cell<Option<Instant>>,
}

impl Manager {
    /// Nothing when there is no memory for it. With `cores`, its stacks say what cannot hold together.
    fn new(cores: bool) -> Option<Self> {
        // SAFETY: no arguments but a function that lives for ever; the callback is the thread's own.
        unsafe { ffi::bitwuzla_set_abort_callback(on_abort) };
        // SAFETY: a constructor without preconditions.
        let options = NonNull::new(unsafe { ffi::tine_options_new() })?;
        for (option, value) in [(ffi::option::PRODUCE_MODELS, 1), (ffi::option::PRODUCE_UNSAT_CORES, cores.into())] {
            // SAFETY: `options` was just made; the option exists and takes 0 or 1.
            unsafe { ffi::tine_set_option(options.as_ptr(), option, value) }.then_some(())?;
        }
        // SAFETY: a constructor without preconditions.
        let Some(manager) = NonNull::new(unsafe { ffi::tine_term_manager_new() }) else {
            // SAFETY: made above, and not used any more.
            unsafe { ffi::tine_options_delete(options.as_ptr()) };
            return None;
        };
        let mut handles = Handles {
            manager,
            options,
            filler: None,
            failure: RefCell::default(),
            // Until all is made.
            broken: Cell::new(true),
            memory: Cell::default(),
            end: Cell::default(),
        };
        // SAFETY: the manager was just made, and the sort is its own and holds the value.
        handles.filler = unsafe {
            let sort = NonNull::new(ffi::tine_mk_bv_sort(manager.as_ptr(), 1))?;
            let term = NonNull::new(ffi::tine_mk_bv_value_uint64(manager.as_ptr(), sort.as_ptr(), 0))?;
            Some((Sort(sort), Term(term)))
        };
        handles.broken.set(false);
        Some(Self(Rc::new(handles)))
    }

    /// Why something could not be made, if that is so.
    fn failure(&self) -> Option<Reason> {
        self.0.failure.borrow().clone()
    }

    /// From now on there are no new terms past these limits.
    fn limit(&self, memory: MemoryLimit, limits: &Limits) {
        self.0.memory.set(memory);
        self.0.end.set(Instant::now().checked_add(limits.time()));
    }

    fn is_late(&self) -> bool {
        self.0.end.get().is_some_and(|end| Instant::now() >= end)
    }

    /// Whether it is of no use to go on.
    fn is_over(&self) -> bool {
        self.0.failure.borrow().is_some() || self.is_late()
    }

    /// What an exception was about that says nothing.
    fn limit_reached(&self) -> Reason {
        if self.is_late() { Reason::Timeout } else { Reason::Memory }
    }

    fn fail(&self) {
        self.0.broken.set(true);
        let reason = crash().unwrap_or_else(|| self.limit_reached());
        self.0.failure.borrow_mut().get_or_insert(reason);
    }

    fn sort(&self, raw: ffi::Sort) -> Sort {
        match (NonNull::new(raw), self.0.filler) {
            (Some(raw), _) => Sort(raw),
            (None, filler) => {
                self.fail();
                filler.expect("made by `new`").0
            }
        }
    }

    fn term(&self, raw: ffi::Term) -> Term {
        match (NonNull::new(raw), self.0.filler) {
            (Some(raw), _) => Term(raw),
            (None, filler) => {
                self.fail();
                filler.expect("made by `new`").1
            }
        }
    }

    fn raw(&self) -> *mut ffi::TermManager {
        self.0.manager.as_ptr()
    }

    fn bits_sort(&self, width: u32) -> Sort {
        // SAFETY: the manager lives; the width is not zero.
        self.sort(unsafe { ffi::tine_mk_bv_sort(self.raw(), width as u64) })
    }

    /// A bit-vector constant.
    fn bits(&self, width: u32, value: u128) -> Term {
        let sort = self.bits_sort(width);
        if let Ok(value) = u64::try_from(value) {
            // SAFETY: the manager lives, the sort is its own and holds the value.
            return self.term(unsafe { ffi::tine_mk_bv_value_uint64(self.raw(), sort.0.as_ptr(), value) });
        }
        let digits = format!("{value:x}\0");
        // SAFETY: as above, and the string ends with a zero and is copied.
        self.term(unsafe { ffi::tine_mk_bv_value(self.raw(), sort.0.as_ptr(), digits.as_ptr().cast(), 16) })
    }

    /// A fresh variable.
    fn variable(&self, sort: Sort) -> Term {
        // SAFETY: the manager lives and the sort is its own; a symbol is optional.
        self.term(unsafe { ffi::tine_mk_const(self.raw(), sort.0.as_ptr(), std::ptr::null()) })
    }

    fn rounding(&self, mode: std::ffi::c_int) -> Term {
        // SAFETY: the manager lives and the mode is one of `ffi::rounding`.
        self.term(unsafe { ffi::tine_mk_rm_value(self.raw(), mode) })
    }

    fn apply(&self, kind: std::ffi::c_int, operands: &[Term], indices: &[u64]) -> Term {
        if self.0.memory.get().is_reached() {
            self.0.failure.borrow_mut().get_or_insert(Reason::Memory);
            return self.0.filler.expect("made by `new`").1;
        }
        // SAFETY: the manager lives and the operands are its own; `Term` is a pointer in memory, so the slice is an
        // array of them. Sorts that do not fit make the library complain and return null, not misbehave.
        let made = unsafe {
            ffi::tine_mk_term_indexed(
                self.raw(),
                kind,
                operands.len() as u32,
                operands.as_ptr().cast(),
                indices.len() as u32,
                indices.as_ptr(),
            )
        };
        self.term(made)
    }
}

impl Drop for Handles {
    fn drop(&mut self) {
        if self.broken.get() {
            return;
        }
        // SAFETY: both were made by the library, are deleted once, and every stack holds them alive.
        unsafe {
            ffi::tine_options_delete(self.options.as_ptr());
            ffi::tine_term_manager_delete(self.manager.as_ptr());
        }
    }
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
    manager: Manager,
}

impl Stack {
    /// Nothing when there is no memory for it.
    fn new(manager: &Manager) -> Option<Self> {
        let watch = Box::new(Watch::default());
        let state = std::ptr::from_ref::<Watch>(&watch).cast_mut().cast();
        // SAFETY: manager and options live. The watch has a place of its own that outlives the solver, and the callback
        // only reads it through a shared reference, in this thread.
        let solver = unsafe { ffi::tine_new(manager.raw(), manager.0.options.as_ptr(), limits::on_poll, state) };
        let solver = NonNull::new(solver)?;
        Some(Self { solver, terms: Vec::new(), watch, broken: false, manager: manager.clone() })
    }

    /// Makes `terms` what is asserted, keeping what they have in common with what was. Whether there was the time for all.
    fn assert(&mut self, terms: &[Term]) -> bool {
        let common = self.terms.iter().zip(terms).take_while(|(a, b)| a == b).count();
        let n_popped = self.terms.len() - common;
        if n_popped > 0 {
            // SAFETY: the solver lives and has as many levels as terms.
            self.broken |= unsafe { !ffi::tine_pop(self.solver.as_ptr(), n_popped as u64) };
            self.terms.truncate(common);
        }
        for &term in &terms[common..] {
            if self.broken || self.manager.is_late() {
                return false;
            }
            // SAFETY: the solver lives and the term is of its manager.
            self.broken |= unsafe { !ffi::tine_push_assert(self.solver.as_ptr(), term.0.as_ptr()) };
            self.terms.push(term);
        }
        true
    }

    /// Whether what is asserted can hold together with `assumptions`.
    fn check(&mut self, assumptions: &[Term], limits: &Limits, memory: MemoryLimit) -> Verdict {
        if self.broken {
            return Verdict::Unknown(crash().unwrap_or_else(|| self.manager.limit_reached()));
        }
        crash();
        self.watch.start(limits, memory);
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
            ffi::LATE => {
                self.broken = true;
                Verdict::Unknown(Reason::Timeout)
            }
            ffi::EXCEPTION => {
                self.broken = true;
                Verdict::Unknown(Reason::Crashed("a C++ exception".into()))
            }
            ffi::SIGNAL => {
                self.broken = true;
                Verdict::Unknown(crash().unwrap_or(Reason::GaveUp))
            }
            _ => Verdict::Unknown(crash().or(self.watch.reason()).unwrap_or(Reason::GaveUp)),
        }
    }

    /// Those of the terms that cannot hold together, after [`Verdict::Unsat`], if the manager is one for cores.
    fn core(&mut self) -> Vec<Term> {
        let mut n_terms = 0;
        // SAFETY: the solver lives; in a wrong state the library complains and returns null.
        let terms = unsafe { ffi::tine_get_unsat_core(self.solver.as_ptr(), &raw mut n_terms) };
        if terms.is_null() || complaint().is_some() {
            self.broken = true;
            return Vec::new();
        }
        // SAFETY: an array of so many terms, which lives until the next such call.
        let terms = unsafe { std::slice::from_raw_parts(terms, n_terms) };
        terms.iter().filter_map(|&term| NonNull::new(term).map(Term)).collect()
    }

    /// The value of a bit-vector term, after [`Verdict::Sat`].
    fn value(&mut self, term: Term) -> Option<u128> {
        let value = self.try_value(term);
        self.broken |= value.is_none();
        value
    }

    fn try_value(&mut self, term: Term) -> Option<u128> {
        // SAFETY: the solver lives and the term is of its manager; in a wrong state the library complains and
        // returns null.
        let value = NonNull::new(unsafe { ffi::tine_get_value(self.solver.as_ptr(), term.0.as_ptr()) })?;
        // SAFETY: the value is a term; the string lives until the next such call in this thread.
        let digits = unsafe {
            let digits = ffi::tine_term_value_get_str_fmt(value.as_ptr(), 2);
            let digits = (!digits.is_null()).then(|| CStr::from_ptr(digits));
            digits.and_then(|digits| u128::from_str_radix(digits.to_str().ok()?, 2).ok())
        };
        // SAFETY: `get_value` gave us this reference.
        let released = unsafe { ffi::tine_term_release(value.as_ptr()) };
        digits.filter(|_| released)
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        if self.broken || self.manager.0.broken.get() {
            // Its parts may not fit together any more. Nor may the terms that it holds on to.
            std::mem::forget(self.manager.clone());
            return;
        }
        // SAFETY: made by the library, deleted once, before the manager that it holds alive.
        unsafe { ffi::tine_delete(self.solver.as_ptr()) };
    }
}
