//! The tiddlers in a file.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use crate::html::Dom;
use crate::reading::{head_of, is_damage};
use crate::source::SkipReason;
use crate::tree::{Entry, Tree};
use crate::{ReadError, decode};

/// The largest file of a wiki in bytes. It is in memory as a whole, pictures included.
const MAX_WIKI: u64 = 512 << 20;
/// The number of bytes at the start of a file that tell what it is.
const HEAD: u64 = 64 << 10;

/// The type of texts in the syntax of TiddlyWiki Classic.
pub(super) const CLASSIC: &str = "text/x-tiddlywiki";

/// One tiddler.
#[derive(Debug)]
pub(super) struct Tiddler {
    pub(super) origin: String,
    pub(super) fields: BTreeMap<String, String>,
}

impl Tiddler {
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.fields
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    pub(super) fn title(&self) -> &str {
        self.field("title").unwrap_or_default()
    }

    pub(super) fn text(&self) -> &str {
        self.field("text").unwrap_or_default()
    }

    pub(super) fn kind(&self) -> &str {
        self.field("type").unwrap_or_default()
    }

    /// Returns true if it is a file rather than a text.
    pub(super) fn is_file(&self) -> bool {
        let kind = self.kind();
        let is_binary = ["image/", "audio/", "video/", "font/"]
            .iter()
            .any(|prefix| kind.starts_with(prefix));
        let is_other = kind.starts_with("application/")
            && !matches!(
                kind,
                "application/json" | "application/javascript" | "application/x-tiddler-dictionary"
            );
        (is_binary || is_other) && self.field("_canonical_uri").is_none()
    }

    /// Returns true if the file is in the text as it is, and not in Base64.
    pub(super) fn is_text_file(&self) -> bool {
        self.kind() == "image/svg+xml"
    }

    pub(super) fn file_name(&self) -> String {
        let title = self.title();
        let ending = match self.kind() {
            "image/png" => "png",
            "image/jpeg" | "image/jpg" => "jpg",
            "image/gif" => "gif",
            "image/webp" => "webp",
            "image/svg+xml" => "svg",
            "image/x-icon" => "ico",
            "application/pdf" => "pdf",
            "audio/mpeg" | "audio/mp3" => "mp3",
            "video/mp4" => "mp4",
            "application/zip" => "zip",
            _ => return title.to_owned(),
        };
        let has_ending = title.rsplit_once('.').is_some_and(|(stem, other)| {
            !stem.is_empty()
                && (2..5).contains(&other.len())
                && other.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        if has_ending {
            title.to_owned()
        } else {
            format!("{title}.{ending}")
        }
    }

    /// Returns the tiddler as a `.tid` file.
    pub(super) fn as_file(&self) -> String {
        let mut file = String::new();
        for (name, value) in self.fields.iter().filter(|(name, _)| *name != "text") {
            file.push_str(&format!("{name}: {}\n", value.replace('\n', " ")));
        }
        file.push('\n');
        file.push_str(self.text());
        file
    }
}

/// The result of reading a file.
pub(super) enum Outcome {
    Tiddlers(Vec<Tiddler>),
    /// Fields of another file.
    Description,
    /// No file of a wiki.
    NoStore,
    Skipped(SkipReason),
}

/// Returns true if an entry is a file of a wiki.
pub(super) fn is_wiki(tree: &Tree, entry: &Entry) -> Result<bool, ReadError> {
    let ending = entry.ending();
    if ending == "tid" {
        return Ok(true);
    }
    if !matches!(ending.as_str(), "html" | "htm" | "hta" | "json") {
        return Ok(false);
    }
    let Some(head) = head_of(tree, entry, HEAD)? else {
        return Ok(false);
    };
    let head = String::from_utf8_lossy(&head).to_ascii_lowercase();
    if ending == "json" {
        let start = head.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']);
        let is_list = start
            .strip_prefix('[')
            .is_some_and(|rest| rest.trim_start().starts_with('{'));
        return Ok(is_list && head.contains("\"title\""));
    }
    Ok(head.contains("tiddlywiki"))
}

/// Returns the paths of files by the titles that the `.meta` files beside them state.
pub(super) fn titled_files(tree: &Tree) -> Result<HashMap<String, String>, ReadError> {
    let mut files = HashMap::new();
    for entry in tree.entries() {
        let Some(of) = entry
            .path
            .strip_suffix(".meta")
            .and_then(|path| tree.entry(path))
        else {
            continue;
        };
        let Some(head) = head_of(tree, entry, HEAD)? else {
            continue;
        };
        let head = decode(&head).text;
        let title = head.lines().find_map(|line| line.strip_prefix("title:"));
        let title = title.map_or_else(|| of.name(), str::trim);
        files.insert(title.to_owned(), of.path.clone());
    }
    Ok(files)
}

/// Reads the tiddlers of an entry.
pub(super) fn read(tree: &Tree, entry: &Entry) -> Result<Outcome, ReadError> {
    let ending = entry.ending();
    if ending == "meta" {
        let of = entry
            .path
            .strip_suffix(".meta")
            .and_then(|path| tree.entry(path));
        return Ok(if of.is_some() {
            Outcome::Description
        } else {
            Outcome::NoStore
        });
    }
    if !is_wiki(tree, entry)? {
        return Ok(Outcome::NoStore);
    }
    let bytes = match tree.bytes(entry, MAX_WIKI) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Ok(Outcome::Skipped(SkipReason::TooLarge)),
        Err(error) if is_damage(&error) => return Ok(Outcome::Skipped(SkipReason::Unreadable)),
        Err(error) => return Err(error),
    };
    let text = decode(&bytes).text;
    drop(bytes);
    let found = match ending.as_str() {
        "tid" => Some(vec![of_tid(entry, &text)]),
        "json" => of_json(&text),
        _ => match of_html(&text) {
            Some(found) => Some(found),
            None => return Ok(Outcome::Skipped(SkipReason::Unreadable)),
        },
    };
    let Some(found) = found else {
        return Ok(Outcome::NoStore);
    };
    Ok(Outcome::Tiddlers(named(entry, found)))
}

type Fields = BTreeMap<String, String>;

/// Gives each tiddler an origin of its own. In a `.tid` file, it is the file.
fn named(entry: &Entry, found: Vec<Fields>) -> Vec<Tiddler> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let is_single = entry.ending() == "tid";
    let tiddler = |mut fields: Fields| {
        let title = fields.entry("title".to_owned()).or_default();
        if title.is_empty() {
            "Untitled".clone_into(title);
        }
        let count = counts
            .entry(title.clone())
            .and_modify(|count| *count += 1)
            .or_insert(1);
        let origin = match *count {
            _ if is_single => entry.path.clone(),
            1 => format!("{}#{title}", entry.path),
            count => format!("{}#{title}#{count}", entry.path),
        };
        Tiddler { origin, fields }
    };
    found.into_iter().map(tiddler).collect()
}

