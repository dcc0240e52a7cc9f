//! Conversions of the wiki's errors to responses, one exhaustive conversion each.

use fumikura_albums::{AlbumError, InvalidAlbumName, InvalidAlbumSearch};
use fumikura_wiki::{
    AssetError, AutosaveError, BackupReadError, BringBackError, CreateError, GateError,
    HistoryError, InvalidFileName, InvalidPath, InvalidUserName, LockError, MirrorError,
    MirrorFailure, PageError, PastError, PinError, PropertyError, RegisterError, ReplaceError,
    ResolveError, SaveError, SearchError, StorageError, TreeViewError,
};

use super::{ApiError, ErrorCode};

impl From<StorageError> for ApiError {
    fn from(error: StorageError) -> Self {
        let (code, message) = match &error {
            StorageError::DiskFull(_) => (
                ErrorCode::DiskFull,
                "The disk is full. This was not saved; what was saved before is safe. Make some room and try again.",
            ),
            StorageError::ReadOnly(_) => (
                ErrorCode::ReadOnly,
                "The data folder can't be written. This was not saved; what was saved before is safe.",
            ),
            StorageError::Io(_) | StorageError::Damaged { .. } | StorageError::Database(_) => (
                ErrorCode::StorageFailed,
                "The storage failed. It is not certain that this was saved; what was saved before is safe.",
            ),
        };
        Self::internal(code, message, &error)
    }
}

impl From<InvalidPath> for ApiError {
    fn from(error: InvalidPath) -> Self {
        let code = match error {
            InvalidPath::NotAbsolute => ErrorCode::BadRequest,
            InvalidPath::AboveRoot
            | InvalidPath::ControlCharacter(_)
            | InvalidPath::Unshowable(_)
            | InvalidPath::TooLong(_)
            | InvalidPath::TooDeep(_) => ErrorCode::InvalidPath,
        };
        Self::new(code, error)
    }
}

impl From<InvalidUserName> for ApiError {
    fn from(error: InvalidUserName) -> Self {
        Self::new(ErrorCode::InvalidName, error)
    }
}

impl From<CreateError> for ApiError {
    fn from(error: CreateError) -> Self {
        match error {
            CreateError::Taken(error) => error.into(),
            CreateError::Storage(error) => error.into(),
        }
    }
}

impl From<ResolveError> for ApiError {
    fn from(error: ResolveError) -> Self {
        let message = error.to_string();
        match error {
            ResolveError::NotFound(_) => Self::new(ErrorCode::PageNotFound, message),
            ResolveError::Moved {
                path, to, in_trash, ..
            } => {
                let error = Self::new(ErrorCode::PageNotFound, message).moved_to(&to);
                match in_trash {
                    Some(page_id) => error.page(page_id).at(&path),
                    None => error,
                }
            }
            ResolveError::Deleted { path, page_id } => {
                let error = Self::new(ErrorCode::PageNotFound, message);
                error.page(page_id).at(&path)
            }
            ResolveError::Draft {
                user_name, expire, ..
            } => Self::held(ErrorCode::Draft, message, user_name, expire),
            ResolveError::Storage(error) => error.into(),
        }
    }
}

impl From<PageError> for ApiError {
    fn from(error: PageError) -> Self {
        let message = error.to_string();
        match error {
            PageError::NotFound | PageError::NoSuchRevision(_) => {
                Self::new(ErrorCode::PageNotFound, message)
            }
            PageError::Draft => Self::new(ErrorCode::Draft, message),
            PageError::Collected(_) => Self::new(ErrorCode::Gone, message),
            PageError::Deleted(path) => Self::new(ErrorCode::Deleted, message).at(&path),
            PageError::Storage(error) => error.into(),
        }
    }
}

impl From<PastError> for ApiError {
    fn from(error: PastError) -> Self {
        let message = error.to_string();
        match error {
            PastError::NothingAt { .. } | PastError::NotPresent(_) => {
                Self::new(ErrorCode::PageNotFound, message)
            }
            PastError::Removed { .. } => Self::new(ErrorCode::Gone, message),
            PastError::Storage(error) => error.into(),
        }
    }
}

impl From<PinError> for ApiError {
    fn from(error: PinError) -> Self {
        let message = error.to_string();
        match error {
            PinError::Page(error) => error.into(),
            PinError::TooMany => Self::new(ErrorCode::InvalidValue, message),
            PinError::Storage(error) => error.into(),
        }
    }
}

impl From<TreeViewError> for ApiError {
    fn from(error: TreeViewError) -> Self {
        let message = error.to_string();
        match error {
            TreeViewError::TooManyOpen => Self::new(ErrorCode::InvalidValue, message),
            TreeViewError::Storage(error) => error.into(),
        }
    }
}

