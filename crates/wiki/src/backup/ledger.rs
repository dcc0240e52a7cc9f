//! The ledger of a proof, `proof.json` in the folder of the newest proved backup: the status of its database and of each of
//! its files when they were proved. The next proof reads only what has changed since.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::archive::HexDigest;
use crate::assets::AssetFiles;
use crate::id::AssetId;
use crate::store::FileStat;

const FILE: &str = "proof.json";
const VERSION: u64 = 1;
/// The version of the program, whose checks may differ from those of others.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");
/// The age of the last reading in full from which on everything is read again: a disk can lose contents without a trace
/// in the status of a file.
const MAX_AGE: SignedDuration = SignedDuration::from_hours(30 * 24);

#[derive(Serialize, Deserialize)]
pub(super) struct ProofLedger {
    version: u64,
    program: String,
    database: FileStat,
    files: BTreeMap<AssetId, ProvedFile>,
}

#[derive(Serialize, Deserialize)]
struct ProvedFile {
    sha256: HexDigest,
    stat: FileStat,
}

impl ProofLedger {
    /// Reads the ledger in the folder of a backup. Returns `None` if there is none that says anything about this database.
    pub(super) fn read(backup: &Path) -> Option<Self> {
        let path = backup.join(FILE);
        let read = own_file::read(&path, own_file::ITEM)
            .and_then(|json| Ok(serde_json::from_slice::<Self>(&json)?));
        let ledger = match read {
            Ok(ledger) => ledger,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                tracing::warn!("{} can't be read: {error}", path.display());
                return None;
            }
        };
        let is_usable = ledger.version == VERSION
            && ledger.program == PROGRAM
            && database(backup).is_ok_and(|stat| stat == ledger.database);
        is_usable.then_some(ledger)
    }

    /// Records the status of a proved backup and of its files.
    pub(super) fn write(backup: &Path, proved: &[(AssetId, HexDigest)]) -> io::Result<()> {
        let stored = AssetFiles::new(backup.join("asset"));
        let mut files = BTreeMap::new();
        for (id, sha256) in proved {
            let sha256 = *sha256;
            match stored.open(*id).and_then(|file| FileStat::of(&file)) {
                Ok(stat) => {
                    files.insert(*id, ProvedFile { sha256, stat });
                }
                // Its contents were lost before the backup was made.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        let ledger = Self {
            version: VERSION,
            program: PROGRAM.to_owned(),
            database: database(backup)?,
            files,
        };
        let json = serde_json::to_vec(&ledger)?;
        durable::write_file(&backup.join(FILE), &json, Access::Private)
    }

    /// Removes the ledger of a backup, which later ones have made useless.
    pub(super) fn remove(backup: &Path) -> io::Result<()> {
        match fs::remove_file(backup.join(FILE)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    /// True if a file has not changed since it was proved.
    pub(super) fn has(&self, id: AssetId, stat: FileStat) -> bool {
        self.files.get(&id).is_some_and(|file| file.stat == stat)
    }

    /// True if a file has the contents that were proved, by another of its names.
    pub(super) fn has_contents(&self, id: AssetId, sha256: [u8; 32], stat: FileStat) -> bool {
        self.files.get(&id).is_some_and(|file| {
            file.sha256 == HexDigest(sha256) && file.stat.is_same_but_for_links(&stat)
        })
    }
}

fn database(backup: &Path) -> io::Result<FileStat> {
    Ok(FileStat::from(&fs::symlink_metadata(
        backup.join("wiki.redb"),
    )?))
}

/// True if what was read in full at a moment need not be read again. A moment of the future is none: the clock was wrong.
pub(super) fn is_recent(read_in_full_at: Timestamp, now: Timestamp) -> bool {
    let age = now.duration_since(read_in_full_at);
    !age.is_negative() && age < MAX_AGE
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::time::Duration;

    use jiff::tz::TimeZone;

    use super::*;
    use crate::backup::{BackupCause, BackupRequest, MadeBackup, list_backups};
    use crate::fixture::{self, TestWiki, amend, file_with};
    use crate::id::PageId;
    use crate::store::PAGE_TITLE;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    /// A wiki with a file, and its backups.
    struct Fixture {
        data: tempfile::TempDir,
        test: TestWiki,
        page: PageId,
        file: AssetId,
    }

    impl Fixture {
        fn new() -> Self {
            let data = tempfile::tempdir().unwrap();
            let test = TestWiki::at(data.path());
            let page = fixture::page(&test.wiki, test.user, "/a", "# A");
            let file = file_with(&test.wiki, page, test.user, "p.png", b"picture");
            Self {
                data,
                test,
                page,
                file,
            }
        }

        fn back_up(&self) -> MadeBackup {
            let request = BackupRequest {
                backups: &self.data.path().join("backups"),
                cause: BackupCause::Request,
                add: &|_| Ok(()),
                zone: TimeZone::UTC,
            };
            let watch = &mut |_, _| ControlFlow::Continue(());
            self.test.wiki.backups().make(&request, watch).unwrap()
        }

        /// Makes a backup a day later.
        fn back_up_later(&self) -> MadeBackup {
            self.test.clock.advance(DAY);
            self.back_up()
        }

        fn stored(&self, backup: &MadeBackup) -> std::path::PathBuf {
            let (_, relative) = self.test.wiki.asset_files.place(self.file);
            backup.path.join("asset").join(relative)
        }

        /// Changes the contents of the stored file as a failing disk does: its status stays the proved one.
        fn rot(&self, backup: &MadeBackup) {
            fs::write(self.stored(backup), "PICTURE").unwrap();
            let mut ledger = ProofLedger::read(&backup.path).unwrap();
            let stat = FileStat::from(&fs::metadata(self.stored(backup)).unwrap());
            ledger.files.get_mut(&self.file).unwrap().stat = stat;
            let json = serde_json::to_vec(&ledger).unwrap();
            fs::write(backup.path.join(FILE), json).unwrap();
        }
    }

    #[test]
    fn unchanged_file_is_read_again_after_thirty_days() {
        let fixture = Fixture::new();
        let first = fixture.back_up();
        let read_at = first.record.read_in_full_at;
        assert_eq!(read_at, Some(first.record.taken_at));
        fixture.rot(&first);
        // The last proof is trusted.
        let second = fixture.back_up_later();
        assert_eq!(second.record.faults, [""; 0]);
        assert_eq!(second.record.read_in_full_at, read_at);
        assert_eq!(fs::read(fixture.stored(&second)).unwrap(), b"PICTURE");
        assert!(!first.path.join(FILE).exists());
        // The reading in full finds it, and the file of the wiki is copied.
        fixture.test.clock.advance(DAY * 29);
        let third = fixture.back_up();
        assert_eq!(third.record.faults, [""; 0]);
        assert_eq!(third.record.read_in_full_at, Some(third.record.taken_at));
        assert_eq!(fs::read(fixture.stored(&third)).unwrap(), b"picture");
    }

    #[test]
    fn check_finds_what_proofs_trust() {
        let fixture = Fixture::new();
        let first = fixture.back_up();
        fixture.rot(&first);
        let second = fixture.back_up_later();
        let backups = fixture.data.path().join("backups");
        let watch = &mut |_, _| ControlFlow::Continue(());
        let faults = fixture.test.wiki.backups().inspect(&backups, watch);
        assert_eq!(faults.unwrap().len(), 2);
        assert_eq!(fs::read(fixture.stored(&second)).unwrap(), b"PICTURE");
        let third = fixture.back_up_later();
        assert_eq!(fs::read(fixture.stored(&third)).unwrap(), b"picture");
        assert_eq!(list_backups(&backups).unwrap().len(), 3);
    }

    #[test]
    fn file_of_another_size_is_found_by_each_proof() {
        let fixture = Fixture::new();
        let first = fixture.back_up();
        let (folder, relative) = fixture.test.wiki.asset_files.place(fixture.file);
        let live = folder.join(relative);
        for stored in [fixture.stored(&first), live.clone()] {
            fs::write(stored, "half").unwrap();
        }
        let second = fixture.back_up_later();
        assert_eq!(second.record.proved_at, None);
        assert!(second.record.faults[0].contains("have changed"));

        // A missing one is copied again, as long as the wiki has it.
        fs::write(&live, "picture").unwrap();
        let third = fixture.back_up_later();
        fs::remove_file(fixture.stored(&third)).unwrap();
        let fourth = fixture.back_up_later();
        assert_eq!(fs::read(fixture.stored(&fourth)).unwrap(), b"picture");
        fs::remove_file(fixture.stored(&fourth)).unwrap();
        fs::remove_file(&live).unwrap();
        let fifth = fixture.back_up_later();
        assert_eq!(
            (fifth.missing, fifth.record.assets),
            (vec![fixture.file], 0)
        );
    }

    #[test]
    fn changed_rows_are_copied_and_checked() {
        let fixture = Fixture::new();
        let TestWiki { wiki, user, .. } = &fixture.test;
        let other = fixture::page(wiki, *user, "/b", "[a](/a) [gone](/none)");
        let first = fixture.back_up();
        amend(wiki, fixture.page, *user, "# Another\n[b](/b)");
        fixture::page(wiki, *user, "/c", "[a](/a)");
        wiki.assets().delete(fixture.file).unwrap();
        let second = fixture.back_up_later();
        assert_eq!(second.record.faults, [""; 0]);
        assert_eq!(second.record.pages, first.record.pages + 1);
        assert_eq!(second.record.revisions, first.record.revisions + 1);
        assert!(second.record.read_in_full_at < Some(second.record.taken_at));

        // A row that is wrong is found, because it differs.
        let broken = wiki.store.write(|txn| {
            let title = "another".to_owned();
            txn.put(PAGE_TITLE, &other.to_bytes(), &title)
        });
        broken.unwrap();
        let third = fixture.back_up_later();
        assert!(third.record.faults[0].contains("has the title"));
    }

    #[test]
    fn ledger_of_another_database_is_not_trusted() {
        let fixture = Fixture::new();
        let first = fixture.back_up();
        assert!(ProofLedger::read(&first.path).is_some());
        let database = first.path.join("wiki.redb");
        let rows = fs::read(&database).unwrap();
        fs::write(&database, rows).unwrap();
        assert!(ProofLedger::read(&first.path).is_none());
        let second = fixture.back_up_later();
        assert_eq!(second.record.read_in_full_at, Some(second.record.taken_at));
    }

    #[test]
    fn full_reading_is_due_after_thirty_days() {
        let now = "2026-11-30T12:00:00Z".parse().unwrap();
        for (at, expected) in [
            ("2026-11-30T12:00:00Z", true),
            ("2026-10-31T12:00:01Z", true),
            ("2026-10-31T12:00:00Z", false),
            ("2026-12-01T00:00:00Z", false),
        ] {
            assert_eq!(is_recent(at.parse().unwrap(), now), expected, "{at}");
        }
    }
}
