//! Files outside of the database that are being added or removed: for a moment they do not match their rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

/// The ids of such files, with the number of operations on each.
#[derive(Debug, Clone, Default)]
pub(crate) struct PendingFiles(Arc<Mutex<BTreeMap<[u8; 16], usize>>>);

/// A guard that keeps the ids recorded.
pub(crate) struct PendingFilesGuard {
    files: PendingFiles,
    ids: Vec<[u8; 16]>,
}

impl PendingFiles {
    /// Records files. Must be called before the row or the file is changed.
    pub(crate) fn add(&self, ids: Vec<[u8; 16]>) -> PendingFilesGuard {
        let mut counts = self.0.lock();
        for id in &ids {
            *counts.entry(*id).or_default() += 1;
        }
        PendingFilesGuard {
            files: self.clone(),
            ids,
        }
    }

    /// True if a file is being added or removed.
    pub(crate) fn has(&self, id: &[u8; 16]) -> bool {
        let counts = self.0.lock();
        counts.contains_key(id)
    }
}

impl Drop for PendingFilesGuard {
    fn drop(&mut self) {
        let mut counts = self.files.0.lock();
        for id in &self.ids {
            match counts.get_mut(id) {
                Some(count) if *count > 1 => *count -= 1,
                Some(_) | None => drop(counts.remove(id)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_is_pending_while_any_guard_lives() {
        let pending = PendingFiles::default();
        let first = pending.add(vec![[1; 16], [2; 16]]);
        let second = pending.add(vec![[1; 16]]);
        drop(first);
        assert!(pending.has(&[1; 16]) && !pending.has(&[2; 16]));
        drop(second);
        assert!(!pending.has(&[1; 16]));
    }
}
