//! The pictures of all roots, searched by name, date, camera, tag and caption.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use fumikura_base::error_chain::error_chain;
use fumikura_fs::{PictureVersion, RelPath, Root, RootId, path};
use fumikura_library::{Crop, Entry, OrderFacts, PictureType, RootPictures};
use fumikura_pictures::Pictures;
use fumikura_search::{Catalogue, CatalogueItem, PictureFacts};
use jiff::tz::TimeZone;
use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::folders::{FoundFolder, folders_of};
use crate::request::{Partial, PartialReason};

/// The time for which a search waits for a root's pictures to be listed.
const LISTING_TIMEOUT: Duration = Duration::from_millis(400);
/// A list is used for this many times the time that it took to make, so that searching costs little disk
/// time.
const REUSE_FACTOR: u32 = 20;
/// The minimum and maximum time for which a list is used.
const MIN_LIST_LIFETIME: Duration = Duration::from_secs(2);
const MAX_LIST_LIFETIME: Duration = Duration::from_secs(60);

/// The path and the state of a found picture.
#[derive(Debug)]
pub(crate) struct PictureKey {
    pub(crate) root: RootId,
    /// The path, relative to the root.
    pub(crate) path: RelPath,
    pub(crate) version: Option<PictureVersion>,
    /// The number of the turn with which it is shown; 1 for none.
    pub(crate) turn: u8,
    /// The part of the picture that is shown, before its turn.
    pub(crate) crop: Option<Crop>,
    pub(crate) facts: OrderFacts,
}

/// The pictures of a root, and those among them that are of several files.
#[derive(Debug)]
pub(crate) struct ListedPictures {
    pub(crate) catalogue: Catalogue<PictureKey>,
    /// The number of the file that shows the picture of another file, by the number of that one.
    shown: HashMap<usize, usize>,
    /// The pictures of several files, by the numbers of the files that show them.
    joined: HashMap<usize, JoinedPicture>,
}

/// A picture of several files.
#[derive(Debug)]
pub(crate) struct JoinedPicture {
    pub(crate) facts: OrderFacts,
    /// The size of all its files.
    pub(crate) bytes: u64,
    /// The paths of its other files, relative to the root.
    pub(crate) companions: Vec<RelPath>,
}

impl ListedPictures {
    fn new(items: Vec<(CatalogueItem, PictureKey)>, joined: &[Entry]) -> Self {
        let (mut shown, mut pictures) = (HashMap::new(), HashMap::new());
        if !joined.is_empty() {
            let numbers: HashMap<&RelPath, usize> = (0..)
                .zip(&items)
                .map(|(number, (_, key))| (&key.path, number))
                .collect();
            let number_of = |entry: &Entry| numbers.get(&path_of(entry)).copied();
            for entry in joined {
                let Some(number) = number_of(entry) else {
                    continue;
                };
                let others = entry.companions.iter();
                let sizes = others.clone().map(|companion| companion.entry.size);
                let paths = others.clone().map(|companion| path_of(&companion.entry));
                let picture = JoinedPicture {
                    facts: OrderFacts::from(entry),
                    bytes: entry.size + sizes.sum::<u64>(),
                    companions: paths.collect(),
                };
                pictures.insert(number, picture);
                let others = others.filter_map(|companion| number_of(&companion.entry));
                shown.extend(others.map(|other| (other, number)));
            }
        }
        Self {
            catalogue: items.into_iter().collect(),
            shown,
            joined: pictures,
        }
    }

    /// Returns the number of the file that shows a file's picture: the file itself unless it is a companion.
    pub(crate) fn shown_of(&self, number: usize) -> usize {
        self.shown.get(&number).copied().unwrap_or(number)
    }

    /// Returns the picture that a file shows, if it has several files.
    pub(crate) fn joined(&self, shown: usize) -> Option<&JoinedPicture> {
        self.joined.get(&shown)
    }

    /// Returns the pictures, each once, by the file that shows it.
    pub(crate) fn shown(&self) -> impl Iterator<Item = (&PictureKey, OrderFacts)> {
        let shown = (0..self.catalogue.len()).filter(|&number| self.shown_of(number) == number);
        shown.filter_map(|number| {
            let (_, key) = self.catalogue.get(number)?;
            let joined = self.joined(number).map(|picture| picture.facts);
            Some((key, joined.unwrap_or(key.facts)))
        })
    }
}

/// The pictures of all roots, listed on demand.
#[derive(Default)]
pub(crate) struct PictureLists {
    roots: Mutex<HashMap<RootId, RootCatalogue>>,
    has_listed: Condvar,
}

/// The folders of one root.
pub(crate) struct ListedFolders {
    pub(crate) root: Arc<Root>,
    /// The folders that hold pictures, by path; `None` until the root is listed.
    pub(crate) folders: Option<Arc<Vec<FoundFolder>>>,
    /// False if they may have changed since.
    pub(crate) is_current: bool,
}

