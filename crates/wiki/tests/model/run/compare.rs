//! Compares all visible state of the real wiki with the model.

use std::collections::{BTreeMap, BTreeSet};

use fumikura_wiki::*;

use super::{NOON, Run, page_path};
use crate::state::PageStatus;
use crate::views::Resolution;

impl Run {
    /// Compares all visible state, and checks the tables.
    pub(crate) fn compare(&self, depth: Depth) {
        let report = self.wiki().check(depth).unwrap();
        assert!(report.faults.is_empty(), "{:#?}", report.faults);
        for (id, page) in &self.state.pages {
            self.compare_page(*id, page.status);
        }
        self.compare_files();
        self.compare_unsaved();
        if depth == Depth::Everything || self.count.is_multiple_of(8) {
            self.compare_views();
        }
    }

    /// Compares the views of several pages.
    fn compare_views(&self) {
        for path in self.state.paths() {
            self.compare_path(&path);
        }
        self.compare_trash();
        for with_deleted in [false, true] {
            let mut expected = self.state.all();
            expected.retain(|(_, _, deleted)| with_deleted || !deleted);
            for (limit, backwards) in [(1000, false), (2, false), (3, true)] {
                let listed = self.listed(limit, backwards, with_deleted);
                assert_eq!(
                    listed, expected,
                    "{limit} at a time, backwards: {backwards}"
                );
            }
        }
        let locks = self.wiki().locks().all().unwrap().into_iter();
        let locks: BTreeSet<_> = locks.map(|lock| (lock.page_id, lock.user_name)).collect();
        assert_eq!(locks, self.state.locks());
    }

    /// The complete list, read in parts.
    fn listed(
        &self,
        limit: usize,
        backwards: bool,
        with_deleted: bool,
    ) -> Vec<(String, PageId, bool)> {
        let mut parts = Vec::new();
        let mut cursor = None;
        loop {
            let part = self
                .wiki()
                .pages()
                .list(&ListingQuery {
                    prefix: PagePath::root(),
                    cursor,
                    backwards,
                    limit,
                    with_deleted,
                })
                .unwrap();
            for item in &part.items {
                assert_eq!(item.title, self.state.title(item.page_id), "{}", item.path);
            }
            let items = part.items.into_iter();
            let items = items.map(|item| (item.path.to_string(), item.page_id, item.deleted));
            parts.push(items.collect::<Vec<_>>());
            if !part.has_more {
                break;
            }
            cursor = part.anchor;
        }
        if backwards {
            parts.reverse();
        }
        parts.concat()
    }

    /// Compares a path and its subtree.
    fn compare_path(&self, path: &str) {
        let at = page_path(path);
        let resolved = match self.wiki().pages().resolve(&at) {
            Ok(found) => {
                assert_eq!(found.revision, self.state.version(found.id).0);
                Resolution::Page(found.id)
            }
            Err(ResolveError::Draft { page_id, .. }) => Resolution::Draft(page_id),
            Err(ResolveError::Moved { to, .. }) => Resolution::Moved(to.to_string()),
            Err(ResolveError::NotFound(_) | ResolveError::Deleted { .. }) => Resolution::Nothing,
            Err(ResolveError::Storage(error)) => panic!("the database failed: {error}"),
        };
        assert_eq!(resolved, self.state.resolve(path), "what is at {path}");
        let children = self.wiki().tree().children(&at, None, 1000).unwrap().items;
        let children: BTreeMap<_, _> = children
            .into_iter()
            .map(|child| (child.name, (child.page_id, child.pages)))
            .collect();
        assert_eq!(children, self.state.children(path), "beneath {path}");
        let there = self
            .wiki()
            .tree()
            .deleted_pages_at(&at)
            .unwrap()
            .into_iter();
        let there: BTreeSet<PageId> = there.map(|page| page.page_id).collect();
        let deleted = self.state.all().into_iter();
        let deleted = deleted.filter(|(of, _, deleted)| *deleted && of == path);
        let mut deleted: BTreeSet<PageId> = deleted.map(|(_, id, _)| id).collect();
        if deleted.is_empty() {
            deleted.extend(self.state.in_trash(path, |_| true));
        }
        assert_eq!(there, deleted, "in the trash at {path}");
    }

