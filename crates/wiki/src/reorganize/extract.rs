//! Makes a part of a page a page of its own.

use crate::id::{PageId, UserId};
use crate::links;
use crate::locks::remove_draft;
use crate::model::page::MAX_SOURCE_BYTES;
use crate::pages::{current_path, first_revision};
use crate::parts::Reorganize;
use crate::path::PagePath;
use crate::reorganize::{NewPage, ReorganizeError};
use crate::store::{Read, USER};
use crate::tree::path_status::{self, PathStatus};

impl Reorganize<'_> {
    /// Creates a page at `to` with a part of the text of the page or draft `from`, as it is shown there. Links keep
    /// their meaning: relative ones become absolute, and files stay with the page that they belong to.
    ///
    /// # Errors
    /// [`ReorganizeError::Taken`] if the path is taken.
    pub fn extract(
        &self,
        from: PageId,
        to: PagePath,
        text: &str,
        user: UserId,
    ) -> Result<NewPage, ReorganizeError> {
        self.store.write(|txn| {
            let now = self.clock.now();
            let moment = self.lock_time.moment();
            let user = txn
                .get(USER, &user.to_bytes())?
                .ok_or(ReorganizeError::NoUser)?;
            let base = current_path(txn, from, moment)?;
            match path_status::read(txn, &to, moment, |_| false)? {
                PathStatus::Free => {}
                PathStatus::ExpiredDraft(draft) => remove_draft(txn, &draft)?,
                PathStatus::Taken(taken) => return Err(taken.into()),
            }
            let text = links::independent_text(txn, from, &base, text)?;
            if text.len() > MAX_SOURCE_BYTES {
                return Err(ReorganizeError::TooLarge(text.len()));
            }
            let page_id = PageId::generate(now, self.entropy);
            first_revision(txn, page_id, to.clone(), &user, now, text)?;
            Ok(NewPage { page_id, path: to })
        })
    }
}
