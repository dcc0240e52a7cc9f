//! Names of files. Every value is bounded and showable, and can't lead out of a folder.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use fumikura_base::characters::unshowable;

/// The longest name, in bytes of UTF-8: the limit of file systems.
const MAX_BYTES: usize = 255;
/// The longest ending that is kept in a numbered name.
const MAX_ENDING_BYTES: usize = 32;

/// A text is not a valid file name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidFileName {
    #[error("a file's name needs at least one character")]
    Empty,
    /// It is `.` or `..`, which are folders.
    #[error("“{0}” names a folder, not a file")]
    Dots(&'static str),
    /// It contains a slash.
    #[error("a file's name can't contain “/”")]
    Slash,
    /// It contains a control character, another invisible one, or one that changes the direction of writing.
    #[error("the name contains a character that can't be shown (U+{:04X})", u32::from(*.0))]
    Unshowable(char),
    /// It is longer than 255 bytes.
    #[error("the name is {0} bytes long; at most {MAX_BYTES} are allowed")]
    TooLong(usize),
}

/// The name of a file: 1 to 255 bytes in Unicode's normal form C, without `/`, control characters,
/// other invisible characters and those that change the direction of writing; not `.` or `..`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct FileName(String);

impl FileName {
    /// Parses and normalizes the name for a new file.
    ///
    /// # Errors
    /// [`InvalidFileName`] if the name is invalid.
    pub fn new(text: &str) -> Result<Self, InvalidFileName> {
        let name = Self::existing(text)?;
        let unshowable = unshowable(&name.0).next();
        match unshowable {
            Some((_, unshowable)) => Err(InvalidFileName::Unshowable(unshowable)),
            None => Ok(name),
        }
    }

    /// Parses and normalizes the name of a file that may exist already. Earlier versions accepted most invisible
    /// characters.
    ///
    /// # Errors
    /// [`InvalidFileName`] if no file has such a name.
    pub fn existing(text: &str) -> Result<Self, InvalidFileName> {
        // Refused before the cost of normalizing it: no normal form is less than a third as long.
        if text.len() > 4 * MAX_BYTES {
            return Err(InvalidFileName::TooLong(text.len()));
        }
        let name: String = text.nfc().collect();
        match name.as_str() {
            "" => return Err(InvalidFileName::Empty),
            "." => return Err(InvalidFileName::Dots(".")),
            ".." => return Err(InvalidFileName::Dots("..")),
            _ => {}
        }
        if name.contains('/') {
            return Err(InvalidFileName::Slash);
        }
        if let Some(bad) = name.chars().find(|c| c.is_control()) {
            return Err(InvalidFileName::Unshowable(bad));
        }
        if name.len() > MAX_BYTES {
            return Err(InvalidFileName::TooLong(name.len()));
        }
        Ok(Self(name))
    }

    /// The same name with a number before its ending, for a name that is taken: `a.png`, 2 →
    /// `a-2.png`. A long name is shortened.
    #[must_use]
    pub fn numbered(&self, number: u32) -> Self {
        let dot = self.0.rfind('.').filter(|at| *at > 0);
        let (stem, ending) = self.0.split_at(dot.unwrap_or(self.0.len()));
        // A very long ending does not count as one.
        let (stem, ending) = if ending.len() > MAX_ENDING_BYTES {
            (self.0.as_str(), "")
        } else {
            (stem, ending)
        };
        let tail = format!("-{number}{ending}");
        let max = stem.len().min(MAX_BYTES - tail.len());
        let is_whole = |at: &usize| stem.is_char_boundary(*at);
        let room = (0..=max).rev().find(is_whole).unwrap_or_default();
        // A cut within a cluster may leave the stem unnormalized, so the whole name is normalized again.
        let name: String = format!("{}{tail}", &stem[..room]).nfc().collect();
        Self(name)
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for FileName {
    type Err = InvalidFileName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::new(text)
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for FileName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::existing(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, InvalidFileName>) {
        assert_eq!(
            FileName::new(text).map(|name| name.0),
            expected.map(str::to_owned),
            "{text:?}"
        );
    }

    #[test]
    fn names_change_only_to_normal_form() {
        check("京都 2026.png", Ok("京都 2026.png"));
        check("か\u{3099}.txt", Ok("が.txt"));
        check(".hidden", Ok(".hidden"));
        check("...", Ok("..."));
        check("a\\b", Ok("a\\b"));
        check(&"あ".repeat(85), Ok(&"あ".repeat(85)));
    }

    #[test]
    fn stored_name_of_an_earlier_version_is_read() {
        let name = "a\u{200b}.jpg";
        let stored = postcard::to_allocvec(name).unwrap();
        let read: FileName = postcard::from_bytes(&stored).unwrap();
        assert_eq!(read.as_str(), name);
        assert!(FileName::existing("a/b").is_err() && FileName::existing("a\nb").is_err());
    }

    #[test]
    fn number_goes_before_the_extension() {
        let numbered = |text: &str, number| FileName::new(text).unwrap().numbered(number).0;
        assert_eq!(numbered("写真.jpg", 2), "写真-2.jpg");
        assert_eq!(numbered("a.tar.gz", 13), "a.tar-13.gz");
        assert_eq!(numbered("README", 2), "README-2");
        assert_eq!(numbered(".hidden", 2), ".hidden-2");
        assert_eq!(
            numbered(&format!("a.{}", "b".repeat(40)), 2),
            format!("a.{}-2", "b".repeat(40))
        );
        let long = numbered(&format!("{}.png", "あ".repeat(83)), 2);
        assert_eq!(long, format!("{}-2.png", "あ".repeat(83)));
        let longest = numbered(&"あ".repeat(85), u32::MAX);
        assert_eq!(FileName::new(&longest).unwrap().0, longest);
    }

    #[test]
    fn invalid_names_are_refused_with_a_reason() {
        check("", Err(InvalidFileName::Empty));
        check(".", Err(InvalidFileName::Dots(".")));
        check("..", Err(InvalidFileName::Dots("..")));
        check("a/b", Err(InvalidFileName::Slash));
        check("a\0", Err(InvalidFileName::Unshowable('\0')));
        check("a\nb", Err(InvalidFileName::Unshowable('\n')));
        check("a\u{7f}", Err(InvalidFileName::Unshowable('\u{7f}')));
        check(
            "gnp.\u{202e}exe",
            Err(InvalidFileName::Unshowable('\u{202e}')),
        );
        check(
            "photo.exe\u{200b}.jpg",
            Err(InvalidFileName::Unshowable('\u{200b}')),
        );
        check(
            &format!("{}a", "あ".repeat(85)),
            Err(InvalidFileName::TooLong(256)),
        );
        check(&"a".repeat(1 << 20), Err(InvalidFileName::TooLong(1 << 20)));
    }

    proptest! {
        #[test]
        fn valid_name_parses_to_itself(text in ".{0,80}") {
            if let Ok(name) = FileName::new(&text) {
                prop_assert_eq!(FileName::new(name.as_str()), Ok(name.clone()));
            }
        }
    }
}
