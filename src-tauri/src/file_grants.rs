//! Files that the user gave to the page: chosen in a dialog, or dropped on the window. The page gets a grant
//! for each, never its path.

use std::path::{Path, PathBuf};

use serde::Serialize;
use tauri::{
    DragDropEvent, Emitter, LogicalPosition, Manager, PhysicalPosition, WebviewWindow, WindowEvent,
};

use crate::backend::Backend;

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

/// Passes files that are dropped on the window to its page. WebKit passes no files from outside to a page.
pub(crate) fn watch(window: &WebviewWindow) {
    let target = window.clone();
    window.on_window_event(move |event| {
        if let WindowEvent::DragDrop(DragDropEvent::Drop { paths, position }) = event {
            hand_over(&target, paths.clone(), *position);
        }
    });
}

fn hand_over(window: &WebviewWindow, paths: Vec<PathBuf>, position: PhysicalPosition<f64>) {
    // A drag of the page's own text or picture also ends here.
    if paths.is_empty() {
        return;
    }
    let window = window.clone();
    tauri::async_runtime::spawn(async move {
        let place: LogicalPosition<f64> = position.to_logical(window.scale_factor().unwrap_or(1.0));
        let backend = window.state::<Backend>();
        let zoom = f64::from(backend.app().window().zoom()) / 100.0;
        let grants = GrantedFile::all(&backend, paths).await;
        let (x, y) = (place.x / zoom, place.y / zoom);
        if let Err(error) = window.emit(FILES_DROPPED, FilesDropped { grants, x, y }) {
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
