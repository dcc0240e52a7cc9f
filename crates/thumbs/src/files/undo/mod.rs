//! Undoing: every step is looked at first, and refused where the person would lose something by it.

mod beside;
mod leftovers;
mod names;
mod obstacle;

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::MutexGuard;

use jiff::Timestamp;

use super::bin::{self, Bin, Binned, OpenBins};
use super::copying;
use super::error::FileError;
use super::place::{Folder, Looked, Opened, Touched};
use super::record::{OperationId, OperationKind, Record, State, Step};
use super::standing::Standing;
use super::{Done, FilesProgress, carry, tree, work};
use crate::access::Source;
use crate::path::clean_absolute;
use crate::roots::Roots;
use beside::{leaves, tie};

pub use obstacle::{Obstacle, Stuck};

/// What undoing a step comes to.
enum Way {
    /// It was not done, or is undone already.
    Nothing,
    /// Back to where it was.
    Back { now: Spot, then: Spot, state: State },
    /// The copy goes into the bin.
    Away { now: Spot, state: State },
    /// Out of the bin.
    Out { binned: Box<Binned>, then: Spot },
}

/// A folder, and a name in it. It is opened whenever it is needed: there may be very many.
#[derive(Clone)]
struct Spot {
    folder: Source,
    name: Vec<u8>,
}

/// By the step's place in the record.
type Ways = Vec<(usize, Way)>;

/// The same of those that can't be undone, with their names.
type AllStuck = Vec<(usize, Vec<u8>, Obstacle)>;

/// The same of those with which it failed.
type AllFailed = Vec<(usize, Vec<u8>, FileError)>;

/// What is needed to undo.
pub(super) struct Desk<'a> {
    pub(super) bin: &'a Bin,
    pub(super) roots: &'a Roots,
    /// What is undone.
    pub(super) of: OperationId,
    /// What goes into the bin is called after this undoing, as there may be others of the same operation.
    pub(super) id: OperationId,
    /// As much as can be.
    pub(super) partly: bool,
    pub(super) at: Timestamp,
}

/// Undoes what was done, the last first: all of it or nothing, unless partly. Which of the record's steps are left to
/// be undone is told too. The names are held for as long as nothing has to be copied.
pub(super) fn undo(
    record: &Record,
    desk: &Desk<'_>,
    names: MutexGuard<'_, ()>,
    progress: FilesProgress<'_>,
) -> Result<(Done, HashSet<usize>), FileError> {
    let mut places = Places::new(desk.roots);
    let (mut ways, mut stuck) = match record.head.kind {
        OperationKind::Rename => names::names_looked_at(record, &mut places)?,
        OperationKind::Move | OperationKind::Copy | OperationKind::Bin => {
            steps_looked_at(record, &mut places)?
        }
    };
    if record.head.kind == OperationKind::Rename {
        let ties = tie(record, &mut places, (&mut ways, &mut stuck))?;
        names::leave_what_is_in_the_way((&mut ways, &mut stuck), &ties, &mut places)?;
    }
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
        names::rename_back(ways, &named, (&mut done, &mut touched), &mut places)?;
    } else {
        let mut hands = Hands {
            desk,
            places: &mut places,
            touched: &mut touched,
            names: Some(names),
        };
        let (stayed, failed) = one_by_one(&mut hands, ways, (&named, &mut done), progress);
        left.extend(stayed);
        let failed = each_once(failed, record)?.into_iter();
        done.failed
            .extend(failed.map(|(_, name, error)| (name, error)));
        hands.clear_away(record);
        drop(hands);
        // If nobody can say that it lasts, the record stays: what is undone already is no work for another time.
        touched.sync()?;
    }
    done.touch(touched);
    for (_, name, why) in each_once(stuck, record)? {
        let stuck = vec![(name.clone(), why)];
        done.failed.push((name, FileError::Stuck { stuck, all: 1 }));
    }
    Ok((done, left))
}

/// Without those that only go along with others of them, so that each file is told once.
fn each_once<T>(
    mut told: Vec<(usize, Vec<u8>, T)>,
    record: &Record,
) -> Result<Vec<(usize, Vec<u8>, T)>, FileError> {
    let all = told.iter().map(|(at, ..)| *at).collect();
    let along = record.along_with(&all)?;
    told.retain(|(at, ..)| !along.contains(at));
    Ok(told)
}

