//! A scan of the whole cache, which measures its usage and deletes files left by a crash.

use std::fs;
use std::io;
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::vec;

use fumikura_fs::{ThumbId, platform};
use fumikura_image::Variant;
use jiff::{SignedDuration, Timestamp};

use super::layout::{Shard, is_unfinished, shard_named};
use super::ledger::{Held, Ledger};
use super::tag;

/// The age below which an unfinished file is kept, since another process may still be writing it.
const KEPT_FOR: Duration = Duration::from_secs(60 * 60);

/// Results of a scan other than thumbnails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Found {
    /// The number of unfinished files that were deleted.
    pub(super) swept: u64,
    /// The number of folders that could not be read, and of files that could not be examined or deleted.
    pub(super) failed: u64,
}

/// A scan of the whole cache, shard by shard: it counts thumbnails and deletes stale unfinished files. Only
/// names of our own patterns count, and only regular files in folders with names of our own pattern are
/// touched. Placing a thumbnail meanwhile waits no longer than one shard takes.
pub(super) struct UsageScan {
    /// The remaining shards, as they existed at the beginning.
    leaves: Peekable<vec::IntoIter<Shard>>,
    found: Found,
}

impl UsageScan {
    pub(super) fn begin(top: &Path, ledger: &Ledger, is_first: bool) -> Self {
        let mut found = Found::default();
        ledger.begin_census(is_first);
        let leaves = leaves(top, &mut found);
        Self {
            leaves: leaves.into_iter().peekable(),
            found,
        }
    }

    /// Scans the next shard. If none is left, ends the count and returns the results of the whole scan.
    pub(super) fn step(&mut self, top: &Path, ledger: &Ledger, now: Timestamp) -> Option<Found> {
        let Some(shard) = self.next_leaf(ledger) else {
            return ledger.end_census().then_some(self.found);
        };
        ledger.count(shard, || look_at(shard, top, now, &mut self.found));
        None
    }

    fn next_leaf(&mut self, ledger: &Ledger) -> Option<Shard> {
        match (self.leaves.peek().copied(), ledger.late()) {
            (Some(listed), Some(late)) if late.index() < listed.index() => Some(late),
            (Some(_), _) => self.leaves.next(),
            (None, late) => late,
        }
    }
}

/// Returns the existing shards in their order. A folder without our mark has none: its contents belong to
/// another program.
pub(super) fn leaves(top: &Path, found: &mut Found) -> Vec<Shard> {
    let mut leaves = Vec::new();
    if !tag::is_ours(top) {
        // A folder that no longer exists contains nothing that could not be examined.
        found.failed += u64::from(top.exists());
        return leaves;
    }
    for (first, folder) in shards(top, found) {
        for (second, _) in shards(&folder, found) {
            leaves.push(Shard(u16::from_be_bytes([first, second])));
        }
    }
    leaves.sort_unstable_by_key(|shard| shard.0);
    leaves
}

/// Calls `each` with every thumbnail and its size in bytes, until it returns false.
pub(super) fn survey(
    top: &Path,
    each: &mut dyn FnMut(ThumbId, Variant, u64) -> bool,
) -> io::Result<()> {
    let mut found = Found::default();
    for shard in leaves(top, &mut found) {
        for entry in entries(&shard.path(top), &mut found) {
            let Some((id, variant)) = shard.thumbnail(platform::bytes_of(&entry.file_name()))
            else {
                continue;
            };
            // The file may be deleted while it is examined.
            let metadata = entry.metadata().ok().filter(fs::Metadata::is_file);
            if metadata.is_some_and(|metadata| !each(id, variant, metadata.len())) {
                return Ok(());
            }
        }
    }
    match found.failed {
        0 => Ok(()),
        failed => Err(io::Error::other(format!(
            "{failed} folders of the cache can't be read"
        ))),
    }
}

fn shards(folder: &Path, found: &mut Found) -> Vec<(u8, PathBuf)> {
    let mut shards = Vec::new();
    for entry in entries(folder, found) {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let shard = shard_named(platform::bytes_of(&entry.file_name()));
        shards.extend(
            shard
                .filter(|_| is_folder)
                .map(|shard| (shard, entry.path())),
        );
    }
    shards
}

fn look_at(shard: Shard, top: &Path, now: Timestamp, found: &mut Found) -> Held {
    let mut held = Held::default();
    for entry in entries(&shard.path(top), found) {
        let name = entry.file_name();
        let name = platform::bytes_of(&name);
        let looked = if is_unfinished(name) {
            sweep(&entry, now, found)
        } else if shard.thumbnail(name).is_some() {
            count(&entry, &mut held)
        } else {
            Ok(())
        };
        looked.unwrap_or_else(|error| found.count(&error));
    }
    held
}

fn count(entry: &fs::DirEntry, held: &mut Held) -> io::Result<()> {
    // The metadata of the entry itself: a symbolic link is never followed.
    let metadata = entry.metadata()?;
    if metadata.is_file() {
        held.files += 1;
        held.bytes += metadata.len();
    }
    Ok(())
}

fn sweep(entry: &fs::DirEntry, now: Timestamp, found: &mut Found) -> io::Result<()> {
    let metadata = entry.metadata()?;
    let changed = Timestamp::try_from(metadata.modified()?).map_err(io::Error::other)?;
    let kept = SignedDuration::try_from(KEPT_FOR).expect("BUG: an hour fits");
    if metadata.is_file() && now.duration_since(changed) > kept {
        fs::remove_file(entry.path())?;
        found.swept += 1;
    }
    Ok(())
}

/// Returns the entries of a folder.
pub(super) fn entries(folder: &Path, found: &mut Found) -> Vec<fs::DirEntry> {
    let read = fs::read_dir(folder).and_then(Iterator::collect);
    read.unwrap_or_else(|error| {
        found.count(&error);
        Vec::new()
    })
}

impl Found {
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
    use std::fs::File;

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
        let swept = |now| take(top.path(), &Ledger::default(), now);
        assert_eq!(swept(now + SignedDuration::from_mins(59)).swept, 0);
        let found = swept(now + SignedDuration::from_mins(61));
        assert_eq!((found.swept, found.failed), (1, 0));
        assert!(!unfinished.exists());
        assert!(stays.iter().all(|path| path.exists()));
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
        take(top.path(), &ledger, Timestamp::now());
        assert_eq!(ledger.held(), Held { files: 1, bytes: 5 });
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
                take(top.path(), &ledger, Timestamp::now());
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
            let expected = Held {
                files: 8,
                bytes: 40,
            };
            assert_eq!(ledger.held(), expected, "{is_first}");
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
    fn take(top: &Path, ledger: &Ledger, now: Timestamp) -> Found {
        let mut scan = UsageScan::begin(top, ledger, true);
        loop {
            if let Some(found) = scan.step(top, ledger, now) {
                return found;
            }
        }
    }
}
