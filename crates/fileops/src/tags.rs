//! Records of renamed tags, beside those of file operations: the tags of each picture before and after.
//!
//! The record is written before the first sidecar. Its undo is safe for pictures that were not changed yet.

use serde::{Deserialize, Serialize};

use super::companions::PictureFiles;
use super::error::FileError;
use super::files::{Files, OperationGuard};
use super::record::{Head, OperationId, OperationKind, StoredPath};

/// The tags of a file's sidecar before and after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagsChanged {
    /// The absolute path of the picture's file.
    pub file: Vec<u8>,
    /// The tags before, their levels separated by `/`.
    pub before: Vec<String>,
    pub after: Vec<String>,
    /// True for a further file of a picture, which is not counted.
    pub is_further: bool,
}

/// A saved search that names a renamed tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchChange {
    /// The id of the smart album.
    pub album: String,
    pub before: String,
    pub after: String,
}

/// A line of the record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "did", rename_all = "snake_case")]
enum TagsStep {
    Tagged {
        file: StoredPath,
        before: Vec<String>,
        after: Vec<String>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        further: bool,
    },
    Searched(SearchChange),
}

/// A running change of tags, which has a record.
pub struct TagsOperation<'a> {
    guard: OperationGuard<'a>,
    files: &'a Files,
    searches: Vec<SearchChange>,
    undone: bool,
}

/// A running undo of a change of tags.
pub struct TagsUndo<'a> {
    _guard: OperationGuard<'a>,
    files: &'a Files,
    id: OperationId,
    /// True if the record is that of an undo.
    undone: bool,
    /// The changes to undo.
    pub changes: Vec<TagsChanged>,
    /// The saved searches that were changed as well.
    pub searches: Vec<SearchChange>,
}

impl Files {
    /// Records a change of tags before it is made.
    ///
    /// # Errors
    /// [`FileError`] if the record can't be written.
    pub fn begin_tags(
        &self,
        planned: &[TagsChanged],
        searches: Vec<SearchChange>,
    ) -> Result<TagsOperation<'_>, FileError> {
        let guard = self.begin();
        let operation = TagsOperation {
            guard,
            files: self,
            searches,
            undone: false,
        };
        operation.save(planned)?;
        Ok(operation)
    }

    /// Begins the undo of an operation, if it is a change of tags.
    ///
    /// # Errors
    /// [`FileError::OperationRunning`], or [`FileError::Damaged`] if the record can't be read.
    pub fn begin_tags_undo(&self, id: OperationId) -> Result<Option<TagsUndo<'_>>, FileError> {
        let head = self.records.head(id)?;
        if head.is_none_or(|head| head.kind != OperationKind::Tags) {
            return Ok(None);
        }
        let guard = self.lock_operation(id).ok_or(FileError::OperationRunning)?;
        let (head, steps) = self
            .records
            .read::<TagsStep>(id)?
            .ok_or(FileError::UnknownOperation(id))?;
        let (mut changes, mut searches) = (Vec::new(), Vec::new());
        for step in steps {
            match step {
                TagsStep::Tagged {
                    file,
                    before,
                    after,
                    further,
                } => changes.push(TagsChanged {
                    file: file.bytes()?,
                    before,
                    after,
                    is_further: further,
                }),
                TagsStep::Searched(search) => searches.push(search),
            }
        }
        Ok(Some(TagsUndo {
            _guard: guard,
            files: self,
            id,
            undone: head.undone,
            changes,
            searches,
        }))
    }
}

impl TagsOperation<'_> {
    /// Records the changes that were made. Returns the id by which they are undone; `None` if there are none.
    ///
    /// # Errors
    /// [`FileError`] if the record can't be written.
    pub fn finish(self, made: &[TagsChanged]) -> Result<Option<OperationId>, FileError> {
        if made.is_empty() {
            self.files.delete_record(self.guard.id);
            return Ok(None);
        }
        self.save(made)?;
        Ok(Some(self.guard.id))
    }

    fn save(&self, changes: &[TagsChanged]) -> Result<(), FileError> {
        save(
            self.files,
            self.guard.id,
            self.undone,
            changes,
            &self.searches,
        )
    }
}

impl TagsUndo<'_> {
    /// Records what was undone, so that it can be done again, and the changes that are left. Returns the ids of both,
    /// that of the rest first.
    ///
    /// # Errors
    /// [`FileError`] if a record can't be written.
    pub fn finish(
        self,
        undone: &[TagsChanged],
        left: &[TagsChanged],
    ) -> Result<(Option<OperationId>, Option<OperationId>), FileError> {
        let searches: Vec<SearchChange> = self.searches.iter().map(SearchChange::inverse).collect();
        let redo = match undone.is_empty() {
            true => None,
            false => {
                let operation = TagsOperation {
                    guard: self.files.begin(),
                    files: self.files,
                    searches,
                    undone: !self.undone,
                };
                operation.finish(undone)?
            }
        };
        if left.is_empty() {
            self.files.delete_record(self.id);
            return Ok((None, redo));
        }
        // The searches are changed back already.
        let searches = if undone.is_empty() {
            &self.searches[..]
        } else {
            &[]
        };
        save(self.files, self.id, self.undone, left, searches)?;
        Ok((Some(self.id), redo))
    }
}

impl SearchChange {
    fn inverse(&self) -> Self {
        Self {
            album: self.album.clone(),
            before: self.after.clone(),
            after: self.before.clone(),
        }
    }
}

fn save(
    files: &Files,
    id: OperationId,
    undone: bool,
    changes: &[TagsChanged],
    searches: &[SearchChange],
) -> Result<(), FileError> {
    let counted = changes.iter().filter(|change| !change.is_further).count();
    let first = changes.first().map_or(&[][..], |change| &change.file);
    let mut head = Head::new(
        OperationKind::Tags,
        counted.max(1),
        first,
        PictureFiles::Apart,
    );
    head.undone = undone;
    let tagged = changes.iter().map(|change| TagsStep::Tagged {
        file: change.file.clone().into(),
        before: change.before.clone(),
        after: change.after.clone(),
        further: change.is_further,
    });
    let searched = searches.iter().cloned().map(TagsStep::Searched);
    let steps: Vec<TagsStep> = tagged.chain(searched).collect();
    files.save(id, &head, &steps)
}
