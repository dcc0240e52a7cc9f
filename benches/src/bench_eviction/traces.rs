//! Requests for thumbnails by people: three traces, drawn from a seed.

use fumikura_base::entropy::{SeededEntropy, random_bytes};

/// The number of thumbnails that may be requested.
pub(crate) const OBJECTS: usize = 500_000;
/// The number of pictures in a folder.
const FOLDER: usize = 250;
const FOLDERS: usize = OBJECTS / FOLDER;
/// The skew of popularity (Zipf's exponent).
const SKEW: f64 = 0.9;
/// The number of folders after which the next one becomes the most popular.
const DRIFT: usize = 20;

/// A pattern of viewing pictures.
#[derive(Clone, Copy)]
pub(crate) enum Trace {
    /// Single pictures, some much more often than others.
    Single,
    /// Folders, each scrolled from the top to some point.
    Folders,
    /// Folders whose popularity changes, and one scan of everything.
    Drifting,
}

impl Trace {
    pub(crate) const ALL: [Self; 3] = [Self::Single, Self::Folders, Self::Drifting];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Single => "single pictures (Zipf 0.9)",
            Self::Folders => "folders from the top (Zipf 0.9)",
            Self::Drifting => "folders, drifting, one scan of everything",
        }
    }

    /// Returns the requested pictures in order.
    pub(crate) fn requests(self, seed: u64, total: usize) -> Box<dyn Iterator<Item = u32>> {
        let mut draw = Random(SeededEntropy::new(seed));
        match self {
            Self::Single => {
                let zipf = Zipf::new(OBJECTS);
                Box::new((0..total).map(move |_| object(zipf.draw(&mut draw))))
            }
            Self::Folders => Box::new(scrolling_requests(draw, 0).take(total)),
            Self::Drifting => {
                let half = total / 2;
                let before = scrolling_requests(draw, DRIFT).take(half);
                let after = scrolling_requests(Random(SeededEntropy::new(seed + 1)), DRIFT);
                let everything = (0..OBJECTS).map(object);
                Box::new(before.chain(everything).chain(after).take(total))
            }
        }
    }
}

/// Returns the pictures of folders that are scrolled from the top to some point. After every `drift` folders,
/// the popularity of all moves on by one; never if it is 0.
fn scrolling_requests(mut draw: Random, drift: usize) -> impl Iterator<Item = u32> {
    let zipf = Zipf::new(FOLDERS);
    let mut visits = 0_usize;
    std::iter::repeat_with(move || {
        let moved = visits.checked_div(drift).unwrap_or(0);
        visits += 1;
        let folder = (zipf.draw(&mut draw) + moved) % FOLDERS;
        let seen = 1 + draw.below(FOLDER);
        (folder * FOLDER..folder * FOLDER + seen).map(object)
    })
    .flatten()
}

fn object(number: usize) -> u32 {
    u32::try_from(number).expect("BUG: half a million")
}

struct Random(SeededEntropy);

impl Random {
    fn next(&mut self) -> u64 {
        u64::from_le_bytes(random_bytes(&self.0))
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).expect("BUG: smaller than a length")
    }

    /// Returns a number from 0 to 1, excluding 1.
    fn part(&mut self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "53 bits are exact in f64")]
        let part = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        part
    }
}

/// Numbers from 0, each less frequent than the one before.
struct Zipf {
    /// The probability of drawing a number up to each.
    sums: Vec<f64>,
}

impl Zipf {
    fn new(count: usize) -> Self {
        let mut sum = 0.0;
        let mut sums = Vec::with_capacity(count);
        let mut rank = 1.0_f64;
        for _ in 0..count {
            sum += rank.powf(-SKEW);
            sums.push(sum);
            rank += 1.0;
        }
        Self { sums }
    }

    fn draw(&self, draw: &mut Random) -> usize {
        let whole = self.sums.last().copied().unwrap_or(0.0);
        let drawn = draw.part() * whole;
        self.sums.partition_point(|sum| *sum <= drawn)
    }
}
