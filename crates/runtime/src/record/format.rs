//! Formats of `printf` and `scanf`: the arguments that their directives take.

use tine_trace::contract::Kind;

use super::contracts::character;

/// The kind of argument that a directive takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    Word,
    Long,
    Double,
    LongDouble,
    Pointer,
    /// A string of characters of this many bytes.
    Text {
        unit: u64,
        most: Text,
    },
    /// Memory that receives this many bytes.
    Room(u64),
    /// The same, for the number of characters so far.
    Count(u64),
}

/// Number of characters that are read from a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Text {
    Whole,
    UpTo(u64),
    /// The number given by the preceding argument.
    Argument,
}

/// True if an argument of a kind fits a directive.
pub(super) fn fits(want: Want, kind: Kind) -> bool {
    match (want, kind) {
        (_, Kind::Other) => true,
        // The machine takes the low half of a longer value.
        (Want::Word, _) => matches!(kind, Kind::Word | Kind::Long),
        (Want::Double, _) => kind == Kind::Double,
        (Want::LongDouble, _) => kind == Kind::LongDouble,
        (Want::Long | Want::Pointer | Want::Text { .. } | Want::Room(_) | Want::Count(_), _) => {
            matches!(kind, Kind::Long | Kind::Pointer)
        }
    }
}

/// The arguments of a format, in order. It ends at the first unsupported directive, such as one that numbers its
/// argument.
#[derive(Clone, Debug)]
pub(super) struct Wants {
    at: u64,
    unit: u64,
    scans: bool,
    /// Number of width and precision arguments of the current directive, which precede its own argument.
    stars: u32,
    then: Option<Want>,
}

impl Wants {
    /// `address` must be that of a string.
    pub(super) fn new(address: u64, unit: u64, scans: bool) -> Wants {
        Wants { at: address, unit, scans, stars: 0, then: None }
    }

    fn peek(&self) -> u8 {
        // SAFETY: nothing is read after the terminator.
        u8::try_from(unsafe { character(self.at, self.unit) }).unwrap_or(u8::MAX)
    }

    /// The next character; 0 at the end. Never moves past the end.
    fn take(&mut self) -> u8 {
        let character = self.peek();
        self.at += if character == 0 { 0 } else { self.unit };
        character
    }

    fn take_if(&mut self, is_meant: impl Fn(u8) -> bool) -> bool {
        let is_so = self.peek() != 0 && is_meant(self.peek());
        if is_so {
            self.take();
        }
        is_so
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = None;
        while self.peek().is_ascii_digit() {
            let digit = u64::from(self.take() - b'0');
            number = Some(number.unwrap_or(0u64).saturating_mul(10).saturating_add(digit));
        }
        number
    }

    /// Size of an integer in bytes, by its length modifier.
    fn length(&mut self) -> u64 {
        match self.peek() {
            b'h' => {
                self.take();
                if self.take_if(|c| c == b'h') { 1 } else { 2 }
            }
            b'l' | b'j' | b'z' | b't' | b'q' => {
                self.take();
                self.take_if(|c| c == b'l');
                8
            }
            b'L' => {
                self.take();
                16
            }
            _ => 4,
        }
    }

    /// Reads a directive after its `%`; `None` if it takes no argument.
    fn print(&mut self) -> Result<Option<Want>, ()> {
        while self.take_if(|c| b"-+ #0'I".contains(&c)) {}
        if self.take_if(|c| c == b'*') {
            self.stars += 1;
        } else {
            self.number();
        }
        let mut most = Text::Whole;
        if self.take_if(|c| c == b'.') {
            if self.take_if(|c| c == b'*') {
                self.stars += 1;
                most = Text::Argument;
            } else {
                most = Text::UpTo(self.number().unwrap_or(0));
            }
        }
        let bytes = self.length();
        let wide = if bytes == 8 { 4 } else { 1 };
        Ok(Some(match self.take() {
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => {
                if bytes >= 8 {
                    Want::Long
                } else {
                    Want::Word
                }
            }
            b'c' | b'C' => Want::Word,
            b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => {
                if bytes == 16 {
                    Want::LongDouble
                } else {
                    Want::Double
                }
            }
            b's' => {
                Want::Text { unit: wide, most: if wide == 4 && most != Text::Whole { return Err(()) } else { most } }
            }
            b'S' => Want::Text { unit: 4, most: Text::Whole },
            b'p' => Want::Pointer,
            b'n' => Want::Count(bytes.min(8)),
            b'%' | b'm' => return Ok(None),
            _ => return Err(()),
        }))
    }

