//! Groups of pictures that look alike.
//!
//! Each picture joins the first group whose first picture it is like, or begins a group. Only first pictures are indexed,
//! and pictures with the same hash are searched once. So many pictures that are alike take less time than as many that
//! are not, and the number of comparisons for each is limited.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::os::unix::fs::MetadataExt;

use fumikura_fs::Source;
use fumikura_image::PictureHash;
use fumikura_library::Likeness;
use jiff::civil::DateTime;

use super::candidates::Candidate;
use super::hash_index::{BitOrder, HashIndex, Near};
use super::looks::{Look, Tolerance, is_series};
use super::{ComparedFile, DuplicatePicture, DuplicatesProgress, SearchCancelled};

/// The number of pictures before and after a picture that may be of its series. Files without a camera's date may all
/// state the same one.
const SERIES_LENGTH: usize = 100;

/// Groups the candidates that look alike.
pub(super) fn groups(
    candidates: &[Candidate],
    likeness: Likeness,
    progress: DuplicatesProgress<'_>,
) -> Result<Vec<Vec<DuplicatePicture>>, SearchCancelled> {
    let Some(tolerance) = Tolerance::of(likeness) else {
        return Ok(Vec::new());
    };
    let total = candidates.len() as u64;
    let continues = || progress(total, total);
    let subjects = subjects_of(candidates, &continues)?;
    let mut groups = Vec::new();
    for group in alike(&subjects, tolerance, &continues)? {
        let mut files = HashSet::new();
        let mut pictures = Vec::with_capacity(group.len());
        for subject in group.into_iter().map(|at| &subjects[at]) {
            if !continues() {
                return Err(SearchCancelled);
            }
            let candidate = &candidates[subject.candidate];
            // Two names of one file are one picture.
            if identity(&candidate.source).is_some_and(|file| files.insert(file)) {
                pictures.push(candidate.compared(Some(Look {
                    pixels: candidate.pixels,
                    ..subject.look.clone()
                })));
            }
        }
        if pictures.len() > 1 {
            groups.push(pictures);
        }
    }
    Ok(groups)
}

/// Returns the candidates that are compared, and what they look like.
fn subjects_of(
    candidates: &[Candidate],
    continues: &dyn Fn() -> bool,
) -> Result<Vec<Subject>, SearchCancelled> {
    let (mut subjects, mut kinds) = (Vec::new(), Kinds::default());
    for (at, candidate) in candidates.iter().enumerate() {
        if !continues() {
            return Err(SearchCancelled);
        }
        let hash = candidate.hash.as_ref();
        let Some(hash) = hash.filter(|hash| !candidate.is_video && !hash.is_plain()) else {
            continue;
        };
        if let Some(look) = Look::of(hash, candidate.taken) {
            subjects.push(Subject {
                candidate: at,
                kind: kinds.of(hash),
                look,
                bytes: candidate.stat.size,
            });
        }
    }
    Ok(subjects)
}

/// Returns the device and inode of a file; `None` if it can't be read.
fn identity(source: &Source) -> Option<(u64, u64)> {
    let (file, _) = source.open().ok()?;
    let metadata = file.metadata().ok()?;
    Some((metadata.dev(), metadata.ino()))
}

impl Candidate {
    /// Returns the picture as it was listed.
    fn compared(&self, look: Option<Look>) -> DuplicatePicture {
        let companions = self.companions.iter().filter_map(|(kind, source)| {
            let file = ComparedFile {
                source: source.clone(),
                stat: source.stat().ok()?.content(),
                hash: None,
            };
            Some((*kind, file))
        });
        DuplicatePicture {
            file: ComparedFile {
                source: self.source.clone(),
                stat: self.stat,
                hash: None,
            },
            companions: companions.collect(),
            look,
        }
    }
}

/// A picture that is compared.
struct Subject {
    /// The index of the candidate.
    candidate: usize,
    /// The number of its hash, which copies have in common.
    kind: usize,
    look: Look,
    bytes: u64,
}

/// The numbers of different hashes.
#[derive(Default)]
struct Kinds<'a>(HashMap<&'a [u8], usize>);

impl<'a> Kinds<'a> {
    fn of(&mut self, hash: &'a PictureHash) -> usize {
        let next = self.0.len();
        *self.0.entry(hash.as_bytes()).or_insert(next)
    }
}

/// Returns the indices of pictures that look alike: each one of a group is like the first, which has the largest file.
fn alike(
    subjects: &[Subject],
    tolerance: Tolerance,
    continues: &dyn Fn() -> bool,
) -> Result<Vec<Vec<usize>>, SearchCancelled> {
    let mut order: Vec<usize> = (0..subjects.len()).collect();
    order.sort_by_key(|&at| (Reverse(subjects[at].bytes), at));
    let mut leaders = Leaders::of(subjects, tolerance);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for at in order {
        if !continues() {
            return Err(SearchCancelled);
        }
        match leaders.leader_of(at) {
            Some(leader) => groups[leader as usize].push(at),
            None => {
                leaders.push(at);
                groups.push(vec![at]);
            }
        }
    }
    groups.retain(|group| group.len() > 1);
    for group in &mut groups {
        group[1..].sort_unstable();
    }
    Ok(groups)
}

