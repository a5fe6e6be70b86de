//! Undefined symbols of a unit, from the compiler's output. They do not prevent an exploration: undefined variables are
//! zero, and calling an undefined function is an error.

/// Number of elements of an array, and of bytes of a structure, whose size is not declared.
const ELEMENTS: u32 = 256;
const ROOM: u32 = 4096;

/// Undefined symbols that a unit uses.
#[derive(Debug, Default)]
pub struct External {
    /// Undefined variables with their definitions in C.
    pub variables: Vec<(String, String)>,
    pub functions: Vec<String>,
}

/// Sorts undefined symbols into variables and functions. `text` is the LLVM IR of the unit. Weak symbols, and those
/// that it does not mention, are left out.
pub fn sort(text: &str, names: &[String]) -> External {
    let External { mut variables, mut functions } = External::default();
    for name in names {
        let variable = format!("@{name} = ");
        let function = format!("@{name}(");
        for line in text.lines() {
            if let Some(declaration) = line.strip_prefix(&variable) {
                variables.extend(definition(text, name, declaration).map(|definition| (name.clone(), definition)));
            } else if line.starts_with("declare ") && line.contains(&function) && !line.contains("extern_weak") {
                functions.push(name.clone());
            }
        }
    }
    External { variables, functions }
}

/// True if the linker defines this name: bounds of sections and of the program.
pub fn is_linkers(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "_GLOBAL_OFFSET_TABLE_",
        "_DYNAMIC",
        "__bss_start",
        "__dso_handle",
        "__ehdr_start",
        "__executable_start",
        "_edata",
        "_end",
        "_etext",
        "edata",
        "end",
        "etext",
    ];
    name.starts_with("__start_") || name.starts_with("__stop_") || NAMES.contains(&name)
}

/// `external global [512 x i32], align 16` → `__typeof__(table) table;`
fn definition(text: &str, name: &str, declaration: &str) -> Option<String> {
    let declaration = declaration.strip_prefix("external ")?;
    let (before, ty) = declaration.split_once("global ").or_else(|| declaration.split_once("constant "))?;
    let ty = ty.split(',').next().unwrap_or(ty);
    if before.contains("thread_local") {
        return Some(format!("_Thread_local __typeof__({name}) {name};"));
    }
    if ty.starts_with("[0 x") {
        return Some(format!("__typeof__({name}[0]) {name}[{ELEMENTS}];"));
    }
    Some(match text.contains(&format!("{ty} = type opaque")) {
        true => format!("__asm__(\".comm {name},{ROOM},64\");"),
        false => format!("__typeof__({name}) {name};"),
    })
}

#[cfg(test)]
mod tests {
    use super::{External, sort};

    #[test]
    fn variables_and_functions() {
        let text = "\
%struct.op = type opaque
@table = dso_local global [2 x ptr] [ptr @other, ptr null], align 16
@hidden = external global %struct.op, align 1
@tl = external thread_local global i32, align 4
@count = external global i32, align 4
@maybe = extern_weak global i32, align 4
@tab = external constant [0 x i32], align 4
declare void @other(i32 noundef) #0
declare extern_weak void @perhaps() #0
";
        let names = ["hidden", "tl", "count", "maybe", "tab", "other", "perhaps", "elsewhere"].map(str::to_owned);
        let External { variables, functions } = sort(text, &names);
        let definitions: Vec<&str> = variables.iter().map(|(_, definition)| definition.as_str()).collect();
        assert_eq!(
            definitions,
            [
                "__asm__(\".comm hidden,4096,64\");",
                "_Thread_local __typeof__(tl) tl;",
                "__typeof__(count) count;",
                "__typeof__(tab[0]) tab[256];",
            ]
        );
        assert_eq!(functions, ["other"]);
    }
}
