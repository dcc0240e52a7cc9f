//! Errors of an import.

use jiff::Timestamp;

use super::full::{FULL_MANIFEST, FULL_VERSION};
use super::manifest::VERSION;
use super::names::MANIFEST;
use crate::file_name::{FileName, InvalidFileName};
use crate::model::page::MAX_SOURCE_BYTES;
use crate::path::{InvalidPath, PagePath};
use crate::store::StorageError;
use crate::tree::PathTaken;

/// The reason why an archive was not imported. Nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("the import was cancelled")]
    Cancelled,
    /// The archive is incomplete, or not one that this program reads.
    #[error(transparent)]
    Invalid(#[from] InvalidArchive),
    /// A page exists at the path of a page in the archive.
    #[error(transparent)]
    Taken(#[from] PathTaken),
    /// The page or draft at the path of a page in the archive is locked.
    #[error("{user_name} is editing {path}")]
    Locked {
        /// The path of the page or draft.
        path: PagePath,
        /// The user who holds the lock.
        user_name: String,
        /// The end of the lock, unless it is renewed.
        expire: Timestamp,
    },
    /// A file is larger than allowed here.
    #[error("the file {entry} is too large: at most {limit} bytes are allowed")]
    FileTooLarge {
        /// The archive's entry.
        entry: String,
        /// The maximum size in bytes.
        limit: u64,
    },
    /// The archive unpacks to more than is allowed for any archive, or for one of its size.
    #[error("the unpacked archive is larger than the {0} bytes that are allowed for its size")]
    TooMuch(u64),
    /// The disk has too little space.
    #[error(
        "there is not enough room on the disk: the archive needs {needed} bytes, and {free} are free"
    )]
    NoRoom {
        /// The number of bytes that it needs, as it declares.
        needed: u64,
        /// The number of bytes that are free.
        free: u64,
    },
    /// A full archive can't be added to a wiki that has something already.
    #[error(
        "a full archive can only be imported into an empty wiki, and this one has {0}. Start with a new data folder \
         (`fumi import --data FOLDER ARCHIVE`), or export and import the pages without their history"
    )]
    NotEmpty(&'static str),
    /// No user has the id of the importing user.
    #[error("no user has this id")]
    NoUser,
    /// The database or the disk failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<std::io::Error> for ImportError {
    fn from(error: std::io::Error) -> Self {
        Self::Storage(error.into())
    }
}

/// A fault of an archive.
#[derive(Debug, thiserror::Error)]
pub enum InvalidArchive {
    /// It can't be read as a zip.
    #[error("this isn't a readable zip archive: {0}")]
    NotZip(String),
    #[error("the archive has no {MANIFEST}, so it is not one of Fumikura's")]
    NoManifest,
    /// The manifest can't be read.
    #[error("the archive's {MANIFEST} can't be read: {0}")]
    Manifest(String),
    /// It was made by a newer version of the program.
    #[error("the archive is of version {0}, this program reads version {VERSION}")]
    Version(u64),
    /// The manifest of a full archive can't be read.
    #[error("the archive's {FULL_MANIFEST} can't be read: {0}")]
    FullManifest(String),
    /// A full archive was made by a newer version of the program.
    #[error("the full archive is of version {0}, this program reads version {FULL_VERSION}")]
    FullVersion(u64),
    /// The rows of a full archive do not fit together.
    #[error("the archive's contents contradict each other: {0}")]
    Contradictory(String),
    /// An entry that the manifest names has a fault.
    #[error("in the archive, {entry}: {fault}")]
    Entry {
        /// The entry's name, escaped for display.
        entry: String,
        fault: EntryFault,
    },
}

/// A fault of a page or file in an archive.
#[derive(Debug, thiserror::Error)]
pub enum EntryFault {
    /// The archive has no entry of this name.
    #[error("the archive has no such entry")]
    Missing,
    /// The name leads out of the archive, or is not a name.
    #[error("this can't be the name of an entry")]
    Name,
    /// The manifest names it twice.
    #[error("the manifest lists this entry twice")]
    EntryTwice,
    /// It is a folder or a link.
    #[error("the entry is not a file")]
    NotAFile,
    /// It is damaged, or compressed with an unsupported method.
    #[error("the entry can't be read: {0}")]
    Unreadable(String),
    #[error("the text is longer than the {MAX_SOURCE_BYTES} bytes that are allowed")]
    TextTooLong,
    /// A text is not UTF-8.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// A file is shorter or longer than the manifest says.
    #[error("the file does not have the {0} bytes that the manifest states")]
    Size(u64),
    /// A file has other contents than the manifest says.
    #[error("the file's contents do not match the manifest (SHA-256)")]
    Hash,
    /// A page has an invalid path.
    #[error("the page's path isn't valid: {0}")]
    Path(InvalidPath),
    #[error("the file's name isn't valid: {0}")]
    FileName(InvalidFileName),
    /// Two pages have the same path.
    #[error("two pages are at {0}")]
    PathTwice(PagePath),
    /// A page has two files with the same name.
    #[error("the page has two files named {0}")]
    FileNameTwice(FileName),
    /// Two pages, or two files, have the same id.
    #[error("another one has the same id")]
    IdTwice,
    /// A file belongs to a page that is not in the archive.
    #[error("the file's page is not in the archive")]
    NoPage,
    /// A full archive has an entry that it does not list.
    #[error("the archive does not list this entry")]
    Unlisted,
    /// A row of a full archive means nothing.
    #[error("line {line}: {reason}")]
    Row { line: u64, reason: String },
}

impl EntryFault {
    /// Returns the error for this fault of an entry.
    pub(super) fn of(self, entry: &str) -> InvalidArchive {
        /// The maximum length of a displayed name: a longer one cannot come from this program.
        const MAX_SHOWN: usize = 200;
        let escaped = entry.chars().take(MAX_SHOWN).flat_map(char::escape_debug);
        InvalidArchive::Entry {
            entry: escaped.collect(),
            fault: self,
        }
    }
}
