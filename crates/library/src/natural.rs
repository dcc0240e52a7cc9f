//! Natural order of names: img2 before img10, case and width ignored, kana together.

use std::cmp::Ordering;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// A name with its sort key. Keys are compared as bytes. Rare ties are decided by the marks and letters that
/// the key omits, and finally by the name's bytes, so the order is total.
///
/// A full collation (ICU) would know the rules of each language, but file names mix languages and do not state
/// them. The essentials are kept: numbers by value; case and full or half width folded; accents and voicing
/// marks secondary; hiragana and katakana in one order by their sound; kanji by code point (roughly by
/// radical).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NaturalName {
    /// The key, followed by the name, in one allocation: for a hundred thousand names, two would take twice the
    /// memory.
    bytes: Vec<u8>,
    /// The offset of the name.
    start: usize,
}

impl NaturalName {
    pub(super) fn new(name: &[u8]) -> Self {
        // A key is hardly longer than its name.
        let mut bytes = Vec::with_capacity(2 * name.len() + 4);
        append_key(name, &mut bytes);
        let start = bytes.len();
        bytes.extend_from_slice(name);
        Self { bytes, start }
    }

    fn key(&self) -> &[u8] {
        &self.bytes[..self.start]
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Compares another name with this one. If two lists are merged, the names are usually equal, and then no key is
    /// made.
    pub(super) fn order_of(&self, other: &[u8]) -> Ordering {
        if other == self.as_bytes() {
            Ordering::Equal
        } else {
            Self::new(other).cmp(self)
        }
    }
}

impl Ord for NaturalName {
    fn cmp(&self, other: &Self) -> Ordering {
        let (own, others) = (self.as_bytes(), other.as_bytes());
        self.key()
            .cmp(other.key())
            .then_with(|| order_of_equal_keys(own, others))
    }
}

impl PartialOrd for NaturalName {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A prefix of a number's digits: it sorts numbers as digits among the other characters.
const NUMBER: u8 = b'0';
/// A prefix of a byte that is not UTF-8: it sorts after every character.
const NOT_UTF8: u8 = 0xFF;

/// Returns the order of names with equal keys.
fn order_of_equal_keys(one: &[u8], other: &[u8]) -> Ordering {
    // Many folders have the same names.
    if one == other {
        return Ordering::Equal;
    }
    let marks = with_marks(one).cmp(with_marks(other));
    marks.then_with(|| one.cmp(other))
}

/// The length of the beginning of a key that is compared without reading the key: a few letters and a number.
const HEAD: usize = 16;

/// Returns the numbers of names in natural order. Equal names are in the order that `tie` returns for their numbers.
///
/// The keys are in one allocation, and their beginnings are compared beside their numbers: of a hundred thousand names,
/// each comparison of two allocations would wait for memory twice.
pub(super) fn sorted_by_name<'a>(
    count: u32,
    name: impl Fn(u32) -> &'a [u8],
    tie: impl Fn(u32, u32) -> Ordering,
) -> Vec<u32> {
    let mut keys = Vec::new();
    let rows = (0..count).map(|at| {
        let start = keys.len();
        append_key(name(at), &mut keys);
        let mut head = [0; HEAD];
        let own = &keys[start..];
        let length = own.len().min(HEAD);
        head[..length].copy_from_slice(&own[..length]);
        (u128::from_be_bytes(head), start..keys.len(), at)
    });
    let mut rows: Vec<_> = rows.collect();
    // Stable, because that is fast for several sorted lists in a row.
    rows.sort_by(|(head, key, at), (other_head, other_key, other)| {
        let by_key = || keys[key.clone()].cmp(&keys[other_key.clone()]);
        head.cmp(other_head)
            .then_with(by_key)
            .then_with(|| order_of_equal_keys(name(*at), name(*other)))
            .then_with(|| tie(*at, *other))
    });
    rows.into_iter().map(|(_, _, at)| at).collect()
}

/// Appends the key of a name.
fn append_key(name: &[u8], bytes: &mut Vec<u8>) {
    let mut key = Key {
        bytes,
        digits: None,
        before: None,
    };
    for chunk in name.utf8_chunks() {
        let text = chunk.valid();
        // Most names are ASCII, and none of their letters decomposes.
        if text.is_ascii() {
            for byte in text.bytes() {
                key.extend(byte.to_ascii_lowercase().into());
            }
        } else {
            for character in text.nfkd().flat_map(char::to_lowercase) {
                key.extend(character);
            }
        }
        key.end_number();
        for &byte in chunk.invalid() {
            key.bytes.extend([NOT_UTF8, byte]);
        }
    }
}

/// A key under construction, behind other bytes.
struct Key<'a> {
    bytes: &'a mut Vec<u8>,
    /// The offset of the digits, inside a number.
    digits: Option<usize>,
    /// The previous letter, for marks that lengthen or repeat it.
    before: Option<char>,
}

