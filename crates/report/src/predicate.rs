//! Requirements as a predicate in C, for `--requires`.

use std::path::Path;

use tine_session::Summary;

/// A C file with the unit and a predicate of the function's parameters. `file` is its future path.
pub fn predicate(summary: &Summary, parameters: &[String], unit: &Path, file: &Path) -> String {
    let name = format!("{}_requires", summary.target);
    let conditions: Vec<String> =
        summary.requirements.iter().map(|required| format!("({})", required.predicate)).collect();
    let holds = if conditions.is_empty() { "1".to_owned() } else { conditions.join("\n        && ") };
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    format!(
        "/* Requirements of `{target}`. Explore it under these with:\n\n       tine test {file} --fn {target} --requires {name}\n*/\n\
         #include \"{unit}\"\n#include <stddef.h>\n\n\
         static int {name}({parameters}) {{\n    return {holds};\n}}\n",
        target = summary.target,
        file = file.display(),
        unit = unit.display(),
    )
}
