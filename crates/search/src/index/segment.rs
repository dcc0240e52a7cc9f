//! The part of a segment that is held in memory: the pages of its documents, and its words.

use memchr::memmem::Finder;
use tantivy::postings::TermInfo;
use tantivy::{DocId, SegmentReader};

use super::error::IndexError;
use super::layout::{Fields, KEY_HIGH, KEY_LOW, MARK, WORD};
use crate::facts::PageKey;
use crate::sequence::{OpenSides, Sequence};
use crate::units::Kind;

/// The pages and words of a segment.
pub(super) struct SegmentTerms {
    keys: Vec<PageKey>,
    /// The documents, ordered by page.
    docs: Vec<(PageKey, DocId)>,
    body: Words,
    title: Words,
}

/// All words of a field, each after a line feed.
#[derive(Default)]
pub(super) struct Words {
    text: String,
    starts: Vec<u32>,
    infos: Vec<TermInfo>,
    /// The indexes of the words that are not ASCII.
    foreign: Vec<u32>,
}

impl SegmentTerms {
    pub(super) fn read(segment: &SegmentReader, fields: Fields) -> Result<Self, IndexError> {
        let high = segment.fast_fields().u64(KEY_HIGH)?;
        let low = segment.fast_fields().u64(KEY_LOW)?;
        let key = |doc| {
            let half = |column: &tantivy::columnar::Column<u64>| {
                u128::from(column.first(doc).unwrap_or_default())
            };
            ((half(&high) << 64) | half(&low)).to_be_bytes()
        };
        let keys: Vec<PageKey> = (0..segment.max_doc()).map(key).collect();
        let alive = segment.doc_ids_alive();
        let mut docs: Vec<(PageKey, DocId)> = alive.map(|doc| (keys[doc as usize], doc)).collect();
        docs.sort_unstable();
        Ok(Self {
            keys,
            docs,
            body: Words::read(segment, fields.body)?,
            title: Words::read(segment, fields.title)?,
        })
    }

    pub(super) fn key(&self, doc: DocId) -> PageKey {
        self.keys[doc as usize]
    }

    pub(super) fn keys(&self) -> &[PageKey] {
        &self.keys
    }

    /// Returns the documents of pages, which must be ascending.
    pub(super) fn docs(&self, keys: &[PageKey]) -> Vec<DocId> {
        let mut docs = Vec::with_capacity(keys.len());
        let mut rest = &self.docs[..];
        let is_many = keys.len() > rest.len() / 16;
        for key in keys {
            let before = match is_many {
                true => rest
                    .iter()
                    .take_while(|(candidate, _)| candidate < key)
                    .count(),
                false => rest.partition_point(|(candidate, _)| candidate < key),
            };
            rest = &rest[before..];
            docs.extend(
                rest.first()
                    .filter(|(candidate, _)| candidate == key)
                    .map(|(_, doc)| doc),
            );
        }
        docs
    }

    pub(super) fn words(&self, title: bool) -> &Words {
        if title { &self.title } else { &self.body }
    }
}

impl Words {
    fn read(segment: &SegmentReader, field: tantivy::schema::Field) -> Result<Self, IndexError> {
        let index = segment.inverted_index(field)?;
        let mut words = Self::default();
        let range = index.terms().range().ge(WORD.to_string());
        let mut terms = range.lt(MARK.to_string()).into_stream()?;
        while let Some((term, info)) = terms.next() {
            let word = std::str::from_utf8(&term[1..]);
            let word = word.map_err(|_| IndexError::Unusable("a term is not text".to_owned()))?;
            let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            if !word.is_ascii() {
                words.foreign.push(place(words.starts.len()));
            }
            words.starts.push(place(words.text.len()));
            words.text.push('\n');
            words.text.push_str(word);
            words.infos.push(info.clone());
        }
        words.text.push('\n');
        Ok(words)
    }

    fn word(&self, at: usize) -> &str {
        let start = self.starts[at] as usize + 1;
        let end = self
            .starts
            .get(at + 1)
            .map_or(self.text.len() - 1, |end| *end as usize);
        &self.text[start..end]
    }

    /// Calls a function with each word and the number of its documents.
    pub(super) fn each(&self, see: &mut impl FnMut(&str, u32)) {
        for (at, info) in self.infos.iter().enumerate() {
            see(self.word(at), info.doc_freq);
        }
    }

    /// Returns the words that match a slot of the sequence, with their weights.
    pub(super) fn matching_words(&self, sequence: &Sequence, slot: usize) -> Vec<(&TermInfo, f32)> {
        let wanted = &sequence.slots[slot];
        debug_assert_eq!(wanted.kind, Kind::Word);
        let open_sides = sequence.open_sides(slot);
        let mut places = self.words_containing(&wanted.text, open_sides);
        if sequence.loose {
            if wanted.plain != wanted.text {
                places.extend(self.words_containing(&wanted.plain, open_sides));
            }
            places.extend(self.related_words(&wanted.text));
            places.extend(self.foreign.iter().map(|place| *place as usize));
            places.sort_unstable();
            places.dedup();
        }
        let weighed = places.into_iter().filter_map(|place| {
            let weight = sequence.weigh(slot, self.word(place))?;
            Some((&self.infos[place], weight))
        });
        weighed.collect()
    }

    /// Returns the words that contain a text, ascending.
    fn words_containing(&self, text: &str, open_sides: OpenSides) -> Vec<usize> {
        // Of a combining mark alone, nothing is left without accents.
        if text.is_empty() {
            return Vec::new();
        }
        let text = match (open_sides.start, open_sides.end) {
            (true, true) => text.to_owned(),
            (true, false) => format!("{text}\n"),
            (false, true) => format!("\n{text}"),
            (false, false) => format!("\n{text}\n"),
        };
        let mut places: Vec<usize> = Vec::new();
        for at in Finder::new(&text).find_iter(self.text.as_bytes()) {
            // A match at the line feed before a word belongs to the word.
            let at = at + usize::from(text.starts_with('\n'));
            let place = self.starts.partition_point(|start| (*start as usize) < at) - 1;
            if places.last() != Some(&place) {
                places.push(place);
            }
        }
        places
    }

    /// Returns the words that may have the same stem: those with the same beginning.
    fn related_words(&self, word: &str) -> Vec<usize> {
        let Some(beginning) = word.get(..3).filter(|_| word.is_ascii()) else {
            return Vec::new();
        };
        let first = self.partition(|word| word < beginning);
        let behind = self.partition(|word| word < beginning || word.starts_with(beginning));
        (first..behind).collect()
    }

    fn partition(&self, is_before: impl Fn(&str) -> bool) -> usize {
        let (mut low, mut high) = (0, self.starts.len());
        while low < high {
            let middle = low.midpoint(high);
            match is_before(self.word(middle)) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low
    }
}
