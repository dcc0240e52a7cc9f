//! The font of the desktop's user interface, for the page's styles.

/// The font that `system-ui` means, for a window whose page view does not know it. WebKitGTK asks fontconfig
/// for a font of that name. Most desktops have none, and a failed lookup takes as long as a successful one, for
/// each size and weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemFont(String);

/// The fallback if the desktop has no font of its own: a font for Japanese, the next one in the page's list,
/// so that no other lookup comes first.
const FALLBACK_FONT: &str = "Noto Sans CJK JP";

/// Generic family names.
const GENERIC: [&str; 6] = [
    "sans",
    "sans serif",
    "sans-serif",
    "serif",
    "monospace",
    "system-ui",
];

impl SystemFont {
    /// Returns the font of a desktop with this font family, or without one.
    #[must_use]
    pub fn of_desktop(family: Option<&str>) -> Self {
        let own = family.filter(|family| is_name(family) && !is_generic(family));
        Self(own.unwrap_or(FALLBACK_FONT).to_owned())
    }

    /// Returns a CSS family that can be embedded in a style sheet within HTML.
    pub(super) fn to_css(&self) -> String {
        format!("'{}'", self.0)
    }
}

/// Returns true if the name can be quoted in CSS and in HTML, as all real names can.
fn is_name(family: &str) -> bool {
    let is_plain = |letter: char| letter.is_alphanumeric() || " -_.+".contains(letter);
    !family.is_empty() && family.chars().all(is_plain)
}

fn is_generic(family: &str) -> bool {
    GENERIC
        .iter()
        .any(|generic| family.eq_ignore_ascii_case(generic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specific_desktop_font_is_used() {
        for family in ["Cantarell", "Noto Sans", "源ノ角ゴシック"] {
            let font = SystemFont::of_desktop(Some(family));
            assert_eq!(font.to_css(), format!("'{family}'"));
        }
    }

    #[test]
    fn generic_or_unsafe_font_becomes_the_fallback() {
        for family in [
            None,
            Some(""),
            Some("Sans"),
            Some("SANS-SERIF"),
            Some("x'\"><script>"),
            Some("back\\slash"),
        ] {
            let font = SystemFont::of_desktop(family);
            assert_eq!(font.to_css(), "'Noto Sans CJK JP'", "{family:?}");
        }
    }
}
