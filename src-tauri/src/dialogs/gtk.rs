//! Dialogs made with GTK.

use std::path::PathBuf;

use gtk::glib::{MainContext, UserDirectory, home_dir, user_special_dir};
use gtk::prelude::*;
use gtk::{
    ButtonsType, DialogFlags, FileChooserAction, FileChooserNative, MessageDialog, MessageType,
    ResponseType,
};
use tauri::WebviewWindow;
use tokio::sync::oneshot;

use crate::language::Language;
use crate::words;

/// Lets the person choose a folder. None: they chose none.
pub(crate) async fn pick_folder(window: &WebviewWindow) -> tauri::Result<Option<PathBuf>> {
    let (answer, answered) = oneshot::channel();
    on_gtk_thread(window, move |parent| async move {
        let title = words::pick_folder_title(Language::of_the_system());
        let dialog = FileChooserNative::new(
            Some(title),
            Some(&parent),
            FileChooserAction::SelectFolder,
            None,
            None,
        );
        dialog.set_modal(true);
        dialog
            .set_current_folder(user_special_dir(UserDirectory::Pictures).unwrap_or_else(home_dir));
        let accepted = dialog.run_future().await == ResponseType::Accept;
        let chosen = if accepted { dialog.filename() } else { None };
        dialog.destroy();
        // Nobody listens any more when the application is ending.
        let _ending = answer.send(chosen);
    })?;
    Ok(answered.await.unwrap_or(None))
}

/// Tells something above the window, which goes on.
pub(crate) fn say(window: &WebviewWindow, heading: String, text: String) -> tauri::Result<()> {
    on_gtk_thread(window, move |parent| async move {
        let dialog = message(Some(&parent), MessageType::Warning, &heading, &text);
        dialog.run_future().await;
        dialog.close();
    })
}

/// Tells something when there is no window, and waits until it has been read.
pub(crate) fn say_and_wait(heading: &str, text: &str) {
    // Without a display, the same words on standard error are all that can be had.
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
    dialog.set_title(words::APPLICATION);
    dialog.set_secondary_text(Some(text));
    dialog
}

/// Runs a dialog on the thread that GTK belongs to, over the window.
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
