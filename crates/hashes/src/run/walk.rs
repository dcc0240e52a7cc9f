//! Finds the files of a folder.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use fumikura_base::dir_handle::{DirEntry, DirHandle, is_link};
use ignore::overrides::{Override, OverrideBuilder};
use parking_lot::Mutex;
use rayon::Scope;
use rustix::fs::{FileType, Stat, fstat};

use super::{RunError, pool};
use crate::access::{is_absent, kind_of};
use crate::folder::HashFolder;
use crate::path::FilePath;
use crate::reason::Reason;
use crate::reported::Reported;
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
    pub lines: Reported<(usize, Reason)>,
}

impl SkippedEntries {
    pub(super) fn add(&mut self, other: SkippedEntries) {
        self.links += other.links;
        self.special += other.special;
        self.left_out += other.left_out;
        self.file_systems.extend(other.file_systems);
        self.lines.append(other.lines);
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

impl From<&Stat> for WalkedFile {
    fn from(stat: &Stat) -> Self {
        Self {
            stat: FileStat::from(stat),
            device: stat.st_dev,
            is_executable: stat.st_mode & 0o111 != 0,
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
) -> Result<Walk, RunError> {
    let holds = |path: &FilePath| folder.holds(path);
    walk_without(root, &holds, options.other_file_systems, ignored)
}

/// Walks a folder without those for which `is_skipped` is true.
fn walk_without(
    root: &FilePath,
    is_skipped: &(dyn Fn(&FilePath) -> bool + Sync),
    enters_others: bool,
    ignored: Override,
) -> Result<Walk, RunError> {
    let collected: Mutex<Walk> = Mutex::default();
    let opened = root
        .open_folder()
        .and_then(|top| Ok((fstat(&top)?.st_dev, top)));
    match opened {
        Ok((device, top)) => {
            let walker = Walker {
                top,
                device,
                is_skipped,
                enters_others,
                ignored,
                to: &collected,
            };
            let threads = pool::new(pool::processors())?;
            threads.scope(|scope| walker.visit_folder(scope, root.clone(), PathBuf::new()));
        }
        // The folder was deleted meanwhile.
        Err(error) if is_absent(&error) => {}
        Err(error) => {
            let unreadable = (root.clone(), Reason::from(&error));
            collected.lock().unreadable.push(unreadable);
        }
    }
    Ok(collected.into_inner())
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

/// A walk in progress. Each folder is opened below the handle of the first one, without following links, so no swap
/// of a folder leads out of it.
struct Walker<'a> {
    top: DirHandle,
    /// The device of the folder that is walked.
    device: u64,
    is_skipped: &'a (dyn Fn(&FilePath) -> bool + Sync),
    enters_others: bool,
    ignored: Override,
    to: &'a Mutex<Walk>,
}

impl Walker<'_> {
    /// Visits a folder, and those in it in other tasks. `below` is its path below the first one.
    fn visit_folder<'s>(&'s self, scope: &Scope<'s>, path: FilePath, below: PathBuf) {
        if (self.is_skipped)(&path) {
            return;
        }
        let mut found = Walk::default();
        match self.enter(&path, &below, &mut found) {
            Ok(Some((folder, entries))) => {
                for entry in entries {
                    let entry_path = path.join(entry.name.as_bytes());
                    let is_folder = entry.is_folder();
                    let matched = self.ignored.matched(entry_path.as_path(), is_folder);
                    if matched.is_ignore() {
                        continue;
                    }
                    if is_folder {
                        let below = below.join(&entry.name);
                        scope.spawn(move |scope| self.visit_folder(scope, entry_path, below));
                    } else {
                        found.add_entry(&folder, &entry, entry_path);
                    }
                }
            }
            Ok(None) => {}
            // The folder was deleted meanwhile.
            Err(error) if is_absent(&error) => {}
            // A link took its place meanwhile.
            Err(error) if is_link(&error) => found.skipped.links += 1,
            Err(error) => found.unreadable.push((path, Reason::from(&error))),
        }
        self.to.lock().add(found);
    }

    /// Opens a folder and lists it. Returns `None` for one on another file system that is not entered.
    fn enter(
        &self,
        path: &FilePath,
        below: &Path,
        found: &mut Walk,
    ) -> io::Result<Option<(DirHandle, Vec<DirEntry>)>> {
        let folder = self.top.folder(below)?;
        let device = fstat(&folder)?.st_dev;
        if device != self.device {
            if !self.enters_others {
                found.skipped.file_systems.push(path.clone());
                return Ok(None);
            }
            found.foreign.insert(path.clone(), device);
        }
        let entries = folder.entries()?;
        Ok(Some((folder, entries)))
    }
}

impl Walk {
    /// Adds an entry that is not a folder.
    fn add_entry(&mut self, folder: &DirHandle, entry: &DirEntry, path: FilePath) {
        match entry.kind {
            FileType::Symlink => self.skipped.links += 1,
            FileType::RegularFile => match folder.stat(Path::new(&entry.name)) {
                Ok(stat) if kind_of(&stat) == FileType::RegularFile => {
                    self.files.push((path, WalkedFile::from(&stat)));
                }
                // Another entry took its place meanwhile.
                Ok(_) => {}
                // The file was deleted meanwhile.
                Err(error) if is_absent(&error) => {}
                Err(error) => self.unreachable.push((path, Reason::from(&error))),
            },
            FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Directory
            | FileType::Unknown => self.skipped.special += 1,
        }
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

/// Returns the files in a folder and beneath it that have this many bytes, or all of them if the size is
/// unknown. Links in the folder's own path are followed, those in it are not.
///
/// # Errors
/// [`RunError`].
pub fn files_of_size(folder: &Path, size: Option<u64>) -> Result<Vec<FilePath>, RunError> {
    let Ok(folder) = FilePath::try_from(&*folder.canonicalize()?) else {
        return Ok(Vec::new());
    };
    let walk = walk_without(&folder, &|_| false, true, Override::empty())?;
    let fits = |found: &WalkedFile| size.is_none_or(|size| found.stat.size == size);
    let files = walk.files.into_iter().filter(|(_, found)| fits(found));
    let mut files: Vec<_> = files.map(|(path, _)| path).collect();
    files.sort();
    Ok(files)
}
