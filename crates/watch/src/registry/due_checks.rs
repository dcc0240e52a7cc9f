//! Checks that have not returned: a disk that never answers holds up no other.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use fumikura_fs::{RootId, platform::Identity};

/// The duration of a check that may never return.
const SLOW: Duration = Duration::from_secs(5);
/// The maximum number of checks at once, each of which takes a thread.
const MOST: usize = 32;
/// The maximum for a disk whose last check was slow: the other threads are left to disks that answer.
const MOST_FOR_SLOW: usize = 8;

/// The disk that a check waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Disk {
    /// The file system with this number: the folder was found there.
    Of(u64),
    /// Some file system at a root or beneath it: the folder was not found yet.
    Beneath(RootId),
}

impl Disk {
    pub(super) const fn of(folder: Identity) -> Self {
        Self::Of(folder.device())
    }
}

/// The disks that are being checked, by one check each at most.
#[derive(Debug, Default)]
pub(super) struct DueChecks {
    /// The start of each check.
    out: HashMap<Disk, Duration>,
    slow: HashSet<Disk>,
}

impl DueChecks {
    /// True if a check of the disk may begin now.
    pub(super) fn may_begin(&self, disk: Disk) -> bool {
        let most = match self.slow.contains(&disk) {
            true => MOST_FOR_SLOW,
            false => MOST,
        };
        self.out.len() < most && !self.out.contains_key(&disk)
    }

    /// Records the start of a check.
    pub(super) fn begin(&mut self, disk: Disk, now: Duration) {
        self.out.insert(disk, now);
    }

    /// Records the return of a check.
    pub(super) fn end(&mut self, disk: Disk, now: Duration) {
        let Some(since) = self.out.remove(&disk) else {
            return;
        };
        if now.saturating_sub(since) < SLOW {
            self.slow.remove(&disk);
        } else {
            self.slow.insert(disk);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun(looks: &mut DueChecks, disks: impl IntoIterator<Item = u64>, now: Duration) -> usize {
        let mut begun = 0;
        for disk in disks.into_iter().map(Disk::Of) {
            if looks.may_begin(disk) {
                looks.begin(disk, now);
                begun += 1;
            }
        }
        begun
    }

    #[test]
    fn a_disk_is_looked_at_by_one_at_a_time() {
        let mut looks = DueChecks::default();
        assert_eq!(begun(&mut looks, [1, 1, 2], Duration::ZERO), 2);
        looks.end(Disk::Of(1), SLOW / 2);
        assert_eq!(begun(&mut looks, [1, 2], SLOW), 1);
    }

    #[test]
    fn those_that_answer_are_looked_at_however_many_hang() {
        let mut looks = DueChecks::default();
        let many = 1..100;
        assert_eq!(begun(&mut looks, many.clone(), Duration::ZERO), MOST);
        for disk in many.clone() {
            looks.end(Disk::Of(disk), SLOW);
        }
        // Only disks whose checks were begun are known to be slow.
        let slow = 1..=MOST as u64;
        assert_eq!(begun(&mut looks, slow.clone(), SLOW), MOST_FOR_SLOW);
        assert_eq!(begun(&mut looks, [1000], SLOW), 1);
        assert_eq!(begun(&mut looks, slow.clone(), SLOW), 0);
        for disk in slow.clone() {
            looks.end(Disk::Of(disk), SLOW + SLOW / 2);
        }
        // Disks that answered in time are no longer slow.
        let freed = begun(&mut looks, slow, 2 * SLOW);
        assert_eq!(freed, MOST_FOR_SLOW);
    }
}
