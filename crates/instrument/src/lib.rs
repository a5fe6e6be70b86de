//! From bitcode to instrumented code.
//!
//! Every value of the program gets a shadow: a 32-bit node id computed alongside it, 0 while it does not depend on
//! inputs. `function` walks a function and adds the shadow computation, in a separate track that is entered only when
//! a value is symbolic. `runtime` declares the runtime's entry points and builds the always-inlined guards that keep
//! concrete code fast. `map` writes every place that a trace can name. [`pipeline`] defines the order of these steps.
//!
//! The only crate that links LLVM. It does not depend on processes, solving or exploration.

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
mod refused;
mod runtime;
mod trailing;
mod undefined;
mod volatile;

pub use pipeline::{Emit, Error, Options, Report, Skipped, compile, hook};
