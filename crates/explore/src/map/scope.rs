//! The functions that count as coverage of a function: itself, and those that it may call.
//!
//! ```text
//!   parse ──▶ skip_blanks      counted
//!     └─────▶ table[i] ──▶ …   counted: functions of this type whose address is taken
//!   is_valid (--requires)      not counted
//! ```

use std::collections::HashMap;

use super::{BranchId, FunctionId, ProgramMap, SideId};

impl ProgramMap {
    /// The map in which only branches and lines of `function` and of its callees count as coverage, but not those of
    /// `predicates`. A map without this function stays as it is.
    pub fn limited_to(mut self, function: &str, predicates: &[&str]) -> ProgramMap {
        let counted = self.callees(function, predicates);
        if counted.contains(&true) {
            self.recount(&counted);
            self.counted = Some(counted);
        }
        self
    }

    /// True if branches and lines of the function count as coverage.
    pub fn counts(&self, function: FunctionId) -> bool {
        let is_in_scope = self.counted.as_ref().is_none_or(|counted| counted[function.index()]);
        is_in_scope && !self.function(function).is_library()
    }

    /// Functions of this name and those that they may call, by number. A postcondition is called where the function
    /// returns, so predicates are left out.
    fn callees(&self, function: &str, predicates: &[&str]) -> Vec<bool> {
        let mut named = HashMap::<&str, Vec<usize>>::new();
        let mut by_type = HashMap::<u64, Vec<usize>>::new();
        for (index, known) in self.functions.iter().enumerate() {
            named.entry(&known.name).or_default().push(index);
            if known.address_taken() {
                by_type.entry(known.signature).or_default().push(index);
            }
        }
        let mut found = vec![false; self.functions.len()];
        let mut pending = named.get(function).cloned().unwrap_or_default();
        while let Some(index) = pending.pop() {
            if predicates.contains(&&*self.functions[index].name) || std::mem::replace(&mut found[index], true) {
                continue;
            }
            let blocks = self.functions[index].blocks.clone();
            for call in blocks.flat_map(|block| self.calls(&self.blocks[block as usize])) {
                let callees =
                    if call.callee.is_empty() { by_type.get(&call.signature) } else { named.get(&*call.callee) };
                pending.extend(callees.into_iter().flatten());
            }
        }
        found
    }

    /// Keeps the branches that have a copy in a counted function, with new numbers.
    fn recount(&mut self, counted: &[bool]) {
        let mut is_kept = vec![false; self.branches.len()];
        for site in &self.sites {
            if let Some(branch) = site.branch {
                is_kept[branch.index()] |= counted[site.function.index()];
            }
        }
        let old = std::mem::take(&mut self.branches);
        let (mut numbers, mut first_sides) = (vec![None; old.len()], vec![None; old.len()]);
        let mut side_branch = Vec::new();
        for (index, mut branch) in old.into_iter().enumerate().filter(|(index, _)| is_kept[*index]) {
            let number = BranchId(self.branches.len() as u32);
            let first_side = SideId(side_branch.len() as u32);
            (numbers[index], first_sides[index]) = (Some(number), Some((branch.first_side, first_side)));
            branch.first_side = first_side;
            side_branch.extend((0..branch.n_sides).map(|_| number));
            self.branches.push(branch);
        }
        for site in &mut self.sites {
            site.branch = site.branch.and_then(|branch| numbers[branch.index()]);
        }
        for side in &mut self.edge_side {
            *side = side.and_then(|old| {
                let (before, now) = first_sides[self.side_branch[old.index()].index()]?;
                Some(SideId(now.0 + (old.0 - before.0)))
            });
        }
        self.side_branch = side_branch;
    }
}

#[cfg(test)]
mod tests {
    use tine_trace::map::{BlockRecord, CallRecord, FUNCTION_ADDRESS_TAKEN, SiteKind};

    use super::super::maker::Maker;
    use super::super::{Edge, ProgramMap};

    /// `f` calls `g` and, through a pointer, functions of the type 7. Nothing calls `check`.
    fn map() -> ProgramMap {
        let mut maker = Maker::default();
        for (line, name) in (1..).zip(["check", "f", "g", "callback", "other"]) {
            maker.function(name, "f.c", if name.len() > 5 || name == "other" { FUNCTION_ADDRESS_TAKEN } else { 0 });
            maker.site(SiteKind::Branch, "f.c", 10 * line, 2);
            let function = maker.module.functions.last_mut().expect("just added");
            (function.first_block, function.n_blocks) = (line - 1, 1);
            function.signature = if name == "other" { 8 } else { 7 };
            maker.module.blocks.push(BlockRecord { function: line - 1, line: 10 * line, ..Default::default() });
        }
        let callee = maker.text("g");
        let pointer = maker.text("");
        maker.module.blocks[1].n_calls = 2;
        maker.module.calls.push(CallRecord { callee, site: u32::MAX, ..Default::default() });
        maker.module.calls.push(CallRecord { callee: pointer, signature: 7, site: u32::MAX, ..Default::default() });
        maker.map()
    }

    #[test]
    fn a_function_and_its_callees_count() {
        let map = map().limited_to("f", &[]);
        let lines = |map: &ProgramMap| map.branches().iter().map(|branch| branch.line).collect::<Vec<_>>();
        assert_eq!(lines(&map), [20, 30, 40]);
        assert_eq!(map.n_sides(), 6);
        assert_eq!(map.covered_by(Edge(1)), None, "check's");
        let side = map.covered_by(Edge(5)).expect("g's second side");
        assert_eq!((map.branch_side(side).0.0, map.branch_side(side).1), (1, 1));
        assert!(map.sites().iter().all(|site| site.branch.is_none_or(|branch| branch.index() < 3)));
        assert_eq!(lines(&self::map().limited_to("g", &[])), [30]);
        assert_eq!(lines(&self::map().limited_to("unknown", &[])).len(), 5);
    }
}
