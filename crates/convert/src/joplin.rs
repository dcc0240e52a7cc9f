//! Exports of Joplin: JEX, a tar archive, and RAW, a folder of the same files. Each item is a text: a title, a body, and
//! lines of fields after the last empty line.

use std::collections::HashMap;

use jiff::Timestamp;

use crate::ReadError;
use crate::document::{FrontMatter, write};
use crate::html::{Addresses, Dom, Element, Media, Options, Reader};
use crate::link;
use crate::reading::{
    Collector, Converted, encoding_loss, external, folder_of, is_embedded, is_hidden, text_of,
};
use crate::relink::{Destination, relink};
use crate::source::{Content, Loss, LossKind, SkipReason, Source, SourceFile, Watch};
use crate::spool::Spool;
use crate::tree::{Dates, Entry, Tree};

/// The deepest notebook. A chain of parents that is longer is a circle.
const MAX_NOTEBOOKS: usize = 100;
/// The number of bytes at the end of an item that contain its fields.
const TAIL: usize = 16 << 10;

/// Returns true if the entries are items of Joplin.
pub(crate) fn is_export(tree: &Tree) -> Result<bool, ReadError> {
    for entry in tree
        .entries()
        .iter()
        .filter(|entry| item_id(entry).is_some())
        .take(3)
    {
        if let Ok(decoded) = text_of(tree, entry)?
            && Item::parse(&decoded.text).is_some()
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads an export.
pub(crate) fn read(tree: &Tree, spool: &Spool, watch: &mut Watch<'_>) -> Result<Source, ReadError> {
    let mut collector = Collector::new(tree, spool, watch);
    let index = Index::new(tree)?;
    for entry in tree.entries() {
        collector.step()?;
        if folder_of(&entry.path) == "resources" {
            if is_hidden(entry) {
                collector.skip(&entry.path, SkipReason::Hidden);
            } else {
                collector.source.files.push(SourceFile {
                    origin: entry.path.clone(),
                    name: index.file_name(entry),
                    content: Content::Entry(entry.path.clone()),
                    owner: None,
                });
            }
            continue;
        }
        let Some(reason) = index.reasons.get(&entry.path) else {
            if item_id(entry).is_none() {
                if is_hidden(entry) {
                    collector.skip(&entry.path, SkipReason::Hidden);
                } else {
                    collector.file(entry, None);
                }
                continue;
            }
            let decoded = match text_of(tree, entry)? {
                Ok(decoded) => decoded,
                Err(reason) => {
                    collector.skip(&entry.path, reason);
                    continue;
                }
            };
            match Item::parse(&decoded.text) {
                Some(item) => {
                    let mut note = index.convert(&item);
                    note.losses.extend(encoding_loss(&decoded));
                    collector.note(&entry.path, index.place_of(&item), note)?;
                }
                None => collector.file(entry, None),
            }
            continue;
        };
        collector.skip(&entry.path, *reason);
    }
    Ok(collector.source)
}

/// Returns the id of an item from the name of its file.
fn item_id(entry: &Entry) -> Option<&str> {
    let id = entry.path.strip_suffix(".md")?;
    (id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(id)
}

/// An item that is being read.
struct Item<'t> {
    title: &'t str,
    body: &'t str,
    fields: HashMap<&'t str, &'t str>,
}

impl<'t> Item<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        let text = text.trim_end_matches('\n');
        let (before, fields) = match text.rfind("\n\n") {
            Some(at) => (&text[..at], &text[at + 2..]),
            None => ("", text),
        };
        if fields.len() > TAIL {
            return None;
        }
        let fields: HashMap<&str, &str> = fields
            .lines()
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.trim(), value.trim()))
            .collect();
        if !fields.contains_key("type_") || !fields.contains_key("id") {
            return None;
        }
        let (title, body) = before.split_once('\n').unwrap_or((before, ""));
        Some(Self {
            title: title.trim(),
            body: body.strip_prefix('\n').unwrap_or(body),
            fields,
        })
    }

    fn field(&self, name: &str) -> &'t str {
        self.fields.get(name).copied().unwrap_or_default()
    }

    /// Returns a field of one that is a time of the note itself, rather than of its copy here.
    fn time(&self, name: &str) -> Option<Timestamp> {
        let of_user = self.field(&format!("user_{name}")).parse();
        of_user.or_else(|_| self.field(name).parse()).ok()
    }

    fn is_set(&self, name: &str) -> bool {
        !matches!(self.field(name), "" | "0")
    }

    fn skipped(&self) -> Option<SkipReason> {
        if self.is_set("encryption_applied") {
            return Some(SkipReason::Encrypted);
        }
        match self.field("type_") {
            "1" if self.is_set("deleted_time") => Some(SkipReason::Deleted),
            "1" => None,
            _ => Some(SkipReason::Description),
        }
    }
}

