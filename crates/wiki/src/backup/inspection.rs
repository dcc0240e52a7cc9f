//! The check of the backups themselves: each can be opened, and has its files.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use super::folder_records::verified_counts;
use super::reader::BackupReadError;
use super::record::{ListedBackup, list_backups};
use crate::check::{CheckError, Fault, Remedy};
use crate::id::AssetId;
use crate::parts::Backups;
use crate::store::{ASSET, Direction, Read as _, StorageError};

/// The beginning of the names of backups.
pub(super) const NAME: &str = "fumikura-";

impl Backups<'_> {
    /// Opens each backup of a folder, and compares its files with the sizes that its database has. One of an earlier
    /// schema is opened as an upgraded copy. Folders with the name of a backup, but without a readable record, are
    /// faults too, and so is a newest backup that is not proved. Stops if `watch` breaks.
    ///
    /// # Errors
    /// If the folder can't be read, or the check is cancelled.
    pub fn inspect(
        &self,
        backups: &Path,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Vec<Fault>, CheckError> {
        let listed = list_backups(backups)?;
        let mut faults = unlisted(backups, &listed)?;
        if let Some(newest) = listed.first()
            && newest.record.proved_at.is_none()
        {
            let found = newest.record.faults.join("; ");
            let words = format!("the newest one, {}, is not proved: {found}", newest.name);
            faults.push(fault(words));
        }
        let total = listed.len() as u64;
        for (backup, done) in listed.iter().zip(1..) {
            match self.files_without_contents(backups, backup) {
                Ok(0) => {}
                Ok(lost) => {
                    let name = &backup.name;
                    let words = format!("{lost} files of {name} are missing or have another size");
                    faults.push(fault(words));
                }
                Err(error) => faults.push(fault(format!("{}: {error}", backup.name))),
            }
            if let Err(error) = verified_counts(&backup.path(backups)) {
                let name = &backup.name;
                faults.push(fault(format!("the records of folders in {name}: {error}")));
            }
            if watch(done, total).is_break() {
                return Err(CheckError::Cancelled);
            }
        }
        Ok(faults)
    }

    /// Returns the number of files that a backup had when it was made, and does not have now.
    fn files_without_contents(
        &self,
        backups: &Path,
        backup: &ListedBackup,
    ) -> Result<u64, BackupReadError> {
        let reader = self.open(backups, &backup.name)?;
        let mut sizes = Vec::new();
        reader.store.read(|txn| {
            txn.scan::<_, _, &[u8; 16]>(ASSET, .., Direction::Ascending, |id, info| {
                sizes.push((AssetId::from_bytes(*id), info.size));
                ControlFlow::Continue(())
            })
        })?;
        let mut whole = 0;
        for (id, size) in sizes {
            let (folder, relative) = reader.files.place(id);
            match fs::symlink_metadata(folder.join(relative)) {
                Ok(found) => whole += u64::from(found.is_file() && found.len() == size),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(StorageError::from(error).into()),
            }
        }
        // Others were lost before the backup was made.
        Ok(backup.record.assets.saturating_sub(whole))
    }
}

/// Returns a fault for each folder that has the name of a backup, and no readable record.
fn unlisted(backups: &Path, listed: &[ListedBackup]) -> Result<Vec<Fault>, CheckError> {
    let mut faults = Vec::new();
    let entries = match fs::read_dir(backups) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(faults),
        Err(error) => return Err(error.into()),
    };
    for entry in entries {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let is_backup = name.starts_with(NAME) && entry.file_type()?.is_dir();
        if is_backup && listed.iter().all(|backup| backup.name != name) {
            faults.push(fault(format!("{name} has no readable record")));
        }
    }
    faults.sort_by(|a, b| a.words.cmp(&b.words));
    Ok(faults)
}

fn fault(words: String) -> Fault {
    Fault {
        place: "backups/",
        words,
        remedy: Remedy::None,
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;
    use crate::backup::{BackupCause, BackupRequest};
    use crate::fixture::{TestWiki, file_with, page};

    fn words(test: &TestWiki, backups: &Path) -> Vec<String> {
        let watch = &mut |_, _| ControlFlow::Continue(());
        let faults = test.wiki.backups().inspect(backups, watch).unwrap();
        faults.into_iter().map(|fault| fault.words).collect()
    }

    #[test]
    fn damaged_backups_are_found() {
        let data = tempfile::tempdir().unwrap();
        let test = TestWiki::at(data.path());
        let backups = data.path().join("backups");
        assert_eq!(words(&test, &backups), [""; 0]);
        let page = page(&test.wiki, test.user, "/a", "text");
        let file = file_with(&test.wiki, page, test.user, "p.png", b"picture");
        let request = BackupRequest {
            backups: &backups,
            cause: BackupCause::Request,
            add: &|_| Ok(()),
            zone: TimeZone::UTC,
        };
        let watch = &mut |_, _| ControlFlow::Continue(());
        let made = test.wiki.backups().make(&request, watch).unwrap();
        let name = made.path.file_name().unwrap().to_str().unwrap();
        assert_eq!(words(&test, &backups), [""; 0]);

        let (_, relative) = test.wiki.asset_files.place(file);
        fs::write(made.path.join("asset").join(relative), "half").unwrap();
        let lost = format!("1 files of {name} are missing or have another size");
        assert_eq!(words(&test, &backups), [lost]);
        fs::write(made.path.join("wiki.redb"), "no database").unwrap();
        let unreadable = words(&test, &backups);
        let unreadable = unreadable.first().unwrap();
        assert!(unreadable.starts_with(&format!("{name}: the backup can't be opened")));
        fs::write(made.path.join("backup.json"), "{").unwrap();
        let unlisted = format!("{name} has no readable record");
        assert_eq!(words(&test, &backups), [unlisted]);
    }

    #[test]
    fn newest_backup_must_be_proved() {
        let data = tempfile::tempdir().unwrap();
        let test = TestWiki::at(data.path());
        let backups = data.path().join("backups");
        let page = page(&test.wiki, test.user, "/a", "text");
        let file = file_with(&test.wiki, page, test.user, "p.png", b"picture");
        let (folder, relative) = test.wiki.asset_files.place(file);
        fs::write(folder.join(relative), "pictur?").unwrap();
        let request = BackupRequest {
            backups: &backups,
            cause: BackupCause::Request,
            add: &|_| Ok(()),
            zone: TimeZone::UTC,
        };
        let watch = &mut |_, _| ControlFlow::Continue(());
        test.wiki.backups().make(&request, watch).unwrap();
        let found = words(&test, &backups);
        let [unproved] = &found[..] else {
            panic!("{found:?}")
        };
        assert!(unproved.contains("is not proved: asset/: "), "{unproved}");
    }
}
