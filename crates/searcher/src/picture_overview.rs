//! An overview of the pictures of all roots: their numbers, those taken on a day of earlier years, and the newest files.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use fumikura_fs::{Ctime, RelPath, RootId};
use fumikura_library::PictureType;
use fumikura_pictures::Pictures;
use jiff::civil::{Date, DateTime};

use crate::pictures::PictureKey;
use crate::request::Partial;
use crate::searcher::Search;

/// The number of pictures of each year, and of new pictures.
const MAX_PICTURES: usize = 24;

/// An overview of the pictures of all roots.
#[derive(Debug)]
pub struct PictureOverview {
    /// The listed roots.
    pub roots: Vec<RootCount>,
    /// The earlier years in which pictures were taken on the day, the latest first.
    pub years: Vec<YearPictures>,
    /// The pictures that were last created, copied, moved or changed, the latest first.
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
    pub fn picture_overview(&self, pictures: &Arc<Pictures>, day: Date) -> PictureOverview {
        let roots = self.pictures.folders(pictures);
        let roots = roots.iter().filter_map(|folders| {
            let top = folders.iter().find(|folder| folder.path.is_empty())?;
            Some(RootCount {
                root: top.root,
                folders: folders.len() - 1,
                pictures: top.pictures,
            })
        });
        let roots = roots.collect();
        let (catalogues, partial) = self.pictures.get(pictures);
        let keys = || {
            let catalogues = catalogues.iter();
            catalogues.flat_map(|listed| {
                let items = (0..listed.len()).filter_map(|number| listed.get(number));
                items.map(|(_, key)| key)
            })
        };
        PictureOverview {
            roots,
            years: years_of(keys(), day),
            added: added(keys()),
            partial,
        }
    }
}

/// Returns the pictures taken on a day of earlier years, by year.
fn years_of<'a>(keys: impl Iterator<Item = &'a PictureKey>, day: Date) -> Vec<YearPictures> {
    let mut years: BTreeMap<i16, Vec<(DateTime, &PictureKey)>> = BTreeMap::new();
    for key in keys {
        let is_day = |taken: &DateTime| {
            (taken.month(), taken.day()) == (day.month(), day.day()) && taken.year() < day.year()
        };
        if let Some(taken) = key.facts.taken.filter(is_day) {
            years.entry(taken.year()).or_default().push((taken, key));
        }
    }
    let years = years.into_iter().rev().map(|(year, mut taken)| {
        taken.sort_unstable_by(|(a, one), (b, other)| a.cmp(b).then(one.path.cmp(&other.path)));
        let shown = shown_once(taken.into_iter().map(|(_, key)| key));
        YearPictures {
            year,
            count: shown.len(),
            pictures: places(&shown),
        }
    });
    years.collect()
}

/// Returns the pictures whose files changed last.
fn added<'a>(keys: impl Iterator<Item = &'a PictureKey>) -> Vec<PicturePlace> {
    let timed = keys.filter_map(|key| Some((key.version?.ctime, key)));
    let mut newest: Vec<(Ctime, &PictureKey)> = timed.collect();
    let later = |(a, one): &(Ctime, &PictureKey), (b, other): &(Ctime, &PictureKey)| {
        b.cmp(a).then(one.path.cmp(&other.path))
    };
    // Some are other files of the same pictures.
    let enough = 3 * MAX_PICTURES;
    if enough < newest.len() {
        newest.select_nth_unstable_by(enough, later);
        newest.truncate(enough);
    }
    newest.sort_unstable_by(later);
    places(&shown_once(newest.into_iter().map(|(_, key)| key)))
}

fn places(keys: &[&PictureKey]) -> Vec<PicturePlace> {
    let first = keys.iter().take(MAX_PICTURES);
    first.map(|&key| PicturePlace::from(key)).collect()
}

/// Returns one file of each picture: a raw file, its JPEG and the video of a Live Photo have the same name.
fn shown_once<'a>(keys: impl Iterator<Item = &'a PictureKey>) -> Vec<&'a PictureKey> {
    let mut places: HashMap<(RootId, &[u8]), usize> = HashMap::new();
    let mut shown: Vec<&PictureKey> = Vec::new();
    for key in keys {
        let path = key.path.as_bytes();
        let end = path.iter().rposition(|&byte| byte == b'.');
        let stem = &path[..end.unwrap_or(path.len())];
        match places.get(&(key.root, stem)) {
            Some(&at) if !is_companion(key) && is_companion(shown[at]) => {
                shown[at] = key;
            }
            Some(&at) if is_companion(key) || is_companion(shown[at]) => {}
            Some(_) | None => {
                places.insert((key.root, stem), shown.len());
                shown.push(key);
            }
        }
    }
    shown
}

/// Returns true for a raw file or a video, which another file of the name represents.
fn is_companion(key: &PictureKey) -> bool {
    let kind = PictureType::name_of_file(key.path.as_bytes());
    matches!(kind, Some("raw" | "video"))
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
        let years = years_of(keys.iter(), date(2026, 11, 30));
        let found = years
            .iter()
            .map(|one| (one.year, one.count, one.pictures.len()));
        assert_eq!(found.collect::<Vec<_>>(), [(2024, 2, 2), (2020, 30, 24)]);
        assert_eq!(years[0].pictures[0].path.as_bytes(), b"a.jpg");
    }

    #[test]
    fn files_of_one_picture_are_shown_once() {
        let names = [
            "a.nef", "a.jpg", "b.heic", "b.mov", "c.jpg", "c.png", "d.mp4",
        ];
        let keys = names.map(|name| key(name, 2020, 1));
        let shown = shown_once(keys.iter());
        let shown = shown.iter().map(|key| key.path.as_bytes());
        let expected = ["a.jpg", "b.heic", "c.jpg", "c.png", "d.mp4"];
        assert!(shown.eq(expected.map(str::as_bytes)));
    }
}
