//! Properties of all converters, for texts made of the pieces of their syntax.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::ReadError;
use crate::document::{Block, Inline, Mark, write};
use crate::testing::{read_file, read_zip};

const MARKUP: &[&str] = &[
    "a",
    "京都",
    " ",
    "\n",
    "\n\n",
    "\t",
    "\\",
    "*",
    "**",
    "_",
    "__",
    "~",
    "~~",
    "^",
    "^^",
    "=",
    "==",
    "$",
    "`",
    "```",
    "\n```\n",
    "'",
    "''",
    "'''",
    "\n'''\n",
    "//",
    ",,",
    "@",
    "@@",
    "@@.x ",
    "[",
    "]",
    "[[",
    "]]",
    "|",
    "\n|a|b|\n",
    "|h",
    "{",
    "{{",
    "}}",
    "{{{",
    "}}}",
    "<",
    ">",
    "<<",
    ">>",
    "\n<<<\n",
    "<<<<",
    "<!--",
    "-->",
    "</",
    "<b>",
    "</b>",
    "<p>",
    "<div>",
    "</div>",
    "<ul><li>",
    "<table><tr><td>",
    "</table>",
    "<details>",
    "<$list x=\">\">",
    "<br>",
    "<pre>",
    "<img src=x>",
    "<a href='y'>",
    "<ruby>x<rt>",
    "&",
    "&amp;",
    "&#0;",
    ";",
    "!",
    "!!",
    "#",
    "- ",
    "* ",
    "1. ",
    "\n1. ",
    "\n* ",
    "\n\t* ",
    "\n; ",
    "\n: ",
    "> ",
    "[ ] ",
    "[*] ",
    "---",
    "\n---\n",
    "====== x ======",
    "http://a.b/c_d ",
    "mailto:",
    "CamelCase",
    "\\define x()\n",
    "\\end",
    "\"\"\"",
    "\n\"\"\"\n",
    "<aside>\n",
    "</aside>\n",
    "\u{0}",
    "\u{feff}",
    "\u{a0}",
    "\r\n",
    "id: 1\ntype_: 1",
];

fn markup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(MARKUP), 0..60).prop_map(|pieces| pieces.concat())
}

/// Reads a text as a note of each format. Reading checks that nothing is lost.
fn read_all(text: &str) {
    let id = "0123456789abcdef0123456789abcdef";
    let zim = format!("Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\n\n{text}");
    let page = format!("# T\n\n{text}");
    let html = format!("<html><head><title>T</title></head><body>{text}</body></html>");
    let results = [
        read_zip(&[("a.txt", zim.as_bytes()), ("a/b.png", b"")]),
        read_zip(&[(&format!("T {id}.md"), page.as_bytes()), (&format!("B {id}.csv"), text.as_bytes()), (&format!("B {id}/R {id}.md"), page.as_bytes())]),
        read_zip(&[(&format!("T {id}.html"), html.as_bytes())]),
        read_file("a.jex", &tar_of(&format!("{id}.md"), &format!("T\n\n{text}\n\nid: {id}\ntype_: 1"))),
        read_file("a.enex", format!("<en-export><note><title>{text}</title><content>{text}</content></note></en-export>").as_bytes()),
        read_file("a.enex", format!("<en-export><note><title>T</title><content><![CDATA[<en-note>{text}</en-note>]]></content></note></en-export>").as_bytes()),
        read_file("a.json", serde_json::json!([{"title": "T", "text": text}, {"title": text, "text": text, "type": "text/html"}]).to_string().as_bytes()),
        read_file("a.html", html.as_bytes()),
    ];
    for result in results {
        assert!(
            matches!(
                result,
                Ok(_) | Err(ReadError::Unknown | ReadError::Damaged(_))
            ),
            "{result:?}"
        );
    }
}

fn tar_of(name: &str, text: &str) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    header.set_size(text.len() as u64);
    header.set_cksum();
    tar.append_data(&mut header, name, text.as_bytes()).unwrap();
    tar.into_inner().unwrap()
}

/// Returns the text that Markdown displays, without its white space and invisible characters.
fn displayed(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    let mut text = String::new();
    for event in Parser::new_ext(markdown, options) {
        if let Event::Text(part) | Event::Code(part) = event {
            text.push_str(&part);
        } else if let Event::Html(html) | Event::InlineHtml(html) = event {
            let is_mark = ["<strong", "<em", "</"]
                .iter()
                .any(|mark| html.starts_with(mark));
            text.push_str(if is_mark { "" } else { &html });
        } else if let Event::Start(tag) = event
            && !matches!(
                tag,
                Tag::Paragraph | Tag::Strong | Tag::Emphasis | Tag::Strikethrough
            )
        {
            // Anything else is no text.
            write!(text, "{tag:?}").unwrap();
        }
    }
    comparable(&text)
}

fn comparable(text: &str) -> String {
    text.chars()
        .filter(|char| !char.is_whitespace() && !char.is_control())
        .collect()
}

proptest! {
    // Each case reads a dozen files.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_panics_and_nothing_is_lost(text in markup()) {
        read_all(&text);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..600), head in 0..6_usize) {
        let heads: [&[u8]; 6] = [b"", b"PK\x03\x04", b"<en-export><note>", b"[{\"title\":\"", b"<html>tiddlywiki", b"Content-Type: text/x-zim-wiki\n\n"];
        let bytes = [heads[head], &bytes].concat();
        for name in ["a.zip", "a.enex", "a.json", "a.html", "a.txt", "a.jex"] {
            let result = read_file(name, &bytes);
            prop_assert!(!matches!(result, Err(ReadError::Source(_) | ReadError::Spool(_))), "{result:?}");
        }
    }
}

proptest! {
    #[test]
    fn text_is_displayed_as_it_is(text in markup()) {
        let markdown = write(&[Block::Paragraph(vec![Inline::text(text.replace(['\n', '\r'], " "))])]);
        prop_assert_eq!(displayed(&markdown), comparable(&text), "{}", markdown);
    }

    #[test]
    fn marked_text_is_displayed_as_it_is(parts in prop::collection::vec((prop::sample::select(&["a", "京都", "。", " ", "*", "b*", "!", "「x」", "_"][..]), 0..4_usize), 0..8)) {
        let run: Vec<Inline> = parts.iter().map(|(text, mark)| {
            let text = Inline::text(*text);
            match mark {
                1 => Inline::Marked(Mark::Strong, vec![text]),
                2 => Inline::Marked(Mark::Emphasis, vec![text]),
                3 => Inline::Marked(Mark::Strong, vec![Inline::text("c"), Inline::Marked(Mark::Emphasis, vec![text])]),
                _ => text,
            }
        }).collect();
        let plain: String = parts.iter().map(|(text, mark)| if *mark == 3 { format!("c{text}") } else { (*text).to_owned() }).collect();
        let markdown = write(&[Block::Paragraph(run)]);
        prop_assert_eq!(displayed(&markdown), comparable(&plain), "{}", markdown);
    }
}

#[test]
fn repeated_markup_is_read_in_time() {
    for piece in MARKUP {
        let start = Instant::now();
        read_all(&piece.repeat(8_000 / piece.len()));
        let spent = start.elapsed();
        assert!(spent < Duration::from_secs(20), "{piece:?} took {spent:?}");
    }
}
