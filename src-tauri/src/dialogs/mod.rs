//! The system's own dialogs.
//!
//! On Linux they are made with GTK itself, which the window runs on anyway. rfd, which serves
//! elsewhere, offers two ways there, and neither fits: its portal needs a service that small
//! desktops don't have, and its GTK way gives the dialog no parent, drops a folder whose name is
//! not UTF-8, and iterates the main loop from a thread of its own.

use serde::Deserialize;

/// What a folder is chosen for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FolderFor {
    /// Its pictures are to be seen.
    #[default]
    Pictures,
    /// A backup is to be made in it.
    Backup,
    /// Its hash records are to be seen.
    Hashes,
    /// It holds copies from which a damaged file is restored.
    Copies,
    /// Thumbnails are to be kept in it.
    Cache,
}

/// What files are chosen for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FilesFor {
    /// They are to come to a page.
    #[default]
    Page,
    /// It is to be brought in; there is one.
    Archive,
}

#[cfg(target_os = "linux")]
mod gtk;
#[cfg(not(target_os = "linux"))]
mod native;

#[cfg(target_os = "linux")]
pub(crate) use gtk::{pick_files, pick_folder, save_file, say, say_and_wait};
#[cfg(not(target_os = "linux"))]
pub(crate) use native::{pick_files, pick_folder, save_file, say, say_and_wait};
