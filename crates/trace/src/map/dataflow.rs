//! Data flow of a module before instrumentation: variables, operations and their operands. The engine merges the
//! modules of a program and derives the branches that a place can influence (`tine_explore::influence`).
//!
//! ```text
//!   p->next = q;     3  Step   offset 8     local 0 (p)
//!                    4  Store  8 bytes      local 3, local 1 (q)
//! ```
//! The values of a function are numbered: first its parameters, then its operations in order. Numbers are written as
//! LEB128. Operands are written relative to the operation that uses them, so an operation takes about six bytes.

use alloc::string::String;
use alloc::vec::Vec;

use super::codec::Truncated;

/// Data flow of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dataflow {
    pub symbols: Vec<Symbol>,
    /// The functions that the module defines, in the order of the map's functions.
    pub functions: Vec<Function>,
}

/// A function, a global variable, or another name of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbol {
    /// Name known to the linker.
    pub name: String,
    pub is_function: bool,
    pub is_defined: bool,
    /// True if other modules cannot name it.
    pub is_local: bool,
    /// Size of a variable in bytes.
    pub size: u64,
    /// The symbol that this is an alias of.
    pub alias: Option<u32>,
    /// Addresses in a variable's initial value, with their offsets.
    pub addresses: Vec<(u64, Operand)>,
}

/// A function with code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    pub symbol: u32,
    pub n_parameters: u32,
    /// False if the map does not contain it, because it was not instrumented.
    pub is_mapped: bool,
    /// Hash of its code and the initial values of the variables that it names, without positions: equal in two builds if
    /// these are equal.
    pub code: u64,
    pub blocks: Vec<Block>,
}

/// A basic block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Its number among the function's blocks in the map.
    pub number: Option<u32>,
    pub operations: Vec<Operation>,
    /// Blocks of the function that may come next, in the order of the instruction.
    pub successors: Vec<u32>,
}

/// An operation of the data flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    pub kind: Kind,
    pub line: u32,
    pub operands: Vec<Operand>,
}

/// A value that an operation uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A value that cannot change and is not an address.
    Constant,
    /// A parameter or the result of an operation.
    Local(u32),
    /// An address in a variable, or of a function; `None` is an unknown offset.
    Symbol(u32, Option<i64>),
}

/// Meaning of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One of its operands, or a part of them: casts, choices.
    Join,
    /// Computed from its operands; may be an address somewhere in the objects they point to.
    Compute,
    /// Computed from its operands; never an address.
    Compare,
    /// An address relative to the first operand. Other operands are indices, which add multiples of `stride`.
    /// `structure` identifies the pointee type of the first operand: 0 if it is not a structure.
    Step {
        offset: i64,
        stride: u64,
        structure: u32,
    },
    /// Reads `size` bytes at the first operand.
    Load {
        size: u64,
    },
    /// Writes the second operand to `size` bytes at the first; 0 is an unknown size. Further operands, such as the
    /// length of a `memset`, influence the write.
    Store {
        size: u64,
    },
    /// Copies `size` bytes to the first operand from the second; 0 is an unknown size.
    Copy {
        size: u64,
    },
    /// A variable of the function; 0 is an unknown size.
    Variable {
        size: u64,
    },
    /// The operand that belongs to the predecessor block.
    Phi {
        blocks: Vec<u32>,
    },
    /// Calls the first operand with the others. A constant denotes unknown code, such as inline assembly.
    Call,
    /// Makes the variable arguments accessible through the first operand.
    Arguments,
    Return,
    /// Selects a successor by the value of the operand.
    Branch,
}

impl Dataflow {
    /// Encodes the data flow for the program map.
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Writer(Vec::new());
        to.number(self.symbols.len() as u64);
        for symbol in &self.symbols {
            to.symbol(symbol);
        }
        to.number(self.functions.len() as u64);
        for function in &self.functions {
            to.number(u64::from(function.symbol));
            to.number(u64::from(function.n_parameters));
            to.number(u64::from(function.is_mapped));
            to.number(function.code);
            to.number(function.blocks.len() as u64);
            let (mut here, mut line) = (function.n_parameters, 0);
            for block in &function.blocks {
                to.number(block.number.map_or(0, |number| u64::from(number) + 1));
                to.numbers(&block.successors);
                to.number(block.operations.len() as u64);
                for operation in &block.operations {
                    to.operation(operation, here, line);
                    here += 1;
                    line = operation.line;
                }
            }
        }
        to.0
    }

    /// Decodes the data flow of a program map.
    pub fn decode(bytes: &[u8]) -> Result<Dataflow, Truncated> {
        let mut from = Reader(bytes);
        let mut flow = Dataflow::default();
        for _ in 0..from.count()? {
            flow.symbols.push(from.symbol()?);
        }
        for _ in 0..from.count()? {
            let (symbol, n_parameters) = (from.small()?, from.small()?);
            let (is_mapped, code) = (from.number()? != 0, from.number()?);
            let mut function = Function { symbol, n_parameters, is_mapped, code, blocks: Vec::new() };
            let (mut here, mut line) = (n_parameters, 0);
            for _ in 0..from.count()? {
                let number = from.small()?.checked_sub(1);
                let mut block = Block { number, successors: from.numbers()?, operations: Vec::new() };
                for _ in 0..from.count()? {
                    let operation = from.operation(here, line)?;
                    here = here.checked_add(1).ok_or(BROKEN)?;
                    line = operation.line;
                    block.operations.push(operation);
                }
                function.blocks.push(block);
            }
            flow.functions.push(function);
        }
        Ok(flow)
    }
}