    /// The same for `scanf`.
    fn scan(&mut self) -> Result<Option<Want>, ()> {
        let is_skipped = self.take_if(|c| c == b'*');
        let width = self.number();
        let allocates = self.take_if(|c| c == b'm' || c == b'a');
        let bytes = self.length();
        let unit = if bytes == 8 { 4 } else { 1 };
        let want = match self.take() {
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'n' => Want::Room(bytes.min(8)),
            b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => Want::Room(bytes.max(4)),
            b'p' => Want::Room(8),
            b'c' => Want::Room(unit * width.unwrap_or(1)),
            b's' => Want::Room(unit * (width.unwrap_or(0) + 1)),
            b'[' => {
                self.take_if(|c| c == b'^');
                self.take_if(|c| c == b']');
                while self.take_if(|c| c != b']') {}
                self.take();
                Want::Room(unit * (width.unwrap_or(0) + 1))
            }
            b'%' => return Ok(None),
            _ => return Err(()),
        };
        let want = if allocates { Want::Room(8) } else { want };
        Ok((!is_skipped).then_some(want))
    }
}

impl Iterator for Wants {
    type Item = Want;

    fn next(&mut self) -> Option<Want> {
        loop {
            if self.stars > 0 {
                self.stars -= 1;
                return Some(Want::Word);
            }
            if let Some(want) = self.then.take() {
                return Some(want);
            }
            while self.take_if(|c| c != b'%') {}
            if self.take() == 0 {
                return None;
            }
            let directive = if self.scans { self.scan() } else { self.print() };
            match directive {
                Ok(want) => self.then = want,
                Err(()) => {
                    // All that follows is not known either.
                    while self.take() != 0 {}
                    self.stars = 0;
                    return None;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wants(format: &str, scans: bool) -> Vec<Want> {
        let format = format!("{format}\0");
        Wants::new(format.as_ptr().expose_provenance() as u64, 1, scans).collect()
    }

    #[test]
    fn directives_take_their_arguments() {
        let text = |most| Want::Text { unit: 1, most };
        assert_eq!(wants("%d%% %lu\n", false), [Want::Word, Want::Long]);
        assert_eq!(
            wants("%-*.*s|%.3s|%s", false),
            [Want::Word, Want::Word, text(Text::Argument), text(Text::UpTo(3)), text(Text::Whole)]
        );
        assert_eq!(
            wants("%hhx %zd %Lf %g %n %p", false),
            [Want::Word, Want::Long, Want::LongDouble, Want::Double, Want::Count(4), Want::Pointer]
        );
        assert_eq!(wants("%2$s %1$d", false), []);
        assert_eq!(wants("%d %Y %d", false), [Want::Word]);
        assert_eq!(
            wants("%9s %*d %[^]a] %ld %c %ms %lf %5c", true),
            [Want::Room(10), Want::Room(1), Want::Room(8), Want::Room(1), Want::Room(8), Want::Room(8), Want::Room(5)]
        );
        assert_eq!(wants("100%", false), []);
    }

    #[test]
    fn kinds_fit_where_the_machine_takes_them() {
        assert!(fits(Want::Word, Kind::Long) && !fits(Want::Long, Kind::Word));
        assert!(!fits(Want::Double, Kind::Word) && !fits(Want::Word, Kind::Double));
        assert!(fits(Want::Pointer, Kind::Long) && !fits(Want::Room(4), Kind::Word));
        assert!(fits(Want::Double, Kind::Other));
    }
}
