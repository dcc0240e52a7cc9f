//! Users and their names.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use crate::id::UserId;
use crate::model::micros;
use fumikura_base::characters::unshowable;

/// The maximum length of a name in characters.
const MAX_CHARACTERS: usize = 64;

/// The reason why a text is not a valid user name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidUserName {
    /// It has only white space.
    #[error("a name needs at least one character")]
    Empty,
    /// It is longer than 64 characters.
    #[error("the name has {0} characters; at most {MAX_CHARACTERS} are allowed")]
    TooLong(usize),
    /// It has a control character, or one that changes the writing direction.
    #[error("the name contains a character that can't be shown (U+{:04X})", u32::from(*.0))]
    Unshowable(char),
}

/// A user's name: 1 to 64 characters in normal form C, without surrounding white space, control characters or
/// characters that change the writing direction.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UserName(String);

impl UserName {
    /// Parses a name.
    ///
    /// # Errors
    /// Returns [`InvalidUserName`] with the reason.
    pub fn new(text: &str) -> Result<Self, InvalidUserName> {
        let name: String = text.trim().chars().take(MAX_CHARACTERS * 8).nfc().collect();
        let length = name.chars().count();
        if length == 0 {
            return Err(InvalidUserName::Empty);
        }
        if length > MAX_CHARACTERS {
            return Err(InvalidUserName::TooLong(text.trim().chars().count()));
        }
        if let Some((_, bad)) = unshowable(&name).next() {
            return Err(InvalidUserName::Unshowable(bad));
        }
        Ok(Self(name))
    }

    /// Returns the name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UserName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A user of this wiki.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// The user's id.
    pub id: UserId,
    /// The user's name, which is unique in this wiki.
    pub name: UserName,
    /// The time of registration.
    #[serde(with = "micros")]
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, InvalidUserName>) {
        assert_eq!(
            UserName::new(text).map(|name| name.0),
            expected.map(str::to_owned),
            "{text:?}"
        );
    }

    #[test]
    fn names_are_trimmed_limited_and_printable() {
        check(" あや ", Ok("あや"));
        check("か\u{3099}", Ok("が"));
        check(" \t", Err(InvalidUserName::Empty));
        check(&"あ".repeat(64), Ok(&"あ".repeat(64)));
        check(&"あ".repeat(65), Err(InvalidUserName::TooLong(65)));
        check("a\u{202E}b", Err(InvalidUserName::Unshowable('\u{202E}')));
        check("a\nb", Err(InvalidUserName::Unshowable('\n')));
    }
}