const BROKEN: Truncated = Truncated("data flow");

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Encodes small magnitudes in few bytes, for both signs.
    fn signed(&mut self, value: i64) {
        self.number(zigzag(value));
    }

    fn numbers(&mut self, values: &[u32]) {
        self.number(values.len() as u64);
        values.iter().for_each(|value| self.number(u64::from(*value)));
    }

    fn symbol(&mut self, symbol: &Symbol) {
        self.number(symbol.name.len() as u64);
        self.0.extend_from_slice(symbol.name.as_bytes());
        let bits = [symbol.is_function, symbol.is_defined, symbol.is_local];
        self.number(bits.iter().rev().fold(0, |all, bit| all << 1 | u64::from(*bit)));
        self.number(symbol.size);
        self.number(symbol.alias.map_or(0, |alias| u64::from(alias) + 1));
        self.number(symbol.addresses.len() as u64);
        for (offset, address) in &symbol.addresses {
            self.number(*offset);
            self.operand(*address, 0);
        }
    }

    fn operand(&mut self, operand: Operand, here: u32) {
        match operand {
            Operand::Constant => self.number(0),
            Operand::Local(local) => self.number(zigzag(i64::from(here) - i64::from(local)) << 2 | 1),
            Operand::Symbol(symbol, Some(offset)) => {
                self.number(u64::from(symbol) << 2 | 2);
                self.signed(offset);
            }
            Operand::Symbol(symbol, None) => self.number(u64::from(symbol) << 2 | 3),
        }
    }

    fn operation(&mut self, operation: &Operation, here: u32, line: u32) {
        let size = match &operation.kind {
            Kind::Load { size } | Kind::Store { size } | Kind::Copy { size } | Kind::Variable { size } => Some(*size),
            _ => None,
        };
        self.0.push(number_of(&operation.kind));
        size.into_iter().for_each(|size| self.number(size));
        if let Kind::Step { offset, stride, structure } = &operation.kind {
            self.signed(*offset);
            self.number(*stride);
            self.number(u64::from(*structure));
        }
        if let Kind::Phi { blocks } = &operation.kind {
            self.numbers(blocks);
        }
        self.signed(i64::from(operation.line) - i64::from(line));
        self.number(operation.operands.len() as u64);
        operation.operands.iter().for_each(|operand| self.operand(*operand, here));
    }
}

fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

