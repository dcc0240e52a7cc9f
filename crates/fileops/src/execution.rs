//! The progress of an operation with several items: the completed steps, and the record of them.

use std::collections::{HashMap, HashSet};

use fumikura_fs::{Source, platform::Identity};
use jiff::Timestamp;

use super::apply::{self, TransferFailure};
use super::error::FileError;
use super::files::OperationGuard;
use super::folder::{ChangedFolders, NamedEntry, OpenFolders};
use super::record::{Record, Step, TreeMark};
use super::trash::{FolderTrash, OpenTrashes, Trash};
use super::{Files, FilesOutcome, FilesProgress, OperationId};

/// The progress of the work, reported as it goes on.
pub(super) struct ProgressTracker<'a> {
    progress: FilesProgress<'a>,
    before: u64,
    copied: u64,
    total: u64,
    /// True if the work was cancelled.
    pub(super) is_cancelled: bool,
}

impl<'a> ProgressTracker<'a> {
    pub(super) fn new(progress: FilesProgress<'a>, total: u64) -> Self {
        Self {
            progress,
            before: 0,
            copied: 0,
            total,
            is_cancelled: false,
        }
    }

    /// Reports that a part of the current item is done.
    pub(super) fn step(&mut self, part: u64) -> Result<(), FileError> {
        self.copied += part;
        let done = (self.before + self.copied).min(self.total);
        match (self.progress)(done, self.total) {
            true => Ok(()),
            false => Err(FileError::Cancelled),
        }
    }

    /// Begins the next item.
    pub(super) fn next(&mut self, size: u64) {
        self.before += size;
        self.copied = 0;
        if !(self.progress)(self.before.min(self.total), self.total) {
            self.is_cancelled = true;
        }
    }
}

/// The execution of a record's steps.
pub(super) struct Execution<'a> {
    files: &'a Files,
    guard: OperationGuard<'a>,
    record: Record,
    /// The steps that were done.
    done_steps: HashSet<usize>,
    /// The index of the next step.
    at: usize,
    done: FilesOutcome,
    pub(super) changed_folders: ChangedFolders,
}

impl<'a> Execution<'a> {
    /// Creates the work. The record is on the disk when this returns.
    pub(super) fn new(
        files: &'a Files,
        guard: OperationGuard<'a>,
        record: Record,
        skipped: usize,
    ) -> Result<Self, FileError> {
        files.save_record(guard.id, &record)?;
        Ok(Self {
            files,
            guard,
            record,
            done_steps: HashSet::new(),
            at: 0,
            done: FilesOutcome {
                skipped,
                ..FilesOutcome::default()
            },
            changed_folders: ChangedFolders::default(),
        })
    }

    /// Skips an item with this number of steps.
    pub(super) fn skip(&mut self, steps: usize) {
        self.at += steps;
        self.done.skipped += 1;
    }

    /// Returns the tags of the next item, which no other item has.
    pub(super) fn tags(&self) -> Tags {
        Tags {
            id: self.guard.id,
            first: self.at,
        }
    }

    /// Returns the touched folders, and a function that records the content of the next item's folder at once. The
    /// undo recognizes the folder by it, also after a crash.
    pub(super) fn next(
        &mut self,
    ) -> (
        &mut ChangedFolders,
        impl FnMut(TreeMark) -> Result<(), FileError> + '_,
    ) {
        let (files, id, at) = (self.files, self.guard.id, self.at);
        let record = &mut self.record;
        // A folder is one step: it replaces nothing and has no sidecars.
        let record_tree = move |mark| match record.steps[at].set_tree(mark) {
            true => files.save_record(id, record),
            false => Ok(()),
        };
        (&mut self.changed_folders, record_tree)
    }

    /// Records the outcome of an item with this number of steps. Returns true if all other items would fail in
    /// the same way.
    pub(super) fn record_outcome(
        &mut self,
        name: &[u8],
        steps: usize,
        result: Result<(), TransferFailure>,
    ) -> bool {
        let first = self.at;
        self.at += steps;
        match result {
            Ok(()) => {
                self.done_steps.extend(first..self.at);
                self.done.completed += 1;
                false
            }
            Err(TransferFailure { error, left }) => {
                self.done_steps
                    .extend(left.into_iter().map(|at| first + at));
                let is_final = error.is_final();
                if matches!(error, FileError::Cancelled) && !self.done_steps.is_empty() {
                    // The user who cancelled it needs no report.
                    self.done.skipped += 1;
                } else {
                    self.done.failed.push((name.to_vec(), error));
                }
                is_final
            }
        }
    }

