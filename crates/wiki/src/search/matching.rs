//! Ranks the match of a query in a title or a path.

use std::ops::Range;

use fumikura_folding::fold;
use memchr::memmem::Finder;

/// The kind of a match of the query, or of a word of it, in a text. The best comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MatchKind {
    /// The text is the query.
    Exact,
    /// The text begins with the query.
    Prefix,
    /// A word of the text begins with the query.
    WordStart,
    /// The query is somewhere in the text.
    Substring,
    /// The characters of the query are in the text, in their order.
    Subsequence,
}

/// A searched field of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Field {
    Title,
    Path,
}

/// The rank of a page; the least is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    kind: MatchKind,
    field: Field,
    /// The length of the matching text, in bytes.
    length: u32,
}

impl Rank {
    /// The rank as a number, of which the greatest is the best.
    pub(super) fn score(self) -> u32 {
        const STEP: u32 = 10_000;
        let kind = match self.kind {
            MatchKind::Exact => 10,
            MatchKind::Prefix => 8,
            MatchKind::WordStart => 6,
            MatchKind::Substring => 4,
            MatchKind::Subsequence => 2,
        };
        let field = match self.field {
            Field::Title => 1,
            Field::Path => 0,
        };
        (kind + field) * STEP - self.length.min(STEP - 1)
    }
}

/// A parsed query.
pub(super) struct Query {
    /// The whole query, its words separated by one space each.
    whole: Needle,
    /// The words of the query, if there are several.
    words: Vec<Needle>,
}

struct Needle {
    text: String,
    characters: CharacterSet,
    finder: Finder<'static>,
}

/// A folded title and a folded path.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names<'t> {
    pub(super) title: Name<'t>,
    pub(super) path: Name<'t>,
}

/// A folded text, and its set of characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name<'t> {
    pub(super) text: &'t str,
    pub(super) characters: CharacterSet,
}

impl<'t> Name<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            characters: CharacterSet::of(text),
        }
    }
}

/// The set of characters of a text, hashed to 64 bits. It rules out most texts that can't match a
/// query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CharacterSet(u64);

impl CharacterSet {
    pub(super) fn of(text: &str) -> Self {
        // The multiplication spreads neighbouring characters of a script.
        let bit = |c: char| 1 << (u32::from(c).wrapping_mul(0x9E37_79B1) >> 26);
        Self(text.chars().fold(0, |bits, c| bits | bit(c)))
    }

    fn contains(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }
}

impl Query {
    pub(super) fn new(typed: &str) -> Self {
        let folded = fold(typed);
        let words: Vec<&str> = folded.split_whitespace().collect();
        let whole = Needle::new(words.join(" "));
        let words = if words.len() > 1 {
            words
                .into_iter()
                .map(|word| Needle::new(word.to_owned()))
                .collect()
        } else {
            Vec::new()
        };
        Self { whole, words }
    }

    /// True if the query is empty or only spaces.
    pub(super) fn is_empty(&self) -> bool {
        self.whole.text.is_empty()
    }

    /// The rank of a page; `None` if it does not match. A query with spaces may match as a whole, or
    /// each word by itself, in any order. The worst match of a word then decides.
    pub(super) fn rank(&self, names: Names<'_>) -> Option<Rank> {
        let whole = self.whole.rank(names);
        match whole {
            Some(rank) if rank.kind < MatchKind::Subsequence || self.words.is_empty() => Some(rank),
            Some(_) | None => {
                let mut ranks = self.words.iter().map(|word| word.rank(names));
                let first = ranks.next()??;
                ranks.try_fold(first, |worst, rank| Some(worst.max(rank?)))
            }
        }
    }

