//! Errors of pictures as answers, one exhaustive conversion for each type.

use std::sync::Arc;

use std::io;

use fumikura_fileops::FileError;
use fumikura_fs::{AccessError, AddRootError, PathError, RemoveRootError};
use fumikura_image::DecodeError;
use fumikura_library::{ListQueryError, OriginalError};
use fumikura_pictures::{ExportError, MarkError, RotationError};
use fumikura_thumbs::{ThumbError, WorkerError};
use fumikura_wiki::StorageError;
use fumikura_xmp::SidecarError;

use crate::error::{ApiError, ErrorCode};

impl From<AccessError> for ApiError {
    fn from(error: AccessError) -> Self {
        if let Some(exhausted) = Self::exhausted(&error) {
            return exhausted;
        }
        let code = match &error {
            AccessError::RootNotFound(_) => ErrorCode::RootNotFound,
            AccessError::FolderUnavailable { .. } => ErrorCode::FolderUnavailable,
            AccessError::InvalidPath(error) => of_path(*error),
            AccessError::OutsideRoots | AccessError::NotAFile(_) => ErrorCode::OutsideRoots,
            AccessError::PermissionDenied => ErrorCode::NotPermitted,
            AccessError::NotFound => ErrorCode::NotFound,
            AccessError::NotAFolder => ErrorCode::NotAFolder,
            AccessError::Io(_) => {
                return Self::internal(
                    ErrorCode::StorageFailed,
                    "The file could not be read.",
                    &error,
                );
            }
        };
        Self::new(code, error)
    }
}

fn of_path(error: PathError) -> ErrorCode {
    match error {
        PathError::TooLong => ErrorCode::InvalidPath,
        PathError::NotAbsolute
        | PathError::Absolute
        | PathError::ZeroByte
        | PathError::ParentFolder => ErrorCode::BadRequest,
    }
}

impl From<OriginalError> for ApiError {
    fn from(error: OriginalError) -> Self {
        match error {
            OriginalError::Access(error) => error.into(),
            OriginalError::NotAPicture => Self::new(ErrorCode::NotAPicture, error),
        }
    }
}

impl From<DecodeError> for ApiError {
    fn from(error: DecodeError) -> Self {
        if let Some(exhausted) = Self::exhausted(&error) {
            return exhausted;
        }
        match error {
            DecodeError::NotAPicture
            | DecodeError::UnsupportedKind(_)
            | DecodeError::FileTooLarge { .. }
            | DecodeError::TooManyPixels { .. }
            | DecodeError::TooLarge(_)
            | DecodeError::Damaged(_)
            | DecodeError::Panicked
            | DecodeError::Crashed(_)
            | DecodeError::Killed
            | DecodeError::TimedOut(_)
            | DecodeError::Unanswered(_)
            | DecodeError::Unintelligible(_)
            | DecodeError::Io(_) => Self::new(ErrorCode::PictureUndecodable, error),
            DecodeError::NoVideoDecoder(_) => Self::new(ErrorCode::NoVideoDecoder, error),
            DecodeError::NoDecoder(reason) if is_shutdown(&reason) => {
                ThumbError::ShuttingDown.into()
            }
            // The workers logged this once, not once for each picture.
            DecodeError::NoDecoder(_) => Self::new(
                ErrorCode::DecoderUnavailable,
                "the program that decodes pictures can't be used; the log says why",
            ),
        }
    }
}

/// True if no process decodes because the application ends.
fn is_shutdown(reason: &Arc<dyn std::error::Error + Send + Sync>) -> bool {
    matches!(
        reason.downcast_ref::<WorkerError>(),
        Some(WorkerError::ShutDown)
    )
}

impl From<ThumbError> for ApiError {
    fn from(error: ThumbError) -> Self {
        match error {
            ThumbError::Access(error) => error.into(),
            ThumbError::Decode(error) => error.into(),
            ThumbError::Changing => Self::new(ErrorCode::SourceChanging, error),
            ThumbError::QueueFull => Self::new(ErrorCode::QueueFull, error),
            ThumbError::ShuttingDown => Self::new(ErrorCode::ShuttingDown, error),
            ThumbError::Storage(error) => {
                StorageError::from(io::Error::new(error.kind(), error)).into()
            }
            ThumbError::Failed => Self::internal(
                ErrorCode::Internal,
                "The thumbnail could not be made",
                &error,
            ),
        }
    }
}

impl From<AddRootError> for ApiError {
    fn from(error: AddRootError) -> Self {
        if let Some(exhausted) = Self::exhausted(&error) {
            return exhausted;
        }
        let code = match error {
            AddRootError::InvalidPath(error) => of_path(error),
            AddRootError::NotFound | AddRootError::Folder(_) => ErrorCode::FolderUnavailable,
            AddRootError::NotAFolder => ErrorCode::NotAFolder,
            AddRootError::PermissionDenied | AddRootError::OutsideAllowed => {
                ErrorCode::OutsideRoots
            }
            AddRootError::Storage(error) => return StorageError::from(error).into(),
        };
        Self::new(code, error)
    }
}

impl From<RemoveRootError> for ApiError {
    fn from(error: RemoveRootError) -> Self {
        match error {
            RemoveRootError::Unknown(_) => Self::new(ErrorCode::RootNotFound, error),
            RemoveRootError::Storage(error) => StorageError::from(error).into(),
        }
    }
}

impl From<ListQueryError> for ApiError {
    fn from(error: ListQueryError) -> Self {
        Self::new(ErrorCode::BadRequest, error)
    }
}

