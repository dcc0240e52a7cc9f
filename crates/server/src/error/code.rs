//! The closed list of error codes, each with its status.

use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

macro_rules! error_codes {
    ($($(#[$doc:meta])* $name:ident => $status:ident,)+) => {
        /// What went wrong, for programs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum ErrorCode {
            $($(#[$doc])* $name,)+
        }

        impl ErrorCode {
            /// The status of an answer with this code.
            #[must_use]
            pub fn status(self) -> StatusCode {
                match self {
                    $(Self::$name => StatusCode::$status,)+
                }
            }
        }
    };
}

error_codes! {
    /// The `Host` header names another machine.
    HostNotAllowed => FORBIDDEN,
    /// The request comes from a page of another origin.
    CrossOrigin => FORBIDDEN,
    /// An element of a page, such as an image, asks for what it could not show.
    NotEmbeddable => FORBIDDEN,
    /// Neither a session nor a token came with the request.
    Unauthenticated => UNAUTHORIZED,
    /// Only the launch's Bearer token may do that.
    BearerRequired => FORBIDDEN,
    /// A parameter is missing or malformed.
    BadRequest => BAD_REQUEST,
    /// The client has sent too many requests in a minute.
    RateLimited => TOO_MANY_REQUESTS,
    /// The day's requests are used up.
    DailyLimitReached => TOO_MANY_REQUESTS,
    /// The rate limiter can't be used, and nothing is let through without it.
    LimiterUnavailable => SERVICE_UNAVAILABLE,
    /// No service that describes pictures is configured.
    NotConfigured => SERVICE_UNAVAILABLE,
    /// The service does not offer the model any more.
    ModelGone => CONFLICT,
    /// The service's own limit is reached.
    VisionLimited => TOO_MANY_REQUESTS,
    /// The service refuses to describe the picture.
    VisionRefused => UNPROCESSABLE_ENTITY,
    /// The service can't be reached, or did not answer in time.
    VisionUnreachable => BAD_GATEWAY,
    /// The service, or the OCR command, failed; `reason` says how.
    VisionFailed => BAD_GATEWAY,
    /// An OCR command reads text alone.
    ModeNotSupported => UNPROCESSABLE_ENTITY,
    /// The clock has jumped; nothing expires for an hour.
    ClockJumped => CONFLICT,
    /// The environment, or a flag, sets the value, so that it can't be changed here.
    SetByEnvironment => CONFLICT,
    /// The system has no keyring, or it refuses.
    KeyringUnavailable => SERVICE_UNAVAILABLE,
    /// The method does not exist at this address.
    MethodNotAllowed => METHOD_NOT_ALLOWED,
    /// The text is no path of a page.
    InvalidPath => UNPROCESSABLE_ENTITY,
    /// The text is no name.
    InvalidName => UNPROCESSABLE_ENTITY,
    /// The text is no name of a file.
    InvalidFileName => UNPROCESSABLE_ENTITY,
    /// The body can't be read as what it should be.
    InvalidBody => BAD_REQUEST,
    /// The body is not UTF-8.
    NotUtf8 => UNPROCESSABLE_ENTITY,
    /// A value is outside what is allowed.
    InvalidValue => UNPROCESSABLE_ENTITY,
    /// The archive is damaged, or says what can't be.
    InvalidArchive => UNPROCESSABLE_ENTITY,
    /// The body is too large.
    TooLarge => PAYLOAD_TOO_LARGE,
    /// The body's type is not the one that is read here.
    UnsupportedMediaType => UNSUPPORTED_MEDIA_TYPE,
    /// Nothing is at this address.
    NotFound => NOT_FOUND,
    /// There is no such page.
    PageNotFound => NOT_FOUND,
    /// The page has not been saved yet.
    Draft => NOT_FOUND,
    /// A page, or a draft, has the path.
    PathTaken => CONFLICT,
    /// Someone has the name.
    NameTaken => CONFLICT,
    /// Another file has this name.
    FileNameTaken => CONFLICT,
    /// Someone holds the page.
    Locked => CONFLICT,
    /// Nobody holds the page.
    NotLocked => NOT_FOUND,
    /// The page is locked, and no token came with the request.
    LockRequired => LOCKED,
    /// The token is wrong, replaced or over.
    LockInvalid => FORBIDDEN,
    /// The request must say which version it is based on.
    PreconditionRequired => PRECONDITION_REQUIRED,
    /// The page has moved on from the version that the request is based on.
    PreconditionFailed => PRECONDITION_FAILED,
    /// Newer unsaved text is there already, or the tab has saved since.
    StaleSequence => CONFLICT,
    /// The person has as much unsaved text as is kept.
    JournalFull => INSUFFICIENT_STORAGE,
    /// Only the author of the newest revision may amend it.
    NotAuthor => FORBIDDEN,
    /// The page, or the file, is deleted.
    Deleted => GONE,
    /// The revision was removed.
    Gone => GONE,
    /// There is no such file.
    AssetNotFound => NOT_FOUND,
    /// The file is known, and its contents are missing.
    AssetFileMissing => NOT_FOUND,
    /// The file's page was deleted for good; it needs another one.
    AssetOrphaned => CONFLICT,
    /// It is not deleted.
    NotDeleted => CONFLICT,
    /// The root page can't be renamed, moved or deleted.
    RootProtected => UNPROCESSABLE_ENTITY,
    /// A folder that was opened, or in which one lies, can't be renamed, moved or deleted.
    FolderProtected => UNPROCESSABLE_ENTITY,
    /// Nothing can be moved into itself.
    IntoItself => UNPROCESSABLE_ENTITY,
    /// Nobody has registered yet.
    NoUser => NOT_FOUND,
    /// Someone cancelled it.
    Cancelled => CONFLICT,
    /// There is no such job.
    JobNotFound => NOT_FOUND,
    /// There is no such session, or it has ended.
    SessionNotFound => NOT_FOUND,
    /// There is no such root.
    RootNotFound => NOT_FOUND,
    /// The folder is not there, or may not be read.
    FolderUnavailable => NOT_FOUND,
    /// It is a file, not a folder.
    NotAFolder => UNPROCESSABLE_ENTITY,
    /// It is no file, and so can't be copied.
    NotAFile => UNPROCESSABLE_ENTITY,
    /// Something in a folder can't be copied, and so the folder is not.
    FolderNotCopied => UNPROCESSABLE_ENTITY,
    /// A folder was copied to another disk, and a part of it could not be deleted at its old place.
    OriginalRemains => CONFLICT,
    /// The system has no bin for it.
    BinUnavailable => UNPROCESSABLE_ENTITY,
    /// The system does not permit it.
    NotPermitted => FORBIDDEN,
    /// There is nothing to undo with this id.
    OperationNotFound => NOT_FOUND,
    /// It is still being done, or undone.
    OperationRunning => CONFLICT,
    /// It can't be undone, as something has changed since.
    ChangedSince => CONFLICT,
    /// It is no picture of a known kind.
    NotAPicture => UNSUPPORTED_MEDIA_TYPE,
    /// The picture can't be decoded.
    PictureUndecodable => UNPROCESSABLE_ENTITY,
    /// It lies outside the folders that may be read.
    OutsideRoots => FORBIDDEN,
    /// The shared key is missing or wrong.
    KeyInvalid => FORBIDDEN,
    /// The grant is unknown, used or of another window.
    GrantInvalid => FORBIDDEN,
    /// The program that decodes pictures can't be used.
    DecoderUnavailable => SERVICE_UNAVAILABLE,
    /// Too many thumbnails are waiting to be made.
    QueueFull => SERVICE_UNAVAILABLE,
    /// All connections that the server may have are at work.
    TooManyConnections => SERVICE_UNAVAILABLE,
    /// The process, or the system, can open no further file at the moment.
    OutOfHandles => SERVICE_UNAVAILABLE,
    /// The file changes faster than it can be read.
    SourceChanging => SERVICE_UNAVAILABLE,
    /// The text is no tag.
    InvalidTag => UNPROCESSABLE_ENTITY,
    /// The sidecar beside a picture is damaged, or no XMP; it was left as it is.
    SidecarDamaged => UNPROCESSABLE_ENTITY,
    /// The sidecar beside a picture is larger than any can be.
    SidecarTooLarge => UNPROCESSABLE_ENTITY,
    /// Another program keeps changing the sidecar.
    SidecarContended => CONFLICT,
    /// The text is no name of a hash record.
    MalformedName => UNPROCESSABLE_ENTITY,
    /// There is no hash record of the file.
    RecordNotFound => NOT_FOUND,
    /// No file with the recorded contents was found.
    NoGoodCopy => NOT_FOUND,
    /// The hash folder is another program's, and writing there was not confirmed.
    ForeignFolder => CONFLICT,
    /// Another process is writing into the hash folder.
    HashesBusy => CONFLICT,
    /// The file is as it was recorded.
    Intact => CONFLICT,
    /// Another user could change the folder.
    UnsafeFolder => UNPROCESSABLE_ENTITY,
    /// There is no room left on the disk.
    DiskFull => INSUFFICIENT_STORAGE,
    /// The data can't be written.
    ReadOnly => INSUFFICIENT_STORAGE,
    /// A file of settings can't be read; it was left as it is.
    SettingsDamaged => INTERNAL_SERVER_ERROR,
    /// The disk or the database failed.
    StorageFailed => INTERNAL_SERVER_ERROR,
    /// A fault of the program.
    Internal => INTERNAL_SERVER_ERROR,
    /// The program is closing.
    ShuttingDown => SERVICE_UNAVAILABLE,
}
