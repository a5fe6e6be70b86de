//! Builds one [`ProgramMap`] from the modules' records: makes local numbers global, shares strings, and merges copies
//! of the same branch.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use tine_trace::event::Site;
use tine_trace::hash;
use tine_trace::map::{CONSTANT, FactKind, SiteKind, SiteRecord, Text};
use tine_trace::outcome::ErrorKind;
use tine_trace::segment::ModuleRecord;

use tine_trace::map::codec::ModuleMap;

use super::blob;
use super::{
    Block, BlockId, BranchId, BranchKey, Call, Case, Edge, Fact, Flow, Function, FunctionId, MapError, Module,
    ProgramMap, SideId, SiteInfo, UserBranch,
};

pub(super) fn build(blobs: &[ModuleMap], modules: &[ModuleRecord]) -> Result<ProgramMap, MapError> {
    let mut builder = Builder::default();
    for (index, module) in modules.iter().enumerate() {
        let blob = blobs.iter().find(|blob| blob.header.digest == module.digest);
        let blob = blob.ok_or(MapError::MissingModule(index))?;
        // Bases are running sums, because the runtime counts modules as they register.
        let expected =
            (builder.map.sites.len(), blob.sites.len(), builder.map.edge_side.len(), blob.header.n_covered as usize);
        let found = (module.site_base, module.n_sites, module.edge_base, module.n_edges);
        if expected != (found.0 as usize, found.1 as usize, found.2 as usize, found.3 as usize) {
            return Err(MapError::ModuleMismatch(index));
        }
        builder.add(blob, module)?;
    }
    builder.map.constants.sort_unstable();
    builder.map.constants.dedup();
    Ok(builder.map)
}

/// Identity of a branch among copies of its site: same function, same ordinal in it, same position and shape.
type CopyKey = (Arc<str>, Arc<str>, u32, u32, u32, u8, u16);

#[derive(Default)]
struct Builder {
    map: ProgramMap,
    strings: BTreeMap<String, Arc<str>>,
    branches: BTreeMap<CopyKey, BranchId>,
}

/// Start of the module's records in the program's tables.
struct Bases {
    functions: u32,
    sites: u32,
    cases: u32,
    blocks: u32,
    flows: u32,
    calls: u32,
    edges: u32,
    lines: u32,
}

impl Builder {
    fn add(&mut self, blob: &ModuleMap, module: &ModuleRecord) -> Result<(), MapError> {
        let map = &self.map;
        let bases = Bases {
            functions: map.functions.len() as u32,
            sites: map.sites.len() as u32,
            cases: map.cases.len() as u32,
            blocks: map.blocks.len() as u32,
            flows: map.flows.len() as u32,
            calls: map.calls.len() as u32,
            edges: map.edge_side.len() as u32,
            lines: map.lines.len() as u32,
        };
        let source = self.text(blob, blob.header.source)?;
        self.map.modules.push(Module {
            source,
            digest: module.digest,
            sites: bases.sites..bases.sites + module.n_sites,
            edges: bases.edges..bases.edges + module.n_edges,
            functions: bases.functions..bases.functions + blob.functions.len() as u32,
            dataflow: blob.dataflow.as_slice().into(),
        });
        self.add_functions(blob, &bases)?;
        self.add_graph(blob, &bases)?;
        for fact in &blob.facts {
            if let Some(kind) = FactKind::from_number(fact.kind) {
                let owner = (self.text(blob, fact.owner)?, fact.index);
                let passed = (self.text(blob, fact.callee)?, fact.argument);
                self.map.facts.insert(Fact { kind, owner, passed });
            }
        }
        self.add_sites(blob, &bases)
    }

    fn add_functions(&mut self, blob: &ModuleMap, bases: &Bases) -> Result<(), MapError> {
        for record in &blob.functions {
            let function = Function {
                name: self.text(blob, record.name)?,
                file: self.text(blob, record.file)?,
                line: record.line,
                flags: record.flags,
                sites: shifted("site", record.first_site, record.n_sites, blob.sites.len(), bases.sites)?,
                blocks: shifted("block", record.first_block, record.n_blocks, blob.blocks.len(), bases.blocks)?,
                signature: record.signature,
                entry: match record.entry.checked_sub(1) {
                    Some(edge) => Some(Edge(bases.edges + index("edge", edge, blob.header.n_covered as usize)?)),
                    None => None,
                },
            };
            self.map.functions.push(function);
        }
        Ok(())
    }

    fn add_graph(&mut self, blob: &ModuleMap, bases: &Bases) -> Result<(), MapError> {
        for record in &blob.blocks {
            let function = index("function", record.function, blob.functions.len())?;
            self.map.blocks.push(Block {
                function: FunctionId(bases.functions + function),
                line: record.line,
                flows: shifted("edge", record.first_edge, record.n_edges, blob.edges.len(), bases.flows)?,
                calls: shifted("call", record.first_call, record.n_calls, blob.calls.len(), bases.calls)?,
                lines: shifted("line", record.first_line, record.n_lines, blob.lines.len(), bases.lines)?,
            });
        }
        self.map.lines.extend_from_slice(&blob.lines);
        for record in &blob.edges {
            let to = index("block", record.to, blob.blocks.len())?;
            let site = optional("site", record.site, blob.sites.len())?;
            self.map.flows.push(Flow {
                to: BlockId(bases.blocks + to),
                decided_by: site.map(|site| (Site(bases.sites + site), record.side_index as u16)),
            });
        }
        for record in &blob.calls {
            let callee = self.text(blob, record.callee)?;
            let site = optional("site", record.site, blob.sites.len())?;
            let site = site.map(|site| Site(bases.sites + site));
            self.map.calls.push(Call { callee, signature: record.signature, site });
        }
        for record in &blob.cases {
            let value = u128::from(record.value[0]) | u128::from(record.value[1]) << 64;
            if record.side_index == CONSTANT {
                self.map.constants.push(value as i64);
            }
            self.map.cases.push(Case { value, side_index: record.side_index as u16 });
        }
        Ok(())
    }

