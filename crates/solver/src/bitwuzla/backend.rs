//! Bitwuzla as a back end: a solver per query over terms that are kept between queries.

use tine_expr::smt::Lowering;
use tine_expr::{Reason, TermId, TermPool};

use super::limits::Watch;
use super::{Check, Manager, Verdict, complaint};
use crate::smt::{Backend, Found};
use crate::{Error, Limits};

/// Terms kept past this number are thrown away and made anew as needed.
const MAX_TERMS: usize = 1 << 20;

#[derive(Debug)]
pub(crate) struct Bitwuzla {
    check: Option<(Check<'static>, Box<Watch>, usize)>,
    manager: Manager,
    lowering: Lowering<Manager>,
    limits: Limits,
    stack: Vec<super::Term>,
}

impl Bitwuzla {
    pub(crate) fn new(limits: Limits) -> Result<Self, Error> {
        Ok(Self { manager: Manager::new(), lowering: Lowering::new(), limits, check: None, stack: vec![] })
    }
}

impl Backend for Bitwuzla {
    fn forget(&mut self) {
        self.check = None;
        self.stack.clear();
        self.lowering = Lowering::new();
        self.manager = Manager::new();
    }

    fn solve(&mut self, pool: &TermPool, terms: &[TermId]) -> Found {
        if self.lowering.len() > MAX_TERMS {
            self.forget();
        }
        complaint();
        let lowered = match self.lowering.assertions(&mut self.manager, pool, terms) {
            Ok(lowered) => lowered,
            Err(unsupported) => return Found::Unknown(Reason::Unsupported(unsupported.0)),
        };
        let mode = std::env::var("MODE").unwrap_or_default();
        let reset: usize = std::env::var("RESET").ok().and_then(|x| x.parse().ok()).unwrap_or(1000);
        if self.check.as_ref().is_some_and(|c| c.2 > reset) || mode == "a" {
            self.check = None;
        }
        if self.check.is_none() {
            self.stack.clear();
            let watch = Box::new(Watch::start(&self.limits));
            let check = unsafe { std::mem::transmute::<Check<'_>, Check<'static>>(Check::new(&self.manager, &watch)) };
            self.check = Some((check, watch, 0));
        }
        let (check, watch, count) = self.check.as_mut().unwrap();
        *count += 1;
        watch.exceeded.set(None);
        watch.deadline.set(std::time::Instant::now() + std::time::Duration::from_millis(self.limits.timeout_ms));
        let begun = std::time::Instant::now();
        let verdict = match mode.as_str() {
            "c" => {
                let a = &lowered.assertions;
                let mut common = 0;
                while common < self.stack.len() && common < a.len() && a[common] == self.stack[common] {
                    common += 1;
                }
                let n = self.stack.len() - common;
                if n > 0 {
                    check.pop(n);
                }
                self.stack.truncate(common);
                for &x in &a[common..] {
                    check.push();
                    check.assert(x);
                    self.stack.push(x);
                }
                check.run()
            }
            "a" => {
                for &x in &lowered.assertions {
                    check.assert(x)
                }
                check.run()
            }
            "d" | "e" => {
                let a = &lowered.assertions;
                let mut common = 0;
                while common < self.stack.len() && common + 1 < a.len() && a[common] == self.stack[common] {
                    common += 1;
                }
                let n = self.stack.len() - common;
                if n > 0 {
                    check.pop(n);
                }
                self.stack.truncate(common);
                for &x in &a[common..a.len() - 1] {
                    check.push();
                    check.assert(x);
                    self.stack.push(x);
                }
                check.run_assuming(&a[a.len() - 1..])
            }
            _ => check.run_assuming(&lowered.assertions),
        };
        let slow: u64 = std::env::var("SLOW").ok().and_then(|x| x.parse().ok()).unwrap_or(10);
        if mode == "e" && begun.elapsed() > std::time::Duration::from_millis(slow) {
            *count = 1 << 30;
        }
        match verdict {
            Verdict::Unsat => Found::Unsat,
            Verdict::Unknown => {
                let crashed = complaint().map(Reason::Crashed);
                Found::Unknown(crashed.or(watch.reason()).unwrap_or(Reason::GaveUp))
            }
            Verdict::Sat => {
                let values = lowered.views.iter().map(|&view| {
                    let variable = self.lowering.input(view)?;
                    Some((view, check.value(*variable)?))
                });
                match values.collect() {
                    Some(model) => Found::Sat(model),
                    None => Found::Unknown(Reason::Crashed(complaint().unwrap_or_else(|| "no model".into()))),
                }
            }
        }
    }
}
