//! Characters that no name may contain, because they can't be seen: with them, a name could hide its ending, or look
//! like another one.

/// Returns the characters of a text that can't be shown, with their positions in bytes: control characters, separators
/// of lines and paragraphs, and what Unicode calls Default_Ignorable_Code_Point (zero-width spaces, marks of direction,
/// fillers, tags). Those that change the look of their neighbours are accepted beside these: variation selectors, as in
/// `❤️` and `葛󠄀`; joiners between letters that are not ASCII, as in Persian and in `👩‍🚀`; and the tags of a flag.
pub fn unshowable(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut before = None;
    let mut characters = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while let Some((at, c)) = characters.next() {
            let after = characters.peek().map(|(_, c)| *c);
            let is_shown = !is_invisible(c) || is_in_place(before, c, after);
            before = Some(c);
            if !is_shown {
                return Some((at, c));
            }
        }
        None
    })
}

/// Returns true if the character has no glyph of its own.
fn is_invisible(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    c.is_control()
        || matches!(
            c,
            '\u{2028}' | '\u{2029}' | '\u{2800}' | '\u{FFF9}'..='\u{FFFB}'
        )
        || is_default_ignorable(c)
}

/// Returns true if the character has the property of this name (DerivedCoreProperties.txt of Unicode 17).
fn is_default_ignorable(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
        | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}' | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

fn is_in_place(before: Option<char>, c: char, after: Option<char>) -> bool {
    let is_letter = |c: char| !c.is_ascii() && !is_invisible(c);
    let is_keycap = |c: char| c.is_ascii_digit() || matches!(c, '#' | '*');
    match c {
        c if is_selector(c) => {
            before.is_some_and(is_letter)
                || before.is_some_and(is_keycap) && after == Some('\u{20E3}')
        }
        '\u{180E}' | '\u{200C}' | '\u{200D}' => {
            before.is_some_and(|c| is_letter(c) || is_selector(c)) && after.is_some_and(is_letter)
        }
        c if is_flag_tag(c) => before.is_some_and(|c| c == '\u{1F3F4}' || is_flag_tag(c)),
        _ => false,
    }
}

fn is_selector(c: char) -> bool {
    matches!(c,
        '\u{180B}'..='\u{180D}' | '\u{180F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

fn is_flag_tag(c: char) -> bool {
    matches!(c, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}' | '\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[char]) {
        let found: Vec<char> = unshowable(text).map(|(_, c)| c).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn visible_names_are_accepted() {
        for name in [
            "a b.jpg",
            "写真 1.jpg",
            "café.txt",
            "cafe\u{301}.txt",
            "か\u{3099}.txt",
            "葛\u{E0100}城.txt",
            "❤\u{FE0F}.png",
            "1\u{FE0F}\u{20E3}.png",
            "👩\u{200D}🚀.png",
            "👩🏽\u{200D}❤\u{FE0F}\u{200D}👨.png",
            "می\u{200C}خواهم.txt",
            "क्\u{200D}ष.txt",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}.png",
            "　全角.txt",
        ] {
            check(name, &[]);
        }
    }

    #[test]
    fn characters_that_hide_an_ending_are_found() {
        for hiding in [
            '\u{0}',
            '\n',
            '\u{7F}',
            '\u{9B}',
            '\u{AD}',
            '\u{34F}',
            '\u{61C}',
            '\u{115F}',
            '\u{180E}',
            '\u{200B}',
            '\u{200C}',
            '\u{200D}',
            '\u{200E}',
            '\u{2028}',
            '\u{202E}',
            '\u{2060}',
            '\u{2064}',
            '\u{2066}',
            '\u{206F}',
            '\u{2800}',
            '\u{3164}',
            '\u{FE0F}',
            '\u{FEFF}',
            '\u{FFA0}',
            '\u{1D173}',
            '\u{E0001}',
            '\u{E0041}',
            '\u{E0100}',
        ] {
            check(&format!("photo.exe{hiding}.jpg"), &[hiding]);
            check(&format!("{hiding}a"), &[hiding]);
        }
        check("写真\u{200D}", &['\u{200D}']);
        check("写真\u{200D}.exe", &['\u{200D}']);
        check("写\u{200D}\u{200D}真", &['\u{200D}', '\u{200D}']);
        check("写\u{FE0F}\u{FE0F}真", &['\u{FE0F}']);
        check("a\u{E0061}\u{E0062}b", &['\u{E0061}']);
    }

    #[test]
    fn positions_are_in_bytes() {
        let found: Vec<_> = unshowable("写\u{202E}b\n").collect();
        assert_eq!(found, [(3, '\u{202E}'), (7, '\n')]);
    }
}
