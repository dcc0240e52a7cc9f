//! Undo of file operations: every step is checked first, and refused if the user would lose data by it.

mod cleanup;
mod names;
mod sidecars;

use std::collections::HashSet;
use std::rc::Rc;

use fumikura_fs::{Roots, Source, clean_absolute};
use jiff::Timestamp;
use parking_lot::MutexGuard;

use super::conflict::Conflict;
use super::copying;
use super::error::FileError;
use super::folder::{ChangedFolders, EntryRef, EntryStatus, Folder, OpenFolders, given_folder};
use super::protected_paths::ProtectedPaths;
use super::record::{OperationId, OperationKind, Record, RecordedState, Step};
use super::trash::{self, OpenTrashes, Trash, TrashEntry};
use super::{FilesOutcome, FilesProgress, apply, execution, tree};
use sidecars::{link_sidecars, vacated_path};

/// The undo of one step.
enum UndoAction {
    /// The step was not done, or is undone already.
    Nothing,
    /// The entry moves back to its original place.
    MoveBack {
        now: Location,
        original: Location,
        state: RecordedState,
    },
    /// The copy moves to the trash.
    TrashCopy { now: Location, state: RecordedState },
    /// The entry moves out of the trash.
    Restore {
        trash_entry: Box<TrashEntry>,
        original: Location,
    },
}

/// A folder, and a name in it. The folder is opened on each use, since there may be very many.
#[derive(Clone)]
struct Location {
    folder: Source,
    name: Vec<u8>,
}

/// The undo of each step, by its index in the record.
type UndoActions = Vec<(usize, UndoAction)>;

/// The steps that can't be undone, by index, with their names.
type Conflicts = Vec<(usize, Vec<u8>, Conflict)>;

#[derive(Default)]
struct UndoPlan {
    actions: UndoActions,
    conflicts: Conflicts,
}

impl UndoPlan {
    /// Adds the undo of a step, or the conflict that prevents it. `path` is the entry that the conflict is about.
    fn add(&mut self, at: usize, path: &[u8], action: Result<UndoAction, Conflict>) {
        match action {
            Ok(action) => self.actions.push((at, action)),
            Err(why) => self.conflicts.push((at, name_of(path).to_vec(), why)),
        }
    }
}

/// The context of a step that may copy.
struct CopyContext<'a> {
    /// The tag of the step, which is part of the temporary names.
    tag: String,
    step: copying::Step<'a>,
}

/// The steps that failed, by index, with their names.
type Failures = Vec<(usize, Vec<u8>, FileError)>;

pub(super) struct UndoContext<'a> {
    pub(super) trash: &'a Trash,
    pub(super) roots: &'a Roots,
    /// The operation that is undone.
    pub(super) of: OperationId,
    /// The id of this undo, from which names in the trash are derived: the same operation may be undone in several
    /// parts.
    pub(super) id: OperationId,
    /// True if the undo may be partial.
    pub(super) partly: bool,
    pub(super) at: Timestamp,
}

/// The result of an undo.
pub(super) struct Undone {
    pub(super) outcome: FilesOutcome,
    /// The steps that are left to be undone.
    pub(super) left: HashSet<usize>,
    /// The steps of the undo, by which the operation is done again.
    pub(super) steps: Vec<Step>,
}

