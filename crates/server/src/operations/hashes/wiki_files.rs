//! The wiki's files in rolling verification. The wiki keeps their hashes; the own hash folder keeps the times
//! of their verification.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use fumikura_hashes::{Digest, FilePath, StoredFile, Verification};
use fumikura_wiki::OwnedAsset;
use jiff::Timestamp;

use super::folders::{WIKI, text};
use super::item::{HashItem, HashOwner, HashRecordKind};
use super::list::{HashFolderInfo, HashList, HashPage, Selection};
use crate::error::ApiError;
use crate::services::Hashes;

/// The length of a file's name on the disk, which is its id.
const ID_LENGTH: usize = 26;

/// The wiki's files and their last verifications.
pub(super) struct WikiFiles {
    assets: Vec<OwnedAsset>,
    verifications: BTreeMap<String, Verification>,
}

impl WikiFiles {
    pub(super) fn read(hashes: &Hashes) -> Result<Self, ApiError> {
        Ok(Self {
            assets: hashes.wiki.assets().all()?,
            verifications: hashes.own_hash_folder()?.verifications(),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.assets.len()
    }

    /// Returns the oldest time of a last verification. `None` if a file was never verified, or there are no
    /// files.
    pub(super) fn oldest_verification(&self) -> Option<Timestamp> {
        let times = self
            .last()
            .map(|last| last.and_then(|last| last.verified_at));
        times.min().flatten()
    }

    /// Returns the states of all files; `None` before their first verification.
    pub(super) fn states(&self) -> impl Iterator<Item = Option<fumikura_hashes::FileState>> {
        self.last().map(|last| last.map(|last| last.state))
    }

    fn last(&self) -> impl Iterator<Item = Option<&Verification>> {
        let ids = self.assets.iter().map(|asset| asset.id.to_string());
        ids.map(|id| self.verifications.get(&id))
    }

    fn item(&self, asset: &OwnedAsset) -> HashItem {
        let id = asset.id.to_string();
        let last = self.verifications.get(&id);
        let page = asset.owner.path().as_str().trim_end_matches('/');
        HashItem {
            path: Some(format!("{page}/{}", asset.file_name)),
            path_bytes: None,
            kind: HashRecordKind::Asset,
            state: last.map(|last| last.state),
            content_hash: Some(Digest(asset.sha256).to_string()),
            size: Some(asset.size),
            recorded_at: Some(asset.created_at),
            verified_at: last.and_then(|last| last.verified_at),
            lossy: false,
            newer: false,
            analysis: false,
            reason: None,
            reason_code: None,
            page: Some(HashOwner::from(&asset.owner)),
            name: id,
        }
    }
}

/// Lists the wiki's files as a separate source.
pub(super) fn list(
    hashes: &Hashes,
    request: &HashList,
    limit: usize,
) -> Result<HashPage, ApiError> {
    let files = WikiFiles::read(hashes)?;
    let mut selection = Selection::new(request, limit);
    // None of the wiki's files is beneath a root.
    if request.root.is_none() {
        for asset in &files.assets {
            selection.add(files.item(asset));
        }
    }
    let mut states = BTreeMap::new();
    for state in files.states() {
        let word = state.map_or("unknown", fumikura_hashes::FileState::word);
        *states.entry(word.to_owned()).or_default() += 1;
    }
    Ok(HashPage {
        folder: HashFolderInfo {
            id: WIKI.to_owned(),
            path: text(&hashes.assets),
            own: true,
            writable: false,
            name_limit: ID_LENGTH,
        },
        total: files.len(),
        matching: selection.matching,
        states,
        oldest_verified_at: files.oldest_verification(),
        items: selection.items,
    })
}

/// Returns the wiki's files for rolling verification.
pub(super) fn stored_files(hashes: &Hashes) -> Result<Vec<StoredFile>, ApiError> {
    let folder = resolved(&hashes.assets).map_err(super::state::unusable)?;
    let stored = hashes.wiki.assets().all()?.into_iter().map(|asset| {
        let (_, relative) = hashes.wiki.assets().place(asset.id);
        Ok(StoredFile {
            id: asset.id.to_string(),
            path: FilePath::try_from(&*folder.join(relative))?,
            size: asset.size,
            digest: Digest(asset.sha256),
        })
    });
    stored.collect()
}

/// Returns true if the wiki still has a file, or if that is unknown, so that its loss is reported.
pub(super) fn is_stored(hashes: &Hashes, file: &StoredFile) -> bool {
    let id = file.id.parse();
    id.map_or(true, |id| hashes.wiki.assets().exists(id).unwrap_or(true))
}

/// Returns the folder with symbolic links resolved, or its absolute path if it does not exist.
fn resolved(folder: &Path) -> io::Result<PathBuf> {
    match folder.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => std::path::absolute(folder),
        outcome => outcome,
    }
}
