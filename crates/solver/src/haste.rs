//! Time limit of attempts whose query is repeated later. The limit becomes shorter while attempts reach it, so that
//! hard queries do not take all of the time.

/// Maximum number of times that the limit is halved.
const MAX_HALVINGS: u32 = 4;
/// Number of consecutive answers after which the limit is doubled again.
const ANSWERS: u32 = 4;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Haste {
    n_halvings: u32,
    n_answers: u32,
}

impl Haste {
    pub(crate) fn timeout_ms(self, limit: u64) -> u64 {
        (limit >> self.n_halvings).max(1)
    }

    pub(crate) fn came_to_limit(&mut self) {
        self.n_halvings = (self.n_halvings + 1).min(MAX_HALVINGS);
        self.n_answers = 0;
    }

    pub(crate) fn answered(&mut self) {
        self.n_answers += 1;
        if self.n_answers == ANSWERS {
            self.n_halvings = self.n_halvings.saturating_sub(1);
            self.n_answers = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_follow_what_comes_of_them() {
        let mut haste = Haste::default();
        let mut limits = Vec::new();
        for late in "llllll aaaa aaaal aaaaaaaaaaaaaaaa".chars().filter(|c| *c != ' ') {
            match late {
                'l' => haste.came_to_limit(),
                _ => haste.answered(),
            }
            limits.push(haste.timeout_ms(100));
        }
        limits.dedup();
        assert_eq!(limits, [50, 25, 12, 6, 12, 25, 12, 25, 50, 100]);
        assert_eq!(Haste { n_halvings: 4, n_answers: 0 }.timeout_ms(3), 1);
    }
}
