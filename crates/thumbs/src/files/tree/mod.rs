//! A folder with all that lies in it: surveyed, copied, and deleted where its copy has taken its place.
//!
//! Every step goes from one folder's handle to a name in it, and follows no link: what is swapped meanwhile leads
//! nowhere else. A copy is built in a folder whose hidden name tells of which operation it is, and has its final name
//! only when it is whole and on the disk. An original loses its name before the first of its files is deleted, so that
//! a part of it never passes for the whole.

mod build;
mod remove;
mod survey;

use sha1::{Digest as _, Sha1};

pub(super) use build::{Copy, copy};
pub(super) use remove::remove_original;
#[cfg(test)]
pub(super) use remove::{Whose, remove};
pub(super) use survey::{Purpose, survey};

use super::record::TreeMark;
use crate::stat::ContentStat;

/// What lies in a folder, by name. Which files they are (inodes) is not a part of it: on FAT, and much that is mounted
/// by programs, a file has another number each time it is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tree {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
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
    /// How much there is to do: bytes, and one for all that has none.
    pub(super) fn size(&self) -> u64 {
        let sizes = self.entries.iter().map(|entry| match &entry.node {
            Node::File(stat) => stat.size.max(1),
            Node::Link { .. } => 1,
            Node::Folder(tree) => tree.size(),
        });
        1 + sizes.sum::<u64>()
    }

    /// By which it is told later whether anything in it is another.
    pub(super) fn mark(&self) -> TreeMark {
        let mut hash = Sha1::new();
        self.hash(&mut hash);
        TreeMark::from(<[u8; 20]>::from(hash.finalize()))
    }

    fn hash(&self, hash: &mut Sha1) {
        for Entry { name, node } in &self.entries {
            let kind = match node {
                Node::File(_) => b'f',
                Node::Link { .. } => b'l',
                Node::Folder(_) => b'd',
            };
            // A name holds no zero byte, and so ends by one.
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
        // The folder ends.
        hash.update([0]);
    }

    /// Whether it holds what the other one does, whatever the times that the file system could keep.
    fn is_copy_of(&self, other: &Self) -> bool {
        let is_same = |a: &Entry, b: &Entry| {
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

/// What an unfinished copy is called while it has no final name. `tag` tells whose it is, as no other's.
pub(super) fn unfinished(tag: &str) -> Vec<u8> {
    format!(".fumikura-copy-{tag}.part").into_bytes()
}

/// What an original is called whose copy is in place, while it is deleted.
pub(super) fn leaving(tag: &str) -> Vec<u8> {
    format!(".fumikura-moved-{tag}.part").into_bytes()
}

/// A path in a tree.
fn beneath(path: &[u8], name: &[u8]) -> Vec<u8> {
    [path, b"/", name].concat()
}
