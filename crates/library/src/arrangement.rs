//! The order and the groups of entries: of a folder, or of pictures from any folders.

use std::cmp::Reverse;
use std::time::Duration;

use fumikura_fs::path::extension;
use fumikura_fs::{Mtime, RelPath};
use fumikura_image::CameraName;
use fumikura_xmp::Rating;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use super::entry::{Group, GroupKey};
use super::query::{GroupBy, Order, Sort};

/// The facts by which entries are arranged, as far as they are known. Entries are identified by their numbers.
pub(super) trait Facts {
    /// A folder that contains entries, in the order in which folders are grouped.
    type Folder: Ord;

    fn is_folder(&self, at: u32) -> bool;
    fn name(&self, at: u32) -> &[u8];
    fn size(&self, at: u32) -> Option<u64>;
    fn mtime(&self, at: u32) -> Option<Mtime>;
    /// The time of capture, by the camera's own clock.
    fn captured(&self, at: u32) -> Option<DateTime>;
    fn camera(&self, at: u32) -> Option<CameraName>;
    /// The number of pixels.
    fn pixels(&self, at: u32) -> Option<u64>;
    /// The duration of a video.
    fn duration(&self, at: u32) -> Option<Duration>;
    fn rating(&self, at: u32) -> Option<Rating>;
    fn folder(&self, at: u32) -> Self::Folder;
    /// Returns the key of a folder's group.
    fn folder_path(&self, folder: &Self::Folder) -> RelPath;
}

/// An arrangement of entries by their facts.
pub(super) struct Arrangement<'a, F> {
    pub(super) facts: &'a F,
    pub(super) sort: Sort,
    pub(super) order: Order,
    /// The time zone of modification times.
    pub(super) zone: TimeZone,
}

