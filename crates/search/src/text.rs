//! The visible text of a page: without markup, addresses and image data.

mod front_matter;
mod markdown;
mod tags;

use std::collections::BTreeSet;

use crate::document::Document;
use fumikura_folding::fold;

/// The visible text of a page.
#[derive(Debug, Clone, Default)]
pub struct PageText {
    title: Document,
    body: Document,
    tags: Vec<String>,
    folded_tags: Vec<String>,
    has_picture: bool,
}

/// Extracts the visible text of a page from its Markdown.
#[must_use]
pub fn extract(source: &str) -> PageText {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let (front, markdown) = front_matter::split(source);
    let visible = markdown::read(markdown);
    let mut tags: BTreeSet<String> = visible.tags;
    let mut body = String::new();
    if let Some(front) = front {
        let front = front_matter::read(front);
        tags.extend(front.tags);
        body = front.text;
    }
    if !body.is_empty() {
        body.push('\n');
    }
    body.push_str(&visible.text);
    let title = visible.title.unwrap_or_default();
    PageText::new(title, body, tags.into_iter().collect(), visible.has_picture)
}

impl PageText {
    pub(crate) fn new(title: String, body: String, tags: Vec<String>, has_picture: bool) -> Self {
        Self {
            title: Document::new(title),
            body: Document::new(body),
            folded_tags: tags.iter().map(|tag| fold(tag)).collect(),
            tags,
            has_picture,
        }
    }

    /// Returns the first heading of the first level; empty if there is none.
    #[must_use]
    pub fn title(&self) -> &Document {
        &self.title
    }

    /// Returns all visible text, including the title.
    #[must_use]
    pub fn body(&self) -> &Document {
        &self.body
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
        assert_eq!(page.title().text(), "x");
        let list = extract("---\ntags:\n  - a b\n  - c # x\n---\n");
        assert_eq!(list.tags(), ["a b", "c"]);
    }

    #[test]
    fn pictures_are_detected() {
        assert!(extract("![](asset:a.png)").has_picture());
        assert!(!extract("[a](asset:a.png)").has_picture());
    }
}
