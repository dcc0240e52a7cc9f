//! File operations in the readable folders: rename, move, copy and trash. Each can be undone, also in later launches.
//!
//! Nothing is ever overwritten. The whole operation is checked before it begins. A record of it is written to the
//! disk first, so that an operation that was interrupted by a crash can be undone, too.

mod apply;
mod companions;
mod conflict;
mod copying;
mod destination;
mod error;
mod execution;
mod files;
mod folder;
mod identical;
mod items;
mod name;
mod new_file;
mod protected_paths;
mod record;
mod rename;
mod sidecars;
mod steps;
mod system;
mod tags;
mod transfer;
mod trash;
mod tree;
mod undo;

pub use companions::{CompanionLookup, PictureFiles};
pub use conflict::{Conflict, UndoConflict};
pub use destination::TransferConflict;
pub use error::{FileError, NotCopied};
pub use files::{Files, FilesOutcome, FilesProgress, Operation};
pub use folder::given_file;
pub use name::NameError;
pub use new_file::{NewFile, NewFiles};
pub use record::{OperationId, OperationKind};
pub use tags::{SearchChange, TagsChanged, TagsOperation, TagsUndo};
pub use transfer::ExistingPolicy;
pub use trash::home as home_trash;
