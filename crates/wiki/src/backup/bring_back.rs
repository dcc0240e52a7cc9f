//! Brings pages and files of a backup back into the present data.

use std::io::{self, Read as _};

use jiff::Timestamp;

use super::reader::{BackupReadError, BackupReader, is_same_file, page_in, text_for};
use crate::assets::{
    Asset, AssetFiles, ImportedFile, IncomingFile, ReceivedFile, add_imported, live_files,
    unlink_without_row,
};
use crate::file_name::FileName;
use crate::id::{AssetId, PageId, UserId};
use crate::latest_text::newest;
use crate::links::{self, LinkWarning};
use crate::locks::{GateError, UnlockedPage, existing_page, remove_draft};
use crate::model::page::{PageIndex, PageInfo, PageSource};
use crate::model::user::User;
use crate::pages::{PageError, add_text, first_revision, present_page};
use crate::parts::Backups;
use crate::path::PagePath;
use crate::repository;
use crate::store::{ASSET, PendingFilesGuard, Read, StorageError, USER, WriteTxn};
use crate::tree::path_status::{self, PathStatus};
use crate::tree::{PathTaken, RestoreError, RestoreRequest, restore_in};

/// A page or a file was not brought back, and nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum BringBackError {
    #[error(transparent)]
    Backup(#[from] BackupReadError),
    /// The user does not exist.
    #[error("no user has this id")]
    NoUser,
    #[error("the file is not in the backup")]
    FileNotFound,
    /// The contents of a file are missing in the backup, or are not those that were added.
    #[error("the file {0} is damaged in the backup")]
    DamagedFile(FileName),
    /// The page of the file can't have it.
    #[error(transparent)]
    Page(#[from] PageError),
    /// Another page has the path of the page.
    #[error(transparent)]
    Taken(#[from] PathTaken),
    /// The page can't be restored from the trash.
    #[error(transparent)]
    Trash(#[from] RestoreError),
    /// Another user is editing the page.
    #[error(transparent)]
    Gate(#[from] GateError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<io::Error> for BringBackError {
    fn from(error: io::Error) -> Self {
        Self::Storage(error.into())
    }
}

/// The way in which a page was brought back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BroughtBack {
    /// It had the same text already.
    Unchanged,
    /// It got another revision.
    Revised,
    /// It was restored from the trash, with another revision if its text differed.
    Restored,
    /// It did not exist, and begins anew with its text.
    Created,
}

/// A page that was brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageBroughtBack {
    pub page_id: PageId,
    pub path: PagePath,
    /// The latest revision now.
    pub revision: u64,
    pub way: BroughtBack,
    /// The names of the files that came back with it.
    pub files: Vec<FileName>,
    /// The names of further files, whose contents are missing or damaged in the backup.
    pub damaged: Vec<FileName>,
    /// Links that a reader might misunderstand.
    pub warnings: Vec<LinkWarning>,
}

/// A file that was brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileBroughtBack {
    pub file: Asset,
    /// The file of the same name that was deleted instead; it can be restored.
    pub replaced: Option<Asset>,
    /// False if the page had the file already.
    pub changed: bool,
}

/// Files whose contents are in their place, but without rows: removed on drop unless they get rows.
struct PlacedFiles<'w> {
    backups: Backups<'w>,
    files: Vec<ImportedFile>,
    ids: Vec<(AssetId, PendingFilesGuard)>,
    /// The names of files whose contents are missing or damaged in the backup.
    damaged: Vec<FileName>,
    has_rows: bool,
}

impl Drop for PlacedFiles<'_> {
    fn drop(&mut self) {
        if self.has_rows {
            return;
        }
        let wiki = self.backups.wiki;
        for (id, _pending) in &self.ids {
            unlink_without_row(&wiki.store, &wiki.asset_files, *id);
        }
    }
}

