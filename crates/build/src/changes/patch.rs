//! Unified diffs: the lines that a change touches in each file, and the text of the file before the change.

use std::collections::BTreeSet;

/// The part of a diff that is about one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FilePatch {
    /// Names before and after the change, as the diff spells them. `None` is `/dev/null`.
    pub(super) old: Option<String>,
    pub(super) new: Option<String>,
    hunks: Vec<Hunk>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Hunk {
    /// Line of the new file at which it begins, from 1.
    first: usize,
    lines: Vec<(Kind, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Kept,
    Added,
    Removed,
}

/// Changed lines of a file, as they are now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) added: BTreeSet<u32>,
    /// Lines that follow removed ones.
    pub(super) after_removed: BTreeSet<u32>,
}

/// The diff does not describe how the file became what it is: it differs in this line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mismatch(pub(super) usize);

/// The header of a hunk cannot be read: its line of the diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Damaged(pub(super) usize);

/// Reads the output of `git diff` or `diff -u`. Text between the files is ignored.
pub(super) fn parse(text: &str) -> Result<Vec<FilePatch>, Damaged> {
    let mut files: Vec<FilePatch> = Vec::new();
    let mut lines = text.split('\n').enumerate().peekable();
    // Number of lines that the current hunk still has, in the old and in the new file.
    let mut left = (0, 0);
    let mut old = None;
    let mut renamed = None;
    while let Some((number, line)) = lines.next() {
        if left != (0, 0) {
            let Some(hunk) = files.last_mut().and_then(|file| file.hunks.last_mut()) else { break };
            let (kind, text) = match line.split_at_checked(1) {
                Some(("+", text)) => (Kind::Added, text),
                Some(("-", text)) => (Kind::Removed, text),
                Some((" ", text)) => (Kind::Kept, text),
                // Some mailers remove the blank of an empty line.
                None => (Kind::Kept, ""),
                Some(_) => continue,
            };
            left.0 -= usize::from(kind != Kind::Added).min(left.0);
            left.1 -= usize::from(kind != Kind::Removed).min(left.1);
            hunk.lines.push((kind, text.to_owned()));
        } else if let Some(name) = line.strip_prefix("--- ")
            && lines.peek().is_some_and(|(_, next)| next.starts_with("+++ "))
        {
            old = Some(name_of(name));
        } else if let Some(name) = line.strip_prefix("+++ ")
            && let Some(old) = old.take()
        {
            let file = FilePatch { old, new: name_of(name), hunks: Vec::new() };
            // A renamed file with changes has both kinds of headers.
            files.pop_if(|last| last.hunks.is_empty() && (&last.old, &last.new) == (&file.old, &file.new));
            files.push(file);
        } else if let Some(name) = line.strip_prefix("rename from ") {
            renamed = name_of(name);
        } else if let Some(name) = line.strip_prefix("rename to ")
            && let (Some(old), Some(new)) = (renamed.take(), name_of(name))
        {
            files.push(FilePatch { old: Some(format!("a/{old}")), new: Some(format!("b/{new}")), hunks: Vec::new() });
        } else if let Some(header) = line.strip_prefix("@@ -")
            && let Some(file) = files.last_mut()
        {
            let (before, after) = ranges(header).ok_or(Damaged(number + 1))?;
            // An empty range is after its line.
            let first = after.0 + usize::from(after.1 == 0);
            file.hunks.push(Hunk { first, lines: Vec::new() });
            left = (before.1, after.1);
        }
    }
    Ok(files)
}

/// `12,3 +14 @@ …`: first line and number of lines, before and after.
fn ranges(text: &str) -> Option<((usize, usize), (usize, usize))> {
    let (before, rest) = text.split_once(" +")?;
    let (after, _) = rest.split_once(" @@")?;
    let range = |text: &str| {
        let (first, count) = text.split_once(',').unwrap_or((text, "1"));
        Some((first.parse().ok()?, count.parse().ok()?))
    };
    Some((range(before)?, range(after)?))
}

/// A file name of a diff, without the time that `diff -u` writes after it. Git quotes unusual names.
fn name_of(text: &str) -> Option<String> {
    let name = text.split('\t').next().unwrap_or_default().trim_end_matches('\r');
    let name = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
    (name != "/dev/null").then(|| name.to_owned())
}

