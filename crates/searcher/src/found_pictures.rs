//! All pictures that a query finds, to be shown as a folder.

use std::sync::Arc;
use std::time::Instant;

use fumikura_base::budget::Budget;
use fumikura_fs::{RelPath, RootId};
use fumikura_library::OrderFacts;
use fumikura_pictures::Pictures;
use fumikura_search::Query;

use crate::request::{Partial, PartialReason};
use crate::searcher::Search;

/// A picture that a query finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPicture {
    pub root: RootId,
    /// The path, relative to the root.
    pub path: RelPath,
    pub facts: OrderFacts,
}

impl Search {
    /// Returns all pictures that a query finds, in no order, and the reason why some may be missing. The folders are
    /// listed again if that was before `changed`, the last change of a folder.
    pub fn found_pictures(
        &self,
        pictures: &Arc<Pictures>,
        query: &Query,
        changed: Option<Instant>,
        budget: &Budget,
    ) -> (Vec<FoundPicture>, Option<Partial>) {
        if query.is_empty() {
            return (Vec::new(), None);
        }
        let (catalogues, missing) = self.pictures.get_since(pictures, changed);
        let (mut found, mut compared, mut all) = (Vec::new(), 0, 0);
        for catalogue in &catalogues {
            let mut numbers = Vec::new();
            all += catalogue.len();
            compared += catalogue.find(query, budget, &mut numbers);
            let items = numbers
                .iter()
                .filter_map(|(number, _)| catalogue.get(*number));
            found.extend(items.map(|(_, key)| FoundPicture {
                root: key.root,
                path: key.path.clone(),
                facts: key.facts,
            }));
        }
        let unread = (compared < all).then_some(Partial {
            reason: PartialReason::TimeLimit,
            indexed: compared,
            of: all,
        });
        (found, unread.or(missing))
    }
}
