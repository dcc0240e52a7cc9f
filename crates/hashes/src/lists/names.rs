//! The files that the names in a list mean.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use fumikura_base::dir_handle::is_link;
use rustix::fs::FileType;
use unicode_normalization::UnicodeNormalization;

use crate::access::{is_absent, kind_of};
use crate::path::{FilePath, InvalidPath, MAX_PATH};
use crate::reason::{Reason, ReasonCode};

/// The file that a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedFile {
    /// The path, without symbolic links as far as it exists.
    pub(crate) path: FilePath,
    /// True if the name on the disk has another Unicode form than the listed one.
    pub(crate) is_other_form: bool,
}

/// The reason why a name means no file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UnusableName {
    /// No file can have the path.
    #[error(transparent)]
    Path(#[from] InvalidPath),
    /// It leads out of the folder in which the names are confined.
    #[error("the name leads out of the folder")]
    Outside,
    /// It leads through a symbolic link, where names are confined.
    #[error("the name leads through a symbolic link, which is not followed")]
    Link,
}

impl From<&UnusableName> for Reason {
    fn from(error: &UnusableName) -> Self {
        let code = match error {
            UnusableName::Path(error) => return error.into(),
            UnusableName::Outside => ReasonCode::OutsideFolder,
            UnusableName::Link => ReasonCode::ThroughLink,
        };
        Self::new(code, error)
    }
}

/// Finds the files of a list. Folders are read once.
#[derive(Debug)]
pub(crate) struct ListedNames {
    base: PathBuf,
    is_confined: bool,
    /// The real paths of folders.
    folders: HashMap<PathBuf, PathBuf>,
    /// By folder, its names by their composed form; `None` if several have the same.
    composed: HashMap<FilePath, HashMap<String, Option<OsString>>>,
}

/// A path, and whether something is there.
struct Located {
    path: FilePath,
    is_present: bool,
}

impl ListedNames {
    /// Resolves relative names against `base`, which may lead through symbolic links. If the names are confined, they
    /// may not lead out of it, and not through links in it: then nothing outside has an effect on the outcome.
    pub(crate) fn new(base: &FilePath, is_confined: bool) -> Self {
        Self {
            base: real_path(base.as_path()),
            is_confined,
            folders: HashMap::new(),
            composed: HashMap::new(),
        }
    }

    /// Finds the file of a name: as written; with backslashes as separators, as on Windows; or the only one whose
    /// name has the same composed form. A missing file has the path that it would have.
    pub(crate) fn find(&mut self, name: &[u8]) -> Result<NamedFile, UnusableName> {
        if name.len() > MAX_PATH {
            return Err(InvalidPath::TooLong.into());
        }
        let mut located = self.locate(name)?;
        if !located.is_present && name.contains(&b'\\') {
            let slashes = name.iter().map(|byte| match byte {
                b'\\' => b'/',
                byte => *byte,
            });
            located = self.locate(&slashes.collect::<Vec<u8>>())?;
        }
        let other_form = match located.is_present {
            true => None,
            false => self.in_other_form(&located.path)?,
        };
        Ok(NamedFile {
            is_other_form: other_form.is_some(),
            path: other_form.unwrap_or(located.path),
        })
    }

    fn locate(&mut self, name: &[u8]) -> Result<Located, UnusableName> {
        let path = self.base.join(OsStr::from_bytes(name));
        if !self.is_confined {
            let is_present = exists(&path);
            let path = match is_present {
                true => self.real_path(&path),
                false => self.real_path(&clean(&path)),
            };
            let path = FilePath::try_from(&*path)?;
            return Ok(Located { path, is_present });
        }
        let path = clean(&path);
        if !path.starts_with(&self.base) {
            return Err(UnusableName::Outside);
        }
        let path = FilePath::try_from(&*path)?;
        let is_present = match path.stat() {
            Ok(stat) if kind_of(&stat) == FileType::Symlink => return Err(UnusableName::Link),
            Ok(_) => true,
            Err(error) if is_link(&error) => return Err(UnusableName::Link),
            Err(error) => !is_absent(&error),
        };
        Ok(Located { path, is_present })
    }

