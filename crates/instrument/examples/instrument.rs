//! `instrument IN.bc OUT [text|asm|bitcode]`: the instrumenter alone, for inspecting its output.

use std::path::Path;

use tine_instrument::{Emit, Options, compile};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let emit = match args.get(3).map(String::as_str) {
        Some("text") => Emit::Text,
        Some("asm") => Emit::Assembly,
        Some("bitcode") => Emit::Bitcode,
        _ => Emit::Object,
    };
    match compile(Path::new(&args[1]), Path::new(&args[2]), &Options { emit, ..Options::default() }) {
        Ok(report) => println!("{report:?}"),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}
