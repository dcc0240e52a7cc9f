//! The pages that a user has pinned, in the order of pinning.

use crate::id::{PageId, UserId};
use crate::model::change::Change;
use crate::pages::{PageError, present_page};
use crate::parts::Tree;
use crate::store::{PAGE_INDEX, Read, StorageError};
use crate::user_pages::{UserPages, VisitedPage};

/// The maximum number of pinned pages per user.
pub(crate) const MAX_PINS: usize = 100;
/// The rows of pinned pages.
pub(crate) const PINS: UserPages = UserPages::new("pins/");

/// The reason why a page can't be pinned.
#[derive(Debug, thiserror::Error)]
pub enum PinError {
    #[error(transparent)]
    Page(#[from] PageError),
    #[error("at most {MAX_PINS} pages can be pinned")]
    TooMany,
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl Tree<'_> {
    /// Pins a page for a user, after those that are pinned already. A pinned page keeps its place.
    ///
    /// # Errors
    /// [`PinError::Page`] if there is no page to read; [`PinError::TooMany`].
    pub fn pin(&self, user: UserId, page: PageId) -> Result<(), PinError> {
        self.store.write(|txn| {
            present_page(txn, page, self.lock_time.moment())?;
            let mut pages = Vec::new();
            for other in PINS.read(txn, user)? {
                if other == page {
                    return Ok(());
                }
                // Permanently deleted pages are dropped. Pages in the trash may be restored.
                if txn.get(PAGE_INDEX, &other.to_bytes())?.is_some() {
                    pages.push(other);
                }
            }
            if pages.len() >= MAX_PINS {
                return Err(PinError::TooMany);
            }
            pages.push(page);
            PINS.put(txn, user, &pages)?;
            txn.report(Change::Settings);
            Ok(())
        })
    }

    /// Unpins a page, which need not exist any more. Succeeds if it is not pinned.
    ///
    /// # Errors
    /// If the database fails, or the record is damaged.
    pub fn unpin(&self, user: UserId, page: PageId) -> Result<(), StorageError> {
        self.store.write(|txn| {
            let mut pages = PINS.read(txn, user)?;
            let before = pages.len();
            pages.retain(|other| *other != page);
            if pages.len() < before {
                PINS.put(txn, user, &pages)?;
                txn.report(Change::Settings);
            }
            Ok(())
        })
    }

    /// The pages that a user has pinned, with their current paths. Pages in the trash are left out until they are
    /// restored.
    ///
    /// # Errors
    /// If the database fails, or the record is damaged.
    pub fn pinned_pages(&self, user: UserId) -> Result<Vec<VisitedPage>, StorageError> {
        self.store.read(|txn| PINS.present(txn, user))
    }
}
