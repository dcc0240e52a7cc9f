//! The notes and files of another program, ready to be written into the wiki.

use std::ops::ControlFlow;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::spool::{Spooled, Text};

/// Receives the number of done and of all units, and stops the work when it breaks.
pub type Watch<'w> = dyn FnMut(u64, u64) -> ControlFlow<()> + 'w;

/// The notes and files of another program. Each entry of the tree, and each item of a file with many, is in exactly one of the
/// three lists, in one element.
#[derive(Debug, Default)]
pub struct Source {
    pub notes: Vec<Note>,
    pub files: Vec<SourceFile>,
    pub skipped: Vec<Skipped>,
}

/// A note, which becomes a page.
#[derive(Debug, Clone)]
pub struct Note {
    /// The relative path of its file, or that and an item of it; unique, and the id that links name
    /// ([`crate::link::to`]). Stable: a second import finds the page by it.
    pub origin: String,
    /// The folders and the name as the program showed them, which need not be valid in a page's path. Empty for the
    /// note of the top folder.
    pub place: Vec<String>,
    pub role: Role,
    /// Markdown in the dialect of the wiki, with front matter.
    pub text: Text,
    pub created: Option<Timestamp>,
    pub changed: Option<Timestamp>,
    /// The constructs that need a look.
    pub losses: Vec<Loss>,
}

/// The role of a note, if the wiki has a place for such notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    #[default]
    Page,
    /// The daily note of a day.
    Daily(Date),
    Template,
}

/// A file that belongs to a page.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// Unique among notes and files; the id that links name.
    pub origin: String,
    /// The name with its ending.
    pub name: String,
    pub content: Content,
    /// The origin of the note that it belongs to, if the source says so. Otherwise it is the first note that links to
    /// it.
    pub owner: Option<String>,
}

/// The contents of a file.
#[derive(Debug, Clone)]
pub enum Content {
    /// The entry of the tree with this path.
    Entry(String),
    Spooled(Spooled),
}

/// An entry that is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    pub origin: String,
    pub reason: SkipReason,
}

/// The reason why an entry is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// Settings and caches of the program.
    Settings,
    /// A hidden file, or one that a system or a version control keeps in folders.
    Hidden,
    /// Deleted in the program.
    Deleted,
    /// A link of the file system.
    Link,
    /// Neither a file nor a folder.
    Special,
    /// Its path leads out of the archive or is absolute.
    Outside,
    /// It can't be read.
    Unreadable,
    /// It is larger than the limit.
    TooLarge,
    /// Its contents are encrypted.
    Encrypted,
    /// Another file with the same contents is attached in its place.
    Duplicate,
    /// It describes other items, and is not a note.
    Description,
    /// A program, script or style of the exported site.
    SitePart,
}

/// A construct of a note that needs a look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    pub kind: LossKind,
    /// The construct, as the source has it, shortened.
    pub detail: String,
}

/// The kind of a construct that needs a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LossKind {
    /// The text is not UTF-8, and was read in the named encoding.
    Encoding,
    /// The front matter can't be read, and became text.
    FrontMatter,
    /// A link to nothing in the source.
    UnresolvedLink,
    /// A link that could mean several notes; the named one was taken.
    AmbiguousLink,
    /// A file that a note names is missing.
    MissingFile,
    /// A query or a program in the note, which shows its result only in the other program.
    Query,
    /// Markup without a counterpart.
    Markup,
    /// A reference to a block of another note, which became a link or text.
    BlockReference,
    /// Encrypted contents.
    Encrypted,
    /// A reminder.
    Reminder,
    /// The name was changed to be valid and unique.
    Name,
}

const DETAIL_CHARS: usize = 200;
/// The data of a picture within a text says nothing to a reader.
const DATA_CHARS: usize = 40;

impl Loss {
    #[must_use]
    pub fn new(kind: LossKind, detail: &str) -> Self {
        let length = match detail.starts_with("data:") {
            true => DATA_CHARS,
            false => DETAIL_CHARS,
        };
        let detail = detail.chars().take(length).collect();
        Self { kind, detail }
    }
}
