//! The files of pages, searched by name.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fumikura_library::EntryKind;
use fumikura_search::{Catalogue, CatalogueItem};
use fumikura_wiki::{
    AssetId, AssetOwner, Change, OwnedAsset, PageChange, PageId, StorageError, Wiki,
};
use parking_lot::Mutex;

/// The id and the page of a found file.
#[derive(Debug)]
pub(crate) struct FileKey {
    pub(crate) id: AssetId,
    pub(crate) page_id: PageId,
    /// The path of its page.
    pub(crate) page: String,
    /// True if the file itself is in the trash.
    pub(crate) deleted: bool,
}

/// The files of all pages, read again if they may have changed.
#[derive(Default)]
pub(crate) struct PageFileIndex {
    /// The number of commits that changed files.
    changes: AtomicU64,
    /// The files, with the number of such commits at that time.
    catalogue: Mutex<Option<(u64, Arc<Catalogue<FileKey>>)>>,
}

impl PageFileIndex {
    /// Invalidates the files if a commit changed any.
    pub(crate) fn note(&self, changes: &[Change]) {
        if changes.iter().any(concerns_files) {
            self.changes.fetch_add(1, Ordering::AcqRel);
        }
    }

    pub(crate) fn get(&self, wiki: &Wiki) -> Result<Arc<Catalogue<FileKey>>, StorageError> {
        let mut catalogue = self.catalogue.lock();
        let changes = self.changes.load(Ordering::Acquire);
        if let Some((after, files)) = &*catalogue
            && *after == changes
        {
            return Ok(Arc::clone(files));
        }
        let files = wiki.assets().all()?.into_iter().filter_map(catalogue_item);
        let files: Arc<Catalogue<FileKey>> = Arc::new(files.collect());
        *catalogue = Some((changes, Arc::clone(&files)));
        Ok(files)
    }
}

fn concerns_files(change: &Change) -> bool {
    match change {
        Change::Asset { .. } | Change::Unknown => true,
        Change::Page { kind, .. } => match kind {
            PageChange::Created
            | PageChange::Renamed
            | PageChange::Deleted
            | PageChange::Restored => true,
            PageChange::Saved | PageChange::Compacted => false,
        },
        Change::Locked { .. } | Change::Unlocked { .. } | Change::Settings => false,
    }
}

/// Returns the entry of a file. `None` if its page was deleted permanently.
fn catalogue_item(asset: OwnedAsset) -> Option<(CatalogueItem, FileKey)> {
    let AssetOwner::Page { page_id, path } = asset.owner else {
        return None;
    };
    let page = path.to_string();
    let name = asset.file_name.to_string();
    let catalogue_item = CatalogueItem {
        path: format!("{}/{name}", page.trim_end_matches('/')),
        is_picture: EntryKind::of_file(name.as_bytes()) == EntryKind::Picture,
        time: asset.created_at.as_millisecond(),
        ..CatalogueItem::default()
    };
    let key = FileKey {
        id: asset.id,
        page_id,
        page,
        deleted: asset.is_deleted,
    };
    Some((catalogue_item, key))
}
