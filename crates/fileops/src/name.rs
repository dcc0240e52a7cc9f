//! Names for files: validation, and alternatives for names that are taken.

use fumikura_base::characters::unshowable;

use fumikura_fs::path::extension;

/// The longest name that the usual file systems allow, in bytes.
pub(super) const MAX_LENGTH: usize = 255;

/// A reason why a text can't be a file's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The name is empty.
    #[error("a name can't be empty")]
    Empty,
    /// The name contains a slash.
    #[error("a name can't contain a slash")]
    Slash,
    /// The name contains an invisible control character.
    #[error("a name can't contain line breaks or other control characters")]
    Control,
    /// The name contains a character that is invisible or changes the direction of writing, with which it could
    /// imitate another name.
    #[error("a name can't contain invisible characters (U+{:04X})", u32::from(*.0))]
    Unshowable(char),
    /// The name is longer than 255 bytes.
    #[error("a name can't be longer than 255 bytes")]
    TooLong,
    /// The name begins with a dot: the file would be hidden, here and in most programs.
    #[error("a name that begins with a dot would hide the file")]
    Hidden,
}

/// Checks that a file may be given this name.
pub(super) fn check(name: &str) -> Result<(), NameError> {
    if name.is_empty() {
        Err(NameError::Empty)
    } else if name.contains('/') {
        Err(NameError::Slash)
    } else if name.chars().any(char::is_control) {
        Err(NameError::Control)
    } else if let Some((_, unshowable)) = unshowable(name).next() {
        Err(NameError::Unshowable(unshowable))
    } else if name.len() > MAX_LENGTH {
        Err(NameError::TooLong)
    } else if name.starts_with('.') {
        Err(NameError::Hidden)
    } else {
        Ok(())
    }
}

/// Returns alternatives for a name that is taken: `a (2).jpg`, `a (3).jpg` and so on.
pub(super) fn alternatives(name: &[u8]) -> impl Iterator<Item = Vec<u8>> + use<> {
    let (stem, suffix) = split_stem(name);
    let (stem, first) = match split_number(stem) {
        Some((stem, number)) => (stem, number + 1),
        None => (stem, 2),
    };
    let (stem, suffix) = (stem.to_vec(), suffix.to_vec());
    (first..=u32::MAX)
        .map(move |number| join_within_limit(&stem, format!(" ({number})").as_bytes(), &suffix))
}

/// Returns temporary names that describe the operation on the file.
pub(super) fn temporary_names(name: &[u8]) -> impl Iterator<Item = Vec<u8>> + use<> {
    let (stem, suffix) = split_stem(name);
    let first = join_within_limit(stem, b" (renaming)", suffix);
    let further = alternatives(&first);
    std::iter::once(first).chain(further)
}

/// Splits a name before its last dot. A dot at the beginning does not split it.
fn split_stem(name: &[u8]) -> (&[u8], &[u8]) {
    let suffix = match extension(name).len() {
        0 => 0,
        length => length + 1,
    };
    match name.len() - suffix {
        0 => (name, b""),
        end => name.split_at(end),
    }
}

/// Splits a stem that ends in a number in brackets into the text before it and the number.
fn split_number(stem: &[u8]) -> Option<(&[u8], u32)> {
    let inner = stem.strip_suffix(b")")?;
    let open = inner.iter().rposition(|&byte| byte == b'(')?;
    let before = inner[..open].strip_suffix(b" ")?;
    let digits = std::str::from_utf8(&inner[open + 1..]).ok()?;
    // A year is not a count.
    let is_count = digits.len() <= 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse().ok().filter(|_| is_count)?;
    (!before.is_empty()).then_some((before, number))
}

/// Joins a name of three parts. The first part is shortened if the name is too long.
fn join_within_limit(stem: &[u8], middle: &[u8], suffix: &[u8]) -> Vec<u8> {
    let room = MAX_LENGTH.saturating_sub(middle.len() + suffix.len());
    let mut end = stem.len().min(room);
    // The cut is never within a character.
    while end < stem.len() && end > 0 && (stem[end] & 0xC0) == 0x80 {
        end -= 1;
    }
    [&stem[..end], middle, suffix].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_names_are_refused() {
        assert_eq!(check(""), Err(NameError::Empty));
        assert_eq!(check("a/b"), Err(NameError::Slash));
        assert_eq!(check("a\nb"), Err(NameError::Control));
        for hiding in ['\u{202e}', '\u{2066}', '\u{200b}', '\u{3164}'] {
            let name = format!("photo.exe{hiding}.jpg");
            assert_eq!(check(&name), Err(NameError::Unshowable(hiding)));
        }
        assert_eq!(check(".."), Err(NameError::Hidden));
        assert_eq!(check(&"写".repeat(86)), Err(NameError::TooLong));
        assert_eq!(check(&"写".repeat(85)), Ok(()));
        assert_eq!(check("夏 2026 #1.jpg"), Ok(()));
    }

    #[track_caller]
    fn check_alternatives(name: &[u8], expected: [&[u8]; 2]) {
        assert_eq!(alternatives(name).take(2).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn alternative_name_counts_before_the_extension() {
        check_alternatives(b"a.jpg", [b"a (2).jpg", b"a (3).jpg"]);
        check_alternatives(b"a (2).jpg", [b"a (3).jpg", b"a (4).jpg"]);
        check_alternatives(b"(2).jpg", [b"(2) (2).jpg", b"(2) (3).jpg"]);
        check_alternatives(b"a (2026)", [b"a (2026) (2)", b"a (2026) (3)"]);
        check_alternatives(b".jpg", [b".jpg (2)", b".jpg (3)"]);
        check_alternatives(b"a\xff.b.jpg", [b"a\xff.b (2).jpg", b"a\xff.b (3).jpg"]);
        assert_eq!(
            temporary_names(b"a.jpg").nth(1).unwrap(),
            b"a (renaming) (2).jpg"
        );
    }

    #[test]
    fn alternative_name_respects_the_length_limit() {
        let long = "写".repeat(83) + ".jpeg";
        let other = alternatives(long.as_bytes()).next().unwrap();
        let other = String::from_utf8(other).unwrap();
        assert!(other.ends_with("写 (2).jpeg") && other.len() <= MAX_LENGTH);
    }
}
