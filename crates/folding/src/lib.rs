//! Texts without the differences that a search ignores: width and other compatibility forms (NFKC), case,
//! katakana and hiragana, old and new forms of kanji, iteration marks and invisible characters.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

mod forms;

use self::forms::common_form;

/// The maximum number of characters of a folded text: as many as the largest page has bytes. A text that folds to more
/// is cut: one character may become 18.
pub const MAX_FOLDED_CHARS: usize = 10 << 20;
/// The maximum number of bytes of a grapheme that are folded at once. Any number of marks may follow a letter.
const MAX_GRAPHEME: usize = 256;
/// The maximum number of repeated sara am that a tone mark passes.
const MAX_REPEATED_AM: usize = 8;

/// A folded text, with the original place of each of its characters.
#[derive(Debug, Clone, Default)]
pub struct FoldedText {
    text: String,
    /// The number of characters of `text`.
    chars: usize,
    /// The length of the original part that was folded.
    end: usize,
    /// Offsets of graphemes in the folded and in the original text, ascending, and the ends of both. Empty
    /// for ASCII, whose offsets are equal.
    places: Vec<(u32, u32)>,
}

impl FoldedText {
    /// Folds a text, or its beginning if it folds to more than [`MAX_FOLDED_CHARS`] characters.
    #[must_use]
    pub fn new(written: &str) -> Self {
        Self::cut(written, MAX_FOLDED_CHARS)
    }

    /// Folds a text until it has `max` characters. Its memory depends on them, not on the length of the text.
    ///
    /// # Panics
    /// If 4 GiB or more of the text fold to nothing.
    fn cut(written: &str, max: usize) -> Self {
        if written.is_ascii() {
            let end = written.len().min(max);
            return Self {
                text: written[..end].to_ascii_lowercase(),
                chars: end,
                end,
                places: Vec::new(),
            };
        }
        let mut folded = Self {
            text: String::with_capacity(written.len().min(max)),
            places: Vec::with_capacity(written.len().min(max) / 2),
            ..Self::default()
        };
        while folded.end < written.len() && folded.chars < max {
            folded.push_simple(written, max);
            let rest = &written[folded.end..];
            let mut graphemes = rest.graphemes(true);
            match graphemes.next() {
                Some("々") => {
                    let marks = 1 + graphemes.take_while(|next| *next == "々").count();
                    folded.push_marks(marks, max);
                }
                Some(grapheme) if folded.chars < max => folded.push_grapheme(grapheme),
                Some(_) | None => break,
            }
        }
        folded.mark();
        folded
    }

    /// Folds a grapheme, or its first part.
    fn push_grapheme(&mut self, grapheme: &str) {
        self.mark();
        let part = &grapheme[..floor(grapheme, MAX_GRAPHEME)];
        let before = self.text.len();
        fold_grapheme(part, &mut self.text);
        // A tone mark moves before characters of the same length.
        self.chars += self.text[before..].chars().count();
        self.end += part.len();
    }

    /// Folds adjacent iteration marks.
    fn push_marks(&mut self, marks: usize, max: usize) {
        let marks = marks.min(max - self.chars);
        let repeated = repeated_kanji(&self.text, marks);
        for number in 0..marks {
            self.mark();
            let cycle = repeated.get(number % repeated.len().max(1));
            self.text.push(cycle.copied().unwrap_or('々'));
            self.chars += 1;
            self.end += '々'.len_utf8();
        }
    }

    /// Records that the next folded text starts at the end of the original part that was folded.
    fn mark(&mut self) {
        let place = |at: usize| u32::try_from(at).expect("BUG: a text is shorter than 4 GiB");
        self.places.push((place(self.text.len()), place(self.end)));
    }

    /// Folds simple characters, except the last one, which a mark may follow. Most text is simple and needs no search
    /// for grapheme ends.
    fn push_simple(&mut self, written: &str, max: usize) {
        let rest = written[self.end..].chars();
        let mut simple = rest.take_while(|c| is_simple(*c));
        let Some(mut last) = simple.next() else {
            return;
        };
        for next in simple.take(max - self.chars) {
            self.mark();
            self.text.push(match last {
                '\u{30A1}'..='\u{30F6}' => hiragana(last),
                last => common_form(last.to_ascii_lowercase()),
            });
            self.chars += 1;
            self.end += last.len_utf8();
            last = next;
        }
    }

