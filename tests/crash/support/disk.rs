//! A disk that can be filled and emptied; folders in which nothing can be written.

use std::fs::{File, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A small separate disk in memory. It needs the right to mount, which root has, but not in every container.
pub(crate) struct Disk {
    folder: PathBuf,
    // Dropped last, when nothing is mounted there anymore.
    _outer: tempfile::TempDir,
}

impl Disk {
    /// Mounts a disk of 64 MiB, if the user of the tests may do so.
    pub(crate) fn mounted() -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            return None;
        }
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("disk");
        std::fs::create_dir(&folder).unwrap();
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64m,mode=0700", "tmpfs"])
            .arg(&folder)
            .status();
        mount.unwrap().success().then(|| Self {
            folder,
            _outer: outer,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    /// Fills the disk completely.
    pub(crate) fn fill(&self) {
        let mut file = File::create(self.folder.join("filler")).unwrap();
        let mut part = vec![0; 1 << 20];
        while !part.is_empty() {
            if file.write_all(&part).is_err() {
                part.truncate(part.len() / 2);
            }
        }
    }

    /// Frees the space again.
    pub(crate) fn empty(&self) {
        std::fs::remove_file(self.folder.join("filler")).unwrap();
    }

    /// Makes the disk read-only.
    pub(crate) fn make_read_only(&self) {
        let remount = Command::new("mount")
            .args(["-o", "remount,ro"])
            .arg(&self.folder)
            .status();
        assert!(remount.unwrap().success());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        unmount(&self.folder);
    }
}

/// A folder in which nothing can be written until this is dropped, except in files that were opened before.
pub(crate) struct ReadOnly {
    folder: PathBuf,
}

impl ReadOnly {
    /// Mounts the folder over itself, if the user of the tests may do so.
    pub(crate) fn over(folder: &Path) -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            return None;
        }
        let bound = Command::new("mount")
            .arg("--bind")
            .args([folder, folder])
            .status();
        if !bound.unwrap().success() {
            return None;
        }
        let view = Self {
            folder: folder.to_owned(),
        };
        let remount = Command::new("mount")
            .args(["-o", "remount,bind,ro"])
            .arg(folder)
            .status();
        assert!(remount.unwrap().success());
        Some(view)
    }
}

impl Drop for ReadOnly {
    fn drop(&mut self) {
        unmount(&self.folder);
    }
}

/// Folders in which nothing can be created until this is dropped; this needs no privilege.
pub(crate) struct Unwritable {
    folders: Vec<PathBuf>,
}

impl Unwritable {
    /// Returns the command that starts a program for which they are closed. Root ignores all modes, unless it
    /// gives up that capability.
    pub(crate) fn starter() -> &'static [&'static str] {
        if rustix::process::geteuid().is_root() {
            const RIGHTS: &str = "--bounding-set=-dac_override,-dac_read_search,-fowner";
            &["setpriv", RIGHTS, "--"]
        } else {
            &["env"]
        }
    }

    /// Closes the folder and all folders below it.
    pub(crate) fn over(folder: &Path) -> Self {
        let mut folders = vec![folder.to_owned()];
        let mut next = 0;
        while let Some(folder) = folders.get(next) {
            let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
            let children: Vec<_> = entries.map(|entry| entry.path()).collect();
            folders.extend(children.into_iter().filter(|path| path.is_dir()));
            next += 1;
        }
        let closed = Self { folders };
        closed.set_mode(0o500);
        closed
    }

    fn set_mode(&self, mode: u32) {
        for folder in &self.folders {
            std::fs::set_permissions(folder, Permissions::from_mode(mode)).unwrap();
        }
    }
}

impl Drop for Unwritable {
    fn drop(&mut self) {
        self.set_mode(0o700);
    }
}

/// Unmounts lazily: a failed test may leave a server that is just being killed, and its open files stay open.
fn unmount(folder: &Path) {
    let unmounted = Command::new("umount").arg("--lazy").arg(folder).status();
    if !std::thread::panicking() {
        assert!(unmounted.unwrap().success());
    }
}
