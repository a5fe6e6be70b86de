//! Strategies of papers that `auto` does not use, for comparison.

mod bfs;
mod bounded_dfs;
mod probabilistic;
mod random_input;
pub mod weights;

pub use bfs::Bfs;
pub use bounded_dfs::BoundedDfs;
pub use probabilistic::Probabilistic;
pub use random_input::RandomInput;
