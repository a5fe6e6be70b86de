//! Messages of a program that runs without an engine: one line on stderr, after which the program continues.

use tine_trace::outcome::ErrorKind;

use crate::sys;

const STDERR: i32 = 2;

/// A line that is assembled without allocation and written at once.
pub(super) struct Line {
    bytes: [u8; 512],
    len: usize,
}

impl Line {
    pub(super) fn new() -> Line {
        Line { bytes: [0; 512], len: 0 }
    }

    /// Appends a string, as far as there is room. The last byte is reserved for the newline.
    pub(super) fn text(&mut self, text: &str) -> &mut Line {
        let room = &mut self.bytes[self.len..511];
        let n = text.len().min(room.len());
        room[..n].copy_from_slice(&text.as_bytes()[..n]);
        self.len += n;
        self
    }

    pub(super) fn number(&mut self, number: u64, base: u64) -> &mut Line {
        let mut digits = [0u8; 20];
        let mut at = digits.len();
        let mut left = number;
        loop {
            at -= 1;
            digits[at] = b"0123456789abcdef"[(left % base) as usize];
            left /= base;
            if left == 0 {
                break;
            }
        }
        self.text(str::from_utf8(&digits[at..]).unwrap_or(""))
    }

    pub(super) fn write(&mut self) {
        self.bytes[self.len] = b'\n';
        let _ = sys::write_all(STDERR, &self.bytes[..self.len + 1]);
    }
}

/// See [`super::report_natively`].
pub(super) fn report(kind: ErrorKind, message: &str, file: &str, line: u32) {
    let mut out = Line::new();
    out.text("tine: ").text(kind.text());
    if !message.is_empty() {
        out.text(" (").text(message).text(")");
    }
    if !file.is_empty() {
        out.text(" at ").text(file).text(":").number(u64::from(line), 10);
    }
    out.write();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_where_it_ends() {
        let mut line = Line::new();
        line.text("x=").number(0, 10).text(" ").number(0xbeef, 16).text(" ").number(u64::MAX, 10);
        assert_eq!(&line.bytes[..line.len], b"x=0 beef 18446744073709551615");
        for _ in 0..100 {
            line.text("0123456789");
        }
        assert_eq!(line.len, 511);
    }
}
