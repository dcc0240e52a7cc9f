//! Pictures as a text shows them: the file, its text, its size and its caption.

use pulldown_cmark::LinkType;

/// The extensions of the files that `![[name]]` shows.
const EXTENSIONS: [&str; 12] = [
    "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "bmp", "tif", "tiff", "jxl", "heic",
];

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Picture {
    /// The file as `asset:…`; `None` for a picture that is not a file of a page.
    pub(super) file: Option<String>,
    pub(super) alt: String,
    pub(super) caption: String,
    pub(super) width: Option<u32>,
    pub(super) height: Option<u32>,
}

impl Picture {
    pub(super) fn new(link_type: LinkType, destination: &str, title: &str, text: &str) -> Self {
        let is_embed = matches!(link_type, LinkType::WikiLink { .. });
        let file = if is_embed {
            embedded_file(destination)
        } else {
            is_asset(destination).then(|| destination.to_owned())
        };
        // The size of an embed may be all of its text.
        let text = if is_embed && size(text).is_some() {
            format!("|{text}")
        } else {
            text.to_owned()
        };
        let sized = text
            .rsplit_once('|')
            .and_then(|(alt, end)| Some((alt, size(end)?)));
        let (alt, (width, height)) = match sized {
            Some((alt, (width, height))) => (alt.to_owned(), (Some(width), height)),
            None => (text, (None, None)),
        };
        Self {
            file,
            alt,
            caption: title.trim().to_owned(),
            width,
            height,
        }
    }
}

fn embedded_file(destination: &str) -> Option<String> {
    let destination = unbarred(destination);
    let extension = destination.rsplit('.').next().unwrap_or_default();
    let name = destination.rsplit('/').next().unwrap_or(destination);
    let is_picture = EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str());
    // Such a name is no address yet.
    let written = |name: &str| {
        name.replace('%', "%25")
            .replace('?', "%3F")
            .replace('#', "%23")
    };
    (is_picture && !destination.starts_with('/')).then(|| format!("asset:{}", written(name)))
}

/// Removes the backslash before the bar, which is written `\|` in a table.
pub(super) fn unbarred(destination: &str) -> &str {
    destination.strip_suffix('\\').unwrap_or(destination)
}

fn is_asset(destination: &str) -> bool {
    let scheme = destination.get(..6);
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("asset:"))
}

/// Parses `200` or `200x150`, each side from 1 to 9999.
fn size(text: &str) -> Option<(u32, Option<u32>)> {
    let side = |text: &str| {
        let plain = (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        plain
            .then(|| text.parse().ok())
            .flatten()
            .filter(|side| *side > 0 && !text.starts_with('0'))
    };
    match text.trim().split_once(['x', '×']) {
        Some((width, height)) => Some((side(width)?, Some(side(height)?))),
        None => Some((side(text.trim())?, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INLINE: LinkType = LinkType::Inline;
    const EMBED: LinkType = LinkType::WikiLink { has_pothole: true };

    #[track_caller]
    fn check(
        link_type: LinkType,
        destination: &str,
        text: &str,
        expected: (Option<&str>, &str, Option<u32>, Option<u32>),
    ) {
        let picture = Picture::new(link_type, destination, "", text);
        let (file, alt) = (picture.file.as_deref(), picture.alt.as_str());
        assert_eq!((file, alt, picture.width, picture.height), expected);
    }

    #[test]
    fn size_ends_the_text_of_a_picture() {
        let file = Some("asset:a.jpg");
        check(
            INLINE,
            "asset:a.jpg",
            "Deer|200",
            (file, "Deer", Some(200), None),
        );
        check(
            INLINE,
            "asset:a.jpg",
            "Deer|200x150",
            (file, "Deer", Some(200), Some(150)),
        );
        check(
            EMBED,
            "files/a b?.jpg",
            "200",
            (Some("asset:a b%3F.jpg"), "", Some(200), None),
        );
        check(
            EMBED,
            "a.jpg\\",
            "Deer|200",
            (file, "Deer", Some(200), None),
        );
        for text in ["Deer|0", "Deer|99999", "Deer|abc", "Deer|-1", "Deer|1x0"] {
            check(INLINE, "asset:a.jpg", text, (file, text, None, None));
        }
        check(
            INLINE,
            "https://example.org/a.jpg",
            "a",
            (None, "a", None, None),
        );
        check(EMBED, "/page", "/page", (None, "/page", None, None));
    }
}
