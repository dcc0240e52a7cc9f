//! Files outside of the database that are being added or removed: for a moment they do not match their rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

/// The ids of such files, with the number of operations on each.
#[derive(Debug, Clone, Default)]
pub(crate) struct InFlight(Arc<Mutex<BTreeMap<[u8; 16], usize>>>);

/// A guard that keeps the ids recorded.
pub(crate) struct Noted {
    of: InFlight,
    ids: Vec<[u8; 16]>,
}

impl InFlight {
    /// Records files. Must be called before the row or the file is changed.
    pub(crate) fn note(&self, ids: Vec<[u8; 16]>) -> Noted {
        let mut noted = self.0.lock();
        for id in &ids {
            *noted.entry(*id).or_default() += 1;
        }
        Noted {
            of: self.clone(),
            ids,
        }
    }

    /// True if a file is being added or removed.
    pub(crate) fn has(&self, id: &[u8; 16]) -> bool {
        let noted = self.0.lock();
        noted.contains_key(id)
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        let mut noted = self.of.0.lock();
        for id in &self.ids {
            match noted.get_mut(id) {
                Some(count) if *count > 1 => *count -= 1,
                Some(_) | None => drop(noted.remove(id)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_is_in_flight_while_any_guard_lives() {
        let files = InFlight::default();
        let first = files.note(vec![[1; 16], [2; 16]]);
        let second = files.note(vec![[1; 16]]);
        drop(first);
        assert!(files.has(&[1; 16]) && !files.has(&[2; 16]));
        drop(second);
        assert!(!files.has(&[1; 16]));
    }
}
