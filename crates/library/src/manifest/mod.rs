//! Metadata from the headers and sidecars of a folder's pictures, saved in a file for when the folder is opened again.
//!
//! Each folder has one file, named for its path. A file may be lost at any time: the pictures are then read again.

mod rows;

use std::cmp::Ordering;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use fumikura_base::own_file;
use fumikura_fs::{RelPath, ThumbId, path, platform};
use sha1::{Digest, Sha1};

use self::rows::Row;
use super::entry::cropped_id;
use super::natural::NaturalName;
use super::read_state::MetadataRead;
use crate::events::{Events, FolderKey, IndexEvent};

/// The beginning of every file; the SHA-1 of the rest follows, and then the rest.
const MAGIC: &[u8; 16] = b"fumikura folder\n";
/// The length of the SHA-1.
const SUM: usize = 20;
/// The offset of the rest.
const HEAD: usize = MAGIC.len() + SUM;
/// The version of the program, since the next one may read headers differently, followed by the version of the
/// file format.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " 17");
const EXTENSION: &str = "folder";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// The maximum number of files and of their bytes. The least recently used files are evicted first.
const BUDGET: Budget = Budget {
    files: 20_000,
    bytes: 128 << 20,
};

/// A visitor of folder indexes: the absolute path of the folder, the size in bytes and the ids of the pictures. It
/// returns false to end.
pub type FolderVisitor<'a> = dyn FnMut(&[u8], u64, &[ThumbId]) -> bool + 'a;

/// The directory of the manifest files.
pub(super) struct Manifests {
    top: PathBuf,
    events: Arc<Events>,
}

/// The saved metadata of one folder's pictures. Rows are in the order of names and decoded one by one: all rows at once
/// would be several times as large as the file.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    bytes: Vec<u8>,
    /// The offset of the next row.
    at: usize,
}

impl Manifests {
    /// Creates the store; the directory is created with the first file.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self {
            top: folder,
            events: Arc::default(),
        }
    }

    pub(super) fn events(&self) -> &Events {
        &self.events
    }

    /// Publishes writes, reads and deletions to these events.
    pub(super) fn with_events(self, events: Arc<Events>) -> Self {
        Self { events, ..self }
    }

    /// Loads the metadata of the folder at an absolute path. It is empty if it was never saved, or can't be read.
    pub(super) fn load(&self, folder: &[u8]) -> Manifest {
        let path = self.path_of(folder);
        let found = match own_file::read(&path, own_file::ITEM) {
            Ok(bytes) => Manifest::open(bytes, folder),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                tracing::warn!("{} can't be read: {error}", path.display());
                None
            }
        };
        if found.is_some() {
            // Records the time of the last use. A failure does not matter.
            let _unused = own_file::open(&path, own_file::ITEM)
                .and_then(|file| file.set_modified(SystemTime::now()));
        }
        found.unwrap_or_default()
    }

    /// Replaces the saved metadata of a folder. Pictures must be in the order of their names.
    pub(super) fn save<'a>(
        &self,
        folder: &[u8],
        outcomes: impl IntoIterator<Item = (&'a [u8], MetadataRead)>,
    ) -> io::Result<()> {
        platform::create_private_folder(&self.top)?;
        let bytes = encode(folder, outcomes).map_err(io::Error::other)?;
        // This is not synced: the SHA-1 reveals a file that a crash cut short, and there may be thousands of
        // files.
        own_file::replace(&self.path_of(folder), &bytes)?;
        self.events.publish_index(IndexEvent::Written {
            folder: folder.to_vec(),
            bytes: bytes.len() as u64,
        });
        Ok(())
    }

    pub(super) fn path_of(&self, folder: &[u8]) -> PathBuf {
        self.path_of_key(FolderKey::of(folder))
    }

    fn path_of_key(&self, key: FolderKey) -> PathBuf {
        let name = hex::encode(key.0);
        self.top.join(name).with_extension(EXTENSION)
    }

    /// Publishes that the saved metadata of a folder was used for a listing.
    pub(super) fn publish_read(&self, folder: &[u8]) {
        self.events.publish_index(IndexEvent::Read {
            folder: folder.to_vec(),
        });
    }

    /// Deletes the saved metadata of a folder. Returns its size in bytes, or `None` if there was none.
    pub(super) fn remove(&self, key: FolderKey) -> io::Result<Option<u64>> {
        let path = self.path_of_key(key);
        let removed = fs::symlink_metadata(&path).and_then(|found| {
            fs::remove_file(&path)?;
            Ok(found.len())
        });
        match removed {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// True if metadata of a folder is saved.
    pub(super) fn contains(&self, key: FolderKey) -> bool {
        self.path_of_key(key).is_file()
    }

    /// Calls `each` with every folder, the bytes of its saved metadata, and the ids of its pictures, until it returns
    /// false. Files that can't be read are left out.
    pub(super) fn each_manifest(&self, each: &mut FolderVisitor<'_>) -> io::Result<()> {
        let entries = match fs::read_dir(&self.top) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        for entry in entries {
            let path = entry?.path();
            if !is_ours(&path) {
                continue;
            }
            let Ok(bytes) = own_file::read(&path, own_file::ITEM) else {
                continue;
            };
            let size = bytes.len() as u64;
            let Some((folder, pictures)) = Manifest::ids(bytes) else {
                continue;
            };
            if !each(&folder, size, &pictures) {
                break;
            }
        }
        Ok(())
    }

    /// Evicts the least recently used files, if there are too many, and deletes unfinished ones.
    pub(super) fn sweep(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.top)? {
            let path = entry?.path();
            // Another process may have deleted it meanwhile.
            let metadata = fs::symlink_metadata(&path);
            let Ok((bytes, used)) = metadata.and_then(|found| Ok((found.len(), found.modified()?)))
            else {
                continue;
            };
            if is_ours(&path) {
                files.push(ManifestFile { path, bytes, used });
            } else if is_unfinished(&path) && used.elapsed().is_ok_and(|age| age > DAY) {
                fs::remove_file(&path)?;
            }
        }
        for path in files_to_evict(files, BUDGET) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            if let Some(key) = key_of(&path) {
                self.events.publish_index(IndexEvent::Evicted(key));
            }
        }
        Ok(())
    }
}