    fn compare_trash(&self) {
        let trash = self.wiki().tree().trash(None, 1000).unwrap();
        let mut groups: BTreeMap<u64, DeletionId> = BTreeMap::new();
        for page in &trash {
            let known = &self.state.pages[&page.page_id];
            let PageStatus::Deleted { at, group } = known.status else {
                panic!("{} is not deleted", known.path);
            };
            assert_eq!(page.deleted_at.as_second() - NOON, at);
            assert_eq!(page.path.as_str(), known.path);
            assert_eq!(page.user_name, known.deleted_by);
            assert_eq!(page.title, self.state.title(page.page_id));
            let same = groups.entry(group).or_insert(page.deletion);
            assert_eq!(*same, page.deletion);
            self.compare_trash_path(page.page_id);
        }
        let distinct_ids: BTreeSet<&DeletionId> = groups.values().collect();
        assert_eq!(distinct_ids.len(), groups.len());
        let listed_ids: BTreeSet<PageId> = trash.iter().map(|page| page.page_id).collect();
        let deleted = self
            .state
            .all()
            .into_iter()
            .filter(|(_, _, deleted)| *deleted);
        assert_eq!(listed_ids, deleted.map(|(_, id, _)| id).collect());
        let mut parts: Vec<DeletedPage> = Vec::new();
        loop {
            let after = parts.last().map(DeletedPage::cursor);
            let part = self.wiki().tree().trash(after.as_ref(), 2).unwrap();
            if part.is_empty() {
                break;
            }
            parts.extend(part);
        }
        assert_eq!(parts, trash);
        assert!(trash.is_sorted_by(|a, b| a.deleted_at >= b.deleted_at));
    }

    /// The name of a page in the trash leads to it.
    fn compare_trash_path(&self, id: PageId) {
        let Some(name) = self.state.trash_path(id, &BTreeSet::new()) else {
            return;
        };
        if self.state.at(&name).is_none() {
            let found = self.wiki().pages().resolve(&page_path(&name));
            assert!(
                matches!(found, Err(ResolveError::Deleted { page_id, .. }) if page_id == id),
                "{name}: {found:?}"
            );
        }
    }

    fn compare_page(&self, id: PageId, status: PageStatus) {
        if self.state.is_expired_draft(id) {
            let gone = self.wiki().pages().meta(id, None);
            assert!(matches!(gone, Err(PageError::NotFound)), "{gone:?}");
            return;
        }
        let meta = self.wiki().pages().meta(id, None).unwrap();
        let page = &self.state.pages[&id];
        assert_eq!(meta.path_state.path().as_str(), page.path);
        let deleted = matches!(status, PageStatus::Deleted { .. });
        assert_eq!(meta.path_state.is_deleted(), deleted);
        let held = page.lock.is_some_and(|lock| self.state.is_active(&lock));
        assert_eq!(meta.lock.is_some(), held, "the lock of {}", page.path);
        if status == PageStatus::Draft {
            return;
        }
        assert_eq!(
            meta.title,
            self.state.title(id),
            "the title of {}",
            page.path
        );
        let links = self.wiki().links().of_page(id).unwrap();
        let expected = self.state.links(id).into_iter().collect::<Vec<_>>();
        assert_eq!(links, expected, "the links of {}", page.path);
        let backlinks = self
            .wiki()
            .links()
            .backlinks(id, None, 1000)
            .unwrap()
            .into_iter();
        let backlinks: Vec<PageId> = backlinks.map(|link| link.page_id).collect();
        assert_eq!(
            backlinks,
            self.state.backlinks(id),
            "the links to {}",
            page.path
        );
        let numbers: Vec<u64> = page.revisions.keys().copied().collect();
        assert_eq!(
            meta.revisions,
            Some((numbers[0], numbers[numbers.len() - 1]))
        );
        for number in numbers {
            let text = self.wiki().pages().source(id, Some(number)).unwrap();
            let expected = self.state.text_at(id, number);
            assert_eq!(text.source, expected, "revision {number} of {}", page.path);
            assert_eq!(text.version.amends, page.revisions[&number].amends);
            let meta = self.wiki().pages().meta(id, Some(number)).unwrap();
            let path = self.state.path_at(id, number);
            let made = meta.revision.unwrap();
            assert_eq!(made.user_name, page.revisions[&number].user_name);
            let rename = made.rename.map(|rename| (rename.from, rename.to));
            let text = |path: PagePath| path.to_string();
            let rename = rename.map(|(from, to)| (from.map(text), text(to)));
            assert_eq!(rename, page.revisions[&number].rename);
            assert_eq!(meta.path_then.as_str(), path, "revision {number}");
        }
    }
}
