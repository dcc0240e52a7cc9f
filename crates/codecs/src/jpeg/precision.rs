//! The part of a progressive JPEG that has to be read for a reduced picture.
//!
//! Its scans refine the coefficients of the cosine transform one by one and bit by bit. A picture reduced by
//! 8 needs only the first of each block; reduced by 4, the lowest 2 × 2. The later filter hides the effect of
//! their last bits.

use fumikura_jpeg_reduce::zigzag;

pub(super) use fumikura_jpeg_reduce::{BLOCK, COEFFICIENTS};

/// The number of scans after which reading ends in any case: encoders write about ten, and a file may contain
/// thousands, each of which costs a pass over the whole picture.
pub(super) const MAX_SCANS: i32 = 100;

/// The precision of a component's coefficients, in zigzag order: -1 for unknown, otherwise the number of
/// missing low bits.
pub(super) type Precisions = [i32; COEFFICIENTS];

/// The number of low bits of a coefficient that may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tolerance {
    /// The bits of the first coefficient, the mean of the block. One bit is nearly a quarter of a step of
    /// 8-bit colour.
    pub(super) mean: i32,
    /// The bits of the others.
    pub(super) others: i32,
}

impl Tolerance {
    /// Returns the tolerance that is invisible in a picture whose sides the decoder reduces by this factor, and
    /// the later filter at least by 2.
    pub(super) fn reduced_by(by: u32) -> Self {
        let (mean, others) = match by {
            1 => (0, 0),
            2 => (1, 1),
            _ => (1, 2),
        };
        Self { mean, others }
    }
}

/// True if `precisions` is enough for blocks of `side` × `side` pixels.
pub(super) fn suffices(precisions: &Precisions, side: usize, tolerance: Tolerance) -> bool {
    zigzag()
        .zip(precisions)
        .enumerate()
        .all(|(place, ((row, column), &missing))| {
            let max = if place == 0 {
                tolerance.mean
            } else {
                tolerance.others
            };
            row >= side || column >= side || (0..=max).contains(&missing)
        })
}

/// Returns the pixels of a side of a component's block in a picture whose full components get `side`. The
/// decoder enlarges a component that is stored with fewer samples to the size of the others, as far as its
/// blocks contain enough.
pub(super) fn side_of_component(side: usize, sampling: Sampling, max: Sampling) -> usize {
    let mut own = side;
    while own < BLOCK
        && (max.across * side).is_multiple_of(sampling.across * own * 2)
        && (max.down * side).is_multiple_of(sampling.down * own * 2)
    {
        own *= 2;
    }
    own
}

/// The sampling of a component relative to that of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sampling {
    pub(super) across: usize,
    pub(super) down: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: Sampling = Sampling { across: 2, down: 2 };

    #[test]
    fn reduction_by_8_needs_only_mean_coefficients() {
        let tolerance = Tolerance::reduced_by(8);
        let mut precisions = [-1; COEFFICIENTS];
        assert!(!suffices(&precisions, 1, tolerance));
        precisions[0] = 2;
        assert!(!suffices(&precisions, 1, tolerance));
        precisions[0] = 1;
        assert!(suffices(&precisions, 1, tolerance));
        assert!(!suffices(&precisions, 2, tolerance));
    }

    #[test]
    fn reduction_by_4_needs_the_lowest_four_coefficients() {
        let tolerance = Tolerance::reduced_by(4);
        let mut precisions = [-1; COEFFICIENTS];
        precisions[0] = 1;
        precisions[1..5].fill(2);
        assert!(suffices(&precisions, 2, tolerance));
        precisions[4] = 3;
        assert!(!suffices(&precisions, 2, tolerance));
    }

    #[test]
    fn unreduced_picture_needs_every_coefficient() {
        let tolerance = Tolerance::reduced_by(1);
        let mut precisions = [0; COEFFICIENTS];
        assert!(suffices(&precisions, 8, tolerance));
        precisions[63] = 1;
        assert!(!suffices(&precisions, 8, tolerance));
    }

    #[test]
    fn subsampled_component_is_decoded_larger() {
        let half = Sampling { across: 1, down: 1 };
        assert_eq!(side_of_component(1, half, FULL), 2);
        assert_eq!(side_of_component(2, half, FULL), 4);
        assert_eq!(side_of_component(8, half, FULL), 8);
        assert_eq!(side_of_component(4, FULL, FULL), 4);
        let half_across = Sampling { across: 1, down: 2 };
        assert_eq!(side_of_component(2, half_across, FULL), 2);
    }
}
