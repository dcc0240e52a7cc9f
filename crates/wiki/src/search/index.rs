//! An in-memory index of the names of all pages, updated from the changes that the store records.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::ops::ControlFlow;

use fumikura_folding::fold;

use crate::id::PageId;
use crate::model::page::PageIndex;
use crate::pages::{Title, resolve_row};
use crate::path::PagePath;
use crate::search::matching::{CharacterSet, Name, Names, Query, Rank};
use crate::store::{Direction, PAGE_INDEX, PAGE_TITLE, Read, ReadTxn, StorageError};

/// The names of all saved pages that are not deleted. Sorted by id.
#[derive(Default)]
pub(crate) struct Index {
    entries: Vec<IndexEntry>,
    /// The pages whose titles contain names of other pages, with those pages.
    linked_from_titles: BTreeMap<PageId, Vec<PageId>>,
}

struct IndexEntry {
    id: PageId,
    /// The folded title and the folded path, concatenated.
    names: Box<str>,
    /// The length of the title, in bytes.
    title: u32,
    characters: [CharacterSet; 2],
}

impl IndexEntry {
    fn new(id: PageId, path: &PagePath, title: Option<&str>) -> Self {
        let mut names = title.map(fold).unwrap_or_default();
        let title = u32::try_from(names.len()).expect("BUG: a title has a few bytes");
        let path = fold(path.as_str());
        let characters = [CharacterSet::of(&names), CharacterSet::of(&path)];
        names.push_str(&path);
        Self {
            id,
            names: names.into_boxed_str(),
            title,
            characters,
        }
    }

    fn names(&self) -> Names<'_> {
        let (title, path) = self.names.split_at(self.title as usize);
        let name = |text, characters| Name { text, characters };
        Names {
            title: name(title, self.characters[0]),
            path: name(path, self.characters[1]),
        }
    }
}

/// A candidate for the answer; the least is the best.
struct NameCandidate<'i> {
    rank: Option<Rank>,
    entry: &'i IndexEntry,
}

impl NameCandidate<'_> {
    fn key(&self) -> (Option<Rank>, &str, PageId) {
        (self.rank, self.entry.names().path.text, self.entry.id)
    }
}

impl Ord for NameCandidate<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for NameCandidate<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for NameCandidate<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for NameCandidate<'_> {}

impl Index {
    /// Reads the names of all pages.
    pub(super) fn read(txn: &ReadTxn) -> Result<Self, StorageError> {
        let mut titles = BTreeMap::new();
        txn.scan::<_, String, &[u8; 16]>(PAGE_TITLE, .., Direction::Ascending, |id, title| {
            titles.insert(*id, title);
            ControlFlow::Continue(())
        })?;
        let mut linked_from_titles = BTreeMap::new();
        for (id, title) in &mut titles {
            let page = PageId::from_bytes(*id);
            let Title { text, linked_pages } = resolve_row(txn, page, std::mem::take(title))?;
            *title = text;
            set_linked_pages(&mut linked_from_titles, page, linked_pages);
        }
        let mut entries = Vec::new();
        txn.scan::<_, PageIndex, &[u8; 16]>(PAGE_INDEX, .., Direction::Ascending, |id, page| {
            if let Some(path) = page.present_path() {
                let title = titles.get(id).map(String::as_str);
                entries.push(IndexEntry::new(PageId::from_bytes(*id), path, title));
            }
            ControlFlow::Continue(())
        })?;
        Ok(Self {
            entries,
            linked_from_titles,
        })
    }

    /// Reads the names of some pages again, and the titles that contain them.
    pub(super) fn refresh(
        &mut self,
        txn: &ReadTxn,
        pages: impl IntoIterator<Item = [u8; 16]>,
    ) -> Result<(), StorageError> {
        let mut pages: BTreeSet<[u8; 16]> = pages.into_iter().collect();
        let has_changed_link =
            |linked_pages: &[PageId]| linked_pages.iter().any(|id| pages.contains(&id.to_bytes()));
        let linked_from_titles = self
            .linked_from_titles
            .iter()
            .filter(|(_, linked_pages)| has_changed_link(linked_pages));
        let linked_from_titles: Vec<[u8; 16]> =
            linked_from_titles.map(|(id, _)| id.to_bytes()).collect();
        pages.extend(linked_from_titles);
        let mut read: BTreeMap<PageId, Option<IndexEntry>> = BTreeMap::new();
        for id in pages {
            let page_id = PageId::from_bytes(id);
            let title: Option<String> = txn.get(PAGE_TITLE, &id)?;
            let title = title
                .map(|row| resolve_row(txn, page_id, row))
                .transpose()?;
            let (title, linked_pages) = title.map(|title| (title.text, title.linked_pages)).unzip();
            set_linked_pages(
                &mut self.linked_from_titles,
                page_id,
                linked_pages.unwrap_or_default(),
            );
            let page = txn.get(PAGE_INDEX, &id)?;
            let path = page.as_ref().and_then(PageIndex::present_path);
            let entry = path.map(|path| IndexEntry::new(page_id, path, title.as_deref()));
            read.insert(page_id, entry);
        }
        // Existing entries keep their positions. The other pages are removed or added at once.
        let mut some_removed = false;
        for old in &mut self.entries {
            if read.is_empty() {
                break;
            }
            match read.get_mut(&old.id) {
                Some(new @ Some(_)) => {
                    if let Some(new) = new.take() {
                        *old = new;
                    }
                    read.remove(&old.id);
                }
                Some(None) => some_removed = true,
                None => {}
            }
        }
        if some_removed {
            self.entries.retain(|entry| !read.contains_key(&entry.id));
        }
        self.entries.extend(read.into_values().flatten());
        self.entries.sort_by_key(|entry| entry.id);
        Ok(())
    }

    /// The pages for which the two indexes differ.
    pub(super) fn differences(&self, other: &Self) -> BTreeSet<PageId> {
        let by_id = |index: &Self| -> BTreeMap<PageId, String> {
            let names = index.entries.iter().map(|entry| {
                let Names { title, path } = entry.names();
                (entry.id, format!("{}\0{}", title.text, path.text))
            });
            names.collect()
        };
        let (own, others) = (by_id(self), by_id(other));
        let ids = own.keys().chain(others.keys());
        ids.filter(|id| own.get(*id) != others.get(*id))
            .copied()
            .collect()
    }

    /// The best matches, the best first, with their scores; at most `limit`. All pages match an
    /// empty query, sorted by path.
    pub(super) fn find(&self, query: &Query, limit: usize) -> Vec<(PageId, u32)> {
        let mut best = BinaryHeap::with_capacity(limit + 1);
        for entry in &self.entries {
            let rank = match query.is_empty() {
                true => None,
                false => match query.rank(entry.names()) {
                    Some(rank) => Some(rank),
                    None => continue,
                },
            };
            let candidate = NameCandidate { rank, entry };
            if best.len() < limit {
                best.push(candidate);
            } else if best.peek().is_some_and(|worst| candidate < *worst) {
                best.pop();
                best.push(candidate);
            }
        }
        let best = best.into_sorted_vec().into_iter();
        best.map(|found| (found.entry.id, found.rank.map_or(0, Rank::score)))
            .collect()
    }
}

fn set_linked_pages(
    linked_from_titles: &mut BTreeMap<PageId, Vec<PageId>>,
    page: PageId,
    linked_pages: Vec<PageId>,
) {
    if linked_pages.is_empty() {
        linked_from_titles.remove(&page);
    } else {
        linked_from_titles.insert(page, linked_pages);
    }
}
