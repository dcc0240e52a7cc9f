//! Grants: leave to read one path of the machine, given by a dialog or a drop, good for one use.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use fumikura_base::entropy::{Entropy, random_bytes};

/// How many unused grants are kept; the oldest is forgotten first.
const KEPT: usize = 256;

/// The grants that were given and not used yet.
#[derive(Debug, Default)]
pub(crate) struct Grants {
    given: Mutex<Given>,
}

#[derive(Debug, Default)]
struct Given {
    paths: HashMap<String, (u64, PathBuf)>,
    count: u64,
}

impl Grants {
    /// Gives leave to read `path`.
    pub(crate) fn give(&self, path: PathBuf, entropy: &dyn Entropy) -> String {
        let id = hex::encode(random_bytes::<16>(entropy));
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        if given.paths.len() >= KEPT {
            let oldest = given
                .paths
                .iter()
                .min_by_key(|(_, (count, _))| *count)
                .map(|(id, _)| id.clone());
            oldest.and_then(|id| given.paths.remove(&id));
        }
        given.count += 1;
        let count = given.count;
        given.paths.insert(id.clone(), (count, path));
        id
    }

    /// The path, the first time it is asked for.
    pub(crate) fn take(&self, id: &str) -> Option<PathBuf> {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        given.paths.remove(id).map(|(_, path)| path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fumikura_base::entropy::SeededEntropy;

    #[test]
    fn a_grant_is_good_for_one_use_and_their_number_is_bounded() {
        let (grants, entropy) = (Grants::default(), SeededEntropy::new(1));
        let first = grants.give("/pictures".into(), &entropy);
        assert_eq!(grants.take(&first), Some("/pictures".into()));
        assert_eq!(grants.take(&first), None);
        let old = grants.give("/old".into(), &entropy);
        for _ in 0..KEPT {
            grants.give("/new".into(), &entropy);
        }
        assert_eq!(grants.take(&old), None);
        assert_eq!(grants.given.lock().unwrap().paths.len(), KEPT);
    }
}
