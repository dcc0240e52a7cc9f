//! Page paths. Every value is absolute, normalized and bounded.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use fumikura_base::characters::unshowable;
use serde::{Deserialize, Serialize};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The longest path, in bytes of UTF-8.
const MAX_BYTES: usize = 1024;
/// The deepest path, in segments.
const MAX_LEVELS: usize = 64;

/// A text is not a valid page path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPath {
    /// It does not start with `/`.
    #[error("a page's path starts with “/”")]
    NotAbsolute,
    /// Its `..` lead above the root page.
    #[error("the path leads above the root page")]
    AboveRoot,
    /// It contains a control character.
    #[error("the path contains a control character (U+{:04X})", u32::from(*.0))]
    ControlCharacter(char),
    /// It contains a character that changes the direction of writing, which is not allowed in a new path.
    #[error("the path contains a character that can't be shown (U+{:04X})", u32::from(*.0))]
    Unshowable(char),
    /// It is longer than 1,024 bytes.
    #[error("the path is {0} bytes long; at most {MAX_BYTES} are allowed")]
    TooLong(usize),
    /// It is deeper than 64 levels.
    #[error("the path has {0} levels; at most {MAX_LEVELS} are allowed")]
    TooDeep(usize),
}

/// The path of a page: `/`, or `/a/b`, in Unicode's normal form C, without empty segments, `.`,
/// `..`, a trailing slash or control characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct PagePath(String);

impl PagePath {
    /// The root page's path, `/`.
    #[must_use]
    pub fn root() -> Self {
        Self("/".to_owned())
    }

    /// Parses and normalizes a path.
    ///
    /// # Errors
    /// [`InvalidPath`] if it is not a valid page path.
    pub fn new(text: &str) -> Result<Self, InvalidPath> {
        let rest = text.strip_prefix('/').ok_or(InvalidPath::NotAbsolute)?;
        // Refused before the cost of normalizing it: no normal form is less than a third as long.
        if text.len() > 4 * MAX_BYTES {
            return Err(InvalidPath::TooLong(text.len()));
        }
        // Nearly every path is already normalized, and each row that is read contains one.
        let rest: Cow<'_, str> = match is_nfc_quick(rest.chars()) {
            IsNormalized::Yes => rest.into(),
            IsNormalized::No | IsNormalized::Maybe => rest.nfc().collect(),
        };
        if let Some(control) = rest.chars().find(|c| c.is_control()) {
            return Err(InvalidPath::ControlCharacter(control));
        }
        let mut segments = Vec::new();
        for segment in rest.split('/') {
            match segment {
                "" | "." => {}
                ".." => {
                    segments.pop().ok_or(InvalidPath::AboveRoot)?;
                }
                name => segments.push(name),
            }
        }
        if segments.len() > MAX_LEVELS {
            return Err(InvalidPath::TooDeep(segments.len()));
        }
        let path = format!("/{}", segments.join("/"));
        if path.len() > MAX_BYTES {
            return Err(InvalidPath::TooLong(path.len()));
        }
        Ok(Self(path))
    }

    /// Does the same as [`new`](Self::new), for the new path of a page. It must also be free of invisible
    /// characters and those that change the direction of writing, by which a path could look like another. A page that already has such a
    /// path can be read there, and moved away.
    ///
    /// [`InvalidPath`] if it is not a valid new path.
    pub fn for_new_place(text: &str) -> Result<Self, InvalidPath> {
        let path = Self::new(text)?;
        let unshowable = unshowable(&path.0).next();
        match unshowable {
            Some((_, unshowable)) => Err(InvalidPath::Unshowable(unshowable)),
            None => Ok(path),
        }
    }

    /// True if this is the root page's path.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0 == "/"
    }

    /// The path as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the last segment; empty for the root.
    #[must_use]
    pub fn name(&self) -> &str {
        self.as_str().rsplit('/').next().unwrap_or_default()
    }

    /// True if this path is `ancestor` or is beneath it.
    #[must_use]
    pub fn is_within(&self, ancestor: &Self) -> bool {
        ancestor.is_root()
            || self
                .0
                .strip_prefix(ancestor.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The parent path; `None` for the root page.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let (above, name) = self.0.rsplit_once('/')?;
        let above = if above.is_empty() { "/" } else { above };
        (!name.is_empty()).then(|| Self(above.to_owned()))
    }

    /// Returns this path after its ancestor `from` has become `to`.
    ///
    /// # Errors
    /// If it would be too long or too deep there.
    pub(crate) fn moved(&self, from: &Self, to: &Self) -> Result<Self, InvalidPath> {
        let stem = from.0.trim_end_matches('/');
        let rest = self.0.strip_prefix(stem).unwrap_or_default();
        Self::new(&format!("{}{rest}", to.0))
    }
}

