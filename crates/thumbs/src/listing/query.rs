//! What is asked of a folder: the order, and which part of it.

use std::str::FromStr;

use super::entry::EntryKind;
use super::snapshot::SnapshotId;

/// A parameter of a listing that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ListQueryError {
    /// The order is none of those that exist.
    #[error("sort “{0}” is unknown: name, modified, size, type or taken is expected")]
    Sort(String),
    /// The direction is none of the two.
    #[error("order “{0}” is unknown: asc or desc is expected")]
    Order(String),
    /// The kind is none of those that exist.
    #[error("kind “{0}” is unknown: folder, picture or other is expected")]
    Kind(String),
}

/// What entries are sorted by. Folders come before files in each case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Sort {
    /// The name, numbers by value.
    #[default]
    Name,
    /// The time of the last change; folders as well.
    Modified,
    /// The size in bytes; folders by name.
    Size,
    /// The extension; folders by name.
    Type,
    /// When it was taken, else when it was changed; folders and other files by the latter.
    Taken,
}

impl FromStr for Sort {
    type Err = ListQueryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "name" => Ok(Self::Name),
            "modified" => Ok(Self::Modified),
            "size" => Ok(Self::Size),
            "type" => Ok(Self::Type),
            "taken" => Ok(Self::Taken),
            other => Err(ListQueryError::Sort(other.chars().take(32).collect())),
        }
    }
}

/// The direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Order {
    /// A to Z, oldest first, smallest first.
    #[default]
    Ascending,
    /// The other way round; folders still come first.
    Descending,
}

impl FromStr for Order {
    type Err = ListQueryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "asc" => Ok(Self::Ascending),
            "desc" => Ok(Self::Descending),
            other => Err(ListQueryError::Order(other.chars().take(32).collect())),
        }
    }
}

/// Which entries are asked for. All, unless something is said.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Only {
    /// Those of this kind.
    pub kind: Option<EntryKind>,
    /// Those whose names hold this text; width, case and kind of kana don't matter.
    pub text: Option<String>,
}

impl FromStr for EntryKind {
    type Err = ListQueryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "folder" => Ok(Self::Folder),
            "picture" => Ok(Self::Picture),
            "other" => Ok(Self::Other),
            other => Err(ListQueryError::Kind(other.chars().take(32).collect())),
        }
    }
}

/// A question about a folder's entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListQuery {
    /// What the entries are sorted by.
    pub sort: Sort,
    /// In which direction.
    pub order: Order,
    /// Which of them are asked for.
    pub only: Only,
    /// How many entries are skipped.
    pub offset: usize,
    /// How many are given at most; more than [`ListQuery::MAX_LIMIT`] counts as that.
    pub limit: usize,
    /// The entry of this name is to be among them: if there is one, a multiple of `limit` is skipped instead of
    /// `offset`.
    pub around: Option<Vec<u8>>,
    /// The listing that this is another part of. If it has been forgotten, the folder is read again.
    pub snapshot: Option<SnapshotId>,
}

impl ListQuery {
    /// The most entries that one answer holds: each of them is asked for by a `stat`.
    pub const MAX_LIMIT: usize = 1000;
}

impl Default for ListQuery {
    fn default() -> Self {
        Self {
            sort: Sort::default(),
            order: Order::default(),
            only: Only::default(),
            offset: 0,
            limit: 200,
            around: None,
            snapshot: None,
        }
    }
}
