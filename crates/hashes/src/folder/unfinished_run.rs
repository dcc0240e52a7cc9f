//! The unfinished full verification, which a later one resumes.

use std::fs;
use std::io;

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::HashFolder;

const FILE: &str = "unfinished.json";

/// A full verification that was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct UnfinishedRun {
    /// The start time. Files verified since then need not be read again.
    pub(crate) started_at: Timestamp,
    /// The scope, as its caller named it.
    pub(crate) scope: String,
}

impl HashFolder {
    /// Returns the unfinished verification, if there is one.
    pub(crate) fn unfinished_run(&self) -> Option<UnfinishedRun> {
        let bytes = own_file::read(&self.own(FILE), own_file::VALUE).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    pub(crate) fn store_unfinished_run(&self, unfinished: &UnfinishedRun) -> io::Result<()> {
        if !self.is_own() {
            return Ok(());
        }
        let bytes = serde_json::to_vec(unfinished)?;
        durable::write_file(&self.own(FILE), &bytes, Access::Private)
    }

    pub(crate) fn clear_unfinished_run(&self) -> io::Result<()> {
        match fs::remove_file(self.own(FILE)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}
