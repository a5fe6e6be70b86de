//! Branches on the last operand of `&&` and `||`.
//!
//! Every operand has two sides. If the value of the operator is used, clang branches on all operands except the last
//! one. This includes the condition of a loop:
//!
//! ```text
//!   rhs:  %b = …                     rhs:  br %b, yes, no         yes: br end    no: br end
//!         br end               ──▶
//!   end:  phi [false, …], [%b, rhs]  end:  phi [false, …], [true, yes], [false, no]
//! ```
//! If `end` only branches on that value, the sides jump directly to its targets, as in the condition of an `if`: one
//! condition is one decision.
//!
//! A condition without operators gets the sides of the source. For `if (!p)`, clang branches on `p`, so the side of a
//! null pointer would be called false.
//!
//! This is done only for the user's functions, because only they count as coverage, and before values are in registers.

use std::collections::{HashMap, HashSet};

use crate::llvm::{Block, Builder, LLVMIntPredicate, LLVMOpcode, Value};
use crate::names;

/// Names that clang gives to blocks on the true and the false side of a condition.
const TRUE: &[&str] = &["if.then", "for.body", "while.body", "do.body", "cond.true"];
const FALSE: &[&str] = &["if.else", "if.end", "for.end", "for.cond.cleanup", "while.end", "do.end", "cond.false"];
/// Names of blocks that evaluate an operand of `&&` or `||`, or follow one.
const OPERANDS: &[&str] = &["land.lhs.true", "lor.lhs.false", "land.rhs", "lor.rhs", "land.end", "lor.end"];

/// Makes branches of the operators in `function`.
pub(crate) fn branch(b: &Builder, function: Value) {
    for block in function.blocks() {
        follow_source(b, block);
    }
    for block in function.blocks() {
        if let Some(last) = block.phis().into_iter().find_map(|phi| last_operand(b, phi)) {
            branch_on_operand(b, block, last);
        }
    }
    let mut deleted = HashSet::new();
    for block in function.blocks() {
        if !deleted.contains(&block) {
            thread(b, block, &mut deleted);
        }
    }
    for block in function.blocks() {
        place_at_condition(block.terminator());
    }
}

/// Makes the true side of a branch equal to the true side in the source.
fn follow_source(b: &Builder, block: Block) {
    let end = block.terminator();
    if !is_conditional(end) || end.is_made_by_sanitizer() {
        return;
    }
    let condition = end.operand(0);
    let sides = end.successors();
    if sides.iter().chain([&block]).any(|block| is_named(*block, OPERANDS)) {
        // An operand has its own sides and its own position: clang gives the position of the operator.
        return end.set_location(position(condition, end));
    }
    if is_named(sides[0], FALSE) && is_named(sides[1], TRUE) {
        b.before(end);
        end.set_operand(0, negated(b, condition));
        end.set_successor(0, sides[1]);
        end.set_successor(1, sides[0]);
    }
}

/// The negation of a condition. For a comparison, the opposite comparison.
fn negated(b: &Builder, condition: Value) -> Value {
    use LLVMIntPredicate::*;
    if condition.opcode() != LLVMOpcode::LLVMICmp || condition.users().len() != 1 {
        return b.eq(condition, b.i1.constant(0));
    }
    let opposite = match condition.int_predicate() {
        LLVMIntEQ => LLVMIntNE,
        LLVMIntNE => LLVMIntEQ,
        LLVMIntUGT => LLVMIntULE,
        LLVMIntULE => LLVMIntUGT,
        LLVMIntUGE => LLVMIntULT,
        LLVMIntULT => LLVMIntUGE,
        LLVMIntSGT => LLVMIntSLE,
        LLVMIntSLE => LLVMIntSGT,
        LLVMIntSGE => LLVMIntSLT,
        LLVMIntSLT => LLVMIntSGE,
    };
    let new = b.icmp(opposite, condition.operand(0), condition.operand(1));
    new.set_location(condition);
    condition.replace_uses(new);
    condition.erase();
    new
}

fn is_named(block: Block, names: &[&str]) -> bool {
    let name = block.name();
    names.iter().any(|known| names::is_numbered(&name, known))
}

/// Moves the position of a branch to its condition. clang uses the position of the operator or loop, which may be on
/// other lines.
fn place_at_condition(end: Value) {
    if !is_conditional(end) || end.is_made_by_sanitizer() {
        return;
    }
    let condition = position(end.operand(0), end);
    if condition.location().line != end.location().line {
        end.set_location(condition);
    }
}

/// The last operand of an operator.
struct Last {
    value: Value,
    /// The block that ends with its evaluation.
    from: Block,
}

/// The last operand of the `&&` or `||` whose value is a phi. The other operands branch to the phi and contribute a
/// constant.
fn last_operand(b: &Builder, phi: Value) -> Option<Last> {
    if phi.ty() != b.i1 || phi.is_made_by_sanitizer() {
        return None;
    }
    let (constants, others): (Vec<_>, Vec<_>) = phi.incoming().into_iter().partition(|(value, _)| value.is_constant());
    let [(value, from)] = others[..] else { return None };
    let short_cut = constants.first()?.0;
    let is_operator = constants.iter().all(|(value, from)| *value == short_cut && is_conditional(from.terminator()));
    (is_operator && is_jump(from.terminator())).then_some(Last { value, from })
}

fn is_conditional(end: Value) -> bool {
    end.opcode() == LLVMOpcode::LLVMBr && end.is_conditional()
}

