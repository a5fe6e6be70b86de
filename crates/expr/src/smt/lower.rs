//! Translation of terms to SMT.

use rustc_hash::FxHashMap;
use tine_trace::eval::mask;
use tine_trace::op::{Op, Rounding};

use super::function::{Function, RoundingMode, Sort};
use super::overlap::overlaps;
use super::remainder;
use crate::pool::TermPool;
use crate::term::{InputView, Kind, Term, TermId};
use crate::value::gives_float;

/// Interface for building a solver's terms.
pub trait Target {
    type Term: Clone;

    /// A bit-vector constant.
    fn bits(&mut self, width: u32, value: u128) -> Self::Term;
    /// The variable for a view of an input. Called once per view.
    fn input(&mut self, view: InputView) -> Self::Term;
    /// A variable for the bits of a computed float. Called once per term.
    fn float_bits(&mut self, term: TermId, width: u32) -> Self::Term;
    /// The result of a function, which has the sort `sort`.
    fn apply(&mut self, function: Function, operands: &[Self::Term], sort: Sort) -> Self::Term;
    /// Returns true to stop because the time limit is reached. Called before each asserted term.
    fn is_over(&self) -> bool {
        false
    }
}

/// Name of an operation that the solver cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

/// Sort under which a term is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Form {
    Bool,
    Bits,
    Float,
    /// Not a term of its own: a read from an array is built from the indices and values below it.
    Array,
}

/// Lowers the terms of one pool to one target, each only once. It must not be used with a second pool, because it
/// identifies terms by their numbers.
#[derive(Clone, Debug)]
pub struct Lowering<T: Target> {
    pub(super) terms: FxHashMap<(TermId, Form), T::Term>,
    /// Conditions on the bits of computed floats.
    float_conditions: FxHashMap<TermId, T::Term>,
    input_terms: FxHashMap<InputView, T::Term>,
    visited: Vec<u32>,
    epoch: u32,
}

/// Assertions for terms that must hold, and their inputs.
#[derive(Clone, Debug)]
pub struct Lowered<S> {
    /// The terms themselves, in order. Not complete if the target stopped.
    pub assertions: Vec<S>,
    /// Side conditions on the bits of floats and on overlapping views.
    pub conditions: Vec<S>,
    pub views: Vec<InputView>,
}

impl<T: Target> Default for Lowering<T> {
    fn default() -> Self {
        Self {
            terms: FxHashMap::default(),
            float_conditions: FxHashMap::default(),
            input_terms: FxHashMap::default(),
            visited: Vec::new(),
            epoch: 0,
        }
    }
}

impl<T: Target> Lowering<T> {
    /// An empty translation.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of SMT terms kept.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// True if nothing was translated.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The variable of a view that has been lowered before.
    pub fn input(&self, view: InputView) -> Option<&T::Term> {
        self.input_terms.get(&view)
    }

    /// Returns everything required for the one-bit terms `roots` to hold.
    pub fn assertions(
        &mut self,
        target: &mut T,
        pool: &TermPool,
        roots: &[TermId],
    ) -> Result<Lowered<T::Term>, Unsupported> {
        let mut assertions = Vec::with_capacity(roots.len());
        for &root in roots {
            if target.is_over() {
                return Ok(Lowered { assertions, conditions: Vec::new(), views: Vec::new() });
            }
            assertions.push(self.lower(target, pool, root, Form::Bool)?);
        }
        let mut conditions = Vec::new();
        let mut views = self.conditions(pool, roots, &mut conditions);
        for overlap in overlaps(&mut views) {
            let a = self.input_part(target, overlap.a, overlap.a_low, overlap.n_bits);
            let b = self.input_part(target, overlap.b, overlap.b_low, overlap.n_bits);
            conditions.push(target.apply(Function::Eq, &[a, b], Sort::Bool));
        }
        Ok(Lowered { assertions, conditions, views })
    }

