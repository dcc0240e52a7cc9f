//! A scan of the whole cache, which measures its usage and deletes files left by a crash.

use std::ffi::OsString;
use std::io;
use std::iter::Peekable;
use std::path::Path;
use std::time::Duration;
use std::vec;

use fumikura_base::dir_handle::{DirEntry, DirHandle, is_file, modified, size};
use fumikura_fs::{ThumbId, platform};
use fumikura_image::Variant;
use jiff::{SignedDuration, Timestamp};

use super::layout::{Shard, is_unfinished, parse_shard_name};
use super::ledger::{Ledger, Usage};
use super::tag;

/// The age below which an unfinished file is kept, since another process may still be writing it.
const UNFINISHED_TTL: Duration = Duration::from_secs(60 * 60);

/// Results of a scan other than thumbnails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ScanReport {
    /// The number of unfinished files that were deleted.
    pub(super) deleted: u64,
    /// The number of folders that could not be read, and of files that could not be examined or deleted.
    pub(super) failed: u64,
}

/// A scan of the whole cache, shard by shard: it counts thumbnails and deletes stale unfinished files. Only
/// names of our own patterns count, and only regular files in folders with names of our own pattern are
/// touched. Placing a thumbnail meanwhile waits no longer than one shard takes.
pub(super) struct UsageScan {
    /// The remaining shards, as they existed at the beginning.
    shards: Peekable<vec::IntoIter<Shard>>,
    report: ScanReport,
}

impl UsageScan {
    pub(super) fn begin(top: &Path, ledger: &Ledger, is_first: bool) -> Self {
        let mut report = ScanReport::default();
        ledger.begin_count(is_first);
        let shards = list_shards(top, &mut report);
        Self {
            shards: shards.into_iter().peekable(),
            report,
        }
    }

    /// Scans the next shard. If none is left, ends the count and returns the results of the whole scan.
    pub(super) fn step(
        &mut self,
        top: &Path,
        ledger: &Ledger,
        now: Timestamp,
    ) -> Option<ScanReport> {
        let Some(shard) = self.next_shard(ledger) else {
            return ledger.end_count().then_some(self.report);
        };
        ledger.count(shard, || scan_shard(shard, top, now, &mut self.report));
        None
    }

    fn next_shard(&mut self, ledger: &Ledger) -> Option<Shard> {
        match (self.shards.peek().copied(), ledger.next_added_shard()) {
            (Some(listed), Some(added)) if added.index() < listed.index() => Some(added),
            (Some(_), _) => self.shards.next(),
            (None, added) => added,
        }
    }
}

/// Returns the existing shards in their order. A folder without our mark has none: its contents belong to
/// another program.
pub(super) fn list_shards(top: &Path, report: &mut ScanReport) -> Vec<Shard> {
    let mut shards = Vec::new();
    if !tag::is_ours(top) {
        // A folder that no longer exists contains nothing that could not be examined.
        report.failed += u64::from(top.exists());
        return shards;
    }
    let Some(top) = report.opened(DirHandle::open(top)) else {
        return shards;
    };
    for (first, name) in hex_folders(&top, report) {
        let Some(folder) = report.opened(top.folder(Path::new(&name))) else {
            continue;
        };
        for (second, _) in hex_folders(&folder, report) {
            shards.push(Shard(u16::from_be_bytes([first, second])));
        }
    }
    shards.sort_unstable_by_key(|shard| shard.0);
    shards
}

/// Calls `each` with every thumbnail and its size in bytes, until it returns false.
pub(super) fn each_thumbnail(
    top: &Path,
    each: &mut dyn FnMut(ThumbId, Variant, u64) -> bool,
) -> io::Result<()> {
    let mut report = ScanReport::default();
    for shard in list_shards(top, &mut report) {
        let Some(folder) = report.opened(shard.open(top)) else {
            continue;
        };
        for entry in entries(&folder, &mut report) {
            let Some((id, variant)) = shard.thumbnail(platform::bytes_of(&entry.name)) else {
                continue;
            };
            // The file may be deleted while it is examined.
            let stat = folder.stat(Path::new(&entry.name)).ok().filter(is_file);
            if stat.is_some_and(|stat| !each(id, variant, size(&stat))) {
                return Ok(());
            }
        }
    }
    match report.failed {
        0 => Ok(()),
        failed => Err(io::Error::other(format!(
            "{failed} folders of the cache can't be read"
        ))),
    }
}

