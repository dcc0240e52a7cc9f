//! Search by authors and by days of change. These matches rank after all others.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::document::Document;
use crate::facts::{PageFacts, PageKey};
use crate::sequence::Sequence;

/// The shortest date that is searched: a year.
const MIN_DATE_LENGTH: usize = 4;

/// The pages of each author and day.
#[derive(Debug, Default)]
pub(crate) struct Authorship {
    authors: PagesByWord,
    days: PagesByWord,
}

/// Pages by the words under which they can be found.
#[derive(Debug, Default)]
struct PagesByWord(HashMap<String, (Document, Vec<PageKey>)>);

impl Authorship {
    pub(crate) fn add(&mut self, page: &PageFacts) {
        self.authors.add(&page.author, page.key);
        self.days.add(&day(page.updated), page.key);
    }

    pub(crate) fn remove(&mut self, page: &PageFacts) {
        self.authors.remove(&page.author, page.key);
        self.days.remove(&day(page.updated), page.key);
    }

    /// Returns the pages by an author, or changed on a day, that the sequence names.
    pub(crate) fn find(&self, sequence: &Sequence) -> impl Iterator<Item = &PageKey> {
        let whole = sequence.whole();
        let days = is_date(&whole).then_some(&self.days);
        let groups = std::iter::once(&self.authors).chain(days);
        groups
            .flat_map(|groups| groups.0.values())
            .filter(move |(words, _)| words.has(&whole))
            .flat_map(|(_, pages)| pages)
    }
}

impl<'p> FromIterator<&'p PageFacts> for Authorship {
    fn from_iter<I: IntoIterator<Item = &'p PageFacts>>(pages: I) -> Self {
        let mut authorship = Self::default();
        pages.into_iter().for_each(|page| authorship.add(page));
        authorship
    }
}

impl PagesByWord {
    fn add(&mut self, words: &str, page: PageKey) {
        if !self.0.contains_key(words) {
            let group = (Document::new(words.to_owned()), Vec::new());
            self.0.insert(words.to_owned(), group);
        }
        if let Some((_, pages)) = self.0.get_mut(words) {
            pages.push(page);
        }
    }

    fn remove(&mut self, words: &str, page: PageKey) {
        if let Some((_, pages)) = self.0.get_mut(words) {
            pages.retain(|key| *key != page);
            if pages.is_empty() {
                self.0.remove(words);
            }
        }
    }
}

/// Returns whether the sequence names the author of a page or the day of its last change.
pub(crate) fn matches_authorship(sequence: &Sequence, facts: &PageFacts) -> bool {
    let whole = sequence.whole();
    Document::new(facts.author.clone()).has(&whole)
        || (is_date(&whole) && Document::new(day(facts.updated)).has(&whole))
}

/// Returns the words of a day, in the user's time zone.
pub(crate) fn day(time: i64) -> String {
    let time = Timestamp::from_millisecond(time).unwrap_or_default();
    let day = time.to_zoned(TimeZone::system());
    day.strftime("%Y-%m-%d %Y年%-m月%-d日").to_string()
}

fn is_date(sequence: &Sequence) -> bool {
    let characters: usize = sequence
        .slots
        .iter()
        .map(|slot| slot.text.chars().count())
        .sum();
    let first = sequence.slots.first();
    characters >= MIN_DATE_LENGTH
        && first.is_some_and(|slot| slot.text.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_authors_are_whole_words() {
        let zone = TimeZone::system();
        let date = jiff::civil::date(2026, 4, 30).at(12, 0, 0, 0);
        let facts = PageFacts {
            key: [1; 16],
            path: "/a".to_owned(),
            former: Vec::new(),
            title: None,
            deleted: false,
            updated: zone.to_timestamp(date).unwrap().as_millisecond(),
            author: "森 Aya".to_owned(),
            version: 1,
        };
        let mut authorship: Authorship = std::iter::once(&facts).collect();
        for (typed, expected) in [
            ("aya", true),
            ("森", true),
            ("ay", false),
            ("2026", true),
            ("2026-04", true),
            ("2026-04-30", true),
            ("2026年4月", true),
            ("30", false),
            ("2025", false),
        ] {
            let sequence = Sequence::new(typed, true).unwrap();
            assert_eq!(matches_authorship(&sequence, &facts), expected, "{typed}");
            assert_eq!(authorship.find(&sequence).count() == 1, expected, "{typed}");
        }
        authorship.remove(&facts);
        let aya = Sequence::new("aya", true).unwrap();
        assert_eq!(authorship.find(&aya).count(), 0);
    }
}