    /// Returns the path without symbolic links.
    fn real_path(&mut self, path: &Path) -> PathBuf {
        let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) if !is_link => {
                if let Some(folder) = self.folders.get(parent) {
                    return folder.join(name);
                }
                let folder = real_path(parent);
                self.folders.insert(parent.to_owned(), folder.clone());
                folder.join(name)
            }
            _ => real_path(path),
        }
    }

    /// Returns the only existing path whose components have the same composed forms.
    fn in_other_form(&mut self, path: &FilePath) -> Result<Option<FilePath>, UnusableName> {
        let mut found = FilePath::top();
        for component in path.as_path().components() {
            let Component::Normal(name) = component else {
                continue;
            };
            let next = found.join(name.as_bytes());
            let next = match next.stat() {
                Err(error) if is_absent(&error) => match self.only_name(&found, name) {
                    Some(name) => found.join(name.as_bytes()),
                    None => return Ok(None),
                },
                Ok(_) | Err(_) => next,
            };
            let is_link = next
                .stat()
                .is_ok_and(|stat| kind_of(&stat) == FileType::Symlink);
            found = match is_link {
                true if self.is_confined => return Err(UnusableName::Link),
                true => FilePath::try_from(&*real_path(next.as_path()))?,
                false => next,
            };
        }
        Ok(Some(found))
    }

    fn only_name(&mut self, folder: &FilePath, name: &OsStr) -> Option<OsString> {
        let composed: String = name.to_str()?.nfc().collect();
        if !self.composed.contains_key(folder) {
            let names = composed_names(folder);
            self.composed.insert(folder.clone(), names);
        }
        self.composed.get(folder)?.get(&composed)?.clone()
    }
}

fn composed_names(folder: &FilePath) -> HashMap<String, Option<OsString>> {
    let mut names = HashMap::new();
    let entries = folder.open_folder().and_then(|folder| folder.entries());
    // A folder that can't be read has no names to choose from.
    for entry in entries.into_iter().flatten() {
        if let Some(text) = entry.name.to_str() {
            names
                .entry(text.nfc().collect())
                .and_modify(|only| *only = None)
                .or_insert_with(|| Some(entry.name.clone()));
        }
    }
    names
}

/// Returns true if something is at the path, even if it can't be accessed.
fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).map_or_else(|error| !is_absent(&error), |_| true)
}

/// Resolves the symbolic links in a path as far as it exists.
fn real_path(path: &Path) -> PathBuf {
    match path.canonicalize() {
        Ok(real) => real,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            match (path.parent(), path.file_name()) {
                (Some(parent), Some(name)) => real_path(parent).join(name),
                _ => path.to_owned(),
            }
        }
        Err(_) => path.to_owned(),
    }
}

