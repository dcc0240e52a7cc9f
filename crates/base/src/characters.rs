//! Characters that no name may contain.

/// True if the character is a control character, or changes the direction of the text behind it (Unicode's
/// Bidi_Control).
#[must_use]
pub fn is_unshowable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}
