//! Masks a key that a service sends back.
//!
//! A service knows the key, and a text that it writes may reach clients that must not: sessions, jobs, stored
//! answers, the log. Texts are compared by their letters and digits alone, without regard to case and width, so
//! that a key is found that is spaced, split over the fields of an answer, escaped, reversed, or encoded in base64
//! or hexadecimal. A service that conspires with a reader can always agree on another code.

use std::collections::HashSet;
use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use secrecy::ExposeSecret;
use unicode_normalization::UnicodeNormalization;

use super::ApiKey;
use crate::answer::Answer;
use crate::error::Error;
use crate::service::Model;

/// The replacement of a key, or of a part of it.
const MASK: &str = "[key]";
/// The length of the shortest part of a key that is recognized by itself, in letters and digits.
const PART: usize = 8;
/// The minimum length of a key of which parts are recognized, in letters and digits. Shorter ones, such as
/// `lm-studio`, are no secrets: a local server that checks no key is given them, and their parts are words.
const MIN_SECRET: usize = 12;

/// A value with texts of a service.
pub(crate) trait Texts {
    /// Returns the texts, in groups that are read in sequence.
    fn texts(&mut self) -> Vec<Vec<&mut String>>;
}

impl Texts for String {
    fn texts(&mut self) -> Vec<Vec<&mut String>> {
        vec![vec![self]]
    }
}

impl Texts for Answer {
    fn texts(&mut self) -> Vec<Vec<&mut String>> {
        vec![match self {
            Self::Description(text) | Self::Text(text) => vec![text],
            Self::Tags(tags) => tags.iter_mut().collect(),
            Self::Objects(objects) => objects.iter_mut().map(|it| &mut it.name).collect(),
        }]
    }
}

impl Texts for Vec<Model> {
    fn texts(&mut self) -> Vec<Vec<&mut String>> {
        let (ids, names) = self.iter_mut().map(|it| (&mut it.id, &mut it.name)).unzip();
        vec![ids, names]
    }
}

impl Texts for Error {
    fn texts(&mut self) -> Vec<Vec<&mut String>> {
        vec![self.texts_mut()]
    }
}

impl ApiKey {
    /// Masks the key in the texts of a value.
    pub(crate) fn mask<T: Texts>(&self, mut value: T) -> T {
        let key = self.secret().expose_secret();
        let parts = Parts::new(key);
        for mut group in value.texts() {
            for text in &mut group {
                mask_plain(text, key);
            }
            for reading in [Reading::Unescaped, Reading::Plain] {
                parts.mask(&mut group, reading);
            }
        }
        value
    }
}

/// Replaces the key itself; one that may be a word only as a whole word.
fn mask_plain(text: &mut String, key: &str) {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut masked = String::new();
    let mut rest = text.as_str();
    let mut before = None;
    while let Some(at) = rest.find(key) {
        let (start, found) = rest.split_at(at);
        let after = &found[key.len()..];
        let previous = start.chars().next_back().or(before);
        let is_in_word = is_letter(previous) || is_letter(after.chars().next());
        masked.push_str(start);
        masked.push_str(if key.len() < PART && is_in_word {
            key
        } else {
            MASK
        });
        before = key.chars().next_back();
        rest = after;
    }
    if rest.len() < text.len() {
        masked.push_str(rest);
        *text = masked;
    }
}

/// A way to read a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// As it is written.
    Plain,
    /// With the escapes of addresses, JSON and HTML resolved.
    Unescaped,
}

/// A letter or digit, folded to ASCII in lower case, and the place that it has in the texts.
struct Letter {
    letter: u8,
    text: usize,
    place: Range<usize>,
}

/// The parts of a key that are recognized, in all its forms.
struct Parts(HashSet<Vec<u8>>);

impl Parts {
    fn new(key: &str) -> Self {
        let plain = folded(key);
        if plain.len() < MIN_SECRET {
            return Self(HashSet::new());
        }
        let reversed = plain.iter().rev().copied().collect();
        let codes = |code: fn(u8) -> String| key.bytes().map(code).collect::<String>();
        let hexadecimal = codes(|byte| format!("{byte:02x}"));
        let decimal = codes(|byte| byte.to_string());
        let forms = [plain, reversed, hexadecimal.into(), decimal.into()];
        let in_base64 = (0..3).map(|offset| base64_at(key, offset));
        let forms = forms.into_iter().chain(in_base64);
        Self(forms.flat_map(|form| parts(&form)).collect())
    }

