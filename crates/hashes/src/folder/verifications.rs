//! Verification times of files whose hashes another store keeps. These files have no records here in which the
//! times could be stored.

use std::collections::BTreeMap;
use std::io;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{HashFolder, packed_file};
use crate::state::FileState;

/// The file's first bytes: its name and version.
const MAGIC: &[u8; 8] = b"FKSTOR01";
const FILE: &str = "stored";

/// The last verification of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// [`FileState::Ok`], [`FileState::Differs`], [`FileState::Missing`] or [`FileState::Unreadable`].
    pub state: FileState,
    /// The time at which the file was read, or could not be.
    #[serde(with = "jiff::fmt::serde::timestamp::nanosecond::required")]
    pub read_at: Timestamp,
    /// The time at which the contents last matched its store's hash.
    #[serde(with = "jiff::fmt::serde::timestamp::nanosecond::optional")]
    pub verified_at: Option<Timestamp>,
}

impl HashFolder {
    /// Returns the last verifications, by the files' ids.
    #[must_use]
    pub fn verifications(&self) -> BTreeMap<String, Verification> {
        packed_file::read(&self.own(FILE), MAGIC).unwrap_or_default()
    }

    /// Stores the results of a verification, and forgets the files that are not in the store any more.
    ///
    /// # Errors
    /// Errors of the file system, and [`io::ErrorKind::WouldBlock`] while another process writes.
    pub(crate) fn store_verifications(
        &self,
        found: &[(String, FileState)],
        now: Timestamp,
        is_stored: impl Fn(&str) -> bool,
    ) -> io::Result<()> {
        let _lock = self.lock()?;
        let mut verifications = self.verifications();
        for (id, state) in found {
            let before = verifications.get(id).and_then(|before| before.verified_at);
            let verification = Verification {
                state: *state,
                read_at: now,
                verified_at: if *state == FileState::Ok {
                    Some(now)
                } else {
                    before
                },
            };
            verifications.insert(id.clone(), verification);
        }
        verifications.retain(|id, _| is_stored(id));
        packed_file::write(&self.own(FILE), MAGIC, &verifications)
    }
}
