//! Undo for sidecars: they go back with their picture, whatever was written into them since, and neither goes without
//! the other.

use std::collections::{HashMap, HashSet};

use fumikura_fs::NodeKind;
use fumikura_image::is_picture_name;
use fumikura_xmp::stem;

use super::{Conflict, Places, Spot, UndoPlan, Way, name_of};
use crate::error::FileError;
use crate::place::NamedEntry;
use crate::record::{Record, State, Step};
use crate::sidecars::{self, picture_of};

/// The relation of sidecars and pictures, by step index. Sidecars that are not in the record have higher numbers.
#[derive(Default)]
pub(super) struct Ties {
    /// The pictures of each sidecar.
    pictures: HashMap<usize, Vec<usize>>,
    /// The number of steps in the record.
    recorded: usize,
}

/// Relates sidecars to their pictures: recorded ones, even if they have been changed or are gone, and those that were
/// added since.
pub(super) fn tie(
    record: &Record,
    places: &mut Places<'_>,
    plan: &mut UndoPlan,
) -> Result<Ties, FileError> {
    let mut ties = recorded(record)?;
    take_as_they_are(record, places, &ties, plan)?;
    let UndoPlan { ways, stuck } = &mut *plan;
    let leaving: HashSet<Vec<u8>> = ways.iter().filter_map(|(_, way)| leaves(way)).collect();
    let mut came = Vec::new();
    for (at, way) in ways.iter() {
        if ties.pictures.contains_key(at) {
            continue;
        }
        match came_since(places, way, &leaving)? {
            Ok(sidecars) => came.extend(sidecars.into_iter().map(|sidecar| (*at, sidecar))),
            Err(why) => stuck.push((*at, name(way), why)),
        }
    }
    // Each step has three numbers: its own, and two for the leftovers of a crash.
    for (number, (picture, way)) in (3 * record.steps.len()..).zip(came) {
        ties.pictures.insert(number, vec![picture]);
        ways.push((number, way));
    }
    ties.keep_together(plan);
    Ok(ties)
}

impl Ties {
    /// Keeps a picture and its sidecars in place if one of them can't be undone.
    pub(super) fn keep_together(&self, plan: &mut UndoPlan) {
        let UndoPlan { ways, stuck } = plan;
        loop {
            let stays: HashSet<usize> = stuck.iter().map(|(at, ..)| *at).collect();
            let sidecars = self.pictures.iter();
            let staying = sidecars.filter(|(sidecar, _)| stays.contains(sidecar));
            let tied: HashSet<usize> = staying.flat_map(|(_, of)| of).copied().collect();
            let before = ways.len();
            ways.retain(|(at, way)| {
                let mut pictures = self.pictures.get(at).into_iter().flatten();
                let why = if stays.contains(at) {
                    return false;
                } else if matches!(way, Way::Nothing | Way::Out { .. }) {
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
                    stuck.push((*at, name(way), why));
                }
                false
            });
            if ways.len() == before {
                return;
            }
        }
    }
}

/// Finds the steps of a record that are sidecars.
fn recorded(record: &Record) -> Result<Ties, FileError> {
    let mut places = Vec::new();
    for (at, step) in record.steps.iter().enumerate() {
        match step {
            Step::Moved { to, .. } | Step::Copied { to, .. } => places.push((at, to.bytes()?)),
            Step::Trashed { .. } => {}
        }
    }
    let mut by_path: HashMap<&[u8], usize> = HashMap::new();
    let mut by_stem: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (at, path) in &places {
        by_path.insert(path, *at);
        if let Some(stem) = stem(path)
            && is_picture_name(path)
        {
            by_stem.entry(stem).or_default().push(*at);
        }
    }
    let mut pictures = HashMap::new();
    for (at, path) in &places {
        if picture_of(name_of(path)).is_none() {
            continue;
        }
        let base = stem(path).unwrap_or_default();
        let own = by_path.get(base).map(|&picture| vec![picture]);
        if let Some(of) = own.or_else(|| by_stem.get(base).cloned()) {
            pictures.insert(*at, of);
        }
    }
    Ok(Ties {
        pictures,
        recorded: record.steps.len(),
    })
}

