//! `instrument IN.bc OUT [text|asm|bitcode]`: the instrumenter by itself, for looking at what it does.

use std::path::Path;

use tine_instrument::{Emit, Options, compile};

fn main() {
    let argv: Vec<std::ffi::CString> = std::iter::once("x".to_owned())
        .chain(std::env::var("LLVM_ARGS").unwrap_or_default().split_whitespace().map(str::to_owned))
        .map(|a| std::ffi::CString::new(a).unwrap())
        .collect();
    let ptrs: Vec<*const std::ffi::c_char> = argv.iter().map(|a| a.as_ptr()).collect();
    unsafe { llvm_sys::support::LLVMParseCommandLineOptions(ptrs.len() as i32, ptrs.as_ptr(), std::ptr::null()) };
    let args: Vec<String> = std::env::args().collect();
    let emit = match args.get(3).map(String::as_str) {
        Some("text") => Emit::Text,
        Some("asm") => Emit::Assembly,
        Some("bitcode") => Emit::Bitcode,
        _ => Emit::Object,
    };
    match compile(Path::new(&args[1]), Path::new(&args[2]), &Options { emit, ..Options::default() }) {
        Ok(report) => {
            println!("{report:?}");
            unsafe { llvm_sys::core::LLVMShutdown() }
        }
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}
