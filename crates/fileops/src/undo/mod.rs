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
use super::place::{EntryRef, Folder, Looked, Opened, Touched};
use super::protected_paths::ProtectedPaths;
use super::record::{OperationId, OperationKind, Record, State, Step};
use super::trash::{self, OpenTrashes, Trash, Trashed};
use super::{Done, FilesProgress, apply, tree, work};
use sidecars::{leaves, tie};

/// The undo of one step.
enum Way {
    /// The step was not done, or is undone already.
    Nothing,
    /// The entry moves back to its original place.
    Back { now: Spot, then: Spot, state: State },
    /// The copy moves to the trash.
    Away { now: Spot, state: State },
    /// The entry moves out of the trash.
    Out { binned: Box<Trashed>, then: Spot },
}

/// A folder, and a name in it. The folder is opened on each use, since there may be very many.
#[derive(Clone)]
struct Spot {
    folder: Source,
    name: Vec<u8>,
}

/// The undo of each step, by its index in the record.
type Ways = Vec<(usize, Way)>;

/// The steps that can't be undone, by index, with their names.
type AllStuck = Vec<(usize, Vec<u8>, Conflict)>;

/// The plan of an undo.
#[derive(Default)]
struct UndoPlan {
    ways: Ways,
    stuck: AllStuck,
}

impl UndoPlan {
    /// Adds the undo of a step, or the conflict that prevents it. `path` is the entry that the conflict is about.
    fn add(&mut self, at: usize, path: &[u8], way: Result<Way, Conflict>) {
        match way {
            Ok(way) => self.ways.push((at, way)),
            Err(why) => self.stuck.push((at, name_of(path).to_vec(), why)),
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
type AllFailed = Vec<(usize, Vec<u8>, FileError)>;

/// The context of an undo.
pub(super) struct Desk<'a> {
    pub(super) bin: &'a Trash,
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

/// Undoes an operation, the last step first: all steps or none, unless partial. Also returns the steps that are left
/// to be undone. The names are locked until something must be copied.
pub(super) fn undo(
    record: &Record,
    desk: &Desk<'_>,
    names: MutexGuard<'_, ()>,
    progress: FilesProgress<'_>,
) -> Result<(Done, HashSet<usize>), FileError> {
    let mut places = Places::new(desk.roots);
    let mut plan = match record.head.kind {
        OperationKind::Rename => names::names_looked_at(record, &mut places)?,
        OperationKind::Move | OperationKind::Copy | OperationKind::Trash => {
            steps_looked_at(record, &mut places)?
        }
    };
    if record.head.kind == OperationKind::Rename {
        let ties = tie(record, &mut places, &mut plan)?;
        names::leave_what_is_in_the_way(&mut plan, &ties, &mut places)?;
    }
    let UndoPlan { ways, stuck } = plan;
    let is_worth_it = ways.iter().any(|(_, way)| !matches!(way, Way::Nothing));
    let named = record.named()?;
    if !(stuck.is_empty() || desk.partly && is_worth_it) {
        let told = each_once(stuck, record)?;
        return Err(FileError::Stuck {
            stuck: told.into_iter().map(|(_, name, why)| (name, why)).collect(),
            all: named.len(),
        });
    }
    let mut done = Done::default();
    let mut left: HashSet<usize> = stuck.iter().map(|(at, ..)| *at).collect();
    let mut touched = Touched::default();
    if record.head.kind == OperationKind::Rename {
        done.done = names::rename_back(&ways, &named, &mut touched, &mut places)?;
    } else {
        let mut hands = Hands {
            desk,
            places: &mut places,
            touched: &mut touched,
            names: Some(names),
        };
        let (stayed, failed) = one_by_one(&mut hands, ways, &named, &mut done, progress);
        left.extend(stayed);
        let failed = each_once(failed, record)?.into_iter();
        done.failed
            .extend(failed.map(|(_, name, error)| (name, error)));
        hands.clear_away(record);
        drop(hands);
        // If durability is unknown, the record stays: steps that are undone already are skipped at the next attempt.
        touched.sync()?;
    }
    done.touch(touched);
    for (_, name, why) in each_once(stuck, record)? {
        let stuck = vec![(name.clone(), why)];
        done.failed.push((name, FileError::Stuck { stuck, all: 1 }));
    }
    Ok((done, left))
}

/// Removes the entries that only accompany others, so that each file is reported once.
fn each_once<T>(
    mut told: Vec<(usize, Vec<u8>, T)>,
    record: &Record,
) -> Result<Vec<(usize, Vec<u8>, T)>, FileError> {
    let all = told.iter().map(|(at, ..)| *at).collect();
    let along = record.along_with(&all)?;
    told.retain(|(at, ..)| !along.contains(at));
    Ok(told)
}

fn steps_looked_at(record: &Record, places: &mut Places<'_>) -> Result<UndoPlan, FileError> {
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
            let is_in_bin =
                Trashed::find(&mut places.trashes, &bin.bytes()?, &name.bytes()?)?.is_some();
            let there = places.spot(&path).and_then(|spot| spot.look(places));
            if !is_in_bin && matches!(there, Ok(Some(there)) if state.is_it(there)) {
                untouched.insert(path);
            }
        }
    }
    for (at, step) in record.steps.iter().enumerate() {
        let (path, way) = match step {
            Step::Moved { from, to, state } => {
                let (from, to) = (from.bytes()?, to.bytes()?);
                let way = back(places, &from, &to, *state, untouched.contains(&to));
                (to, way)
            }
            Step::Copied { to, state } => {
                let to = to.bytes()?;
                let way = match untouched.contains(&to) {
                    true => Ok(Way::Nothing),
                    false => away(places, &to, *state),
                };
                (to, way)
            }
            Step::Trashed { .. } => continue,
        };
        plan.add(at, &path, way);
    }
    tie(record, places, &mut plan)?;
    // An entry that leaves its place by the undo is in no other entry's way.
    let leaving: HashSet<Vec<u8>> = plan
        .ways
        .iter()
        .filter_map(|(_, way)| leaves(way))
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
            let binned = Trashed::find(&mut places.trashes, &bin.bytes()?, &name.bytes()?)?;
            let way = out(places, &from, binned, *state, &leaving);
            plan.add(at, &from, way);
        }
    }
    // The last step comes first.
    plan.ways.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
    Ok(plan)
}

