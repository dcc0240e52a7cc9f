//! The albums of the data folder: one file of JSON for each.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fumikura_base::clock::Clock;
use fumikura_base::durable::{self, Access};
use fumikura_base::entropy::Entropy;
use fumikura_base::own_file;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::album::{Album, AlbumId, AlbumItem, AlbumItemId, AlbumName, AlbumSearch};

/// The format of the files.
const VERSION: u32 = 1;
/// The folder of deleted albums, which can be restored.
const DELETED: &str = "deleted";
/// The folder of files that could not be read, and in whose place albums were imported.
const DAMAGED: &str = "damaged";

/// The folder of albums can't be read or written.
#[derive(Debug, thiserror::Error)]
#[error("the folder of albums can't be used: {0}")]
pub struct OpenAlbumsError(#[from] pub io::Error);

/// A file that is damaged, or of a newer version of the program. It is left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableAlbum {
    pub path: PathBuf,
    pub reason: String,
}

/// A change of an album that was not made.
#[derive(Debug, thiserror::Error)]
pub enum AlbumError {
    /// There is no such album.
    #[error("there is no album {0}")]
    NotFound(AlbumId),
    /// The album has no such picture.
    #[error("the album has no picture {0}")]
    ItemNotFound(AlbumItemId),
    /// The album would have too many pictures.
    #[error(
        "an album has at most {} pictures, and 16 MiB with their paths",
        Albums::MAX_PICTURES
    )]
    TooLarge,
    /// A smart album has the pictures that its search finds, and no others.
    #[error("the pictures of this album are those that its search finds")]
    Smart,
    /// The album has a list of pictures, and no search.
    #[error("this album has a list of pictures, and no search")]
    NotSmart,
    /// The file can't be written. The album is as it was.
    #[error("the album can't be saved: {0}")]
    Unwritable(#[from] io::Error),
}

/// A picture to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPicture {
    /// Its absolute path.
    pub path: Vec<u8>,
    /// Its size in bytes.
    pub size: u64,
}

/// An album in its file.
#[derive(Serialize, Deserialize)]
struct AlbumFile {
    version: u32,
    #[serde(flatten)]
    album: Album,
}

/// All albums in one file, as a backup has them.
#[derive(Serialize, Deserialize)]
struct AllAlbums {
    version: u32,
    albums: Vec<StoredAlbum>,
}

/// An album with its id, as backups and archives have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredAlbum {
    id: AlbumId,
    #[serde(flatten)]
    album: Album,
}

/// The albums. Every change is durable when it returns.
pub struct Albums {
    folder: PathBuf,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    albums: Mutex<BTreeMap<AlbumId, Album>>,
    unreadable: Vec<UnreadableAlbum>,
}

impl Albums {
    /// The maximum number of pictures in an album.
    pub const MAX_PICTURES: usize = 10_000;

    /// The name of the file with all albums in a backup. If it is beside the folder of albums at a start, the data have
    /// gone back to that backup, and so do the albums: others are deleted, and can be restored.
    pub const BACKUP: &str = "albums.json";

