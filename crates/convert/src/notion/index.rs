//! Pages and databases by their paths and ids.

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization as _;

use crate::html::Dom;
use crate::reading::{folder_of, head_of, resolve};
use crate::source::SkipReason;
use crate::tree::{Entry, Tree};
use crate::{ReadError, decode, link};

/// The number of bytes at the start of a page that contain its title.
const HEAD: u64 = 4096;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Markdown,
    Html,
    Database,
    /// A list of the pages, for a web site.
    Site,
    /// A table that another entry contains, too.
    Copy,
}

impl Role {
    pub(super) fn skipped(self) -> Option<SkipReason> {
        match self {
            Self::Site => Some(SkipReason::SitePart),
            Self::Copy => Some(SkipReason::Duplicate),
            Self::Markdown | Self::Html | Self::Database => None,
        }
    }
}

struct Page {
    origin: String,
    title: String,
    role: Role,
}

pub(super) struct Index {
    pages: Vec<Page>,
    by_origin: HashMap<String, usize>,
    /// By the path without its ending, which is the folder of the pages below.
    by_stem: HashMap<String, usize>,
    by_id: HashMap<String, usize>,
    /// The path of each entry by its normal form.
    entries: HashMap<String, String>,
}

impl Index {
    pub(super) fn new(tree: &Tree) -> Result<Self, ReadError> {
        let mut index = Self {
            pages: Vec::new(),
            by_origin: HashMap::new(),
            by_stem: HashMap::new(),
            by_id: HashMap::new(),
            entries: HashMap::new(),
        };
        let stems: HashSet<String> = tree
            .entries()
            .iter()
            .filter(|entry| entry.ending() == "html")
            .map(|entry| stem_of(entry).to_owned())
            .collect();
        let mut shortened: HashMap<String, Option<usize>> = HashMap::new();
        for entry in tree.entries() {
            index
                .entries
                .insert(entry.path.nfc().collect(), entry.path.clone());
            let stem = stem_of(entry);
            let (name, id) = split_id(stem.rsplit('/').next().unwrap_or(stem));
            let role = match entry.ending().as_str() {
                "md" => Role::Markdown,
                "html" if entry.path == "index.html" && id.is_none() => Role::Site,
                "html" => Role::Html,
                "csv" if id.is_none() => continue,
                // The table with all rows is the one that is read.
                "csv" if stem.ends_with("_all") => {
                    if stems.contains(stem.trim_end_matches("_all")) {
                        Role::Copy
                    } else {
                        Role::Database
                    }
                }
                "csv" => {
                    let has_all = tree.entry(&format!("{stem}_all.csv")).is_some();
                    if has_all || stems.contains(stem) {
                        Role::Copy
                    } else {
                        Role::Database
                    }
                }
                _ => continue,
            };
            let number = index.pages.len();
            index.by_origin.insert(entry.path.clone(), number);
            if role != Role::Copy && role != Role::Site {
                let stem = stem.trim_end_matches("_all").to_owned();
                // Newer exports leave the id out of the names of folders.
                let short = joined(folder_of(&stem), &name);
                shortened
                    .entry(short)
                    .and_modify(|known| *known = None)
                    .or_insert(Some(number));
                index.by_stem.entry(stem).or_insert(number);
                if let Some(id) = id {
                    index.by_id.entry(id).or_insert(number);
                }
            }
            let title = title_of(tree, entry, role)?.unwrap_or(name);
            index.pages.push(Page {
                origin: entry.path.clone(),
                title,
                role,
            });
        }
        for (short, number) in shortened {
            if let Some(number) = number {
                index.by_stem.entry(short).or_insert(number);
            }
        }
        Ok(index)
    }

    fn page(&self, origin: &str) -> Option<&Page> {
        self.by_origin
            .get(origin)
            .map(|number| &self.pages[*number])
    }

    pub(super) fn role_of(&self, path: &str) -> Option<Role> {
        self.page(path).map(|page| page.role)
    }

    pub(super) fn title_of(&self, origin: &str) -> &str {
        self.page(origin).map_or("", |page| &page.title)
    }

    /// Returns the titles of the pages that contain an entry, and its own.
    pub(super) fn place_of(&self, path: &str) -> Vec<String> {
        let mut place = Vec::new();
        let mut folder = String::new();
        for part in folder_of(path).split('/').filter(|part| !part.is_empty()) {
            folder = joined(&folder, part);
            let page = self
                .by_stem
                .get(&folder)
                .map(|number| self.pages[*number].title.clone());
            place.push(page.unwrap_or_else(|| split_id(part).0));
        }
        place.push(self.title_of(path).to_owned());
        place
    }

    /// Returns the origin of the page whose folder contains an entry.
    pub(super) fn owner_of(&self, path: &str) -> Option<&str> {
        let page = self
            .by_stem
            .get(folder_of(path))
            .map(|number| &self.pages[*number]);
        page.map(|page| page.origin.as_str())
    }

