//! The scheduler, with executors without processes: paths and strategies with known results.

mod paths;
mod strategies;