#[derive(Default)]
struct Index {
    /// The parent and the title of each notebook.
    notebooks: HashMap<String, (String, String)>,
    tags: HashMap<String, String>,
    /// The tags of each note.
    tagged: HashMap<String, Vec<String>>,
    /// The title and the ending of each resource.
    resources: HashMap<String, (String, String)>,
    /// The paths of the files of resources by their ids.
    files: HashMap<String, String>,
    /// The ids of notes.
    notes: HashMap<String, String>,
    /// The items that are no notes, by their paths.
    reasons: HashMap<String, SkipReason>,
}

impl Index {
    fn new(tree: &Tree) -> Result<Self, ReadError> {
        let mut index = Self::default();
        for entry in tree.entries() {
            if folder_of(&entry.path) == "resources" {
                let id = entry.name().split('.').next().unwrap_or_default();
                index
                    .files
                    .insert(id.to_ascii_lowercase(), entry.path.clone());
            }
            if item_id(entry).is_none() {
                continue;
            }
            let decoded = match text_of(tree, entry)? {
                Ok(decoded) => decoded,
                Err(_) => continue,
            };
            let Some(item) = Item::parse(&decoded.text) else {
                continue;
            };
            let id = item.field("id").to_owned();
            if let Some(reason) = item.skipped() {
                index.reasons.insert(entry.path.clone(), reason);
            } else {
                index.notes.insert(id.clone(), entry.path.clone());
            }
            match item.field("type_") {
                "2" => {
                    index.notebooks.insert(
                        id,
                        (item.field("parent_id").to_owned(), item.title.to_owned()),
                    );
                }
                "4" => {
                    index.resources.insert(
                        id,
                        (
                            item.title.to_owned(),
                            item.field("file_extension").to_owned(),
                        ),
                    );
                }
                "5" => {
                    index.tags.insert(id, item.title.to_owned());
                }
                "6" => {
                    let tags = index
                        .tagged
                        .entry(item.field("note_id").to_owned())
                        .or_default();
                    tags.push(item.field("tag_id").to_owned());
                }
                _ => {}
            }
        }
        Ok(index)
    }

    fn file_name(&self, entry: &Entry) -> String {
        let id = entry.name().split('.').next().unwrap_or_default();
        let (title, ending) = match self.resources.get(&id.to_ascii_lowercase()) {
            Some((title, _)) if title.is_empty() => return entry.name().to_owned(),
            Some((title, ending)) if ending.is_empty() => (title, entry.ending()),
            Some((title, ending)) => (title, ending.clone()),
            None => return entry.name().to_owned(),
        };
        let has_ending = ending.is_empty()
            || title
                .to_ascii_lowercase()
                .ends_with(&format!(".{}", ending.to_ascii_lowercase()));
        if has_ending {
            title.clone()
        } else {
            format!("{title}.{ending}")
        }
    }

    fn place_of(&self, item: &Item<'_>) -> Vec<String> {
        let mut place = vec![title_of(item)];
        if item.is_set("is_conflict") {
            place.push("Conflicts".to_owned());
        }
        let mut parent = item.field("parent_id");
        for _ in 0..MAX_NOTEBOOKS {
            let Some((above, title)) = self.notebooks.get(parent) else {
                break;
            };
            place.push(if title.is_empty() {
                "Untitled".to_owned()
            } else {
                title.clone()
            });
            parent = above;
        }
        place.reverse();
        place
    }

