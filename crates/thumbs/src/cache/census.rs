//! Looking through the whole cache: how much there is, and what a crash left.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::layout::{Leaf, is_unfinished, shard_named};
use super::ledger::{Held, Ledger};
use crate::platform;

/// How long an unfinished file is left alone, since somebody may still be writing it.
const KEPT_FOR: Duration = Duration::from_secs(60 * 60);

/// What was found beside thumbnails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Found {
    /// Unfinished files that were deleted.
    pub(super) swept: u64,
    /// Folders that could not be read, and files that could not be looked at or deleted.
    pub(super) failed: u64,
}

/// Counts all thumbnails, and deletes stale unfinished files: only names of our own patterns count,
/// and only regular files in folders with names of our own pattern are touched. Goes shard by shard,
/// and holds up who places a thumbnail for no longer than one takes. None if `stop` is set meanwhile.
pub(super) fn take(
    top: &Path,
    ledger: &Ledger,
    is_first: bool,
    now: Timestamp,
    stop: &AtomicBool,
) -> Option<Found> {
    let mut found = Found::default();
    ledger.begin_census(is_first);
    for leaf in leaves(top, &mut found) {
        if stop.load(Ordering::Relaxed) {
            ledger.abandon_census();
            return None;
        }
        ledger.count(leaf, || look_at(leaf, top, now, &mut found));
    }
    ledger.end_census();
    Some(found)
}

/// The shards that there are, in their order.
pub(super) fn leaves(top: &Path, found: &mut Found) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    for (first, folder) in shards(top, found) {
        for (second, _) in shards(&folder, found) {
            leaves.push(Leaf(u16::from_be_bytes([first, second])));
        }
    }
    leaves.sort_unstable_by_key(|leaf| leaf.0);
    leaves
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

fn look_at(leaf: Leaf, top: &Path, now: Timestamp, found: &mut Found) -> Held {
    let mut held = Held::default();
    for entry in entries(&leaf.path(top), found) {
        let name = entry.file_name();
        let name = platform::bytes_of(&name);
        let looked = if is_unfinished(name) {
            sweep(&entry, now, found)
        } else if leaf.has(name) {
            count(&entry, &mut held)
        } else {
            Ok(())
        };
        looked.unwrap_or_else(|error| found.count(&error));
    }
    held
}

fn count(entry: &fs::DirEntry, held: &mut Held) -> io::Result<()> {
    // Of the entry itself: a symbolic link is never followed.
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

/// What lies in a folder.
pub(super) fn entries(folder: &Path, found: &mut Found) -> Vec<fs::DirEntry> {
    let read = fs::read_dir(folder).and_then(Iterator::collect);
    read.unwrap_or_else(|error| {
        found.count(&error);
        Vec::new()
    })
}

impl Found {
    fn count(&mut self, error: &io::Error) {
        // What is gone already needs no looking at.
        if error.kind() != io::ErrorKind::NotFound {
            self.failed += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    const NAME: &str = "a3f5c2e4bf4abb25b893ad492a4fb85efe91345c-85x85-crop.jpg";

    #[test]
    fn only_our_own_unfinished_files_go_and_only_after_an_hour() {
        let top = tempfile::tempdir().unwrap();
        let leaf = top.path().join("a3/f5");
        fs::create_dir_all(&leaf).unwrap();
        fs::create_dir_all(top.path().join("other/f5")).unwrap();
        let stays = [
            leaf.join("a3f5.jpg"),
            leaf.join("notes.tmp"),
            top.path().join("other/f5/.thumb-abcDEF012345.tmp"),
            top.path().join("a3/.thumb-abcDEF012345.tmp"),
        ];
        let unfinished = leaf.join(".thumb-abcDEF012345.tmp");
        for path in stays.iter().chain([&unfinished]) {
            File::create(path).unwrap();
        }
        std::os::unix::fs::symlink("/etc/hostname", leaf.join(".thumb-abcDEF012346.tmp")).unwrap();
        let now = Timestamp::now();
        let go = AtomicBool::new(false);
        let swept = |now| take(top.path(), &Ledger::default(), true, now, &go).unwrap();
        assert_eq!(swept(now + SignedDuration::from_mins(59)).swept, 0);
        let found = swept(now + SignedDuration::from_mins(61));
        assert_eq!((found.swept, found.failed), (1, 0));
        assert!(!unfinished.exists());
        assert!(stays.iter().all(|path| path.exists()));
    }

    #[test]
    fn thumbnails_alone_are_counted_where_they_belong() {
        let top = tempfile::tempdir().unwrap();
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
        let go = AtomicBool::new(false);
        take(top.path(), &ledger, true, Timestamp::now(), &go).unwrap();
        assert_eq!(ledger.held(), Held { files: 1, bytes: 5 });
    }

    #[test]
    fn a_count_that_is_stopped_leaves_what_was_known() {
        let top = tempfile::tempdir().unwrap();
        fs::create_dir_all(top.path().join("a3/f5")).unwrap();
        let (ledger, stop) = (Ledger::default(), AtomicBool::new(true));
        assert_eq!(
            take(top.path(), &ledger, false, Timestamp::now(), &stop),
            None
        );
        assert!(!ledger.is_counting());
    }
}
