//! Exports of Evernote. They can be larger than the memory: notes are read one by one, and their resources are decoded
//! into files piece by piece.

mod note;
mod stream;

use std::collections::HashMap;

use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::read::DecoderReader;
use quick_xml::Reader;
use quick_xml::events::{BytesRef, Event};

use crate::ReadError;
use crate::link;
use crate::reading::{Collector, Converted, MAX_TEXT, is_hidden};
use crate::source::{Content, Loss, LossKind, SkipReason, Source, SourceFile, Watch};
use crate::spool::{Spool, Spooled};
use crate::tree::{Entry, Tree};
use note::{RawNote, Resource};
use stream::{Guarded, Payload, Utf8};

/// The longest text of one element: a note's contents, or data that is not kept.
const MAX_ELEMENT: u64 = 2 * MAX_TEXT;
/// The deepest element of a note that is read. The text is within one, and not markup of the file.
const MAX_ELEMENTS: usize = 16;

/// Base64 as programs write it, which is not always padded.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Returns true if a file is an export.
pub(crate) fn is_export(entry: &Entry) -> bool {
    entry.ending() == "enex"
}

/// Reads the exports in a tree.
pub(crate) fn read(tree: &Tree, spool: &Spool, watch: &mut Watch<'_>) -> Result<Source, ReadError> {
    let mut collector = Collector::new(tree, spool, watch);
    let mut links = Links::default();
    let mut done = 0;
    let total = tree.entries().iter().map(|entry| entry.size).sum();
    for entry in tree.entries() {
        if is_export(entry) {
            let mut file = File {
                entry,
                notebook: notebook(tree, entry),
                collector: &mut collector,
                links: &mut links,
                ids: HashMap::new(),
                done,
                total,
            };
            file.read(tree)?;
        } else if is_hidden(entry) {
            collector.skip(&entry.path, SkipReason::Hidden);
        } else {
            collector.file(entry, None);
        }
        done += entry.size;
        collector.progress(done, total)?;
    }
    links.mend(&mut collector)?;
    Ok(collector.source)
}

/// Returns the place of the notes in a file: below the folders and the name of the file, if there are several.
fn notebook(tree: &Tree, entry: &Entry) -> Vec<String> {
    if tree.is_single_file() {
        return Vec::new();
    }
    let path = entry
        .path
        .rsplit_once('.')
        .map_or(entry.path.as_str(), |(stem, _)| stem);
    path.split('/').map(str::to_owned).collect()
}

/// Links between notes. An export has no ids of notes, so a link is resolved by its text, which is the title unless
/// it was changed.
#[derive(Default)]
struct Links {
    /// The origins by title; `None` if several notes have it.
    titles: HashMap<String, Option<String>>,
    /// The same within a file, which is a notebook, by its path.
    in_notebooks: HashMap<String, HashMap<String, Option<String>>>,
    /// The notes with links: their indices, and the titles and addresses.
    pending: Vec<(usize, Vec<(String, String)>)>,
}

impl Links {
    fn add(&mut self, notebook: &str, title: String, origin: String) {
        let own = self.in_notebooks.entry(notebook.to_owned()).or_default();
        for titles in [own, &mut self.titles] {
            titles
                .entry(title.clone())
                .and_modify(|known| *known = None)
                .or_insert_with(|| Some(origin.clone()));
        }
    }

    /// Finds the note with a title: the only one of the notebook, or else of all.
    fn find(&self, from: &str, title: &str) -> Option<&Option<String>> {
        let notebook = from.split('#').next().unwrap_or(from);
        let own = self.in_notebooks.get(notebook);
        own.and_then(|titles| titles.get(title))
            .filter(|found| found.is_some())
            .or_else(|| self.titles.get(title))
    }

