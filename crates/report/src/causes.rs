//! Errors with the same cause. They are one entry of a report.
//!
//! ```text
//!   in `parse`: `s->name` is NULL at a.c:3, a.c:4 and a.c:9      the same pointer of the input
//!   in `step`:  index 4 of `table[…]` at a.c:5 and a.c:6          the same array
//!   in `put`:   writes after the block allocated at a.c:2         the same block
//! ```

use tine_session::summary::ErrorSummary;

use crate::source::Sources;

/// Errors with the same cause, in order.
pub(crate) type Group<'a> = Vec<&'a ErrorSummary>;

/// Errors by cause, in order of the first of each.
pub(crate) fn groups<'a>(errors: impl IntoIterator<Item = &'a ErrorSummary>, sources: &Sources) -> Vec<Group<'a>> {
    let mut groups: Vec<(Option<Cause<'a>>, Group<'a>)> = Vec::new();
    for error in errors {
        let cause = cause(error, sources);
        match groups.iter_mut().find(|(known, _)| cause.is_some() && *known == cause) {
            Some((_, group)) => group.push(error),
            None => groups.push((cause, vec![error])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Kind of the error, its function, and the object or expression that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cause<'a> {
    kind: &'a str,
    file: &'a str,
    function: &'a str,
    is_shown_by_calls: bool,
    subject: String,
}

/// `None` if nothing is known but the place.
fn cause<'a>(error: &'a ErrorSummary, sources: &Sources) -> Option<Cause<'a>> {
    let subject = null_pointer(&error.about).or_else(|| block(&error.about)).or_else(|| array(error, sources))?;
    Some(Cause {
        kind: &error.kind,
        file: &error.file,
        function: &error.function,
        is_shown_by_calls: error.by_calls.is_some(),
        subject,
    })
}

/// The pointer in "`list->items[3]` is NULL", without indices.
fn null_pointer(about: &str) -> Option<String> {
    let pointer = about.strip_prefix('`')?.strip_suffix("` is NULL")?;
    let mut depth = 0;
    let is_outside = |c: &char| {
        depth += i32::from(*c == '[') - i32::from(*c == ']');
        depth == 0 && *c != ']'
    };
    Some(pointer.chars().filter(is_outside).collect())
}

/// The place in "… allocated at a.c:2 in `make`, freed at …".
fn block(about: &str) -> Option<String> {
    let (_, place) = about.split_once(" allocated at ")?;
    Some(format!("block of {}", place.split(", freed").next().unwrap_or(place)))
}

/// The array of "index 4 of an array of 4 elements", as the source names it at the place of the error.
fn array(error: &ErrorSummary, sources: &Sources) -> Option<String> {
    let is_index = error.about.starts_with("index ");
    let source = sources.get(&error.file).filter(|source| is_index && !source.is_changed)?;
    let line = source.lines.get((error.line as usize).checked_sub(1)?)?;
    let rest = line.get((error.column as usize).checked_sub(1)?..)?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && !"_.->".contains(c))?;
    (end > 0 && rest[end..].trim_start().starts_with('[')).then(|| format!("array {}", &rest[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    fn error(line: u32, column: u32, about: &str) -> ErrorSummary {
        let (file, function) = ("a.c".to_owned(), "f".to_owned());
        ErrorSummary { file, function, line, column, about: about.to_owned(), ..ErrorSummary::default() }
    }

    #[test]
    fn errors_with_the_same_cause_are_one_group() {
        let lines = ["x = s->t[i];", "y = s->t [i] + u[i];"].map(str::to_owned).to_vec();
        let sources = Sources::from([("a.c".to_owned(), Source { lines, is_changed: false })]);
        let block = |which| format!("write of 1 byte, right after the 2-byte block allocated at a.c:{which} in `f`");
        let errors = [
            error(1, 5, "index 4 of an array of 4 elements"),
            error(9, 1, "`s->items[1].name` is NULL"),
            error(2, 5, "index -1 of an array of 4 elements"),
            error(2, 16, "index 4 of an array of 4 elements"),
            error(8, 1, "`s->items[20].name` is NULL"),
            error(8, 2, "`s->name` is NULL"),
            error(7, 1, &block(3)),
            error(6, 1, &(block(3) + ", freed at a.c:5 in `g`")),
            error(6, 2, &block(4)),
            error(5, 1, ""),
            error(4, 1, ""),
            ErrorSummary { function: "g".to_owned(), ..error(3, 1, "`s->name` is NULL") },
        ];
        let lines = |group: &Group<'_>| group.iter().map(|error| error.line).collect::<Vec<_>>();
        let found: Vec<Vec<u32>> = groups(&errors, &sources).iter().map(lines).collect();
        let expected: [&[u32]; 9] = [&[1, 2], &[9, 8], &[2], &[8], &[7, 6], &[6], &[5], &[4], &[3]];
        assert_eq!(found, expected);
    }
}