impl<'w> Backups<'w> {
    /// Gives a page the text that it has in a backup, as a new revision. A page in the trash is restored first, and one
    /// that does not exist is created at the path that it had. Files that the page does not have now, by their names,
    /// come back with it.
    ///
    /// # Errors
    /// [`BringBackError`], among others if another page has the path, or another user is editing the page.
    pub fn bring_back_page(
        &self,
        reader: &BackupReader,
        page_id: PageId,
        user: UserId,
    ) -> Result<PageBroughtBack, BringBackError> {
        let files = reader.store.read(|txn| {
            page_in(txn, page_id)?.ok_or(BackupReadError::PageNotFound)?;
            Ok::<_, BackupReadError>(live_files(txn, page_id)?)
        })?;
        let own = self.wiki.store.read(|txn| live_files(txn, page_id))?;
        let missing = files.into_iter();
        let missing = missing.filter(|file| own.iter().all(|own| own.file_name != file.file_name));
        let now = self.clock.now();
        let mut placed = self.place(reader, missing.collect(), user, now)?;
        let result = self.wiki.store.write(|txn| {
            let user = txn.get(USER, &user.to_bytes())?;
            let user = user.ok_or(BringBackError::NoUser)?;
            let mut page = self.bring_back_text(txn, reader, page_id, (&user, now))?;
            let own = live_files(txn, page_id)?;
            for file in std::mem::take(&mut placed.files) {
                if own.iter().any(|own| own.file_name == *file.name()) {
                    // It has come back from the trash, or was added meanwhile.
                    txn.discard_file(&file.id.to_bytes());
                } else {
                    let (added, _) = add_imported(txn, page_id, file, now)?;
                    page.files.push(added.file_name);
                }
            }
            page.damaged = std::mem::take(&mut placed.damaged);
            Ok::<_, BringBackError>(page)
        });
        placed.has_rows = result.is_ok();
        result
    }

    /// Adds a file of a backup to its page. A file of its name is deleted, and can be restored.
    ///
    /// # Errors
    /// [`BringBackError`], among others if the page does not exist or is in the trash.
    pub fn bring_back_file(
        &self,
        reader: &BackupReader,
        file: AssetId,
        user: UserId,
    ) -> Result<FileBroughtBack, BringBackError> {
        let found = reader.file(file)?.ok_or(BringBackError::FileNotFound)?;
        let page_id = found.page_id.ok_or(BringBackError::FileNotFound)?;
        let own = self.wiki.store.read(|txn| {
            present_page(txn, page_id, self.wiki.lock_time.moment())?;
            Ok::<_, BringBackError>(live_files(txn, page_id)?)
        })?;
        if let Some(own) = own.into_iter().find(|own| is_same_file(own, &found)) {
            return Ok(FileBroughtBack {
                file: own,
                replaced: None,
                changed: false,
            });
        }
        let now = self.clock.now();
        let mut placed = self.place(reader, vec![found], user, now)?;
        if let Some(name) = placed.damaged.pop() {
            return Err(BringBackError::DamagedFile(name));
        }
        let result = self.wiki.store.write(|txn| {
            present_page(txn, page_id, self.wiki.lock_time.moment())?;
            if txn.get(USER, &user.to_bytes())?.is_none() {
                return Err(BringBackError::NoUser);
            }
            let file = placed.files.pop().expect("BUG: one file was placed");
            let (file, replaced) = add_imported(txn, page_id, file, now)?;
            Ok(FileBroughtBack {
                file,
                replaced,
                changed: true,
            })
        });
        placed.has_rows = result.is_ok();
        result
    }

