//! The names by which notes link to notes and files.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization as _;

use super::layout::Flavor;

/// The endings of notes.
pub(super) const NOTE_ENDINGS: [&str; 5] = ["md", "markdown", "mdown", "mkd", "mdx"];

/// The names of the notes that stand for their folder, in the order of their rank.
pub(super) const INDEX_NAMES: [&str; 3] = ["index", "_index", "readme"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemKind {
    Note,
    File,
}

struct Item {
    origin: String,
    kind: ItemKind,
    /// The folded path by which links name it: that of a note without its ending.
    path: String,
    /// The last part of that path.
    name: String,
}

/// An item that a link names.
pub(super) struct Found {
    pub(super) origin: String,
    pub(super) kind: ItemKind,
    /// True if the link names it by its own name, in the same letters.
    pub(super) is_name: bool,
    /// True if the link could mean another one.
    pub(super) is_ambiguous: bool,
}

pub(super) struct Names {
    flavor: Flavor,
    items: Vec<Item>,
    by_path: HashMap<String, usize>,
    by_name: HashMap<String, Vec<usize>>,
    by_alias: HashMap<String, Vec<usize>>,
    /// By the folded addresses of a site, without slashes around.
    by_address: HashMap<String, usize>,
}

impl Names {
    pub(super) fn new(flavor: Flavor) -> Self {
        Self {
            flavor,
            items: Vec::new(),
            by_path: HashMap::new(),
            by_name: HashMap::new(),
            by_alias: HashMap::new(),
            by_address: HashMap::new(),
        }
    }

    pub(super) fn add_file(&mut self, origin: &str) {
        self.add(origin, origin, ItemKind::File);
    }

    /// Adds a note, by the path that links use and its other names. Returns its number.
    pub(super) fn add_note(&mut self, origin: &str, path: &str, others: &[String]) -> usize {
        let index = self.add(origin, path, ItemKind::Note);
        for alias in others {
            self.by_alias.entry(folded(alias)).or_default().push(index);
        }
        index
    }

    /// Adds an address that a site gives to a note.
    pub(super) fn add_address(&mut self, note: usize, address: &str) {
        let address = folded(address);
        let address = without_page_ending(address.trim_matches('/'));
        if !address.is_empty() {
            self.by_address.entry(address.to_owned()).or_insert(note);
        }
    }

    fn add(&mut self, origin: &str, path: &str, kind: ItemKind) -> usize {
        let index = self.items.len();
        let name = last(path).to_owned();
        let path = folded(path);
        self.by_path.entry(path.clone()).or_insert(index);
        self.by_name
            .entry(last(&path).to_owned())
            .or_default()
            .push(index);
        self.items.push(Item {
            origin: origin.to_owned(),
            kind,
            path,
            name,
        });
        index
    }

    pub(super) fn origin(&self, note: usize) -> &str {
        &self.items[note].origin
    }

    /// Finds what `[[path]]` in a note means: by a path from the top or from the note, by the shortest unique end of a
    /// path, by another name.
    pub(super) fn by_wiki_link(&self, own: &str, path: &str) -> Option<Found> {
        let written = path.trim();
        if written.starts_with("./") || written.starts_with("../") {
            return self.by_relative_path(own, written);
        }
        let wanted = folded(without_note_ending(written.trim_start_matches('/')));
        if wanted.is_empty() {
            return None;
        }
        let from_top = self.by_path.get(&wanted).copied();
        let from_own = self
            .by_path
            .get(&joined(&folded(folder(own)), &wanted)?)
            .copied();
        if let Some(index) = from_top.or(from_own) {
            return Some(self.found(index, written, false));
        }
        self.by_end(own, &wanted, written).or_else(|| {
            let others = self.by_alias.get(&wanted)?;
            Some(self.found(*others.first()?, "", others.len() > 1))
        })
    }

    /// Finds the item whose path ends like this.
    fn by_end(&self, own: &str, wanted: &str, written: &str) -> Option<Found> {
        let same_name = self.by_name.get(last(wanted))?;
        let end = format!("/{wanted}");
        let mut fitting: Vec<usize> = same_name
            .iter()
            .copied()
            .filter(|index| {
                self.items[*index].path == wanted || self.items[*index].path.ends_with(&end)
            })
            .collect();
        let own_folder = folded(folder(own));
        fitting.sort_by_key(|index| {
            let item = &self.items[*index];
            let is_near = folder(&item.path).starts_with(own_folder.as_str());
            let depth = item.path.matches('/').count();
            (
                item.kind != ItemKind::Note,
                !is_near,
                depth,
                item.path.clone(),
            )
        });
        let first = *fitting.first()?;
        Some(self.found(first, written, fitting.len() > 1))
    }

    /// Finds what the destination of a link of Markdown means, relative to its note or, if it starts with `/`, to the
    /// top. Sites have pages without endings, folders with an index, and files below another folder.
    pub(super) fn by_relative_path(&self, own: &str, path: &str) -> Option<Found> {
        let written = path.trim_end_matches('/');
        let is_rooted = path.starts_with('/');
        let base = if is_rooted { "" } else { folder(own) };
        let inner = folded(written.trim_start_matches('/'));
        let found = |index: usize| self.found(index, written, false);
        let wanted = joined(&folded(base), &inner);
        let exact = wanted.as_deref().and_then(|wanted| self.at(wanted));
        if let Some(index) = exact {
            return Some(found(index));
        }
        let address = without_page_ending(&inner);
        let by_address = || {
            let own = wanted.as_deref().map(without_page_ending);
            let posts = ends(address).filter(|end| end.starts_with(|c: char| c.is_ascii_digit()));
            let addresses = own.into_iter().chain(Some(address)).chain(posts);
            addresses
                .into_iter()
                .find_map(|address| self.by_address.get(address).copied())
        };
        if let Some(index) = by_address() {
            return Some(found(index));
        }
        let end = folded(without_note_ending(written.trim_start_matches(['/', '.'])));
        if is_rooted || self.flavor != Flavor::Plain {
            let inside = INDEX_NAMES.iter().map(|name| format!("{end}/{name}"));
            let ends = std::iter::once(end.clone()).chain(inside);
            return ends
                .into_iter()
                .find_map(|end| self.by_end(own, &end, written));
        }
        // A link that leads nowhere from its note, but somewhere from the top, or to the only item with this end.
        let is_path = written.contains('/') || is_named_file(written);
        let from_top =
            joined("", inner.trim_start_matches("../")).and_then(|inner| self.at(&inner));
        if !is_path {
            return None;
        }
        from_top.map(found).or_else(|| {
            let found = self.by_end(own, &end, written)?;
            (!found.is_ambiguous).then_some(found)
        })
    }

    /// Finds the item at a folded path: a file, a note without its ending, the index of a folder, or the page that a
    /// site makes of a note.
    fn at(&self, path: &str) -> Option<usize> {
        let index = || {
            INDEX_NAMES.iter().find_map(|name| {
                let inside = match path {
                    "" => (*name).to_owned(),
                    path => format!("{path}/{name}"),
                };
                self.by_path.get(&inside)
            })
        };
        let page = without_page_ending(path);
        let found = self
            .by_path
            .get(path)
            .or_else(|| self.by_path.get(without_note_ending(path)))
            .or_else(index)
            .or_else(|| self.by_path.get(page).filter(|_| page != path));
        found.copied()
    }

    fn found(&self, index: usize, written: &str, is_ambiguous: bool) -> Found {
        let item = &self.items[index];
        Found {
            origin: item.origin.clone(),
            kind: item.kind,
            is_name: last(without_note_ending(written)).nfc().eq(item.name.nfc()),
            is_ambiguous,
        }
    }
}

/// Returns the place of the note that a relative link would have, or `None` for a link to another kind of file.
pub(super) fn unwritten_place(own: &str, path: &str) -> Option<Vec<String>> {
    let name = last(path);
    let is_note = without_note_ending(name) != name || !is_file_name(name);
    let base = if path.starts_with('/') {
        ""
    } else {
        folder(own)
    };
    let place = joined(base, without_note_ending(path.trim_matches('/')))?;
    let place: Vec<String> = place.split('/').map(str::to_owned).collect();
    (is_note && place.iter().all(|name| !name.is_empty())).then_some(place)
}

/// Returns true for a name with the ending of a common file: a dot in the name of a note is no ending.
pub(super) fn is_common_file(path: &str) -> bool {
    const ENDINGS: &str = "png jpg jpeg gif webp avif svg bmp tif tiff jxl heic pdf doc docx xls xlsx ppt pptx odt ods \
        odp txt csv tsv zip gz 7z tar mp3 wav ogg m4a flac opus mp4 mov mkv webm avi 3gp ogv canvas base json html htm \
        epub excalidraw drawio key numbers pages";
    let ending = last(path)
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ENDINGS.split_whitespace().any(|known| known == ending))
}

