//! Copies one file: the copy appears complete and synced, or not at all.

use std::fs::{File, FileTimes, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::time::SystemTime;

use fumikura_fs::{AccessError, ContentStat, NodeKind, Stat, platform::Identity};

use super::error::FileError;
use super::folder::{EntryRef, EntryStatus, Folder};
use super::system::{self, Slot};
use super::tree;

/// The number of bytes that are copied at a time. The copy may be cancelled in between.
const CHUNK: u64 = 8 * 1024 * 1024;

/// The mode bits that run a file with the rights of its owner or group (setuid, setgid).
const SET_ID: u32 = 0o6000;
const ALL_RIGHTS: u32 = 0o7777;

/// Receives the number of bytes that were copied since the last call. An error cancels the copy.
pub(super) type Step<'a> = &'a mut dyn FnMut(u64) -> Result<(), FileError>;

/// A copy that is complete and on the disk, and has no name yet. It is deleted on drop.
pub(super) struct Copy<'a> {
    target: Option<Target>,
    folder: &'a Folder,
    /// The state of the original.
    pub(super) original: EntryStatus,
}

/// Copies a file with its times, its permissions and its extended attributes. `tag` identifies a copy that needs a
/// temporary name, so that it is found again after a crash.
///
/// # Errors
/// [`FileError`]; there is no copy then.
pub(super) fn copy<'a>(
    from: EntryRef<'_>,
    folder: &'a Folder,
    tag: &str,
    step: Step<'_>,
) -> Result<Copy<'a>, FileError> {
    let (source, before) = open_source(from)?;
    let failed = |error: io::Error| FileError::io(from.name, error);
    let copy = Copy {
        target: Some(Target::new(folder, tag).map_err(failed)?),
        folder,
        original: EntryStatus {
            stat: before,
            identity: Identity::of(&source).map_err(failed)?,
        },
    };
    let target = copy.target.as_ref().map(Target::file);
    let target = target.expect("BUG: the copy was just made");
    fill(&source, target, before.content(), step, from.name)?;
    Ok(copy)
}

/// Copies the content and metadata of a file into a new one, and syncs it.
///
/// # Errors
/// [`FileError`], also if the source does not match `before`, or no longer does.
pub(super) fn fill(
    source: &File,
    target: &File,
    before: ContentStat,
    step: Step<'_>,
    name: &[u8],
) -> Result<(), FileError> {
    let failed = |error: io::Error| FileError::io(name, error);
    // A file that was truncated or written meanwhile may have its old size and time again by now.
    if copy_content(source, target, step, name)? != before.size {
        return Err(FileError::Changing(name.to_vec()));
    }
    copy_metadata(source, target).map_err(failed)?;
    target.sync_all().map_err(failed)?;
    // The file may have been written meanwhile.
    if Stat::of(source).map_err(failed)?.content() != before {
        return Err(FileError::Changing(name.to_vec()));
    }
    Ok(())
}

impl Copy<'_> {
    /// Gives the copy its name, and returns its identity. An existing entry of that name stays.
    pub(super) fn finalize(mut self, name: &[u8]) -> Result<Identity, FileError> {
        let dir = &self.folder.dir;
        let failed = |error: io::Error| FileError::rename_error(error, name, name);
        let target = self.target.as_ref().expect("BUG: a copy settles once");
        let identity = Identity::of(target.file()).map_err(failed)?;
        match target {
            Target::Unnamed(file) => {
                system::link_unnamed(file, dir, name).map_err(failed)?;
                // Some file systems (btrfs) do not write a nameless file, even if that was requested.
                if let Err(error) = file.sync_all() {
                    self.folder.unlink(name, identity);
                    return Err(failed(error));
                }
            }
            Target::Temporary(_, hidden) => {
                system::rename(Slot::new(dir, hidden), Slot::new(dir, name)).map_err(failed)?;
            }
        }
        self.target = None;
        Ok(identity)
    }
}

impl Drop for Copy<'_> {
    fn drop(&mut self) {
        if let Some(Target::Temporary(_, hidden)) = &self.target
            && let Err(error) = system::unlink(&self.folder.dir, hidden)
        {
            tracing::warn!(%error, "an unfinished copy can't be deleted");
        }
    }
}

fn open_source(from: EntryRef<'_>) -> Result<(File, Stat), FileError> {
    let source = from.folder.source_of(from.name);
    let opened = source
        .open_root()
        .and_then(|top| top.open_file(source.path()));
    opened.map_err(|error| {
        let name = from.name.to_vec();
        if let AccessError::NotAFile(kind) = error {
            // A folder has replaced the file since the plan was made.
            match kind == NodeKind::Folder {
                true => FileError::Changing(name),
                false => FileError::NotAFile(name),
            }
        } else {
            FileError::access(&name, error)
        }
    })
}

