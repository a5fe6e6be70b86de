//! Definitions of structures that the unit's first file only declares and another file defines, with their
//! enumerations. Tests need their layout, because they make such objects.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use tine_types::graph::Member;
use tine_types::{Kind, Program, TypeGraph, TypeId};

use super::frame::{Head, OLDER_C};

/// Definitions of the incomplete types that values of `roots` lead to.
pub(super) fn definitions(program: &Program, roots: &[TypeId], head: &Head) -> String {
    if head.other_files.is_empty() {
        return String::new();
    }
    let graph = &program.types;
    let mut tagged = Vec::new();
    let mut seen = BTreeSet::new();
    roots.iter().for_each(|root| reach(graph, *root, &mut seen, &mut tagged));
    // Several files describe one type.
    let mut names = BTreeSet::new();
    tagged.retain(|ty| names.insert(asked(graph, *ty)));
    let unknown = unknown(graph, &tagged, head);
    let mut text = String::new();
    // Members come before the structures that contain them.
    for ty in tagged.iter().filter(|ty| unknown.contains(*ty)) {
        let name = graph.describe(*ty);
        if let Kind::Enum { values, .. } = graph.kind(*ty) {
            let values: Vec<String> = values.iter().map(|one| format!("{} = {}", one.name, one.value)).collect();
            let _ = writeln!(text, "\nenum {{ {} }};", values.join(", "));
            continue;
        }
        let Some(members) = members(graph, *ty) else { continue };
        let size = graph.size(*ty).unwrap_or(0);
        let _ = writeln!(text, "\n/* Defined in another file of the unit. */\n{name} {{\n{members}}};");
        let _ = writeln!(text, "_Static_assert(sizeof({name}) == {size}, \"the layout of {name}\");");
    }
    text
}

/// Structures and unions with a tag, each after its members, and enumerations.
fn reach(graph: &TypeGraph, ty: TypeId, seen: &mut BTreeSet<TypeId>, tagged: &mut Vec<TypeId>) {
    let ty = graph.strip(ty);
    if !seen.insert(ty) {
        return;
    }
    match graph.kind(ty) {
        Kind::Pointer { to } => reach(graph, *to, seen, tagged),
        Kind::Array { element, .. } => reach(graph, *element, seen, tagged),
        Kind::Struct { members } | Kind::Union { members } => {
            members.iter().for_each(|member| reach(graph, member.ty, seen, tagged));
            tagged.extend(graph.get(ty).name.as_ref().map(|_| ty));
        }
        Kind::Enum { values, .. } if !values.is_empty() => tagged.push(ty),
        _ => {}
    }
}

/// The expression whose size the first file knows if it knows the type.
fn asked(graph: &TypeGraph, ty: TypeId) -> String {
    match graph.kind(ty) {
        Kind::Enum { values, .. } => values.first().map(|one| one.name.clone()).unwrap_or_default(),
        _ => graph.describe(ty),
    }
}

/// Those types that the first file does not define.
fn unknown(graph: &TypeGraph, types: &[TypeId], head: &Head) -> BTreeSet<TypeId> {
    let mut text = format!("#include \"{}\"\n", head.main_file.display());
    for ty in types {
        let _ = writeln!(text, "extern char tine_size[sizeof({})];", asked(graph, *ty));
    }
    let mut command = Command::new("clang-22");
    command.args(["-fsyntax-only", "-w", "-ferror-limit=0", "-x", "c"]).args(&head.flags).args(OLDER_C).arg("-");
    command.current_dir(&head.directory).env("LC_ALL", "C");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut attempt = || {
        let mut child = command.spawn().ok()?;
        child.stdin.take()?.write_all(text.as_bytes()).ok()?;
        child.wait_with_output().ok()
    };
    let messages = attempt().map(|output| String::from_utf8_lossy(&output.stderr).into_owned()).unwrap_or_default();
    let of_line = |message: &str| {
        let line = message.strip_prefix("<stdin>:")?.split(':').next()?.parse::<usize>().ok()?;
        let is_unknown = message.contains("incomplete type") || message.contains("undeclared identifier");
        types.get(line.checked_sub(2)?).copied().filter(|_| is_unknown)
    };
    messages.lines().filter_map(of_line).collect()
}

fn members(graph: &TypeGraph, ty: TypeId) -> Option<String> {
    let (Kind::Struct { members } | Kind::Union { members }) = graph.kind(ty) else { return None };
    let mut text = String::new();
    for Member { name, ty, bits, .. } in members {
        let width = bits.map_or(String::new(), |bits| format!(" : {}", bits.size));
        let _ = writeln!(text, "    {}{width};", member(graph, *ty, name.as_deref().unwrap_or_default())?);
    }
    Some(text)
}

/// A declaration without typedefs and enumerations, which the first file may not know.
fn member(graph: &TypeGraph, ty: TypeId, name: &str) -> Option<String> {
    let ty = graph.strip(ty);
    let declared = |ty: &str| format!("{ty} {name}").trim_end().to_owned();
    match graph.kind(ty) {
        Kind::Struct { .. } | Kind::Union { .. } if graph.get(ty).name.is_none() => {
            let keyword = if matches!(graph.kind(ty), Kind::Struct { .. }) { "struct" } else { "union" };
            Some(declared(&format!("{keyword} {{\n{}}}", members(graph, ty)?)))
        }
        Kind::Array { element, count } => {
            let count = count.map_or(String::new(), |count| count.to_string());
            member(graph, *element, &format!("{name}[{count}]"))
        }
        Kind::Pointer { to } => {
            let to = graph.strip(*to);
            let is_simple = graph.get(to).name.is_some() && !matches!(graph.kind(to), Kind::Enum { .. });
            let simple = if is_simple { graph.describe(to) } else { "void".to_owned() };
            // `*name[3]` is an array of pointers.
            Some(format!("{simple} *{name}"))
        }
        Kind::Enum { underlying, .. } => member(graph, *underlying, name),
        _ => graph.get(ty).name.as_ref().map(|_| declared(&graph.describe(ty))),
    }
}
