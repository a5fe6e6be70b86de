//! Compiling one input.

use std::path::PathBuf;

use super::super::args::{Arg, Input, Language, Stage};
use super::super::flags::{self, Fate};
use super::{Driver, Emit, Planner, Step, dependencies, stem, text};

impl Planner<'_> {
    /// Plans the commands that compile `source` to an object (or to the requested output). Returns the object's path.
    pub(super) fn compile(&mut self, source: &Input, ordinal: usize) -> PathBuf {
        match source.language {
            Language::C | Language::Cxx => self.compile_and_instrument(source, ordinal),
            Language::Header => self.precompile(source),
            Language::Foreign => self.assemble(source, ordinal),
            Language::Linker => PathBuf::from(&source.path),
        }
    }

    fn compile_and_instrument(&mut self, source: &Input, ordinal: usize) -> PathBuf {
        let bitcode = self.temp(ordinal, source, "bc");
        let output = self.output(source, ordinal);
        let mut args = self.instrumentable_flags(source);
        if self.mode.hooks.is_some() {
            // A call that is inlined has no hook.
            args.extend(["-Xclang".into(), "-disable-llvm-passes".into()]);
        }
        args.push("-emit-llvm".into());
        args.extend(dependencies::flags(self.line, &source.path));
        args.push("-c".into());
        args.extend(input_words(source));
        args.extend(["-o".into(), text(&bitcode)]);
        self.step(driver_for(source, self.mode.cxx), args);
        let emit = if self.line.has("-S") { Emit::Assembly } else { Emit::Object };
        self.plan.steps.push(Step::Instrument { bitcode, output: output.clone(), emit });
        output
    }

    /// Precompiles a header with the same flags as the sources that will include it. Otherwise clang would reject it
    /// there.
    fn precompile(&mut self, source: &Input) -> PathBuf {
        let mut args = self.instrumentable_flags(source);
        args.extend(dependencies::flags(self.line, &source.path));
        args.extend(input_words(source));
        let output = self.line.value("-o");
        args.extend(output.into_iter().flat_map(|path| ["-o".to_owned(), path.to_owned()]));
        self.step(driver_for(source, self.mode.cxx), args);
        PathBuf::from(&source.path)
    }

    fn assemble(&mut self, source: &Input, ordinal: usize) -> PathBuf {
        let output = self.output(source, ordinal);
        let mut args = self.user_flags();
        if source.is_preprocessed_by_clang() {
            args.extend(self.include_flags());
        }
        args.extend(dependencies::flags(self.line, &source.path));
        args.push(if self.line.has("-S") { "-S".into() } else { "-c".into() });
        args.extend(input_words(source));
        args.extend(["-o".into(), text(&output)]);
        self.step(driver_for(source, self.mode.cxx), args);
        output
    }

    fn instrumentable_flags(&mut self, source: &Input) -> Vec<String> {
        let mut args = flags::checks(self.mode.selected, self.line.options());
        args.extend(self.user_flags());
        if source.is_preprocessed_by_clang() {
            args.extend(self.include_flags());
            args.extend(flags::PREPROCESSOR.iter().map(|flag| (*flag).to_owned()));
        }
        args.extend(flags::FRONT_END.iter().map(|flag| (*flag).to_owned()));
        args
    }

    /// The user's options for the compiler. If only an object is made, they include linker options: clang warns that
    /// they are unused, as it would without tine.
    fn user_flags(&self) -> Vec<String> {
        let mut words = Vec::new();
        for arg in &self.line.args {
            let Arg::Option(option) = arg else { continue };
            let wanted = match option.stage {
                Stage::Preprocess | Stage::Compile | Stage::Both => true,
                Stage::Link => !self.links(),
                Stage::Driver | Stage::Dependencies | Stage::Inquiry => false,
            };
            if wanted && flags::fate(option) == Fate::Kept {
                words.extend(option.words.iter().cloned());
            }
        }
        if self.links() {
            // One command has become several, so each has flags that are meant for another.
            words.push("-Wno-unused-command-line-argument".into());
        }
        words
    }

    /// Path of the object (or assembly) of `source`: the path that the user or a compiler would choose, or a temporary
    /// file if it is only linked.
    fn output(&self, source: &Input, ordinal: usize) -> PathBuf {
        if self.links() {
            return self.temp(ordinal, source, "o");
        }
        match self.line.value("-o") {
            Some(path) => PathBuf::from(path),
            None => PathBuf::from(format!("{}.{}", stem(&source.path), if self.line.has("-S") { "s" } else { "o" })),
        }
    }
}

fn driver_for(source: &Input, cxx: bool) -> Driver {
    if cxx || source.language == Language::Cxx { Driver::Cxx } else { Driver::C }
}

fn input_words(source: &Input) -> Vec<String> {
    let mut words = Vec::new();
    if let Some(language) = &source.forced {
        words.extend(["-x".into(), language.clone()]);
    }
    words.push(source.path.clone());
    words
}
