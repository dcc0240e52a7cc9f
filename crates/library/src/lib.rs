//! Folder listings: a page of a folder's entries, in the order that users expect.
//!
//! A folder of 100,000 pictures costs one pass over its names. Each entry of a requested page costs one `stat`, once;
//! further pages come from the same snapshot. Picture headers are read in the background, and
//! their metadata is kept.

mod arrangement;
mod covers;
mod duplicate_reasons;
mod earlier_metadata;
mod engine;
mod entry;
mod events;
mod folder_ranges;
mod header;
mod joined_pictures;
mod library;
mod manifest;
mod metadata;
mod names;
mod natural;
mod original;
mod picture_order;
mod picture_type;
mod pictures;
mod query;
mod read_state;
mod reader;
mod scan;
mod scan_tree;
mod scanned_tree;
mod scheduler;
mod sidecar_pairs;
mod single_entries;
mod snapshot;
mod snapshot_cache;
mod snapshot_id;
mod tagged;
mod view;

pub use duplicate_reasons::{KeepReason, Likeness, StayReason};
pub use engine::{Engine, UnknownEngine};
pub use entry::{
    Companion, Entry, EntryKind, FolderSize, Group, GroupKey, Listing, crop_mark, shown_crop,
};
pub use events::{FolderKey, IndexEvent, LibraryEvent};
/// The type of [`Entry::crop`].
pub use fumikura_image::Crop;
pub use header::{embedded_date, embedded_marks};
pub use library::{Library, ListingCompleted};
pub use manifest::FolderVisitor;
pub use original::{Original, OriginalError};
pub use picture_order::{ArrangedPictures, OrderFacts, PlacedPicture, arrange};
pub use picture_type::PictureType;
pub use pictures::RootPictures;
pub use query::{GroupBy, ListFilter, ListQuery, ListQueryError, Order, RatingFilter, Sort};
pub use reader::HeadersRead;
pub use snapshot_id::{InvalidSnapshotId, SnapshotId};
pub use tagged::{TagCounts, TaggedPictures};
