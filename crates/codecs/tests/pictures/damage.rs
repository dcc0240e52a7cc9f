//! Damage to a sample costs at most an error about the picture, and no panic.

use fumikura_image::DecodeError;

use crate::harness::{sample, thumbnail};

/// Checks each length to which the file may be cut.
#[track_caller]
pub(crate) fn check_every_length(name: &str) {
    let whole = sample(name);
    for length in 0..whole.len() {
        check(&whole[..length], || format!("{name}, cut at {length}"));
    }
}

/// Flips bits at places derived from a seed.
#[track_caller]
pub(crate) fn check_flips(name: &str, times: u64) {
    let whole = sample(name);
    for seed in 0..times {
        let mut random = Random(seed);
        let mut bytes = whole.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        check(&bytes, || format!("{name}, flips of the seed {seed}"));
    }
}

#[track_caller]
fn check(bytes: &[u8], what: impl Fn() -> String) {
    if let Err(error) = thumbnail(bytes, "20x20-shrink.png") {
        assert!(error.is_lasting(), "{}: {error}", what());
        assert!(
            !matches!(error, DecodeError::Panicked),
            "{}: {error}",
            what()
        );
    }
}

/// The generator `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}