/// The first pictures of groups, numbered in the order of the groups.
struct Leaders<'a> {
    subjects: &'a [Subject],
    tolerance: Tolerance,
    /// The difference hashes of all pictures, with their bits in the order of the index.
    hashes: Vec<u64>,
    index: HashIndex,
    /// The pictures by their numbers.
    leaders: Vec<usize>,
    /// The leader to which the hash of a picture is near, by its kind. The first one stays the first.
    of_kind: Vec<Option<u32>>,
    /// The first leader with which a picture is in a series.
    of_series: Vec<Option<u32>>,
    /// The pictures with a time, in its order.
    timed: Vec<(DateTime, usize)>,
}

impl<'a> Leaders<'a> {
    fn of(subjects: &'a [Subject], tolerance: Tolerance) -> Self {
        let differences = subjects.iter().map(|subject| subject.look.differences);
        let order = BitOrder::of(differences.clone());
        let hashes: Vec<u64> = differences.map(|hash| order.arranged(hash)).collect();
        let near = Near {
            bits: tolerance.differences,
            tone: tolerance.colours_in_all_parts(),
        };
        let timed = subjects.iter().enumerate();
        let timed = timed.filter_map(|(at, subject)| Some((subject.look.taken?, at)));
        let mut timed: Vec<_> = timed.collect();
        timed.sort_unstable();
        let kinds = subjects.iter().map(|subject| subject.kind + 1).max();
        Self {
            subjects,
            tolerance,
            index: HashIndex::with_places(&hashes, near),
            hashes,
            leaders: Vec::new(),
            of_kind: vec![None; kinds.unwrap_or(0)],
            of_series: vec![None; subjects.len()],
            timed,
        }
    }

    /// Returns the number of the first leader that a picture is like.
    fn leader_of(&mut self, at: usize) -> Option<u32> {
        let Subject { kind, look, .. } = &self.subjects[at];
        if self.of_kind[*kind].is_none() {
            let is_like = |number: u32| {
                let leader = &self.subjects[self.leaders[number as usize]];
                look.has_look_of(&leader.look, self.tolerance)
            };
            self.of_kind[*kind] = self.index.first_near(self.hashes[at], look.tone(), is_like);
        }
        let both = [self.of_kind[*kind], self.of_series[at]];
        both.into_iter().flatten().min()
    }