/// Undoes an operation, the last step first: all steps or none, unless partial. The names are locked until something
/// must be copied.
pub(super) fn undo(
    record: &Record,
    context: &UndoContext<'_>,
    names: MutexGuard<'_, ()>,
    progress: FilesProgress<'_>,
) -> Result<Undone, FileError> {
    let mut locator = Locator::new(context.roots, record.head.outside);
    let mut plan = match record.head.kind {
        OperationKind::Rename => names::plan_renames(record, &mut locator)?,
        OperationKind::Move | OperationKind::Copy | OperationKind::Trash => {
            plan_steps(record, &mut locator)?
        }
        OperationKind::Tags => {
            let why = "it changes tags".to_owned();
            return Err(FileError::Damaged(why));
        }
    };
    if record.head.kind == OperationKind::Rename {
        let links = link_sidecars(record, &mut locator, &mut plan)?;
        names::exclude_taken_names(&mut plan, &links, &mut locator)?;
    }
    let UndoPlan { actions, conflicts } = plan;
    let has_actions = actions
        .iter()
        .any(|(_, action)| !matches!(action, UndoAction::Nothing));
    let requested = record.requested()?;
    if !(conflicts.is_empty() || context.partly && has_actions) {
        let reported = without_companions(conflicts, record)?;
        return Err(FileError::UndoConflicts {
            conflicts: reported
                .into_iter()
                .map(|(_, name, why)| (name, why))
                .collect(),
            total: requested.len(),
        });
    }
    let mut done = FilesOutcome::default();
    let mut left: HashSet<usize> = conflicts.iter().map(|(at, ..)| *at).collect();
    let mut changed_folders = ChangedFolders::default();
    let steps;
    if record.head.kind == OperationKind::Rename {
        (done.completed, steps) =
            names::rename_back(&actions, &requested, &mut changed_folders, &mut locator)?;
    } else {
        let mut executor = UndoExecutor {
            record,
            context,
            locator: &mut locator,
            changed_folders: &mut changed_folders,
            names: Some(names),
            steps: Vec::new(),
        };
        let (stayed, failed) = execute(&mut executor, actions, &requested, &mut done, progress);
        left.extend(stayed);
        let failed = without_companions(failed, record)?.into_iter();
        done.failed
            .extend(failed.map(|(_, name, error)| (name, error)));
        executor.trash_leftovers(record);
        steps = std::mem::take(&mut executor.steps);
        drop(executor);
        // If durability is unknown, the record stays: steps that are undone already are skipped at the next attempt.
        changed_folders.sync()?;
    }
    done.touch(changed_folders);
    for (_, name, why) in without_companions(conflicts, record)? {
        let conflicts = vec![(name.clone(), why)];
        done.failed.push((
            name,
            FileError::UndoConflicts {
                conflicts,
                total: 1,
            },
        ));
    }
    Ok(Undone {
        outcome: done,
        left,
        steps,
    })
}

/// Removes the entries that only accompany others, so that each file is reported once.
fn without_companions<T>(
    mut reported: Vec<(usize, Vec<u8>, T)>,
    record: &Record,
) -> Result<Vec<(usize, Vec<u8>, T)>, FileError> {
    let indexes = reported.iter().map(|(at, ..)| *at).collect();
    let companions = record.companions_among(&indexes)?;
    reported.retain(|(at, ..)| !companions.contains(at));
    Ok(reported)
}

fn plan_steps(record: &Record, locator: &mut Locator<'_>) -> Result<UndoPlan, FileError> {
    let mut plan = UndoPlan::default();
    // If an entry was to be replaced and is still there, its replacement never arrived.
    let mut untouched = HashSet::new();
    for step in &record.steps {
        if let Step::Trashed {
            from,
            bin,
            name,
            state,
        } = step
        {
            let path = from.bytes()?;
            let is_in_trash =
                TrashEntry::find(&mut locator.trashes, &bin.bytes()?, &name.bytes()?)?.is_some();
            let current = locator
                .locate(&path)
                .and_then(|location| location.stat(locator));
            if !is_in_trash && matches!(current, Ok(Some(current)) if state.is_same(current)) {
                untouched.insert(path);
            }
        }
    }
    // An entry that was restored leaves its place before another one comes back to it.
    let mut freed = HashSet::new();
    for (at, step) in record.steps.iter().enumerate() {
        let Step::Restored { to, state } = step else {
            continue;
        };
        let to = to.bytes()?;
        let action = plan_trash_restored(locator, &to, *state);
        if let Ok(UndoAction::TrashCopy { .. }) = action {
            freed.insert(to.clone());
        }
        plan.add(at, &to, action);
    }
    for (at, step) in record.steps.iter().enumerate() {
        let (path, action) = match step {
            Step::Moved { from, to, state } => {
                let (from, to) = (from.bytes()?, to.bytes()?);
                let place = OriginalPlace {
                    is_untouched: untouched.contains(&to),
                    is_freed: freed.contains(&from),
                };
                let action = plan_move_back(locator, &from, &to, *state, place);
                (to, action)
            }
            Step::Copied { to, state } => {
                let to = to.bytes()?;
                let action = match untouched.contains(&to) {
                    true => Ok(UndoAction::Nothing),
                    false => plan_trash_copy(locator, &to, *state),
                };
                (to, action)
            }
            Step::Restored { .. } | Step::Trashed { .. } => continue,
        };
        plan.add(at, &path, action);
    }
    link_sidecars(record, locator, &mut plan)?;
    // An entry that leaves its place by the undo is in no other entry's way.
    let vacated: HashSet<Vec<u8>> = plan
        .actions
        .iter()
        .filter_map(|(_, action)| vacated_path(action))
        .collect();
    for (at, step) in record.steps.iter().enumerate() {
        if let Step::Trashed {
            from,
            bin,
            name,
            state,
        } = step
        {
            let from = from.bytes()?;
            let trash_entry =
                TrashEntry::find(&mut locator.trashes, &bin.bytes()?, &name.bytes()?)?;
            let action = plan_restore(locator, &from, trash_entry, *state, &vacated);
            plan.add(at, &from, action);
        }
    }
    // The last step comes first.
    plan.actions.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
    Ok(plan)
}

