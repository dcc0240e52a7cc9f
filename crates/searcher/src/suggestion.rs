//! A near query for one without results.

use fumikura_search::{NearWord, required_words};
use fumikura_wiki::StorageError;

use crate::query::PageSearch;
use crate::request::{Kind, SearchRequest};
use crate::searcher::Search;
use crate::state::SearchState;

impl Search {
    /// Returns the typed query with near words in the place of those that no page has, if that finds pages.
    pub(crate) fn suggestion(
        &self,
        state: &SearchState,
        search: &PageSearch<'_>,
    ) -> Result<Option<String>, StorageError> {
        let Some(typed) = &search.request.typed else {
            return Ok(None);
        };
        let mut text = typed.text.clone();
        // From the last one on, so that the places of the others stay.
        for place in required_words(&typed.text) {
            let word = &typed.text[place.clone()];
            if self.finds(word, state, search)? {
                continue;
            }
            let Some(near) = self.near_word(word, state) else {
                return Ok(None);
            };
            text.replace_range(place, &near);
        }
        let is_better = text != typed.text && self.finds(&text, state, search)?;
        Ok(is_better.then_some(text))
    }

    /// Returns whether another typed text finds a page.
    fn finds(
        &self,
        text: &str,
        state: &SearchState,
        search: &PageSearch<'_>,
    ) -> Result<bool, StorageError> {
        let typed = search.request.typed.as_ref();
        let Some(Ok(query)) = typed.map(|typed| typed.query(text)) else {
            return Ok(false);
        };
        let request = SearchRequest {
            query,
            typed: None,
            kind: Some(Kind::Page),
            deleted: search.request.deleted,
            revisions: false,
            offset: 0,
            limit: 1,
            budget: search.budget.clone(),
        };
        let search = PageSearch {
            request: &request,
            wiki: search.wiki,
            budget: search.budget.clone(),
        };
        Ok(self.pages(state, &search)?.total > 0)
    }

    fn near_word(&self, word: &str, state: &SearchState) -> Option<String> {
        let mut near = NearWord::new(word)?;
        near.compare_names(&state.directory);
        if let Some(index) = self.open_index()
            && let Err(error) = near.compare_index(&index)
        {
            self.report_damage(&error);
        }
        near.found()
    }
}
