//! Selects, sorts and groups the entries of a folder.

use std::time::Duration;

use fumikura_fs::{Mtime, RelPath, RootDir};
use fumikura_image::CameraName;
use fumikura_xmp::Rating;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use super::arrangement::{Arrangement, Facts};
use super::entry::{EntryKind, Group};
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
            Sort::Taken | Sort::Rating | Sort::Camera | Sort::Pixels | Sort::Duration => true,
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
    };
    let arrangement = Arrangement {
        facts: &context,
        sort: view_query.sort,
        order: view_query.order,
        zone: TimeZone::system(),
    };
    if view_query.filter.depends_on_reading() {
        let filter = &view_query.filter;
        entries.retain(|&at| {
            is_in_range(&arrangement, at, filter.from, filter.to) && context.passes(at, filter)
        });
    }
    arrangement.sort(&mut entries);
    let groups = view_query
        .group
        .map(|by| arrangement.group(&mut entries, by));
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
}

impl ViewContext<'_> {
    /// True if an entry's marks pass the filter. An entry that is still unread does not pass yet.
    fn passes(&self, at: u32, filter: &ListFilter) -> bool {
        if !filter.depends_on_marks() {
            return true;
        }
        let Some(marks) = self.snapshot.marks(self.metadata, at, self.joined) else {
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
}

/// True if the date is in the range. The file's own time counts only once it is certain that there is no capture time.
fn is_in_range(
    arrangement: &Arrangement<'_, ViewContext<'_>>,
    at: u32,
    from: Option<Date>,
    to: Option<Date>,
) -> bool {
    if from.is_none() && to.is_none() {
        return true;
    }
    let metadata = arrangement.facts.metadata;
    let is_read = metadata.is_header_read(at as usize);
    let taken = arrangement.taken(at).filter(|_| is_read);
    let date = taken.map(DateTime::date);
    date.is_some_and(|date| from.is_none_or(|from| date >= from) && to.is_none_or(|to| date <= to))
}

impl Facts for ViewContext<'_> {
    /// The number of the folder: folders are numbered in the order in which they were read, siblings by name.
    type Folder = usize;

    fn is_folder(&self, at: u32) -> bool {
        self.snapshot.kind(at as usize) == EntryKind::Folder
    }

    fn name(&self, at: u32) -> &[u8] {
        self.snapshot.name(at as usize)
    }

    fn size(&self, at: u32) -> Option<u64> {
        self.metadata.stat(at as usize).map(|stat| stat.size)
    }

    fn mtime(&self, at: u32) -> Option<Mtime> {
        self.metadata.stat(at as usize).map(|stat| stat.mtime)
    }

    fn captured(&self, at: u32) -> Option<DateTime> {
        let header = self.metadata.header(at as usize);
        let by_camera = || header.and_then(|header| header.taken);
        self.snapshot
            .stated_taken(self.metadata, at, self.joined)
            .or_else(by_camera)
    }

    fn camera(&self, at: u32) -> Option<CameraName> {
        self.metadata.header(at as usize)?.camera
    }

    fn pixels(&self, at: u32) -> Option<u64> {
        let head = self.metadata.header(at as usize)?.head?;
        Some(u64::from(head.width) * u64::from(head.height))
    }

    fn duration(&self, at: u32) -> Option<Duration> {
        self.metadata.header(at as usize)?.duration
    }

    fn rating(&self, at: u32) -> Option<Rating> {
        let marks = self.snapshot.marks(self.metadata, at, self.joined)?;
        marks.rating
    }

    fn folder(&self, at: u32) -> usize {
        self.snapshot.part_of(at as usize)
    }

    fn folder_path(&self, part: &usize) -> RelPath {
        self.snapshot.relative_folder(*part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use jiff::civil::date;

    use super::super::entry::GroupKey;
    use super::super::header::HeaderMetadata;
    use super::super::natural::NaturalName;
    use super::super::read_state::{FileState, MetadataRead, ReadState};
    use super::super::scan::ScannedEntry;
    use super::super::snapshot_id::SnapshotId;
    use fumikura_fs::{Ctime, NodeKind, Root, Stat, platform};

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