fn of_tid(entry: &Entry, text: &str) -> Fields {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut fields: Fields = head
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .collect();
    let stem = entry.name().strip_suffix(".tid").unwrap_or(entry.name());
    fields
        .entry("title".to_owned())
        .or_insert_with(|| stem.to_owned());
    fields.insert("text".to_owned(), body.to_owned());
    fields
}

/// Reads a list of tiddlers; `None` if the text is something else.
fn of_json(text: &str) -> Option<Vec<Fields>> {
    let list: Vec<BTreeMap<String, Value>> = serde_json::from_str(text)
        .or_else(|_| serde_json::from_str(&without_controls(text)))
        .ok()?;
    let field = |(name, value): (String, Value)| {
        let value = match value {
            Value::String(text) => text,
            Value::Null => return None,
            // Lists of titles, in some exports.
            Value::Array(titles) => {
                let titles = titles
                    .iter()
                    .filter_map(Value::as_str)
                    .map(|title| format!("[[{title}]]"));
                titles.collect::<Vec<_>>().join(" ")
            }
            value @ (Value::Bool(_) | Value::Number(_) | Value::Object(_)) => value.to_string(),
        };
        Some((name, value))
    };
    Some(
        list.into_iter()
            .map(|fields| fields.into_iter().filter_map(field).collect())
            .collect(),
    )
}

/// Escapes the control characters in the texts of JSON, which some programs write as they are.
fn without_controls(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let (mut in_text, mut is_escaped) = (false, false);
    for c in json.chars() {
        match c {
            '\n' if in_text => out.push_str("\\n"),
            '\t' if in_text => out.push_str("\\t"),
            c if in_text && c.is_ascii_control() => {}
            c => out.push(c),
        }
        in_text ^= c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
    }
    out
}

/// Returns true for a page of TiddlyWiki Classic.
fn is_classic(html: &str) -> bool {
    let version = html.split_once("title: \"TiddlyWiki\", major: ");
    version.is_some_and(|(_, major)| major.starts_with(['1', '2']))
}

/// Reads the stores of a page: JSON since version 5.2, and elements before; `None` if one can't be read.
fn of_html(html: &str) -> Option<Vec<Fields>> {
    let dom = Dom::parse(html, false);
    let mut found = Vec::new();
    let mut is_readable = true;
    let mut areas = Vec::new();
    dom.each(0, &mut |id| {
        let Some(element) = dom.element(id) else {
            return true;
        };
        if element.name == "script" && element.has_class("tiddlywiki-tiddler-store") {
            match of_json(&dom.text_of(id)) {
                Some(tiddlers) => found.extend(tiddlers),
                None => is_readable = false,
            }
        } else if element.attribute("id") == "storeArea" || element.attribute("id") == "systemArea"
        {
            areas.push(id);
        }
        true
    });
    let is_classic = is_classic(html);
    for area in areas {
        for child in dom.children(area) {
            let Some(element) = dom
                .element(*child)
                .filter(|element| element.find_attribute("title").is_some())
            else {
                continue;
            };
            let mut fields: Fields = element
                .attributes()
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect();
            let pre = dom.find(*child, &|element| element.name == "pre");
            let text = dom.text_of(pre.unwrap_or(*child));
            // An HTML parser leaves out the first line's end.
            fields.insert(
                "text".to_owned(),
                text.strip_prefix('\n').unwrap_or(&text).to_owned(),
            );
            if is_classic {
                fields
                    .entry("type".to_owned())
                    .or_insert_with(|| CLASSIC.to_owned());
            }
            found.push(fields);
        }
    }
    is_readable.then_some(found)
}
