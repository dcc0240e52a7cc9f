//! Dialogs of GTK.

use std::path::PathBuf;

use gtk::glib::{MainContext, UserDirectory, home_dir, user_special_dir};
use gtk::prelude::*;
use gtk::{
    ButtonsType, DialogFlags, FileChooserAction, FileChooserNative, MessageDialog, MessageType,
    ResponseType,
};
use tauri::WebviewWindow;
use tokio::sync::oneshot;

use super::{FilesFor, FolderFor};
use crate::language::Language;
use crate::messages;

/// Lets the user choose a folder. None if the user cancels.
pub(crate) async fn pick_folder(
    window: &WebviewWindow,
    purpose: FolderFor,
) -> tauri::Result<Option<PathBuf>> {
    let title = messages::pick_folder_title(Language::of_the_system(), purpose);
    let prepare = move |dialog: &FileChooserNative| {
        let usual = match purpose {
            FolderFor::Pictures => user_special_dir(UserDirectory::Pictures),
            FolderFor::Backup | FolderFor::Hashes | FolderFor::Copies | FolderFor::Cache => None,
        };
        dialog.set_current_folder(usual.unwrap_or_else(home_dir));
    };
    let chosen = choose(window, title, FileChooserAction::SelectFolder, prepare).await?;
    Ok(chosen.into_iter().next())
}

/// Lets the user choose files. Empty if the user cancels.
pub(crate) async fn pick_files(
    window: &WebviewWindow,
    purpose: FilesFor,
) -> tauri::Result<Vec<PathBuf>> {
    let title = messages::pick_files_title(Language::of_the_system(), purpose);
    let prepare = move |dialog: &FileChooserNative| {
        dialog.set_select_multiple(purpose == FilesFor::Page);
    };
    choose(window, title, FileChooserAction::Open, prepare).await
}

/// Lets the user choose a place for a file, and confirm the replacement of an existing one. None if the user
/// cancels.
pub(crate) async fn save_file(
    window: &WebviewWindow,
    name: String,
) -> tauri::Result<Option<PathBuf>> {
    let title = messages::save_file_title(Language::of_the_system());
    let prepare = move |dialog: &FileChooserNative| {
        dialog.set_do_overwrite_confirmation(true);
        dialog.set_current_folder(
            user_special_dir(UserDirectory::Downloads).unwrap_or_else(home_dir),
        );
        dialog.set_current_name(&name);
    };
    let chosen = choose(window, title, FileChooserAction::Save, prepare).await?;
    Ok(chosen.into_iter().next())
}

/// Shows GTK's file dialog, and waits for the choice.
async fn choose(
    window: &WebviewWindow,
    title: &'static str,
    action: FileChooserAction,
    prepare: impl FnOnce(&FileChooserNative) + Send + 'static,
) -> tauri::Result<Vec<PathBuf>> {
    let (answer, answered) = oneshot::channel();
    on_gtk_thread(window, move |parent| async move {
        let dialog = FileChooserNative::new(Some(title), Some(&parent), action, None, None);
        dialog.set_modal(true);
        prepare(&dialog);
        let accepted = dialog.run_future().await == ResponseType::Accept;
        let chosen = if accepted {
            dialog.filenames()
        } else {
            Vec::new()
        };
        dialog.destroy();
        // The receiver is gone when the application is ending.
        let _ending = answer.send(chosen);
    })?;
    Ok(answered.await.unwrap_or_default())
}

/// Shows a message above the window, without waiting for the user.
pub(crate) fn show_message(
    window: &WebviewWindow,
    heading: String,
    text: String,
) -> tauri::Result<()> {
    on_gtk_thread(window, move |parent| async move {
        let dialog = message(Some(&parent), MessageType::Warning, &heading, &text);
        dialog.run_future().await;
        dialog.close();
    })
}

/// Shows a message if there is no window, and waits until the user closes it.
pub(crate) fn show_message_and_wait(heading: &str, text: &str) {
    // Without a display, the same text on standard error is the only message.
    if gtk::init().is_ok() {
        let dialog = message(None, MessageType::Error, heading, text);
        dialog.run();
        dialog.close();
    }
}

fn message(
    parent: Option<&gtk::ApplicationWindow>,
    kind: MessageType,
    heading: &str,
    text: &str,
) -> MessageDialog {
    let dialog = MessageDialog::new(
        parent,
        DialogFlags::MODAL,
        kind,
        ButtonsType::Close,
        heading,
    );
    dialog.set_title(messages::APPLICATION);
    dialog.set_secondary_text(Some(text));
    dialog
}

/// Runs a dialog on GTK's thread, above the window.
fn on_gtk_thread<F>(
    window: &WebviewWindow,
    dialog: impl FnOnce(gtk::ApplicationWindow) -> F + Send + 'static,
) -> tauri::Result<()>
where
    F: Future<Output = ()> + 'static,
{
    let owner = window.clone();
    window.run_on_main_thread(move || match owner.gtk_window() {
        Ok(parent) => {
            MainContext::default().spawn_local(dialog(parent));
        }
        Err(error) => tracing::warn!(%error, "a dialog has lost its window"),
    })
}
