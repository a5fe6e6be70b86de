//! Real programs in real processes: a run must not affect the next one, its end must be reported, and it must do no
//! harm. The programs are C without instrumentation, linked with the runtime.

mod batches;
mod endings;
mod fresh;
mod recording;
mod speed;
mod starts;
mod states;
mod support;
mod terms;
