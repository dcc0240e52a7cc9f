//! The order and the groups of pictures from any folders, as a folder has them.

use std::time::Duration;

use fumikura_fs::{Mtime, RelPath};
use fumikura_image::CameraName;
use fumikura_xmp::Rating;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::arrangement::{Arrangement, Facts};
use super::entry::{Entry, Group};
use super::natural::{NaturalName, sorted_by_name};
use super::query::{GroupBy, Order, Sort};

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
    /// The duration of a video.
    pub duration: Option<Duration>,
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
            duration: entry.duration,
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
        facts: &PlacedPictures(pictures),
        sort,
        order,
        zone: TimeZone::system(),
    };
    let folder = |at: u32| &pictures[at as usize].folder;
    let mut all = sorted_by_name(
        count,
        |at| &pictures[at as usize].name,
        |one, other| folder(one).cmp(folder(other)),
    );
    arrangement.sort(&mut all);
    let groups = group.map(|by| arrangement.group(&mut all, by));
    ArrangedPictures { order: all, groups }
}

/// Pictures by their numbers.
struct PlacedPictures<'a>(&'a [PlacedPicture]);

impl<'a> PlacedPictures<'a> {
    fn at(&self, at: u32) -> &'a PlacedPicture {
        &self.0[at as usize]
    }
}

impl<'a> Facts for PlacedPictures<'a> {
    type Folder = (NaturalName, &'a RelPath);

    fn is_folder(&self, _at: u32) -> bool {
        false
    }

    fn name(&self, at: u32) -> &[u8] {
        &self.at(at).name
    }

    fn size(&self, at: u32) -> Option<u64> {
        Some(self.at(at).facts.size)
    }

    fn mtime(&self, at: u32) -> Option<Mtime> {
        Some(self.at(at).facts.mtime)
    }

    fn captured(&self, at: u32) -> Option<DateTime> {
        self.at(at).facts.taken
    }

    fn camera(&self, at: u32) -> Option<CameraName> {
        self.at(at).facts.camera
    }

    fn pixels(&self, at: u32) -> Option<u64> {
        self.at(at).facts.pixels
    }

    fn duration(&self, at: u32) -> Option<Duration> {
        self.at(at).facts.duration
    }

    fn rating(&self, at: u32) -> Option<Rating> {
        self.at(at).facts.rating
    }

    fn folder(&self, at: u32) -> Self::Folder {
        let folder = &self.at(at).folder;
        (NaturalName::new(folder.as_bytes()), folder)
    }

    fn folder_path(&self, (_, folder): &Self::Folder) -> RelPath {
        (*folder).clone()
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
                duration: (size == 2).then_some(Duration::from_secs(size)),
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
        assert_eq!(order(Sort::Duration, Order::Ascending), [1, 2, 0, 3]);
        assert_eq!(order(Sort::Duration, Order::Descending), [3, 1, 2, 0]);
    }

    #[test]
    fn equal_names_are_sorted_by_folder() {
        let named = |folder, name| picture(folder, name, 1, 1);
        let pictures = [
            named("R/b", "写真10.jpg"),
            named("S", "写真２.jpg"),
            named("R/a", "写真10.jpg"),
            named("R", "写真２.jpg"),
            named("R/c", "写真2.jpg"),
        ];
        let order = |order| arrange(&pictures, Sort::Name, order, None).order;
        assert_eq!(order(Order::Ascending), [4, 3, 1, 2, 0]);
        assert_eq!(order(Order::Descending), [0, 2, 1, 3, 4]);
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