/// Removes `.`, `..` and empty components.
fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                clean.pop();
            }
            Component::CurDir => {}
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => {
                clean.push(component)
            }
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::*;

    /// A folder with files of these names.
    fn folder(names: &[&str]) -> (TempDir, PathBuf) {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().canonicalize().unwrap();
        for name in names {
            let file = folder.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, name).unwrap();
        }
        (temp, folder)
    }

    #[track_caller]
    fn check(files: &[&str], name: &str, expected: &str, is_other_form: bool) {
        let (_temp, folder) = folder(files);
        let mut names = ListedNames::new(&FilePath::try_from(&*folder).unwrap(), false);
        let found = names.find(name.as_bytes()).unwrap();
        let path = FilePath::try_from(&*folder.join(expected)).unwrap();
        assert_eq!((found.path, found.is_other_form), (path, is_other_form));
    }

    #[test]
    fn names_are_resolved_from_the_base_folder() {
        let base = FilePath::new("/no such folder/2026").unwrap();
        let mut names = ListedNames::new(&base, false);
        let mut resolved = |name: &[u8]| names.find(name).map(|file| file.path.to_string());
        assert_eq!(
            resolved(b"./a//b").as_deref(),
            Ok("/no such folder/2026/a/b")
        );
        assert_eq!(resolved(b"../c").as_deref(), Ok("/no such folder/c"));
        assert_eq!(resolved(b"/etc/no/d").as_deref(), Ok("/etc/no/d"));
        assert!(resolved(b"a\0").is_err());
    }

    #[test]
    fn backslashes_separate_unless_the_name_exists() {
        check(&["sub/a.txt"], "sub\\a.txt", "sub/a.txt", false);
        check(&["sub\\a.txt"], "sub\\a.txt", "sub\\a.txt", false);
        check(
            &["sub/a.txt", "sub\\a.txt"],
            "sub\\a.txt",
            "sub\\a.txt",
            false,
        );
        check(&[], ".\\sub\\a.txt", "sub/a.txt", false);
    }

    #[test]
    fn only_name_of_another_form_is_found() {
        let (composed, split) = ("café/が.txt", "cafe\u{301}/か\u{3099}.txt");
        check(&[composed], split, composed, true);
        check(&[split], composed, split, true);
        check(&[composed, split], split, split, false);
        check(&["が.txt"], ".\\か\u{3099}.txt", "が.txt", true);
        // Two Hangul spellings besides the composed one have the same form.
        let (one, two) = ("\u{1112}\u{1161}\u{11ab}", "\u{d558}\u{11ab}");
        check(&[one, two], "한", "한", false);
    }

    #[test]
    fn links_in_paths_are_resolved() {
        let (_temp, folder) = folder(&["real/a.txt"]);
        symlink(folder.join("real"), folder.join("link")).unwrap();
        symlink(folder.join("real/a.txt"), folder.join("b.txt")).unwrap();
        let path = |name: &str| FilePath::try_from(&*folder.join(name)).unwrap();
        let found = |base: &str, name: &[u8]| {
            let mut names = ListedNames::new(&path(base), false);
            names.find(name).unwrap().path
        };
        assert_eq!(found("link", b"a.txt"), path("real/a.txt"));
        assert_eq!(found("link", b"none.txt"), path("real/none.txt"));
        assert_eq!(found("real", b"../link/a.txt"), path("real/a.txt"));
        assert_eq!(found("real", b"../b.txt"), path("real/a.txt"));
    }

    #[test]
    fn confined_names_stay_in_their_folder() {
        let (_temp, outer) = folder(&["base/real/a.txt", "out/secret", "out/が.txt"]);
        let base = outer.join("base");
        symlink(&outer, base.join("outer")).unwrap();
        symlink("../out", base.join("が")).unwrap();
        symlink("../out/secret", base.join("secret")).unwrap();
        let mut names = ListedNames::new(&FilePath::try_from(&*base).unwrap(), true);
        let mut find = |name: &str| {
            let found = names.find(name.as_bytes());
            found.map(|file| file.path.as_path().strip_prefix(&outer).unwrap().to_owned())
        };
        assert_eq!(find("real/a.txt").unwrap(), Path::new("base/real/a.txt"));
        assert_eq!(find("real/../none").unwrap(), Path::new("base/none"));
        for name in ["../out/secret", "/etc/passwd", "..\\out\\secret"] {
            assert_eq!(find(name), Err(UnusableName::Outside), "{name}");
        }
        // The outcome does not depend on what is outside.
        for name in ["outer/out/secret", "outer/out/none", "secret"] {
            assert_eq!(find(name), Err(UnusableName::Link), "{name}");
        }
        for name in [
            "か\u{3099}/secret",
            "か\u{3099}/none",
            "か\u{3099}/か\u{3099}.txt",
        ] {
            assert_eq!(find(name), Err(UnusableName::Link), "{name}");
        }
    }
}
