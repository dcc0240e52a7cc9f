//! The two repairs of a file that is not as recorded: accept its contents, or restore them.

use std::path::PathBuf;
use std::sync::Arc;

use fumikura_hashes::{FilePath, MissingFile, RepairError, files_of_size};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::detail::places;
use super::folders::text;
use super::item::HashItem;
use super::runs::require_confirmation;
use crate::blocking::queued;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::guard::{Authority, Caller};
use crate::names::{bytes, name_in_json};
use crate::services::Hashes;
use crate::shares::WorkKind;

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
    /// Confirms that a missing file is created.
    #[serde(default)]
    pub create: bool,
}

/// The outcome of a restoration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RestoredFile {
    /// The path of the intact copy.
    restored_from: String,
    /// The damaged file's new path; null if the file was missing.
    kept_as: Option<String>,
}

/// Accepts a file's current contents: their hash becomes the recorded one.
///
/// # Errors
/// `outside_roots`, `record_not_found`, `not_found`, `foreign_folder`, `hashes_busy`.
pub(crate) async fn hash_accept(
    hashes: &Arc<Hashes>,
    request: HashAccept,
    caller: Caller,
    authority: Authority,
) -> Result<HashItem, ErrorBody> {
    let work = move |hashes: &Hashes| {
        let folder = hashes.hash_folder(request.dir.as_deref(), caller)?;
        require_confirmation(&folder, request.confirm_foreign)?;
        let path = file_path(request.path.as_deref(), request.path_bytes.as_deref())?;
        require_open_place(hashes, &path, authority)?;
        let row = folder.accept(&path, hashes.clock.now())?;
        Ok(HashItem::of_row(&path, &row))
    };
    Ok(queued(&hashes.shares, WorkKind::HashRepair, hashes, work).await?)
}

/// Gives the records of a moved file, or of a folder with its recorded files, their new paths.
///
/// # Errors
/// `outside_roots`, `record_not_found`, `not_found`, `hashes_busy`; `changed_since` if an old place is not empty or
/// a new one has other contents.
pub(crate) async fn hash_accept_move(
    hashes: &Arc<Hashes>,
    request: HashAcceptMove,
    authority: Authority,
) -> Result<AcceptedMove, ErrorBody> {
    let work = move |hashes: &Hashes| {
        let folder = hashes.own_hash_folder()?;
        let from = file_path(request.path.as_deref(), request.path_bytes.as_deref())?;
        let to = file_path(request.to.as_deref(), request.to_bytes.as_deref())?;
        require_open_place(hashes, &from, authority)?;
        require_open_place(hashes, &to, authority)?;
        let records = folder.accept_move(&from, &to, hashes.clock.now())?;
        Ok(AcceptedMove { records })
    };
    Ok(queued(&hashes.shares, WorkKind::HashRepair, hashes, work).await?)
}

/// Restores the recorded contents of a file from a known copy.
///
/// # Errors
/// `outside_roots`, `record_not_found`, `record_imported`, `file_missing`, `creation_refused`, `no_good_copy`,
/// `intact`, `hashes_busy`.
pub(crate) async fn hash_restore(
    hashes: &Arc<Hashes>,
    request: HashRestore,
    caller: Caller,
    authority: Authority,
) -> Result<RestoredFile, ErrorBody> {
    let work = move |hashes: &Hashes| {
        let folder = hashes.own_hash_folder()?;
        let path = file_path(request.path.as_deref(), request.path_bytes.as_deref())?;
        require_open_place(hashes, &path, authority)?;
        let missing = missing_file(hashes, &path, request.create, authority)?;
        let refused = |error| refused(error, authority);
        // A grant is used up only by a file that may be restored.
        folder.check_restorable(&path, missing).map_err(refused)?;
        let index = hashes.folders.index(&folder)?;
        let mut copies = index.copies_of(&path)?;
        if let Some(row) = index.rows.get(&path) {
            let reported = hashes.folders.reported_copies(&index, row.digest);
            copies.files.extend(reported);
        }
        if let (Some(size), Some(row)) = (copies.size, index.rows.get(&path)) {
            let files = hashes.wiki.assets().with_contents(size, &row.digest.0)?;
            // Links in the path of the data folder are resolved.
            let files = files.iter().filter_map(|file| file.canonicalize().ok());
            copies
                .files
                .extend(files.filter_map(|file| FilePath::try_from(&*file).ok()));
        }
        if let Some(from) = &request.from {
            let backup = backup_folder(hashes, from, caller)?;
            copies.files.extend(files_of_size(&backup, copies.size)?);
        }
        let restored = folder.restore(&path, copies.files, missing, hashes.clock.now());
        let restored = restored.map_err(refused)?;
        Ok(RestoredFile {
            restored_from: text(restored.from.as_path()),
            kept_as: restored.kept_as.map(|path| name_in_json(path.as_bytes()).0),
        })
    };
    Ok(queued(&hashes.shares, WorkKind::HashRepair, hashes, work).await?)
}

/// Returns the folder that the user named as the one with copies.
fn backup_folder(hashes: &Hashes, from: &str, caller: Caller) -> Result<PathBuf, ApiError> {
    if let Some(root) = from
        .parse()
        .ok()
        .and_then(|id| hashes.pictures.roots().get(id))
    {
        return Ok(root.path().to_owned());
    }
    hashes.grants.take_by(from, caller).map_err(|_| {
        let message = "this folder is neither open nor was it just chosen; choose it again";
        ApiError::new(ErrorCode::GrantInvalid, message)
    })
}

/// Refuses a browser a file outside the open folders, whether or not it exists or has a record.
fn require_open_place(
    hashes: &Hashes,
    path: &FilePath,
    authority: Authority,
) -> Result<(), ApiError> {
    if authority == Authority::Browser && places(hashes, path).is_empty() {
        let message =
            "a browser repairs only files in open folders; open the folder, or use the window";
        return Err(ApiError::new(ErrorCode::OutsideRoots, message));
    }
    Ok(())
}

/// Returns the treatment of a file that is missing. A browser must not put files where its page wants them: a script
/// in the page could leave a key or a program there.
fn missing_file(
    hashes: &Hashes,
    path: &FilePath,
    is_confirmed: bool,
    authority: Authority,
) -> Result<MissingFile, ApiError> {
    match authority {
        Authority::Owner if is_confirmed => Ok(MissingFile::Create),
        Authority::Owner => Ok(MissingFile::Refuse),
        Authority::Browser if is_hidden(hashes, path) => Err(creation_refused()),
        Authority::Browser => Ok(MissingFile::Refuse),
    }
}

/// Returns true if a name in the path begins with a dot, below the innermost open folder that contains it.
fn is_hidden(hashes: &Hashes, path: &FilePath) -> bool {
    let below = places(hashes, path).into_iter().map(|place| place.relative);
    let below = below.min_by_key(Vec::len);
    let below = below.as_deref().unwrap_or(path.as_bytes());
    below
        .split(|byte| *byte == b'/')
        .any(|name| name.starts_with(b"."))
}

fn refused(error: RepairError, authority: Authority) -> ApiError {
    match (error, authority) {
        (RepairError::WouldCreate(_), Authority::Browser) => creation_refused(),
        (error, _) => error.into(),
    }
}

fn creation_refused() -> ApiError {
    let message = "a browser restores neither missing files nor hidden ones; use the window or `fumi hash restore`";
    ApiError::new(ErrorCode::CreationRefused, message)
}

pub(super) fn file_path(
    path: Option<&str>,
    path_bytes: Option<&str>,
) -> Result<FilePath, ApiError> {
    Ok(FilePath::new(bytes(path, path_bytes)?)?)
}