fn steps_looked_at(
    record: &Record,
    places: &mut Places<'_>,
) -> Result<(Ways, AllStuck), FileError> {
    let (mut ways, mut stuck): (Ways, AllStuck) = Default::default();
    // Where something was to be replaced, and is there still, nothing came.
    let mut untouched = HashSet::new();
    for step in &record.steps {
        if let Step::Binned {
            from,
            bin,
            name,
            state,
        } = step
        {
            let path = from.bytes()?;
            let is_in_bin =
                Binned::find(&mut places.bins, &bin.bytes()?, &name.bytes()?)?.is_some();
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
            Step::Binned { .. } => continue,
        };
        sort(&mut ways, &mut stuck, at, &path, way);
    }
    tie(record, places, (&mut ways, &mut stuck))?;
    // What leaves its place by being undone is in nobody's way.
    let leaving: HashSet<Vec<u8>> = ways.iter().filter_map(|(_, way)| leaves(way)).collect();
    for (at, step) in record.steps.iter().enumerate() {
        if let Step::Binned {
            from,
            bin,
            name,
            state,
        } = step
        {
            let from = from.bytes()?;
            let binned = Binned::find(&mut places.bins, &bin.bytes()?, &name.bytes()?)?;
            let way = out(places, &from, binned, *state, &leaving);
            sort(&mut ways, &mut stuck, at, &from, way);
        }
    }
    // The last first.
    ways.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
    Ok((ways, stuck))
}

fn sort(ways: &mut Ways, stuck: &mut AllStuck, at: usize, path: &[u8], way: Result<Way, Obstacle>) {
    match way {
        Ok(way) => ways.push((at, way)),
        Err(why) => stuck.push((at, name_of(path).to_vec(), why)),
    }
}

fn back(
    places: &mut Places<'_>,
    from: &[u8],
    to: &[u8],
    state: State,
    is_untouched: bool,
) -> Result<Way, Obstacle> {
    let (then, now) = (places.spot(from)?, places.spot(to)?);
    let (before, there) = (then.look(places)?, now.look(places)?);
    if before.is_some_and(|before| state.is_it(before)) || is_untouched {
        if !is_untouched && before.is_some_and(|before| !then.is_still(places, state, before)) {
            // A part of a folder is there, of which the copy has all.
            return Err(Obstacle::Taken);
        }
        // From another disk it comes as a copy, before the original goes.
        let is_copy = !is_untouched
            && there.is_some_and(|there| !state.is_it(there) && now.is_still(places, state, there));
        return match (is_copy, there) {
            (true, Some(there)) if places.is_standing(&now, there) => Err(Obstacle::Opened),
            (true, _) => Ok(Way::Away { now, state }),
            (false, _) => Ok(Way::Nothing),
        };
    }
    match (there, before) {
        (Some(there), None) if places.is_standing(&now, there) => Err(Obstacle::Opened),
        (Some(there), None) if now.is_still(places, state, there) => {
            Ok(Way::Back { now, then, state })
        }
        (Some(there), Some(_)) if state.is_still(there) => Err(Obstacle::Taken),
        (Some(_), _) => Err(Obstacle::Changed),
        // It was never moved, and has been written on since.
        (None, Some(before)) if state.is_of(before.identity) => Ok(Way::Nothing),
        // Its numbers may be others, on a disk that was away.
        (None, Some(before)) if then.is_still(places, state, before) => Ok(Way::Nothing),
        (None, _) => Err(Obstacle::Gone),
    }
}

fn away(places: &mut Places<'_>, to: &[u8], state: State) -> Result<Way, Obstacle> {
    let now = places.spot(to)?;
    match now.look(places)? {
        None => Ok(Way::Nothing),
        // The very original: it was moved to where its copy was.
        Some(there) if state.is_it(there) => Err(Obstacle::Changed),
        Some(there) if places.is_standing(&now, there) => Err(Obstacle::Opened),
        Some(there) if now.is_still(places, state, there) => Ok(Way::Away { now, state }),
        Some(_) => Err(Obstacle::Changed),
    }
}

fn out(
    places: &mut Places<'_>,
    from: &[u8],
    binned: Option<Binned>,
    state: State,
    leaving: &HashSet<Vec<u8>>,
) -> Result<Way, Obstacle> {
    let then = places.spot(from)?;
    let before = then.look(places)?;
    match (binned, before) {
        (Some(binned), before) if before.is_none() || leaving.contains(from) => Ok(Way::Out {
            binned: Box::new(binned),
            then,
        }),
        (Some(_), _) => Err(Obstacle::Taken),
        (None, Some(before)) if state.is_still(before) => Ok(Way::Nothing),
        (None, _) => Err(Obstacle::LeftBin),
    }
}

