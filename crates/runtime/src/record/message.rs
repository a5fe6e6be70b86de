//! A message that is assembled without allocation.

/// See the module's documentation.
#[derive(Debug)]
pub(super) struct Message {
    bytes: [u8; 2000],
    len: usize,
}

impl Message {
    pub(super) fn new() -> Message {
        Message { bytes: [0; 2000], len: 0 }
    }

    /// Appends a string, or its first characters if there is no more room.
    pub(super) fn text(&mut self, text: &str) -> &mut Message {
        let mut n = text.len().min(self.bytes.len() - self.len);
        while !text.is_char_boundary(n) {
            n -= 1;
        }
        self.bytes[self.len..self.len + n].copy_from_slice(&text.as_bytes()[..n]);
        self.len += n;
        self
    }

    pub(super) fn number(&mut self, number: u64) -> &mut Message {
        let mut digits = [0u8; 20];
        let (mut at, mut left) = (digits.len(), number);
        loop {
            at -= 1;
            digits[at] = b'0' + (left % 10) as u8;
            left /= 10;
            if left == 0 {
                break;
            }
        }
        self.text(str::from_utf8(&digits[at..]).unwrap_or(""))
    }

    pub(super) fn signed(&mut self, number: i64) -> &mut Message {
        self.text(if number < 0 { "-" } else { "" }).number(number.unsigned_abs())
    }

    pub(super) fn as_str(&self) -> &str {
        str::from_utf8(&self.bytes[..self.len]).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_strings_are_joined() {
        let mut message = Message::new();
        message.text("x = ").signed(i64::MIN).text(", y = ").number(u64::MAX).text(" ×").number(0);
        assert_eq!(message.as_str(), "x = -9223372036854775808, y = 18446744073709551615 ×0");
        for _ in 0..2000 {
            message.text("…");
        }
        assert!(message.as_str().ends_with('…') && message.as_str().len() > 1990);
    }
}
