//! The choice of the next thumbnail to evict: approximately the least recently used one (approximated LRU,
//! docs/spec/thumbnails.md, Eviction).
//!
//! A shard contains about one thumbnail, so the oldest of a random shard would be a random one. Candidates
//! come from several shards, and the oldest of all those seen lately are kept for the next choice, as in
//! Redis. This comes so close to exact LRU that it makes no difference (`cargo xtask bench eviction`).

/// The number of candidates sampled before each choice, each from another shard if there are enough shards.
pub const SAMPLES: usize = 10;
/// The number of candidates kept between choices.
const POOL_SIZE: usize = 16;

/// A file that could be evicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate<K, T> {
    /// The file.
    pub key: K,
    /// The time of its last use.
    pub used: T,
}

/// The oldest candidates seen so far.
#[derive(Debug)]
pub struct EvictionPool<K, T> {
    /// The candidates, the least recently used last.
    candidates: Vec<Candidate<K, T>>,
}

impl<K: PartialEq, T: Ord + Copy> EvictionPool<K, T> {
    /// Takes samples and returns the least recently used candidate, or `None` if there is none.
    ///
    /// `random_below` returns a random number from 0 up to but not including its argument, and `sample` a random
    /// file of a shard. If it returns `None`, the shard is removed. No shard is sampled twice before all were
    /// sampled.
    pub fn choose<S: Copy>(
        &mut self,
        shards: &mut Vec<S>,
        mut random_below: impl FnMut(usize) -> usize,
        mut sample: impl FnMut(S) -> Option<Candidate<K, T>>,
    ) -> Option<Candidate<K, T>> {
        let mut samples = 0;
        // The sampled shards are in front.
        let mut sampled = 0;
        while samples < SAMPLES && !shards.is_empty() {
            if sampled == shards.len() {
                sampled = 0;
            }
            let place = sampled + random_below(shards.len() - sampled);
            if let Some(candidate) = sample(shards[place]) {
                self.offer(candidate);
                shards.swap(sampled, place);
                sampled += 1;
                samples += 1;
            } else {
                shards.swap_remove(place);
            }
        }
        self.candidates.pop()
    }

    /// Keeps a candidate if it is among the oldest. A known candidate takes the newer time.
    fn offer(&mut self, candidate: Candidate<K, T>) {
        self.candidates.retain(|other| other.key != candidate.key);
        let place = self
            .candidates
            .partition_point(|other| other.used >= candidate.used);
        if self.candidates.len() < POOL_SIZE || place > 0 {
            self.candidates.insert(place, candidate);
        }
        if self.candidates.len() > POOL_SIZE {
            self.candidates.remove(0);
        }
    }
}

impl<K, T> Default for EvictionPool<K, T> {
    fn default() -> Self {
        Self {
            candidates: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use fumikura_base::entropy::{SeededEntropy, random_bytes};

    fn choose(pool: &mut EvictionPool<u32, u32>, samples: &[u32]) -> Option<u32> {
        let sample = |key| Some(Candidate { key, used: key });
        let chosen = pool.choose(&mut samples.to_vec(), |_| 0, sample);
        chosen.map(|candidate| candidate.key)
    }

    #[test]
    fn oldest_candidate_seen_so_far_goes_first() {
        let mut pool = EvictionPool::default();
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
    fn ten_samples_are_taken_and_sixteen_kept() {
        let mut pool = EvictionPool::default();
        let (mut sampled, mut next) = (0, 100);
        let mut sample = |()| {
            (sampled, next) = (sampled + 1, next - 1);
            Some(Candidate {
                key: next,
                used: next,
            })
        };
        for oldest in [90, 80] {
            let chosen = pool.choose(&mut vec![()], |_| 0, &mut sample);
            assert_eq!(chosen.unwrap().key, oldest);
        }
        assert_eq!(sampled, 20);
        let rest: Vec<u32> = std::iter::from_fn(|| choose(&mut pool, &[])).collect();
        let oldest: Vec<u32> = (81..90).chain(91..97).collect();
        assert_eq!(rest, oldest);
    }

    #[test]
    fn candidate_is_kept_once_with_newest_time() {
        let mut pool = EvictionPool::default();
        let seen = [(1, 10), (2, 20), (1, 30)];
        let mut seen = seen.iter();
        let mut shards = vec![()];
        let chosen = pool.choose(
            &mut shards,
            |_| 0,
            |()| seen.next().map(|&(key, used)| Candidate { key, used }),
        );
        assert_eq!(chosen, Some(Candidate { key: 2, used: 20 }));
        assert!(shards.is_empty(), "one that gives nothing is taken out");
        let mut nothing = || pool.choose(&mut Vec::<()>::new(), |_| 0, |()| None);
        assert_eq!(nothing(), Some(Candidate { key: 1, used: 30 }));
        assert_eq!(nothing(), None);
    }

    /// Returns the shards, out of this many, that are sampled before a choice.
    fn sampled(shards: u32, random: &SeededEntropy) -> Vec<u32> {
        let mut sampled = Vec::new();
        let random_below = |end: usize| usize::from(random_bytes::<1>(random)[0]) % end;
        let mut pool = EvictionPool::<u32, u32>::default();
        pool.choose(&mut (0..shards).collect(), random_below, |key| {
            sampled.push(key);
            Some(Candidate { key, used: key })
        });
        sampled
    }

    #[test]
    fn shards_are_sampled_evenly() {
        let random = SeededEntropy::new(1);
        let mut seen = BTreeSet::new();
        for _ in 0..100 {
            let of_a_dozen = sampled(12, &random);
            assert_eq!(of_a_dozen.len(), 10);
            assert_eq!(BTreeSet::from_iter(&of_a_dozen).len(), 10, "{of_a_dozen:?}");
            seen.extend(of_a_dozen);
            let of_four = sampled(4, &random);
            for shard in 0..4 {
                let times = of_four.iter().filter(|&&sampled| sampled == shard).count();
                assert!((2..=3).contains(&times), "{of_four:?}");
            }
        }
        assert_eq!(seen.len(), 12);
    }
}
