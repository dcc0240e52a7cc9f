//! Removals that failed, with the pictures of their thumbnails.

use fumikura_expiry::{ArtifactFile, Expiry};
use fumikura_fs::{RelPath, RootId};
use fumikura_ttl::{ArtifactKey, RemovalFailure};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorCode};
use crate::names::name_in_json;

/// The maximum number of listed failures.
const FAILURES: usize = 100;

/// A removal that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct TtlFailure {
    /// The artifact's key, for a retry.
    key: String,
    group: String,
    kind: TtlKind,
    /// The name of the thumbnail's file: the picture's id, then `-85x85-crop.jpg`; null for a folder index.
    name: Option<String>,
    /// The thumbnail's picture; null if its root no longer has it unchanged.
    picture: Option<TtlPicture>,
    /// The error.
    reason: String,
    /// The number of attempts.
    attempts: u32,
    /// The time of the next attempt.
    retry_at: Timestamp,
}

/// The picture of a thumbnail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct TtlPicture {
    /// The id of its root.
    root: String,
    /// Its path, relative to the root.
    path: String,
    /// The bytes of the path in base64, if it is not UTF-8.
    path_bytes: Option<String>,
}

/// The kind of an artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum TtlKind {
    /// A thumbnail.
    Blob,
    /// The index of a folder.
    Manifest,
}

/// Returns the first failures, with their pictures.
pub(super) fn list_failures(expiry: &Expiry, mut failures: Vec<RemovalFailure>) -> Vec<TtlFailure> {
    failures.truncate(FAILURES);
    let failures = failures.into_iter();
    failures
        .map(|failure| {
            let (kind, name, picture) = match ArtifactFile::of(&failure.artifact) {
                Some(ArtifactFile::Thumbnail(id, variant)) => {
                    let name = format!("{id}-{variant}");
                    (TtlKind::Blob, Some(name), expiry.picture_of(id))
                }
                Some(ArtifactFile::Folder(_)) => (TtlKind::Manifest, None, None),
                None => (TtlKind::Blob, None, None),
            };
            TtlFailure::new(failure, kind, name, picture.map(TtlPicture::from))
        })
        .collect()
}

impl From<(RootId, RelPath)> for TtlPicture {
    fn from((root, path): (RootId, RelPath)) -> Self {
        let (path, path_bytes) = name_in_json(path.as_bytes());
        Self {
            root: root.to_string(),
            path,
            path_bytes,
        }
    }
}

impl TtlFailure {
    fn new(
        failure: RemovalFailure,
        kind: TtlKind,
        name: Option<String>,
        picture: Option<TtlPicture>,
    ) -> Self {
        let RemovalFailure {
            artifact,
            reason,
            attempts,
            retry_at,
        } = failure;
        Self {
            key: written_key(&artifact.key),
            group: artifact.group.to_string(),
            kind,
            name,
            picture,
            reason,
            attempts,
            retry_at: Timestamp::from_second(retry_at).unwrap_or(Timestamp::MAX),
        }
    }
}

fn written_key(key: &ArtifactKey) -> String {
    format!("{}-{:08x}", hex::encode(key.id), key.variant)
}

pub(super) fn read_key(text: &str) -> Result<ArtifactKey, ApiError> {
    let read = || {
        let (id, variant) = text.split_once('-')?;
        let mut bytes = [0; 20];
        hex::decode_to_slice(id, &mut bytes).ok()?;
        let variant = u32::from_str_radix(variant, 16).ok()?;
        Some(ArtifactKey { id: bytes, variant })
    };
    read().ok_or_else(|| ApiError::new(ErrorCode::BadRequest, "this is not the key of a failure"))
}
