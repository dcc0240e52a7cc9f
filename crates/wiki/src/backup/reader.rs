//! Reads a backup: its pages, their texts and files, compared with the present. The backup is never changed.

use std::io;
use std::path::Path;
use std::time::Duration;

use fumikura_base::own_file;
use jiff::Timestamp;

use super::{BackupFolder, list_backups};
use crate::assets::{Asset, AssetFiles, asset_if_present, live_files};
use crate::id::{AssetId, PageId};
use crate::latest_text::newest;
use crate::links;
use crate::model::asset::AssetState;
use crate::model::page::{PageInfo, PagePathState, PageSource, SourceHead};
use crate::pages;
use crate::parts::Backups;
use crate::path::PagePath;
use crate::repository;
use crate::revisions::{TextDiff, diff_texts};
use crate::store::{OpenError, Read, ReadTxn, StorageError, Store};

/// A backup can't be read.
#[derive(Debug, thiserror::Error)]
pub enum BackupReadError {
    #[error("there is no backup {0}")]
    NotFound(String),
    #[error("the page is not in the backup")]
    PageNotFound,
    /// The database of the backup is damaged, in use, or of another version.
    #[error("the backup can't be opened: {0}")]
    Unreadable(#[from] OpenError),
    /// Reading the backup, or the present data, failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<io::Error> for BackupReadError {
    fn from(error: io::Error) -> Self {
        Self::Storage(error.into())
    }
}

/// The present state of a page of a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PresentState {
    /// The latest revision is that of the backup.
    Same,
    Changed,
    /// It is in the trash.
    Deleted,
    /// It was permanently deleted, or never existed in this data.
    Missing,
}

/// A page in a backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupPage {
    pub page_id: PageId,
    /// Its path in the backup.
    pub path: PagePath,
    pub title: Option<String>,
    /// The time of its latest revision in the backup.
    pub saved_at: Timestamp,
    pub present: PresentState,
}

/// A part of the pages in a backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupPages {
    /// In the order of their paths.
    pub pages: Vec<BackupPage>,
    /// True if further pages match.
    pub has_more: bool,
}

/// A file of a page in a backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupFile {
    pub file: Asset,
    /// True if the page has a file with this name and contents now.
    pub is_present: bool,
}

/// A page in a backup with its contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupPageContents {
    pub page: BackupPage,
    /// Its path now, if it exists and is not in the trash.
    pub present_path: Option<PagePath>,
    /// The text that the page would get: that of the backup, with links as they are now.
    pub text: String,
    /// The difference from the present text, which is empty if there is no page, to that one.
    pub diff: TextDiff,
    pub files: Vec<BackupFile>,
}

/// An open backup.
pub struct BackupReader {
    pub(super) store: Store,
    pub(super) files: AssetFiles,
    /// The folder of an upgraded copy of the database.
    _upgraded: Option<BackupFolder>,
}

