//! Finds the files of a folder.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder, WalkState};
use parking_lot::Mutex;

use super::RunError;
use crate::folder::HashFolder;
use crate::path::FilePath;
use crate::reason::{Reason, ReasonCode};
use crate::stat::FileStat;

/// The choice of files in a folder.
#[derive(Debug, Clone, Default)]
pub struct WalkOptions {
    /// Patterns of names that are skipped, as in `.gitignore`.
    pub ignore: Vec<String>,
    /// Enters folders on other file systems.
    pub other_file_systems: bool,
}

/// Entries that cannot have a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkippedEntries {
    /// Symbolic links.
    pub links: u64,
    /// Pipes, sockets and devices.
    pub special: u64,
    /// Folders that cannot be read, with the reason.
    pub unreadable: Vec<(String, Reason)>,
}

impl SkippedEntries {
    pub(super) fn add(&mut self, other: SkippedEntries) {
        self.links += other.links;
        self.special += other.special;
        self.unreadable.extend(other.unreadable);
    }
}

/// A file found by the walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WalkedFile {
    pub(super) stat: FileStat,
    pub(super) device: u64,
    /// True if the owner, the group or others may execute it.
    pub(super) is_executable: bool,
}

impl From<&Metadata> for WalkedFile {
    fn from(metadata: &Metadata) -> Self {
        Self {
            stat: FileStat::from(metadata),
            device: metadata.dev(),
            is_executable: metadata.mode() & 0o111 != 0,
        }
    }
}

pub(super) type Files = BTreeMap<FilePath, WalkedFile>;

/// Returns all regular files in a folder and beneath it, except those in the hash folder itself.
pub(super) fn walk(
    root: &Path,
    folder: &HashFolder,
    options: &WalkOptions,
) -> Result<(Files, SkippedEntries), RunError> {
    let walker = WalkBuilder::new(root)
        .standard_filters(false)
        .follow_links(false)
        .same_file_system(!options.other_file_systems)
        .overrides(overrides(root, &options.ignore)?)
        .threads(crate::run::pool::processors())
        .build_parallel();
    let collected: Mutex<(Vec<(FilePath, WalkedFile)>, SkippedEntries)> = Mutex::default();
    walker.run(|| {
        let mut results = ThreadResults {
            to: &collected,
            files: Vec::new(),
            skipped: SkippedEntries::default(),
        };
        Box::new(move |entry| {
            match entry {
                Ok(entry) => return results.take(&entry, folder),
                Err(error) => {
                    let place = place_of(&error)
                        .unwrap_or(root)
                        .to_string_lossy()
                        .into_owned();
                    results.skipped.unreadable.push((place, of_walk(&error)));
                }
            }
            WalkState::Continue
        })
    });
    let (files, mut skipped) = collected.into_inner();
    skipped.unreadable.sort();
    Ok((files.into_iter().collect(), skipped))
}

/// The files found by one thread. They are merged with the others when it ends.
struct ThreadResults<'a> {
    to: &'a Mutex<(Vec<(FilePath, WalkedFile)>, SkippedEntries)>,
    files: Vec<(FilePath, WalkedFile)>,
    skipped: SkippedEntries,
}

impl ThreadResults<'_> {
    fn take(&mut self, entry: &DirEntry, folder: &HashFolder) -> WalkState {
        let Some(kind) = entry.file_type() else {
            return WalkState::Continue;
        };
        if kind.is_symlink() {
            self.skipped.links += 1;
        } else if kind.is_fifo()
            || kind.is_socket()
            || kind.is_block_device()
            || kind.is_char_device()
        {
            self.skipped.special += 1;
        } else if kind.is_dir() {
            let is_records = FilePath::try_from(entry.path()).is_ok_and(|path| folder.holds(&path));
            return if is_records {
                WalkState::Skip
            } else {
                WalkState::Continue
            };
        } else {
            // A file that was deleted meanwhile is ignored.
            if let (Ok(path), Ok(metadata)) = (
                FilePath::try_from(entry.path()),
                fs::symlink_metadata(entry.path()),
            ) {
                self.files.push((path, WalkedFile::from(&metadata)));
            }
        }
        WalkState::Continue
    }
}

impl Drop for ThreadResults<'_> {
    fn drop(&mut self) {
        let mut to = self.to.lock();
        to.0.append(&mut self.files);
        to.1.add(std::mem::take(&mut self.skipped));
    }
}

fn overrides(root: &Path, ignore: &[String]) -> Result<Override, RunError> {
    let mut builder = OverrideBuilder::new(root);
    for pattern in ignore {
        builder
            .add(&format!("!{pattern}"))
            .map_err(RunError::Pattern)?;
    }
    builder.build().map_err(RunError::Pattern)
}

/// Converts an error of the walk. Its full text names the place.
fn of_walk(error: &ignore::Error) -> Reason {
    let code = error
        .io_error()
        .map_or(ReasonCode::Unreadable, |source| Reason::from(source).code);
    Reason::new(code, error)
}

fn place_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            place_of(err)
        }
        ignore::Error::Partial(_)
        | ignore::Error::Loop { .. }
        | ignore::Error::Io(_)
        | ignore::Error::Glob { .. }
        | ignore::Error::UnrecognizedFileType(_)
        | ignore::Error::InvalidDefinition => None,
    }
}

/// Returns a path in the form written by a program that replaces each byte that is not UTF-8.
pub(super) fn with_replacements(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.extend_from_slice(chunk.valid().as_bytes());
        for _ in chunk.invalid() {
            text.extend_from_slice("\u{fffd}".as_bytes());
        }
    }
    text
}

/// Returns the file of a record whose path has replaced bytes, if exactly one file of its folder matches it.
pub(super) fn lossy_match(path: &FilePath) -> Option<FilePath> {
    let parent = path.parent()?;
    let mut matching = None;
    for entry in fs::read_dir(parent.as_path()).ok()?.flatten() {
        let name = entry.file_name();
        if with_replacements(name.as_bytes()) == path.file_name()
            && name.as_bytes() != path.file_name()
        {
            let found = FilePath::try_from(&*entry.path()).ok()?;
            if matching.replace(found).is_some() {
                return None;
            }
        }
    }
    matching
}

/// Returns the files in a folder and beneath it that have this many bytes, or all of them if the size is
/// unknown.
#[must_use]
pub fn files_of_size(folder: &Path, size: Option<u64>) -> Vec<PathBuf> {
    let walker = WalkBuilder::new(folder)
        .standard_filters(false)
        .follow_links(false)
        .build();
    let fits = |entry: &DirEntry| {
        let metadata = entry.metadata().ok().filter(Metadata::is_file);
        metadata.is_some_and(|metadata| size.is_none_or(|size| metadata.len() == size))
    };
    walker
        .flatten()
        .filter(fits)
        .map(DirEntry::into_path)
        .collect()
}
