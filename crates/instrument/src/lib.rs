//! Bitcode in, instrumented code out.
//!
//! Every value of the program gets a shadow: a 32-bit node id computed beside it, 0 while it depends on no
//! input. [`function`] walks a function and adds the shadow computation, in a track of its own that is entered only
//! when there is something symbolic; [`runtime`] declares the runtime's
//! entry points and builds the always-inlined guards that keep concrete code fast; [`map`] writes down
//! every place a trace can name. [`pipeline`] is the order in which it all happens.
//!
//! The only crate that links LLVM; knows nothing of processes, solving or exploration.

pub mod pipeline;

mod asm_goto;
mod contracts;
mod dataflow;
mod dead;
mod endless;
mod facts;
mod function;
mod implicit;
mod jumps;
mod labels;
mod leaf;
mod lines;
mod llvm;
mod loops;
mod map;
mod models;
mod monitors;
mod names;
mod nulls;
mod operators;
mod padding;
mod parts;
mod runtime;
mod trailing;
mod undefined;
mod volatile;

pub use pipeline::{Emit, Error, Options, Report, Skipped, compile};