    /// Collects the inputs below the roots and the conditions on floats.
    fn conditions(&mut self, pool: &TermPool, roots: &[TermId], conditions: &mut Vec<T::Term>) -> Vec<InputView> {
        if self.epoch == u32::MAX {
            self.visited.clear();
            self.epoch = 0;
        }
        self.epoch += 1;
        self.visited.resize(pool.len(), 0);
        let mut views = Vec::new();
        let mut stack = roots.to_vec();
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut self.visited[id.0 as usize], self.epoch) == self.epoch {
                continue;
            }
            let term = pool.term(id);
            views.extend(term.input());
            conditions.extend(self.float_conditions.get(&id).cloned());
            stack.extend(term.operands());
        }
        views
    }

    fn input_part(&mut self, target: &mut T, view: InputView, low: u32, n_bits: u32) -> T::Term {
        let whole = self.input_terms[&view].clone();
        if n_bits == view.width { whole } else { extract(target, whole, low, n_bits) }
    }

    fn lower(&mut self, target: &mut T, pool: &TermPool, root: TermId, form: Form) -> Result<T::Term, Unsupported> {
        let mut stack = vec![(root, form)];
        let mut operands = Vec::new();
        while let Some(&(id, form)) = stack.last() {
            if self.terms.contains_key(&(id, form)) {
                stack.pop();
                continue;
            }
            let needs = needs(pool, id, form);
            operands.clear();
            let before = stack.len();
            for need in needs.iter().flatten() {
                match self.terms.get(need) {
                    Some(term) => operands.push(term.clone()),
                    None => stack.push(*need),
                }
            }
            if stack.len() == before {
                let term = self.build(target, pool, id, form, &operands)?;
                self.terms.insert((id, form), term);
                stack.pop();
            }
        }
        Ok(self.terms[&(root, form)].clone())
    }

    /// Builds one term in one form from the terms that [`needs`] lists.
    fn build(
        &mut self,
        target: &mut T,
        pool: &TermPool,
        id: TermId,
        form: Form,
        operands: &[T::Term],
    ) -> Result<T::Term, Unsupported> {
        let term = pool.term(id);
        match (natural(&term), form) {
            (natural, form) if natural == form => self.build_natural(target, pool, id, operands),
            (Form::Bits, Form::Bool) => {
                let one = target.bits(1, 1);
                Ok(target.apply(Function::Eq, &[operands[0].clone(), one], Sort::Bool))
            }
            (Form::Bool, Form::Bits) => {
                let (one, zero) = (target.bits(1, 1), target.bits(1, 0));
                Ok(target.apply(Function::Ite, &[operands[0].clone(), one, zero], Sort::Bits(1)))
            }
            (Form::Float, Form::Bits) => {
                let width = term.width();
                let bits = target.float_bits(id, width);
                let float = target.apply(Function::FpFromBits(width), std::slice::from_ref(&bits), Sort::Float(width));
                let condition = target.apply(Function::Eq, &[float, operands[0].clone()], Sort::Bool);
                self.float_conditions.insert(id, condition);
                Ok(bits)
            }
            (Form::Bits, Form::Float) => {
                let width = term.width();
                let function = match term.op() {
                    Some(Op::Ite) => Function::Ite,
                    Some(Op::FNeg) => Function::FpNeg,
                    Some(Op::FAbs) => Function::FpAbs,
                    _ => Function::FpFromBits(width),
                };
                Ok(target.apply(function, operands, Sort::Float(width)))
            }
            (natural, form) => unreachable!("{natural:?} as {form:?}"),
        }
    }

    fn build_natural(
        &mut self,
        target: &mut T,
        pool: &TermPool,
        id: TermId,
        operands: &[T::Term],
    ) -> Result<T::Term, Unsupported> {
        let term = pool.term(id);
        let width = term.width();
        let op = match term.kind() {
            Kind::Op(op) => op,
            Kind::Select => return self.select(target, pool, id),
            Kind::Table | Kind::Store => return Ok(target.bits(1, 0)),
        };
        let sort = match natural(&term) {
            Form::Bool => Sort::Bool,
            Form::Float => Sort::Float(width),
            _ => Sort::Bits(width),
        };
        let x = term.operands().next().unwrap_or(id);
        let from = pool.width(x);
        let function = match op {
            Op::Const => return Ok(target.bits(width, pool.value(id).unwrap_or(0))),
            Op::Input => {
                let Some(view) = term.input() else { unreachable!("an input has a view") };
                let variable = target.input(view);
                self.input_terms.insert(view, variable.clone());
                return Ok(variable);
            }
            Op::SAddO | Op::SSubO => return Ok(sum_overflows(target, op, from, operands)),
            Op::FNeg | Op::FAbs => return Ok(sign(target, op, width, &operands[0])),
            Op::FIsNan if natural(&pool.term(x)) == Form::Bits => return Ok(is_nan_bits(target, from, &operands[0])),
            Op::FRem if width == 64 => {
                let open = target.float_bits(id, width);
                let (result, condition) = remainder::fmod(target, &operands[0], &operands[1], &open);
                self.float_conditions.insert(id, condition);
                return Ok(result);
            }
            Op::FRem => return Ok(fmod(target, width, operands)),
            Op::FToS | Op::FToU => return to_integer(target, op, width, from, &operands[0]),
            // A conversion to the same width or format has no effect.
            Op::ZExt | Op::SExt | Op::FToF if from == width => return Ok(operands[0].clone()),
            _ => function(op, &term, from),
        };
        let whole = target.apply(function, operands, sort);
        // Solvers do not recognise that the remainder of a division by a constant is small. For a table's index this is
        // essential.
        let divisor = if op == Op::URem { pool.value(term.operand(1)).unwrap_or(0) } else { 0 };
        let n_bits = u128::BITS - divisor.saturating_sub(1).leading_zeros();
        if divisor < 2 || n_bits >= width {
            return Ok(whole);
        }
        let low = extract(target, whole, 0, n_bits);
        Ok(target.apply(Function::BvZeroExtend(width - n_bits), &[low], sort))
    }
}

