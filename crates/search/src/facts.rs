//! Facts about pages from the store: paths, titles and times of change. Asked from the
//! store and never from the index, so that renames and deletions count at once.

use std::collections::HashMap;
use std::sync::OnceLock;

use memchr::memmem::Finder;

use crate::document::Document;
use crate::fold::fold;
use crate::sequence::Sequence;

/// The bytes of a page's id.
pub type PageKey = [u8; 16];

/// The facts about a page beside its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFacts {
    /// The page.
    pub key: PageKey,
    /// Its path, or its last one if it is deleted.
    pub path: String,
    /// Paths that it has left.
    pub former: Vec<String>,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// True if it is in the trash.
    pub deleted: bool,
    /// When its newest revision was made, in milliseconds since 1970.
    pub updated: i64,
    /// The author of its newest revision.
    pub author: String,
    /// A number that is another for each text of the page.
    pub version: u64,
}

/// The facts of all pages.
#[derive(Debug, Default)]
pub struct Directory {
    pages: HashMap<PageKey, PageFacts>,
    paths: OnceLock<Paths>,
}

/// All paths, folded, in one text.
#[derive(Debug, Default)]
struct Paths {
    text: String,
    /// The start and the page of each path; a former path is marked.
    lines: Vec<(usize, PageKey, bool)>,
}

impl Directory {
    /// Puts a page in place of what was known of it.
    pub fn put(&mut self, facts: PageFacts) {
        self.paths = OnceLock::new();
        self.pages.insert(facts.key, facts);
    }

    /// Forgets a page.
    pub fn remove(&mut self, key: &PageKey) {
        self.paths = OnceLock::new();
        self.pages.remove(key);
    }

    /// A page.
    #[must_use]
    pub fn get(&self, key: &PageKey) -> Option<&PageFacts> {
        self.pages.get(key)
    }

    /// All pages, in no order.
    pub fn pages(&self) -> impl Iterator<Item = &PageFacts> {
        self.pages.values()
    }

    /// The number of pages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The pages whose paths, or former paths, have the sequence.
    pub(crate) fn with_path(&self, sequence: &Sequence) -> Vec<PageKey> {
        let paths = self.paths.get_or_init(|| Paths::new(&self.pages));
        paths.find(sequence)
    }
}

impl FromIterator<PageFacts> for Directory {
    fn from_iter<T: IntoIterator<Item = PageFacts>>(pages: T) -> Self {
        let pages = pages.into_iter().map(|facts| (facts.key, facts));
        Self {
            pages: pages.collect(),
            paths: OnceLock::new(),
        }
    }
}

impl Paths {
    fn new(pages: &HashMap<PageKey, PageFacts>) -> Self {
        let mut paths = Self::default();
        for facts in pages.values() {
            let own = std::iter::once((&facts.path, false));
            for (path, left) in own.chain(facts.former.iter().map(|path| (path, true))) {
                paths.lines.push((paths.text.len(), facts.key, left));
                paths.text.push_str(&fold(path));
                paths.text.push('\n');
            }
        }
        paths
    }

    fn find(&self, sequence: &Sequence) -> Vec<PageKey> {
        let longest = sequence.slots.iter().max_by_key(|slot| slot.text.len());
        let Some(longest) = longest else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let mut behind = 0;
        for at in Finder::new(&longest.text).find_iter(self.text.as_bytes()) {
            if at < behind {
                continue;
            }
            let line = self.lines.partition_point(|(start, _, _)| *start <= at) - 1;
            let (start, key, _) = self.lines[line];
            behind = self
                .lines
                .get(line + 1)
                .map_or(self.text.len(), |next| next.0);
            let path = self.text[start..behind].trim_end();
            if Document::new(path.to_owned()).has(sequence) {
                found.push(key);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(id: u8, path: &str, former: &[&str]) -> PageFacts {
        PageFacts {
            key: [id; 16],
            path: path.to_owned(),
            former: former.iter().map(|path| (*path).to_owned()).collect(),
            title: None,
            deleted: false,
            updated: 0,
            author: String::new(),
            version: 1,
        }
    }

    #[test]
    fn pages_are_found_by_present_and_former_paths() {
        let mut directory: Directory = [
            page(1, "/旅/京都", &["/旅行/京都"]),
            page(2, "/Projects/Compiler", &[]),
        ]
        .into_iter()
        .collect();
        let found = |directory: &Directory, typed: &str| {
            directory.with_path(&Sequence::new(typed, true).unwrap())
        };
        assert_eq!(found(&directory, "京都"), [[1; 16]]);
        assert_eq!(found(&directory, "旅行"), [[1; 16]]);
        assert_eq!(found(&directory, "compile"), [[2; 16]]);
        assert_eq!(found(&directory, "都Projects"), <[PageKey; 0]>::default());
        directory.remove(&[2; 16]);
        assert_eq!(found(&directory, "compile"), <[PageKey; 0]>::default());
    }
}
