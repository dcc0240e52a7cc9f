//! An overview of the pictures of all roots: their numbers, those taken on a day of earlier years, and the newest files.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fumikura_fs::{Ctime, RelPath, RootId, Source};
use fumikura_library::OrderFacts;
use fumikura_pictures::Pictures;
use jiff::civil::{Date, DateTime};

use crate::pictures::PictureKey;
use crate::request::Partial;
use crate::searcher::Search;

/// The number of pictures of each year, and of new pictures.
const MAX_PICTURES: usize = 24;
/// The maximum number of files whose creation is looked up: those that changed last.
const MAX_CREATED: usize = 1000;
/// The time for which it is looked up: a network drive takes long for each file.
const CREATION_TIMEOUT: Duration = Duration::from_millis(150);

/// An overview of the pictures of all roots.
#[derive(Debug)]
pub struct PictureOverview {
    /// The listed roots.
    pub roots: Vec<RootCount>,
    /// The earlier years in which pictures were taken on the day, the latest first.
    pub years: Vec<YearPictures>,
    /// The pictures that were last created or copied, the latest first.
    pub added: Vec<PicturePlace>,
    /// The reason why some may be missing.
    pub partial: Option<Partial>,
}

/// The numbers of a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RootCount {
    pub root: RootId,
    /// The number of folders with pictures below the root.
    pub folders: usize,
    /// The number of pictures in it and below it.
    pub pictures: usize,
}

/// The pictures taken on a day of a year.
#[derive(Debug)]
pub struct YearPictures {
    pub year: i16,
    /// The number of all of them.
    pub count: usize,
    /// The first ones.
    pub pictures: Vec<PicturePlace>,
}

/// A picture below a root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PicturePlace {
    pub root: RootId,
    /// The path, relative to the root.
    pub path: RelPath,
}

impl From<&PictureKey> for PicturePlace {
    fn from(key: &PictureKey) -> Self {
        Self {
            root: key.root,
            path: key.path.clone(),
        }
    }
}

impl Search {
    /// Returns the overview of the pictures of all roots; `day` names the day of earlier years. Roots that are still
    /// being listed are missing. Headers that were not read yet are read for a while, as for a search.
    pub fn picture_overview(&self, all: &Arc<Pictures>, day: Date) -> PictureOverview {
        let roots = self.pictures.folders(all);
        let roots = roots.iter().filter_map(|folders| {
            let top = folders.iter().find(|folder| folder.path.is_empty())?;
            Some(RootCount {
                root: top.root,
                folders: folders.len() - 1,
                pictures: top.pictures,
            })
        });
        let roots = roots.collect();
        let (catalogues, partial) = self.pictures.get(all);
        let pictures = || catalogues.iter().flat_map(|listed| listed.shown());
        let began = Instant::now();
        PictureOverview {
            roots,
            years: years_of(pictures(), day),
            added: added(pictures().map(|(key, _)| key), |key| {
                let is_in_time = began.elapsed() < CREATION_TIMEOUT;
                let root = all.roots().get(key.root).filter(|_| is_in_time)?;
                Source::new(root, key.path.clone()).created()
            }),
            partial,
        }
    }
}

/// Returns the pictures taken on a day of earlier years, by year.
fn years_of<'a>(
    pictures: impl Iterator<Item = (&'a PictureKey, OrderFacts)>,
    day: Date,
) -> Vec<YearPictures> {
    let mut years: BTreeMap<i16, Vec<(DateTime, &PictureKey)>> = BTreeMap::new();
    for (key, facts) in pictures {
        let is_day = |taken: &DateTime| {
            (taken.month(), taken.day()) == (day.month(), day.day()) && taken.year() < day.year()
        };
        if let Some(taken) = facts.taken.filter(is_day) {
            years.entry(taken.year()).or_default().push((taken, key));
        }
    }
    let years = years.into_iter().rev().map(|(year, mut taken)| {
        taken.sort_unstable_by(|(a, one), (b, other)| a.cmp(b).then(one.path.cmp(&other.path)));
        YearPictures {
            year,
            count: taken.len(),
            pictures: places(taken.iter().map(|(_, key)| *key)),
        }
    });
    years.collect()
}

