//! Imports from other programs (docs/spec/wiki.md, Imports): the notes and files of a source become pages and files in
//! one transaction, which can be undone. A later import of the same source updates the pages that are unchanged
//! here.
//!
//! - `place` gives notes valid paths.
//! - `plan` determines what becomes of each note and file, without changing anything.
//! - `apply` writes, `undo` takes back.
//! - `offer` keeps the texts whose pages were changed here, too, until a user decides.

mod apply;
mod error;
mod offer;
mod place;
mod plan;
mod undo;

pub use apply::{ContentError, MigrationContents, MigrationOutcome, WrittenMigration};
pub use error::MigrationError;
pub use offer::{OfferedDifference, OfferedText, TakenOffer};
pub use place::place_path;
pub use plan::{
    AssetAction, AssetPlan, IncomingAsset, IncomingPage, MigrationPlan, MigrationRequest,
    PageAction, PagePlan, PageRole,
};
pub use undo::UndoneMigration;

use std::ops::ControlFlow;

use sha2::{Digest, Sha256};

use crate::id::MigrationId;
use crate::model::migration::Migration;
use crate::parts::Migrations;
use crate::store::{Direction, MIGRATION, Read, StorageError};

impl Migrations<'_> {
    /// Returns all imports, the latest first.
    ///
    /// # Errors
    /// If the database fails.
    pub fn list(&self) -> Result<Vec<Migration>, StorageError> {
        self.store.read(|txn| {
            let mut all = Vec::new();
            let heads = MIGRATION.read_as::<Migration>();
            txn.scan::<_, Migration, &[u8; 16]>(heads, .., Direction::Descending, |_, head| {
                all.push(head);
                ControlFlow::Continue(())
            })?;
            Ok(all)
        })
    }

    /// Returns an import.
    ///
    /// # Errors
    /// [`MigrationError::NotFound`] for an unknown id.
    pub fn get(&self, id: MigrationId) -> Result<Migration, MigrationError> {
        let heads = MIGRATION.read_as::<Migration>();
        self.store
            .read(|txn| txn.get(heads, &id.to_bytes()))?
            .ok_or(MigrationError::NotFound)
    }
}

/// Returns the key of an item of a source.
fn item_key(source: &str, origin: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update((source.len() as u64).to_le_bytes());
    hash.update(source);
    hash.update(origin);
    hash.finalize().into()
}

#[cfg(test)]
mod tests;
