//! Scans a folder's names with as few disk accesses as possible.

use std::time::{Duration, Instant};

use cap_std::fs::{Dir, DirEntry};
use fumikura_fs::{AccessError, NodeKind, RelPath, RootDir, Stat, platform};

use super::entry::EntryKind;
use super::natural::NaturalName;
use super::sidecar_pairs::pair;

/// The number of names that are read between checks of the time limit.
const CHECK_INTERVAL: usize = 64;

/// A time limit for reading names; unlimited by default.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Deadline(Option<Instant>);

impl Deadline {
    pub(super) fn of(time: Duration) -> Self {
        Self(Instant::now().checked_add(time))
    }

    pub(super) fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}

/// A scanned name of a folder, before any query selects it.
pub(super) struct ScannedEntry {
    pub(super) name: NaturalName,
    pub(super) kind: EntryKind,
    /// Known already if a symbolic link required a `stat`.
    pub(super) stat: Option<Stat>,
    /// The sidecar, for a picture that has one.
    pub(super) sidecar: Option<Sidecar>,
}

/// The sidecar beside a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sidecar {
    pub(super) name: Box<[u8]>,
    pub(super) stat: Option<Stat>,
}

/// A folder to read: its handle, and the root's, since a link may lead anywhere beneath the root.
pub(super) struct Folder<'a> {
    pub(super) root: &'a RootDir,
    pub(super) path: &'a RelPath,
    pub(super) dir: Dir,
}

impl Folder<'_> {
    /// Returns the names that are not hidden, in natural order, each sidecar with its picture. Also returns
    /// true if these are all names, or false if the time limit passed.
    pub(super) fn scan(
        &self,
        deadline: Deadline,
    ) -> Result<(Vec<ScannedEntry>, bool), AccessError> {
        let mut all = Vec::new();
        let mut is_whole = true;
        for (number, entry) in self.dir.entries()?.enumerate() {
            if number % CHECK_INTERVAL == CHECK_INTERVAL - 1 && deadline.is_over() {
                is_whole = false;
                break;
            }
            all.extend(self.item(&entry?));
        }
        all.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok((pair(all), is_whole))
    }

    /// Returns the folders among scanned names, as paths beneath the root. Links are left out: their target is listed
    /// in its own place, and may be this folder.
    pub(super) fn folders_among(&self, scanned: &[ScannedEntry]) -> Vec<RelPath> {
        let is_link = |one: &ScannedEntry| {
            // Without a `stat`, the directory itself gave the kind, so this is a folder and not a link.
            let stat = one
                .stat
                .and_then(|_| platform::stat_of_entry(&self.dir, one.name.as_bytes()));
            stat.is_some_and(|stat| stat.kind != NodeKind::Folder)
        };
        let folders = scanned
            .iter()
            .filter(|one| one.kind == EntryKind::Folder && !is_link(one));
        folders
            .map(|one| self.path.join(one.name.as_bytes()))
            .collect()
    }

    /// Returns `None` for a hidden name, and for one that has vanished.
    fn item(&self, entry: &DirEntry) -> Option<ScannedEntry> {
        let file_name = entry.file_name();
        let name = platform::bytes_of(&file_name);
        if name.starts_with(b".") {
            return None;
        }
        // On most file systems the directory entry has the kind, without a stat.
        let kind = entry.file_type().map_or(NodeKind::Unknown, NodeKind::from);
        let (kind, stat) = match kind {
            NodeKind::Unknown => {
                let stat = self.stat_followed(name)?;
                (stat.kind, Some(stat))
            }
            NodeKind::File
            | NodeKind::Folder
            | NodeKind::Fifo
            | NodeKind::Socket
            | NodeKind::Device => (kind, None),
        };
        Some(ScannedEntry {
            kind: match kind {
                NodeKind::Folder => EntryKind::Folder,
                NodeKind::File => EntryKind::of_file(name),
                NodeKind::Fifo | NodeKind::Socket | NodeKind::Device | NodeKind::Unknown => {
                    EntryKind::Other
                }
            },
            name: NaturalName::new(name),
            stat,
            sidecar: None,
        })
    }

    /// Returns the `stat` of a link's target beneath the root, or of the link itself if it leads outside or to nothing.
    fn stat_followed(&self, name: &[u8]) -> Option<Stat> {
        let followed = self.root.stat(&self.path.join(name));
        followed
            .ok()
            .or_else(|| platform::stat_of_entry(&self.dir, name))
    }
}
