//! Steps with the files of pages.

use std::collections::BTreeMap;

use fumikura_wiki::*;

use super::{Run, agree};
use crate::error_code;
use crate::files::{File, FileState};
use crate::state::{PageStatus, Refusals};
use crate::step::{self, FileStep};

impl Run {
    /// Uploads a file to a page.
    pub(super) fn upload(&mut self, page: PageId, name: u8) {
        let name = step::name(name);
        let refusals = self.can_add(None, name, page);
        let contents = self.count.to_string();
        let brought = self
            .wiki()
            .assets()
            .begin(page, file_name(name), None)
            .and_then(|mut writer| {
                writer.write(contents.as_bytes())?;
                self.wiki().assets().finish(writer, self.user())
            });
        if let Some(asset) = agree(refusals, brought, error_code::of_asset) {
            self.files.add(asset.id, name, page);
            self.file_ids.push(asset.id);
        }
    }

    /// Applies a step to one of the known files. Removed files must be unknown to the wiki.
    pub(super) fn with_file(&mut self, file: u8, step: &FileStep) {
        if self.file_ids.is_empty() {
            return;
        }
        let id = self.file_ids[usize::from(file) % self.file_ids.len()];
        if self.files.get(id).is_none() {
            let gone = self.wiki().assets().get(id);
            assert!(matches!(gone, Err(AssetError::NotFound)), "{gone:?}");
            return;
        }
        match step {
            FileStep::Rename { name } => self.rename_file(id, step::name(*name)),
            FileStep::Delete { hard: true } => {
                self.wiki().assets().purge(id).unwrap();
                self.files.purge(id);
            }
            FileStep::Delete { hard: false } => self.delete_file(id),
            FileStep::Restore => self.restore_file(id),
            FileStep::Give { page } => self.with(*page, |run, page| run.give_file(id, page)),
        }
    }

    /// The reasons why a page can't take a file of this name, or does not exist.
    fn can_add(&self, file: Option<AssetId>, name: &str, page: PageId) -> Refusals {
        if self.state.is_expired_draft(page) {
            return Refusals::from(["page_not_found"]);
        }
        let status = self.state.pages[&page].status;
        self.files.can_add(file, name, page, status)
    }

    fn file(&self, id: AssetId) -> File {
        self.files.get(id).expect("it is there").clone()
    }

    fn rename_file(&mut self, id: AssetId, name: &str) {
        let mut refusals = self.files.must_be_live(id);
        if let FileState::Live(page) = self.file(id).state {
            let status = self.state.pages[&page].status;
            refusals.extend(self.files.can_add(Some(id), name, page, status));
        }
        let renamed = self.wiki().assets().rename(id, file_name(name));
        if agree(refusals, renamed, error_code::of_asset).is_some() {
            self.files.rename(id, name);
        }
    }

    fn delete_file(&mut self, id: AssetId) {
        let refusals = self.files.must_be_live(id);
        let deleted = self.wiki().assets().delete(id);
        if agree(refusals, deleted, error_code::of_asset).is_some()
            && let FileState::Live(page) = self.file(id).state
        {
            let with_page = false;
            self.files.set(id, FileState::Deleted { page, with_page });
        }
    }

    fn restore_file(&mut self, id: AssetId) {
        let File { name, state } = self.file(id);
        let (refusals, page) = match state {
            // The files of a draft are removed with it.
            FileState::Live(page) if self.state.is_expired_draft(page) => {
                (["page_not_found"].into(), page)
            }
            FileState::Live(page) => (["not_deleted"].into(), page),
            FileState::Deleted { page, .. } => (self.can_add(Some(id), &name, page), page),
            FileState::Orphaned(_) => {
                let restored = self.wiki().assets().restore(id);
                agree(["orphaned"].into(), restored, error_code::of_asset);
                return;
            }
        };
        let restored = self.wiki().assets().restore(id);
        if agree(refusals, restored, error_code::of_asset).is_some() {
            self.files.set(id, FileState::Live(page));
        }
    }

    fn give_file(&mut self, id: AssetId, page: PageId) {
        let File { name, state } = self.file(id);
        let mut refusals = self.can_add(Some(id), &name, page);
        if self.state.pages[&page].status == PageStatus::Draft {
            refusals.insert("draft");
        }
        if matches!(state, FileState::Deleted { .. }) {
            refusals.insert("deleted");
        }
        let moved = self.wiki().assets().set_owner(id, page);
        if agree(refusals, moved, error_code::of_asset).is_some() {
            self.files.set(id, FileState::Live(page));
        }
    }

    /// Checks that every file is with its page of the model, and is found.
    pub(super) fn compare_files(&self) {
        for (id, page) in &self.state.pages {
            if self.state.is_expired_draft(*id) {
                let gone = self.wiki().assets().of_page(*id, true);
                assert!(matches!(gone, Err(AssetError::PageNotFound)), "{gone:?}");
                continue;
            }
            let there = model_files(self.wiki().assets().of_page(*id, true).unwrap());
            assert_eq!(there, self.files.of(*id), "the files of {}", page.path);
            for (asset, file) in there {
                if file.state != FileState::Live(*id) {
                    continue;
                }
                let path = PagePath::new(&page.path).unwrap();
                let found = self.wiki().assets().find(&path, &file_name(&file.name));
                assert_eq!(found.unwrap(), asset);
            }
        }
        let orphaned = model_files(self.wiki().assets().orphaned().unwrap());
        assert_eq!(orphaned, self.files.orphaned());
        let stored = walk(&self.folder.path().join("asset"));
        assert_eq!(stored, self.files.count(), "files in the folder");
    }
}

fn model_files(assets: Vec<Asset>) -> BTreeMap<AssetId, File> {
    let file = |asset: Asset| {
        let state = match (asset.state, asset.page_id) {
            (AssetState::Live, Some(page)) => FileState::Live(page),
            (AssetState::Deleted { with_page, .. }, Some(page)) => {
                FileState::Deleted { page, with_page }
            }
            (AssetState::Orphaned { last_path, .. }, None) => {
                FileState::Orphaned(last_path.to_string())
            }
            other => panic!("{other:?}"),
        };
        let name = asset.file_name.to_string();
        (asset.id, File { name, state })
    };
    assets.into_iter().map(file).collect()
}

fn walk(folder: &std::path::Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries
        .map(|entry| entry.unwrap())
        .map(|entry| match entry.file_type().unwrap().is_dir() {
            true => walk(&entry.path()),
            false => 1,
        })
        .sum()
}

fn file_name(text: &str) -> FileName {
    FileName::new(text).unwrap()
}
