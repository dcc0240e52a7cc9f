//! Runs over many files: recording and verification.

mod check;
mod error;
mod mount_points;
mod moves;
mod pool;
mod reader;
mod record;
mod report;
mod scope;
mod stored_files;
mod unreachable;
mod verify;
mod walk;

pub use check::check_list;
pub use error::RunError;
pub use record::RecordOptions;
pub use report::{Finding, Report, RunObserver, Summary};
pub use scope::Scope;
pub use stored_files::{StoredFile, StoredFiles};
pub use verify::VerifyOptions;
pub use walk::{SkippedEntries, WalkOptions, files_of_size};
