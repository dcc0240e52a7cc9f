//! Handles Japanese text in a heading: the ends of emphasis, and the line breaks that show.
//!
//! In CommonMark, emphasis can't begin before a bracket, or end after one, if a letter is on the other
//! side, as in `**「京都」**の旅`. The page supports this
//! (<https://github.com/tats-u/markdown-cjk-friendly/blob/main/specification.md>), the parser here does
//! not. For it, placeholder characters are inserted beside such marks.

use crate::pages::title;

/// Inserted beside a mark of emphasis that may both begin and end it.
const JOINT: char = '\u{fdd0}';
/// Replaces a tilde that is not a strikethrough: the parser here would take it for one.
const TILDE: char = '\u{fdd1}';
/// Placeholders for characters between double brackets, in which the page reads no marks.
const STAR: char = '\u{fdd2}';
const UNDERSCORE: char = '\u{fdd3}';

/// The source of a heading with joints at its marks; `None` if there are no marks.
pub(super) fn with_joints(heading: &str) -> Option<String> {
    if !heading.contains(['*', '~', '_']) {
        return None;
    }
    let mut joined = String::with_capacity(heading.len() + 16);
    let mut rest = heading;
    while let Some(c) = rest.chars().next() {
        if let Some(end) = title::end_of_link(rest) {
            joined.extend(rest[..end].chars().map(without_meaning));
            rest = &rest[end..];
            continue;
        }
        let end = match c {
            '*' | '~' => rest.len() - rest.trim_start_matches(c).len(),
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            _ => c.len_utf8(),
        };
        let (token, after) = rest.split_at(end);
        match token {
            "~" => joined.push(TILDE),
            "~~~" => joined.extend([TILDE, '~', '~']),
            _ if matches!(c, '*' | '~') => {
                let before = &heading[..heading.len() - rest.len()];
                let joint = needs_joint(before, after).then_some(JOINT);
                joined.extend(joint);
                joined.push_str(token);
                joined.extend(joint);
            }
            _ => joined.push_str(token),
        }
        rest = after;
    }
    Some(joined)
}

/// The text of a heading as it was before [`with_joints`].
pub(super) fn without_joints(text: &str) -> String {
    let chars = text.chars().filter(|&c| c != JOINT);
    let with_meaning = |c| match c {
        TILDE => '~',
        STAR => '*',
        UNDERSCORE => '_',
        c => c,
    };
    chars.map(with_meaning).collect()
}

fn without_meaning(c: char) -> char {
    match c {
        '~' => TILDE,
        '*' => STAR,
        '_' => UNDERSCORE,
        c => c,
    }
}

/// True if a mark between these texts may both begin and end emphasis.
pub(crate) fn needs_joint(before: &str, after: &str) -> bool {
    let mut backward = before.chars().rev();
    let (Some(last), Some(next)) = (backward.next(), after.chars().next()) else {
        return false;
    };
    // An underscore requires punctuation beside it.
    let is_separator = |c: char| c.is_whitespace() || c == '_';
    if is_separator(last) || is_separator(next) {
        return false;
    }
    let last = match last {
        '\u{fe00}'..='\u{fe0e}' => backward.next().unwrap_or(last),
        last => last,
    };
    is_cjk(last) || is_cjk(next) || matches!(last, '\u{e0100}'..='\u{e01ef}')
}

/// Characters of East Asian scripts and their punctuation, by their Unicode width; emoji are excluded.
fn is_cjk(c: char) -> bool {
    matches!(
        c,
        '\u{1100}'..='\u{11ff}'
            | '\u{20a9}'
            | '\u{2329}'..='\u{232a}'
            | '\u{2e80}'..='\u{303e}'
            | '\u{3040}'..='\u{3247}'
            | '\u{3250}'..='\u{a4cf}'
            | '\u{a960}'..='\u{a97f}'
            | '\u{ac00}'..='\u{d7ff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{fe10}'..='\u{fe19}'
            | '\u{fe30}'..='\u{fe6f}'
            | '\u{ff01}'..='\u{ffee}'
            | '\u{16fe0}'..='\u{1b2ff}'
            | '\u{20000}'..='\u{3fffd}'
    )
}

/// Kana, kanji, full-width forms and their punctuation, as in `ui/src/markdown/rules/line-breaks.ts`. A
/// line break between two of them does not show.
pub(crate) fn is_japanese(c: char) -> bool {
    matches!(
        c,
        '\u{2e80}'..='\u{2fdf}'
            | '\u{3000}'..='\u{30ff}'
            | '\u{31f0}'..='\u{31ff}'
            | '\u{32d0}'..='\u{32fe}'
            | '\u{3300}'..='\u{3357}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff01}'..='\u{ff9f}'
            | '\u{1aff0}'..='\u{1b16f}'
            | '\u{20000}'..='\u{3ffff}'
    )
}
