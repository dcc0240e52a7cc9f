//! A tag: a keyword, or a path of keywords from the widest to the narrowest.

use std::collections::HashSet;
use std::fmt;

use unicode_normalization::UnicodeNormalization;

/// The separators of the levels of a path: `/` in files of digiKam and Windows, `|` in files of Lightroom and
/// darktable. digiKam treats every `/` as a separator, so neither can be a part of a level here.
const SEPARATORS: [char; 2] = ['/', '|'];
/// The maximum length of a tag. darktable reads at most 1,023 bytes.
const MAX_BYTES: usize = 1000;
pub(super) const MAX_LEVELS: usize = 20;

/// A tag of a picture: its levels from the widest to the narrowest, `Places`, `Japan`, `Kyoto`. A plain keyword has
/// one. Levels are trimmed, in NFC, not empty, and without control characters, `/` and `|`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag {
    levels: Vec<String>,
}

/// A reason why a text is not a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TagError {
    /// The text has no content.
    #[error("a tag must not be empty")]
    Empty,
    /// A control character, or one that XML can't hold.
    #[error("a tag must not contain the character U+{:04X}", u32::from(*.0))]
    Character(char),
    /// More than 1,000 bytes, or 20 levels.
    #[error("a tag must not be longer than 1,000 bytes, nor have more than 20 levels")]
    TooLong,
}

impl Tag {
    /// Parses a user's input: levels separated by `/` or `|`. Empty levels are dropped.
    ///
    /// # Errors
    /// [`TagError`] if nothing is left, for characters that no tag can hold, and beyond the bounds.
    pub fn parse(text: &str) -> Result<Self, TagError> {
        if let Some(character) = text.trim().chars().find(|&character| is_refused(character)) {
            return Err(TagError::Character(character));
        }
        Self::of_levels(levels(text))
    }

    /// Creates a tag of valid levels.
    pub(super) fn of_levels(levels: Vec<String>) -> Result<Self, TagError> {
        let bytes: usize = levels.iter().map(String::len).sum();
        if levels.is_empty() {
            Err(TagError::Empty)
        } else if bytes + levels.len() > MAX_BYTES + 1 || levels.len() > MAX_LEVELS {
            Err(TagError::TooLong)
        } else {
            Ok(Self { levels })
        }
    }

    /// Reads a tag that a program wrote into a file, of any length. Control characters, for example a line break,
    /// count as spaces. `None` if nothing is left, or if it has too many levels to be intended.
    pub fn read(text: &str) -> Option<Self> {
        let levels = if text.contains(is_refused) {
            levels(&text.replace(is_refused, " "))
        } else {
            levels(text)
        };
        (1..=MAX_LEVELS)
            .contains(&levels.len())
            .then_some(Self { levels })
    }

    /// Returns true for a text that is not empty and that [`Tag::read`] refuses: it belongs to another program, and
    /// is kept as it is.
    pub(super) fn is_foreign(text: &str) -> bool {
        !text.trim().is_empty() && Self::read(text).is_none()
    }

    /// The levels from the widest to the narrowest; at least one.
    #[must_use]
    pub fn levels(&self) -> &[String] {
        &self.levels
    }

    /// The narrowest level: the keyword for the tag in a property without paths.
    #[must_use]
    pub fn leaf(&self) -> &str {
        self.levels.last().expect("BUG: a tag has a level")
    }

    pub(super) fn joined(&self, separator: char) -> String {
        self.levels.join(separator.encode_utf8(&mut [0; 4]))
    }
}

/// Writes the levels, separated by `/`.
impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.joined('/'))
    }
}

fn levels(text: &str) -> Vec<String> {
    let text: String = text.nfc().collect();
    text.split(SEPARATORS)
        .map(str::trim)
        .filter(|level| !level.is_empty())
        .map(str::to_owned)
        .collect()
}

fn is_refused(character: char) -> bool {
    character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}')
}

/// Returns the first of each group of equal tags.
pub(super) fn without_duplicates(tags: impl IntoIterator<Item = Tag>) -> Vec<Tag> {
    let mut seen = HashSet::new();
    tags.into_iter()
        .filter(|tag| seen.insert(tag.clone()))
        .collect()
}

/// All keywords that paths account for, whole or in part: Lightroom and darktable repeat each level of a path as a
/// keyword of its own, digiKam only the last.
pub(super) struct Keywords<'a>(HashSet<&'a [String]>);

impl<'a> Keywords<'a> {
    pub(super) fn of(tags: &'a [Tag]) -> Self {
        let parts = |levels: &'a [String]| {
            (1..=levels.len()).flat_map(move |length| levels.windows(length))
        };
        Self(tags.iter().flat_map(|tag| parts(&tag.levels)).collect())
    }

    pub(super) fn covers(&self, keyword: &Tag) -> bool {
        self.0.contains(keyword.levels.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, TagError>) {
        let tag = Tag::parse(text).map(|tag| tag.to_string());
        assert_eq!(tag, expected.map(str::to_owned), "{text:?}");
    }

    #[test]
    fn tag_is_a_path_of_trimmed_levels() {
        check("Kyoto", Ok("Kyoto"));
        check(" Places / Japan|Kyoto ", Ok("Places/Japan/Kyoto"));
        check("//Places//", Ok("Places"));
        check("\u{3000}京都\n", Ok("京都"));
        check("Cafe\u{301}", Ok("Café"));
        check("24/7", Ok("24/7"));
        assert_eq!(Tag::parse("24/7").unwrap().leaf(), "7");
    }

    #[test]
    fn invalid_tags_are_refused() {
        check("", Err(TagError::Empty));
        check(" / | ", Err(TagError::Empty));
        check("a\u{0}b", Err(TagError::Character('\0')));
        check("a\tb", Err(TagError::Character('\t')));
        check("a\u{85}b", Err(TagError::Character('\u{85}')));
        check("a\u{ffff}", Err(TagError::Character('\u{ffff}')));
        check(&"a".repeat(1000), Ok(&"a".repeat(1000)));
        check(&"a".repeat(1001), Err(TagError::TooLong));
        check(&"a/".repeat(21), Err(TagError::TooLong));
    }

    #[test]
    fn stored_tags_are_read_leniently() {
        let read = |text: &str| Tag::read(text).map(|tag| tag.to_string());
        assert_eq!(read("Places|\n  Japan").as_deref(), Some("Places/Japan"));
        assert_eq!(read("two\r\nlines").as_deref(), Some("two  lines"));
        assert_eq!(read(&"a".repeat(5000)), Some("a".repeat(5000)));
        assert_eq!(read("|"), None);
        assert_eq!(read(&"a|".repeat(21)), None);
    }
}
