//! Anchors of headings, as `ui/src/markdown/slug.ts` makes them.

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;

/// The maximum length of a heading that its anchor uses, in UTF-16 code units.
const MAX_LENGTH: usize = 1_000;

/// Returns the anchor of a heading's text, before repeated ones are numbered.
pub(super) fn slug(text: &str) -> String {
    let mut length = 0;
    let short = text.chars().take_while(|character| {
        length += character.len_utf16();
        length <= MAX_LENGTH
    });
    let mut slug = String::new();
    for character in short.nfkc().flat_map(char::to_lowercase) {
        let is_mark = unicode_normalization::char::is_combining_mark(character);
        if character.is_alphanumeric() || is_mark || character == '_' {
            slug.push(character);
        } else if !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_matches('-');
    if slug.is_empty() { "section" } else { slug }.to_owned()
}

/// The anchors of one page, each once.
#[derive(Default)]
pub(super) struct Anchors {
    used: HashSet<String>,
    /// The first number that may be free, for each repeated slug.
    next: HashMap<String, u32>,
}

impl Anchors {
    pub(super) fn take(&mut self, text: &str) -> String {
        let slug = slug(text);
        let mut anchor = slug.clone();
        while !self.used.insert(anchor.clone()) {
            let number = self.next.entry(slug.clone()).or_insert(2);
            anchor = format!("{slug}-{number}");
            *number += 1;
        }
        anchor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_readable_and_unique() {
        let mut anchors = Anchors::default();
        let mut taken = |text| anchors.take(text);
        assert_eq!(taken("Moss & Ferns!"), "moss-ferns");
        assert_eq!(taken("光"), "光");
        assert_eq!(taken("光"), "光-2");
        assert_eq!(taken("ＡＢＣ　庭"), "abc-庭");
        assert_eq!(taken("…"), "section");
        assert_eq!(taken("が"), "が");
    }
}
