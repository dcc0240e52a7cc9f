//! The scope of a listing or a watch.

/// The maximum number of folders that are read for one listing of everything beneath a folder.
pub const MAX_FOLDERS: usize = 20_000;

/// The scope of a listing or a watch: a folder alone, or with its subfolders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FolderScope {
    /// The entries of the folder.
    Direct,
    /// The entries of the folder and of all folders beneath it.
    Recursive,
}