    /// The matching parts of the title and the path, ascending, in bytes of the folded texts.
    pub(super) fn places(&self, names: Names<'_>) -> [Vec<Range<usize>>; 2] {
        if self.is_empty() {
            return [Vec::new(), Vec::new()];
        }
        let whole = self.whole.rank(names);
        let as_it_is = whole.is_some_and(|rank| rank.kind < MatchKind::Subsequence);
        let needles = if as_it_is || self.words.is_empty() {
            std::slice::from_ref(&self.whole)
        } else {
            &self.words
        };
        let mut places = [Vec::new(), Vec::new()];
        for needle in needles {
            match needle.rank(names).map(|rank| rank.field) {
                Some(Field::Title) => places[0].extend(needle.places(names.title, false)),
                Some(Field::Path) => places[1].extend(needle.places(names.path, true)),
                None => {}
            }
        }
        for places in &mut places {
            places.sort_by_key(|place| place.start);
        }
        places
    }
}

impl Needle {
    fn new(text: String) -> Self {
        let finder = Finder::new(text.as_bytes()).into_owned();
        Self {
            characters: CharacterSet::of(&text),
            text,
            finder,
        }
    }

    fn rank(&self, names: Names<'_>) -> Option<Rank> {
        let rank = |field, name: Name<'_>, kind| Rank {
            kind,
            field,
            length: u32::try_from(name.text.len()).unwrap_or(u32::MAX),
        };
        let title = self.kind(names.title, false);
        let title = title.map(|(kind, _)| rank(Field::Title, names.title, kind));
        let path = self.kind(names.path, true);
        let path = path.map(|(kind, _)| rank(Field::Path, names.path, kind));
        match (title, path) {
            (Some(title), Some(path)) => Some(title.min(path)),
            (title, path) => title.or(path),
        }
    }

    /// The kind of the match, and its position if the needle is there in one piece. For a path, the
    /// start of the last segment counts as a start too.
    fn kind(&self, name: Name<'_>, is_path: bool) -> Option<(MatchKind, Option<usize>)> {
        let text = name.text;
        if self.text.len() > text.len() || !name.characters.contains(self.characters) {
            return None;
        }
        let last = if is_path {
            text.rfind('/').map_or(0, |at| at + 1)
        } else {
            0
        };
        let mut best: Option<(MatchKind, Option<usize>)> = None;
        for at in self.finder.find_iter(text.as_bytes()) {
            let begins = at == 0 || at == last;
            let ends = at + self.text.len() == text.len();
            let kind = match (begins, ends) {
                (true, true) => MatchKind::Exact,
                (true, false) => MatchKind::Prefix,
                (false, _) if begins_word(text, at) => MatchKind::WordStart,
                (false, _) => MatchKind::Substring,
            };
            if best.is_none_or(|(found, _)| kind < found) {
                best = Some((kind, Some(at)));
            }
            if kind == MatchKind::Exact {
                break;
            }
        }
        best.or_else(|| {
            let mut rest = text.chars();
            let fits = self.text.chars().all(|c| rest.any(|other| other == c));
            fits.then_some((MatchKind::Subsequence, None))
        })
    }

    fn places(&self, name: Name<'_>, is_path: bool) -> Vec<Range<usize>> {
        let text = name.text;
        match self.kind(name, is_path) {
            Some((_, Some(at))) => std::iter::once(at..at + self.text.len()).collect(),
            Some((_, None)) => {
                let mut rest = text.char_indices();
                let found = self
                    .text
                    .chars()
                    .filter_map(|c| rest.find(|(_, other)| *other == c));
                found.map(|(at, c)| at..at + c.len_utf8()).collect()
            }
            None => Vec::new(),
        }
    }
}

/// True if a word begins at this position: after a character that is neither letter nor digit, or
/// at a change of script.
fn begins_word(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    match (before.chars().next_back(), after.chars().next()) {
        (Some(before), Some(after)) => !before.is_alphanumeric() || script(before) != script(after),
        (None, _) | (_, None) => true,
    }
}

/// The script of a character: 1 for hiragana, 2 for kanji, 0 for others.
fn script(c: char) -> u8 {
    match c {
        '\u{3040}'..='\u{309F}' | 'ー' => 1,
        '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}' | '々' => 2,
        _ => 0,
    }
}

#[cfg(test)]
#[path = "matching_tests.rs"]
mod tests;
