//! One note: its fields, and its text as Markdown.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::document::{Block, FrontMatter, Image, Inline, Item, write};
use crate::html::{Addresses, Dom, Element, Media, Options, Reader};
use crate::link;
use crate::reading::{Converted, external, is_embedded};
use crate::source::{Loss, LossKind};
use crate::spool::Spooled;
use crate::tree::Dates;

/// The fields of a note, as they are read.
#[derive(Default)]
pub(super) struct RawNote {
    title: String,
    content: String,
    created: String,
    updated: String,
    tags: Vec<String>,
    attributes: Vec<(String, String)>,
    tasks: Vec<Task>,
    pub(super) resources: Vec<Resource>,
}

#[derive(Default)]
pub(super) struct Task {
    title: String,
    /// The id of the place in the text.
    group: String,
    is_done: bool,
}

#[derive(Default)]
pub(super) struct Resource {
    pub(super) hash: String,
    pub(super) file: Option<Spooled>,
    mime: String,
    file_name: String,
}

impl Resource {
    pub(super) fn name(&self) -> String {
        if !self.file_name.is_empty() {
            return self.file_name.clone();
        }
        let kind = self.mime.rsplit('/').next().unwrap_or_default();
        let ending = match kind {
            "jpeg" => "jpg",
            "svg+xml" => "svg",
            "mpeg" if self.mime.starts_with("audio") => "mp3",
            "plain" => "txt",
            "x-wav" => "wav",
            kind if !kind.is_empty()
                && kind.len() < 6
                && kind.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
            {
                kind
            }
            _ => "bin",
        };
        let hash = self.hash.get(..8).unwrap_or("file");
        format!("{hash}.{ending}")
    }

    fn is_embedded(&self) -> bool {
        let name = self.name();
        let ending = name
            .rsplit_once('.')
            .map_or(String::new(), |(_, ending)| ending.to_ascii_lowercase());
        self.mime.starts_with("image/") || is_embedded(&ending)
    }
}

impl RawNote {
    /// Takes the text of an element.
    pub(super) fn field(
        &mut self,
        resource: &mut Resource,
        parent: &str,
        name: &str,
        text: String,
    ) {
        match (parent, name) {
            ("", "title") => self.title = text,
            ("", "content") => self.content = text,
            ("", "created") => self.created = text.trim().to_owned(),
            ("", "updated") => self.updated = text.trim().to_owned(),
            ("", "tag") => self.tags.push(text),
            ("note-attributes", name) => self
                .attributes
                .push((name.to_owned(), text.trim().to_owned())),
            ("resource", "mime") => resource.mime = text.trim().to_ascii_lowercase(),
            ("resource-attributes", "file-name") => resource.file_name = text.trim().to_owned(),
            ("task", "title") => self.tasks.push(Task {
                title: text.trim().to_owned(),
                ..Task::default()
            }),
            ("task", "taskStatus") => {
                if let Some(task) = self.tasks.last_mut() {
                    task.is_done = text.trim() == "completed";
                }
            }
            ("task", "taskGroupNoteLevelID") => {
                if let Some(task) = self.tasks.last_mut() {
                    task.group = text.trim().to_owned();
                }
            }
            _ => {}
        }
    }

    pub(super) fn title(&self) -> String {
        let title = self.title.split_whitespace().collect::<Vec<_>>().join(" ");
        if title.is_empty() {
            "Untitled".to_owned()
        } else {
            title
        }
    }

    pub(super) fn created_field(&self) -> &str {
        &self.created
    }

    fn attribute(&self, name: &str) -> &str {
        let found = self.attributes.iter().find(|(other, _)| other == name);
        found.map_or("", |(_, value)| value.as_str())
    }
}

/// The files of a note by their hashes, by which the text names them.
pub(super) type Files = BTreeMap<String, File>;

pub(super) struct File {
    origin: String,
    name: String,
    is_embedded: bool,
    is_named: std::cell::Cell<bool>,
    /// The position among the resources of the note.
    number: usize,
}

impl File {
    pub(super) fn of(resource: &Resource, origin: String, number: usize) -> Self {
        Self {
            origin,
            name: resource.name(),
            is_embedded: resource.is_embedded(),
            is_named: std::cell::Cell::new(false),
            number,
        }
    }
}

/// Returns the target of a link to a note by its title, until all notes are read.
pub(super) fn placeholder(title: &str) -> String {
    link::to(&format!("evernote:{title}"), None)
}

struct Links<'f> {
    files: &'f Files,
    tasks: &'f [Task],
    /// The groups of tasks that the text places.
    placed: Vec<String>,
    /// The addresses of links to other notes, in the order of the text.
    notes: Vec<String>,
}

impl Addresses for Links<'_> {
    fn link(&mut self, href: &str) -> Option<String> {
        if href.starts_with("evernote:") || href.starts_with("https://www.evernote.com/shard/") {
            self.notes.push(href.to_owned());
            return Some(href.to_owned());
        }
        external(href)
    }

    fn media(&mut self, element: &Element) -> Option<Media> {
        if element.name != "en-media" {
            let target = external(element.find_attribute("src")?)
                .filter(|address| address.starts_with("http"))?;
            return Some(Media {
                target,
                name: element.attribute("alt").to_owned(),
                is_embedded: element.name == "img",
            });
        }
        let hash = element.attribute("hash").to_ascii_lowercase();
        let file = self.files.get(&hash)?;
        file.is_named.set(true);
        Some(Media {
            target: link::to(&file.origin, None),
            name: file.name.clone(),
            is_embedded: file.is_embedded,
        })
    }

    fn placeholder(&mut self, element: &Element) -> Option<Block> {
        if element.style("--en-task-group") != "true" {
            return None;
        }
        let id = element.style("--en-id");
        let of_group = |task: &&Task| task.group.eq_ignore_ascii_case(&id);
        let list = task_list(self.tasks.iter().filter(of_group))?;
        self.placed.extend(
            self.tasks
                .iter()
                .filter(of_group)
                .map(|task| task.group.clone()),
        );
        Some(list)
    }
}

