//! The depth of a listing or a watch.

/// The maximum number of folders that are read for one listing of everything beneath a folder.
pub const MAX_FOLDERS: usize = 20_000;

/// The depth of a listing or a watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// The entries of the folder.
    Folder,
    /// The entries of the folder and of all folders beneath it.
    Beneath,
}
