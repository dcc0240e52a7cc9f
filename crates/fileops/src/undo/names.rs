//! Undo of renames: of one folder, all at once, since the names may be in each other's way.

use std::collections::{HashMap, HashSet};

use fumikura_fs::{Source, platform::Identity};

use super::sidecars::{SidecarLinks, vacated_path};
use super::{Conflict, Location, Locator, UndoAction, UndoActions, UndoPlan, moved_step};
use crate::error::FileError;
use crate::folder::{ChangedFolders, EntryStatus};
use crate::record::{Record, RecordedState, Step};
use crate::rename;

/// Finds the current place of each file, even if files have exchanged their names.
pub(super) fn plan_renames(
    record: &Record,
    locator: &mut Locator<'_>,
) -> Result<UndoPlan, FileError> {
    let mut plan = UndoPlan::default();
    let mut steps = Vec::new();
    let mut names: HashMap<Identity, Location> = HashMap::new();
    for (at, step) in record.steps.iter().enumerate() {
        let Step::Moved { from, to, state } = step else {
            return Err(FileError::Damaged("a name was not changed".to_owned()));
        };
        let (from, to) = (from.bytes()?, to.bytes()?);
        let locations = locator
            .locate(&from)
            .and_then(|original| Ok((original, locator.locate(&to)?)));
        match locations {
            Ok((original, now)) => {
                for location in [&original, &now] {
                    if let Ok(Some(status)) = location.stat(locator) {
                        names.insert(status.identity, location.clone());
                    }
                }
                steps.push((at, original, now, *state));
            }
            Err(why) => plan.add(at, &to, Err(why)),
        }
    }
    for (at, original, to, state) in steps {
        let action = plan_name_back(locator, &names, &original, &to, state);
        plan.add(at, &to.name, action);
    }
    Ok(plan)
}

fn plan_name_back(
    locator: &mut Locator<'_>,
    names: &HashMap<Identity, Location>,
    original: &Location,
    to: &Location,
    state: RecordedState,
) -> Result<UndoAction, Conflict> {
    let Some((now, status)) = current_location(locator, names, original, to, state)? else {
        return Ok(UndoAction::Nothing);
    };
    if locator.is_protected(&now, status) {
        return Err(Conflict::Opened);
    }
    let original = original.clone();
    Ok(UndoAction::MoveBack {
        now,
        original,
        state,
    })
}

/// Finds the current place of a file under any name; `None` if it has its old name already.
fn current_location(
    locator: &mut Locator<'_>,
    names: &HashMap<Identity, Location>,
    original: &Location,
    to: &Location,
    state: RecordedState,
) -> Result<Option<(Location, EntryStatus)>, Conflict> {
    let (there, before) = (to.stat(locator)?, original.stat(locator)?);
    let is_it = |status: &EntryStatus| state.is_same(*status);
    if let Some(there) = there.filter(is_it) {
        return Ok(Some((to.clone(), there)));
    }
    if before.is_some_and(|before| is_it(&before)) {
        return Ok(None);
    }
    // In the middle of an exchange, it has the name of a third file.
    let location = names
        .iter()
        .find(|(identity, _)| state.is_same_file(**identity));
    if let Some((_, location)) = location
        && let Some(found) = location.stat(locator)?.filter(is_it)
    {
        return Ok(Some((location.clone(), found)));
    }
    match (there, before) {
        (Some(there), _) if state.is_unchanged(there) => Ok(Some((to.clone(), there))),
        (Some(_), _) => Err(Conflict::Changed),
        (None, Some(before)) if state.is_unchanged(before) => Ok(None),
        (None, _) => Err(Conflict::Gone),
    }
}

/// Excludes the names that are taken, and those that depend on them.
pub(super) fn exclude_taken_names(
    plan: &mut UndoPlan,
    links: &SidecarLinks,
    locator: &mut Locator<'_>,
) -> Result<(), FileError> {
    loop {
        let UndoPlan { actions, conflicts } = &mut *plan;
        let Some(folder) = folder_of(actions) else {
            return Ok(());
        };
        let folder = locator.opened.folder(&folder)?;
        let taken: HashSet<Vec<u8>> = match rename::check_free(&folder, &pairs_of(actions)) {
            Ok(()) => return Ok(()),
            Err(FileError::Taken(names)) => names.into_iter().collect(),
            Err(error) => return Err(error),
        };
        actions.retain(|(at, action)| match action {
            UndoAction::MoveBack { now, original, .. } if taken.contains(&original.name) => {
                conflicts.push((*at, now.name.clone(), Conflict::Taken));
                false
            }
            UndoAction::MoveBack { .. }
            | UndoAction::Nothing
            | UndoAction::TrashCopy { .. }
            | UndoAction::Restore { .. } => true,
        });
        links.keep_together(plan);
    }
}

fn folder_of(actions: &UndoActions) -> Option<Source> {
    actions.iter().find_map(|(_, action)| match action {
        UndoAction::MoveBack { now, .. } => Some(now.folder.clone()),
        UndoAction::Nothing | UndoAction::TrashCopy { .. } | UndoAction::Restore { .. } => None,
    })
}

fn pairs_of(actions: &UndoActions) -> Vec<rename::Pair> {
    let pair = |(_, action): &(usize, UndoAction)| match action {
        UndoAction::MoveBack { now, original, .. } => {
            Some((now.name.clone(), original.name.clone()))
        }
        UndoAction::Nothing | UndoAction::TrashCopy { .. } | UndoAction::Restore { .. } => None,
    };
    actions.iter().filter_map(pair).collect()
}

/// Restores all the names at once, since they may be in each other's way. Returns the number of named entries that have
/// their old names, and the steps.
pub(super) fn rename_back(
    actions: &UndoActions,
    requested: &HashSet<usize>,
    changed_folders: &mut ChangedFolders,
    locator: &mut Locator<'_>,
) -> Result<(usize, Vec<Step>), FileError> {
    let Some(folder) = folder_of(actions) else {
        return Ok((0, Vec::new()));
    };
    let folder = locator.opened.folder(&folder)?;
    let pairs = pairs_of(actions);
    rename::check_free(&folder, &pairs)?;
    rename::apply(&folder, &pairs).map_err(|failed| failed.error)?;
    let renamed = |(at, action): &&(usize, UndoAction)| {
        requested.contains(at) && vacated_path(action).is_some()
    };
    changed_folders.add(&folder);
    let steps = actions.iter().rev().filter_map(|(_, action)| match action {
        UndoAction::MoveBack {
            now,
            original,
            state,
        } => Some(moved_step(now, original, *state)),
        UndoAction::Nothing | UndoAction::TrashCopy { .. } | UndoAction::Restore { .. } => None,
    });
    Ok((actions.iter().filter(renamed).count(), steps.collect()))
}
