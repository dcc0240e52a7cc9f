//! A list of hashes as it was read, and what a list does not hold.

use serde::Serialize;

use crate::checksum::{Algorithm, Checksum};
use crate::path::FilePath;
use crate::reason::{Reason, ReasonCode};
use crate::reported::Reported;

/// The form of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ListFormat {
    /// `hex  path`, as `sha256sum` writes it.
    Sha256sum,
    /// `SHA256 (path) = hex`, as BSD's `sha256` and `sha256sum --tag` write it.
    Bsd,
    /// Columns under a `%%%% HASHDEEP-1.0` header.
    Hashdeep,
    /// `hex  path` or `path  hex` among comments that begin with `;`.
    Rhash,
}

/// A list that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    /// The form. In a list of mixed forms it is that of the first usable line.
    pub format: ListFormat,
    /// The hashes, in the list's order.
    pub entries: Vec<ListEntry>,
    /// Lines that are not comments and contain no hash of a known algorithm.
    pub skipped: Reported<SkippedLine>,
}

/// A line with the hash of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListEntry {
    /// The path as written, relative or absolute, without the list's escapes.
    pub path: Vec<u8>,
    /// The hash.
    pub checksum: Checksum,
    /// Another algorithm whose hashes are as long, if the line names none.
    pub alternative: Option<Algorithm>,
    /// The size in bytes, in lists that have it.
    pub size: Option<u64>,
    /// The line's number, from 1.
    pub line: usize,
}

impl ListEntry {
    /// Returns the hash by each algorithm that it may be of, the usual one first.
    pub(crate) fn checksums(&self) -> impl Iterator<Item = Checksum> {
        let alternative = self.alternative;
        let other =
            alternative.and_then(|algorithm| Checksum::new(algorithm, self.checksum.as_bytes()));
        std::iter::once(self.checksum).chain(other)
    }
}

/// A line that was not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedLine {
    /// The line's number, from 1.
    pub line: usize,
    pub reason: SkipReason,
}

/// The reason why a line of a list is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SkipReason {
    /// A hash by an algorithm that is not computed here, with the name that its length or its tag suggests.
    #[error("the hash is {0}, which is not supported")]
    OtherAlgorithm(&'static str),
    /// Columns without a hash that is computed here.
    #[error("the list has no column “sha256”, “sha1” or “md5”")]
    NoColumn,
    /// Fewer columns than the header names, or a value that its column cannot have.
    #[error("the columns are not those of the list's header")]
    Columns,
    #[error("the line names no file")]
    NoName,
    /// The name `-`.
    #[error("the hash is that of standard input, not of a file")]
    StandardInput,
    /// A backslash that does not begin an escape.
    #[error("the name has a backslash that is followed by neither a backslash nor “n” nor “r”")]
    Escape,
    #[error("the name contains a zero byte")]
    ZeroByte,
    /// A line in none of the forms.
    #[error("the line has no hash in a known form")]
    Unknown,
}

impl From<&SkipReason> for Reason {
    fn from(reason: &SkipReason) -> Self {
        let code = match reason {
            SkipReason::OtherAlgorithm(_) => ReasonCode::OtherAlgorithm,
            SkipReason::NoColumn => ReasonCode::NoColumn,
            SkipReason::Columns => ReasonCode::Columns,
            SkipReason::NoName => ReasonCode::NoName,
            SkipReason::StandardInput => ReasonCode::StandardInput,
            SkipReason::Escape => ReasonCode::Escape,
            SkipReason::ZeroByte => ReasonCode::InvalidPath,
            SkipReason::Unknown => ReasonCode::UnknownLine,
        };
        Self::new(code, reason)
    }
}

/// The reason why a file is not a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnknownList {
    /// Nothing but blank lines and comments.
    #[error("the list is empty")]
    Empty,
    /// None of its lines has a known form.
    #[error(
        "the list is not known: none of its lines has the form of sha256sum, BSD, hashdeep or RHash"
    )]
    Form,
    /// A hashdeep list whose columns cannot be determined.
    #[error("the hashdeep list has no header that names its columns and ends with “filename”")]
    Header,
}

/// A file that a list cannot hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OmittedFile {
    pub path: FilePath,
    pub reason: OmissionReason,
}

/// The reason why a list cannot hold a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OmissionReason {
    /// A line break in the name, for which the format has no escape.
    #[error("the format has no way to write a line break in a name")]
    LineBreak,
    /// A blank at the end of the name, which the reading program removes.
    #[error("the reading program loses the blank at the end of the name")]
    BlankEnd,
    /// A backslash in the name.
    #[error("the reading program misreads a backslash in a name")]
    Backslash,
    /// No size, which the format needs.
    #[error("the format needs the size of the file, which is not known")]
    NoSize,
    /// A control character, which makes the reading program treat the whole list as binary.
    #[error("the reading program refuses lists with control characters")]
    Control,
    /// A line that exceeds the reading program's buffer.
    #[error("the line is longer than the reading program's limit")]
    TooLong,
}
