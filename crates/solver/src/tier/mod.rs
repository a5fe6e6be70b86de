//! The tiers before SMT, in the order in which a query passes them.

/// Implements a tier for a type with a `meter` and a `next`: `$look` either answers a query, or the next tier solves
/// it. `$forget` drops the terms that the tier remembers.
macro_rules! looks_or_passes_on {
    ($tier:ident, $look:ident) => {
        looks_or_passes_on!($tier, $look, |_: &mut $tier| {});
    };
    ($tier:ident, $look:ident, $forget:expr) => {
        impl tine_expr::Solver for $tier {
            fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
                let start = self.meter.start();
                match self.$look(pool, query) {
                    Some(answer) => {
                        self.meter.answered(start);
                        answer
                    }
                    None => {
                        self.meter.passed(start);
                        self.next.check(pool, query)
                    }
                }
            }
        }

        impl Tier for $tier {
            fn stats(&self, tiers: &mut Vec<crate::stats::TierStats>) {
                tiers.push(self.meter.stats());
                self.next.stats(tiers);
            }

            fn take_core(&mut self) -> Option<Vec<tine_expr::TermId>> {
                self.next.take_core()
            }

            fn forget(&mut self) {
                $forget(self);
                self.next.forget();
            }
        }
    };
}

pub(crate) mod trivial;

pub(crate) mod slice;

pub(crate) mod common;

pub(crate) mod pointers;

pub(crate) mod domains;

pub(crate) mod direct;

pub(crate) mod bytes;

pub(crate) mod cache;

pub(crate) mod ranges;

pub(crate) mod differences;

pub(crate) mod guess;

pub(crate) mod values;

pub(crate) mod cases;

pub(crate) mod unanswered;
