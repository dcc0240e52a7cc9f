//! Rendering of whole texts.

use std::convert::Infallible;

use super::renderer::{EmbeddedPage, LinkTarget, PictureFile, Surroundings, render};
use crate::path::PagePath;

/// The pages `/moss` and `/loop`, and the picture `moss.jpg`.
struct Garden;

impl Surroundings for Garden {
    type Error = Infallible;

    fn link(&mut self, _: &PagePath, to: &str) -> Result<Option<LinkTarget>, Infallible> {
        Ok((to == "/moss").then(|| LinkTarget {
            address: Some("moss.html".to_owned()),
            title: "Moss & fern".to_owned(),
        }))
    }

    fn picture(&mut self, _: &PagePath, file: &str) -> Result<Option<PictureFile>, Infallible> {
        Ok((file == "asset:moss.jpg").then(|| PictureFile {
            address: "small.webp".to_owned(),
            original: Some("moss.jpg".to_owned()),
        }))
    }

    fn embedded(&mut self, _: &PagePath, to: &str) -> Result<Option<EmbeddedPage>, Infallible> {
        let source = match to {
            "/moss" => {
                "# Moss\n\nfirst[^1]\n\n## Kinds\n\ngreen ^kind\n\n### All\n\n- one\n\n## End\n\nlast\n\n[^1]: note\n"
            }
            "/loop" => "before\n\n![[/loop]]\n\nafter\n",
            _ => return Ok(None),
        };
        Ok(Some(EmbeddedPage {
            path: PagePath::new(to).unwrap(),
            source: source.to_owned(),
        }))
    }
}

fn html(source: &str) -> String {
    let Ok(shown) = render(&PagePath::new("/page").unwrap(), source, &mut Garden);
    shown.body.trim_end().to_owned()
}

#[track_caller]
fn check(source: &str, expected: &str) {
    assert_eq!(html(source), expected, "{source}");
}

#[test]
fn links_lead_to_pages_or_nowhere() {
    check(
        "[[/moss]] [[/moss#kinds|those]] [[/moss^kind]] [[/none]]",
        "<p><a href=\"moss.html\">Moss &amp; fern</a> <a href=\"moss.html#kinds\">those</a> \
         <a href=\"moss.html#^kind\">Moss &amp; fern</a> <a>none</a></p>",
    );
    check(
        "[a](/moss?x#b) [b](/none) [c](javascript:alert(1)) [d](#e \"t\")",
        "<p><a href=\"moss.html#b\">a</a> <a>b</a> <a>c</a> <a href=\"#e\">d</a></p>",
    );
    check(
        "https://example.org/a_(b)、 `https://x.org`, a[[0]]",
        "<p><a class=\"bare\" href=\"https://example.org/a_(b)\">https://example.org/a_(b)</a>、 <code>https://x.org</code>, a[[0]]</p>",
    );
}

#[test]
fn pictures_have_sizes_and_captions() {
    check(
        "![Moss|200x100](asset:moss.jpg \"In rain\")",
        "<p><a href=\"moss.jpg\"><img src=\"small.webp\" alt=\"Moss\" width=\"200\" \
         style=\"object-fit: contain; aspect-ratio: 200 / 100\"></a><span class=\"caption\">In rain</span></p>",
    );
    check(
        "![[moss.jpg|80]] ![web](https://example.org/a.png) ![[gone.png]]",
        "<p><a href=\"moss.jpg\"><img src=\"small.webp\" alt=\"\" width=\"80\"></a> web gone.png</p>",
    );
}

#[test]
fn callouts_are_boxes_with_titles() {
    check(
        "> [!tip]\n> one\n>\n> two",
        "<div class=\"callout callout-tip\">\n<p class=\"callout-title\">Tip</p>\n<p>one</p>\n<p>two</p>\n</div>",
    );
    check(
        "> [!faq]- **Why**?\n> > [!custom]\n> > x",
        "<details class=\"callout callout-question\">\n<summary class=\"callout-title\"><strong>Why</strong>?</summary>\n\
         <div class=\"callout callout-note\">\n<p class=\"callout-title\">Custom</p>\n<p>x</p>\n</div>\n</details>",
    );
    check(
        "> [!note]\n> こけが増えました。",
        "<div class=\"callout callout-note\">\n<p class=\"callout-title\">メモ</p>\n<p>こけが増えました。</p>\n</div>",
    );
    check("> [x] y", "<blockquote>\n<p>[x] y</p>\n</blockquote>");
}

