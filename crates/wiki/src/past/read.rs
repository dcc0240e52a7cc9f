//! Resolution of a path at a moment, and reading of texts and metadata.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::view::{PastPage, PastState, PastView};
use super::{Past, files};
use crate::assets::{Asset, AssetError};
use crate::file_name::FileName;
use crate::id::{AssetId, PageId};
use crate::latest_text::revision_row;
use crate::links::{self, Backlink};
use crate::model::page::{PagePathState, PageSource};
use crate::page_names::PageNames;
use crate::pages::{MAX_LINKED_PAGES, PageMeta, PageText, ResolvedPage, VersionTag};
use crate::path::PagePath;
use crate::properties::Properties;
use crate::store::{FORMER_PATHS, LEFT_PATH, Read, ReadSets, StorageError};

/// A page can't be read as of a moment.
#[derive(Debug, thiserror::Error)]
pub enum PastError {
    /// No page was at the path.
    #[error("there was no page at {path} at {at}")]
    NothingAt { path: PagePath, at: Timestamp },
    /// The page did not exist, or was in the trash.
    #[error("the page did not exist at {0}, or was in the trash")]
    NotPresent(Timestamp),
    /// Its revisions of that time were removed.
    #[error("older revisions of this page were removed; the oldest kept is from {oldest}")]
    Removed { oldest: Timestamp },
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl Past<'_> {
    /// Finds the page that was at a path.
    ///
    /// # Errors
    /// Returns [`PastError::NothingAt`], or [`PastError::Removed`] if a page may have been there.
    pub fn resolve(&self, path: &PagePath) -> Result<ResolvedPage, PastError> {
        self.read(|view| {
            if let Some(page) = view.find(path)? {
                return Ok(ResolvedPage {
                    id: page.info.page_id,
                    revision: page.head.revision,
                    title: view.title(page.info.page_id)?,
                });
            }
            for page in view.pages_that_had(path)? {
                if let Some(state) = view.state(page)?
                    && let PastState::Removed { oldest, path: last } = &*state
                    && last == path
                {
                    return Err(PastError::Removed { oldest: *oldest });
                }
            }
            let (path, at) = (path.clone(), self.at);
            Err(PastError::NothingAt { path, at })
        })
    }

    /// Returns a page's text, with links as the paths of that moment.
    ///
    /// # Errors
    /// Returns [`PastError::NotPresent`] or [`PastError::Removed`].
    pub fn source(&self, page: PageId) -> Result<PageText, PastError> {
        self.read(|view| {
            let page = present(view, page)?;
            let stored = stored(view, &page)?;
            Ok(PageText {
                version: VersionTag {
                    revision: page.head.revision,
                    amends: page.head.amends,
                },
                source: view.text(&page, &stored)?,
                deleted: false,
            })
        })
    }

    /// Returns a page's metadata.
    ///
    /// # Errors
    /// Returns the errors of [`Past::source`].
    pub fn meta(&self, page: PageId) -> Result<PageMeta, PastError> {
        self.read(|view| {
            let page = present(view, page)?;
            let stored = stored(view, &page)?;
            let properties = Properties::read(&view.text(&page, &stored)?);
            let PastPage {
                info, head, path, ..
            } = page;
            Ok(PageMeta {
                title: view.title(info.page_id)?,
                revisions: Some((info.gc_min, info.latest)),
                path_then: path.clone(),
                linked_pages: linked_pages(view, info.page_id, &path, &stored)?,
                path_state: PagePathState::Current(path),
                rename_revisions: info.rename_revisions,
                lock: None,
                revision: Some(head.into()),
                properties,
            })
        })
    }

    /// Returns the files of a page by name, as far as the store can tell: without those that were renamed or
    /// permanently deleted since.
    ///
    /// # Errors
    /// Returns the errors of [`Past::source`].
    pub fn files(&self, page: PageId) -> Result<Vec<Asset>, PastError> {
        self.read(|view| {
            present(view, page)?;
            Ok(files(view.txn, page, self.at)?)
        })
    }

    /// Returns the file that a text referred to by a page's path and a file's name: of the page at the path, or else
    /// of the pages that had left it, most recent first.
    ///
    /// # Errors
    /// Returns [`AssetError::PageNotFound`] or [`AssetError::NoSuchName`].
    pub fn find_file(&self, path: &PagePath, name: &FileName) -> Result<AssetId, AssetError> {
        self.store.read(|txn| {
            let view = PastView::new(txn, self.at);
            let mut left = Vec::new();
            for id in txn.ids(LEFT_PATH, path.as_str())? {
                let former = txn.get(FORMER_PATHS, &id)?.unwrap_or_default().paths;
                let at = former.into_iter().filter(|former| former.path == *path);
                let then = at.filter(|former| former.left_at <= self.at);
                left.extend(then.map(|former| (former.left_at, PageId::from_bytes(id))));
            }
            left.sort_by(|a, b| b.cmp(a));
            let here = view.page_at(path)?;
            let pages: Vec<PageId> = here
                .into_iter()
                .chain(left.into_iter().map(|(_, page)| page))
                .collect();
            if pages.is_empty() {
                return Err(AssetError::PageNotFound);
            }
            for page in pages {
                let found = files(txn, page, self.at)?;
                if let Some(file) = found.into_iter().find(|file| file.file_name == *name) {
                    return Ok(file.id);
                }
            }
            Err(AssetError::NoSuchName(name.clone()))
        })
    }

    pub(super) fn read<R, E: From<StorageError>>(
        &self,
        read: impl FnOnce(&PastView<'_>) -> Result<R, E>,
    ) -> Result<R, E> {
        self.store.read(|txn| read(&PastView::new(txn, self.at)))
    }
}

pub(crate) fn present(view: &PastView<'_>, page: PageId) -> Result<PastPage, PastError> {
    if let Some(found) = view.present(page)? {
        return Ok(found);
    }
    match view.state(page)?.as_deref() {
        Some(PastState::Removed { oldest, .. }) => Err(PastError::Removed { oldest: *oldest }),
        _ => Err(PastError::NotPresent(view.at)),
    }
}

fn stored(view: &PastView<'_>, page: &PastPage) -> Result<String, StorageError> {
    let row: PageSource = revision_row(view.txn, &page.info, page.head.revision)?;
    Ok(row.source)
}

/// Returns the present pages to which a text links.
fn linked_pages(
    view: &PastView<'_>,
    page: PageId,
    base: &PagePath,
    stored: &str,
) -> Result<Vec<Backlink>, StorageError> {
    let bound = view.bindings(page)?;
    let targets: BTreeSet<PageId> = links::page_targets(stored, base, &bound);
    let mut found = Vec::new();
    for page_id in targets {
        if found.len() == MAX_LINKED_PAGES {
            break;
        }
        if let Some(PagePathState::Current(path)) = view.path_state(page_id)? {
            let title = view.title(page_id)?;
            found.push(Backlink {
                page_id,
                path,
                title,
            });
        }
    }
    Ok(found)
}
