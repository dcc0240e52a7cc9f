//! Undo for sidecars: they go back with their picture, whatever was written into them since, and neither goes without
//! the other.

use std::collections::{HashMap, HashSet};

use fumikura_fs::NodeKind;
use fumikura_image::is_picture_name;
use fumikura_xmp::stem;

use super::{Conflict, Location, Locator, UndoAction, UndoPlan, name_of};
use crate::error::FileError;
use crate::folder::NamedEntry;
use crate::record::{Record, RecordedState, Step};
use crate::sidecars::{self, picture_of};

/// The relation of sidecars and pictures, by step index. Sidecars that are not in the record have higher numbers.
#[derive(Default)]
pub(super) struct SidecarLinks {
    /// The pictures of each sidecar.
    pictures: HashMap<usize, Vec<usize>>,
    /// The number of steps in the record.
    recorded: usize,
}

/// Relates sidecars to their pictures: recorded ones, even if they have been changed or are gone, and those that were
/// added since.
pub(super) fn link_sidecars(
    record: &Record,
    locator: &mut Locator<'_>,
    plan: &mut UndoPlan,
) -> Result<SidecarLinks, FileError> {
    let mut links = recorded_links(record)?;
    accept_changed_sidecars(record, locator, &links, plan)?;
    let UndoPlan { actions, conflicts } = &mut *plan;
    let vacated: HashSet<Vec<u8>> = actions
        .iter()
        .filter_map(|(_, action)| vacated_path(action))
        .collect();
    let mut added = Vec::new();
    for (at, action) in actions.iter() {
        if links.pictures.contains_key(at) {
            continue;
        }
        match added_sidecars(locator, action, &vacated)? {
            Ok(sidecars) => added.extend(sidecars.into_iter().map(|sidecar| (*at, sidecar))),
            Err(why) => conflicts.push((*at, name(action), why)),
        }
    }
    // Each step has three numbers: its own, and two for the leftovers of a crash.
    for (number, (picture, action)) in (3 * record.steps.len()..).zip(added) {
        links.pictures.insert(number, vec![picture]);
        actions.push((number, action));
    }
    links.keep_together(plan);
    Ok(links)
}

impl SidecarLinks {
    /// Keeps a picture and its sidecars in place if one of them can't be undone.
    pub(super) fn keep_together(&self, plan: &mut UndoPlan) {
        let UndoPlan { actions, conflicts } = plan;
        loop {
            let stays: HashSet<usize> = conflicts.iter().map(|(at, ..)| *at).collect();
            let sidecars = self.pictures.iter();
            let staying = sidecars.filter(|(sidecar, _)| stays.contains(sidecar));
            let tied: HashSet<usize> = staying.flat_map(|(_, of)| of).copied().collect();
            let before = actions.len();
            actions.retain(|(at, action)| {
                let mut pictures = self.pictures.get(at).into_iter().flatten();
                let why = if stays.contains(at) {
                    return false;
                } else if matches!(action, UndoAction::Nothing | UndoAction::Restore { .. }) {
                    return true;
                } else if tied.contains(at) {
                    Conflict::SidecarStays
                } else if pictures.any(|picture| stays.contains(picture)) {
                    Conflict::PictureStays
                } else {
                    return true;
                };
                // An entry that is not in the record can't be undone at another time.
                if *at < self.recorded {
                    conflicts.push((*at, name(action), why));
                }
                false
            });
            if actions.len() == before {
                return;
            }
        }
    }
}

/// Finds the steps of a record that are sidecars.
fn recorded_links(record: &Record) -> Result<SidecarLinks, FileError> {
    let mut paths = Vec::new();
    for (at, step) in record.steps.iter().enumerate() {
        match step {
            Step::Moved { to, .. } | Step::Copied { to, .. } | Step::Restored { to, .. } => {
                paths.push((at, to.bytes()?));
            }
            Step::Trashed { .. } => {}
        }
    }
    let mut by_path: HashMap<&[u8], usize> = HashMap::new();
    let mut by_stem: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (at, path) in &paths {
        by_path.insert(path, *at);
        if let Some(stem) = stem(path)
            && is_picture_name(path)
        {
            by_stem.entry(stem).or_default().push(*at);
        }
    }
    let mut pictures = HashMap::new();
    for (at, path) in &paths {
        if picture_of(name_of(path)).is_none() {
            continue;
        }
        let base = stem(path).unwrap_or_default();
        let own = by_path.get(base).map(|&picture| vec![picture]);
        if let Some(of) = own.or_else(|| by_stem.get(base).cloned()) {
            pictures.insert(*at, of);
        }
    }
    Ok(SidecarLinks {
        pictures,
        recorded: record.steps.len(),
    })
}