fn hex_folders(folder: &DirHandle, report: &mut ScanReport) -> Vec<(u8, OsString)> {
    let entries = entries(folder, report).into_iter();
    let folders = entries.filter(DirEntry::is_folder);
    let shards = folders.filter_map(|entry| {
        let shard = parse_shard_name(platform::bytes_of(&entry.name))?;
        Some((shard, entry.name))
    });
    shards.collect()
}

fn scan_shard(shard: Shard, top: &Path, now: Timestamp, report: &mut ScanReport) -> Usage {
    let mut usage = Usage::default();
    let Some(folder) = report.opened(shard.open(top)) else {
        return usage;
    };
    for entry in entries(&folder, report) {
        let name = platform::bytes_of(&entry.name);
        let result = if is_unfinished(name) {
            delete_if_stale(&folder, &entry, now, report)
        } else if shard.thumbnail(name).is_some() {
            count(&folder, &entry, &mut usage)
        } else {
            Ok(())
        };
        result.unwrap_or_else(|error| report.count(&error));
    }
    usage
}

fn count(folder: &DirHandle, entry: &DirEntry, usage: &mut Usage) -> io::Result<()> {
    let stat = folder.stat(Path::new(&entry.name))?;
    if is_file(&stat) {
        usage.files += 1;
        usage.bytes += size(&stat);
    }
    Ok(())
}

fn delete_if_stale(
    folder: &DirHandle,
    entry: &DirEntry,
    now: Timestamp,
    report: &mut ScanReport,
) -> io::Result<()> {
    let stat = folder.stat(Path::new(&entry.name))?;
    let changed = Timestamp::try_from(modified(&stat)).map_err(io::Error::other)?;
    let ttl = SignedDuration::try_from(UNFINISHED_TTL).expect("BUG: an hour fits");
    if is_file(&stat) && now.duration_since(changed) > ttl {
        folder.remove_file(&entry.name)?;
        report.deleted += 1;
    }
    Ok(())
}

/// Returns the entries of a folder.
pub(super) fn entries(folder: &DirHandle, report: &mut ScanReport) -> Vec<DirEntry> {
    folder.entries().unwrap_or_else(|error| {
        report.count(&error);
        Vec::new()
    })
}

impl ScanReport {
    /// Counts a folder that can't be opened.
    fn opened(&mut self, folder: io::Result<DirHandle>) -> Option<DirHandle> {
        folder.inspect_err(|error| self.count(error)).ok()
    }

