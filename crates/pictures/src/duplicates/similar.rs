//! Groups of pictures that look alike.
//!
//! Pictures are looked up by parts of their difference hashes (multi-index hashing): if two hashes of four parts differ in
//! few bits, at least one part differs in a quarter of these at most. No picture is compared with all others.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::os::unix::fs::MetadataExt;

use fumikura_fs::Source;
use fumikura_image::PictureHash;
use fumikura_library::Likeness;
use jiff::civil::DateTime;

use super::candidates::Candidate;
use super::looks::{Look, Tolerance, is_series};
use super::{ComparedFile, DuplicatePicture, DuplicatesProgress, SearchCancelled};

/// The number of parts of a difference hash.
const BANDS: usize = 4;
/// The number of bits of a part.
const BAND: usize = 16;
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
    let subjects = candidates.iter().enumerate();
    let subjects = subjects.filter_map(|(at, candidate)| {
        let hash = candidate.hash.as_ref()?;
        let is_compared = !candidate.is_video && !hash.is_plain();
        is_compared.then(|| Subject {
            candidate: at,
            hash,
            look: OnceCell::new(),
            taken: candidate.taken,
            bytes: candidate.stat.size,
        })
    });
    let subjects: Vec<_> = subjects.collect();
    let total = candidates.len() as u64;
    let found = alike(&subjects, tolerance, &|| progress(total, total))?;
    let pictures = found.into_iter().map(|group| {
        let mut files = HashSet::new();
        let pictures = group.into_iter().filter_map(|at| {
            let subject = &subjects[at];
            let candidate = &candidates[subject.candidate];
            // Two names of one file are one picture.
            let is_new = files.insert(identity(&candidate.source)?);
            let mut look = subject.look().cloned();
            if let Some(look) = &mut look {
                look.pixels = candidate.pixels;
            }
            is_new.then(|| candidate.compared(look))
        });
        pictures.collect::<Vec<_>>()
    });
    Ok(pictures.filter(|group| group.len() > 1).collect())
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
struct Subject<'a> {
    /// The index of the candidate.
    candidate: usize,
    hash: &'a PictureHash,
    /// The look, once its hash was found to be near another one.
    look: OnceCell<Option<Look>>,
    taken: Option<DateTime>,
    bytes: u64,
}

impl Subject<'_> {
    fn look(&self) -> Option<&Look> {
        let look = self.look.get_or_init(|| Look::of(self.hash, self.taken));
        look.as_ref()
    }

    fn is_like(&self, other: &Self, tolerance: Tolerance) -> bool {
        // Most pictures that were found by their times alone differ in this, which costs less than their looks.
        let bits = (self.hash.differences() ^ other.hash.differences()).count_ones();
        if bits > tolerance.series {
            return false;
        }
        let looks = self.look().zip(other.look());
        looks.is_some_and(|(one, other)| one.is_like(other, tolerance))
    }
}

