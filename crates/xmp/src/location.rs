//! The location and the content of a picture's sidecar.

use std::fs::{File, TryLockError};
use std::io::Read;
use std::thread;
use std::time::{Duration, Instant};

use cap_std::fs::Dir;
use fumikura_fs::{
    AccessError, RelPath, RootDir, Source, Stat,
    platform::{self, Identity},
};

use super::SidecarError;
use super::encoding::MAX_BYTES;

/// `xmp` in every case, the usual ones first. A file system that ignores case finds the first.
pub const EXTENSIONS: [&str; 8] = ["xmp", "XMP", "Xmp", "xmP", "xMp", "xMP", "XmP", "XMp"];

/// The time for which a change waits for another process, and the time between two attempts.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);
const RETRY_INTERVAL: Duration = Duration::from_millis(1);

/// Returns the rank of this extension in the search for a sidecar; `None` if sidecars do not have it.
pub fn extension_rank(extension: &[u8]) -> Option<usize> {
    EXTENSIONS
        .iter()
        .position(|one| one.as_bytes() == extension)
}

/// The folder of a picture, and the names that its sidecar may have there.
pub(super) struct SidecarLocation {
    root: RootDir,
    path: RelPath,
    pub(super) folder: Dir,
    picture: Vec<u8>,
}

/// The entry of a sidecar in the folder.
pub(super) struct Entry {
    pub(super) name: Vec<u8>,
    pub(super) is_link: bool,
}

/// A sidecar that was read.
pub(super) struct Sidecar {
    bytes: Vec<u8>,
    pub(super) mode: u32,
    pub(super) state: SidecarState,
}

/// The identity and state of a file, with which a change is detected.
#[derive(PartialEq, Eq)]
pub(super) struct SidecarState {
    file: Identity,
    pub(super) stat: Stat,
}

impl SidecarLocation {
    /// Opens the folder of a picture.
    ///
    /// # Errors
    /// [`AccessError`] if there is no such file.
    pub(super) fn of(source: &Source) -> Result<Self, AccessError> {
        let root = source.open_root()?;
        root.stat_file(source.path())?;
        let (path, picture) = source.path().split_last().ok_or(AccessError::NotFound)?;
        let folder = root.open_folder(&path)?;
        Ok(Self {
            root,
            picture: picture.to_vec(),
            path,
            folder,
        })
    }

    /// Returns the name of a new sidecar: `a.jpg.xmp`, as in digiKam and darktable, so that `a.jpg` and `a.cr2` have
    /// separate sidecars.
    pub(super) fn new_name(&self) -> Vec<u8> {
        named(&self.picture, EXTENSIONS[0])
    }

    /// Finds the existing sidecar: `a.jpg.xmp`, or else `a.xmp`, as Lightroom writes it.
    pub(super) fn find(&self) -> Result<Option<Entry>, AccessError> {
        for stem in [Some(&self.picture[..]), stem(&self.picture)] {
            for extension in EXTENSIONS {
                let Some(name) = stem.map(|stem| named(stem, extension)) else {
                    continue;
                };
                // A file is never its own sidecar.
                if name.eq_ignore_ascii_case(&self.picture) {
                    continue;
                }
                if let Some(is_link) = self.is_link(&name)? {
                    return Ok(Some(Entry { name, is_link }));
                }
            }
        }
        Ok(None)
    }

    /// Returns true if the entry is a symbolic link; `None` if it does not exist.
    fn is_link(&self, name: &[u8]) -> Result<Option<bool>, AccessError> {
        let metadata = self.folder.symlink_metadata(platform::path_of(name));
        match metadata.map_err(AccessError::from) {
            Ok(metadata) => Ok(Some(metadata.is_symlink())),
            Err(AccessError::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads a sidecar. A link is followed as long as it stays beneath the root. `None` if the file is gone.
    fn load(&self, entry: &Entry) -> Result<Option<Sidecar>, SidecarError> {
        let (file, stat) = match self.root.open_file(&self.path.join(&entry.name)) {
            Ok(opened) => opened,
            Err(AccessError::NotFound) if entry.is_link => return Err(SidecarError::DanglingLink),
            Err(AccessError::NotFound) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let state = SidecarState {
            file: Identity::of(&file).map_err(AccessError::from)?,
            stat,
        };
        let mode = platform::mode_of(&file).map_err(AccessError::from)?;
        let bytes = read_bytes(file, stat)?;
        Ok(Some(Sidecar { bytes, mode, state }))
    }

    /// Returns a sidecar, and the result of `parse` for its bytes. `None` if the file is gone, or if it was
    /// invalid and has changed meanwhile: another program may have been writing it.
    pub(super) fn parse_with<T>(
        &self,
        entry: &Entry,
        parse: impl FnOnce(&[u8]) -> Result<T, SidecarError>,
    ) -> Result<Option<(Sidecar, T)>, SidecarError> {
        let Some(sidecar) = self.load(entry)? else {
            return Ok(None);
        };
        match parse(&sidecar.bytes) {
            Ok(parsed) => Ok(Some((sidecar, parsed))),
            Err(_) if !self.is_unchanged(entry, &sidecar.state)? => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Locks a sidecar against other processes of this program, until the returned file is closed. `None` if it is gone,
    /// or stays locked. Where the file system has no locks, it is not locked.
    pub(super) fn lock(&self, entry: &Entry) -> Result<Option<File>, AccessError> {
        let end = Instant::now() + LOCK_TIMEOUT;
        loop {
            let Some(file) = self.open(entry)? else {
                return Ok(None);
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::Error(_)) => return Ok(Some(file)),
                Err(TryLockError::WouldBlock) if Instant::now() >= end => return Ok(None),
                Err(TryLockError::WouldBlock) => {
                    thread::sleep(RETRY_INTERVAL);
                    continue;
                }
            }
            // The one that had the lock may have replaced the file.
            let Some(current) = self.open(entry)? else {
                return Ok(None);
            };
            if Identity::of(&current)? == Identity::of(&file)? {
                return Ok(Some(file));
            }
        }
    }

    fn open(&self, entry: &Entry) -> Result<Option<File>, AccessError> {
        match self.root.open_file(&self.path.join(&entry.name)) {
            Ok((file, _)) => Ok(Some(file)),
            Err(AccessError::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns true if the sidecar is the same file in the same state.
    pub(super) fn is_unchanged(
        &self,
        entry: &Entry,
        state: &SidecarState,
    ) -> Result<bool, AccessError> {
        if self.is_link(&entry.name)? != Some(entry.is_link) {
            return Ok(false);
        }
        match self.root.open_file(&self.path.join(&entry.name)) {
            Ok((file, stat)) => {
                let file = Identity::of(&file)?;
                Ok(SidecarState { file, stat } == *state)
            }
            Err(AccessError::NotFound) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Reads a whole sidecar.
pub(super) fn read_bytes(file: File, stat: Stat) -> Result<Vec<u8>, SidecarError> {
    if stat.size > MAX_BYTES as u64 {
        return Err(SidecarError::TooLarge);
    }
    let mut bytes = Vec::new();
    // An extra byte is read, so that a file that has grown is detected, and refused.
    file.take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(AccessError::from)?;
    Ok(bytes)
}

fn named(stem: &[u8], extension: &str) -> Vec<u8> {
    [stem, b".", extension.as_bytes()].concat()
}

/// Returns a name without its extension; `None` if it has none.
pub fn stem(name: &[u8]) -> Option<&[u8]> {
    let dot = name.iter().rposition(|&byte| byte == b'.')?;
    (dot > 0).then(|| &name[..dot])
}