    fn bring_back_text(
        &self,
        txn: &WriteTxn,
        reader: &BackupReader,
        page_id: PageId,
        by: (&User, Timestamp),
    ) -> Result<PageBroughtBack, BringBackError> {
        let moment = self.wiki.lock_time.moment();
        let (then, text) = reader.store.read(|backup| {
            let (info, then) = page_in(backup, page_id)?.ok_or(BackupReadError::PageNotFound)?;
            let source: PageSource = newest(backup, &info)?;
            let text = text_for(txn, backup, page_id, &then, &source.source)?;
            Ok::<_, BackupReadError>((then, text))
        })?;
        match existing_page(txn, page_id, moment)? {
            Some(PageIndex::Draft(_)) => Err(PageError::Draft.into()),
            Some(PageIndex::Page(info)) if info.path_state.is_deleted() => {
                let request = RestoreRequest {
                    page_id,
                    to: info.path_state.path().clone(),
                    recursive: false,
                    token: None,
                };
                restore_in(txn, &request, moment)?;
                let info = repository::saved(txn, page_id)?.ok_or(PageError::NotFound)?;
                let revised = self.revise(txn, info, (&then, &text), by)?;
                Ok(PageBroughtBack {
                    way: BroughtBack::Restored,
                    ..revised
                })
            }
            Some(PageIndex::Page(info)) => self.revise(txn, info, (&then, &text), by),
            None => {
                match path_status::read(txn, &then, moment, |_| false)? {
                    PathStatus::Free => {}
                    PathStatus::ExpiredDraft(draft) => remove_draft(txn, &draft)?,
                    PathStatus::Taken(taken) => return Err(taken.into()),
                }
                let (user, now) = by;
                let stored = first_revision(txn, page_id, then.clone(), user, now, text)?;
                Ok(PageBroughtBack {
                    page_id,
                    path: then,
                    revision: 1,
                    way: BroughtBack::Created,
                    files: Vec::new(),
                    damaged: Vec::new(),
                    warnings: stored.warnings,
                })
            }
        }
    }

    /// Gives a page a text that was written while it was at `then`.
    fn revise(
        &self,
        txn: &WriteTxn,
        info: PageInfo,
        (then, text): (&PagePath, &str),
        by: (&User, Timestamp),
    ) -> Result<PageBroughtBack, BringBackError> {
        let moment = self.wiki.lock_time.moment();
        let UnlockedPage { info } = UnlockedPage::verify(txn, info, None, moment)?;
        let (page_id, path) = (info.page_id, info.path_state.path().clone());
        let latest: PageSource = newest(txn, &info)?;
        let stored = links::rebind_links(txn, page_id, then, &path, text)?;
        let is_same = links::has_same_meaning(&path, &latest.source, &stored);
        let (revision, way) = if is_same {
            (info.latest, BroughtBack::Unchanged)
        } else {
            let revision = add_text(txn, info, &latest.head, by, &stored)?;
            (revision, BroughtBack::Revised)
        };
        Ok(PageBroughtBack {
            page_id,
            path,
            revision,
            way,
            files: Vec::new(),
            damaged: Vec::new(),
            warnings: if is_same { Vec::new() } else { stored.warnings },
        })
    }

    /// Copies the contents of files of a backup to their places. A file keeps its id unless that is in use.
    fn place(
        &self,
        reader: &BackupReader,
        files: Vec<Asset>,
        user: UserId,
        now: Timestamp,
    ) -> Result<PlacedFiles<'w>, BringBackError> {
        let wiki = self.wiki;
        let mut placed = PlacedFiles {
            backups: *self,
            files: Vec::with_capacity(files.len()),
            ids: Vec::with_capacity(files.len()),
            damaged: Vec::new(),
            has_rows: false,
        };
        for file in files {
            let copied = copy_contents(&reader.files, &wiki.asset_files, &file)?;
            let Some(received) = copied else {
                placed.damaged.push(file.file_name);
                continue;
            };
            let has_row = wiki.store.read(|txn| {
                Ok::<_, StorageError>(txn.get(ASSET, &file.id.to_bytes())?.is_some())
            })?;
            let other = AssetId::generate(now, &**self.entropy);
            let id = if has_row { other } else { file.id };
            let pending = vec![id.to_bytes(), other.to_bytes()];
            let pending = wiki.store.pending_files.add(pending);
            let name = file.file_name;
            let imported =
                ImportedFile::place(&wiki.asset_files, received, name, (user, now), [id, other])?;
            placed.ids.push((imported.id, pending));
            placed.files.push(imported);
        }
        Ok(placed)
    }
}

