//! What the headers and sidecars of a folder's pictures tell, kept in a file for when the folder is opened again.
//!
//! One file a folder, named for its path. It may be lost at any time: they are read again then.

mod rows;

use std::cmp::Ordering;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use sha1::{Digest, Sha1};

use self::rows::Row;
use super::known::Outcome;
use super::natural::NaturalName;
use crate::cache::{CacheEvent, CacheEvents, FolderKey};
use crate::fingerprint::ThumbId;
use crate::path::{self, RelPath};
use crate::platform;

/// What every file begins with; then come the SHA-1 of the rest, and the rest.
const MAGIC: &[u8; 16] = b"fumikura folder\n";
/// How long that sum is.
const SUM: usize = 20;
/// Where the rest begins.
const HEAD: usize = MAGIC.len() + SUM;
/// What is read from headers, and how, may be another in the next version of the program; behind it the number of the
/// files' own format.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " 8");
const EXTENSION: &str = "folder";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// How many files are kept, and how many bytes they may have together. Those that were used longest ago go first.
const MOST: Budget = Budget {
    files: 20_000,
    bytes: 128 << 20,
};

/// Is told of a folder of which something is kept, its bytes, and the ids of the folder's pictures; whether it goes on.
pub(crate) type EachFolder<'a> = dyn FnMut(&[u8], u64, &[ThumbId]) -> bool + 'a;

/// The folder of the files.
pub(super) struct Manifests {
    top: PathBuf,
    events: Arc<CacheEvents>,
}

/// What was kept of one folder's pictures. It is told in the order of their names and read only then: all rows at once
/// would be several times as large as the file.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    bytes: Vec<u8>,
    /// Where the next row begins.
    at: usize,
}

impl Manifests {
    /// The folder is made when there is something to keep.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self {
            top: folder,
            events: Arc::default(),
        }
    }

    /// Publishes writes, reads and deletions to these events.
    pub(super) fn with_events(self, events: Arc<CacheEvents>) -> Self {
        Self { events, ..self }
    }

    /// What is known of the pictures of the folder at an absolute path; nothing, if that was never kept, or can't be
    /// read.
    pub(super) fn load(&self, folder: &[u8]) -> Manifest {
        let path = self.path_of(folder);
        let found = match fs::read(&path) {
            Ok(bytes) => Manifest::open(bytes, folder),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                tracing::warn!("{} can't be read: {error}", path.display());
                None
            }
        };
        if found.is_some() {
            // So that it is known what was used last. It is of no weight if it can't be.
            let _unused = File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        }
        found.unwrap_or_default()
    }

    /// Keeps what is known, instead of what was; of pictures in the order of their names.
    pub(super) fn save<'a>(
        &self,
        folder: &[u8],
        outcomes: impl IntoIterator<Item = (&'a [u8], Outcome)>,
    ) -> io::Result<()> {
        platform::create_private_folder(&self.top)?;
        let bytes = written(folder, outcomes).map_err(io::Error::other)?;
        // It is not waited for until it is on the disk: what a crash cuts short is known by its sum, and there may be
        // thousands.
        let mut file = tempfile::Builder::new()
            .prefix(".")
            .suffix(".tmp")
            .tempfile_in(&self.top)?;
        file.write_all(&bytes)?;
        file.persist(self.path_of(folder))?;
        self.events.folder_written(folder, bytes.len() as u64);
        Ok(())
    }

    pub(super) fn path_of(&self, folder: &[u8]) -> PathBuf {
        self.path_of_key(FolderKey::of(folder))
    }

    fn path_of_key(&self, key: FolderKey) -> PathBuf {
        let name = hex::encode(key.0);
        self.top.join(name).with_extension(EXTENSION)
    }

    /// What is kept of a folder was used for a listing.
    pub(super) fn tell_read(&self, folder: &[u8]) {
        let key = FolderKey::of(folder);
        self.events.publish(CacheEvent::FolderRead { key });
    }

    /// Deletes what is kept of a folder; its bytes, or none if nothing was.
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

    /// Whether something is kept of a folder.
    pub(super) fn contains(&self, key: FolderKey) -> bool {
        self.path_of_key(key).is_file()
    }

    /// Calls `each` with every folder, the bytes of what is kept of it, and the ids of its pictures, until it says no.
    /// What can't be read is left out.
    pub(super) fn survey(&self, each: &mut EachFolder<'_>) -> io::Result<()> {
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
            let Ok(bytes) = fs::read(&path) else { continue };
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

    /// Lets those go that were used longest ago, if there are too many.
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
                files.push(Kept { path, bytes, used });
            } else if is_unfinished(&path) && used.elapsed().is_ok_and(|age| age > DAY) {
                fs::remove_file(&path)?;
            }
        }
        for path in too_many(files, MOST) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            if let Some(key) = key_of(&path) {
                self.events.publish(CacheEvent::FolderEvicted { key });
            }
        }
        Ok(())
    }
}

