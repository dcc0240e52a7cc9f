//! Paths of recorded files: absolute and clean, as bytes.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use fumikura_base::printable::Printable;

/// The longest path that the system accepts, in bytes (Linux's `PATH_MAX` without the closing zero).
pub const MAX_PATH: usize = 4095;

/// An absolute, clean path in the file system's own bytes: no empty component, no `.` or `..`, no slash at the end
/// (docs/spec/hash-files.md, "Paths").
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePath(Vec<u8>);

/// The reason why a path cannot have a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPath {
    /// It has no bytes.
    #[error("the path is empty")]
    Empty,
    /// It does not begin with a slash.
    #[error("the path is not absolute: it must begin with “/”")]
    Relative,
    /// It contains a zero byte, which no file name can.
    #[error("the path contains a zero byte")]
    ZeroByte,
    /// It has more than [`MAX_PATH`] bytes.
    #[error("the path is longer than {MAX_PATH} bytes")]
    TooLong,
    /// It has an empty component, `.`, `..` or a slash at the end.
    #[error(
        "the path is not clean: it must not contain “//”, “.” or “..” as a component, or end with “/”"
    )]
    Unclean,
}

impl FilePath {
    /// Checks that the bytes are an absolute, clean path.
    ///
    /// # Errors
    /// The first [`InvalidPath`] that applies.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Result<Self, InvalidPath> {
        let bytes = bytes.into();
        let Some((b'/', below)) = bytes.split_first() else {
            return Err(if bytes.is_empty() {
                InvalidPath::Empty
            } else {
                InvalidPath::Relative
            });
        };
        if bytes.len() > MAX_PATH {
            return Err(InvalidPath::TooLong);
        }
        if bytes.contains(&0) {
            return Err(InvalidPath::ZeroByte);
        }
        let is_clean = |component: &[u8]| !matches!(component, b"" | b"." | b"..");
        if !below.is_empty() && !below.split(|byte| *byte == b'/').all(is_clean) {
            return Err(InvalidPath::Unclean);
        }
        Ok(Self(bytes))
    }

    /// Returns the path after its folder, or the file itself, moved. Returns `None` if it is not in the folder.
    #[must_use]
    pub(crate) fn moved(&self, from: &Self, to: &Self) -> Option<Self> {
        let below = self.0.strip_prefix(from.as_bytes())?;
        (below.is_empty() || below.starts_with(b"/")).then(|| Self([to.as_bytes(), below].concat()))
    }

    /// Returns the path `/`.
    pub(crate) fn top() -> Self {
        Self(b"/".to_vec())
    }

    /// Returns the path of an entry of this folder. The name must be one that a folder lists.
    #[must_use]
    pub fn join(&self, name: &[u8]) -> Self {
        let slash: &[u8] = if self.0 == b"/" { b"" } else { b"/" };
        Self([&self.0, slash, name].concat())
    }

    /// Returns the path's bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the path for calls of the file system.
    #[must_use]
    pub fn as_path(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.0))
    }

    /// Returns the path as text. Bytes that are not UTF-8 are replaced.
    #[must_use]
    pub fn to_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// Returns the text if the bytes are UTF-8.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// Returns true if this path is the folder itself or beneath it.
    #[must_use]
    pub fn is_within(&self, folder: &FilePath) -> bool {
        match self.0.strip_prefix(folder.as_bytes()) {
            Some([]) => true,
            Some(rest) => folder.0 == b"/" || rest[0] == b'/',
            None => false,
        }
    }

    /// Returns the folder that contains it, or `None` for `/`.
    #[must_use]
    pub fn parent(&self) -> Option<FilePath> {
        let slash = self.0.iter().rposition(|byte| *byte == b'/')?;
        match (slash, self.0.len()) {
            (_, 1) => None,
            (0, _) => Some(Self(b"/".to_vec())),
            (slash, _) => Some(Self(self.0[..slash].to_vec())),
        }
    }

    /// Returns the last component. It is empty for `/`.
    #[must_use]
    pub fn file_name(&self) -> &[u8] {
        let slash = self.0.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        &self.0[slash + 1..]
    }
}

impl TryFrom<&Path> for FilePath {
    type Error = InvalidPath;

    fn try_from(path: &Path) -> Result<Self, InvalidPath> {
        Self::new(path.as_os_str().as_bytes())
    }
}

impl fmt::Debug for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_text())
    }
}

/// Displays the path with control characters escaped, fit for a terminal.
impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Printable(self.to_text()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &[u8], expected: Result<(), InvalidPath>) {
        assert_eq!(FilePath::new(path).map(|_| ()), expected);
    }

    #[test]
    fn only_absolute_clean_paths_are_accepted() {
        check(b"/a", Ok(()));
        check(b"/", Ok(()));
        check(b"/\xff/~#\n\x1b", Ok(()));
        check(b"/...", Ok(()));
        check(b"", Err(InvalidPath::Empty));
        check(b"a", Err(InvalidPath::Relative));
        check(b"~/a", Err(InvalidPath::Relative));
        check(b"/a\0", Err(InvalidPath::ZeroByte));
        let longest = ["/", &"a".repeat(MAX_PATH - 1)].concat();
        check(longest.as_bytes(), Ok(()));
        check(format!("{longest}a").as_bytes(), Err(InvalidPath::TooLong));
        for unclean in ["//a", "/a/", "/.", "/a/../b", "//", "/a//b", "/a/."] {
            check(unclean.as_bytes(), Err(InvalidPath::Unclean));
        }
    }

    #[test]
    fn containment_follows_components() {
        let path = |text: &str| FilePath::new(text).unwrap();
        assert!(path("/a/b").is_within(&path("/a")));
        assert!(path("/a").is_within(&path("/a")));
        assert!(path("/a").is_within(&path("/")));
        assert!(!path("/ab").is_within(&path("/a")));
        assert!(!path("/a").is_within(&path("/a/b")));
        assert_eq!(path("/a/b").parent(), Some(path("/a")));
        assert_eq!(path("/a").parent(), Some(path("/")));
        assert_eq!(path("/").parent(), None);
        assert_eq!(path("/a/b").file_name(), b"b");
    }
}
