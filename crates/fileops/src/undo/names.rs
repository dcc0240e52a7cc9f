//! Undo of renames: of one folder, all at once, since the names may be in each other's way.

use std::collections::{HashMap, HashSet};

use fumikura_fs::{Source, platform::Identity};

use super::sidecars::{Ties, leaves};
use super::{Conflict, Places, Spot, UndoPlan, Way, Ways};
use crate::error::FileError;
use crate::place::{Looked, Touched};
use crate::record::{Record, State, Step};
use crate::rename;

/// Finds the current place of each file, even if files have exchanged their names.
pub(super) fn names_looked_at(
    record: &Record,
    places: &mut Places<'_>,
) -> Result<UndoPlan, FileError> {
    let mut plan = UndoPlan::default();
    let mut steps = Vec::new();
    let mut names: HashMap<Identity, Spot> = HashMap::new();
    for (at, step) in record.steps.iter().enumerate() {
        let Step::Moved { from, to, state } = step else {
            return Err(FileError::Damaged("a name was not changed".to_owned()));
        };
        let (from, to) = (from.bytes()?, to.bytes()?);
        let spots = places
            .spot(&from)
            .and_then(|then| Ok((then, places.spot(&to)?)));
        match spots {
            Ok((then, now)) => {
                for spot in [&then, &now] {
                    if let Ok(Some(looked)) = spot.look(places) {
                        names.insert(looked.identity, spot.clone());
                    }
                }
                steps.push((at, then, now, *state));
            }
            Err(why) => plan.add(at, &to, Err(why)),
        }
    }
    for (at, then, to, state) in steps {
        let way = name_back(places, &names, &then, &to, state);
        plan.add(at, &to.name, way);
    }
    Ok(plan)
}

fn name_back(
    places: &mut Places<'_>,
    names: &HashMap<Identity, Spot>,
    then: &Spot,
    to: &Spot,
    state: State,
) -> Result<Way, Conflict> {
    let Some((now, looked)) = where_now(places, names, then, to, state)? else {
        return Ok(Way::Nothing);
    };
    if places.is_standing(&now, looked) {
        return Err(Conflict::Opened);
    }
    let then = then.clone();
    Ok(Way::Back { now, then, state })
}

/// Finds the current place of a file under any name; `None` if it has its old name already.
fn where_now(
    places: &mut Places<'_>,
    names: &HashMap<Identity, Spot>,
    then: &Spot,
    to: &Spot,
    state: State,
) -> Result<Option<(Spot, Looked)>, Conflict> {
    let (there, before) = (to.look(places)?, then.look(places)?);
    let is_it = |looked: &Looked| state.is_it(*looked);
    if let Some(there) = there.filter(is_it) {
        return Ok(Some((to.clone(), there)));
    }
    if before.is_some_and(|before| is_it(&before)) {
        return Ok(None);
    }
    // In the middle of an exchange, it has the name of a third file.
    let spot = names.iter().find(|(identity, _)| state.is_of(**identity));
    if let Some((_, spot)) = spot
        && let Some(found) = spot.look(places)?.filter(is_it)
    {
        return Ok(Some((spot.clone(), found)));
    }
    match (there, before) {
        (Some(there), _) if state.is_still(there) => Ok(Some((to.clone(), there))),
        (Some(_), _) => Err(Conflict::Changed),
        (None, Some(before)) if state.is_still(before) => Ok(None),
        (None, _) => Err(Conflict::Gone),
    }
}

/// Excludes the names that are taken, and those that depend on them.
pub(super) fn leave_what_is_in_the_way(
    plan: &mut UndoPlan,
    ties: &Ties,
    places: &mut Places<'_>,
) -> Result<(), FileError> {
    loop {
        let UndoPlan { ways, stuck } = &mut *plan;
        let Some(folder) = folder_of(ways) else {
            return Ok(());
        };
        let folder = places.opened.folder(&folder)?;
        let taken: HashSet<Vec<u8>> = match rename::check_free(&folder, &pairs_of(ways)) {
            Ok(()) => return Ok(()),
            Err(FileError::Taken(names)) => names.into_iter().collect(),
            Err(error) => return Err(error),
        };
        ways.retain(|(at, way)| match way {
            Way::Back { now, then, .. } if taken.contains(&then.name) => {
                stuck.push((*at, now.name.clone(), Conflict::Taken));
                false
            }
            Way::Back { .. } | Way::Nothing | Way::Away { .. } | Way::Out { .. } => true,
        });
        ties.keep_together(plan);
    }
}

fn folder_of(ways: &Ways) -> Option<Source> {
    ways.iter().find_map(|(_, way)| match way {
        Way::Back { now, .. } => Some(now.folder.clone()),
        Way::Nothing | Way::Away { .. } | Way::Out { .. } => None,
    })
}

fn pairs_of(ways: &Ways) -> Vec<rename::Pair> {
    let pair = |(_, way): &(usize, Way)| match way {
        Way::Back { now, then, .. } => Some((now.name.clone(), then.name.clone())),
        Way::Nothing | Way::Away { .. } | Way::Out { .. } => None,
    };
    ways.iter().filter_map(pair).collect()
}

/// Restores all the names at once, since they may be in each other's way. Returns the number of named entries that have
/// their old names.
pub(super) fn rename_back(
    ways: &Ways,
    named: &HashSet<usize>,
    touched: &mut Touched,
    places: &mut Places<'_>,
) -> Result<usize, FileError> {
    let Some(folder) = folder_of(ways) else {
        return Ok(0);
    };
    let folder = places.opened.folder(&folder)?;
    let pairs = pairs_of(ways);
    rename::check_free(&folder, &pairs)?;
    rename::carry_out(&folder, &pairs).map_err(|failed| failed.error)?;
    let renamed = |(at, way): &&(usize, Way)| named.contains(at) && leaves(way).is_some();
    touched.add(&folder);
    Ok(ways.iter().filter(renamed).count())
}