fn number_of(kind: &Kind) -> u8 {
    match kind {
        Kind::Join => 0,
        Kind::Compute => 1,
        Kind::Compare => 2,
        Kind::Step { .. } => 3,
        Kind::Load { .. } => 4,
        Kind::Store { .. } => 5,
        Kind::Copy { .. } => 6,
        Kind::Variable { .. } => 7,
        Kind::Phi { .. } => 8,
        Kind::Call => 9,
        Kind::Arguments => 10,
        Kind::Return => 11,
        Kind::Branch => 12,
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, Truncated> {
        let (byte, rest) = self.0.split_first().ok_or(BROKEN)?;
        self.0 = rest;
        Ok(*byte)
    }

    fn number(&mut self) -> Result<u64, Truncated> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(BROKEN)
    }

    /// Each element takes at least one byte: a corrupt count must not reserve memory.
    fn count(&mut self) -> Result<usize, Truncated> {
        let count = self.number()?;
        if count <= self.0.len() as u64 { Ok(count as usize) } else { Err(BROKEN) }
    }

    fn small(&mut self) -> Result<u32, Truncated> {
        u32::try_from(self.number()?).map_err(|_| BROKEN)
    }

    fn signed(&mut self) -> Result<i64, Truncated> {
        self.number().map(unzigzag)
    }

    fn numbers(&mut self) -> Result<Vec<u32>, Truncated> {
        (0..self.count()?).map(|_| self.small()).collect()
    }

    fn symbol(&mut self) -> Result<Symbol, Truncated> {
        let len = self.count()?;
        let (name, rest) = self.0.split_at_checked(len).ok_or(BROKEN)?;
        self.0 = rest;
        let bits = self.number()?;
        let mut symbol = Symbol {
            name: String::from_utf8_lossy(name).into_owned(),
            is_function: bits & 1 != 0,
            is_defined: bits & 2 != 0,
            is_local: bits & 4 != 0,
            size: self.number()?,
            alias: self.small()?.checked_sub(1),
            addresses: Vec::new(),
        };
        for _ in 0..self.count()? {
            symbol.addresses.push((self.number()?, self.operand(0)?));
        }
        Ok(symbol)
    }

    fn operand(&mut self, here: u32) -> Result<Operand, Truncated> {
        let tagged = self.number()?;
        let number = tagged >> 2;
        let symbol = || u32::try_from(number).map_err(|_| BROKEN);
        Ok(match tagged & 3 {
            0 => Operand::Constant,
            1 => Operand::Local(u32::try_from(i64::from(here).wrapping_sub(unzigzag(number))).map_err(|_| BROKEN)?),
            2 => Operand::Symbol(symbol()?, Some(self.signed()?)),
            _ => Operand::Symbol(symbol()?, None),
        })
    }

    fn operation(&mut self, here: u32, line: u32) -> Result<Operation, Truncated> {
        let kind = match self.byte()? {
            0 => Kind::Join,
            1 => Kind::Compute,
            2 => Kind::Compare,
            3 => Kind::Step { offset: self.signed()?, stride: self.number()?, structure: self.small()? },
            4 => Kind::Load { size: self.number()? },
            5 => Kind::Store { size: self.number()? },
            6 => Kind::Copy { size: self.number()? },
            7 => Kind::Variable { size: self.number()? },
            8 => Kind::Phi { blocks: self.numbers()? },
            9 => Kind::Call,
            10 => Kind::Arguments,
            11 => Kind::Return,
            12 => Kind::Branch,
            _ => return Err(BROKEN),
        };
        let line = u32::try_from(i64::from(line).wrapping_add(self.signed()?)).map_err(|_| BROKEN)?;
        let operands = (0..self.count()?).map(|_| self.operand(here)).collect::<Result<_, _>>()?;
        Ok(Operation { kind, line, operands })
    }
}

fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn sample() -> Dataflow {
        let operation = |kind, line, operands: &[Operand]| Operation { kind, line, operands: operands.to_vec() };
        let symbols = vec![
            Symbol { name: "f".into(), is_function: true, is_defined: true, ..Symbol::default() },
            Symbol {
                name: "table".into(),
                is_local: true,
                size: 1 << 40,
                alias: Some(0),
                addresses: vec![(8, Operand::Symbol(0, Some(0))), (16, Operand::Symbol(1, Some(-8)))],
                ..Symbol::default()
            },
        ];
        let step = Kind::Step { offset: -24, stride: 16, structure: u32::MAX };
        let first = Block {
            number: Some(4),
            operations: vec![
                operation(step, 7, &[Operand::Local(0), Operand::Local(1)]),
                operation(Kind::Load { size: 8 }, 9, &[Operand::Local(2)]),
                operation(Kind::Store { size: 4 }, 3, &[Operand::Symbol(1, None), Operand::Constant]),
                operation(Kind::Branch, u32::MAX, &[Operand::Local(3)]),
            ],
            successors: vec![1, 0],
        };
        let phi = Kind::Phi { blocks: vec![0, 1] };
        let second = Block {
            number: None,
            operations: vec![operation(phi, 0, &[Operand::Local(900), Operand::Local(1)])],
            successors: vec![],
        };
        let function =
            Function { symbol: 0, n_parameters: 2, is_mapped: true, code: u64::MAX, blocks: vec![first, second] };
        Dataflow { symbols, functions: vec![function] }
    }

    #[test]
    fn data_flow_survives_as_bytes() {
        let flow = sample();
        assert_eq!(Dataflow::decode(&flow.encode()).expect("whole"), flow);
        assert_eq!(Dataflow::decode(&Dataflow::default().encode()).expect("whole"), Dataflow::default());
    }

    /// The bytes come from the unit, which is not trusted.
    #[test]
    fn broken_bytes_are_refused_without_panic() {
        let bytes = sample().encode();
        for len in 0..bytes.len() {
            Dataflow::decode(&bytes[..len]).expect_err("cut off");
        }
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut broken = bytes.clone();
                broken[place] ^= 1 << bit;
                let _ = Dataflow::decode(&broken);
            }
        }
        Dataflow::decode(&[0xff; 64]).expect_err("a number without end");
    }
}
