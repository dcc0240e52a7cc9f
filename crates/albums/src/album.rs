//! An album and its pictures.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::path_in_json;

fumikura_base::ulid_ids! {
    /// An album. The name of its file.
    AlbumId;
    /// A picture's place in an album, which stays the same if the picture is moved.
    AlbumItemId;
}

/// A name that no album can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an album's name has 1 to {max} characters, and none that are invisible", max = AlbumName::MAX)]
pub struct InvalidAlbumName;

/// The name of an album, without blanks around it. Several albums may have the same name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AlbumName(String);

impl AlbumName {
    /// The maximum number of characters.
    pub const MAX: usize = 200;

    /// Returns the name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for AlbumName {
    type Err = InvalidAlbumName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.trim();
        let is_long = name.chars().count() > Self::MAX;
        if name.is_empty() || is_long || name.chars().any(char::is_control) {
            return Err(InvalidAlbumName);
        }
        Ok(Self(name.to_owned()))
    }
}

impl TryFrom<String> for AlbumName {
    type Error = InvalidAlbumName;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<AlbumName> for String {
    fn from(name: AlbumName) -> Self {
        name.0
    }
}

impl fmt::Display for AlbumName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An ordered list of pictures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Album {
    #[serde(skip, default = "unnamed")]
    pub id: AlbumId,
    pub name: AlbumName,
    /// True for the one album of favourites, which the window names in the user's language.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_favourites: bool,
    pub created_at: Timestamp,
    /// The picture that stands for the album; the first one if there is none.
    #[serde(default)]
    pub cover: Option<AlbumItemId>,
    pub pictures: Vec<AlbumItem>,
}

/// The id before the name of the file is known.
fn unnamed() -> AlbumId {
    AlbumId::from_bytes([0; 16])
}

/// A picture in an album.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlbumItem {
    pub id: AlbumItemId,
    /// The absolute path at which it was last seen.
    #[serde(with = "path_in_json")]
    pub path: Vec<u8>,
    /// Its size in bytes.
    pub size: u64,
    /// The SHA-256 of its contents in hexadecimal digits; `None` until it is computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    pub added_at: Timestamp,
}

impl Album {
    /// Returns the picture that stands for the album.
    #[must_use]
    pub fn cover(&self) -> Option<&AlbumItem> {
        let chosen = self.cover.and_then(|cover| self.item(cover));
        chosen.or_else(|| self.pictures.first())
    }

    /// Returns a picture.
    #[must_use]
    pub fn item(&self, id: AlbumItemId) -> Option<&AlbumItem> {
        self.pictures.iter().find(|item| item.id == id)
    }

    /// True if the album contains the picture at this path.
    #[must_use]
    pub fn contains(&self, path: &[u8]) -> bool {
        self.pictures.iter().any(|item| item.path == path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_trimmed_and_never_empty_or_invisible() {
        let name = |text: &str| text.parse::<AlbumName>().map(String::from);
        assert_eq!(name("  旅 2024 "), Ok("旅 2024".to_owned()));
        for text in ["", " \u{3000}", "a\nb", &"a".repeat(201)] {
            assert_eq!(name(text), Err(InvalidAlbumName), "{text:?}");
        }
        assert!(name(&"写".repeat(200)).is_ok());
    }
}
