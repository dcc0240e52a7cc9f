//! Finds the files of a folder.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder, WalkState};
use parking_lot::Mutex;

use super::RunError;
use crate::contents::is_absent;
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
    /// Recorded files that the patterns leave out.
    pub left_out: u64,
    /// Folders on other file systems, which were not entered.
    pub file_systems: Vec<FilePath>,
    /// The unused lines of a list, with the reason.
    pub lines: Vec<(usize, Reason)>,
}

impl SkippedEntries {
    pub(super) fn add(&mut self, other: SkippedEntries) {
        self.links += other.links;
        self.special += other.special;
        self.left_out += other.left_out;
        self.file_systems.extend(other.file_systems);
        self.lines.extend(other.lines);
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

/// The entries of a folder and of everything beneath it.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// The regular files, except those in the hash folder itself.
    pub(super) files: Vec<(FilePath, WalkedFile)>,
    pub(super) skipped: SkippedEntries,
    /// Folders that cannot be listed.
    pub(super) unreadable: Vec<(FilePath, Reason)>,
    /// Files whose metadata cannot be read.
    pub(super) unreachable: Vec<(FilePath, Reason)>,
    /// Folders on other file systems that were entered, with their devices.
    foreign: BTreeMap<FilePath, u64>,
}

/// Walks a folder.
pub(super) fn walk(
    root: &FilePath,
    folder: &HashFolder,
    options: &WalkOptions,
    ignored: Override,
) -> Walk {
    let walker = WalkBuilder::new(root.as_path())
        .standard_filters(false)
        .follow_links(false)
        .same_file_system(!options.other_file_systems)
        .overrides(ignored)
        .threads(crate::run::pool::processors())
        .build_parallel();
    let device = fs::symlink_metadata(root.as_path()).map_or(0, |metadata| metadata.dev());
    let collected: Mutex<Walk> = Mutex::default();
    walker.run(|| {
        let mut visitor = Visitor {
            to: &collected,
            folder,
            device,
            enters_others: options.other_file_systems,
            found: Walk::default(),
        };
        Box::new(move |entry| match entry {
            Ok(entry) => visitor.visit(&entry),
            Err(error) => {
                visitor.fail(&error, root);
                WalkState::Continue
            }
        })
    });
    collected.into_inner()
}

impl Walk {
    /// Returns the mount points of the file systems that were entered.
    pub(super) fn mount_points(&self) -> Vec<FilePath> {
        let device_of = |path: &FilePath| self.foreign.get(path).copied();
        let is_mount_point = |(path, device): &(&FilePath, &u64)| {
            path.parent().and_then(|parent| device_of(&parent)) != Some(**device)
        };
        let foreign = self.foreign.iter();
        foreign
            .filter(is_mount_point)
            .map(|(path, _)| path.clone())
            .collect()
    }

    fn add(&mut self, mut other: Walk) {
        self.files.append(&mut other.files);
        self.skipped.add(other.skipped);
        self.unreadable.append(&mut other.unreadable);
        self.unreachable.append(&mut other.unreachable);
        self.foreign.append(&mut other.foreign);
    }
}

/// The entries found by one thread. They are merged with the others when it ends.
struct Visitor<'a> {
    to: &'a Mutex<Walk>,
    folder: &'a HashFolder,
    /// The device of the folder that is walked.
    device: u64,
    enters_others: bool,
    found: Walk,
}

impl Visitor<'_> {
    fn visit(&mut self, entry: &DirEntry) -> WalkState {
        let (Some(kind), Ok(path)) = (entry.file_type(), FilePath::try_from(entry.path())) else {
            return WalkState::Continue;
        };
        if kind.is_symlink() {
            self.found.skipped.links += 1;
        } else if kind.is_fifo()
            || kind.is_socket()
            || kind.is_block_device()
            || kind.is_char_device()
        {
            self.found.skipped.special += 1;
        } else if kind.is_dir() {
            return self.visit_folder(path);
        } else {
            match fs::symlink_metadata(entry.path()) {
                Ok(metadata) => {
                    let file = WalkedFile::from(&metadata);
                    self.found.files.push((path, file));
                }
                // The file was deleted meanwhile.
                Err(error) if is_absent(&error) => {}
                Err(error) => {
                    let reason = Reason::from(&error);
                    self.found.unreachable.push((path, reason));
                }
            }
        }
        WalkState::Continue
    }

    fn visit_folder(&mut self, path: FilePath) -> WalkState {
        if self.folder.holds(&path) {
            return WalkState::Skip;
        }
        let metadata = fs::symlink_metadata(path.as_path());
        match metadata.map(|metadata| metadata.dev()) {
            Ok(device) if device == self.device => {}
            Ok(device) if self.enters_others => {
                self.found.foreign.insert(path, device);
            }
            Ok(_) => {
                self.found.skipped.file_systems.push(path);
                return WalkState::Skip;
            }
            // The walk reports the error when it opens the folder.
            Err(_) => {}
        }
        WalkState::Continue
    }

    fn fail(&mut self, error: &ignore::Error, root: &FilePath) {
        let source = error.io_error();
        // The folder was deleted meanwhile.
        if source.is_some_and(is_absent) {
            return;
        }
        let place = place_of(error).and_then(|place| FilePath::try_from(place).ok());
        let reason = match source {
            Some(source) => Reason::from(source),
            None => Reason::new(ReasonCode::Unreadable, error),
        };
        let place = place.unwrap_or_else(|| root.clone());
        self.found.unreadable.push((place, reason));
    }
}

impl Drop for Visitor<'_> {
    fn drop(&mut self) {
        self.to.lock().add(std::mem::take(&mut self.found));
    }
}

/// The files that the patterns leave out of a walked folder.
#[derive(Debug)]
pub(super) struct Exclusion {
    root: FilePath,
    patterns: Override,
}

impl Exclusion {
    pub(super) fn new(root: &FilePath, options: &WalkOptions) -> Result<Self, RunError> {
        let mut builder = OverrideBuilder::new(root.as_path());
        for pattern in &options.ignore {
            builder
                .add(&format!("!{pattern}"))
                .map_err(RunError::Pattern)?;
        }
        Ok(Self {
            root: root.clone(),
            patterns: builder.build().map_err(RunError::Pattern)?,
        })
    }

    pub(super) fn patterns(&self) -> Override {
        self.patterns.clone()
    }

    /// Returns true if the walk of the folder does not reach a path because of a pattern.
    pub(super) fn covers(&self, path: &FilePath) -> bool {
        if self.patterns.is_empty() || path == &self.root || !path.is_within(&self.root) {
            return false;
        }
        let is_covered = |path: &FilePath, is_folder| {
            self.patterns.matched(path.as_path(), is_folder).is_ignore()
        };
        let folders = std::iter::successors(path.parent(), FilePath::parent);
        let mut folders = folders.take_while(|folder| folder != &self.root);
        is_covered(path, false) || folders.any(|folder| is_covered(&folder, true))
    }
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
