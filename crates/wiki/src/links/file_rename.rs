//! The text of a page whose file is renamed.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser};

use super::destination::{Meaning, meaning};
use super::elsewhere::embeds;
use super::rewrite::Rewrite;
use super::scan::{Form, scan};
use super::spelling;
use crate::path::PagePath;

/// The files that `![[name]]` embeds.
const PICTURES: [&str; 12] = [
    "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "bmp", "tif", "tiff", "jxl", "heic",
];
const SCHEME: &str = "asset:";

/// Returns the text of the page at `base` with the new name wherever it shows or links to a file of the page. An
/// example in a block of code keeps the old name.
pub(crate) fn with_file_renamed(base: &PagePath, text: &str, from: &str, to: &str) -> String {
    let is_renamed = |destination: &str| matches!(meaning(destination, base), Meaning::Asset(page, name) if page == *base && name == from);
    let links = scan(text);
    let mut rewrite = Rewrite::new(text, &links);
    for (number, link) in links.iter().enumerate() {
        if is_renamed(&link.value) {
            rewrite.put_file_name(number, to);
        }
    }
    let text = rewrite.finish().text;
    let edits = attributes(&text, is_renamed)
        .into_iter()
        .map(|range| (range, spelling::text(to, Form::Plain)))
        .chain(renamed_embeds(&text, from, to));
    let mut edits: Vec<(Range<usize>, String)> = edits.collect();
    edits.sort_by_key(|(range, _)| range.start);
    let (mut changed, mut at) = (String::with_capacity(text.len()), 0);
    for (range, name) in edits {
        // An attribute within the words of an embed is replaced with the embed.
        if range.start < at {
            continue;
        }
        changed.push_str(&text[at..range.start]);
        changed.push_str(&name);
        at = range.end;
    }
    changed + &text[at..]
}

/// Returns the places of the names in the attributes `src` and `href` of HTML.
fn attributes(text: &str, is_renamed: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
    let mut names = Vec::new();
    if !text.contains('<') {
        return names;
    }
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_MATH | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        if !matches!(event, Event::Html(_) | Event::InlineHtml(_)) {
            continue;
        }
        let html = &text[range.clone()];
        let lower = html.to_ascii_lowercase();
        for (at, _) in lower.match_indices(SCHEME) {
            let Some(quote) = opening_quote(&lower[..at]) else {
                continue;
            };
            let Some(length) = html[at..].find(quote) else {
                continue;
            };
            let value = &html[at..at + length];
            if is_renamed(&value.replace("&amp;", "&")) {
                let path = &value[..value.find(['?', '#']).unwrap_or(value.len())];
                let name = path
                    .rfind('/')
                    .or_else(|| path.find(':'))
                    .map_or(0, |at| at + 1);
                let start = range.start + at;
                names.push(start + name..start + path.len());
            }
        }
    }
    names
}

/// Returns the quote that begins the value of an address at the end of an HTML tag's start.
fn opening_quote(before: &str) -> Option<char> {
    let quote = before
        .chars()
        .next_back()
        .filter(|c| matches!(c, '"' | '\''))?;
    let name = before[..before.len() - 1].trim_end().strip_suffix('=')?;
    let name = name.trim_end();
    let before = name.strip_suffix("src").or(name.strip_suffix("href"))?;
    // A block of HTML comes in lines, so an attribute may begin one.
    (before.is_empty() || before.ends_with(char::is_whitespace)).then_some(quote)
}

/// Returns the embeds of a file with what replaces them. A name that can't be embedded becomes a picture with a
/// destination.
fn renamed_embeds(text: &str, from: &str, to: &str) -> Vec<(Range<usize>, String)> {
    if !is_embeddable(from) {
        return Vec::new();
    }
    let mut edits = Vec::new();
    for (range, name) in embeds(text) {
        if name.rsplit('/').next().map(str::trim) != Some(from) {
            continue;
        }
        if is_embeddable(to) {
            edits.push((range, to.to_owned()));
            continue;
        }
        let Some(end) = text[range.end..].find("]]") else {
            continue;
        };
        let more = &text[range.end..range.end + end];
        let words = more.strip_prefix('\\').unwrap_or(more);
        let words = words.strip_prefix('|').unwrap_or(words);
        // A number alone is the width, and stays one behind its bar.
        let words = match words.starts_with(|c: char| c.is_ascii_digit()) {
            true => more,
            false => words,
        };
        let to = spelling::text(to, Form::Plain);
        let whole = range.start - "![[".len()..range.end + end + "]]".len();
        edits.push((whole, format!("![{words}]({SCHEME}{to})")));
    }
    edits
}