/// The pictures of one root.
#[derive(Default)]
struct RootCatalogue {
    /// The last listed pictures; `None` before the first listing, or if it failed.
    pictures: Option<Arc<ListedPictures>>,
    /// The folders that hold them, by path.
    folders: Arc<Vec<FoundFolder>>,
    unread: usize,
    /// Held by the thread that is listing the pictures; gone when the thread has ended, also by a panic.
    listing: Weak<()>,
    /// The time until which the pictures are used.
    until: Option<Instant>,
    /// The time at which the listing began.
    began: Option<Instant>,
}

impl RootCatalogue {
    fn is_listing(&self) -> bool {
        self.listing.strong_count() > 0
    }

    fn is_fresh(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() < until)
    }

    /// True if the pictures were listed after a moment.
    fn is_since(&self, moment: Option<Instant>) -> bool {
        moment.is_none_or(|moment| self.began.is_some_and(|began| began >= moment))
    }

    /// True if the pictures were listed so recently that they are not listed again, whatever has changed.
    fn is_recent(&self) -> bool {
        self.began
            .is_some_and(|began| began.elapsed() < MIN_LIST_LIFETIME)
    }
}

impl PictureLists {
    fn roots(&self) -> MutexGuard<'_, HashMap<RootId, RootCatalogue>> {
        self.roots.lock()
    }

    /// Returns the pictures of all roots, and the reason why some may be missing.
    pub(crate) fn get(
        self: &Arc<Self>,
        pictures: &Arc<Pictures>,
    ) -> (Vec<Arc<ListedPictures>>, Option<Partial>) {
        self.get_since(pictures, None)
    }

    /// Returns the pictures of all roots as they were after a moment, if they can be listed again so soon; otherwise they
    /// count as unread.
    pub(crate) fn get_since(
        self: &Arc<Self>,
        pictures: &Arc<Pictures>,
        moment: Option<Instant>,
    ) -> (Vec<Arc<ListedPictures>>, Option<Partial>) {
        let (mut catalogues, mut unread) = (Vec::new(), 0);
        let (all, away) = self.visit(pictures, moment, |_, listed| {
            unread += listed.unread;
            if !listed.is_since(moment) {
                unread = unread.max(1);
            }
            catalogues.push(listed.pictures.clone());
        });
        let missing = away + catalogues.iter().filter(|listed| listed.is_none()).count();
        let pictures: Vec<_> = catalogues.into_iter().flatten().collect();
        let partial = |reason, missing, of: usize| {
            let indexed = of.saturating_sub(missing);
            (missing > 0).then_some(Partial {
                reason,
                indexed,
                of,
            })
        };
        let listed = pictures.iter().map(|one| one.catalogue.len()).sum();
        let partial = partial(PartialReason::FoldersMissing, missing, all)
            .or_else(|| partial(PartialReason::ReadingPictures, unread, listed));
        (pictures, partial)
    }

    /// Returns the folders of all roots that have been listed.
    pub(crate) fn folders(
        self: &Arc<Self>,
        pictures: &Arc<Pictures>,
    ) -> Vec<Arc<Vec<FoundFolder>>> {
        let mut folders = Vec::new();
        self.visit(pictures, None, |_, listed| {
            folders.push(Arc::clone(&listed.folders))
        });
        folders
    }

    /// Returns the folders of each available root as they were after a moment, if they can be listed again so soon.
    pub(crate) fn folders_since(
        self: &Arc<Self>,
        pictures: &Arc<Pictures>,
        moment: Option<Instant>,
    ) -> Vec<ListedFolders> {
        let mut all = Vec::new();
        self.visit(pictures, moment, |root, listed| {
            all.push(ListedFolders {
                root: Arc::clone(root),
                folders: listed
                    .pictures
                    .is_some()
                    .then(|| Arc::clone(&listed.folders)),
                is_current: listed.pictures.is_some() && listed.is_since(moment),
            });
        });
        all
    }

    /// Calls a function for each available root, after a moment in which they are listed. Returns the number of all
    /// roots, and of those that are not available.
    fn visit(
        self: &Arc<Self>,
        pictures: &Arc<Pictures>,
        moment: Option<Instant>,
        mut visitor: impl FnMut(&Arc<Root>, &RootCatalogue),
    ) -> (usize, usize) {
        let all = pictures.roots().list();
        let wanted: Vec<Arc<Root>> = all
            .iter()
            .filter(|root| root.available)
            .map(|root| Arc::clone(&root.root))
            .collect();
        let mut roots = self.roots();
        roots.retain(|id, _| all.iter().any(|root| root.root.id() == *id));
        for root in &wanted {
            let listed = roots.entry(root.id()).or_default();
            let is_old = !listed.is_since(moment) && !listed.is_recent();
            if (!listed.is_fresh() || is_old) && !listed.is_listing() {
                listed.listing = self.list_soon(pictures, root);
            }
        }
        let is_listing = |roots: &mut HashMap<RootId, RootCatalogue>| {
            wanted
                .iter()
                .any(|root| roots.get(&root.id()).is_some_and(RootCatalogue::is_listing))
        };
        self.has_listed
            .wait_while_for(&mut roots, is_listing, LISTING_TIMEOUT);
        for root in &wanted {
            if let Some(listed) = roots.get(&root.id()) {
                visitor(root, listed);
            }
        }
        (all.len(), all.len() - wanted.len())
    }

    fn set(&self, root: RootId, catalogue: RootCatalogue) {
        self.roots().insert(root, catalogue);
        self.has_listed.notify_all();
    }

    /// Starts a thread that lists the pictures of a root. The returned reference is valid as long as the
    /// thread runs.
    fn list_soon(self: &Arc<Self>, pictures: &Arc<Pictures>, root: &Arc<Root>) -> Weak<()> {
        let listing = Arc::new(());
        let held = Arc::downgrade(&listing);
        let (lists, pictures, root) = (Arc::clone(self), Arc::clone(pictures), Arc::clone(root));
        let thread = thread::Builder::new().name("search-pictures".to_owned());
        let spawned = thread.spawn(move || {
            let _listing = listing;
            let began = Instant::now();
            let listed = list(&pictures, &root);
            let began = Some(began);
            lists.set(root.id(), RootCatalogue { began, ..listed });
        });
        if let Err(error) = spawned {
            tracing::warn!("pictures can't be listed to be searched: {error}");
        }
        held
    }
}

