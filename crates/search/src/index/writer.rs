//! Writes changes to an index.

use tantivy::{IndexWriter, TantivyDocument, Term};

use super::Index;
use super::error::IndexError;
use super::layout::{Fields, HAS_PICTURE, IS_CUT, TAG};
use crate::facts::PageKey;
use crate::text::PageText;

/// The memory in which terms are collected before they are written, in bytes.
const MEMORY: usize = 40_000_000;

/// A writer of an index. There is at most one at a time.
pub struct Writer {
    writer: IndexWriter,
    fields: Fields,
}

impl Index {
    /// Creates a writer. All files are compared with their checksums first: a merge of damaged ones would have
    /// valid checksums.
    ///
    /// # Errors
    /// [`IndexError::Unusable`] if the index is damaged; others if there is another writer, or the folder
    /// cannot be written.
    pub fn writer(&self) -> Result<Writer, IndexError> {
        self.validate()?;
        Ok(Writer {
            writer: self.index.writer_with_num_threads(1, MEMORY)?,
            fields: self.fields,
        })
    }
}

impl Writer {
    /// Replaces a page's text.
    ///
    /// # Errors
    /// If an earlier write failed.
    pub fn put(&mut self, key: &PageKey, version: u64, text: &PageText) -> Result<(), IndexError> {
        self.remove(key);
        let fields = self.fields;
        let number = u128::from_be_bytes(*key);
        let mut document = TantivyDocument::new();
        document.add_bytes(fields.key, key);
        document.add_u64(fields.key_high, (number >> 64) as u64);
        document.add_u64(fields.key_low, number as u64);
        document.add_u64(fields.version, version);
        document.add_text(fields.body, text.body().text());
        document.add_text(fields.letters, text.body().text());
        document.add_text(fields.title, text.title().text());
        for tag in text.tag_terms() {
            document.add_text(fields.marks, tag);
        }
        for tag in text.tags() {
            document.add_text(fields.marks, format!("{TAG}{tag}"));
        }
        if text.has_picture() {
            document.add_text(fields.marks, HAS_PICTURE);
        }
        if text.is_cut() {
            document.add_text(fields.marks, IS_CUT);
        }
        self.writer.add_document(document)?;
        Ok(())
    }

    pub fn remove(&mut self, key: &PageKey) {
        self.writer
            .delete_term(Term::from_field_bytes(self.fields.key, key));
    }

    /// Commits all changes; [`Index::reload`] makes them visible.
    ///
    /// # Errors
    /// If the changes cannot be written. The index is then unchanged since the last commit.
    pub fn commit(&mut self) -> Result<(), IndexError> {
        self.writer.commit()?;
        Ok(())
    }

    /// Waits until segments are merged, and ends the writer.
    ///
    /// # Errors
    /// If merging failed.
    pub fn finish(self) -> Result<(), IndexError> {
        Ok(self.writer.wait_merging_threads()?)
    }
}