impl FilePatch {
    pub(super) fn lines(&self) -> Lines {
        let mut lines = Lines::default();
        for hunk in &self.hunks {
            let mut at = hunk.first as u32;
            for (kind, _) in &hunk.lines {
                match kind {
                    Kind::Added => drop(lines.added.insert(at)),
                    Kind::Removed => drop(lines.after_removed.insert(at)),
                    Kind::Kept => {}
                }
                at += u32::from(*kind != Kind::Removed);
            }
        }
        lines
    }

    /// The text before the change, computed from the text after it.
    pub(super) fn before(&self, now: &str) -> Result<String, Mismatch> {
        let now: Vec<&str> = now.split('\n').collect();
        let mut before: Vec<&str> = Vec::new();
        let mut at = 0;
        for hunk in &self.hunks {
            let first = hunk.first.saturating_sub(1);
            before.extend(now.get(at..first).ok_or(Mismatch(first))?);
            at = first;
            for (kind, text) in &hunk.lines {
                if *kind != Kind::Removed {
                    let is_same =
                        now.get(at).is_some_and(|line| line.trim_end_matches('\r') == text.trim_end_matches('\r'));
                    if !is_same {
                        return Err(Mismatch(at + 1));
                    }
                    at += 1;
                }
                if *kind != Kind::Added {
                    before.push(text);
                }
            }
        }
        before.extend(now.get(at..).unwrap_or_default());
        Ok(before.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "\
diff --git a/src/x.c b/src/x.c
index 1..2 100644
--- a/src/x.c\t2024-01-01
+++ b/src/x.c\t2024-01-02
@@ -1,4 +1,4 @@ int f(void)
 one
-two
-three
+2
+3
 four
@@ -9 +8,0 @@
-nine
@@ -11,0 +11,2 @@
+eleven
+twelve
--- a/gone.c
+++ /dev/null
@@ -1 +0,0 @@
---- a line that looks like a header
";
    const NOW: &str = "one\n2\n3\nfour\n5\n6\n7\n8\n10\n11\neleven\ntwelve\n13\n";
    const BEFORE: &str = "one\ntwo\nthree\nfour\n5\n6\n7\n8\nnine\n10\n11\n13\n";

    #[test]
    fn changed_lines_are_those_of_the_new_file() {
        let files = parse(DIFF).expect("a diff");
        let names: Vec<_> = files.iter().map(|file| (file.old.as_deref(), file.new.as_deref())).collect();
        assert_eq!(names, [(Some("a/src/x.c"), Some("b/src/x.c")), (Some("a/gone.c"), None)]);
        let lines = files[0].lines();
        assert_eq!(lines.added.into_iter().collect::<Vec<_>>(), [2, 3, 11, 12]);
        assert_eq!(lines.after_removed.into_iter().collect::<Vec<_>>(), [2, 9]);
        assert_eq!(files[1].hunks[0].lines.len(), 1, "a removed line is not a header");
    }

    #[test]
    fn the_text_before_is_computed() {
        let files = parse(DIFF).expect("a diff");
        assert_eq!(files[0].before(NOW).as_deref(), Ok(BEFORE));
        assert_eq!(files[0].before(BEFORE), Err(Mismatch(2)), "the diff is not applied");
        assert_eq!(parse("no diff\n--- \n"), Ok(Vec::new()));
        assert_eq!(parse("--- a/x\n+++ b/x\n@@ -1 +99999999999999999999 @@\n-x\n+y\n"), Err(Damaged(3)));
    }

    #[test]
    fn renamed_files_have_both_names() {
        let plain = "diff --git a/k.h b/kk.h\nsimilarity index 100%\nrename from k.h\nrename to kk.h\n";
        let changed = format!("{plain}--- a/k.h\n+++ b/kk.h\n@@ -1 +1 @@\n-1\n+2\n");
        for (text, n_hunks) in [(plain, 0), (&*changed, 1)] {
            let files = parse(text).expect("a diff");
            let names: Vec<_> = files.iter().map(|file| (file.old.as_deref(), file.new.as_deref())).collect();
            assert_eq!((names, files[0].hunks.len()), (vec![(Some("a/k.h"), Some("b/kk.h"))], n_hunks));
        }
    }
}
