//! The database: opening, transactions and errors. No type of redb leaves this folder.
//!
//! The records of the mirror are a database of their own, which does not belong to the wiki.

mod changes;
mod compressed;
mod copy;
#[cfg(test)]
pub(crate) mod crash_simulation;
#[cfg(test)]
pub(crate) mod dump;
mod error;
mod failure_watch;
#[cfg(test)]
pub(crate) mod fault_injection;
#[cfg(test)]
mod id_search;
mod integrity;
mod lock_forwarding;
mod medium;
mod mirror_records;
mod open;
mod overlay;
pub(crate) mod panics;
mod pending_files;
mod preallocation;
mod record;
mod schema;
mod sets;
#[cfg(test)]
mod stored_format_tests;
mod tables;
mod txn;
mod update;

pub(crate) use changes::ChangeSet;
pub(crate) use copy::{CopyOutcome, copy, count, digest, replace_rows};
pub use error::{OpenError, StorageError};
pub(crate) use mirror_records::{
    AsideRecord, EntryRecord, FileStat, MirrorRecords, RecordChange, remove_if_present,
};
pub(crate) use open::Store;
pub(crate) use pending_files::PendingFilesGuard;
pub(crate) use record::{Key, Record};
pub(crate) use sets::{IdSets, ReadSets};
pub(crate) use tables::*;
pub(crate) use txn::{Direction, Read, ReadTxn, WriteTxn};
pub(crate) use update::update_copy;
