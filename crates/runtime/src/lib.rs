//! Runtime that is linked into every unit under test.
//!
//! [`record`] follows the program symbolically: shadow memory, expressions, decisions, inputs. [`process`]
//! runs it: start-up, the zygote and its workers, reset between runs, signals, sandbox, allocator. They meet
//! in [`segment`], the mapped contract with the engine. Started without an engine, a program behaves as
//! the native one: nothing is symbolic, nothing is recorded, the allocator is the C library's.
//!
//! `no_std`, no allocation, no dependency but the contract: whatever the unit does to its own C library
//! must not reach us.
#![cfg_attr(not(test), no_std)]

pub mod process;
pub mod record;
pub mod segment;
pub mod sys;
