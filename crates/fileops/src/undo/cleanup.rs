//! Cleanup after a crash: an unfinished copy of a file or folder has a name that identifies its operation, and moves
//! to the trash.

use super::{Hands, Spot, name_of};
use crate::error::FileError;
use crate::record::{Record, Step};
use crate::trash;
use crate::{tree, work};

impl Hands<'_, '_> {
    /// Moves the leftovers to the trash. They are in the way of no other file, so a failure does not stop the undo.
    pub(super) fn clear_away(&mut self, record: &Record) {
        let count = record.steps.len();
        for (at, step) in record.steps.iter().enumerate() {
            let tag = work::tag(self.desk.of, at);
            let (unfinished, leaving) = (tree::unfinished(&tag), tree::leaving(&tag));
            let places = match step {
                Step::Moved { from, to, state } if state.tree.is_some() => {
                    vec![(to, unfinished), (from, leaving)]
                }
                Step::Moved { to, .. } | Step::Copied { to, .. } => vec![(to, unfinished)],
                Step::Trashed { .. } => continue,
            };
            for (number, (path, hidden)) in places.into_iter().enumerate() {
                // Each has its own name in the trash, distinct from those of the steps.
                let number = count + 2 * at + number;
                let cleared = path
                    .bytes()
                    .and_then(|path| self.clear(&path, hidden, number));
                if let Err(error) = cleared {
                    tracing::warn!(%error, "what was left of a copy stays where it is");
                }
            }
        }
    }

    fn clear(&mut self, path: &[u8], hidden: Vec<u8>, number: usize) -> Result<(), FileError> {
        let beside = &path[..path.len() - name_of(path).len()];
        let Ok(Spot { folder, name }) = self.places.spot(&[beside, &hidden].concat()) else {
            // Its folder is not open any more, so it can't be checked.
            return Ok(());
        };
        let folder = self.places.opened.folder(&folder)?;
        if folder.look(&name)?.is_none() {
            return Ok(());
        }
        let bin = self.desk.bin.of(&folder, &mut self.places.trashes)?;
        let binned = trash::name_for(&self.desk.id.to_string(), number, b"");
        bin.put(folder.entry(&name), &binned, self.desk.at)?;
        bin.touch(self.touched);
        self.touched.add(&folder);
        Ok(())
    }
}
