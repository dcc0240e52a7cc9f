//! Notebooks of Zim: a text file for each page, and beside it a folder of its files and of the pages below.

mod syntax;

use std::collections::HashMap;

use crate::ReadError;
use crate::document::{FrontMatter, write};
use crate::link;
use crate::reading::{
    Collector, Converted, encoding_loss, external, folder_of, is_embedded, is_hidden, resolve,
    text_of,
};
use crate::source::{Loss, LossKind, SkipReason, Source, Watch};
use crate::spool::Spool;
use crate::tree::{Dates, Entry, Tree};
use syntax::{Media, Resolve};

const HEADER: &[u8] = b"Content-Type: text/x-zim-wiki";

/// Returns true if a tree is a notebook.
pub(crate) fn is_notebook(tree: &Tree) -> Result<bool, ReadError> {
    let mut entries = tree.entries().iter();
    let is_near = |path: &str| path.matches('/').count() < 2;
    if entries.any(|entry| entry.name() == "notebook.zim" && is_near(&entry.path)) {
        return Ok(true);
    }
    for entry in tree
        .entries()
        .iter()
        .filter(|entry| entry.ending() == "txt")
        .take(20)
    {
        if is_page(tree, entry)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Pages start with a header; other text files are attachments.
fn is_page(tree: &Tree, entry: &Entry) -> Result<bool, ReadError> {
    if entry.ending() != "txt" {
        return Ok(false);
    }
    let mut head = vec![0; HEADER.len() + 3];
    let mut reader = tree.reader(entry)?;
    let mut length = 0;
    while length < head.len() {
        match reader.read(&mut head[length..]) {
            Ok(0) | Err(_) => break,
            Ok(read) => length += read,
        }
    }
    let head = head[..length]
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(&head[..length]);
    Ok(head.starts_with(HEADER))
}

/// Reads a notebook.
pub(crate) fn read(tree: &Tree, spool: &Spool, watch: &mut Watch<'_>) -> Result<Source, ReadError> {
    let mut collector = Collector::new(tree, spool, watch);
    let mut pages = Pages::default();
    for entry in tree.entries() {
        if !entry.path.starts_with('.') && is_page(tree, entry)? {
            let names = names_of(&entry.path);
            let root = root_of(tree, &entry.path);
            pages.roots.insert(entry.path.clone(), root);
            pages
                .by_names
                .entry(folded(&names))
                .or_insert_with(|| entry.path.clone());
            pages.origins.insert(entry.path.clone(), names);
        }
    }
    for entry in tree.entries() {
        collector.step()?;
        let Some(names) = pages.origins.get(&entry.path) else {
            if entry.name() == "notebook.zim" {
                collector.skip(&entry.path, SkipReason::Settings);
            } else if is_hidden(entry) {
                collector.skip(&entry.path, SkipReason::Hidden);
            } else {
                let owner = folder_of(&entry.path).to_owned() + ".txt";
                let owner = pages.origins.contains_key(&owner).then_some(owner.as_str());
                collector.file(entry, owner);
            }
            continue;
        };
        match text_of(tree, entry)? {
            Ok(decoded) => {
                let mut note = convert(tree, &pages, entry, names, &decoded.text);
                note.losses.extend(encoding_loss(&decoded));
                let changed = tree.dates(entry)?;
                note.dates.created = note.dates.created.or(changed.created);
                note.dates.changed = note.dates.changed.or(changed.changed);
                collector.note(&entry.path, names.clone(), note)?;
            }
            Err(reason) => collector.skip(&entry.path, reason),
        }
    }
    Ok(collector.source)
}

#[derive(Default)]
struct Pages {
    /// The origins by the names of the page and those above.
    by_names: HashMap<String, String>,
    origins: HashMap<String, Vec<String>>,
    /// The number of names above the notebook that contains a page, by its origin.
    roots: HashMap<String, usize>,
}

/// Returns the number of folders above the notebook that contains a page.
fn root_of(tree: &Tree, path: &str) -> usize {
    let mut folder = folder_of(path);
    while !folder.is_empty() {
        if tree.entry(&format!("{folder}/notebook.zim")).is_some() {
            return folder.split('/').count();
        }
        folder = folder_of(folder);
    }
    0
}

/// Returns the names of a page from the path of its file.
fn names_of(path: &str) -> Vec<String> {
    let stem = path.strip_suffix(".txt").unwrap_or(path);
    stem.split('/').map(|name| name.replace('_', " ")).collect()
}

/// Returns names for a comparison: links name pages in any case.
fn folded(names: &[String]) -> String {
    names
        .iter()
        .map(|name| name.to_lowercase())
        .collect::<Vec<_>>()
        .join("/")
}

fn convert(tree: &Tree, pages: &Pages, entry: &Entry, names: &[String], text: &str) -> Converted {
    let (headers, body) = split_headers(text);
    let mut links = Links {
        tree,
        pages,
        entry,
        names,
        losses: Vec::new(),
    };
    let document = syntax::parse(body, &mut links);
    let mut front_matter = FrontMatter::default();
    front_matter.list("tags", document.tags);
    let mut losses = links.losses;
    losses.extend(
        document
            .losses
            .into_iter()
            .map(|detail| Loss::new(LossKind::Markup, &detail)),
    );
    let date = |name: &str| headers.get(name).and_then(|date| parse_date(date));
    Converted {
        text: front_matter.write() + &write(&document.blocks),
        dates: Dates {
            created: date("Creation-Date"),
            changed: date("Modification-Date"),
        },
        losses,
    }
}

/// Splits the lines of fields at the start from the rest.
fn split_headers(text: &str) -> (HashMap<&str, &str>, &str) {
    let mut headers = HashMap::new();
    if !text.as_bytes().starts_with(HEADER) {
        return (headers, text);
    }
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\n') {
        if line.trim().is_empty() {
            return (headers, after);
        }
        let Some((name, value)) = line.split_once(": ") else {
            break;
        };
        headers.insert(name, value.trim());
        rest = after;
    }
    (headers, rest)
}

/// Reads a date, also one without a zone, which is most often that of this computer.
fn parse_date(text: &str) -> Option<jiff::Timestamp> {
    let zoned = text.parse().ok();
    zoned.or_else(|| {
        let civil: jiff::civil::DateTime = text.parse().ok()?;
        civil
            .to_zoned(jiff::tz::TimeZone::system())
            .ok()
            .map(|zoned| zoned.timestamp())
    })
}

struct Links<'p> {
    tree: &'p Tree,
    pages: &'p Pages,
    entry: &'p Entry,
    names: &'p [String],
    losses: Vec<Loss>,
}

