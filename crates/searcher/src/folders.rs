//! The folders of all roots that hold pictures, found by their names.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use fumikura_folding::fold;
use fumikura_fs::{RelPath, Root, RootId, Source, path};
use fumikura_pictures::Pictures;

use crate::pictures::ListedFolders;
use crate::searcher::Search;

/// A folder that holds pictures, itself or below it.
#[derive(Debug, Clone)]
pub struct FoundFolder {
    /// The root.
    pub root: RootId,
    /// The path, relative to the root; empty for the root itself.
    pub path: RelPath,
    /// The number of pictures in it and below it.
    pub pictures: usize,
    /// The folded path, with the name of the root.
    folded: String,
}

impl FoundFolder {
    fn new(root: &Root, path: RelPath, pictures: usize) -> Self {
        let top = root.path_bytes().rsplit(|&byte| byte == b'/').next();
        let whole = [top.unwrap_or_default(), b"/", path.as_bytes()].concat();
        let whole = String::from_utf8_lossy(&whole);
        Self {
            root: root.id(),
            path,
            pictures,
            folded: fold(whole.trim_end_matches('/')),
        }
    }

    fn name(&self) -> &str {
        self.folded.rsplit('/').next().unwrap_or_default()
    }

    /// Returns true if the path has all words, and the name at least one.
    fn matches(&self, words: &[&str]) -> bool {
        words.iter().all(|word| self.folded.contains(word))
            && words.iter().any(|word| self.name().contains(word))
    }
}

/// The numbers of pictures in folders and below them.
#[derive(Debug, PartialEq, Eq)]
pub struct FolderCounts {
    /// The number of each folder, in the order of the request; `None` while its root is being listed.
    pub counts: Vec<Option<usize>>,
    /// True if some are missing, or may have changed since.
    pub is_partial: bool,
}

/// Returns the folders that hold these pictures, with all folders above them, by path.
pub(crate) fn folders_of<'a>(
    root: &Root,
    pictures: impl Iterator<Item = &'a RelPath>,
) -> Vec<FoundFolder> {
    let mut counts: HashMap<&[u8], usize> = HashMap::new();
    for picture in pictures {
        let path = picture.as_bytes();
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        for end in slashes.map(|(at, _)| at).chain([0]) {
            *counts.entry(&path[..end]).or_default() += 1;
        }
    }
    let folders = counts.into_iter().filter_map(|(path, count)| {
        let path = RelPath::parse(path).ok()?;
        Some(FoundFolder::new(root, path, count))
    });
    let mut folders: Vec<_> = folders.collect();
    folders.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    folders
}

/// Returns the number of pictures in a folder and below it, also of those that belong to other roots, and whether it is
/// current. `None` if a root is not listed.
fn count_in(folder: &[u8], roots: &[ListedFolders]) -> (Option<usize>, bool) {
    let (mut count, mut is_current) = (None, true);
    for listed in roots {
        let top = listed.root.path_bytes();
        let path = match path::strip_base(top, folder) {
            Some(path) => path,
            None if path::strip_base(folder, top).is_some() => RelPath::default(),
            None => continue,
        };
        is_current &= listed.is_current;
        let Some(folders) = &listed.folders else {
            return (None, false);
        };
        let found = folders.binary_search_by(|one| one.path.cmp(&path));
        let pictures = found.map_or(0, |index| folders[index].pictures);
        count = Some(count.unwrap_or(0) + pictures);
    }
    (count, is_current && count.is_some())
}

impl Search {
    /// Returns the folders whose names match a text, the best first. Roots that are still being listed are missing.
    pub fn folders(&self, pictures: &Arc<Pictures>, text: &str, limit: usize) -> Vec<FoundFolder> {
        let folded = fold(text.trim());
        let words: Vec<&str> = folded.split_whitespace().collect();
        if words.is_empty() {
            return Vec::new();
        }
        let all = self.pictures.folders(pictures);
        let matching = all.iter().flat_map(|folders| folders.iter());
        let mut found: Vec<_> = matching.filter(|folder| folder.matches(&words)).collect();
        found.sort_by_key(|folder| {
            let name = folder.name();
            let depth = folder.path.as_bytes().split(|&byte| byte == b'/').count();
            let fit = (name != folded, !name.starts_with(&folded));
            (fit, depth, &folder.folded)
        });
        found.into_iter().take(limit).cloned().collect()
    }

    /// Returns the numbers of pictures in folders and below them. The folders are listed again if that was before
    /// `changed`, the last change of a folder.
    pub fn folder_counts(
        &self,
        pictures: &Arc<Pictures>,
        folders: &[Source],
        changed: Option<Instant>,
    ) -> FolderCounts {
        let roots = self.pictures.folders_since(pictures, changed);
        let counted = folders
            .iter()
            .map(|folder| count_in(&folder.absolute(), &roots));
        let (counts, are_current): (Vec<_>, Vec<_>) = counted.unzip();
        FolderCounts {
            counts,
            is_partial: are_current.contains(&false),
        }
    }
}
