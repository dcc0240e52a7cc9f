//! Selects, sorts and groups the entries of a folder.

use std::cmp::Reverse;

use fumikura_fs::{RootDir, path::extension};
use fumikura_image::CameraName;
use fumikura_xmp::Rating;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use super::entry::{EntryKind, Group, GroupKey};
use super::joined_pictures::JoinedPictures;
use super::metadata::Metadata;
use super::natural;
use super::query::{GroupBy, ListFilter, Order, RatingFilter, Sort};
use super::snapshot::Snapshot;

/// A query for entries: the filter, the grouping and the order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ViewQuery {
    pub(super) sort: Sort,
    pub(super) order: Order,
    pub(super) group: Option<GroupBy>,
    pub(super) filter: ListFilter,
    /// True if a picture of several files is one entry.
    pub(super) joins_files: bool,
}

impl ViewQuery {
    /// True if the answer depends on pictures' headers and sidecars.
    pub(super) fn depends_on_reading(&self) -> bool {
        let is_grouped = match self.group {
            // With that sort, days are those of the files' own modification times.
            Some(GroupBy::Day | GroupBy::Month | GroupBy::Year) => self.sort != Sort::Modified,
            Some(GroupBy::Camera | GroupBy::Rating) => true,
            Some(GroupBy::Folder) | None => false,
        };
        let is_sorted = match self.sort {
            Sort::Taken | Sort::Rating | Sort::Camera | Sort::Pixels => true,
            Sort::Name | Sort::Modified | Sort::Size | Sort::Type => false,
        };
        is_sorted || is_grouped || self.filter.depends_on_reading()
    }

    fn needs_stats(&self) -> bool {
        matches!(self.sort, Sort::Modified | Sort::Size) || self.depends_on_reading()
    }
}

/// The entries that match a query.
pub(super) struct View {
    /// Their numbers, in the requested order.
    pub(super) entries: Vec<u32>,
    /// The number of pictures if entries of any kind passed.
    pub(super) pictures: usize,
    /// The number of pictures that were not fully read when the entries were sorted.
    pub(super) unread: usize,
    /// Groups of adjacent entries, if they were requested.
    pub(super) groups: Option<Vec<Group>>,
}

/// Finds the entries that match a query, with the `stat` calls that this requires.
pub(super) fn find(snapshot: &Snapshot, view_query: &ViewQuery, root: &RootDir) -> View {
    let joined = view_query.joins_files.then(|| snapshot.joined());
    let joined = joined.filter(|joined| !joined.is_empty());
    let (mut entries, pictures) = filter_names(snapshot, &view_query.filter, joined);
    if view_query.needs_stats() {
        snapshot.request_stats(root, entries.iter().map(|&at| at as usize));
    }
    let metadata = snapshot.metadata();
    let context = ViewContext {
        snapshot,
        metadata: &metadata,
        joined,
        // Without a capture time, the file's modification time counts, in the local time zone.
        zone: TimeZone::system(),
    };
    if view_query.filter.depends_on_reading() {
        entries.retain(|at| context.passes(at, &view_query.filter));
    }
    context.sort(&mut entries, view_query.sort, view_query.order);
    let groups = view_query
        .group
        .map(|by| context.group(&mut entries, by, view_query));
    View {
        entries,
        pictures,
        unread: metadata.unread(),
        groups,
    }
}