    /// Returns the rows of a database that are pages, by their titles. A title of several pages is left out.
    pub(super) fn rows_of(&self, origin: &str) -> HashMap<&str, &str> {
        let stem = origin
            .rsplit_once('.')
            .map_or(origin, |(stem, _)| stem)
            .trim_end_matches("_all");
        let mut rows: HashMap<&str, Option<&str>> = HashMap::new();
        let number = self.by_origin.get(origin).copied();
        for page in &self.pages {
            let folder = folder_of(&page.origin);
            if folder == stem || (self.by_stem.get(folder).copied() == number && number.is_some()) {
                rows.entry(&page.title)
                    .and_modify(|other| *other = None)
                    .or_insert(Some(&page.origin));
            }
        }
        rows.into_iter()
            .filter_map(|(title, origin)| Some((title, origin?)))
            .collect()
    }

    /// Returns the database in whose folder a page is.
    pub(super) fn database_of(&self, path: &str) -> Option<&str> {
        let number = self.by_stem.get(folder_of(path))?;
        let page = &self.pages[*number];
        (page.role == Role::Database).then_some(page.origin.as_str())
    }

    /// Returns the target of an address in an entry, if it is in the export.
    pub(super) fn target(&self, from: &str, address: &str, written: &str) -> Option<String> {
        if address.contains("notion.so/") || address.contains("notion.site/") {
            let path = address.split(['?', '#']).next().unwrap_or(address);
            let id = split_id(path.rsplit('/').next()?).1?;
            let page = self.by_id.get(&id).map(|number| &self.pages[*number])?;
            return Some(link::to(&page.origin, None));
        }
        let origin = self
            .entry_at(from, address)
            .or_else(|| self.entry_at(from, written))
            .or_else(|| self.entry_with_id(address))?;
        let origin = match self.role_of(&origin) {
            // A link to a copy of a table leads to the page of the table.
            Some(Role::Copy) => {
                let stem = origin
                    .rsplit_once('.')
                    .map_or("", |(stem, _)| stem)
                    .trim_end_matches("_all")
                    .to_owned();
                self.by_stem
                    .get(&stem)
                    .map_or(origin, |number| self.pages[*number].origin.clone())
            }
            _ => origin,
        };
        Some(link::to(&origin, None))
    }

    /// Finds the page or database whose id an address has: a link may name it as another kind of file.
    fn entry_with_id(&self, address: &str) -> Option<String> {
        let path = address.split(['?', '#']).next().unwrap_or(address);
        let name = path.rsplit('/').next()?;
        let stem = ["md", "csv", "html"]
            .iter()
            .find_map(|ending| name.strip_suffix(ending)?.strip_suffix('.'))?;
        let number = self.by_id.get(&split_id(stem).1?)?;
        Some(self.pages[*number].origin.clone())
    }

    fn entry_at(&self, from: &str, address: &str) -> Option<String> {
        let candidates = [address, address.split(['#', '?']).next().unwrap_or(address)];
        candidates
            .iter()
            .filter(|address| !address.is_empty())
            .find_map(|address| {
                let path: String = resolve(folder_of(from), address)?.nfc().collect();
                self.entries.get(&path).cloned()
            })
    }
}

/// Returns a name without its id, and the id.
pub(super) fn split_id(name: &str) -> (String, Option<String>) {
    let stem = name.strip_suffix("_all").unwrap_or(name);
    let is_id = |id: &str| {
        id.len() == 32
            && id
                .bytes()
                .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    };
    let at = stem
        .len()
        .checked_sub(32)
        .filter(|at| stem.is_char_boundary(*at));
    let Some((before, id)) = at.map(|at| stem.split_at(at)).filter(|(_, id)| is_id(id)) else {
        return (name.to_owned(), None);
    };
    let is_separate = before.is_empty() || before.ends_with([' ', '-', '_']);
    if !is_separate {
        return (name.to_owned(), None);
    }
    let title = before.trim_end_matches(['-', '_', ' ']);
    let title = if title.is_empty() { "Untitled" } else { title };
    (title.to_owned(), Some(id.to_owned()))
}

fn stem_of(entry: &Entry) -> &str {
    entry
        .path
        .rsplit_once('.')
        .map_or(&entry.path, |(stem, _)| stem)
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

/// Reads the title, which the name of the file has only shortened.
fn title_of(tree: &Tree, entry: &Entry, role: Role) -> Result<Option<String>, ReadError> {
    if !matches!(role, Role::Markdown | Role::Html) {
        return Ok(None);
    }
    let Some(mut head) = head_of(tree, entry, HEAD)? else {
        return Ok(None);
    };
    // A character may be cut off at the end.
    while head.len() > HEAD as usize - 4 && std::str::from_utf8(&head).is_err() {
        head.pop();
    }
    let head = decode(&head).text;
    let title = match role {
        Role::Markdown => head
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("# "))
            .map(str::to_owned),
        Role::Html | Role::Database | Role::Site | Role::Copy => {
            let dom = Dom::parse(&head, false);
            dom.find(0, &|element| element.name == "title")
                .map(|id| dom.text_of(id))
        }
    };
    let title = title.map(|title| title.trim().to_owned());
    Ok(title.filter(|title| !title.is_empty()))
}
