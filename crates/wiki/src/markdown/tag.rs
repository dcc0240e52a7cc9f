//! `#tag` in the text. The page has the same rule (`ui/src/markdown/rules/tags.ts`).

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

/// The maximum length of a tag, in UTF-16 code units, by which the page counts.
const MAX_LENGTH: usize = 170;

/// Returns the name of the tag whose `#` is at a position.
pub(super) fn name_at(text: &str, at: usize) -> Option<Range<usize>> {
    let before = text[..at].chars().next_back();
    if before.is_some_and(|c| is_in_tag(c) || matches!(c, '#' | '&')) {
        return None;
    }
    let rest = &text[at + 1..];
    let length = rest.find(|c| !is_in_tag(c)).unwrap_or(rest.len());
    let name = rest[..length].trim_end_matches(['/', '-']);
    is_tag(name).then_some(at + 1..at + 1 + name.len())
}

/// Returns true if `#name` is a tag.
pub(crate) fn is_tag(name: &str) -> bool {
    name.chars().any(char::is_alphabetic)
        && name.chars().all(is_in_tag)
        && !name.starts_with(['/', '-'])
        && !name.ends_with(['/', '-'])
        && name.encode_utf16().count() <= MAX_LENGTH
}

fn is_in_tag(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c) || matches!(c, '_' | '-' | '/')
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found = crate::markdown::tags(text);
        let found: Vec<&str> = found.into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn tags_are_words_after_a_border() {
        check(
            "#a, #旅/京都 (#b-c) #x_y- #か\u{3099}",
            &["a", "旅/京都", "b-c", "x_y", "か\u{3099}"],
        );
        check("a#b ##c #1 # d /x#y &#x27; 本日は#晴 \\#no #-a #/b", &[]);
        check(
            "# #heading\n\n- #item\n\n| #cell |\n|---|\n| b |",
            &["heading", "item", "cell"],
        );
        check(&format!("#{}", "a".repeat(171)), &[]);
    }

    #[test]
    fn code_and_links_have_no_tags() {
        check("`#a` [#b](/c) ![#d](e) <i>#f</i> <a>#g</a> $#h$", &["f"]);
        check(
            "---\na: \"#b\"\n---\n```\n#c\n```\n\n    #d\n\n<div>\n#e\n</div>",
            &[],
        );
    }
}
