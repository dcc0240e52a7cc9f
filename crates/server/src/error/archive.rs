//! Conversions of import errors to responses.

use fumikura_wiki::{EntryFault, ImportError, InvalidArchive};
use serde::Serialize;
use utoipa::ToSchema;

use super::{ApiError, ErrorCode};

/// The fault of an archive, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArchiveFault {
    /// It can't be read as a zip.
    NotZip,
    /// It has no manifest.
    NoManifest,
    /// Its manifest can't be read.
    ManifestUnreadable,
    /// It has a version that this program does not support.
    OtherVersion,
    /// The manifest names a missing entry.
    EntryMissing,
    /// The entry's name leads out of the archive, or is missing.
    EntryName,
    /// The manifest names the entry twice.
    EntryTwice,
    /// The entry is a folder or a link.
    NotAFile,
    /// The entry is damaged, or compressed in an unsupported way.
    EntryUnreadable,
    /// The text is too long.
    TextTooLong,
    /// The text is not UTF-8.
    TextNotUtf8,
    /// The file is shorter or longer than the manifest says.
    FileSize,
    /// The file's contents differ from the manifest.
    FileContents,
    /// The page has an invalid path.
    PagePath,
    /// The file has an invalid name.
    FileName,
    /// Two pages have the same path.
    PathTwice,
    /// Two files of a page have the same name.
    FileNameTwice,
    /// Two pages, or two files, have the same id.
    IdTwice,
    /// The file belongs to a page that is not in the archive.
    NoPage,
    /// A full archive has an entry that it does not list.
    Unlisted,
    /// A row of a full archive means nothing.
    Row,
    /// The rows of a full archive contradict each other.
    Contradictory,
    /// The file is larger than the limit (`limit`).
    FileTooLarge,
    /// The unpacked size is larger than the limit (`limit`).
    TooMuch,
}

impl From<ImportError> for ApiError {
    fn from(error: ImportError) -> Self {
        let message = error.to_string();
        match error {
            ImportError::Cancelled => Self::new(ErrorCode::Cancelled, message),
            ImportError::Invalid(invalid) => {
                let (fault, entry) = fault(invalid);
                Self::new(ErrorCode::InvalidArchive, message).fault(fault, entry)
            }
            ImportError::Taken(error) => error.into(),
            ImportError::Locked {
                path,
                user_name,
                expire,
            } => Self::held(ErrorCode::Locked, message, user_name, expire).at(&path),
            ImportError::FileTooLarge { entry, limit } => Self::new(ErrorCode::TooLarge, message)
                .fault(ArchiveFault::FileTooLarge, Some(entry))
                .limit(limit),
            ImportError::TooMuch(limit) => Self::new(ErrorCode::TooLarge, message)
                .fault(ArchiveFault::TooMuch, None)
                .limit(limit),
            ImportError::NoRoom { .. } => Self::new(ErrorCode::DiskFull, message),
            ImportError::NotEmpty(_) => Self::new(ErrorCode::NotEmpty, message),
            ImportError::NoUser => Self::new(ErrorCode::NoUser, message),
            ImportError::Storage(error) => error.into(),
        }
    }
}

fn fault(invalid: InvalidArchive) -> (ArchiveFault, Option<String>) {
    match invalid {
        InvalidArchive::NotZip(_) => (ArchiveFault::NotZip, None),
        InvalidArchive::NoManifest => (ArchiveFault::NoManifest, None),
        InvalidArchive::Manifest(_) | InvalidArchive::FullManifest(_) => {
            (ArchiveFault::ManifestUnreadable, None)
        }
        InvalidArchive::Version(_) | InvalidArchive::FullVersion(_) => {
            (ArchiveFault::OtherVersion, None)
        }
        InvalidArchive::Contradictory(_) => (ArchiveFault::Contradictory, None),
        InvalidArchive::Entry { entry, fault } => (of_entry(&fault), Some(entry)),
    }
}

fn of_entry(fault: &EntryFault) -> ArchiveFault {
    match fault {
        EntryFault::Missing => ArchiveFault::EntryMissing,
        EntryFault::Name => ArchiveFault::EntryName,
        EntryFault::EntryTwice => ArchiveFault::EntryTwice,
        EntryFault::NotAFile => ArchiveFault::NotAFile,
        EntryFault::Unreadable(_) => ArchiveFault::EntryUnreadable,
        EntryFault::TextTooLong => ArchiveFault::TextTooLong,
        EntryFault::NotUtf8 => ArchiveFault::TextNotUtf8,
        EntryFault::Size(_) => ArchiveFault::FileSize,
        EntryFault::Hash => ArchiveFault::FileContents,
        EntryFault::Path(_) => ArchiveFault::PagePath,
        EntryFault::FileName(_) => ArchiveFault::FileName,
        EntryFault::PathTwice(_) => ArchiveFault::PathTwice,
        EntryFault::FileNameTwice(_) => ArchiveFault::FileNameTwice,
        EntryFault::IdTwice => ArchiveFault::IdTwice,
        EntryFault::NoPage => ArchiveFault::NoPage,
        EntryFault::Unlisted => ArchiveFault::Unlisted,
        EntryFault::Row { .. } => ArchiveFault::Row,
    }
}
