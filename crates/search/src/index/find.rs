//! Evaluates queries on an index.

use tantivy::schema::{Field, IndexRecordOption, Term};
use tantivy::{DocId, DocSet, SegmentReader, TERMINATED};

use super::error::IndexError;
use super::layout::{Fields, HAS_PICTURE, IS_CUT};
use super::positions::{TextField, WeightedDocuments};
use super::segment::SegmentTerms;
use super::tokens::MAX_LETTERS;
use super::{Index, guarded};
use crate::facts::{Directory, PageFacts, PageKey};
use crate::query::{AUTHORSHIP, Expr, FAINT, PATH, Query, TITLE, frequency, is_below};
use crate::sequence::Sequence;
use crate::units::Kind;
use fumikura_folding::fold;

/// A matching page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IndexHit {
    pub key: PageKey,
    /// The score; the greatest is the best.
    pub weight: f32,
}

/// The weight of a document that does not match.
const NO_MATCH: f32 = -1.0;
/// The weight of a document that has the letters anywhere in its words.
const LETTERS: f32 = 0.3;

impl Index {
    /// Returns the indexed pages that match, in no particular order. Regular expressions are not evaluated
    /// here: pages match as far as the rest of the query allows.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn find(&self, query: &Query, directory: &Directory) -> Result<Vec<IndexHit>, IndexError> {
        guarded(|| self.weigh_all(query, directory))
    }

    fn weigh_all(&self, query: &Query, directory: &Directory) -> Result<Vec<IndexHit>, IndexError> {
        let searcher = self.searcher();
        let mut found = Vec::new();
        let total = searcher.num_docs() as f32;
        for segment in searcher.segment_readers() {
            let terms = self.terms_of(segment)?;
            let search = Search {
                segment,
                terms: &terms,
                fields: self.fields,
                directory,
                total,
            };
            let weights = search.weigh(&query.expr)?;
            for doc in segment.doc_ids_alive() {
                let weight = weights[doc as usize];
                if weight >= 0.0 {
                    found.push(IndexHit {
                        key: terms.key(doc),
                        weight,
                    });
                }
            }
        }
        Ok(found)
    }
}

impl Index {
    /// Returns the pages of whose texts only the beginning is indexed.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn cut_pages(&self) -> Result<Vec<PageKey>, IndexError> {
        guarded(|| {
            let mut pages = Vec::new();
            for segment in self.searcher().segment_readers() {
                let terms = self.terms_of(segment)?;
                let docs = docs_with(segment, self.fields.marks, IS_CUT)?;
                let present = docs.into_iter().filter(|doc| !segment.is_deleted(*doc));
                pages.extend(present.map(|doc| terms.key(doc)));
            }
            Ok(pages)
        })
    }
}

/// A search of one segment.
struct Search<'s> {
    segment: &'s SegmentReader,
    terms: &'s SegmentTerms,
    fields: Fields,
    directory: &'s Directory,
    /// The number of documents in all segments.
    total: f32,
}

