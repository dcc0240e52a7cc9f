//! The conventions of a folder: the program that keeps it, and which of its files are notes, daily notes, templates and
//! settings.

use jiff::civil::Date;
use percent_encoding::percent_decode_str;
use serde::Deserialize;

use super::front_matter::FrontMatter;
use super::names::{INDEX_NAMES, NOTE_ENDINGS, folder, without_note_ending};
use crate::ReadError;
use crate::detect::Format;
use crate::source::{Role, SkipReason};
use crate::tree::{Entry, Tree};

/// The longest file of settings that is read, in bytes.
const MAX_SETTINGS: u64 = 1 << 20;
/// The folders that hold daily notes unless settings name one.
const DAILY_FOLDERS: [&str; 7] = [
    "daily",
    "daily notes",
    "dailies",
    "journal",
    "journals",
    "diary",
    "日記",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flavor {
    Obsidian,
    Logseq,
    Dendron,
    /// Any other.
    Plain,
}

/// The treatment of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Note,
    File,
    Skip(SkipReason),
}

/// The place and role of a note.
pub(super) struct NotePlace {
    pub(super) place: Vec<String>,
    pub(super) role: Role,
}

pub(super) struct Layout {
    flavor: Flavor,
    daily: Option<DailyNotes>,
    /// The folder of templates, in lower case.
    templates: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct DailyNotes {
    folder: String,
    format: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct TemplateSettings {
    folder: String,
}

impl Layout {
    pub(super) fn new(tree: &Tree, format: Format) -> Result<Self, ReadError> {
        let has = |path: &str| tree.entry(path).is_some();
        let starts = |start: &str| {
            tree.entries()
                .iter()
                .any(|entry| entry.path.starts_with(start))
        };
        let flavor = match format {
            Format::Obsidian => Flavor::Obsidian,
            _ if has("logseq/config.edn") || starts("pages/") && starts("journals/") => {
                Flavor::Logseq
            }
            _ if has("dendron.yml") || is_dendron_vault(tree) => Flavor::Dendron,
            Format::Markdown
            | Format::Joplin
            | Format::Zim
            | Format::TiddlyWiki
            | Format::Evernote
            | Format::Notion
            | Format::Html => Flavor::Plain,
        };
        let mut layout = Self {
            flavor,
            daily: None,
            templates: None,
        };
        if flavor == Flavor::Obsidian {
            layout.daily = settings(tree, ".obsidian/daily-notes.json")?;
            let templates: Option<TemplateSettings> = settings(tree, ".obsidian/templates.json")?;
            let folder =
                templates.map(|templates| templates.folder.trim_matches('/').to_lowercase());
            layout.templates = folder.filter(|folder| !folder.is_empty());
        }
        Ok(layout)
    }

    pub(super) fn flavor(&self) -> Flavor {
        self.flavor
    }

    pub(super) fn class(&self, entry: &Entry) -> Class {
        let has_part = |name: &str| entry.path.split('/').any(|part| part == name);
        let name = entry.name().to_lowercase();
        if has_part(".obsidian") {
            Class::Skip(SkipReason::Settings)
        } else if has_part(".trash") && self.flavor == Flavor::Obsidian {
            Class::Skip(SkipReason::Deleted)
        } else if entry.path.split('/').any(|part| part.starts_with('.'))
            || matches!(&*name, "thumbs.db" | "desktop.ini")
            || name.starts_with("~$")
            || has_part("node_modules")
            || has_part("__MACOSX")
        {
            Class::Skip(SkipReason::Hidden)
        } else if self.flavor == Flavor::Logseq && entry.path.starts_with("logseq/")
            || self.flavor == Flavor::Dendron
                && (name.ends_with(".schema.yml") || name == "dendron.yml")
        {
            Class::Skip(SkipReason::Settings)
        } else if NOTE_ENDINGS.contains(&entry.ending().as_str()) {
            Class::Note
        } else {
            Class::File
        }
    }

    /// Returns true for a drawing of Excalidraw, whose text is not to be read.
    pub(super) fn is_drawing(&self, entry: &Entry, front: &FrontMatter) -> bool {
        front.has("excalidraw-plugin") || entry.name().to_lowercase().ends_with(".excalidraw.md")
    }

    /// Returns the path by which links name a note.
    pub(super) fn link_path(&self, entry: &Entry) -> String {
        let path = without_note_ending(&entry.path);
        match self.flavor {
            Flavor::Obsidian | Flavor::Plain => path.to_owned(),
            Flavor::Logseq => logseq_name(last(path)),
            Flavor::Dendron => last(path).to_owned(),
        }
    }

    /// Returns the addresses that a site gives to a note, and those that it had.
    pub(super) fn addresses(&self, entry: &Entry, front: &FrontMatter) -> Vec<String> {
        let path = without_note_ending(&entry.path);
        let mut addresses = Vec::new();
        match self.flavor {
            Flavor::Obsidian | Flavor::Logseq => {}
            Flavor::Dendron => {
                addresses.extend(front.text("id").map(|id| format!("notes/{id}")));
            }
            Flavor::Plain => {
                addresses.extend(
                    ["permalink", "url"]
                        .iter()
                        .filter_map(|name| front.text(name))
                        .map(str::to_owned),
                );
                let earlier = front.aliases().into_iter();
                addresses.extend(earlier.filter(|alias| alias.starts_with('/')));
                addresses.extend(
                    front
                        .text("slug")
                        .map(|slug| format!("{}/{slug}", folder(path))),
                );
                // Jekyll: `_docs/a` is at `/docs/a`, and `_posts/2026-11-29-a` at `/2026/11/29/a`.
                if path.starts_with('_') || path.contains("/_") {
                    let parts = path.split('/').map(|part| part.trim_start_matches('_'));
                    addresses.push(parts.collect::<Vec<_>>().join("/"));
                }
                if last(folder(path)) == "_posts" {
                    addresses.push(last(path).replacen('-', "/", 3));
                }
            }
        }
        addresses
    }

    /// Returns further names by which links name a note.
    pub(super) fn other_names(
        &self,
        entry: &Entry,
        front: &FrontMatter,
        body: &str,
    ) -> Vec<String> {
        let name = last(without_note_ending(&entry.path));
        let mut names = Vec::new();
        if self.flavor != Flavor::Obsidian {
            names.extend(front.text("title").map(str::to_owned));
        }
        if self.flavor == Flavor::Logseq {
            names.extend(super::logseq::aliases(body));
        }
        if self.flavor == Flavor::Logseq
            && let Some(day) = journal_day(&entry.path)
        {
            names.extend([
                day.to_string(),
                day.strftime("%Y/%m/%d").to_string(),
                format!(
                    "{} {}, {}",
                    day.strftime("%b"),
                    ordinal(day.day()),
                    day.year()
                ),
            ]);
        }
        if self.flavor == Flavor::Plain {
            // The ids of Zettelkasten: fourteen digits in the front matter or at the start of the name.
            names.extend(front.text("id").map(str::to_owned));
            let id: String = name.chars().take_while(char::is_ascii_digit).collect();
            if (12..=14).contains(&id.len()) && id.len() < name.len() {
                names.push(id);
            }
        }
        names
    }

    /// Returns the place of a note.
    pub(super) fn place(&self, entry: &Entry, front: &FrontMatter, body: &str) -> NotePlace {
        let path = without_note_ending(&entry.path);
        let parts = |path: &str| path.split('/').map(str::to_owned).collect::<Vec<_>>();
        let page = |place| NotePlace {
            place,
            role: Role::Page,
        };
        if let Some(day) = self.day(path) {
            return NotePlace {
                place: parts(path),
                role: Role::Daily(day),
            };
        }
        if let Some(folder) = &self.templates
            && let Some(rest) = below(path, folder)
        {
            return NotePlace {
                place: parts(rest),
                role: Role::Template,
            };
        }
        match self.flavor {
            Flavor::Obsidian => page(parts(path)),
            Flavor::Logseq => {
                let title = front.text("title").map(str::to_owned);
                let title = title.or_else(|| super::logseq::title(body));
                page(parts(&title.unwrap_or_else(|| logseq_name(last(path)))))
            }
            Flavor::Dendron => match last(path) {
                "root" => page(Vec::new()),
                name => page(name.split('.').map(str::to_owned).collect()),
            },
            Flavor::Plain => {
                let mut place = parts(path);
                let is_index = |name: &String| INDEX_NAMES.contains(&name.to_lowercase().as_str());
                if place.last().is_some_and(is_index) {
                    place.pop();
                }
                page(place)
            }
        }
    }

    /// Returns the heading that the text of a note lacks: its title, as sites and Dendron show it above the text.
    pub(super) fn heading(&self, front: &FrontMatter, body: &str) -> Option<String> {
        if self.flavor == Flavor::Obsidian {
            return None;
        }
        let title = front.text("title")?;
        let has_heading = body.lines().any(|line| line.starts_with("# "));
        (!has_heading).then(|| title.replace(['\n', '\\'], " "))
    }

    /// Returns the day of a daily note.
    fn day(&self, path: &str) -> Option<Date> {
        match (&self.daily, self.flavor) {
            (_, Flavor::Logseq) => journal_day(path),
            (Some(daily), _) => {
                let folder = daily.folder.trim_matches('/').to_lowercase();
                let rest = if folder.is_empty() {
                    path
                } else {
                    below(path, &folder)?
                };
                let format = match daily.format.as_str() {
                    "" => "YYYY-MM-DD",
                    format => format,
                };
                parse_day(format, rest)
            }
            (None, _) => {
                let parent = last(folder(path)).to_lowercase();
                if !DAILY_FOLDERS.contains(&parent.as_str()) {
                    return None;
                }
                parse_day("YYYY-MM-DD", last(path))
            }
        }
    }
}

/// Returns the name of a note of Dendron in `dendron://vault/name`.
pub(super) fn without_vault(path: &str) -> &str {
    path.strip_prefix("dendron://")
        .and_then(|rest| rest.split_once('/'))
        .map_or(path, |(_, name)| name)
}

/// Returns the name of a page of SilverBullet in `name@12`, `name@L12c3` and `^name`.
pub(super) fn without_position(flavor: Flavor, path: &str) -> Option<&str> {
    if flavor != Flavor::Plain {
        return None;
    }
    let (name, position) = path.rsplit_once('@').unwrap_or((path, ""));
    let is_position = position
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'L' | b'c' | b'C' | b'l'));
    let name = if is_position { name } else { path };
    let name = name.strip_prefix('^').unwrap_or(name);
    (name != path).then_some(name)
}