/// Accepts sidecars that were changed since, or are gone: these do not prevent the undo of their picture.
fn accept_changed_sidecars(
    record: &Record,
    locator: &mut Locator<'_>,
    links: &SidecarLinks,
    plan: &mut UndoPlan,
) -> Result<(), FileError> {
    let UndoPlan { actions, conflicts } = plan;
    let moving: HashSet<usize> = actions
        .iter()
        .filter(|(_, action)| vacated_path(action).is_some())
        .map(|(at, _)| *at)
        .collect();
    let mut left = Vec::new();
    for (at, reported, why) in conflicts.drain(..) {
        let pictures = links.pictures.get(&at);
        let is_moving =
            pictures.is_some_and(|pictures| pictures.iter().any(|one| moving.contains(one)));
        let action = match is_moving {
            true => changed_sidecar_action(&record.steps[at], locator)?,
            false => None,
        };
        match action {
            Some(action) => actions.push((at, action)),
            None => left.push((at, reported, why)),
        }
    }
    *conflicts = left;
    Ok(())
}

/// Returns the undo of a sidecar in any state; `None` if it is not a file, or its place is taken.
fn changed_sidecar_action(
    step: &Step,
    locator: &mut Locator<'_>,
) -> Result<Option<UndoAction>, FileError> {
    let (from, to) = match step {
        Step::Moved { from, to, .. } => (Some(from.bytes()?), to.bytes()?),
        Step::Copied { to, .. } | Step::Restored { to, .. } => (None, to.bytes()?),
        Step::Trashed { .. } => return Ok(None),
    };
    let Ok(now) = locator.locate(&to) else {
        return Ok(None);
    };
    let status = match now.stat(locator) {
        Ok(Some(status)) if status.stat.kind == NodeKind::File => status,
        Ok(None) => return Ok(Some(UndoAction::Nothing)),
        Ok(Some(_)) | Err(_) => return Ok(None),
    };
    let state = RecordedState::from(status);
    let Some(from) = from else {
        return Ok(Some(UndoAction::TrashCopy { now, state }));
    };
    let original = locator.locate(&from).ok();
    let original = original.filter(|original| matches!(original.stat(locator), Ok(None)));
    Ok(original.map(|original| UndoAction::MoveBack {
        now,
        original,
        state,
    }))
}

/// Returns the sidecars that were added beside a picture since, or the conflict that prevents their undo.
fn added_sidecars(
    locator: &mut Locator<'_>,
    action: &UndoAction,
    vacated: &HashSet<Vec<u8>>,
) -> Result<Result<Vec<UndoAction>, Conflict>, FileError> {
    let (now, original) = match action {
        UndoAction::MoveBack { now, original, .. } => (now, Some(original)),
        UndoAction::TrashCopy { now, .. } => (now, None),
        UndoAction::Nothing | UndoAction::Restore { .. } => return Ok(Ok(Vec::new())),
    };
    let folder = locator.opened.folder(&now.folder)?;
    let status = folder.find(&now.name)?;
    let is_moving = |name: &[u8]| vacated.contains(&folder.source_of(name).absolute());
    let mut found = Vec::new();
    for sidecar in sidecars::sidecars_of(&folder, &NamedEntry::new(&now.name, status), &is_moving)?
    {
        if is_moving(&sidecar.name) {
            continue;
        }
        let state = RecordedState::from(sidecar.status);
        let location = |folder, name| Location { folder, name };
        let now = location(now.folder.clone(), sidecar.name.clone());
        found.push(match original {
            None => UndoAction::TrashCopy { now, state },
            Some(original) => {
                let original = location(original.folder.clone(), sidecar.name_for(&original.name));
                let place = original.folder.entry(&original.name).absolute();
                if !vacated.contains(&place) && !matches!(original.stat(locator), Ok(None)) {
                    return Ok(Err(Conflict::SidecarPathTaken));
                }
                UndoAction::MoveBack {
                    now,
                    original,
                    state,
                }
            }
        });
    }
    Ok(Ok(found))
}

/// Returns the path that becomes free.
pub(super) fn vacated_path(action: &UndoAction) -> Option<Vec<u8>> {
    match action {
        UndoAction::MoveBack { now, .. } | UndoAction::TrashCopy { now, .. } => {
            Some(now.folder.entry(&now.name).absolute())
        }
        UndoAction::Nothing | UndoAction::Restore { .. } => None,
    }
}

fn name(action: &UndoAction) -> Vec<u8> {
    match action {
        UndoAction::MoveBack { now, .. } | UndoAction::TrashCopy { now, .. } => now.name.clone(),
        UndoAction::Restore { original, .. } => original.name.clone(),
        UndoAction::Nothing => Vec::new(),
    }
}
