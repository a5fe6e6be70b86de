//! Functions, variables and types of a unit.
//!
//! The [`graph`] is language-neutral and refers to types by ID, so recursive types need no special treatment.
//! [`program`] adds functions and variables, and finds them by name. [`scalar`] recognises plain numbers. `print`
//! writes types as C declarations. [`dwarf`] reads all this from the debug information of an object file, and
//! [`linkage`] finds the symbols that the file needs from other files. Other readers are possible.
//!
//! A [selection](select) of a program can be written for people ([`text`]) and for programs ([`json`]).
//!
//! An [`input`] has the bytes that a unit gets. A [`map`] is the readable form of an input over these types: values,
//! objects and pointers. It does not need the type graph once it is made. [`literal`] writes single values.

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
