//! The two repairs of a file that is not as recorded: accept its contents, or restore them.

use std::path::PathBuf;
use std::sync::Arc;

use fumikura_hashes::{FilePath, files_of_size};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::folders::{GrantHolder, text};
use super::item::HashItem;
use super::runs::require_confirmation;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::names::{bytes, name_in_json};

/// A request to record the current contents of a file.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HashAccept {
    /// The hash folder: `own`, or a grant.
    #[serde(default)]
    pub dir: Option<String>,
    /// The recorded file.
    #[serde(default)]
    pub path: Option<String>,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(default)]
    pub path_bytes: Option<String>,
    /// Confirms writing into another program's hash folder.
    #[serde(default)]
    pub confirm_foreign: bool,
}

/// A request to give the records of a moved file or folder new paths.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HashAcceptMove {
    /// The recorded file or folder.
    #[serde(default)]
    pub path: Option<String>,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(default)]
    pub path_bytes: Option<String>,
    /// Its new path.
    #[serde(default)]
    pub to: Option<String>,
    /// The new path's bytes in base64, if they are not UTF-8.
    #[serde(default)]
    pub to_bytes: Option<String>,
}

/// The outcome of accepting a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct AcceptedMove {
    /// The number of records with new paths.
    records: u64,
}

/// A request to restore the recorded contents of a file.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HashRestore {
    /// The recorded file.
    #[serde(default)]
    pub path: Option<String>,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(default)]
    pub path_bytes: Option<String>,
    /// A folder with copies: a root's id, or a grant.
    #[serde(default)]
    pub from: Option<String>,
}

/// The outcome of a restoration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RestoredFile {
    /// The path of the intact copy.
    restored_from: String,
    /// The damaged file's new path; null if the file was missing.
    kept_as: Option<String>,
}

impl App {
    /// Accepts a file's current contents: their hash becomes the recorded one.
    ///
    /// # Errors
    /// `record_not_found`, `not_found`, `foreign_folder`, `hashes_busy`.
    pub(crate) async fn hash_accept(
        self: &Arc<Self>,
        request: HashAccept,
        holder: GrantHolder,
    ) -> Result<HashItem, ErrorBody> {
        let work = move |app: &App| {
            let folder = app.hash_folder(request.dir.as_deref(), &holder)?;
            require_confirmation(&folder, request.confirm_foreign)?;
            let path = file_path(request.path.as_deref(), request.path_bytes.as_deref())?;
            let row = folder.accept(&path, app.clock.now())?;
            Ok(HashItem::of_row(&path, &row))
        };
        Ok(blocking(self, work).await?)
    }

    /// Gives the records of a moved file, or of a folder with its recorded files, their new paths.
    ///
    /// # Errors
    /// `record_not_found`, `not_found`, `hashes_busy`; `changed_since` if an old place is not empty or a new one has
    /// other contents.
    pub(crate) async fn hash_accept_move(
        self: &Arc<Self>,
        request: HashAcceptMove,
    ) -> Result<AcceptedMove, ErrorBody> {
        let work = move |app: &App| {
            let folder = app.own_hash_folder()?;
            let from = file_path(request.path.as_deref(), request.path_bytes.as_deref())?;
            let to = file_path(request.to.as_deref(), request.to_bytes.as_deref())?;
            let records = folder.accept_move(&from, &to, app.clock.now())?;
            Ok(AcceptedMove { records })
        };
        Ok(blocking(self, work).await?)
    }

    /// Restores the recorded contents of a file from a known copy.
    ///
    /// # Errors
    /// `record_not_found`, `no_good_copy`, `changed_since` if the file is as recorded, `hashes_busy`.
    pub(crate) async fn hash_restore(
        self: &Arc<Self>,
        request: HashRestore,
        holder: GrantHolder,
    ) -> Result<RestoredFile, ErrorBody> {
        let work = move |app: &App| {
            let folder = app.own_hash_folder()?;
            let path = file_path(request.path.as_deref(), request.path_bytes.as_deref())?;
            let index = app.hashes.index(&folder)?;
            let mut copies = index.copies_of(&path)?;
            if let Some(row) = index.rows.get(&path) {
                let reported = app.hashes.reported_copies(&index, row.digest);
                copies.files.extend(reported);
            }
            if let (Some(size), Some(row)) = (copies.size, index.rows.get(&path)) {
                copies
                    .files
                    .extend(app.wiki.files_with_contents(size, &row.digest.0)?);
            }
            if let Some(from) = &request.from {
                let backup = app.backup_folder(from, &holder)?;
                copies.files.extend(files_of_size(&backup, copies.size));
            }
            let restored = folder.restore(&path, copies.files, app.clock.now())?;
            Ok(RestoredFile {
                restored_from: text(&restored.from),
                kept_as: restored.kept_as.map(|path| name_in_json(path.as_bytes()).0),
            })
        };
        Ok(blocking(self, work).await?)
    }

    /// Returns the folder that the user named as the one with copies.
    fn backup_folder(&self, from: &str, holder: &GrantHolder) -> Result<PathBuf, ApiError> {
        if let Some(root) = from
            .parse()
            .ok()
            .and_then(|id| self.pictures.roots().get(id))
        {
            return Ok(root.path().to_owned());
        }
        self.take_grant(from, holder).ok_or_else(|| {
            let message = "this folder is neither open nor was it just chosen; choose it again";
            ApiError::new(crate::error::ErrorCode::GrantInvalid, message)
        })
    }
}

pub(super) fn file_path(
    path: Option<&str>,
    path_bytes: Option<&str>,
) -> Result<FilePath, ApiError> {
    Ok(FilePath::new(bytes(path, path_bytes)?)?)
}
