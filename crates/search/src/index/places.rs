//! The places of a sequence in the documents of a segment.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::{Field, IndexRecordOption, Term};
use tantivy::{DocId, DocSet, InvertedIndexReader, TERMINATED};

use super::error::IndexError;
use super::layout::{CHARACTER, PAIR};
use super::segment::Words;
use crate::sequence::{Sequence, VOWEL};
use crate::units::Kind;

/// A document with how much it has of something: the sum of the weights of all places.
pub(super) type Places = Vec<(DocId, f32)>;

/// A field of a segment.
pub(super) struct TextField<'s> {
    pub(super) index: &'s InvertedIndexReader,
    pub(super) words: &'s Words,
    pub(super) field: Field,
}

/// The terms of which a document has to have one at an offset from where a sequence begins.
struct Part {
    offset: u32,
    postings: Vec<(SegmentPostings, f32)>,
    /// The document that each of them is at, those that are at an end left out. A word that is typed in part
    /// may stand for hundreds of terms, most of which are in few documents.
    queue: BinaryHeap<Reverse<(DocId, usize)>>,
    /// In how many documents they are, at most.
    documents: u32,
}

impl TextField<'_> {
    /// The documents that have the sequence.
    pub(super) fn find(&self, sequence: &Sequence) -> Result<Places, IndexError> {
        let strict = self.strict(sequence)?;
        if !sequence.has_vowels() {
            return Ok(strict);
        }
        let loose = self.with_vowels(sequence)?;
        Ok(merged(strict, loose))
    }

    fn strict(&self, sequence: &Sequence) -> Result<Places, IndexError> {
        let mut parts = Vec::new();
        let slots = &sequence.slots;
        let is_character = |slot: usize| {
            slots
                .get(slot)
                .is_some_and(|slot| slot.kind == Kind::Character)
        };
        let mut at = 0;
        while at < slots.len() {
            let adjacent =
                |slot: usize| slot > 0 && slots[slot].offset == slots[slot - 1].offset + 1;
            let offset = slots[at].offset;
            if !is_character(at) {
                parts.push(self.words_part(sequence, at)?);
                at += 1;
            } else if is_character(at + 1) && adjacent(at + 1) {
                let pair = [
                    PAIR.to_string(),
                    slots[at].text.clone(),
                    slots[at + 1].text.clone(),
                ];
                parts.push(self.part(&pair.concat(), offset)?);
                // The next pair may begin with the second one: it has to, if that is the last one.
                let followed = is_character(at + 2) && adjacent(at + 2);
                let by_pair = followed && is_character(at + 3) && adjacent(at + 3);
                at += if followed && !by_pair { 1 } else { 2 };
            } else {
                let paired = at > 0 && is_character(at - 1) && adjacent(at);
                if !paired {
                    parts.push(self.part(&format!("{CHARACTER}{}", slots[at].text), offset)?);
                }
                at += 1;
            }
        }
        Ok(intersect(parts))
    }

    /// The documents in which long vowels are missing or added.
    fn with_vowels(&self, sequence: &Sequence) -> Result<Places, IndexError> {
        let slots = &sequence.slots;
        let mut vowels = self.part(&format!("{CHARACTER}ー"), 0)?;
        let mut parts = Vec::new();
        for (at, slot) in slots.iter().enumerate() {
            parts.push(match slot.kind {
                Kind::Character => self.part(&format!("{CHARACTER}{}", slot.text), slot.offset)?,
                Kind::Word => self.words_part(sequence, at)?,
            });
        }
        let needed = |at: &usize| !slots[*at].may_be_missing;
        let mut order: Vec<usize> = (0..slots.len()).filter(needed).collect();
        order.sort_by_key(|at| parts[*at].documents);
        let Some((first, rest)) = order.split_first() else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        let mut doc = parts[*first].seek(0);
        'documents: while doc != TERMINATED {
            for at in rest {
                let next = parts[*at].seek(doc);
                if next != doc {
                    doc = parts[*first].seek(next);
                    continue 'documents;
                }
            }
            let places = walk(sequence, &mut parts, &mut vowels, doc);
            if places > 0 {
                found.push((doc, places as f32 * VOWEL));
            }
            doc = parts[*first].seek(doc + 1);
        }
        Ok(found)
    }

    fn part(&self, term: &str, offset: u32) -> Result<Part, IndexError> {
        let term = Term::from_field_text(self.field, term);
        let option = IndexRecordOption::WithFreqsAndPositions;
        let postings = self.index.read_postings(&term, option)?;
        Ok(Part::new(
            offset,
            postings
                .map(|postings| (postings, 1.0))
                .into_iter()
                .collect(),
        ))
    }

    fn words_part(&self, sequence: &Sequence, slot: usize) -> Result<Part, IndexError> {
        let fitting = self.words.fitting(sequence, slot);
        let option = IndexRecordOption::WithFreqsAndPositions;
        let mut postings = Vec::with_capacity(fitting.len());
        for (info, weight) in fitting {
            postings.push((
                self.index.read_postings_from_terminfo(info, option)?,
                weight,
            ));
        }
        Ok(Part::new(sequence.slots[slot].offset, postings))
    }
}

impl Part {
    fn new(offset: u32, postings: Vec<(SegmentPostings, f32)>) -> Self {
        let documents = postings
            .iter()
            .map(|(postings, _)| postings.doc_freq())
            .sum();
        let at = postings.iter().enumerate();
        let at = at.map(|(which, (postings, _))| (postings.doc(), which));
        Self {
            offset,
            queue: at
                .filter(|(doc, _)| *doc != TERMINATED)
                .map(Reverse)
                .collect(),
            postings,
            documents,
        }
    }