    /// Adds a leader, to which pictures of its series belong from now on.
    fn push(&mut self, at: usize) {
        let look = &self.subjects[at].look;
        let number = u32::try_from(self.leaders.len()).expect("BUG: there are too many pictures");
        self.index.push(self.hashes[at], look.tone());
        self.leaders.push(at);
        self.of_kind[self.subjects[at].kind] = Some(number);
        let Some(taken) = look.taken else {
            return;
        };
        let place = self.timed.partition_point(|&(other, _)| other < taken);
        let is_near = |other: &&(DateTime, usize)| is_series(Some(taken), Some(other.0));
        let (before, after) = self.timed.split_at(place);
        let before = before.iter().rev().take(SERIES_LENGTH);
        let after = after.iter().take(SERIES_LENGTH);
        let series = before.take_while(is_near).chain(after.take_while(is_near));
        for &(_, other) in series {
            let bits = (self.hashes[at] ^ self.hashes[other]).count_ones();
            if self.of_series[other].is_none()
                && bits <= self.tolerance.series
                && look.has_look_of(&self.subjects[other].look, self.tolerance)
            {
                self.of_series[other] = Some(number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::array;
    use std::sync::LazyLock;

    use super::*;
    use jiff::civil::date;
    use proptest::prelude::*;

    /// The brightness of the light stripes of pictures.
    const BRIGHT: [u8; 3] = [220, 190, 90];

    /// The placeholders of pictures with stripes of each brightness.
    static PLACEHOLDERS: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| {
        BRIGHT.map(|bright| {
            let stripe = |at: usize| {
                if (at / 4).is_multiple_of(2) {
                    40
                } else {
                    bright
                }
            };
            let pixels: Vec<u8> = (0..32 * 24)
                .flat_map(|at| [stripe(at % 32), 90, 60, 255])
                .collect();
            thumbhash::rgba_to_thumb_hash(32, 24, &pixels)
        })
    });

    /// The looks of pictures with these stripes.
    static LOOKS: LazyLock<[Look; 3]> =
        LazyLock::new(|| array::from_fn(|bright| Look::of(&hash(0, bright), None).unwrap()));

    /// Returns the hash of a picture with these differences and stripes.
    fn hash(differences: u64, bright: usize) -> PictureHash {
        let bytes = [&PLACEHOLDERS[bright][..], &differences.to_be_bytes()].concat();
        PictureHash::from_bytes(&bytes).unwrap()
    }

    /// A picture: its differences, the number of the brightness of its stripes, and the second when it was taken.
    type Shot = (u64, usize, Option<i8>);

    /// Returns pictures, the largest first.
    fn subjects(shots: &[Shot]) -> Vec<Subject> {
        let hashes: Vec<PictureHash> = shots
            .iter()
            .map(|&(bits, bright, _)| hash(bits, bright))
            .collect();
        let mut kinds = Kinds::default();
        let both = shots.iter().zip(&hashes).enumerate();
        let subject = |(at, (&(_, bright, second), hash)): (usize, (&Shot, _))| Subject {
            candidate: at,
            kind: kinds.of(hash),
            look: Look {
                differences: hash.differences(),
                taken: second.map(|second| date(2026, 5, 1).at(12, 0, second, 0)),
                ..LOOKS[bright].clone()
            },
            bytes: 10_000 - at as u64,
        };
        both.map(subject).collect()
    }

    /// Groups pictures with these differences, the largest first, each taken at a second if it has one.
    fn grouped(likeness: Likeness, pictures: &[(u64, Option<i8>)]) -> Vec<Vec<usize>> {
        let shots: Vec<Shot> = pictures
            .iter()
            .map(|&(bits, second)| (bits, 0, second))
            .collect();
        let tolerance = Tolerance::of(likeness).unwrap();
        alike(&subjects(&shots), tolerance, &|| true).unwrap()
    }

    /// Groups pictures by comparing each with all others.
    fn compared(subjects: &[Subject], tolerance: Tolerance) -> Vec<Vec<usize>> {
        let mut left: Vec<usize> = (0..subjects.len()).collect();
        let mut groups = Vec::new();
        while let Some(&first) = left.first() {
            let is_like = |at: &usize| subjects[first].look.is_like(&subjects[*at].look, tolerance);
            let (group, others) = left.into_iter().partition::<Vec<usize>, _>(is_like);
            groups.extend((group.len() > 1).then_some(group));
            left = others;
        }
        groups
    }

    fn any_shot() -> impl Strategy<Value = Shot> {
        let differences = prop_oneof![Just(0), Just(u64::MAX), Just(0xFFFF), Just(0x0F0F << 40)];
        let changes = prop::collection::vec(0..64_u32, 0..24);
        let bits = (differences, changes);
        let bits =
            bits.prop_map(|(bits, changes)| changes.iter().fold(bits, |bits, at| bits ^ 1 << at));
        (bits, 0..BRIGHT.len(), prop::option::of(0..40_i8))
    }

    proptest! {
        #[test]
        fn groups_are_those_of_all_comparisons(shots in prop::collection::vec(any_shot(), 0..60)) {
            let subjects = subjects(&shots);
            for likeness in [Likeness::Close, Likeness::Similar] {
                let tolerance = Tolerance::of(likeness).unwrap();
                let found = alike(&subjects, tolerance, &|| true).unwrap();
                prop_assert_eq!(found, compared(&subjects, tolerance));
            }
        }
    }

    /// Returns a hash with the lowest bits of each part set, as many as possible in each in turn.
    fn spread(count: u32) -> u64 {
        (0..count).fold(0, |bits, at| bits | 1 << (at % 4 * 16 + at / 4))
    }

    #[test]
    fn near_hashes_are_found_wherever_they_differ() {
        for (likeness, most) in [(Likeness::Close, 7), (Likeness::Similar, 11)] {
            let pictures = [(0, None), (spread(most), None), (!spread(most), None)];
            assert_eq!(grouped(likeness, &pictures), [[0, 1]]);
            let pictures = [(0, None), (spread(most + 1), None)];
            assert_eq!(grouped(likeness, &pictures), [[0; 0]; 0]);
            let low = (1 << most) - 1;
            assert_eq!(grouped(likeness, &[(low, None), (0, None)]), [[0, 1]]);
        }
    }

    #[test]
    fn time_joins_shots_of_a_series() {
        let (one, other) = (0, spread(16));
        let similar = |first, second| grouped(Likeness::Similar, &[(one, first), (other, second)]);
        assert_eq!(similar(Some(5), Some(15)), [[0, 1]]);
        let none = [[0; 0]; 0];
        assert_eq!(similar(Some(5), Some(16)), none);
        assert_eq!(similar(Some(5), None), none);
        let close = [(one, Some(5)), (other, Some(5))];
        assert_eq!(grouped(Likeness::Close, &close), none);
        let different = [(one, Some(5)), (u64::MAX, Some(5))];
        assert_eq!(grouped(Likeness::Similar, &different), none);
    }

    #[test]
    fn each_picture_is_in_one_group() {
        // The second and the third are like the first, the third is like the fourth, too.
        let [second, third, fourth] = [spread(3), spread(7), spread(12)];
        let pictures = [(0, None), (second, None), (third, None), (fourth, None)];
        assert_eq!(grouped(Likeness::Close, &pictures), [[0, 1, 2]]);
        let copies = vec![(fourth, None); 2000];
        assert_eq!(grouped(Likeness::Close, &copies).concat().len(), 2000);
    }

    #[test]
    fn grouping_can_be_cancelled() {
        let subjects = subjects(&[(0, 0, None), (0, 0, None)]);
        let tolerance = Tolerance::of(Likeness::Close).unwrap();
        let found = alike(&subjects, tolerance, &|| false);
        assert_eq!(found, Err(SearchCancelled));
    }
}