impl Search<'_> {
    /// Returns the weight of each document, [`NO_MATCH`] for those that do not match.
    fn weigh(&self, expr: &Expr) -> Result<Vec<f32>, IndexError> {
        match expr {
            Expr::All(parts) => {
                let mut all = self.every(0.0);
                for part in parts {
                    let weights = self.weigh(part)?;
                    for (sum, weight) in all.iter_mut().zip(weights) {
                        *sum = if *sum < 0.0 || weight < 0.0 {
                            NO_MATCH
                        } else {
                            *sum + weight
                        };
                    }
                }
                Ok(all)
            }
            Expr::Any(parts) => {
                let mut any = self.every(NO_MATCH);
                for part in parts {
                    let weights = self.weigh(part)?;
                    any.iter_mut()
                        .zip(weights)
                        .for_each(|(sum, weight)| add(sum, weight));
                }
                Ok(any)
            }
            Expr::Not(part) if part.has_regex() => Ok(self.every(0.0)),
            Expr::Not(part) => {
                let mut weights = self.weigh(part)?;
                weights
                    .iter_mut()
                    .for_each(|weight| *weight = if *weight < 0.0 { 0.0 } else { NO_MATCH });
                Ok(weights)
            }
            Expr::Faint(part) => {
                let mut weights = self.weigh(part)?;
                let found = weights.iter_mut().filter(|weight| **weight >= 0.0);
                found.for_each(|weight| *weight *= FAINT);
                Ok(weights)
            }
            Expr::Text(sequence) => self.in_page(sequence),
            Expr::Title(sequence) => {
                let mut weights = self.every(NO_MATCH);
                self.add_title(sequence, &mut weights)?;
                Ok(weights)
            }
            Expr::Path(sequence) => Ok(self.in_path(sequence, 0.0)),
            Expr::Below(path) => Ok(self.whose(|facts| is_below(&fold(&facts.path), path))),
            Expr::Before(time) => Ok(self.whose(|facts| facts.updated < *time)),
            Expr::After(time) => Ok(self.whose(|facts| facts.updated >= *time)),
            Expr::Tag(tag) => self.marked(tag),
            Expr::HasPicture => self.marked(HAS_PICTURE),
            Expr::Regex(_) => Ok(self.every(0.0)),
            // No page is a picture in a folder.
            Expr::Picture(_) => Ok(self.every(NO_MATCH)),
        }
    }

    fn every(&self, weight: f32) -> Vec<f32> {
        vec![weight; self.segment.max_doc() as usize]
    }

    fn whose(&self, is_so: impl Fn(&PageFacts) -> bool) -> Vec<f32> {
        let keys = self.terms.keys().iter();
        let weight = |key| {
            let facts = self.directory.get(key);
            if facts.is_some_and(&is_so) {
                0.0
            } else {
                NO_MATCH
            }
        };
        keys.map(weight).collect()
    }

    fn marked(&self, mark: &str) -> Result<Vec<f32>, IndexError> {
        let mut weights = self.every(NO_MATCH);
        for doc in docs_with(self.segment, self.fields.marks, mark)? {
            weights[doc as usize] = 0.0;
        }
        Ok(weights)
    }

    fn in_page(&self, sequence: &Sequence) -> Result<Vec<f32>, IndexError> {
        let mut weights = self.in_path(sequence, PATH);
        for doc in self.terms.docs(&self.directory.by_authorship(sequence)) {
            add(&mut weights[doc as usize], AUTHORSHIP);
        }
        self.add_title(sequence, &mut weights)?;
        let weighted = match short_word(sequence) {
            Some(letters) => self.with_letters(letters, sequence)?,
            None => self.weighted(sequence, false)?,
        };
        self.add(&weighted, false, 1.0, &mut weights)?;
        Ok(weights)
    }

    fn in_path(&self, sequence: &Sequence, weight: f32) -> Vec<f32> {
        let mut weights = self.every(NO_MATCH);
        for doc in self.terms.docs(&self.directory.with_path(sequence)) {
            weights[doc as usize] = weight;
        }
        weights
    }

    fn add_title(&self, sequence: &Sequence, weights: &mut [f32]) -> Result<(), IndexError> {
        let weighted = self.weighted(sequence, true)?;
        self.add(&weighted, true, TITLE, weights)
    }

    fn weighted(&self, sequence: &Sequence, title: bool) -> Result<WeightedDocuments, IndexError> {
        let field = if title {
            self.fields.title
        } else {
            self.fields.body
        };
        let index = self.segment.inverted_index(field)?;
        let text = TextField {
            index: &index,
            words: self.terms.words(title),
            field,
        };
        text.find(sequence)
    }

    /// Returns the documents that have a few letters in their words, with a higher weight for those that have
    /// them as a word.
    fn with_letters(
        &self,
        letters: &str,
        sequence: &Sequence,
    ) -> Result<WeightedDocuments, IndexError> {
        let weighted = self.weighted(&sequence.whole(), false)?;
        let docs = docs_with(self.segment, self.fields.letters, letters)?;
        let mut whole = weighted.into_iter().peekable();
        // A document with the letters as a word also has the letters.
        let weight = |doc| {
            let as_word = whole.next_if(|(at, _)| *at == doc);
            (doc, LETTERS + as_word.map_or(0.0, |(_, weight)| weight))
        };
        Ok(docs.into_iter().map(weight).collect())
    }

    fn add(
        &self,
        weighted: &WeightedDocuments,
        title: bool,
        factor: f32,
        weights: &mut [f32],
    ) -> Result<(), IndexError> {
        let field = if title {
            self.fields.title
        } else {
            self.fields.body
        };
        let lengths = self.segment.get_fieldnorms_reader(field)?;
        let tokens = self.segment.inverted_index(field)?.total_num_tokens() as f32;
        let average = tokens / self.segment.max_doc().max(1) as f32;
        let share = self.total / (self.segment.max_doc().max(1) as f32);
        let documents = weighted.len() as f32 * share;
        let rarity = (1.0 + (self.total - documents).max(0.0) / (documents + 0.5))
            .ln()
            .max(0.1);
        for (doc, count) in weighted {
            let length = lengths.fieldnorm(*doc) as f32;
            let weight = frequency(*count, length, average) * rarity * factor;
            add(&mut weights[*doc as usize], weight);
        }
        Ok(())
    }
}

/// Returns the documents of a segment that have a term.
fn docs_with(segment: &SegmentReader, field: Field, term: &str) -> Result<Vec<DocId>, IndexError> {
    let index = segment.inverted_index(field)?;
    let term = Term::from_field_text(field, term);
    let postings = index.read_postings(&term, IndexRecordOption::Basic)?;
    let mut docs = Vec::new();
    if let Some(mut postings) = postings {
        while postings.doc() != TERMINATED {
            docs.push(postings.doc());
            postings.advance();
        }
    }
    Ok(docs)
}

fn add(sum: &mut f32, weight: f32) {
    if weight >= 0.0 {
        *sum = sum.max(0.0) + weight;
    }
}

/// Returns the letters of a query of a single short word, which are terms of their own.
fn short_word(sequence: &Sequence) -> Option<&str> {
    let [only] = &sequence.slots[..] else {
        return None;
    };
    let short = only.text.chars().nth(MAX_LETTERS).is_none();
    let plain = only.text.is_ascii();
    (sequence.loose && only.kind == Kind::Word && short && plain).then_some(&only.text)
}
