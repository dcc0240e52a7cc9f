//! Moves the folder of the thumbnails while no process uses it.

use std::fs;
use std::io;
use std::path::Path;

use fumikura_base::dir_handle::{DirEntry, DirHandle};
use fumikura_fs::platform;

use super::layout::{Shard, name_of, parse_shard_name};
use super::{tag, usage_scan};

/// The result of moving the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveOutcome {
    /// All thumbnails are in the new folder.
    Whole,
    /// The new folder is on another disk, or already in use: the old thumbnails were deleted and will be made again.
    Deleted(u64),
    /// There was no folder of ours.
    Nothing,
}

/// Moves the thumbnails of one folder to another, which need not exist. On another disk they are made again
/// instead, since copying them takes longer than making the requested ones. Files that are not ours stay.
///
/// # Errors
/// If the old folder can't be read, or a file in it can't be deleted.
pub fn move_cache(from: &Path, to: &Path) -> io::Result<MoveOutcome> {
    if !tag::is_ours(from) {
        return Ok(MoveOutcome::Nothing);
    }
    if let Some(above) = to.parent() {
        platform::create_private_folder(above)?;
    }
    // The rename replaces an empty folder. The system refuses to replace any other.
    if fs::rename(from, to).is_ok() {
        return Ok(MoveOutcome::Whole);
    }
    let mut deleted = 0;
    let mut failed = None;
    usage_scan::each_thumbnail(from, &mut |id, variant, _| {
        let folder = Shard::of(id).open(from);
        match folder.and_then(|folder| folder.remove_file(&name_of(id, variant))) {
            Ok(()) => deleted += 1,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => failed = Some(error),
        }
        failed.is_none()
    })?;
    if let Some(error) = failed {
        return Err(error);
    }
    remove_empty(from)?;
    Ok(MoveOutcome::Deleted(deleted))
}

/// True if thumbnails can be stored in a folder: it is empty, missing, or one of ours.
#[must_use]
pub fn can_hold_cache(folder: &Path) -> bool {
    match fs::read_dir(folder) {
        Ok(mut entries) => tag::is_ours(folder) || entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Removes the empty shards, and the folder itself if it contains nothing else.
fn remove_empty(top: &Path) -> io::Result<()> {
    let folder = DirHandle::open(top)?;
    let is_shard = |entry: &DirEntry| {
        entry.is_folder() && parse_shard_name(platform::bytes_of(&entry.name)).is_some()
    };
    for outer in folder.entries()?.iter().filter(|entry| is_shard(entry)) {
        let shards = folder.folder(Path::new(&outer.name))?;
        for inner in shards.entries()?.iter().filter(|entry| is_shard(entry)) {
            // A shard that is not empty stays.
            let _stays = shards.remove_folder(&inner.name);
        }
        let _stays = folder.remove_folder(&outer.name);
    }
    if folder.entries()?.len() == 1 {
        tag::release(top)?;
        fs::remove_dir(top)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(folder: &Path) {
        tag::claim(folder).unwrap();
        let shard = folder.join("a3/f5");
        fs::create_dir_all(&shard).unwrap();
        let name = "a3f5c2e4bf4abb25b893ad492a4fb85efe91345c-85x85-crop.jpg";
        fs::write(shard.join(name), "bytes").unwrap();
    }

    #[test]
    fn folder_is_moved_by_rename_if_possible() {
        let outer = tempfile::tempdir().unwrap();
        let (from, to) = (outer.path().join("from"), outer.path().join("new/to"));
        filled(&from);
        assert_eq!(move_cache(&from, &to).unwrap(), MoveOutcome::Whole);
        assert!(!from.exists() && tag::is_ours(&to) && to.join("a3/f5").is_dir());
        assert_eq!(move_cache(&from, &to).unwrap(), MoveOutcome::Nothing);
        // Into an empty folder.
        let empty = outer.path().join("empty");
        fs::create_dir(&empty).unwrap();
        assert!(can_hold_cache(&empty) && can_hold_cache(&to) && can_hold_cache(&from));
        assert_eq!(move_cache(&to, &empty).unwrap(), MoveOutcome::Whole);
    }

    #[test]
    fn thumbnails_are_deleted_if_target_is_used() {
        let outer = tempfile::tempdir().unwrap();
        let (from, to) = (outer.path().join("from"), outer.path().join("to"));
        filled(&from);
        filled(&to);
        assert_eq!(move_cache(&from, &to).unwrap(), MoveOutcome::Deleted(1));
        assert!(!from.exists() && to.join("a3/f5").is_dir());
        filled(&from);
        fs::write(from.join("notes.txt"), "mine").unwrap();
        assert_eq!(move_cache(&from, &to).unwrap(), MoveOutcome::Deleted(1));
        assert!(from.join("notes.txt").exists() && !from.join("a3").exists());
    }

    #[test]
    fn foreign_folder_is_left_alone() {
        let outer = tempfile::tempdir().unwrap();
        let foreign = outer.path().join("foreign");
        fs::create_dir(&foreign).unwrap();
        fs::write(foreign.join("notes.txt"), "mine").unwrap();
        let moved = move_cache(&foreign, &outer.path().join("to")).unwrap();
        assert!(moved == MoveOutcome::Nothing && foreign.join("notes.txt").exists());
        assert!(!can_hold_cache(&foreign));
    }
}
