//! A realistic long page: headings, prose in two languages, lists, tables, code, footnotes, links.

use std::fmt::Write as _;

use crate::generator::Generator;

/// The minimum length of the long page, in bytes.
pub const LENGTH: usize = 100 << 10;

/// Places on the page, and the prefixes of the words by which they are found. Each place and kind has its own word.
pub const PLACES: [(&str, &str); 3] = [
    ("beginning", "frombeginning"),
    ("middle", "frommiddle"),
    ("end", "fromend"),
];
/// The kinds of blocks in which a place is marked.
pub const KINDS: [&str; 4] = ["paragraph", "list", "table", "code"];

/// Returns the word of a place in one of [`KINDS`].
#[must_use]
pub fn mark(place: &str, kind: &str) -> String {
    format!("{place}{kind}")
}

/// Returns the page's text, of at least `bytes` bytes.
#[must_use]
pub fn text(bytes: usize) -> String {
    let mut text = "# A long page\n\n".to_owned();
    let mut marks = PLACES.iter().enumerate();
    let mut next = marks.next();
    for section in 0.. {
        // The last place is in the last section.
        let due =
            next.filter(|(at, _)| text.len() >= at * (bytes - bytes / 20) / (PLACES.len() - 1));
        let place = due.map_or("", |(_, (_, word))| word);
        if due.is_some() {
            next = marks.next();
        }
        write_section(&mut text, section, place);
        if text.len() >= bytes && next.is_none() {
            break;
        }
    }
    text
}

/// Writes a section of about two kilobytes. `place` precedes the kind in each of its words to be found by.
fn write_section(text: &mut String, section: usize, place: &str) {
    let generator = Generator::new(section as u64);
    let prose = |number: usize| -> String {
        let page = generator.text(number);
        page.lines().rev().take(2).collect::<Vec<_>>().join("\n")
    };
    let target = Generator::path(generator.below(1000));
    let (english, japanese) = (prose(2 * section + 1), prose(2 * section + 2));
    let code = "    let seen = pages.iter().filter(|page| page.is_new()).count();\n".repeat(6);
    let rows = (1..9).fold(String::new(), |mut rows, row| {
        let _ = writeln!(
            rows,
            "| {row} | lantern, **silver** | 京都の朝 | {} |",
            row * section
        );
        rows
    });
    let _ = write!(
        text,
        "## Section {section}: 旅の記録\n\n\
         {english} A [page](<{target}>) and *another* one, [[/hub]], `code`. {place}paragraph\n\n\
         {japanese}静かな**「庭」**を歩く[^{section}]。\n\n\
         - a first item\n- [ ] a task {place}list\n  - one inside of it, with a [link](https://example.org/{section})\n\
         - [x] another\n- the last of them\n\n\
         | number | what | どこ | how many |\n| --: | --- | --- | --: |\n{rows}| 9 | {place}table | x | 1 |\n\n\
         ```rust\nfn section() -> usize {{\n{code}    // {place}code\n    seen\n}}\n```\n\n\
         > Somebody said so, 誰かの言葉。\n> And went on to the next line.\n\n\
         [^{section}]: What was left to say, 注。\n\n"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_page_has_each_mark_once() {
        let text = text(LENGTH);
        assert!(
            (LENGTH..LENGTH + LENGTH / 10).contains(&text.len()),
            "{}",
            text.len()
        );
        for (place, word) in PLACES {
            for kind in KINDS {
                assert_eq!(
                    text.matches(&mark(word, kind)).count(),
                    1,
                    "{place}, {kind}"
                );
            }
        }
    }
}