/// Accepts sidecars that were changed since, or are gone: these do not prevent the undo of their picture.
fn take_as_they_are(
    record: &Record,
    places: &mut Places<'_>,
    ties: &Ties,
    plan: &mut UndoPlan,
) -> Result<(), FileError> {
    let UndoPlan { ways, stuck } = plan;
    let going: HashSet<usize> = ways
        .iter()
        .filter(|(_, way)| leaves(way).is_some())
        .map(|(at, _)| *at)
        .collect();
    let mut left = Vec::new();
    for (at, told, why) in stuck.drain(..) {
        let pictures = ties.pictures.get(&at);
        let goes = pictures.is_some_and(|pictures| pictures.iter().any(|one| going.contains(one)));
        let way = match goes {
            true => as_it_is(&record.steps[at], places)?,
            false => None,
        };
        match way {
            Some(way) => ways.push((at, way)),
            None => left.push((at, told, why)),
        }
    }
    *stuck = left;
    Ok(())
}

/// Returns the undo of a sidecar in any state; `None` if it is no file, or its place is taken.
fn as_it_is(step: &Step, places: &mut Places<'_>) -> Result<Option<Way>, FileError> {
    let (from, to) = match step {
        Step::Moved { from, to, .. } => (Some(from.bytes()?), to.bytes()?),
        Step::Copied { to, .. } => (None, to.bytes()?),
        Step::Trashed { .. } => return Ok(None),
    };
    let Ok(now) = places.spot(&to) else {
        return Ok(None);
    };
    let looked = match now.look(places) {
        Ok(Some(looked)) if looked.stat.kind == NodeKind::File => looked,
        Ok(None) => return Ok(Some(Way::Nothing)),
        Ok(Some(_)) | Err(_) => return Ok(None),
    };
    let state = State::from(looked);
    let Some(from) = from else {
        return Ok(Some(Way::Away { now, state }));
    };
    let then = places.spot(&from).ok();
    let then = then.filter(|then| matches!(then.look(places), Ok(None)));
    Ok(then.map(|then| Way::Back { now, then, state }))
}

/// Returns the sidecars that were added beside a picture since, or the conflict that prevents their undo.
fn came_since(
    places: &mut Places<'_>,
    way: &Way,
    leaving: &HashSet<Vec<u8>>,
) -> Result<Result<Vec<Way>, Conflict>, FileError> {
    let (now, then) = match way {
        Way::Back { now, then, .. } => (now, Some(then)),
        Way::Away { now, .. } => (now, None),
        Way::Nothing | Way::Out { .. } => return Ok(Ok(Vec::new())),
    };
    let folder = places.opened.folder(&now.folder)?;
    let looked = folder.find(&now.name)?;
    let goes = |name: &[u8]| leaving.contains(&folder.place(name).absolute());
    let mut found = Vec::new();
    for sidecar in sidecars::sidecars(&folder, &NamedEntry::new(&now.name, looked), &goes)? {
        if goes(&sidecar.name) {
            continue;
        }
        let state = State::from(sidecar.looked);
        let spot = |folder, name| Spot { folder, name };
        let now = spot(now.folder.clone(), sidecar.name.clone());
        found.push(match then {
            None => Way::Away { now, state },
            Some(then) => {
                let then = spot(then.folder.clone(), sidecar.beside(&then.name));
                let place = then.folder.entry(&then.name).absolute();
                if !leaving.contains(&place) && !matches!(then.look(places), Ok(None)) {
                    return Ok(Err(Conflict::SidecarInTheWay));
                }
                Way::Back { now, then, state }
            }
        });
    }
    Ok(Ok(found))
}

/// Returns the path that becomes free.
pub(super) fn leaves(way: &Way) -> Option<Vec<u8>> {
    match way {
        Way::Back { now, .. } | Way::Away { now, .. } => {
            Some(now.folder.entry(&now.name).absolute())
        }
        Way::Nothing | Way::Out { .. } => None,
    }
}

fn name(way: &Way) -> Vec<u8> {
    match way {
        Way::Back { now, .. } | Way::Away { now, .. } => now.name.clone(),
        Way::Out { then, .. } => then.name.clone(),
        Way::Nothing => Vec::new(),
    }
}
