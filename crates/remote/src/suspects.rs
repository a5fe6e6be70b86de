//! Orders during which workers ended. An order that ends three workers is not given to a fourth.
//!
//! The server gives an order to another worker when its holder gives no sign. That alone does not mean that the holder
//! ended, or that it ended because of this order. Therefore a worker carries out such an order alone, and asks first.
//!
//! ```text
//!   delivered   ── no sign ──▶   asked by B: one worker ended (which one, is unknown)
//!   B is silent ── no sign ──▶   asked by C: two workers ended
//!   C returns it, since it ends ─▶ asked by D: still two
//! ```

use std::collections::HashMap;

/// Number of workers that an order may end.
pub(crate) const MAX_ENDED: u32 = 3;

/// See the module's documentation.
#[derive(Debug, Default)]
pub(crate) struct Suspects {
    orders: HashMap<u64, Suspected>,
}

#[derive(Debug, Default)]
struct Suspected {
    n_ended: u32,
    /// The last worker that was allowed to carry it out.
    holder: Option<String>,
    /// Number of returns since then.
    n_returned: u32,
}

impl Suspects {
    /// A worker asks for an order that was delivered before. Returns the number of workers that ended with it.
    pub(crate) fn ask(&mut self, number: u64, worker: &str, is_alive: impl Fn(&str) -> bool) -> u32 {
        let order = self.orders.entry(number).or_default();
        let was_returned = std::mem::take(&mut order.n_returned) > 0;
        let holder = order.holder.replace(worker.to_owned());
        let is_dead = holder.is_none_or(|holder| holder != worker && !is_alive(&holder));
        order.n_ended += u32::from(is_dead && !was_returned);
        order.n_ended
    }

    /// A worker gives an order back.
    pub(crate) fn give_back(&mut self, number: u64) {
        self.orders.entry(number).or_default().n_returned += 1;
    }

    /// The order has its answer.
    pub(crate) fn settle(&mut self, number: u64) {
        self.orders.remove(&number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_that_end_are_counted() {
        let mut suspects = Suspects::default();
        let none_lives = |_: &str| false;
        assert_eq!(["b", "c", "d"].map(|worker| suspects.ask(1, worker, none_lives)), [1, 2, MAX_ENDED]);
        assert_eq!(suspects.ask(2, "b", none_lives), 1, "another order");
        suspects.settle(1);
        assert_eq!(suspects.ask(1, "b", none_lives), 1, "forgotten");
    }

    #[test]
    fn workers_that_live_or_leave_do_not_count() {
        let mut suspects = Suspects::default();
        suspects.give_back(1);
        assert_eq!(suspects.ask(1, "b", |_| false), 0, "it was returned");
        assert_eq!(suspects.ask(1, "c", |holder| holder == "b"), 0, "its holder was too slow");
        assert_eq!(suspects.ask(1, "c", |_| false), 0, "the same worker again");
        suspects.give_back(1);
        assert_eq!(suspects.ask(1, "d", |_| false), 0);
        assert_eq!(suspects.ask(1, "e", |_| false), 1);
    }
}