impl From<SearchError> for ApiError {
    fn from(error: SearchError) -> Self {
        let message = error.to_string();
        match error {
            SearchError::TooLong => Self::new(ErrorCode::InvalidValue, message),
            SearchError::Storage(error) => error.into(),
        }
    }
}

impl From<HistoryError> for ApiError {
    fn from(error: HistoryError) -> Self {
        let message = error.to_string();
        match error {
            HistoryError::Page(error) => error.into(),
            HistoryError::Gate(error) => error.into(),
            HistoryError::NoUser => Self::new(ErrorCode::NoUser, message),
            HistoryError::NothingLeft { .. } => Self::new(ErrorCode::InvalidValue, message),
            HistoryError::Storage(error) => error.into(),
        }
    }
}

impl From<LockError> for ApiError {
    fn from(error: LockError) -> Self {
        let message = error.to_string();
        match error {
            LockError::PageNotFound => Self::new(ErrorCode::PageNotFound, message),
            LockError::Deleted => Self::new(ErrorCode::Deleted, message),
            LockError::Held { user_name, expire } => {
                Self::held(ErrorCode::Locked, message, user_name, expire)
            }
            LockError::NotHeld => Self::new(ErrorCode::NotLocked, message),
            LockError::Invalid => Self::new(ErrorCode::LockInvalid, message),
            LockError::Storage(error) => error.into(),
        }
    }
}

impl From<BackupReadError> for ApiError {
    fn from(error: BackupReadError) -> Self {
        let message = error.to_string();
        match error {
            BackupReadError::NotFound(_) => Self::new(ErrorCode::BackupNotFound, message),
            BackupReadError::PageNotFound => Self::new(ErrorCode::PageNotFound, message),
            BackupReadError::Unreadable(_) => Self::new(ErrorCode::BackupUnreadable, message),
            BackupReadError::Storage(error) => error.into(),
        }
    }
}

impl From<ReplaceError> for ApiError {
    fn from(error: ReplaceError) -> Self {
        let message = error.to_string();
        match error {
            ReplaceError::Cancelled => Self::new(ErrorCode::Cancelled, message),
            ReplaceError::Backup(error) => error.into(),
            ReplaceError::Damaged(_) => Self::new(ErrorCode::BackupUnreadable, message),
            ReplaceError::Storage(error) => error.into(),
        }
    }
}

impl From<BringBackError> for ApiError {
    fn from(error: BringBackError) -> Self {
        let message = error.to_string();
        match error {
            BringBackError::Backup(error) => error.into(),
            BringBackError::NoUser => Self::new(ErrorCode::NoUser, message),
            BringBackError::FileNotFound => Self::new(ErrorCode::AssetNotFound, message),
            BringBackError::DamagedFile(_) => Self::new(ErrorCode::BackupUnreadable, message),
            BringBackError::Page(error) => error.into(),
            BringBackError::Taken(error) => error.into(),
            BringBackError::Trash(error) => error.into(),
            BringBackError::Gate(error) => error.into(),
            BringBackError::Storage(error) => error.into(),
        }
    }
}

impl From<GateError> for ApiError {
    fn from(error: GateError) -> Self {
        let message = error.to_string();
        match error {
            GateError::Required {
                path,
                user_name,
                expire,
            } => Self::held(ErrorCode::LockRequired, message, user_name, expire).at(&path),
            GateError::Invalid => Self::new(ErrorCode::LockInvalid, message),
            GateError::Storage(error) => error.into(),
        }
    }
}

impl From<SaveError> for ApiError {
    fn from(error: SaveError) -> Self {
        let message = error.to_string();
        match error {
            SaveError::NotFound => Self::new(ErrorCode::PageNotFound, message),
            SaveError::Deleted => Self::new(ErrorCode::Deleted, message),
            SaveError::LockRequired { user_name, expire } => {
                Self::held(ErrorCode::LockRequired, message, user_name, expire)
            }
            SaveError::LockInvalid => Self::new(ErrorCode::LockInvalid, message),
            SaveError::PreconditionRequired => Self::new(ErrorCode::PreconditionRequired, message),
            SaveError::PreconditionFailed(_) => Self::new(ErrorCode::PreconditionFailed, message),
            SaveError::NotAuthor(_) => Self::new(ErrorCode::NotAuthor, message),
            SaveError::TooLarge(_) => Self::new(ErrorCode::TooLarge, message),
            SaveError::Storage(error) => error.into(),
        }
    }
}

