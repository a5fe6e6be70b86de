//! Refreshes a committed suite: valid tests keep their text and the users' changes, changed expectations are listed,
//! and new tests are added.
//!
//! ```text
//!   tests in the file        tests of the session
//!     same inputs ──────────── same inputs      the file's text stays; if expectations differ, see below
//!     other inputs                              stays if it still passes
//!     unknown                                   written by a person: stays
//!                              other inputs     added after the test that comes before it in the session
//! ```
//! [`Recorded`] describes the last export, so a test that a user has changed is recognised. Its text stays even if
//! expectations differ. The text of other tests is replaced.

use std::collections::{BTreeMap, BTreeSet};

use tine_engine::verified::digest;

/// A test as the last export wrote it. Names of tests are unique in a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    pub name: String,
    /// Digest of the text.
    pub text: String,
    /// Digest of objects and call.
    pub inputs: String,
}

impl Recorded {
    pub(crate) fn line(&self) -> String {
        format!("# test {} {} {}\n", self.name, self.text, self.inputs)
    }

    pub(crate) fn parse(line: &str) -> Option<Recorded> {
        let mut words = line.strip_prefix("# test ")?.split(' ').map(str::to_owned);
        Some(Recorded { name: words.next()?, text: words.next()?, inputs: words.next()? })
    }
}

/// A test in a file, with its comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// `None` for text between tests.
    pub(crate) name: Option<String>,
    pub(crate) text: String,
}

/// A test of the session, about to be written.
#[derive(Clone, Debug)]
pub(crate) struct Fresh {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) inputs: String,
}

impl Fresh {
    pub(crate) fn recorded(&self) -> Recorded {
        Recorded { name: self.name.clone(), text: short_digest(&self.text), inputs: self.inputs.clone() }
    }
}

/// The result of a merge.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    pub(crate) blocks: Vec<Block>,
    pub(crate) recorded: Vec<Recorded>,
    /// New names of the session's tests.
    pub(crate) renamed: BTreeMap<String, String>,
    pub(crate) differences: Vec<String>,
}

/// A short digest of text without leading and trailing blank lines.
pub(crate) fn short_digest(text: &str) -> String {
    digest(text.trim().as_bytes()).chars().take(16).collect()
}

/// The tests of a file: everything between the line that includes the support and the list of tests.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let body = text.find("support.h\"\n").map_or("", |at| &text[at + "support.h\"\n".len()..]);
    let mut blocks = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    let is_end = |line: &str| line.starts_with('}') || line == "#endif";
    for line in body.lines().chain([""]) {
        let complete = line.is_empty() && lines.last().is_none_or(|last| is_end(last));
        if !complete {
            lines.push(line);
            continue;
        }
        let text = lines.join("\n");
        lines.clear();
        let is_frame = text.contains("int main(") || text.starts_with("static const struct test");
        if !text.trim().is_empty() && !is_frame {
            blocks.push(Block { name: name_of(&text), text: text.trim_matches('\n').to_owned() });
        }
    }
    blocks
}

/// The name in the line that begins a test.
fn name_of(text: &str) -> Option<String> {
    let begins = text.lines().filter(|line| line.ends_with('{') && !line.starts_with([' ', '}']));
    let mut names = begins.filter_map(|line| {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        line.split(|c: char| !word(c)).find(|part| part.starts_with("test_") && !part.ends_with("_body"))
    });
    names.next_back().map(str::to_owned)
}

