//! The lists of the pages of a moment.

use std::collections::BTreeMap;

use super::Past;
use crate::pages::{ListedPage, Listing, ListingQuery};
use crate::path::PagePath;
use crate::store::StorageError;
use crate::tree::{Children, child_list};

impl Past<'_> {
    /// Returns the entries directly beneath `path`, from the name after `after` on, at most `limit`.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn children(
        &self,
        path: &PagePath,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Children, StorageError> {
        self.read(|view| {
            let pages = view.all()?;
            let below = pages
                .iter()
                .filter(|(at, _)| *at != path && at.is_within(path));
            let below = below.map(|(at, page)| (at.as_str(), page.info.page_id));
            child_list(path, below, (after, limit), |page| view.title(page))
        })
    }

    /// Lists pages by path, as [`Pages::list`](crate::Pages::list) does. The trash of that moment is never listed.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub fn list(&self, query: &ListingQuery) -> Result<Listing, StorageError> {
        self.read(|view| {
            let pages: BTreeMap<_, _> = view.all()?;
            let mut found: Vec<_> = pages
                .into_values()
                .filter(|page| page.path.is_within(&query.prefix))
                .filter(|page| match &query.cursor {
                    Some(cursor) if query.backwards => page.path < *cursor,
                    Some(cursor) => page.path > *cursor,
                    None => true,
                })
                .collect();
            if query.backwards {
                found.reverse();
            }
            let has_more = found.len() > query.limit;
            found.truncate(query.limit);
            let anchor = found.last().map(|page| page.path.clone());
            if query.backwards {
                found.reverse();
            }
            let items = found.into_iter().map(|page| {
                Ok(ListedPage {
                    page_id: page.info.page_id,
                    title: view.title(page.info.page_id)?,
                    path: page.path,
                    deleted: false,
                    last_update: page.head.into(),
                })
            });
            Ok(Listing {
                items: items.collect::<Result<_, StorageError>>()?,
                has_more,
                anchor,
            })
        })
    }
}
