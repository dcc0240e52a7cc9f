//! Reading a folder's names, with as few questions to the disk as the order allows.

use cap_std::fs::{Dir, DirEntry};

use super::entry::{EntryKind, extension};
use super::natural::NaturalName;
use super::query::{ListQuery, Order, Sort};
use crate::access::{AccessError, Beneath};
use crate::path::RelPath;
use crate::platform;
use crate::stat::{Mtime, NodeKind, Stat};

/// One name of a folder, before it is known whether anybody wants to see it.
pub(super) struct Item {
    pub(super) name: NaturalName,
    pub(super) kind: EntryKind,
    /// Known already where the order, or a symbolic link, made it necessary to ask.
    pub(super) stat: Option<Stat>,
}

/// A folder that is read: its handle, and the root's, since a link may lead anywhere beneath that.
pub(super) struct Folder<'a> {
    pub(super) root: &'a Beneath,
    pub(super) path: &'a RelPath,
    pub(super) dir: Dir,
}

impl Folder<'_> {
    /// All names that are not hidden, in the order that is asked for.
    pub(super) fn scan(&self, query: &ListQuery) -> Result<Vec<Item>, AccessError> {
        let by_stat = match query.sort {
            Sort::Modified | Sort::Size => true,
            Sort::Name | Sort::Type => false,
        };
        let mut items = Vec::new();
        for entry in self.dir.entries()? {
            items.extend(self.item(&entry?, by_stat));
        }
        sort(&mut items, query);
        Ok(items)
    }

    /// `None` for a hidden name, and for one that vanished in between.
    fn item(&self, entry: &DirEntry, with_stat: bool) -> Option<Item> {
        let file_name = entry.file_name();
        let name = platform::bytes_of(&file_name);
        if name.starts_with(b".") {
            return None;
        }
        // The folder itself tells the kind on most file systems, without a stat.
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
            | NodeKind::Device => {
                let stat = match with_stat {
                    true => Some(Stat::from(&entry.metadata().ok()?)),
                    false => None,
                };
                (kind, stat)
            }
        };
        Some(Item {
            kind: match kind {
                NodeKind::Folder => EntryKind::Folder,
                NodeKind::File => EntryKind::of_file(name),
                NodeKind::Fifo | NodeKind::Socket | NodeKind::Device | NodeKind::Unknown => {
                    EntryKind::Other
                }
            },
            name: NaturalName::new(name.to_vec()),
            stat,
        })
    }

    /// A link's target beneath the root; the link itself where it leads outside or to nothing.
    fn stat_followed(&self, name: &[u8]) -> Option<Stat> {
        self.root
            .stat(&self.path.join(name))
            .ok()
            .or_else(|| self.stat_unfollowed(name))
    }

    /// `None` for a name that vanished in between.
    pub(super) fn stat_unfollowed(&self, name: &[u8]) -> Option<Stat> {
        let metadata = self.dir.symlink_metadata(platform::path_of(name)).ok()?;
        Some(Stat::from(&metadata))
    }
}

fn sort(items: &mut [Item], query: &ListQuery) {
    fn mtime(item: &Item) -> Option<Mtime> {
        item.stat.map(|stat| stat.mtime)
    }
    fn size(item: &Item) -> Option<u64> {
        let stat = item.stat.filter(|_| item.kind != EntryKind::Folder);
        stat.map(|stat| stat.size)
    }
    fn kind(item: &Item) -> Vec<u8> {
        match item.kind {
            EntryKind::Folder => Vec::new(),
            EntryKind::Picture | EntryKind::Other => {
                extension(&item.name.name).to_ascii_lowercase()
            }
        }
    }
    // By name first; the sorts below are stable, so equal ones stay in the order of their names.
    items.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    let descending = query.order == Order::Descending;
    match (query.sort, descending) {
        (Sort::Name, false) => {}
        (Sort::Name, true) => items.reverse(),
        (Sort::Modified, false) => items.sort_by_key(mtime),
        (Sort::Modified, true) => items.sort_by_key(|item| std::cmp::Reverse(mtime(item))),
        (Sort::Size, false) => items.sort_by_key(size),
        (Sort::Size, true) => items.sort_by_key(|item| std::cmp::Reverse(size(item))),
        (Sort::Type, false) => items.sort_by_cached_key(kind),
        (Sort::Type, true) => items.sort_by_cached_key(|item| std::cmp::Reverse(kind(item))),
    }
    items.sort_by_key(|item| item.kind != EntryKind::Folder);
}