/// Merges tests of a session into those of a file. `passes` returns true if a test of the file passes now.
pub(crate) fn merge(old: &[Block], recorded: &[Recorded], fresh: &[Fresh], passes: &dyn Fn(&str) -> bool) -> Merged {
    let mut merged = Merged::default();
    let known = |name: &str| recorded.iter().find(|one| one.name == name);
    let mut used: BTreeSet<String> = old.iter().filter_map(|block| block.name.clone()).collect();
    // The test of the file that has the same inputs.
    let partner = |one: &Fresh| {
        let same =
            |block: &&Block| block.name.as_deref().and_then(known).is_some_and(|known| known.inputs == one.inputs);
        old.iter().find(same).and_then(|block| block.name.clone())
    };
    let partners: Vec<Option<String>> = fresh.iter().map(partner).collect();
    let mut kept: Vec<Block> = Vec::new();
    for block in old {
        let Some(name) = &block.name else {
            kept.push(block.clone());
            continue;
        };
        let Some(before) = known(name) else {
            kept.push(block.clone());
            continue;
        };
        let is_edited = short_digest(&block.text) != before.text;
        let new = partners.iter().position(|partner| partner.as_ref() == Some(name)).map(|index| &fresh[index]);
        let Some(new) = new else {
            if is_edited || passes(name) {
                if !passes(name) {
                    merged.differences.push(format!("{name} fails now; it was edited, so it stays"));
                }
                kept.push(block.clone());
                merged.recorded.push(before.clone());
            } else {
                merged.differences.push(format!("{name} fails now, and the session has no case like it: removed"));
                used.remove(name);
            }
            continue;
        };
        let text = new.text.replace(&new.name, name);
        merged.renamed.insert(new.name.clone(), name.clone());
        let digest = short_digest(&text);
        merged.recorded.push(Recorded { name: name.clone(), text: digest.clone(), inputs: new.inputs.clone() });
        if digest == before.text {
            kept.push(block.clone());
            continue;
        }
        let end = if is_edited { "; it was edited, so its text stays" } else { "" };
        let changes = changes(&block.text, &text);
        if is_edited {
            kept.push(block.clone());
        } else {
            kept.push(Block { name: Some(name.clone()), text });
        }
        merged.differences.push(format!("{name} has changed{end}:{changes}"));
    }
    // New tests follow their predecessor in the session.
    let mut place = 0;
    for (one, partner) in fresh.iter().zip(&partners) {
        if let Some(partner) = partner {
            place = kept.iter().position(|block| block.name.as_ref() == Some(partner)).map_or(place, |at| at + 1);
            continue;
        }
        let name = crate::source::unused_name(&one.name, &mut used);
        let text = one.text.replace(&one.name, &name);
        merged.renamed.insert(one.name.clone(), name.clone());
        merged.differences.push(format!("{name} is new"));
        merged.recorded.push(Recorded { name: name.clone(), text: short_digest(&text), inputs: one.inputs.clone() });
        kept.insert(place, Block { name: Some(name), text });
        place += 1;
    }
    merged.blocks = kept;
    merged
}

/// Lines that only one of the two versions has.
fn changes(old: &str, new: &str) -> String {
    let missing = |lines: &str, other: &str, sign: char| -> String {
        let other: BTreeSet<&str> = other.lines().collect();
        lines.lines().filter(|line| !other.contains(line)).map(|line| format!("\n    {sign} {}", line.trim())).collect()
    };
    missing(old, new, '-') + &missing(new, old, '+')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(tests: &[(&str, &str)]) -> String {
        let blocks: String =
            tests.iter().map(|(name, body)| format!("static void {name}(void) {{\n    {body}\n}}\n\n")).collect();
        format!(
            "#include \"support.h\"\n\n{blocks}static const struct test tests[] = {{\n}};\n\nint main(void) {{\n}}\n"
        )
    }

    fn fresh(name: &str, body: &str, inputs: &str) -> Fresh {
        let text = format!("static void {name}(void) {{\n    {body}\n}}");
        Fresh { name: name.to_owned(), text, inputs: inputs.to_owned() }
    }

    fn names(merged: &Merged) -> Vec<&str> {
        merged.blocks.iter().filter_map(|block| block.name.as_deref()).collect()
    }

    #[test]
    fn edits_and_own_tests_stay_and_new_tests_are_added() {
        let written = [fresh("test_a", "f(1);", "1"), fresh("test_b", "f(2);", "2")];
        let known: Vec<Recorded> = written.iter().map(Fresh::recorded).collect();
        let old = blocks(&file(&[("test_a", "f(1); /* mine */"), ("test_own", "g();"), ("test_b", "f(2);")]));
        let new = [fresh("test_a", "f(1);", "1"), fresh("test_c", "f(3);", "3"), fresh("test_z", "f(2);", "2")];
        let merged = merge(&old, &known, &new, &|_| true);
        assert_eq!(names(&merged), ["test_a", "test_c", "test_own", "test_b"]);
        assert!(merged.blocks[0].text.contains("mine"));
        assert_eq!(merged.differences, ["test_c is new"]);
    }

    #[test]
    fn changed_expectations_are_listed_and_stale_tests_go() {
        let written = [fresh("test_a", "assert(f(1) == 2);", "1"), fresh("test_b", "f(2);", "2")];
        let known: Vec<Recorded> = written.iter().map(Fresh::recorded).collect();
        let old = || blocks(&file(&[("test_a", "assert(f(1) == 2);"), ("test_b", "f(2);")]));
        let new = || vec![fresh("test_returns_3", "assert(f(1) == 3);", "1")];
        let merged_stale = merge(&old(), &known, &new(), &|_| false);
        assert_eq!(names(&merged_stale), ["test_a"]);
        assert!(
            merged_stale.blocks[0].text.contains("== 3")
                && merged_stale.differences[0].contains("+ assert(f(1) == 3);")
        );
        let merged_valid = merge(&old(), &known, &new(), &|_| true);
        assert_eq!(names(&merged_valid), ["test_a", "test_b"]);
        // A second merge adds nothing.
        let again = merge(&merged_valid.blocks, &merged_valid.recorded, &new(), &|_| true);
        assert_eq!((again.blocks, again.differences), (merged_valid.blocks, Vec::new()));
    }
}