impl Key<'_> {
    fn extend(&mut self, character: char) {
        if let Some(digit) = ascii_digit(character) {
            self.extend_number(digit);
            self.before = None;
            return;
        }
        self.end_number();
        if let Ok(byte @ 0..=0x7F) = u8::try_from(character) {
            self.bytes.push(byte);
            self.before = None;
            return;
        }
        // Marks that only modify (accents, dakuten) come second; vowel signs have class 0.
        if canonical_combining_class(character) == 0 {
            let folded = self.sound(fold_kana(character));
            let mut buffer = [0; 4];
            self.bytes
                .extend_from_slice(folded.encode_utf8(&mut buffer).as_bytes());
            self.before = Some(folded);
        }
    }

    /// Returns the sound of a mark after the previous letter (JIS X 4061).
    fn sound(&self, character: char) -> char {
        let sound = match (character, self.before) {
            ('ー', Some(before)) => vowel_of(before),
            ('ゝ' | 'ヽ', before) => before,
            _ => None,
        };
        sound.unwrap_or(character)
    }

    /// Appends a digit. Numbers sort by their number of digits, then by the digits; leading zeros don't count.
    fn extend_number(&mut self, digit: u8) {
        let start = *self.digits.get_or_insert_with(|| {
            // The number of digits is filled in at the end.
            self.bytes.extend([NUMBER, 0]);
            self.bytes.len()
        });
        if self.bytes[start..] == *b"0" {
            self.bytes.truncate(start);
        }
        self.bytes.push(digit);
    }

    fn end_number(&mut self) {
        if let Some(start) = self.digits.take() {
            // Names have at most 255 bytes, so a number has at most 255 digits.
            let length = u8::try_from(self.bytes.len() - start).unwrap_or(u8::MAX);
            self.bytes[start - 1] = length;
        }
    }
}

/// Returns the vowel in which a large hiragana without marks ends.
fn vowel_of(kana: char) -> Option<char> {
    const ENDING: [(char, &str); 5] = [
        ('あ', "あかさたなはまやらわ"),
        ('い', "いきしちにひみりゐ"),
        ('う', "うくすつぬふむゆる"),
        ('え', "えけせてねへめれゑ"),
        ('お', "おこそとのほもよろを"),
    ];
    let ending = ENDING.iter().find(|(_, kanas)| kanas.contains(kana));
    ending.map(|(vowel, _)| *vowel)
}

fn ascii_digit(character: char) -> Option<u8> {
    u8::try_from(character).ok().filter(u8::is_ascii_digit)
}

/// Folds a name for search: width, case and kind of kana don't matter, marks do.
pub(super) fn fold_name(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        match chunk.valid() {
            valid if valid.is_ascii() => text.push_str(&valid.to_ascii_lowercase()),
            valid => text.extend(valid.nfkc().flat_map(char::to_lowercase).map(as_hiragana)),
        }
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text
}

fn as_hiragana(character: char) -> char {
    match character {
        'ァ'..='ヶ' => {
            char::from_u32(u32::from(character) - 0x60).expect("BUG: hiragana are 0x60 below")
        }
        other => other,
    }
}

/// Converts katakana to hiragana, and small kana to large.
fn fold_kana(character: char) -> char {
    match as_hiragana(character) {
        'ぁ' => 'あ',
        'ぃ' => 'い',
        'ぅ' => 'う',
        'ぇ' => 'え',
        'ぉ' => 'お',
        'っ' => 'つ',
        'ゃ' => 'や',
        'ゅ' => 'ゆ',
        'ょ' => 'よ',
        'ゎ' => 'わ',
        'ゕ' => 'か',
        'ゖ' => 'け',
        other => other,
    }
}

