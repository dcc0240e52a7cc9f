//! Sanitizes texts of a service or a command for storage and display.

use std::collections::HashSet;

use fumikura_base::characters::unshowable;

/// The maximum length of a service's message in an error, in characters.
pub(crate) const MAX_MESSAGE: usize = 300;

/// Returns one line of at most `max` characters. White space becomes single spaces; characters that
/// can't be shown are removed.
pub(crate) fn line(text: &str, max: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        let word = shown(word);
        if word.is_empty() {
            continue;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    truncate_to(line, max)
}

/// Returns lines of at most `max` characters in total, without trailing white space, without empty lines at
/// the beginning and the end, and without characters that can't be shown.
pub(crate) fn text(text: &str, max: usize) -> String {
    let unified = text
        .replace("\r\n", "\n")
        .replace(['\r', '\u{2028}', '\u{2029}'], "\n");
    let lines: Vec<String> = unified
        // A form feed separates pages.
        .split(['\n', '\u{c}'])
        .map(|line| {
            let visible = line.replace('\t', " ");
            let visible = shown(&visible);
            visible.trim_end().to_owned()
        })
        .collect();
    truncate_to(lines.join("\n").trim_matches('\n').to_owned(), max)
}

/// Removes the characters that can't be shown.
fn shown(text: &str) -> String {
    let hidden: HashSet<usize> = unshowable(text).map(|(at, _)| at).collect();
    let characters = text.char_indices();
    let shown = characters.filter(|(at, _)| !hidden.contains(at));
    shown.map(|(_, c)| c).collect()
}

fn truncate_to(mut text: String, max: usize) -> String {
    if let Some((at, _)) = text.char_indices().nth(max) {
        text.truncate(at);
        text.truncate(text.trim_end().len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_is_without_breaks_and_controls() {
        assert_eq!(
            line(" a\n\tcat\u{0}, \u{202e}asleep \u{7f} ", 100),
            "a cat, asleep"
        );
        assert_eq!(line("猫　と 犬", 100), "猫 と 犬");
        assert_eq!(line("\u{1b}\n", 100), "");
    }

    #[test]
    fn text_keeps_its_lines() {
        assert_eq!(
            text("\n 一行目  \r\n\r\n二行目\u{c}\u{7}三\t行目\n\n", 100),
            " 一行目\n\n二行目\n三 行目"
        );
    }

    #[test]
    fn length_is_bounded_in_characters() {
        assert_eq!(line("吾輩は 猫である", 4), "吾輩は");
        assert_eq!(text("ab\ncd", 4), "ab\nc");
    }
}