fn is_dendron_vault(tree: &Tree) -> bool {
    let is_schema = |entry: &Entry| entry.name().ends_with(".schema.yml");
    tree.entries().iter().any(|entry| entry.name() == "root.md")
        && tree.entries().iter().any(is_schema)
}

/// Reads a file of settings. One that is missing or malformed has none.
fn settings<T: for<'de> Deserialize<'de>>(tree: &Tree, path: &str) -> Result<Option<T>, ReadError> {
    let Some(entry) = tree.entry(path) else {
        return Ok(None);
    };
    let bytes = tree.bytes(entry, MAX_SETTINGS)?;
    Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}

/// Returns the place of a note that a wiki link names and that is not there.
pub(super) fn place_of_link(flavor: Flavor, path: &str) -> Vec<String> {
    let path = without_note_ending(path.trim_matches('/'));
    let separator = if flavor == Flavor::Dendron { '.' } else { '/' };
    let parts = path.split(separator).map(|part| part.trim().to_owned());
    parts
        .filter(|part| !part.is_empty() && part != "..")
        .collect()
}

/// Returns the path below a folder, whose name is in lower case.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let start = path.get(..folder.len())?;
    (start.to_lowercase() == folder).then_some(())?;
    path[folder.len()..].strip_prefix('/')
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the name of a page of Logseq: `a___b` and `a%2Fb` are `a/b`.
fn logseq_name(file: &str) -> String {
    let decoded = percent_decode_str(file).decode_utf8_lossy();
    decoded.replace("___", "/")
}

