//! The tags, properties and open tasks of all present pages, in memory: read at the first query, and updated from the changes that
//! the store records.

mod query;
mod tasks;

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use parking_lot::RwLockReadGuard;
use unicode_normalization::UnicodeNormalization;

use crate::id::PageId;
use crate::latest_text::newest;
use crate::links;
use crate::markdown;
use crate::model::link::{LinkTarget, PageLinks};
use crate::model::page::{PageInfo, PageSource};
use crate::pages;
use crate::parts::Catalogue;
use crate::path::PagePath;
use crate::properties::{self, Property, PropertyKind};
use crate::repository;
use crate::store::{
    ChangeSet, DELETED_PAGE_PATH, PAGE_LINKS, Read, ReadSets, ReadTxn, StorageError,
};

pub use query::{Comparison, Condition, PageAnswer, PageQuery, PageSort};
pub use tasks::{OpenTask, PageTask, TaskAnswer, TaskQuery, TaskSort, TaskTag};

/// A page in the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CataloguedPage {
    pub page_id: PageId,
    pub path: PagePath,
    pub title: Option<String>,
    /// The time of its latest revision.
    pub updated: Timestamp,
    /// The name of its author.
    pub user_name: String,
    /// The tags of the front matter and of the text, each once, as first written.
    pub tags: Vec<String>,
    pub properties: Vec<Property>,
}

/// A tag, with the number of its pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagCount {
    /// As the oldest page that has it writes it.
    pub tag: String,
    pub pages: usize,
}

/// The pages by id, which is in the order of their creation.
#[derive(Default)]
pub(crate) struct CatalogueRows {
    pages: BTreeMap<PageId, CataloguedPage>,
    /// The open tasks of the pages that have some.
    tasks: BTreeMap<PageId, Vec<OpenTask>>,
    /// By page: the pages whose properties link to it, and may contain its path.
    linked_from: BTreeMap<PageId, BTreeSet<PageId>>,
}

/// Returns the form in which tags are compared: without differences of case and width.
#[must_use]
pub(crate) fn tag_key(tag: &str) -> String {
    tag.nfkc().flat_map(char::to_lowercase).nfkc().collect()
}

/// Returns true if a tag is the other one, or below it.
pub(crate) fn is_tag_within(key: &str, of: &str) -> bool {
    let rest = key.strip_prefix(of);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Catalogue<'_> {
    /// Lists the tags of all pages, by name.
    ///
    /// # Errors
    /// If the database fails.
    pub fn tags(&self) -> Result<Vec<TagCount>, StorageError> {
        let mut tags: BTreeMap<String, TagCount> = BTreeMap::new();
        for tag in self.rows()?.pages.values().flat_map(|page| &page.tags) {
            let counted = tags.entry(tag_key(tag)).or_insert_with(|| TagCount {
                tag: tag.clone(),
                pages: 0,
            });
            counted.pages += 1;
        }
        Ok(tags.into_values().collect())
    }

    /// Counts the pages that have each property, by name; without tags.
    ///
    /// # Errors
    /// If the database fails.
    pub fn properties(&self) -> Result<BTreeMap<String, usize>, StorageError> {
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        let rows = self.rows()?;
        let all = rows.pages.values().flat_map(|page| &page.properties);
        for property in all.filter(|property| property.kind != PropertyKind::Tags) {
            *names.entry(property.name.clone()).or_default() += 1;
        }
        Ok(names)
    }

    /// Returns the rows, up to date with all previous commits.
    fn rows(&self) -> Result<RwLockReadGuard<'_, CatalogueRows>, StorageError> {
        let shared = self.rows.read();
        if self.store.catalogue_changes.is_empty() {
            return Ok(shared);
        }
        drop(shared);
        let mut rows = self.rows.write();
        let changed = self.store.catalogue_changes.take();
        let read = self.store.read(|txn| match changed {
            ChangeSet::Everything => {
                *rows = CatalogueRows::default();
                for info in repository::all_saved(txn)? {
                    rows.put(txn, info)?;
                }
                Ok(())
            }
            ChangeSet::Pages(ids) => rows.refresh(txn, ids),
        });
        if let Err(error) = read {
            self.store.catalogue_changes.mark_all();
            return Err(error);
        }
        drop(rows);
        Ok(self.rows.read())
    }
}

impl CatalogueRows {
    fn refresh(&mut self, txn: &ReadTxn, ids: BTreeSet<[u8; 16]>) -> Result<(), StorageError> {
        let mut stale: BTreeSet<PageId> = ids.into_iter().map(PageId::from_bytes).collect();
        for page_id in stale.clone() {
            let path_now = repository::present_path(txn, page_id)?;
            let path_before = self.pages.get(&page_id).map(|page| page.path.clone());
            let mut targets = vec![page_id];
            // Pages in the trash are named differently while another page is at their path.
            for path in path_now.iter().chain(&path_before) {
                let deleted = txn.ids(DELETED_PAGE_PATH, path.as_str())?;
                targets.extend(deleted.into_iter().map(PageId::from_bytes));
            }
            let linked_from = targets.iter().filter_map(|id| self.linked_from.get(id));
            stale.extend(linked_from.flatten());
        }
        for page_id in stale {
            self.pages.remove(&page_id);
            self.tasks.remove(&page_id);
            if let Some(info) = repository::saved(txn, page_id)? {
                self.put(txn, info)?;
            }
        }
        Ok(())
    }

    fn put(&mut self, txn: &ReadTxn, info: PageInfo) -> Result<(), StorageError> {
        if info.path_state.is_deleted() {
            return Ok(());
        }
        let page_id = info.page_id;
        let PageSource { head, source } = newest(txn, &info)?;
        let path = info.path_state.path();
        let read = links::display_properties(txn, page_id, path, &source, true)?.items;
        if !properties::links(&source).is_empty() {
            let PageLinks { targets } = txn
                .get(PAGE_LINKS, &page_id.to_bytes())?
                .unwrap_or_default();
            for target in targets.iter().filter_map(LinkTarget::page) {
                self.linked_from.entry(target).or_default().insert(page_id);
            }
        }
        let page = CataloguedPage {
            page_id,
            title: pages::title(txn, page_id)?,
            path: info.path_state.path().clone(),
            updated: head.created_at,
            user_name: head.user_name,
            tags: tags_of(&source, &read),
            properties: read,
        };
        let tasks = tasks::tasks_of(txn, &page, &source)?;
        if !tasks.is_empty() {
            self.tasks.insert(page_id, tasks);
        }
        self.pages.insert(page_id, page);
        Ok(())
    }
}

/// Returns the tags of a text, each once.
pub(crate) fn tags_of(text: &str, properties: &[Property]) -> Vec<String> {
    let in_fields = properties
        .iter()
        .filter(|each| each.kind == PropertyKind::Tags);
    let in_fields = in_fields.flat_map(|property| property.values.iter().cloned());
    let in_text = markdown::tags(text)
        .into_iter()
        .map(|tag| text[tag].to_owned());
    let mut keys = BTreeSet::new();
    let all = in_fields.chain(in_text);
    all.filter(|tag| keys.insert(tag_key(tag))).collect()
}

#[cfg(test)]
mod tests;
