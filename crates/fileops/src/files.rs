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
use serde::Serialize;

use crate::apply::CopyHooks;
use crate::companions::PictureFiles;
use crate::error::FileError;
use crate::execution::{Execution, ProgressTracker, TrashCache};
use crate::folder::{ChangedFolders, Folder, NamedEntry, OpenFolders, split_source};
use crate::protected_paths::ProtectedPaths;
use crate::record::{Head, OperationId, OperationKind, Record, Records, Step};
use crate::steps::{ReplacedTrash, add_steps, trash_step};
use crate::tags::SearchChange;
use crate::transfer::{ExistingPolicy, TransferKind, TransferOptions};
use crate::trash::Trash;
use crate::{apply, items, name, rename, transfer, trash, undo};

/// Receives the completed and the total amount of work. Returns false to cancel.
pub type FilesProgress<'a> = &'a mut dyn FnMut(u64, u64) -> bool;

/// The result of an operation.
#[derive(Debug, Default)]
pub struct FilesOutcome {
    /// The id with which it is undone; `None` if nothing was done.
    pub id: Option<OperationId>,
    /// The id with which an undo is undone: the operation is done again. `None` if nothing was undone.
    pub redo: Option<OperationId>,
    /// The number of requested items that are in their target place.
    pub completed: usize,
    /// The number of items that were skipped, by request or because nothing was to be done.
    pub skipped: usize,
    /// The failed items, with their errors.
    pub failed: Vec<(Vec<u8>, FileError)>,
    /// The folders whose content has changed.
    pub folders: BTreeSet<(RootId, RelPath)>,
    /// The saved searches that the caller changes back: from `after` to `before`.
    pub searches: Vec<SearchChange>,
}

/// An operation in the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The id with which it is undone.
    pub id: OperationId,
    pub kind: OperationKind,
    /// The time of the operation.
    pub at: Timestamp,
    /// The number of files and folders in it.
    pub count: usize,
    /// The absolute path at which the first of them was.
    pub first: Vec<u8>,
    /// True if it was undone: with the id it is done again.
    pub undone: bool,
}

/// The file operations, and their undo.
pub struct Files {
    pub(crate) roots: Arc<Roots>,
    pub(crate) records: Records,
    trash: Trash,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    /// The operations that are being done or undone.
    running: Mutex<HashSet<OperationId>>,
    /// Held while names of files, or their sidecars, are changed.
    names: Mutex<()>,
}

/// A guard that keeps other requests from undoing or forgetting an operation.
pub(crate) struct OperationGuard<'a> {
    files: &'a Files,
    pub(crate) id: OperationId,
}

impl Drop for OperationGuard<'_> {
    fn drop(&mut self) {
        self.files.running().remove(&self.id);
    }
}