/// Returns the day of a journal: `journals/2026_11_29`.
fn journal_day(path: &str) -> Option<Date> {
    let name = without_note_ending(path).strip_prefix("journals/")?;
    parse_day("YYYY-MM-DD", &name.replace('_', "-"))
}

fn ordinal(day: i8) -> String {
    let end = match (day % 10, day / 10) {
        (1, tens) if tens != 1 => "st",
        (2, tens) if tens != 1 => "nd",
        (3, tens) if tens != 1 => "rd",
        _ => "th",
    };
    format!("{day}{end}")
}

/// Parses a name by a format of Moment.js: years, months and days as numbers, English names, text in brackets.
fn parse_day(format: &str, text: &str) -> Option<Date> {
    let (mut year, mut month, mut day) = (None, None, None);
    let (mut format, mut rest) = (format, text);
    while let Some(first) = format.chars().next() {
        if let Some(after) = format.strip_prefix('[') {
            let (literal, after) = after.split_once(']')?;
            rest = rest.strip_prefix(literal)?;
            format = after;
            continue;
        }
        let length = format.find(|c| c != first).unwrap_or(format.len());
        let token = &format[..length];
        format = &format[length..];
        match token {
            "YYYY" => year = Some(number(&mut rest, 4, 4)?),
            "MM" => month = Some(number(&mut rest, 2, 2)?),
            "M" => month = Some(number(&mut rest, 1, 2)?),
            "DD" => day = Some(number(&mut rest, 2, 2)?),
            "D" => day = Some(number(&mut rest, 1, 2)?),
            "MMM" | "MMMM" => {
                let name = word(&mut rest)?.to_lowercase();
                let names = [
                    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov",
                    "dec",
                ];
                let index = names.iter().position(|start| name.starts_with(start))?;
                month = Some(i16::try_from(index + 1).ok()?);
            }
            "d" | "E" | "e" | "WW" | "W" | "ww" | "w" | "Q" | "GGGG" | "gggg" => {
                number(&mut rest, 1, 4)?;
            }
            "ddd" | "dddd" => drop(word(&mut rest)?),
            literal if first.is_ascii_alphabetic() => {
                let _unknown = literal;
                return None;
            }
            literal => rest = rest.strip_prefix(literal)?,
        }
    }
    let (month, day) = (i8::try_from(month?).ok()?, i8::try_from(day?).ok()?);
    rest.is_empty().then_some(())?;
    Date::new(year?, month, day).ok()
}

