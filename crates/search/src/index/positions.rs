//! The positions of a sequence in the documents of a segment.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use tantivy::postings::{Postings, SegmentPostings, TermInfo};
use tantivy::schema::{Field, IndexRecordOption, Term};
use tantivy::{DocId, DocSet, InvertedIndexReader, TERMINATED};

use super::error::IndexError;
use super::layout::{CHARACTER, MARK, PAIR};
use super::segment::Words;
use crate::sequence::{Sequence, VOWEL};
use crate::units::Kind;

/// Documents, each with the sum of the weights of all its places.
pub(super) type WeightedDocuments = Vec<(DocId, f32)>;

/// A field of a segment.
pub(super) struct TextField<'s> {
    pub(super) index: &'s InvertedIndexReader,
    pub(super) words: &'s Words,
    pub(super) field: Field,
}

/// The terms for one slot: a document must have one of them at an offset from the start of a sequence.
struct PositionPart {
    offset: u32,
    postings: Vec<(SegmentPostings, f32)>,
    /// The current document of each term; exhausted terms are omitted. A partly typed word may match hundreds
    /// of terms, most of which are in few documents.
    queue: BinaryHeap<Reverse<(DocId, usize)>>,
    /// The maximum number of documents with one of the terms.
    documents: u32,
}

/// A possible start of a sequence, confirmed by some of its parts.
#[derive(Clone, Copy)]
struct SequenceStart {
    doc: DocId,
    at: u32,
    weight: f32,
}

/// A part with so many terms that they are read one after the other.
struct WidePart<'w> {
    offset: u32,
    terms: Vec<(&'w TermInfo, f32)>,
}

/// The maximum number of terms that are searched document by document. Small for tests, because their texts
/// are small.
const FEW_TERMS: usize = if cfg!(test) { 2 } else { 8 };

/// A set of documents.
#[derive(Default)]
struct Documents(Vec<u64>);

impl TextField<'_> {
    pub(super) fn find(&self, sequence: &Sequence) -> Result<WeightedDocuments, IndexError> {
        let strict = self.strict(sequence)?;
        if !sequence.has_vowels() {
            return Ok(strict);
        }
        let loose = self.with_vowels(sequence)?;
        Ok(merged(strict, loose))
    }

    fn strict(&self, sequence: &Sequence) -> Result<WeightedDocuments, IndexError> {
        let (mut parts, mut wide) = (Vec::new(), Vec::new());
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
                let terms = self.words.matching_words(sequence, at);
                match terms.len() > FEW_TERMS {
                    true => wide.push(WidePart { offset, terms }),
                    false => parts.push(self.terms_part(offset, &terms)?),
                }
                if let Some(mark) = slots[at].mark {
                    parts.push(self.part(&format!("{MARK}{mark}"), offset)?);
                }
                at += 1;
            } else if is_character(at + 1) && adjacent(at + 1) {
                let pair = [
                    PAIR.to_string(),
                    slots[at].text.clone(),
                    slots[at + 1].text.clone(),
                ];
                parts.push(self.part(&pair.concat(), offset)?);
                // The next pair may begin with the second character; it must if that is the last one.
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
        match (&mut parts[..], &wide[..]) {
            ([only], []) => Ok(union(&mut only.postings)),
            ([], [only]) => Ok(union(
                &mut self.terms_part(only.offset, &only.terms)?.postings,
            )),
            _ => self.join(parts, wide),
        }
    }

    /// Returns the documents that have all parts at their offsets. Parts with many terms come last: all
    /// documents of each term are read, which costs less than a seek in each of them.
    fn join(
        &self,
        parts: Vec<PositionPart>,
        mut wide: Vec<WidePart<'_>>,
    ) -> Result<WeightedDocuments, IndexError> {
        let mut starts = match parts.is_empty() {
            false => intersect(parts),
            true => {
                let first = wide.remove(0);
                let mut documents = self.documents(&wide[0])?;
                for part in &wide[1..] {
                    documents.keep(&self.documents(part)?);
                }
                self.starts(&first, &documents)?
            }
        };
        for part in &wide {
            if starts.is_empty() {
                break;
            }
            let documents = starts.iter().map(|start| start.doc).collect();
            keep_common(&mut starts, &self.starts(part, &documents)?);
        }
        let mut weighted = WeightedDocuments::new();
        for start in starts {
            match weighted.last_mut() {
                Some((doc, weight)) if *doc == start.doc => *weight += start.weight,
                Some(_) | None => weighted.push((start.doc, start.weight)),
            }
        }
        Ok(weighted)
    }

    /// Returns the documents that have one of the terms.
    fn documents(&self, part: &WidePart<'_>) -> Result<Documents, IndexError> {
        let mut documents = Documents::default();
        for (info, _) in &part.terms {
            let option = IndexRecordOption::Basic;
            let mut postings = self.index.read_postings_from_terminfo(info, option)?;
            let mut doc = postings.doc();
            while doc != TERMINATED {
                documents.insert(doc);
                doc = postings.advance();
            }
        }
        Ok(documents)
    }

    /// Returns the possible starts of the sequence in some documents, ascending.
    fn starts(
        &self,
        part: &WidePart<'_>,
        among: &Documents,
    ) -> Result<Vec<SequenceStart>, IndexError> {
        let option = IndexRecordOption::WithFreqsAndPositions;
        let (mut starts, mut positions) = (Vec::new(), Vec::new());
        for (info, weight) in &part.terms {
            let mut postings = self.index.read_postings_from_terminfo(info, option)?;
            let mut doc = postings.doc();
            while doc != TERMINATED {
                if among.has(doc) {
                    postings.positions(&mut positions);
                    let here = positions
                        .iter()
                        .filter_map(|at| at.checked_sub(part.offset));
                    let weight = *weight;
                    starts.extend(here.map(|at| SequenceStart { doc, at, weight }));
                }
                doc = postings.advance();
            }
        }
        starts.sort_unstable_by_key(|start| (start.doc, start.at));
        Ok(starts)
    }

    /// Returns the documents in which long vowels are missing or added.
    fn with_vowels(&self, sequence: &Sequence) -> Result<WeightedDocuments, IndexError> {
        let slots = &sequence.slots;
        let mut vowels = self.part(&format!("{CHARACTER}ー"), 0)?;
        let mut parts = Vec::new();
        // The offsets are omitted: after a missing vowel, the next unit is nearer.
        for (at, slot) in slots.iter().enumerate() {
            parts.push(match slot.kind {
                Kind::Character => self.part(&format!("{CHARACTER}{}", slot.text), 0)?,
                Kind::Word => self.terms_part(0, &self.words.matching_words(sequence, at))?,
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
            let count = walk(sequence, &mut parts, &mut vowels, doc);
            if count > 0 {
                found.push((doc, count as f32 * VOWEL));
            }
            doc = parts[*first].seek(doc + 1);
        }
        Ok(found)
    }

    fn part(&self, term: &str, offset: u32) -> Result<PositionPart, IndexError> {
        let term = Term::from_field_text(self.field, term);
        let option = IndexRecordOption::WithFreqsAndPositions;
        let postings = self.index.read_postings(&term, option)?;
        Ok(PositionPart::new(
            offset,
            postings
                .map(|postings| (postings, 1.0))
                .into_iter()
                .collect(),
        ))
    }

    fn terms_part(
        &self,
        offset: u32,
        terms: &[(&TermInfo, f32)],
    ) -> Result<PositionPart, IndexError> {
        let option = IndexRecordOption::WithFreqsAndPositions;
        let mut postings = Vec::with_capacity(terms.len());
        for (info, weight) in terms {
            postings.push((
                self.index.read_postings_from_terminfo(info, option)?,
                *weight,
            ));
        }
        Ok(PositionPart::new(offset, postings))
    }
}

impl PositionPart {
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

    /// Returns the first document from `doc` on that has one of the terms.
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

    /// Finds the possible starts of the sequence, and their weights, in the given document.
    fn starts(&mut self, doc: DocId, starts: &mut Vec<SequenceStart>) {
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
            let weight = *weight;
            starts.extend(found.map(|at| SequenceStart { doc, at, weight }));
        }
        if here.len() > 1 {
            starts.sort_unstable_by_key(|start| start.at);
        }
        self.queue.extend(here);
    }

    /// Returns the positions in a document, of a part without an offset; none if there are none.
    fn positions(&mut self, doc: DocId) -> Vec<u32> {
        let mut starts = Vec::new();
        if self.seek(doc) == doc {
            self.starts(doc, &mut starts);
        }
        starts.into_iter().map(|start| start.at).collect()
    }
}