    fn mask(&self, group: &mut [&mut String], reading: Reading) {
        let letters = letters(group, reading);
        let mut is_of_key = vec![false; letters.len()];
        let sequence: Vec<u8> = letters.iter().map(|it| it.letter).collect();
        for (at, part) in sequence.windows(PART).enumerate() {
            if self.0.contains(part) {
                is_of_key[at..at + PART].fill(true);
            }
        }
        let mut found: Vec<(usize, Range<usize>)> = Vec::new();
        let mut continues = false;
        for (Letter { text, place, .. }, is_of_key) in letters.into_iter().zip(is_of_key) {
            match found.last_mut() {
                Some((last, range)) if is_of_key && continues && *last == text => {
                    range.end = place.end;
                }
                _ if is_of_key => found.push((text, place)),
                _ => {}
            }
            continues = is_of_key;
        }
        for (text, place) in found.into_iter().rev() {
            group[text].replace_range(place, MASK);
        }
    }
}

fn parts(form: &[u8]) -> HashSet<Vec<u8>> {
    form.windows(PART).map(<[u8]>::to_vec).collect()
}

/// Returns the letters and digits of texts in sequence.
fn letters(group: &[&mut String], reading: Reading) -> Vec<Letter> {
    let mut letters = Vec::new();
    for (text, content) in group.iter().enumerate() {
        let mut at = 0;
        while let Some(next) = content[at..].chars().next() {
            let escaped = match reading {
                Reading::Plain => None,
                Reading::Unescaped => unescaped(&content[at..]),
            };
            let (character, length) = escaped.unwrap_or((next, next.len_utf8()));
            let place = at..at + length;
            letters.extend(fold(character).map(|letter| Letter {
                letter,
                text,
                place: place.clone(),
            }));
            at += length;
        }
    }
    letters
}

fn folded(text: &str) -> Vec<u8> {
    text.chars().flat_map(fold).collect()
}

/// Returns the letters and digits of a character in ASCII and lower case, if it has any.
fn fold(character: char) -> impl Iterator<Item = u8> {
    let plain = std::iter::once(character).nfkc();
    plain
        .filter_map(|c| u8::try_from(c).ok())
        .filter(u8::is_ascii_alphanumeric)
        .map(|letter| letter.to_ascii_lowercase())
}

/// Returns the part of the key's base64 that does not depend on the bytes around it, if `offset` bytes (modulo 3)
/// precede it.
fn base64_at(key: &str, offset: usize) -> Vec<u8> {
    let bytes = [&[0; 2][..offset], key.as_bytes()].concat();
    let encoded = STANDARD_NO_PAD.encode(&bytes);
    let own = (offset * 8).div_ceil(6)..bytes.len() * 8 / 6;
    folded(&encoded[own])
}

/// Returns the character of an escape at the beginning of a text, and the length of the escape: `%73`, `=73`, `\x73`,
/// `\u0073`, `&#115;`, `&#x73;`.
fn unescaped(text: &str) -> Option<(char, usize)> {
    let fixed = [("%", 2), ("=", 2), ("\\x", 2), ("\\u", 4)];
    let hexadecimal = fixed.into_iter().find_map(|(prefix, digits)| {
        let code = text.strip_prefix(prefix)?.get(..digits)?;
        Some((character(code, 16)?, prefix.len() + digits))
    });
    hexadecimal.or_else(|| {
        let (code, _) = text.strip_prefix("&#")?.split_once(';')?;
        let character = match code.strip_prefix(['x', 'X']) {
            Some(code) => character(code, 16),
            None => character(code, 10),
        };
        Some((character?, "&#;".len() + code.len()))
    })
}

