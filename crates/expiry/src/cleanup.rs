//! Cleanup: removes expired artifacts, one at a time per worker.

use std::collections::HashSet;
use std::io;
use std::sync::atomic::Ordering;

use fumikura_fs::RootStatus;
use fumikura_ttl::{Artifact, Remover};

use crate::artifact_file::ArtifactFile;
use crate::expiry::{Expiry, locked};

/// The maximum number of artifacts that one pass removes before the roots are checked again.
pub const MAX_PER_PASS: usize = 500;

impl Expiry {
    /// Removes artifacts, at most one pass of them. Returns the number of attempts.
    pub fn clean_up_some(&self) -> usize {
        if self.clock_jump().is_some() || !self.has_work() {
            return 0;
        }
        let unavailable = self.unavailable_groups(&self.pictures.roots().list());
        let tried = (0..MAX_PER_PASS)
            .take_while(|_| !self.is_stopping() && self.clean_up_one(&unavailable))
            .count();
        self.find_failed_pictures(self.pictures.roots());
        tried
    }

    /// Returns true if any artifact waits for cleanup. The roots are checked only then.
    fn has_work(&self) -> bool {
        let now = self.now();
        self.index().has_cleanup(now)
    }

    fn clean_up_one(&self, unavailable: &HashSet<String>) -> bool {
        let now = self.now();
        let may_clean = |group: &str| !unavailable.contains(group);
        let next = self.index().next_cleanup(may_clean, now);
        let Some(cleanup) = next else { return false };
        let confirm = || self.index().confirm_cleanup(&cleanup);
        let removed = self.remove_artifact(&cleanup.artifact, &confirm);
        let now = self.now();
        let key = cleanup.artifact.key;
        match &removed {
            Ok(Some(bytes)) => {
                self.removed.fetch_add(1, Ordering::Relaxed);
                self.removed_bytes.fetch_add(*bytes, Ordering::Relaxed);
                locked(&self.shared.removal_log).record_removal(&key, Remover::Expiry, now);
            }
            // The file was missing already, or stays because it was read.
            Ok(None) => {}
            Err(error) => tracing::warn!("an expired artifact can't be removed: {error}"),
        }
        let removed = removed.map(drop).map_err(|error| error.to_string());
        self.index().end_cleanup(cleanup, removed, now);
        true
    }

    /// Deletes an artifact's file if `confirm` returns true. Returns its size in bytes; `None` if the file stays or was
    /// missing already.
    ///
    /// # Errors
    /// If the file can't be deleted.
    pub fn remove_artifact(
        &self,
        artifact: &Artifact,
        confirm: &dyn Fn() -> bool,
    ) -> io::Result<Option<u64>> {
        match ArtifactFile::of(artifact) {
            Some(ArtifactFile::Thumbnail(id, variant)) => {
                let thumbs = self.pictures.thumbs();
                thumbs.remove_thumbnail_if(id, variant, confirm)
            }
            Some(ArtifactFile::Folder(key)) if confirm() => self.pictures.remove_folder_index(key),
            Some(ArtifactFile::Folder(_)) | None => Ok(None),
        }
    }

    /// Returns the groups whose roots are unavailable. An empty folder may be the mount point of a disk that is not
    /// mounted.
    #[must_use]
    pub fn unavailable_groups(&self, roots: &[RootStatus]) -> HashSet<String> {
        let unavailable = roots
            .iter()
            .filter(|root| !root.available || !self.pictures.roots().has_entries(&root.root));
        unavailable.map(|root| root.root.id().to_string()).collect()
    }
}
