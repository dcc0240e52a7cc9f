//! Folders of Markdown files: vaults of Obsidian, graphs of Logseq, notes of Dendron, Zettlr and SilverBullet, sites of
//! Hugo and Jekyll, and what else has such files.
//!
//! A first pass reads the names by which notes link to each other, a second one converts the texts.

mod front_matter;
mod html;
mod layout;
mod links;
mod logseq;
mod names;
mod syntax;

use std::collections::HashMap;

use crate::detect::Format;
use crate::source::{
    Content, Loss, LossKind, Note, SkipReason, Skipped, Source, SourceFile, Watch,
};
use crate::spool::Spool;
use crate::tree::{Entry, Tree};
use crate::{ReadError, decode};
use front_matter::FrontMatter;
use layout::{Class, Flavor, Layout};
use links::{Resolve, Resolved};
use names::{Found, ItemKind, Names};

/// The longest note that becomes a page, in bytes. Its text may grow when it is converted.
const MAX_NOTE_BYTES: u64 = 8 << 20;

/// Reads a folder.
pub(crate) fn read(
    tree: &Tree,
    format: Format,
    spool: &Spool,
    watch: &mut Watch<'_>,
) -> Result<Source, ReadError> {
    let layout = Layout::new(tree, format)?;
    let mut source = Source {
        skipped: tree.skipped().to_vec(),
        ..Source::default()
    };
    let total = 2 * tree.entries().len() as u64;
    let mut done = 0;
    let mut advance = || {
        done += 1;
        match watch(done, total).is_break() {
            true => Err(ReadError::Cancelled),
            false => Ok(()),
        }
    };
    let mut names = Names::new(layout.flavor());
    let mut notes = Vec::new();
    let mut blocks = HashMap::new();
    for entry in tree.entries() {
        advance()?;
        let class = match layout.class(entry) {
            Class::Note if entry.size > MAX_NOTE_BYTES => Class::File,
            class @ (Class::Note | Class::File | Class::Skip(_)) => class,
        };
        match class {
            Class::Skip(reason) => source.skipped.push(skipped(entry, reason)),
            Class::File => {
                names.add_file(&entry.path);
                source.files.push(file(entry));
            }
            Class::Note => {
                let Some(text) = text_of(tree, entry, &mut source)? else {
                    continue;
                };
                let (front, body) = FrontMatter::split(&text.text);
                if layout.is_drawing(entry, &front) {
                    names.add_file(&entry.path);
                    source.files.push(file(entry));
                    continue;
                }
                let place = layout.place(entry, &front, body);
                let others = front
                    .aliases()
                    .into_iter()
                    .chain(layout.other_names(entry, &front, body));
                let others: Vec<String> = others.collect();
                let index = names.add_note(&entry.path, &layout.link_path(entry), &others);
                for address in layout.addresses(entry, &front) {
                    names.add_address(index, &address);
                }
                if layout.flavor() == Flavor::Logseq {
                    for (id, words) in logseq::blocks(body) {
                        blocks.insert(id, (index, words));
                    }
                }
                notes.push((entry, place));
            }
        }
    }
    let owners: HashMap<String, usize> = source
        .files
        .iter()
        .enumerate()
        .map(|(at, file)| (file.origin.clone(), at))
        .collect();
    let mut converter = Converter {
        tree,
        spool,
        layout: &layout,
        names: &names,
        blocks: &blocks,
        owners,
    };
    for (entry, place) in notes {
        advance()?;
        if let Some(note) = converter.note(entry, place, &mut source)? {
            source.notes.push(note);
        }
    }
    Ok(source)
}

fn skipped(entry: &Entry, reason: SkipReason) -> Skipped {
    Skipped {
        origin: entry.path.clone(),
        reason,
    }
}

fn file(entry: &Entry) -> SourceFile {
    SourceFile {
        origin: entry.path.clone(),
        name: entry.name().to_owned(),
        content: Content::Entry(entry.path.clone()),
        owner: None,
    }
}

