//! Searches pages by their names.

use std::collections::BTreeSet;
use std::ops::Range;

use fumikura_folding::FoldedText;
use parking_lot::{RwLock, RwLockReadGuard};
use serde::Serialize;

use crate::id::PageId;
use crate::pages::title;
use crate::parts::PageSearch;
use crate::repository::present_path;
use crate::search::index::Index;
use crate::search::matching::{Name, Names, Query};
use crate::store::{ChangeSet, ReadTxn, StorageError};

/// The longest query, in characters.
pub const MAX_QUERY_CHARS: usize = 256;

/// A page that matches a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchHit {
    pub page_id: PageId,
    /// Its path, in pieces.
    pub path: Vec<MatchSpan>,
    /// Its title in pieces, if it has one.
    pub title: Option<Vec<MatchSpan>>,
    /// The score of the match; the greatest is the best. 0 for an empty query.
    pub score: u32,
}

/// A part of a path or title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct MatchSpan {
    /// The text of the piece.
    pub text: String,
    /// True if the query matches this part.
    pub matched: bool,
}

/// A search failed.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The query is too long.
    #[error("a search has at most {MAX_QUERY_CHARS} characters")]
    TooLong,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl PageSearch<'_> {
    /// Searches pages by their titles and paths, the best matches first, at most `limit`. Width, case
    /// and the kind of kana are ignored. A text that contains the query, or a word of it, in one piece
    /// ranks before one that contains its characters apart. Drafts and deleted pages are not found.
    ///
    /// # Errors
    /// [`SearchError::TooLong`] for more than [`MAX_QUERY_CHARS`].
    pub fn find(&self, typed: &str, limit: usize) -> Result<Vec<SearchHit>, SearchError> {
        if typed.chars().nth(MAX_QUERY_CHARS).is_some() {
            return Err(SearchError::TooLong);
        }
        let query = Query::new(typed);
        let found = self.index()?.find(&query, limit);
        Ok(self.store.read(|txn| {
            let found = found.into_iter();
            let pages = found.map(|(page, score)| search_hit(txn, &query, page, score));
            pages
                .filter_map(Result::transpose)
                .collect::<Result<_, StorageError>>()
        })?)
    }

    /// The index, up to date with all previous commits.
    fn index(&self) -> Result<RwLockReadGuard<'_, Index>, StorageError> {
        let index: &RwLock<Index> = self.names;
        // A thread that takes the changes holds the index until they are applied. If there are none
        // now, the index is up to date.
        let shared = index.read();
        if self.store.changes.is_empty() {
            return Ok(shared);
        }
        drop(shared);
        self.with_fresh_index(|_, _| Ok(()))?;
        Ok(index.read())
    }

    /// The pages for which the index differs from the database.
    pub(crate) fn outdated_pages(&self) -> Result<BTreeSet<PageId>, StorageError> {
        self.with_fresh_index(|txn, index| Ok(index.differences(&Index::read(txn)?)))
    }

    /// Updates the index and compares it with the database at the same moment.
    fn with_fresh_index<R>(
        &self,
        read: impl FnOnce(&ReadTxn, &Index) -> Result<R, StorageError>,
    ) -> Result<R, StorageError> {
        let mut index = self.names.write();
        let changed = self.store.changes.take();
        let result = self.store.read(|txn| {
            match changed {
                ChangeSet::Everything => *index = Index::read(txn)?,
                ChangeSet::Pages(pages) => index.refresh(txn, pages)?,
            }
            read(txn, &index)
        });
        if result.is_err() {
            self.store.changes.mark_all();
        }
        result
    }
}

/// A page as it is shown in the answer; `None` if it was removed in the meantime.
fn search_hit(
    txn: &ReadTxn,
    query: &Query,
    page_id: PageId,
    score: u32,
) -> Result<Option<SearchHit>, StorageError> {
    let Some(path) = present_path(txn, page_id)? else {
        return Ok(None);
    };
    let title = title(txn, page_id)?;
    let folded_title = FoldedText::new(title.as_deref().unwrap_or_default());
    let folded_path = FoldedText::new(path.as_str());
    let [in_title, in_path] = query.places(Names {
        title: Name::new(folded_title.text()),
        path: Name::new(folded_path.text()),
    });
    Ok(Some(SearchHit {
        page_id,
        path: spans(path.as_str(), &folded_path, in_path),
        title: title.map(|title| spans(&title, &folded_title, in_title)),
        score,
    }))
}

/// Splits a text into these parts and the pieces between them.
fn spans(text: &str, folded: &FoldedText, places: Vec<Range<usize>>) -> Vec<MatchSpan> {
    let mut spans: Vec<MatchSpan> = Vec::new();
    let mut add = |text: &str, matched: bool| match spans.last_mut() {
        Some(last) if last.matched == matched => last.text.push_str(text),
        Some(_) | None => spans.push(MatchSpan {
            text: text.to_owned(),
            matched,
        }),
    };
    let mut at = 0;
    for place in places {
        let written = folded.written(place);
        let (start, end) = (written.start.max(at), written.end.max(at));
        if at < start {
            add(&text[at..start], false);
        }
        if start < end {
            add(&text[start..end], true);
        }
        at = end;
    }
    if at < text.len() {
        add(&text[at..], false);
    }
    spans
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
