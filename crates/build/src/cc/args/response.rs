//! Response files: `@file` is replaced by the words in the file, which may contain further `@file`s.

use std::fs;

/// Maximum nesting, enough for any build system. It stops a file that includes itself.
const MAX_DEPTH: usize = 32;

/// Replaces every `@file`. As in gcc, an unreadable one is an ordinary argument.
pub(crate) fn expand(words: Vec<String>) -> Vec<String> {
    let mut out = Vec::new();
    for word in words {
        expand_word(word, 0, &mut out);
    }
    out
}

fn expand_word(word: String, depth: usize, out: &mut Vec<String>) {
    let text = match word.strip_prefix('@') {
        Some(path) if depth < MAX_DEPTH => fs::read_to_string(path).ok(),
        _ => None,
    };
    match text {
        None => out.push(word),
        Some(text) => split(&text).into_iter().for_each(|word| expand_word(word, depth + 1, out)),
    }
}

/// Splits at white space. Quotes of both kinds group words, and a backslash escapes the next character, also inside
/// quotes.
fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', _) => word.get_or_insert_default().extend(chars.next()),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (_, Some(open)) if c == open => quote = None,
            (_, None) if c.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Quotes `word` for a response file or a shell.
pub(crate) fn quote(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-+=./,:@%^*".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    let escaped: String =
        word.chars().flat_map(|c| matches!(c, '"' | '\\' | '$' | '`').then_some('\\').into_iter().chain([c])).collect();
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::{expand, quote, split};

    #[test]
    fn words_of_a_file() {
        let check = |text: &str, words: &[&str]| assert_eq!(split(text), words, "{text}");
        check("", &[]);
        check("-c a.c\n\t-o  b.o\n", &["-c", "a.c", "-o", "b.o"]);
        check(r#"-DNAME="a b" '-I x y' z\ z"#, &["-DNAME=a b", "-I x y", "z z"]);
        check(r#"'' "" a""b"#, &["", "", "ab"]);
        check(r#""quote \" and \\ inside""#, &[r#"quote " and \ inside"#]);
    }

    #[test]
    fn what_is_quoted_reads_back() {
        for word in ["plain", "", "a b", r#"-DX="y\n""#, "it's", "a\nb", "$HOME"] {
            assert_eq!(split(&quote(word)), [word]);
        }
    }

    #[test]
    fn files_nest_and_may_be_missing() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let (outer, inner) = (dir.path().join("outer"), dir.path().join("inner"));
        std::fs::write(&inner, "-lm x.o").expect("written");
        std::fs::write(&outer, format!("-o prog @{} @missing", inner.display())).expect("written");
        let words = expand(vec!["a.o".into(), format!("@{}", outer.display()), "b.o".into()]);
        assert_eq!(words, ["a.o", "-o", "prog", "-lm", "x.o", "@missing", "b.o"]);
        // A file that includes itself ends.
        std::fs::write(&outer, format!("z @{}", outer.display())).expect("written");
        assert!(expand(vec![format!("@{}", outer.display())]).len() > 2);
    }
}
