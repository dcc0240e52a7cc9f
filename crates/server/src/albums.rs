//! The pictures of albums: where they are now, what they contain, and those that another program has moved.

use std::collections::{HashMap, HashSet};
use std::io::{self, Read};
use std::sync::Arc;

use fumikura_albums::{Album, AlbumId, AlbumItem, AlbumItemId, Albums, NewPicture, StoredAlbum};
use fumikura_fileops::{CompanionLookup, FileError};
use fumikura_fs::{AccessError, RelPath, Root, RootId, RootStatus, Source};
use fumikura_image::{is_picture_name, join_files};
use fumikura_library::Entry;
use fumikura_pictures::Pictures;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::error::{ApiError, ErrorCode};
use crate::events::{Event, EventHub};
use crate::job_runner::JobRunner;
use crate::jobs::{JobKind, JobOutcome, Progress};

/// The size of the pieces in which a picture is read.
const PIECE: usize = 1 << 16;

/// Albums, with what their pictures need of the other parts.
pub(crate) struct AlbumPictures {
    pub(crate) albums: Arc<Albums>,
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) runner: Arc<JobRunner>,
    pub(crate) events: Arc<EventHub>,
}

/// Returns all albums for a full archive.
pub(crate) fn in_archive(albums: &Albums) -> Vec<Value> {
    let in_json = |album| serde_json::to_value(album).expect("BUG: an album is JSON");
    albums.export().into_iter().map(in_json).collect()
}

/// Reads the albums of a full archive.
///
/// # Errors
/// `invalid_archive`.
pub(crate) fn of_archive(albums: &[Value]) -> Result<Vec<StoredAlbum>, ApiError> {
    let read = |album: &Value| serde_json::from_value(album.clone());
    let albums = albums.iter().map(read).collect::<Result<_, _>>();
    albums.map_err(|error| {
        let message = format!("an album of the archive can't be read: {error}");
        ApiError::new(ErrorCode::InvalidArchive, message)
    })
}

/// Returns the absolute paths of the pictures of an album, in its order; `None` if there is no such album. The album is
/// named by its id, or by its name in any case.
pub(crate) fn paths_of_named(albums: &Albums, named: &str) -> Option<Vec<String>> {
    let id: Option<AlbumId> = named.parse().ok();
    let name = named.to_lowercase();
    let all = albums.all();
    let by_id = all.iter().find(|album| Some(album.id) == id);
    let is_named = |album: &&Album| album.name.as_str().to_lowercase() == name;
    let album = by_id.or_else(|| all.iter().find(is_named))?;
    let paths = album.pictures.iter();
    let paths = paths.map(|item| String::from_utf8_lossy(&item.path).into_owned());
    Some(paths.collect())
}

/// A picture of an album, at the place where it is now.
pub(crate) struct LocatedPicture {
    pub(crate) item: AlbumItem,
    /// Its place below an open root; `None` if no open root contains it.
    pub(crate) place: Option<(RootId, RelPath)>,
    /// Its entry; `None` if it is not there, or its root can't be read.
    pub(crate) entry: Option<Entry>,
    /// True if its root can be read.
    pub(crate) is_reachable: bool,
}

/// A picture whose contents are read.
type Unread = (AlbumId, AlbumItem, Source);

/// Returns the number of pictures of an album. With `joins_files`, a file that only accompanies another picture of the
/// album, by its name, is not counted. No folder is read.
pub(crate) fn count(album: &Album, joins_files: bool) -> usize {
    let count = album.pictures.len();
    if !joins_files {
        return count;
    }
    let mut folders: HashMap<&[u8], Vec<&[u8]>> = HashMap::new();
    for item in &album.pictures {
        let slash = item.path.iter().rposition(|&byte| byte == b'/');
        let (folder, name) = item.path.split_at(slash.map_or(0, |slash| slash + 1));
        folders.entry(folder).or_default().push(name);
    }
    let joined = folders
        .values()
        .flat_map(|names| join_files(names.iter().copied().enumerate()));
    let companions: usize = joined.map(|files| files.companions.len()).sum();
    count - companions
}