/// Returns the pictures whose files were created last. A file whose creation is unknown counts as created by its last
/// change.
fn added<'a>(
    keys: impl Iterator<Item = &'a PictureKey>,
    created: impl Fn(&PictureKey) -> Option<Ctime>,
) -> Vec<PicturePlace> {
    type Timed<'a> = (Ctime, &'a PictureKey);
    let later = |(a, one): &Timed<'_>, (b, other): &Timed<'_>| {
        b.cmp(a).then_with(|| one.path.cmp(&other.path))
    };
    let timed = keys.filter_map(|key| Some((key.version?.ctime, key)));
    let mut changed: Vec<Timed<'_>> = timed.collect();
    if MAX_CREATED < changed.len() {
        changed.select_nth_unstable_by(MAX_CREATED, later);
        changed.truncate(MAX_CREATED);
    }
    changed.sort_unstable_by(later);
    let mut newest: Vec<Timed<'_>> = Vec::new();
    for (ctime, key) in changed {
        // A file is changed after it is created, so none of the others is newer.
        if newest.len() >= MAX_PICTURES && newest.last().is_some_and(|(last, _)| ctime < *last) {
            break;
        }
        let one = (created(key).map_or(ctime, |time| time.min(ctime)), key);
        let at = newest.partition_point(|other| later(other, &one).is_lt());
        newest.insert(at, one);
        newest.truncate(MAX_PICTURES);
    }
    places(newest.into_iter().map(|(_, key)| key))
}

fn places<'a>(keys: impl Iterator<Item = &'a PictureKey>) -> Vec<PicturePlace> {
    keys.take(MAX_PICTURES).map(PicturePlace::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    use fumikura_fs::Root;
    use jiff::civil::{date, datetime};

    fn key(path: &str, year: i16, day: i8) -> PictureKey {
        PictureKey {
            root: Root::own(b"/pictures".to_vec()).id(),
            path: RelPath::parse(path.as_bytes()).unwrap(),
            version: None,
            turn: 1,
            crop: None,
            facts: fumikura_library::OrderFacts {
                size: 1,
                mtime: fumikura_fs::Mtime {
                    seconds: 0,
                    nanoseconds: 0,
                },
                taken: Some(datetime(year, 11, day, 9, 0, 0, 0)),
                rating: None,
                camera: None,
                pixels: None,
                duration: None,
            },
        }
    }

    #[test]
    fn earlier_years_of_a_day_are_found() {
        let mut keys: Vec<_> = (0..30)
            .map(|number| key(&format!("2020/{number:02}.jpg"), 2020, 30))
            .collect();
        keys.extend([
            key("today.jpg", 2026, 30),
            key("other.jpg", 2019, 29),
            key("b.jpg", 2024, 30),
            key("a.jpg", 2024, 30),
        ]);
        let pictures = keys.iter().map(|key| (key, key.facts));
        let years = years_of(pictures, date(2026, 11, 30));
        let found = years
            .iter()
            .map(|one| (one.year, one.count, one.pictures.len()));
        assert_eq!(found.collect::<Vec<_>>(), [(2024, 2, 2), (2020, 30, 24)]);
        assert_eq!(years[0].pictures[0].path.as_bytes(), b"a.jpg");
    }

    #[test]
    fn new_files_precede_changed_ones() {
        let time = |seconds| Ctime {
            seconds,
            nanoseconds: 0,
        };
        let root = Root::own(b"/pictures".to_vec());
        let file = |name: &str, changed| {
            let path = format!("/pictures/{name}").into_bytes();
            let stat = fumikura_fs::Stat {
                kind: fumikura_fs::NodeKind::File,
                size: 1,
                mtime: fumikura_fs::Mtime {
                    seconds: 0,
                    nanoseconds: 0,
                },
                ctime: time(changed),
            };
            let id = fumikura_fs::Fingerprint::new(path, stat).id();
            PictureKey {
                root: root.id(),
                version: Some(fumikura_fs::PictureVersion {
                    id,
                    ctime: time(changed),
                }),
                ..key(name, 2020, 1)
            }
        };
        // Files that were renamed or rated since, and one whose creation is not known.
        let keys = [
            file("old.jpg", 90),
            file("new.jpg", 80),
            file("unknown.jpg", 70),
        ];
        let found = added(keys.iter(), |key| match key.path.as_bytes() {
            b"old.jpg" => Some(time(10)),
            b"new.jpg" => Some(time(79)),
            _ => None,
        });
        let names = found.iter().map(|place| place.path.as_bytes());
        let expected: [&[u8]; 3] = [b"new.jpg", b"unknown.jpg", b"old.jpg"];
        assert!(names.eq(expected));
    }
}
