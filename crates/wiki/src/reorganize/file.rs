//! Renames a file of a page together with the text of the page, in one transaction.

use crate::assets::{self, Asset, AssetError};
use crate::file_name::FileName;
use crate::id::{AssetId, UserId};
use crate::latest_text::{newest, revision_row};
use crate::links;
use crate::locks::UnlockedPage;
use crate::model::page::{MAX_SOURCE_BYTES, PageInfo, PageSource};
use crate::pages::{Revise, revise};
use crate::parts::Reorganize;
use crate::reorganize::ReorganizeError;
use crate::repository::saved;
use crate::store::{Read, StorageError, USER, WriteTxn};

/// A file to be renamed with the text of its page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRename {
    pub asset: AssetId,
    pub name: FileName,
    pub user: UserId,
}

/// A file that was renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenamedFile {
    pub asset: Asset,
    /// The new revision of the page, if its text named the file.
    pub revision: Option<u64>,
}

impl Reorganize<'_> {
    /// Renames a live file, and the uses of its name in the latest text of its page, which gets a revision.
    ///
    /// # Errors
    /// [`ReorganizeError`], also if the text would change and the page is locked; nothing has changed then.
    pub fn rename_file(&self, request: &FileRename) -> Result<RenamedFile, ReorganizeError> {
        self.store.write(|txn| {
            let before = Asset::read(txn, request.asset)?;
            let page = before.page_id.ok_or(AssetError::Orphaned)?;
            let asset = assets::rename(txn, request.asset, request.name.clone())?;
            // A draft has no text.
            let revision = match saved(txn, page)? {
                Some(info) => {
                    let (from, to) = (&before.file_name, &asset.file_name);
                    self.rename_in_text(txn, info, (from, to), request.user)?
                }
                None => None,
            };
            Ok(RenamedFile { asset, revision })
        })
    }

    fn rename_in_text(
        &self,
        txn: &WriteTxn,
        info: PageInfo,
        (from, to): (&FileName, &FileName),
        user: UserId,
    ) -> Result<Option<u64>, ReorganizeError> {
        // Whoever is writing may already use the name, in a text that is not saved.
        let page = UnlockedPage::verify(txn, info.clone(), None, self.lock_time.moment())?;
        let PageSource { source, .. } = newest(txn, &info)?;
        let renamed = |text: &str, from: &FileName, to: &FileName| {
            let base = info.path_state.path();
            links::with_file_renamed(base, text, from.as_str(), to.as_str())
        };
        let mut text = renamed(&source, from, to);
        if text == source {
            return Ok(None);
        }
        if text.len() > MAX_SOURCE_BYTES {
            return Err(ReorganizeError::TooLarge(text.len()));
        }
        // Undoing a rename returns the names as they were written.
        if let Some(earlier) = earlier_text(txn, &info)?
            && renamed(&earlier, to, from) == source
        {
            text = earlier;
        }
        let user = txn
            .get(USER, &user.to_bytes())?
            .ok_or(ReorganizeError::NoUser)?;
        let by = (&user, self.clock.now());
        Ok(Some(revise(txn, page, by, &text, Revise::Add)?.revision))
    }
}

/// Returns the stored text before the latest one, if it is kept.
fn earlier_text(txn: &impl Read, info: &PageInfo) -> Result<Option<String>, StorageError> {
    let earlier = info.latest - 1;
    if earlier < info.gc_min {
        return Ok(None);
    }
    let row: PageSource = revision_row(txn, info, earlier)?;
    Ok(Some(row.source))
}