impl AlbumPictures {
    /// Finds the pictures of an album at the places where they were last seen.
    /// With `joins_files`, a file that only accompanies another picture of the album is left out.
    pub(crate) fn locate(&self, album: &Album, joins_files: bool) -> Vec<LocatedPicture> {
        let mut located: Vec<LocatedPicture> = album.pictures.iter().map(unlocated).collect();
        let mut by_root: HashMap<RootId, (Arc<Root>, Vec<usize>)> = HashMap::new();
        for (at, picture) in located.iter_mut().enumerate() {
            let Ok(source) = self.pictures.roots().source_at(&picture.item.path) else {
                continue;
            };
            picture.place = Some((source.root(), source.path().clone()));
            let root = || (Arc::clone(source.root_ref()), Vec::new());
            by_root.entry(source.root()).or_insert_with(root).1.push(at);
        }
        for (root, indices) in by_root.into_values() {
            let path = |&at: &usize| located[at].place.as_ref().map(|(_, path)| path.clone());
            let paths: Vec<RelPath> = indices.iter().filter_map(path).collect();
            let Ok(entries) = self.pictures.entries_at(&root, &paths, joins_files) else {
                continue;
            };
            for (at, entry) in indices.into_iter().zip(entries) {
                located[at].entry = entry;
                located[at].is_reachable = true;
            }
        }
        let accompanying: HashSet<(RootId, RelPath)> = located
            .iter()
            .filter_map(|picture| Some((picture.place.as_ref()?.0, picture.entry.as_ref()?)))
            .flat_map(|(root, entry)| {
                let others = entry.companions.iter();
                others.map(move |one| (root, one.entry.folder.join(&one.entry.name)))
            })
            .collect();
        located.retain(|picture| {
            let place = picture.place.as_ref();
            !place.is_some_and(|place| accompanying.contains(place))
        });
        located
    }

