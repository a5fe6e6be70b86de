//! Runtime that is linked into every unit under test.
//!
//! [`record`] follows the program symbolically: shadow memory, expressions, decisions, inputs. [`process`] runs it:
//! start-up, the zygote and its workers, reset between runs, signals, sandbox, allocator. Both use [`segment`], the
//! mapped memory shared with the engine. Started without an engine, a program behaves like the native one: nothing is
//! symbolic, nothing is recorded, and the allocator is the C library's.
//!
//! `no_std`, no allocation, no dependency except `tine-trace`: changes that the unit makes to its C library must not
//! affect the runtime.
#![cfg_attr(not(test), no_std)]

pub mod process;
pub mod record;
pub mod segment;
pub mod sys;
