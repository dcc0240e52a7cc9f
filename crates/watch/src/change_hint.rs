//! The effect of changed paths on a watched folder.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use fumikura_fs::{Reach, platform};

/// A hint for a watched folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChangeHint {
    /// The folder may be another or have vanished, with a part of the path to it; or the change is unknown.
    OfTheWay,
    /// A listing of the folder may have changed.
    OfContents,
}

impl ChangeHint {
    /// Returns the hint that these paths give the folder at `place`. No paths mean that anything may have changed.
    pub(super) fn of(paths: &[PathBuf], place: &Path, reach: Reach) -> Option<Self> {
        let is_way = |path: &PathBuf| place.starts_with(path);
        if paths.is_empty() || paths.iter().any(is_way) {
            return Some(Self::OfTheWay);
        }
        let is_shown = paths.iter().any(|path| shows(place, path, reach));
        is_shown.then_some(Self::OfContents)
    }
}

/// True if a listing of a folder shows the entry at `path`.
pub(super) fn shows(place: &Path, path: &Path, reach: Reach) -> bool {
    let is_hidden = |part: &OsStr| platform::bytes_of(part).starts_with(b".");
    path.strip_prefix(place).is_ok_and(|rest| {
        let mut parts = rest.iter();
        let is_in_it = match reach {
            Reach::Folder => parts.clone().count() == 1,
            Reach::Beneath => true,
        };
        is_in_it && !parts.any(is_hidden)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, folder: Option<ChangeHint>, beneath: Option<ChangeHint>) {
        let paths = [PathBuf::from(path)];
        let of = |reach| ChangeHint::of(&paths, Path::new("/a/b"), reach);
        assert_eq!([of(Reach::Folder), of(Reach::Beneath)], [folder, beneath]);
    }

    #[test]
    fn a_folder_is_concerned_by_what_is_shown_of_it_and_by_the_way_to_it() {
        use ChangeHint::{OfContents, OfTheWay};
        check("/a/b/c.jpg", Some(OfContents), Some(OfContents));
        check("/a/b/c/d.jpg", None, Some(OfContents));
        check("/a/b/.c.jpg", None, None);
        check("/a/b/.c/d.jpg", None, None);
        check("/a/b/c/.d.jpg", None, None);
        check("/a/b.jpg", None, None);
        check("/a/c", None, None);
        check("/a/b", Some(OfTheWay), Some(OfTheWay));
        check("/a", Some(OfTheWay), Some(OfTheWay));
        assert_eq!(
            ChangeHint::of(&[], Path::new("/a/b"), Reach::Folder),
            Some(OfTheWay)
        );
    }
}
