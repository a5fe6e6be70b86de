//! Module maps for tests, written record by record.

use tine_trace::map::codec::ModuleMap;
use tine_trace::map::{FunctionRecord, SiteKind, SiteRecord, Text};
use tine_trace::segment::ModuleRecord;

use super::ProgramMap;

/// A module map under construction.
#[derive(Default)]
pub(crate) struct Maker {
    pub(crate) module: ModuleMap,
}

impl Maker {
    pub(crate) fn text(&mut self, text: &str) -> Text {
        self.module.text(text)
    }

    pub(crate) fn function(&mut self, name: &str, file: &str, flags: u32) {
        let (name, file) = (self.text(name), self.text(file));
        let first_site = self.module.sites.len() as u32;
        self.module.functions.push(FunctionRecord { name, file, line: 1, flags, first_site, ..Default::default() });
    }

    pub(crate) fn site(&mut self, kind: SiteKind, file: &str, line: u32, n_sides: u16) -> &mut SiteRecord {
        let file = self.text(file);
        let function = self.module.functions.len() as u32 - 1;
        self.module.functions.last_mut().expect("a function first").n_sites += 1;
        let first_covered = self.module.header.n_covered;
        self.module.header.n_covered += if kind.covers() { u32::from(n_sides) } else { 0 };
        self.module.sites.push(SiteRecord {
            kind: kind as u8,
            n_sides,
            function,
            file,
            line,
            column: 7,
            first_covered,
            block: u32::MAX,
            ..Default::default()
        });
        self.module.sites.last_mut().expect("just pushed")
    }

    pub(crate) fn bytes(&self, digest: u8) -> Vec<u8> {
        self.module.encode(|_| [digest; 16])
    }

    pub(crate) fn record(&self, digest: u8, site_base: u32, edge_base: u32) -> ModuleRecord {
        let (n_sites, n_edges) = (self.module.sites.len() as u32, self.module.header.n_covered);
        ModuleRecord { digest: [digest; 16], site_base, n_sites, edge_base, n_edges }
    }

    /// The map of a program that consists of this module only.
    pub(crate) fn map(&self) -> ProgramMap {
        ProgramMap::parse(&self.bytes(1), &[self.record(1, 0, 0)]).expect("the maker makes good maps")
    }
}
