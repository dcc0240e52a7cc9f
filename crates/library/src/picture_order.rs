//! The order and the groups of pictures from any folders, as a folder has them.

use std::cmp::Reverse;

use fumikura_fs::path::extension;
use fumikura_fs::{Mtime, RelPath};
use fumikura_image::CameraName;
use fumikura_xmp::Rating;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use super::entry::{Entry, Group, GroupKey};
use super::natural::NaturalName;
use super::query::{GroupBy, Order, Sort};
use super::view::{camera_key, groups};

/// The facts of a picture by which it is arranged, beside its name and folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderFacts {
    pub size: u64,
    pub mtime: Mtime,
    /// The time of capture by the camera's own clock, as far as it has been read.
    pub taken: Option<DateTime>,
    pub rating: Option<Rating>,
    pub camera: Option<CameraName>,
    /// The number of pixels.
    pub pixels: Option<u64>,
}

impl From<&Entry> for OrderFacts {
    fn from(entry: &Entry) -> Self {
        let pixels = |head: fumikura_image::Head| u64::from(head.width) * u64::from(head.height);
        Self {
            size: entry.size,
            mtime: entry.mtime,
            taken: entry.taken(),
            rating: entry.marks.rating,
            camera: entry.camera,
            pixels: entry.head.map(pixels),
        }
    }
}

/// A picture of any folder, to be arranged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedPicture {
    /// The folder, whose path is the key of its group.
    pub folder: RelPath,
    pub name: Vec<u8>,
    pub facts: OrderFacts,
}

impl PlacedPicture {
    fn modified(&self, zone: &TimeZone) -> DateTime {
        zone.to_datetime(self.facts.mtime.timestamp())
    }

    fn taken(&self, zone: &TimeZone) -> DateTime {
        self.facts.taken.unwrap_or_else(|| self.modified(zone))
    }

    fn rating_number(&self) -> i8 {
        self.facts.rating.map_or(0, Rating::number)
    }
}

/// Pictures in an order: their numbers, and their groups, if they were requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrangedPictures {
    pub order: Vec<u32>,
    pub groups: Option<Vec<Group>>,
}

/// Sorts and groups pictures.
#[must_use]
pub fn arrange(
    pictures: &[PlacedPicture],
    sort: Sort,
    order: Order,
    group: Option<GroupBy>,
) -> ArrangedPictures {
    let count = u32::try_from(pictures.len()).expect("BUG: there are fewer than 2³² pictures");
    let arrangement = Arrangement {
        pictures,
        sort,
        order,
        zone: TimeZone::system(),
    };
    let mut all: Vec<u32> = (0..count).collect();
    arrangement.sort(&mut all);
    let groups = group.map(|by| match by {
        GroupBy::Day => arrangement.by_date(&mut all, |date| date),
        GroupBy::Month => arrangement.by_date(&mut all, Date::first_of_month),
        GroupBy::Year => arrangement.by_date(&mut all, Date::first_of_year),
        GroupBy::Camera => arrangement.by_camera(&mut all),
        GroupBy::Rating => arrangement.by_rating(&mut all),
        GroupBy::Folder => arrangement.by_folder(&mut all),
    });
    ArrangedPictures { order: all, groups }
}

struct Arrangement<'a> {
    pictures: &'a [PlacedPicture],
    sort: Sort,
    order: Order,
    zone: TimeZone,
}

