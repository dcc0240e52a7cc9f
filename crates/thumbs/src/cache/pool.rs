//! Which thumbnail goes next: the one that was used longest ago, nearly (approximated LRU,
//! thumbnail-server.md §4.2).
//!
//! A shard holds about one thumbnail, so that the oldest of a random shard would be a random one.
//! Candidates come from several shards, and the oldest of all that were seen lately are kept for the
//! next choice, as Redis does: that comes as near to exact LRU as makes no difference
//! (`cargo xtask bench eviction`).

use std::iter;

/// From so many shards at least candidates come before each choice.
pub const SAMPLES: usize = 10;
/// How many candidates are kept from choice to choice.
const KEPT: usize = 16;

/// A file that could go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate<K, T> {
    /// Which file.
    pub key: K,
    /// When it was last used.
    pub used: T,
}

/// The oldest candidates that were seen.
#[derive(Debug)]
pub struct Pool<K, T> {
    /// The one that was used longest ago is last.
    kept: Vec<Candidate<K, T>>,
}

impl<K: PartialEq, T: Ord + Copy> Pool<K, T> {
    /// Takes samples, and gives the candidate that was used longest ago. None when there is none.
    pub fn choose(
        &mut self,
        mut sample: impl FnMut() -> Option<Candidate<K, T>>,
    ) -> Option<Candidate<K, T>> {
        for candidate in iter::repeat_with(&mut sample).take(SAMPLES).flatten() {
            self.offer(candidate);
        }
        self.kept.pop()
    }

    /// Keeps a candidate if it is among the oldest. One that is seen again has its newer time.
    fn offer(&mut self, candidate: Candidate<K, T>) {
        self.kept.retain(|kept| kept.key != candidate.key);
        let place = self
            .kept
            .partition_point(|kept| kept.used >= candidate.used);
        if self.kept.len() < KEPT || place > 0 {
            self.kept.insert(place, candidate);
        }
        if self.kept.len() > KEPT {
            self.kept.remove(0);
        }
    }
}

impl<K, T> Default for Pool<K, T> {
    fn default() -> Self {
        Self { kept: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(pool: &mut Pool<u32, u32>, samples: &[u32]) -> Option<u32> {
        let mut samples = samples.iter();
        let sample = || samples.next().map(|&key| Candidate { key, used: key });
        pool.choose(sample).map(|candidate| candidate.key)
    }

    #[test]
    fn the_oldest_goes_first_also_when_it_was_seen_earlier() {
        let mut pool = Pool::default();
        assert_eq!(choose(&mut pool, &[5, 3, 9, 4]), Some(3));
        assert_eq!(choose(&mut pool, &[8, 7]), Some(4));
        assert_eq!(choose(&mut pool, &[1]), Some(1));
        assert_eq!(choose(&mut pool, &[]), Some(5));
        assert_eq!(choose(&mut pool, &[]), Some(7));
        assert_eq!(choose(&mut pool, &[]), Some(8));
        assert_eq!(choose(&mut pool, &[]), Some(9));
        assert_eq!(choose(&mut pool, &[]), None);
    }

    #[test]
    fn no_more_than_ten_samples_are_taken_and_the_sixteen_oldest_kept() {
        let mut pool = Pool::default();
        let (mut asked, mut next) = (0, 100);
        let mut sample = || {
            (asked, next) = (asked + 1, next - 1);
            Some(Candidate {
                key: next,
                used: next,
            })
        };
        assert_eq!(pool.choose(&mut sample).unwrap().key, 90);
        assert_eq!(pool.choose(&mut sample).unwrap().key, 80);
        assert_eq!(asked, 20);
        let rest: Vec<u32> = iter::from_fn(|| choose(&mut pool, &[])).collect();
        let oldest: Vec<u32> = (81..90).chain(91..97).collect();
        assert_eq!(rest, oldest);
    }

    #[test]
    fn a_candidate_is_kept_once_with_its_newest_time() {
        let mut pool = Pool::default();
        let seen = [(1, 10), (2, 20), (1, 30)];
        let mut seen = seen.iter();
        let chosen = pool.choose(|| seen.next().map(|&(key, used)| Candidate { key, used }));
        assert_eq!(chosen, Some(Candidate { key: 2, used: 20 }));
        assert_eq!(pool.choose(|| None), Some(Candidate { key: 1, used: 30 }));
        assert_eq!(pool.choose(|| None), None);
    }
}