/// Returns the name's letters with their marks, hiragana before katakana, to decide between names with equal keys.
fn with_marks(name: &[u8]) -> impl Iterator<Item = char> + '_ {
    name.utf8_chunks()
        .flat_map(|chunk| chunk.valid().nfkd())
        .flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Checks that the names are given in natural order.
    #[track_caller]
    fn check_order(names: &[&str]) {
        for pair in names.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|name| NaturalName::new(name.as_bytes()));
            assert!(a < b, "{} should come before {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn numbers_sort_by_value() {
        check_order(&["img1", "img2", "img10", "img100"]);
        check_order(&["img.jpg", "img1.jpg", "img01b.jpg", "img2.jpg"]);
        check_order(&["a1b2", "a1b10", "a2b1"]);
        check_order(&["v1.9", "v1.10"]);
        check_order(&["写真２", "写真10", "写真１１"]);
        check_order(&["0", "00", "01", "1", "2", "a"]);
    }

    #[test]
    fn case_and_width_do_not_matter() {
        check_order(&["a1", "B1", "c1"]);
        check_order(&["IMG_1", "img_2", "IMG_3"]);
        check_order(&["ａ1", "b1"]);
    }

    #[test]
    fn kana_sort_by_their_sound() {
        check_order(&["あき", "アメ", "いぬ", "ウシ", "ｴﾋﾞ"]);
        check_order(&["か", "が", "き"]);
        check_order(&["はは", "はば", "ぱぱ", "ひ"]);
        check_order(&["きや", "きゃく", "きよ"]);
        check_order(&["カアド", "カード", "カイ", "かん"]);
        check_order(&["サアカス", "サーカス", "サンマ"]);
        check_order(&["こころ", "こゝろ", "こと", "さヾら", "さし"]);
        check_order(&["メール1", "メール2", "めろん"]);
    }

    #[test]
    fn accents_come_second() {
        check_order(&["resume", "résumé", "resume2"]);
        check_order(&["élan", "f"]);
    }

    #[test]
    fn search_folding_ignores_case_width_and_kana() {
        for (name, expected) in [
            ("IMG_2.JPG", "img_2.jpg"),
            ("ＩＭＧ２", "img2"),
            ("カメラ", "かめら"),
            ("ﾀﾋﾞ", "たび"),
            ("か\u{3099}", "が"),
            ("Ｅ\u{301}té", "été"),
        ] {
            assert_eq!(fold_name(name.as_bytes()), expected);
        }
        assert_eq!(fold_name(b"A\xff.jpg"), "a\u{fffd}.jpg");
    }

    #[test]
    fn invalid_utf8_sorts_last_and_stays_distinct() {
        let [a, b, c] = [&b"zz"[..], b"\xfe", b"\xff"].map(NaturalName::new);
        assert!(a < b && b < c);
    }

    fn check_sorted(names: &[&[u8]]) {
        let count = u32::try_from(names.len()).unwrap();
        let by_number = |one: u32, other: u32| other.cmp(&one);
        let found = sorted_by_name(count, |at| names[at as usize], by_number);
        let mut expected: Vec<u32> = (0..count).rev().collect();
        expected.sort_by_cached_key(|&at| NaturalName::new(names[at as usize]));
        assert_eq!(found, expected);
    }

    #[test]
    fn names_of_all_kinds_are_sorted_as_keys() {
        let names = [
            "写真10.jpg",
            "写真２.jpg",
            "さくら.jpg",
            "サクラ.jpg",
            "ざくら.jpg",
            "IMG_0010.JPG",
            "img_9.jpg",
            "IMG_0010.JPG",
            "résumé",
            "resume",
            "a",
            "a very long name of a picture 2",
            "写真２.jpg",
            "a very long name of a picture 10",
            "",
            "00",
            "0",
            "桜並木の写真 第10章",
            "桜並木の写真 第9章",
        ];
        check_sorted(&names.map(str::as_bytes));
    }

    proptest! {
        #[test]
        fn any_names_are_sorted_as_keys(names in prop::collection::vec("[aAé0-9０-３あアが一-三]{0,20}", 0..30)) {
            let names: Vec<&[u8]> = names.iter().map(String::as_bytes).collect();
            check_sorted(&names);
        }

        #[test]
        fn any_bytes_are_sorted_as_keys(names in prop::collection::vec(any::<Vec<u8>>(), 0..20)) {
            let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
            check_sorted(&names);
        }

        #[test]
        fn order_is_total(a in any::<Vec<u8>>(), b in any::<Vec<u8>>(), c in any::<Vec<u8>>()) {
            let [a, b, c] = [a, b, c].map(|name| NaturalName::new(&name));
            prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
            prop_assert_eq!(a.cmp(&b) == Ordering::Equal, a == b);
            if a <= b && b <= c {
                prop_assert!(a <= c);
            }
        }

        #[test]
        fn numbers_of_any_length_sort_by_value(a: u64, b: u64) {
            let [x, y] = [a, b].map(|n| NaturalName::new(format!("img{n}.jpg").as_bytes()));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        }
    }
}