impl Backups<'_> {
    /// Opens a backup in the folder of all backups. Its files stay unchanged.
    ///
    /// # Errors
    /// [`BackupReadError`].
    pub fn open(&self, backups: &Path, name: &str) -> Result<BackupReader, BackupReadError> {
        let listed = list_backups(backups)?;
        let backup = listed.iter().find(|backup| backup.name == name);
        let backup = backup.ok_or_else(|| BackupReadError::NotFound(name.to_owned()))?;
        let folder = backup.path(backups);
        let database = folder.join("wiki.redb");
        let (store, upgraded) = match Store::open_read_only(&database)? {
            Some(store) => (store, None),
            None => {
                let copy = BackupFolder::begin(backups).map_err(|error| match error {
                    super::BackupError::Storage(error) => error,
                    super::BackupError::Cancelled => unreachable!("BUG: nothing cancels this"),
                })?;
                let place = copy.path().join("wiki.redb");
                let mut contents = own_file::open_users(&database)?;
                io::copy(&mut contents, &mut own_file::create_new(&place)?)?;
                let store = Store::open(&place, Duration::ZERO, |_| Ok(()))?;
                (store, Some(copy))
            }
        };
        Ok(BackupReader {
            store,
            files: AssetFiles::new(folder.join("asset")),
            _upgraded: upgraded,
        })
    }

    /// Lists the pages of a backup whose path or title contains `query`, whatever its case, after a path. Pages that were
    /// in the trash are excluded.
    ///
    /// # Errors
    /// [`BackupReadError`].
    pub fn pages(
        &self,
        reader: &BackupReader,
        query: &str,
        (after, limit): (Option<&PagePath>, usize),
    ) -> Result<BackupPages, BackupReadError> {
        let query = query.to_lowercase();
        reader.store.read(|txn| {
            let mut found = Vec::new();
            for info in repository::all_saved(txn)? {
                let PagePathState::Current(path) = &info.path_state else {
                    continue;
                };
                if after.is_some_and(|after| path <= after) {
                    continue;
                }
                let title = pages::title(txn, info.page_id)?;
                let contains = |text: &str| text.to_lowercase().contains(&query);
                if contains(path.as_str()) || title.as_deref().is_some_and(contains) {
                    found.push((path.clone(), info, title));
                }
            }
            found.sort_by(|(a, ..), (b, ..)| a.cmp(b));
            let has_more = found.len() > limit;
            found.truncate(limit);
            let pages = found.into_iter();
            let pages = pages.map(|(path, info, title)| self.page(txn, &info, path, title));
            Ok(BackupPages {
                pages: pages.collect::<Result<_, StorageError>>()?,
                has_more,
            })
        })
    }

    /// Finds the page of a backup at a path.
    ///
    /// # Errors
    /// [`BackupReadError::PageNotFound`].
    pub fn page_at(
        &self,
        reader: &BackupReader,
        path: &PagePath,
    ) -> Result<BackupPage, BackupReadError> {
        reader.store.read(|txn| {
            let page = repository::page_at(txn, path)?;
            let info = page.map(|page| repository::saved(txn, page)).transpose()?;
            let info = info.flatten().ok_or(BackupReadError::PageNotFound)?;
            let title = pages::title(txn, info.page_id)?;
            Ok(self.page(txn, &info, path.clone(), title)?)
        })
    }

    /// Reads a page of a backup.
    ///
    /// # Errors
    /// [`BackupReadError::PageNotFound`] also for a page that was in the trash.
    pub fn contents(
        &self,
        reader: &BackupReader,
        page_id: PageId,
    ) -> Result<BackupPageContents, BackupReadError> {
        reader.store.read(|txn| {
            let (info, path) = page_in(txn, page_id)?.ok_or(BackupReadError::PageNotFound)?;
            let source: PageSource = newest(txn, &info)?;
            let files = live_files(txn, page_id)?;
            let title = pages::title(txn, page_id)?;
            let page = self.page(txn, &info, path.clone(), title)?;
            self.wiki.store.read(|present| {
                let now = repository::saved(present, page_id)?;
                let now = now.filter(|info| !info.path_state.is_deleted());
                let present_path = now.as_ref().map(|info| info.path_state.path().clone());
                let base = present_path.as_ref().unwrap_or(&path);
                let stored = text_for(present, txn, page_id, &path, &source.source)?;
                let stored = links::rebind_links(present, page_id, &path, base, &stored)?;
                let after = links::display_stored_text(present, base, &stored, true)?;
                let before = match &now {
                    Some(info) => {
                        let source: PageSource = newest(present, info)?;
                        links::display_text(present, page_id, base, &source.source, true)?
                    }
                    None => String::new(),
                };
                let own = live_files(present, page_id)?;
                let files = files.into_iter().map(|file| {
                    let is_present = own.iter().any(|own| is_same_file(own, &file));
                    BackupFile { file, is_present }
                });
                Ok(BackupPageContents {
                    page,
                    present_path,
                    diff: diff_texts(&before, &after),
                    text: after,
                    files: files.collect(),
                })
            })
        })
    }

    fn page(
        &self,
        txn: &ReadTxn,
        info: &PageInfo,
        path: PagePath,
        title: Option<String>,
    ) -> Result<BackupPage, StorageError> {
        let head: SourceHead = newest(txn, info)?;
        let present = self.wiki.store.read(|present| {
            let Some(now) = repository::saved(present, info.page_id)? else {
                return Ok(PresentState::Missing);
            };
            if now.path_state.is_deleted() {
                return Ok(PresentState::Deleted);
            }
            let latest: SourceHead = newest(present, &now)?;
            let version = |head: &SourceHead| (head.revision, head.amends, head.created_at);
            Ok::<_, StorageError>(match version(&latest) == version(&head) {
                true => PresentState::Same,
                false => PresentState::Changed,
            })
        })?;
        Ok(BackupPage {
            page_id: info.page_id,
            path,
            title,
            saved_at: head.created_at,
            present,
        })
    }
}

impl BackupReader {
    /// Returns a file of a page that was not in the trash.
    pub(super) fn file(&self, id: AssetId) -> Result<Option<Asset>, StorageError> {
        self.store.read(|txn| {
            let file = asset_if_present(txn, id)?;
            Ok(file.filter(|file| file.state == AssetState::Live))
        })
    }
}

/// Returns a saved page that is not in the trash, and its path.
pub(super) fn page_in(
    txn: &impl Read,
    page_id: PageId,
) -> Result<Option<(PageInfo, PagePath)>, StorageError> {
    Ok(
        repository::saved(txn, page_id)?.and_then(|info| match &info.path_state {
            PagePathState::Current(path) => {
                let path = path.clone();
                Some((info, path))
            }
            PagePathState::LastDeleted(_) => None,
        }),
    )
}

/// Returns the latest text of a page in a backup for the present, with the ids of pages: links to pages that exist keep
/// leading to them, wherever they are now, and the others lead to the paths that they had in the backup, where the page
/// was at `base`.
pub(super) fn text_for(
    present: &impl Read,
    backup: &ReadTxn,
    page_id: PageId,
    base: &PagePath,
    stored: &str,
) -> Result<String, StorageError> {
    let bound = links::bindings(backup, page_id)?;
    links::text_of_copy(base, stored, &bound, |id| {
        if repository::path_state(present, id)?.is_some() {
            return Ok(None);
        }
        match repository::path_state(backup, id)? {
            Some(state) => Ok(Some(state.path().clone())),
            None => links::erased_path(backup, id),
        }
    })
}

pub(super) fn is_same_file(a: &Asset, b: &Asset) -> bool {
    a.file_name == b.file_name && a.sha256 == b.sha256
}
