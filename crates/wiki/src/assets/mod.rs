//! Files that belong to pages: their rows, their contents in the asset folder, and their fate when
//! their pages are deleted (docs/spec/wiki.md, Files).

mod all;
mod by_contents;
mod change;
mod error;
mod files;
mod import;
mod incoming;
mod markup;
mod mime;
mod moving;
mod read;
mod rows;
mod sizes;
mod sweep;
mod upload;
mod with_page;

pub use all::{AssetOwner, OwnedAsset};
pub use error::AssetError;
pub use read::{Asset, AssetContents};
pub use upload::AssetWriter;

pub(crate) use change::rename;
pub(crate) use error::NameConflict;
pub(crate) use files::{AssetFiles, BulkFiles, StoredFile};
pub(crate) use import::{ImportedFile, add_imported, take_back};
pub(crate) use incoming::{IncomingFile, ReceivedFile, digest};
pub(crate) use moving::{CopiedFile, MovedFile, add_copied, move_live_files, return_file};
pub(crate) use read::{all_files, asset_if_present, live_files};
pub(crate) use sizes::Sizes;
pub(crate) use sweep::{KnownSince, check_before_sweep, sweep};
pub(crate) use upload::unlink_without_row;
pub(crate) use with_page::{delete_with_page, orphan, remove_of_draft, restore_with_page};
