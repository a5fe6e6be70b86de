//! Thin newtypes over LLVM's C API: only the functions needed for instrumentation, with LLVM's names.
//!
//! One rule makes the `unsafe` blocks below sound: every handle belongs to the one context of the [`Module`] that is
//! being compiled, handles are not used after its end, and LLVM's context is not shared between threads. The types are
//! private to this crate, which enforces the rule.

mod build;
mod module;
mod types;
mod value;

pub(crate) use build::{Area, Builder};
pub(crate) use module::{Module, Target};
pub(crate) use types::Type;
pub(crate) use value::{Block, Location, Scope, Value};

pub(crate) use llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMRealPredicate};

use std::ffi::{CStr, CString, c_char};

/// A string owned by LLVM, as a `String`.
fn borrowed_text(text: *const c_char, len: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: LLVM returned `len` bytes at `text`, alive as long as the value they belong to.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// A message allocated by LLVM for the caller.
fn owned_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: LLVM returned a NUL-terminated message that the caller must dispose of.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        llvm_sys::core::LLVMDisposeMessage(message);
        text
    }
}

fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "")).expect("no NUL is left")
}
