//! Checks before calls of the C library: see `crate::contracts`. Only user code is checked, because models are
//! correct.

use llvm_sys::LLVMTypeKind;
use tine_trace::contract::{Contract, Kind, LONG, NOT_FOLLOWED, OPTIONAL, SCANS, WIDE, argument};
use tine_trace::map::SiteKind;

use super::Walk;
use super::calls::underlying;
use crate::contracts::{self, Rule, Size};
use crate::llvm::{LLVMIntPredicate, LLVMOpcode, Value};
use crate::names;

/// Position of a check, and its operands with their shadows.
struct Check {
    site: u32,
    rule: u32,
    operands: [Value; 4],
    shadows: [Value; 3],
}

impl Walk<'_, '_> {
    /// Checks the requirements of a function on its arguments, before the call. `follows` is false in the concrete
    /// track.
    pub(super) fn check_contracts(&mut self, call: Value, site: u32, follows: bool) {
        let called = call.called();
        if self.runtime.is_model || !called.is_function() || !called.is_declaration() {
            return;
        }
        let n_params = call.called_type().n_params();
        let rules = contracts::of(names::shown(&called.name()), n_params);
        if rules.is_empty() || call.arguments().len() < n_params {
            return;
        }
        self.b().before(call);
        for rule in rules {
            self.check_rule(*rule, call, site, follows);
        }
    }

    fn check_rule(&mut self, rule: Rule, call: Value, site: u32, follows: bool) {
        let at = |position: usize| call.arguments()[position];
        let number = |contract: Contract, flags: u32| contract as u32 | flags;
        let any = self.b().i64.constant(u64::MAX);
        let width = |n: u64| self.b().i64.constant(n);
        match rule {
            Rule::Reads(p, size) => self.check_range(site, number(Contract::Reads, 0), at(p), size, call, follows),
            Rule::Writes(p, size) => self.check_range(site, number(Contract::Writes, 0), at(p), size, call, follows),
            Rule::MayWrite(p, size) => {
                self.check_range(site, number(Contract::Writes, OPTIONAL), at(p), size, call, follows);
            }
            Rule::Text(p) => self.check(site, number(Contract::Text, 0), &[at(p), any, width(1)], follows),
            Rule::MayText(p) => self.check(site, number(Contract::Text, OPTIONAL), &[at(p), any, width(1)], follows),
            Rule::WideText(p) => self.check(site, number(Contract::Text, 0), &[at(p), any, width(4)], follows),
            Rule::TextApart(appends) => {
                let operands = [at(0), at(1), width(u64::from(appends))];
                self.check(site, number(Contract::TextApart, 0), &operands, follows);
            }
            Rule::Apart(size) => {
                let [count, unit] = self.factors(size, call);
                let len = self.b().binary(LLVMOpcode::LLVMMul, count, unit);
                self.check(site, number(Contract::Apart, 0), &[at(0), at(1), len], follows);
            }
            Rule::MayStream(p) => self.check(site, number(Contract::Stream, OPTIONAL), &[at(p)], follows),
            Rule::Stream(p) => self.check(site, number(Contract::Stream, 0), &[at(p)], follows),
            Rule::Prints(p, first) => self.check_format(call, [p, first], 0, site, follows),
            Rule::WidePrints(p, first) => self.check_format(call, [p, first], WIDE, site, follows),
            Rule::Scans(p, first) => self.check_format(call, [p, first], SCANS, site, follows),
        }
    }

    fn check_range(&mut self, site: u32, rule: u32, pointer: Value, size: Size, call: Value, follows: bool) {
        let [count, unit] = self.factors(size, call);
        self.check(site, rule, &[pointer, count, unit], follows);
    }

    /// A number of bytes as a product.
    fn factors(&self, size: Size, call: Value) -> [Value; 2] {
        let constant = |n: u64| self.b().i64.constant(n);
        let argument = |position: usize| call.arguments()[position];
        match size {
            Size::Bytes(n) => [constant(n), constant(1)],
            Size::Of(position) => [argument(position), constant(1)],
            Size::Times(position, n) => [argument(position), constant(n)],
            Size::Product(x, y) => [argument(x), argument(y)],
        }
    }

