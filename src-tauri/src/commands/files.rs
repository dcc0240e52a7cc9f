//! `pick_files`, `save_file`, `save_pdf`, `reveal`, `open_picture`, `open_data_folder`, `open_notices`, `drag_files`: the
//! user's own files. The paths of the chosen ones are never sent to the page.

use std::sync::Arc;

use fumikura_server::{FileToSave, PlaceInRoot};
use serde::{Deserialize, Serialize};
use tauri::{State, WebviewWindow};

use super::args::Args;
use super::error::CommandError;
use crate::arguments::ShellArguments;
use crate::backend::Backend;
use crate::dialogs::{self, FilesFor};
use crate::file_grants::GrantedFile;
use crate::notices;
use crate::platform::{self, DraggedFiles};

/// The number of files that one drag passes to other programs.
const MAX_DRAGGED: usize = 10_000;

/// The kind of files to choose.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PickFiles {
    #[serde(default)]
    purpose: FilesFor,
}

/// A file that was written.
#[derive(Debug, Serialize)]
pub(crate) struct SavedFile {
    /// The name, for display.
    name: String,
}

/// Lets the user choose files, and returns a grant for each to the page. None if the user chose none.
#[tauri::command]
pub(crate) async fn pick_files(
    window: WebviewWindow,
    backend: State<'_, Backend>,
    args: Args<PickFiles>,
) -> Result<Vec<GrantedFile>, CommandError> {
    let files = dialogs::pick_files(&window, args.0.purpose).await;
    let files = files.map_err(no_dialog)?;
    Ok(GrantedFile::all(&backend, files).await)
}

/// Lets the user choose a place for a file, and writes it there. Null if the user chose no place.
#[tauri::command]
pub(crate) async fn save_file(
    window: WebviewWindow,
    backend: State<'_, Backend>,
    args: Args<FileToSave>,
) -> Result<Option<SavedFile>, CommandError> {
    let file = backend.app().local_files().open_to_save(args.0).await?;
    let chosen = dialogs::save_file(&window, file.name().to_owned()).await;
    let Some(place) = chosen.map_err(no_dialog)? else {
        return Ok(None);
    };
    let name = place.file_name().unwrap_or(place.as_os_str());
    let name = name.to_string_lossy().into_owned();
    backend.app().local_files().save(file, place).await?;
    Ok(Some(SavedFile { name }))
}

/// The suggested name of a PDF file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavePdf {
    name: String,
}

/// Lets the user choose a place, and writes the page as it is shown there as a PDF file. Null if the user chose no
/// place.
#[tauri::command]
pub(crate) async fn save_pdf(
    window: WebviewWindow,
    args: Args<SavePdf>,
) -> Result<Option<SavedFile>, CommandError> {
    let chosen = dialogs::save_file(&window, args.0.name.replace(['/', '\0'], "-")).await;
    let Some(place) = chosen.map_err(no_dialog)? else {
        return Ok(None);
    };
    let name = place.file_name().unwrap_or(place.as_os_str());
    let name = name.to_string_lossy().into_owned();
    let not_written = || CommandError::internal("The PDF file could not be written.");
    let written = dialogs::print_to_file(&window, place.clone()).await;
    let written = written.map_err(|error| {
        tracing::error!(%error, "the page can't be printed to a file");
        not_written()
    })?;
    written.map_err(|error| {
        tracing::error!(%error, "printing to a file failed");
        not_written()
    })?;
    match place.exists() {
        true => Ok(Some(SavedFile { name })),
        false => Err(not_written()),
    }
}

/// Shows a picture, or a folder, in the system's file manager.
#[tauri::command]
pub(crate) async fn reveal(
    backend: State<'_, Backend>,
    args: Args<PlaceInRoot>,
) -> Result<(), CommandError> {
    let place = backend.app().local_files().place_in_root(args.0).await?;
    let shown = tauri::async_runtime::spawn_blocking(move || platform::reveal(&place)).await;
    let shown = shown.unwrap_or_else(|error| Err(std::io::Error::other(error)));
    shown.map_err(|error| {
        tracing::error!(%error, "the file manager can't be shown");
        CommandError::internal("The system has no file manager that could be opened.")
    })
}

/// Opens a picture with the system's default program.
#[tauri::command]
pub(crate) async fn open_picture(
    backend: State<'_, Backend>,
    args: Args<PlaceInRoot>,
) -> Result<(), CommandError> {
    let place = backend.app().local_files().picture_in_root(args.0).await?;
    open::that_detached(place).map_err(|error| {
        tracing::error!(%error, "no program opens the picture");
        CommandError::internal("The system has no program that opens this picture.")
    })
}

/// Files of the page's drag, in the place of a link.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FilesToDrag {
    link: String,
    places: Vec<PlaceInRoot>,
}

/// Passes pictures to other programs if the page's current drag, which has the link, ends there.
#[tauri::command]
pub(crate) async fn drag_files(
    backend: State<'_, Backend>,
    dragged: State<'_, Arc<DraggedFiles>>,
    args: Args<FilesToDrag>,
) -> Result<(), CommandError> {
    let FilesToDrag { link, places } = args.0;
    let app = backend.app();
    let files = app.local_files();
    let mut paths = Vec::new();
    for place in places.into_iter().take(MAX_DRAGGED) {
        paths.push(files.picture_in_root(place).await?);
    }
    dragged.set(link, &paths);
    Ok(())
}

/// Shows the folder of all data in the system's file manager.
#[tauri::command]
pub(crate) async fn open_data_folder(backend: State<'_, Backend>) -> Result<(), CommandError> {
    open::that_detached(backend.app().data_folder()).map_err(|error| {
        tracing::error!(%error, "the file manager can't be shown");
        CommandError::internal("The system has no file manager that could be opened.")
    })
}

/// Opens the notices of third-party works with the system's default program.
#[tauri::command]
pub(crate) async fn open_notices(arguments: State<'_, ShellArguments>) -> Result<(), CommandError> {
    let cache = arguments.cache_folder();
    let cache = cache.ok_or_else(|| CommandError::internal("There is no home folder."))?;
    let unpacked = tauri::async_runtime::spawn_blocking(move || notices::unpacked(&cache)).await;
    let unpacked = unpacked.unwrap_or_else(|error| Err(std::io::Error::other(error)));
    let file = unpacked.map_err(|error| {
        tracing::error!(%error, "the notices can't be unpacked");
        CommandError::internal(
            "This program was not installed from a package, which has the notices.",
        )
    })?;
    open::that_detached(file).map_err(|error| {
        tracing::error!(%error, "no program opens the notices");
        CommandError::internal("The system has no program that opens texts.")
    })
}

fn no_dialog(error: tauri::Error) -> CommandError {
    tracing::error!(%error, "a file dialog can't be shown");
    CommandError::internal("The system's file dialog can't be shown.")
}
