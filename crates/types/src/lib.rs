//! Functions, variables and types of a unit.
//!
//! The [`graph`] is language-neutral and refers by id, so recursive types need nothing special. [`program`]
//! adds the functions and variables and answers questions about names; [`scalar`] says which types are
//! plain numbers; [`print`] writes types down as C declares them. [`dwarf`] is one reader of all this, from
//! the debug information of an object file, and [`linkage`] says what that needs from elsewhere; others may stand beside it.
//!
//! A [selection](select) of a program is written for people ([`text`]) and for programs ([`json`]).
//!
//! An [`input`] is the bytes that a unit gets. [`map`] is an input over these types as people read it: values, objects and pointers, which stands by itself once it is made.
//! [`literal`] writes single values.

mod alignment;
pub mod graph;
pub mod program;
pub mod scalar;

mod print;

pub mod dwarf;
pub mod linkage;

pub mod json;
pub mod select;
pub mod text;

pub mod input;
pub mod literal;
pub mod map;

pub use graph::{Kind, Type, TypeGraph, TypeId};
pub use input::Input;
pub use map::InputMap;
pub use program::{Function, Parameter, Program};
pub use scalar::{Scalar, ScalarKind};
pub use select::Selection;