fn list(all: &Pictures, root: &Root) -> RootCatalogue {
    let began = Instant::now();
    let listed = all.pictures(root.id());
    let time = began.elapsed();
    let (pictures, folders, unread) = match listed {
        Ok(RootPictures {
            pictures,
            joined,
            unread,
            ..
        }) => {
            let inner = all.inner_folders(root);
            let items = pictures
                .iter()
                .filter_map(|entry| catalogue_item(root, &inner, entry));
            let items: Vec<(CatalogueItem, PictureKey)> = items.collect();
            let listed = ListedPictures::new(items, &joined);
            let folders = folders_of(root, listed.shown().map(|(key, _)| &key.path));
            (Some(Arc::new(listed)), folders, unread)
        }
        Err(error) => {
            tracing::debug!("pictures can't be searched: {}", error_chain(&error));
            (None, Vec::new(), 0)
        }
    };
    // A folder that is still being read is listed again soon.
    let longest = if unread > 0 {
        MIN_LIST_LIFETIME
    } else {
        MAX_LIST_LIFETIME
    };
    RootCatalogue {
        pictures,
        folders: Arc::new(folders),
        unread,
        listing: Weak::new(),
        began: None,
        until: Some(Instant::now() + (time * REUSE_FACTOR).clamp(MIN_LIST_LIFETIME, longest)),
    }
}

fn path_of(entry: &Entry) -> RelPath {
    entry.folder.join(&entry.name)
}

fn catalogue_item(
    root: &Root,
    inner: &[RelPath],
    entry: &Entry,
) -> Option<(CatalogueItem, PictureKey)> {
    let path = path_of(entry);
    if inner.iter().any(|inner| path.is_in(inner)) {
        return None;
    }
    let absolute = path::join(root.path_bytes(), &path);
    let taken = entry.taken();
    let civil = taken.and_then(|taken| TimeZone::system().to_timestamp(taken).ok());
    let time = civil.unwrap_or_else(|| entry.mtime.timestamp());
    let caption = entry.marks.caption.clone();
    let (camera, lens) = (entry.camera_name(), entry.lens_name());
    let equipment = [camera, lens].into_iter().filter(|name| !name.is_empty());
    let caption_bytes = caption.as_ref().map_or(0, String::len);
    let about: Vec<String> = caption
        .into_iter()
        .chain(equipment.map(str::to_owned))
        .collect();
    let picture = PictureFacts {
        rating: entry.stars(),
        size: entry.size,
        kind: PictureType::name_of_file(&entry.name).unwrap_or_default(),
        camera,
        lens,
        caption_bytes,
    };
    let item = CatalogueItem {
        path: String::from_utf8_lossy(&absolute).into_owned(),
        about: about.join("\n"),
        tags: entry.marks.tags.iter().map(ToString::to_string).collect(),
        is_picture: true,
        picture: Some(picture),
        time: time.as_millisecond(),
    };
    let key = PictureKey {
        root: root.id(),
        path,
        version: entry.version(),
        turn: entry.turn().number(),
        crop: entry.crop(),
        facts: OrderFacts::from(entry),
    };
    Some((item, key))
}
