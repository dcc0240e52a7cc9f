//! System calls that change names in folders without ever replacing a file, and those that walk a folder tree without
//! ever following a link.

use std::fs::File;
use std::io;

use cap_std::fs::Dir;
use rustix::fs::{Access, AtFlags, Mode, OFlags, Timespec, Timestamps};
use rustix::io::Errno;

use fumikura_fs::{Mtime, platform};

/// A name in an open folder, taken or free.
#[derive(Clone, Copy)]
pub(super) struct Slot<'a> {
    pub(super) dir: &'a Dir,
    pub(super) name: &'a [u8],
}

impl<'a> Slot<'a> {
    pub(super) const fn new(dir: &'a Dir, name: &'a [u8]) -> Self {
        Self { dir, name }
    }
}

/// Renames a file or folder, within its folder or into another folder of the same file system. An existing entry of
/// that name stays, and is an error of kind `AlreadyExists`.
pub(super) fn rename(from: Slot<'_>, to: Slot<'_>) -> io::Result<()> {
    match rename_exclusively(from, to) {
        Err(error) if is_unsupported(error) => rename_after_check(from, to),
        result => Ok(result?),
    }
}

fn rename_exclusively(from: Slot<'_>, to: Slot<'_>) -> rustix::io::Result<()> {
    use rustix::fs::RenameFlags;
    rustix::fs::renameat_with(from.dir, from.name, to.dir, to.name, RenameFlags::NOREPLACE)
}

/// Renames on a file system that can't refuse an existing name. If a file can have two names (NFS), it has both for a
/// moment. Elsewhere (FAT in old kernels, FUSE), an entry that is created between the check and the rename is not
/// detected.
fn rename_after_check(from: Slot<'_>, to: Slot<'_>) -> io::Result<()> {
    match rustix::fs::linkat(from.dir, from.name, to.dir, to.name, AtFlags::empty()) {
        Ok(()) => {
            return unlink(from.dir, from.name).inspect_err(|_| {
                // The file has one name again.
                if let Err(error) = unlink(to.dir, to.name) {
                    tracing::warn!(%error, "a file has two names now");
                }
            });
        }
        Err(Errno::EXIST) => return Err(io::ErrorKind::AlreadyExists.into()),
        Err(Errno::XDEV) => return Err(io::ErrorKind::CrossesDevices.into()),
        // It is a folder, or hard links are not supported.
        Err(_) => {}
    }
    if platform::stat_with_identity(to.dir, to.name)?.is_some() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    Ok(rustix::fs::renameat(from.dir, from.name, to.dir, to.name)?)
}

