//! Snippets: the parts of a text that show why it matches.

use std::ops::Range;

use fumikura_base::budget::{Budget, BudgetSpent};
use unicode_segmentation::UnicodeSegmentation;

use crate::document::Document;
use crate::query::Query;

/// The approximate length of a snippet, in characters; wide ones count double.
const WIDTH: usize = 160;
/// The distance from the start of a snippet to its first highlight, in the same unit.
const LEAD: usize = 40;
/// The mark of a cut sentence.
const MARK: &str = "…";
/// The distance in which the bounds of a sentence are sought, in bytes.
const MAX_SENTENCE: usize = 2048;
/// The distance in which the end of a word is sought, in bytes.
const MAX_WORD: usize = 64;
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

/// Returns the sentences of a text that match most of a query, or its first one if there is no match before the end of
/// the budget. Sentences in `minor`, the places of code blocks and of front matter, are shown only if no other sentence
/// matches. The title, which is shown above the snippets, is its first sentence only if it is all of it.
#[must_use]
pub(crate) fn snippets(
    query: &Query,
    document: &Document,
    minor: &[Range<usize>],
    title: &str,
    max: usize,
    budget: &Budget,
) -> Vec<Snippet> {
    let text = document.text();
    let places = highlights(query, document, budget);
    if places.is_empty() {
        let first = first_sentence(text, minor, title);
        return vec![cut(text, first.clone(), first, &[])];
    }
    let mut windows: Vec<Window> = Vec::new();
    let mut at = 0;
    while at < places.len() {
        let window = Window::new(text, &places, at, minor);
        at = window.places.end;
        windows.push(window);
    }
    let mut best: Vec<usize> = (0..windows.len()).collect();
    best.sort_by_key(|number| {
        let window = &windows[*number];
        (window.is_minor, std::cmp::Reverse(window.distinct))
    });
    best.truncate(max);
    if best.first().is_some_and(|first| !windows[*first].is_minor) {
        best.retain(|number| !windows[*number].is_minor);
    }
    best.sort_unstable();
    let chosen = best.into_iter().map(|number| &windows[number]);
    chosen
        .map(|window| {
            let Window {
                shown, sentence, ..
            } = window;
            let places = &places[window.places.clone()];
            cut(text, shown.clone(), sentence.clone(), places)
        })
        .collect()
}

/// Returns the sentence around a place of a text.
pub(crate) fn snippet_at(text: &str, place: Range<usize>) -> Snippet {
    let places = [place];
    let Window {
        shown, sentence, ..
    } = Window::new(text, &places, 0, &[]);
    cut(text, shown, sentence, &places)
}

/// A part of a text that may be shown.
struct Window {
    sentence: Range<usize>,
    /// The sentence, or a part of a long one.
    shown: Range<usize>,
    /// The numbers of the places in it.
    places: Range<usize>,
    /// The number of different texts at them.
    distinct: usize,
    is_minor: bool,
}

impl Window {
    /// Returns the window that begins with a place.
    fn new(text: &str, places: &[Range<usize>], at: usize, minor: &[Range<usize>]) -> Self {
        let place = &places[at];
        let sentence = sentence(text, place);
        let start = start_before(text, sentence.start, place.start, LEAD);
        let shown = match end_after(text, sentence.start, WIDTH) {
            // The whole sentence fits.
            end if end >= sentence.end => sentence.clone(),
            _ => {
                let end = end_after(text, start, WIDTH).min(sentence.end);
                start..end_of_word(text, place.end, end, sentence.end)
            }
        };
        let inside = places[at..].iter();
        let inside = inside.take_while(|place| place.end <= shown.end).count();
        let places_inside = at..at + inside.max(1);
        Self {
            distinct: count_distinct(text, &places[places_inside.clone()]),
            places: places_inside,
            is_minor: is_within(place, minor),
            sentence,
            shown,
        }
    }
}

fn is_within(place: &Range<usize>, minor: &[Range<usize>]) -> bool {
    let before = minor.partition_point(|part| part.start <= place.start);
    before > 0 && place.start < minor[before - 1].end
}

/// Returns the first sentence of the rest of a text, or of all if there is no rest.
fn first_sentence(text: &str, minor: &[Range<usize>], title: &str) -> Range<usize> {
    let lines = text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some(start..start + line.trim_end().len())
    });
    let mut start = None;
    for line in lines.filter(|line| !line.is_empty() && !is_within(line, minor)) {
        if text[line.clone()] != *title {
            start = Some(line.start);
            break;
        }
        start.get_or_insert(line.start);
    }
    let start = start.unwrap_or(0);
    let first = sentence(text, &(start..start));
    first.start
        ..end_of_word(
            text,
            first.start,
            end_after(text, first.start, WIDTH),
            first.end,
        )
}

/// Returns the sentence of a line that a place begins in, up to the end of the one in which the place ends.
fn sentence(text: &str, place: &Range<usize>) -> Range<usize> {
    let from = text.floor_char_boundary(place.start.saturating_sub(MAX_SENTENCE));
    let to = text.ceil_char_boundary(place.end.saturating_add(MAX_SENTENCE).min(text.len()));
    let start = text[from..place.start]
        .rfind('\n')
        .map_or(from, |at| from + at + 1);
    let end = text[place.end..to]
        .find('\n')
        .map_or(to, |at| place.end + at);
    let (mut first, mut last) = (start, end);
    for (at, _) in text[start..end].split_sentence_bound_indices() {
        let at = start + at;
        if at <= place.start {
            first = at;
        } else if at >= place.end.max(place.start + 1) {
            last = at;
            break;
        }
    }
    let shown = &text[first..last];
    let blanks = shown.len() - shown.trim_start().len();
    (first + blanks).min(place.start)..(first + shown.trim_end().len()).max(place.end)
}

