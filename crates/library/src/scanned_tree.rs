//! The result of reading names, folder by folder.

use fumikura_fs::RelPath;

use super::entry::EntryKind;
use super::folder_ranges::FolderRanges;
use super::metadata::Metadata;
use super::names::Names;
use super::natural::NaturalName;
use super::read_state::MetadataRead;
use super::scan::ScannedEntry;

/// The entries of one folder or of several, in sequence.
#[derive(Default)]
pub(super) struct ScannedTree {
    /// The number of folders that could not be read, or were too many.
    pub(super) left_out: usize,
    /// True if the time limit passed before all names had been read.
    pub(super) is_cut_short: bool,
    pub(super) folder_ranges: FolderRanges,
    pub(super) names: Names,
    pub(super) kinds: Vec<EntryKind>,
    pub(super) metadata: Metadata,
}

impl ScannedTree {
    /// Adds the entries of the next folder. `before` returns earlier metadata of the picture with a name, which
    /// may be out of date; it is called in the order of names.
    pub(super) fn add(
        &mut self,
        folder: RelPath,
        scanned: &[ScannedEntry],
        before: impl FnMut(&NaturalName) -> Option<MetadataRead>,
    ) {
        self.names
            .extend(scanned.iter().map(|one| one.name.as_bytes()));
        self.kinds.reserve_exact(scanned.len());
        self.kinds.extend(scanned.iter().map(|one| one.kind));
        self.metadata.add(scanned, before);
        self.folder_ranges.push(folder, self.names.len());
    }
}