/// The places in the record of the steps that were not undone, and those with which it failed.
fn one_by_one(
    hands: &mut Hands<'_, '_>,
    ways: Ways,
    (named, done): (&HashSet<usize>, &mut Done),
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

/// What is needed to undo steps.
struct Hands<'a, 'b> {
    desk: &'a Desk<'a>,
    places: &'a mut Places<'b>,
    touched: &'a mut Touched,
    /// Until something is to be copied.
    names: Option<MutexGuard<'a, ()>>,
}

/// Whether there was something to undo.
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
            (&now.name, hands.back(now, then, *state, (&tag, step)))
        }
        Way::Away { now, state } => (&now.name, hands.away(now, *state, at)),
        Way::Out { binned, then } => {
            let tag = work::tag(hands.desk.id, at);
            (&then.name, hands.out(binned, then, (&tag, step)))
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
        (tag, step): (&str, copying::Step<'_>),
    ) -> Result<(), FileError> {
        let from = self.still(now, state)?;
        let to = self.places.opened.folder(&then.folder)?;
        self.move_back((&from, &now.name), (&to, &then.name), (tag, step))?;
        self.touched.add(&from);
        self.touched.add(&to);
        Ok(())
    }

    fn away(&mut self, now: &Spot, state: State, at: usize) -> Result<(), FileError> {
        let from = self.still(now, state)?;
        let bin = self.desk.bin.of(&from, &mut self.places.bins)?;
        let name = bin::name_for(&self.desk.id.to_string(), at, &now.name);
        bin.put((&from, &now.name), &name, self.desk.at)?;
        bin.touch(self.touched);
        self.touched.add(&from);
        Ok(())
    }

    fn out(
        &mut self,
        binned: &Binned,
        then: &Spot,
        (tag, step): (&str, copying::Step<'_>),
    ) -> Result<(), FileError> {
        let to = self.places.opened.folder(&then.folder)?;
        self.move_back(binned.spot(), (&to, &then.name), (tag, step))?;
        binned.forget(self.touched);
        self.touched.add(&to);
        Ok(())
    }

    fn move_back(
        &mut self,
        now: (&Folder, &[u8]),
        then: (&Folder, &[u8]),
        (tag, step): (&str, copying::Step<'_>),
    ) -> Result<(), FileError> {
        if carry::name_back(now, then)? {
            return Ok(());
        }
        // A copy takes long, and sees by itself if anything is written meanwhile.
        self.names = None;
        carry::copy_back(now, then, tag, step)
    }

    /// Meanwhile somebody may have been there.
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
    fn look(&self, places: &mut Places<'_>) -> Result<Option<Looked>, Obstacle> {
        let looked = places.opened.folder(&self.folder);
        let looked = looked.and_then(|folder| folder.look(&self.name));
        looked.map_err(Obstacle::unreadable)
    }

    /// Whether what was just looked at is in this state still, with all that lies in it where that was noted.
    fn is_still(&self, places: &mut Places<'_>, state: State, looked: Looked) -> bool {
        let has = |folder: Rc<Folder>| has_still(&folder, &self.name, state);
        state.is_still(looked) && places.opened.folder(&self.folder).is_ok_and(has)
    }
}

fn has_still(folder: &Folder, name: &[u8], state: State) -> bool {
    state.tree.is_none_or(|mark| {
        // With something in it that was not copied, it is another.
        let now = tree::survey((folder, name), tree::Purpose::Copy, None);
        now.is_ok_and(|now| now.mark() == mark)
    })
}

/// Folders by their absolute paths.
struct Places<'a> {
    roots: &'a Roots,
    standing: Standing<'a>,
    opened: Opened,
    bins: OpenBins,
}

impl<'a> Places<'a> {
    fn new(roots: &'a Roots) -> Self {
        Self {
            roots,
            standing: Standing::new(roots),
            opened: Opened::default(),
            bins: OpenBins::default(),
        }
    }

    /// Whether what was just looked at may not be taken away, since it leads to a root by now.
    fn is_standing(&self, spot: &Spot, looked: Looked) -> bool {
        self.standing.holds(&spot.folder.entry(&spot.name), looked)
    }

    fn spot(&mut self, path: &[u8]) -> Result<Spot, Obstacle> {
        let name = name_of(path);
        let folder = &path[..path.len() - name.len()];
        let folder = clean_absolute(folder).ok_or(Obstacle::FolderClosed)?;
        let owner = self.roots.owner_of(&folder);
        let (root, inside) = owner.ok_or(Obstacle::FolderClosed)?;
        let folder = Source::new(root, inside);
        let opened = self.opened.folder(&folder);
        opened.map_err(Obstacle::of_folder)?;
        Ok(Spot {
            folder,
            name: name.to_vec(),
        })
    }
}

fn name_of(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or_default()
}
