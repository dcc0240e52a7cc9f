//! Cleanup after a crash: an unfinished copy of a file or folder has a name that identifies its operation, and moves
//! to the trash.

use super::{Location, UndoExecutor, name_of};
use crate::error::FileError;
use crate::record::{Record, Step};
use crate::trash;
use crate::{execution, tree};

impl UndoExecutor<'_, '_> {
    /// Moves the leftovers to the trash. They are in the way of no other file, so a failure does not stop the undo.
    pub(super) fn trash_leftovers(&mut self, record: &Record) {
        let count = record.steps.len();
        for (at, step) in record.steps.iter().enumerate() {
            let tag = execution::tag(self.context.of, at);
            let (unfinished, hidden_original) = (
                tree::unfinished_name(&tag),
                tree::hidden_original_name(&tag),
            );
            let locations = match step {
                Step::Moved { from, to, state } if state.tree.is_some() => {
                    vec![(to, unfinished), (from, hidden_original)]
                }
                Step::Moved { to, .. } | Step::Copied { to, .. } => vec![(to, unfinished)],
                Step::Restored { .. } | Step::Trashed { .. } => continue,
            };
            for (number, (path, hidden)) in locations.into_iter().enumerate() {
                // Each has its own name in the trash, distinct from those of the steps.
                let number = count + 2 * at + number;
                let cleared = path
                    .bytes()
                    .and_then(|path| self.trash_leftover(&path, hidden, number));
                if let Err(error) = cleared {
                    tracing::warn!(%error, "the remains of a copy can't be moved to the trash");
                }
            }
        }
    }

    fn trash_leftover(
        &mut self,
        path: &[u8],
        hidden: Vec<u8>,
        number: usize,
    ) -> Result<(), FileError> {
        let parent = &path[..path.len() - name_of(path).len()];
        let Ok(Location { folder, name }) = self.locator.locate(&[parent, &hidden].concat()) else {
            // Its folder is not open any more, so it can't be checked.
            return Ok(());
        };
        let folder = self.locator.opened.folder(&folder)?;
        if folder.stat(&name)?.is_none() {
            return Ok(());
        }
        let trash = self.context.trash.of(&folder, &mut self.locator.trashes)?;
        let trash_name = trash::name_for(&self.context.id.to_string(), number, b"");
        trash.put(folder.entry(&name), &trash_name, self.context.at)?;
        trash.touch(self.changed_folders);
        self.changed_folders.add(&folder);
        Ok(())
    }
}
