//! Difference hashes by their parts, for searching those that differ in few bits (multi-index hashing).
//!
//! If two hashes of six parts differ in eleven bits at most, one of the parts differs in one bit at most: only hashes with
//! such a part are compared. The bits are dealt out to the parts by their entropy. Adjacent ones describe the same place of
//! all pictures: as a part, they would be the same in all pictures with a bright sky or a white margin.

use std::array;
use std::ops::Range;

/// The number of parts of a hash.
const PARTS: usize = 6;
/// The first bit of each part, and the end of the last one.
const BOUNDS: [usize; PARTS + 1] = [0, 11, 22, 33, 44, 54, 64];
/// The number of hashes that are compared at once.
const AT_ONCE: usize = 8;
/// The number of hashes that are compared in one search. So many have an almost equal part only if the pictures have few
/// different shapes.
const HASHES: usize = 12_000;
/// The number of hashes as which a near one counts, since its tone is compared, too.
const NEAR_HASHES: usize = 4;
/// The number of near pictures that are offered in one search: those of the same shapes in other colours.
const OFFERS: usize = 500;

/// An assignment of the bits of hashes to parts. It keeps the distances of hashes.
pub(super) struct BitOrder([u8; 64]);

impl BitOrder {
    /// Returns the order in which each part has bits of every entropy.
    pub(super) fn of(hashes: impl ExactSizeIterator<Item = u64>) -> Self {
        let count = hashes.len();
        let mut ones = [0_usize; 64];
        for hash in hashes {
            for (bit, ones) in ones.iter_mut().enumerate() {
                *ones += usize::from(hash >> bit & 1 == 1);
            }
        }
        let mut bits: [u8; 64] = array::from_fn(|bit| bit as u8);
        bits.sort_by_key(|&bit| (2 * ones[usize::from(bit)]).abs_diff(count));
        // To and fro, so that no part always has the first choice.
        let turn = |place: usize| match place / PARTS % 2 {
            0 => place % PARTS,
            _ => PARTS - 1 - place % PARTS,
        };
        let mut order = [0; 64];
        for (place, bit) in bits.into_iter().enumerate() {
            order[BOUNDS[turn(place)] + place / PARTS] = bit;
        }
        Self(order)
    }

    /// Returns a hash with its bits in this order.
    pub(super) fn arranged(&self, hash: u64) -> u64 {
        let bits = self.0.iter().enumerate();
        bits.fold(0, |arranged, (to, &from)| {
            arranged | (hash >> from & 1) << to
        })
    }
}

/// The sums of a picture's colours in all its parts. Their distance is at most that of the colours.
pub(super) type Tone = [u16; 3];

/// Pictures of which the first one with a near hash is searched, numbered in the order in which they are added.
pub(super) struct HashIndex {
    tolerance: Near,
    parts: [PartIndex; PARTS],
    len: u32,
}

/// The greatest distances between pictures that are near.
#[derive(Debug, Clone, Copy)]
pub(super) struct Near {
    /// The number of different bits.
    pub(super) bits: u32,
    /// The distance of the tones.
    pub(super) tone: u32,
}

/// The pictures by one part of their hashes.
struct PartIndex {
    /// The greatest number of different bits of the part by which a picture is found.
    most: u32,
    /// The differences of the part that are searched, none first.
    masks: Vec<u16>,
    /// The places of the pictures with a part, by the part: the first one, and the one after those that were added.
    places: Vec<(u32, u32)>,
    /// The hashes, those with the same part in the order of their numbers.
    hashes: Vec<u64>,
    pictures: Vec<(u32, Tone)>,
}

/// A search for the first picture with a near hash.
struct NearSearch<'a, A> {
    index: &'a HashIndex,
    hash: u64,
    tone: Tone,
    accepts: A,
    /// The lowest number so far.
    first: u32,
    /// The number of comparisons that are left, of hashes and by the caller.
    hashes: usize,
    offers: usize,
}

impl HashIndex {
    /// Returns an index without pictures, with places for all that may be added.
    pub(super) fn with_places(hashes: &[u64], tolerance: Near) -> Self {
        // If each part differed in more bits than this, all would differ in more than the tolerance.
        let most = |part: usize| (tolerance.bits - part as u32) / PARTS as u32;
        Self {
            tolerance,
            parts: array::from_fn(|part| PartIndex::with_places(hashes, part, most(part))),
            len: 0,
        }
    }