    /// The first document from `doc` on that has one of the terms.
    fn seek(&mut self, doc: DocId) -> DocId {
        while let Some(mut first) = self.queue.peek_mut() {
            let Reverse((at, which)) = *first;
            if at >= doc {
                return at;
            }
            let next = self.postings[which].0.seek(doc);
            if next == TERMINATED {
                PeekMut::pop(first);
            } else {
                *first = Reverse((next, which));
            }
        }
        TERMINATED
    }

    /// The possible starts of the sequence, and their weights, in the document that was asked for.
    fn starts(&mut self, doc: DocId, starts: &mut Vec<(u32, f32)>) {
        starts.clear();
        let mut positions = Vec::new();
        let mut here = Vec::new();
        while let Some(Reverse((at, which))) = self.queue.peek().copied()
            && at == doc
        {
            self.queue.pop();
            here.push(Reverse((at, which)));
            let (postings, weight) = &mut self.postings[which];
            postings.positions(&mut positions);
            let found = positions
                .iter()
                .filter_map(|at| at.checked_sub(self.offset));
            starts.extend(found.map(|at| (at, *weight)));
        }
        if here.len() > 1 {
            starts.sort_unstable_by_key(|(at, _)| *at);
        }
        self.queue.extend(here);
    }

    /// The positions in a document; none if it has none.
    fn positions(&mut self, doc: DocId) -> Vec<u32> {
        let mut starts = Vec::new();
        if self.seek(doc) == doc {
            self.starts(doc, &mut starts);
        }
        starts.into_iter().map(|(at, _)| at + self.offset).collect()
    }
}

/// The documents that have all parts at their offsets.
fn intersect(mut parts: Vec<Part>) -> Places {
    if let [only] = &mut parts[..] {
        return union(&mut only.postings);
    }
    parts.sort_by_key(|part| part.documents);
    let Some((first, rest)) = parts.split_first_mut() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let (mut starts, mut others) = (Vec::new(), Vec::new());
    let mut doc = first.seek(0);
    'documents: while doc != TERMINATED {
        for part in rest.iter_mut() {
            let next = part.seek(doc);
            if next != doc {
                doc = first.seek(next);
                continue 'documents;
            }
        }
        first.starts(doc, &mut starts);
        for part in rest.iter_mut() {
            if starts.is_empty() {
                break;
            }
            part.starts(doc, &mut others);
            keep_common(&mut starts, &others);
        }
        let weight: f32 = starts.iter().map(|(_, weight)| weight).sum();
        if weight > 0.0 {
            found.push((doc, weight));
        }
        doc = first.seek(doc + 1);
    }
    found
}

/// Keeps the starts that are among the others too, each with the lower weight.
fn keep_common(starts: &mut Vec<(u32, f32)>, others: &[(u32, f32)]) {
    let mut at = 0;
    starts.retain_mut(|(start, weight)| {
        while others.get(at).is_some_and(|(other, _)| other < start) {
            at += 1;
        }
        let other = others.get(at).filter(|(other, _)| other == start);
        *weight = other.map_or(0.0, |(_, other)| other.min(*weight));
        other.is_some()
    });
}

/// The documents that have one of the terms.
fn union(postings: &mut [(SegmentPostings, f32)]) -> Places {
    let mut found = Vec::new();
    for (postings, weight) in postings.iter_mut() {
        let mut doc = postings.doc();
        while doc != TERMINATED {
            found.push((doc, *weight * postings.term_freq() as f32));
            doc = postings.advance();
        }
    }
    if postings.len() > 1 {
        found.sort_unstable_by_key(|(doc, _)| *doc);
        found.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
    }
    found
}

/// Both lists, by document; of a document in both the first.
fn merged(first: Places, second: Places) -> Places {
    let mut all = first;
    all.extend(second);
    all.sort_by_key(|(doc, _)| *doc);
    all.dedup_by_key(|(doc, _)| *doc);
    all
}

/// The number of times that a document has the sequence if long vowels may be missing or added.
fn walk(sequence: &Sequence, parts: &mut [Part], vowels: &mut Part, doc: DocId) -> usize {
    let vowels = vowels.positions(doc);
    // Where the units up to here may end.
    let mut ends: Vec<u32> = Vec::new();
    for (at, slot) in sequence.slots.iter().enumerate() {
        let here = parts[at].positions(doc);
        let gap = at
            .checked_sub(1)
            .map(|before| slot.offset - sequence.slots[before].offset);
        let mut next: Vec<u32> = match gap {
            None => here,
            Some(gap) => {
                let reached = |place: &&u32| {
                    place
                        .checked_sub(gap)
                        .is_some_and(|end| ends.binary_search(&end).is_ok())
                };
                here.iter().filter(reached).copied().collect()
            }
        };
        if slot.may_be_missing {
            // The unit before takes its place.
            next.extend(ends.iter().copied());
        }
        if slot.may_be_long {
            let longer = next.iter().map(|end| end + 1);
            let longer: Vec<u32> = longer
                .filter(|place| vowels.binary_search(place).is_ok())
                .collect();
            next.extend(longer);
        }
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            return 0;
        }
        ends = next;
    }
    ends.len()
}
