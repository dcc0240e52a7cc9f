//! Folders of records: opens them, and finds the record of a path.

mod batch;
mod hash_folder;
mod index;
mod lock;
mod packed_file;
mod roots;
mod scan;
mod unfinished_run;
mod verifications;

pub use batch::{Batch, WriteError};
pub(crate) use hash_folder::OWN;
pub use hash_folder::{HashFolder, OpenError};
pub use index::{Index, IndexVersion, Problem, RecordKind, RecordRow};
pub use lock::FolderLock;
pub(crate) use unfinished_run::UnfinishedRun;
pub use verifications::Verification;