/// A sum overflows if its sign differs from the signs of both operands. A difference overflows if the signs of the
/// operands differ and its sign is not that of the minuend.
fn sum_overflows<T: Target>(target: &mut T, op: Op, width: u32, operands: &[T::Term]) -> T::Term {
    let bits = Sort::Bits(width);
    let (a, b) = (&operands[0], &operands[1]);
    let function = if op == Op::SAddO { Function::BvAdd } else { Function::BvSub };
    let result = target.apply(function, operands, bits);
    let from_a = target.apply(Function::BvXor, &[a.clone(), result.clone()], bits);
    let other = if op == Op::SAddO { result } else { a.clone() };
    let from_b = target.apply(Function::BvXor, &[b.clone(), other], bits);
    let both = target.apply(Function::BvAnd, &[from_a, from_b], bits);
    let zero = target.bits(width, 0);
    target.apply(Function::BvSlt, &[both, zero], Sort::Bool)
}

/// The form in which a term is built.
fn natural(term: &Term) -> Form {
    match term.kind() {
        Kind::Table | Kind::Store => Form::Array,
        Kind::Select => Form::Bits,
        Kind::Op(op) => match op {
            _ if op.shape().predicate => Form::Bool,
            Op::And | Op::Or | Op::Xor | Op::Not | Op::Ite if term.width() == 1 => Form::Bool,
            Op::SToF | Op::UToF => Form::Float,
            Op::FRem if term.width() == 64 => Form::Bits,
            _ if gives_float(op) => Form::Float,
            _ => Form::Bits,
        },
    }
}

/// The terms that are required to build a term in this form, in order.
fn needs(pool: &TermPool, id: TermId, form: Form) -> [Option<(TermId, Form)>; 3] {
    let term = pool.term(id);
    let natural_form = natural(&term);
    if form != natural_form {
        return match (form, term.op()) {
            (Form::Float, Some(Op::Ite)) => each(&term, [Form::Bool, Form::Float, Form::Float]),
            (Form::Float, Some(Op::FNeg | Op::FAbs)) => each(&term, [Form::Float; 3]),
            _ => [Some((id, natural_form)), None, None],
        };
    }
    match term.kind() {
        Kind::Table => [None; 3],
        Kind::Select | Kind::Store => each(&term, [Form::Array, Form::Bits, Form::Bits]),
        Kind::Op(op) => match op {
            Op::Const | Op::Input => [None; 3],
            Op::Ite => each(&term, [Form::Bool, form, form]),
            Op::And | Op::Or | Op::Xor | Op::Not => each(&term, [form; 3]),
            // Bits that are conditions are compared as Booleans.
            Op::Eq if term.operands().any(|operand| natural(&pool.term(operand)) == Form::Bool) => {
                each(&term, [Form::Bool; 3])
            }
            Op::FIsNan if natural(&pool.term(term.operand(0))) == Form::Bits => each(&term, [Form::Bits; 3]),
            Op::FEq | Op::FLt | Op::FLe | Op::FIsNan | Op::FToS | Op::FToU => each(&term, [Form::Float; 3]),
            Op::FRem => each(&term, [form; 3]),
            _ if gives_float(op) => each(&term, [Form::Float; 3]),
            _ => each(&term, [Form::Bits; 3]),
        },
    }
}

