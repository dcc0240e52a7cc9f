//! Lists folders, and keeps their snapshots and metadata.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use fumikura_base::entropy::Entropy;
use fumikura_fs::{
    AccessError, DiskPool, FolderScope, RelPath, Root, RootDir, RootId, Source, Stat, platform,
};
use fumikura_image::PictureHash;
use fumikura_xmp::{SidecarFile, SidecarMarks, Tag};
use parking_lot::{Mutex, MutexGuard};

use crate::entry::{EntryKind, FolderSize, Listing};
use crate::events::{Events, FolderKey, LibraryEvent};
use crate::manifest::{FolderVisitor, Manifests};
use crate::query::{GroupBy, ListQuery};
use crate::read_state::ReadState;
use crate::reader::Reader;
use crate::scan::{Folder, Sidecar};
use crate::snapshot::Snapshot;
use crate::snapshot_cache::{MarksUpdate, PlaceholderUpdate, Purpose, SnapshotCache};
use crate::snapshot_id::SnapshotId;
use crate::view::ViewQuery;

/// The listings, with the snapshots and metadata kept from earlier ones.
pub struct Library {
    snapshots: Mutex<SnapshotCache>,
    pub(crate) reader: Reader,
    pub(crate) pool: Arc<DiskPool>,
    pub(crate) entropy: Arc<dyn Entropy>,
    /// The time limit after which a listing that may grow is returned incomplete.
    pub(crate) listing_timeout: Duration,
    events: Arc<Events>,
}

/// A notification: a listing returned before all names were read is now complete, or cannot be completed. Clients
/// request it again by its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingCompleted {
    pub root: RootId,
    /// The folder.
    pub path: RelPath,
    /// The listing.
    pub snapshot: SnapshotId,
}

impl Library {
    /// Starts the reader. `folder` is the directory of the stored metadata, and `pool` runs what waits for roots' disks.
    ///
    /// # Errors
    /// If the system cannot create more threads.
    pub fn start(
        pool: Arc<DiskPool>,
        folder: PathBuf,
        listing_timeout: Duration,
        entropy: Arc<dyn Entropy>,
    ) -> io::Result<Self> {
        let events = Arc::new(Events::default());
        let manifests = Manifests::new(folder).with_events(Arc::clone(&events));
        Ok(Self {
            snapshots: Mutex::default(),
            reader: Reader::start(Arc::clone(&pool), manifests)?,
            pool,
            entropy,
            listing_timeout,
            events,
        })
    }

    /// Calls `each` with every folder that has stored metadata, its size in bytes and the ids of the folder's pictures,
    /// until `each` returns false.
    pub fn each_index(&self, each: &mut FolderVisitor<'_>) -> io::Result<()> {
        self.reader.manifests().each_manifest(each)
    }

    /// Deletes the stored metadata of a folder. Returns its size in bytes, or `None` if there was none.
    pub fn remove_index(&self, key: FolderKey) -> io::Result<Option<u64>> {
        self.reader.manifests().remove(key)
    }

    /// True if metadata of a folder is stored.
    pub fn contains_index(&self, key: FolderKey) -> bool {
        self.reader.manifests().contains(key)
    }

    /// Ends the reader. Metadata read so far is saved, and nothing after that.
    pub fn end(&self) {
        self.reader.end();
    }

    /// Registers the listener, which is called from any thread. Later calls are ignored.
    pub fn listen(&self, listener: impl Fn(LibraryEvent) + Send + Sync + 'static) {
        self.events.listen(listener);
    }

    /// Renews the lease on a folder: a client still shows it.
    pub fn renew(&self, root: RootId, path: &RelPath) {
        self.reader.renew(root, path);
    }

    /// Forgets a root, which may no longer be read. Its metadata on the disk is evicted over time.
    pub fn forget(&self, root: RootId) {
        self.snapshots().forget(root);
        self.reader.forget(root);
    }

