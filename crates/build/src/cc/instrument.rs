//! The one place where the compiler driver calls the instrumenter.

use std::path::{Path, PathBuf};

use super::plan::{Emit, Mode};

/// Instruments `bitcode`. `headers` are tine's own: their inline functions are not the user's code. `models` are called
/// instead of functions of the C library.
pub(super) fn instrument(
    bitcode: &Path,
    output: &Path,
    emit: Emit,
    library: bool,
    mode: &Mode,
    headers: &Path,
    models: Vec<String>,
) -> Result<tine_instrument::Report, tine_instrument::Error> {
    let mut options = tine_instrument::Options {
        emit: match emit {
            Emit::Object => tine_instrument::Emit::Object,
            Emit::Assembly => tine_instrument::Emit::Assembly,
        },
        library,
        volatile: mode.volatile,
        hooks: mode.hooks.as_ref().map(PathBuf::from),
        models,
        ..tine_instrument::Options::default()
    };
    options.library_paths.push(headers.to_path_buf());
    tine_instrument::compile(bitcode, output, &options)
}