    fn mend(mut self, collector: &mut Collector<'_, '_, '_>) -> Result<(), ReadError> {
        for (number, links) in std::mem::take(&mut self.pending) {
            let note = &collector.source.notes[number];
            let mut text = collector.spool.text(&note.text)?;
            let mut losses = Vec::new();
            for (title, address) in links {
                let target = match self.find(&note.origin, &title) {
                    Some(Some(origin)) => link::to(origin, None),
                    Some(None) => {
                        losses.push(Loss::new(LossKind::AmbiguousLink, &title));
                        address
                    }
                    None => {
                        losses.push(Loss::new(LossKind::UnresolvedLink, &title));
                        address
                    }
                };
                text = text.replace(&note::placeholder(&title), &target);
            }
            let text = collector.spool.keep_text(&text)?;
            let note = &mut collector.source.notes[number];
            note.text = text;
            note.losses.extend(losses);
        }
        Ok(())
    }
}

/// An export that is being read.
struct File<'r, 's, 'w, 'f> {
    entry: &'r Entry,
    notebook: Vec<String>,
    collector: &'r mut Collector<'s, 'w, 'f>,
    links: &'r mut Links,
    /// The number of notes with the same date and title.
    ids: HashMap<String, u32>,
    done: u64,
    total: u64,
}

type Xml<'t> = Reader<Guarded<Utf8<Box<dyn std::io::Read + Send + 't>>>>;

