//! Files that the user gave to the page: chosen in a dialog, or dropped on the window. The page gets a grant
//! for each, never its path.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use tauri::{Emitter, Manager, WebviewWindow};

use crate::backend::Backend;
use crate::platform::{self, DraggedFiles, DroppedFiles};

/// The event that notifies the page of dropped files.
const FILES_DROPPED: &str = "files-dropped";

/// A file, or a folder, that the page may use once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct GrantedFile {
    /// The grant for the server: valid once, for this window.
    grant: String,
    /// The name, for display.
    name: String,
    /// The size in bytes; null for a folder, or if unknown.
    size: Option<u64>,
    /// True for a folder.
    folder: bool,
}

/// The payload of [`FILES_DROPPED`].
#[derive(Clone, Serialize)]
struct FilesDropped {
    grants: Vec<GrantedFile>,
    /// The position in the page, in CSS pixels.
    x: f64,
    y: f64,
    /// True if the files are to be moved rather than copied.
    moves: bool,
}

impl GrantedFile {
    /// Returns a grant for each of the paths. Waits for the disk.
    pub(crate) async fn all(backend: &Backend, paths: Vec<PathBuf>) -> Vec<Self> {
        let backend = backend.clone();
        let grant_all = move || paths.iter().map(|path| Self::new(&backend, path)).collect();
        let grants = tauri::async_runtime::spawn_blocking(grant_all).await;
        grants.expect("BUG: granting files panicked")
    }

    fn new(backend: &Backend, path: &Path) -> Self {
        let (name, size, folder) = describe(path);
        Self {
            grant: backend.grant(path.to_owned()),
            name,
            size,
            folder,
        }
    }
}

fn describe(path: &Path) -> (String, Option<u64>, bool) {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let metadata = path.metadata().ok();
    let folder = metadata.as_ref().is_some_and(std::fs::Metadata::is_dir);
    let size = metadata.filter(std::fs::Metadata::is_file);
    (
        name.to_string_lossy().into_owned(),
        size.map(|metadata| metadata.len()),
        folder,
    )
}

/// Passes files that are dropped on the window to its page, and those that the page drags to other programs.
pub(crate) fn watch(window: &WebviewWindow, dragged: Arc<DraggedFiles>) -> tauri::Result<()> {
    let target = window.clone();
    window.with_webview(move |webview| {
        platform::connect_drags(&webview.inner(), dragged, move |dropped| {
            hand_over(&target, dropped);
        });
    })
}

fn hand_over(window: &WebviewWindow, dropped: DroppedFiles) {
    let DroppedFiles { paths, x, y, moves } = dropped;
    let window = window.clone();
    tauri::async_runtime::spawn(async move {
        let backend = window.state::<Backend>();
        let zoom = f64::from(backend.app().window().zoom()) / 100.0;
        let grants = GrantedFile::all(&backend, paths).await;
        let (x, y) = (f64::from(x) / zoom, f64::from(y) / zoom);
        let payload = FilesDropped {
            grants,
            x,
            y,
            moves,
        };
        if let Err(error) = window.emit(FILES_DROPPED, payload) {
            tracing::error!(%error, "dropped files can't be handed to the page");
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_are_distinguished() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("写真.jpg");
        std::fs::write(&file, b"four").unwrap();
        assert_eq!(describe(&file), ("写真.jpg".to_owned(), Some(4), false));
        let (_, size, is_folder) = describe(folder.path());
        assert_eq!((size, is_folder), (None, true));
        let gone = describe(&folder.path().join("gone"));
        assert_eq!(gone, ("gone".to_owned(), None, false));
    }
}