impl From<ExportError> for ApiError {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Marks(error) => error.into(),
            ExportError::Rendition(error) => error.into(),
            ExportError::File(error) => error.into(),
            ExportError::Undated => Self::new(ErrorCode::InvalidValue, error),
        }
    }
}

impl From<MarkError> for ApiError {
    fn from(error: MarkError) -> Self {
        match error {
            MarkError::Folder(error) => error.into(),
            MarkError::Sidecar(error) => error.into(),
            MarkError::Tag(error) => Self::new(ErrorCode::InvalidTag, error),
        }
    }
}

impl From<SidecarError> for ApiError {
    fn from(error: SidecarError) -> Self {
        let code = match &error {
            SidecarError::Access(AccessError::PermissionDenied) => ErrorCode::NotPermitted,
            SidecarError::Access(error) => return error.clone().into(),
            SidecarError::NotAPicture => ErrorCode::NotAPicture,
            SidecarError::CropOutside => ErrorCode::InvalidValue,
            SidecarError::TooLarge => ErrorCode::SidecarTooLarge,
            SidecarError::TooMuch(_)
            | SidecarError::Encoding
            | SidecarError::Doctype
            | SidecarError::Broken(_)
            | SidecarError::NotXmp
            | SidecarError::Unsupported(_) => ErrorCode::SidecarDamaged,
            SidecarError::Link | SidecarError::DanglingLink => ErrorCode::NotPermitted,
            SidecarError::ReadOnly => ErrorCode::ReadOnly,
            SidecarError::Full => ErrorCode::DiskFull,
            SidecarError::NameTooLong => ErrorCode::InvalidFileName,
            SidecarError::Contended => ErrorCode::SidecarContended,
            SidecarError::Io(_) => {
                let message = "The sidecar can't be written";
                return Self::internal(ErrorCode::StorageFailed, message, &error);
            }
        };
        Self::new(code, error)
    }
}

impl From<RotationError> for ApiError {
    fn from(error: RotationError) -> Self {
        match error {
            RotationError::NotRotatable => Self::new(ErrorCode::NotRotatable, error),
            RotationError::Original(error) => error.into(),
            RotationError::Sidecar(error) => error.into(),
            RotationError::File(error) => error.into(),
        }
    }
}

impl From<FileError> for ApiError {
    fn from(error: FileError) -> Self {
        let code = match &error {
            // Includes the name, which the reason alone lacks.
            FileError::Access { error: why, .. } => Self::from(why.clone()).code(),
            FileError::InvalidName { .. } => ErrorCode::InvalidFileName,
            FileError::Duplicate(_) => ErrorCode::BadRequest,
            FileError::Taken(names) => {
                let taken = Self::new(ErrorCode::FileNameTaken, &error);
                return taken.names(names.iter().map(|name| &name[..]));
            }
            FileError::TakenInDestination { names, identical } => {
                let taken = Self::new(ErrorCode::FileNameTaken, &error);
                return taken
                    .names(names.iter().map(|name| &name[..]))
                    .identical(*identical);
            }
            FileError::Root => ErrorCode::FolderProtected,
            FileError::IntoItself(_) => ErrorCode::IntoItself,
            FileError::FolderNotCopied { inner, .. } => {
                let refused = Self::new(ErrorCode::FolderNotCopied, &error);
                return refused.names(std::iter::once(&inner[..]));
            }
            FileError::OriginalRemains { .. } => ErrorCode::OriginalRemains,
            FileError::NotAFile(_) => ErrorCode::NotAFile,
            FileError::Changing(_) => ErrorCode::SourceChanging,
            FileError::NoTrash { .. } => ErrorCode::BinUnavailable,
            FileError::UnknownOperation(_) => ErrorCode::OperationNotFound,
            FileError::OperationRunning => ErrorCode::OperationRunning,
            FileError::UndoConflicts { conflicts, .. } => {
                let changed = Self::new(ErrorCode::ChangedSince, &error);
                let named = changed.names(conflicts.iter().map(|(name, _)| &name[..]));
                return named.reasons(conflicts.iter().map(|(_, why)| why.into()));
            }
            FileError::Damaged(_) => {
                let message = "the file history can't be read";
                return Self::internal(ErrorCode::StorageFailed, message, &error);
            }
            FileError::Sidecar { error: why, .. } => Self::from(why.clone()).code(),
            FileError::Cancelled => ErrorCode::Cancelled,
            FileError::Io { error: why, .. } => return of_the_disk(&error, why),
        };
        Self::new(code, error)
    }
}

fn of_the_disk(error: &FileError, why: &io::Error) -> ApiError {
    use io::ErrorKind as Kind;
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "io::ErrorKind is open; the rest is a failing disk"
    )]
    match why.kind() {
        Kind::StorageFull | Kind::QuotaExceeded => ApiError::new(ErrorCode::DiskFull, error),
        // FAT cannot hold the file.
        Kind::FileTooLarge => ApiError::new(ErrorCode::TooLarge, error),
        Kind::ReadOnlyFilesystem => ApiError::new(ErrorCode::ReadOnly, error),
        // For example, a disk is mounted there.
        Kind::PermissionDenied | Kind::ResourceBusy => {
            ApiError::new(ErrorCode::NotPermitted, error)
        }
        Kind::NotFound => ApiError::new(ErrorCode::NotFound, error),
        // Some file systems reject certain names.
        Kind::InvalidFilename | Kind::InvalidInput => {
            ApiError::new(ErrorCode::InvalidFileName, error)
        }
        _ => ApiError::internal(ErrorCode::StorageFailed, "A file can't be changed", error),
    }
}
