//! The progress of an operation with several items: the completed steps, and the record of them.

use std::collections::{HashMap, HashSet};

use fumikura_fs::{Source, platform::Identity};
use jiff::Timestamp;

use super::apply::{self, Failed};
use super::error::FileError;
use super::files::OperationGuard;
use super::place::{NamedEntry, Opened, Touched};
use super::record::{Record, Step, TreeMark};
use super::trash::{OpenTrashes, Trash, TrashOf};
use super::{Done, Files, FilesProgress, OperationId};

/// The progress of the work, reported as it goes on.
pub(super) struct Pace<'a> {
    progress: FilesProgress<'a>,
    before: u64,
    copied: u64,
    total: u64,
    /// True if the work was cancelled.
    pub(super) is_over: bool,
}

impl<'a> Pace<'a> {
    pub(super) fn new(progress: FilesProgress<'a>, total: u64) -> Self {
        Self {
            progress,
            before: 0,
            copied: 0,
            total,
            is_over: false,
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
            self.is_over = true;
        }
    }
}

/// The execution of a record's steps.
pub(super) struct Work<'a> {
    files: &'a Files,
    in_hand: OperationGuard<'a>,
    record: Record,
    /// The steps that were done.
    kept: HashSet<usize>,
    /// The index of the next step.
    at: usize,
    done: Done,
    pub(super) touched: Touched,
}

impl<'a> Work<'a> {
    /// Creates the work. The record is on the disk when this returns.
    pub(super) fn new(
        files: &'a Files,
        in_hand: OperationGuard<'a>,
        record: Record,
        skipped: usize,
    ) -> Result<Self, FileError> {
        files.keep(in_hand.id, &record)?;
        Ok(Self {
            files,
            in_hand,
            record,
            kept: HashSet::new(),
            at: 0,
            done: Done {
                skipped,
                ..Done::default()
            },
            touched: Touched::default(),
        })
    }

    /// Skips an item of so many steps.
    pub(super) fn leave(&mut self, steps: usize) {
        self.at += steps;
        self.done.skipped += 1;
    }

    /// Returns the tags of the next item, which no other item has.
    pub(super) fn tags(&self) -> Tags {
        Tags {
            id: self.in_hand.id,
            first: self.at,
        }
    }

    /// Returns the touched folders, and a function that records the content of the next item's folder at once. The
    /// undo recognizes the folder by it, also after a crash.
    pub(super) fn next(
        &mut self,
    ) -> (
        &mut Touched,
        impl FnMut(TreeMark) -> Result<(), FileError> + '_,
    ) {
        let (files, id, at) = (self.files, self.in_hand.id, self.at);
        let record = &mut self.record;
        // A folder is one step: it replaces nothing, and it has no sidecars.
        let note = move |mark| match record.steps[at].set_tree(mark) {
            true => files.keep(id, record),
            false => Ok(()),
        };
        (&mut self.touched, note)
    }

    /// Records the outcome of an item of so many steps. Returns true if all other items would fail alike.
    pub(super) fn note(&mut self, name: &[u8], steps: usize, carried: Result<(), Failed>) -> bool {
        let first = self.at;
        self.at += steps;
        match carried {
            Ok(()) => {
                self.kept.extend(first..self.at);
                self.done.done += 1;
                false
            }
            Err(Failed { error, left }) => {
                self.kept.extend(left.into_iter().map(|at| first + at));
                let is_final = error.is_final();
                if matches!(error, FileError::Cancelled) && !self.kept.is_empty() {
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
    pub(super) fn binned_names(&self, count: usize) -> Vec<Vec<u8>> {
        let steps = self.record.steps.iter().skip(self.at).take(count);
        let names = steps.filter_map(|step| match step {
            Step::Trashed { name, .. } => name.bytes().ok(),
            Step::Moved { .. } | Step::Copied { .. } => None,
        });
        names.collect()
    }

    /// Syncs the folders, and stores the record of the completed steps. If there are none, the first failure is
    /// returned.
    pub(super) fn end(mut self) -> Result<Done, FileError> {
        let synced = self.touched.sync();
        let is_all = self.kept.len() == self.record.steps.len();
        if self.record.keep_only(&self.kept)? {
            if !is_all {
                self.files.keep(self.in_hand.id, &self.record)?;
            }
            self.done.id = Some(self.in_hand.id);
            // The work is done and can be undone, but may not be durable.
            synced?;
        } else {
            self.files.forget(self.in_hand.id);
            if !self.done.failed.is_empty() {
                return Err(self.done.failed.swap_remove(0).1);
            }
        }
        self.done.touch(self.touched);
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
pub(super) struct Trashes<'a> {
    bin: &'a Trash,
    opened: OpenTrashes,
    known: HashMap<Identity, TrashOf>,
}

impl<'a> Trashes<'a> {
    pub(super) fn new(bin: &'a Trash) -> Self {
        Self {
            bin,
            opened: OpenTrashes::default(),
            known: HashMap::new(),
        }
    }

    pub(super) fn of(
        &mut self,
        folder: &Source,
        opened: &mut Opened,
    ) -> Result<&TrashOf, FileError> {
        use std::collections::hash_map::Entry;
        let folder = opened.folder(folder)?;
        match self.known.entry(folder.identity) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(unknown) => Ok(unknown.insert(self.bin.of(&folder, &mut self.opened)?)),
        }
    }

    /// Moves all entries of one item to the trash, or none.
    pub(super) fn put(
        &mut self,
        folder: &Source,
        all: &[NamedEntry],
        names: &[Vec<u8>],
        opened: &mut Opened,
        touched: &mut Touched,
        at: Timestamp,
    ) -> Result<(), Failed> {
        let nothing_left = |error| Failed {
            error,
            left: Vec::new(),
        };
        let from = opened.folder(folder).map_err(nothing_left)?;
        let bin = self.of(folder, opened).map_err(nothing_left)?;
        touched.add(&from);
        bin.touch(touched);
        for (count, (entry, binned)) in all.iter().zip(names).enumerate() {
            let put = apply::check_still(&from, entry)
                .and_then(|()| bin.put(from.entry(&entry.name), binned, at));
            if let Err(error) = put {
                let before = all.iter().zip(names).take(count).enumerate();
                let left = before
                    .filter(|(_, (entry, binned))| !bin.give_back(binned, from.entry(&entry.name)));
                return Err(Failed {
                    left: left.map(|(at, _)| at).collect(),
                    error,
                });
            }
        }
        Ok(())
    }
}
