//! Sweeping up what a crash left: unfinished files that nobody has touched for an hour.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::layout::{is_shard, is_unfinished};
use crate::platform;

/// How long an unfinished file is left alone, since somebody may still be writing it.
const KEPT_FOR: Duration = Duration::from_secs(60 * 60);

/// What a sweep did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Swept {
    /// Unfinished files that were deleted.
    pub(super) deleted: u64,
    /// Folders that could not be read, and files that could not be deleted.
    pub(super) failed: u64,
}

/// Deletes stale unfinished files in all shards, unless `stop` is set meanwhile. Only names of our
/// own pattern are touched, and only regular files in folders with names of our own pattern.
pub(super) fn sweep(top: &Path, now: Timestamp, stop: &AtomicBool) -> Swept {
    let mut swept = Swept::default();
    for first in shards(top, &mut swept) {
        for second in shards(&first, &mut swept) {
            if stop.load(Ordering::Relaxed) {
                return swept;
            }
            sweep_leaf(&second, now, &mut swept);
        }
    }
    swept
}

fn shards(folder: &Path, swept: &mut Swept) -> Vec<std::path::PathBuf> {
    let mut shards = Vec::new();
    for entry in entries(folder, swept) {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && is_shard(platform::bytes_of(&entry.file_name())) {
            shards.push(entry.path());
        }
    }
    shards
}

fn sweep_leaf(leaf: &Path, now: Timestamp, swept: &mut Swept) {
    for entry in entries(leaf, swept) {
        if !is_unfinished(platform::bytes_of(&entry.file_name())) {
            continue;
        }
        match is_stale(&entry, now) {
            Ok(false) => {}
            Ok(true) => match fs::remove_file(entry.path()) {
                Ok(()) => swept.deleted += 1,
                Err(error) => swept.count(&error),
            },
            Err(error) => swept.count(&error),
        }
    }
}

fn entries(folder: &Path, swept: &mut Swept) -> Vec<fs::DirEntry> {
    let read = fs::read_dir(folder).and_then(Iterator::collect);
    read.unwrap_or_else(|error| {
        swept.count(&error);
        Vec::new()
    })
}

fn is_stale(entry: &fs::DirEntry, now: Timestamp) -> io::Result<bool> {
    // Of the entry itself: a symbolic link is never followed.
    let metadata = entry.metadata()?;
    let changed = Timestamp::try_from(metadata.modified()?).map_err(io::Error::other)?;
    let kept = SignedDuration::try_from(KEPT_FOR).expect("BUG: an hour fits");
    Ok(metadata.is_file() && now.duration_since(changed) > kept)
}

impl Swept {
    fn count(&mut self, error: &io::Error) {
        // What is gone already needs no sweeping.
        if error.kind() != io::ErrorKind::NotFound {
            self.failed += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

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
        let soon = now + SignedDuration::from_mins(59);
        assert_eq!(sweep(top.path(), soon, &go).deleted, 0);
        let later = now + SignedDuration::from_mins(61);
        assert_eq!(
            sweep(top.path(), later, &go),
            Swept {
                deleted: 1,
                failed: 0
            }
        );
        assert!(!unfinished.exists());
        assert!(stays.iter().all(|path| path.exists()));
    }
}
