//! The tables, their keys and the types of their values. docs/STORAGE.md describes each.

use std::marker::PhantomData;

use redb::TableDefinition;

use super::sets::IdSets;
use crate::model::asset::AssetInfo;
use crate::model::autosave::{AutosaveHead, AutosaveTombstone};
use crate::model::history::{Deletion, FormerPaths};
use crate::model::link::PageLinks;
use crate::model::lock::LockInfo;
use crate::model::migration::{MigratedItem, MigrationRecord};
use crate::model::page::{PageIndex, PageSource, RenameInfo};
use crate::model::session::SessionInfo;
use crate::model::user::User;

/// The 16 bytes of an id. They sort in the order in which ids were created.
pub(crate) type IdKey = &'static [u8; 16];

/// A table whose values are `V`, encoded as a [`Record`](super::record::Record).
pub(crate) struct Table<K: redb::Key + 'static, V> {
    pub(super) definition: TableDefinition<'static, K, &'static [u8]>,
    pub(crate) name: &'static str,
    /// True if its keys are pages and its values are parts of their names.
    pub(super) names_pages: bool,
    /// True if `V` is the leading fields of the values.
    pub(super) leading_fields: bool,
    value: PhantomData<fn() -> V>,
}

impl<K: redb::Key + 'static, V> Table<K, V> {
    const fn new(name: &'static str) -> Self {
        Self {
            definition: TableDefinition::new(name),
            name,
            names_pages: false,
            leading_fields: false,
            value: PhantomData,
        }
    }

    /// Returns a table by pages whose changes [`ChangeTracker`](super::changes::Changes) tracks.
    const fn naming_pages(name: &'static str) -> Self {
        Self {
            names_pages: true,
            ..Self::new(name)
        }
    }

    /// Returns the same rows with their values read as another type: the leading fields of `V`.
    pub(crate) const fn read_as<W>(&self) -> Table<K, W> {
        Table {
            definition: self.definition,
            name: self.name,
            names_pages: self.names_pages,
            leading_fields: true,
            value: PhantomData,
        }
    }
}

impl<K: redb::Key + 'static, V> Clone for Table<K, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: redb::Key + 'static, V> Copy for Table<K, V> {}

/// Facts about the database itself: `schema` → its version.
pub(crate) const META: Table<&str, u32> = Table::new("meta");
/// The pages and drafts by their current paths (docs/spec/wiki.md, Pages and revisions).
pub(crate) const PAGE_PATH: Table<&str, [u8; 16]> = Table::new("page_path");
/// Pages and drafts by id (docs/spec/wiki.md, Pages and revisions).
pub(crate) const PAGE_INDEX: Table<IdKey, PageIndex> = Table::naming_pages("page_index");
/// Revisions by page and number (docs/spec/wiki.md, Pages and revisions).
pub(crate) const PAGE_SOURCE: Table<(IdKey, u64), PageSource> = Table::new("page_source");
/// Locks by token (docs/spec/wiki.md, Locks).
pub(crate) const LOCK: Table<IdKey, LockInfo> = Table::new("lock");
pub(crate) const USER: Table<IdKey, User> = Table::new("user");
pub(crate) const USER_NAME: Table<&str, [u8; 16]> = Table::new("user_name");
/// Autosave entries by id, without their text.
pub(crate) const AUTOSAVE: Table<IdKey, AutosaveHead> = Table::new("journal");
/// The text of autosave entries, unencoded, by the id of the entry.
pub(crate) const AUTOSAVE_TEXT: Table<IdKey, String> = Table::new("journal_text");
/// Autosave entries by page, user and tab.
pub(crate) const AUTOSAVE_KEY: Table<(IdKey, IdKey, &str), [u8; 16]> = Table::new("journal_key");
/// The versions that tabs have saved, in place of an autosave entry, by page, user and tab.
pub(crate) const AUTOSAVE_TOMBSTONE: Table<(IdKey, IdKey, &str), AutosaveTombstone> =
    Table::new("journal_end");
/// Settings as JSON, by name.
pub(crate) const SETTINGS: Table<&str, String> = Table::new("settings");
/// Sessions by the SHA-256 of their secret.
pub(crate) const SESSION: Table<&[u8; 32], SessionInfo> = Table::new("session");

/// The titles of saved pages: their first heading, if they have one, with links to pages whose names it shows.
pub(crate) const PAGE_TITLE: Table<IdKey, String> = Table::naming_pages("page_title");

/// The link targets of each saved page's latest revision (docs/spec/wiki.md, Links). A title may have the names
/// of those pages.
pub(crate) const PAGE_LINKS: Table<IdKey, PageLinks> = Table::naming_pages("page_links");
/// The pages that link to a page: the inverse of `PAGE_LINKS`.
pub(crate) const BACKLINK: IdSets<IdKey> = IdSets::new("backlink");
/// The pages with links that wait for a page at a path.
pub(crate) const WAITING_LINK: IdSets<&str> = IdSets::new("waiting_link");

/// The paths that each page has left.
pub(crate) const FORMER_PATHS: Table<IdKey, FormerPaths> = Table::new("former_paths");
/// The pages that have left a path: the inverse of `FORMER_PATHS`.
pub(crate) const LEFT_PATH: IdSets<&str> = IdSets::new("left_path");
/// Moves that no revision records yet, by page: those of restores to another path.
pub(crate) const UNRECORDED_MOVE: Table<IdKey, RenameInfo> = Table::new("untold_move");
/// The deletion of each page in the trash.
pub(crate) const DELETION: Table<IdKey, Deletion> = Table::new("deletion");
/// Deleted pages by their last path (docs/spec/wiki.md, Deleting and restoring).
pub(crate) const DELETED_PAGE_PATH: IdSets<&str> = IdSets::new("deleted_page_path");

/// Imports from other programs, by id.
pub(crate) const MIGRATION: Table<IdKey, MigrationRecord> = Table::new("migration");
/// The pages and files of imports, by the SHA-256 of source and item.
pub(crate) const MIGRATED_ITEM: Table<&[u8; 32], MigratedItem> = Table::new("migrated_item");

/// Assets by id (docs/spec/wiki.md, Files).
pub(crate) const ASSET: Table<IdKey, AssetInfo> = Table::new("asset");
/// The live assets by page and file name.
pub(crate) const ASSET_NAME: Table<(IdKey, &str), [u8; 16]> = Table::new("asset_name");
/// The assets of a page, live and deleted.
pub(crate) const PAGE_ASSETS: IdSets<IdKey> = IdSets::new("page_assets");
/// The page of an asset. An orphaned asset, whose page was erased, has none.
pub(crate) const ASSET_PAGE: Table<IdKey, [u8; 16]> = Table::new("asset_page");
