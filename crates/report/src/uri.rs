//! Paths of source files in formats for other tools: relative to a root if they are below it.

use std::path::Path;

/// A path for other tools: relative to `root` if it lies below.
pub(crate) fn relative<'a>(file: &'a str, root: &Path) -> &'a str {
    Path::new(file).strip_prefix(root).ok().and_then(Path::to_str).unwrap_or(file)
}

/// The URI of a file on this machine.
pub fn file_uri(file: &str) -> String {
    uri(file, Path::new("\0"))
}

/// The path as a URI reference, in which reserved bytes are escaped.
pub(crate) fn uri(file: &str, root: &Path) -> String {
    let path = relative(file, root);
    let mut text = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => text.push(byte as char),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_below_the_root_are_relative() {
        assert_eq!(uri("/src/a b.c", Path::new("/src")), "a%20b.c");
        assert_eq!(uri("/other/a.c", Path::new("/src")), "file:///other/a.c");
    }
}