impl FromStr for PagePath {
    type Err = InvalidPath;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::new(text)
    }
}

impl fmt::Display for PagePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for PagePath {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, InvalidPath>) {
        assert_eq!(
            PagePath::new(text).map(|path| path.0),
            expected.map(str::to_owned),
            "{text:?}"
        );
    }

    #[test]
    fn paths_are_normalized() {
        check("/", Ok("/"));
        check("//", Ok("/"));
        check("/旅/京都/", Ok("/旅/京都"));
        check("/a//b/./c", Ok("/a/b/c"));
        check("/a/../b", Ok("/b"));
        check("/か\u{3099}", Ok("/が"));
        check("/with space", Ok("/with space"));
    }

    #[test]
    fn invalid_paths_are_refused_with_a_reason() {
        check("", Err(InvalidPath::NotAbsolute));
        check("a", Err(InvalidPath::NotAbsolute));
        check("/..", Err(InvalidPath::AboveRoot));
        check("/a\n", Err(InvalidPath::ControlCharacter('\n')));
        check(
            &format!("/{}", "a".repeat(1024)),
            Err(InvalidPath::TooLong(1025)),
        );
        check(&"/a".repeat(65), Err(InvalidPath::TooDeep(65)));
    }

    #[test]
    fn new_path_has_no_invisible_characters() {
        for hidden in [
            '\u{061C}',
            '\u{200B}',
            '\u{200D}',
            '\u{202E}',
            '\u{2066}',
            '\u{E0041}',
        ] {
            let text = format!("/a/b{hidden}c");
            check(&text, Ok(&text));
            let refused = Err(InvalidPath::Unshowable(hidden));
            assert_eq!(PagePath::for_new_place(&text), refused);
        }
        let joined = "/👩\u{200D}🎨/نوشته\u{200C}ها";
        assert!(PagePath::for_new_place(joined).is_ok());
        let refused = Err(InvalidPath::ControlCharacter('\n'));
        assert_eq!(PagePath::for_new_place("/a\n"), refused);
    }

    #[test]
    fn is_within_compares_whole_segments() {
        let path = |text| PagePath::new(text).unwrap();
        assert!(path("/a/b").is_within(&path("/a")));
        assert!(path("/a").is_within(&path("/a")));
        assert!(!path("/ab").is_within(&path("/a")));
        assert!(path("/ab").is_within(&PagePath::root()));
    }

    #[test]
    fn path_moves_with_its_ancestor() {
        let path = |text: &str| PagePath::new(text).unwrap();
        let moved = |text, from, to| path(text).moved(&path(from), &path(to)).unwrap().0;
        assert_eq!(moved("/a", "/a", "/x/y"), "/x/y");
        assert_eq!(moved("/a/b/c", "/a/b", "/x"), "/x/c");
        assert_eq!(moved("/a/b", "/a", "/"), "/b");
        assert_eq!(moved("/a/b", "/", "/x"), "/x/a/b");
        let deep = path(&"/d".repeat(60));
        assert_eq!(
            path("/a/b/c/d/e/f").moved(&path("/a"), &deep),
            Err(InvalidPath::TooDeep(65))
        );
    }

    #[test]
    fn parent_drops_the_last_segment() {
        let parent = |text| PagePath::new(text).unwrap().parent().map(|path| path.0);
        assert_eq!(parent("/"), None);
        assert_eq!(parent("/a"), Some("/".to_owned()));
        assert_eq!(parent("/a/b"), Some("/a".to_owned()));
    }

    proptest! {
        #[test]
        fn normalization_is_idempotent(text in "/[a-zか\u{3099}/.é ]{0,40}") {
            if let Ok(path) = PagePath::new(&text) {
                prop_assert_eq!(PagePath::new(path.as_str()), Ok(path.clone()));
                prop_assert!(!path.as_str().contains("//"));
            }
        }
    }
}
