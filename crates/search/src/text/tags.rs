//! Tags: their limits, and those in running text: `#tag`.

use std::collections::BTreeSet;

/// The maximum length of a tag, in bytes; a longer word is none. Each level of a tag is a term of the index.
const MAX_TAG: usize = 512;
/// The maximum number of tags of a page.
pub(super) const MAX_TAGS: usize = 1000;

/// The tags of a page.
#[derive(Debug, Default)]
pub(super) struct Tags(BTreeSet<String>);

impl Tags {
    /// Adds a tag, unless it is too long or there are too many.
    pub(super) fn add(&mut self, tag: &str) {
        if tag.len() <= MAX_TAG && self.0.len() < MAX_TAGS && !self.0.contains(tag) {
            self.0.insert(tag.to_owned());
        }
    }

    /// Returns the tags in order.
    pub(super) fn into_list(self) -> Vec<String> {
        self.0.into_iter().collect()
    }
}

/// Returns the tags of a text.
pub(super) fn tags(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('#').filter_map(|(at, _)| {
        let before = text[..at].chars().next_back();
        let is_separate = before.is_none_or(|c| !is_in_tag(c) && !matches!(c, '#' | '&'));
        let rest = &text[at + 1..];
        let end = rest.find(|c| !is_in_tag(c)).unwrap_or(rest.len());
        let tag = rest[..end].trim_end_matches(['/', '-']);
        let is_named = tag.chars().any(char::is_alphabetic) && !tag.starts_with(['/', '-']);
        (is_separate && is_named).then_some(tag)
    })
}

fn is_in_tag(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | 'ー' | '々')
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let tags: Vec<_> = super::tags(text).collect();
        assert_eq!(tags, expected, "{text:?}");
    }

    #[test]
    fn tags_begin_behind_a_border() {
        check("#a, #旅/京都 (#b-c)", &["a", "旅/京都", "b-c"]);
        check("a#b ##c #1 # d /x#y &#x27;", &[]);
        check("本日は#晴", &[]);
        check("「#晴」", &["晴"]);
    }
}