    /// Returns the length of the original part that was folded.
    #[must_use]
    pub fn end(&self) -> usize {
        self.end
    }

    /// Returns the approximate memory of the folded text, in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.text.len() + self.places.len() * size_of::<(u32, u32)>()
    }

    /// Returns the folded text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the part of the original that folds to this part of the folded text: whole graphemes.
    #[must_use]
    pub fn written(&self, part: Range<usize>) -> Range<usize> {
        if self.places.is_empty() {
            return part;
        }
        let first = self
            .places
            .partition_point(|(folded, _)| *folded as usize <= part.start);
        let behind = self
            .places
            .partition_point(|(folded, _)| (*folded as usize) < part.end);
        let place = |at: usize| {
            self.places
                .get(at)
                .map_or(0, |(_, written)| *written as usize)
        };
        let start = place(first.saturating_sub(1));
        start..place(behind).max(start)
    }
}

/// Folds a text, or its beginning: see [`FoldedText::new`].
#[must_use]
pub fn fold(text: &str) -> String {
    FoldedText::new(text).text
}

/// Removes accents from a folded text.
#[must_use]
pub fn without_accents(folded: &str) -> String {
    if folded.is_ascii() {
        return folded.to_owned();
    }
    let visible = folded
        .nfd()
        .filter(|c| !is_combining_mark(*c) || is_voicing(*c));
    let visible = visible.map(|c| match c {
        'ø' => 'o',
        'ł' => 'l',
        'đ' => 'd',
        'ı' => 'i',
        c => c,
    });
    visible.nfc().collect()
}

/// Returns true for the marks that turn か into が and は into ぱ: these are other sounds, not accents.
fn is_voicing(c: char) -> bool {
    matches!(c, '\u{3099}' | '\u{309A}')
}

/// Returns the last border between characters up to a place, or the end of the text.
#[must_use]
pub fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    let border = (0..=at).rev().find(|at| text.is_char_boundary(*at));
    border.unwrap_or(0)
}

fn fold_grapheme(grapheme: &str, folded: &mut String) {
    for c in grapheme.nfkc().flat_map(char::to_lowercase) {
        match c {
            c if is_invisible(c) => {}
            '\u{30A1}'..='\u{30F6}' => folded.push(hiragana(c)),
            'ゝ' | 'ヽ' => {
                let repeated = folded.chars().next_back().and_then(unvoiced);
                folded.push(repeated.unwrap_or('ゝ'));
            }
            'ゞ' | 'ヾ' => {
                let repeated = folded.chars().next_back().and_then(unvoiced);
                folded.push(repeated.and_then(voiced).unwrap_or('ゞ'));
            }
            'ς' => folded.push('σ'),
            'ß' => folded.push_str("ss"),
            c if is_tone(c) => folded.insert(before_am(folded), c),
            c => folded.push(common_form(c)),
        }
    }
}

/// Returns true for the tone marks of Thai and Lao. They look the same before, inside and after the vowel sara am,
/// which NFKC decomposes; here they are before it.
fn is_tone(c: char) -> bool {
    matches!(c, '\u{0E48}'..='\u{0E4B}' | '\u{0EC8}'..='\u{0ECB}')
}

/// Returns the place before a decomposed sara am, or its first part, at the end of a text; without one, the end.
fn before_am(folded: &str) -> usize {
    let parts = [
        "\u{0E4D}\u{0E32}",
        "\u{0ECD}\u{0EB2}",
        "\u{0E4D}",
        "\u{0ECD}",
    ];
    let mut before = folded;
    // A text may repeat it by mistake.
    for _ in 0..MAX_REPEATED_AM {
        match parts.iter().find_map(|part| before.strip_suffix(part)) {
            Some(shorter) => before = shorter,
            None => break,
        }
    }
    before.len()
}

/// Returns true for characters that are graphemes of their own if another such character follows, and that
/// NFKC does not change.
fn is_simple(c: char) -> bool {
    matches!(c, ' '..='~' | '\n' | '、' | '。' | '「' | '」' | 'ぁ'..='ゖ' | 'ァ'..='ー' | '\u{4E00}'..='\u{9FFF}')
}

fn hiragana(c: char) -> char {
    char::from_u32(u32::from(c) - 0x60).expect("BUG: hiragana are 0x60 before katakana")
}

