//! Walking a stack with the tables that compilers write for exceptions (`.eh_frame`): from a program counter to its
//! caller's, without frame pointers.
//!
//! It runs in signal handlers, possibly on a corrupted stack. So it allocates nothing, reads only the tables and the
//! unit's stack, and stops at anything it does not recognise.
//!
//! ```text
//!   .eh_frame_hdr   sorted (function, FDE) pairs         one per loaded object
//!   FDE ─▶ CIE      program: "from this address on, the caller's registers are stored there"
//! ```

use super::stack;

/// Registers by their DWARF numbers; 16 is the program counter. Only registers that calls preserve are tracked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Registers(pub(super) [u64; N_REGISTERS]);

pub(super) const N_REGISTERS: usize = 17;
pub(super) const RBX: usize = 3;
pub(super) const RBP: usize = 6;
pub(super) const RSP: usize = 7;
pub(super) const R12: usize = 12;
pub(super) const RIP: usize = 16;

/// A loaded object and the position of its table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object {
    pub(super) start: u64,
    pub(super) end: u64,
    /// `.eh_frame_hdr`.
    pub(super) table: u64,
}

/// Goes one frame up. `exact` tells that the program counter is the current instruction. Otherwise it is a return
/// address, which belongs to the call before it. `None` if the stack cannot be followed.
pub(super) fn step(registers: &mut Registers, exact: bool, objects: &[Object]) -> Option<()> {
    let pc = registers.0[RIP].wrapping_sub(u64::from(!exact));
    let object = objects.iter().find(|object| (object.start..object.end).contains(&pc))?;
    let description = find(object.table, pc)?;
    let mut machine = Machine::new(&description, pc);
    machine.run(description.cie_program, None)?;
    machine.initial = machine.row;
    machine.run(description.program, Some(description.start))?;
    machine.row.apply(registers)
}

/// A cursor over bytes of a table. Never moves past `end`.
#[derive(Clone, Copy, Debug)]
struct Bytes {
    at: u64,
    end: u64,
}

impl Bytes {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        if self.end.saturating_sub(self.at) < N as u64 {
            return None;
        }
        // SAFETY: tables are part of a loaded object; the cursor stays inside one entry of them.
        let bytes = unsafe { (self.at as *const [u8; N]).read_unaligned() };
        self.at += N as u64;
        Some(bytes)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn uleb(&mut self) -> Option<u64> {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.u8()?;
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            shift += 7;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
    }

    fn sleb(&mut self) -> Option<i64> {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.u8()?;
            value |= i64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            shift += 7;
            if byte & 0x80 == 0 {
                if byte & 0x40 != 0 && shift < 64 {
                    value |= -1 << shift;
                }
                return Some(value);
            }
        }
    }

    /// A pointer in one of the encodings that linkers use.
    fn pointer(&mut self, encoding: u8, data: u64) -> Option<u64> {
        let here = self.at;
        let value = match encoding & 0x0f {
            0x00 | 0x04 | 0x0c => u64::from_le_bytes(self.take()?),
            0x02 => u64::from(u16::from_le_bytes(self.take()?)),
            0x03 => u64::from(self.u32()?),
            0x0a => i64::from(i16::from_le_bytes(self.take()?)) as u64,
            0x0b => i64::from(self.u32()? as i32) as u64,
            _ => return None,
        };
        match encoding & 0x70 {
            0x00 => Some(value),
            0x10 => Some(here.wrapping_add(value)),
            0x30 => Some(data.wrapping_add(value)),
            _ => None,
        }
    }

    fn block(&mut self) -> Option<Bytes> {
        let len = self.uleb()?;
        let block = Bytes { at: self.at, end: self.at.checked_add(len)? };
        if block.end > self.end {
            return None;
        }
        self.at = block.end;
        Some(block)
    }
}

/// Unwind information of one function.
#[derive(Debug)]
struct Description {
    start: u64,
    code_factor: u64,
    data_factor: i64,
    encoding: u8,
    cie_program: Bytes,
    program: Bytes,
}

