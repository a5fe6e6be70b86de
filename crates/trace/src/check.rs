//! Checks that can be selected: each covers some kinds of error ([`crate::outcome::ErrorKind::check`]).
//!
//! This table is the only one. The compiler driver takes clang's flags from it. The runtime and the engine take from it
//! the kinds that are not errors. `tine checks` prints it.

use crate::outcome::ErrorKind;

macro_rules! checks {
    ($( $check:ident $name:literal $default:ident [$sanitizers:literal] $about:literal )*) => {
        /// A check, identified by its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Check { $( #[doc = $about] $check ),* }

        impl Check {
            /// All checks.
            pub const ALL: &'static [Check] = &[ $( Check::$check ),* ];

            /// Name for `--check`.
            pub const fn name(self) -> &'static str {
                match self { $( Check::$check => $name ),* }
            }

            /// Description in one line for `tine checks`.
            pub const fn about(self) -> &'static str {
                match self { $( Check::$check => $about ),* }
            }

            /// True if it is selected without `--check`.
            pub const fn is_default(self) -> bool {
                match self { $( Check::$check => is_default!($default) ),* }
            }

            /// Names for clang's `-fsanitize=`, separated by commas. Empty if only the runtime checks.
            pub const fn sanitizers(self) -> &'static str {
                match self { $( Check::$check => $sanitizers ),* }
            }
        }
    };
}
macro_rules! is_default {
    (on) => {
        true
    };
    (off) => {
        false
    };
}

checks! {
    Bounds "bounds" on ["array-bounds"] "Accesses before or after an object: heap, stack, globals, arrays inside structures."
    UseAfterFree "use-after-free" on [""] "Uses of freed memory."
    UseAfterScope "use-after-scope" on [""] "Uses of local variables after their scope or function has ended."
    Free "free" on [""] "Memory freed twice, and frees of pointers that are not the start of a heap object."
    Uninitialised "uninitialised" on [""] "Values that were never written and decide a branch, an address or a size."
    Leak "leak" off [""] "Memory that was not freed and that nothing points to at the end of the run."
    Null "null" on ["nonnull-attribute,null,returns-nonnull-attribute"] "Null pointers that are dereferenced, passed or returned where that is not allowed."
    Alignment "alignment" on ["alignment"] "Accesses through pointers that are not aligned as their type requires."
    Division "division" on ["integer-divide-by-zero"] "Divisions by zero, and `INT_MIN / -1`."
    SignedOverflow "signed-overflow" on ["signed-integer-overflow"] "Signed operations whose result does not fit their type."
    UnsignedOverflow "unsigned-overflow" off ["unsigned-integer-overflow"] "Unsigned operations that wrap around. C defines the result."
    Narrowing "narrowing" off ["implicit-conversion"] "Implicit conversions between integers that change the value. C defines most results."
    Shift "shift" on ["shift"] "Shift counts that are negative or too large, and signed values shifted out of their type."
    FloatCast "float-cast" on ["float-cast-overflow"] "Floating-point values that do not fit the integer type they are converted to."
    Bool "bool" on ["bool,enum"] "Loads of a `bool` or an enumeration whose bytes are not a value of the type."
    Undefined "undefined" on ["builtin,return,unreachable,vla-bound"] "Other undefined behaviour: unreachable code, missing return values, array sizes below one, undefined functions."
    Library "library" on [""] "Calls of the C library that break its contracts: overlapping copies, closed streams, formats that do not fit."
    Specification "specification" on [""] "Properties of specifications (`--spec`)."
    Assert "assert" on [""] "Assertions, postconditions and `reach_error`."
    Abort "abort" on [""] "Calls of `abort`."
    Loop "loop" on [""] "Runs that do not end: endless loops, and waiting for something that cannot happen."
    StackOverflow "stack-overflow" on [""] "Recursion and variables that exhaust the stack."
    Resources "resources" on [""] "Runs that need more memory than `--memory` or print too much."
    Signal "signal" on [""] "Signals of the processor that no other check foresaw."
}

/// A set of checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks(u32);

impl Default for Checks {
    fn default() -> Checks {
        Checks::DEFAULT
    }
}

impl Checks {
    /// No check.
    pub const NONE: Checks = Checks(0);
    /// Checks that are made unless `--check` changes them.
    pub const DEFAULT: Checks = {
        let (mut checks, mut k) = (Checks::NONE, 0);
        while k < Check::ALL.len() {
            if Check::ALL[k].is_default() {
                checks = checks.with(Check::ALL[k]);
            }
            k += 1;
        }
        checks
    };
    /// Every check.
    pub const ALL: Checks = Checks((1 << Check::ALL.len()) - 1);

