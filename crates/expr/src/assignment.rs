//! Concrete inputs, as bytes.

use crate::query::InputByte;

/// A value for every input byte, by input ordinal and offset. Bytes never set are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    inputs: Vec<Vec<u8>>,
}

impl Assignment {
    pub fn new() -> Self {
        Self::default()
    }

    /// From the bytes of each input, in order of their ordinals.
    pub fn from_inputs(inputs: Vec<Vec<u8>>) -> Self {
        Self { inputs }
    }

    /// The bytes of each input; an input ends at the last byte that was set.
    pub fn inputs(&self) -> &[Vec<u8>] {
        &self.inputs
    }

    pub fn get(&self, input: u32, offset: u32) -> u8 {
        self.inputs.get(input as usize).and_then(|bytes| bytes.get(offset as usize)).copied().unwrap_or(0)
    }

    pub fn set(&mut self, input: u32, offset: u32, value: u8) {
        let (input, offset) = (input as usize, offset as usize);
        if self.inputs.len() <= input {
            self.inputs.resize_with(input + 1, Vec::new);
        }
        let bytes = &mut self.inputs[input];
        if bytes.len() <= offset {
            bytes.resize(offset + 1, 0);
        }
        bytes[offset] = value;
    }

    /// `width / 8` bytes from `offset` on, little-endian: what an `Input` term sees.
    pub fn read(&self, input: u32, offset: u32, width: u32) -> u128 {
        let Some(bytes) = self.inputs.get(input as usize) else { return 0 };
        let byte = |k: u32| bytes.get(offset.saturating_add(k) as usize).copied().unwrap_or(0) as u128;
        (0..width / 8).fold(0, |value, k| value | byte(k) << (8 * k))
    }

    /// Sets the `width / 8` bytes that [`Self::read`] reads.
    pub fn write(&mut self, input: u32, offset: u32, width: u32, value: u128) {
        for k in 0..width / 8 {
            self.set(input, offset + k, (value >> (8 * k)) as u8);
        }
    }

    /// Changes the bytes that an answer lists.
    pub fn overlay(&mut self, bytes: &[InputByte]) {
        for byte in bytes {
            self.set(byte.input, byte.offset, byte.value);
        }
    }
}