/// Looks `pc` up in the sorted table of `.eh_frame_hdr`.
fn find(table: u64, pc: u64) -> Option<Description> {
    const VERSION: u8 = 1;
    const SORTED: u8 = 0x3b; // relative to the table, signed, four bytes
    let mut header = Bytes { at: table, end: table + 32 };
    let [version, frames, count, entries] = header.take()?;
    if version != VERSION || entries != SORTED {
        return None;
    }
    header.pointer(frames, table)?;
    let count = header.pointer(count, table)?;
    let entry = |index: u64| {
        let mut at = Bytes { at: header.at + index * 8, end: header.at + index * 8 + 8 };
        Some((at.pointer(SORTED, table)?, at.pointer(SORTED, table)?))
    };
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if entry(middle)?.0 <= pc {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let (_, description) = entry(low.checked_sub(1)?)?;
    describe(description, pc)
}

/// Reads the FDE at `address` and its CIE.
fn describe(address: u64, pc: u64) -> Option<Description> {
    let mut fde = record(address)?;
    let cie_at = fde.at.checked_sub(u64::from(fde.u32()?))?;
    let mut cie = record(cie_at)?;
    cie.u32()?; // 0: it is a CIE
    let version = cie.u8()?;
    let letters = Bytes { at: cie.at, end: cie.end };
    while cie.u8()? != 0 {}
    let (code_factor, data_factor) = (cie.uleb()?, cie.sleb()?);
    let _return_register = if version == 1 { u64::from(cie.u8()?) } else { cie.uleb()? };
    let (mut encoding, mut augmented) = (0, false);
    let mut letters = letters;
    let mut augmentation = None;
    loop {
        match letters.u8()? {
            0 => break,
            b'z' => {
                augmented = true;
                augmentation = Some(cie.block()?);
            }
            b'R' => encoding = augmentation.as_mut()?.u8()?,
            b'L' => drop(augmentation.as_mut()?.u8()?),
            b'P' => {
                let data = augmentation.as_mut()?;
                let personality = data.u8()?;
                // Its position is not needed, only its length.
                data.pointer(personality & 0x0f, 0)?;
            }
            b'S' | b'B' => {}
            _ => return None,
        }
    }
    let start = fde.pointer(encoding, 0)?;
    let len = fde.pointer(encoding & 0x0f, 0)?;
    if augmented {
        fde.block()?;
    }
    let inside = pc.wrapping_sub(start) < len;
    inside.then_some(Description { start, code_factor, data_factor, encoding, cie_program: cie, program: fde })
}

/// The contents of the record at `address`, after its length.
fn record(address: u64) -> Option<Bytes> {
    let len = Bytes { at: address, end: address + 4 }.u32()?;
    // 0 ends the section, and records beyond 4 GiB do not occur.
    (len != 0 && len != u32::MAX).then_some(Bytes { at: address + 4, end: address + 4 + u64::from(len) })
}

/// Rule for finding a register of the caller.
#[derive(Clone, Copy, Debug)]
enum Rule {
    Same,
    /// It has no value: this is the outermost frame.
    Undefined,
    /// It is in memory, at this distance from the frame.
    At(i64),
    /// It is the frame's address plus this value.
    Is(i64),
    In(usize),
    /// It is in memory, at the address that this expression computes.
    AtComputed(Bytes),
    Computed(Bytes),
}

#[derive(Clone, Copy, Debug)]
enum Frame {
    Register(usize, i64),
    Computed(Bytes),
}

/// The rules for one instruction.
#[derive(Clone, Copy, Debug)]
struct Row {
    frame: Frame,
    rules: [Rule; N_REGISTERS],
}

impl Row {
    fn apply(&self, registers: &mut Registers) -> Option<()> {
        let frame = match self.frame {
            Frame::Register(register, offset) => registers.0.get(register)?.wrapping_add_signed(offset),
            Frame::Computed(program) => compute(program, registers, None)?,
        };
        // A caller's frame lies above. A walk that goes down again would not end.
        if frame <= registers.0[RSP] {
            return None;
        }
        let mut caller = registers.0;
        caller[RSP] = frame;
        for (register, rule) in self.rules.iter().enumerate() {
            caller[register] = match *rule {
                Rule::Same if register == RIP => return None,
                Rule::Same if register == RSP => frame,
                Rule::Same => registers.0[register],
                Rule::Undefined if register == RIP => return None,
                Rule::Undefined => 0,
                Rule::At(offset) => read_stack(frame.wrapping_add_signed(offset))?,
                Rule::Is(offset) => frame.wrapping_add_signed(offset),
                Rule::In(other) => *registers.0.get(other)?,
                Rule::AtComputed(program) => read_stack(compute(program, registers, Some(frame))?)?,
                Rule::Computed(program) => compute(program, registers, Some(frame))?,
            };
        }
        registers.0 = caller;
        Some(())
    }
}

/// A word of the unit's stack.
fn read_stack(address: u64) -> Option<u64> {
    let end = stack::end_above(address)?;
    if end - address < 8 {
        return None;
    }
    // SAFETY: inside the unit's stack, which grows to contain it if necessary.
    Some(unsafe { (address as *const u64).read_unaligned() })
}

/// Interprets the program of a CIE or FDE up to an instruction.
struct Machine {
    row: Row,
    initial: Row,
    saved: [Row; 4],
    n_saved: usize,
    pc: u64,
    code_factor: u64,
    data_factor: i64,
    encoding: u8,
}

impl Machine {
    fn new(description: &Description, pc: u64) -> Machine {
        let row = Row { frame: Frame::Register(RSP, 0), rules: [Rule::Same; N_REGISTERS] };
        Machine {
            row,
            initial: row,
            saved: [row; 4],
            n_saved: 0,
            pc,
            code_factor: description.code_factor,
            data_factor: description.data_factor,
            encoding: description.encoding,
        }
    }

    /// Runs until the location passes `pc`. A CIE's program has no location.
    fn run(&mut self, mut program: Bytes, start: Option<u64>) -> Option<()> {
        let mut location = start.unwrap_or(0);
        while program.at < program.end {
            let code = program.u8()?;
            let low = code & 0x3f;
            let advance = match (code >> 6, code) {
                (1, _) => u64::from(low),
                (2, _) => {
                    let offset = program.uleb()? as i64 * self.data_factor;
                    self.set(u64::from(low), Rule::At(offset));
                    continue;
                }
                (3, _) => {
                    self.restore(u64::from(low));
                    continue;
                }
                (_, 0x01) => program.pointer(self.encoding, 0)?.wrapping_sub(location) / self.code_factor.max(1),
                (_, 0x02) => u64::from(program.u8()?),
                (_, 0x03) => u64::from(u16::from_le_bytes(program.take()?)),
                (_, 0x04) => u64::from(program.u32()?),
                _ => {
                    self.rule(code, &mut program)?;
                    continue;
                }
            };
            location = location.wrapping_add(advance.wrapping_mul(self.code_factor));
            if start.is_some() && location > self.pc {
                break;
            }
        }
        Some(())
    }

    fn set(&mut self, register: u64, rule: Rule) {
        // Other registers (vector registers) are not tracked.
        if let Some(slot) = self.row.rules.get_mut(register as usize) {
            *slot = rule;
        }
    }

    fn restore(&mut self, register: u64) {
        if let Some(rule) = self.initial.rules.get(register as usize) {
            self.set(register, *rule);
        }
    }

    fn rule(&mut self, code: u8, program: &mut Bytes) -> Option<()> {
        let factor = self.data_factor;
        match code {
            0x00 => {}
            0x05 => {
                let register = program.uleb()?;
                self.set(register, Rule::At(program.uleb()? as i64 * factor));
            }
            0x06 => self.restore(program.uleb()?),
            0x07 => self.set(program.uleb()?, Rule::Undefined),
            0x08 => self.set(program.uleb()?, Rule::Same),
            0x09 => {
                let register = program.uleb()?;
                self.set(register, Rule::In(program.uleb()? as usize));
            }
            0x0a => {
                *self.saved.get_mut(self.n_saved)? = self.row;
                self.n_saved += 1;
            }
            0x0b => {
                self.n_saved = self.n_saved.checked_sub(1)?;
                self.row = self.saved[self.n_saved];
            }
            0x0c => self.row.frame = Frame::Register(program.uleb()? as usize, program.uleb()? as i64),
            0x0d => {
                let Frame::Register(_, offset) = self.row.frame else { return None };
                self.row.frame = Frame::Register(program.uleb()? as usize, offset);
            }
            0x0e => {
                let Frame::Register(register, _) = self.row.frame else { return None };
                self.row.frame = Frame::Register(register, program.uleb()? as i64);
            }
            0x0f => self.row.frame = Frame::Computed(program.block()?),
            0x10 => {
                let register = program.uleb()?;
                self.set(register, Rule::AtComputed(program.block()?));
            }
            0x11 => {
                let register = program.uleb()?;
                self.set(register, Rule::At(program.sleb()? * factor));
            }
            0x12 => self.row.frame = Frame::Register(program.uleb()? as usize, program.sleb()? * factor),
            0x13 => {
                let Frame::Register(register, _) = self.row.frame else { return None };
                self.row.frame = Frame::Register(register, program.sleb()? * factor);
            }
            0x14 => {
                let register = program.uleb()?;
                self.set(register, Rule::Is(program.uleb()? as i64 * factor));
            }
            0x16 => {
                let register = program.uleb()?;
                self.set(register, Rule::Computed(program.block()?));
            }
            // The size of arguments on the stack: not used.
            0x2e => drop(program.uleb()?),
            _ => return None,
        }
        Some(())
    }
}

/// Evaluates an expression of the tables. Linkers write expressions for calls through the PLT, C libraries for signal
/// frames.
fn compute(mut program: Bytes, registers: &Registers, first: Option<u64>) -> Option<u64> {
    let mut stack = [0u64; 16];
    let mut n = 0usize;
    if let Some(first) = first {
        stack[0] = first;
        n = 1;
    }
    while program.at < program.end {
        let code = program.u8()?;
        let value = match code {
            0x03 => u64::from_le_bytes(program.take()?),
            0x08 => u64::from(program.u8()?),
            0x09 => i64::from(program.u8()? as i8) as u64,
            0x0a => u64::from(u16::from_le_bytes(program.take()?)),
            0x0b => i64::from(i16::from_le_bytes(program.take()?)) as u64,
            0x0c => u64::from(program.u32()?),
            0x0d => i64::from(program.u32()? as i32) as u64,
            0x10 => program.uleb()?,
            0x11 => program.sleb()? as u64,
            0x12 => *stack.get(n.checked_sub(1)?)?,
            0x30..=0x4f => u64::from(code - 0x30),
            0x70..=0x8f => registers.0.get(usize::from(code - 0x70))?.wrapping_add_signed(program.sleb()?),
            0x06 | 0x23 => {
                n = n.checked_sub(1)?;
                if code == 0x06 { read_stack(stack[n])? } else { stack[n].wrapping_add(program.uleb()?) }
            }
            _ => {
                n = n.checked_sub(2)?;
                let (a, b) = (stack[n], stack[n + 1]);
                match code {
                    0x1a => a & b,
                    0x1c => a.wrapping_sub(b),
                    0x21 => a | b,
                    0x22 => a.wrapping_add(b),
                    0x24 => a.checked_shl(b as u32).unwrap_or(0),
                    0x2a => u64::from(a as i64 >= b as i64),
                    _ => return None,
                }
            }
        };
        *stack.get_mut(n)? = value;
        n += 1;
    }
    Some(stack[n.checked_sub(1)?])
}
