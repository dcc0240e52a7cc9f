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
    /// The size of its files.
    pub bytes: u64,
    /// The paths of its other files, relative to the root, if they are joined.
    pub companions: Vec<RelPath>,
}

impl Search {
    /// Returns all pictures that a query finds, in no order, and the reason why some may be missing. The folders are
    /// listed again if that was before `changed`, the last change of a folder. With `joins_files`, a picture of several
    /// files is found once, by the file that shows it, if the query finds any of them.
    pub fn found_pictures(
        &self,
        pictures: &Arc<Pictures>,
        query: &Query,
        changed: Option<Instant>,
        joins_files: bool,
        budget: &Budget,
    ) -> (Vec<FoundPicture>, Option<Partial>) {
        if query.is_empty() {
            return (Vec::new(), None);
        }
        let (catalogues, missing) = self.pictures.get_since(pictures, changed);
        let (mut found, mut compared, mut all) = (Vec::new(), 0, 0);
        for listed in &catalogues {
            let catalogue = &listed.catalogue;
            let mut numbers = Vec::new();
            all += catalogue.len();
            compared += catalogue.find(query, budget, &mut numbers);
            let mut numbers: Vec<usize> = numbers.into_iter().map(|(number, _)| number).collect();
            if joins_files {
                numbers
                    .iter_mut()
                    .for_each(|number| *number = listed.shown_of(*number));
                numbers.sort_unstable();
                numbers.dedup();
            }
            for number in numbers {
                let Some((_, key)) = catalogue.get(number) else {
                    continue;
                };
                let joined = joins_files.then(|| listed.joined(number)).flatten();
                found.push(FoundPicture {
                    root: key.root,
                    path: key.path.clone(),
                    facts: joined.map_or(key.facts, |picture| picture.facts),
                    bytes: joined.map_or(key.facts.size, |picture| picture.bytes),
                    companions: joined.map_or_else(Vec::new, |picture| picture.companions.clone()),
                });
            }
        }
        let unread = (compared < all).then_some(Partial {
            reason: PartialReason::TimeLimit,
            indexed: compared,
            of: all,
        });
        (found, unread.or(missing))
    }
}
