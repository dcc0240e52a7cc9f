//! Facts about pages from the store: paths, titles and times of change. They are read from the store and
//! never from the index, so that renames and deletions take effect at once.

use std::collections::HashMap;
use std::sync::OnceLock;

use memchr::memmem::Finder;

use crate::authorship::Authorship;
use crate::document::Document;
use crate::sequence::{Sequence, Slot};
use fumikura_folding::{fold, without_accents};

/// The bytes of a page's id.
pub type PageKey = [u8; 16];

/// The facts about a page, besides its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFacts {
    pub key: PageKey,
    /// Its path, or its last one if it is deleted.
    pub path: String,
    /// The former paths of the page.
    pub former: Vec<String>,
    pub title: Option<String>,
    /// True if it is in the trash.
    pub deleted: bool,
    /// The time of its newest revision, in milliseconds since 1970.
    pub updated: i64,
    /// The author of its newest revision.
    pub author: String,
    /// A number that differs for each text of the page.
    pub version: u64,
}

/// The facts of all pages.
#[derive(Debug, Default)]
pub struct Directory {
    pages: HashMap<PageKey, PageFacts>,
    paths: OnceLock<Paths>,
    authorship: OnceLock<Authorship>,
}

/// All paths, folded and without accents, in one text.
#[derive(Debug, Default)]
struct Paths {
    text: String,
    /// The start of each path, its page, and its index among the former paths if it is one of them; ordered
    /// by page.
    lines: Vec<(usize, PageKey, Option<usize>)>,
}

impl Directory {
    /// Inserts or replaces a page.
    pub fn put(&mut self, facts: PageFacts) {
        let previous = self.pages.get(&facts.key);
        // Most changes concern only texts.
        let moved = previous.is_none_or(|previous| {
            (&previous.path, &previous.former) != (&facts.path, &facts.former)
        });
        if moved {
            self.paths = OnceLock::new();
        }
        if let Some(authorship) = self.authorship.get_mut() {
            if let Some(previous) = self.pages.get(&facts.key) {
                authorship.remove(previous);
            }
            authorship.add(&facts);
        }
        self.pages.insert(facts.key, facts);
    }

    pub fn remove(&mut self, key: &PageKey) {
        self.paths = OnceLock::new();
        let removed = self.pages.remove(key);
        if let (Some(authorship), Some(removed)) = (self.authorship.get_mut(), removed) {
            authorship.remove(&removed);
        }
    }

    #[must_use]
    pub fn get(&self, key: &PageKey) -> Option<&PageFacts> {
        self.pages.get(key)
    }

    /// Returns all pages, in no particular order.
    pub fn pages(&self) -> impl Iterator<Item = &PageFacts> {
        self.pages.values()
    }

    /// Returns the number of pages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Returns whether there are no pages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Returns the pages whose author or day of change the sequence names, ascending.
    pub(crate) fn by_authorship(&self, sequence: &Sequence) -> Vec<PageKey> {
        let authorship = self
            .authorship
            .get_or_init(|| self.pages.values().collect());
        let mut found: Vec<PageKey> = authorship.find(sequence).copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the pages whose paths, or former paths, contain the sequence.
    pub(crate) fn with_path(&self, sequence: &Sequence) -> Vec<PageKey> {
        let paths = self.paths.get_or_init(|| Paths::new(&self.pages));
        paths.find(sequence, &self.pages)
    }
}

impl FromIterator<PageFacts> for Directory {
    fn from_iter<T: IntoIterator<Item = PageFacts>>(pages: T) -> Self {
        let pages = pages.into_iter().map(|facts| (facts.key, facts));
        Self {
            pages: pages.collect(),
            paths: OnceLock::new(),
            authorship: OnceLock::new(),
        }
    }
}

impl Paths {
    fn new(pages: &HashMap<PageKey, PageFacts>) -> Self {
        let mut paths = Self::default();
        let mut pages: Vec<&PageFacts> = pages.values().collect();
        pages.sort_unstable_by_key(|facts| facts.key);
        for facts in pages {
            paths.push(facts.key, None, &facts.path);
            for (at, former) in facts.former.iter().enumerate() {
                paths.push(facts.key, Some(at), former);
            }
        }
        paths
    }

    fn push(&mut self, key: PageKey, former: Option<usize>, path: &str) {
        self.lines.push((self.text.len(), key, former));
        self.text.push_str(&without_accents(&fold(path)));
        self.text.push('\n');
    }

    /// Returns the pages that have a path with the sequence, ascending.
    fn find(&self, sequence: &Sequence, pages: &HashMap<PageKey, PageFacts>) -> Vec<PageKey> {
        let slots = sequence.slots.iter().filter(|slot| !slot.may_be_missing);
        let longest = slots.map(Slot::common_part).max_by_key(|part| part.len());
        let Some(longest) = longest else {
            return Vec::new();
        };
        let certain = certain_part(sequence);
        let mut found = Vec::new();
        let (mut line, mut behind) = (0, 0);
        let finder = Finder::new(longest);
        while let Some(at) = finder.find(&self.text.as_bytes()[behind..]) {
            let at = behind + at;
            if at == self.text.len() {
                break;
            }
            while self.lines.get(line + 1).is_some_and(|next| next.0 <= at) {
                line += 1;
            }
            let (_, key, former) = self.lines[line];
            let next = self.lines.get(line + 1);
            behind = next.map_or(self.text.len(), |next| next.0);
            if certain.is_some_and(|part| self.text[at..].starts_with(part)) {
                found.push(key);
                continue;
            }
            let path = pages.get(&key).and_then(|facts| match former {
                Some(at) => facts.former.get(at),
                None => Some(&facts.path),
            });
            if path.is_some_and(|path| Document::new(path.clone()).has(sequence)) {
                found.push(key);
            }
        }
        found.dedup();
        found
    }
}

/// Returns a text whose presence in a path without accents proves that the path has the sequence.
fn certain_part(sequence: &Sequence) -> Option<&str> {
    let [only] = &sequence.slots[..] else {
        return None;
    };
    // Symbols may lose a mark like an accent, which makes them other symbols.
    let is_plain = only.plain == only.text && only.text.chars().all(char::is_alphanumeric);
    (sequence.loose && is_plain).then_some(&only.text)
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
            page(3, "/Göteborg/サーバ", &[]),
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
        assert_eq!(found(&directory, "project"), [[2; 16]]);
        assert_eq!(found(&directory, "compiling"), [[2; 16]]);
        assert_eq!(found(&directory, "goteborg"), [[3; 16]]);
        assert_eq!(found(&directory, "サーバー"), [[3; 16]]);
        directory.remove(&[2; 16]);
        assert_eq!(found(&directory, "compile"), <[PageKey; 0]>::default());
    }
}