fn character(code: &str, radix: u32) -> Option<char> {
    let is_number = code.len() <= 8 && code.chars().all(|c| c.is_digit(radix));
    let code = is_number.then(|| u32::from_str_radix(code, radix).ok());
    char::from_u32(code??)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KEY: &str = "sk-Proj_a1B2c3D4e5F6g7";

    fn key() -> ApiKey {
        ApiKey::new(KEY).unwrap()
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(key().mask(text.to_owned()), expected);
    }

    fn escaped(code: impl Fn(u8) -> String) -> String {
        KEY.bytes().map(code).collect()
    }

    #[test]
    fn key_is_masked_in_every_form() {
        check(&format!("a {KEY} b"), "a [key] b");
        check(&format!("a{}b", KEY.to_uppercase()), "a[key]b");
        let spaced: Vec<String> = KEY.chars().map(String::from).collect();
        for separator in [" ", "\n", "-", "\u{200b}", "、", "*|*"] {
            check(&format!("<{}>", spaced.join(separator)), "<[key]>");
        }
        check("ｓｋ－Ｐｒｏｊ＿ａ１Ｂ２ｃ３Ｄ４ｅ５Ｆ６ｇ７", "[key]");
        check(
            &format!("({})", KEY.chars().rev().collect::<String>()),
            "([key])",
        );
        check(&escaped(|it| format!("%{it:02X}")), "[key]");
        check(&escaped(|it| format!("\\u{it:04x}")), "[key]");
        check(&escaped(|it| format!("&#{it};")), "[key]");
        check(&escaped(|it| format!("&#x{it:x};")), "[key]");
        check(&escaped(|it| format!("{it:02x}")), "[key]");
        check(&escaped(|it| format!("{it} ")), "[key] ");
        check("sk%2DProj_a1B2c3D4e5F6g7", "[key]");
    }

    #[test]
    fn parts_of_the_key_are_masked() {
        check("It ends in c3D4e5F6g7.", "It ends in [key].");
        check("sk-Proj_a1B or 4e5F6g7", "[key] or 4e5F6g7");
        let tags = ["sk-P", "roj", "a1B2c3", "D4e5", "F6g7", "cat"].map(str::to_owned);
        let masked = key().mask(Answer::Tags(tags.to_vec()));
        let expected = ["[key]"; 5].into_iter().chain(["cat"]);
        assert_eq!(masked, Answer::Tags(expected.map(str::to_owned).collect()));
    }

    #[test]
    fn names_of_models_are_masked() {
        let models = [KEY, "sk-Proj_a1B2", "c3D4e5F6g7", "small-eye"];
        let models = models.map(|id| Model {
            id: id.to_owned(),
            name: format!("Model {id}"),
        });
        let masked = key().mask(models.to_vec());
        let ids: Vec<&str> = masked.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(ids, ["[key]", "[key]", "[key]", "small-eye"]);
        assert_eq!(masked[0].name, "Model [key]");
        assert_eq!(masked[3].name, "Model small-eye");
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        check(
            "A cat on a project’s sofa. 猫",
            "A cat on a project’s sofa. 猫",
        );
        check("100% of \\u and &#; and %zz", "100% of \\u and &#; and %zz");
        let short = |key: &str, text: &str| ApiKey::new(key).unwrap().mask(text.to_owned());
        assert_eq!(
            short("lm-studio", "LM Studio: lmstudio/a"),
            "LM Studio: lmstudio/a"
        );
        assert_eq!(short("lm-studio", "no lm-studio!"), "no [key]!");
        assert_eq!(short("ok", "look, ok; okok ok"), "look, [key]; okok [key]");
    }

    proptest! {
        #[test]
        fn base64_is_masked_wherever_it_begins(before in ".{0,9}", after in ".{0,9}") {
            let encoded = base64::engine::general_purpose::URL_SAFE.encode(format!("{before}{KEY}{after}"));
            let masked = key().mask(encoded);
            prop_assert!(masked.contains(MASK), "{}", masked);
            prop_assert!(Parts::new(KEY).0.is_disjoint(&parts(&folded(&masked))));
        }

        #[test]
        fn any_text_can_be_masked(text in "[%&#x;=\\\\u0-9a-fA-F猫ｓ ]{0,60}") {
            key().mask(text);
        }
    }
}