/// The place to which an entry moves back.
#[derive(Clone, Copy)]
struct OriginalPlace {
    /// True if the entry has never left it.
    is_untouched: bool,
    /// True if another entry leaves it first.
    is_freed: bool,
}

fn plan_move_back(
    locator: &mut Locator<'_>,
    from: &[u8],
    to: &[u8],
    state: RecordedState,
    OriginalPlace {
        is_untouched,
        is_freed,
    }: OriginalPlace,
) -> Result<UndoAction, Conflict> {
    let (original, now) = (locator.locate(from)?, locator.locate(to)?);
    let (before, there) = (original.stat(locator)?, now.stat(locator)?);
    let before = before.filter(|_| !is_freed);
    if before.is_some_and(|before| state.is_same(before)) || is_untouched {
        if !is_untouched
            && before.is_some_and(|before| !original.is_unchanged(locator, state, before))
        {
            // Only a part of the original folder is there; the copy is complete.
            return Err(Conflict::Taken);
        }
        // A move from another disk creates a copy before the original is deleted.
        let is_copy = !is_untouched
            && there.is_some_and(|there| {
                !state.is_same(there) && now.is_unchanged(locator, state, there)
            });
        return match (is_copy, there) {
            (true, Some(there)) if locator.is_protected(&now, there) => Err(Conflict::Opened),
            (true, _) => Ok(UndoAction::TrashCopy { now, state }),
            (false, _) => Ok(UndoAction::Nothing),
        };
    }
    match (there, before) {
        (Some(there), None) if locator.is_protected(&now, there) => Err(Conflict::Opened),
        (Some(there), None) if now.is_unchanged(locator, state, there) => {
            Ok(UndoAction::MoveBack {
                now,
                original,
                state,
            })
        }
        (Some(there), Some(_)) if state.is_unchanged(there) => Err(Conflict::Taken),
        (Some(_), _) => Err(Conflict::Changed),
        // It was never moved, and has been changed since.
        (None, Some(before)) if state.is_same_file(before.identity) => Ok(UndoAction::Nothing),
        // Device and inode may differ on a disk that was mounted again.
        (None, Some(before)) if original.is_unchanged(locator, state, before) => {
            Ok(UndoAction::Nothing)
        }
        (None, _) => Err(Conflict::Gone),
    }
}

fn plan_trash_copy(
    locator: &mut Locator<'_>,
    to: &[u8],
    state: RecordedState,
) -> Result<UndoAction, Conflict> {
    let now = locator.locate(to)?;
    match now.stat(locator)? {
        // It is the original itself, moved to the place of its copy.
        Some(there) if state.is_same(there) => Err(Conflict::Changed),
        _ => plan_trash_restored(locator, to, state),
    }
}

fn plan_trash_restored(
    locator: &mut Locator<'_>,
    to: &[u8],
    state: RecordedState,
) -> Result<UndoAction, Conflict> {
    let now = locator.locate(to)?;
    match now.stat(locator)? {
        None => Ok(UndoAction::Nothing),
        Some(there) if locator.is_protected(&now, there) => Err(Conflict::Opened),
        Some(there) if now.is_unchanged(locator, state, there) => {
            Ok(UndoAction::TrashCopy { now, state })
        }
        Some(_) => Err(Conflict::Changed),
    }
}

fn plan_restore(
    locator: &mut Locator<'_>,
    from: &[u8],
    trash_entry: Option<TrashEntry>,
    state: RecordedState,
    vacated: &HashSet<Vec<u8>>,
) -> Result<UndoAction, Conflict> {
    let original = locator.locate(from)?;
    let before = original.stat(locator)?;
    match (trash_entry, before) {
        (Some(trash_entry), before) if before.is_none() || vacated.contains(from) => {
            Ok(UndoAction::Restore {
                trash_entry: Box::new(trash_entry),
                original,
            })
        }
        (Some(_), _) => Err(Conflict::Taken),
        (None, Some(before)) if state.is_unchanged(before) => Ok(UndoAction::Nothing),
        (None, _) => Err(Conflict::NotInTrash),
    }
}

