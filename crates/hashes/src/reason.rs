//! Reasons why a file can't be read, a record is unusable, or a line of a list is not used.

use std::fmt;
use std::io;
use std::ops::Deref;

use fumikura_base::dir_handle::is_link;
use serde::{Deserialize, Serialize};

use crate::contents::ReadError;
use crate::name::MalformedName;
use crate::path::InvalidPath;
use crate::record::InvalidRecord;

/// A reason: a stable code for programs, and a text for people. It dereferences to its text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Reason {
    /// The kind.
    pub code: ReasonCode,
    /// The full text in English.
    text: String,
}

/// The kind of a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasonCode {
    /// The file does not exist.
    FileMissing,
    /// The file does not exist, and has no record.
    NoRecord,
    /// It is a link, which is never recorded.
    Link,
    /// The path leads through a link, which is not followed.
    ThroughLink,
    /// It is a folder, pipe, socket or device.
    NotRegular,
    /// The file was written to while it was read.
    ChangedMeanwhile,
    /// The system denies reading.
    PermissionDenied,
    /// The system fails to read; the text has its message.
    Unreadable,
    RecordTooLarge,
    RecordEmpty,
    RecordNotJson,
    /// A field of the record is missing or can't be read. The text names it.
    RecordField,
    /// The record's name encodes no path. The text gives the reason.
    InvalidName,
    /// The file's name is not that of a record.
    ForeignName,
    /// The path in the record differs from that of its name. The text has both.
    OtherPath,
    /// The file has a record, and another one stays set aside.
    HasRecord,
    /// The path has a second record; the text names it.
    SecondRecord,
    /// The hash folder does not distinguish the record's name from that of another record. The text names it.
    NameTaken,
    /// The record has an older name; the text has it.
    OlderName,
    /// The record gets its current name. The text has both names.
    NewName,
    /// A later version of a program wrote the record.
    NewerRecord,
    /// The file is a program, and the folder belongs to another program.
    ProgramOfOthers,
    /// The contents differ, and the record is kept.
    RecordKept,
    /// The file was edited and is recorded again.
    RecordedAgain,
    /// A listed path is not one that a file can have.
    InvalidPath,
    /// A listed path is outside of the folder.
    OutsideFolder,
    /// A listed hash is not SHA-256.
    OtherAlgorithm,
    /// A list without a column for SHA-256.
    NoColumn,
    /// A line with other columns than the list's header.
    Columns,
    /// A line that names no file.
    NoName,
    /// A line with the hash of standard input.
    StandardInput,
    /// A line whose name has an undefined escape.
    Escape,
    /// A line without a hash in a known form.
    UnknownLine,
    /// A listed name has another Unicode form than that of the file.
    OtherForm,
}

impl Reason {
    /// Creates a reason of a kind.
    pub(crate) fn new(code: ReasonCode, text: impl fmt::Display) -> Self {
        Self {
            code,
            text: text.to_string(),
        }
    }
}

impl ReasonCode {
    /// Returns its word in JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::FileMissing => "file_missing",
            Self::NoRecord => "no_record",
            Self::Link => "link",
            Self::ThroughLink => "through_link",
            Self::NotRegular => "not_regular",
            Self::ChangedMeanwhile => "changed_meanwhile",
            Self::PermissionDenied => "permission_denied",
            Self::Unreadable => "unreadable",
            Self::RecordTooLarge => "record_too_large",
            Self::RecordEmpty => "record_empty",
            Self::RecordNotJson => "record_not_json",
            Self::RecordField => "record_field",
            Self::InvalidName => "invalid_name",
            Self::ForeignName => "foreign_name",
            Self::OtherPath => "other_path",
            Self::HasRecord => "has_record",
            Self::SecondRecord => "second_record",
            Self::NameTaken => "name_taken",
            Self::OlderName => "older_name",
            Self::NewName => "new_name",
            Self::NewerRecord => "newer_record",
            Self::ProgramOfOthers => "program_of_others",
            Self::RecordKept => "record_kept",
            Self::RecordedAgain => "recorded_again",
            Self::InvalidPath => "invalid_path",
            Self::OutsideFolder => "outside_folder",
            Self::OtherAlgorithm => "other_algorithm",
            Self::NoColumn => "no_column",
            Self::Columns => "columns",
            Self::NoName => "no_name",
            Self::StandardInput => "standard_input",
            Self::Escape => "escape",
            Self::UnknownLine => "unknown_line",
            Self::OtherForm => "other_form",
        }
    }
}

impl Deref for Reason {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(formatter)
    }
}

fn code_of(error: &io::Error) -> ReasonCode {
    if error.kind() == io::ErrorKind::PermissionDenied {
        ReasonCode::PermissionDenied
    } else {
        ReasonCode::Unreadable
    }
}

impl From<&io::Error> for Reason {
    fn from(error: &io::Error) -> Self {
        if is_link(error) {
            let text = "a folder in its path is a symbolic link, which is not followed";
            return Self::new(ReasonCode::ThroughLink, text);
        }
        Self::new(code_of(error), error)
    }
}

impl From<&ReadError> for Reason {
    fn from(error: &ReadError) -> Self {
        let code = match error {
            ReadError::Missing => ReasonCode::FileMissing,
            ReadError::NotRegular => ReasonCode::NotRegular,
            ReadError::ChangedMeanwhile => ReasonCode::ChangedMeanwhile,
            ReadError::Cancelled => ReasonCode::Unreadable,
            ReadError::Io(source) => code_of(source),
        };
        Self::new(code, error)
    }
}

impl From<&InvalidRecord> for Reason {
    fn from(error: &InvalidRecord) -> Self {
        let code = match error {
            InvalidRecord::Read(source) => Self::from(source).code,
            InvalidRecord::TooLarge => ReasonCode::RecordTooLarge,
            InvalidRecord::Empty => ReasonCode::RecordEmpty,
            InvalidRecord::Json(_) => ReasonCode::RecordNotJson,
            InvalidRecord::NoField(_)
            | InvalidRecord::Field { .. }
            | InvalidRecord::Path(_)
            | InvalidRecord::Digest(_) => ReasonCode::RecordField,
        };
        Self::new(code, error)
    }
}

impl From<&MalformedName> for Reason {
    fn from(error: &MalformedName) -> Self {
        Self::new(ReasonCode::InvalidName, error)
    }
}

impl From<&InvalidPath> for Reason {
    fn from(error: &InvalidPath) -> Self {
        Self::new(ReasonCode::InvalidPath, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn denied_access_differs_from_other_failures() {
        let code = |kind: io::ErrorKind| Reason::from(&ReadError::Io(kind.into())).code;
        assert_eq!(
            code(io::ErrorKind::PermissionDenied),
            ReasonCode::PermissionDenied
        );
        assert_eq!(code(io::ErrorKind::TimedOut), ReasonCode::Unreadable);
        let reason = Reason::from(&InvalidRecord::Read(ReadError::NotRegular));
        assert_eq!(
            (reason.code, &*reason),
            (ReasonCode::NotRegular, "it is not a regular file")
        );
    }

    #[test]
    fn word_equals_the_json_name() {
        for code in [ReasonCode::FileMissing, ReasonCode::RecordNotJson] {
            assert_eq!(serde_json::to_value(code).unwrap(), code.word());
        }
    }
}
