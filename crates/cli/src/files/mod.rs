//! `fumi folder`, `album`, `rate`, `tag`, `mv`, `cp`, `trash`, `undo` and `describe`: pictures, and the open folders with them.

mod album;
mod describe;
mod folder;
mod listing;
mod marks;
mod operations;
mod place;

pub(crate) use album::{AlbumArguments, album};
pub(crate) use describe::{DescribeArguments, describe};
pub(crate) use folder::{FolderArguments, folder};
pub(crate) use marks::{RateArguments, TagArguments, rate, tag};
pub(crate) use operations::{
    TransferArguments, TrashArguments, UndoArguments, copy, move_files, trash, undo,
};
pub(crate) use place::OpenFolders;