    /// Reads all albums of a folder, which is created with the first album. Those that can't be read are left out.
    ///
    /// # Errors
    /// [`OpenAlbumsError`].
    pub fn open(
        folder: PathBuf,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, OpenAlbumsError> {
        let mut this = Self {
            folder,
            clock,
            entropy,
            albums: Mutex::default(),
            unreadable: Vec::new(),
        };
        let mut albums = BTreeMap::new();
        let mut unreadable = Vec::new();
        let backup = this.folder.with_file_name(Self::BACKUP);
        match read_backup(&backup) {
            Ok(None) => {}
            Ok(Some(all)) => this.go_back(all)?,
            Err(reason) => unreadable.push(UnreadableAlbum {
                path: backup,
                reason,
            }),
        }
        for path in album_files(&this.folder)? {
            match read(&path) {
                Ok(album) => _ = albums.insert(album.id, album),
                Err(reason) => unreadable.push(UnreadableAlbum { path, reason }),
            }
        }
        this.albums = Mutex::new(albums);
        this.unreadable = unreadable;
        Ok(this)
    }

    /// Returns the files that could not be read when the albums were opened.
    #[must_use]
    pub fn unreadable(&self) -> &[UnreadableAlbum] {
        &self.unreadable
    }

    /// Takes over the albums of a backup, if the data have gone back to it. A start after a crash continues.
    fn go_back(&self, all: AllAlbums) -> io::Result<()> {
        let path = self.folder.with_file_name(Self::BACKUP);
        for present in album_files(&self.folder)? {
            let id = id_of(&present);
            if let Some(id) = id.filter(|id| all.albums.iter().all(|album| album.id != *id)) {
                durable::create_folder(&self.folder.join(DELETED), Access::Private)?;
                self.rename_file(&present, &self.deleted_file(id))?;
            }
        }
        for StoredAlbum { id, album } in all.albums {
            let present = self.file(id);
            if present.exists() && read(&present).is_err() {
                self.set_aside(id)?;
            }
            let saved = self.save(&Album { id, ..album });
            saved.map_err(io::Error::other)?;
        }
        std::fs::remove_file(&path)?;
        durable::sync_folder(path.parent().unwrap_or(Path::new(".")))
    }

    /// Moves a file that can't be read out of the way of an album.
    fn set_aside(&self, id: AlbumId) -> io::Result<()> {
        let folder = self.folder.join(DAMAGED);
        durable::create_folder(&folder, Access::Private)?;
        self.rename_file(&self.file(id), &folder.join(format!("{id}.json")))
    }

    /// Returns all albums as a full archive has them, in the order of their ids.
    #[must_use]
    pub fn export(&self) -> Vec<StoredAlbum> {
        let albums = self.albums.lock();
        let stored = albums.values().map(|album| StoredAlbum {
            id: album.id,
            album: album.clone(),
        });
        stored.collect()
    }

    /// Adds the albums of a full archive. Those that are here already stay as they are.
    ///
    /// # Errors
    /// [`AlbumError::TooLarge`], [`AlbumError::Unwritable`]; the albums before it were added.
    pub fn import(&self, imported: Vec<StoredAlbum>) -> Result<usize, AlbumError> {
        let mut albums = self.albums.lock();
        let mut added = 0;
        for StoredAlbum { id, album } in imported {
            if albums.contains_key(&id) {
                continue;
            }
            if self.file(id).exists() {
                self.set_aside(id)?;
            }
            let mut album = Album { id, ..album };
            album.is_favourites &= !albums.values().any(|album| album.is_favourites);
            self.save(&album)?;
            albums.insert(id, album);
            added += 1;
        }
        Ok(added)
    }

    /// Writes all albums into the folder of a backup, unless there are none and never were.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn back_up(&self, backup: &Path) -> io::Result<()> {
        let albums = self.export();
        if albums.is_empty() && !self.folder.exists() {
            return Ok(());
        }
        let all = AllAlbums {
            version: VERSION,
            albums,
        };
        let bytes = serde_json::to_vec_pretty(&all)?;
        durable::write_file(&backup.join(Self::BACKUP), &bytes, Access::Private)
    }

    /// Returns all albums: the favourites first, then by name.
    #[must_use]
    pub fn all(&self) -> Vec<Album> {
        let mut all: Vec<Album> = self.albums.lock().values().cloned().collect();
        all.sort_by(|a, b| {
            (!a.is_favourites, &a.name, a.id).cmp(&(!b.is_favourites, &b.name, b.id))
        });
        all
    }

    /// Returns an album.
    ///
    /// # Errors
    /// [`AlbumError::NotFound`].
    pub fn get(&self, id: AlbumId) -> Result<Album, AlbumError> {
        let found = self.albums.lock().get(&id).cloned();
        found.ok_or(AlbumError::NotFound(id))
    }

    /// Creates an album with these pictures, each once.
    ///
    /// # Errors
    /// [`AlbumError::TooLarge`], [`AlbumError::Unwritable`].
    pub fn create(&self, name: AlbumName, pictures: Vec<NewPicture>) -> Result<Album, AlbumError> {
        let album = self.new_album(name);
        self.insert(&mut self.albums.lock(), album, pictures)
    }

    /// Creates a smart album.
    ///
    /// # Errors
    /// [`AlbumError::Unwritable`].
    pub fn create_smart(&self, name: AlbumName, search: AlbumSearch) -> Result<Album, AlbumError> {
        let search = Some(search);
        let album = self.new_album(name);
        self.insert(
            &mut self.albums.lock(),
            Album { search, ..album },
            Vec::new(),
        )
    }

    /// Returns the album of favourites, which is created with this name if there is none.
    ///
    /// # Errors
    /// [`AlbumError::Unwritable`].
    pub fn favourites(&self, name: AlbumName) -> Result<Album, AlbumError> {
        let mut albums = self.albums.lock();
        match albums.values().find(|album| album.is_favourites) {
            Some(album) => Ok(album.clone()),
            None => {
                let is_favourites = true;
                let album = self.new_album(name);
                let album = Album {
                    is_favourites,
                    ..album
                };
                self.insert(&mut albums, album, Vec::new())
            }
        }
    }

    fn new_album(&self, name: AlbumName) -> Album {
        let now = self.clock.now();
        Album {
            id: AlbumId::generate(now, &*self.entropy),
            name,
            is_favourites: false,
            created_at: now,
            search: None,
            cover: None,
            pictures: Vec::new(),
        }
    }

