//! Folders that the user chose, and the files beneath them (docs/spec/thumbnails.md, Access).
//!
//! A client names a file by a [root](Root) and a [relative path](RelPath). It is opened beneath the root's handle and
//! nowhere else ([`RootDir`]). Its [`Stat`] identifies its version ([`Fingerprint`]).

mod disk_pool;
mod error;
mod fingerprint;
mod folder_scope;
pub mod path;
pub mod platform;
mod root_dir;
mod roots;
mod source;
mod stat;
mod walk;

pub use disk_pool::{Device, DiskPool, SubmitError, Ticket, WaitError};
pub use error::AccessError;
pub use fingerprint::{
    Fingerprint, InvalidPictureVersion, InvalidThumbId, PictureVersion, ThumbId,
};
pub use folder_scope::{FolderScope, MAX_FOLDERS};
pub use path::{PathError, RelPath, clean_absolute};
pub use root_dir::RootDir;
pub use roots::{AddRootError, RemoveRootError, Root, RootId, RootStatus, Roots, RootsFileError};
pub use source::{Source, SourceFile};
pub use stat::{ContentStat, Ctime, Mtime, NodeKind, Stat};
pub use walk::RootContents;