/// Returns true for a name with an ending that is not one of notes: up to 5 letters and digits.
pub(super) fn is_file_name(path: &str) -> bool {
    let name = last(path);
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return false;
    };
    let is_ending = (2..=5).contains(&ending.len())
        && ending.chars().all(|c| c.is_ascii_alphanumeric())
        && ending.chars().any(|c| c.is_ascii_alphabetic());
    !stem.is_empty() && is_ending && without_note_ending(name) == name
}

/// Returns a path without the ending of a note.
pub(super) fn without_note_ending(path: &str) -> &str {
    path.rsplit_once('.')
        .filter(|(stem, ending)| {
            let ending = ending.to_ascii_lowercase();
            !stem.is_empty() && NOTE_ENDINGS.contains(&ending.as_str())
        })
        .map_or(path, |(stem, _)| stem)
}

/// Returns an address without the ending of a page of HTML.
fn without_page_ending(address: &str) -> &str {
    let stem = address
        .strip_suffix(".html")
        .or_else(|| address.strip_suffix(".htm"));
    let stem = stem.unwrap_or(address);
    stem.strip_suffix("/index").unwrap_or(stem)
}

/// Returns true for a name that can only be that of a note or a file, and not a word.
fn is_named_file(path: &str) -> bool {
    without_note_ending(path) != path || is_common_file(path)
}

/// Returns the ends of a path that start after one of its slashes.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[at + 1..])
}

fn folded(text: &str) -> String {
    text.trim().nfc().collect::<String>().to_lowercase()
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the folder of a path; empty at the top.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns a path from a folder, without `.` and `..`; `None` if it leads above the top.
fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