fn each(term: &Term, forms: [Form; 3]) -> [Option<(TermId, Form)>; 3] {
    let mut needs = [None; 3];
    for ((need, operand), form) in needs.iter_mut().zip(term.operands()).zip(forms) {
        *need = Some((operand, form));
    }
    needs
}

/// The SMT function of operations that have a direct equivalent.
fn function(op: Op, term: &Term, from: u32) -> Function {
    let (width, logic) = (term.width(), natural(term) == Form::Bool);
    match op {
        Op::Add => Function::BvAdd,
        Op::Sub => Function::BvSub,
        Op::Mul => Function::BvMul,
        Op::UDiv => Function::BvUdiv,
        Op::SDiv => Function::BvSdiv,
        Op::URem => Function::BvUrem,
        Op::SRem => Function::BvSrem,
        Op::And if logic => Function::And,
        Op::Or if logic => Function::Or,
        Op::Xor if logic => Function::Xor,
        Op::Not if logic => Function::Not,
        Op::And => Function::BvAnd,
        Op::Or => Function::BvOr,
        Op::Xor => Function::BvXor,
        Op::Not => Function::BvNot,
        Op::Shl => Function::BvShl,
        Op::LShr => Function::BvLshr,
        Op::AShr => Function::BvAshr,
        Op::Eq => Function::Eq,
        Op::Ult => Function::BvUlt,
        Op::Ule => Function::BvUle,
        Op::Slt => Function::BvSlt,
        Op::Sle => Function::BvSle,
        Op::UMulO => Function::BvUmulo(from),
        Op::SMulO => Function::BvSmulo(from),
        Op::ZExt => Function::BvZeroExtend(width - from),
        Op::SExt => Function::BvSignExtend(width - from),
        Op::Extract => Function::BvExtract { high: term.immediate() + width - 1, low: term.immediate() },
        Op::Concat => Function::BvConcat,
        Op::Ite => Function::Ite,
        Op::FAdd => Function::FpAdd,
        Op::FSub => Function::FpSub,
        Op::FMul => Function::FpMul,
        Op::FDiv => Function::FpDiv,
        Op::FMa => Function::FpFma,
        Op::FSqrt => Function::FpSqrt,
        Op::FRound => Function::FpRound(match Rounding::from_number(term.immediate()) {
            Some(Rounding::NearestAway) => RoundingMode::NearestAway,
            Some(Rounding::Up) => RoundingMode::Positive,
            Some(Rounding::Down) => RoundingMode::Negative,
            Some(Rounding::Zero) => RoundingMode::Zero,
            Some(Rounding::NearestEven) | None => RoundingMode::NearestEven,
        }),
        Op::FEq => Function::FpEq,
        Op::FLt => Function::FpLt,
        Op::FLe => Function::FpLe,
        Op::FIsNan => Function::FpIsNan,
        Op::FToF => Function::FpFromFp(width),
        Op::SToF => Function::FpFromSigned(width),
        Op::UToF => Function::FpFromUnsigned(width),
        Op::Const | Op::Input | Op::SAddO | Op::SSubO | Op::FNeg | Op::FAbs | Op::FRem | Op::FToS | Op::FToU => {
            unreachable!("{op:?} is built by its own function")
        }
    }
}

pub(super) fn extract<T: Target>(target: &mut T, x: T::Term, low: u32, width: u32) -> T::Term {
    target.apply(Function::BvExtract { high: low + width - 1, low }, &[x], Sort::Bits(width))
}

/// Negation and absolute value change only the sign bit, also for NaNs.
fn sign<T: Target>(target: &mut T, op: Op, width: u32, x: &T::Term) -> T::Term {
    let sign = 1 << (width - 1);
    let (function, k) = if op == Op::FNeg { (Function::BvXor, sign) } else { (Function::BvAnd, mask(width) ^ sign) };
    let k = target.bits(width, k);
    target.apply(function, &[x.clone(), k], Sort::Bits(width))
}

/// True if the bits without the sign exceed those of infinity. This needs no float theory.
fn is_nan_bits<T: Target>(target: &mut T, width: u32, x: &T::Term) -> T::Term {
    let infinity = if width == 32 { f32::INFINITY.to_bits() as u128 } else { f64::INFINITY.to_bits() as u128 };
    let (infinity, magnitude) = (target.bits(width, infinity), target.bits(width, mask(width) >> 1));
    let x = target.apply(Function::BvAnd, &[x.clone(), magnitude], Sort::Bits(width));
    target.apply(Function::BvUlt, &[infinity, x], Sort::Bool)
}

