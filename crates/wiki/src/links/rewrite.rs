//! Replacement of some destinations in a text. Every other byte stays, and so does its meaning.

use std::collections::BTreeSet;
use std::ops::Range;

use super::scan::{Destination, Form, openings, scan};
use super::spelling;
use crate::id::PageId;
use crate::path::PagePath;

/// The number of attempts with fewer replacements before none are made.
const MAX_ATTEMPTS: usize = 4;

/// The pending replacements in a text.
pub(super) struct Rewrite<'t> {
    old: &'t str,
    links: &'t [Destination],
    /// The new destinations, by the number of the link, ascending.
    edits: Vec<(usize, String)>,
}

pub(super) struct RewrittenText {
    pub(super) text: String,
    /// Its links, as [`scan`] finds them.
    pub(super) links: Vec<Destination>,
    /// The numbers of the links that were to be replaced and stayed unchanged.
    pub(super) left: BTreeSet<usize>,
}

impl<'t> Rewrite<'t> {
    /// `links` are the links of the text.
    pub(super) fn new(old: &'t str, links: &'t [Destination]) -> Self {
        Self {
            old,
            links,
            edits: Vec::new(),
        }
    }

    /// Replaces a destination by a page's id. What follows its path stays.
    pub(super) fn put_id(&mut self, link: usize, page: PageId) {
        self.put(link, spelling::id(page));
    }

    /// Replaces a destination by a page's path. What follows its path stays.
    pub(super) fn put_path(&mut self, link: usize, path: &PagePath) {
        self.put(link, spelling::path(path, self.links[link].form));
    }

    /// Replaces a destination by a file: a name of the page's own, or the path of its page and the name.
    pub(super) fn put_asset(&mut self, link: usize, file: &str) {
        let file = spelling::text(file, self.links[link].form);
        self.put(link, format!("asset:{file}"));
    }

    /// Replaces the name of a file at the end of a destination's path.
    pub(super) fn put_file_name(&mut self, link: usize, name: &str) {
        let written = &self.links[link];
        let path = &self.old[written.range.start..written.tail];
        // A name may contain a colon, so only the first one ends the scheme.
        let folder = path.rfind('/').or_else(|| path.find(':'));
        let folder = &path[..folder.map_or(0, |at| at + 1)];
        self.put(
            link,
            folder.to_owned() + &spelling::text(name, written.form),
        );
    }

    fn put(&mut self, link: usize, destination: String) {
        let written = &self.links[link];
        if written.form != Form::Autolink {
            let tail = &self.old[written.tail..written.range.end];
            let destination = destination + &spelling::tail(tail, written.form);
            self.edits.push((link, destination));
        }
    }

    /// Rewrites the text. Skips a replacement after which the text would have other links than before, for
    /// example because a blank is gone and the text before it has become a link.
    pub(super) fn finish(self) -> RewrittenText {
        let mut left = BTreeSet::new();
        if self.has_same_links() {
            let (text, places) = self.without(&left);
            let links = self.links_at(places);
            debug_assert_eq!(links, scan(&text), "{text:?}");
            return RewrittenText { text, links, left };
        }
        for _ in 0..MAX_ATTEMPTS {
            let (text, expected) = self.without(&left);
            let links = scan(&text);
            if links.iter().map(|found| &found.range).eq(&expected) {
                return RewrittenText { text, links, left };
            }
            let found: BTreeSet<usize> = links.iter().map(|found| found.range.start).collect();
            let lost = self.edits.iter().map(|(link, _)| *link);
            let lost = lost.filter(|link| !found.contains(&expected[*link].start));
            let before = left.len();
            left.extend(lost);
            if left.len() == before {
                break;
            }
        }
        RewrittenText {
            text: self.old.to_owned(),
            links: self.links.to_vec(),
            left: self.edits.iter().map(|(link, _)| *link).collect(),
        }
    }

    /// Returns the links of the text with all replacements, which are at `places` and are certain to be read
    /// the same: the replacements are free of escapes.
    fn links_at(&self, places: Vec<Range<usize>>) -> Vec<Destination> {
        let mut edits = self.edits.iter().peekable();
        let links = self.links.iter().zip(places).enumerate();
        let written = links.map(|(link, (old, range))| {
            let (tail, destination) = match edits.next_if(|(edited, _)| *edited == link) {
                Some((_, new)) => (new.find(['?', '#']).unwrap_or(new.len()), new),
                None => (old.tail - old.range.start, &old.value),
            };
            Destination {
                tail: range.start + tail,
                range,
                form: old.form,
                value: destination.clone(),
            }
        });
        written.collect()
    }

    /// True if the new text is certain to have the same links, so that it need not be scanned again.
    fn has_same_links(&self) -> bool {
        // A formula has a maximum length, so a shorter destination may turn the text around a link into one.
        if self.old.contains('$') {
            return false;
        }
        let mut blanks = false;
        for (link, new) in &self.edits {
            let written = &self.links[*link];
            // Front matter has a maximum length.
            if matches!(written.form, Form::Property(_)) {
                return false;
            }
            let old = &self.old[written.range.clone()];
            let plain = is_made_of(old, is_plain) && is_made_of(new, is_plain);
            let enclosed = matches!(written.form, Form::Angle | Form::Wiki)
                && is_made_of(old, is_plain_or_blank)
                && is_made_of(new, is_plain_or_blank);
            if !(plain || enclosed) || !self.starts_no_html(written) {
                return false;
            }
            blanks |= !plain;
        }
        !blanks || self.every_opening_is_a_link()
    }

    /// True if a `<` that encloses a destination cannot be read as the start of an HTML block.
    fn starts_no_html(&self, written: &Destination) -> bool {
        written.form != Form::Angle || {
            let before = self.old[..written.range.start - 1].trim_end_matches(' ');
            before.ends_with(['(', ':'])
        }
    }

    /// True if each mark that could begin a link belongs to a link that was found. Then a blank in a
    /// destination does not prevent any other link.
    fn every_opening_is_a_link(&self) -> bool {
        let angles = self.links.iter().filter(|link| link.form == Form::Angle);
        openings(self.old).count() == self.links.len() + angles.count()
    }

    /// Returns the text with all replacements except those in `left`, and the expected positions of all links
    /// in it.
    fn without(&self, left: &BTreeSet<usize>) -> (String, Vec<Range<usize>>) {
        let mut text = String::with_capacity(self.old.len());
        let mut places = Vec::with_capacity(self.links.len());
        let mut edits = self.edits.iter().peekable();
        let mut at = 0;
        for (link, written) in self.links.iter().enumerate() {
            text.push_str(&self.old[at..written.range.start]);
            let start = text.len();
            match edits.next_if(|(edited, _)| *edited == link) {
                Some((_, new)) if !left.contains(&link) => text.push_str(new),
                Some(_) | None => text.push_str(&self.old[written.range.clone()]),
            }
            places.push(start..text.len());
            at = written.range.end;
        }
        text.push_str(&self.old[at..]);
        (text, places)
    }
}

fn is_made_of(text: &str, accepted: fn(u8) -> bool) -> bool {
    text.bytes().all(accepted)
}

/// True for bytes that Markdown reads literally anywhere in a destination.
fn is_plain(byte: u8) -> bool {
    !byte.is_ascii() || byte.is_ascii_alphanumeric() || b"/:_.-%#?=+,;".contains(&byte)
}

/// True for bytes that Markdown reads literally in an enclosed destination.
fn is_plain_or_blank(byte: u8) -> bool {
    is_plain(byte) || b" ()".contains(&byte)
}