impl<'a> Arrangement<'a> {
    fn at(&self, index: u32) -> &'a PlacedPicture {
        &self.pictures[index as usize]
    }

    /// Sorts by a key. Equal pictures stay in their order.
    fn by_key<K: Ord>(&self, all: &mut [u32], key: impl Fn(&'a PlacedPicture) -> K) {
        match self.order {
            Order::Ascending => all.sort_by_cached_key(|&index| key(self.at(index))),
            Order::Descending => all.sort_by_cached_key(|&index| Reverse(key(self.at(index)))),
        }
    }

    fn sort(&self, all: &mut [u32]) {
        // Equal pictures are in the order of their names, and those in the order of their folders.
        all.sort_by_cached_key(|&index| {
            (
                NaturalName::new(&self.at(index).name),
                &self.at(index).folder,
            )
        });
        let zone = &self.zone;
        match (self.sort, self.order) {
            (Sort::Name, Order::Ascending) => {}
            (Sort::Name, Order::Descending) => all.reverse(),
            (Sort::Modified, _) => self.by_key(all, |one| one.facts.mtime),
            (Sort::Size, _) => self.by_key(all, |one| one.facts.size),
            (Sort::Type, _) => self.by_key(all, |one| extension(&one.name).to_ascii_lowercase()),
            (Sort::Taken, _) => self.by_key(all, |one| one.taken(zone)),
            (Sort::Rating, _) => self.by_key(all, PlacedPicture::rating_number),
            (Sort::Camera, _) => self.by_key(all, |one| one.facts.camera.map(camera_key)),
            (Sort::Pixels, _) => self.by_key(all, |one| one.facts.pixels),
        }
    }

    /// Returns the groups of pictures that are adjacent already.
    fn groups<K: PartialEq>(
        &self,
        all: &[u32],
        key: impl Fn(&'a PlacedPicture) -> K,
        group: impl Fn(&K) -> GroupKey,
    ) -> Vec<Group> {
        let keyed: Vec<(K, u32)> = all.iter().map(|&at| (key(self.at(at)), at)).collect();
        groups(&keyed, group)
    }

    fn by_date(&self, all: &mut [u32], rounded: impl Fn(Date) -> Date) -> Vec<Group> {
        let date = |picture: &'a PlacedPicture| {
            let time = match self.sort {
                Sort::Modified => picture.modified(&self.zone),
                Sort::Name
                | Sort::Size
                | Sort::Type
                | Sort::Taken
                | Sort::Rating
                | Sort::Camera
                | Sort::Pixels => picture.taken(&self.zone),
            };
            rounded(time.date())
        };
        self.by_key(all, date);
        self.groups(all, date, |date| GroupKey::Date(Some(*date)))
    }

    /// Groups by camera, in the order of their names; pictures of unknown cameras are last.
    fn by_camera(&self, all: &mut [u32]) -> Vec<Group> {
        self.by_key(all, |one| one.facts.camera.map(camera_key));
        all.sort_by_key(|&index| self.at(index).facts.camera.is_none());
        self.groups(
            all,
            |one| one.facts.camera,
            |camera| GroupKey::Camera(*camera),
        )
    }

    /// Groups by rating, the best first whatever the direction.
    fn by_rating(&self, all: &mut [u32]) -> Vec<Group> {
        all.sort_by_key(|&index| Reverse(self.at(index).rating_number()));
        self.groups(
            all,
            |one| one.facts.rating,
            |rating| GroupKey::Rating(*rating),
        )
    }

    fn by_folder(&self, all: &mut [u32]) -> Vec<Group> {
        self.by_key(all, |one| {
            (NaturalName::new(one.folder.as_bytes()), &one.folder)
        });
        self.groups(
            all,
            |one| &one.folder,
            |folder| GroupKey::Folder((*folder).clone()),
        )
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn picture(folder: &str, name: &str, size: u64, day: i8) -> PlacedPicture {
        PlacedPicture {
            folder: RelPath::parse(folder.as_bytes()).unwrap(),
            name: name.as_bytes().to_vec(),
            facts: OrderFacts {
                size,
                mtime: Mtime {
                    seconds: size.cast_signed() * 1_000_000,
                    nanoseconds: 0,
                },
                taken: Some(date(2024, 5, day).at(12, 0, 0, 0)),
                rating: (size > 2).then_some(Rating::Four),
                camera: None,
                pixels: Some(10 - size),
            },
        }
    }

    fn pictures() -> [PlacedPicture; 4] {
        [
            picture("R/b", "img10.jpg", 1, 2),
            picture("R/a", "img2.jpg", 4, 1),
            picture("S", "img2.jpg", 3, 2),
            picture("R/a", "c.png", 2, 1),
        ]
    }

    #[test]
    fn pictures_of_all_folders_are_sorted_together() {
        let order = |sort, order| arrange(&pictures(), sort, order, None).order;
        assert_eq!(order(Sort::Name, Order::Ascending), [3, 1, 2, 0]);
        assert_eq!(order(Sort::Name, Order::Descending), [0, 2, 1, 3]);
        assert_eq!(order(Sort::Size, Order::Ascending), [0, 3, 2, 1]);
        assert_eq!(order(Sort::Modified, Order::Descending), [1, 2, 3, 0]);
        assert_eq!(order(Sort::Taken, Order::Ascending), [3, 1, 2, 0]);
        assert_eq!(order(Sort::Type, Order::Ascending), [1, 2, 0, 3]);
        // Equal ones stay in the order of their names, also downwards.
        assert_eq!(order(Sort::Rating, Order::Descending), [1, 2, 3, 0]);
        assert_eq!(order(Sort::Pixels, Order::Ascending), [1, 2, 3, 0]);
    }

    #[test]
    fn groups_are_days_ratings_or_folders() {
        let grouped = |by| arrange(&pictures(), Sort::Name, Order::Ascending, Some(by));
        let days = grouped(GroupBy::Day);
        assert_eq!(days.order, [3, 1, 2, 0]);
        let counts = |arranged: &ArrangedPictures| -> Vec<usize> {
            let groups = arranged.groups.iter().flatten();
            groups.map(|group| group.count).collect()
        };
        assert_eq!(counts(&days), [2, 2]);
        let folders = grouped(GroupBy::Folder);
        assert_eq!(folders.order, [3, 1, 0, 2]);
        assert_eq!(counts(&folders), [2, 1, 1]);
        for (by, expected) in [
            (GroupBy::Month, &[4][..]),
            (GroupBy::Year, &[4]),
            (GroupBy::Camera, &[4]),
            (GroupBy::Rating, &[2, 2]),
        ] {
            assert_eq!(counts(&grouped(by)), expected, "{by:?}");
        }
        let ratings = grouped(GroupBy::Rating);
        assert_eq!(ratings.order, [1, 2, 3, 0]);
    }
}
