//! Looking for pages by what people remember of their names.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use crate::id::PageId;
use crate::model::page::{PageIndex, PagePathState};
use crate::search::fold::Folded;
use crate::search::index::Index;
use crate::search::matching::{Name, Names, Query};
use crate::search::title::title;
use crate::store::{Changed, PAGE_INDEX, Read, ReadTxn, StorageError};
use crate::wiki::Wiki;

/// The longest query, in characters.
pub const MAX_QUERY_CHARS: usize = 256;

/// A page that fits a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPage {
    /// The page.
    pub page_id: PageId,
    /// Where it stands, in pieces.
    pub path: Vec<MatchSpan>,
    /// Its title in pieces, if it has one.
    pub title: Option<Vec<MatchSpan>>,
    /// How well it fits; the greatest is the best. 0 for an empty query.
    pub score: u32,
}

/// A piece of a path or title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchSpan {
    /// What it says.
    pub text: String,
    /// Whether it is what the query was found by.
    pub matched: bool,
}

/// Nothing could be looked for.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The query is too long.
    #[error("a search has at most {MAX_QUERY_CHARS} characters")]
    TooLong,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl Wiki {
    /// Looks for pages by their titles and paths: the best first, at most `limit`. Width, case and
    /// kind of kana don't matter. Where a text holds what was typed, or a word of it, in one piece, it
    /// comes before one that has its characters here and there. Drafts and deleted pages are not found.
    ///
    /// # Errors
    /// [`SearchError::TooLong`] for more than [`MAX_QUERY_CHARS`].
    pub fn search(&self, typed: &str, limit: usize) -> Result<Vec<FoundPage>, SearchError> {
        if typed.chars().nth(MAX_QUERY_CHARS).is_some() {
            return Err(SearchError::TooLong);
        }
        let query = Query::new(typed);
        let found = self.index()?.find(&query, limit);
        Ok(self.store.read(|txn| {
            let found = found.into_iter();
            let pages = found.map(|(page, score)| described(txn, &query, page, score));
            pages
                .filter_map(Result::transpose)
                .collect::<Result<_, StorageError>>()
        })?)
    }

    /// The index, true to all that was committed before.
    fn index(&self) -> Result<RwLockReadGuard<'_, Index>, StorageError> {
        let index: &RwLock<Index> = &self.names;
        // Whoever takes changes holds the index until they are in it: if there are none now, it is
        // true.
        let shared = index.read().unwrap_or_else(PoisonError::into_inner);
        if self.store.changes.is_empty() {
            return Ok(shared);
        }
        drop(shared);
        self.refreshed(|_, _| Ok(()))?;
        Ok(index.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The pages of which the index says something else than the database.
    pub(crate) fn misnamed_pages(&self) -> Result<BTreeSet<PageId>, StorageError> {
        self.refreshed(|txn, index| Ok(index.differences(&Index::read(txn)?)))
    }

    /// Brings the index up to date and looks at it beside the database of the same moment.
    fn refreshed<R>(
        &self,
        look: impl FnOnce(&ReadTxn, &Index) -> Result<R, StorageError>,
    ) -> Result<R, StorageError> {
        let mut index = self.names.write().unwrap_or_else(PoisonError::into_inner);
        let changed = self.store.changes.take();
        let looked = self.store.read(|txn| {
            match changed {
                Changed::Everything => *index = Index::read(txn)?,
                Changed::Pages(pages) => index.refresh(txn, pages)?,
            }
            look(txn, &index)
        });
        if looked.is_err() {
            self.store.changes.lost();
        }
        looked
    }
}

/// A page as it is shown in the answer; none if it has gone in the meantime.
fn described(
    txn: &ReadTxn,
    query: &Query,
    page_id: PageId,
    score: u32,
) -> Result<Option<FoundPage>, StorageError> {
    let Some(PageIndex::Page(info)) = txn.get(PAGE_INDEX, &page_id.to_bytes())? else {
        return Ok(None);
    };
    let PagePathState::Current(path) = info.path_state else {
        return Ok(None);
    };
    let title = title(txn, page_id)?;
    let folded_title = Folded::new(title.as_deref().unwrap_or_default());
    let folded_path = Folded::new(path.as_str());
    let [in_title, in_path] = query.places(Names {
        title: Name::new(&folded_title.text),
        path: Name::new(&folded_path.text),
    });
    Ok(Some(FoundPage {
        page_id,
        path: spans(path.as_str(), &folded_path, in_path),
        title: title.map(|title| spans(&title, &folded_title, in_title)),
        score,
    }))
}

/// A text in pieces: those parts of it, and what is between them.
fn spans(text: &str, folded: &Folded, places: Vec<Range<usize>>) -> Vec<MatchSpan> {
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