fn number(rest: &mut &str, min: usize, max: usize) -> Option<i16> {
    let digits = rest
        .bytes()
        .take(max)
        .take_while(u8::is_ascii_digit)
        .count();
    (digits >= min).then_some(())?;
    let (number, after) = rest.split_at(digits);
    *rest = after;
    number.parse().ok()
}

fn word<'r>(rest: &mut &'r str) -> Option<&'r str> {
    let end = rest
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(rest.len());
    (end > 0).then_some(())?;
    let (word, after) = rest.split_at(end);
    *rest = after;
    Some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_parsed_by_format() {
        let parse = |format: &str, text: &str| parse_day(format, text).map(|day| day.to_string());
        let day = Some("2026-03-05".to_owned());
        assert_eq!(parse("YYYY-MM-DD", "2026-03-05"), day);
        assert_eq!(parse("YYYY/MMMM/D dddd", "2026/March/5 Thursday"), day);
        assert_eq!(parse("YYYY年M月D日", "2026年3月5日"), day);
        assert_eq!(parse("[day] YYYYMMDD", "day 20260305"), day);
        assert_eq!(parse("YYYY-MM-DD", "2026-03-05 more"), None);
        assert_eq!(parse("YYYY-MM-DD", "2026-13-05"), None);
    }
}
