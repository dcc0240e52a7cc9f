//! Local files: copies that a user saves outside the wiki, and paths for the system's file manager.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fumikura_base::durable::{self, Access};
use fumikura_fs::RootId;
use fumikura_library::EntryKind;
use fumikura_wiki::{AssetId, ExportForm, FileName, StorageError};
use jiff::Timestamp;
use serde::Deserialize;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::operations::archive_name;
use crate::services::LocalFiles;

/// A request for a copy.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileToSave {
    /// A file of a page.
    Asset(AssetId),
    /// A text, such as a page's Markdown.
    Text(NamedText),
    /// An archive of all pages and their files.
    Export(WholeWiki),
}

/// All pages and their files.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WholeWiki {
    #[serde(default)]
    pub form: ExportForm,
    /// The wiki as of this moment; a full archive has all of them.
    #[serde(default)]
    pub at: Option<Timestamp>,
}

/// A text, and the proposed name of its file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedText {
    name: String,
    text: String,
}

/// A file or folder beneath a root. Exactly one of `path` and `path_bytes` (base64) is set.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceInRoot {
    root: RootId,
    path: Option<String>,
    path_bytes: Option<String>,
}

/// Contents that are ready to be written to a path that the user chooses.
#[derive(Debug)]
pub struct OpenedFile {
    name: FileName,
    contents: Contents,
}

#[derive(Debug)]
enum Contents {
    File(File),
    Text(String),
    Archive(WholeWiki),
}

impl OpenedFile {
    /// Returns the proposed file name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_str()
    }
}

impl LocalFiles {
    /// Opens the contents to copy, before the user is asked for a destination.
    ///
    /// # Errors
    /// `asset_not_found`; `invalid_file_name`.
    pub async fn open_to_save(
        self: &Arc<Self>,
        wanted: FileToSave,
    ) -> Result<OpenedFile, ErrorBody> {
        let work = move |files: &Self| match wanted {
            FileToSave::Asset(id) => {
                let opened = files.wiki.assets().open(id)?;
                Ok(OpenedFile {
                    name: opened.asset.file_name,
                    contents: Contents::File(opened.file),
                })
            }
            FileToSave::Text(NamedText { name, text }) => Ok(OpenedFile {
                name: FileName::existing(&name)?,
                contents: Contents::Text(text),
            }),
            FileToSave::Export(WholeWiki { form, at }) => {
                let now = files.clock.now();
                let at = at.map(|at| at.min(now));
                Ok(OpenedFile {
                    name: FileName::new(&archive_name(at.unwrap_or(now), form))?,
                    contents: Contents::Archive(WholeWiki { form, at }),
                })
            }
        };
        Ok(blocking(self, work).await?)
    }

    /// Writes the copy, whole or not at all, and replaces an existing file. An archive is written by a job,
    /// which reports progress and can be cancelled.
    ///
    /// # Errors
    /// `disk_full`, `read_only`, `storage_failed`; `cancelled`.
    pub async fn save(self: &Arc<Self>, file: OpenedFile, place: PathBuf) -> Result<(), ErrorBody> {
        let mut contents: Box<dyn Read + Send> = match file.contents {
            Contents::File(file) => Box::new(file),
            Contents::Text(text) => Box::new(io::Cursor::new(text)),
            Contents::Archive(wanted) => return self.export_to(place, wanted).await,
        };
        let work = move |_: &Self| {
            durable::write_from(&place, &mut contents, Access::Default)
                .map_err(StorageError::from)?;
            Ok(())
        };
        Ok(blocking(self, work).await?)
    }

    /// Returns the path of a file or folder of a root, for the system's file manager.
    ///
    /// # Errors
    /// `root_not_found`, `folder_unavailable`, `not_found`, `outside_roots`; `bad_request`.
    pub async fn place_in_root(self: &Arc<Self>, place: PlaceInRoot) -> Result<PathBuf, ErrorBody> {
        let work = move |files: &Self| {
            let source = files.pictures.roots().source(place.root, &place.bytes()?)?;
            source.stat()?;
            Ok(OsString::from_vec(source.absolute()).into())
        };
        Ok(blocking(self, work).await?)
    }

    /// Returns the path of a picture of a root, for the program that the system opens it with. A file that is
    /// not a picture by its name is refused, because it may be a program itself.
    ///
    /// # Errors
    /// `not_a_picture`, and those of [`Self::place_in_root`].
    pub async fn picture_in_root(
        self: &Arc<Self>,
        place: PlaceInRoot,
    ) -> Result<PathBuf, ErrorBody> {
        let work = move |files: &Self| {
            let source = files.pictures.roots().source(place.root, &place.bytes()?)?;
            source.find()?;
            if EntryKind::of_file(source.path().name()) != EntryKind::Picture {
                let message = "The file is not a picture.";
                return Err(ApiError::new(ErrorCode::NotAPicture, message));
            }
            Ok(OsString::from_vec(source.absolute()).into())
        };
        Ok(blocking(self, work).await?)
    }
}

impl PlaceInRoot {
    fn bytes(&self) -> Result<Vec<u8>, ApiError> {
        match (&self.path, &self.path_bytes) {
            (Some(path), None) => Ok(path.clone().into_bytes()),
            (None, Some(bytes)) => STANDARD
                .decode(bytes)
                .map_err(|error| ApiError::new(ErrorCode::BadRequest, error)),
            (Some(_), Some(_)) | (None, None) => Err(ApiError::new(
                ErrorCode::BadRequest,
                "a place is named by path, or by path_bytes",
            )),
        }
    }
}