    fn convert(&self, item: &Item<'_>) -> Converted {
        let mut links = Links {
            index: self,
            losses: Vec::new(),
        };
        let mut front_matter = FrontMatter::default();
        let tags = self.tagged.get(item.field("id")).into_iter().flatten();
        front_matter.list("tags", tags.filter_map(|tag| self.tags.get(tag)).cloned());
        if item.is_set("is_todo") {
            front_matter.plain("done", item.is_set("todo_completed"));
        }
        for (field, name) in [("todo_due", "due"), ("todo_completed", "completed")] {
            if let Some(time) = milliseconds(item.field(field)) {
                front_matter.text(name, &time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
            }
        }
        if item.is_set("todo_due") && !item.is_set("todo_completed") {
            links
                .losses
                .push(Loss::new(LossKind::Reminder, &title_of(item)));
        }
        front_matter.text("source", item.field("source_url"));
        front_matter.text("author", item.field("author"));
        let is_at = |name: &str| {
            item.field(name)
                .parse()
                .is_ok_and(|degrees: f64| degrees != 0.0)
        };
        if is_at("latitude") || is_at("longitude") {
            front_matter.text(
                "location",
                &format!("{}, {}", item.field("latitude"), item.field("longitude")),
            );
        }
        let body = if item.field("markup_language") == "2" {
            let dom = Dom::parse(item.body, false);
            let mut reader = Reader {
                dom: &dom,
                addresses: &mut links,
                losses: Vec::new(),
                options: Options::default(),
            };
            let blocks = reader.blocks(0);
            let losses = reader.losses;
            links.losses.extend(losses);
            write(&blocks)
        } else {
            relink(item.body, &mut |destination| links.markdown(destination))
        };
        let title = crate::document::heading(&title_of(item));
        let is_titled = body.trim_start().lines().next() == Some(title.trim_end());
        let title = if is_titled {
            String::new()
        } else {
            title + "\n"
        };
        let text = format!("{}{title}{}", front_matter.write(), body.trim());
        let text = text.trim_end().to_owned() + "\n";
        Converted {
            text,
            dates: Dates {
                created: item.time("created_time"),
                changed: item.time("updated_time"),
            },
            losses: links.losses,
        }
    }
}

fn title_of(item: &Item<'_>) -> String {
    if item.title.is_empty() {
        "Untitled".to_owned()
    } else {
        item.title.to_owned()
    }
}

fn milliseconds(field: &str) -> Option<Timestamp> {
    let time = field.parse().ok().filter(|time: &i64| *time > 0)?;
    Timestamp::from_millisecond(time).ok()
}

struct Links<'i> {
    index: &'i Index,
    losses: Vec<Loss>,
}

impl Links<'_> {
    /// Returns the target of an address `:/id#heading`; an error if it is one, and names nothing.
    fn internal(&self, address: &str) -> Option<Result<String, ()>> {
        let id = match address.strip_prefix(":/") {
            Some(id) => id,
            None => address.strip_prefix("joplin://x-callback-url/openNote?id=")?,
        };
        let (id, heading) = id
            .split_once('#')
            .map_or((id, None), |(id, heading)| (id, Some(heading)));
        let id = id.to_ascii_lowercase();
        let target = match (self.index.notes.get(&id), self.index.files.get(&id)) {
            (Some(origin), _) => Ok(link::to(origin, heading)),
            (None, Some(origin)) => Ok(link::to(origin, None)),
            (None, None) => Err(()),
        };
        Some(target)
    }

    fn markdown(&mut self, destination: &Destination<'_>) -> Option<String> {
        match self.internal(&destination.address)? {
            Ok(target) => Some(target),
            Err(()) => {
                let kind = if destination.is_picture {
                    LossKind::MissingFile
                } else {
                    LossKind::UnresolvedLink
                };
                self.losses.push(Loss::new(kind, &destination.address));
                None
            }
        }
    }
}