    fn count(&mut self, error: &io::Error) {
        // A file that no longer exists needs no scan.
        if error.kind() != io::ErrorKind::NotFound {
            self.failed += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ledger::Change;
    use super::*;
    use std::fs::{self, File};

    const NAME: &str = "a3f5c2e4bf4abb25b893ad492a4fb85efe91345c-85x85-crop.jpg";

    /// An empty folder of ours.
    fn marked() -> tempfile::TempDir {
        let top = tempfile::tempdir().unwrap();
        tag::claim(top.path()).unwrap();
        top
    }

    #[test]
    fn stale_unfinished_files_are_deleted_after_an_hour() {
        let top = marked();
        let shard = top.path().join("a3/f5");
        fs::create_dir_all(&shard).unwrap();
        fs::create_dir_all(top.path().join("other/f5")).unwrap();
        let stays = [
            shard.join("a3f5.jpg"),
            shard.join("notes.tmp"),
            top.path().join("other/f5/.thumb-abcDEF012345.tmp"),
            top.path().join("a3/.thumb-abcDEF012345.tmp"),
        ];
        let unfinished = shard.join(".thumb-abcDEF012345.tmp");
        for path in stays.iter().chain([&unfinished]) {
            File::create(path).unwrap();
        }
        std::os::unix::fs::symlink("/etc/hostname", shard.join(".thumb-abcDEF012346.tmp")).unwrap();
        let now = Timestamp::now();
        let deleted = |now| scan_all(top.path(), &Ledger::default(), now);
        assert_eq!(deleted(now + SignedDuration::from_mins(59)).deleted, 0);
        let report = deleted(now + SignedDuration::from_mins(61));
        assert_eq!((report.deleted, report.failed), (1, 0));
        assert!(!unfinished.exists());
        assert!(stays.iter().all(|path| path.exists()));
    }

    #[test]
    fn shard_swapped_for_a_link_during_a_scan_stays() {
        let top = marked();
        let elsewhere = tempfile::tempdir().unwrap();
        let theirs = elsewhere.path().join(".thumb-abcDEF012345.tmp");
        fs::create_dir_all(top.path().join("a3/f5")).unwrap();
        File::create(&theirs).unwrap();
        let ledger = Ledger::default();
        let mut scan = UsageScan::begin(top.path(), &ledger, true);
        fs::remove_dir(top.path().join("a3/f5")).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), top.path().join("a3/f5")).unwrap();
        let later = Timestamp::now() + SignedDuration::from_hours(2);
        let report = std::iter::from_fn(|| Some(scan.step(top.path(), &ledger, later)));
        let report = report.flatten().next().unwrap();
        assert_eq!((report.deleted, report.failed), (0, 1));
        assert!(theirs.exists());
    }

    #[test]
    fn only_thumbnails_in_their_shards_are_counted() {
        let top = marked();
        for folder in ["a3/f5", "00/ff", "zz/f5"] {
            fs::create_dir_all(top.path().join(folder)).unwrap();
        }
        for path in [
            format!("a3/f5/{NAME}"),
            format!("00/ff/{NAME}"),
            format!("zz/f5/{NAME}"),
            "a3/f5/thesis.jpg".to_owned(),
        ] {
            fs::write(top.path().join(path), "bytes").unwrap();
        }
        std::os::unix::fs::symlink(
            "/etc/hostname",
            top.path()
                .join("a3/f5")
                .join(NAME.replace("85x85", "90x90")),
        )
        .unwrap();
        let ledger = Ledger::default();
        scan_all(top.path(), &ledger, Timestamp::now());
        assert_eq!(ledger.usage(), Usage { files: 1, bytes: 5 });
    }

    #[test]
    fn thumbnails_added_during_scan_are_counted_once() {
        for is_first in [true, false] {
            let top = marked();
            for shard in [5, 700, 900] {
                place(top.path(), &Ledger::default(), shard, 0);
            }
            let ledger = Ledger::default();
            if !is_first {
                scan_all(top.path(), &ledger, Timestamp::now());
            }
            // Added shards: between existing ones, in one of them, before them and after them.
            let mut coming = [600, 900, 1, 65_000, 64_000].iter();
            let mut scan = UsageScan::begin(top.path(), &ledger, is_first);
            while scan.step(top.path(), &ledger, Timestamp::now()).is_none() {
                if let Some(shard) = coming.next() {
                    place(top.path(), &ledger, *shard, 1);
                }
            }
            assert_eq!(coming.next(), None);
            let expected = Usage {
                files: 8,
                bytes: 40,
            };
            assert_eq!(ledger.usage(), expected, "{is_first}");
        }
    }

    fn place(top: &Path, ledger: &Ledger, shard: u16, number: u8) {
        let folder = Shard(shard).path(top);
        fs::create_dir_all(&folder).unwrap();
        let name = format!("{shard:04x}{number:036x}-85x85-crop.jpg");
        let placed = ledger.change(Shard(shard), || {
            fs::write(folder.join(name), "bytes")?;
            let change = Change {
                before: None,
                after: Some(5),
            };
            Ok(((), change))
        });
        placed.unwrap();
    }

    /// Runs a first scan to its end.
    fn scan_all(top: &Path, ledger: &Ledger, now: Timestamp) -> ScanReport {
        let mut scan = UsageScan::begin(top, ledger, true);
        loop {
            if let Some(report) = scan.step(top, ledger, now) {
                return report;
            }
        }
    }
}