/// Reads the text of a note. A note that can't be read is skipped.
fn text_of(
    tree: &Tree,
    entry: &Entry,
    source: &mut Source,
) -> Result<Option<crate::DecodedText>, ReadError> {
    match tree.bytes(entry, MAX_NOTE_BYTES) {
        Ok(Some(bytes)) => Ok(Some(decode(&bytes))),
        Ok(None) => {
            source.skipped.push(skipped(entry, SkipReason::TooLarge));
            Ok(None)
        }
        Err(ReadError::Source(_)) => {
            source.skipped.push(skipped(entry, SkipReason::Unreadable));
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

struct Converter<'c> {
    tree: &'c Tree,
    spool: &'c Spool,
    layout: &'c Layout,
    names: &'c Names,
    /// The blocks of Logseq that have ids: their notes and words.
    blocks: &'c HashMap<String, (usize, String)>,
    /// The numbers of files by origin.
    owners: HashMap<String, usize>,
}

impl Converter<'_> {
    fn note(
        &mut self,
        entry: &Entry,
        place: layout::NotePlace,
        source: &mut Source,
    ) -> Result<Option<Note>, ReadError> {
        let Some(decoded) = text_of(self.tree, entry, source)? else {
            return Ok(None);
        };
        let mut losses = Vec::new();
        if let Some(encoding) = decoded.guessed {
            losses.push(Loss::new(LossKind::Encoding, encoding));
        }
        let (mut front, body) = FrontMatter::split(&decoded.text);
        let mut body = body.to_owned();
        if self.layout.flavor() == Flavor::Logseq {
            body = logseq::convert(&body, &mut front);
        }
        if let Some(fault) = front.fault() {
            losses.push(Loss::new(LossKind::FrontMatter, fault));
        }
        let body = syntax::convert(&body, self.layout.flavor(), &mut losses);
        let body = html::convert(&body);
        let mut resolver = Resolver {
            names: self.names,
            blocks: self.blocks,
            own: &entry.path,
            flavor: self.layout.flavor(),
            losses: &mut losses,
            files: Vec::new(),
        };
        let matter = links::front_matter(&front.yaml(), &mut resolver);
        let mut body = links::rewrite(&body, &mut resolver);
        for file in resolver.files {
            if let Some(file) = self.owners.get(&file) {
                source.files[*file]
                    .owner
                    .get_or_insert_with(|| entry.path.clone());
            }
        }
        if let Some(title) = self.layout.heading(&front, &body) {
            body = format!("# {title}\n\n{}", body.trim_start_matches('\n'));
        }
        let text = match matter.as_str() {
            "" => body,
            matter => format!("---\n{matter}---\n{body}"),
        };
        let dates = self.tree.dates(entry)?;
        let changed = front.changed().or(dates.changed);
        let created = front.created().or(dates.created);
        Ok(Some(Note {
            origin: entry.path.clone(),
            place: place.place,
            role: place.role,
            text: self.spool.keep_text(&text)?,
            created: created.map(|at| changed.map_or(at, |changed| at.min(changed))),
            changed,
            losses,
        }))
    }
}

struct Resolver<'r> {
    names: &'r Names,
    blocks: &'r HashMap<String, (usize, String)>,
    /// The note that the links are in.
    own: &'r str,
    flavor: Flavor,
    losses: &'r mut Vec<Loss>,
    /// The origins of the files that the note links to.
    files: Vec<String>,
}

impl Resolver<'_> {
    fn resolved(&mut self, found: Option<Found>, written: &str) -> Option<Resolved> {
        let found = found?;
        if found.is_ambiguous {
            let detail = format!("{written} → {}", found.origin);
            self.losses
                .push(Loss::new(LossKind::AmbiguousLink, &detail));
        }
        Some(match found.kind {
            ItemKind::Note => Resolved::Note {
                origin: found.origin,
                is_name: found.is_name,
            },
            ItemKind::File => {
                self.files.push(found.origin.clone());
                Resolved::File {
                    origin: found.origin,
                }
            }
        })
    }
}

impl Resolve for Resolver<'_> {
    fn own(&self) -> &str {
        self.own
    }

    fn has_label_first(&self) -> bool {
        self.flavor == Flavor::Dendron
    }

    fn wiki(&mut self, path: &str) -> Resolved {
        if let Some(id) = path
            .strip_prefix("((")
            .and_then(|rest| rest.strip_suffix("))"))
        {
            return match self.blocks.get(id) {
                Some((note, words)) => Resolved::Block {
                    origin: self.names.origin(*note).to_owned(),
                    id: id.to_owned(),
                    words: words.clone(),
                },
                None => {
                    self.losses.push(Loss::new(LossKind::BlockReference, path));
                    Resolved::Missing
                }
            };
        }
        let path = layout::without_vault(path);
        let found = self.names.by_wiki_link(self.own, path).or_else(|| {
            let path = layout::without_position(self.flavor, path)?;
            self.names.by_wiki_link(self.own, path)
        });
        if let Some(resolved) = self.resolved(found, path) {
            return resolved;
        }
        if names::is_common_file(path) {
            self.losses.push(Loss::new(LossKind::MissingFile, path));
            return Resolved::Missing;
        }
        self.losses.push(Loss::new(LossKind::UnresolvedLink, path));
        Resolved::New(layout::place_of_link(self.flavor, path))
    }

    fn relative(&mut self, path: &str) -> Resolved {
        let found = self.names.by_relative_path(self.own, path);
        if let Some(resolved) = self.resolved(found, path) {
            return resolved;
        }
        match names::unwritten_place(self.own, path) {
            Some(place) => {
                self.losses.push(Loss::new(LossKind::UnresolvedLink, path));
                Resolved::New(place)
            }
            None => {
                self.losses.push(Loss::new(LossKind::MissingFile, path));
                Resolved::Missing
            }
        }
    }
}

#[cfg(test)]
mod tests;