fn encode<'a>(
    folder: &[u8],
    outcomes: impl IntoIterator<Item = (&'a [u8], MetadataRead)>,
) -> postcard::Result<Vec<u8>> {
    let mut bytes = [&MAGIC[..], &[0; SUM]].concat();
    bytes = postcard::to_extend(&(VERSION, folder), bytes)?;
    for (name, outcome) in outcomes {
        if outcome.is_worth_saving() {
            bytes = postcard::to_extend(&Row::new(name, &outcome), bytes)?;
        }
    }
    let (head, rest) = bytes.split_at_mut(HEAD);
    head[MAGIC.len()..].copy_from_slice(&Sha1::digest(rest));
    Ok(bytes)
}

impl Manifest {
    /// Opens a file; `None` if it is damaged, of another version, or not of this folder.
    fn open(bytes: Vec<u8>, folder: &[u8]) -> Option<Self> {
        let (path, at) = Self::head(&bytes)?;
        (path == folder).then_some(Self { bytes, at })
    }

    /// Returns the folder and the ids of its pictures; `None` if the file is damaged or of another version.
    fn ids(bytes: Vec<u8>) -> Option<(Vec<u8>, Vec<ThumbId>)> {
        let (folder, at) = Self::head(&bytes)?;
        let folder = folder.to_vec();
        let mut manifest = Self { bytes, at };
        let mut ids = Vec::new();
        while let Some((row, end)) = manifest.next() {
            let name = RelPath::parse(row.name).ok()?;
            let outcome = row.outcome();
            let state = outcome.hash.of().or(outcome.header.of());
            if let Some(state) = state {
                let path = path::join(&folder, &name);
                let id = state.fingerprint(path).id();
                ids.push(id);
                ids.extend(outcome.crop().map(|crop| cropped_id(id, crop)));
            }
            manifest.at = end;
        }
        Some((folder, ids))
    }

    /// Returns the folder and the offset of the rows; `None` if the file is damaged or of another version.
    fn head(bytes: &[u8]) -> Option<(&[u8], usize)> {
        let (sum, rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<SUM>()?;
        if Sha1::digest(rest)[..] != sum[..] {
            return None;
        }
        let ((version, path), rows): ((&str, &[u8]), _) = postcard::take_from_bytes(rest).ok()?;
        (version == VERSION).then_some((path, bytes.len() - rows.len()))
    }

    /// True if there is no saved metadata.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the metadata of the picture with this name. Rows before it in the order of names are skipped for good.
    pub(super) fn take(&mut self, name: &NaturalName) -> Option<MetadataRead> {
        loop {
            let (row, end) = self.next()?;
            match name.order_of(row.name) {
                Ordering::Less => self.at = end,
                Ordering::Equal => {
                    let outcome = row.outcome();
                    self.at = end;
                    return Some(outcome);
                }
                Ordering::Greater => return None,
            }
        }
    }

    /// Returns the next row, and the offset of the one after it.
    fn next(&self) -> Option<(Row<'_>, usize)> {
        // The SHA-1 ensures that the rows are as they were written.
        let (row, rest) = postcard::take_from_bytes(&self.bytes[self.at..]).ok()?;
        Some((row, self.bytes.len() - rest.len()))
    }
}

fn is_ours(path: &Path) -> bool {
    let digits = |stem: &str| {
        stem.len() == 40
            && stem
                .bytes()
                .all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
    };
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    path.extension().is_some_and(|found| found == EXTENSION) && stem.is_some_and(digits)
}

fn key_of(path: &Path) -> Option<FolderKey> {
    let mut key = [0; 20];
    hex::decode_to_slice(path.file_stem()?.as_encoded_bytes(), &mut key).ok()?;
    Some(FolderKey(key))
}

/// True for a file that a crash left unfinished.
fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.starts_with(b".") && name.ends_with(b".tmp")
}

#[derive(Debug, Clone)]
struct ManifestFile {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

#[derive(Debug, Clone, Copy)]
struct Budget {
    files: usize,
    bytes: u64,
}

/// Returns the files to evict, so that the rest stays within the budget.
fn files_to_evict(mut files: Vec<ManifestFile>, budget: Budget) -> Vec<PathBuf> {
    files.sort_by_key(|file| std::cmp::Reverse(file.used));
    let mut bytes = 0;
    let evicted = files.into_iter().enumerate().filter(|(at, file)| {
        bytes += file.bytes;
        // The latest stays, however large it is.
        *at > 0 && (*at >= budget.files || bytes > budget.bytes)
    });
    evicted.map(|(_, file)| file.path).collect()
}

#[cfg(test)]
mod tests;
