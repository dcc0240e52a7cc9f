//! The visible text of a page: without markup, addresses and image data.

mod front_matter;
mod markdown;
mod mentions;
mod tags;

pub use mentions::{Mention, mention};

use std::collections::BTreeSet;
use std::ops::Range;

use crate::document::Document;
use crate::query::Query;
use crate::snippet::{Snippet, snippets};
use fumikura_base::budget::Budget;
use fumikura_folding::fold;

/// The visible text of a page.
#[derive(Debug, Clone, Default)]
pub struct PageText {
    title: Document,
    body: Document,
    tags: Vec<String>,
    folded_tags: Vec<String>,
    has_picture: bool,
    /// The places of front matter and of code blocks in the body.
    minor: Vec<Range<usize>>,
}

/// Extracts the visible text of a page from its Markdown. The title is not determined here, because the store does that
/// by the grammar of the page ([`PageText::with_title`]).
#[must_use]
pub fn extract(source: &str) -> PageText {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let (front, markdown) = front_matter::split(source);
    let visible = markdown::read(markdown);
    let mut tags = visible.tags;
    let mut body = String::new();
    if let Some(front) = front {
        body = front_matter::read(front, &mut tags);
    }
    if !body.is_empty() {
        body.push('\n');
    }
    let shift = body.len();
    body.push_str(&visible.text);
    let code = visible.code.into_iter();
    let code = code.map(|block| block.start + shift..block.end + shift);
    let front = (shift > 0).then_some(0..shift);
    PageText {
        minor: front.into_iter().chain(code).collect(),
        ..PageText::new(String::new(), body, tags.into_list(), visible.has_picture)
    }
}

impl PageText {
    pub(crate) fn new(title: String, body: String, tags: Vec<String>, has_picture: bool) -> Self {
        Self {
            title: Document::new(title),
            body: Document::new(body),
            folded_tags: tags.iter().map(|tag| fold(tag)).collect(),
            tags,
            has_picture,
            minor: Vec::new(),
        }
    }

    /// Returns the same text with a title.
    #[must_use]
    pub fn with_title(self, title: Option<String>) -> Self {
        Self {
            title: Document::new(title.unwrap_or_default()),
            ..self
        }
    }

    /// Returns the title; empty if the page has none.
    #[must_use]
    pub fn title(&self) -> &Document {
        &self.title
    }

    /// Returns all visible text, including the title.
    #[must_use]
    pub fn body(&self) -> &Document {
        &self.body
    }

    /// Returns the sentences of the text that match most of a query, or its first one if none matches. Front matter and
    /// code are shown only if no other sentence matches.
    #[must_use]
    pub fn snippets(&self, query: &Query, max: usize, budget: &Budget) -> Vec<Snippet> {
        let title = self.title.text();
        snippets(query, &self.body, &self.minor, title, max, budget)
    }

