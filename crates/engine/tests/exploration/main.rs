//! The scheduler with executors without processes: paths and strategies whose answers are known.

mod paths;
mod strategies;
