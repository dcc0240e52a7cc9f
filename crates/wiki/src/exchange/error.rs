//! Why an archive was not brought in.

use jiff::Timestamp;

use super::manifest::VERSION;
use super::names::MANIFEST;
use crate::file_name::{FileName, InvalidFileName};
use crate::pages::MAX_SOURCE_BYTES;
use crate::path::{InvalidPath, PagePath};
use crate::store::StorageError;
use crate::tree::PathTaken;

/// An archive was not brought in. Nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It was broken off.
    #[error("the import was cancelled")]
    BrokenOff,
    /// The archive is not whole, or none that this program reads.
    #[error(transparent)]
    Invalid(#[from] InvalidArchive),
    /// A page is where one of the archive is to be.
    #[error(transparent)]
    Taken(#[from] PathTaken),
    /// Someone holds what is where a page of the archive is to be.
    #[error("{user_name} is editing {path}")]
    Locked {
        /// Where the page or draft stands.
        path: PagePath,
        /// Who holds it.
        user_name: String,
        /// Until when, unless the lock is renewed.
        expire: Timestamp,
    },
    /// A file is larger than files may be here.
    #[error("the file {entry} is too large: at most {limit} bytes are allowed")]
    FileTooLarge {
        /// The archive's entry.
        entry: String,
        /// How many bytes may be.
        limit: u64,
    },
    /// There is more in the archive than may be in any, or in one of its size.
    #[error(
        "unpacked, the archive holds more than the {0} bytes that are allowed for one of its size"
    )]
    TooMuch(u64),
    /// The disk has less room than is needed.
    #[error(
        "there is not enough room on the disk: the archive needs {needed} bytes, and {free} are free"
    )]
    NoRoom {
        /// How many bytes it needs, as it says.
        needed: u64,
        /// How many bytes are free.
        free: u64,
    },
    /// Nobody has the id of the person who is to bring it in.
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

/// What is wrong with an archive.
#[derive(Debug, thiserror::Error)]
pub enum InvalidArchive {
    /// It can't be read as a zip.
    #[error("this isn't a readable zip archive: {0}")]
    NotZip(String),
    /// There is no manifest in it.
    #[error("the archive has no {MANIFEST}, so it is not one of Fumikura's")]
    NoManifest,
    /// The manifest can't be read.
    #[error("the archive's {MANIFEST} can't be read: {0}")]
    Manifest(String),
    /// It was made by a newer program.
    #[error("the archive is of version {0}, this program reads version {VERSION}")]
    Version(u64),
    /// Something that the manifest names is wrong.
    #[error("in the archive, {entry}: {fault}")]
    Entry {
        /// The entry's name, fit to be shown.
        entry: String,
        /// What is wrong with it.
        fault: EntryFault,
    },
}

/// What is wrong with a page or file of an archive.
#[derive(Debug, thiserror::Error)]
pub enum EntryFault {
    /// The archive has no entry of this name.
    #[error("the archive has no such entry")]
    Missing,
    /// The name leads out of the archive, or is none.
    #[error("this can't be the name of an entry")]
    Name,
    /// The manifest names it twice.
    #[error("the manifest lists this entry twice")]
    EntryTwice,
    /// It is a folder or a link.
    #[error("the entry is not a file")]
    NotAFile,
    /// It is damaged, or packed in a way that is not read here.
    #[error("the entry can't be read: {0}")]
    Unreadable(String),
    /// A text is too long.
    #[error("the text is longer than the {MAX_SOURCE_BYTES} bytes that are allowed")]
    TextTooLong,
    /// A text is not UTF-8.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// A file is shorter or longer than the manifest says.
    #[error("the file does not have the {0} bytes that the manifest says")]
    Size(u64),
    /// A file holds something else than the manifest says.
    #[error("the file's contents are not those that the manifest says (SHA-256)")]
    Hash,
    /// A page has a path that can't be.
    #[error("the page's path isn't valid: {0}")]
    Path(InvalidPath),
    /// A file has a name that can't be.
    #[error("the file's name isn't valid: {0}")]
    FileName(InvalidFileName),
    /// Two pages have one path.
    #[error("two pages are at {0}")]
    PathTwice(PagePath),
    /// A page has two files of one name.
    #[error("the page has two files named {0}")]
    FileNameTwice(FileName),
    /// Two pages, or two files, have one id.
    #[error("another one has the same id")]
    IdTwice,
    /// A file is of a page that is not there.
    #[error("the file's page is not in the archive")]
    NoPage,
}

impl EntryFault {
    /// The fault of an entry.
    pub(super) fn of(self, entry: &str) -> InvalidArchive {
        /// A name that no archive of ours has need not be shown whole.
        const SHOWN: usize = 200;
        let shown = entry.chars().take(SHOWN).flat_map(char::escape_debug);
        InvalidArchive::Entry {
            entry: shown.collect(),
            fault: self,
        }
    }
}
