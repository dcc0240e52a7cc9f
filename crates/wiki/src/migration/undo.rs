//! Undoes an import.

use std::collections::HashSet;

use jiff::Timestamp;

use super::item_key;
use crate::assets::take_back;
use crate::id::{DeletionId, MigrationId, PageId, UserId};
use crate::latest_text::newest;
use crate::locks::{GateError, Moment, UnlockedPage};
use crate::migration::MigrationError;
use crate::model::history::Deletion;
use crate::model::migration::{MigratedFile, MigratedItem, MigratedPage, MigrationRecord};
use crate::model::page::SourceHead;
use crate::model::user::User;
use crate::parts::Migrations;
use crate::path::PagePath;
use crate::repository::saved;
use crate::revisions::roll_back;
use crate::store::{MIGRATED_ITEM, MIGRATION, Read, StorageError, USER, WriteTxn};
use crate::tree::trash_page;

/// The result of undoing an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UndoneMigration {
    /// The number of created pages that are in the trash now.
    pub trashed: u64,
    /// The number of updated pages with their earlier text.
    pub restored: u64,
    /// The pages that stayed because they were changed since, or are being edited.
    pub kept: Vec<PagePath>,
}

impl Migrations<'_> {
    /// Undoes an import in one transaction: the pages that it created go to the trash, those that it updated get
    /// their earlier text as a new revision, and its files are deleted. A page that was changed since stays.
    ///
    /// # Errors
    /// [`MigrationError::Undone`] if it was undone already.
    pub fn undo(&self, id: MigrationId, user: UserId) -> Result<UndoneMigration, MigrationError> {
        self.store.write(|txn| {
            let now = self.clock.now();
            let user = txn.get(USER, &user.to_bytes())?;
            let user = user.ok_or(MigrationError::NoUser)?;
            let record = txn.get(MIGRATION, &id.to_bytes())?;
            let mut record: MigrationRecord = record.ok_or(MigrationError::NotFound)?;
            if record.head.undone {
                return Err(MigrationError::Undone);
            }
            let mut undo = Undo {
                txn,
                source: &record.head.source,
                deletion: Deletion {
                    deleted_at: now,
                    user_name: user.name.to_string(),
                    group: DeletionId::generate(now, self.entropy),
                },
                by: (&user, now),
                moment: self.lock_time.moment(),
                kept: HashSet::new(),
                outcome: UndoneMigration::default(),
            };
            // Files first: those of pages in the trash are deleted along with these.
            for page in &record.pages {
                undo.check(page)?;
            }
            for file in &record.files {
                undo.file(file)?;
            }
            for page in record.pages.iter().rev() {
                undo.page(page)?;
            }
            let outcome = undo.outcome;
            record.head.undone = true;
            txn.put(MIGRATION, &id.to_bytes(), &record)?;
            Ok(outcome)
        })
    }
}

struct Undo<'u> {
    txn: &'u WriteTxn,
    source: &'u str,
    deletion: Deletion,
    by: (&'u User, Timestamp),
    moment: Moment,
    /// The pages that stay as they are.
    kept: HashSet<PageId>,
    outcome: UndoneMigration,
}

impl Undo<'_> {
    /// Records a page that stays: it was changed since, or is being edited.
    fn check(&mut self, page: &MigratedPage) -> Result<(), MigrationError> {
        let Some(info) = saved(self.txn, page.page_id)? else {
            return Ok(());
        };
        let path = info.path_state.path().clone();
        if info.path_state.is_deleted() {
            return Ok(());
        }
        let head: SourceHead = newest(self.txn, &info)?;
        let is_own = head.revision == page.revision && head.amends == 0;
        let is_free = match UnlockedPage::verify(self.txn, info, None, self.moment) {
            Ok(_) => true,
            Err(GateError::Storage(error)) => return Err(error.into()),
            Err(GateError::Required { .. } | GateError::Invalid) => false,
        };
        if !(is_own && is_free) && self.kept.insert(page.page_id) {
            self.outcome.kept.push(path);
        }
        Ok(())
    }

    fn file(&self, file: &MigratedFile) -> Result<(), StorageError> {
        let before = file.before.map(|(id, _)| id);
        if !take_back(self.txn, file.id, before, self.by.1, &self.kept)? {
            return Ok(());
        }
        let item = file
            .before
            .map(|(id, sha256)| MigratedItem::File { id, sha256 });
        self.set_item(&file.origin, item)
    }

    fn page(&mut self, page: &MigratedPage) -> Result<(), MigrationError> {
        if self.kept.contains(&page.page_id) {
            return Ok(());
        }
        let info = saved(self.txn, page.page_id)?;
        let mut item = None;
        if let Some(info) = info.filter(|info| !info.path_state.is_deleted()) {
            match page.before {
                None => {
                    trash_page(self.txn, info, &self.deletion)?;
                    self.outcome.trashed += 1;
                }
                Some((sha256, revision)) => {
                    let unlocked = UnlockedPage { info };
                    let version = roll_back(self.txn, unlocked, revision, self.by)?.version;
                    self.outcome.restored += 1;
                    item = Some(MigratedItem::Page {
                        page_id: page.page_id,
                        sha256,
                        revision: version.revision,
                    });
                }
            }
        }
        if let Some(origin) = &page.origin {
            self.set_item(origin, item)?;
        }
        Ok(())
    }

    fn set_item(&self, origin: &str, item: Option<MigratedItem>) -> Result<(), StorageError> {
        let key = item_key(self.source, origin);
        match item {
            Some(item) => self.txn.put(MIGRATED_ITEM, &key, &item),
            None => self.txn.remove(MIGRATED_ITEM, &key),
        }
    }
}