/// Filters by name and kind. Also returns the number of pictures if entries of any kind passed.
fn filter_names(
    snapshot: &Snapshot,
    filter: &ListFilter,
    joined: Option<&JoinedPictures>,
) -> (Vec<u32>, usize) {
    let count = u32::try_from(snapshot.len()).expect("BUG: a folder holds fewer than 2³² names");
    let name = |at: u32| snapshot.name(at as usize);
    let mut found: Vec<u32> = (0..count).collect();
    if let Some(joined) = joined {
        found.retain(|&at| joined.shown_of(at).is_none());
    }
    // A picture passes if any of its files does.
    let any_file = |at: u32, passes: &dyn Fn(&[u8]) -> bool| {
        let companions = joined.map_or(&[][..], |joined| joined.companions(at));
        let mut others = companions.iter().map(|(_, companion)| *companion);
        passes(name(at)) || others.any(|companion| passes(name(companion)))
    };
    if let Some(text) = &filter.text {
        let text = natural::fold_name(text.as_bytes());
        found.retain(|&at| any_file(at, &|name| natural::fold_name(name).contains(&text)));
    }
    let is_picture = |at: &u32| snapshot.kind(*at as usize) == EntryKind::Picture;
    let pictures = found.iter().filter(|at| is_picture(at)).count();
    if let Some(kind) = filter.kind {
        found.retain(|&at| snapshot.kind(at as usize) == kind);
    }
    if filter.is_of_pictures() {
        found.retain(is_picture);
    }
    if !filter.types.is_empty() {
        found.retain(|&at| any_file(at, &|name| filter.types.iter().any(|one| one.has(name))));
    }
    (found, pictures)
}

/// The metadata of the entries at one moment.
struct ViewContext<'a> {
    snapshot: &'a Snapshot,
    metadata: &'a Metadata,
    joined: Option<&'a JoinedPictures>,
    zone: TimeZone,
}

