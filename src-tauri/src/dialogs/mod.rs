//! The system's own dialogs.
//!
//! They use GTK, which the window requires anyway. The `rfd` crate has two
//! backends, and neither fits: its portal backend needs a service that small desktops lack, and its GTK
//! backend gives the dialog no parent, drops a folder whose name is not UTF-8, and iterates the main loop
//! from a thread of its own.

use serde::Deserialize;

/// The purpose of a chosen folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FolderFor {
    /// Shows the pictures of the folder.
    #[default]
    Pictures,
    /// Makes a backup in the folder.
    Backup,
    /// Shows the hash records of the folder.
    Hashes,
    /// Restores a damaged file from copies in the folder.
    Copies,
    /// Stores thumbnails in the folder.
    Cache,
}

/// The purpose of chosen files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FilesFor {
    /// Adds the files to a page.
    #[default]
    Page,
    /// Imports a single archive.
    Archive,
}

mod gtk;
mod print;

pub(crate) use gtk::{pick_files, pick_folder, save_file, show_message, show_message_and_wait};
pub(crate) use print::print;
