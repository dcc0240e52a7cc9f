//! The files of a run.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io;

use super::RunError;
use super::mount_points::MountPoints;
use super::walk::{self, Files, SkippedEntries, WalkOptions, WalkedFile};
use crate::contents::{ReadError, is_absent};
use crate::folder::{HashFolder, Index};
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
    pub(super) skipped: SkippedEntries,
    /// Files that cannot be requested, with the reason.
    pub(super) refused: Vec<(FilePath, Reason)>,
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
        if matches!(scope, Scope::Everything) {
            for path in index.rows.keys() {
                if !survey.holds(path) {
                    survey.stat(path);
                }
            }
        }
        Ok(survey)
    }

    /// Returns true if a path is in a folder that was walked or is absent.
    pub(super) fn holds(&self, path: &FilePath) -> bool {
        let mut folders = self.walked.iter().chain(&self.absent);
        folders.any(|folder| path.is_within(folder))
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
        match fs::symlink_metadata(path.as_path()) {
            Ok(metadata) if metadata.is_dir() => {
                let (files, skipped) = walk::walk(path.as_path(), folder, options)?;
                if files.is_empty() && is_empty(path) && has_recorded() {
                    self.absent.push(path.clone());
                } else {
                    self.files.extend(files);
                    self.walked.push(path.clone());
                }
                self.skipped.add(skipped);
            }
            Ok(metadata) if metadata.is_file() => {
                self.files.insert(path.clone(), WalkedFile::from(&metadata));
            }
            // Another kind of entry has replaced recorded files, which are missing.
            Ok(metadata) if is_recorded || has_recorded() => match metadata.is_symlink() {
                true => self.skipped.links += 1,
                false => self.skipped.special += 1,
            },
            Ok(metadata) => self.refused.push((path.clone(), not_regular(&metadata))),
            Err(error) if !is_absent(&error) => {
                self.refused.push((path.clone(), Reason::from(&error)))
            }
            Err(_) if is_recorded => {}
            Err(_) if has_recorded() => self.absent.push(path.clone()),
            Err(_) => self.unknown.push(path.clone()),
        }
        Ok(())
    }

    /// Surveys a recorded file.
    fn stat(&mut self, path: &FilePath) {
        match fs::symlink_metadata(path.as_path()) {
            Ok(metadata) if metadata.is_file() => {
                self.files.insert(path.clone(), WalkedFile::from(&metadata));
            }
            // Another kind of entry has replaced the file.
            Ok(_) => {}
            Err(error) if is_absent(&error) => {}
            Err(error) => self.refused.push((path.clone(), Reason::from(&error))),
        }
    }
}

impl HashFolder {
    /// Returns a function that is true for files on absent disks or in absent recorded folders.
    pub(crate) fn absence_check(&self) -> io::Result<impl Fn(&FilePath) -> bool> {
        let is_absent = |root: &FilePath| !root.as_path().exists() || is_empty(root);
        let roots: Vec<_> = self.roots()?.into_iter().filter(is_absent).collect();
        let mounts = MountPoints::of_the_system();
        Ok(move |path: &FilePath| {
            roots.iter().any(|root| path.is_within(root)) || mounts.unmounted_above(path).is_some()
        })
    }
}

/// Returns the error for a named entry that has no contents of its own.
fn not_regular(metadata: &Metadata) -> Reason {
    if !metadata.is_symlink() {
        return Reason::from(&ReadError::NotRegular);
    }
    let text = "it is a symbolic link, which is never recorded; name the file that it leads to";
    Reason::new(ReasonCode::Link, text)
}

fn is_empty(folder: &FilePath) -> bool {
    fs::read_dir(folder.as_path()).is_ok_and(|mut entries| entries.next().is_none())
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