impl ViewContext<'_> {
    fn is_folder(&self, at: &u32) -> bool {
        self.snapshot.kind(*at as usize) == EntryKind::Folder
    }

    fn modified(&self, at: &u32) -> Option<DateTime> {
        let stat = self.metadata.stat(*at as usize);
        stat.map(|stat| self.zone.to_datetime(stat.mtime.timestamp()))
    }

    fn taken(&self, at: &u32) -> Option<DateTime> {
        let header = self.metadata.header(*at as usize);
        let by_camera = || header.and_then(|header| header.taken);
        self.snapshot
            .stated_taken(self.metadata, *at, self.joined)
            .or_else(by_camera)
            .or_else(|| self.modified(at))
    }

    fn camera(&self, at: &u32) -> Option<CameraName> {
        self.metadata.header(*at as usize)?.camera
    }

    /// Returns the number of pixels.
    fn pixels(&self, at: &u32) -> Option<u64> {
        let head = self.metadata.header(*at as usize)?.head?;
        Some(u64::from(head.width) * u64::from(head.height))
    }

    fn rating(&self, at: &u32) -> Option<Rating> {
        let marks = self.snapshot.marks(self.metadata, *at, self.joined)?;
        marks.rating
    }

    /// True if an entry passes the filter. An entry that is still unread does not pass yet.
    fn passes(&self, at: &u32, filter: &ListFilter) -> bool {
        if !self.is_in_range(at, filter.from, filter.to) {
            return false;
        }
        if !filter.depends_on_marks() {
            return true;
        }
        let Some(marks) = self.snapshot.marks(self.metadata, *at, self.joined) else {
            return false;
        };
        let is_rated = match filter.rated {
            None => true,
            Some(RatingFilter::Not) => marks.rating.is_none(),
            Some(RatingFilter::Exactly(rating)) => marks.rating == Some(rating),
            Some(RatingFilter::AtLeast(rating)) => marks.rating >= Some(rating),
        };
        let has_tag = |wanted: &str| {
            let wanted = format!("/{}/", natural::fold_name(wanted.as_bytes()));
            let tags = marks.tags.iter().map(ToString::to_string);
            let mut tags = tags.map(|tag| format!("/{}/", natural::fold_name(tag.as_bytes())));
            tags.any(|tag| tag.contains(&wanted))
        };
        let holds = |wanted: &str| {
            let caption = marks.caption.as_deref().unwrap_or_default();
            natural::fold_name(caption.as_bytes()).contains(&natural::fold_name(wanted.as_bytes()))
        };
        is_rated
            && filter.tag.as_deref().is_none_or(has_tag)
            && filter.caption.as_deref().is_none_or(holds)
            && filter
                .has_caption
                .is_none_or(|wanted| marks.caption.is_some() == wanted)
    }

    /// True if the date is in the range. The file's own time counts only once it is certain that there is no
    /// capture time.
    fn is_in_range(&self, at: &u32, from: Option<Date>, to: Option<Date>) -> bool {
        if from.is_none() && to.is_none() {
            return true;
        }
        let is_read = self.metadata.is_header_read(*at as usize);
        let date = self.taken(at).filter(|_| is_read).map(DateTime::date);
        date.is_some_and(|date| {
            from.is_none_or(|from| date >= from) && to.is_none_or(|to| date <= to)
        })
    }

    /// Sorts the entries. They arrive sorted by name, and the sorts are stable, so equal ones stay in that
    /// order.
    fn sort(&self, all: &mut [u32], sort: Sort, order: Order) {
        let stat = |at: &u32| self.metadata.stat(*at as usize);
        let mtime = |at: &u32| stat(at).map(|stat| stat.mtime);
        let size = |at: &u32| {
            let stat = stat(at).filter(|_| !self.is_folder(at));
            stat.map(|stat| stat.size)
        };
        let kind = |at: &u32| {
            let name = self.snapshot.name(*at as usize);
            (!self.is_folder(at)).then(|| extension(name).to_ascii_lowercase())
        };
        let taken = |at: &u32| self.taken(at);
        let rating = |at: &u32| self.rating(at).map_or(0, Rating::number);
        let camera = |at: &u32| self.camera(at).map(camera_key);
        let pixels = |at: &u32| self.pixels(at);
        match (sort, order) {
            (Sort::Name, Order::Ascending) => {}
            (Sort::Name, Order::Descending) => all.reverse(),
            (Sort::Modified, Order::Ascending) => all.sort_by_key(mtime),
            (Sort::Modified, Order::Descending) => all.sort_by_key(|at| Reverse(mtime(at))),
            (Sort::Size, Order::Ascending) => all.sort_by_key(size),
            (Sort::Size, Order::Descending) => all.sort_by_key(|at| Reverse(size(at))),
            (Sort::Type, Order::Ascending) => all.sort_by_cached_key(kind),
            (Sort::Type, Order::Descending) => all.sort_by_cached_key(|at| Reverse(kind(at))),
            (Sort::Taken, Order::Ascending) => all.sort_by_cached_key(taken),
            (Sort::Taken, Order::Descending) => all.sort_by_cached_key(|at| Reverse(taken(at))),
            (Sort::Rating, Order::Ascending) => all.sort_by_cached_key(rating),
            (Sort::Rating, Order::Descending) => all.sort_by_cached_key(|at| Reverse(rating(at))),
            (Sort::Camera, Order::Ascending) => all.sort_by_cached_key(camera),
            (Sort::Camera, Order::Descending) => all.sort_by_cached_key(|at| Reverse(camera(at))),
            (Sort::Pixels, Order::Ascending) => all.sort_by_key(pixels),
            (Sort::Pixels, Order::Descending) => all.sort_by_key(|at| Reverse(pixels(at))),
        }
        all.sort_by_key(|at| !self.is_folder(at));
    }

    /// Puts related entries beside each other, and returns the groups.
    fn group(&self, all: &mut Vec<u32>, by: GroupBy, view_query: &ViewQuery) -> Vec<Group> {
        match by {
            GroupBy::Day => self.by_date(all, view_query, |date| date),
            GroupBy::Month => self.by_date(all, view_query, Date::first_of_month),
            GroupBy::Year => self.by_date(all, view_query, Date::first_of_year),
            GroupBy::Camera => self.by_camera(all, view_query.order),
            GroupBy::Rating => self.by_rating(all),
            GroupBy::Folder => self.by_folder(all, view_query.order),
        }
    }

    /// Groups by date. Folders, and entries that have vanished, have no date and come first.
    fn by_date(
        &self,
        all: &mut Vec<u32>,
        view_query: &ViewQuery,
        rounded: impl Fn(Date) -> Date,
    ) -> Vec<Group> {
        let date = |at: &u32| {
            let time = match view_query.sort {
                Sort::Modified => self.modified(at),
                Sort::Name
                | Sort::Size
                | Sort::Type
                | Sort::Taken
                | Sort::Rating
                | Sort::Camera
                | Sort::Pixels => self.taken(at),
            };
            let time = time.filter(|_| !self.is_folder(at))?;
            Some(rounded(time.date()))
        };
        let mut dated: Vec<(Option<Date>, u32)> = all.iter().map(|at| (date(at), *at)).collect();
        match view_query.order {
            Order::Ascending => dated.sort_by_key(|&(date, _)| date),
            Order::Descending => dated.sort_by_key(|&(date, _)| (date.is_some(), Reverse(date))),
        }
        *all = dated.iter().map(|(_, at)| *at).collect();
        groups(&dated, |date| GroupKey::Date(*date))
    }

    /// Groups by camera, in the order of their names. Folders come first, and entries of unknown cameras last.
    fn by_camera(&self, all: &mut Vec<u32>, order: Order) -> Vec<Group> {
        let mut placed = self.keyed(all, |at| GroupKey::Camera(self.camera(at)));
        let name = |key: &GroupKey| match key {
            GroupKey::Camera(camera) => camera.map(camera_key),
            GroupKey::Date(_) | GroupKey::Rating(_) | GroupKey::Folder(_) | GroupKey::Folders => {
                None
            }
        };
        match order {
            Order::Ascending => placed.sort_by_cached_key(|(key, _)| name(key)),
            Order::Descending => placed.sort_by_cached_key(|(key, _)| Reverse(name(key))),
        }
        placed.sort_by_key(|(key, _)| match key {
            GroupKey::Camera(None) => 2,
            GroupKey::Camera(Some(_)) => 1,
            GroupKey::Date(_) | GroupKey::Rating(_) | GroupKey::Folder(_) | GroupKey::Folders => 0,
        });
        *all = placed.iter().map(|(_, at)| *at).collect();
        groups(&placed, GroupKey::clone)
    }

    /// Groups by rating, the best first whatever the direction: then come the unrated, and the rejected pictures.
    /// Folders are before all of them.
    fn by_rating(&self, all: &mut Vec<u32>) -> Vec<Group> {
        let mut placed = self.keyed(all, |at| GroupKey::Rating(self.rating(at)));
        placed.sort_by_key(|(key, _)| match key {
            GroupKey::Rating(rating) => Some(Reverse(rating.map_or(0, Rating::number))),
            GroupKey::Date(_) | GroupKey::Camera(_) | GroupKey::Folder(_) | GroupKey::Folders => {
                None
            }
        });
        *all = placed.iter().map(|(_, at)| *at).collect();
        groups(&placed, GroupKey::clone)
    }

    /// Returns the entries with their groups; that of folders is [`GroupKey::Folders`].
    fn keyed(&self, all: &[u32], key: impl Fn(&u32) -> GroupKey) -> Vec<(GroupKey, u32)> {
        let keyed = all.iter().map(|at| match self.is_folder(at) {
            true => (GroupKey::Folders, *at),
            false => (key(at), *at),
        });
        keyed.collect()
    }

    /// Groups by folder, in the order in which folders were read: each before those in it, siblings by name.
    fn by_folder(&self, all: &mut Vec<u32>, order: Order) -> Vec<Group> {
        let part = |at: &u32| self.snapshot.part_of(*at as usize);
        let mut placed: Vec<(usize, u32)> = all.iter().map(|at| (part(at), *at)).collect();
        match order {
            Order::Ascending => placed.sort_by_key(|&(part, _)| part),
            Order::Descending => placed.sort_by_key(|&(part, _)| Reverse(part)),
        }
        *all = placed.iter().map(|(_, at)| *at).collect();
        groups(&placed, |part| {
            GroupKey::Folder(self.snapshot.relative_folder(*part))
        })
    }
}

