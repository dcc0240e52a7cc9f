//! A realistic wiki generated from a seed: half of it Japanese, five links on each page.

use fumikura_base::entropy::{Entropy, SeededEntropy};

/// The page that a thousand others link to.
pub const HUB: &str = "/hub";
/// The number of pages that link to [`HUB`].
pub const INBOUND: usize = 1000;
/// The number of links of a page.
const LINKS: usize = 5;
/// The minimum length of a page's text, in bytes.
const TEXT: usize = 1200;

const ENGLISH: [&str; 24] = [
    "river", "stone", "letter", "winter", "garden", "market", "lantern", "paper", "harbour",
    "window", "silver", "morning", "bridge", "orchard", "thread", "shelter", "compass", "valley",
    "meadow", "copper", "journey", "pencil", "station", "island",
];
const JAPANESE: [&str; 24] = [
    "文庫",
    "写真",
    "旅行",
    "京都",
    "手紙",
    "春",
    "本棚",
    "記録",
    "海辺",
    "料理",
    "道具",
    "季節",
    "図書館",
    "庭",
    "音楽",
    "電車",
    "星空",
    "港町",
    "友人",
    "散歩",
    "工房",
    "雨",
    "山道",
    "朝",
];

/// A generator of pages; the seed determines each of them.
pub struct Generator {
    entropy: SeededEntropy,
}

impl Generator {
    /// Starts from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            entropy: SeededEntropy::new(seed),
        }
    }

    /// Returns a number below `bound`.
    ///
    /// # Panics
    /// Panics if `bound` is 0.
    #[must_use]
    pub fn below(&self, bound: usize) -> usize {
        let mut bytes = [0; 8];
        self.entropy.fill(&mut bytes);
        usize::try_from(u64::from_le_bytes(bytes) % bound as u64).expect("BUG: below a usize")
    }

    /// Returns the path of the page with this number.
    #[must_use]
    pub fn path(number: usize) -> String {
        let words = words(number);
        format!(
            "/{}/{}/{} {number}",
            words[number % words.len()],
            words[number / 7 % words.len()],
            words[number / 31 % words.len()]
        )
    }

    /// Returns a text for the page with this number. The words are new each time; the links are always the
    /// page's own, to pages with smaller numbers.
    #[must_use]
    pub fn text(&self, number: usize) -> String {
        self.linking(number, &Self::new(number as u64), number)
    }

    /// Returns such a text with other links, in a wiki of `pages` pages.
    #[must_use]
    pub fn with_other_links(&self, number: usize, pages: usize) -> String {
        self.linking(number, self, pages)
    }

    fn linking(&self, number: usize, links: &Self, pages: usize) -> String {
        let words = words(number);
        let space = if number.is_multiple_of(2) { "" } else { " " };
        let mut text = format!("# {}\n\n", Self::path(number).trim_start_matches('/'));
        if number < INBOUND {
            text.push_str(&format!("[{}]({HUB})\n\n", words[0]));
        }
        for _ in usize::from(number < INBOUND)..LINKS {
            let target = Self::path(links.below(pages.max(1)));
            text.push_str(&format!(
                "- [{}](<{target}>)\n",
                words[links.below(words.len())]
            ));
        }
        text.push('\n');
        while text.len() < TEXT {
            for _ in 0..12 {
                text.push_str(words[self.below(words.len())]);
                text.push_str(space);
            }
            text.push_str(if space.is_empty() { "。\n" } else { ".\n" });
        }
        text
    }
}

fn words(number: usize) -> &'static [&'static str] {
    if number.is_multiple_of(2) {
        &JAPANESE
    } else {
        &ENGLISH
    }
}
