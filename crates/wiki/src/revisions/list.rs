//! A list of a page's revisions, newest first.

use std::ops::ControlFlow;

use crate::id::PageId;
use crate::latest_text::revision_row;
use crate::model::page::{PageInfo, SourceHead};
use crate::pages::{PageError, RevisionInfo, saved_page};
use crate::parts::Revisions;
use crate::path::PagePath;
use crate::revisions::difference::displayed;
use crate::store::{Direction, PAGE_SOURCE, Read, ReadSets};
use crate::tree::path_at;

/// A part of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevisionList {
    /// Revisions, newest first, without gaps.
    pub items: Vec<ListedRevision>,
    /// True if there are older ones than these.
    pub has_more: bool,
    /// The oldest revision that still exists.
    pub oldest: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedRevision {
    /// The metadata of the revision.
    pub info: RevisionInfo,
    /// The path of the page at that time.
    pub path: PagePath,
    /// The length of its text in bytes, with links shown as current paths.
    pub bytes: u64,
}

impl Revisions<'_> {
    /// Lists at most `limit` revisions of a page, starting with the one before `before`, or with the latest.
    /// The revisions of a deleted page are listed too.
    ///
    /// # Errors
    /// Returns [`PageError::Draft`] while there are no revisions yet.
    pub fn list(
        &self,
        page_id: PageId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<RevisionList, PageError> {
        self.store.read(|txn| {
            let info = saved_page(txn, page_id, self.lock_time.moment())?;
            let end = before.unwrap_or(u64::MAX).min(info.latest + 1);
            let mut heads = Vec::new();
            if limit > 0 && info.gc_min < end {
                let id = page_id.to_bytes();
                txn.scan::<_, SourceHead, (&[u8; 16], u64)>(
                    PAGE_SOURCE.read_as(),
                    (&id, info.gc_min)..(&id, end),
                    Direction::Descending,
                    |_, head| {
                        heads.push(head);
                        if heads.len() < limit {
                            ControlFlow::Continue(())
                        } else {
                            ControlFlow::Break(())
                        }
                    },
                )?;
            }
            let items = listed(txn, &info, heads)?;
            let last = items.last().map_or(end, |item| item.info.revision);
            Ok(RevisionList {
                items,
                has_more: last > info.gc_min,
                oldest: info.gc_min,
            })
        })
    }
}

fn listed(
    txn: &(impl Read + ReadSets),
    info: &PageInfo,
    heads: Vec<SourceHead>,
) -> Result<Vec<ListedRevision>, PageError> {
    let mut items: Vec<ListedRevision> = Vec::with_capacity(heads.len());
    for head in heads {
        // The path is that of the newer revision unless that revision set it. Only the latest revision can move
        // without a revision, by being restored to another path: the next revision records that.
        let path = match items.last() {
            Some(newer) if newer.info.rename.is_none() && newer.info.revision < info.latest => {
                newer.path.clone()
            }
            Some(_) | None => path_at(txn, info, head.revision)?,
        };
        let row = revision_row(txn, info, head.revision)?;
        items.push(ListedRevision {
            bytes: displayed(txn, info, &row)?.len() as u64,
            info: head.into(),
            path,
        });
    }
    Ok(items)
}