/// Undoes the steps one by one. Returns the indices of the steps that were not undone, and the failures.
fn execute(
    executor: &mut UndoExecutor<'_, '_>,
    actions: UndoActions,
    requested: &HashSet<usize>,
    done: &mut FilesOutcome,
    progress: FilesProgress<'_>,
) -> (Vec<usize>, Failures) {
    let total = actions.len() as u64;
    let (mut left, mut failed) = (Vec::new(), Vec::new());
    let mut is_over = false;
    for (count, (at, action)) in actions.into_iter().enumerate() {
        if is_over {
            left.push(at);
            done.skipped +=
                usize::from(requested.contains(&at) && !matches!(action, UndoAction::Nothing));
            continue;
        }
        let count = count as u64;
        let mut step = |_| match progress(count, total) {
            true => Ok(()),
            false => Err(FileError::Cancelled),
        };
        match execute_action(executor, at, &action, &mut step) {
            Ok(is_undone) => done.completed += usize::from(is_undone && requested.contains(&at)),
            Err((name, error)) => {
                left.push(at);
                failed.push((at, name, error));
            }
        }
        is_over = !progress(count + 1, total);
    }
    (left, failed)
}

/// The mutable context of an undo.
struct UndoExecutor<'a, 'b> {
    record: &'a Record,
    context: &'a UndoContext<'a>,
    locator: &'a mut Locator<'b>,
    changed_folders: &'a mut ChangedFolders,
    /// The lock of the names, held until something must be copied.
    names: Option<MutexGuard<'a, ()>>,
    /// The steps that were done.
    steps: Vec<Step>,
}

/// Undoes one step. Returns true if there was something to undo.
fn execute_action(
    executor: &mut UndoExecutor<'_, '_>,
    at: usize,
    action: &UndoAction,
    step: copying::Step<'_>,
) -> Result<bool, (Vec<u8>, FileError)> {
    let (name, undone) = match action {
        UndoAction::Nothing => return Ok(false),
        UndoAction::MoveBack {
            now,
            original,
            state,
        } => {
            let tag = execution::tag(executor.context.id, at);
            (
                &now.name,
                executor.move_back(now, original, *state, CopyContext { tag, step }),
            )
        }
        UndoAction::TrashCopy { now, state } => (&now.name, executor.trash_copy(now, *state, at)),
        UndoAction::Restore {
            trash_entry,
            original,
        } => {
            let tag = execution::tag(executor.context.id, at);
            (
                &original.name,
                executor.restore(trash_entry, original, CopyContext { tag, step }),
            )
        }
    };
    match undone {
        Ok(()) => Ok(true),
        Err(error) => Err((name.clone(), error)),
    }
}

impl UndoExecutor<'_, '_> {
    fn move_back(
        &mut self,
        now: &Location,
        original: &Location,
        state: RecordedState,
        context: CopyContext<'_>,
    ) -> Result<(), FileError> {
        let from = self.checked_folder(now, state)?;
        let to = self.locator.opened.folder(&original.folder)?;
        self.rename_or_copy(from.entry(&now.name), to.entry(&original.name), context)?;
        self.steps.push(moved_step(now, original, state));
        self.changed_folders.add(&from);
        self.changed_folders.add(&to);
        Ok(())
    }

    fn trash_copy(
        &mut self,
        now: &Location,
        state: RecordedState,
        at: usize,
    ) -> Result<(), FileError> {
        let from = self.checked_folder(now, state)?;
        let trash = self.context.trash.of(&from, &mut self.locator.trashes)?;
        let name = trash::name_for(&self.context.id.to_string(), at, &now.name);
        trash.put(from.entry(&now.name), &name, self.context.at)?;
        // The copy of an interrupted move is not wanted again: its original is still there.
        if !matches!(self.record.steps.get(at), Some(Step::Moved { .. })) {
            self.steps.push(Step::Trashed {
                from: now.absolute().into(),
                bin: trash.path().to_vec().into(),
                name: name.into(),
                state,
            });
        }
        trash.touch(self.changed_folders);
        self.changed_folders.add(&from);
        Ok(())
    }