impl Files {
    /// Creates the operations on files beneath `roots`. `folder` holds their records, and is created with the first one;
    /// `home_trash` is the trash of the home folder.
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
            trash: Trash::new(home_trash),
            clock,
            entropy,
            running: Mutex::default(),
            names: Mutex::default(),
        }
    }

    /// Locks the names of files and their sidecars. A sidecar that is written between the check and the operation
    /// would be left behind, and two concurrent changes would overwrite each other.
    pub fn lock_names(&self) -> MutexGuard<'_, ()> {
        self.names.lock()
    }

    /// Renames entries of a folder: all of them, or none.
    ///
    /// # Errors
    /// [`FileError`]; nothing was changed then.
    pub fn rename(
        &self,
        folder: &Source,
        names: &[(Vec<u8>, String)],
        picture_files: PictureFiles,
    ) -> Result<FilesOutcome, FileError> {
        for (_, new) in names {
            name::check(new).map_err(|error| FileError::InvalidName {
                name: new.clone(),
                error,
            })?;
        }
        let folder = Folder::open(folder)?;
        let _names = self.lock_names();
        let requested: Vec<_> = names
            .iter()
            .map(|(old, new)| (old.clone(), new.clone().into_bytes()))
            .collect();
        let pairs = rename::plan(&folder, &requested, picture_files)?;
        let protected = ProtectedPaths::new(&self.roots);
        let renamed = requested.iter().filter(|(old, new)| old != new).count();
        let mut done = FilesOutcome {
            skipped: requested.len() - renamed,
            ..FilesOutcome::default()
        };
        let Some((first, _)) = pairs.first() else {
            return Ok(done);
        };
        let first = folder.source_of(first).absolute();
        let mut steps = Vec::with_capacity(pairs.len());
        for (old, new) in &pairs {
            let (place, status) = (folder.source_of(old), folder.find(old)?);
            protected.check(&place, status)?;
            steps.push(Step::Moved {
                from: place.absolute().into(),
                to: folder.source_of(new).absolute().into(),
                state: status.into(),
            });
        }
        let head = Head::new(OperationKind::Rename, renamed, &first, picture_files);
        let running = self.begin();
        self.save_record(running.id, &Record { head, steps })?;
        if let Err(failed) = rename::apply(&folder, &pairs) {
            if failed.is_clean {
                self.delete_record(running.id);
            }
            return Err(failed.error);
        }
        done.id = Some(running.id);
        done.completed = renamed;
        done.folders.insert((folder.root.id(), folder.path.clone()));
        Ok(done)
    }

    /// Moves files and folders into a folder. The items may be in folders that are not open.
    ///
    /// # Errors
    /// [`FileError`] if nothing was done. The result lists the items that failed if others succeeded.
    pub fn move_to(
        &self,
        to: &Source,
        items: &[Source],
        existing: ExistingPolicy,
        picture_files: PictureFiles,
        progress: FilesProgress<'_>,
    ) -> Result<FilesOutcome, FileError> {
        let kind = TransferKind::Move;
        let options = TransferOptions {
            kind,
            existing,
            picture_files,
        };
        self.transfer(items, to, options, progress)
    }

    /// Copies files and folders into a folder.
    ///
    /// # Errors
    /// The errors of [`move_to`](Self::move_to).
    pub fn copy_to(
        &self,
        to: &Source,
        items: &[Source],
        existing: ExistingPolicy,
        picture_files: PictureFiles,
        progress: FilesProgress<'_>,
    ) -> Result<FilesOutcome, FileError> {
        let kind = TransferKind::Copy;
        let options = TransferOptions {
            kind,
            existing,
            picture_files,
        };
        self.transfer(items, to, options, progress)
    }

    fn transfer(
        &self,
        items: &[Source],
        to: &Source,
        options: TransferOptions,
        progress: FilesProgress<'_>,
    ) -> Result<FilesOutcome, FileError> {
        let target = Folder::open(to)?;
        let mut opened = OpenFolders::default();
        let names = self.lock_names();
        let plan = transfer::plan(
            items,
            &target,
            options,
            &ProtectedPaths::new(&self.roots),
            &mut opened,
        )?;
        let Some(first) = plan.items.first() else {
            return Ok(FilesOutcome {
                skipped: plan.skipped,
                ..FilesOutcome::default()
            });
        };
        // A copy takes long, and detects concurrent writes by itself.
        let is_quick = plan.items.iter().all(|item| !item.is_copied);
        let _names = is_quick.then_some(names);
        let running = self.begin();
        let replaces = plan.items.iter().any(|item| !item.replaced.is_empty());
        let mut trashes = trash::OpenTrashes::default();
        let trash = replaces
            .then(|| self.trash.of(&target, &mut trashes))
            .transpose()?;
        let kind = options.kind;
        let mut head = Head::new(
            kind.operation_kind(),
            plan.items.len(),
            &first.from.entry(&first.names[0].old).absolute(),
            options.picture_files,
        );
        let is_open = |item: &transfer::PlannedItem| self.roots.get(item.from.root()).is_some();
        head.outside = !plan.items.iter().all(is_open);
        let mut steps = Vec::new();
        let mut trash_names = Vec::new();
        let (id, trash) = (running.id, trash.as_ref());
        let replaced = ReplacedTrash { id, trash };
        for item in &plan.items {
            let first = steps.len();
            trash_names.push(add_steps(&mut steps, item, &target, kind, replaced));
            debug_assert_eq!(steps.len() - first, item.replaced.len() + item.names.len());
        }
        let mut execution = Execution::new(self, running, Record { head, steps }, plan.skipped)?;
        let sizes: Vec<u64> = plan.items.iter().map(transfer::PlannedItem::size).collect();
        let mut tracker = ProgressTracker::new(progress, sizes.iter().sum());
        for ((item, size), trash_names) in plan.items.iter().zip(sizes).zip(&trash_names) {
            let count = item.replaced.len() + item.names.len();
            if tracker.is_cancelled {
                execution.skip(count);
                continue;
            }
            let context = apply::TransferContext {
                to: &target,
                kind,
                trash,
                trash_names,
                at: self.clock.now(),
                tags: execution.tags(),
            };
            let result = match opened.folder(&item.from) {
                Ok(from) => {
                    let mut step = |bytes| tracker.step(bytes);
                    let (changed_folders, mut record_tree) = execution.next();
                    let hooks = CopyHooks {
                        record_tree: &mut record_tree,
                        step: &mut step,
                    };
                    apply::transfer_item(item, &from, &context, changed_folders, hooks)
                }
                Err(error) => Err(apply::TransferFailure {
                    error,
                    left: Vec::new(),
                }),
            };
            tracker.is_cancelled |= execution.record_outcome(&item.names[0].old, count, result);
            tracker.next(size);
        }
        execution.finish()
    }

    /// Moves files and folders to the trash, with the files that accompany them. An item that is gone already is no error.
    ///
    /// # Errors
    /// The errors of [`move_to`](Self::move_to).
    pub fn trash(
        &self,
        items: &[Source],
        picture_files: PictureFiles,
        progress: FilesProgress<'_>,
    ) -> Result<FilesOutcome, FileError> {
        let mut opened = OpenFolders::default();
        let mut planned: Vec<(Source, Vec<NamedEntry>)> = Vec::new();
        let mut skipped = 0;
        let items = items::top_level_items(items)?;
        let _names = self.lock_names();
        let protected = ProtectedPaths::new(&self.roots);
        for item in &items.sources {
            let (folder, name) = split_source(item)?;
            let from = opened.folder(&folder)?;
            let is_moving = |name: &[u8]| items.contains(&from, name);
            let Some(status) = from.stat(name)? else {
                skipped += 1;
                continue;
            };
            protected.check(item, status)?;
            let entry = NamedEntry::new(name, status);
            if picture_files.is_companion(&from, &entry, &is_moving)? {
                continue;
            }
            let companions = picture_files.companions_of(&from, &entry, &is_moving)?;
            let companions = companions.into_iter().map(|companion| NamedEntry {
                name: companion.name,
                status: companion.status,
            });
            let all = std::iter::once(entry).chain(companions).collect();
            planned.push((folder, all));
        }
        let Some((folder, all)) = planned.first() else {
            return Ok(FilesOutcome {
                skipped,
                ..FilesOutcome::default()
            });
        };
        let head = Head::new(
            OperationKind::Trash,
            planned.len(),
            &folder.entry(&all[0].name).absolute(),
            picture_files,
        );
        let running = self.begin();
        let mut trashes = TrashCache::new(&self.trash);
        let mut steps = Vec::new();
        for (folder, all) in &planned {
            let trash = trashes.of(folder, &mut opened)?;
            for NamedEntry { name, status } in all {
                let trash_name = trash::name_for(&running.id.to_string(), steps.len(), name);
                steps.push(trash_step(
                    folder.entry(name).absolute(),
                    trash,
                    trash_name,
                    *status,
                ));
            }
        }
        let mut execution = Execution::new(self, running, Record { head, steps }, skipped)?;
        let mut tracker = ProgressTracker::new(progress, planned.len() as u64);
        for (folder, all) in &planned {
            if tracker.is_cancelled {
                execution.skip(all.len());
                continue;
            }
            let names = execution.trash_names(all.len());
            let result = trashes.put(
                folder,
                all,
                &names,
                &mut opened,
                &mut execution.changed_folders,
                self.clock.now(),
            );
            tracker.is_cancelled |= execution.record_outcome(&all[0].name, all.len(), result);
            tracker.next(1);
        }
        execution.finish()
    }

    /// Returns the last operations, the latest first.
    ///
    /// # Errors
    /// [`io::Error`] if the records can't be read.
    pub fn recent(&self, limit: usize) -> io::Result<Vec<Operation>> {
        let running = self.running().clone();
        let to_operation = |(id, head): (OperationId, Head)| Operation {
            id,
            kind: head.kind,
            at: id.timestamp(),
            count: head.named,
            first: head.first.bytes().unwrap_or_default(),
            undone: head.undone,
        };
        let recent = self.records.recent(limit + running.len())?.into_iter();
        let ended = recent.filter(|(id, _)| !running.contains(id));
        Ok(ended.take(limit).map(to_operation).collect())
    }

    /// Undoes an operation: completely, or, with `partly`, as far as possible. The undo is an operation itself, whose
    /// undo does the first one again.
    ///
    /// # Errors
    /// [`FileError::UndoConflicts`] if something has changed since; nothing was changed then.
    pub fn undo(
        &self,
        id: OperationId,
        partly: bool,
        progress: FilesProgress<'_>,
    ) -> Result<FilesOutcome, FileError> {
        let _guard = self.lock_operation(id).ok_or(FileError::OperationRunning)?;
        let record = self.records.get(id)?;
        let mut record = record.ok_or(FileError::UnknownOperation(id))?;
        let context = undo::UndoContext {
            trash: &self.trash,
            roots: &self.roots,
            of: id,
            id: OperationId::generate(self.clock.now(), &*self.entropy),
            partly,
            at: self.clock.now(),
        };
        let undone = undo::undo(&record, &context, self.lock_names(), progress)?;
        let mut done = undone.outcome;
        if let Some(inverse) = record.inverse(undone.steps)? {
            self.save_record(context.id, &inverse)?;
            done.redo = Some(context.id);
        }
        if record.retain_steps(&undone.left)? {
            self.save_record(id, &record)?;
            done.id = Some(id);
        } else {
            self.delete_record(id);
        }
        Ok(done)
    }

    pub(crate) fn begin(&self) -> OperationGuard<'_> {
        let id = OperationId::generate(self.clock.now(), &*self.entropy);
        self.running().insert(id);
        OperationGuard { files: self, id }
    }

    /// Locks an operation. `None` while another request holds it.
    pub(crate) fn lock_operation(&self, id: OperationId) -> Option<OperationGuard<'_>> {
        let is_free = self.running().insert(id);
        is_free.then(|| OperationGuard { files: self, id })
    }

    fn running(&self) -> MutexGuard<'_, HashSet<OperationId>> {
        self.running.lock()
    }

    pub(crate) fn save_record(&self, id: OperationId, record: &Record) -> Result<(), FileError> {
        self.save(id, &record.head, &record.steps)
    }

    pub(crate) fn save<S: Serialize>(
        &self,
        id: OperationId,
        head: &Head,
        steps: &[S],
    ) -> Result<(), FileError> {
        let stored = self.records.put(id, head, steps);
        stored.map_err(|error| FileError::io(b"undo", error))?;
        let running = self.running().clone();
        self.records.prune(|id| running.contains(&id));
        Ok(())
    }

    /// Deletes the record of an operation that did not happen.
    pub(crate) fn delete_record(&self, id: OperationId) {
        if let Err(error) = self.records.remove(id) {
            tracing::warn!(%error, "the record of an operation that did not happen can't be deleted");
        }
    }
}

impl FilesOutcome {
    pub(crate) fn touch(&mut self, changed_folders: ChangedFolders) {
        for folder in changed_folders.into_sources() {
            self.folders.insert((folder.root(), folder.path().clone()));
        }
    }
}
