//! Uploads a file: its contents are written to a temporary file, piece by piece, and become the page's
//! file in one step at the end.

use jiff::Timestamp;

use crate::assets::files::AssetFiles;
use crate::assets::incoming::{IncomingFile, ReceivedFile};
use crate::assets::rows::{AssetRow, find_by_name};
use crate::assets::{Asset, AssetError};
use crate::file_name::FileName;
use crate::id::{AssetId, PageId, UserId};
use crate::locks::{Moment, existing_page};
use crate::model::asset::{AssetInfo, AssetState};
use crate::model::change::AssetChange;
use crate::model::page::PageIndex;
use crate::parts::Assets;
use crate::store::{ASSET, Read, StorageError, Store};

/// The number of numbered names to try for a file before its name is refused.
const MAX_NUMBERED_NAMES: u32 = 1_000;

/// A file that is being uploaded. Its contents are removed if it is dropped before [`Assets::finish`].
pub struct AssetWriter {
    page: PageId,
    name: FileName,
    naming: Naming,
    contents: IncomingFile,
    limit: u64,
}

/// The policy for a file whose name is taken.
#[derive(Clone, Copy)]
pub(super) enum Naming {
    /// The file is refused.
    Own,
    /// The file gets a free name like it.
    Like,
}

impl Naming {
    /// The name that the file may have at this moment.
    pub(super) fn free(
        self,
        txn: &impl Read,
        page: PageId,
        name: &FileName,
    ) -> Result<FileName, AssetError> {
        let mut free = name.clone();
        let mut numbers = 2..=MAX_NUMBERED_NAMES;
        while find_by_name(txn, page, &free)?.is_some() {
            let taken = || AssetError::NameTaken(name.clone());
            free = match self {
                Self::Own => return Err(taken()),
                Self::Like => name.numbered(numbers.next().ok_or_else(taken)?),
            };
        }
        Ok(free)
    }
}

impl AssetWriter {
    /// Writes the next bytes of the contents.
    ///
    /// # Errors
    /// [`AssetError::TooLarge`] as soon as the limit is exceeded. The writer must not be used after an
    /// error.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), AssetError> {
        let size = self.contents.size().saturating_add(bytes.len() as u64);
        if size > self.limit {
            return Err(AssetError::TooLarge(self.limit));
        }
        Ok(self.contents.write(bytes)?)
    }
}

impl Assets<'_> {
    /// Begins the upload of a file to a page or draft. No transaction is open while its contents are
    /// written.
    ///
    /// `length` is the announced size of the contents in bytes, if known. The limit applies to the written
    /// bytes in any case.
    ///
    /// # Errors
    /// The errors of [`Assets::finish`], as far as they can be foreseen.
    pub fn begin(
        &self,
        page: PageId,
        name: FileName,
        length: Option<u64>,
    ) -> Result<AssetWriter, AssetError> {
        self.begin_with(page, name, Naming::Own, length)
    }

    /// Begins the upload of a file that gets a free name like its own (`a-2.png`) if that is taken.
    /// [`Assets::finish`] chooses the name, and considers files that were added meanwhile.
    ///
    /// # Errors
    /// The errors of [`Assets::begin`]; [`AssetError::NameTaken`] if a thousand names like it are taken.
    pub fn begin_like(
        &self,
        page: PageId,
        name: FileName,
        length: Option<u64>,
    ) -> Result<AssetWriter, AssetError> {
        self.begin_with(page, name, Naming::Like, length)
    }

    fn begin_with(
        &self,
        page: PageId,
        name: FileName,
        naming: Naming,
        length: Option<u64>,
    ) -> Result<AssetWriter, AssetError> {
        if length.is_some_and(|length| length > self.limit) {
            return Err(AssetError::TooLarge(self.limit));
        }
        self.store.read(|txn| {
            present(txn, page, self.lock_time.moment())?;
            naming.free(txn, page, &name)
        })?;
        Ok(AssetWriter {
            page,
            name,
            naming,
            contents: IncomingFile::begin(self.files)?,
            limit: self.limit,
        })
    }

    /// Makes the written contents a file of the page. First the contents are made durable in their
    /// place, then the row is committed: a crash between the two leaves a file without a row, which the
    /// next start sweeps away.
    ///
    /// # Errors
    /// [`AssetError::NameTaken`] if another upload took the name first. Nothing is left behind.
    pub fn finish(&self, writer: AssetWriter, user: UserId) -> Result<Asset, AssetError> {
        let AssetWriter {
            page,
            name,
            naming,
            contents,
            limit: _,
        } = writer;
        let written = contents.finish()?;
        let now = self.clock.now();
        let id = AssetId::generate(now, self.entropy);
        let _pending = self.store.pending_files.add(vec![id.to_bytes()]);
        let mut info = live(&written, name, user, now);
        self.files.keep(written.path, id)?;
        let added = self.store.write(|txn| {
            present(txn, page, self.lock_time.moment())?;
            info.file_name = naming.free(txn, page, &info.original_name)?;
            let row = AssetRow {
                id,
                info,
                page: None,
            };
            row.attach(txn, page, AssetChange::Added)?;
            Asset::read(txn, id)
        });
        added.inspect_err(|_| unlink_without_row(self.store, self.files, id))
    }
}

