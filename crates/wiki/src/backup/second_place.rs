//! A second place for backups, such as a disk that is not always connected: a folder with a mark of its own, so that an
//! empty mount point is never taken for it.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::folder_records;
use super::proof::prune;
use super::record::{BackupCause, ListedBackup, list_backups};
use super::{BackupError, BackupFolder, OTHER_FILES};
use crate::assets::{AssetFiles, BulkFiles, StoredFile};

/// The mark in the place.
const MARK: &str = "fumikura-backups.json";
/// The record of the place in the data folder.
const RECORD: &str = "backup-place.json";
const VERSION: u64 = 1;

/// The second place, as the data folder records it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondPlace {
    version: u64,
    /// The folder.
    pub folder: String,
    /// The id in its mark.
    id: String,
    /// The time at which a backup was copied there last.
    pub last_copied: Option<Timestamp>,
    /// The reason why the last attempt failed.
    pub failure: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Mark {
    version: u64,
    id: String,
}

impl SecondPlace {
    /// Reads the record in the data folder.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn read(data: &Path) -> io::Result<Option<Self>> {
        match own_file::read(&data.join(RECORD), own_file::SETTINGS) {
            Ok(json) => Ok(Some(serde_json::from_slice(&json)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Makes an existing folder the second place. `id` marks it, unless it has a mark already.
    ///
    /// # Errors
    /// Errors of the file system, also if the name of the folder is not text.
    pub fn choose(data: &Path, folder: &Path, id: &str) -> io::Result<Self> {
        let name = folder.to_str().ok_or_else(|| {
            let message = "the name of the folder is not text";
            io::Error::new(io::ErrorKind::InvalidInput, message)
        })?;
        let id = match mark_in(folder)? {
            Some(own) => own,
            None => {
                let mark = Mark {
                    version: VERSION,
                    id: id.to_owned(),
                };
                let json = serde_json::to_vec(&mark)?;
                durable::write_file(&folder.join(MARK), &json, Access::Private)?;
                id.to_owned()
            }
        };
        let place = Self {
            version: VERSION,
            folder: name.to_owned(),
            id,
            last_copied: None,
            failure: None,
        };
        place.write(data)?;
        Ok(place)
    }

    /// Forgets the second place. The backups there stay.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn forget(data: &Path) -> io::Result<()> {
        match fs::remove_file(data.join(RECORD)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
            Ok(()) => durable::sync_folder(data),
        }
    }

    /// True if the folder is there, with its mark: its disk is connected.
    #[must_use]
    pub fn is_reachable(&self) -> bool {
        matches!(mark_in(self.path()), Ok(Some(id)) if id == self.id)
    }

    /// Returns the newest proved backup, if the place does not have it yet.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn missing(&self, backups: &Path) -> io::Result<Option<ListedBackup>> {
        let own = list_backups(self.path())?;
        let listed = list_backups(backups)?;
        let newest = listed
            .into_iter()
            .find(|backup| backup.record.proved_at.is_some());
        Ok(newest.filter(|newest| own.iter().all(|own| own.name != newest.name)))
    }

    /// Copies a backup to the place. Files that another backup there has are linked. Then superfluous backups of the
    /// schedule are removed there, by the same rules.
    ///
    /// # Errors
    /// [`BackupError`]. Nothing of the copy stays then.
    pub fn copy(
        &self,
        backups: &Path,
        backup: &ListedBackup,
        zone: &TimeZone,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<PathBuf, BackupError> {
        let earlier = list_backups(self.path())?;
        let earlier = earlier.first().map(|earlier| earlier.path(self.path()));
        let earlier = earlier.map(|folder| AssetFiles::new(folder.join("asset")));
        let copy = BackupFolder::begin(self.path())?;
        let source = backup.path(backups);
        let [roots, albums] = OTHER_FILES;
        for name in [
            "wiki.redb",
            roots,
            albums,
            folder_records::FILE,
            "backup.json",
        ] {
            let mut file = match own_file::open_users(&source.join(name)) {
                Ok(file) => file,
                Err(error)
                    if error.kind() == io::ErrorKind::NotFound
                        && [roots, albums, folder_records::FILE].contains(&name) =>
                {
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            durable::write_from(&copy.path().join(name), &mut file, Access::Private)?;
        }
        let from = AssetFiles::new(source.join("asset"));
        let to = AssetFiles::new(copy.path().join("asset"));
        let mut to = BulkFiles::new(&to);
        let mut stored = Vec::new();
        from.walk(|file| match file {
            StoredFile::Whole(id, _) => stored.push(id),
            StoredFile::Unfinished(_) => {}
        })?;
        stored.sort_unstable();
        let total = stored.len() as u64;
        for (id, done) in stored.into_iter().zip(1..) {
            let linked = match &earlier {
                Some(earlier) => to.link(earlier, id)?,
                None => None,
            };
            if linked.is_none() {
                to.copy(&from, id)?;
            }
            if watch(done, total).is_break() {
                return Err(BackupError::Cancelled);
            }
        }
        to.finish()?;
        durable::sync_folder(copy.path())?;
        let kept = copy.keep(self.path(), &backup.name)?;
        if backup.record.cause == BackupCause::Schedule {
            // The copy is made, whatever happens to the others.
            if let Err(error) = prune(self.path(), &kept, zone) {
                tracing::warn!(
                    "superfluous backups in {} can't be removed: {error}",
                    self.folder
                );
            }
        }
        Ok(kept)
    }

    /// Records the outcome of an attempt.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn record(self, data: &Path, outcome: &Result<Timestamp, String>) -> io::Result<Self> {
        let place = match outcome {
            Ok(at) => Self {
                last_copied: Some(*at),
                failure: None,
                ..self
            },
            Err(reason) => Self {
                failure: Some(reason.clone()),
                ..self
            },
        };
        place.write(data)?;
        Ok(place)
    }

    fn write(&self, data: &Path) -> io::Result<()> {
        let json = serde_json::to_vec_pretty(self)?;
        durable::write_file(&data.join(RECORD), &json, Access::Private)
    }

    fn path(&self) -> &Path {
        Path::new(&self.folder)
    }
}

/// Returns the id in the mark of a folder.
fn mark_in(folder: &Path) -> io::Result<Option<String>> {
    match own_file::read(&folder.join(MARK), own_file::VALUE) {
        Ok(json) => Ok(serde_json::from_slice::<Mark>(&json)
            .ok()
            .map(|mark| mark.id)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backup::BackupRequest;
    use crate::fixture::{TestWiki, file_with};

    struct Fixture {
        test: TestWiki,
        data: tempfile::TempDir,
        disk: tempfile::TempDir,
    }

    impl Fixture {
        fn new() -> Self {
            Self {
                test: TestWiki::new(),
                data: tempfile::tempdir().unwrap(),
                disk: tempfile::tempdir().unwrap(),
            }
        }

        fn backups(&self) -> PathBuf {
            self.data.path().join("backups")
        }

        fn back_up(&self) {
            let request = BackupRequest {
                backups: &self.backups(),
                cause: BackupCause::Schedule,
                add: &|_| Ok(()),
                zone: TimeZone::UTC,
            };
            let backups = self.test.wiki.backups();
            let made = backups.make(&request, &mut |_, _| ControlFlow::Continue(()));
            assert_eq!(made.unwrap().record.faults, Vec::<String>::new());
        }

        fn choose(&self) -> SecondPlace {
            SecondPlace::choose(self.data.path(), self.disk.path(), "id").unwrap()
        }

        fn copy(&self, place: &SecondPlace) -> Option<PathBuf> {
            let missing = place.missing(&self.backups()).unwrap()?;
            let watch = &mut |_, _| ControlFlow::Continue(());
            Some(
                place
                    .copy(&self.backups(), &missing, &TimeZone::UTC, watch)
                    .unwrap(),
            )
        }
    }

    #[test]
    fn new_backup_is_copied_once() {
        let fixture = Fixture::new();
        let page = fixture.test.page("/a", "text");
        let user = fixture.test.user;
        file_with(&fixture.test.wiki, page, user, "p.png", b"picture");
        fixture.back_up();
        let place = fixture.choose();
        assert_eq!(place.last_copied, None);
        let copy = fixture.copy(&place).unwrap();
        assert_eq!(fixture.copy(&place), None);
        let name = copy.file_name().unwrap().to_str().unwrap();
        let parts = fixture.test.wiki.backups();
        let reader = parts.open(fixture.disk.path(), name).unwrap();
        let contents = parts.contents(&reader, page).unwrap();
        assert_eq!((contents.text.as_str(), contents.files.len()), ("text", 1));

        fixture
            .test
            .clock
            .advance(std::time::Duration::from_secs(60));
        fixture.back_up();
        assert!(fixture.copy(&place).is_some());
        // The scheduled one of the same day is superfluous on both disks.
        let backups = fixture.backups();
        for folder in [backups.as_path(), fixture.disk.path()] {
            assert_eq!(list_backups(folder).unwrap().len(), 1);
        }
    }

    #[test]
    fn empty_mount_point_is_unreachable() {
        let fixture = Fixture::new();
        let place = fixture.choose();
        assert!(place.is_reachable());
        let mark = fixture.disk.path().join(MARK);
        let away = fixture.data.path().join("away");
        fs::rename(&mark, &away).unwrap();
        assert!(!place.is_reachable());
        fs::rename(&away, &mark).unwrap();
        // The same disk is recognized after it was chosen again.
        let again = SecondPlace::choose(fixture.data.path(), fixture.disk.path(), "other");
        assert_eq!(again.unwrap().id, "id");
        assert!(place.is_reachable());
    }

    #[test]
    fn outcome_of_the_last_attempt_is_recorded() {
        let fixture = Fixture::new();
        let data = fixture.data.path();
        assert_eq!(SecondPlace::read(data).unwrap(), None);
        let at = "2026-11-18T12:00:00Z".parse().unwrap();
        let copied = fixture.choose().record(data, &Ok(at)).unwrap();
        let failed = copied.record(data, &Err("full".to_owned())).unwrap();
        assert_eq!(failed.last_copied, Some(at));
        assert_eq!(failed.failure.as_deref(), Some("full"));
        assert_eq!(SecondPlace::read(data).unwrap(), Some(failed));
        SecondPlace::forget(data).unwrap();
        assert_eq!(SecondPlace::read(data).unwrap(), None);
    }
}