impl Links<'_> {
    fn page(&self, link: &str, fragment: Option<&str>) -> Option<String> {
        let parts = |link: &str| -> Vec<String> {
            let parts = link.split(':').map(|part| part.trim().replace('_', " "));
            parts.filter(|part| !part.is_empty()).collect()
        };
        let above = &self.names[..self.names.len().saturating_sub(1)];
        let root = self.pages.roots.get(&self.entry.path).copied();
        let root = root.unwrap_or(0).min(above.len());
        let (bases, wanted): (Vec<&[String]>, Vec<String>) =
            if let Some(rest) = link.strip_prefix(':') {
                (vec![&above[..root]], parts(rest))
            } else if let Some(rest) = link.strip_prefix('+') {
                (vec![self.names], parts(rest))
            } else {
                // The nearest page with this name, from the page's own folder upwards.
                let mut bases: Vec<&[String]> = (root..=above.len())
                    .rev()
                    .map(|length| &above[..length])
                    .collect();
                // Authors also leave out the mark of a page below.
                bases.push(self.names);
                (bases, parts(link))
            };
        if wanted.is_empty() {
            return None;
        }
        let place = |base: &[String]| [base, &wanted].concat();
        let found = bases
            .iter()
            .find_map(|base| self.pages.by_names.get(&folded(&place(base))));
        Some(match found {
            Some(origin) => link::to(origin, fragment),
            None => link::to_new(&place(bases[0]), fragment),
        })
    }

    /// Finds a file, whose path is relative to the folder beside the page.
    fn file(&mut self, path: &str) -> Option<String> {
        let folder = self
            .entry
            .path
            .strip_suffix(".txt")
            .unwrap_or(&self.entry.path);
        let candidates = [resolve(folder, path), resolve(folder_of(folder), path)];
        let found = candidates
            .into_iter()
            .flatten()
            .find(|path| self.tree.entry(path).is_some());
        if found.is_none() {
            self.losses.push(Loss::new(LossKind::MissingFile, path));
        }
        found
    }
}

