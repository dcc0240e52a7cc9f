//! Folds the differences in texts that a search ignores: width and other forms of compatibility
//! (NFKC), case, katakana and hiragana.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// The folded text.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for character in text.graphemes(true) {
        fold_one(character, &mut folded);
    }
    folded
}

/// A folded text, with the start of each character in the folded and in the original text.
pub(super) struct FoldedText {
    pub(super) text: String,
    /// The starts in the folded text and in the original one, ascending, and the ends of both.
    places: Vec<(usize, usize)>,
}

impl FoldedText {
    pub(super) fn new(written: &str) -> Self {
        let mut folded = Self {
            text: String::with_capacity(written.len()),
            places: Vec::new(),
        };
        for (at, character) in written.grapheme_indices(true) {
            folded.places.push((folded.text.len(), at));
            fold_one(character, &mut folded.text);
        }
        folded.places.push((folded.text.len(), written.len()));
        folded
    }

    /// The range of the original text whose characters produced this part of the folded text.
    /// Characters are included completely.
    pub(super) fn written(&self, part: Range<usize>) -> Range<usize> {
        let first = self
            .places
            .partition_point(|(folded, _)| *folded <= part.start);
        let end = self
            .places
            .partition_point(|(folded, _)| *folded < part.end);
        let place = |at: usize| self.places.get(at).map_or(0, |(_, written)| *written);
        place(first.saturating_sub(1))..place(end)
    }
}

/// Folds one grapheme cluster (UAX #29), with all its marks. So the parts of a text fold to the parts
/// of the folded text.
fn fold_one(character: &str, folded: &mut String) {
    for c in character.nfkc().flat_map(char::to_lowercase) {
        folded.push(match c {
            // Katakana to hiragana, and their iteration marks.
            '\u{30A1}'..='\u{30F6}' | '\u{30FD}' | '\u{30FE}' => {
                char::from_u32(u32::from(c) - 0x60).expect("BUG: hiragana are 0x60 before katakana")
            }
            'ς' => 'σ',
            other => other,
        });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(fold(text), expected, "{text:?}");
        assert_eq!(FoldedText::new(text).text, expected, "{text:?}");
    }

    #[test]
    fn width_case_and_kana_are_folded() {
        check("ABC abc", "abc abc");
        check("ＡＢＣ　１２", "abc 12");
        check("カメラ・レンズ", "かめら・れんず");
        check("ｶﾞｲﾄﾞ", "がいど");
        check("か\u{3099}", "が");
        check("ヴァヽヾ", "ゔぁゝゞ");
        check("㍿ ①", "株式会社 1");
        check("ÉCOLE E\u{301}cole", "école école");
        check("ΟΔΟΣ οδος", "οδοσ οδοσ");
        check("京都", "京都");
    }

    #[test]
    fn folded_match_maps_back_to_the_text() {
        let folded = FoldedText::new("ｶﾞｲﾄﾞ㍿X");
        assert_eq!(folded.text, "がいど株式会社x");
        let written = |part: &str| {
            let at = folded.text.find(part).unwrap();
            &"ｶﾞｲﾄﾞ㍿X"[folded.written(at..at + part.len())]
        };
        assert_eq!(written("が"), "ｶﾞ");
        assert_eq!(written("いど"), "ｲﾄﾞ");
        assert_eq!(written("会"), "㍿");
        assert_eq!(written("社x"), "㍿X");
        assert_eq!(written("がいど株式会社x"), "ｶﾞｲﾄﾞ㍿X");
    }

    proptest! {
        #[test]
        fn folding_is_idempotent(text in "[a-zA-Zァ-ヺｦ-ﾟあ-んÀ-ÿ \u{3099}]{0,20}") {
            let folded = fold(&text);
            prop_assert_eq!(fold(&folded), folded.clone());
            prop_assert_eq!(FoldedText::new(&text).text, folded);
        }
    }
}
