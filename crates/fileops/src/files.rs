//! The file operations, one at a time, and their undo.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;
use fumikura_fs::{RelPath, RootId, Roots, Source};
use jiff::Timestamp;
use parking_lot::{Mutex, MutexGuard};

use crate::apply::CopyHooks;
use crate::error::FileError;
use crate::place::{Folder, NamedEntry, Opened, Touched, parted};
use crate::protected_paths::ProtectedPaths;
use crate::record::{Head, OperationId, OperationKind, Record, Records, Step};
use crate::steps::{ReplacedTrash, add_steps, binned_step};
use crate::transfer::{Existing, How, TransferOptions};
use crate::trash::Trash;
use crate::work::{Pace, Trashes, Work};
use crate::{apply, items, name, rename, sidecars, transfer, trash, undo};

/// Receives the completed and the total amount of work. Returns false to cancel.
pub type FilesProgress<'a> = &'a mut dyn FnMut(u64, u64) -> bool;

/// The result of an operation.
#[derive(Debug, Default)]
pub struct Done {
    /// The id with which it is undone; `None` if nothing was done.
    pub id: Option<OperationId>,
    /// The number of requested items that are in their target place.
    pub done: usize,
    /// The number of items that were skipped, by request or because nothing was to be done.
    pub skipped: usize,
    /// The failed items, with their errors.
    pub failed: Vec<(Vec<u8>, FileError)>,
    /// The folders whose content has changed.
    pub folders: BTreeSet<(RootId, RelPath)>,
}

/// An operation in the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The id with which it is undone.
    pub id: OperationId,
    /// The kind of the operation.
    pub kind: OperationKind,
    /// The time of the operation.
    pub at: Timestamp,
    /// The number of files and folders in it.
    pub count: usize,
    /// The absolute path at which the first of them was.
    pub first: Vec<u8>,
}

/// The file operations, and their undo.
pub struct Files {
    roots: Arc<Roots>,
    records: Records,
    bin: Trash,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    /// The operations that are being done or undone.
    in_hand: Mutex<HashSet<OperationId>>,
    /// Held while names of files, or their sidecars, are changed.
    names: Mutex<()>,
}

/// A guard of an operation, which no other request may undo or forget meanwhile.
pub(crate) struct OperationGuard<'a> {
    files: &'a Files,
    pub(crate) id: OperationId,
}

impl Drop for OperationGuard<'_> {
    fn drop(&mut self) {
        self.files.in_hand().remove(&self.id);
    }
}

impl Files {
    /// Creates the file operations. `folder` holds the records, and is created with the first one. `home_trash` is the
    /// home folder's trash.
    /// Creates the operations on files beneath `roots`. Their records are in the folder `undo`; `home_trash` is the trash
    /// of the home folder.
    #[must_use]
    pub fn new(
        roots: Arc<Roots>,
        folder: PathBuf,
        home_trash: Option<PathBuf>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Self {
        Self {
            roots,
            records: Records::new(folder),
            bin: Trash::new(home_trash),
            clock,
            entropy,
            in_hand: Mutex::default(),
            names: Mutex::default(),
        }
    }

    /// Locks the names of files and their sidecars. A sidecar that is written between the check and the operation
    /// would be left behind, and two concurrent changes would overwrite each other.
    pub fn hold_names(&self) -> MutexGuard<'_, ()> {
        self.names.lock()
    }

    /// Renames entries of a folder: all of them, or none.
    ///
    /// # Errors
    /// [`FileError`]; nothing was changed then.
    pub fn rename(&self, folder: &Source, names: &[(Vec<u8>, String)]) -> Result<Done, FileError> {
        for (_, new) in names {
            name::check(new).map_err(|error| FileError::InvalidName {
                name: new.clone(),
                error,
            })?;
        }
        let folder = Folder::open(folder)?;
        let _names = self.hold_names();
        let named: Vec<_> = names
            .iter()
            .map(|(old, new)| (old.clone(), new.clone().into_bytes()))
            .collect();
        let pairs = rename::planned(&folder, &named)?;
        let protected = ProtectedPaths::new(&self.roots);
        let renamed = named.iter().filter(|(old, new)| old != new).count();
        let mut done = Done {
            skipped: named.len() - renamed,
            ..Done::default()
        };
        let Some((first, _)) = pairs.first() else {
            return Ok(done);
        };
        let first = folder.place(first).absolute();
        let mut steps = Vec::with_capacity(pairs.len());
        for (old, new) in &pairs {
            let (place, looked) = (folder.place(old), folder.find(old)?);
            protected.check(&place, looked)?;
            steps.push(Step::Moved {
                from: place.absolute().into(),
                to: folder.place(new).absolute().into(),
                state: looked.into(),
            });
        }
        let head = Head::new(OperationKind::Rename, renamed, &first);
        let in_hand = self.begin();
        self.keep(in_hand.id, &Record { head, steps })?;
        if let Err(failed) = rename::carry_out(&folder, &pairs) {
            if failed.is_clean {
                self.forget(in_hand.id);
            }
            return Err(failed.error);
        }
        done.id = Some(in_hand.id);
        done.done = renamed;
        done.folders.insert((folder.root.id(), folder.path.clone()));
        Ok(done)
    }

