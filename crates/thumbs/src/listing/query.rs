//! What is asked of a folder: the order, and which part of it.

use std::str::FromStr;

use jiff::civil::Date;

use super::entry::EntryKind;
use super::picture_type::PictureType;
use super::snapshot::SnapshotId;
use crate::sidecar::Rating;

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
    /// The grouping is none of those that exist.
    #[error("group “{0}” is unknown: day, month or folder is expected")]
    Group(String),
    /// The rating is none of those that exist.
    #[error("rating “{0}” is unknown: 1 to 5, unrated or rejected is expected")]
    Rated(String),
    /// The type is none of those that exist.
    #[error(
        "type “{0}” is unknown: jpeg, png, gif, webp, avif, heic, jxl, tiff, bmp, ico, svg or raw is expected"
    )]
    Type(String),
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
            other => Err(ListQueryError::Sort(shortened(other))),
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
            other => Err(ListQueryError::Order(shortened(other))),
        }
    }
}

/// What stands beside each other under one heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GroupBy {
    /// What is of one day.
    Day,
    /// What is of one month.
    Month,
    /// What is in one folder: of this folder, and of all that lie beneath it. Folders themselves are not among the
    /// entries then.
    Folder,
}

impl GroupBy {
    /// From where entries come.
    pub(super) fn reach(group: Option<Self>) -> Reach {
        match group {
            Some(Self::Folder) => Reach::Beneath,
            Some(Self::Day | Self::Month) | None => Reach::Folder,
        }
    }
}

/// How far a listing of a folder reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// What is in the folder.
    Folder,
    /// What is in it, and in all folders beneath it.
    Beneath,
}

impl FromStr for GroupBy {
    type Err = ListQueryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "day" => Ok(Self::Day),
            "month" => Ok(Self::Month),
            "folder" => Ok(Self::Folder),
            other => Err(ListQueryError::Group(shortened(other))),
        }
    }
}

/// How pictures are rated that are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rated {
    /// So, or better.
    AtLeast(Rating),
    /// So.
    Exactly(Rating),
    /// Not at all.
    Not,
}

impl FromStr for Rated {
    type Err = ListQueryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let stars =
            |text: &str| Rating::of_number(text.parse().ok()?).filter(|&one| one >= Rating::One);
        match text {
            "unrated" => Ok(Self::Not),
            "rejected" => Ok(Self::Exactly(Rating::Rejected)),
            other => stars(other)
                .map(Self::AtLeast)
                .ok_or_else(|| ListQueryError::Rated(shortened(other))),
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
    /// Pictures of one of these types, if any is named.
    pub types: Vec<PictureType>,
    /// Pictures that are rated so.
    pub rated: Option<Rated>,
    /// Pictures with a tag in whose path these levels stand, one after the other, wherever in it: levels by `/`; width,
    /// case and kind of kana don't matter.
    pub tag: Option<String>,
    /// Pictures whose captions hold this text; width, case and kind of kana don't matter.
    pub caption: Option<String>,
    /// Pictures with a caption (true), or without one.
    pub has_caption: Option<bool>,
    /// Pictures taken (else changed) on this day or later.
    pub from: Option<Date>,
    /// Pictures taken (else changed) on this day or earlier.
    pub to: Option<Date>,
}

impl Only {
    /// Whether sidecars decide.
    pub(super) fn depends_on_marks(&self) -> bool {
        let is_of_caption = self.caption.is_some() || self.has_caption.is_some();
        self.rated.is_some() || self.tag.is_some() || is_of_caption
    }

    /// Whether headers or sidecars decide.
    pub(super) fn depends_on_reading(&self) -> bool {
        self.depends_on_marks() || self.from.is_some() || self.to.is_some()
    }

    pub(super) fn is_of_pictures(&self) -> bool {
        !self.types.is_empty() || self.depends_on_reading()
    }
}

impl FromStr for EntryKind {
    type Err = ListQueryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "folder" => Ok(Self::Folder),
            "picture" => Ok(Self::Picture),
            "other" => Ok(Self::Other),
            other => Err(ListQueryError::Kind(shortened(other))),
        }
    }
}

/// As much of a text as a message repeats.
fn shortened(text: &str) -> String {
    text.chars().take(32).collect()
}

/// A question about a folder's entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListQuery {
    /// What the entries are sorted by.
    pub sort: Sort,
    /// In which direction.
    pub order: Order,
    /// What stands beside each other, whatever it is sorted by.
    pub group: Option<GroupBy>,
    /// Which of them are asked for.
    pub only: Only,
    /// How many entries are skipped.
    pub offset: usize,
    /// How many are given at most; more than [`ListQuery::MAX_LIMIT`] counts as that.
    pub limit: usize,
    /// The entry of this name is to be among them: if there is one, a multiple of `limit` is skipped instead of
    /// `offset`. Of what lies beneath, its path from the folder.
    pub around: Option<Vec<u8>>,
    /// The listing that this is another part of. If it has been forgotten, the folder is read again.
    pub snapshot: Option<SnapshotId>,
    /// Whether not all names need be there yet, where there are very many or the disk takes its time. That they are is
    /// told then, and this listing is asked for again.
    pub may_grow: bool,
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
            group: None,
            only: Only::default(),
            offset: 0,
            limit: 200,
            around: None,
            snapshot: None,
            may_grow: false,
        }
    }
}
