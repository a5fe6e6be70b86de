//! Z3, the second SMT solver: opened at run time, never linked, and spoken to in SMT-LIB text.

use std::ffi::{CStr, CString, c_char, c_int, c_void};

use libloading::{Library, Symbol};
use tine_expr::smt::text::{Benchmark, name};
use tine_expr::{InputView, Reason, TermId, TermPool};

use crate::smt::{Backend, Found};
use crate::{Error, Limits};

/// Debian's name, then the one of Z3's own builds.
const NAMES: &[&str] = &["libz3.so.4", "libz3.so"];

type Context = *mut c_void;

pub(crate) struct Z3 {
    context: Context,
    eval: unsafe extern "C" fn(Context, *const c_char) -> *const c_char,
    del_context: unsafe extern "C" fn(Context),
    limits: Limits,
    /// Last, so that the functions above outlive their use in `drop`.
    _library: Library,
}

impl Z3 {
    pub(crate) fn open(limits: Limits) -> Result<Self, Error> {
        let library = open_library(NAMES)?;
        let mk_config = function::<unsafe extern "C" fn() -> *mut c_void>(&library, "Z3_mk_config")?;
        let del_config = function::<unsafe extern "C" fn(*mut c_void)>(&library, "Z3_del_config")?;
        let mk_context = function::<unsafe extern "C" fn(*mut c_void) -> Context>(&library, "Z3_mk_context")?;
        let del_context = function::<unsafe extern "C" fn(Context)>(&library, "Z3_del_context")?;
        let set_error_handler =
            function::<unsafe extern "C" fn(Context, extern "C" fn(Context, c_int))>(&library, "Z3_set_error_handler")?;
        let set_parameter =
            function::<unsafe extern "C" fn(*const c_char, *const c_char)>(&library, "Z3_global_param_set")?;
        let eval = function(&library, "Z3_eval_smtlib2_string")?;
        if limits.memory_mb > 0 {
            let megabytes = CString::new(limits.memory_mb.to_string()).expect("digits hold no zero byte");
            // SAFETY: both strings end with a zero and are copied.
            unsafe { set_parameter(c"memory_max_size".as_ptr(), megabytes.as_ptr()) };
        }
        // SAFETY: the functions have these types in z3_api.h; the configuration is deleted once, after its use.
        let context = unsafe {
            let config = mk_config();
            let context = mk_context(config);
            del_config(config);
            // Errors show in the text that comes back; the default handler would end the process.
            set_error_handler(context, ignore_error);
            context
        };
        Ok(Self { context, eval, del_context, limits, _library: library })
    }

    /// Runs SMT-LIB commands and gives back what they print.
    pub(crate) fn run(&mut self, commands: &str) -> String {
        let Ok(commands) = CString::new(commands) else { return String::new() };
        // SAFETY: the context lives, the string ends with a zero, and what comes back is a string that lives until
        // the next call.
        unsafe {
            let printed = (self.eval)(self.context, commands.as_ptr());
            if printed.is_null() { String::new() } else { CStr::from_ptr(printed).to_string_lossy().into_owned() }
        }
    }

    fn model(&mut self, views: &[InputView]) -> Option<Vec<(InputView, u128)>> {
        if views.is_empty() {
            return Some(Vec::new());
        }
        let names: Vec<String> = views.iter().map(|&view| name(view)).collect();
        let printed = self.run(&format!("(get-value ({}))", names.join(" ")));
        let mut words = printed.split(|c: char| c.is_whitespace() || c == '(' || c == ')').filter(|w| !w.is_empty());
        // ((i0_0_32 #x00000005) …), in the order asked.
        let mut value = |view: InputView, name: &String| {
            (words.next()? == name).then_some(())?;
            Some((view, literal(words.next()?)?))
        };
        views.iter().zip(&names).map(|(&view, name)| value(view, name)).collect()
    }

    fn unknown(&mut self, printed: &str) -> Reason {
        if printed.contains("out of memory") || printed.contains("max. memory") {
            return Reason::Memory;
        }
        if let Some((_, error)) = printed.split_once("(error") {
            return Reason::Crashed(error.trim().trim_end_matches(')').to_owned());
        }
        let reason = self.run("(get-info :reason-unknown)");
        match () {
            () if reason.contains("timeout") || reason.contains("canceled") => Reason::Timeout,
            () if reason.contains("memory") => Reason::Memory,
            () => Reason::GaveUp,
        }
    }
}

impl Backend for Z3 {
    fn last_limits(&self) -> Limits {
        self.limits
    }

    fn solve(&mut self, pool: &TermPool, terms: &[TermId]) -> Found {
        let benchmark = match Benchmark::new(pool, terms) {
            Ok(benchmark) => benchmark,
            Err(unsupported) => return Found::Unknown(Reason::Unsupported(unsupported.0)),
        };
        // No `set-logic`: Z3's default solver does better than the ones it picks by logic.
        let timeout_ms = self.limits.timeout_ms;
        let printed =
            self.run(&format!("(reset)\n(set-option :timeout {timeout_ms})\n{}(check-sat)\n", benchmark.body));
        match printed.trim() {
            "unsat" => Found::Unsat(Vec::new()),
            "sat" => match self.model(&benchmark.views) {
                Some(model) => Found::Sat(model),
                None => Found::Unknown(Reason::Crashed("no model".into())),
            },
            other => Found::Unknown(self.unknown(other)),
        }
    }

    fn forget(&mut self) {
        // Each query is told from the beginning anyway.
    }
}

impl Drop for Z3 {
    fn drop(&mut self) {
        // SAFETY: made by the library, deleted once, while the library is still open.
        unsafe { (self.del_context)(self.context) };
    }
}

extern "C" fn ignore_error(_: Context, _: c_int) {}

fn open_library(names: &[&str]) -> Result<Library, Error> {
    let mut why = String::new();
    for name in names {
        // SAFETY: loading Z3 runs its initialisers, which have no preconditions.
        match unsafe { Library::new(*name) } {
            Ok(library) => return Ok(library),
            Err(error) => why = error.to_string(),
        }
    }
    Err(Error::NoZ3(why))
}

/// A function of the library, as a plain pointer: the caller keeps the library open as long as it is used.
fn function<F: Copy>(library: &Library, name: &'static str) -> Result<F, Error> {
    // SAFETY: callers name functions of z3_api.h with the types they have there.
    let symbol: Symbol<'_, F> = unsafe { library.get(name) }.map_err(|_| Error::OldZ3(name))?;
    Ok(*symbol)
}

/// A bit-vector constant as SMT-LIB writes it.
fn literal(word: &str) -> Option<u128> {
    match (word.strip_prefix("#x"), word.strip_prefix("#b")) {
        (Some(digits), _) => u128::from_str_radix(digits, 16).ok(),
        (_, Some(digits)) => u128::from_str_radix(digits, 2).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_an_error_with_a_way_out() {
        let error = open_library(&["libz3-of-nowhere.so"]).unwrap_err().to_string();
        assert!(error.starts_with("Z3 cannot be opened: ") && error.contains("libz3-4"), "{error}");
    }

    #[test]
    fn literals_of_both_bases() {
        assert_eq!(literal("#x0a"), Some(10));
        assert_eq!(literal("#b101"), Some(5));
        assert_eq!(literal("true"), None);
    }
}
