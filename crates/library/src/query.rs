//! The query of a listing: its order, its filter and the requested page.

use std::str::FromStr;

use fumikura_fs::FolderScope;
use fumikura_xmp::Rating;
use jiff::civil::Date;

use super::entry::EntryKind;
use super::picture_type::PictureType;
use super::snapshot_id::SnapshotId;

/// An invalid parameter of a listing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ListQueryError {
    /// The sort is unknown.
    #[error(
        "sort “{0}” is unknown: name, modified, size, type, taken, rating, camera, pixels or duration is expected"
    )]
    Sort(String),
    /// The direction is unknown.
    #[error("order “{0}” is unknown: asc or desc is expected")]
    Order(String),
    /// The kind is unknown.
    #[error("kind “{0}” is unknown: folder, picture or other is expected")]
    Kind(String),
    /// The grouping is unknown.
    #[error("group “{0}” is unknown: day, month, year, camera, rating or folder is expected")]
    Group(String),
    /// The rating is unknown.
    #[error("rating “{0}” is unknown: 1 to 5, unrated or rejected is expected")]
    Rated(String),
    /// The type is unknown.
    #[error("type “{0}” is unknown: one of {types} is expected", types = PictureType::names())]
    Type(String),
}

/// The property that entries are sorted by. Folders come before files in each case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Sort {
    /// The name, numbers by value.
    #[default]
    Name,
    /// The time of the last change, also of folders.
    Modified,
    /// The size in bytes; folders by name.
    Size,
    /// The extension; folders by name.
    Type,
    /// The time of capture, or else of the last change; the latter for folders and other files.
    Taken,
    /// The rating: rejected pictures, then unrated ones, then those with the fewest stars.
    Rating,
    /// The camera's name; pictures of unknown cameras first.
    Camera,
    /// The number of pixels.
    Pixels,
    /// The duration of a video; pictures first.
    Duration,
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
            "rating" => Ok(Self::Rating),
            "camera" => Ok(Self::Camera),
            "pixels" => Ok(Self::Pixels),
            "duration" => Ok(Self::Duration),
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
    /// The reverse; folders still come first.
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

/// The grouping of entries under headings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GroupBy {
    /// Entries of the same day.
    Day,
    /// Entries of the same month.
    Month,
    /// Entries of the same year.
    Year,
    /// Pictures of the same camera; folders first, and entries without a known camera last.
    Camera,
    /// Pictures with the same rating, the best first; folders before them.
    Rating,
    /// Entries in the same folder, for this folder and all folders beneath it. The folders themselves are then not
    /// among the entries.
    Folder,
}

impl GroupBy {
    /// Returns the scope that the grouping requires.
    pub(super) fn scope(group: Option<Self>) -> FolderScope {
        match group {
            Some(Self::Folder) => FolderScope::Recursive,
            Some(Self::Day | Self::Month | Self::Year | Self::Camera | Self::Rating) | None => {
                FolderScope::Direct
            }
        }
    }
}

impl FromStr for GroupBy {
    type Err = ListQueryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "day" => Ok(Self::Day),
            "month" => Ok(Self::Month),
            "year" => Ok(Self::Year),
            "camera" => Ok(Self::Camera),
            "rating" => Ok(Self::Rating),
            "folder" => Ok(Self::Folder),
            other => Err(ListQueryError::Group(shortened(other))),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RatingFilter {
    /// This rating or a better one.
    AtLeast(Rating),
    Exactly(Rating),
    /// No rating.
    Not,
}

impl FromStr for RatingFilter {
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

/// The filter of a listing. By default all entries pass.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ListFilter {
    /// Entries of this kind.
    pub kind: Option<EntryKind>,
    /// Entries whose names contain this text; width, case and kind of kana don't matter.
    pub text: Option<String>,
    /// Pictures of one of these types; all types if empty.
    pub types: Vec<PictureType>,
    /// Pictures that pass this filter by rating.
    pub rated: Option<RatingFilter>,
    /// Pictures with a tag whose path contains these levels in sequence, at any depth. Levels are separated by `/`;
    /// width, case and kind of kana don't matter.
    pub tag: Option<String>,
    /// Pictures whose captions contain this text; width, case and kind of kana don't matter.
    pub caption: Option<String>,
    /// Pictures with a caption (true), or without one.
    pub has_caption: Option<bool>,
    /// Pictures taken (or else changed) on this day or later.
    pub from: Option<Date>,
    /// Pictures taken (or else changed) on this day or earlier.
    pub to: Option<Date>,
}

impl ListFilter {
    /// True if the filter depends on sidecars.
    pub(super) fn depends_on_marks(&self) -> bool {
        let is_of_caption = self.caption.is_some() || self.has_caption.is_some();
        self.rated.is_some() || self.tag.is_some() || is_of_caption
    }

    /// True if the filter depends on headers or sidecars.
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

/// Shortens a text for an error message.
fn shortened(text: &str) -> String {
    text.chars().take(32).collect()
}

/// A query for a folder's entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListQuery {
    /// The property that the entries are sorted by.
    pub sort: Sort,
    /// The direction.
    pub order: Order,
    /// The grouping, whatever the sort.
    pub group: Option<GroupBy>,
    pub filter: ListFilter,
    /// The number of entries to skip.
    pub offset: usize,
    /// The maximum number of entries to return, at most [`ListQuery::MAX_LIMIT`].
    pub limit: usize,
    /// The name of an entry that the page must include. If it exists, `offset` is ignored, and a multiple of
    /// `limit` is skipped. For a recursive listing, this is the path of the entry from the folder.
    pub around: Option<Vec<u8>>,
    /// The listing to continue. If it is no longer cached, the folder is read again.
    pub snapshot: Option<SnapshotId>,
    /// True if a picture of several files is one entry, with the others as its companions: a raw file with its JPEG,
    /// and the parts of a Live Photo. It is sorted and dated by the shown file; it passes a filter of names or types if
    /// any of its files does.
    pub joins_files: bool,
    /// True if the listing may be returned before all names are read, for very large folders or slow disks. A
    /// notification follows, upon which the client requests this listing again.
    pub may_grow: bool,
}

impl ListQuery {
    /// The maximum number of entries in one response: each of them costs a `stat`.
    pub const MAX_LIMIT: usize = 1000;
}

impl Default for ListQuery {
    fn default() -> Self {
        Self {
            sort: Sort::default(),
            order: Order::default(),
            group: None,
            filter: ListFilter::default(),
            offset: 0,
            limit: 200,
            around: None,
            snapshot: None,
            joins_files: false,
            may_grow: false,
        }
    }
}