impl File<'_, '_, '_, '_> {
    fn read(&mut self, tree: &Tree) -> Result<(), ReadError> {
        let reader = Guarded::new(Utf8::new(tree.reader(self.entry)?), MAX_ELEMENT);
        let mut xml = Reader::from_reader(reader);
        let config = xml.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        let mut buffer = Vec::new();
        let mut notes = 0_u64;
        let fault = loop {
            buffer.clear();
            xml.get_mut().renew();
            match xml.read_event_into(&mut buffer) {
                Ok(Event::Start(start)) if start.name().as_ref() == "note" => {
                    let mut raw = RawNote::default();
                    let outcome = self.note(&mut xml, &mut raw)?;
                    if outcome == Outcome::CutOff {
                        break Some("it is cut off".to_owned());
                    }
                    self.keep(raw)?;
                    notes += 1;
                    self.collector.progress(
                        self.done + xml.buffer_position().min(self.entry.size),
                        self.total,
                    )?;
                }
                Ok(Event::Eof) => break None,
                Ok(_) => {}
                Err(error) => break Some(read_fault(error)?),
            }
        };
        match fault {
            Some(reason) if notes == 0 => Err(ReadError::Damaged(reason)),
            // The notes before the damage are kept.
            Some(_) => {
                self.collector
                    .skip(&format!("{}#rest", self.entry.path), SkipReason::Unreadable);
                Ok(())
            }
            None if notes == 0 => {
                self.collector
                    .skip(&self.entry.path, SkipReason::Description);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Reads a note to its end.
    fn note(&mut self, xml: &mut Xml<'_>, raw: &mut RawNote) -> Result<Outcome, ReadError> {
        let mut buffer = Vec::new();
        let mut path: Vec<String> = Vec::new();
        let mut ignored = 0_u64;
        let mut text = String::new();
        let mut resource = Resource::default();
        loop {
            buffer.clear();
            xml.get_mut().renew();
            let event = match xml.read_event_into(&mut buffer) {
                Ok(event) => event,
                Err(error) => {
                    read_fault(error)?;
                    return Ok(Outcome::CutOff);
                }
            };
            match event {
                Event::Start(start) => {
                    let name = start.name().as_ref().to_owned();
                    text.clear();
                    let is_data =
                        name == "data" && path.last().is_some_and(|parent| parent == "resource");
                    if name == "resource" {
                        resource = Resource::default();
                    }
                    if path.len() < MAX_ELEMENTS {
                        path.push(name);
                    } else {
                        ignored += 1;
                    }
                    if is_data {
                        self.data(xml, &mut resource)?;
                    }
                }
                Event::Text(part) => text.push_str(&part.xml10_content()),
                Event::CData(part) => text.push_str(&part.into_inner()),
                Event::GeneralRef(reference) => resolve(&mut text, &reference),
                Event::End(end) => {
                    if end.name().as_ref() == "note" {
                        return Ok(Outcome::Whole);
                    }
                    if ignored > 0 {
                        ignored -= 1;
                        continue;
                    }
                    let Some(name) = path.pop() else { continue };
                    let parent = path.last().map_or("", String::as_str);
                    if name == "resource" {
                        raw.resources.push(std::mem::take(&mut resource));
                    } else {
                        raw.field(&mut resource, parent, &name, std::mem::take(&mut text));
                    }
                }
                Event::Eof => return Ok(Outcome::CutOff),
                Event::Empty(_)
                | Event::Comment(_)
                | Event::Decl(_)
                | Event::PI(_)
                | Event::DocType(_) => {}
            }
        }
    }

    /// Decodes the contents of a resource into a file.
    fn data(&mut self, xml: &mut Xml<'_>, resource: &mut Resource) -> Result<(), ReadError> {
        xml.get_mut().lift();
        let mut stream = xml.stream();
        let mut payload = Payload::new(&mut stream);
        let kept = {
            let mut decoder = stream::Hashed::new(DecoderReader::new(&mut payload, &BASE64));
            let kept = self.collector.spool.keep_file(&mut decoder);
            resource.hash = decoder.hash();
            kept
        };
        match kept {
            Ok(file) if file.size > 0 => resource.file = Some(file),
            Ok(_) => {}
            Err(ReadError::Source(error)) if error.raw_os_error().is_none() => {}
            Err(error) => return Err(error),
        }
        // What was not decoded is not read as markup.
        payload.drain().map_err(ReadError::Source)?;
        xml.get_mut().renew();
        Ok(())
    }

    fn keep(&mut self, raw: RawNote) -> Result<(), ReadError> {
        let title = raw.title();
        let id = format!("{}-{title}", raw.created_field());
        let id: String = id.chars().take(200).collect();
        let count = self
            .ids
            .entry(id.clone())
            .and_modify(|count| *count += 1)
            .or_insert(1);
        let origin = match *count {
            1 => format!("{}#{id}", self.entry.path),
            count => format!("{}#{id}-{count}", self.entry.path),
        };
        self.links
            .add(&self.entry.path, title.clone(), origin.clone());
        let mut files: note::Files = note::Files::new();
        for (number, resource) in raw.resources.iter().enumerate() {
            let base = format!("{origin}/{}", resource.hash);
            match &resource.file {
                None => self
                    .collector
                    .skip(&format!("{origin}/{number}"), SkipReason::Unreadable),
                Some(_) if files.contains_key(&resource.hash) => {
                    self.collector
                        .skip(&format!("{base}-{number}"), SkipReason::Duplicate);
                }
                Some(file) => {
                    self.file(&base, resource, file, &origin);
                    files.insert(
                        resource.hash.clone(),
                        note::File::of(resource, base, number),
                    );
                }
            }
        }
        let converted: (Converted, Vec<(String, String)>) = note::convert(&raw, &files);
        let (note, links) = converted;
        if !links.is_empty() {
            self.links
                .pending
                .push((self.collector.source.notes.len(), links));
        }
        let mut place = self.notebook.clone();
        place.push(title);
        self.collector.note(&origin, place, note)
    }

    fn file(&mut self, origin: &str, resource: &Resource, file: &Spooled, owner: &str) {
        self.collector.source.files.push(SourceFile {
            origin: origin.to_owned(),
            name: resource.name(),
            content: Content::Spooled(file.clone()),
            owner: Some(owner.to_owned()),
        });
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Whole,
    CutOff,
}

/// Describes a fault of the file. A fault of the disk is an error.
fn read_fault(error: quick_xml::Error) -> Result<String, ReadError> {
    if let quick_xml::Error::Io(error) = &error
        && let Some(code) = error.raw_os_error()
    {
        return Err(ReadError::Source(std::io::Error::from_raw_os_error(code)));
    }
    Ok(error.to_string())
}

/// Appends the character that a reference stands for; the reference itself if it is unknown.
fn resolve(text: &mut String, reference: &BytesRef<'_>) {
    if let Ok(Some(char)) = reference.resolve_char_ref() {
        text.push(char);
        return;
    }
    let name = reference.xml10_content();
    match name.as_ref() {
        "lt" => text.push('<'),
        "gt" => text.push('>'),
        "amp" => text.push('&'),
        "quot" => text.push('"'),
        "apos" => text.push('\''),
        "nbsp" => text.push(' '),
        name => {
            text.push('&');
            text.push_str(name);
            text.push(';');
        }
    }
}

#[cfg(test)]
mod tests;