fn back(
    places: &mut Places<'_>,
    from: &[u8],
    to: &[u8],
    state: State,
    is_untouched: bool,
) -> Result<Way, Conflict> {
    let (then, now) = (places.spot(from)?, places.spot(to)?);
    let (before, there) = (then.look(places)?, now.look(places)?);
    if before.is_some_and(|before| state.is_it(before)) || is_untouched {
        if !is_untouched && before.is_some_and(|before| !then.is_still(places, state, before)) {
            // Only a part of the original folder is there; the copy is complete.
            return Err(Conflict::Taken);
        }
        // A move from another disk creates a copy before the original is deleted.
        let is_copy = !is_untouched
            && there.is_some_and(|there| !state.is_it(there) && now.is_still(places, state, there));
        return match (is_copy, there) {
            (true, Some(there)) if places.is_standing(&now, there) => Err(Conflict::Opened),
            (true, _) => Ok(Way::Away { now, state }),
            (false, _) => Ok(Way::Nothing),
        };
    }
    match (there, before) {
        (Some(there), None) if places.is_standing(&now, there) => Err(Conflict::Opened),
        (Some(there), None) if now.is_still(places, state, there) => {
            Ok(Way::Back { now, then, state })
        }
        (Some(there), Some(_)) if state.is_still(there) => Err(Conflict::Taken),
        (Some(_), _) => Err(Conflict::Changed),
        // It was never moved, and has been changed since.
        (None, Some(before)) if state.is_of(before.identity) => Ok(Way::Nothing),
        // Device and inode may differ on a disk that was mounted again.
        (None, Some(before)) if then.is_still(places, state, before) => Ok(Way::Nothing),
        (None, _) => Err(Conflict::Gone),
    }
}