/// Copies the contents of a file of a backup. Returns `None` if they are missing, or are not those of the file.
fn copy_contents(
    from: &AssetFiles,
    to: &AssetFiles,
    file: &Asset,
) -> io::Result<Option<ReceivedFile>> {
    let mut source = match from.open(file.id) {
        Ok(source) => source,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut incoming = IncomingFile::begin(to)?;
    let mut piece = vec![0; 1 << 16];
    loop {
        match source.read(&mut piece)? {
            0 => break,
            length => incoming.write(&piece[..length])?,
        }
    }
    let received = incoming.finish()?;
    Ok((received.sha256 == file.sha256).then_some(received))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use jiff::tz::TimeZone;
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::backup::{BackupCause, BackupRequest, PresentState};
    use crate::fixture::{TestWiki, amend, file_with};
    use crate::tree::{DeleteRequest, RenameRequest};

    /// A wiki and its backup.
    struct Fixture {
        test: TestWiki,
        backups: tempfile::TempDir,
        name: String,
    }

    impl Fixture {
        /// Backs up the wiki that `fill` has filled.
        fn new(fill: impl FnOnce(&TestWiki)) -> Self {
            let test = TestWiki::new();
            fill(&test);
            let backups = tempfile::tempdir().unwrap();
            let request = BackupRequest {
                backups: backups.path(),
                cause: BackupCause::Request,
                add: &|_| Ok(()),
                zone: TimeZone::UTC,
            };
            let made = test
                .wiki
                .backups()
                .make(&request, &mut |_, _| std::ops::ControlFlow::Continue(()));
            let name = made.unwrap().path.file_name().unwrap().to_owned();
            Self {
                test,
                backups,
                name: name.into_string().unwrap(),
            }
        }

        fn reader(&self) -> BackupReader {
            let backups = self.test.wiki.backups();
            backups.open(self.backups.path(), &self.name).unwrap()
        }

        fn bring_back(&self, page: PageId) -> Result<PageBroughtBack, BringBackError> {
            let backups = self.test.wiki.backups();
            backups.bring_back_page(&self.reader(), page, self.test.user)
        }

        fn text(&self, page: PageId) -> String {
            self.test.wiki.pages().source(page, None).unwrap().source
        }

        fn deletion(&self, page_id: PageId) -> DeleteRequest {
            DeleteRequest {
                page_id,
                user: self.test.user,
                recursive: false,
                token: None,
            }
        }

        fn delete(&self, page: PageId) {
            let tree = self.test.wiki.tree();
            tree.delete(&self.deletion(page)).unwrap();
        }

        fn erase(&self, page: PageId) {
            self.delete(page);
            let tree = self.test.wiki.tree();
            tree.erase(&self.deletion(page)).unwrap();
        }

        /// The paths and hashes of all files of the backup.
        fn digests(&self) -> Vec<(PathBuf, Vec<u8>)> {
            let mut found = Vec::new();
            collect(&self.backups.path().join(&self.name), &mut found);
            found.sort();
            found
        }
    }

    fn collect(folder: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, found);
            } else {
                found.push((
                    path.clone(),
                    Sha256::digest(fs::read(&path).unwrap()).to_vec(),
                ));
            }
        }
    }

    fn page_of(test: &TestWiki, path: &str) -> PageId {
        let path = PagePath::new(path).unwrap();
        test.wiki.pages().resolve(&path).unwrap().id
    }

    #[test]
    fn changed_page_gets_another_revision() {
        let fixture = Fixture::new(|test| {
            test.page("/a", "old");
        });
        let page = page_of(&fixture.test, "/a");
        amend(&fixture.test.wiki, page, fixture.test.user, "new");
        let back = fixture.bring_back(page).unwrap();
        assert_eq!((back.way, back.revision), (BroughtBack::Revised, 2));
        assert_eq!(fixture.text(page), "old");
        let before = fixture.test.wiki.pages().source(page, Some(1)).unwrap();
        assert_eq!(before.source, "new");
        let again = fixture.bring_back(page).unwrap();
        assert_eq!((again.way, again.revision), (BroughtBack::Unchanged, 2));
    }

    #[test]
    fn links_follow_pages_that_were_moved() {
        let fixture = Fixture::new(|test| {
            test.page("/to", "");
            test.page("/gone", "");
            test.page("/a", "[to](/to) [gone](/gone)");
        });
        let (page, to) = (page_of(&fixture.test, "/a"), page_of(&fixture.test, "/to"));
        amend(&fixture.test.wiki, page, fixture.test.user, "new");
        let request = RenameRequest {
            page_id: to,
            to: PagePath::new("/moved").unwrap(),
            recursive: false,
            token: None,
            user: fixture.test.user,
        };
        fixture.test.wiki.tree().rename(&request).unwrap();
        fixture.erase(page_of(&fixture.test, "/gone"));
        fixture.bring_back(page).unwrap();
        assert_eq!(fixture.text(page), "[to](/moved) [gone](/gone)");
    }

    #[test]
    fn erased_page_is_created_with_its_files() {
        let fixture = Fixture::new(|test| {
            let page = test.page("/a", "![](asset:p.png)");
            file_with(&test.wiki, page, test.user, "p.png", b"picture");
        });
        let page = page_of(&fixture.test, "/a");
        fixture.erase(page);
        let back = fixture.bring_back(page).unwrap();
        assert_eq!((back.way, back.page_id), (BroughtBack::Created, page));
        assert_eq!(back.files, [FileName::new("p.png").unwrap()]);
        assert_eq!(fixture.text(page), "![](asset:p.png)");
        let files = fixture.test.wiki.assets().of_page(page, false).unwrap();
        let mut contents = Vec::new();
        let mut opened = fixture.test.wiki.assets().open(files[0].id).unwrap().file;
        opened.read_to_end(&mut contents).unwrap();
        assert_eq!(contents, b"picture");
        let check = fixture.test.wiki.check(crate::check::Depth::Everything);
        assert_eq!(check.unwrap().faults, []);
    }

    #[test]
    fn page_in_trash_returns_with_its_old_text() {
        let fixture = Fixture::new(|test| {
            test.page("/a", "old");
        });
        let page = page_of(&fixture.test, "/a");
        amend(&fixture.test.wiki, page, fixture.test.user, "new");
        fixture.delete(page);
        let back = fixture.bring_back(page).unwrap();
        assert_eq!((back.way, back.revision), (BroughtBack::Restored, 2));
        assert_eq!(fixture.text(page), "old");
    }

    #[test]
    fn path_of_another_page_is_refused() {
        let fixture = Fixture::new(|test| {
            test.page("/a", "old");
        });
        let page = page_of(&fixture.test, "/a");
        fixture.erase(page);
        let other = fixture.test.page("/a", "other");
        let refused = fixture.bring_back(page);
        assert!(
            matches!(refused, Err(BringBackError::Taken(_))),
            "{refused:?}"
        );
        assert_eq!(fixture.text(other), "other");
    }

    #[test]
    fn edited_page_is_not_overwritten() {
        let fixture = Fixture::new(|test| {
            test.page("/a", "old");
        });
        let page = page_of(&fixture.test, "/a");
        amend(&fixture.test.wiki, page, fixture.test.user, "new");
        let locks = fixture.test.wiki.locks();
        locks.acquire(page, fixture.test.user).unwrap();
        let refused = fixture.bring_back(page);
        assert!(
            matches!(refused, Err(BringBackError::Gate(_))),
            "{refused:?}"
        );
        assert_eq!(fixture.text(page), "new");
    }

    #[test]
    fn file_replaces_the_one_of_its_name() {
        let fixture = Fixture::new(|test| {
            let page = test.page("/a", "");
            file_with(&test.wiki, page, test.user, "p.png", b"old");
        });
        let test = &fixture.test;
        let page = page_of(test, "/a");
        let old = test.wiki.assets().of_page(page, false).unwrap().remove(0);
        test.wiki.assets().delete(old.id).unwrap();
        let new = file_with(&test.wiki, page, test.user, "p.png", b"new");
        let bring_back = || {
            let backups = test.wiki.backups();
            backups.bring_back_file(&fixture.reader(), old.id, test.user)
        };
        let back = bring_back().unwrap();
        assert_eq!(back.file.sha256, old.sha256);
        assert_eq!(back.replaced.map(|file| file.id), Some(new));
        assert!(!bring_back().unwrap().changed);
    }

    #[test]
    fn damaged_file_does_not_come_back() {
        let fixture = Fixture::new(|test| {
            let page = test.page("/a", "text");
            file_with(&test.wiki, page, test.user, "p.png", b"picture");
        });
        let page = page_of(&fixture.test, "/a");
        let file = fixture.test.wiki.assets().of_page(page, false).unwrap();
        let (_, relative) = fixture.reader().files.place(file[0].id);
        let folder = fixture.backups.path().join(&fixture.name).join("asset");
        fs::write(folder.join(relative), "pictur?").unwrap();
        fixture.erase(page);
        let back = fixture.bring_back(page).unwrap();
        assert_eq!(back.damaged, [FileName::new("p.png").unwrap()]);
        assert_eq!((back.files.len(), fixture.text(page).as_str()), (0, "text"));
    }

    #[test]
    fn reading_a_backup_changes_nothing_in_it() {
        let fixture = Fixture::new(|test| {
            let page = test.page("/a", "old\ntext");
            test.page("/b", "# Moss");
            file_with(&test.wiki, page, test.user, "p.png", b"picture");
        });
        let before = fixture.digests();
        let (test, backups) = (&fixture.test, fixture.test.wiki.backups());
        let page = page_of(test, "/a");
        amend(&test.wiki, page, test.user, "new\ntext");
        let reader = fixture.reader();
        let all = backups.pages(&reader, "", (None, 10)).unwrap().pages;
        let states = all.iter().map(|page| (page.path.as_str(), page.present));
        let expected = [
            ("/", PresentState::Same),
            ("/a", PresentState::Changed),
            ("/b", PresentState::Same),
        ];
        assert!(states.eq(expected), "{all:?}");
        let first = backups.pages(&reader, "", (None, 1)).unwrap();
        assert!(first.has_more);
        let rest = backups.pages(&reader, "", (Some(&first.pages[0].path), 10));
        assert_eq!(rest.unwrap().pages, all[1..]);
        let moss = backups.pages(&reader, "mOSS", (None, 10)).unwrap();
        assert_eq!(moss.pages, all[2..]);
        let contents = backups.contents(&reader, page).unwrap();
        assert_eq!(contents.text, "old\ntext");
        assert_eq!((contents.diff.added, contents.diff.removed), (1, 1));
        assert!(contents.files[0].is_present);
        drop(reader);
        fixture.bring_back(page).unwrap();
        assert_eq!(fixture.digests(), before);
    }

    #[test]
    fn unknown_backup_is_refused() {
        let fixture = Fixture::new(|_| {});
        for name in ["..", "none", "", ".backup-a"] {
            let backups = fixture.test.wiki.backups();
            let refused = backups.open(fixture.backups.path(), name).err();
            assert!(
                matches!(refused, Some(BackupReadError::NotFound(_))),
                "{refused:?}"
            );
        }
    }
}