fn is_jump(end: Value) -> bool {
    end.opcode() == LLVMOpcode::LLVMBr && !end.is_conditional()
}

/// Branches on the last operand before `end`, the block of the operator's value.
fn branch_on_operand(b: &Builder, end: Block, Last { value, from }: Last) {
    let jump = from.terminator();
    let sides = [b.block_before(end), b.block_before(end)];
    let position_of_end = end.instructions().into_iter().find(|instruction| instruction.location().line != 0);
    for side in sides {
        b.at_end_like(side, position_of_end.unwrap_or(jump));
        b.jump(end);
    }
    b.at_end_like(from, position(value, jump));
    jump.erase();
    b.branch(value, sides[0], sides[1]);
    for phi in end.phis() {
        let mut incoming = phi.incoming();
        let at = incoming.iter().position(|(_, block)| *block == from).expect("the operand's block leads here");
        let (came, _) = incoming.remove(at);
        let values = if came == value { [b.i1.constant(1), b.i1.constant(0)] } else { [came; 2] };
        incoming.extend(values.into_iter().zip(sides));
        replace_phi(b, phi, &incoming);
    }
}

/// The instruction with the source position of `value`.
fn position(value: Value, otherwise: Value) -> Value {
    if value.is_instruction() && value.location().line != 0 { value } else { otherwise }
}

fn replace_phi(b: &Builder, phi: Value, incoming: &[(Value, Block)]) {
    b.before(phi);
    let new = b.phi(phi.ty());
    for (value, block) in incoming {
        new.add_incoming(*value, *block);
    }
    phi.replace_uses(new);
    phi.erase();
}

/// If a block only branches on an operator's value, redirects every side of the operands to the block's targets.
fn thread(b: &Builder, block: Block, deleted: &mut HashSet<Block>) -> Option<()> {
    let [phi] = block.phis()[..] else { return None };
    let end = block.terminator();
    let incoming = phi.incoming();
    let is_operator = phi.ty() == b.i1 && incoming.iter().all(|(value, _)| value.as_constant().is_some());
    if !is_operator || !is_conditional(end) || end.is_made_by_sanitizer() {
        return None;
    }
    let Truth { negated, n_steps } = truth(b, end.operand(0), phi)?;
    let is_all = block.instructions().len() == n_steps + 2;
    let targets = end.successors();
    let leads_once =
        |from: Block| from.terminator().successors().into_iter().filter(|next| *next == block).count() == 1;
    if !is_all
        || targets[0] == targets[1]
        || targets.contains(&block)
        || !incoming.iter().all(|(_, from)| leads_once(*from))
    {
        return None;
    }
    let mut redirected: HashMap<Block, Vec<Block>> = HashMap::new();
    for (value, from) in &incoming {
        // LLVM lists the true side first.
        let target = targets[usize::from((value.as_constant() == Some(0)) != negated)];
        redirected.entry(target).or_default().push(*from);
    }
    for target in &targets {
        for phi in target.phis() {
            let (came, mut others): (Vec<_>, Vec<_>) = phi.incoming().into_iter().partition(|(_, from)| *from == block);
            let from = redirected.get(target).into_iter().flatten();
            others.extend(from.map(|from| (came[0].0, *from)));
            replace_phi(b, phi, &others);
        }
    }
    for (target, from) in redirected {
        for from in from {
            if redirect(from, block, target) {
                deleted.insert(from);
            }
        }
    }
    block.delete();
    deleted.insert(block);
    Some(())
}

/// Redirects the branch of `from` from `block` to `target`. If `from` only jumps, it is deleted and its predecessors
/// are redirected.
fn redirect(from: Block, block: Block, target: Block) -> bool {
    let end = from.terminator();
    let at = end.successors().iter().position(|next| *next == block).expect("it leads there");
    end.set_successor(at as u32, target);
    let is_empty = from.first() == Some(end) && target.phis().is_empty() && is_jump(end);
    if is_empty {
        from.replace_uses(target);
        from.delete();
    }
    is_empty
}

/// Condition that follows from the value of an operator.
struct Truth {
    negated: bool,
    /// Number of instructions between the two.
    n_steps: usize,
}

/// Follows a condition back to `phi`, through negations, conversions and `__builtin_expect`. These must have no other
/// uses.
fn truth(b: &Builder, condition: Value, phi: Value) -> Option<Truth> {
    let mut truth = Truth { negated: false, n_steps: 0 };
    let mut at = condition;
    loop {
        if !at.is_instruction() || at.users().len() != 1 {
            return None;
        }
        if at == phi {
            return Some(truth);
        }
        match at.opcode() {
            LLVMOpcode::LLVMZExt | LLVMOpcode::LLVMSExt => {}
            LLVMOpcode::LLVMXor if at.ty() == b.i1 && at.operand(1).as_constant() == Some(1) => truth.negated ^= true,
            LLVMOpcode::LLVMICmp if at.operand(1).is_zero() => match at.int_predicate() {
                LLVMIntPredicate::LLVMIntEQ => truth.negated ^= true,
                LLVMIntPredicate::LLVMIntNE => {}
                _ => return None,
            },
            LLVMOpcode::LLVMCall if at.called().is_function() && at.called().name().starts_with("llvm.expect") => {}
            _ => return None,
        }
        truth.n_steps += 1;
        at = at.operand(0);
    }
}