    fn add_sites(&mut self, blob: &ModuleMap, bases: &Bases) -> Result<(), MapError> {
        self.map.edge_side.resize((bases.edges + blob.header.n_covered) as usize, None);
        let mut ordinals = vec![0u32; blob.functions.len()];
        for (local, record) in blob.sites.iter().enumerate() {
            let kind = SiteKind::from_number(record.kind)
                .ok_or(MapError::SiteKind { site: local as u32, kind: record.kind })?;
            let function = index("function", record.function, blob.functions.len())?;
            let mut info = self.site_info(blob, bases, record, kind, function)?;
            if matches!(kind, SiteKind::Branch | SiteKind::Switch) {
                let ordinal = ordinals[function as usize];
                ordinals[function as usize] += 1;
                if !self.map.function(info.function).is_library() {
                    info.branch = Some(self.add_branch(&info, ordinal, Site(bases.sites + local as u32)));
                }
            }
            self.map.sites.push(info);
        }
        Ok(())
    }

    fn site_info(
        &mut self,
        blob: &ModuleMap,
        bases: &Bases,
        record: &SiteRecord,
        kind: SiteKind,
        function: u32,
    ) -> Result<SiteInfo, MapError> {
        let n_sides = if kind.branches() { record.n_sides } else { 0 };
        let covered = if kind.covers() { u32::from(n_sides) } else { 0 };
        let edges = shifted("edge", record.first_covered, covered, blob.header.n_covered as usize, bases.edges);
        let (first_case, n_cases) = if kind == SiteKind::Switch { (record.first_case, record.n_cases) } else { (0, 0) };
        Ok(SiteInfo {
            kind,
            failing: u16::from(record.failing),
            n_sides,
            function: FunctionId(bases.functions + function),
            file: self.text(blob, record.file)?,
            line: record.line,
            column: record.column,
            first_edge: if covered > 0 { Edge(edges?.start) } else { Edge(0) },
            error: match kind {
                SiteKind::Check | SiteKind::Failure => ErrorKind::from_number(record.detail),
                _ => None,
            },
            text: self.text(blob, record.text)?,
            cases: shifted("case", first_case, n_cases, blob.cases.len(), bases.cases)?,
            block: optional("block", record.block, blob.blocks.len())?.map(|block| BlockId(bases.blocks + block)),
            branch: None,
        })
    }

    /// Returns the branch that `info` is a copy of, and creates it for the first copy. The edges of the copy then
    /// belong to it.
    fn add_branch(&mut self, info: &SiteInfo, ordinal: u32, site: Site) -> BranchId {
        let map = &mut self.map;
        let function = &map.functions[info.function.index()];
        let copy = (
            function.file.clone(),
            function.name.clone(),
            ordinal,
            info.line,
            info.column,
            info.kind as u8,
            info.n_sides,
        );
        let branch = *self.branches.entry(copy).or_insert_with(|| {
            let branch = BranchId(map.branches.len() as u32);
            map.branches.push(UserBranch {
                key: BranchKey {
                    file: function.file.clone(),
                    function: function.name.clone(),
                    ordinal,
                    condition: (!info.text.is_empty()).then(|| hash::of(info.text.as_bytes())),
                },
                kind: info.kind,
                file: info.file.clone(),
                line: info.line,
                column: info.column,
                site,
                first_side: SideId(map.side_branch.len() as u32),
                n_sides: info.n_sides,
            });
            map.side_branch.extend((0..info.n_sides).map(|_| branch));
            branch
        });
        let edges = info.first_edge.index()..info.first_edge.index() + info.n_sides as usize;
        for (edge, side_index) in map.edge_side[edges].iter_mut().zip(map.branches[branch.index()].sides()) {
            *edge = Some(side_index);
        }
        branch
    }

    fn text(&mut self, module: &ModuleMap, text: Text) -> Result<Arc<str>, MapError> {
        let text = blob::text(module, text)?;
        if let Some(known) = self.strings.get(&text) {
            return Ok(known.clone());
        }
        let shared: Arc<str> = text.as_str().into();
        self.strings.insert(text, shared.clone());
        Ok(shared)
    }
}

fn index(what: &'static str, index: u32, len: usize) -> Result<u32, MapError> {
    if (index as usize) < len { Ok(index) } else { Err(MapError::Index { what, index }) }
}

fn optional(what: &'static str, number: u32, len: usize) -> Result<Option<u32>, MapError> {
    // A map without a control-flow graph has no blocks to refer to.
    if number == u32::MAX || (what == "block" && len == 0) { Ok(None) } else { index(what, number, len).map(Some) }
}

/// Converts the range `first .. first + count` of a module's table of `len` records to the program's table.
fn shifted(what: &'static str, first: u32, count: u32, len: usize, base: u32) -> Result<Range<u32>, MapError> {
    if count == 0 {
        return Ok(base..base);
    }
    match first.checked_add(count) {
        Some(end) if end as usize <= len => Ok(base + first..base + end),
        _ => Err(MapError::Index { what, index: first }),
    }
}
