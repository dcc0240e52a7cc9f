//! Comparison of two revisions of a page (docs/spec/wiki.md, History and differences).

use crate::id::PageId;
use crate::links;
use crate::model::page::{PageInfo, PageSource, SourceHead};
use crate::pages::{PageError, RevisionInfo, saved_page, source_row};
use crate::parts::Revisions;
use crate::path::PagePath;
use crate::revisions::text::{self, TextDiff};
use crate::store::{Read, ReadSets, StorageError};
use crate::tree::path_at;

/// The difference from one revision to another, newer or older.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageDiff {
    /// The revision to compare from.
    pub from: RevisionWithPath,
    /// The revision to compare with.
    pub to: RevisionWithPath,
    /// The revisions between the two that set another path, oldest first: those after the older one, up to and
    /// including the newer one.
    pub renames: Vec<RevisionWithPath>,
    /// The changes of the text, with links shown as current paths.
    pub text: TextDiff,
}

/// A revision with the page's path at that time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevisionWithPath {
    /// The metadata of the revision.
    pub info: RevisionInfo,
    /// The path of the page at that time.
    pub path: PagePath,
}

impl Revisions<'_> {
    /// Compares two revisions of a page. The revisions of a deleted page can be compared too.
    ///
    /// # Errors
    /// Returns [`PageError`] if one of them does not exist.
    pub fn diff(&self, page_id: PageId, from: u64, to: u64) -> Result<PageDiff, PageError> {
        let (sides, renames) = self.store.read(|txn| {
            let info = saved_page(txn, page_id, self.lock_time.moment())?;
            let sides = (side(txn, &info, from)?, side(txn, &info, to)?);
            Ok::<_, PageError>((sides, renames(txn, &info, from.min(to), from.max(to))?))
        })?;
        // The comparison may take a while, so it runs outside of the transaction.
        let ((from, old), (to, new)) = sides;
        Ok(PageDiff {
            from,
            to,
            renames,
            text: text::diff(&old, &new),
        })
    }
}

fn side(
    txn: &(impl Read + ReadSets),
    info: &PageInfo,
    revision: u64,
) -> Result<(RevisionWithPath, String), PageError> {
    let row: PageSource = source_row(txn, info, revision)?;
    let text = displayed(txn, info, &row)?;
    Ok((with_path(txn, info, row.head)?, text))
}

/// Returns the text of a revision, with links shown as current paths.
pub(super) fn displayed(
    txn: &(impl Read + ReadSets),
    info: &PageInfo,
    PageSource { head, source }: &PageSource,
) -> Result<String, StorageError> {
    let (base, newest) = (info.path_state.path(), head.revision == info.latest);
    links::display_text(txn, info.page_id, base, source, newest)
}

fn with_path(
    txn: &(impl Read + ReadSets),
    info: &PageInfo,
    head: SourceHead,
) -> Result<RevisionWithPath, PageError> {
    Ok(RevisionWithPath {
        path: path_at(txn, info, head.revision)?,
        info: head.into(),
    })
}

fn renames(
    txn: &(impl Read + ReadSets),
    info: &PageInfo,
    after: u64,
    until: u64,
) -> Result<Vec<RevisionWithPath>, PageError> {
    let renames = info.rename_revisions.iter();
    let renames = renames.filter(|rename| after < **rename && **rename <= until);
    renames
        .map(|rename| with_path(txn, info, source_row(txn, info, *rename)?))
        .collect()
}