    fn insert(
        &self,
        albums: &mut BTreeMap<AlbumId, Album>,
        mut album: Album,
        pictures: Vec<NewPicture>,
    ) -> Result<Album, AlbumError> {
        album.pictures = self.new_items(&album, pictures);
        self.save(&album)?;
        albums.insert(album.id, album.clone());
        Ok(album)
    }

    /// Renames an album.
    ///
    /// # Errors
    /// [`AlbumError::NotFound`], [`AlbumError::Unwritable`].
    pub fn rename(&self, id: AlbumId, name: AlbumName) -> Result<Album, AlbumError> {
        self.change(id, |album| {
            album.name = name;
            Ok(())
        })
    }

    /// Sets the search of a smart album.
    ///
    /// # Errors
    /// [`AlbumError`].
    pub fn set_search(&self, id: AlbumId, search: AlbumSearch) -> Result<Album, AlbumError> {
        self.change(id, |album| {
            let present = album.search.as_mut().ok_or(AlbumError::NotSmart)?;
            *present = search;
            Ok(())
        })
    }

    /// Sets the picture that stands for the album; with `None`, it is the first one.
    ///
    /// # Errors
    /// [`AlbumError`].
    pub fn set_cover(&self, id: AlbumId, cover: Option<AlbumItemId>) -> Result<Album, AlbumError> {
        self.change_list(id, |album| {
            if let Some(cover) = cover {
                album.item(cover).ok_or(AlbumError::ItemNotFound(cover))?;
            }
            album.cover = cover;
            Ok(())
        })
    }

    /// Adds pictures before another one, or at the end. Pictures that the album has already stay where they are.
    ///
    /// # Errors
    /// [`AlbumError`]; nothing is added.
    pub fn add(
        &self,
        id: AlbumId,
        pictures: Vec<NewPicture>,
        before: Option<AlbumItemId>,
    ) -> Result<Album, AlbumError> {
        self.change_list(id, |album| {
            let at = position(album, before)?;
            let items = self.new_items(album, pictures);
            album.pictures.splice(at..at, items);
            Ok(())
        })
    }

    /// Moves pictures before another one, or to the end, in the order in which they are named.
    ///
    /// # Errors
    /// [`AlbumError`]; nothing is moved.
    pub fn arrange(
        &self,
        id: AlbumId,
        items: &[AlbumItemId],
        before: Option<AlbumItemId>,
    ) -> Result<Album, AlbumError> {
        self.change_list(id, |album| {
            // A picture among those that move can't be their place: they go before the next one that stays.
            let at = position(album, before)?;
            let stays = |item: &&AlbumItem| !items.contains(&item.id);
            let before = album.pictures[at..].iter().find(stays).map(|item| item.id);
            let mut moved = Vec::with_capacity(items.len());
            for &wanted in items {
                let found = album.pictures.iter().position(|item| item.id == wanted);
                moved.push(
                    album
                        .pictures
                        .remove(found.ok_or(AlbumError::ItemNotFound(wanted))?),
                );
            }
            let at = position(album, before)?;
            album.pictures.splice(at..at, moved);
            Ok(())
        })
    }

    /// Takes pictures out of an album. Those that it does not have are ignored. The files stay as they are.
    ///
    /// # Errors
    /// [`AlbumError::NotFound`], [`AlbumError::Unwritable`].
    pub fn remove(&self, id: AlbumId, items: &[AlbumItemId]) -> Result<Album, AlbumError> {
        self.change_list(id, |album| {
            album.pictures.retain(|item| !items.contains(&item.id));
            album.cover = album.cover.filter(|cover| !items.contains(cover));
            Ok(())
        })
    }

    /// Records the contents of a picture, and the place at which it was seen.
    ///
    /// # Errors
    /// [`AlbumError`].
    pub fn record(
        &self,
        id: AlbumId,
        item: AlbumItemId,
        path: &[u8],
        size: u64,
        sha256: &[u8; 32],
    ) -> Result<Album, AlbumError> {
        self.change(id, |album| {
            let found = album.pictures.iter_mut().find(|one| one.id == item);
            let found = found.ok_or(AlbumError::ItemNotFound(item))?;
            path.clone_into(&mut found.path);
            found.size = size;
            found.sha256 = Some(hex::encode(sha256));
            Ok(())
        })
    }

    /// Deletes an album, which can be restored.
    ///
    /// # Errors
    /// [`AlbumError::NotFound`], [`AlbumError::Unwritable`].
    pub fn delete(&self, id: AlbumId) -> Result<(), AlbumError> {
        let mut albums = self.albums.lock();
        if !albums.contains_key(&id) {
            return Err(AlbumError::NotFound(id));
        }
        durable::create_folder(&self.folder.join(DELETED), Access::Private)?;
        self.rename_file(&self.file(id), &self.deleted_file(id))?;
        albums.remove(&id);
        Ok(())
    }

