//! The pictures that a query finds, listed like the entries of a folder.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use fumikura_albums::Albums;
use fumikura_base::budget::Budget;
use fumikura_base::entropy::{Entropy, random_bytes};
use fumikura_fs::{RelPath, RootId, path};
use fumikura_library::{
    ArrangedPictures, Entry, Group, GroupKey, ListQuery, Order, PlacedPicture, Sort, arrange,
};
use fumikura_pictures::Pictures;
use fumikura_search::{Query, QueryError};
use fumikura_searcher::{FoundPicture, Partial, Search, TypedQuery};
use parking_lot::Mutex;

use crate::albums::paths_of_named;
use crate::events::EventHub;

/// The number of answers that are kept, so that their parts fit together.
const KEPT: usize = 4;
/// The time limit of a search.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// The last answers, with what a search needs.
pub(crate) struct FoundPictures {
    pub(crate) search: Arc<Search>,
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) albums: Arc<Albums>,
    pub(crate) events: Arc<EventHub>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) recent: Mutex<VecDeque<Arc<FoundAnswer>>>,
}

/// The pictures that a query found at one moment.
pub(crate) struct FoundAnswer {
    id: String,
    query: String,
    joins_files: bool,
    /// True if the pictures are those of an album, in its order.
    is_album: bool,
    found: Vec<FoundPicture>,
    /// The same pictures, each in a folder that begins with the id of its root.
    placed: Vec<PlacedPicture>,
    partial: Option<Partial>,
}

/// A part of the pictures.
pub(crate) struct FoundPart {
    pub(crate) id: String,
    pub(crate) total: usize,
    /// The size of all files.
    pub(crate) bytes: u64,
    pub(crate) partial: Option<Partial>,
    pub(crate) offset: usize,
    pub(crate) groups: Option<Vec<Group>>,
    /// The names of the groups that are folders: their paths, each with the name of its root.
    pub(crate) labels: Vec<String>,
    /// The entries, each in a folder that begins with the id of its root.
    pub(crate) entries: Vec<Entry>,
}

impl FoundPictures {
    /// Lists a part of the pictures, sorted by `sort` and not as `page` says; without it in the order of the album that
    /// the query names, or else by name. `listing` names an earlier answer, to which the part belongs if it is kept.
    ///
    /// # Errors
    /// [`QueryError`] if the query is malformed.
    pub(crate) fn list(
        &self,
        query: &str,
        listing: Option<&str>,
        sort: Option<Sort>,
        page: &ListQuery,
        budget: &Budget,
    ) -> Result<FoundPart, QueryError> {
        let joins_files = page.joins_files;
        let answer = match listing.and_then(|id| self.kept(id, query, joins_files)) {
            Some(answer) => answer,
            None => self.find(query, joins_files, budget)?,
        };
        let ArrangedPictures { order, groups } = answer.arrange(sort, page);
        let limit = page.limit;
        let place = page.around.as_deref().and_then(|wanted| {
            order
                .iter()
                .position(|&index| answer.has_file(index, wanted))
        });
        let offset = place.map_or(page.offset, |place| place / limit * limit);
        let first = offset.min(order.len());
        let part = &order[first..order.len().min(first.saturating_add(limit))];
        Ok(FoundPart {
            id: answer.id.clone(),
            total: order.len(),
            bytes: answer.found.iter().map(|picture| picture.bytes).sum(),
            partial: answer.partial,
            offset,
            labels: self.labels(groups.as_deref().unwrap_or_default()),
            groups,
            entries: self.entries(&answer, part),
        })
    }

    /// Checks that a query can be answered.
    ///
    /// # Errors
    /// [`QueryError`] if the query is malformed.
    pub(crate) fn check(query: &str) -> Result<(), QueryError> {
        typed(query).query(query).map(drop)
    }

    fn kept(&self, id: &str, query: &str, joins_files: bool) -> Option<Arc<FoundAnswer>> {
        let recent = self.recent.lock();
        let mut recent = recent.iter();
        let wanted = (id, query, joins_files);
        let answer =
            recent.find(|answer| (&answer.id[..], &answer.query[..], answer.joins_files) == wanted);
        answer.cloned()
    }

    fn find(
        &self,
        query: &str,
        joins_files: bool,
        budget: &Budget,
    ) -> Result<Arc<FoundAnswer>, QueryError> {
        let typed = typed(query);
        let mut parsed = typed.query(query)?;
        parsed.resolve_albums(&|named| paths_of_named(&self.albums, named))?;
        let changed = self.events.last_folder_change();
        let budget = budget.within(TIME_LIMIT);
        let found =
            self.search
                .found_pictures(&self.pictures, &parsed, changed, joins_files, &budget);
        let (mut found, partial) = found;
        let is_album = self.sort_by_album(&mut found, &parsed);
        let answer = Arc::new(FoundAnswer {
            id: hex::encode(random_bytes::<8>(&*self.entropy)),
            query: typed.text,
            joins_files,
            is_album,
            placed: found.iter().map(placed).collect(),
            found,
            partial,
        });
        let mut recent = self.recent.lock();
        recent.push_front(Arc::clone(&answer));
        recent.truncate(KEPT);
        Ok(answer)
    }

