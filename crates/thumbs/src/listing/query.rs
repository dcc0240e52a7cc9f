//! What is asked of a folder: the order, and which part of it.

use std::str::FromStr;

/// A parameter of a listing that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ListQueryError {
    /// The order is none of those that exist.
    #[error("sort “{0}” is unknown: name, modified, size or type is expected")]
    Sort(String),
    /// The direction is none of the two.
    #[error("order “{0}” is unknown: asc or desc is expected")]
    Order(String),
}

/// What entries are sorted by. Folders come before files in each case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
}

impl FromStr for Sort {
    type Err = ListQueryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "name" => Ok(Self::Name),
            "modified" => Ok(Self::Modified),
            "size" => Ok(Self::Size),
            "type" => Ok(Self::Type),
            other => Err(ListQueryError::Sort(other.chars().take(32).collect())),
        }
    }
}

/// The direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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

/// A question about a folder's entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListQuery {
    /// What the entries are sorted by.
    pub sort: Sort,
    /// In which direction.
    pub order: Order,
    /// How many entries are skipped.
    pub offset: usize,
    /// How many are given at most; more than [`ListQuery::MAX_LIMIT`] counts as that.
    pub limit: usize,
    /// The entry of this name is to be among them: if there is one, a multiple of `limit` is skipped instead of
    /// `offset`.
    pub around: Option<Vec<u8>>,
}

impl ListQuery {
    /// The most entries that one answer holds: each picture among them has its header read.
    pub const MAX_LIMIT: usize = 1000;
}

impl Default for ListQuery {
    fn default() -> Self {
        Self {
            sort: Sort::default(),
            order: Order::default(),
            offset: 0,
            limit: 200,
            around: None,
        }
    }
}
