//! The parts of a wiki: its operations by aggregate, each with what it needs. Their methods are in the modules of
//! the aggregates.

use std::sync::Arc;

use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;
use parking_lot::RwLock;

use crate::assets::{AssetFiles, Sizes};
use crate::autosave::NextScan;
use crate::catalogue::CatalogueRows;
use crate::locks::LockTime;
use crate::search::Index;
use crate::store::Store;
use crate::wiki::Wiki;

/// The pages: creating, reading, saving and listing them.
#[derive(Clone, Copy)]
pub struct Pages<'w> {
    pub(crate) store: &'w Store,
    pub(crate) clock: &'w dyn Clock,
    pub(crate) entropy: &'w dyn Entropy,
    pub(crate) lock_time: &'w LockTime,
    pub(crate) next_scan: &'w NextScan,
}

/// The search of pages by their names.
#[derive(Clone, Copy)]
pub struct PageSearch<'w> {
    pub(crate) store: &'w Store,
    pub(crate) names: &'w RwLock<Index>,
}

/// The tags and properties of all pages.
#[derive(Clone, Copy)]
pub struct Catalogue<'w> {
    pub(crate) store: &'w Store,
    pub(crate) rows: &'w RwLock<CatalogueRows>,
}

/// The revisions of pages: history, differences, rollback.
#[derive(Clone, Copy)]
pub struct Revisions<'w> {
    pub(crate) store: &'w Store,
    pub(crate) clock: &'w dyn Clock,
    pub(crate) lock_time: &'w LockTime,
}

/// The links between pages.
#[derive(Clone, Copy)]
pub struct Links<'w> {
    pub(crate) store: &'w Store,
    pub(crate) lock_time: &'w LockTime,
}

/// The tree of pages: its branches, renaming and deleting them, and the trash.
#[derive(Clone, Copy)]
pub struct Tree<'w> {
    pub(crate) store: &'w Store,
    pub(crate) clock: &'w dyn Clock,
    pub(crate) entropy: &'w dyn Entropy,
    pub(crate) lock_time: &'w LockTime,
}

/// The reorganization of pages: duplicating, extracting and merging them.
#[derive(Clone, Copy)]
pub struct Reorganize<'w> {
    pub(crate) store: &'w Store,
    pub(crate) clock: &'w dyn Clock,
    pub(crate) entropy: &'w dyn Entropy,
    pub(crate) lock_time: &'w LockTime,
    pub(crate) files: &'w AssetFiles,
}

/// The locks of pages.
#[derive(Clone, Copy)]
pub struct Locks<'w> {
    pub(crate) store: &'w Store,
    pub(crate) entropy: &'w dyn Entropy,
    pub(crate) lock_time: &'w LockTime,
}

/// The files of pages.
#[derive(Clone, Copy)]
pub struct Assets<'w> {
    pub(crate) store: &'w Store,
    pub(crate) clock: &'w dyn Clock,
    pub(crate) entropy: &'w dyn Entropy,
    pub(crate) lock_time: &'w LockTime,
    pub(crate) files: &'w AssetFiles,
    pub(crate) sizes: &'w Sizes,
    /// The maximum size of a file in bytes.
    pub(crate) limit: u64,
}

/// Archives of pages and their files: export and import.
#[derive(Clone, Copy)]
pub struct Archives<'w> {
    pub(crate) store: &'w Store,
    pub(crate) clock: &'w dyn Clock,
    pub(crate) entropy: &'w dyn Entropy,
    pub(crate) lock_time: &'w LockTime,
    pub(crate) files: &'w AssetFiles,
    /// The maximum size of a file in bytes.
    pub(crate) limit: u64,
}

/// Imports from other programs.
#[derive(Clone, Copy)]
pub struct Migrations<'w> {
    pub(crate) store: &'w Store,
    pub(crate) clock: &'w dyn Clock,
    pub(crate) entropy: &'w dyn Entropy,
    pub(crate) lock_time: &'w LockTime,
    pub(crate) files: &'w AssetFiles,
}

/// The backups of the wiki.
#[derive(Clone, Copy)]
pub struct Backups<'w> {
    pub(crate) wiki: &'w Wiki,
    pub(crate) clock: &'w Arc<dyn Clock>,
    pub(crate) entropy: &'w Arc<dyn Entropy>,
    /// The maximum size of a file in bytes.
    pub(crate) limit: u64,
}

/// The autosave entries of users.
#[derive(Clone, Copy)]
pub struct Autosave<'w> {
    pub(crate) store: &'w Store,
    pub(crate) clock: &'w dyn Clock,
    pub(crate) entropy: &'w dyn Entropy,
}

/// The users.
#[derive(Clone, Copy)]
pub struct Users<'w> {
    pub(crate) store: &'w Store,
    pub(crate) clock: &'w dyn Clock,
    pub(crate) entropy: &'w dyn Entropy,
}

/// The pages and folders that users viewed last.
#[derive(Clone, Copy)]
pub struct Visits<'w> {
    pub(crate) store: &'w Store,
    pub(crate) clock: &'w dyn Clock,
    pub(crate) lock_time: &'w LockTime,
}

/// The sessions of browsers.
#[derive(Clone, Copy)]
pub struct Sessions<'w> {
    pub(crate) store: &'w Store,
    pub(crate) clock: &'w dyn Clock,
}
