//! The font of the desktop's own interface, as the page's styles are told of it.

/// What `system-ui` would mean, where the window's page view does not know: WebKitGTK asks fontconfig
/// for a font of that very name, which finds none on most desktops, and takes as long for it as for a
/// font that is there, at every size and weight anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemFont(String);

/// What is taken where the desktop has no font of its own: one for Japanese, as the next in the page's
/// list, so that nothing else is asked for first.
const NO_FONT_OF_ITS_OWN: &str = "Noto Sans CJK JP";

/// Names that stand for whichever font is there.
const GENERIC: [&str; 6] = [
    "sans",
    "sans serif",
    "sans-serif",
    "serif",
    "monospace",
    "system-ui",
];

impl SystemFont {
    /// The font of a desktop that names this family, or none.
    #[must_use]
    pub fn of_desktop(family: Option<&str>) -> Self {
        let own = family.filter(|family| is_name(family) && !is_generic(family));
        Self(own.unwrap_or(NO_FONT_OF_ITS_OWN).to_owned())
    }

    /// As a family in CSS, which can stand in a style sheet within HTML.
    pub(super) fn to_css(&self) -> String {
        format!("'{}'", self.0)
    }
}

/// Whether this can stand between quotes, in CSS and in HTML: all real names can.
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
    fn a_desktop_s_own_font_is_named() {
        for family in ["Cantarell", "Noto Sans", "源ノ角ゴシック"] {
            let font = SystemFont::of_desktop(Some(family));
            assert_eq!(font.to_css(), format!("'{family}'"));
        }
    }

    #[test]
    fn what_is_no_font_of_its_own_is_the_next_of_the_list() {
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
