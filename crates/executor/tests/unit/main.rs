//! Real programs in real processes: what a run leaves behind must not reach the next, how it ends must be told, and
//! it must do no harm. The programs are C without instrumentation, linked with the runtime.

mod batches;
mod endings;
mod fresh;
mod recording;
mod speed;
mod starts;
mod states;
mod support;
mod terms;
