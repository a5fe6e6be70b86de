//! Executors on other machines.