/// Returns true for characters that have no width and separate nothing: soft hyphens, joiners, directional
/// marks, variation selectors.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{AD}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{2069}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{E0100}'..='\u{E01EF}'
    )
}

/// Returns the kanji that a run of `marks` iteration marks repeats: as many as there are marks (馬鹿々々), or
/// only the last one (複々々線).
fn repeated_kanji(before: &str, marks: usize) -> Vec<char> {
    let kanji = before.chars().rev().take_while(|c| is_kanji(*c));
    let mut last: Vec<char> = kanji.take(marks).collect();
    if last.len() < marks {
        last.truncate(1);
    }
    last.reverse();
    last
}

fn is_kanji(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

fn unvoiced(kana: char) -> Option<char> {
    matches!(kana, 'ぁ'..='ゖ').then_some(())?;
    kana.to_string().nfd().next()
}

fn voiced(kana: char) -> Option<char> {
    let marked = [kana, '\u{3099}'];
    let mut voiced = marked.into_iter().nfc();
    let first = voiced.next()?;
    voiced.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(fold(text), expected, "{text:?}");
    }

    #[test]
    fn width_case_and_kana_are_folded() {
        check("ABC abc", "abc abc");
        check("ＡＢＣ　１２", "abc 12");
        check("カメラ・レンズ", "かめら・れんず");
        check("ｶﾞｲﾄﾞ", "がいど");
        check("きか\u{3099}く cafe\u{301} \r\nA", "きがく café \r\na");
        check("か\u{3099}", "が");
        check("サーバー", "さーばー");
        check("㍿ ①", "株式会社 1");
        check("ΟΔΟΣ οδος", "οδοσ οδοσ");
        check("co\u{AD}op\u{200B}s", "coops");
    }

    #[test]
    fn forms_of_one_character_are_equal() {
        check("鐵道 國學院 鐵ﾄﾞｳ", "鉄道 国学院 鉄どう");
        check("⻑野 ⻘い ⾦", "長野 青い 金");
        check("Straße GROẞ Strasse", "strasse gross strasse");
        let am = "น\u{0E49}\u{0E4D}\u{0E32}";
        check("น\u{0E49}\u{0E33}", am);
        check("น\u{0E33}\u{0E49}", am);
        check("น\u{0E4D}\u{0E49}\u{0E32}", am);
        check("น\u{0E4D}\u{0E32}\u{0E49}", am);
        check(am, am);
        check("ນ\u{0EB3}\u{0EC9}", "ນ\u{0EC9}\u{0ECD}\u{0EB2}");
    }

    #[test]
    fn iteration_marks_are_expanded() {
        check("人々", "人人");
        check("馬鹿々々しい", "馬鹿馬鹿しい");
        check("複々々線", "複複複線");
        check("すゝめ", "すすめ");
        check("かゞみ", "かがみ");
        check("がゝ", "がか");
        check("々", "々");
        check("あゞ", "あゞ");
    }

    #[test]
    fn accents_are_removed_and_voicing_kept() {
        assert_eq!(without_accents("göteborg"), "goteborg");
        assert_eq!(without_accents("がぱ"), "がぱ");
        assert_eq!(without_accents("smørrebrød"), "smorrebrod");
    }

    #[test]
    fn folded_ranges_map_to_the_source() {
        let written = "ｶﾞｲﾄﾞ㍿X人々";
        let folded = FoldedText::new(written);
        let part = |part: &str| {
            let at = folded.text().find(part).unwrap();
            &written[folded.written(at..at + part.len())]
        };
        assert_eq!(part("が"), "ｶﾞ");
        assert_eq!(part("いど"), "ｲﾄﾞ");
        assert_eq!(part("会"), "㍿");
        assert_eq!(part("x人人"), "X人々");
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(text in "[a-zA-Zァ-ヺｦ-ﾟあ-んÀ-ÿ一-三鐵⻑々ゝゞน\u{E33}\u{E48}\u{E4D}\u{E32} \u{3099}]{0,20}") {
            let folded = fold(&text);
            prop_assert_eq!(fold(&folded), folded.clone());
        }

        #[test]
        fn every_folded_character_maps_to_the_source(text in any::<String>()) {
            let folded = FoldedText::new(&text);
            for (at, c) in folded.text().char_indices() {
                let written = folded.written(at..at + c.len_utf8());
                prop_assert!(!text[written].is_empty());
            }
        }
    }
}