    /// Sorts pictures as the album that the query names. Returns false if it names none.
    fn sort_by_album(&self, found: &mut [FoundPicture], query: &Query) -> bool {
        let Some(positions) = query.album_positions() else {
            return false;
        };
        found.sort_by_cached_key(|picture| {
            let root = self.pictures.roots().get(picture.root)?;
            // A picture of several files may be in the album by any of them.
            let files = std::iter::once(&picture.path).chain(&picture.companions);
            let absolute = files.map(|file| path::join(root.path_bytes(), file));
            let found = absolute
                .filter_map(|file| positions.get(&*String::from_utf8_lossy(&file)).copied());
            found.min()
        });
        true
    }

    fn labels(&self, groups: &[Group]) -> Vec<String> {
        let label = |folder: &RelPath| {
            let bytes = folder.as_bytes();
            let end = bytes.iter().position(|&byte| byte == b'/');
            let (id, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
            let root = std::str::from_utf8(id).ok().and_then(|id| id.parse().ok());
            let root = root.and_then(|id: RootId| self.pictures.roots().get(id));
            let name = root.as_ref().map_or(id, |root| root.name());
            String::from_utf8_lossy(&[name, rest].concat()).into_owned()
        };
        let folders = groups.iter().filter_map(|group| match &group.key {
            GroupKey::Folder(folder) => Some(folder),
            GroupKey::Date(_) | GroupKey::Camera(_) | GroupKey::Rating(_) | GroupKey::Folders => {
                None
            }
        });
        folders.map(label).collect()
    }

    /// Returns the entries of some pictures. Those that have vanished are left out.
    fn entries(&self, answer: &FoundAnswer, part: &[u32]) -> Vec<Entry> {
        let mut by_root: HashMap<RootId, Vec<usize>> = HashMap::new();
        for (at, &index) in part.iter().enumerate() {
            let root = answer.found[index as usize].root;
            by_root.entry(root).or_default().push(at);
        }
        let mut entries: Vec<Option<Entry>> = vec![None; part.len()];
        for (root, places) in by_root {
            let Some(root) = self.pictures.roots().get(root) else {
                continue;
            };
            let path = |&at: &usize| answer.found[part[at] as usize].path.clone();
            let paths: Vec<RelPath> = places.iter().map(path).collect();
            let found = match self.pictures.entries_at(&root, &paths, answer.joins_files) {
                Ok(found) => found,
                Err(error) => {
                    tracing::debug!(%error, "the pictures of a root can't be listed");
                    continue;
                }
            };
            for (at, entry) in places.into_iter().zip(found) {
                let folder = answer.placed[part[at] as usize].folder.clone();
                entries[at] = entry.map(|mut entry| {
                    entry.each_file(|file| file.folder = folder.clone());
                    entry
                });
            }
        }
        entries.into_iter().flatten().collect()
    }
}

impl FoundAnswer {
    /// Sorts and groups the pictures; without a sort, those of an album, also within each group, are in its order.
    fn arrange(&self, sort: Option<Sort>, page: &ListQuery) -> ArrangedPictures {
        let by = sort.unwrap_or_default();
        let mut arranged = arrange(&self.placed, by, page.order, page.group);
        if sort.is_none() && self.is_album {
            let whole = 0..arranged.order.len();
            let groups = arranged.groups.as_ref().map(|groups| {
                let range = |group: &Group| group.first..group.first + group.count;
                groups.iter().map(range).collect()
            });
            for range in groups.unwrap_or_else(|| vec![whole]) {
                let part = &mut arranged.order[range];
                match page.order {
                    Order::Ascending => part.sort_unstable(),
                    Order::Descending => part.sort_unstable_by_key(|&index| Reverse(index)),
                }
            }
        }
        arranged
    }

    /// True if a picture has a file with this path, which begins with the id of the root.
    fn has_file(&self, index: u32, path: &[u8]) -> bool {
        let index = index as usize;
        let (shown, found) = (&self.placed[index], &self.found[index]);
        let top = RelPath::default().join(found.root.to_string().as_bytes());
        let is_companion = |path: &[u8]| {
            let mut others = found.companions.iter();
            others.any(|other| {
                top.resolve(other.as_bytes())
                    .is_some_and(|it| it.as_bytes() == path)
            })
        };
        shown.folder.join(&shown.name).as_bytes() == path || is_companion(path)
    }
}

fn typed(query: &str) -> TypedQuery {
    TypedQuery {
        text: query.to_owned(),
        prefix: None,
    }
}

fn placed(picture: &FoundPicture) -> PlacedPicture {
    let top = RelPath::default().join(picture.root.to_string().as_bytes());
    let (folder, name) = picture.path.split_last().unwrap_or_default();
    PlacedPicture {
        folder: top.resolve(folder.as_bytes()).unwrap_or(top),
        name: name.to_vec(),
        facts: picture.facts,
    }
}
