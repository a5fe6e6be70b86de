//! LLVM intrinsics, and functions of the C library that compute just the same.

use tine_trace::entry::{ACCESS_WRITES, Composite};
use tine_trace::event::PinReason;
use tine_trace::map::SiteKind;
use tine_trace::op::{Op, Rounding};

use super::{Operand, Walk};
use crate::llvm::Value;
use crate::names::{self, Overflow, Pure};

/// Bytes of the largest copy or fill that is followed through addresses that depend on inputs.
const MAX_ACCESS: u64 = 4096;

impl Walk<'_, '_> {
    pub(super) fn visit_intrinsic(&mut self, call: Value, name: &str) {
        if names::is_silent_intrinsic(name) {
            return;
        }
        if let Some(pure) = names::intrinsic(name) {
            return self.visit_pure(call, pure);
        }
        let arguments = call.arguments();
        match name.split('.').nth(1).unwrap_or("") {
            "memcpy" | "memmove" => self.visit_copy(call, &arguments),
            "memset" => self.visit_fill(call, &arguments),
            "va_start" => {
                let Some(saved) = self.saved_va else { return };
                let entry = self.runtime.entry("va_start");
                self.b().after(call);
                let list = self.bits(arguments[0]);
                self.b().call(entry, &[list, saved]);
            }
            // The list itself is addresses and offsets; what they lead to keeps its shadow.
            "va_copy" => {
                let clear = self.runtime.entry("clear");
                self.b().after(call);
                let list = self.bits(arguments[0]);
                self.b().call(clear, &[list, self.b().i64.constant(24)]);
            }
            _ => self.lose(call, &arguments, name),
        }
    }

    fn visit_copy(&mut self, call: Value, arguments: &[Value]) {
        let shadows = self.begin_accesses(call, &arguments[..2], arguments[2]);
        let (to, from) = (self.bits(arguments[0]), self.bits(arguments[1]));
        let len = self.b().resize(arguments[2], self.b().i64);
        let copy = self.runtime.entry(if shadows.is_some() { "copied" } else { "copy" });
        let nodes = shadows.unwrap_or_default();
        self.b().call(copy, &[nodes.as_slice(), &[to, from, len]].concat());
    }

    fn visit_fill(&mut self, call: Value, arguments: &[Value]) {
        let shadows = self.begin_accesses(call, &arguments[..1], arguments[2]);
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

    /// Before an operation on memory, the first pointer being written to: if pointers may depend on inputs and the length
    /// is known and not too large, their shadows. The builder stands behind the operation then.
    fn begin_accesses(&mut self, call: Value, pointers: &[Value], len: Value) -> Option<Vec<Value>> {
        let known = len.as_constant().filter(|len| (1..=MAX_ACCESS).contains(len));
        let shadows: Vec<Value> = pointers.iter().map(|pointer| self.shadow_of(*pointer)).collect();
        if shadows.iter().all(|shadow| shadow.is_zero()) || known.is_none() {
            self.pin_memory(call, pointers, len);
            self.b().after(call);
            return None;
        }
        for (k, pointer) in pointers.iter().enumerate().rev() {
            let flags = if k == 0 { ACCESS_WRITES } else { 0 };
            self.begin_access(call, *pointer, known.map(|len| len as u32), flags);
        }
        self.b().after(call);
        Some(shadows)
    }

    fn pin_memory(&mut self, call: Value, pointers: &[Value], len: Value) {
        for pointer in pointers {
            self.pin_address(call, *pointer);
        }
        let shadow = self.shadow_of(len);
        self.b().before(call);
        self.pin(call, SiteKind::Access, shadow, PinReason::Length);
    }

    /// Whether a library function is declared as the C library declares it.
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