/// Unlinks a file without a row. After a failed commit only the database shows if the row was written.
pub(crate) fn unlink_without_row(store: &Store, files: &AssetFiles, id: AssetId) {
    let has_row =
        store.read(|txn| Ok::<_, StorageError>(txn.get(ASSET, &id.to_bytes())?.is_some()));
    match has_row {
        Ok(true) => {}
        Ok(false) => files.unlink(id),
        Err(error) => {
            tracing::warn!(%id, "a file is left to the sweep at the next start: {error}")
        }
    }
}

/// The row of a file that is being uploaded.
pub(super) fn live(
    written: &ReceivedFile,
    name: FileName,
    user: UserId,
    now: Timestamp,
) -> AssetInfo {
    AssetInfo {
        original_name: name.clone(),
        file_name: name,
        mime: written.mime.clone(),
        size: written.size,
        created_at: now,
        sha256: written.sha256,
        user,
        state: AssetState::Live,
    }
}

/// Returns the page or draft with this id. A deleted page is an error.
pub(super) fn present(
    txn: &impl Read,
    page: PageId,
    moment: Moment,
) -> Result<PageIndex, AssetError> {
    let page = existing_page(txn, page, moment)?.ok_or(AssetError::PageNotFound)?;
    match &page {
        PageIndex::Page(info) if info.path_state.is_deleted() => Err(AssetError::PageDeleted),
        PageIndex::Page(_) | PageIndex::Draft(_) => Ok(page),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::TestWiki;
    use crate::store::ASSET_NAME;

    #[test]
    fn free_name_search_ends_at_a_thousand() {
        let test = TestWiki::new();
        let (page, name) = (PageId::from_bytes([1; 16]), FileName::new("a.txt").unwrap());
        let undone = test.wiki.store.write(|txn| {
            let key = page.to_bytes();
            txn.put(ASSET_NAME, (&key, "a.txt"), &[2; 16])?;
            for number in 2..=1000 {
                let name = name.numbered(number);
                txn.put(ASSET_NAME, (&key, name.as_str()), &[2; 16])?;
            }
            let full = Naming::Like.free(txn, page, &name);
            assert!(matches!(full, Err(AssetError::NameTaken(taken)) if taken == name));
            txn.remove(ASSET_NAME, (&key, "a-1000.txt"))?;
            let last = Naming::Like.free(txn, page, &name)?;
            assert_eq!(last.as_str(), "a-1000.txt");
            // These rows belong to no files.
            Err::<(), _>(AssetError::PageNotFound)
        });
        assert!(matches!(undone, Err(AssetError::PageNotFound)));
    }
}