    /// Adds a picture with the next number.
    pub(super) fn push(&mut self, hash: u64, tone: Tone) {
        for (part, index) in self.parts.iter_mut().enumerate() {
            let (_, end) = &mut index.places[part_of(hash, part)];
            let place = *end as usize;
            (index.hashes[place], index.pictures[place]) = (hash, (self.len, tone));
            *end += 1;
        }
        self.len += 1;
    }

    /// Returns the lowest number of a near picture that is accepted. Each is offered once at most. After [`HASHES`] hashes
    /// or [`OFFERS`] offers, the search ends with what it has found; it begins with those that have an equal part.
    pub(super) fn first_near(
        &self,
        hash: u64,
        tone: Tone,
        accepts: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        let mut search = NearSearch {
            index: self,
            hash,
            tone,
            accepts,
            first: self.len,
            hashes: HASHES,
            offers: OFFERS,
        };
        let parts = || self.parts.iter().enumerate();
        let equal = parts().map(|(part, _)| (part, 0));
        let others = parts().flat_map(|(part, index)| {
            let masks = index.masks.iter().filter(|mask| **mask > 0);
            masks.map(move |&mask| (part, mask))
        });
        for (part, mask) in equal.chain(others) {
            if !search.continues_after(part, mask) {
                break;
            }
        }
        (search.first < self.len).then_some(search.first)
    }
}

impl<A: FnMut(u32) -> bool> NearSearch<'_, A> {
    /// Compares the pictures whose part differs by a mask. Returns false at the end of the search.
    fn continues_after(&mut self, part: usize, mask: u16) -> bool {
        let index = &self.index.parts[part];
        let (start, end) = index.places[part_of(self.hash, part) ^ usize::from(mask)];
        let end = (end as usize).min(start as usize + self.hashes);
        let mut start = start as usize;
        self.hashes -= end - start;
        let most = self.index.tolerance.bits;
        for hashes in index.hashes[start..end].chunks(AT_ONCE) {
            let bits = |hash: &u64| (hash ^ self.hash).count_ones();
            // Without a branch for each, the processor compares several.
            let has_near = hashes
                .iter()
                .fold(false, |any, hash| any | (bits(hash) <= most));
            let places = start..start + hashes.len();
            if has_near && !self.continues_with(places.clone(), part, mask) {
                return self.offers > 0;
            }
            start = places.end;
        }
        self.hashes > 0
    }

    /// Offers pictures with the same part. Returns false if no further ones matter.
    fn continues_with(&mut self, places: Range<usize>, part: usize, mask: u16) -> bool {
        let index = &self.index.parts[part];
        for place in places {
            let different = self.hash ^ index.hashes[place];
            if different.count_ones() > self.index.tolerance.bits {
                continue;
            }
            self.hashes = self.hashes.saturating_sub(NEAR_HASHES);
            let (number, tone) = index.pictures[place];
            if number >= self.first {
                return false;
            }
            if self.differs(tone) || self.is_seen(different, part, mask) {
                continue;
            }
            if (self.accepts)(number) {
                self.first = number;
            }
            self.offers -= 1;
            if self.offers == 0 {
                return false;
            }
        }
        true
    }

    fn differs(&self, tone: Tone) -> bool {
        let sums = tone.iter().zip(&self.tone);
        let distance: u32 = sums
            .map(|(one, other)| u32::from(one.abs_diff(*other)))
            .sum();
        distance > self.index.tolerance.tone
    }

    /// True if a picture was met before, by another part of its hash.
    fn is_seen(&self, different: u64, part: usize, mask: u16) -> bool {
        let bits = |part| part_of(different, part).count_ones();
        let is_near = |part: usize| bits(part) <= self.index.parts[part].most;
        match mask {
            0 => (0..part).any(|before| bits(before) == 0),
            _ => (0..PARTS).any(|any| bits(any) == 0) || (0..part).any(is_near),
        }
    }
}

