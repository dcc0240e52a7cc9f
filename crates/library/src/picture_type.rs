//! The types of pictures, by file extension.

use std::str::FromStr;

use fumikura_fs::path::extension;
use fumikura_image::FORMATS;

use super::query::ListQueryError;

/// Kinds of pictures that a filter treats as one: the [`filter`](fumikura_image::FormatFacts::filter) of their
/// formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PictureType(&'static str);

impl PictureType {
    /// Returns the type of a file with this name; `None` if it is not a picture.
    pub(super) fn of(name: &[u8]) -> Option<Self> {
        let extension = extension(name);
        let is_named = |one: &&str| extension.eq_ignore_ascii_case(one.as_bytes());
        let format = FORMATS
            .iter()
            .find(|format| format.extensions.iter().any(is_named))?;
        Some(Self(format.filter))
    }

    /// Returns the name of the type of a file; `None` if it is not a picture.
    #[must_use]
    pub fn name_of_file(name: &[u8]) -> Option<&'static str> {
        Self::of(name).map(|Self(name)| name)
    }

    /// Returns what a word of a search means, in lower case: the name of a type, or an extension. The extensions of
    /// raw files and videos are those of different formats, and all others mean their types.
    #[must_use]
    pub fn of_word(word: &str) -> Option<&str> {
        if word.parse::<Self>().is_ok() {
            return Some(word);
        }
        let Self(name) = Self::of(format!("a.{word}").as_bytes())?;
        let is_of_many = matches!(name, "raw" | "video");
        Some(if is_of_many { word } else { name })
    }

    /// Returns the names of all types, for messages.
    #[must_use]
    pub fn names() -> String {
        let mut names: Vec<_> = FORMATS.iter().map(|format| format.filter).collect();
        // Formats of one type follow each other.
        names.dedup();
        names.join(", ")
    }

    pub(super) fn has(self, name: &[u8]) -> bool {
        Self::of(name) == Some(self)
    }
}

impl FromStr for PictureType {
    type Err = ListQueryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let format = FORMATS.iter().find(|format| format.filter == text);
        format
            .map(|format| Self(format.filter))
            .ok_or_else(|| ListQueryError::Type(text.chars().take(32).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn svg_and_svgz_are_one_type() {
        let drawings: PictureType = "svg".parse().unwrap();
        assert!(drawings.has(b"a.svg") && drawings.has(b"a.SVGZ"));
        assert!(!drawings.has(b"svg") && !drawings.has(b"a.png"));
        assert_eq!(PictureType::of(b"a.jpe"), "jpeg".parse().ok());
        assert!("svgz".parse::<PictureType>().is_err());
    }

    #[test]
    fn extensions_mean_their_types() {
        for (word, meaning) in [
            ("raw", Some("raw")),
            ("jpg", Some("jpeg")),
            ("nef", Some("nef")),
            ("mp4", Some("mp4")),
            ("video", Some("video")),
            ("txt", None),
            ("", None),
        ] {
            assert_eq!(PictureType::of_word(word), meaning, "{word}");
        }
    }
}
