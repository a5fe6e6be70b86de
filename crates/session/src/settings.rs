//! What an exploration was started with: enough to go on with it.

use serde::{Deserialize, Serialize};

use crate::summary::Surrounding;

/// Under this key of the settings.
pub const KEY: &str = "exploration";

/// See the module's documentation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exploration {
    /// The working directory: what is relative is relative to this.
    pub started_in: String,
    /// Of the program's file.
    pub digest: String,
    /// Digests of the files that lie in the session's directory, by name.
    #[serde(default)]
    pub files: Vec<(String, String)>,
    /// Files that the program was made of, with their digests.
    pub sources: Vec<(String, String)>,
    pub surroundings: Vec<Surrounding>,
    pub random_fill: bool,
    pub lazy: bool,
    pub by_calls: bool,
    pub prune: bool,
    /// Driver variables whose types are those of the inputs, and functions that pointers may lead to.
    pub roots: Vec<String>,
    pub callables: Vec<String>,
    pub max_objects: u32,
    pub max_elements: u32,
    pub max_string: u32,
    /// Inputs to start from, each as the bytes of the first requests, in hexadecimal digits.
    pub seeds: Vec<Vec<String>>,
    /// It may start processes and open sockets.
    pub allow: bool,
    /// Flags that all explorations have.
    pub flags: Vec<String>,
}
