//! Snippets: the parts of a text that show why it matches.

use std::ops::Range;

use fumikura_base::budget::{Budget, BudgetSpent};

use crate::document::Document;
use crate::query::Query;

/// The approximate length of a snippet, in characters; wide ones count double.
const WIDTH: usize = 160;
/// The distance from the start of a snippet to its first highlight, in the same unit.
const LEAD: usize = 40;
/// The maximum number of examined places.
const MAX_PLACES: usize = 2000;

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The text, with its line breaks.
    pub text: String,
    /// The highlighted bytes of the text, ascending and disjoint.
    pub highlights: Vec<Range<usize>>,
}

/// Returns the places of a text that match a query, ascending and disjoint; those before the end of the budget.
#[must_use]
pub fn highlights(query: &Query, document: &Document, budget: &Budget) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = Vec::new();
    // Places that are missing at the end are not highlighted.
    let (Ok(()) | Err(BudgetSpent)) = find_places(query, document, budget, &mut places);
    places.sort_by_key(|place| (place.start, place.end));
    let mut joined: Vec<Range<usize>> = Vec::new();
    for place in places {
        match joined.last_mut() {
            Some(last) if place.start < last.end => last.end = last.end.max(place.end),
            Some(_) | None => joined.push(place),
        }
    }
    joined
}

fn find_places(
    query: &Query,
    document: &Document,
    budget: &Budget,
    places: &mut Vec<Range<usize>>,
) -> Result<(), BudgetSpent> {
    let terms = query.highlight_terms();
    for sequence in terms.sequences {
        let mut found = Vec::new();
        let searched = document.find(sequence, MAX_PLACES, budget, &mut found);
        places.extend(found.into_iter().map(|found| found.range));
        searched?;
    }
    for pattern in terms.patterns {
        pattern.find_all(document.text(), MAX_PLACES, budget, places)?;
    }
    Ok(())
}

/// Returns the parts of a text that match most of a query, or its beginning if there is no match before the end of the
/// budget.
#[must_use]
pub fn snippets(query: &Query, document: &Document, max: usize, budget: &Budget) -> Vec<Snippet> {
    let text = document.text();
    let places = highlights(query, document, budget);
    if places.is_empty() {
        let end = end_after(text, 0, WIDTH);
        return vec![cut(text, 0..end, &[])];
    }
    let mut windows: Vec<(usize, Range<usize>, Range<usize>)> = Vec::new();
    let mut at = 0;
    while at < places.len() {
        let start = start_before(text, places[at].start, LEAD);
        let end = end_after(text, start, WIDTH).max(places[at].end);
        let end = text[places[at].end..end].find('\n').map_or(end, |line| {
            // A short line is extended by the next.
            if line > WIDTH / 4 {
                places[at].end + line
            } else {
                end
            }
        });
        let inside = places[at..]
            .iter()
            .take_while(|place| place.end <= end)
            .count();
        let distinct = count_distinct(text, &places[at..at + inside]);
        windows.push((distinct, start..end, at..at + inside));
        at += inside.max(1);
    }
    let mut best: Vec<usize> = (0..windows.len()).collect();
    best.sort_by_key(|window| std::cmp::Reverse(windows[*window].0));
    best.truncate(max);
    best.sort_unstable();
    let chosen = best.into_iter().map(|window| &windows[window]);
    chosen
        .map(|(_, range, inside)| cut(text, range.clone(), &places[inside.clone()]))
        .collect()
}

/// Returns the number of different texts at the places.
fn count_distinct(text: &str, places: &[Range<usize>]) -> usize {
    let mut texts: Vec<&str> = places.iter().map(|place| &text[place.clone()]).collect();
    texts.sort_unstable();
    texts.dedup();
    texts.len()
}

fn cut(text: &str, range: Range<usize>, places: &[Range<usize>]) -> Snippet {
    let start = range.end - text[range.clone()].trim_start().len();
    let shift = |place: &Range<usize>| place.start.max(start) - start..place.end - start;
    Snippet {
        text: text[start..range.end].trim_end().to_owned(),
        highlights: places.iter().map(shift).collect(),
    }
}

fn width(c: char) -> usize {
    if c as u32 >= 0x1100 { 2 } else { 1 }
}

/// Returns the place at most `room` before another one, at the start of a line or word if there is one.
fn start_before(text: &str, from: usize, room: usize) -> usize {
    let mut left = room;
    let mut at = from;
    for (place, c) in text[..from].char_indices().rev() {
        if c == '\n' {
            return at;
        }
        if left < width(c) {
            let blank = text[place..from].find(' ').map(|blank| place + blank + 1);
            return blank.unwrap_or(at);
        }
        left -= width(c);
        at = place;
    }
    at
}

fn end_after(text: &str, from: usize, room: usize) -> usize {
    let mut left = room;
    for (at, c) in text[from..].char_indices() {
        if left < width(c) {
            return from + at;
        }
        left -= width(c);
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use fumikura_folding::fold;

    fn marked(snippet: &Snippet) -> String {
        let mut text = snippet.text.clone();
        for place in snippet.highlights.iter().rev() {
            text.insert(place.end, ']');
            text.insert(place.start, '[');
        }
        text
    }

    #[track_caller]
    fn check(typed: &str, text: &str, expected: &[&str]) {
        let query = Query::parse(typed).unwrap();
        let document = Document::new(text.to_owned());
        let found = snippets(&query, &document, 2, &Budget::unlimited());
        let found: Vec<_> = found.iter().map(marked).collect();
        assert_eq!(found, expected, "{typed:?}");
    }

    #[test]
    fn snippets_highlight_the_matches() {
        check("京都", "昨日は京都へ。", &["昨日は[京都]へ。"]);
        check("データ base", "ﾃﾞｰﾀの database", &["[ﾃﾞｰﾀ]の data[base]"]);
        check("nothing", "a text", &["a text"]);
        let long = format!("{} needle {}", "hay ".repeat(30), "hay ".repeat(60));
        let needle = Query::parse("needle").unwrap();
        let found = snippets(&needle, &Document::new(long), 2, &Budget::unlimited());
        assert_eq!(found.len(), 1);
        assert!(marked(&found[0]).contains("[needle]"));
        assert!(found[0].text.len() <= WIDTH);
    }

    proptest! {
        #[test]
        fn highlights_fold_to_the_query(
            text in "[a-cA-CＡ-Ｃァ-オｱ-ｵあ-お一-三 、\n]{0,60}",
            typed in "[a-cァ-オあ-お一-三]{1,3}",
        ) {
            let query = Query::parse(&typed).unwrap();
            let document = Document::new(text.clone());
            let places = highlights(&query, &document, &Budget::unlimited());
            let found = !places.is_empty();
            for place in places {
                // Separators between a word and a character are not a border.
                let folded = fold(&text[place]).replace([' ', '、'], "");
                // Overlapping places are merged.
                prop_assert!(folded.contains(&fold(&typed)), "{folded:?}");
            }
            prop_assert!(found || !fold(&text).contains(&fold(&typed)));
        }
    }
}
