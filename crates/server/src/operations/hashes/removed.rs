//! Records that tidying set aside: a list of them, and bringing them back.

use std::collections::BTreeSet;
use std::sync::Arc;

use fumikura_hashes::{FilePath, Reason, RemovedRecord};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::runs::require_confirmation;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::guard::Caller;
use crate::names::{bytes, name_in_json};
use crate::services::Hashes;

const LIMIT: usize = 100;
const MAX_LIMIT: usize = 1000;

/// A query of records that were set aside.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct RemovedHashList {
    /// The hash folder: `own`, or a grant.
    pub dir: Option<String>,
    /// The number of records to skip.
    pub offset: usize,
    /// The number of records, at most 1000; 100 by default.
    pub limit: Option<usize>,
}

/// Records that were set aside.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct RemovedHashPage {
    /// The number of all records that were set aside.
    total: usize,
    /// The records, by path, those set aside last first.
    items: Vec<RemovedHash>,
    /// Files among them that are no usable records.
    unusable: Vec<UnusableHash>,
}

/// A record that was set aside.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
struct RemovedHash {
    /// The path of the record's file.
    path: String,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    content_hash: String,
    /// The recorded size in bytes.
    size: Option<u64>,
    recorded_at: Option<Timestamp>,
    /// The time at which the record was set aside.
    removed_at: Option<Timestamp>,
}

/// A file or record with the reason why it is not used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct UnusableHash {
    path: String,
    reason: String,
    /// The kind of the reason, for programs.
    reason_code: &'static str,
}

/// A request to bring back records that were set aside: those of some files, or all of them.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct HashReinstate {
    /// The hash folder: `own`, or a grant.
    pub dir: Option<String>,
    /// The files.
    pub files: Vec<ReinstatedFile>,
    /// True for all of them; `files` is empty then.
    pub all: bool,
}

/// A file by its absolute path.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ReinstatedFile {
    pub path: Option<String>,
    /// The path's bytes in base64, if they are not UTF-8.
    pub path_bytes: Option<String>,
}

/// The outcome of bringing records back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ReinstatedHashes {
    /// The number of records that are back.
    reinstated: usize,
    /// The files whose records stay set aside.
    refused: Vec<UnusableHash>,
}

/// Returns a part of the records that were set aside.
///
/// # Errors
/// `unsafe_folder`, `grant_invalid`.
pub(crate) async fn removed_hashes(
    hashes: &Arc<Hashes>,
    query: RemovedHashList,
    caller: Caller,
) -> Result<RemovedHashPage, ErrorBody> {
    let work = move |hashes: &Hashes| {
        let limit = query.limit.unwrap_or(LIMIT);
        if limit > MAX_LIMIT {
            let message = "limit is at most 1000";
            return Err(ApiError::new(ErrorCode::BadRequest, message));
        }
        let folder = hashes.hash_folder(query.dir.as_deref(), caller)?;
        let removed = folder.removed_records().map_err(super::state::unusable)?;
        let records = removed.records.iter();
        Ok(RemovedHashPage {
            total: removed.records.len(),
            items: records
                .skip(query.offset)
                .take(limit)
                .map(RemovedHash::from)
                .collect(),
            unusable: removed
                .unusable
                .iter()
                .map(|(file, reason)| UnusableHash::new(super::folders::text(file), reason))
                .collect(),
        })
    };
    Ok(blocking(hashes, work).await?)
}

/// Brings back records that were set aside.
///
/// # Errors
/// `foreign_folder`, `hashes_busy`, `invalid_path`.
pub(crate) async fn hash_reinstate(
    hashes: &Arc<Hashes>,
    request: HashReinstate,
    caller: Caller,
) -> Result<ReinstatedHashes, ErrorBody> {
    let work = move |hashes: &Hashes| {
        if request.all != request.files.is_empty() {
            let message = "either files or all is given";
            return Err(ApiError::new(ErrorCode::BadRequest, message));
        }
        let folder = hashes.hash_folder(request.dir.as_deref(), caller)?;
        require_confirmation(&folder, false)?;
        let files = request.files.iter().map(ReinstatedFile::file_path);
        let files: BTreeSet<_> = files.collect::<Result<_, _>>()?;
        let outcome = folder.reinstate(|path| request.all || files.contains(path))?;
        let refused = outcome.refused.iter();
        Ok(ReinstatedHashes {
            reinstated: outcome.reinstated.len(),
            refused: refused
                .map(|(path, reason)| UnusableHash::new(name_in_json(path.as_bytes()).0, reason))
                .collect(),
        })
    };
    Ok(blocking(hashes, work).await?)
}

impl ReinstatedFile {
    fn file_path(&self) -> Result<FilePath, ApiError> {
        let bytes = bytes(self.path.as_deref(), self.path_bytes.as_deref())?;
        Ok(FilePath::new(bytes)?)
    }
}

impl UnusableHash {
    fn new(path: String, reason: &Reason) -> Self {
        Self {
            path,
            reason: reason.to_string(),
            reason_code: reason.code.word(),
        }
    }
}

impl From<&RemovedRecord> for RemovedHash {
    fn from(record: &RemovedRecord) -> Self {
        let (path, path_bytes) = name_in_json(record.path.as_bytes());
        Self {
            path,
            path_bytes,
            content_hash: record.digest.to_string(),
            size: record.size,
            recorded_at: record.recorded_at,
            removed_at: record.removed_at,
        }
    }
}
