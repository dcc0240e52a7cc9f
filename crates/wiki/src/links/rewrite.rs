//! A text with some of its destinations replaced; every other byte stays, and so does what it means.

use std::collections::BTreeSet;
use std::ops::Range;

use super::scan::{Destination, Form, openings, scan};
use super::spelling;
use crate::id::PageId;
use crate::path::PagePath;

/// How often to try with fewer replacements before there are to be none.
const TRIES: usize = 4;

/// What is to be replaced in a text.
pub(super) struct Rewrite<'t> {
    old: &'t str,
    links: &'t [Destination],
    /// By the number of the link, ascending: what to put where its destination is.
    edits: Vec<(usize, String)>,
}

/// A text that was written anew.
pub(super) struct Rewritten {
    pub(super) text: String,
    /// Its links, as [`scan`] finds them.
    pub(super) links: Vec<Destination>,
    /// The links that stayed as they were, by number, though they were to be replaced.
    pub(super) left: BTreeSet<usize>,
}

impl<'t> Rewrite<'t> {
    /// `links` are the text's.
    pub(super) fn new(old: &'t str, links: &'t [Destination]) -> Self {
        Self {
            old,
            links,
            edits: Vec::new(),
        }
    }

    /// Puts a page's id in a destination's place. What follows its path stays.
    pub(super) fn put_id(&mut self, link: usize, page: PageId) {
        self.put(link, spelling::id(page));
    }

    /// Puts a page's path in a destination's place. What follows its path stays.
    pub(super) fn put_path(&mut self, link: usize, path: &PagePath) {
        self.put(link, spelling::path(path, self.links[link].form));
    }

    fn put(&mut self, link: usize, destination: String) {
        let written = &self.links[link];
        if written.form != Form::Autolink {
            let tail = &self.old[written.tail..written.range.end];
            let destination = destination + &spelling::tail(tail, written.form);
            self.edits.push((link, destination));
        }
    }

    /// Writes the text anew. A replacement after which the text would have other links than before (a
    /// blank has gone, and what stands before it has become a link) does not take place.
    pub(super) fn finish(self) -> Rewritten {
        let mut left = BTreeSet::new();
        if self.is_surely_read_alike() {
            let (text, places) = self.without(&left);
            let links = self.links_at(places);
            debug_assert_eq!(links, scan(&text), "{text:?}");
            return Rewritten { text, links, left };
        }
        for _ in 0..TRIES {
            let (text, expected) = self.without(&left);
            let links = scan(&text);
            if links.iter().map(|found| &found.range).eq(&expected) {
                return Rewritten { text, links, left };
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
        Rewritten {
            text: self.old.to_owned(),
            links: self.links.to_vec(),
            left: self.edits.iter().map(|(link, _)| *link).collect(),
        }
    }

    /// The links of the text with all replacements, which stand at `places` and are surely read alike:
    /// what is put there is free of escapes.
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

    /// Whether the new text has the same links for certain, so that it need not be read again.
    fn is_surely_read_alike(&self) -> bool {
        // A formula has a longest length, so that a shorter destination may turn the text around a link
        // into one.
        if self.old.contains('$') {
            return false;
        }
        let mut blanks = false;
        for (link, new) in &self.edits {
            let written = &self.links[*link];
            let old = &self.old[written.range.clone()];
            let plain = is_made_of(old, is_plain) && is_made_of(new, is_plain);
            let enclosed = matches!(written.form, Form::Angle | Form::Wiki)
                && is_made_of(old, is_plain_or_blank)
                && is_made_of(new, is_plain_or_blank);
            if !(plain || enclosed) || !self.stands_behind_its_text(written) {
                return false;
            }
            blanks |= !plain;
        }
        !blanks || self.has_no_other_openings()
    }

    /// Whether a `<` that encloses a destination can't be taken for the beginning of a block of HTML.
    fn stands_behind_its_text(&self, written: &Destination) -> bool {
        written.form != Form::Angle || {
            let before = self.old[..written.range.start - 1].trim_end_matches(' ');
            before.ends_with(['(', ':'])
        }
    }

    /// Whether each mark with which a link could begin is one of a link that was found. Then a blank in a
    /// destination keeps nothing else from being a link.
    fn has_no_other_openings(&self) -> bool {
        let angles = self.links.iter().filter(|link| link.form == Form::Angle);
        openings(self.old).count() == self.links.len() + angles.count()
    }

    /// The text with all replacements but some, and where all links should stand in it.
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

/// What Markdown reads as itself wherever it stands in a destination.
fn is_plain(byte: u8) -> bool {
    !byte.is_ascii() || byte.is_ascii_alphanumeric() || b"/:_.-%#?=+,;".contains(&byte)
}

/// The same, within marks that enclose a destination.
fn is_plain_or_blank(byte: u8) -> bool {
    is_plain(byte) || b" ()".contains(&byte)
}
