//! Linking of instrumented code.

use std::path::PathBuf;

use tine_trace::entry::INTERFACE;

use super::super::args::{Arg, Language, Stage};
use super::super::flags::{self, Fate};
use super::version_script::VersionScripts;
use super::{Planner, text};

/// The kind of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Product {
    Program,
    /// Uses the runtime of the program that loads it.
    SharedLibrary,
    /// `-r`: an object that combines objects.
    Object,
}

impl Planner<'_> {
    /// Plans the link. `objects` are the compiled inputs, in order.
    pub(super) fn link(&mut self, objects: &[PathBuf]) -> Vec<String> {
        let (mut args, after) = self.runtime_flags();
        let mut objects = objects.iter();
        let mut scripts = VersionScripts::new(self.product() == Product::Program, &self.places.temp);
        for arg in &self.line.args {
            match arg {
                Arg::Input(input) if input.language == Language::Linker => args.push(input.path.clone()),
                Arg::Input(input) => {
                    let object = objects.next().expect("one for each compiled input");
                    if input.language != Language::Header {
                        args.push(text(object));
                    }
                }
                Arg::Option(option) => {
                    let wanted = matches!(option.stage, Stage::Link | Stage::Both) || option.name == "-o";
                    if wanted && flags::fate(option) == Fate::Kept {
                        args.extend(scripts.replaced(option));
                    }
                }
            }
        }
        self.plan.steps.extend(scripts.steps);
        args.push("-Wno-unused-command-line-argument".into());
        args.extend(after);
        args
    }

    /// Flags before and after those of the user. Paths are passed with `-Xlinker`, because a `-x c` may be in effect.
    pub(super) fn runtime_flags(&mut self) -> (Vec<String>, Vec<String>) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let product = self.product();
        if product == Product::Object {
            return (before, after);
        }
        if product == Product::Program {
            before.push("-Wl,--wrap=main".into());
            // Export the whole runtime for shared libraries, including parts that the program itself does not call. A
            // static program loads no libraries, and a static PIE cannot even start with such symbols.
            if !self.line.has("-static") && !self.line.has("-static-pie") {
                before.push("-Wl,--export-dynamic-symbol=__tine_*".into());
            }
            let start = if self.mode.native { "" } else { ",-u,__tine_start" };
            before.push(format!("-Wl,-u,{}{start}", runtime_symbols().join(",-u,")));
            // The runtime calls `main`, which may be in one of the user's archives (`-lgtest_main`), so the runtime
            // comes first.
            before.extend(["-Xlinker".into(), text(&self.places.runtime)]);
            self.plan.needs.runtime = true;
        }
        let mut libraries = vec![&self.places.interfaces];
        self.plan.needs.interfaces = true;
        if !self.mode.native {
            libraries.push(&self.places.models);
            self.plan.needs.models = true;
        }
        if product == Product::SharedLibrary && self.refuses_undefined() {
            libraries.push(&self.places.stub);
            self.plan.needs.stub = true;
        }
        // The user may have left `--whole-archive` on.
        after.push("-Wl,--push-state,--no-whole-archive".into());
        after.extend(libraries.into_iter().flat_map(|library| ["-Xlinker".into(), text(library)]));
        after.push("-Wl,--pop-state".into());
        (before, after)
    }

    fn product(&self) -> Product {
        let words = self.line.linker_words();
        let has_any = |options: &[&str]| options.iter().any(|option| self.line.has(option) || words.contains(option));
        if has_any(&["-r", "--relocatable", "-i"]) {
            Product::Object
        } else if has_any(&["-shared", "--shared", "-Bshareable"]) {
            Product::SharedLibrary
        } else {
            Product::Program
        }
    }

    /// `-z defs` or one of its synonyms. The last one counts.
    fn refuses_undefined(&self) -> bool {
        let words = self.line.linker_words();
        let mut refuses = false;
        for (index, word) in words.iter().enumerate() {
            match *word {
                "--no-undefined" | "-no-undefined" => refuses = true,
                "defs" | "undefs" if index > 0 && words[index - 1] == "-z" => refuses = *word == "defs",
                "-zdefs" => refuses = true,
                "-zundefs" => refuses = false,
                _ => {}
            }
        }
        refuses
    }
}

/// All symbols that instrumented code may use: entry points, the interface, and the variable that passes shadows.
pub(in super::super) fn runtime_symbols() -> Vec<String> {
    macro_rules! names {
        ($( fn $name:ident ( $($argument:ident : $type:ident),* ) $( -> $result:ident )? ; )*) => {
            [$( concat!("__tine_", stringify!($name)) ),*]
        };
    }
    let entry_points = tine_trace::entry_points!(names);
    entry_points.into_iter().chain(INTERFACE).chain([PASSING]).map(str::to_owned).collect()
}

/// The thread-local variable that passes shadows in calls.
pub(in super::super) const PASSING: &str = "__tine_passing";