    /// Restores a deleted album. If there are other favourites by now, it becomes an ordinary album.
    ///
    /// # Errors
    /// [`AlbumError::NotFound`] if it was not deleted, or can't be read any more; [`AlbumError::Unwritable`].
    pub fn restore(&self, id: AlbumId) -> Result<Album, AlbumError> {
        let mut albums = self.albums.lock();
        let mut album = read(&self.deleted_file(id)).map_err(|_| AlbumError::NotFound(id))?;
        album.is_favourites &= !albums.values().any(|album| album.is_favourites);
        self.rename_file(&self.deleted_file(id), &self.file(id))?;
        self.save(&album)?;
        albums.insert(id, album.clone());
        Ok(album)
    }

    /// Changes the list of an album, which a smart one does not have.
    fn change_list(
        &self,
        id: AlbumId,
        change: impl FnOnce(&mut Album) -> Result<(), AlbumError>,
    ) -> Result<Album, AlbumError> {
        self.change(id, |album| match album.search {
            Some(_) => Err(AlbumError::Smart),
            None => change(album),
        })
    }

    /// Changes an album. On an error it is as it was.
    fn change(
        &self,
        id: AlbumId,
        change: impl FnOnce(&mut Album) -> Result<(), AlbumError>,
    ) -> Result<Album, AlbumError> {
        let mut albums = self.albums.lock();
        let before = albums.get(&id).ok_or(AlbumError::NotFound(id))?;
        let mut album = before.clone();
        change(&mut album)?;
        if album != *before {
            self.save(&album)?;
            albums.insert(id, album.clone());
        }
        Ok(album)
    }

    /// Makes items of the pictures that an album does not have.
    fn new_items(&self, album: &Album, pictures: Vec<NewPicture>) -> Vec<AlbumItem> {
        let now = self.clock.now();
        let mut items: Vec<AlbumItem> = Vec::new();
        for NewPicture { path, size } in pictures {
            if album.contains(&path) || items.iter().any(|item| item.path == path) {
                continue;
            }
            items.push(AlbumItem {
                id: AlbumItemId::generate(now, &*self.entropy),
                path,
                size,
                sha256: None,
                added_at: now,
            });
        }
        items
    }

    fn save(&self, album: &Album) -> Result<(), AlbumError> {
        if album.pictures.len() > Self::MAX_PICTURES {
            return Err(AlbumError::TooLarge);
        }
        let file = AlbumFile {
            version: VERSION,
            album: album.clone(),
        };
        let bytes = serde_json::to_vec_pretty(&file).map_err(io::Error::from)?;
        // A larger file could not be read at the next start.
        if bytes.len() as u64 > own_file::SETTINGS {
            return Err(AlbumError::TooLarge);
        }
        durable::create_folder(&self.folder, Access::Private)?;
        durable::write_file(&self.file(album.id), &bytes, Access::Private)?;
        Ok(())
    }

    fn rename_file(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)?;
        for folder in [from, to].into_iter().filter_map(Path::parent) {
            durable::sync_folder(folder)?;
        }
        Ok(())
    }

    fn file(&self, id: AlbumId) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }

    fn deleted_file(&self, id: AlbumId) -> PathBuf {
        self.folder.join(DELETED).join(format!("{id}.json"))
    }
}

/// Returns the index of a picture, or the end.
fn position(album: &Album, before: Option<AlbumItemId>) -> Result<usize, AlbumError> {
    let Some(before) = before else {
        return Ok(album.pictures.len());
    };
    let found = album.pictures.iter().position(|item| item.id == before);
    found.ok_or(AlbumError::ItemNotFound(before))
}

/// Returns the files of a folder that are named as albums.
fn album_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if id_of(&path).is_some() {
            files.push(path);
        }
    }
    Ok(files)
}

fn id_of(path: &Path) -> Option<AlbumId> {
    let name = path.file_name()?.to_str()?;
    name.strip_suffix(".json")?.parse().ok()
}

/// Reads the albums of a backup. `None` if the data have not gone back to one.
fn read_backup(path: &Path) -> Result<Option<AllAlbums>, String> {
    let bytes = match own_file::read(path, own_file::ITEM) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let all: AllAlbums = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
    match all.version {
        VERSION => Ok(Some(all)),
        version => Err(format!("it has the version {version}")),
    }
}

/// Reads an album, or returns the reason why it can't be read.
fn read(path: &Path) -> Result<Album, String> {
    let bytes = own_file::read(path, own_file::SETTINGS).map_err(|error| error.to_string())?;
    let file: AlbumFile = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
    if file.version != VERSION {
        return Err(format!("it has the version {}", file.version));
    }
    let id = id_of(path).ok_or("its name is not an id")?;
    Ok(Album { id, ..file.album })
}

#[cfg(test)]
mod tests;
