//! Reading of texts, and the notes and files that result.

use std::io::Read as _;

use crate::ReadError;
use crate::decode::{DecodedText, decode};
use crate::source::{
    Content, Loss, LossKind, Note, Role, SkipReason, Skipped, Source, SourceFile, Watch,
};
use crate::spool::Spool;
use crate::tree::{Dates, Entry, Tree};

/// The longest text that is converted, in bytes: longer ones exceed the longest page.
pub(crate) const MAX_TEXT: u64 = 32 << 20;

/// Reads the text of an entry. A damaged or too large one is skipped, and does not stop an import.
pub(crate) fn text_of(
    tree: &Tree,
    entry: &Entry,
) -> Result<Result<DecodedText, SkipReason>, ReadError> {
    match tree.bytes(entry, MAX_TEXT) {
        Ok(Some(bytes)) => Ok(Ok(decode(&bytes))),
        Ok(None) => Ok(Err(SkipReason::TooLarge)),
        Err(error) if is_damage(&error) => Ok(Err(SkipReason::Unreadable)),
        Err(error) => Err(error),
    }
}

/// Reads the first bytes of an entry; `None` if it is damaged.
pub(crate) fn head_of(
    tree: &Tree,
    entry: &Entry,
    limit: u64,
) -> Result<Option<Vec<u8>>, ReadError> {
    let mut head = Vec::new();
    let read = tree.reader(entry)?.take(limit).read_to_end(&mut head);
    match read.map_err(ReadError::Source) {
        Ok(_) => Ok(Some(head)),
        Err(error) if is_damage(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns true if the fault is the entry's, and not the disk's.
pub(crate) fn is_damage(error: &ReadError) -> bool {
    matches!(error, ReadError::Source(error) if error.raw_os_error().is_none())
}

/// Receives what is read, and counts it.
pub(crate) struct Collector<'s, 'w, 'f> {
    pub(crate) source: Source,
    pub(crate) spool: &'s Spool,
    watch: &'w mut Watch<'f>,
    done: u64,
    total: u64,
}

/// A converted note.
#[derive(Debug, Default)]
pub(crate) struct Converted {
    pub(crate) text: String,
    pub(crate) dates: Dates,
    pub(crate) losses: Vec<Loss>,
}

impl<'s, 'w, 'f> Collector<'s, 'w, 'f> {
    pub(crate) fn new(tree: &Tree, spool: &'s Spool, watch: &'w mut Watch<'f>) -> Self {
        let source = Source {
            skipped: tree.skipped().to_vec(),
            ..Source::default()
        };
        Self {
            source,
            spool,
            watch,
            done: 0,
            total: tree.entries().len() as u64,
        }
    }

    /// Reports the next of `total` units.
    pub(crate) fn step(&mut self) -> Result<(), ReadError> {
        self.done += 1;
        self.progress(self.done, self.total)
    }

    pub(crate) fn progress(&mut self, done: u64, total: u64) -> Result<(), ReadError> {
        match (self.watch)(done, total.max(done)).is_break() {
            true => Err(ReadError::Cancelled),
            false => Ok(()),
        }
    }

    pub(crate) fn note(
        &mut self,
        origin: &str,
        place: Vec<String>,
        note: Converted,
    ) -> Result<(), ReadError> {
        let text = self.spool.keep_text(&note.text)?;
        self.source.notes.push(Note {
            origin: origin.to_owned(),
            place,
            role: Role::Page,
            text,
            created: note.dates.created,
            changed: note.dates.changed,
            losses: note.losses,
        });
        Ok(())
    }

    /// Adds an entry as a file of the tree.
    pub(crate) fn file(&mut self, entry: &Entry, owner: Option<&str>) {
        self.source.files.push(SourceFile {
            origin: entry.path.clone(),
            name: entry.name().to_owned(),
            content: Content::Entry(entry.path.clone()),
            owner: owner.map(str::to_owned),
        });
    }

    pub(crate) fn skip(&mut self, origin: &str, reason: SkipReason) {
        self.source.skipped.push(Skipped {
            origin: origin.to_owned(),
            reason,
        });
    }
}

/// Reports a guessed encoding.
pub(crate) fn encoding_loss(decoded: &DecodedText) -> Vec<Loss> {
    let loss = decoded
        .guessed
        .map(|name| Loss::new(LossKind::Encoding, name));
    loss.into_iter().collect()
}

/// Returns true for files that systems keep in folders.
pub(crate) fn is_hidden(entry: &Entry) -> bool {
    let name = entry.name();
    entry.path.split('/').any(|part| part.starts_with('.'))
        || matches!(name, "Thumbs.db" | "desktop.ini" | "Desktop.ini")
}

/// Returns true if a page displays files with this ending by itself.
pub(crate) fn is_embedded(ending: &str) -> bool {
    matches!(
        ending,
        "png"
            | "jpg"
            | "jpeg"
            | "jpe"
            | "gif"
            | "webp"
            | "svg"
            | "avif"
            | "bmp"
            | "ico"
            | "tif"
            | "tiff"
            | "heic"
            | "heif"
            | "jxl"
    )
}

/// Resolves a relative path from a folder, both with `/`; `None` if it leads out of the tree.
pub(crate) fn resolve(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
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

/// Returns the folder of a path; "" for the top one.
pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the address of a link to something outside of notes, or `None`. Addresses that run a program are left out.
pub(crate) fn external(address: &str) -> Option<String> {
    let (scheme, _) = address.split_once(':')?;
    let scheme = scheme.to_ascii_lowercase();
    let is_scheme = scheme.len() > 1
        && scheme
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || "+-.".contains(char));
    let is_program = matches!(scheme.as_str(), "javascript" | "vbscript" | "data" | "file");
    (is_scheme && !is_program).then(|| address.to_owned())
}