impl Addresses for Links<'_> {
    fn link(&mut self, href: &str) -> Option<String> {
        match self.internal(href) {
            Some(target) => target.ok(),
            None => external(href),
        }
    }

    fn media(&mut self, element: &Element) -> Option<Media> {
        let source = element
            .find_attribute("src")
            .or_else(|| element.find_attribute("data"))?;
        let id = source
            .strip_prefix(":/")
            .unwrap_or_default()
            .to_ascii_lowercase();
        let (title, ending) = self.index.resources.get(&id).cloned().unwrap_or_default();
        let target = match self.internal(source) {
            Some(target) => target.ok()?,
            None => external(source).filter(|address| address.starts_with("http"))?,
        };
        Some(Media {
            is_embedded: is_embedded(&ending.to_ascii_lowercase()) || element.name == "img",
            name: title,
            target,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::Format;
    use crate::testing::{read_file, read_zip};

    const NOTE: &str = "0123456789abcdef0123456789abcdef";
    const OTHER: &str = "11112222333344445555666677778888";
    const HTML: &str = "aaaabbbbccccddddeeeeffff00001111";
    const BOOK: &str = "99998888777766665555444433332222";
    const SUB_BOOK: &str = "99998888777766665555444433332223";
    const PICTURE: &str = "abcdefabcdefabcdefabcdefabcdefab";

    fn items() -> Vec<(String, String)> {
        let mut items = Vec::new();
        let mut add = |id: &str, kind: u8, title: &str, body: &str, fields: &str| {
            let head = if body.is_empty() {
                title.to_owned()
            } else {
                format!("{title}\n\n{body}")
            };
            let head = if head.is_empty() { head } else { head + "\n\n" };
            let fields = if fields.is_empty() {
                String::new()
            } else {
                format!("{fields}\n")
            };
            items.push((
                format!("{id}.md"),
                format!("{head}id: {id}\n{fields}type_: {kind}"),
            ));
        };
        let dates =
            "created_time: 2020-01-01T00:00:00.000Z\nupdated_time: 2020-01-02T00:00:00.000Z";
        add(
            NOTE,
            1,
            "Garden 庭",
            &format!(
                "First line\nsecond line\n\n![photo](:/{PICTURE}) <img src=\":/{PICTURE}\" width=\"120\"/> [other](:/{OTHER}#part)\n\n\
                 [gone](:/00000000000000000000000000000000)\n\n- [ ] a\n- [x] b\n\n```\n[x](:/{PICTURE})\n```"
            ),
            &format!(
                "parent_id: {SUB_BOOK}\n{dates}\nuser_created_time: 2019-06-13T17:00:00.000Z\nlatitude: 35.01000000\nlongitude: 135.76000000\nsource_url: https://example.org/\nis_todo: 0"
            ),
        );
        add(
            OTHER,
            1,
            "Call",
            "",
            &format!(
                "parent_id: {BOOK}\n{dates}\nis_todo: 1\ntodo_due: 1700000000000\ntodo_completed: 0"
            ),
        );
        add(
            HTML,
            1,
            "Clipped",
            &format!("<p>Text <b>bold</b></p><p><img src=\":/{PICTURE}\" alt=\"\"/></p>"),
            &format!("parent_id: {BOOK}\nmarkup_language: 2"),
        );
        add(BOOK, 2, "Home", "", "parent_id: ");
        add(SUB_BOOK, 2, "Outside", "", &format!("parent_id: {BOOK}"));
        add(
            PICTURE,
            4,
            "photo",
            "",
            "mime: image/png\nfile_extension: png\nsize: 3",
        );
        add("55550000000000000000000000000001", 5, "plants", "", "");
        add(
            "55550000000000000000000000000002",
            6,
            "",
            "",
            &format!("note_id: {NOTE}\ntag_id: 55550000000000000000000000000001"),
        );
        add(
            "55550000000000000000000000000003",
            1,
            "Old",
            "text",
            "deleted_time: 1700000000000",
        );
        add(
            "55550000000000000000000000000004",
            1,
            "",
            "",
            "encryption_applied: 1\nencryption_cipher_text: JED01",
        );
        items
    }

    #[test]
    fn archive_is_converted() {
        let mut tar = tar::Builder::new(Vec::new());
        let mut add = |name: &str, bytes: &[u8]| {
            let mut header = tar::Header::new_ustar();
            header.set_size(bytes.len() as u64);
            header.set_cksum();
            tar.append_data(&mut header, name, bytes).unwrap();
        };
        for (name, text) in items() {
            add(&name, text.as_bytes());
        }
        add(&format!("resources/{PICTURE}.png"), b"png");
        let (format, text) = read_file("export.jex", &tar.into_inner().unwrap()).unwrap();
        assert_eq!(format, Format::Joplin);
        insta::assert_snapshot!(text);
    }

    #[test]
    fn folder_with_a_circle_of_notebooks_is_read() {
        let item = |title: &str, fields: &str| format!("{title}\n\n{fields}");
        let first = item("A", &format!("id: {BOOK}\nparent_id: {SUB_BOOK}\ntype_: 2"));
        let second = item("B", &format!("id: {SUB_BOOK}\nparent_id: {BOOK}\ntype_: 2"));
        let note = item("N", &format!("id: {NOTE}\nparent_id: {BOOK}\ntype_: 1"));
        let (_, text) = read_zip(&[
            (&format!("{BOOK}.md"), first.as_bytes()),
            (&format!("{SUB_BOOK}.md"), second.as_bytes()),
            (&format!("{NOTE}.md"), note.as_bytes()),
            (&format!("{HTML}.md"), b"no item of Joplin"),
        ])
        .unwrap();
        assert!(text.contains("A / N\n# N\n"), "{text}");
        assert!(text.contains(&format!("=== file {HTML}.md")), "{text}");
    }
}
