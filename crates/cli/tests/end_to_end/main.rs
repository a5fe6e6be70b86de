//! The tool as people use it, from the command line: what it says, what it leaves behind, how it ends.

mod attacks;
mod attacks_on_host;
mod bad_input;
mod builds;
mod checks;
mod failing;
mod floats;
mod inputs;
mod interrupts;
mod jobs;
mod limits;
mod locale;
mod manners;
mod memory;
mod misbehaving;
mod options;
mod programs;
mod reached;
mod replay;
mod resume;
mod sequence;
mod solver;
mod strategies;
mod support;
mod time;
mod types;
