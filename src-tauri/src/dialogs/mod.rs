//! The system's own dialogs.
//!
//! Files, folders and messages use `rfd`, with its GTK backend: its other one, the portal, needs a service that small
//! desktops lack. That backend has two limits: its dialogs have no parent, so [`attach`] sets it once the dialog is
//! open; and a name that is not UTF-8 cannot be chosen, only dropped on the window or given as an argument.

mod print;

use std::path::PathBuf;

use gtk::glib::{self, UserDirectory, home_dir, user_special_dir};
use gtk::prelude::*;
use rfd::{AsyncFileDialog, AsyncMessageDialog, FileHandle, MessageDialogResult, MessageLevel};
use serde::Deserialize;
use tauri::WebviewWindow;

use crate::language::Language;
use crate::messages;

pub(crate) use print::{print, print_html, print_to_file};

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
    /// Imports notes of another program from the folder.
    Notes,
    /// Keeps all pages as Markdown in the folder.
    Mirror,
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
    /// Imports a single file with notes of another program.
    Notes,
}

/// Lets the user choose a folder. None if the user cancels.
pub(crate) async fn pick_folder(
    window: &WebviewWindow,
    purpose: FolderFor,
) -> tauri::Result<Option<PathBuf>> {
    let title = messages::pick_folder_title(Language::of_the_user(window), purpose);
    let start = match purpose {
        FolderFor::Pictures => user_special_dir(UserDirectory::Pictures),
        FolderFor::Backup
        | FolderFor::Hashes
        | FolderFor::Copies
        | FolderFor::Cache
        | FolderFor::Notes
        | FolderFor::Mirror => None,
    };
    let dialog = AsyncFileDialog::new()
        .set_title(title)
        .set_directory(start.unwrap_or_else(home_dir));
    let chosen = attach(window, dialog.pick_folder())?.await;
    Ok(chosen.map(path))
}

/// Lets the user choose files. Empty if the user cancels.
pub(crate) async fn pick_files(
    window: &WebviewWindow,
    purpose: FilesFor,
) -> tauri::Result<Vec<PathBuf>> {
    let title = messages::pick_files_title(Language::of_the_user(window), purpose);
    let dialog = AsyncFileDialog::new().set_title(title);
    let chosen = match purpose {
        FilesFor::Page => attach(window, dialog.pick_files())?
            .await
            .unwrap_or_default(),
        FilesFor::Archive | FilesFor::Notes => {
            Vec::from_iter(attach(window, dialog.pick_file())?.await)
        }
    };
    Ok(chosen.into_iter().map(path).collect())
}

/// Lets the user choose a place for a file, and confirm the replacement of an existing one. None if the user
/// cancels.
pub(crate) async fn save_file(
    window: &WebviewWindow,
    name: String,
) -> tauri::Result<Option<PathBuf>> {
    let start = user_special_dir(UserDirectory::Downloads).unwrap_or_else(home_dir);
    let dialog = AsyncFileDialog::new()
        .set_title(messages::save_file_title(Language::of_the_user(window)))
        .set_directory(start)
        .set_file_name(name);
    let chosen = attach(window, dialog.save_file())?.await;
    Ok(chosen.map(path))
}

/// Shows a message above the window, without waiting for the user.
pub(crate) fn show_message(window: &WebviewWindow, heading: &str, text: &str) -> tauri::Result<()> {
    let closed = attach(window, message(heading, text))?;
    tauri::async_runtime::spawn(closed);
    Ok(())
}

fn message(heading: &str, text: &str) -> impl Future<Output = MessageDialogResult> + Send + use<> {
    AsyncMessageDialog::new()
        .set_level(MessageLevel::Warning)
        .set_title(heading)
        .set_description(text)
        .show()
}

fn path(chosen: FileHandle) -> PathBuf {
    chosen.path().to_owned()
}

/// Keeps a dialog that is about to open above the window, and the window inactive meanwhile. Returns the dialog's
/// answer.
fn attach<F>(window: &WebviewWindow, dialog: F) -> tauri::Result<F> {
    let owner = window.clone();
    window.run_on_main_thread(move || {
        // The dialog opens in an earlier idle callback of the same priority.
        glib::idle_add_local_once(move || match owner.gtk_window() {
            Ok(parent) => {
                for dialog in orphaned_dialogs() {
                    dialog.set_transient_for(Some(&parent));
                    dialog.set_modal(true);
                }
            }
            Err(error) => tracing::warn!(%error, "a dialog has lost its window"),
        });
    })?;
    Ok(dialog)
}

/// Returns the open dialogs without a parent.
fn orphaned_dialogs() -> impl Iterator<Item = gtk::Dialog> {
    let windows = gtk::Window::list_toplevels().into_iter();
    let dialogs = windows.filter_map(|window| window.downcast::<gtk::Dialog>().ok());
    dialogs.filter(|dialog| dialog.is_visible() && dialog.transient_for().is_none())
}
