//! The fonts of texts: those of the system. The user's own fonts are not found, since a decoding process does
//! not know its user.

use std::sync::{Arc, OnceLock};

use resvg::usvg::Options;
use resvg::usvg::fontdb::Database;

/// Families with Japanese, which a text may need that names no family, or a missing one; then those without.
const SERIF: [&str; 8] = [
    "Noto Serif CJK JP",
    "Noto Serif JP",
    "IPAexMincho",
    "IPAMincho",
    "Takao Mincho",
    "DejaVu Serif",
    "Liberation Serif",
    "FreeSerif",
];
const SANS_SERIF: [&str; 9] = [
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "IPAexGothic",
    "IPAGothic",
    "TakaoPGothic",
    "VL PGothic",
    "DejaVu Sans",
    "Liberation Sans",
    "FreeSans",
];
const MONOSPACE: [&str; 5] = [
    "Noto Sans Mono CJK JP",
    "DejaVu Sans Mono",
    "Liberation Mono",
    "Noto Sans Mono",
    "FreeMono",
];

/// Sets the fonts.
pub(super) fn set(options: &mut Options<'_>) {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let fonts = FONTS.get_or_init(|| Arc::new(load()));
    if let Some(family) = first_of(fonts, &SANS_SERIF) {
        options.font_family = family.into();
    }
    options.fontdb = Arc::clone(fonts);
}

fn load() -> Database {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    if let Some(family) = first_of(&fonts, &SERIF) {
        fonts.set_serif_family(family);
    }
    if let Some(family) = first_of(&fonts, &SANS_SERIF) {
        fonts.set_sans_serif_family(family);
        fonts.set_cursive_family(family);
        fonts.set_fantasy_family(family);
    }
    if let Some(family) = first_of(&fonts, &MONOSPACE) {
        fonts.set_monospace_family(family);
    }
    fonts
}

fn first_of(fonts: &Database, families: &[&'static str]) -> Option<&'static str> {
    families.iter().copied().find(|family| {
        let mut names = fonts.faces().flat_map(|face| &face.families);
        names.any(|(name, _)| name == family)
    })
}
