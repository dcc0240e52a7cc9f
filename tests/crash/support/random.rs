//! Reproducible randomness: everything follows from the seed.

use fumikura_base::entropy::{Entropy, SeededEntropy};

/// A source of random choices.
pub(crate) struct Random(SeededEntropy);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SeededEntropy::new(seed))
    }

    /// Returns the seed in the environment, or a new one.
    pub(crate) fn seed() -> u64 {
        match std::env::var("FUMIKURA_SEED") {
            Ok(seed) => seed.parse().unwrap(),
            Err(_) => new_seed(),
        }
    }

    /// Returns a number below `end`.
    pub(crate) fn below(&self, end: u64) -> u64 {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        u64::from_le_bytes(bytes) % end
    }

    /// Returns true with a probability of one in `many`.
    pub(crate) fn one_in(&self, many: u64) -> bool {
        self.below(many) == 0
    }

    /// Returns a text of up to 40,000 characters, often a short one.
    pub(crate) fn text(&self, title: &str) -> String {
        let length = self.below(200) * if self.one_in(8) { 200 } else { 1 };
        let letters: Vec<char> = "あいうabc 文庫\n#*\u{1f5bb}".chars().collect();
        let pick = |_| letters[self.below(letters.len() as u64) as usize];
        format!("# {title}\n") + &(0..length).map(pick).collect::<String>()
    }
}

/// Returns another seed each time.
fn new_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.unwrap().as_nanos() as u64
}
