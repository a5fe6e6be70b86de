//! Answers stored in a file across runs, so that later explorations need not solve the same queries again. Without a file,
//! processes share them: each [takes](Answers::take_new) the lines of its expensive answers, and adds those of others.
//!
//! ```text
//! tine answers 0.1.0
//! unsat 0123456789abcdef0123456789abcdef
//! sat 0123456789abcdef0123456789abcdef 0.4=41 0.5=00
//! ```
//!
//! A query is identified by its [fingerprint](crate::fingerprint). A model consists of every byte that the query
//! mentions, and is evaluated before use. *Unsat* is used without a check, so a file of another version is rejected
//! because its rules may differ.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;
use tine_expr::InputByte;

/// Answers in a file, or shared by processes. Clones share them.
#[derive(Clone, Debug)]
pub struct Answers(Arc<Mutex<File>>);

#[derive(Debug)]
struct File {
    /// `None` for answers without a file.
    path: Option<PathBuf>,
    known: FxHashMap<u128, Kept>,
    has_new: bool,
    /// Expensive answers without a file that were not taken yet.
    new: Vec<u128>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    Unsat,
    /// All bytes that the query mentions.
    Sat(Box<[InputByte]>),
}

/// Reasons why a file does not contain answers.
#[derive(Debug, thiserror::Error)]
pub enum AnswersError {
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    #[error("{0}: line {1} is none of a file of answers")]
    Line(PathBuf, usize),
}

const TITLE: &str = "tine answers ";
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Solver time that makes an answer expensive: sending it to other processes takes less.
const EXPENSIVE: Duration = Duration::from_millis(1);
/// Maximum number of answers.
const MAX_ANSWERS: usize = 1 << 20;

impl Answers {
    /// Reads a file, which may not exist yet.
    pub fn open(path: &Path) -> Result<Answers, AnswersError> {
        let text = match std::fs::read_to_string(path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => String::new(),
            text => text.map_err(|why| AnswersError::Io(path.to_owned(), why))?,
        };
        let mut known = FxHashMap::default();
        let mut lines = text.lines().enumerate();
        if let Some((_, title)) = lines.next() {
            let version = title.strip_prefix(TITLE).ok_or_else(|| AnswersError::Line(path.to_owned(), 1))?;
            let lines = if version == VERSION { Some(lines) } else { None };
            for (number, line) in lines.into_iter().flatten() {
                let (key, kept) = entry(line).ok_or_else(|| AnswersError::Line(path.to_owned(), number + 1))?;
                known.insert(key, kept);
            }
        }
        Ok(Answers::of(Some(path.to_owned()), known))
    }

    /// No answers yet, and no file.
    pub fn shared() -> Answers {
        Answers::of(None, FxHashMap::default())
    }

    fn of(path: Option<PathBuf>, known: FxHashMap<u128, Kept>) -> Answers {
        Answers(Arc::new(Mutex::new(File { path, known, has_new: false, new: Vec::new() })))
    }

    /// Lines of the expensive answers since the last call.
    pub fn take_new(&self) -> Vec<String> {
        let mut file = self.lock();
        let new = std::mem::take(&mut file.new);
        new.into_iter().filter_map(|key| Some(line(key, file.known.get(&key)?))).collect()
    }