    /// Returns whether only the beginning of the text or of the title is searched, because they are too long.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.body.is_cut() || self.title.is_cut()
    }

    /// Returns the approximate memory of the text and what is known of it, in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        let tags = self.tags.iter().chain(&self.folded_tags).map(String::len);
        self.title.memory() + self.body.memory() + tags.sum::<usize>()
    }

    /// Returns the tags of the front matter and of the text.
    #[must_use]
    pub fn tags(&self) -> &[String] {
        &self.tags
    }

    /// Returns the tags and those above them, folded.
    pub(crate) fn tag_terms(&self) -> BTreeSet<&str> {
        let above =
            |tag: &'_ str| -> Vec<usize> { tag.match_indices('/').map(|(at, _)| at).collect() };
        let mut terms = BTreeSet::new();
        for tag in &self.folded_tags {
            terms.extend(above(tag).into_iter().map(|at| &tag[..at]));
            terms.insert(tag);
        }
        terms
    }

    pub(crate) fn has_tag(&self, folded: &str) -> bool {
        self.tag_terms().contains(folded)
    }

    /// Returns whether the page has a picture.
    #[must_use]
    pub fn has_picture(&self) -> bool {
        self.has_picture
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fumikura_folding::MAX_FOLDED_CHARS;

    #[track_caller]
    fn check(source: &str, body: &str) {
        assert_eq!(extract(source).body().text(), body, "{source:?}");
    }

    #[test]
    fn markup_and_addresses_are_no_words() {
        check("# *A* title\n\n**b** `c` ~~d~~", "A title\nb c d");
        check("[text](/address \"tip\") ![alt](asset:a.png)", "text alt");
        check("[[/旅/京都]] [[/a|b]]", "京都 b");
        check("a [[page:01JD3Q6T0V5M4N8W2Z7RXKCEHB]] b", "a  b");
        check("[[page:01JD3Q6T0V5M4N8W2Z7RXKCEHB|奈良]]", "奈良");
        check("[奈良](page:01JD3Q6T0V5M4N8W2Z7RXKCEHB)", "奈良");
        check("![x](data:image/png;base64,AAAA)", "x");
        check("see data:image/png;base64,AAAA here", "see  here");
        check("a<b>c</b> <script>x</script>", "ac");
        check("<div class=\"k\">in</div>", "in");
        check("| a | b |\n|---|---|\n| c | d |", "a\nb\nc\nd");
        check("- [ ] one\n- two", "one\ntwo");
        check("```rust\nfn main() {}\n```", "fn main() {}");
        check("a[^1]\n\n[^1]: note", "a\nnote");
        check("&amp; &lt;", "& <");
    }

    #[test]
    fn line_ends_between_japanese_characters_are_no_borders() {
        check("東\n京", "東京");
        check("a\nb", "a b");
        check("東\n\n京", "東\n京");
        check("**京**都", "京都");
    }

    #[test]
    fn front_matter_gives_values_and_tags() {
        let page =
            extract("---\ntitle: A walk\ntags: [旅, \"京都/寺\"]\n---\n# x\n\n#walk and `#code`");
        assert_eq!(
            page.body().text(),
            "A walk\n旅\n京都/寺\nx\n#walk and #code"
        );
        assert_eq!(page.tags(), ["walk", "京都/寺", "旅"]);
        assert!(page.has_tag("京都"));
        assert!(!page.has_tag("京"));
        let list = extract("---\ntags:\n  - a b\n  - c # x\n---\n");
        assert_eq!(list.tags(), ["a b", "c"]);
    }

    #[test]
    fn snippets_prefer_text_to_front_matter() {
        let source = "---\nby: Aya\ntags: [旅]\n---\n# A walk\n\nAlong the river. By Aya.";
        let page = extract(source).with_title(Some("A walk".to_owned()));
        let check = |typed: &str, expected: &str| {
            let query = Query::parse(typed).unwrap();
            let shown = page.snippets(&query, 1, &Budget::unlimited());
            assert_eq!(shown[0].text, expected, "{typed}");
        };
        check("tag:旅", "Along the river.");
        check("aya", "By Aya.");
        check("旅", "旅");
        let alone = extract("---\ntags: [旅]\n---\n# A walk").with_title(Some("A walk".to_owned()));
        let query = Query::parse("tag:旅").unwrap();
        let shown = alone.snippets(&query, 1, &Budget::unlimited());
        assert_eq!(shown[0].text, "A walk");
    }

    /// U+FDFA folds to 18 characters.
    #[test]
    fn text_that_grows_is_cut() {
        let page = extract(&"\u{FDFA}".repeat((10 << 20) / 3));
        assert!(page.is_cut());
        let graphemes = MAX_FOLDED_CHARS.div_ceil(18);
        assert_eq!(page.body().text().chars().count(), graphemes);
        assert!(page.memory() < 64 << 20, "{}", page.memory());
        assert!(!extract(&"\u{FDFA}".repeat(1000)).is_cut());
    }

    #[test]
    fn hostile_tags_are_left_out() {
        let deep = extract(&format!("#{}", "a/".repeat(5 << 20)));
        assert!(deep.tags().is_empty());
        let many: String = (0..100_000).map(|number| format!("#a{number} ")).collect();
        assert_eq!(extract(&many).tags().len(), tags::MAX_TAGS);
        let listed = extract(&format!("---\ntags: [x, {}]\n---\n", "a/".repeat(5 << 20)));
        assert_eq!(listed.tags(), ["x"]);
    }

    #[test]
    fn pictures_are_detected() {
        assert!(extract("![](asset:a.png)").has_picture());
        assert!(!extract("[a](asset:a.png)").has_picture());
    }
}
