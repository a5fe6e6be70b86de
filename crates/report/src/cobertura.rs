//! Coverage in Cobertura's format, which GitLab, Jenkins and Azure read.

use std::collections::BTreeMap;
use std::path::Path;

use crate::data::Data;
use crate::totals::{Branch, FileTotals, totals};
use crate::uri::relative;
use crate::xml::Xml;

/// Covered and total number of items.
#[derive(Clone, Copy, Default)]
struct Rate {
    covered: usize,
    all: usize,
}

impl Rate {
    fn text(self) -> String {
        if self.all == 0 { "1".to_owned() } else { format!("{:.4}", self.covered as f64 / self.all as f64) }
    }

    fn add(&mut self, other: Rate) {
        self.covered += other.covered;
        self.all += other.all;
    }
}

/// The file for some sessions. Source paths below `root` are relative to it. `timestamp` is in seconds since 1970.
pub fn cobertura(sessions: &[Data], root: &Path, version: &str, timestamp: u64) -> String {
    let files = totals(sessions);
    let (mut lines, mut branches) = (Rate::default(), Rate::default());
    for totals in files.values() {
        lines.add(line_rate(totals.lines.iter()));
        branches.add(branch_rate(totals.branches.values().flatten()));
    }
    let attributes = [
        ("line-rate", lines.text()),
        ("branch-rate", branches.text()),
        ("lines-covered", lines.covered.to_string()),
        ("lines-valid", lines.all.to_string()),
        ("branches-covered", branches.covered.to_string()),
        ("branches-valid", branches.all.to_string()),
        ("complexity", "0".to_owned()),
        ("version", format!("tine {version}")),
        ("timestamp", timestamp.to_string()),
    ];
    let mut xml = Xml::new();
    xml.element("coverage", &attributes, |xml| {
        xml.element("sources", &[], |xml| xml.element("source", &[], |xml| xml.text(&root.to_string_lossy())));
        xml.element("packages", &[], |xml| {
            let package = [
                ("name", "c".to_owned()),
                ("line-rate", lines.text()),
                ("branch-rate", branches.text()),
                ("complexity", "0".to_owned()),
            ];
            xml.element("package", &package, |xml| {
                xml.element("classes", &[], |xml| {
                    files.iter().for_each(|(file, totals)| class(xml, relative(file, root), totals));
                });
            });
        });
    });
    xml.finish()
}

fn line_rate<'a>(lines: impl Iterator<Item = (&'a u32, &'a bool)>) -> Rate {
    lines.fold(Rate::default(), |rate, (_, executed)| Rate {
        covered: rate.covered + usize::from(*executed),
        all: rate.all + 1,
    })
}

fn branch_rate<'a>(branches: impl Iterator<Item = &'a Branch>) -> Rate {
    branches.flat_map(|branch| &branch.sides).fold(Rate::default(), |rate, side| Rate {
        covered: rate.covered + usize::from(side.taken > 0),
        all: rate.all + 1,
    })
}

fn class(xml: &mut Xml, file: &str, totals: &FileTotals) {
    let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let attributes = [
        ("name", name),
        ("filename", file.to_owned()),
        ("line-rate", line_rate(totals.lines.iter()).text()),
        ("branch-rate", branch_rate(totals.branches.values().flatten()).text()),
        ("complexity", "0".to_owned()),
    ];
    xml.element("class", &attributes, |xml| {
        xml.element("methods", &[], |xml| {
            let mut starts: Vec<(u32, &String)> =
                totals.functions.iter().map(|(name, seen)| (seen.line, name)).collect();
            starts.sort_unstable();
            for (index, (first, name)) in starts.iter().enumerate() {
                let end = starts.get(index + 1).map_or(u32::MAX, |next| next.0);
                method(xml, name, *first..end, totals);
            }
        });
        xml.element("lines", &[], |xml| write_lines(xml, totals.lines.iter(), &totals.branches));
    });
}

fn method(xml: &mut Xml, name: &str, range: std::ops::Range<u32>, totals: &FileTotals) {
    let branches = totals.branches.range(range.clone()).flat_map(|(_, branches)| branches);
    let attributes = [
        ("name", name.to_owned()),
        ("signature", String::new()),
        ("line-rate", line_rate(totals.lines.range(range.clone())).text()),
        ("branch-rate", branch_rate(branches).text()),
        ("complexity", "0".to_owned()),
    ];
    xml.element("method", &attributes, |xml| {
        xml.element("lines", &[], |xml| write_lines(xml, totals.lines.range(range), &totals.branches));
    });
}

fn write_lines<'a>(
    xml: &mut Xml,
    lines: impl Iterator<Item = (&'a u32, &'a bool)>,
    branches: &BTreeMap<u32, Vec<Branch>>,
) {
    for (line, executed) in lines {
        let mut attributes = vec![("number", line.to_string()), ("hits", u8::from(*executed).to_string())];
        let Some(here) = branches.get(line) else {
            attributes.push(("branch", "false".to_owned()));
            xml.empty("line", &attributes);
            continue;
        };
        let rate = branch_rate(here.iter());
        attributes.push(("branch", "true".to_owned()));
        attributes.push(("condition-coverage", share(rate)));
        xml.element("line", &attributes, |xml| {
            xml.element("conditions", &[], |xml| {
                for (number, branch) in here.iter().enumerate() {
                    let own = branch_rate([branch].into_iter());
                    let percent = own.covered * 100 / own.all.max(1);
                    let kind = if branch.sides.len() == 2 { "jump" } else { "switch" };
                    xml.empty(
                        "condition",
                        &[
                            ("number", number.to_string()),
                            ("type", kind.to_owned()),
                            ("coverage", format!("{percent}%")),
                        ],
                    );
                }
            });
        });
    }
}

/// `50% (1/2)`.
fn share(rate: Rate) -> String {
    format!("{}% ({}/{})", rate.covered * 100 / rate.all.max(1), rate.covered, rate.all)
}
