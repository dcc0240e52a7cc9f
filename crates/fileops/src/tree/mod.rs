//! A folder with all its content: scanned, copied, and deleted when its copy has replaced it.
//!
//! Every step goes from a folder's handle to a name in it, and follows no link: an entry that is swapped meanwhile
//! leads nowhere else. A copy is built in a folder whose hidden name identifies the operation, and gets its final
//! name only when it is complete and on the disk. An original loses its name before the first of its files is
//! deleted, so that a part of it is never mistaken for the whole.

mod build;
mod remove;
mod scan;

use fumikura_fs::ContentStat;
use sha1::{Digest as _, Sha1};

pub(super) use build::{Copy, copy};
pub(super) use remove::remove_original;
#[cfg(test)]
pub(super) use remove::{RemoveMode, remove};
pub(super) use scan::{Purpose, scan};

use super::record::TreeMark;

/// The content of a folder, by name. File identities (inodes) are not part of it: on FAT, and on many FUSE file
/// systems, a file has another number each time it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tree {
    entries: Vec<TreeEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct TreeEntry {
    name: Vec<u8>,
    node: Node,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    File(ContentStat),
    Link { stat: ContentStat, target: Vec<u8> },
    Folder(Tree),
}

impl Tree {
    /// Returns the amount of work: the number of bytes, and one for each entry without bytes.
    pub(super) fn size(&self) -> u64 {
        let sizes = self.entries.iter().map(|entry| match &entry.node {
            Node::File(stat) => stat.size.max(1),
            Node::Link { .. } => 1,
            Node::Folder(tree) => tree.size(),
        });
        1 + sizes.sum::<u64>()
    }

    /// Returns the digest that detects later changes in it.
    pub(super) fn mark(&self) -> TreeMark {
        let mut hash = Sha1::new();
        self.hash(&mut hash);
        TreeMark::from(<[u8; 20]>::from(hash.finalize()))
    }

    fn hash(&self, hash: &mut Sha1) {
        for TreeEntry { name, node } in &self.entries {
            let kind = match node {
                Node::File(_) => b'f',
                Node::Link { .. } => b'l',
                Node::Folder(_) => b'd',
            };
            // A name contains no zero byte, so a zero byte ends it.
            hash.update([&[kind], &name[..], &[0]].concat());
            match node {
                Node::File(stat) => {
                    hash.update(stat.size.to_le_bytes());
                    hash.update(stat.mtime.seconds.to_le_bytes());
                    hash.update(stat.mtime.nanoseconds.to_le_bytes());
                }
                Node::Link { target, .. } => hash.update([&target[..], &[0]].concat()),
                Node::Folder(tree) => tree.hash(hash),
            }
        }
        // The end of the folder.
        hash.update([0]);
    }

    /// Returns true if it has the same content as the other tree. Times are ignored, since the file system may store
    /// them differently.
    fn is_copy_of(&self, other: &Self) -> bool {
        let is_same = |a: &TreeEntry, b: &TreeEntry| {
            a.name == b.name
                && match (&a.node, &b.node) {
                    (Node::File(a), Node::File(b)) => a.size == b.size,
                    (Node::Link { target: a, .. }, Node::Link { target: b, .. }) => a == b,
                    (Node::Folder(a), Node::Folder(b)) => a.is_copy_of(b),
                    (Node::File(_) | Node::Link { .. } | Node::Folder(_), _) => false,
                }
        };
        let both = || self.entries.iter().zip(&other.entries);
        self.entries.len() == other.entries.len() && both().all(|(a, b)| is_same(a, b))
    }
}

/// Returns the temporary name of an unfinished copy. `tag` identifies its step uniquely.
pub(super) fn unfinished_name(tag: &str) -> Vec<u8> {
    format!(".fumikura-copy-{tag}.part").into_bytes()
}

/// Returns the temporary name of an original that is deleted after its copy is in place.
pub(super) fn hidden_original_name(tag: &str) -> Vec<u8> {
    format!(".fumikura-moved-{tag}.part").into_bytes()
}

/// Joins a path in a tree and a name.
fn join_path(path: &[u8], name: &[u8]) -> Vec<u8> {
    [path, b"/", name].concat()
}