impl<F: Facts> Arrangement<'_, F> {
    fn modified(&self, at: u32) -> Option<DateTime> {
        let mtime = self.facts.mtime(at);
        mtime.map(|mtime| self.zone.to_datetime(mtime.timestamp()))
    }

    /// Returns the time of capture. Without one, the file's modification time counts.
    pub(super) fn taken(&self, at: u32) -> Option<DateTime> {
        self.facts.captured(at).or_else(|| self.modified(at))
    }

    /// Sorts entries, folders first. They arrive sorted by name, and equal ones stay in that order.
    pub(super) fn sort(&self, all: &mut [u32]) {
        let facts = self.facts;
        match (self.sort, self.order) {
            (Sort::Name, Order::Ascending) => {}
            (Sort::Name, Order::Descending) => all.reverse(),
            (Sort::Modified, _) => self.by_key(all, |at| facts.mtime(at)),
            (Sort::Size, _) => {
                self.by_key(all, |at| facts.size(at).filter(|_| !facts.is_folder(at)))
            }
            (Sort::Type, _) => self.by_key(all, |at| {
                let of_file = || extension(facts.name(at)).to_ascii_lowercase();
                (!facts.is_folder(at)).then(of_file)
            }),
            (Sort::Taken, _) => self.by_key(all, |at| self.taken(at)),
            (Sort::Rating, _) => self.by_key(all, |at| facts.rating(at).map_or(0, Rating::number)),
            (Sort::Camera, _) => self.by_key(all, |at| facts.camera(at).map(camera_key)),
            (Sort::Pixels, _) => self.by_key(all, |at| facts.pixels(at)),
            (Sort::Duration, _) => self.by_key(all, |at| facts.duration(at)),
        }
        all.sort_by_key(|&at| !facts.is_folder(at));
    }

    /// Sorts by a key. Equal entries stay in their order.
    fn by_key<K: Ord>(&self, all: &mut [u32], key: impl Fn(u32) -> K) {
        match self.order {
            Order::Ascending => all.sort_by_cached_key(|&at| key(at)),
            Order::Descending => all.sort_by_cached_key(|&at| Reverse(key(at))),
        }
    }

    /// Puts related entries beside each other, and returns the groups.
    pub(super) fn group(&self, all: &mut [u32], by: GroupBy) -> Vec<Group> {
        match by {
            GroupBy::Day => self.by_date(all, |date| date),
            GroupBy::Month => self.by_date(all, Date::first_of_month),
            GroupBy::Year => self.by_date(all, Date::first_of_year),
            GroupBy::Camera => self.by_camera(all),
            GroupBy::Rating => self.by_rating(all),
            GroupBy::Folder => self.by_folder(all),
        }
    }

    /// Groups by date. Folders, and entries that have vanished, have no date and come first.
    fn by_date(&self, all: &mut [u32], rounded: impl Fn(Date) -> Date) -> Vec<Group> {
        let date = |at: u32| {
            let time = match self.sort {
                Sort::Modified => self.modified(at),
                Sort::Name
                | Sort::Size
                | Sort::Type
                | Sort::Taken
                | Sort::Rating
                | Sort::Camera
                | Sort::Pixels
                | Sort::Duration => self.taken(at),
            };
            let time = time.filter(|_| !self.facts.is_folder(at))?;
            Some(rounded(time.date()))
        };
        self.by_key(all, date);
        all.sort_by_cached_key(|&at| date(at).is_some());
        groups(all, date, |date| GroupKey::Date(*date))
    }

    /// Groups by camera, in the order of their names. Folders come first, and entries of unknown cameras last.
    fn by_camera(&self, all: &mut [u32]) -> Vec<Group> {
        let camera = |at: u32| self.facts.camera(at);
        self.by_key(all, |at| camera(at).map(camera_key));
        all.sort_by_key(|&at| (!self.facts.is_folder(at), camera(at).is_none()));
        self.of_files(all, |at| GroupKey::Camera(camera(at)))
    }

    /// Groups by rating, the best first whatever the direction: then come the unrated, and the rejected pictures.
    /// Folders are before all of them.
    fn by_rating(&self, all: &mut [u32]) -> Vec<Group> {
        let rating = |at: u32| self.facts.rating(at);
        all.sort_by_cached_key(|&at| {
            let number = Reverse(rating(at).map_or(0, Rating::number));
            (!self.facts.is_folder(at)).then_some(number)
        });
        self.of_files(all, |at| GroupKey::Rating(rating(at)))
    }

    /// Groups by folder: each before those in it.
    fn by_folder(&self, all: &mut [u32]) -> Vec<Group> {
        let folder = |at: u32| self.facts.folder(at);
        self.by_key(all, folder);
        groups(all, folder, |folder| {
            GroupKey::Folder(self.facts.folder_path(folder))
        })
    }

    /// Returns the groups of entries that are adjacent already; that of folders is [`GroupKey::Folders`].
    fn of_files(&self, all: &[u32], key: impl Fn(u32) -> GroupKey) -> Vec<Group> {
        let keyed = |at: u32| match self.facts.is_folder(at) {
            true => GroupKey::Folders,
            false => key(at),
        };
        groups(all, keyed, GroupKey::clone)
    }
}

/// Returns the key by which cameras are sorted: names that differ in case alone are adjacent, and keep an order.
fn camera_key(camera: CameraName) -> (String, &'static str) {
    let name = camera.as_str();
    (name.to_lowercase(), name)
}

/// Returns the groups of entries that are adjacent already.
fn groups<K: PartialEq>(
    all: &[u32],
    key: impl Fn(u32) -> K,
    group: impl Fn(&K) -> GroupKey,
) -> Vec<Group> {
    let keyed: Vec<K> = all.iter().map(|&at| key(at)).collect();
    let mut first = 0;
    let same = keyed.chunk_by(|one, other| one == other);
    same.map(|equal| {
        let count = equal.len();
        let found = Group {
            key: group(&equal[0]),
            first,
            count,
        };
        first += count;
        found
    })
    .collect()
}
