//! The files of a run.

use std::collections::BTreeSet;
use std::io;

use rustix::fs::FileType;

use super::RunError;
use super::mount_points::{MountPoints, is_empty};
use super::unreachable::Unreachable;
use super::walk::{self, Exclusion, Files, SkippedEntries, WalkOptions, WalkedFile};
use crate::access::{is_absent, kind_of};
use crate::contents::ReadError;
use crate::folder::{HashFolder, Index, RecordRow};
use crate::lossy;
use crate::path::FilePath;
use crate::reason::{Reason, ReasonCode};

/// The files of a run.
#[derive(Debug, Clone)]
pub enum Scope {
    /// All recorded files, and the folders that were recorded whole.
    Everything,
    /// These files, and all files in these folders.
    Paths(Vec<FilePath>),
}

/// The files of a scope on the disk.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The existing files.
    pub(super) files: Files,
    /// Folders of the scope that do not exist, or are empty though files in them are recorded.
    pub(super) absent: Vec<FilePath>,
    /// Files of the scope that do not exist and have no record.
    pub(super) unknown: Vec<FilePath>,
    /// Folders that were walked whole: files in them without a record are new.
    pub(super) walked: Vec<FilePath>,
    /// The mount points of other file systems that were entered.
    pub(super) mount_points: Vec<FilePath>,
    pub(super) skipped: SkippedEntries,
    /// Entries that were named but cannot be recorded, with the reason.
    pub(super) refused: Vec<(FilePath, Reason)>,
    /// Files and folders that cannot be read.
    pub(super) unreachable: Unreachable,
    /// Recorded files that the patterns leave out.
    pub(super) left_out: BTreeSet<FilePath>,
    exclusions: Vec<Exclusion>,
}

impl Survey {
    /// Surveys each path of the scope.
    pub(super) fn new(
        scope: &Scope,
        folder: &HashFolder,
        index: &Index,
        options: &WalkOptions,
    ) -> Result<Self, RunError> {
        let mut survey = Self::default();
        let roots = match scope {
            Scope::Paths(paths) => paths.clone(),
            Scope::Everything => folder.roots()?,
        };
        for path in &outermost(roots) {
            survey.add(path, folder, index, options)?;
        }
        Ok(survey)
    }

    /// Also surveys the recorded files and folders that the walks did not reach: only a missing entry shows that
    /// a file is missing.
    pub(super) fn look_up(
        &mut self,
        rows: &[(&FilePath, &RecordRow)],
        folder: &HashFolder,
        index: &Index,
        options: &WalkOptions,
    ) -> Result<(), RunError> {
        for root in folder.roots()? {
            if self.is_unentered(&root) && root.is_folder() {
                self.skipped.file_systems.retain(|path| *path != root);
                self.add(&root, folder, index, options)?;
            }
        }
        for (path, row) in rows {
            let is_found = self.files.contains_key(path);
            if !is_found && !self.absent.iter().any(|folder| path.is_within(folder)) {
                self.stat(path, row);
            }
        }
        self.skipped.left_out = self.left_out.len() as u64;
        Ok(())
    }

    /// Returns true if a folder is within a walked one, but on another file system or in an unreadable folder.
    fn is_unentered(&self, folder: &FilePath) -> bool {
        let mut others = self.skipped.file_systems.iter();
        let is_elsewhere = others.any(|other| folder.is_within(other))
            || self
                .unreachable
                .place_of(folder)
                .is_some_and(|place| place != folder);
        is_elsewhere && !self.is_excluded(folder) && !self.walked.contains(folder)
    }

    fn is_excluded(&self, path: &FilePath) -> bool {
        self.exclusions
            .iter()
            .any(|exclusion| exclusion.covers(path))
    }

    fn add(
        &mut self,
        path: &FilePath,
        folder: &HashFolder,
        index: &Index,
        options: &WalkOptions,
    ) -> Result<(), RunError> {
        let is_recorded = index.rows.contains_key(path);
        let has_recorded = || index.within(path).next().is_some();
        match path.stat().map(|stat| (kind_of(&stat), stat)) {
            Ok((FileType::Directory, _)) => {
                if is_empty(path) && has_recorded() {
                    self.absent.push(path.clone());
                } else {
                    self.walk(path, folder, options)?;
                }
            }
            Ok((FileType::RegularFile, stat)) => {
                self.files.insert(path.clone(), WalkedFile::from(&stat));
            }
            // Another kind of entry has replaced recorded files, which are missing.
            Ok((kind, _)) if is_recorded || has_recorded() => match kind == FileType::Symlink {
                true => self.skipped.links += 1,
                false => self.skipped.special += 1,
            },
            Ok((kind, _)) => self.refused.push((path.clone(), not_regular(kind))),
            Err(error) if !is_absent(&error) => {
                self.unreachable
                    .add_place(path.clone(), Reason::from(&error));
            }
            Err(_) if is_recorded => {}
            Err(_) if has_recorded() => self.absent.push(path.clone()),
            Err(_) => self.unknown.push(path.clone()),
        }
        Ok(())
    }