    /// Returns the pictures of an album that are other files of some of its pictures.
    ///
    /// # Errors
    /// If a folder can't be read.
    pub(crate) fn companions_in(
        &self,
        album: &Album,
        items: &[AlbumItemId],
    ) -> Result<Vec<AlbumItemId>, ApiError> {
        let mut lookup = CompanionLookup::default();
        let mut paths = HashSet::new();
        for item in items.iter().filter_map(|&id| album.item(id)) {
            // A picture below no open root is one file here.
            let Ok(source) = self.pictures.roots().source_at(&item.path) else {
                continue;
            };
            match lookup.companions_of(&source) {
                Ok(found) => paths.extend(found.iter().map(|(_, file)| file.absolute())),
                Err(FileError::Access {
                    error: AccessError::NotFound,
                    ..
                }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let companions = album.pictures.iter();
        let companions = companions.filter(|item| paths.contains(&item.path));
        Ok(companions.map(|item| item.id).collect())
    }

    /// Describes pictures to be added.
    pub(crate) fn new_pictures(&self, sources: &[Source]) -> Result<Vec<NewPicture>, ApiError> {
        let picture = |source: &Source| {
            if !is_picture_name(source.path().name()) {
                return Err(ApiError::new(
                    ErrorCode::NotAPicture,
                    "this is not a picture",
                ));
            }
            Ok(NewPicture {
                path: source.absolute(),
                size: source.stat()?.size,
            })
        };
        sources.iter().map(picture).collect()
    }

    /// Publishes a change, and returns the changed album.
    pub(crate) fn changed(&self, album: Album) -> Album {
        self.events.publish(Event::AlbumsChanged);
        album
    }

    /// Starts the job that reads pictures without a known hash, and finds those that are gone.
    pub(crate) fn start_search(self: &Arc<Self>) -> String {
        let this = Arc::clone(self);
        self.runner
            .start(JobKind::FindPictures, move |progress| this.search(progress))
    }

    fn search(&self, progress: &Progress) -> JobOutcome {
        let (mut unread, mut gone) = (Vec::new(), Vec::new());
        for album in self.albums.all() {
            for item in &album.pictures {
                self.sort_out(&album, item, &mut unread, &mut gone);
            }
        }
        let total = unread.len() as u64;
        let mut read = 0_u64;
        for (done, (album, item, source)) in unread.iter().enumerate() {
            progress.advance(done as u64, total)?;
            read += u64::from(self.read(*album, item, source)?);
        }
        let searched = gone.len();
        let found = self.find(gone, progress)?;
        if read + found > 0 {
            self.events.publish(Event::AlbumsChanged);
        }
        Ok(json!({ "read": read, "found": found, "gone": searched as u64 - found }))
    }

    /// Decides what is to be done for a picture. One below no open root, or on a missing disk, is left alone.
    fn sort_out(
        &self,
        album: &Album,
        item: &AlbumItem,
        unread: &mut Vec<Unread>,
        gone: &mut Vec<(AlbumId, AlbumItem)>,
    ) {
        let Ok(source) = self.pictures.roots().source_at(&item.path) else {
            return;
        };
        match source.stat() {
            Ok(stat) if item.sha256.is_none() || stat.size != item.size => {
                unread.push((album.id, item.clone(), source));
            }
            Err(AccessError::NotFound) if item.sha256.is_some() => {
                gone.push((album.id, item.clone()));
            }
            Ok(_) | Err(_) => {}
        }
    }

    /// Records the contents of a picture. Returns false if it can't be read now.
    fn read(&self, album: AlbumId, item: &AlbumItem, source: &Source) -> Result<bool, ApiError> {
        let Some((size, hash)) = hash_of(source) else {
            return Ok(false);
        };
        self.albums
            .record(album, item.id, &item.path, size, &hash)?;
        Ok(true)
    }

    /// Finds pictures by their contents below all open roots. Returns the number of those found.
    fn find(
        &self,
        gone: Vec<(AlbumId, AlbumItem)>,
        progress: &Progress,
    ) -> Result<u64, crate::jobs::JobError> {
        let sizes: HashSet<u64> = gone.iter().map(|(_, item)| item.size).collect();
        let mut wanted: HashMap<String, Vec<(AlbumId, AlbumItem)>> = HashMap::new();
        for (album, item) in gone {
            if let Some(hash) = item.sha256.clone() {
                wanted.entry(hash).or_default().push((album, item));
            }
        }
        let mut found = 0;
        for RootStatus { root, available } in self.pictures.roots().list() {
            if wanted.is_empty() || !available {
                continue;
            }
            let Ok(pictures) = self.pictures.pictures(root.id()) else {
                continue;
            };
            let mut candidates = pictures.pictures;
            candidates.retain(|entry| sizes.contains(&entry.size));
            let total = candidates.len() as u64;
            for (done, entry) in candidates.iter().enumerate() {
                progress.advance(done as u64, total)?;
                let source = Source::new(Arc::clone(&root), entry.folder.join(&entry.name));
                let Some((size, hash)) = hash_of(&source) else {
                    continue;
                };
                for (album, item) in wanted.remove(&hex::encode(hash)).unwrap_or_default() {
                    self.albums
                        .record(album, item.id, &source.absolute(), size, &hash)
                        .map_err(ApiError::from)?;
                    found += 1;
                }
            }
        }
        Ok(found)
    }
}

fn unlocated(item: &AlbumItem) -> LocatedPicture {
    LocatedPicture {
        item: item.clone(),
        place: None,
        entry: None,
        is_reachable: false,
    }
}

/// Returns the size and the SHA-256 of a file; `None` if it can't be read now.
fn hash_of(source: &Source) -> Option<(u64, [u8; 32])> {
    let read = || -> io::Result<_> {
        let (mut file, _) = source.open().map_err(io::Error::other)?;
        let (mut hash, mut size) = (Sha256::new(), 0);
        let mut piece = vec![0; PIECE];
        loop {
            match file.read(&mut piece)? {
                0 => return Ok((size, hash.finalize().into())),
                length => {
                    hash.update(&piece[..length]);
                    size += length as u64;
                }
            }
        }
    };
    match read() {
        Ok(outcome) => Some(outcome),
        Err(error) => {
            tracing::debug!(%error, "a picture of an album can't be read");
            None
        }
    }
}