impl Documents {
    fn insert(&mut self, doc: DocId) {
        let at = doc as usize / 64;
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        self.0[at] |= 1 << (doc % 64);
    }

    fn has(&self, doc: DocId) -> bool {
        let bits = self.0.get(doc as usize / 64).copied().unwrap_or_default();
        bits >> (doc % 64) & 1 == 1
    }

    /// Intersects the set with another one.
    fn keep(&mut self, others: &Self) {
        self.0.truncate(others.0.len());
        for (bits, others) in self.0.iter_mut().zip(&others.0) {
            *bits &= others;
        }
    }
}

impl FromIterator<DocId> for Documents {
    fn from_iter<T: IntoIterator<Item = DocId>>(docs: T) -> Self {
        let mut documents = Self::default();
        docs.into_iter().for_each(|doc| documents.insert(doc));
        documents
    }
}

/// Returns the places where all parts are at their offsets, ascending.
fn intersect(mut parts: Vec<PositionPart>) -> Vec<SequenceStart> {
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
        found.append(&mut starts);
        doc = first.seek(doc + 1);
    }
    found
}

/// Retains the starts that are in both lists, each with the lower weight.
fn keep_common(starts: &mut Vec<SequenceStart>, others: &[SequenceStart]) {
    let mut at = 0;
    starts.retain_mut(|start| {
        let place = (start.doc, start.at);
        while others
            .get(at)
            .is_some_and(|other| (other.doc, other.at) < place)
        {
            at += 1;
        }
        let other = others.get(at);
        let other = other.filter(|other| (other.doc, other.at) == place);
        start.weight = other.map_or(0.0, |other| other.weight.min(start.weight));
        other.is_some()
    });
}

/// Returns the documents that have one of the terms.
fn union(postings: &mut [(SegmentPostings, f32)]) -> WeightedDocuments {
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
        found.dedup_by(|next, previous| {
            let same = next.0 == previous.0;
            if same {
                previous.1 += next.1;
            }
            same
        });
    }
    found
}

/// Merges both lists by document; for a document in both, the first entry counts.
fn merged(first: WeightedDocuments, second: WeightedDocuments) -> WeightedDocuments {
    let mut all = first;
    all.extend(second);
    all.sort_by_key(|(doc, _)| *doc);
    all.dedup_by_key(|(doc, _)| *doc);
    all
}

/// Returns the number of occurrences of the sequence in a document if long vowels may be missing or added.
fn walk(
    sequence: &Sequence,
    parts: &mut [PositionPart],
    vowels: &mut PositionPart,
    doc: DocId,
) -> usize {
    let vowels = vowels.positions(doc);
    // The possible ends of the units so far.
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
            // The previous unit takes its place.
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
