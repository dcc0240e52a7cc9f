//! The pages that a user read last, the latest first.

use crate::id::{PageId, UserId};
use crate::pages::{PageError, present_page};
use crate::parts::Visits;
use crate::store::{PAGE_INDEX, Read, StorageError};
use crate::user_pages::{UserPages, VisitedPage};

/// The maximum number of pages per user.
const MAX_VISITS: usize = 50;
/// The rows of visits.
pub(crate) const VISITS: UserPages = UserPages::new("visits/");

impl Visits<'_> {
    /// Records that a user reads a page. Nothing is written if it is already the latest.
    ///
    /// # Errors
    /// [`PageError::Deleted`], [`PageError::Draft`] and [`PageError::NotFound`] if there is no page to
    /// read.
    pub fn visit_page(&self, user: UserId, page: PageId) -> Result<(), PageError> {
        let is_last = self.store.read(|txn| {
            present_page(txn, page, self.lock_time.moment())?;
            Ok::<_, PageError>(VISITS.read(txn, user)?.first() == Some(&page))
        })?;
        if is_last {
            return Ok(());
        }
        self.store.write(|txn| {
            let mut pages = vec![page];
            for other in VISITS.read(txn, user)? {
                // Permanently deleted pages are dropped. Pages in the trash may be restored.
                if other != page && txn.get(PAGE_INDEX, &other.to_bytes())?.is_some() {
                    pages.push(other);
                }
            }
            pages.truncate(MAX_VISITS);
            Ok(VISITS.put(txn, user, &pages)?)
        })
    }

    /// The pages that a user read last, at most 50, the latest first, with their current paths. Pages
    /// in the trash are left out until they are restored.
    ///
    /// # Errors
    /// If the database fails, or the record is damaged.
    pub fn recent_pages(&self, user: UserId) -> Result<Vec<VisitedPage>, StorageError> {
        self.store.read(|txn| VISITS.present(txn, user))
    }
}
