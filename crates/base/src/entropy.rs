//! The `Entropy` trait, which makes randomness an argument, with the system's generator and a repeatable one
//! for tests.

use std::sync::atomic::{AtomicU64, Ordering};

/// A source of random bytes.
pub trait Entropy: Send + Sync + 'static {
    /// Fills `bytes` with random ones.
    fn fill(&self, bytes: &mut [u8]);
}

/// Returns an array of `N` random bytes.
pub fn random_bytes<const N: usize>(entropy: &dyn Entropy) -> [u8; N] {
    let mut bytes = [0; N];
    entropy.fill(&mut bytes);
    bytes
}

/// The operating system's generator, fit for secrets.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        // Without randomness no token would be secret, so the program must not continue.
        getrandom::fill(bytes).expect("BUG: the operating system gives no random bytes");
    }
}

/// A generator whose output depends only on its seed (SplitMix64). Not for secrets.
#[derive(Debug)]
pub struct SeededEntropy {
    state: AtomicU64,
}

impl SeededEntropy {
    /// Creates a generator that starts at `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            state: AtomicU64::new(seed),
        }
    }

    fn next(&self) -> u64 {
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut z = self
            .state
            .fetch_add(STEP, Ordering::Relaxed)
            .wrapping_add(STEP);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_determines_bytes_and_draws_differ() {
        let (a, b) = (SeededEntropy::new(7), SeededEntropy::new(7));
        let first: [u8; 20] = random_bytes(&a);
        assert_eq!(first, random_bytes(&b));
        assert_ne!(first, random_bytes(&a));
    }
}