/// Exchanges the names of two entries of a folder atomically. Returns false if the file system does not support that.
pub(super) fn exchange(folder: &Dir, a: &[u8], b: &[u8]) -> io::Result<bool> {
    use rustix::fs::RenameFlags;
    match rustix::fs::renameat_with(folder, a, folder, b, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(error) if is_unsupported(error) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn is_unsupported(error: Errno) -> bool {
    matches!(error, Errno::INVAL | Errno::NOSYS | Errno::NOTSUP)
}

/// Creates a file without a name, which vanishes with its handle unless it is given one. `None` if such files are not
/// supported.
pub(super) fn create_unnamed(folder: &Dir) -> io::Result<Option<File>> {
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    match rustix::fs::openat(folder, ".", flags, Mode::from_raw_mode(0o600)) {
        Ok(file) => Ok(Some(File::from(file))),
        // An old kernel, or a file system without such files, treats this as a folder that is opened for writing.
        Err(error) if is_unsupported(error) || error == Errno::ISDIR => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Gives a nameless file its name. An existing entry of that name stays, and is an error of kind `AlreadyExists`.
pub(super) fn link_unnamed(file: &File, folder: &Dir, name: &[u8]) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    // A link by the handle alone needs a privilege.
    let handle = format!("/proc/self/fd/{}", file.as_raw_fd());
    let flags = AtFlags::SYMLINK_FOLLOW;
    Ok(rustix::fs::linkat(
        rustix::fs::CWD,
        handle,
        folder,
        name,
        flags,
    )?)
}

/// Creates a file. An existing entry of that name is an error of kind `AlreadyExists`.
pub(super) fn create(folder: &Dir, name: &[u8]) -> io::Result<File> {
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC;
    // Other users can't read it before it has its own permissions.
    let file = rustix::fs::openat(folder, name, flags, Mode::from_raw_mode(0o600))?;
    Ok(File::from(file))
}

/// Unlinks a file.
pub(super) fn unlink(folder: &Dir, name: &[u8]) -> io::Result<()> {
    Ok(rustix::fs::unlinkat(folder, name, AtFlags::empty())?)
}

/// Opens a subfolder. A symbolic link is an error.
pub(super) fn open_folder(folder: &Dir, name: &[u8]) -> io::Result<Dir> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = rustix::fs::openat(folder, name, flags, Mode::empty())?;
    Ok(Dir::from_std_file(File::from(opened)))
}

/// Opens a file for reading. A symbolic link is an error. Never blocks, even if the name refers to a pipe or a device
/// by now.
pub(super) fn open_file(folder: &Dir, name: &[u8]) -> io::Result<File> {
    let nonblocking = OFlags::NONBLOCK | OFlags::NOCTTY;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | nonblocking;
    let opened = rustix::fs::openat(folder, name, flags, Mode::empty())?;
    Ok(File::from(opened))
}

/// Creates a folder that only the owner may enter. An existing entry of that name is an error of kind
/// `AlreadyExists`.
pub(super) fn make_folder(folder: &Dir, name: &[u8]) -> io::Result<Dir> {
    rustix::fs::mkdirat(folder, name, Mode::RWXU)?;
    open_folder(folder, name).inspect_err(|_| {
        if let Err(error) = remove_folder(folder, name) {
            tracing::warn!(%error, "a folder that was just made can't be deleted");
        }
    })
}

/// Creates a folder with the permissions of the user's new folders. An existing entry of that name is an error of kind
/// `AlreadyExists`.
pub(super) fn make_open_folder(folder: &Dir, name: &[u8]) -> io::Result<()> {
    let mode = Mode::RWXU | Mode::RWXG | Mode::RWXO;
    Ok(rustix::fs::mkdirat(folder, name, mode)?)
}

/// Deletes an empty folder. A folder with content is an error of kind `DirectoryNotEmpty`.
pub(super) fn remove_folder(folder: &Dir, name: &[u8]) -> io::Result<()> {
    Ok(rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR)?)
}

/// Lets the owner change the names in a folder.
pub(super) fn make_changeable(folder: &Dir) -> io::Result<()> {
    Ok(rustix::fs::fchmod(folder, Mode::RWXU)?)
}

/// Checks that this program may change the names in a folder.
pub(super) fn check_changeable(folder: &Dir) -> io::Result<()> {
    let access = Access::WRITE_OK | Access::EXEC_OK;
    match rustix::fs::accessat(folder, ".", access, AtFlags::EACCESS) {
        // An old kernel can't check this; a later attempt fails then.
        Err(error) if is_unsupported(error) => Ok(()),
        result => Ok(result?),
    }
}

/// Returns the target of a symbolic link; `None` if it is not a link.
pub(super) fn read_link(folder: &Dir, name: &[u8]) -> io::Result<Option<Vec<u8>>> {
    match rustix::fs::readlinkat(folder, name, Vec::new()) {
        Ok(target) => Ok(Some(target.into_bytes())),
        Err(Errno::INVAL) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Creates a symbolic link, with its own time if the file system stores one.
pub(super) fn make_link(folder: &Dir, name: &[u8], target: &[u8], mtime: Mtime) -> io::Result<()> {
    rustix::fs::symlinkat(target, folder, name)?;
    let time = Timespec {
        tv_sec: mtime.seconds,
        tv_nsec: mtime.nanoseconds.into(),
    };
    let times = Timestamps {
        last_access: time,
        last_modification: time,
    };
    match rustix::fs::utimensat(folder, name, &times, AtFlags::SYMLINK_NOFOLLOW) {
        Err(error) if is_unsupported(error) => Ok(()),
        result => Ok(result?),
    }
}

/// Returns true if a folder is a mount point, as far as the kernel reports it (Linux since 5.8).
pub(super) fn is_mounted(folder: &Dir) -> io::Result<bool> {
    use rustix::fs::{StatxAttributes, StatxFlags, statx};
    match statx(folder, "", AtFlags::EMPTY_PATH, StatxFlags::empty()) {
        Ok(found) => Ok(found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT)),
        Err(error) if is_unsupported(error) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Makes the names in a folder durable.
pub(super) fn sync(folder: &Dir) -> io::Result<()> {
    let handle = folder.try_clone()?.into_std_file();
    match rustix::fs::fsync(&handle) {
        // A path-only handle can't be synced.
        Err(Errno::BADF) => Ok(rustix::fs::fsync(rustix::fs::openat(
            folder,
            ".",
            OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
            Mode::empty(),
        )?)?),
        // A sync is not supported there, or not necessary.
        Err(error) if is_unsupported(error) => Ok(()),
        result => Ok(result?),
    }
}