fn away(places: &mut Places<'_>, to: &[u8], state: State) -> Result<Way, Conflict> {
    let now = places.spot(to)?;
    match now.look(places)? {
        None => Ok(Way::Nothing),
        // It is the original itself, moved to the place of its copy.
        Some(there) if state.is_it(there) => Err(Conflict::Changed),
        Some(there) if places.is_standing(&now, there) => Err(Conflict::Opened),
        Some(there) if now.is_still(places, state, there) => Ok(Way::Away { now, state }),
        Some(_) => Err(Conflict::Changed),
    }
}

fn out(
    places: &mut Places<'_>,
    from: &[u8],
    binned: Option<Trashed>,
    state: State,
    leaving: &HashSet<Vec<u8>>,
) -> Result<Way, Conflict> {
    let then = places.spot(from)?;
    let before = then.look(places)?;
    match (binned, before) {
        (Some(binned), before) if before.is_none() || leaving.contains(from) => Ok(Way::Out {
            binned: Box::new(binned),
            then,
        }),
        (Some(_), _) => Err(Conflict::Taken),
        (None, Some(before)) if state.is_still(before) => Ok(Way::Nothing),
        (None, _) => Err(Conflict::LeftBin),
    }
}

/// Undoes the steps one by one. Returns the indices of the steps that were not undone, and the failures.
fn one_by_one(
    hands: &mut Hands<'_, '_>,
    ways: Ways,
    named: &HashSet<usize>,
    done: &mut Done,
    progress: FilesProgress<'_>,
) -> (Vec<usize>, AllFailed) {
    let total = ways.len() as u64;
    let (mut left, mut failed) = (Vec::new(), Vec::new());
    let mut is_over = false;
    for (count, (at, way)) in ways.into_iter().enumerate() {
        if is_over {
            left.push(at);
            done.skipped += usize::from(named.contains(&at) && !matches!(way, Way::Nothing));
            continue;
        }
        let count = count as u64;
        let mut step = |_| match progress(count, total) {
            true => Ok(()),
            false => Err(FileError::Cancelled),
        };
        match follow(hands, at, &way, &mut step) {
            Ok(is_undone) => done.done += usize::from(is_undone && named.contains(&at)),
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
struct Hands<'a, 'b> {
    desk: &'a Desk<'a>,
    places: &'a mut Places<'b>,
    touched: &'a mut Touched,
    /// The lock of the names, held until something must be copied.
    names: Option<MutexGuard<'a, ()>>,
}

/// Undoes one step. Returns true if there was something to undo.
fn follow(
    hands: &mut Hands<'_, '_>,
    at: usize,
    way: &Way,
    step: copying::Step<'_>,
) -> Result<bool, (Vec<u8>, FileError)> {
    let (name, undone) = match way {
        Way::Nothing => return Ok(false),
        Way::Back { now, then, state } => {
            let tag = work::tag(hands.desk.id, at);
            (
                &now.name,
                hands.back(now, then, *state, CopyContext { tag, step }),
            )
        }
        Way::Away { now, state } => (&now.name, hands.away(now, *state, at)),
        Way::Out { binned, then } => {
            let tag = work::tag(hands.desk.id, at);
            (
                &then.name,
                hands.out(binned, then, CopyContext { tag, step }),
            )
        }
    };
    match undone {
        Ok(()) => Ok(true),
        Err(error) => Err((name.clone(), error)),
    }
}

impl Hands<'_, '_> {
    fn back(
        &mut self,
        now: &Spot,
        then: &Spot,
        state: State,
        context: CopyContext<'_>,
    ) -> Result<(), FileError> {
        let from = self.still(now, state)?;
        let to = self.places.opened.folder(&then.folder)?;
        self.move_back(from.entry(&now.name), to.entry(&then.name), context)?;
        self.touched.add(&from);
        self.touched.add(&to);
        Ok(())
    }

    fn away(&mut self, now: &Spot, state: State, at: usize) -> Result<(), FileError> {
        let from = self.still(now, state)?;
        let bin = self.desk.bin.of(&from, &mut self.places.trashes)?;
        let name = trash::name_for(&self.desk.id.to_string(), at, &now.name);
        bin.put(from.entry(&now.name), &name, self.desk.at)?;
        bin.touch(self.touched);
        self.touched.add(&from);
        Ok(())
    }

    fn out(
        &mut self,
        binned: &Trashed,
        then: &Spot,
        context: CopyContext<'_>,
    ) -> Result<(), FileError> {
        let to = self.places.opened.folder(&then.folder)?;
        self.move_back(binned.entry(), to.entry(&then.name), context)?;
        binned.forget(self.touched);
        self.touched.add(&to);
        Ok(())
    }

    fn move_back(
        &mut self,
        now: EntryRef<'_>,
        then: EntryRef<'_>,
        context: CopyContext<'_>,
    ) -> Result<(), FileError> {
        if apply::name_back(now, then)? {
            return Ok(());
        }
        // A copy takes long, and detects concurrent writes by itself.
        self.names = None;
        apply::copy_back(now, then, &context.tag, context.step)
    }

    /// Checks the state again, since it may have changed meanwhile.
    fn still(&mut self, now: &Spot, state: State) -> Result<Rc<Folder>, FileError> {
        let folder = self.places.opened.folder(&now.folder)?;
        let looked = folder.find(&now.name)?;
        match state.is_still(looked) && has_still(&folder, &now.name, state) {
            true => Ok(folder),
            false => Err(FileError::Changing(now.name.clone())),
        }
    }
}

impl Spot {
    fn look(&self, places: &mut Places<'_>) -> Result<Option<Looked>, Conflict> {
        let looked = places.opened.folder(&self.folder);
        let looked = looked.and_then(|folder| folder.look(&self.name));
        looked.map_err(Conflict::unreadable)
    }

    /// Returns true if an entry is still in this state, with all its content if that was recorded.
    fn is_still(&self, places: &mut Places<'_>, state: State, looked: Looked) -> bool {
        let has = |folder: Rc<Folder>| has_still(&folder, &self.name, state);
        state.is_still(looked) && places.opened.folder(&self.folder).is_ok_and(has)
    }
}

fn has_still(folder: &Folder, name: &[u8], state: State) -> bool {
    state.tree.is_none_or(|mark| {
        // An entry that was not copied makes the folder a different one.
        let now = tree::survey(folder.entry(name), tree::Purpose::Copy, None);
        now.is_ok_and(|now| now.mark() == mark)
    })
}

/// Folders by their absolute paths.
struct Places<'a> {
    roots: &'a Roots,
    protected: ProtectedPaths<'a>,
    opened: Opened,
    trashes: OpenTrashes,
}

impl<'a> Places<'a> {
    fn new(roots: &'a Roots) -> Self {
        Self {
            roots,
            protected: ProtectedPaths::new(roots),
            opened: Opened::default(),
            trashes: OpenTrashes::default(),
        }
    }

    /// Returns true if an entry must stay, since it leads to a root by now.
    fn is_standing(&self, spot: &Spot, looked: Looked) -> bool {
        self.protected.holds(&spot.folder.entry(&spot.name), looked)
    }

    fn spot(&mut self, path: &[u8]) -> Result<Spot, Conflict> {
        let name = name_of(path);
        let folder = &path[..path.len() - name.len()];
        let folder = clean_absolute(folder).ok_or(Conflict::FolderClosed)?;
        let owner = self.roots.owner_of(&folder);
        let (root, inside) = owner.ok_or(Conflict::FolderClosed)?;
        let folder = Source::new(root, inside);
        let opened = self.opened.folder(&folder);
        opened.map_err(Conflict::of_folder)?;
        Ok(Spot {
            folder,
            name: name.to_vec(),
        })
    }
}

fn name_of(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or_default()
}
