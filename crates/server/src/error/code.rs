//! The closed list of error codes, each with its status.

use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

macro_rules! error_codes {
    ($($(#[$doc:meta])* $name:ident => $status:ident,)+) => {
        /// The kind of an error, for programs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum ErrorCode {
            $($(#[$doc])* $name,)+
        }

        impl ErrorCode {
            /// Returns the status of a response with this code.
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
    /// An element of a page, such as an image, requests something that it can't show.
    NotEmbeddable => FORBIDDEN,
    /// The request has neither a session nor a token.
    Unauthenticated => UNAUTHORIZED,
    /// The operation requires the launch's Bearer token.
    BearerRequired => FORBIDDEN,
    /// The access token has no scope for the operation.
    ScopeMissing => FORBIDDEN,
    /// Only the desktop window, the Bearer token and the configuration file can set this.
    WindowRequired => FORBIDDEN,
    /// The user has not agreed to send pictures to the service's address.
    ConsentRequired => FORBIDDEN,
    /// A parameter is missing or malformed.
    BadRequest => BAD_REQUEST,
    /// The moment can't be read, or is in the future.
    InvalidTime => BAD_REQUEST,
    /// The client has sent too many requests in a minute.
    RateLimited => TOO_MANY_REQUESTS,
    /// The day's requests are used up.
    DailyLimitReached => TOO_MANY_REQUESTS,
    /// The rate limiter is unavailable, and requests are refused without it.
    LimiterUnavailable => SERVICE_UNAVAILABLE,
    /// The rate limiter works, and has too many other requests at the moment.
    LimiterBusy => SERVICE_UNAVAILABLE,
    /// No service that describes pictures is configured.
    NotConfigured => SERVICE_UNAVAILABLE,
    /// The service no longer offers the model.
    ModelGone => CONFLICT,
    /// The service's own limit is reached.
    VisionLimited => TOO_MANY_REQUESTS,
    /// The service refuses to describe the picture.
    VisionRefused => UNPROCESSABLE_ENTITY,
    /// The service can't be reached, or did not answer in time.
    VisionUnreachable => BAD_GATEWAY,
    /// The service, or the OCR command, failed; `reason` has the cause.
    VisionFailed => BAD_GATEWAY,
    /// The OCR command reads only text.
    ModeNotSupported => UNPROCESSABLE_ENTITY,
    /// The clock has jumped. Nothing expires for an hour.
    ClockJumped => CONFLICT,
    /// The environment, or a flag, sets the value, so that it can't be changed here.
    SetByEnvironment => CONFLICT,
    /// The system has no keyring, or the keyring refuses access.
    KeyringUnavailable => SERVICE_UNAVAILABLE,
    /// The method is not supported at this address.
    MethodNotAllowed => METHOD_NOT_ALLOWED,
    /// No known program makes such a folder or file.
    UnknownSource => UNPROCESSABLE_ENTITY,
    /// The folder or file of another program is damaged, or can't be read.
    InvalidSource => UNPROCESSABLE_ENTITY,
    /// The archive of another program is encrypted.
    SourceEncrypted => UNPROCESSABLE_ENTITY,
    /// There is no such import or preview.
    ImportNotFound => NOT_FOUND,
    /// The import was undone already.
    ImportUndone => CONFLICT,
    /// The text is not a valid page path.
    InvalidPath => UNPROCESSABLE_ENTITY,
    /// The text is not a valid name.
    InvalidName => UNPROCESSABLE_ENTITY,
    /// The text is not a valid file name.
    InvalidFileName => UNPROCESSABLE_ENTITY,
    /// The body is malformed.
    InvalidBody => BAD_REQUEST,
    /// The body is not UTF-8.
    NotUtf8 => UNPROCESSABLE_ENTITY,
    /// A value is outside its range.
    InvalidValue => UNPROCESSABLE_ENTITY,
    /// The archive is damaged or inconsistent.
    InvalidArchive => UNPROCESSABLE_ENTITY,
    /// A full archive can only be imported into an empty wiki.
    NotEmpty => CONFLICT,
    /// The folder has files of others.
    FolderNotEmpty => CONFLICT,
    /// The database can't be copied, so it was not repaired.
    NotRepaired => CONFLICT,
    /// The body is too large.
    TooLarge => PAYLOAD_TOO_LARGE,
    /// The body's media type is not supported.
    UnsupportedMediaType => UNSUPPORTED_MEDIA_TYPE,
    /// There is nothing at this address.
    NotFound => NOT_FOUND,
    /// The page does not exist.
    PageNotFound => NOT_FOUND,
    /// The page has not been saved yet.
    Draft => NOT_FOUND,
    /// A page or a draft has the path already.
    PathTaken => CONFLICT,
    /// A user has the name already.
    NameTaken => CONFLICT,
    /// Another file has the name already.
    FileNameTaken => CONFLICT,
    /// Another user holds the page's lock.
    Locked => CONFLICT,
    /// The page is not locked.
    NotLocked => NOT_FOUND,
    /// The page is locked, and the request has no token.
    LockRequired => LOCKED,
    /// The token is wrong, replaced or expired.
    LockInvalid => FORBIDDEN,
    /// The request must name the version that it is based on.
    PreconditionRequired => PRECONDITION_REQUIRED,
    /// The page has changed since the version that the request is based on.
    PreconditionFailed => PRECONDITION_FAILED,
    /// A newer autosave entry exists, or the tab has saved since.
    StaleSequence => CONFLICT,
    /// The user's autosave entries have reached their limit.
    JournalFull => INSUFFICIENT_STORAGE,
    /// Only the author of the newest revision may amend it.
    NotAuthor => FORBIDDEN,
    /// The page or file is deleted.
    Deleted => GONE,
    /// The revision was removed.
    Gone => GONE,
    /// The file does not exist.
    AssetNotFound => NOT_FOUND,
    /// The contents of the file are missing.
    AssetFileMissing => NOT_FOUND,
    /// The file's page was deleted permanently; it needs another one.
    AssetOrphaned => CONFLICT,
    /// The page or file is not deleted.
    NotDeleted => CONFLICT,
    /// The root page can't be renamed, moved or deleted.
    RootProtected => UNPROCESSABLE_ENTITY,
    /// A folder that is open, or contains an open one, can't be renamed, moved or deleted.
    FolderProtected => UNPROCESSABLE_ENTITY,
    /// A folder can't be moved into itself.
    IntoItself => UNPROCESSABLE_ENTITY,
    /// No user is registered yet.
    NoUser => NOT_FOUND,
    /// The operation was cancelled.
    Cancelled => CONFLICT,
    /// The job does not exist.
    JobNotFound => NOT_FOUND,
    /// The session does not exist, or has ended.
    SessionNotFound => NOT_FOUND,
    /// The access token does not exist, or was revoked.
    TokenNotFound => NOT_FOUND,
    /// The root does not exist.
    RootNotFound => NOT_FOUND,
    /// There is no backup with this name.
    BackupNotFound => NOT_FOUND,
    /// There is no album with this id.
    AlbumNotFound => NOT_FOUND,
    /// The file has changed since the search for duplicates.
    DuplicateChanged => CONFLICT,
    /// No other picture of a group of duplicates would stay.
    LastCopy => CONFLICT,
    /// The backup is damaged, in use, or of another version.
    BackupUnreadable => UNPROCESSABLE_ENTITY,
    /// There is no mirror.
    MirrorNotSet => NOT_FOUND,
    /// The mirror has no such file that was edited outside.
    MirrorFileNotFound => NOT_FOUND,
    /// The folder is missing or can't be read.
    FolderUnavailable => NOT_FOUND,
    /// The entry is a file, not a folder.
    NotAFolder => UNPROCESSABLE_ENTITY,
    /// The entry is not a file, so it can't be copied.
    NotAFile => UNPROCESSABLE_ENTITY,
    /// The folder contains an entry that can't be copied, so the folder is not copied.
    FolderNotCopied => UNPROCESSABLE_ENTITY,
    /// The folder was copied to another disk, and a part of the original could not be deleted.
    OriginalRemains => CONFLICT,
    /// The system has no trash for the file.
    BinUnavailable => UNPROCESSABLE_ENTITY,
    /// The system denies permission.
    NotPermitted => FORBIDDEN,
    /// There is no operation with this id to undo.
    OperationNotFound => NOT_FOUND,
    /// The operation is still running or being undone.
    OperationRunning => CONFLICT,
    /// The operation can't be undone, because something has changed since.
    ChangedSince => CONFLICT,
    /// The file is not a picture of a known format.
    NotAPicture => UNSUPPORTED_MEDIA_TYPE,
    /// The file can't be rotated without loss.
    NotRotatable => UNPROCESSABLE_ENTITY,
    /// The picture can't be decoded.
    PictureUndecodable => UNPROCESSABLE_ENTITY,
    /// Nothing on the system decodes the video. It is tried again after a minute.
    NoVideoDecoder => UNPROCESSABLE_ENTITY,
    /// The path is outside the folders that may be read.
    OutsideRoots => FORBIDDEN,
    /// The shared key is missing or wrong.
    KeyInvalid => FORBIDDEN,
    /// The grant is unknown, used or another window's.
    GrantInvalid => FORBIDDEN,
    /// The program that decodes pictures is unavailable.
    DecoderUnavailable => SERVICE_UNAVAILABLE,
    /// Too many thumbnails are queued.
    QueueFull => SERVICE_UNAVAILABLE,
    /// Too much of the client's work is running or waiting.
    TooMuchWork => TOO_MANY_REQUESTS,
    /// The places for clients that are not signed in are taken.
    ServerBusy => SERVICE_UNAVAILABLE,
    /// The address answers only programs of the user who runs the server.
    OtherUser => FORBIDDEN,
    /// All connections of the server are in use.
    TooManyConnections => SERVICE_UNAVAILABLE,
    /// The process or the system has no file handle left at the moment.
    OutOfHandles => SERVICE_UNAVAILABLE,
    /// The file changes faster than it can be read.
    SourceChanging => SERVICE_UNAVAILABLE,
    /// The text is not a valid tag.
    InvalidTag => UNPROCESSABLE_ENTITY,
    /// The sidecar of a picture is damaged, or not XMP; it was not changed.
    SidecarDamaged => UNPROCESSABLE_ENTITY,
    /// The sidecar of a picture is too large.
    SidecarTooLarge => UNPROCESSABLE_ENTITY,
    /// Another program keeps changing the sidecar.
    SidecarContended => CONFLICT,
    /// The text is not a valid name of a hash record.
    MalformedName => UNPROCESSABLE_ENTITY,
    /// The file has no hash record.
    RecordNotFound => NOT_FOUND,
    /// No file with the recorded contents was found.
    NoGoodCopy => NOT_FOUND,
    /// The record was imported from a list, or is another program's: the file itself was never read.
    RecordImported => CONFLICT,
    /// The file does not exist, and its creation was not confirmed.
    FileMissing => CONFLICT,
    /// A browser can't create a file by restoring it, nor restore a hidden one.
    CreationRefused => FORBIDDEN,
    /// The hash folder belongs to another program, and writing there was not confirmed.
    ForeignFolder => CONFLICT,
    /// Another process is writing into the hash folder.
    HashesBusy => CONFLICT,
    /// The file is as recorded.
    Intact => CONFLICT,
    /// Another user could change the folder.
    UnsafeFolder => UNPROCESSABLE_ENTITY,
    /// The disk is full.
    DiskFull => INSUFFICIENT_STORAGE,
    /// The data can't be written.
    ReadOnly => INSUFFICIENT_STORAGE,
    /// A settings file can't be read; it was not changed.
    SettingsDamaged => INTERNAL_SERVER_ERROR,
    /// The disk or the database failed.
    StorageFailed => INTERNAL_SERVER_ERROR,
    /// An error of the program itself.
    Internal => INTERNAL_SERVER_ERROR,
    /// The program is shutting down.
    ShuttingDown => SERVICE_UNAVAILABLE,
}