    /// Moves files and folders into a folder.
    ///
    /// # Errors
    /// [`FileError`] if nothing was done. The result lists the items that failed if others succeeded.
    pub fn move_to(
        &self,
        to: &Source,
        items: &[Source],
        existing: Existing,
        progress: FilesProgress<'_>,
    ) -> Result<Done, FileError> {
        let how = How::Move;
        self.transfer(items, to, TransferOptions { how, existing }, progress)
    }

    /// Copies files and folders into a folder.
    ///
    /// # Errors
    /// The errors of [`move_to`](Self::move_to).
    pub fn copy_to(
        &self,
        to: &Source,
        items: &[Source],
        existing: Existing,
        progress: FilesProgress<'_>,
    ) -> Result<Done, FileError> {
        let how = How::Copy;
        self.transfer(items, to, TransferOptions { how, existing }, progress)
    }

    fn transfer(
        &self,
        items: &[Source],
        to: &Source,
        options: TransferOptions,
        progress: FilesProgress<'_>,
    ) -> Result<Done, FileError> {
        let target = Folder::open(to)?;
        let mut opened = Opened::default();
        let names = self.hold_names();
        let plan = transfer::planned(
            items,
            &target,
            options,
            &ProtectedPaths::new(&self.roots),
            &mut opened,
        )?;
        let Some(first) = plan.items.first() else {
            return Ok(Done {
                skipped: plan.skipped,
                ..Done::default()
            });
        };
        // A copy takes long, and detects concurrent writes by itself.
        let is_quick = plan.items.iter().all(|item| !item.is_copied);
        let _names = is_quick.then_some(names);
        let in_hand = self.begin();
        let replaces = plan.items.iter().any(|item| !item.replaced.is_empty());
        let mut trashes = trash::OpenTrashes::default();
        let bin = replaces
            .then(|| self.bin.of(&target, &mut trashes))
            .transpose()?;
        let how = options.how;
        let head = Head::new(
            how.kind(),
            plan.items.len(),
            &first.from.entry(&first.names[0].old).absolute(),
        );
        let mut steps = Vec::new();
        let mut binned = Vec::new();
        let (id, bin) = (in_hand.id, bin.as_ref());
        let trash = ReplacedTrash { id, bin };
        for item in &plan.items {
            let first = steps.len();
            binned.push(add_steps(&mut steps, item, &target, how, trash));
            debug_assert_eq!(steps.len() - first, item.replaced.len() + item.names.len());
        }
        let mut work = Work::new(self, in_hand, Record { head, steps }, plan.skipped)?;
        let sizes: Vec<u64> = plan.items.iter().map(transfer::Planned::size).collect();
        let mut pace = Pace::new(progress, sizes.iter().sum());
        for ((item, size), binned) in plan.items.iter().zip(sizes).zip(&binned) {
            let count = item.replaced.len() + item.names.len();
            if pace.is_over {
                work.leave(count);
                continue;
            }
            let desk = apply::Desk {
                to: &target,
                how,
                bin,
                binned,
                at: self.clock.now(),
                tags: work.tags(),
            };
            let carried = match opened.folder(&item.from) {
                Ok(from) => {
                    let mut step = |bytes| pace.step(bytes);
                    let (touched, mut note) = work.next();
                    let hooks = CopyHooks {
                        note: &mut note,
                        step: &mut step,
                    };
                    apply::carry(item, &from, &desk, touched, hooks)
                }
                Err(error) => Err(apply::Failed {
                    error,
                    left: Vec::new(),
                }),
            };
            pace.is_over |= work.note(&item.names[0].old, count, carried);
            pace.next(size);
        }
        work.end()
    }

