//! The way back from the symbolic track to the concrete one, at the header of a loop.
//!
//! A value that is live at such a header has two definitions in the concrete track: the original one, and the one that
//! the symbolic track returns. So the value is kept in memory here. The optimiser turns it back into registers.
//!
//! ```text
//!   header:  phis
//!            br loop
//!   last:    x = call @f.symbolic(…)
//!            switch where to resume:  nowhere → ret x,  here → resume
//!   resume:  values live at the header = …
//!            br loop
//!   loop:    …
//! ```

use std::collections::{HashMap, HashSet};

use super::Walk;
use super::regions::{Start, phis};
use super::symbolic::{Layout, RESUME};
use super::tracks::Tracks;
use crate::llvm::{Block, LLVMOpcode, Value};

impl Walk<'_, '_> {
    /// Splits the headers that can be resumed after their phis. Returns each region with the block that follows.
    pub(super) fn split_headers(&mut self) -> Vec<(usize, Block)> {
        let plan = &self.tracks.as_ref().expect("the function has two tracks").plan;
        let regions = plan.regions.iter().enumerate().filter(|(_, region)| region.resumed);
        let headers: Vec<(usize, Block)> = regions
            .filter_map(|(k, region)| match region.start {
                Start::Block(block) => Some((k, block)),
                Start::Entry | Start::After(_) => None,
            })
            .collect();
        let mut targets = Vec::new();
        for (region, header) in headers {
            let mut first = header.first();
            while let Some(phi) = first.filter(|i| i.opcode() == LLVMOpcode::LLVMPHI) {
                first = phi.next();
            }
            let target = self.split_before(first.expect("a terminator follows the phis"));
            self.b().at_end(header);
            self.b().jump(target);
            targets.push((region, target));
        }
        targets
    }

    /// Emits the code after the call of the symbolic track: continues at the region it names, or returns if there is
    /// none.
    pub(super) fn resume(&mut self, tracks: &Tracks, targets: &[(usize, Block)], renamed: &HashMap<Value, Value>) {
        if targets.is_empty() {
            return;
        }
        let (function, buffer) = (self.function, self.runtime.buffer);
        let b = self.b();
        let at = b.offset(buffer, b.i64.constant(RESUME));
        let number = b.load(b.i32, at, 4);
        // All functions share the buffer. Without this store, the caller would take the value for its own.
        b.store(b.i32.constant(0), at, 4);
        let ended = b.block(function, "");
        let ways: Vec<(Value, Block)> =
            targets.iter().map(|(region, _)| (b.i32.constant(*region as u64 + 1), b.block(function, ""))).collect();
        b.switch(number, ended, &ways);

        let current = |value: &Value| renamed.get(value).copied().unwrap_or(*value);
        let mut homes: HashMap<Value, Value> = HashMap::new();
        for (region, _) in targets {
            for value in &tracks.plan.regions[*region].live {
                let value = current(value);
                homes.entry(value).or_insert_with(|| demote(self, value));
            }
        }
        for ((region, target), (_, block)) in targets.iter().zip(&ways) {
            let live: Vec<Value> = tracks.plan.regions[*region].live.iter().map(current).collect();
            let layout = Layout::new(self.module, &tracks.plan.fixed, &live);
            let b = self.b();
            b.at_end(*block);
            for (value, offset) in live.iter().zip(&layout.live) {
                let from = b.offset(buffer, b.i64.constant(*offset));
                b.store_natural(b.load_natural(value.ty(), from), homes[value]);
            }
            b.jump(*target);
        }
        self.b().at_end_of(ended, function);
    }
}

/// Keeps a value in memory: written where it is defined, read where it is used.
fn demote(walk: &Walk<'_, '_>, value: Value) -> Value {
    let b = walk.b();
    let entry = walk.function.blocks()[0];
    b.before(entry.first().expect("a block is not empty"));
    let home = b.alloca(value.ty());
    let mut seen = HashSet::new();
    for user in value.users().into_iter().filter(|user| seen.insert(*user)) {
        if user.opcode() == LLVMOpcode::LLVMPHI {
            // A switch may have several edges from one block to this one.
            let mut loads: HashMap<Block, Value> = HashMap::new();
            for (i, (incoming, from)) in user.incoming().into_iter().enumerate() {
                if incoming == value {
                    let loaded = *loads.entry(from).or_insert_with(|| {
                        b.before(from.terminator());
                        b.load_natural(value.ty(), home)
                    });
                    user.set_operand(i as u32, loaded);
                }
            }
            continue;
        }
        if user.parent() == value.parent() {
            continue;
        }
        b.before(user);
        let loaded = b.load_natural(value.ty(), home);
        for i in 0..user.n_operands() {
            if user.operand(i) == value {
                user.set_operand(i, loaded);
            }
        }
    }
    if value.opcode() == LLVMOpcode::LLVMPHI {
        let last = phis(value.parent()).pop().expect("it is one of them");
        b.after(last);
    } else {
        b.after(value);
    }
    b.store_natural(value, home);
    home
}
