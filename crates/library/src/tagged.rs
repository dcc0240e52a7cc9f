//! The tags of all pictures of a root, and the pictures that have one of them.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use fumikura_fs::{AccessError, RelPath, Root};
use fumikura_xmp::Tag;

use super::entry::EntryKind;
use super::library::Library;
use super::snapshot::Snapshot;

/// The tags of the pictures of a root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagCounts {
    /// The number of pictures with each tag.
    pub tags: HashMap<Tag, usize>,
    /// The number of pictures whose header or sidecar is still to be read.
    pub unread: usize,
}

/// The pictures of a root that have one of some tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaggedPictures {
    /// The paths of the pictures, relative to the root.
    pub tagged: Vec<RelPath>,
    /// The paths of the pictures whose tags are still to be read.
    pub unread: Vec<RelPath>,
    /// The number of folders that can't be read, or are too many.
    pub left_out: usize,
}

impl Library {
    /// Counts the tags of all pictures beneath a root, except those in some folders, and schedules the reading of the
    /// others for a while. With `joins_files`, a picture of several files counts once.
    ///
    /// # Errors
    /// [`AccessError`] if the root can't be read.
    pub fn root_tags(
        &self,
        root: &Arc<Root>,
        except: &[RelPath],
        joins_files: bool,
    ) -> Result<TagCounts, AccessError> {
        let snapshot = self.search_snapshot(root, &root.open()?)?;
        let within = RelPath::default();
        let tags = snapshot.tags_of(entries_in(&snapshot, &within, except), joins_files);
        Ok(TagCounts {
            tags,
            unread: snapshot.unread(),
        })
    }

    /// Finds the pictures beneath a folder of a root, except those in some folders, that have a tag, and those whose tags
    /// were not read yet. With `joins_files`, only the shown file of a picture of several files is returned.
    ///
    /// # Errors
    /// [`AccessError`] if the root can't be read.
    pub fn tagged(
        &self,
        root: &Arc<Root>,
        within: &RelPath,
        except: &[RelPath],
        joins_files: bool,
        has_tag: impl Fn(&Tag) -> bool,
    ) -> Result<TaggedPictures, AccessError> {
        let snapshot = self.search_snapshot(root, &root.open()?)?;
        let joined = joins_files.then(|| snapshot.joined());
        let (mut tagged, mut unread) = (BTreeSet::new(), BTreeSet::new());
        let metadata = snapshot.metadata();
        for index in entries_in(&snapshot, within, except) {
            let shown = || {
                let at = u32::try_from(index).ok()?;
                joined?.shown_of(at).map(|shown| shown as usize)
            };
            if metadata.is_unread(index) {
                unread.insert(shown().unwrap_or(index));
            } else if metadata.may_have_marks(index)
                && let Some(marks) = metadata.marks(index)
                && marks.tags.iter().any(&has_tag)
            {
                tagged.insert(shown().unwrap_or(index));
            }
        }
        drop(metadata);
        let path = |index: &usize| snapshot.path_of(*index);
        Ok(TaggedPictures {
            unread: unread.difference(&tagged).map(path).collect(),
            tagged: tagged.iter().map(path).collect(),
            left_out: snapshot.left_out,
        })
    }
}

/// Returns the pictures in a folder and below it, except those in some other folders.
fn entries_in<'a>(
    snapshot: &'a Snapshot,
    within: &'a RelPath,
    except: &'a [RelPath],
) -> impl Iterator<Item = usize> + 'a {
    let is_wanted = move |folder: &RelPath| {
        (within.is_empty() || folder.is_in(within)) && !except.iter().any(|one| folder.is_in(one))
    };
    let wanted = snapshot.folder_places().filter(move |range| {
        // A folder without entries has none to be left out.
        !range.is_empty() && is_wanted(snapshot.folder_of(range.start))
    });
    wanted
        .flatten()
        .filter(|&index| snapshot.kind(index) == EntryKind::Picture)
}
