//! Data about an exploration that workers need, and its files.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tine_explore::ProgramMap;
use tine_session::Program;

use crate::config::Config;
use crate::target::{Kind, PROGRAM, Target, UNIT_NATIVE};
use crate::verified::{Verified, digest};
use crate::workers::Workers;

/// See the module's documentation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of tine, which must be the same on both sides.
    pub version: String,
    pub config: Config,
    /// The target. Its program is the file [`PROGRAM`].
    pub target: Target,
    /// Digests of the files, by name.
    pub files: BTreeMap<String, String>,
    /// Digest of the program's map. It differs if a machine has other libraries.
    pub map: String,
}

/// An exploration that is offered to workers.
#[derive(Debug)]
pub struct Offer {
    pub manifest: Manifest,
    /// Contents of the files, by digest.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Offer {
    pub(crate) fn new(workers: &Workers, map: &ProgramMap) -> std::io::Result<Offer> {
        let Workers { config, target, verified, .. } = workers;
        let mut contents = BTreeMap::new();
        let program = match verified {
            Some(program) => Verified::bytes(program).to_vec(),
            None => std::fs::read(&target.program)?,
        };
        contents.insert(PROGRAM.to_owned(), program);
        let mut target = Target {
            program: PROGRAM.into(),
            seeds: Vec::new(),
            environment: Vec::new(),
            files: Vec::new(),
            sources: Vec::new(),
            flags: Vec::new(),
            built_in: PathBuf::new(),
            ..target.clone()
        };
        if let Kind::Function(harness) | Kind::Sequence(harness) = &mut target.kind {
            contents.insert(UNIT_NATIVE.to_owned(), std::fs::read(&harness.native)?);
            harness.native = UNIT_NATIVE.into();
        }
        let files: BTreeMap<_, _> = contents.iter().map(|(name, bytes)| (name.clone(), digest(bytes))).collect();
        let by_digest = contents.into_iter().map(|(name, bytes)| (files[&name].clone(), bytes)).collect();
        let manifest = Manifest {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            config: config.for_workers(),
            target,
            files,
            map: Program::digest_of(map),
        };
        Ok(Offer { manifest, files: by_digest })
    }
}
