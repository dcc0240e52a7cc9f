//! The folders of all roots that hold pictures, found by their names.

use std::collections::HashMap;
use std::sync::Arc;

use fumikura_folding::fold;
use fumikura_fs::{RelPath, Root, RootId};
use fumikura_pictures::Pictures;

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

/// Returns the folders that hold these pictures, with all folders above them.
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
    folders.collect()
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
}
