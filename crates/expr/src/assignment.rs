//! Concrete inputs, as bytes.

use tine_trace::plan::OBJECT;

use crate::query::InputByte;

/// A value for every input byte, by the input's id (`tine_trace::plan`) and offset. Bytes never set are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    requests: Vec<Vec<u8>>,
    /// Bytes of the objects, by slot.
    objects: Vec<Vec<u8>>,
}

impl Assignment {
    /// An assignment of zeros.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an assignment from the bytes of each request, in order of their ordinals.
    pub fn from_inputs(requests: Vec<Vec<u8>>) -> Self {
        Self { requests, objects: Vec::new() }
    }

    /// The bytes of each request, up to the last byte that was set.
    pub fn requests(&self) -> &[Vec<u8>] {
        &self.requests
    }

    /// The bytes of the object in each slot, up to the last byte that was set.
    pub fn objects(&self) -> &[Vec<u8>] {
        &self.objects
    }

    /// Sets the bytes of an object.
    pub fn set_object(&mut self, slot: u32, bytes: Vec<u8>) {
        let slot = slot as usize;
        if self.objects.len() <= slot {
            self.objects.resize_with(slot + 1, Vec::new);
        }
        self.objects[slot] = bytes;
    }

    /// All bytes of an input.
    pub fn bytes(&self, input: u32) -> &[u8] {
        let list = if input & OBJECT == 0 { &self.requests } else { &self.objects };
        list.get((input & !OBJECT) as usize).map_or(&[], Vec::as_slice)
    }

    /// Value of a byte.
    pub fn get(&self, input: u32, offset: u32) -> u8 {
        self.bytes(input).get(offset as usize).copied().unwrap_or(0)
    }

    /// Sets a byte.
    pub fn set(&mut self, input: u32, offset: u32, value: u8) {
        let list = if input & OBJECT == 0 { &mut self.requests } else { &mut self.objects };
        let (index, offset) = ((input & !OBJECT) as usize, offset as usize);
        if list.len() <= index {
            list.resize_with(index + 1, Vec::new);
        }
        let bytes = &mut list[index];
        if bytes.len() <= offset {
            bytes.resize(offset + 1, 0);
        }
        bytes[offset] = value;
    }

    /// Reads `width / 8` bytes from `offset` on, little-endian: the value of an `Input` term.
    pub fn read(&self, input: u32, offset: u32, width: u32) -> u128 {
        let bytes = self.bytes(input);
        let byte = |k: u32| bytes.get(offset.saturating_add(k) as usize).copied().unwrap_or(0) as u128;
        (0..width / 8).fold(0, |value, k| value | byte(k) << (8 * k))
    }

    /// Sets the `width / 8` bytes that [`Self::read`] reads.
    pub fn write(&mut self, input: u32, offset: u32, width: u32, value: u128) {
        for k in 0..width / 8 {
            self.set(input, offset + k, (value >> (8 * k)) as u8);
        }
    }

    /// Sets the bytes that an answer lists.
    pub fn overlay(&mut self, bytes: &[InputByte]) {
        for byte in bytes {
            self.set(byte.input, byte.offset, byte.value);
        }
    }
}