/// Copies the content piece by piece, and returns the number of bytes. The kernel copies each piece, or shares it if
/// the file systems support that.
fn copy_content(
    source: &File,
    mut target: &File,
    step: Step<'_>,
    name: &[u8],
) -> Result<u64, FileError> {
    let mut total = 0;
    loop {
        let copied = io::copy(&mut source.take(CHUNK), &mut target);
        let copied = copied.map_err(|error| FileError::io(name, error))?;
        if copied == 0 {
            let flushed = target.flush().map_err(|error| FileError::io(name, error));
            return flushed.map(|()| total);
        }
        total += copied;
        step(copied)?;
    }
}

/// Copies the times, permissions and attributes of a file or folder.
pub(super) fn copy_metadata(source: &File, target: &File) -> io::Result<()> {
    let metadata = source.metadata()?;
    let times = FileTimes::new()
        .set_modified(metadata.modified()?)
        .set_accessed(metadata.accessed().unwrap_or_else(|_| SystemTime::now()));
    copy_attributes(source, target);
    let copy = target.metadata()?;
    let owners = [&metadata, &copy].map(|one| (one.uid(), one.gid()));
    let rights = Permissions::from_mode(mode_for_copy(metadata.mode(), owners));
    ignore_unsupported(target.set_permissions(rights))?;
    target.set_times(times)
}

/// Returns the permissions of a copy. A copy with another owner loses setuid and setgid, so that it does not run
/// with the rights of that owner.
fn mode_for_copy(mode: u32, [source, copy]: [(u32, u32); 2]) -> u32 {
    match source == copy {
        true => mode & ALL_RIGHTS,
        false => mode & ALL_RIGHTS & !SET_ID,
    }
}

/// Ignores missing support: FAT and network folders have no permissions.
fn ignore_unsupported(outcome: io::Result<()>) -> io::Result<()> {
    match outcome {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied
            ) =>
        {
            Ok(())
        }
        outcome => outcome,
    }
}

/// Copies the user attributes (for example `user.xdg.tags`). The other file system may not support them, or have no
/// space for them: the picture is complete without them.
fn copy_attributes(source: &File, target: &File) {
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
    let mut names = vec![0; 64 * 1024];
    let Ok(length) = flistxattr(source, &mut names[..]) else {
        return;
    };
    for name in names[..length].split(|&byte| byte == 0) {
        if !name.starts_with(b"user.") {
            continue;
        }
        let mut value = vec![0; 64 * 1024];
        let result = fgetxattr(source, name, &mut value[..])
            .and_then(|length| fsetxattr(target, name, &value[..length], XattrFlags::empty()));
        if let Err(error) = result {
            tracing::debug!(%error, "an attribute is not copied");
        }
    }
}

/// A file that is written in its final folder, without a name yet or with a temporary one.
enum Target {
    Unnamed(File),
    /// The fallback for file systems without nameless files.
    Temporary(File, Vec<u8>),
}

impl Target {
    fn new(folder: &Folder, tag: &str) -> io::Result<Self> {
        if let Some(file) = system::create_unnamed(&folder.dir)? {
            return Ok(Self::Unnamed(file));
        }
        let name = tree::unfinished_name(tag);
        Ok(Self::Temporary(system::create(&folder.dir, &name)?, name))
    }

    fn file(&self) -> &File {
        match self {
            Self::Unnamed(file) | Self::Temporary(file, _) => file,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copy_of_foreign_file_loses_set_id_bits() {
        let (own, other) = ((1000, 1000), (0, 1000));
        assert_eq!(mode_for_copy(0o106_755, [own, own]), 0o6755);
        assert_eq!(mode_for_copy(0o106_755, [other, own]), 0o755);
        assert_eq!(mode_for_copy(0o41_777, [other, own]), 0o1777);
    }

    #[test]
    fn append_then_truncate_during_copy_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "abcd").unwrap();
        let source = File::open(&path).unwrap();
        let target = File::create(folder.path().join("b")).unwrap();
        let before = Stat::of(&source).unwrap().content();
        let modified = source.metadata().unwrap().modified().unwrap();
        let mut writer = File::options().append(true).open(&path).unwrap();
        let mut pieces = 0;
        let mut step = |_| {
            pieces += 1;
            if pieces == 1 {
                writer.write_all(b"more").unwrap();
            } else {
                writer.set_len(4).unwrap();
                writer.set_modified(modified).unwrap();
            }
            Ok(())
        };
        let filled = fill(&source, &target, before, &mut step, b"a");
        assert!(matches!(filled, Err(FileError::Changing(name)) if name == b"a"));
        assert_eq!(pieces, 2);
        assert_eq!(Stat::of(&source).unwrap().content(), before);
    }
}
