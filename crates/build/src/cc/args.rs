//! The command line of a C compiler. It is parsed as far as `tine cc` needs it, and otherwise kept unchanged.
//!
//! The relevant facts are the end of each argument (`-I dir` is one argument in two words), its stage ([`Stage`]), and
//! the inputs. `table` knows the options, and `response` expands `@file`s.

mod response;
mod table;

pub(super) use response::{expand, quote};
pub(super) use table::Stage;

/// A parsed command line, in order.
#[derive(Clone, Debug)]
pub(super) struct CommandLine {
    pub(super) args: Vec<Arg>,
    /// The unparsed words.
    pub(super) words: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) enum Arg {
    Input(Input),
    Option(Opt),
}

#[derive(Clone, Debug)]
pub(super) struct Input {
    /// Path as given; `-` is standard input.
    pub(super) path: String,
    pub(super) language: Language,
    /// Language of the `-x` in effect, if there is one.
    pub(super) forced: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Opt {
    /// The option without its argument: `-I` of `-Idir`. For an unknown option the whole word.
    pub(super) name: String,
    pub(super) value: Option<String>,
    /// The words as spelled by the user.
    pub(super) words: Vec<String>,
    pub(super) stage: Stage,
}

/// Kind of an input, where the stages treat it differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    C,
    Cxx,
    /// A header to precompile.
    Header,
    /// Assembly, and languages that go to clang unchanged.
    Foreign,
    /// Objects, archives, libraries, linker scripts: not compiled.
    Linker,
}

impl Arg {
    /// The words as spelled by the user.
    pub(super) fn words(&self) -> &[String] {
        match self {
            Arg::Input(input) => std::slice::from_ref(&input.path),
            Arg::Option(option) => &option.words,
        }
    }
}

impl Input {
    /// True if it is preprocessed. Clang warns of preprocessor flags for other inputs.
    pub(super) fn is_preprocessed_by_clang(&self) -> bool {
        let suffix = self.path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, suffix)| suffix);
        match (&self.forced, self.language) {
            (_, Language::Linker) => false,
            (Some(name), _) => !name.ends_with("cpp-output") && name != "ir" && name != "assembler",
            (None, _) => !matches!(suffix, Some("i" | "ii" | "mi" | "mii" | "bc" | "ll" | "s")),
        }
    }
}

impl CommandLine {
    /// Parses `words`: the command line without the compiler's name, with response files expanded.
    pub(super) fn parse(words: Vec<String>) -> CommandLine {
        let mut args = Vec::new();
        let mut forced: Option<String> = None;
        let mut only_inputs = false;
        let mut rest = words.iter().cloned();
        while let Some(word) = rest.next() {
            if only_inputs || !word.starts_with('-') || word == "-" {
                let language = Language::of(&word, forced.as_deref());
                args.push(Arg::Input(Input { path: word, language, forced: forced.clone() }));
                continue;
            }
            if word == "--" {
                only_inputs = true;
                continue;
            }
            let (name, joined, takes_next, stage) = table::look_up(&word);
            let mut option = Opt { name: name.to_owned(), value: joined.map(str::to_owned), words: vec![], stage };
            option.words.push(word);
            // Clang reports a missing argument.
            if takes_next && let Some(next) = rest.next() {
                option.value = Some(next.clone());
                option.words.push(next);
            }
            if option.name == "-x" {
                forced = option.value.clone().filter(|language| language != "none");
            }
            args.extend(unpacked(option).into_iter().map(Arg::Option));
        }
        CommandLine { args, words }
    }

    pub(super) fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.args.iter().filter_map(|arg| match arg {
            Arg::Input(input) => Some(input),
            Arg::Option(_) => None,
        })
    }

    pub(super) fn options(&self) -> impl Iterator<Item = &Opt> {
        self.args.iter().filter_map(|arg| match arg {
            Arg::Input(_) => None,
            Arg::Option(option) => Some(option),
        })
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.options().any(|option| option.name == name)
    }

    /// The value of the last option of that name.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.options().filter(|option| option.name == name).last()?.value.as_deref()
    }

    /// Arguments of the linker itself, one word each, from `-Wl,`, `-Xlinker` and `-z`.
    pub(super) fn linker_words(&self) -> Vec<&str> {
        let mut words = Vec::new();
        for option in self.options() {
            let value = option.value.as_deref().unwrap_or_default();
            match option.name.as_str() {
                "-Wl," => words.extend(value.split(',')),
                "-Xlinker" => words.push(value),
                "-z" => words.extend(["-z", value]),
                _ => {}
            }
        }
        words
    }
}

/// Some build systems write `-Wp,-MD,file` instead of `-MD -MF file`. All other words of a `-Wp,` become one option
/// each.
fn unpacked(option: Opt) -> Vec<Opt> {
    let value = option.value.as_deref().unwrap_or_default();
    if option.name != "-Wp," || value.is_empty() {
        return vec![option];
    }
    let named = |name: &str, value: Option<&str>| Opt {
        name: name.to_owned(),
        value: value.map(str::to_owned),
        words: std::iter::once(name).chain(value).map(str::to_owned).collect(),
        stage: Stage::Dependencies,
    };
    let mut options = Vec::new();
    let mut words = value.split(',');
    while let Some(word) = words.next() {
        match word {
            "-MD" | "-MMD" => {
                options.push(named(word, None));
                options.extend(words.next().map(|file| named("-MF", Some(file))));
            }
            "-MF" | "-MT" | "-MQ" => options.push(named(word, words.next())),
            "-MP" | "-MG" => options.push(named(word, None)),
            _ => {
                let (name, value, ..) = table::look_up(word);
                let words = vec![format!("-Wp,{word}")];
                let value = value.map(str::to_owned);
                options.push(Opt { name: name.to_owned(), value, words, stage: Stage::Preprocess });
            }
        }
    }
    options
}

impl Language {
    fn of(path: &str, forced: Option<&str>) -> Language {
        match forced {
            Some(name) => Language::of_name(name),
            None => Language::of_suffix(path),
        }
    }

    fn of_name(name: &str) -> Language {
        match name {
            "c" | "cpp-output" | "ir" => Language::C,
            "c++" | "c++-cpp-output" => Language::Cxx,
            _ if name.ends_with("header") || name.ends_with("header-unit") => Language::Header,
            _ => Language::Foreign,
        }
    }

    fn of_suffix(path: &str) -> Language {
        let name = path.rsplit('/').next().unwrap_or(path);
        let Some((_, suffix)) = name.rsplit_once('.') else { return Language::Linker };
        match suffix {
            "c" | "i" | "bc" | "ll" => Language::C,
            "cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" | "ii" => Language::Cxx,
            "h" | "hh" | "H" | "hp" | "hxx" | "hpp" | "HPP" | "h++" | "tcc" => Language::Header,
            "s" | "S" | "sx" | "m" | "mi" | "mm" | "mii" | "M" => Language::Foreign,
            _ => Language::Linker,
        }
    }
}

#[cfg(test)]
mod tests;
