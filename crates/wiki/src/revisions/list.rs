//! A page's revisions, the newest first.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::id::PageId;
use crate::model::page::{PageInfo, SourceHead};
use crate::pages::{PageError, RevisionInfo, saved_page};
use crate::path::PagePath;
use crate::store::{Direction, PAGE_SOURCE, Read};
use crate::tree::path_at;
use crate::wiki::Wiki;

/// A part of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevisionList {
    /// Revisions, the newest first, without gaps.
    pub items: Vec<ListedRevision>,
    /// Whether there are older ones than these.
    pub has_more: bool,
    /// The oldest revision that is kept.
    pub oldest: u64,
}

/// A revision in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedRevision {
    /// What happened.
    pub info: RevisionInfo,
    /// Where the page stood then.
    pub path: PagePath,
    /// How long its text is, in bytes, as it is stored.
    pub bytes: u64,
}

/// The leading fields of a revision's row: what happened, and the length that stands before the
/// text.
#[derive(Serialize, Deserialize)]
struct MeasuredHead {
    head: SourceHead,
    bytes: u64,
}

impl Wiki {
    /// Lists a page's revisions from the one before `before`, or from the newest; at most `limit`.
    ///
    /// # Errors
    /// [`PageError::Draft`] while there is none yet. The revisions of a deleted page are listed.
    pub fn revisions(
        &self,
        page_id: PageId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<RevisionList, PageError> {
        self.store.read(|txn| {
            let info = saved_page(txn, page_id, self.moment())?;
            let end = before.unwrap_or(u64::MAX).min(info.latest + 1);
            let mut heads = Vec::new();
            if limit > 0 && info.gc_min < end {
                let id = page_id.to_bytes();
                txn.scan::<_, MeasuredHead, (&[u8; 16], u64)>(
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
            let items = with_paths(txn, &info, heads)?;
            let last = items.last().map_or(end, |item| item.info.revision);
            Ok(RevisionList {
                items,
                has_more: last > info.gc_min,
                oldest: info.gc_min,
            })
        })
    }
}

fn with_paths(
    txn: &impl Read,
    info: &PageInfo,
    heads: Vec<MeasuredHead>,
) -> Result<Vec<ListedRevision>, PageError> {
    let mut items: Vec<ListedRevision> = Vec::with_capacity(heads.len());
    for MeasuredHead { head, bytes } in heads {
        // The path of the newer one, unless that one brought it. Only the newest moves without a
        // revision, by being restored to another path: the next one tells of that.
        let path = match items.last() {
            Some(newer) if newer.info.rename.is_none() && newer.info.revision < info.latest => {
                newer.path.clone()
            }
            Some(_) | None => path_at(txn, info, head.revision)?,
        };
        items.push(ListedRevision {
            info: head.into(),
            path,
            bytes,
        });
    }
    Ok(items)
}
