//! The table of formats for the page, in TypeScript.

use std::fmt::Write;

use super::facts::FORMATS;

/// Returns the formats as a module of the page.
#[must_use]
pub fn formats_for_page() -> String {
    let mut text =
        "// The formats of pictures. Generated from `crates/image/src/formats/` by `cargo xtask gen`.\n\n\
        export const PICTURE_FORMATS = [\n"
            .to_owned();
    for format in &FORMATS {
        let extensions = format.extensions.iter().map(|one| format!("\"{one}\""));
        let extensions: Vec<_> = extensions.collect();
        let written = writeln!(
            text,
            "  {{ label: \"{}\", filter: \"{}\", mime: \"{}\", extensions: [{}] }},",
            format.label,
            format.filter,
            format.mime,
            extensions.join(", ")
        );
        written.expect("BUG: a string can be written to");
    }
    text + "] as const;\n"
}
