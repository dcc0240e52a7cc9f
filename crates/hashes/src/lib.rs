//! Hash records: their file names, their formats, and the verification of their files.
//!
//! The rules are in docs/spec/hash-files.md. Everything here is synchronous; a caller passes a [`RunObserver`] to
//! observe or cancel a long run.

mod accept_move;
mod access;
mod checksum;
mod contents;
mod digest;
mod explain;
mod folder;
mod import;
pub mod lists;
mod lossy;
mod name;
mod path;
mod reason;
mod record;
mod removed;
mod repair;
mod reported;
mod run;
mod schedule;
mod stat;
mod state;
mod tidy;

pub use checksum::{Algorithm, Checksum};
pub use contents::{Contents, ReadError, read, read_file};
pub use digest::{Digest, InvalidDigest};
pub use explain::{Explanation, NameStep, StepKind, explain_name, explain_path};
pub use folder::{
    Batch, FolderLock, HashFolder, Index, IndexVersion, OpenError, Problem, RecordKind, RecordRow,
    Verification, WriteError,
};
pub use import::{Conflict, ExportFormat, ImportOutcome, export};
pub use name::{MAX_NAME, MalformedName, NameKind, decode, encode, kind, record_name, short_name};
pub use path::{FilePath, InvalidPath, MAX_PATH};
pub use reason::{Reason, ReasonCode};
pub use record::{
    Format, InvalidRecord, MAX_RECORD_BYTES, Notes, PreviousHash, Record, SCHEMA, load,
};
pub use removed::{Reinstatement, RemovedRecord, RemovedRecords};
pub use repair::{Copies, MissingFile, RepairError, Restoration};
pub use reported::{MAX_REPORTED, Reported};
pub use run::{
    Finding, RecordOptions, Report, RunError, RunObserver, Scope, SkippedEntries, StoredFile,
    StoredFiles, Summary, VerifyOptions, WalkOptions, check_list, files_of_size,
};
pub use schedule::{Candidates, DueFile, PartBounds, Schedule};
pub use stat::FileStat;
pub use state::{Baseline, FileState, is_unchanged, judge};
