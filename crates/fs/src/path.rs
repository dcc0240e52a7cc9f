//! Paths as bytes: lexical cleaning of absolute paths, and relative paths that can't climb.

use std::fmt;
use std::path::Path;

use fumikura_base::printable::Printable;

use crate::platform;

/// The longest accepted path, in bytes (Linux's `PATH_MAX` without the closing zero).
const MAX_PATH: usize = 4095;

/// Cleans an absolute path lexically, without accessing the disk: no empty parts, no `.`, and `..` removes
/// the part before it, never more than the root (`/..` is `/`). No trailing slash.
///
/// # Errors
/// [`PathError`] if the bytes are not an absolute path, contain a zero byte, or are too long for any system.
pub fn clean_absolute(path: &[u8]) -> Result<Vec<u8>, PathError> {
    if path.first() != Some(&b'/') {
        return Err(PathError::NotAbsolute);
    }
    check(path)?;
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.split(|&byte| byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    let mut cleaned = vec![b'/'];
    cleaned.extend(parts.join(&b'/'));
    Ok(cleaned)
}

/// Checks that a system can have the path.
fn check(path: &[u8]) -> Result<(), PathError> {
    if path.contains(&0) {
        return Err(PathError::ZeroByte);
    }
    if path.len() > MAX_PATH {
        return Err(PathError::TooLong);
    }
    Ok(())
}

/// Joins `base` and a path beneath it into an absolute path. Both are already clean.
pub fn join(base: &[u8], relative: &RelPath) -> Vec<u8> {
    let mut path = base.to_vec();
    if !relative.is_empty() {
        if path.last() != Some(&b'/') {
            path.push(b'/');
        }
        path.extend_from_slice(relative.as_bytes());
    }
    path
}

/// Returns the part of a clean absolute path beneath `base`, or `None` if the path is elsewhere. Compares
/// whole parts, so `/root-evil` is not beneath `/root`.
pub fn strip_base(base: &[u8], path: &[u8]) -> Option<RelPath> {
    let rest = path.strip_prefix(base)?;
    match rest.first() {
        None => Some(RelPath::default()),
        Some(b'/') => Some(RelPath(rest[1..].to_vec())),
        Some(_) if base == b"/" => Some(RelPath(rest.to_vec())),
        Some(_) => None,
    }
}

/// Formats a path for a message: decoded, with invisible characters escaped.
pub fn display_path(path: &[u8]) -> String {
    Printable(String::from_utf8_lossy(path)).to_string()
}

/// An error of parsing a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// The path is not absolute, as expected.
    #[error("an absolute path is expected")]
    NotAbsolute,
    /// The path begins with a slash, although a path beneath a folder is expected.
    #[error("a path inside a folder must not begin with a slash")]
    Absolute,
    /// The path contains a zero byte.
    #[error("a path must not contain a zero byte")]
    ZeroByte,
    /// The path is longer than 4,095 bytes.
    #[error("the path is longer than 4,095 bytes")]
    TooLong,
    /// The path contains `..`, which is refused even if it would stay inside.
    #[error("a path inside a folder must not contain “..”")]
    ParentFolder,
}

/// A path beneath some folder: names joined by single slashes, none of them `.` or `..`. Empty for the folder
/// itself. The bytes are those of the file system and need not be UTF-8.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPath(Vec<u8>);

impl RelPath {
    /// Parses a relative path. Empty parts and `.` are dropped.
    ///
    /// # Errors
    /// [`PathError`] for a path that is absolute, climbs, contains a zero byte or is too long.
    pub fn parse(bytes: &[u8]) -> Result<Self, PathError> {
        if bytes.first() == Some(&b'/') {
            return Err(PathError::Absolute);
        }
        check(bytes)?;
        let mut parts: Vec<&[u8]> = Vec::new();
        for part in bytes.split(|&byte| byte == b'/') {
            match part {
                b"" | b"." => {}
                b".." => return Err(PathError::ParentFolder),
                name => parts.push(name),
            }
        }
        Ok(Self(parts.join(&b'/')))
    }

    /// Returns the bytes, without a leading or trailing slash.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// True if this is the folder itself.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the path of `name`, an entry of this folder.
    #[must_use]
    pub fn join(&self, name: &[u8]) -> Self {
        debug_assert!(!name.contains(&b'/'), "a name holds no slash");
        let mut path = self.0.clone();
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(name);
        Self(path)
    }

    /// Returns the name in the parent folder. Empty for the folder itself.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        self.split_last().map_or(&[], |(_, name)| name)
    }

    /// Returns the parent folder, and the name there. `None` for the folder itself.
    pub fn split_last(&self) -> Option<(Self, &[u8])> {
        match self.0.iter().rposition(|&byte| byte == b'/') {
            Some(slash) => Some((Self(self.0[..slash].to_vec()), &self.0[slash + 1..])),
            None if self.is_empty() => None,
            None => Some((Self::default(), &self.0)),
        }
    }

    /// Resolves a path beneath this folder. Returns `None` if the path is not relative, or leads out of it.
    pub fn resolve(&self, path: &[u8]) -> Option<Self> {
        let Self(relative) = Self::parse(path).ok()?;
        let parts = [&self.0[..], &relative];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        Self::parse(&Vec::from_iter(parts).join(&b'/')).ok()
    }

    /// True if this is that folder, or is beneath it.
    pub fn is_in(&self, folder: &Self) -> bool {
        self.strip_folder(folder).is_some()
    }

    /// Returns this path relative to a folder above it, or the path itself if it is elsewhere.
    pub fn relative_to(&self, folder: &Self) -> Self {
        self.strip_folder(folder)
            .map_or_else(|| self.clone(), |rest| Self(rest.to_vec()))
    }

    fn strip_folder(&self, folder: &Self) -> Option<&[u8]> {
        if folder.is_empty() {
            return Some(&self.0);
        }
        match self.0.strip_prefix(&folder.0[..])? {
            [] => Some(&[]),
            [b'/', rest @ ..] => Some(rest),
            _ => None,
        }
    }

    /// Returns a path for the file system. `.` for the folder itself.
    pub fn as_path(&self) -> &Path {
        if self.is_empty() {
            Path::new(".")
        } else {
            platform::path_of(&self.0)
        }
    }
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RelPath(\"{}\")", self.0.escape_ascii())
    }
}

