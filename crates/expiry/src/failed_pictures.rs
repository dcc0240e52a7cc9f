//! The pictures of thumbnails whose removal failed. An artifact has only the id of its picture, and the
//! folder index that names the picture expires with it, so the picture is searched for in its root.

use std::collections::{HashMap, HashSet};

use fumikura_fs::{RelPath, RootId, Roots, ThumbId};

use crate::artifact_file::ArtifactFile;
use crate::expiry::{Expiry, locked};

/// The paths of the pictures by their ids; `None` for pictures that were not found.
pub(crate) type FailedPictures = HashMap<ThumbId, Option<(RootId, RelPath)>>;

impl Expiry {
    /// Returns the picture of a thumbnail that could not be removed.
    #[must_use]
    pub fn picture_of(&self, id: ThumbId) -> Option<(RootId, RelPath)> {
        locked(&self.failed_pictures).get(&id).cloned().flatten()
    }
}

impl Expiry {
    /// Searches the roots for the pictures of new failures, once each, and drops those of removals that
    /// succeeded.
    pub(crate) fn find_failed_pictures(&self, roots: &Roots) {
        let mut wanted: HashMap<RootId, HashSet<ThumbId>> = HashMap::new();
        let failures = self.index().failures();
        let mut pictures = locked(&self.failed_pictures);
        let mut current = FailedPictures::new();
        for failure in failures {
            let Some(ArtifactFile::Thumbnail(id, _)) = ArtifactFile::of(&failure.artifact) else {
                continue;
            };
            if let Some(picture) = pictures.remove(&id) {
                current.insert(id, picture);
            } else if let Ok(root) = failure.artifact.group.parse() {
                wanted.entry(root).or_default().insert(id);
            }
        }
        *pictures = current;
        drop(pictures);
        for (root, ids) in wanted {
            let mut found = roots.find_files(root, &ids).unwrap_or_else(|error| {
                tracing::debug!("pictures of failed removals can't be searched for: {error}");
                HashMap::new()
            });
            let pictures = ids.into_iter().map(|id| {
                let path = found.remove(&id);
                (id, path.map(|path| (root, path)))
            });
            locked(&self.failed_pictures).extend(pictures);
        }
    }
}
