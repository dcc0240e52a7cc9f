//! The database: opening, transactions and errors. No type of redb leaves this folder.

mod changes;
mod compressed;
mod copy;
#[cfg(test)]
mod described_tests;
#[cfg(test)]
pub(crate) mod dump;
mod error;
#[cfg(test)]
pub(crate) mod failing;
mod held;
mod in_flight;
mod medium;
#[cfg(test)]
mod naming;
mod open;
mod panics;
#[cfg(test)]
pub(crate) mod power;
mod record;
mod roomy;
mod schema;
mod sets;
mod sound;
mod tables;
mod txn;
mod watched;

pub(crate) use changes::Changed;
pub(crate) use copy::{Copied, copy, count};
pub use error::{OpenError, StorageError};
pub(crate) use in_flight::Noted as InFlightNote;
pub(crate) use open::Store;
pub(crate) use record::{Key, Record};
pub(crate) use sets::{IdSets, ReadSets};
pub(crate) use tables::*;
pub(crate) use txn::{Direction, Read, ReadTxn, WriteTxn};
