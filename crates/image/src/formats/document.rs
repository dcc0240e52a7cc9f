//! `docs/FORMATS.md`, generated from the facts about each format.

use std::fmt::Write;
use std::iter;

use super::facts::{FORMATS, FormatFacts};
use crate::Limits;

/// Returns the document of all formats, in Markdown.
#[must_use]
pub fn formats_document() -> String {
    let mut text = introduction();
    text.push_str("| Format | Name | Filter | Extensions | Media type | Decoder | Full view |\n");
    text.push_str("| --- | --- | --- | --- | --- | --- | --- |\n");
    for format in &FORMATS {
        text.push_str(&row(format));
    }
    for format in &FORMATS {
        text.push_str(&section(format));
    }
    text
}

/// Returns the media types of all pictures, with those that only desktops use. Videos have programs of their own.
pub fn picture_media_types() -> impl Iterator<Item = &'static str> {
    FORMATS
        .iter()
        .filter(|format| !format.is_video())
        .flat_map(|format| iter::once(format.mime).chain(format.other_mimes.iter().copied()))
}

fn introduction() -> String {
    let Limits {
        pixels,
        side,
        file_bytes,
    } = Limits::default();
    format!(
        "# Picture formats

This page is generated from `crates/image/src/formats/` by `cargo xtask gen`.

- A folder lists files as pictures by their extension, in upper or lower case. When a file is opened, only its first bytes \
determine its format: a JPEG called `a.png` is decoded as a JPEG.
- Thumbnails are upright, in sRGB and without metadata. Colour profiles (ICC) are applied; an unreadable profile is \
ignored. HDR colours (PQ and HLG) are tone-mapped to sRGB: reference white is 203 cd/m², \
and brighter colours up to 1000 cd/m² are compressed.
- The thumbnail of an animation, or of a file with several pictures, shows one picture.
- Pictures are decoded in separate processes (`fumi thumb-worker`) without access to files, the network and other processes \
(Landlock, if the kernel has it, and seccomp). A picture that crashes or exhausts its process costs only its own thumbnail.
- Pictures of more than {megapixels} megapixels or {thousands},{rest:03} pixels on a side, and files of more than {mebibytes} MiB, are refused. The \
limit on pixels can be changed in `config.toml`.
- The full view displays formats that browsers support as they are. It displays other formats as a JPEG of at most 4096 pixels \
on a side, unless the browser reports support for the format.
- A picture that is refused or unreadable keeps its place in the folder, with the reason.

*Name* is shown in the application, and *Filter* selects pictures of the type (`type=` of a folder in \
[API.md](API.md)). The page is built from this table.

",
        thousands = side / 1_000,
        rest = side % 1_000,
        megapixels = pixels / 1_000_000,
        mebibytes = file_bytes >> 20,
    )
}

fn row(format: &FormatFacts) -> String {
    let FormatFacts {
        name,
        label,
        filter,
        mime,
        extensions,
        decoder,
        ..
    } = format;
    let extensions: Vec<_> = extensions.iter().map(|one| format!("`.{one}`")).collect();
    let view = match format.is_shown_by_browsers {
        true => "as it is",
        false => "a JPEG",
    };
    let extensions = extensions.join(" ");
    format!("| {name} | {label} | `{filter}` | {extensions} | `{mime}` | {decoder} | {view} |\n")
}

fn section(facts: &FormatFacts) -> String {
    let mut text = format!("\n## {}\n\n", facts.name);
    for line in facts.reading {
        let _infallible = writeln!(text, "- {line}");
    }
    if !facts.refused.is_empty() {
        text.push_str("\nNot shown:\n\n");
        for line in facts.refused {
            let _infallible = writeln!(text, "- {line}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_a_row_and_a_section() {
        let text = formats_document();
        for FormatFacts { name, label, .. } in &FORMATS {
            assert!(
                text.contains(&format!("\n| {name} | {label} | `")),
                "{name}"
            );
            assert!(text.contains(&format!("\n## {name}\n\n- ")), "{name}");
        }
    }
}