    /// Lists the folder at `path` beneath `root`, or everything beneath it.
    pub fn list(
        self: &Arc<Self>,
        root: &Arc<Root>,
        path: &RelPath,
        query: &ListQuery,
    ) -> Result<Listing, AccessError> {
        let scope = GroupBy::scope(query.group);
        let only_folders = query.filter.kind == Some(EntryKind::Folder);
        let purpose = match only_folders {
            true => Purpose::Count,
            false => Purpose::View,
        };
        let root_dir = root.open()?;
        let folder = open_folder(&root_dir, path)?;
        let before = query
            .snapshot
            .and_then(|id| self.snapshots().get(id, root, path, scope, purpose));
        let snapshot = match before {
            Some(snapshot) => snapshot,
            None if query.may_grow && !only_folders => {
                self.take_partial_snapshot(root, &folder, scope)?
            }
            None => self.take_snapshot(root, &folder, scope, purpose)?,
        };
        self.catch_up(&snapshot);
        let view_query = ViewQuery {
            sort: query.sort,
            order: query.order,
            group: query.group,
            filter: query.filter.clone(),
            joins_files: query.joins_files,
        };
        let view = snapshot.view(&view_query, &root_dir);
        let joined = query.joins_files.then(|| snapshot.joined());
        let joined = joined.filter(|joined| !joined.is_empty());
        let order = &view.entries;
        let limit = query.limit.clamp(1, ListQuery::MAX_LIMIT);
        let wanted = query.around.as_ref();
        let place = wanted.and_then(|name| snapshot.place_of(name, order, joined));
        let offset = place.map_or(query.offset, |place| place / limit * limit);
        let first = offset.min(order.len());
        let part = &order[first..order.len().min(first.saturating_add(limit))];
        let companions = |&index: &u32| joined.map_or(&[][..], |joined| joined.companions(index));
        let others = part.iter().flat_map(companions);
        let files: Vec<u32> = part
            .iter()
            .copied()
            .chain(others.map(|(_, index)| *index))
            .collect();
        snapshot.request_stats(&root_dir, files.iter().map(|&index| index as usize));
        let depends_on_reading = view_query.depends_on_reading();
        let listing = Listing {
            root: Arc::clone(root),
            path: path.clone(),
            snapshot: snapshot.id,
            total: view.entries.len(),
            pictures: view.pictures,
            // For a listing that depends on reading, this tells clients whether its order is final.
            unread: match depends_on_reading {
                true => view.unread,
                false => snapshot.unread(),
            },
            left_out: snapshot.left_out,
            is_growing: snapshot.is_growing,
            offset,
            groups: view.groups.clone(),
            entries: snapshot.entries(part, joined),
        };
        // A request for folders alone does not show pictures.
        if snapshot.unread() > 0 && !only_folders {
            let unread = snapshot.unread_among(&files);
            // On a remote disk, only visible entries are read, unless the order needs all of them.
            let with_rest = depends_on_reading || !is_remote(&folder);
            if with_rest || !unread.is_empty() {
                self.reader.request(&snapshot, unread, with_rest);
            }
        }
        if limit == 1 || first + part.len() == order.len() {
            // A counted snapshot is requested once, whether the client wanted its numbers or all its pages.
            self.snapshots().drop_counted(snapshot.id);
        }
        Ok(listing)
    }

    /// Applies marks just written to a picture's sidecar, so that listings have them before the sidecar is read again.
    pub fn mark(&self, picture: &Source, written: &SidecarFile, marks: &SidecarMarks) {
        let Some((path, name)) = picture.path().split_last() else {
            return;
        };
        let update = MarksUpdate {
            folder: path,
            name: name.into(),
            sidecar: Sidecar {
                name: written.name.as_slice().into(),
                stat: Some(written.stat),
            },
            marks: ReadState::Read(written.stat.into(), Arc::new(marks.clone().truncated())),
        };
        // Collected first, to release the lock before the snapshots are marked.
        let snapshots = self.snapshots().mark(picture.root_ref(), &update);
        for snapshot in snapshots {
            snapshot.mark(&update);
        }
    }

