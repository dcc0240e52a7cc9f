//! Dialogs of the system, through rfd.

use std::path::PathBuf;

use rfd::{AsyncFileDialog, AsyncMessageDialog, MessageDialog, MessageLevel};
use tauri::WebviewWindow;

use super::{FilesFor, FolderFor};
use crate::language::Language;
use crate::words;

/// Lets the user choose a folder. None if the user cancels.
pub(crate) async fn pick_folder(
    window: &WebviewWindow,
    purpose: FolderFor,
) -> tauri::Result<Option<PathBuf>> {
    let title = words::pick_folder_title(Language::of_the_system(), purpose);
    let chosen = AsyncFileDialog::new()
        .set_title(title)
        .set_parent(window)
        .pick_folder()
        .await;
    Ok(chosen.map(|folder| folder.path().to_owned()))
}

/// Lets the user choose files. Empty if the user cancels.
pub(crate) async fn pick_files(
    window: &WebviewWindow,
    purpose: FilesFor,
) -> tauri::Result<Vec<PathBuf>> {
    let title = words::pick_files_title(Language::of_the_system(), purpose);
    let dialog = AsyncFileDialog::new().set_title(title).set_parent(window);
    let chosen = match purpose {
        FilesFor::Page => dialog.pick_files().await.unwrap_or_default(),
        FilesFor::Archive => dialog.pick_file().await.into_iter().collect(),
    };
    Ok(chosen.iter().map(|file| file.path().to_owned()).collect())
}

/// Lets the user choose a place for a file. None if the user cancels.
pub(crate) async fn save_file(
    window: &WebviewWindow,
    name: String,
) -> tauri::Result<Option<PathBuf>> {
    let title = words::save_file_title(Language::of_the_system());
    let dialog = AsyncFileDialog::new().set_title(title).set_parent(window);
    let chosen = dialog.set_file_name(name).save_file().await;
    Ok(chosen.map(|file| file.path().to_owned()))
}

/// Shows a message above the window, without waiting for the user.
pub(crate) fn say(window: &WebviewWindow, heading: String, text: String) -> tauri::Result<()> {
    let dialog = AsyncMessageDialog::new()
        .set_level(MessageLevel::Warning)
        .set_title(heading)
        .set_description(text)
        .set_parent(window)
        .show();
    tauri::async_runtime::spawn(dialog);
    Ok(())
}

/// Shows a message if there is no window, and waits until the user closes it.
pub(crate) fn say_and_wait(heading: &str, text: &str) {
    MessageDialog::new()
        .set_level(MessageLevel::Error)
        .set_title(heading)
        .set_description(text)
        .show();
}