    /// Checks a format, and each of its arguments separately.
    fn check_format(&mut self, call: Value, [position, first]: [usize; 2], flags: u32, site: u32, follows: bool) {
        let arguments = call.arguments();
        let format = arguments[position];
        let width = if flags & WIDE != 0 { 4 } else { 1 };
        let (any, width) = (self.b().i64.constant(u64::MAX), self.b().i64.constant(width));
        self.check(site, Contract::Text as u32, &[format, any, width], follows);
        let is_followed = call.called().name().starts_with(names::MODEL);
        let library = if is_followed { 0 } else { NOT_FOLLOWED };
        let zero = self.b().i64.constant(0);
        let mut before = zero;
        for (k, value) in arguments[first..].iter().enumerate() {
            let kind = kind_of(*value);
            let passed = match kind {
                Kind::Word | Kind::Long | Kind::Pointer => *value,
                _ => zero,
            };
            let what = self.b().i64.constant(argument(k as u64, kind));
            self.check(site, Contract::Argument as u32 | flags | library, &[format, what, passed, before], follows);
            before = passed;
        }
        let n = self.b().i64.constant((arguments.len() - first) as u64);
        self.check(site, Contract::Arguments as u32 | flags, &[format, n], follows);
    }

    /// Emits a check. The builder is positioned before the call.
    fn check(&mut self, site: u32, rule: u32, operands: &[Value], follows: bool) {
        let zero = self.b().i64.constant(0);
        let shadow = |operand: &Value| if follows { self.shadow_of(*operand) } else { self.zero() };
        let mut shadows = [self.zero(); 3];
        operands.iter().zip(&mut shadows).for_each(|(operand, to)| *to = shadow(operand));
        let mut values = [zero; 4];
        for (operand, to) in operands.iter().zip(&mut values) {
            *to = self.bits64(*operand);
        }
        self.call_check(&Check { site, rule, operands: values, shadows });
    }

    fn call_check(&mut self, check: &Check) {
        let entry = self.runtime.entry("contract");
        let b = self.b();
        let mut all =
            vec![self.runtime.descriptor, b.i32.constant(u64::from(check.site)), b.i32.constant(u64::from(check.rule))];
        all.extend(check.shadows);
        all.extend(check.operands);
        b.call(entry, &all);
    }

    /// Checks memory before an atomic operation, which writes the memory it reads.
    pub(super) fn check_atomic(&mut self, instruction: Value, pointer: Value, value: Value) {
        let site = self.site(SiteKind::Access, instruction, "");
        self.b().before(instruction);
        let (one, size) = (self.b().i64.constant(1), self.b().i64.constant(self.module.store_size(value.ty())));
        self.check(site, Contract::Writes as u32 | OPTIONAL, &[pointer, size, one], true);
    }

    /// Checks a copy or fill that the compiler knows: an absurd length must not be tried, and `memcpy` requires memory
    /// that does not overlap.
    pub(super) fn check_copy(&mut self, call: Value, moved: &str) {
        let arguments = call.arguments();
        if self.runtime.is_model || !matches!(moved, "memcpy" | "memmove" | "memset") {
            return;
        }
        let may_overlap = moved == "memcpy" && !are_apart(arguments[0], arguments[1]);
        let len = arguments[2];
        let is_short = len.as_constant().is_some_and(|len| len <= LONG);
        let room = self.room_of_member(arguments[0]).filter(|room| len.as_constant().is_none_or(|len| len > *room));
        if is_short && !may_overlap && room.is_none() {
            return;
        }
        self.b().before(call);
        let (to, len) = (self.bits(arguments[0]), self.bits64(len));
        let from = if moved == "memset" { self.b().i64.constant(0) } else { self.bits(arguments[1]) };
        let shadows = [arguments[0], arguments[1], arguments[2]].map(|argument| self.shadow_of(argument));
        let source = if moved == "memset" { self.zero() } else { shadows[1] };
        let site = self.site(SiteKind::Access, call, "");
        if let Some(room) = room {
            let guard = self.runtime.member_guard();
            let b = self.b();
            let site = b.i32.constant(u64::from(site));
            b.call(guard, &[site, shadows[0], shadows[2], to, len, b.i64.constant(room)]);
        }
        if !is_short {
            let guard = self.runtime.long_copy_guard();
            let b = self.b();
            let site = b.i32.constant(u64::from(site));
            b.call(guard, &[site, shadows[0], source, shadows[2], to, from, len]);
        }
        if may_overlap {
            let guard = self.runtime.apart_guard();
            let b = self.b();
            let site = b.i32.constant(u64::from(site));
            b.call(guard, &[site, shadows[0], source, shadows[2], to, from, len]);
        }
    }
}