    /// Records the hash of a picture, computed from a thumbnail of one state of its file.
    pub fn note(&self, picture: &Source, stat: Stat, hash: &PictureHash) {
        let Some((path, name)) = picture.path().split_last() else {
            return;
        };
        let update = PlaceholderUpdate {
            folder: path,
            name: name.into(),
            of: stat.into(),
            hash: hash.clone(),
        };
        let snapshots = self.snapshots().note(picture.root_ref(), &update);
        let news = snapshots.iter().map(|snapshot| snapshot.note(&update));
        // Every snapshot is updated: the fold does not stop at the first.
        let is_changed = news.fold(false, |news, is_changed| news | is_changed);
        if let Some(latest) = snapshots.last().filter(|_| is_changed) {
            self.reader.save_later(latest);
        }
    }

    /// Returns the tags of a folder's pictures, or of all beneath it, the most frequent first, as far as sidecars have
    /// been read. With `joins_files`, a picture of several files counts once.
    pub fn tags(
        &self,
        root: &Arc<Root>,
        path: &RelPath,
        scope: FolderScope,
        joins_files: bool,
    ) -> Result<Vec<(Tag, usize)>, AccessError> {
        let snapshot = self.latest_snapshot(root, path, scope)?;
        self.catch_up(&snapshot);
        let mut tags: Vec<_> = snapshot
            .tags(path, scope, joins_files)
            .into_iter()
            .collect();
        tags.sort_unstable_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
        Ok(tags)
    }

    /// Returns the size of a folder's files, or of all beneath it, and the free space of its disk. Every file costs a
    /// `stat` unless it was made before. That is too slow on a remote disk, on which the size is unknown.
    pub fn size(
        &self,
        root: &Arc<Root>,
        path: &RelPath,
        scope: FolderScope,
    ) -> Result<FolderSize, AccessError> {
        let root_dir = root.open()?;
        let folder = open_folder(&root_dir, path)?;
        let snapshot = self.latest_snapshot(root, path, scope)?;
        let free = platform::free_space(&folder.dir);
        let (files, bytes) = match is_remote(&folder) {
            true => (snapshot.count_files(path, scope), None),
            false => {
                let (files, bytes) = snapshot.size(&root_dir, path, scope);
                (files, Some(bytes))
            }
        };
        Ok(FolderSize {
            files,
            bytes,
            free: free.ok(),
        })
    }

    /// Returns the latest snapshot of a folder, or takes one.
    fn latest_snapshot(
        &self,
        root: &Arc<Root>,
        path: &RelPath,
        scope: FolderScope,
    ) -> Result<Arc<Snapshot>, AccessError> {
        let mut all = self.snapshots().all_of(root, path);
        if scope == FolderScope::Recursive {
            all.retain(|one| one.scope == scope && one.path == *path);
        }
        if let Some(snapshot) = all.pop() {
            return Ok(snapshot);
        }
        let root_dir = root.open()?;
        let folder = open_folder(&root_dir, path)?;
        self.take_snapshot(root, &folder, scope, Purpose::View)
    }

    /// Adopts metadata that other snapshots have read since this one was taken.
    pub(crate) fn catch_up(&self, snapshot: &Snapshot) {
        if snapshot.unread() == 0 {
            return;
        }
        let others = self.snapshots().all_except(snapshot);
        for other in others {
            snapshot.adopt_newer(&other);
        }
    }

    pub(crate) fn events(&self) -> &Events {
        &self.events
    }

    pub(crate) fn snapshots(&self) -> MutexGuard<'_, SnapshotCache> {
        self.snapshots.lock()
    }
}

pub(crate) fn open_folder<'a>(
    root: &'a RootDir,
    path: &'a RelPath,
) -> Result<Folder<'a>, AccessError> {
    let dir = root.open_folder(path)?;
    Ok(Folder { root, path, dir })
}

/// True if the folder is on a remote disk. If this cannot be determined, the disk counts as local.
pub(crate) fn is_remote(folder: &Folder<'_>) -> bool {
    let handle = folder.dir.try_clone().map(cap_std::fs::Dir::into_std_file);
    handle
        .and_then(|handle| platform::is_remote(&handle))
        .unwrap_or(false)
}
