//! The clipboard, through GTK.

use std::path::PathBuf;

use gtk::gio;
use gtk::gio::prelude::FileExt;
use gtk::glib::MainContext;
use gtk::{Clipboard, gdk};
use tauri::WebviewWindow;
use tokio::sync::oneshot;

use super::ClipboardContents;

/// Picture formats that are taken as they are. Any other is converted to PNG.
const KINDS: [(&str, &str); 4] = [
    ("image/png", "png"),
    ("image/jpeg", "jpg"),
    ("image/webp", "webp"),
    ("image/gif", "gif"),
];

/// Requests the contents from the owner of the clipboard. Files take precedence over a picture: a file
/// manager may offer a picture of the copied file.
pub(crate) async fn read(window: &WebviewWindow) -> tauri::Result<ClipboardContents> {
    let (answer, answered) = oneshot::channel();
    window.run_on_main_thread(move || {
        MainContext::default().spawn_local(async move {
            let contents = read_contents(&Clipboard::get(&gdk::SELECTION_CLIPBOARD)).await;
            // The receiver is gone when the application is ending.
            let _ending = answer.send(contents);
        });
    })?;
    Ok(answered.await.unwrap_or(ClipboardContents::Nothing))
}

/// Puts a text on the clipboard. Must be called on the main thread.
pub(crate) fn write_text(text: &str) {
    let clipboard = Clipboard::get(&gdk::SELECTION_CLIPBOARD);
    clipboard.set_text(text);
    // The text outlives this process, if the desktop has a clipboard manager.
    clipboard.store();
}

async fn read_contents(clipboard: &Clipboard) -> ClipboardContents {
    let files = files(clipboard).await;
    if !files.is_empty() {
        return ClipboardContents::Files(files);
    }
    for (kind, ending) in KINDS {
        let contents = contents(clipboard, kind).await;
        if !contents.is_empty() {
            return ClipboardContents::Picture { ending, contents };
        }
    }
    match any_picture(clipboard).await {
        Some(contents) => ClipboardContents::Picture {
            ending: "png",
            contents,
        },
        None => ClipboardContents::Nothing,
    }
}

async fn files(clipboard: &Clipboard) -> Vec<PathBuf> {
    let (answer, answered) = oneshot::channel();
    clipboard.request_uris(move |_clipboard, addresses| {
        let paths = addresses
            .iter()
            .filter_map(|address| gio::File::for_uri(address).path());
        let _asked_still = answer.send(paths.collect());
    });
    answered.await.unwrap_or_default()
}

async fn contents(clipboard: &Clipboard, kind: &str) -> Vec<u8> {
    let (answer, answered) = oneshot::channel();
    clipboard.request_contents(&gdk::Atom::intern(kind), move |_clipboard, data| {
        let there = data.length() > 0;
        let _asked_still = answer.send(if there { data.data() } else { Vec::new() });
    });
    answered.await.unwrap_or_default()
}

/// Returns a picture in any format that GTK can read, as a PNG.
async fn any_picture(clipboard: &Clipboard) -> Option<Vec<u8>> {
    let (answer, answered) = oneshot::channel();
    clipboard.request_image(move |_clipboard, picture| {
        let png = picture.and_then(|picture| match picture.save_to_bufferv("png", &[]) {
            Ok(png) => Some(png),
            Err(error) => {
                tracing::warn!(%error, "a picture of the clipboard can't be kept as PNG");
                None
            }
        });
        let _asked_still = answer.send(png);
    });
    answered.await.ok().flatten()
}