impl PartIndex {
    fn with_places(hashes: &[u64], part: usize, most: u32) -> Self {
        let parts = 1 << (BOUNDS[part + 1] - BOUNDS[part]);
        let mut counts = vec![0_u32; parts];
        for &hash in hashes {
            counts[part_of(hash, part)] += 1;
        }
        let ends = counts.iter().scan(0, |end, count| {
            *end += count;
            Some(*end)
        });
        let starts = ends.zip(&counts).map(|(end, count)| end - count);
        let masks = (0..=u16::MAX).take(parts);
        Self {
            most,
            masks: masks.filter(|mask| mask.count_ones() <= most).collect(),
            places: starts.map(|start| (start, start)).collect(),
            hashes: vec![0; hashes.len()],
            pictures: vec![Default::default(); hashes.len()],
        }
    }
}

fn part_of(hash: u64, part: usize) -> usize {
    let (start, end) = (BOUNDS[part], BOUNDS[part + 1]);
    (hash >> start) as usize & ((1 << (end - start)) - 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NEAR: Near = Near {
        bits: 11,
        tone: 100,
    };

    fn index(hashes: &[u64]) -> HashIndex {
        let mut index = HashIndex::with_places(hashes, NEAR);
        hashes.iter().for_each(|&hash| index.push(hash, [0; 3]));
        index
    }

    /// Returns the numbers that are offered for a hash.
    fn offered(index: &HashIndex, hash: u64, tone: Tone) -> Vec<u32> {
        let mut offered = Vec::new();
        let first = index.first_near(hash, tone, |number| {
            offered.push(number);
            false
        });
        assert_eq!(first, None);
        offered.sort_unstable();
        offered
    }

    #[test]
    fn first_accepted_picture_is_found() {
        let index = index(&[0b111, u64::MAX, 0b1, 0]);
        assert_eq!(index.first_near(0, [0; 3], |_| true), Some(0));
        assert_eq!(index.first_near(0, [0; 3], |number| number > 1), Some(2));
        assert_eq!(index.first_near(0, [50, 50, 1], |_| true), None);
        assert_eq!(index.first_near(u64::MAX / 3, [0; 3], |_| true), None);
    }

    #[test]
    fn offers_end_at_the_limit() {
        let index = index(&[5; 2 * OFFERS]);
        assert_eq!(offered(&index, 5, [0; 3]).len(), OFFERS);
    }

    #[test]
    fn constant_bits_are_dealt_to_all_parts() {
        let hashes: Vec<u64> = (0..4096)
            .map(|number: u64| number * 0x9E37 % 4096)
            .collect();
        let order = BitOrder::of(hashes.iter().copied());
        for part in 0..PARTS {
            let parts = hashes
                .iter()
                .map(|&hash| part_of(order.arranged(hash), part));
            assert_eq!(parts.collect::<std::collections::HashSet<_>>().len(), 4);
        }
    }

    proptest! {
        #[test]
        fn near_hashes_are_offered_once(
            hashes in prop::collection::vec(any::<u64>(), 1..20),
            changes in prop::collection::vec((0..20_usize, prop::collection::vec(0..64_u32, 0..16)), 0..20),
        ) {
            let changed = changes.iter().map(|(of, bits)| {
                bits.iter().fold(hashes[of % hashes.len()], |hash, bit| hash ^ 1 << bit)
            });
            let all: Vec<u64> = hashes.iter().copied().chain(changed).collect();
            let index = index(&all);
            for &hash in &hashes {
                let near = (0..).zip(&all).filter(|(_, other)| (hash ^ **other).count_ones() <= NEAR.bits);
                let near: Vec<u32> = near.map(|(number, _)| number).collect();
                prop_assert_eq!(offered(&index, hash, [0; 3]), near);
            }
        }

        #[test]
        fn order_of_bits_keeps_distances(hashes in prop::collection::vec(any::<u64>(), 2..9)) {
            let order = BitOrder::of(hashes.iter().copied());
            for pair in hashes.windows(2) {
                let arranged = order.arranged(pair[0]) ^ order.arranged(pair[1]);
                prop_assert_eq!(arranged.count_ones(), (pair[0] ^ pair[1]).count_ones());
            }
        }
    }
}
