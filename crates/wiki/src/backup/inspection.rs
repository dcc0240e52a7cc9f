//! The check of the backups themselves: each can be opened, and its files are what they were.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use super::ProofLedger;
use super::folder_records::verified_counts;
use super::reader::BackupReadError;
use super::record::{ListedBackup, list_backups};
use crate::assets::digest;
use crate::check::{CheckError, Fault, Remedy};
use crate::id::AssetId;
use crate::parts::Backups;
use crate::store::{ASSET, Direction, FileStat, Read as _};

/// The beginning of the names of backups.
pub(super) const NAME: &str = "fumikura-";

/// The files of a backup that are not what they were when it was made.
#[derive(Default)]
struct DamagedFiles {
    /// The number of those that are missing or have another size.
    lost: u64,
    /// The number of those that have other contents of the same size.
    changed: u64,
}

impl Backups<'_> {
    /// Opens each backup of a folder, and reads all of its files; one that several backups share is read once. The records of
    /// those that are whole get the time of this. A backup of an earlier schema is opened as an upgraded copy. Folders with
    /// the name of a backup, but without a readable record, are faults too, and so is a newest backup that is not proved. Stops
    /// if `watch` breaks.
    ///
    /// # Errors
    /// If the folder can't be read, or the check is cancelled.
    pub fn inspect(
        &self,
        backups: &Path,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Vec<Fault>, CheckError> {
        let now = self.clock.now();
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
        let mut read = HashMap::new();
        for (mut backup, done) in listed.into_iter().zip(1..) {
            let before = faults.len();
            let mut goes_on = || watch(done - 1, total).is_continue();
            let name = backup.name.clone();
            match self.damaged_files(backups, &backup, &mut read, &mut goes_on) {
                Ok(None) => return Err(CheckError::Cancelled),
                Ok(Some(DamagedFiles { lost, changed })) => {
                    if lost > 0 {
                        let words =
                            format!("{lost} files of {name} are missing or have another size");
                        faults.push(fault(words));
                    }
                    // The record of one that was never proved names them.
                    if changed > 0 && backup.record.proved_at.is_some() {
                        faults.push(fault(format!("{changed} files of {name} have changed")));
                    }
                }
                Err(error) => faults.push(fault(format!("{name}: {error}"))),
            }
            let folder = backup.path(backups);
            if let Err(error) = verified_counts(&folder) {
                faults.push(fault(format!("the records of folders in {name}: {error}")));
            }
            let recorded = if faults.len() > before {
                // The next backup reads all of its files, and copies the damaged ones again.
                ProofLedger::remove(&folder)
            } else if backup.record.proved_at.is_some() {
                backup.record.read_in_full_at = Some(now);
                backup.record.write(&folder)
            } else {
                Ok(())
            };
            if let Err(error) = recorded {
                tracing::warn!("the check of {name} can't be recorded: {error}");
            }
            if watch(done, total).is_break() {
                return Err(CheckError::Cancelled);
            }
        }
        Ok(faults)
    }

    /// Reads the files of a backup, except for those in `read`, and compares them with its database. Returns `None` if it is
    /// stopped.
    fn damaged_files(
        &self,
        backups: &Path,
        backup: &ListedBackup,
        read: &mut HashMap<FileStat, [u8; 32]>,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<DamagedFiles>, BackupReadError> {
        let reader = self.open(backups, &backup.name)?;
        let mut expected = Vec::new();
        reader.store.read(|txn| {
            txn.scan::<_, _, &[u8; 16]>(ASSET, .., Direction::Ascending, |id, info| {
                expected.push((AssetId::from_bytes(*id), info.size, info.sha256));
                ControlFlow::Continue(())
            })
        })?;
        let (mut whole, mut changed) = (0, 0);
        for (id, size, sha256) in expected {
            if !goes_on() {
                return Ok(None);
            }
            let mut file = match reader.files.open(id) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error.into()),
            };
            if file.metadata()?.len() != size {
                continue;
            }
            let found = match read.entry(FileStat::of(&file)?) {
                Entry::Occupied(found) => *found.get(),
                Entry::Vacant(vacant) => *vacant.insert(digest(&mut file)?.1),
            };
            whole += 1;
            changed += u64::from(found != sha256);
        }
        Ok(Some(DamagedFiles {
            // Others were lost before the backup was made.
            lost: backup.record.assets.saturating_sub(whole),
            changed,
        }))
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
    use fumikura_base::clock::Clock as _;
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
        test.clock.advance(std::time::Duration::from_secs(60));
        assert_eq!(words(&test, &backups), [""; 0]);
        let record = &list_backups(&backups).unwrap()[0].record;
        assert_eq!(record.read_in_full_at, Some(test.clock.now()));
        assert!(record.read_in_full_at > made.record.read_in_full_at);

        let (_, relative) = test.wiki.asset_files.place(file);
        fs::write(made.path.join("asset").join(&relative), "half").unwrap();
        let lost = format!("1 files of {name} are missing or have another size");
        assert_eq!(words(&test, &backups), [lost]);
        fs::write(made.path.join("asset").join(relative), "PICTURE").unwrap();
        let changed = format!("1 files of {name} have changed");
        assert_eq!(words(&test, &backups), [changed]);
        assert!(!made.path.join("proof.json").exists());
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
