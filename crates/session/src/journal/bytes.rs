//! Encoding of numbers, strings and lists as bytes.

/// Appends to bytes.
#[derive(Debug, Default)]
pub struct Writer {
    pub bytes: Vec<u8>,
}

/// The bytes are not those of a writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

impl Writer {
    /// Writes a byte.
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Writes a number in as many bytes as it needs.
    pub fn number(&mut self, number: impl Into<u64>) {
        let mut number = number.into();
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Writes a number whose size is random, such as a hash.
    pub fn word(&mut self, word: u64) {
        self.bytes.extend(word.to_le_bytes());
    }

    /// Writes bytes with their length.
    pub fn blob(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend(bytes);
    }

    /// Writes a string with its length.
    pub fn text(&mut self, text: &str) {
        self.blob(text.as_bytes());
    }

    /// Writes the length of a list and its items.
    pub fn list<I: IntoIterator<IntoIter: ExactSizeIterator>>(
        &mut self,
        items: I,
        mut write: impl FnMut(&mut Writer, I::Item),
    ) {
        let items = items.into_iter();
        self.number(items.len() as u64);
        for item in items {
            write(self, item);
        }
    }

    /// Writes whether there is an item, and the item.
    pub fn option<T>(&mut self, item: Option<T>, write: impl FnOnce(&mut Writer, T)) {
        self.byte(u8::from(item.is_some()));
        if let Some(item) = item {
            write(self, item);
        }
    }
}

/// Reads the output of a [`Writer`]. A wrong length costs no memory.
#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A reader at the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes }
    }

    /// Reads a byte.
    pub fn byte(&mut self) -> Result<u8, Damaged> {
        let (first, rest) = self.rest.split_first().ok_or(Damaged)?;
        self.rest = rest;
        Ok(*first)
    }

    /// Reads a number of variable length.
    pub fn number<T: TryFrom<u64>>(&mut self) -> Result<T, Damaged> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return number.try_into().map_err(|_| Damaged);
            }
        }
        Err(Damaged)
    }

    /// Reads eight bytes as a number.
    pub fn word(&mut self) -> Result<u64, Damaged> {
        let (first, rest) = self.rest.split_first_chunk().ok_or(Damaged)?;
        self.rest = rest;
        Ok(u64::from_le_bytes(*first))
    }

    /// Reads bytes with their length.
    pub fn blob(&mut self) -> Result<&'a [u8], Damaged> {
        let len = self.number()?;
        let (first, rest) = self.rest.split_at_checked(len).ok_or(Damaged)?;
        self.rest = rest;
        Ok(first)
    }

    /// Reads a string with its length.
    pub fn text(&mut self) -> Result<&'a str, Damaged> {
        str::from_utf8(self.blob()?).map_err(|_| Damaged)
    }

    /// Reads a list.
    pub fn list<T>(&mut self, mut read: impl FnMut(&mut Reader<'a>) -> Result<T, Damaged>) -> Result<Vec<T>, Damaged> {
        let len: usize = self.number()?;
        // Each item has at least one byte, so a wrong length costs no memory.
        let mut items = Vec::with_capacity(len.min(self.rest.len()));
        for _ in 0..len {
            items.push(read(self)?);
        }
        Ok(items)
    }

    /// Reads an item that may be absent.
    pub fn option<T>(
        &mut self,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T, Damaged>,
    ) -> Result<Option<T>, Damaged> {
        match self.byte()? {
            0 => Ok(None),
            1 => read(self).map(Some),
            _ => Err(Damaged),
        }
    }

    /// True if everything was read.
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Checks that everything was read.
    pub fn end(&self) -> Result<(), Damaged> {
        if self.rest.is_empty() { Ok(()) } else { Err(Damaged) }
    }
}
