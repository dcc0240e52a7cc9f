//! Looks that have not come back: a disk that never answers holds up no other one.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use crate::platform::Identity;
use crate::roots::RootId;

/// A look that takes that long may never come back.
const SLOW: Duration = Duration::from_secs(5);
/// How many looks there are at once, each of which takes a thread.
const MOST: usize = 32;
/// As [`MOST`] for a disk whose last look was slow: the other threads are left to those that answer.
const MOST_FOR_SLOW: usize = 8;

/// What a look waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Disk {
    /// The file system of this number: the folder was found there.
    Of(u64),
    /// Some file system at a root or beneath it: the folder was not found yet.
    Beneath(RootId),
    /// Whatever links beneath a root lead to.
    BehindLinks(RootId),
}

impl Disk {
    pub(super) const fn of(folder: Identity) -> Self {
        Self::Of(folder.device())
    }
}

/// The disks that are being looked at, by one look each at most.
#[derive(Debug, Default)]
pub(super) struct Looks {
    /// Since when.
    out: HashMap<Disk, Duration>,
    slow: HashSet<Disk>,
}

impl Looks {
    /// Whether a disk may be looked at now.
    pub(super) fn may_begin(&self, disk: Disk) -> bool {
        let most = match self.slow.contains(&disk) {
            true => MOST_FOR_SLOW,
            false => MOST,
        };
        self.out.len() < most && !self.out.contains_key(&disk)
    }

    /// A look begins.
    pub(super) fn begin(&mut self, disk: Disk, now: Duration) {
        self.out.insert(disk, now);
    }

    /// A look has come back.
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

    fn begun(looks: &mut Looks, disks: impl IntoIterator<Item = u64>, now: Duration) -> usize {
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
        let mut looks = Looks::default();
        assert_eq!(begun(&mut looks, [1, 1, 2], Duration::ZERO), 2);
        looks.end(Disk::Of(1), SLOW / 2);
        assert_eq!(begun(&mut looks, [1, 2], SLOW), 1);
    }

    #[test]
    fn those_that_answer_are_looked_at_however_many_hang() {
        let mut looks = Looks::default();
        let many = 1..100;
        assert_eq!(begun(&mut looks, many.clone(), Duration::ZERO), MOST);
        for disk in many.clone() {
            looks.end(Disk::Of(disk), SLOW);
        }
        // Only those that were begun are known to be slow.
        let slow = 1..=MOST as u64;
        assert_eq!(begun(&mut looks, slow.clone(), SLOW), MOST_FOR_SLOW);
        assert_eq!(begun(&mut looks, [1000], SLOW), 1);
        assert_eq!(begun(&mut looks, slow.clone(), SLOW), 0);
        for disk in slow.clone() {
            looks.end(Disk::Of(disk), SLOW + SLOW / 2);
        }
        // Those that came back in time are slow no more.
        let freed = begun(&mut looks, slow, 2 * SLOW);
        assert_eq!(freed, MOST_FOR_SLOW);
    }
}