/// Returns the key by which cameras are sorted: names that differ in case alone are adjacent, and keep an order.
pub(super) fn camera_key(camera: CameraName) -> (String, &'static str) {
    let name = camera.as_str();
    (name.to_lowercase(), name)
}

/// Returns the groups of entries that are adjacent already.
pub(super) fn groups<K: PartialEq>(keyed: &[(K, u32)], key: impl Fn(&K) -> GroupKey) -> Vec<Group> {
    let mut first = 0;
    let same = keyed.chunk_by(|(one, _), (other, _)| one == other);
    same.map(|group| {
        let count = group.len();
        let found = Group {
            key: key(&group[0].0),
            first,
            count,
        };
        first += count;
        found
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use jiff::civil::date;

    use super::super::header::HeaderMetadata;
    use super::super::natural::NaturalName;
    use super::super::read_state::{FileState, MetadataRead, ReadState};
    use super::super::scan::ScannedEntry;
    use super::super::snapshot_id::SnapshotId;
    use fumikura_fs::{Ctime, Mtime, NodeKind, RelPath, Root, Stat, platform};

    /// Returns a file's `stat` with a change at noon of 10 May 2024, in the local time zone.
    fn changed() -> Stat {
        let noon = date(2024, 5, 10).at(12, 0, 0, 0);
        let noon = noon.to_zoned(TimeZone::system()).unwrap().timestamp();
        Stat {
            kind: NodeKind::File,
            size: 1,
            mtime: Mtime {
                seconds: noon.as_second(),
                nanoseconds: 0,
            },
            ctime: Ctime::default(),
        }
    }

    /// A folder with a picture of that day.
    fn snapshot() -> Snapshot {
        let scanned = [ScannedEntry {
            name: NaturalName::new(b"a.jpg"),
            kind: EntryKind::Picture,
            stat: Some(changed()),
            sidecar: None,
        }];
        let root = Arc::new(Root::own(b"/pictures".to_vec()));
        let path = RelPath::parse(b"").unwrap();
        let id = SnapshotId::from_bytes([1; 8]);
        Snapshot::of_folder(id, root, path, &scanned)
    }

    fn view_query(sort: Sort, group: Option<GroupBy>, filter: ListFilter) -> ViewQuery {
        ViewQuery {
            sort,
            order: Order::Ascending,
            group,
            filter,
            joins_files: false,
        }
    }

    fn find_in(snapshot: &Snapshot, view_query: &ViewQuery) -> View {
        let folder = tempfile::tempdir().unwrap();
        let path = platform::bytes_of(folder.path().as_os_str());
        find(snapshot, view_query, &RootDir::open(path).unwrap())
    }

    #[test]
    fn grouping_by_modified_day_needs_no_headers() {
        let by_day = |sort| view_query(sort, Some(GroupBy::Day), ListFilter::default());
        assert!(!by_day(Sort::Modified).depends_on_reading());
        for sort in [Sort::Name, Sort::Size, Sort::Type, Sort::Taken] {
            assert!(by_day(sort).depends_on_reading(), "{sort:?}");
        }
        let groups = find_in(&snapshot(), &by_day(Sort::Modified))
            .groups
            .unwrap();
        assert_eq!(groups[0].key, GroupKey::Date(Some(date(2024, 5, 10))));
        let rated = ListFilter {
            rated: Some(RatingFilter::Not),
            ..ListFilter::default()
        };
        assert!(view_query(Sort::Modified, Some(GroupBy::Day), rated).depends_on_reading());
        assert!(!view_query(Sort::Modified, None, ListFilter::default()).depends_on_reading());
    }

    #[test]
    fn cameras_are_grouped_by_name() {
        let named = |name: &[u8], kind| ScannedEntry {
            name: NaturalName::new(name),
            kind,
            stat: Some(changed()),
            sidecar: None,
        };
        let picture = EntryKind::Picture;
        let scanned = [
            named(b"a.jpg", picture),
            named(b"b.jpg", picture),
            named(b"c.jpg", picture),
            named(b"d", EntryKind::Folder),
            named(b"e.jpg", picture),
        ];
        let root = Arc::new(Root::own(b"/pictures".to_vec()));
        let path = RelPath::parse(b"").unwrap();
        let snapshot = Snapshot::of_folder(SnapshotId::from_bytes([1; 8]), root, path, &scanned);
        let camera = |name| CameraName::of_name(name);
        for (index, name) in [(0, "X-T30"), (1, ""), (2, "acme"), (4, "X-T30")] {
            let header = HeaderMetadata {
                lens: None,
                head: None,
                taken: None,
                embeds: false,
                is_incomplete: false,
                duration: None,
                camera: camera(name),
                embedded: None,
            };
            let header = ReadState::Read(FileState::from(changed()), header);
            let (marks, hash) = (ReadState::Unread, ReadState::Unread);
            snapshot.record([(
                index,
                MetadataRead {
                    header,
                    marks,
                    hash,
                },
            )]);
        }
        let check = |order, expected: &[(GroupKey, usize)], entries: &[u32]| {
            let by_camera = ViewQuery {
                order,
                ..view_query(Sort::Name, Some(GroupBy::Camera), ListFilter::default())
            };
            let view = find_in(&snapshot, &by_camera);
            let groups = view.groups.unwrap().into_iter();
            let groups: Vec<_> = groups.map(|group| (group.key, group.count)).collect();
            assert_eq!((&groups[..], &view.entries[..]), (expected, entries));
        };
        let of = |name| GroupKey::Camera(camera(name));
        let folders = (GroupKey::Folders, 1);
        let (acme, x) = ((of("acme"), 1), (of("X-T30"), 2));
        let unknown = (GroupKey::Camera(None), 1);
        let ascending = [folders.clone(), acme.clone(), x.clone(), unknown.clone()];
        check(Order::Ascending, &ascending, &[3, 2, 0, 4, 1]);
        let descending = [folders, x, acme, unknown];
        check(Order::Descending, &descending, &[3, 4, 0, 2, 1]);
    }

    #[test]
    fn date_filter_excludes_pictures_with_unread_headers() {
        let found = |snapshot: &Snapshot, from, to| {
            let filter = ListFilter {
                from,
                to,
                ..ListFilter::default()
            };
            let view_query = view_query(Sort::Name, None, filter);
            find_in(snapshot, &view_query).entries.len()
        };
        let (before, day, after) = (date(2024, 5, 9), date(2024, 5, 10), date(2024, 5, 11));
        let unread = snapshot();
        assert_eq!(found(&unread, Some(day), Some(day)), 0);
        assert_eq!(found(&unread, None, Some(day)), 0);
        assert_eq!(found(&unread, None, None), 1);
        let metadata = |header| {
            let snapshot = snapshot();
            let marks = ReadState::Unread;
            let hash = ReadState::Unread;
            snapshot.record([(
                0,
                MetadataRead {
                    header,
                    marks,
                    hash,
                },
            )]);
            snapshot
        };
        let state = FileState::from(changed());
        let read = |taken| {
            let header = HeaderMetadata {
                embedded: None,
                head: None,
                taken,
                embeds: false,
                is_incomplete: false,
                duration: None,
                camera: None,
                lens: None,
            };
            ReadState::Read(state, header)
        };
        for no_camera in [ReadState::Failed(Some(state)), read(None)] {
            let snapshot = metadata(no_camera);
            assert_eq!(found(&snapshot, Some(day), Some(day)), 1);
            assert_eq!(found(&snapshot, Some(after), None), 0);
            assert_eq!(found(&snapshot, None, Some(before)), 0);
        }
        let snapshot = metadata(read(Some(before.at(23, 0, 0, 0))));
        assert_eq!(found(&snapshot, Some(before), Some(before)), 1);
        assert_eq!(found(&snapshot, Some(day), None), 0);
    }
}
