//! Files and folders that cannot be read. Nothing is known of them: they count neither as present nor as missing.

use std::collections::BTreeMap;

use super::report::Finding;
use crate::path::FilePath;
use crate::reason::Reason;
use crate::state::FileState;

/// The files and folders of a run that cannot be read, with the reasons.
#[derive(Debug, Default)]
pub(super) struct Unreachable {
    /// Folders that cannot be listed, and paths of the scope that cannot be reached.
    places: BTreeMap<FilePath, Reason>,
    files: BTreeMap<FilePath, Reason>,
}

impl Unreachable {
    pub(super) fn add_place(&mut self, place: FilePath, reason: Reason) {
        self.places.insert(place, reason);
    }

    /// Adds a folder that a walk could not enter, or the folder above that hides it.
    pub(super) fn add_folder(&mut self, folder: &FilePath, reason: Reason) {
        let mut above = std::iter::successors(Some(folder.clone()), FilePath::parent);
        let place = above.find(exists).unwrap_or_else(|| folder.clone());
        self.places.insert(place, reason);
    }

    pub(super) fn add_file(&mut self, file: FilePath, reason: Reason) {
        self.files.insert(file, reason);
    }

    pub(super) fn holds_file(&self, path: &FilePath) -> bool {
        self.files.contains_key(path)
    }

    /// Returns the place at or above a path that cannot be read.
    pub(super) fn place_of(&self, path: &FilePath) -> Option<&FilePath> {
        let above = std::iter::successors(Some(path.clone()), FilePath::parent);
        let mut places = above.filter_map(|folder| self.places.get_key_value(&folder));
        places.next().map(|(place, _)| place)
    }

    /// Returns a finding for each place, and for the files of each other folder that hides them.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let places = self.places.iter();
        let mut groups: BTreeMap<FilePath, (Vec<&FilePath>, &Reason)> = places
            .map(|(place, reason)| (place.clone(), (Vec::new(), reason)))
            .collect();
        for (file, reason) in &self.files {
            let place = match self.place_of(file) {
                Some(place) => place.clone(),
                None => hiding_folder(file, &groups),
            };
            let group = groups.entry(place).or_insert((Vec::new(), reason));
            group.0.push(file);
        }
        let groups = groups.into_iter().map(|(place, (files, reason))| {
            let is_place = self.places.contains_key(&place);
            match &*files {
                [file] if !is_place || **file == place => unreadable((*file).clone(), None, reason),
                [] => unreadable(place, None, reason),
                files => unreadable(place, Some(files.len() as u64), reason),
            }
        });
        groups.collect()
    }
}

fn unreadable(path: FilePath, files: Option<u64>, reason: &Reason) -> Finding {
    Finding {
        files,
        ..Finding::new(path, FileState::Unreadable).with_reason(reason.clone())
    }
}

/// Returns the nearest folder above a file that exists as far as the system tells.
fn hiding_folder<T>(file: &FilePath, found: &BTreeMap<FilePath, T>) -> FilePath {
    let mut above = std::iter::successors(file.parent(), FilePath::parent);
    let hides = |folder: &FilePath| found.contains_key(folder) || exists(folder);
    above.find(hides).unwrap_or_else(|| file.clone())
}

fn exists(path: &FilePath) -> bool {
    path.stat().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reason::ReasonCode;

    fn path(text: &str) -> FilePath {
        FilePath::new(text).unwrap()
    }

    #[test]
    fn hidden_files_are_grouped_by_folder() {
        let denied = || Reason::new(ReasonCode::PermissionDenied, "denied");
        let mut unreachable = Unreachable::default();
        unreachable.add_place(path("/nowhere/a"), denied());
        unreachable.add_place(path("/nowhere/empty"), denied());
        unreachable.add_place(path("/nowhere/named"), denied());
        for file in ["/nowhere/a/1", "/nowhere/a/b/2", "/nowhere/named", "/dev/x"] {
            unreachable.add_file(path(file), denied());
        }
        let findings = unreachable.findings();
        let found: Vec<_> = findings
            .iter()
            .map(|finding| (finding.path.to_string(), finding.files))
            .collect();
        let expected = [
            ("/dev/x".to_owned(), None),
            ("/nowhere/a".to_owned(), Some(2)),
            ("/nowhere/empty".to_owned(), None),
            ("/nowhere/named".to_owned(), None),
        ];
        assert_eq!(found, expected);
    }
}