impl Walk<'_, '_> {
    /// Size of the array that starts at a pointer, if it is a member before others.
    fn room_of_member(&self, pointer: Value) -> Option<u64> {
        let is_gep = |value: Value| value.is_instruction() && value.opcode() == LLVMOpcode::LLVMGetElementPtr;
        let is_decayed = is_gep(pointer) && pointer.n_operands() == 3 && (1..3).all(|k| pointer.operand(k).is_zero());
        let array =
            is_decayed.then(|| pointer.gep_source()).filter(|ty| ty.kind() == LLVMTypeKind::LLVMArrayTypeKind)?;
        let member = pointer.operand(0);
        if !is_gep(member) || member.n_operands() != 3 {
            return None;
        }
        let members = member.gep_source().struct_elements_or_none()?;
        let number = member.operand(2).as_constant()? as usize;
        (number + 1 < members.len() && array.n_elements() > 1).then(|| self.module.alloc_size(array))
    }
}

/// True if two pointers point to different variables.
fn are_apart(to: Value, from: Value) -> bool {
    let is_variable = |object: Value| {
        object.is_global_variable() || object.is_instruction() && object.opcode() == LLVMOpcode::LLVMAlloca
    };
    let (to, from) = (underlying(to), underlying(from));
    to != from && is_variable(to) && is_variable(from)
}

fn kind_of(value: Value) -> Kind {
    match value.ty().kind() {
        LLVMTypeKind::LLVMIntegerTypeKind if value.ty().int_width() <= 32 => Kind::Word,
        LLVMTypeKind::LLVMIntegerTypeKind if value.ty().int_width() == 64 => Kind::Long,
        LLVMTypeKind::LLVMDoubleTypeKind => Kind::Double,
        LLVMTypeKind::LLVMX86_FP80TypeKind => Kind::LongDouble,
        LLVMTypeKind::LLVMPointerTypeKind => Kind::Pointer,
        _ => Kind::Other,
    }
}

impl crate::runtime::Runtime<'_> {
    /// Calls `contract` for a copy whose memory overlaps, or may overlap with other inputs.
    fn apart_guard(&mut self) -> Value {
        let (entry, descriptor) = (self.entry("contract"), self.descriptor);
        let b = &self.builder;
        let ty = b.void.function(&[b.i32, b.i32, b.i32, b.i32, b.i64, b.i64, b.i64]);
        self.guarded(
            "tine.apart",
            ty,
            |this, p| {
                let b = &this.builder;
                let (to, from, len) = (p[4], p[5], p[6]);
                let is_within =
                    |x: Value, y: Value| b.icmp(LLVMIntPredicate::LLVMIntULT, b.binary(LLVMOpcode::LLVMSub, x, y), len);
                let overlaps = b.and(b.or(is_within(to, from), is_within(from, to)), b.not_equal(to, from));
                let shadows = b.or(b.or(p[1], p[2]), p[3]);
                b.or(overlaps, b.not_equal(shadows, b.i32.constant(0)))
            },
            |this, p| {
                let b = &this.builder;
                let rule = b.i32.constant(Contract::Apart as u64);
                b.call(entry, &[descriptor, p[0], rule, p[1], p[2], p[3], p[4], p[5], p[6], b.i64.constant(0)])
            },
        )
    }

    /// Calls `contract` for a copy or fill that leaves a member.
    fn member_guard(&mut self) -> Value {
        let (entry, descriptor) = (self.entry("contract"), self.descriptor);
        let b = &self.builder;
        let ty = b.void.function(&[b.i32, b.i32, b.i32, b.i64, b.i64, b.i64]);
        self.guarded(
            "tine.member",
            ty,
            |this, p| {
                let b = &this.builder;
                let is_longer = b.icmp(LLVMIntPredicate::LLVMIntUGT, p[4], p[5]);
                b.or(is_longer, b.not_equal(p[2], b.i32.constant(0)))
            },
            |this, p| {
                let b = &this.builder;
                let (none, rule) = (b.i32.constant(0), b.i32.constant(Contract::Member as u64));
                b.call(entry, &[descriptor, p[0], rule, p[1], p[2], none, p[3], p[4], p[5], b.i64.constant(0)])
            },
        )
    }

    /// Calls `contract` for a long copy or fill.
    fn long_copy_guard(&mut self) -> Value {
        let (entry, descriptor) = (self.entry("contract"), self.descriptor);
        let b = &self.builder;
        let ty = b.void.function(&[b.i32, b.i32, b.i32, b.i32, b.i64, b.i64, b.i64]);
        self.guarded(
            "tine.long_copy",
            ty,
            |this, p| {
                let b = &this.builder;
                let is_long = b.icmp(LLVMIntPredicate::LLVMIntUGT, p[6], b.i64.constant(LONG));
                b.or(is_long, b.not_equal(p[3], b.i32.constant(0)))
            },
            |this, p| {
                let b = &this.builder;
                let rule = b.i32.constant(Contract::Fills as u64);
                b.call(entry, &[descriptor, p[0], rule, p[1], p[2], p[3], p[4], p[5], p[6], b.i64.constant(0)])
            },
        )
    }
}
