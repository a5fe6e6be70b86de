//! The page about `tine.h`, from its comments.

use std::fmt::Write as _;

use super::NOTICE;

/// Macros and functions with their comments, and a table of the functions for scalar types.
pub(super) fn page(header: &str) -> String {
    let mut text = format!("{NOTICE}# tine.h\n\n");
    let (mut comment, mut in_comment, mut scalars) = (String::new(), false, String::new());
    let mut is_first = true;
    for line in header.lines() {
        let line = line.trim_end();
        if line.starts_with("/*") {
            (comment, in_comment) = (String::new(), true);
        }
        if in_comment {
            let ends = line.ends_with("*/");
            let line = line.strip_suffix("*/").unwrap_or(line);
            comment += line.trim_start_matches("/*").trim_start_matches(" *").trim_end();
            comment.push('\n');
            in_comment = !ends;
            if !in_comment && is_first {
                is_first = false;
                text += &introduction(&comment);
            }
            continue;
        }
        if let Some(entry) = line.strip_prefix("__TINE_SCALAR(") {
            let mut parts = entry.trim_end_matches(')').split(", ");
            let (name, kind) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let _ = writeln!(scalars, "| `tine_{name}(name)` | `{}` |", plain(kind));
        } else if let Some(declaration) = declaration(line) {
            let about = comment.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = write!(text, "\n### `{declaration}`\n\n{about}\n");
        }
    }
    text + "\n### Scalar inputs\n\nOne function per scalar type. The parameter `name` is shown in reports.\n\n\
            | function | type |\n|---|---|\n"
        + &scalars
}

/// The first comment: paragraphs unchanged, indented lines as code.
fn introduction(comment: &str) -> String {
    let (mut text, mut in_code) = (String::new(), false);
    for line in comment.lines() {
        let is_code = line.starts_with("     ");
        if is_code != in_code && !line.trim().is_empty() {
            text += if is_code { "```c\n" } else { "```\n\n" };
            in_code = is_code;
        }
        if !(in_code && line.trim().is_empty()) {
            text += if in_code { line.get(5..).unwrap_or_default() } else { line.trim_start() };
            text.push('\n');
        }
    }
    text.trim_end().to_owned() + "\n"
}

/// `tine_choice(unsigned n, const char *name)`, if the line begins a function or macro of the interface.
fn declaration(line: &str) -> Option<String> {
    if let Some(rest) = line.strip_prefix("#define tine_") {
        return Some(format!("tine_{}", &rest[..=rest.find(')')?]));
    }
    let rest = line.strip_prefix("static __inline__ ")?;
    let declared = &rest[..=rest.find(')')?];
    Some(plain(declared))
}

/// The declaration as a user would write it.
fn plain(declared: &str) -> String {
    let words = [
        ("__SIZE_TYPE__", "size_t"),
        ("__PTRDIFF_TYPE__", "ptrdiff_t"),
        ("__INTPTR_TYPE__", "intptr_t"),
        ("__UINTPTR_TYPE__", "uintptr_t"),
        ("__tine_bool", "bool"),
        ("__tine_longlong", "long long"),
        ("__tine_ulonglong", "unsigned long long"),
        ("__tine_int128", "__int128"),
        ("__tine_uint128", "unsigned __int128"),
    ];
    let mut text = declared.to_owned();
    for bits in ["8", "16", "32", "64"] {
        text = text.replace(&format!("__INT{bits}_TYPE__"), &format!("int{bits}_t"));
        text = text.replace(&format!("__UINT{bits}_TYPE__"), &format!("uint{bits}_t"));
    }
    for (word, better) in words {
        text = text.replace(word, better);
    }
    text.replace(" __", " ").replace("*__", "*").replace(" int128", " __int128")
}