/// Returns the bytes after the last dot, or none if there is no dot.
#[must_use]
pub fn extension(name: &[u8]) -> &[u8] {
    match name.iter().rposition(|&byte| byte == b'.') {
        Some(dot) => &name[dot + 1..],
        None => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check_clean(path: &[u8], expected: Result<&[u8], PathError>) {
        let expected = expected.map(<[u8]>::to_vec);
        assert_eq!(clean_absolute(path), expected);
    }

    #[test]
    fn path_is_relative_to_its_ancestors() {
        let path = |text: &str| RelPath::parse(text.as_bytes()).unwrap();
        let check = |of: &str, folder: &str, expected: Option<&str>| {
            let found = path(of);
            assert_eq!(found.is_in(&path(folder)), expected.is_some());
            assert_eq!(
                found.relative_to(&path(folder)),
                path(expected.unwrap_or(of))
            );
        };
        check("a/b/c", "", Some("a/b/c"));
        check("a/b/c", "a", Some("b/c"));
        check("a", "a", Some(""));
        check("", "", Some(""));
        check("ab/c", "a", None);
        check("a", "a/b", None);
        assert_eq!(path("a").resolve(b"b/c"), Some(path("a/b/c")));
        assert_eq!(path("").resolve(b"b"), Some(path("b")));
        assert_eq!(path("a").resolve(b"../b"), None);
        assert_eq!(path("a").resolve(b"/b"), None);
    }

    #[test]
    fn absolute_paths_are_cleaned_lexically() {
        check_clean(b"/", Ok(b"/"));
        check_clean(b"//a///b/", Ok(b"/a/b"));
        check_clean(b"/a/./b/../c", Ok(b"/a/c"));
        check_clean(b"/../../etc", Ok(b"/etc"));
        check_clean(b"/a/..", Ok(b"/"));
        check_clean(b"/a/...", Ok(b"/a/..."));
        check_clean(b"/\xff\n", Ok(b"/\xff\n"));
        check_clean(b"a/b", Err(PathError::NotAbsolute));
        check_clean(b"", Err(PathError::NotAbsolute));
        check_clean(b"/a\0b", Err(PathError::ZeroByte));
        check_clean(&[b'/'; 4096], Err(PathError::TooLong));
    }

    #[test]
    fn sibling_with_same_prefix_is_not_beneath() {
        assert_eq!(strip_base(b"/root", b"/root-evil/a.jpg"), None);
        assert_eq!(
            strip_base(b"/root", b"/root/a.jpg"),
            Some(RelPath(b"a.jpg".to_vec()))
        );
        assert_eq!(strip_base(b"/root", b"/root"), Some(RelPath::default()));
        assert_eq!(strip_base(b"/", b"/a/b"), Some(RelPath(b"a/b".to_vec())));
        assert_eq!(strip_base(b"/", b"/"), Some(RelPath::default()));
    }

    #[test]
    fn climbing_or_absolute_paths_are_refused() {
        assert_eq!(RelPath::parse(b"a/../b"), Err(PathError::ParentFolder));
        assert_eq!(RelPath::parse(b".."), Err(PathError::ParentFolder));
        assert_eq!(RelPath::parse(b"/etc"), Err(PathError::Absolute));
        assert_eq!(RelPath::parse(b"a\0"), Err(PathError::ZeroByte));
        assert_eq!(RelPath::parse(&[b'a'; 4096]), Err(PathError::TooLong));
        assert_eq!(RelPath::parse(b"./a//b/").unwrap().as_bytes(), b"a/b");
        assert!(RelPath::parse(b"").unwrap().is_empty());
    }

    #[test]
    fn path_splits_into_folder_and_name() {
        let path = |bytes: &[u8]| RelPath::parse(bytes).unwrap();
        assert_eq!(path(b"").split_last(), None);
        assert_eq!(path(b"a").split_last(), Some((path(b""), &b"a"[..])));
        assert_eq!(path(b"a/b/c").split_last(), Some((path(b"a/b"), &b"c"[..])));
    }

    proptest! {
        #[test]
        fn cleaning_twice_changes_nothing(path in "/[a./]{0,40}") {
            let once = clean_absolute(path.as_bytes()).unwrap();
            prop_assert_eq!(clean_absolute(&once).unwrap(), once.clone());
            prop_assert!(!once.windows(2).any(|pair| pair == b"//"));
            prop_assert!(once.split(|&b| b == b'/').all(|part| part != b".." && part != b"."));
        }

        #[test]
        fn joined_path_is_beneath_its_base(base in "(/[a-z.]{3}){1,3}", name in "[a-z]{1,3}(/[a-z]{1,3}){0,3}") {
            let name = RelPath::parse(name.as_bytes()).unwrap();
            let path = join(base.as_bytes(), &name);
            prop_assert_eq!(strip_base(base.as_bytes(), &path), Some(name));
        }
    }
}
