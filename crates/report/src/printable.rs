//! Safe printing of text from a unit. The unit determines the names of inputs, functions and files, text of assertions and
//! output. If printed unchanged, they could move the cursor, rename the window, hide text or imitate output of tine.
//!
//! All printed text goes through this module. Control characters, and characters that change the direction of text or
//! have no width, become escapes (`\x1b`, `\u{202e}`).

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Time for which output is copied after the end of the program.
const LATE_OUTPUT: Duration = Duration::from_secs(1);

/// For a single line: line ends and tabs become escapes, too.
pub fn printable(text: &str) -> Cow<'_, str> {
    escape(text, |_| false)
}

/// For several lines: line ends and tabs stay.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escape(text, |character| matches!(character, '\n' | '\t'))
}

/// For output of a unit, which may be invalid UTF-8.
pub fn printable_bytes(bytes: &[u8]) -> String {
    printable_lines(&String::from_utf8_lossy(bytes)).into_owned()
}

/// Copies output of a unit line by line until its end.
fn copy_printable(mut from: impl BufRead, mut to: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line)? > 0 {
        to.write_all(printable_bytes(&line).as_bytes())?;
        to.flush()?;
        line.clear();
    }
    Ok(())
}

/// Runs a program. Where it would print to a terminal, its output is escaped.
pub fn run_printably<T>(command: &mut Command, run: impl FnOnce(&mut Command) -> io::Result<T>) -> io::Result<T> {
    let mut copies = Vec::new();
    if io::stdout().is_terminal() {
        let (from, to) = io::pipe()?;
        command.stdout(to);
        copies.push(thread::spawn(|| copy_printable(BufReader::new(from), io::stdout())));
    }
    if io::stderr().is_terminal() {
        let (from, to) = io::pipe()?;
        command.stderr(to);
        copies.push(thread::spawn(|| copy_printable(BufReader::new(from), io::stderr())));
    }
    let ended = run(command);
    // Closes this process's ends of the pipes.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let deadline = Instant::now() + LATE_OUTPUT;
    // Without the sandbox, other processes may still hold them open.
    while copies.iter().any(|copy| !copy.is_finished()) && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(1));
    }
    ended
}

/// For JSON: such characters become JSON escapes. They occur only in its strings.
pub fn printable_json(json: &str) -> Cow<'_, str> {
    replace(
        json,
        |character| is_unsafe(character) && character != '\n',
        |character| {
            let mut units = [0; 2];
            character.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect()
        },
    )
}

/// A copy whose strings are all printable.
pub(crate) fn printable_copy<T: Serialize + DeserializeOwned + Clone>(value: &T) -> T {
    let Ok(mut json) = serde_json::to_value(value) else { return value.clone() };
    if !escape_all(&mut json) {
        return value.clone();
    }
    serde_json::from_value(json).expect("only characters of strings have changed")
}

/// True if anything has changed.
fn escape_all(value: &mut Value) -> bool {
    match value {
        Value::String(text) => match printable(text) {
            Cow::Owned(escaped) => {
                *text = escaped;
                true
            }
            Cow::Borrowed(_) => false,
        },
        Value::Array(values) => values.iter_mut().fold(false, |changed, value| escape_all(value) | changed),
        Value::Object(fields) => fields.values_mut().fold(false, |changed, value| escape_all(value) | changed),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn escape(text: &str, is_kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    replace(
        text,
        |character| is_unsafe(character) && !is_kept(character),
        |character| match character {
            '\n' => "\\n".to_owned(),
            '\t' => "\\t".to_owned(),
            '\r' => "\\r".to_owned(),
            '\0'..='\u{ff}' => format!("\\x{:02x}", u32::from(character)),
            _ => format!("\\u{{{:x}}}", u32::from(character)),
        },
    )
}

fn replace(text: &str, is_replaced: impl Fn(char) -> bool, escaped: impl Fn(char) -> String) -> Cow<'_, str> {
    if !text.chars().any(&is_replaced) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_replaced(character) {
            safe.push_str(&escaped(character));
        } else {
            safe.push(character);
        }
    }
    Cow::Owned(safe)
}

fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character,
            // Soft hyphen, Arabic letter mark, zero-width marks and joiners.
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            // Separators of lines and paragraphs, direction of text, invisible operators.
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "\x1b]0;pwned\x07\x1b[2J\r\n\t\u{9b}31m\u{202e}\u{200b}\u{7f}\u{e0041}é";

    #[test]
    fn nothing_reaches_the_terminal_but_text() {
        let line = printable(HOSTILE);
        assert_eq!(line, "\\x1b]0;pwned\\x07\\x1b[2J\\r\\n\\t\\x9b31m\\u{202e}\\u{200b}\\x7f\\u{e0041}é");
        assert_eq!(printable_lines("a\n\tb\x1b[m"), "a\n\tb\\x1b[m");
        assert_eq!(printable_bytes(b"a\xff\x1bb\n"), "a\u{fffd}\\x1bb\n");
        let mut copied = Vec::new();
        copy_printable(&b"a\x1b[m\nb"[..], &mut copied).expect("a vector takes everything");
        assert_eq!(copied, b"a\\x1b[m\nb");
        assert!(matches!(printable("plain, näive \"text\" 漢字"), Cow::Borrowed(_)));
    }

    #[test]
    fn json_means_the_same() {
        let value = serde_json::json!({ "name": HOSTILE, "list": ["\u{202e}", 1] });
        let text = value.to_string() + "\n";
        let safe = printable_json(&text);
        assert!(!safe.chars().any(|character| is_unsafe(character) && character != '\n'), "{safe}");
        assert_eq!(serde_json::from_str::<Value>(&safe).expect("it is still JSON"), value);
    }

    #[test]
    fn copies_have_printable_texts() {
        let value: Vec<(String, u32)> = vec![("a\x1b".to_owned(), 1), ("b".to_owned(), 2)];
        assert_eq!(printable_copy(&value), [("a\\x1b".to_owned(), 1), ("b".to_owned(), 2)]);
    }
}
