//! A harness for libFuzzer, with the cases as its corpus: fuzzing continues where tine stops.

use std::path::PathBuf;

use super::source::{self, Flags, MADE_BY};
use super::{Exported, Exporting, Format};
use crate::Error;
use crate::source::frame;
use crate::source::fuzz::Fuzzing;

#[derive(Debug)]
pub(super) struct LibFuzzer;

const SUPPORT: &str = include_str!("fuzz.c");
const SUPPORT_HEADER: &str = include_str!("fuzz.h");

impl Format for LibFuzzer {
    fn name(&self) -> &'static str {
        "libfuzzer"
    }

    fn about(&self) -> &'static str {
        "a harness for libFuzzer, and a corpus"
    }

    fn export(&self, exporting: &Exporting<'_>) -> Result<Exported, Error> {
        let fuzzing = Fuzzing::of(exporting.session, exporting.folder)?;
        let (head, name) = (&fuzzing.head, format!("fuzz_{}", fuzzing.function));
        let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
        for (path, text) in source::unit_files(head, exporting.out) {
            files.push((path, text.into_bytes()));
        }
        let text = format!(
            "/* Harness of `{}` for libFuzzer. {MADE_BY} */\n{}#include \"fuzz.h\"\n\n{}",
            fuzzing.function,
            head.text("unit.h"),
            fuzzing.text
        );
        files.push((format!("{name}.c").into(), text.into_bytes()));
        files.push(("fuzz.c".into(), SUPPORT.as_bytes().to_vec()));
        files.push(("fuzz.h".into(), SUPPORT_HEADER.as_bytes().to_vec()));
        for (number, bytes) in fuzzing.corpus.iter().enumerate() {
            files.push((format!("corpus/{number:03}").into(), bytes.clone()));
        }
        files.push(("Makefile".into(), makefile(head, &name, exporting).into_bytes()));
        Ok(Exported { files, n_tests: fuzzing.corpus.len(), ..Exported::default() })
    }
}

fn makefile(head: &frame::Head, name: &str, exporting: &Exporting<'_>) -> String {
    let Flags { unit, libraries, sources } = Flags::of(head, exporting.out);
    format!(
        "# {MADE_BY}\n\
         # make check: runs the corpus. make fuzz: continues from it; new inputs go into `found`.\n\
         UNIT_FLAGS = {unit}\n\
         LIBS = {libraries}-lm\n\
         CC = $(shell command -v clang || command -v clang-22)\n\
         SECONDS = 60\n\n\
         .PHONY: all check fuzz clean\nall: {name}\n\n\
         check: {name}\n\t./{name} -detect_leaks=0 -runs=0 corpus\n\n\
         fuzz: {name}\n\tmkdir -p found\n\t./{name} -detect_leaks=0 -max_total_time=$(SECONDS) found corpus\n\n\
         {name}: {name}.c fuzz.c{sources} unit.h fuzz.h\n\
         \t$(CC) $(UNIT_FLAGS) -g -O1 -w -fsanitize=fuzzer,address,undefined $(CFLAGS) -o $@ $(filter %.c,$^) $(LIBS)\n\n\
         clean:\n\trm -rf {name} found\n"
    )
}