    /// True if the check is selected.
    pub const fn has(self, check: Check) -> bool {
        self.0 & 1 << check as u8 != 0
    }

    /// The selection with another check.
    #[must_use]
    pub const fn with(self, check: Check) -> Checks {
        Checks(self.0 | 1 << check as u8)
    }

    /// True if an error of this kind is reported.
    pub const fn reports(self, kind: ErrorKind) -> bool {
        self.has(kind.check())
    }

    /// The members, in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = Check> {
        Check::ALL.iter().copied().filter(move |check| self.has(*check))
    }

    /// Parses a list. Names are added, `-name` is removed. A list that begins with a sign changes the default.
    /// `default` and `all` name groups. Returns the first name that is not a check.
    pub fn parse(list: &str) -> Result<Checks, &str> {
        let starts_empty = !list.starts_with(['+', '-']);
        let mut checks = if starts_empty { Checks::NONE } else { Checks::default() };
        for item in list.split(',') {
            let name = item.trim();
            let (removes, name) = match name.as_bytes().first() {
                Some(b'-') => (true, &name[1..]),
                Some(b'+') => (false, &name[1..]),
                _ => (false, name),
            };
            let group = match name {
                "default" => Checks::default(),
                "all" => Checks::ALL,
                _ => {
                    let check = Check::ALL.iter().find(|check| check.name() == name).ok_or(name)?;
                    Checks::NONE.with(*check)
                }
            };
            checks.0 = if removes { checks.0 & !group.0 } else { checks.0 | group.0 };
        }
        Ok(checks)
    }

    /// The kinds of errors that are ignored, so that the run continues: one bit each. An unselected kind that ends the
    /// program by itself is not included.
    pub fn unchecked(self) -> u64 {
        let goes_on = |kind: &&ErrorKind| !self.reports(**kind) && !kind.ends_program();
        ErrorKind::ALL.iter().filter(goes_on).fold(0, |kinds, kind| kinds | 1 << *kind as u8)
    }
}

impl core::fmt::Display for Checks {
    /// Writes a list that [`Checks::parse`] reads, relative to the default if that is shorter.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        const FEW: usize = 4;
        let default = Checks::default();
        let changed = || Check::ALL.iter().filter(|check| self.has(**check) != default.has(**check));
        if *self == default {
            return f.write_str("default");
        }
        if *self == Checks::ALL {
            return f.write_str("all");
        }
        if *self == Checks::NONE {
            return f.write_str("-all");
        }
        let separator = |number: usize| if number == 0 { "" } else { "," };
        if changed().count() <= FEW {
            return changed().enumerate().try_for_each(|(number, check)| {
                let sign = if self.has(*check) { '+' } else { '-' };
                write!(f, "{}{sign}{}", separator(number), check.name())
            });
        }
        self.iter().enumerate().try_for_each(|(number, check)| write!(f, "{}{}", separator(number), check.name()))
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::ToString as _;

    use super::*;

    #[test]
    fn lists_are_read_and_printed() {
        for (list, printed) in [
            ("default", "default"),
            ("+narrowing", "+narrowing"),
            ("-null,+leak", "+leak,-null"),
            ("bounds,free", "bounds,free"),
            ("all", "all"),
            ("all,-leak", "+unsigned-overflow,+narrowing"),
            ("default,-signal", "-signal"),
            ("-all", "-all"),
        ] {
            let checks = Checks::parse(list).expect("checks");
            assert_eq!(checks.to_string(), printed, "{list}");
            assert_eq!(Checks::parse(printed), Ok(checks), "{list}");
        }
        assert_eq!(Checks::parse("bounds,bool,nul"), Err("nul"));
        assert_eq!(Checks::parse(""), Err(""));
    }

    #[test]
    fn every_check_has_a_kind_and_every_kind_a_bit() {
        for check in Check::ALL {
            assert!(ErrorKind::ALL.iter().any(|kind| kind.check() == *check), "{}", check.name());
        }
        assert!(ErrorKind::ALL.iter().all(|kind| (*kind as u8) < 64));
        assert_eq!(Checks::ALL.unchecked(), 0);
        let quiet = Checks::parse("-free,-assert").expect("checks").unchecked();
        assert_ne!(quiet & 1 << ErrorKind::DoubleFree as u8, 0);
        assert_eq!(quiet & 1 << ErrorKind::AssertionFailure as u8, 0);
    }
}