impl From<MirrorError> for ApiError {
    fn from(error: MirrorError) -> Self {
        let message = error.to_string();
        match error {
            MirrorError::Cancelled => Self::new(ErrorCode::Cancelled, message),
            MirrorError::NotSet => Self::new(ErrorCode::MirrorNotSet, message),
            MirrorError::NotConnected(_) => Self::new(ErrorCode::FolderUnavailable, message),
            MirrorError::NotEmpty(_) => Self::new(ErrorCode::FolderNotEmpty, message),
            MirrorError::NoSuchEntry(_) => Self::new(ErrorCode::MirrorFileNotFound, message),
            MirrorError::NotAText(_) => Self::new(ErrorCode::NotUtf8, message),
            MirrorError::Changed(_) => Self::new(ErrorCode::ChangedSince, message),
            MirrorError::Folder { .. } => {
                let code = match error.failure() {
                    MirrorFailure::DiskFull => ErrorCode::DiskFull,
                    MirrorFailure::ReadOnly => ErrorCode::ReadOnly,
                    MirrorFailure::NotPermitted => ErrorCode::NotPermitted,
                    MirrorFailure::NotConnected | MirrorFailure::Failed => {
                        ErrorCode::FolderUnavailable
                    }
                };
                Self::new(code, message)
            }
            MirrorError::Save(error) => error.into(),
            MirrorError::Storage(error) => error.into(),
        }
    }
}

impl From<AlbumError> for ApiError {
    fn from(error: AlbumError) -> Self {
        let message = error.to_string();
        match error {
            AlbumError::NotFound(_) => Self::new(ErrorCode::AlbumNotFound, message),
            AlbumError::ItemNotFound(_) => Self::new(ErrorCode::NotFound, message),
            AlbumError::TooLarge | AlbumError::Smart | AlbumError::NotSmart => {
                Self::new(ErrorCode::InvalidValue, message)
            }
            AlbumError::Unwritable(error) => StorageError::from(error).into(),
        }
    }
}

impl From<InvalidAlbumName> for ApiError {
    fn from(error: InvalidAlbumName) -> Self {
        Self::new(ErrorCode::InvalidName, error)
    }
}

impl From<InvalidAlbumSearch> for ApiError {
    fn from(error: InvalidAlbumSearch) -> Self {
        Self::new(ErrorCode::InvalidValue, error)
    }
}

impl From<PropertyError> for ApiError {
    fn from(error: PropertyError) -> Self {
        match error {
            PropertyError::Page(error) => error.into(),
            PropertyError::Invalid(error) => Self::new(ErrorCode::InvalidValue, error),
            PropertyError::Save(error) => error.into(),
        }
    }
}

impl From<AutosaveError> for ApiError {
    fn from(error: AutosaveError) -> Self {
        let message = error.to_string();
        match error {
            AutosaveError::Stale { seq } => Self::new(ErrorCode::StaleSequence, message).count(seq),
            AutosaveError::Saved { revision } => {
                Self::new(ErrorCode::StaleSequence, message).revision(revision)
            }
            AutosaveError::Full { .. } => Self::new(ErrorCode::JournalFull, message),
            AutosaveError::InvalidTab => Self::new(ErrorCode::BadRequest, message),
            AutosaveError::TooLarge(_) => Self::new(ErrorCode::TooLarge, message),
            AutosaveError::NotFound => Self::new(ErrorCode::NotFound, message),
            AutosaveError::Storage(error) => error.into(),
        }
    }
}

impl From<InvalidFileName> for ApiError {
    fn from(error: InvalidFileName) -> Self {
        Self::new(ErrorCode::InvalidFileName, error)
    }
}

impl From<AssetError> for ApiError {
    fn from(error: AssetError) -> Self {
        let message = error.to_string();
        match error {
            AssetError::NotFound | AssetError::NoSuchName(_) => {
                Self::new(ErrorCode::AssetNotFound, message)
            }
            AssetError::PageNotFound => Self::new(ErrorCode::PageNotFound, message),
            AssetError::PageDraft => Self::new(ErrorCode::Draft, message),
            AssetError::PageDeleted | AssetError::Deleted => Self::new(ErrorCode::Deleted, message),
            AssetError::NotDeleted => Self::new(ErrorCode::NotDeleted, message),
            AssetError::Orphaned => Self::new(ErrorCode::AssetOrphaned, message),
            AssetError::NameTaken(_) => Self::new(ErrorCode::FileNameTaken, message),
            AssetError::TooLarge(_) => Self::new(ErrorCode::TooLarge, message),
            AssetError::FileMissing => Self::new(ErrorCode::AssetFileMissing, message),
            AssetError::Storage(error) => error.into(),
        }
    }
}

impl From<RegisterError> for ApiError {
    fn from(error: RegisterError) -> Self {
        let message = error.to_string();
        match error {
            RegisterError::NameTaken(_) => Self::new(ErrorCode::NameTaken, message),
            RegisterError::Unknown => Self::new(ErrorCode::NoUser, message),
            RegisterError::Storage(error) => error.into(),
        }
    }
}
