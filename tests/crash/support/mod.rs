//! The program as a process, the folders that it works on, and a way to talk to it.

mod client;
mod disk;
mod place;
mod process;
mod random;
mod trace;

pub(crate) use client::{Client, Lost, Reply};
pub(crate) use disk::{Disk, ReadOnly};
pub(crate) use place::Place;
pub(crate) use process::{Ended, Server, end_of};
pub(crate) use random::Random;
pub(crate) use trace::{Call, Naming, Trace, Tracing};