    fn walk(
        &mut self,
        path: &FilePath,
        folder: &HashFolder,
        options: &WalkOptions,
    ) -> Result<(), RunError> {
        let exclusion = Exclusion::new(path, options)?;
        let walk = walk::walk(path, folder, options, exclusion.patterns())?;
        self.exclusions.push(exclusion);
        self.mount_points.extend(walk.mount_points());
        self.files.extend(walk.files);
        self.skipped.add(walk.skipped);
        for (unreadable, reason) in walk.unreadable {
            self.unreachable.add_folder(&unreadable, reason);
        }
        for (file, reason) in walk.unreachable {
            self.unreachable.add_file(file, reason);
        }
        self.walked.push(path.clone());
        Ok(())
    }

    /// Surveys a recorded file that the walks did not reach.
    fn stat(&mut self, path: &FilePath, row: &RecordRow) {
        if self.is_excluded(path) {
            self.left_out.insert(path.clone());
            return;
        }
        match path.stat() {
            Ok(stat) if kind_of(&stat) == FileType::RegularFile => {
                self.files.insert(path.clone(), WalkedFile::from(&stat));
            }
            // Another kind of entry has replaced the file.
            Ok(_) => {}
            Err(error) if is_absent(&error) => {
                // The file has another name, which only its folder reveals.
                if let Err(error) = lossy_file(path, row) {
                    self.unreachable
                        .add_file(path.clone(), Reason::from(&error));
                }
            }
            Err(error) => self
                .unreachable
                .add_file(path.clone(), Reason::from(&error)),
        }
    }
}

/// Returns the records of a scope.
pub(super) fn in_scope<'a>(index: &'a Index, scope: &Scope) -> Vec<(&'a FilePath, &'a RecordRow)> {
    match scope {
        Scope::Everything => index.rows.iter().collect(),
        Scope::Paths(paths) => {
            let mut rows = Vec::new();
            for path in outermost(paths.clone()) {
                rows.extend(index.within(&path));
            }
            rows
        }
    }
}

/// Returns the file of a record whose path has replaced bytes, if the row is of such a record.
///
/// # Errors
/// Those of listing the file's folder.
pub(super) fn lossy_file(path: &FilePath, row: &RecordRow) -> io::Result<Option<FilePath>> {
    if row.is_lossy {
        lossy::only_candidate(path)
    } else {
        Ok(None)
    }
}

impl HashFolder {
    /// Returns a function that is true for files on absent disks or in absent recorded folders.
    pub(crate) fn absence_check(&self) -> io::Result<impl Fn(&FilePath) -> bool> {
        let mounts = MountPoints::new(self.roots()?);
        Ok(move |path: &FilePath| mounts.unmounted_above(path).is_some())
    }
}

/// Returns the error for a named entry that has no contents of its own.
fn not_regular(kind: FileType) -> Reason {
    if kind != FileType::Symlink {
        return Reason::from(&ReadError::NotRegular);
    }
    let text = "it is a symbolic link, which is never recorded; name the file that it leads to";
    Reason::new(ReasonCode::Link, text)
}

/// Returns the paths without those that are within others.
pub(super) fn outermost(mut paths: Vec<FilePath>) -> Vec<FilePath> {
    paths.sort();
    let mut outer: BTreeSet<FilePath> = BTreeSet::new();
    for path in paths {
        let mut above = path.parent();
        while let Some(folder) = above.take_if(|folder| !outer.contains(folder)) {
            above = folder.parent();
        }
        if above.is_none() {
            outer.insert(path);
        }
    }
    outer.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_within_others_are_left_out() {
        let of = |paths: &[&str]| -> Vec<_> {
            paths
                .iter()
                .map(|path| FilePath::new(*path).unwrap())
                .collect()
        };
        let outer = outermost(of(&["/a/b", "/a-b", "/a", "/a/c/d", "/b/c", "/a", "/b/cd"]));
        assert_eq!(outer, of(&["/a", "/a-b", "/b/c", "/b/cd"]));
        assert_eq!(outermost(of(&["/", "/a"])), of(&["/"]));
    }
}