/// Converts a note. The links to other notes are returned with their titles.
pub(super) fn convert(raw: &RawNote, files: &Files) -> (Converted, Vec<(String, String)>) {
    let dom = Dom::parse(&raw.content, true);
    let mut links = Links {
        files,
        tasks: &raw.tasks,
        placed: Vec::new(),
        notes: Vec::new(),
    };
    let mut reader = Reader {
        dom: &dom,
        addresses: &mut links,
        losses: Vec::new(),
        options: Options {
            divs_are_lines: true,
        },
    };
    let mut blocks = vec![Block::Heading(1, vec![Inline::text(raw.title())])];
    blocks.extend(reader.blocks(0));
    let mut losses = reader.losses;
    let unplaced = |task: &&Task| !links.placed.contains(&task.group);
    blocks.extend(task_list(raw.tasks.iter().filter(unplaced)));
    // Evernote displays files that the text doesn't name at its end.
    let mut unnamed: Vec<&File> = files.values().filter(|file| !file.is_named.get()).collect();
    unnamed.sort_by_key(|file| file.number);
    for file in unnamed {
        let target = link::to(&file.origin, None);
        blocks.push(Block::Paragraph(vec![if file.is_embedded {
            Inline::Image(Image {
                target,
                alt: file.name.clone(),
                ..Image::default()
            })
        } else {
            Inline::Link {
                target,
                title: String::new(),
                content: vec![Inline::text(&file.name)],
            }
        }]));
    }
    let mut named = Vec::new();
    if !links.notes.is_empty() {
        for block in &mut blocks {
            name_links(block, &links.notes, &mut named);
        }
    }
    let front_matter = front_matter(raw, &mut losses);
    if raw.content.contains('\u{fffd}') {
        losses.push(Loss::new(LossKind::Encoding, "UTF-8"));
    }
    let converted = Converted {
        text: front_matter.write() + &write(&blocks),
        dates: Dates {
            created: time(&raw.created),
            changed: time(&raw.updated).or_else(|| time(&raw.created)),
        },
        losses,
    };
    (converted, named)
}

fn front_matter(raw: &RawNote, losses: &mut Vec<Loss>) -> FrontMatter {
    let mut front_matter = FrontMatter::default();
    front_matter.list("tags", raw.tags.iter().cloned());
    front_matter.text("source", raw.attribute("source-url"));
    front_matter.text("author", raw.attribute("author"));
    let (latitude, longitude) = (raw.attribute("latitude"), raw.attribute("longitude"));
    if !latitude.is_empty() && !longitude.is_empty() {
        front_matter.text("location", &format!("{latitude}, {longitude}"));
    }
    front_matter.text("place", raw.attribute("place-name"));
    for (attribute, name) in [
        ("reminder-time", "due"),
        ("reminder-done-time", "completed"),
    ] {
        if let Some(time) = time(raw.attribute(attribute)) {
            front_matter.text(name, &time.to_string());
        }
    }
    if !raw.attribute("reminder-time").is_empty() && raw.attribute("reminder-done-time").is_empty()
    {
        losses.push(Loss::new(LossKind::Reminder, &raw.title()));
    }
    front_matter
}

fn task_list<'t>(tasks: impl Iterator<Item = &'t Task>) -> Option<Block> {
    let item = |task: &Task| Item {
        task: Some(task.is_done),
        content: vec![Block::Paragraph(vec![Inline::text(&task.title)])],
    };
    let items: Vec<Item> = tasks.map(item).collect();
    (!items.is_empty()).then_some(Block::List { start: None, items })
}

/// Replaces the addresses of other notes by their titles, which are the texts of the links.
fn name_links(block: &mut Block, addresses: &[String], named: &mut Vec<(String, String)>) {
    block.each_run(&mut |run| {
        for inline in run {
            name_link(inline, addresses, named);
        }
    });
}

fn name_link(inline: &mut Inline, addresses: &[String], named: &mut Vec<(String, String)>) {
    match inline {
        Inline::Link {
            target, content, ..
        } if addresses.contains(target) => {
            let title = crate::document::plain(content);
            let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
            let address = std::mem::replace(target, placeholder(&title));
            if !named.iter().any(|(other, _)| *other == title) {
                named.push((title, address));
            }
        }
        Inline::Marked(_, content) => {
            for inline in content {
                name_link(inline, addresses, named);
            }
        }
        Inline::Link { .. }
        | Inline::Text(_)
        | Inline::Code(_)
        | Inline::Math(_)
        | Inline::Image(_)
        | Inline::Ruby(..)
        | Inline::Embed(_)
        | Inline::Break => {}
    }
}

/// Reads a time such as `20230101T123456Z`.
fn time(text: &str) -> Option<Timestamp> {
    let civil = DateTime::strptime("%Y%m%dT%H%M%SZ", text.trim()).ok()?;
    civil
        .to_zoned(TimeZone::UTC)
        .ok()
        .map(|zoned| zoned.timestamp())
}