    /// Returns the names of the next entries in the trash.
    pub(super) fn trash_names(&self, count: usize) -> Vec<Vec<u8>> {
        let steps = self.record.steps.iter().skip(self.at).take(count);
        let names = steps.filter_map(|step| match step {
            Step::Trashed { name, .. } => name.bytes().ok(),
            Step::Moved { .. } | Step::Copied { .. } | Step::Restored { .. } => None,
        });
        names.collect()
    }

    /// Syncs the folders, and stores the record of the completed steps. If there are none, the first failure is
    /// returned.
    pub(super) fn finish(mut self) -> Result<FilesOutcome, FileError> {
        let synced = self.changed_folders.sync();
        let is_all = self.done_steps.len() == self.record.steps.len();
        if self.record.retain_steps(&self.done_steps)? {
            if !is_all {
                self.files.save_record(self.guard.id, &self.record)?;
            }
            self.done.id = Some(self.guard.id);
            // The work is done and can be undone, but may not be durable.
            synced?;
        } else {
            self.files.delete_record(self.guard.id);
            if !self.done.failed.is_empty() {
                return Err(self.done.failed.swap_remove(0).1);
            }
        }
        self.done.touch(self.changed_folders);
        Ok(self.done)
    }
}

/// Tags that distinguish the steps of the next item from all others.
#[derive(Clone, Copy)]
pub(super) struct Tags {
    id: OperationId,
    first: usize,
}

impl Tags {
    /// Returns the tag of one of its steps, counted from its first.
    pub(super) fn of(self, at: usize) -> String {
        tag(self.id, self.first + at)
    }
}

/// Returns the tag of a step, which is part of the temporary names that the step uses.
pub(super) fn tag(id: OperationId, step: usize) -> String {
    format!("{id}-{step}")
}

/// The trash of each folder, looked up once.
pub(super) struct TrashCache<'a> {
    trash: &'a Trash,
    opened: OpenTrashes,
    by_folder: HashMap<Identity, FolderTrash>,
}

impl<'a> TrashCache<'a> {
    pub(super) fn new(trash: &'a Trash) -> Self {
        Self {
            trash,
            opened: OpenTrashes::default(),
            by_folder: HashMap::new(),
        }
    }

    pub(super) fn of(
        &mut self,
        folder: &Source,
        opened: &mut OpenFolders,
    ) -> Result<&FolderTrash, FileError> {
        use std::collections::hash_map::Entry;
        let folder = opened.folder(folder)?;
        match self.by_folder.entry(folder.identity) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(entry) => Ok(entry.insert(self.trash.of(&folder, &mut self.opened)?)),
        }
    }

    /// Moves all entries of one item to the trash, or none.
    pub(super) fn put(
        &mut self,
        folder: &Source,
        all: &[NamedEntry],
        names: &[Vec<u8>],
        opened: &mut OpenFolders,
        changed_folders: &mut ChangedFolders,
        at: Timestamp,
    ) -> Result<(), TransferFailure> {
        let nothing_left = |error| TransferFailure {
            error,
            left: Vec::new(),
        };
        let from = opened.folder(folder).map_err(nothing_left)?;
        let trash = self.of(folder, opened).map_err(nothing_left)?;
        changed_folders.add(&from);
        trash.touch(changed_folders);
        for (count, (entry, trash_name)) in all.iter().zip(names).enumerate() {
            let put = apply::check_unchanged(&from, entry)
                .and_then(|()| trash.put(from.entry(&entry.name), trash_name, at));
            if let Err(error) = put {
                let before = all.iter().zip(names).take(count).enumerate();
                let left = before.filter(|(_, (entry, trash_name))| {
                    !trash.restore(trash_name, from.entry(&entry.name))
                });
                return Err(TransferFailure {
                    left: left.map(|(at, _)| at).collect(),
                    error,
                });
            }
        }
        Ok(())
    }
}
