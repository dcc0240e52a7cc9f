//! The files of artifacts, and their keys and groups in the index.

use fumikura_fs::{RootId, ThumbId};
use fumikura_image::Variant;
use fumikura_library::FolderKey;
use fumikura_thumbs::stored_key;
use fumikura_ttl::{Artifact, ArtifactKey, Kind};

/// The group of thumbnails of the wiki's own files.
pub(crate) const ASSETS: &str = "assets";

/// Returns the key of a thumbnail.
pub(crate) fn thumbnail_key(id: ThumbId, variant: Variant) -> ArtifactKey {
    let (id, variant) = stored_key(id, variant);
    ArtifactKey {
        id: id.to_bytes(),
        variant: variant.number(),
    }
}

pub(crate) fn folder_key(key: FolderKey) -> ArtifactKey {
    ArtifactKey {
        id: key.0,
        variant: 0,
    }
}

/// Returns the group of a root, or of artifacts without one.
pub(crate) fn group_of(owner: Option<RootId>, without: &str) -> String {
    owner.map_or_else(|| without.to_owned(), |root| root.to_string())
}

/// An artifact's file.
pub enum ArtifactFile {
    /// A thumbnail.
    Thumbnail(ThumbId, Variant),
    /// The index of a folder.
    Folder(FolderKey),
}

impl ArtifactFile {
    /// Returns the file of an artifact. `None` for a variant that this version does not make.
    #[must_use]
    pub fn of(artifact: &Artifact) -> Option<Self> {
        let ArtifactKey { id, variant } = artifact.key;
        match artifact.kind {
            Kind::Manifest => Some(Self::Folder(FolderKey(id))),
            Kind::Blob => {
                let variant = Variant::from_number(variant)?;
                Some(Self::Thumbnail(ThumbId::from_bytes(id), variant))
            }
        }
    }
}