    /// Moves files and folders to the trash, with their sidecars. An item that is gone already is no error.
    ///
    /// # Errors
    /// The errors of [`move_to`](Self::move_to).
    pub fn bin(&self, items: &[Source], progress: FilesProgress<'_>) -> Result<Done, FileError> {
        let mut opened = Opened::default();
        let mut planned: Vec<(Source, Vec<NamedEntry>)> = Vec::new();
        let mut skipped = 0;
        let items = items::named(items)?;
        let _names = self.hold_names();
        let protected = ProtectedPaths::new(&self.roots);
        for item in &items.sources {
            let (folder, name) = parted(item)?;
            let from = opened.folder(&folder)?;
            let goes = |name: &[u8]| items.goes(&from, name);
            let Some(looked) = from.look(name)? else {
                skipped += 1;
                continue;
            };
            protected.check(item, looked)?;
            let entry = NamedEntry::new(name, looked);
            if sidecars::goes_along(&from, &entry, &goes)? {
                continue;
            }
            let along = sidecars::sidecars(&from, &entry, &goes)?.into_iter();
            let along = along.map(|sidecar| NamedEntry {
                name: sidecar.name,
                looked: sidecar.looked,
            });
            let all = std::iter::once(entry).chain(along).collect();
            planned.push((folder, all));
        }
        let Some((folder, all)) = planned.first() else {
            return Ok(Done {
                skipped,
                ..Done::default()
            });
        };
        let head = Head::new(
            OperationKind::Trash,
            planned.len(),
            &folder.entry(&all[0].name).absolute(),
        );
        let in_hand = self.begin();
        let mut trashes = Trashes::new(&self.bin);
        let mut steps = Vec::new();
        for (folder, all) in &planned {
            let bin = trashes.of(folder, &mut opened)?;
            for NamedEntry { name, looked } in all {
                let binned = trash::name_for(&in_hand.id.to_string(), steps.len(), name);
                steps.push(binned_step(
                    folder.entry(name).absolute(),
                    bin,
                    binned,
                    *looked,
                ));
            }
        }
        let mut work = Work::new(self, in_hand, Record { head, steps }, skipped)?;
        let mut pace = Pace::new(progress, planned.len() as u64);
        for (folder, all) in &planned {
            if pace.is_over {
                work.leave(all.len());
                continue;
            }
            let names = work.binned_names(all.len());
            let carried = trashes.put(
                folder,
                all,
                &names,
                &mut opened,
                &mut work.touched,
                self.clock.now(),
            );
            pace.is_over |= work.note(&all[0].name, all.len(), carried);
            pace.next(1);
        }
        work.end()
    }

    /// Returns the last operations, the latest first.
    ///
    /// # Errors
    /// [`io::Error`] if the records can't be read.
    pub fn recent(&self, limit: usize) -> io::Result<Vec<Operation>> {
        let in_hand = self.in_hand().clone();
        let told = |(id, head): (OperationId, Head)| Operation {
            id,
            kind: head.kind,
            at: id.timestamp(),
            count: head.named,
            first: head.first.bytes().unwrap_or_default(),
        };
        let recent = self.records.recent(limit + in_hand.len())?.into_iter();
        let ended = recent.filter(|(id, _)| !in_hand.contains(id));
        Ok(ended.take(limit).map(told).collect())
    }

    /// Undoes an operation: completely, or, with `partly`, as far as possible.
    ///
    /// # Errors
    /// [`FileError::Stuck`] if something has changed since; nothing was changed then.
    pub fn undo(
        &self,
        id: OperationId,
        partly: bool,
        progress: FilesProgress<'_>,
    ) -> Result<Done, FileError> {
        let _in_hand = self.take(id).ok_or(FileError::AtWork)?;
        let record = self.records.get(id)?;
        let mut record = record.ok_or(FileError::UnknownOperation(id))?;
        let desk = undo::Desk {
            bin: &self.bin,
            roots: &self.roots,
            of: id,
            id: OperationId::generate(self.clock.now(), &*self.entropy),
            partly,
            at: self.clock.now(),
        };
        let (mut done, left) = undo::undo(&record, &desk, self.hold_names(), progress)?;
        if record.keep_only(&left)? {
            self.keep(id, &record)?;
            done.id = Some(id);
        } else {
            self.forget(id);
        }
        Ok(done)
    }

    fn begin(&self) -> OperationGuard<'_> {
        let id = OperationId::generate(self.clock.now(), &*self.entropy);
        self.in_hand().insert(id);
        OperationGuard { files: self, id }
    }

    /// Locks an operation. `None` while another request holds it.
    fn take(&self, id: OperationId) -> Option<OperationGuard<'_>> {
        let is_free = self.in_hand().insert(id);
        is_free.then(|| OperationGuard { files: self, id })
    }

    fn in_hand(&self) -> MutexGuard<'_, HashSet<OperationId>> {
        self.in_hand.lock()
    }

    pub(crate) fn keep(&self, id: OperationId, record: &Record) -> Result<(), FileError> {
        let kept = self.records.put(id, record);
        kept.map_err(|error| FileError::io(b"undo", error))?;
        let in_hand = self.in_hand().clone();
        self.records.prune(|id| in_hand.contains(&id));
        Ok(())
    }

    /// Deletes the record of an operation that did not happen.
    pub(crate) fn forget(&self, id: OperationId) {
        if let Err(error) = self.records.remove(id) {
            tracing::warn!(%error, "the record of what was not done can't be deleted");
        }
    }
}

impl Done {
    pub(crate) fn touch(&mut self, touched: Touched) {
        for folder in touched.into_sources() {
            self.folders.insert((folder.root(), folder.path().clone()));
        }
    }
}
