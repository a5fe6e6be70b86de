//! Colours and units, the same in all output.

use std::time::Duration;

/// Style of printed text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    pub colour: bool,
}

impl Style {
    pub(crate) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(crate) fn good(self, text: &str) -> String {
        self.paint("1;32", text)
    }

    pub(crate) fn warning(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    pub(crate) fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }
}

/// `12 ms`, `1.2 s`, `3 min 05 s`, `2 h 03 min`.
pub(crate) fn duration(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{} ms", time.as_millis()),
        1..60 => format!("{:.1} s", (time.as_millis() / 100) as f64 / 10.0),
        seconds @ 60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// `1 run`, `2 runs`, `12,345 runs`.
pub fn count(number: u64, one: &str) -> String {
    // All other words only take an s.
    match (number, one.strip_suffix('y')) {
        (1, _) => format!("1 {one}"),
        (_, Some(stem)) => format!("{} {stem}ies", grouped(number)),
        (_, None) if one.ends_with("ch") => format!("{} {one}es", grouped(number)),
        (_, None) => format!("{} {one}s", grouped(number)),
    }
}

/// `12,345`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `75.0 %`; rounded down, so that only full coverage is 100 %.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "–".to_string();
    }
    let per_mille = part * 1000 / whole;
    format!("{}.{} %", per_mille / 10, per_mille % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(1, "query"), "1 query");
        assert_eq!(count(0, "query"), "0 queries");
        assert_eq!(count(2, "branch"), "2 branches");
        assert_eq!(count(1_234_567, "run"), "1,234,567 runs");
        assert_eq!(count(999, "run"), "999 runs");
        assert_eq!(percent(1999, 2000), "99.9 %");
        assert_eq!(percent(0, 0), "–");
    }

    #[test]
    fn times_read_well() {
        let times =
            [(12, "12 ms"), (1_290, "1.2 s"), (59_999, "59.9 s"), (185_000, "3 min 05 s"), (7_380_000, "2 h 03 min")];
        for (millis, text) in times {
            assert_eq!(duration(Duration::from_millis(millis)), text);
        }
    }
}