    /// Adds lines that another process of the same version took. Others are ignored.
    pub fn add_lines<'a>(&self, lines: impl Iterator<Item = &'a str>) {
        let mut file = self.lock();
        for (key, kept) in lines.filter_map(entry) {
            if file.known.len() < MAX_ANSWERS {
                file.known.entry(key).or_insert(kept);
            }
        }
    }

    /// Writes the file if there are new answers. Replaces it by a new file, so that it is complete at any time.
    pub fn save(&self) -> Result<(), AnswersError> {
        let mut file = self.lock();
        let Some(path) = file.path.clone().filter(|_| file.has_new) else { return Ok(()) };
        let mut text = format!("{TITLE}{VERSION}\n");
        let mut keys: Vec<&u128> = file.known.keys().collect();
        keys.sort_unstable();
        for key in keys {
            text += &line(*key, &file.known[key]);
            text.push('\n');
        }
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}", std::process::id()));
        // Remove a leftover file or a planted link, so that nothing is written through it.
        let _ = std::fs::remove_file(&name);
        let written = std::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&name)
            .and_then(|mut new| new.write_all(text.as_bytes()))
            .and_then(|()| std::fs::rename(&name, &path));
        file.has_new = false;
        written.map_err(|why| {
            let _ = std::fs::remove_file(&name);
            AnswersError::Io(path, why)
        })
    }

    /// Number of answers.
    pub fn len(&self) -> usize {
        self.lock().known.len()
    }

    /// True if nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn get(&self, key: u128) -> Option<Kept> {
        self.lock().known.get(&key).cloned()
    }

    /// Adds an answer that took the solver this time.
    pub(crate) fn add(&self, key: u128, kept: &Kept, time: Duration) {
        let mut file = self.lock();
        if file.known.len() < MAX_ANSWERS && file.known.insert(key, kept.clone()).as_ref() != Some(kept) {
            file.has_new = true;
            if file.path.is_none() && time >= EXPENSIVE {
                file.new.push(key);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, File> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The line of an answer.
fn line(key: u128, kept: &Kept) -> String {
    match kept {
        Kept::Unsat => format!("unsat {key:032x}"),
        Kept::Sat(bytes) => {
            let mut text = format!("sat {key:032x}");
            for byte in bytes {
                write!(text, " {}.{}={:02x}", byte.input, byte.offset, byte.value).expect("a string");
            }
            text
        }
    }
}

fn entry(line: &str) -> Option<(u128, Kept)> {
    let mut words = line.split(' ');
    let (verdict, key) = (words.next()?, u128::from_str_radix(words.next()?, 16).ok()?);
    match verdict {
        "unsat" => words.next().is_none().then_some((key, Kept::Unsat)),
        "sat" => {
            let bytes = words.map(|word| {
                let (place, value) = word.split_once('=')?;
                let (input, offset) = place.split_once('.')?;
                let (input, offset) = (input.parse().ok()?, offset.parse().ok()?);
                Some(InputByte { input, offset, value: u8::from_str_radix(value, 16).ok()? })
            });
            let bytes: Option<Vec<InputByte>> = bytes.collect();
            // Sorted, as the cache expects.
            bytes.filter(|bytes| bytes.is_sorted()).map(|bytes| (key, Kept::Sat(bytes.into())))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        let bytes = [(0, 4, 0x41), (7, 0, 0)].map(|(input, offset, value)| InputByte { input, offset, value });
        assert_eq!(entry("sat ff 0.4=41 7.0=00"), Some((255, Kept::Sat(bytes.into()))));
        assert_eq!(entry("unsat 10"), Some((16, Kept::Unsat)));
        for wrong in
            ["", "unsat", "unsat x", "unsat 10 0.4=41", "maybe 10", "sat 10 0.4", "sat 10 0.4=100", "sat 1 1.0=0 0.0=0"]
        {
            assert_eq!(entry(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn expensive_answers_are_shared() {
        let (one, other) = (Answers::shared(), Answers::shared());
        let sat = Kept::Sat([InputByte { input: 1, offset: 2, value: 3 }].into());
        one.add(1, &sat, EXPENSIVE);
        one.add(2, &Kept::Unsat, EXPENSIVE);
        one.add(3, &Kept::Unsat, Duration::ZERO);
        let lines = one.take_new();
        other.add_lines(lines.iter().map(String::as_str).chain(["what"]));
        assert_eq!([1, 2, 3].map(|key| other.get(key)), [Some(sat), Some(Kept::Unsat), None]);
        assert!(one.take_new().is_empty() && other.take_new().is_empty());
        one.save().unwrap();
    }

    #[test]
    fn files_are_read_again_and_others_are_refused() {
        let folder = std::env::temp_dir().join(format!("tine-answers-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("answers");
        let answers = Answers::open(&path).unwrap();
        answers.save().unwrap();
        assert!(!path.exists(), "nothing to write");
        answers.add(5, &Kept::Unsat, Duration::ZERO);
        answers.add(6, &Kept::Sat([InputByte { input: 1, offset: 2, value: 3 }].into()), EXPENSIVE);
        answers.save().unwrap();
        let again = Answers::open(&path).unwrap();
        assert_eq!((again.len(), again.get(5), again.get(6)), (2, answers.get(5), answers.get(6)));

        std::fs::write(&path, "tine answers 0.0.0\nunsat 5\n").unwrap();
        assert!(Answers::open(&path).unwrap().is_empty(), "another version");
        for (text, line) in [("int main;\n", 1), (&format!("{TITLE}{VERSION}\nfoo\n"), 2)] {
            std::fs::write(&path, text).unwrap();
            let why = Answers::open(&path).unwrap_err().to_string();
            assert!(why.contains(&format!("line {line} ")), "{why}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