/// Returns the number of different texts at the places.
fn count_distinct(text: &str, places: &[Range<usize>]) -> usize {
    let mut texts: Vec<&str> = places.iter().map(|place| &text[place.clone()]).collect();
    texts.sort_unstable();
    texts.dedup();
    texts.len()
}

/// Returns a part of a sentence, with marks where the rest of the sentence is missing.
fn cut(
    text: &str,
    shown: Range<usize>,
    sentence: Range<usize>,
    places: &[Range<usize>],
) -> Snippet {
    let lead = if shown.start > sentence.start {
        MARK
    } else {
        ""
    };
    let tail = if shown.end < sentence.end { MARK } else { "" };
    let shift = |at: usize| at.clamp(shown.start, shown.end) - shown.start + lead.len();
    Snippet {
        highlights: places
            .iter()
            .map(|place| shift(place.start)..shift(place.end))
            .collect(),
        text: format!("{lead}{}{tail}", text[shown].trim_end()),
    }
}

fn width(c: char) -> usize {
    if c as u32 >= 0x1100 { 2 } else { 1 }
}

/// Returns the place at most `room` before another one, at the start of the sentence or of a word.
fn start_before(text: &str, start: usize, from: usize, room: usize) -> usize {
    let mut left = room;
    for (place, c) in text[start..from].char_indices().rev() {
        if left < width(c) {
            let place = start + place;
            let mut words = text[place..from].split_word_bound_indices();
            // The first one may be the rest of a word.
            let next = words.find(|(at, word)| *at > 0 && !word.trim().is_empty());
            return next.map_or(from, |(at, _)| place + at);
        }
        left -= width(c);
    }
    start
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

/// Returns the end of the last whole word before `end`, but at least `least`; `whole` is the end of the sentence.
fn end_of_word(text: &str, least: usize, end: usize, whole: usize) -> usize {
    if end >= whole {
        return whole;
    }
    let limit = text.ceil_char_boundary(whole.min(end + MAX_WORD));
    let words = text[least..limit].split_word_bound_indices();
    let ends = words.map(|(at, word)| (least + at + word.len(), word));
    let fits = ends.take_while(|(at, _)| *at <= end);
    let last = fits.filter(|(_, word)| !word.trim().is_empty()).last();
    // A very long word is cut.
    last.map_or(end.max(least), |(at, _)| at)
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
        let found = snippets(&query, &document, &[], "", 2, &Budget::unlimited());
        let found: Vec<_> = found.iter().map(marked).collect();
        assert_eq!(found, expected, "{typed:?}");
    }

    #[test]
    fn snippets_highlight_the_matches() {
        check("京都", "昨日は京都へ。", &["昨日は[京都]へ。"]);
        check("データ base", "ﾃﾞｰﾀの database", &["[ﾃﾞｰﾀ]の data[base]"]);
        check("nothing", "a text", &["a text"]);
        let long = format!("{}needle {}", "hay ".repeat(30), "hay ".repeat(60));
        let needle = Query::parse("needle").unwrap();
        let found = snippets(
            &needle,
            &Document::new(long),
            &[],
            "",
            2,
            &Budget::unlimited(),
        );
        assert_eq!(found.len(), 1);
        let shown = marked(&found[0]);
        assert!(
            shown.starts_with("…hay ") && shown.ends_with(" hay…"),
            "{shown}"
        );
        assert!(
            shown.contains(" [needle] ") && shown.chars().count() <= WIDTH + 4,
            "{shown}"
        );
    }

    #[test]
    fn snippet_is_one_sentence() {
        check(
            "moss",
            "First. The moss (e.g. on stones) grows! Then more.\nLast line",
            &["The [moss] (e.g. on stones) grows!"],
        );
        check(
            "苔",
            "はじめに。石の苔は育つ？そして。",
            &["石の[苔]は育つ？"],
        );
        check("苔 石", "苔だ。石の苔だ。", &["[苔]だ。", "[石]の[苔]だ。"]);
        check("a b", "One a. Two b. Three", &["One [a].", "Two [b]."]);
        check("nothing", "\nFirst one. Second.", &["First one."]);
    }

    #[test]
    fn long_japanese_sentence_is_cut() {
        let long = format!("{}苔{}", "庭の".repeat(60), "の緑".repeat(90));
        let query = Query::parse("苔").unwrap();
        let found = snippets(
            &query,
            &Document::new(long),
            &[],
            "",
            2,
            &Budget::unlimited(),
        );
        let shown = &found[0].text;
        assert!(shown.starts_with("…庭") && shown.ends_with('…'), "{shown}");
        assert!(marked(&found[0]).contains("[苔]"));
        assert!(shown.chars().count() <= WIDTH / 2 + 2, "{shown}");
    }

    #[test]
    fn code_is_shown_only_without_other_matches() {
        let text = "let moss = 1;\nThe moss grows.";
        let shown = |typed: &str| {
            let query = Query::parse(typed).unwrap();
            let document = Document::new(text.to_owned());
            let code = 0..13;
            let found = snippets(
                &query,
                &document,
                std::slice::from_ref(&code),
                "",
                2,
                &Budget::unlimited(),
            );
            found.iter().map(marked).collect::<Vec<_>>()
        };
        assert_eq!(shown("moss"), ["The [moss] grows."]);
        assert_eq!(shown("let"), ["[let] moss = 1;"]);
        assert_eq!(shown("absent"), ["The moss grows."]);
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