/// Computes C's `fmod` from IEEE's remainder `r` of the magnitudes, which lies in ±|y|/2. The result is `r` or, if that
/// is negative, `r + |y|` (exact, because the result is a float), with the sign of `x`.
///
/// Solvers unroll the remainder over the whole range of exponents. This takes 278 steps for `float`. For `double` it
/// takes too many; see [`remainder`].
fn fmod<T: Target>(target: &mut T, width: u32, operands: &[T::Term]) -> T::Term {
    let sort = Sort::Float(width);
    let x_abs = target.apply(Function::FpAbs, &operands[..1], sort);
    let y_abs = target.apply(Function::FpAbs, &operands[1..2], sort);
    let r = target.apply(Function::FpRem, &[x_abs, y_abs.clone()], sort);
    let zero = float_constant(target, width, 0.0);
    let below = target.apply(Function::FpLt, &[r.clone(), zero], Sort::Bool);
    let raised = target.apply(Function::FpAdd, &[r.clone(), y_abs], sort);
    let magnitude = target.apply(Function::Ite, &[below, raised, r], sort);
    let magnitude = target.apply(Function::FpAbs, &[magnitude], sort);
    let negated = target.apply(Function::FpNeg, std::slice::from_ref(&magnitude), sort);
    let negative = target.apply(Function::FpIsNegative, &operands[..1], Sort::Bool);
    target.apply(Function::Ite, &[negative, negated, magnitude], sort)
}

/// A constant that is exact in both formats.
fn float_constant<T: Target>(target: &mut T, width: u32, value: f64) -> T::Term {
    let bits = if width == 32 { (value as f32).to_bits() as u128 } else { value.to_bits() as u128 };
    let bits = target.bits(width, bits);
    target.apply(Function::FpFromBits(width), &[bits], Sort::Float(width))
}

/// Conversion to integers as on x86-64, see `float.rs`. It uses a signed register of 32 or 64 bits, which contains its
/// least value if the number does not fit. Unsigned 64-bit conversions also handle the upper half of the range.
fn to_integer<T: Target>(target: &mut T, op: Op, width: u32, from: u32, x: &T::Term) -> Result<T::Term, Unsupported> {
    let register = match (op, width) {
        (Op::FToS, ..=32) | (_, ..=16) => 32,
        (_, ..=64) => 64,
        _ => return Err(Unsupported(format!("{} to {width} bits", op.name()))),
    };
    let sort = Sort::Bits(register);
    let half = 2f64.powi(register as i32 - 1);
    let least = target.bits(register, 1 << (register - 1));
    let mut value = least;
    if op == Op::FToU && register == 64 && width > 32 {
        let (low, high) = (float_constant(target, from, half), float_constant(target, from, 2.0 * half));
        let above = target.apply(Function::FpLe, &[low, x.clone()], Sort::Bool);
        let below = target.apply(Function::FpLt, &[x.clone(), high], Sort::Bool);
        let upper = target.apply(Function::And, &[above, below], Sort::Bool);
        let converted = target.apply(Function::FpToUnsigned(64), std::slice::from_ref(x), sort);
        value = target.apply(Function::Ite, &[upper, converted, value], sort);
    }
    // -2^31 - 1 is exact in `double`. In the other cases the next float below -2^n is too far away to be truncated to
    // -2^n.
    let above = if register == 32 && from == 64 {
        let bound = float_constant(target, from, -half - 1.0);
        target.apply(Function::FpLt, &[bound, x.clone()], Sort::Bool)
    } else {
        let bound = float_constant(target, from, -half);
        target.apply(Function::FpLe, &[bound, x.clone()], Sort::Bool)
    };
    let bound = float_constant(target, from, half);
    let below = target.apply(Function::FpLt, &[x.clone(), bound], Sort::Bool);
    let fits = target.apply(Function::And, &[above, below], Sort::Bool);
    let converted = target.apply(Function::FpToSigned(register), std::slice::from_ref(x), sort);
    value = target.apply(Function::Ite, &[fits, converted, value], sort);
    Ok(if width == register { value } else { extract(target, value, 0, width) })
}