impl Resolve for Links<'_> {
    fn link(&mut self, address: &str) -> Option<String> {
        let address = address.trim();
        if let Some(heading) = address.strip_prefix('#') {
            return Some(format!("#{heading}"));
        }
        if (address.contains("://") || address.starts_with("mailto:"))
            && let Some(target) = external(address)
        {
            return Some(target);
        }
        let is_elsewhere = address.starts_with("file:")
            || address.starts_with("~/")
            || address.starts_with('/')
            || address.starts_with("\\\\");
        if is_elsewhere {
            self.losses
                .push(Loss::new(LossKind::UnresolvedLink, address));
            return None;
        }
        if address.contains('/') {
            return self.file(address).map(|origin| link::to(&origin, None));
        }
        if address.contains('?') {
            self.losses
                .push(Loss::new(LossKind::UnresolvedLink, address));
            return None;
        }
        if address.contains('@') && !address.contains(':') {
            return Some(format!("mailto:{address}"));
        }
        let (page, fragment) = address
            .split_once('#')
            .map_or((address, None), |(page, fragment)| (page, Some(fragment)));
        self.page(page, fragment)
    }

    fn media(&mut self, address: &str) -> Option<Media> {
        if address.starts_with("http://") || address.starts_with("https://") {
            return Some(Media {
                target: address.to_owned(),
                name: String::new(),
                is_embedded: true,
            });
        }
        let origin = self.file(address)?;
        let name = origin.rsplit('/').next().unwrap_or_default().to_owned();
        let ending = name
            .rsplit_once('.')
            .map_or(String::new(), |(_, ending)| ending.to_ascii_lowercase());
        Some(Media {
            target: link::to(&origin, None),
            is_embedded: is_embedded(&ending),
            name,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::Format;
    use crate::testing::read_zip;

    const HEAD: &str = "Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\nCreation-Date: 2021-01-19T20:44:59+01:00\n\n";

    #[test]
    fn notebook_is_converted() {
        let page = format!(
            "{HEAD}====== Garden ======\nCreated Tuesday\nsecond line @plants\n\n\
             ===== Marks =====\n**bold //both//** __marked__ ~~gone~~ ''co*de'' H_{{2}}O x^{{2}} http://a.b/__c__ 5 * 3\n\n\
             * one\n\t* two **x**\n\t\t1. three\n* four\n\n[ ] open\n[*] done\n\t[x] dropped\n[>] moved\n\n3. c\n4. d\n\na. e\n\n\
             \tindented\n\n-----\n\n'''\nverbatim [[x]]\n\tkept\n'''\n\n\
             {{{{{{code: lang=\"python3\" linenumbers=\"True\"\nprint(1)\n}}}}}}\n\n\
             | A | B |\n|:--|--:|\n| 1\\n2 | [[Sub page]] |\n\n\
             {{{{./photo.png?width=300}}}} {{{{./missing.png}}}}\n\n\
             [[+Sub page|below]] [[:Home]] [[home]] [[Nowhere:Else#part]] [[./paper.pdf]] [[https://example.org|web]] [[wp?wiki]] [[me@example.org]] [[#marks]]\n"
        );
        let sub = format!("{HEAD}[[Garden]] [[Home]] [[+Deep]]\n");
        let (format, text) = read_zip(&[
            ("notebook.zim", b"[Notebook]\n"),
            ("Garden.txt", page.as_bytes()),
            ("Garden/Sub_page.txt", sub.as_bytes()),
            ("Garden/photo.png", b"png"),
            ("Garden/paper.pdf", b"pdf"),
            ("Garden/list.txt", b"not a page"),
            ("Home.txt", format!("{HEAD}====== Home ======\n").as_bytes()),
            (".zim/state.conf", b""),
        ])
        .unwrap();
        assert_eq!(format, Format::Zim);
        insta::assert_snapshot!(text);
    }

    #[test]
    fn links_start_at_the_notebook() {
        let sub = format!("{HEAD}[[:Home]] [[Home]]\n");
        let (_, text) = read_zip(&[
            ("All/a.txt", b"kept"),
            ("All/Mine/notebook.zim", b"[Notebook]\n"),
            ("All/Mine/Home.txt", format!("{HEAD}home\n").as_bytes()),
            ("All/Mine/Home/Sub.txt", sub.as_bytes()),
        ])
        .unwrap();
        assert_eq!(
            text.matches("](fumikura-import:Mine%2FHome.txt)").count(),
            2,
            "{text}"
        );
    }
}
