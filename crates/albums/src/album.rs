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

/// The query of a smart album, without blanks around it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AlbumSearch(String);

/// A query that no smart album can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the search of an album has 1 to {max} characters on one line", max = AlbumSearch::MAX)]
pub struct InvalidAlbumSearch;

impl AlbumSearch {
    /// The maximum number of characters, as of any search.
    pub const MAX: usize = 1000;

    /// Returns the query as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for AlbumSearch {
    type Err = InvalidAlbumSearch;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let query = text.trim();
        let is_long = query.chars().count() > Self::MAX;
        if query.is_empty() || is_long || query.chars().any(char::is_control) {
            return Err(InvalidAlbumSearch);
        }
        Ok(Self(query.to_owned()))
    }
}

impl TryFrom<String> for AlbumSearch {
    type Error = InvalidAlbumSearch;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<AlbumSearch> for String {
    fn from(search: AlbumSearch) -> Self {
        search.0
    }
}

/// An ordered list of pictures, or a smart album, which has the pictures that a search finds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "AlbumFields")]
pub struct Album {
    #[serde(skip)]
    pub id: AlbumId,
    pub name: AlbumName,
    /// True for the one album of favourites, which the window names in the user's language.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_favourites: bool,
    pub created_at: Timestamp,
    /// The search of a smart album, which has no pictures of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<AlbumSearch>,
    /// The picture that stands for the album; the first one if there is none.
    pub cover: Option<AlbumItemId>,
    pub pictures: Vec<AlbumItem>,
}

/// An album as it is read, before its fields are known to agree.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AlbumFields {
    name: AlbumName,
    #[serde(default)]
    is_favourites: bool,
    created_at: Timestamp,
    #[serde(default)]
    search: Option<AlbumSearch>,
    #[serde(default)]
    cover: Option<AlbumItemId>,
    pictures: Vec<AlbumItem>,
}

impl TryFrom<AlbumFields> for Album {
    type Error = &'static str;

    fn try_from(fields: AlbumFields) -> Result<Self, Self::Error> {
        if fields.search.is_some() && (fields.is_favourites || !fields.pictures.is_empty()) {
            return Err("it has a search, and pictures of its own");
        }
        Ok(Self {
            id: unnamed(),
            name: fields.name,
            is_favourites: fields.is_favourites,
            created_at: fields.created_at,
            search: fields.search,
            cover: fields.cover,
            pictures: fields.pictures,
        })
    }
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

    #[test]
    fn searches_are_trimmed_and_never_empty() {
        let search = |text: &str| text.parse::<AlbumSearch>().map(String::from);
        assert_eq!(search(" rating:>=4 旅 "), Ok("rating:>=4 旅".to_owned()));
        for text in [" ", "a\nb", &"a".repeat(1001)] {
            assert_eq!(search(text), Err(InvalidAlbumSearch), "{text:?}");
        }
    }
}