#[test]
fn dialect_of_lines_is_read() {
    check(
        "==a **b** c== == d ==`==e==`",
        "<p><mark>a <strong>b</strong> c</mark> == d ==<code>==e==</code></p>",
    );
    check(
        "H~2~O x^2^ 3~5月と7~9月 (^o^)/ ~~gone~~",
        "<p>H<sub>2</sub>O x<sup>2</sup> 3~5月と7~9月 (^o^)/ <del>gone</del></p>",
    );
    check(
        "苔の\n**庭**\nです\nmoss",
        "<p>苔の<strong>庭</strong>です\nmoss</p>",
    );
    check(
        "**「京都」**の旅 2*3*4 `**「a」**b`",
        "<p><strong>「京都」</strong>の旅 2<em>3</em>4 <code>**「a」**b</code></p>",
    );
    check(
        "$x^2$",
        "<p><math><msup><mi>x</mi><mn>2</mn></msup></math></p>",
    );
    let endless = html(&format!("${}x$", "\\sqrt ".repeat(50_000)));
    assert!(
        endless.starts_with("<p><code class=\"formula\">"),
        "{}",
        &endless[..80]
    );
    let wrong = html("$\\notacommand x$");
    assert!(
        wrong.contains("<code class=\"formula\">\\notacommand x</code>"),
        "{wrong}"
    );
}

#[test]
fn raw_html_and_front_matter_stay_harmless() {
    check("---\ntags: a\n---\n# T", "<h1 id=\"t\">T</h1>");
    check(
        "a\n\n---\n## B\n\nc\n\n---\n",
        "<p>a</p>\n<hr />\n<h2 id=\"b\">B</h2>\n<p>c</p>\n<hr />",
    );
    check(
        "[[x|<javascript:alert(1)>]] [[x|![a](https://x.org/a.png)]]",
        "<p>[[x|<a>javascript:alert(1)</a>]] [[x|a]]</p>",
    );
    check(
        "<script>\nalert(1)\n</script>\n\n<b onclick=x>a</b><img src=x onerror=y>",
        "<p><b>a</b></p>",
    );
    check("# A\n\n## A", "<h1 id=\"a\">A</h1>\n<h2 id=\"a-2\">A</h2>");
}

#[test]
fn embedded_parts_are_shown_once() {
    let whole = html("![[/moss#Kinds]]");
    assert_eq!(
        whole,
        "<div class=\"embed\">\n<p class=\"embed-title\"><a href=\"moss.html#kinds\">Moss &amp; fern</a></p>\n\
         <p class=\"embed-heading\">Kinds</p>\n<p>green</p>\n<p class=\"embed-heading\">All</p>\n<ul>\n<li>one</li>\n</ul>\n</div>"
    );
    let block = html("![[/moss^kind]]");
    assert!(block.ends_with("</p>\n<p>green</p>\n</div>"), "{block}");
    let many = html(&"![[/moss]]\n\n".repeat(150));
    assert_eq!(many.matches("<div class=\"embed\">").count(), 100);
    let cyclic = html("![[/loop]]");
    assert_eq!(cyclic.matches("before").count(), 1, "{cyclic}");
    // A part that the page does not have, and a page within a line, are links.
    check(
        "![[/moss#none]]",
        "<p><a href=\"moss.html#none\">Moss &amp; fern#none</a></p>",
    );
    check(
        "see ![[/moss]]",
        "<p>see <a href=\"moss.html\">Moss &amp; fern</a></p>",
    );
    let footnotes = html("a[^1]\n\n![[/moss]]\n\n[^1]: own\n");
    assert!(
        footnotes.contains("id=\"1\"") && footnotes.contains("id=\"1-1\""),
        "{footnotes}"
    );
}

#[test]
fn live_fences_are_described() {
    check(
        "```gallery\n/photos\n```",
        "<p class=\"missing\">Pictures of a folder, which Fumikura shows here</p>",
    );
    check(
        "```album\nalbum: Travel\n```",
        "<p class=\"missing\">Pictures of an album, which Fumikura shows here</p>",
    );
}