fn written<'a>(
    folder: &[u8],
    outcomes: impl IntoIterator<Item = (&'a [u8], Outcome)>,
) -> postcard::Result<Vec<u8>> {
    let mut bytes = [&MAGIC[..], &[0; SUM]].concat();
    bytes = postcard::to_extend(&(VERSION, folder), bytes)?;
    for (name, outcome) in outcomes {
        if outcome.is_worth_keeping() {
            bytes = postcard::to_extend(&Row::new(name, &outcome), bytes)?;
        }
    }
    let (head, rest) = bytes.split_at_mut(HEAD);
    head[MAGIC.len()..].copy_from_slice(&Sha1::digest(rest));
    Ok(bytes)
}

impl Manifest {
    /// `None` if it is damaged, or not of this folder.
    fn open(bytes: Vec<u8>, folder: &[u8]) -> Option<Self> {
        let (path, at) = Self::head(&bytes)?;
        (path == folder).then_some(Self { bytes, at })
    }

    /// The folder, and the ids of its pictures. `None` if it is damaged.
    fn ids(bytes: Vec<u8>) -> Option<(Vec<u8>, Vec<ThumbId>)> {
        let (folder, at) = Self::head(&bytes)?;
        let folder = folder.to_vec();
        let mut manifest = Self { bytes, at };
        let mut ids = Vec::new();
        while let Some((row, end)) = manifest.next() {
            let name = RelPath::parse(row.name).ok()?;
            let outcome = row.outcome();
            let state = outcome.hash.of().or(outcome.facts.of());
            if let Some(state) = state {
                let path = path::join(&folder, &name);
                ids.push(state.fingerprint(path).id());
            }
            manifest.at = end;
        }
        Some((folder, ids))
    }

    /// The folder, and where the rows begin. `None` if it is damaged.
    fn head(bytes: &[u8]) -> Option<(&[u8], usize)> {
        let (sum, rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<SUM>()?;
        if Sha1::digest(rest)[..] != sum[..] {
            return None;
        }
        let ((version, path), rows): ((&str, &[u8]), _) = postcard::take_from_bytes(rest).ok()?;
        (version == VERSION).then_some((path, bytes.len() - rows.len()))
    }

    /// Whether nothing was kept.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// What was known of the picture of this name. What comes before it in the order of names is not told any more.
    pub(super) fn take(&mut self, name: &NaturalName) -> Option<Outcome> {
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

    /// The next row, and where the one behind it begins.
    fn next(&self) -> Option<(Row<'_>, usize)> {
        // What its sum vouches for is as it was written.
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

/// What a crash has left of a file that was being written.
fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.starts_with(b".") && name.ends_with(b".tmp")
}

/// A file that is kept.
#[derive(Debug, Clone)]
struct Kept {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

#[derive(Debug, Clone, Copy)]
struct Budget {
    files: usize,
    bytes: u64,
}

/// Those that go, so that the rest stays within the budget.
fn too_many(mut files: Vec<Kept>, budget: Budget) -> Vec<PathBuf> {
    files.sort_by_key(|file| std::cmp::Reverse(file.used));
    let mut bytes = 0;
    let going = files.into_iter().enumerate().filter(|(at, file)| {
        bytes += file.bytes;
        // The latest stays, however large it is.
        *at > 0 && (*at >= budget.files || bytes > budget.bytes)
    });
    going.map(|(_, file)| file.path).collect()
}

#[cfg(test)]
mod tests;
