//! LLVM intrinsics, and functions of the C library with the same meaning.

use tine_trace::entry::{ACCESS_WRITES, Composite, MAX_ACCESS};
use tine_trace::event::ConcretiseReason;
use tine_trace::map::SiteKind;
use tine_trace::op::{Op, Rounding};

use super::{Operand, Walk};
use crate::llvm::{LLVMIntPredicate, Value};
use crate::names::{self, Overflow, Pure};

impl Walk<'_, '_> {
    pub(super) fn visit_intrinsic(&mut self, call: Value, name: &str) {
        if names::is_lifetime_marker(name) {
            let alloca = call.arguments().into_iter().find(|argument| self.runtime.padded.contains_key(argument));
            self.b().before(call);
            return alloca.into_iter().for_each(|alloca| self.visit_lifetime(call, alloca));
        }
        if name.starts_with("llvm.stackrestore") {
            self.visit_stack_restore(call);
        }
        if names::is_silent_intrinsic(name) {
            return;
        }
        if let Some(pure) = names::intrinsic(name) {
            return self.visit_pure(call, pure);
        }
        let arguments = call.arguments();
        let moved = name.split('.').nth(1).unwrap_or("");
        self.check_copy(call, moved);
        match moved {
            "memcpy" | "memmove" => self.visit_copy(call, &arguments),
            "memset" => self.visit_fill(call, &arguments),
            // The list itself consists of addresses and offsets. The memory they point to keeps its shadow.
            "va_start" | "va_copy" => {
                let (clear, start) = (self.runtime.entry("clear"), self.runtime.entry("va_start"));
                self.b().after(call);
                let list = self.bits(arguments[0]);
                self.b().call(clear, &[list, self.b().i64.constant(24)]);
                if let Some(saved) = self.saved_va.filter(|_| name.contains("va_start")) {
                    self.b().call(start, &[list, saved]);
                }
            }
            _ => self.lose(call, &arguments, name),
        }
    }

    fn visit_copy(&mut self, call: Value, arguments: &[Value]) {
        let shadows = self.begin_accesses(call, &arguments[..2], arguments[2]);
        if shadows.is_none() {
            // Forbidden accesses must be detected before the machine performs them.
            self.b().before(call);
        }
        let (to, from) = (self.bits(arguments[0]), self.bits(arguments[1]));
        let len = self.b().resize(arguments[2], self.b().i64);
        let copy = self.runtime.entry(if shadows.is_some() { "copied" } else { "copy" });
        let nodes = shadows.unwrap_or_default();
        self.b().call(copy, &[nodes.as_slice(), &[to, from, len]].concat());
    }

    fn visit_fill(&mut self, call: Value, arguments: &[Value]) {
        let shadows = self.begin_accesses(call, &arguments[..1], arguments[2]);
        if shadows.is_none() {
            self.b().before(call);
        }
        let to = self.bits(arguments[0]);
        let shadow = self.shadow_of(arguments[1]);
        let len = self.b().resize(arguments[2], self.b().i64);
        match shadows {
            Some(pointer) => {
                let filled = self.runtime.entry("filled");
                self.b().call(filled, &[pointer[0], shadow, to, len]);
            }
            None => {
                let fill = self.runtime.entry("fill");
                self.b().call(fill, &[to, shadow, len]);
            }
        }
    }

    /// Before an operation on memory that writes through the first pointer: returns the pointers' shadows, if they may
    /// depend on inputs. The length is decided first, so that it is part of the path. Then the builder is positioned
    /// after the operation.
    fn begin_accesses(&mut self, call: Value, pointers: &[Value], len: Value) -> Option<Vec<Value>> {
        let shadow = self.shadow_of(len);
        self.b().before(call);
        self.concretise(call, SiteKind::Access, shadow, ConcretiseReason::Length);
        let shadows: Vec<Value> = pointers.iter().map(|pointer| self.shadow_of(*pointer)).collect();
        let follows = shadows.iter().any(|shadow| !shadow.is_zero());
        if follows {
            for (k, pointer) in pointers.iter().enumerate().rev() {
                let flags = if k == 0 { ACCESS_WRITES } else { 0 };
                self.b().before(call);
                let size = self.followed_size(len);
                self.begin_access_of(call, *pointer, size, flags);
            }
        }
        self.b().after(call);
        follows.then_some(shadows)
    }

    /// The size of an access of `len` bytes. Lengths above the maximum become one byte more than it.
    fn followed_size(&mut self, len: Value) -> Value {
        let most = u64::from(MAX_ACCESS) + 1;
        let b = self.b();
        let len = b.resize(len, b.i64);
        let is_short = b.icmp(LLVMIntPredicate::LLVMIntULT, len, b.i64.constant(most));
        let size = b.select(is_short, len, b.i64.constant(most));
        b.resize(size, b.i32)
    }

    /// True if a library function has the same declaration as in the C library.
    pub(super) fn fits_pure(&self, call: Value, pure: Pure) -> bool {
        let arguments = call.arguments();
        let n_operands = match pure {
            Pure::Fused => 3,
            Pure::Binary(_) | Pure::Composite(Composite::FMin | Composite::FMax | Composite::FCopySign) => 2,
            _ => 1,
        };
        arguments.len() == n_operands
            && Self::scalar(call).is_some()
            && arguments.iter().all(|argument| argument.ty() == call.ty())
    }

    pub(super) fn visit_pure(&mut self, call: Value, pure: Pure) {
        let arguments = call.arguments();
        if arguments.iter().all(|argument| self.shadows_of(*argument).iter().all(|shadow| shadow.is_zero())) {
            return;
        }
        let Some(leaf) = Self::scalar(arguments[0]) else {
            return self.lose(call, &arguments, "vector or wide operation");
        };
        let operands: Vec<Operand> = arguments.iter().map(|argument| self.operand(*argument)).collect();
        self.b().after(call);
        let shadow = match pure {
            Pure::Identity => operands[0].shadow,
            Pure::Unary(op) => self.unary(op, leaf.bits, 0, operands[0].shadow, call),
            Pure::Round(rounding) => self.round(rounding, leaf.bits, operands[0].shadow, call),
            Pure::Binary(op) => self.binary(op, leaf.bits, operands[0], operands[1], call),
            Pure::Fused => self.fused(leaf.bits, &operands, call),
            Pure::Composite(composite) => self.composite(composite, leaf.bits, relevant(composite, &operands), call),
            Pure::WithOverflow(op, overflow) => {
                let (value, flag) = (self.b().extract(call, 0), self.b().extract(call, 1));
                let result = self.binary(op, leaf.bits, operands[0], operands[1], value);
                let overflows = match overflow {
                    Overflow::Op(op) => self.binary(op, leaf.bits, operands[0], operands[1], flag),
                    Overflow::Composite(composite) => self.composite(composite, leaf.bits, &operands[..2], flag),
                };
                self.shadows.insert(call, vec![result, overflows]);
                return;
            }
        };
        self.set(call, shadow);
    }

    fn round(&mut self, rounding: Rounding, bits: u32, shadow: Value, result: Value) -> Value {
        self.unary(Op::FRound, bits, rounding as u32, shadow, result)
    }

    fn fused(&mut self, bits: u32, operands: &[Operand], result: Value) -> Value {
        self.composite(Composite::FMa, bits, operands, result)
    }
}

/// The operands of a composite, without flags such as "zero is poison".
fn relevant(composite: Composite, operands: &[Operand]) -> &[Operand] {
    match composite {
        Composite::Abs | Composite::CtLz | Composite::CtTz => &operands[..1],
        _ => operands,
    }
}
