//! Functions of the C library for which tine has a model: instrumented code calls the model, all other code the library.
//!
//! ```text
//!   user.c   declares strlen         ─▶  declares __tine_model_strlen
//!   own.c    defines  strlen         ─▶  the same, and __tine_model_strlen is an alias of it
//!   models/libc/strlen.c defines it  ─▶  defines __tine_model_strlen
//! ```
//! So a program with its own function uses it, in all its files: models are taken from an archive, and only for
//! undefined names.

use crate::llvm::{LLVMLinkage, Module, Value};
use crate::names::MODEL;
use crate::pipeline::Options;

/// Prefixes that headers use for a function of a certain edition of the standard.
const EDITIONS: &[&str] = &["__isoc99_", "__isoc23_"];

/// Redirects uses of a modelled function to its model.
pub(crate) fn redirect(module: &Module, options: &Options) {
    for function in module.functions() {
        if function.is_intrinsic() {
            continue;
        }
        let Some(model) = model_of(&function.name(), options) else { continue };
        if function.is_declaration() {
            rename(module, function, &model);
        } else if options.library {
            rename(module, function, &model);
            // Every program and every shared library has its own copy.
            function.set_hidden();
        } else if matches!(
            function.linkage(),
            LLVMLinkage::LLVMExternalLinkage | LLVMLinkage::LLVMWeakAnyLinkage | LLVMLinkage::LLVMWeakODRLinkage
        ) {
            let alias = module.add_alias(&model, function);
            alias.set_linkage(function.linkage());
        }
    }
}

/// True if the module defines a model.
pub(crate) fn are_in(module: &Module) -> bool {
    module.functions().into_iter().any(|function| !function.is_declaration() && function.name().starts_with(MODEL))
}

fn model_of(name: &str, options: &Options) -> Option<String> {
    let is_modelled = |name: &str| options.models.iter().any(|model| model == name);
    let base = EDITIONS.iter().find_map(|edition| name.strip_prefix(edition)).unwrap_or(name);
    [name, base].into_iter().find(|name| is_modelled(name)).map(|name| format!("{MODEL}{name}"))
}

/// Several names may have one model.
fn rename(module: &Module, function: Value, name: &str) {
    match module.functions().into_iter().find(|other| other.name() == name) {
        Some(known) if function.is_declaration() => function.replace_uses(known),
        Some(known) => {
            known.replace_uses(function);
            known.erase_function();
            function.set_name(name);
        }
        None => function.set_name(name),
    }
}
