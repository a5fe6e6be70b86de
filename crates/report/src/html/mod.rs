//! HTML reports about sessions: one self-contained file, which opens from disk. The first view needs no script.
//!
//! `first` has the verdict and the figures. `errors`, `listing`, `charts` and `tables` each have a part of
//! the page. `script.js` builds the execution tree from the bytes of the session. A policy in the page forbids
//! everything else: network access, and scripts in strings of the unit.

mod charts;
mod errors;
mod first;
mod listing;
mod tables;

use std::path::{Path, PathBuf};

use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use crate::base64;
use crate::data::Data;
use crate::printable::printable_json;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Name and text of each file of the page. Several sessions have a page each and an index. A page that is served
/// reloads itself while the exploration runs.
pub fn pages(sessions: &[Data], version: &str, is_served: bool) -> Vec<(PathBuf, String)> {
    let index = PathBuf::from("index.html");
    if let [data] = sessions {
        return vec![(index, page(data, version, None, is_served))];
    }
    let names: Vec<String> = sessions.iter().enumerate().map(|(number, data)| file_name(data, number)).collect();
    let mut pages = vec![(index, overview(sessions, &names, version, is_served))];
    let each = sessions.iter().zip(&names);
    pages.extend(each.map(|(data, name)| (PathBuf::from(name), page(data, version, Some("index.html"), is_served))));
    pages
}

/// A name that is safe in file names and links.
fn file_name(data: &Data, number: usize) -> String {
    let letters = data.summary.target.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_');
    format!("{:03}-{}.html", number + 1, letters.take(60).collect::<String>())
}

/// The page of one session. `up` is a link to the index.
pub fn page(data: &Data, version: &str, up: Option<&str>, is_served: bool) -> String {
    let summary = &data.summary;
    let body = html! {
        (navigation(data, up))
        main id="main" {
            (first::view(data))
            (errors::section(data))
            (tables::left_out(data))
            (tables::coverage(data))
            (listing::section(data))
            (charts::section(data))
            (tree(data))
            (tables::cases(data))
            footer {
                p { "Written by tine " (version) " from the session " code { (data.dir.display()) }
                    ", strategy " code { (summary.strategy) } "." }
            }
        }
    };
    document(&format!("{} · tine", summary.target), is_served && !data.is_finished, &body)
}

fn navigation(data: &Data, up: Option<&str>) -> Markup {
    let summary = &data.summary;
    html! {
        a.skip href="#main" { "Skip to the report" }
        nav aria-label="Sections" { div {
            b { "tine" }
            @if let Some(up) = up { a href=(up) { "All units" } }
            @if !summary.errors.is_empty() || !summary.unreproduced.is_empty() { a href="#errors" { "Errors" } }
            @if !summary.not_shown_reachable.is_empty() { a href="#not-shown" { "Not shown reachable" } }
            @if !summary.requirements.is_empty() { a href="#requirements" { "Requirements" } }
            @if !summary.reasons.is_empty() { a href="#left-out" { "Left out" } }
            a href="#coverage" { "Coverage" }
            a href="#source" { "Source" }
            a href="#charts" { "Search and solver" }
            @if !data.tree.is_empty() { a href="#tree-section" { "Tree" } }
            a href="#cases" { "Cases" }
        } }
    }
}

/// The whole document.
fn document(title: &str, reloads: bool, body: &Markup) -> String {
    let digest = base64::encode(&Sha256::digest(SCRIPT.as_bytes()));
    let policy =
        format!("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'");
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content="tine";
                @if reloads { meta http-equiv="refresh" content="3"; }
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (body)
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// Data of the execution tree, for the script.
fn tree(data: &Data) -> Markup {
    if data.tree.is_empty() {
        return html! {};
    }
    let files = data.files();
    let short = |file: &str| if files.len() > 1 { name_of(file).to_owned() + ":" } else { String::new() };
    let sites: serde_json::Map<String, serde_json::Value> = data
        .sites
        .iter()
        .map(|site| {
            let at = format!("{}{}:{}", short(&site.file), site.line, site.column);
            (site.id.to_string(), serde_json::json!([at, site.function, site.sides]))
        })
        .collect();
    let json = serde_json::json!({ "nodes": base64::encode(&data.tree), "sites": sites }).to_string();
    html! {
        section id="tree-section" aria-labelledby="tree-title" {
            h2 id="tree-title" { "Execution tree" }
            p.soft { "Every decision that depends on the input. Open a row to see the decisions after it; the arrow keys move, open and close." }
            div.tree id="tree" { p.small style="padding:0 .8rem" { "The tree is drawn by the script of this page, which does not run here." } }
            script type="application/json" id="tree-data" { (PreEscaped(data_block(&json))) }
        }
    }
}

/// JSON that cannot close the enclosing element.
fn data_block(json: &str) -> String {
    printable_json(json).replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// The index of several sessions.
fn overview(sessions: &[Data], names: &[String], version: &str, is_served: bool) -> String {
    let body = html! {
        a.skip href="#main" { "Skip to the report" }
        nav aria-label="Sections" { div { b { "tine" } a href="#units" { "Units" } a href="#errors" { "Errors" } } }
        main id="main" {
            (first::overview(sessions))
            (tables::units(sessions, names))
            (errors::overview(sessions, names))
            footer { p { "Written by tine " (version) "." } }
        }
    };
    let is_finished = sessions.iter().all(|data| data.is_finished);
    document("All units · tine", is_served && !is_finished, &body)
}

/// Name of a file without its directory.
fn name_of(file: &str) -> &str {
    Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or(file)
}

/// Identifier of a line on the page.
fn line_id(data: &Data, file: &str, line: u32) -> Option<String> {
    let number = data.files().into_iter().position(|known| known == file)?;
    Some(format!("f{number}l{line}"))
}

/// A place as a link to the source on the page, if the page has it.
fn place_link(data: &Data, file: &str, line: u32, column: u32) -> Markup {
    let text = crate::printable(&crate::terminal::place(name_of(file), line, column)).into_owned();
    let is_shown = data.sources.get(file).is_some_and(|source| line > 0 && line as usize <= source.lines.len());
    html! {
        @match line_id(data, file, line).filter(|_| is_shown) {
            Some(id) => { a.mono href={ "#" (id) } title=(crate::printable(file)) { (text) } }
            None => { span.mono title=(crate::printable(file)) { (text) } }
        }
    }
}

/// A command with a button to copy it.
fn command(text: &str) -> Markup {
    html! { div.command { code { (text) } } }
}