fn is_embeddable(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| PICTURES.iter().any(|own| own.eq_ignore_ascii_case(ending)))
        && !name.contains(['`', '<', '>', '$', '\\', ':', '^', '[', ']', '|'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_rename(text: &str, to: &str, expected: &str) {
        let base = PagePath::new("/garden").unwrap();
        assert_eq!(with_file_renamed(&base, text, "deer.jpg", to), expected);
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        check_rename(text, "stag (1).jpg", expected);
    }

    #[test]
    fn names_change_in_every_form() {
        check("![](asset:deer.jpg)", "![](asset:stag%20%281%29.jpg)");
        check(
            "![Deer|200](asset:deer.jpg \"In autumn\")",
            "![Deer|200](asset:stag%20%281%29.jpg \"In autumn\")",
        );
        check("![](<asset:deer.jpg>)", "![](<asset:stag (1).jpg>)");
        check(
            "[a](asset:/garden/deer.jpg#x) [a](asset:../garden/deer.jpg)",
            "[a](asset:/garden/stag%20%281%29.jpg#x) [a](asset:../garden/stag%20%281%29.jpg)",
        );
        check(
            "[b]\n\n[b]: asset:deer.jpg",
            "[b]\n\n[b]: asset:stag%20%281%29.jpg",
        );
        check(
            "<img src=\"asset:deer.jpg\" width=\"20\">\n<a href = 'ASSET:deer.jpg#x'>a</a>",
            "<img src=\"asset:stag%20%281%29.jpg\" width=\"20\">\n<a href = 'ASSET:stag%20%281%29.jpg#x'>a</a>",
        );
        check("![](asset:%64eer.jpg)", "![](asset:stag%20%281%29.jpg)");
        check(
            "![[deer.jpg]] ![[files/deer.jpg|200x150]]",
            "![[stag (1).jpg]] ![[stag (1).jpg|200x150]]",
        );
        check(
            "| a |\n|---|\n| ![[deer.jpg\\|200]] |",
            "| a |\n|---|\n| ![[stag (1).jpg\\|200]] |",
        );
    }

    #[test]
    fn names_that_cannot_be_embedded_become_destinations() {
        check_rename(
            "![[deer.jpg|Deer|200]] ![[deer.jpg|200]] ![[deer.jpg]]",
            "a:b.jpg",
            "![Deer|200](asset:a:b.jpg) ![|200](asset:a:b.jpg) ![](asset:a:b.jpg)",
        );
    }

    #[test]
    fn name_with_a_colon_is_replaced_as_a_whole() {
        let base = PagePath::new("/garden").unwrap();
        let renamed = |text: &str| with_file_renamed(&base, text, "12:30.png", "roof.png");
        assert_eq!(renamed("![](asset:12:30.png)"), "![](asset:roof.png)");
        assert_eq!(
            renamed("<img\nsrc=\"asset:12:30.png\">"),
            "<img\nsrc=\"asset:roof.png\">"
        );
    }

    #[test]
    fn other_text_stays() {
        check(
            "`![](asset:deer.jpg)` ![](asset:deer.jpg)\n\n```\n![[deer.jpg]]\n```",
            "`![](asset:deer.jpg)` ![](asset:stag%20%281%29.jpg)\n\n```\n![[deer.jpg]]\n```",
        );
        for text in [
            "deer.jpg",
            "`asset:deer.jpg`",
            "![](asset:/other/deer.jpg)",
            "![](asset:deer.jpg.png)",
            "![[/deer.jpg]]",
            "<b title=\"asset:deer.jpg\">",
        ] {
            check(text, text);
        }
    }
}
