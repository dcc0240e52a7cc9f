//! Conversions of the errors of hash records to responses, one exhaustive conversion each.

use std::io;

use fumikura_hashes::{
    InvalidPath, InvalidRecord, MalformedName, OpenError, ReadError, RepairError, RunError,
    WriteError,
};
use fumikura_wiki::StorageError;
use serde::Serialize;
use utoipa::ToSchema;

use super::{ApiError, ErrorCode};

/// The fault of a path or of a hash record's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HashNameFault {
    /// The path is empty.
    Empty,
    /// The path does not begin with a slash.
    Relative,
    /// The path contains a zero byte.
    ZeroByte,
    /// The path is longer than 4,095 bytes.
    TooLong,
    /// The path contains `//`, `.` or `..`, or ends with a slash.
    Unclean,
    /// A `#` in the name is followed by neither `#` nor `1`.
    Escape,
    /// The name contains a slash.
    Slash,
    /// The name encodes a path that no file can have.
    Path,
    /// The name is a hash of the path.
    Irreversible,
    /// The name is not that of a record.
    Foreign,
}

impl From<&InvalidPath> for HashNameFault {
    fn from(error: &InvalidPath) -> Self {
        match error {
            InvalidPath::Empty => Self::Empty,
            InvalidPath::Relative => Self::Relative,
            InvalidPath::ZeroByte => Self::ZeroByte,
            InvalidPath::TooLong => Self::TooLong,
            InvalidPath::Unclean => Self::Unclean,
        }
    }
}

impl From<&MalformedName> for HashNameFault {
    fn from(error: &MalformedName) -> Self {
        match error {
            MalformedName::Escape(_) => Self::Escape,
            MalformedName::Slash => Self::Slash,
            MalformedName::Path(_) => Self::Path,
            MalformedName::Irreversible => Self::Irreversible,
            MalformedName::Foreign => Self::Foreign,
        }
    }
}

impl From<InvalidPath> for ApiError {
    fn from(error: InvalidPath) -> Self {
        let fault = HashNameFault::from(&error);
        Self::new(ErrorCode::InvalidPath, error).name_fault(fault)
    }
}

impl From<MalformedName> for ApiError {
    fn from(error: MalformedName) -> Self {
        let fault = HashNameFault::from(&error);
        Self::new(ErrorCode::MalformedName, error).name_fault(fault)
    }
}

impl From<OpenError> for ApiError {
    fn from(error: OpenError) -> Self {
        let code = match error {
            OpenError::Missing(_) => ErrorCode::FolderUnavailable,
            OpenError::NotAFolder(_) => ErrorCode::NotAFolder,
            OpenError::Exposed(_) => ErrorCode::UnsafeFolder,
            OpenError::Path(error) => return error.into(),
            OpenError::Foreign(_) => ErrorCode::ForeignFolder,
            OpenError::Io { source, .. } => return failed(source),
        };
        Self::new(code, error)
    }
}

impl From<RunError> for ApiError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Busy => Self::new(ErrorCode::HashesBusy, error),
            RunError::Folder(error) => failed(error),
            RunError::Write(error) => error.into(),
            RunError::Pattern(_) => Self::new(ErrorCode::InvalidValue, error),
            RunError::Threads(_) => {
                Self::internal(ErrorCode::Internal, "No threads can be started", &error)
            }
        }
    }
}

impl From<WriteError> for ApiError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Io(error) => failed(error),
        }
    }
}

impl From<RepairError> for ApiError {
    fn from(error: RepairError) -> Self {
        let code = match error {
            RepairError::NoRecord(_) => ErrorCode::RecordNotFound,
            RepairError::Intact => ErrorCode::Intact,
            RepairError::Imported(_) => ErrorCode::RecordImported,
            RepairError::WouldCreate(_) => ErrorCode::FileMissing,
            RepairError::NoGoodCopy => ErrorCode::NoGoodCopy,
            RepairError::StillThere(_) | RepairError::OtherContents(_) => ErrorCode::ChangedSince,
            RepairError::Newer | RepairError::Link(_) => ErrorCode::NotPermitted,
            RepairError::Record(error) => return error.into(),
            RepairError::Read {
                source: ReadError::Missing,
                ..
            } => ErrorCode::NotFound,
            RepairError::Read { .. } => ErrorCode::NotPermitted,
            RepairError::Write(error) => return error.into(),
            RepairError::Io(error) => return RunError::from(error).into(),
        };
        Self::new(code, error)
    }
}

impl From<InvalidRecord> for ApiError {
    fn from(error: InvalidRecord) -> Self {
        Self::new(ErrorCode::InvalidValue, error)
    }
}

/// Converts the disk's errors. A full or read-only disk has codes of its own.
fn failed(error: io::Error) -> ApiError {
    let kind = error.kind();
    if matches!(kind, io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
        ApiError::new(ErrorCode::NotFound, error)
    } else if kind == io::ErrorKind::PermissionDenied {
        ApiError::new(ErrorCode::NotPermitted, error)
    } else {
        StorageError::from(error).into()
    }
}