    fn restore(
        &mut self,
        trash_entry: &TrashEntry,
        original: &Location,
        context: CopyContext<'_>,
    ) -> Result<(), FileError> {
        let to = self.locator.opened.folder(&original.folder)?;
        let in_trash = trash_entry.entry();
        let state = in_trash.folder.find(in_trash.name)?.into();
        self.rename_or_copy(in_trash, to.entry(&original.name), context)?;
        self.steps.push(Step::Restored {
            to: original.absolute().into(),
            state,
        });
        trash_entry.delete_info(self.changed_folders);
        self.changed_folders.add(&to);
        Ok(())
    }

    fn rename_or_copy(
        &mut self,
        now: EntryRef<'_>,
        original: EntryRef<'_>,
        context: CopyContext<'_>,
    ) -> Result<(), FileError> {
        if apply::rename_back(now, original)? {
            return Ok(());
        }
        // A copy takes long, and detects concurrent writes by itself.
        self.names = None;
        apply::copy_back(now, original, &context.tag, context.step)
    }

    /// Checks the state again, since it may have changed meanwhile.
    fn checked_folder(
        &mut self,
        now: &Location,
        state: RecordedState,
    ) -> Result<Rc<Folder>, FileError> {
        let folder = self.locator.opened.folder(&now.folder)?;
        let status = folder.find(&now.name)?;
        match state.is_unchanged(status) && has_same_tree(&folder, &now.name, state) {
            true => Ok(folder),
            false => Err(FileError::Changing(now.name.clone())),
        }
    }
}

fn moved_step(now: &Location, original: &Location, state: RecordedState) -> Step {
    Step::Moved {
        from: now.absolute().into(),
        to: original.absolute().into(),
        state,
    }
}

impl Location {
    fn absolute(&self) -> Vec<u8> {
        self.folder.entry(&self.name).absolute()
    }

    fn stat(&self, locator: &mut Locator<'_>) -> Result<Option<EntryStatus>, Conflict> {
        let status = locator.opened.folder(&self.folder);
        let status = status.and_then(|folder| folder.stat(&self.name));
        status.map_err(Conflict::unreadable)
    }

    /// Returns true if an entry is still in this state, with all its content if that was recorded.
    fn is_unchanged(
        &self,
        locator: &mut Locator<'_>,
        state: RecordedState,
        status: EntryStatus,
    ) -> bool {
        let has = |folder: Rc<Folder>| has_same_tree(&folder, &self.name, state);
        state.is_unchanged(status) && locator.opened.folder(&self.folder).is_ok_and(has)
    }
}

fn has_same_tree(folder: &Folder, name: &[u8], state: RecordedState) -> bool {
    state.tree.is_none_or(|mark| {
        // An entry that was not copied makes the folder a different one.
        let now = tree::scan(folder.entry(name), tree::Purpose::Copy, None);
        now.is_ok_and(|now| now.mark() == mark)
    })
}

/// Folders by their absolute paths.
struct Locator<'a> {
    roots: &'a Roots,
    /// True if folders that are not open are opened as well.
    is_outside: bool,
    protected: ProtectedPaths<'a>,
    opened: OpenFolders,
    trashes: OpenTrashes,
}

impl<'a> Locator<'a> {
    fn new(roots: &'a Roots, is_outside: bool) -> Self {
        Self {
            roots,
            is_outside,
            protected: ProtectedPaths::new(roots),
            opened: OpenFolders::default(),
            trashes: OpenTrashes::default(),
        }
    }

    /// Returns true if an entry must stay, since it leads to a root by now.
    fn is_protected(&self, location: &Location, status: EntryStatus) -> bool {
        self.protected
            .contains(&location.folder.entry(&location.name), status)
    }

    fn locate(&mut self, path: &[u8]) -> Result<Location, Conflict> {
        let name = name_of(path);
        let folder = &path[..path.len() - name.len()];
        let folder = clean_absolute(folder).map_err(|_| Conflict::FolderClosed)?;
        let folder = match self.roots.owner_of(&folder) {
            Some((root, inside)) => Source::new(root, inside),
            None if self.is_outside => given_folder(folder),
            None => return Err(Conflict::FolderClosed),
        };
        let opened = self.opened.folder(&folder);
        opened.map_err(Conflict::of_folder)?;
        Ok(Location {
            folder,
            name: name.to_vec(),
        })
    }
}

fn name_of(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or_default()
}