/// Returns the indices of pictures that look alike: each one of a group is like the first, which has the largest file.
fn alike(
    subjects: &[Subject<'_>],
    tolerance: Tolerance,
    continues: &dyn Fn() -> bool,
) -> Result<Vec<Vec<usize>>, SearchCancelled> {
    let mut index = HashIndex::of(subjects, tolerance);
    let mut order: Vec<usize> = (0..subjects.len()).collect();
    order.sort_by_key(|&at| (Reverse(subjects[at].bytes), at));
    let mut groups = Vec::new();
    for first in order {
        if !continues() {
            return Err(SearchCancelled);
        }
        if index.is_grouped[first] {
            continue;
        }
        index.is_grouped[first] = true;
        let subject = &subjects[first];
        let mut group = index.near(subject);
        group.retain(|&at| subject.is_like(&subjects[at], tolerance));
        if !group.is_empty() {
            group.iter().for_each(|&at| index.is_grouped[at] = true);
            group.insert(0, first);
            groups.push(group);
        }
    }
    Ok(groups)
}

/// Pictures by the parts of their difference hashes, and by time.
struct HashIndex {
    bands: [HashMap<u16, Vec<(usize, u64)>>; BANDS],
    /// The differences of a part that are searched.
    masks: Vec<u16>,
    tolerance: Tolerance,
    /// Those with a time, in its order.
    timed: Vec<(DateTime, usize)>,
    /// True for pictures that have found their group, or have none.
    is_grouped: Vec<bool>,
}

impl HashIndex {
    fn of(subjects: &[Subject<'_>], tolerance: Tolerance) -> Self {
        let mut bands: [HashMap<u16, Vec<(usize, u64)>>; BANDS] = Default::default();
        for (at, subject) in subjects.iter().enumerate() {
            let hash = subject.hash.differences();
            for (band, part) in bands.iter_mut().zip(parts(hash)) {
                band.entry(part).or_default().push((at, hash));
            }
        }
        let most = tolerance.differences / BANDS as u32;
        let subjects = subjects.iter().enumerate();
        let timed = subjects
            .clone()
            .filter_map(|(at, subject)| Some((subject.taken?, at)));
        let mut timed: Vec<_> = timed.collect();
        timed.sort_unstable();
        Self {
            bands,
            masks: (0..=u16::MAX)
                .filter(|mask| mask.count_ones() <= most)
                .collect(),
            tolerance,
            timed,
            is_grouped: vec![false; subjects.len()],
        }
    }

    /// Returns the pictures without a group whose hashes are near this one, or that were taken shortly before or after it,
    /// in ascending order.
    fn near(&mut self, subject: &Subject<'_>) -> Vec<usize> {
        let hash = subject.hash.differences();
        let is_grouped = &self.is_grouped;
        let mut found = Vec::new();
        for (band, part) in self.bands.iter_mut().zip(parts(hash)) {
            for mask in &self.masks {
                let Some(pictures) = band.get_mut(&(part ^ mask)) else {
                    continue;
                };
                // Those that are grouped are not met again: there may be many copies of one picture.
                pictures.retain(|&(at, _)| !is_grouped[at]);
                let near = pictures.iter().filter(|&&(_, other)| {
                    (hash ^ other).count_ones() <= self.tolerance.differences
                });
                found.extend(near.map(|&(at, _)| at));
            }
        }
        if let Some(taken) = subject.taken {
            let place = self.timed.partition_point(|&(other, _)| other < taken);
            let is_near = |other: &&(DateTime, usize)| is_series(Some(taken), Some(other.0));
            let (before, after) = self.timed.split_at(place);
            let before = before.iter().rev().take(SERIES_LENGTH);
            let after = after.iter().take(SERIES_LENGTH);
            let series = before.take_while(is_near).chain(after.take_while(is_near));
            found.extend(series.map(|&(_, at)| at).filter(|&at| !is_grouped[at]));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn parts(hash: u64) -> [u16; BANDS] {
    std::array::from_fn(|band| (hash >> (BAND * band)) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    /// Returns the hash of a picture with these differences; its placeholder is that of a striped picture.
    fn hash(differences: u64) -> PictureHash {
        let stripes = |at: usize| if (at / 4).is_multiple_of(2) { 40 } else { 220 };
        let pixels: Vec<u8> = (0..32 * 24)
            .flat_map(|at| [stripes(at % 32), 90, 60, 255])
            .collect();
        let placeholder = thumbhash::rgba_to_thumb_hash(32, 24, &pixels);
        let bytes = [placeholder, differences.to_be_bytes().to_vec()].concat();
        PictureHash::from_bytes(&bytes).unwrap()
    }

    /// Groups pictures with these differences, the largest first, each taken at a second if it has one.
    fn grouped(likeness: Likeness, pictures: &[(u64, Option<i8>)]) -> Vec<Vec<usize>> {
        let hashes: Vec<PictureHash> = pictures.iter().map(|&(bits, _)| hash(bits)).collect();
        let subjects = pictures.iter().zip(&hashes).enumerate();
        let subjects = subjects.map(|(at, (&(_, second), hash))| Subject {
            candidate: at,
            hash,
            look: OnceCell::new(),
            taken: second.map(|second| date(2026, 5, 1).at(12, 0, second, 0)),
            bytes: 10_000 - at as u64,
        });
        let subjects: Vec<_> = subjects.collect();
        let tolerance = Tolerance::of(likeness).unwrap();
        alike(&subjects, tolerance, &|| true).unwrap()
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
        let hash = hash(0);
        let subject = |at| Subject {
            candidate: at,
            hash: &hash,
            look: OnceCell::new(),
            taken: None,
            bytes: 0,
        };
        let tolerance = Tolerance::of(Likeness::Close).unwrap();
        let found = alike(&[subject(0), subject(1)], tolerance, &|| false);
        assert_eq!(found, Err(SearchCancelled));
    }
}
