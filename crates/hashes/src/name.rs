//! The file names of records: a path written reversibly as one name, or a short hash if that is too long
//! (docs/spec/hash-files.md, "Names").

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE;
use ring::digest::{SHA256, digest};

use crate::path::{FilePath, InvalidPath};

/// The longest encoded name, in bytes. A file system may allow less.
pub const MAX_NAME: usize = 250;
/// The number of characters of the hash in a short name.
const HASH_LETTERS: usize = 12;
/// The extension of short names.
const SHORT_ENDING: &[u8] = b".json";
/// The extension of short names in the oldest format.
const OLDEST_ENDING: &[u8] = b".sha256";

/// The kind of a name, as far as the name alone determines it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// The name contains the path.
    Encoded,
    /// A short hash. Only the path in the record shows if it is a fallback, or from before encoded names.
    Hashed,
    /// A short hash with the extension of the oldest format.
    Legacy,
    /// A name that begins like an encoded one, but encodes no path.
    Malformed,
    /// Not the name of a record.
    Foreign,
}

/// The reason why a name does not contain a path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MalformedName {
    /// A `#` that is not followed by `#` or `1`.
    #[error("the “#” at byte {0} is followed by neither “#” nor “1”")]
    Escape(usize),
    /// A slash, which no file name contains.
    #[error("a file name must not contain “/”")]
    Slash,
    /// The path in the name is not one that a file can have.
    #[error("it encodes a path that no file can have: {0}")]
    Path(#[from] InvalidPath),
    /// A short name, from which the path cannot be computed.
    #[error("it is a hash, from which the path can't be computed; the record contains the path")]
    Irreversible,
    /// Not the name of a record.
    #[error(
        "it is not the name of a hash record: it begins with neither “~” nor 12 characters of a hash"
    )]
    Foreign,
}

/// Exchanges `/` and `~`.
pub(crate) fn substitute(bytes: &[u8]) -> Vec<u8> {
    let exchanged = bytes.iter().map(|byte| match byte {
        b'/' => b'~',
        b'~' => b'/',
        byte => *byte,
    });
    exchanged.collect()
}

/// Writes `#` as `#1` and `/` as `##`.
#[cfg(test)]
pub(crate) fn escape(bytes: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(bytes.len() + 8);
    for byte in bytes {
        match byte {
            b'#' => escaped.extend_from_slice(b"#1"),
            b'/' => escaped.extend_from_slice(b"##"),
            byte => escaped.push(*byte),
        }
    }
    escaped
}

/// Reverses the escaping. Each `#` is paired with the byte after it, from the left.
pub(crate) fn unescape(name: &[u8]) -> Result<Vec<u8>, MalformedName> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.iter().enumerate();
    while let Some((at, byte)) = rest.next() {
        bytes.push(match byte {
            b'#' => match rest.next() {
                Some((_, b'#')) => b'/',
                Some((_, b'1')) => b'#',
                _ => return Err(MalformedName::Escape(at)),
            },
            b'/' => return Err(MalformedName::Slash),
            byte => *byte,
        });
    }
    Ok(bytes)
}

/// Encodes the path as one name, whatever its length.
#[must_use]
pub fn encode(path: &FilePath) -> Vec<u8> {
    // Both steps are done in one pass.
    let mut name = Vec::with_capacity(path.as_bytes().len() + 8);
    for byte in path.as_bytes() {
        match byte {
            b'/' => name.push(b'~'),
            b'~' => name.extend_from_slice(b"##"),
            b'#' => name.extend_from_slice(b"#1"),
            byte => name.push(*byte),
        }
    }
    name
}

/// Decodes the path of an encoded name. Only names that [`encode`] makes are accepted.
///
/// # Errors
/// [`MalformedName`] with the reason.
pub fn decode(name: &[u8]) -> Result<FilePath, MalformedName> {
    match name.first() {
        Some(b'~') => Ok(FilePath::new(substitute(&unescape(name)?))?),
        _ if is_short(name, SHORT_ENDING) || is_short(name, OLDEST_ENDING) => {
            Err(MalformedName::Irreversible)
        }
        _ => Err(MalformedName::Foreign),
    }
}

#[must_use]
pub fn kind(name: &[u8]) -> NameKind {
    match decode(name) {
        Ok(_) => NameKind::Encoded,
        Err(MalformedName::Irreversible) if is_short(name, OLDEST_ENDING) => NameKind::Legacy,
        Err(MalformedName::Irreversible) => NameKind::Hashed,
        Err(MalformedName::Escape(_) | MalformedName::Slash | MalformedName::Path(_)) => {
            NameKind::Malformed
        }
        Err(MalformedName::Foreign) => NameKind::Foreign,
    }
}

/// Returns the short name: the first twelve characters of the path's SHA-256 in URL-safe Base64, and `.json`.
#[must_use]
pub fn short_name(path: &FilePath) -> Vec<u8> {
    let mut name = hash_letters(path);
    name.extend_from_slice(SHORT_ENDING);
    name
}

fn hash_letters(path: &FilePath) -> Vec<u8> {
    let hash = URL_SAFE.encode(digest(&SHA256, path.as_bytes()));
    hash.into_bytes()[..HASH_LETTERS].to_vec()
}

/// Returns the name of a path's record if names may have up to `limit` bytes, and true if it is the short one.
#[must_use]
pub fn record_name(path: &FilePath, limit: usize) -> (Vec<u8>, bool) {
    let encoded = encode(path);
    if encoded.len() <= limit.min(MAX_NAME) {
        return (encoded, false);
    }
    tracing::debug!(
        %path,
        bytes = encoded.len(),
        "the encoded name is too long; a hash of the path is used"
    );
    (short_name(path), true)
}

/// Returns true if a short name could be this path's.
#[must_use]
pub(crate) fn is_short_name_of(name: &[u8], path: &FilePath) -> bool {
    name.starts_with(&hash_letters(path))
}

fn is_short(name: &[u8], ending: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    name.len() == HASH_LETTERS + ending.len()
        && name.ends_with(ending)
        && name[..HASH_LETTERS].iter().all(is_letter)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    fn path(bytes: impl AsRef<[u8]>) -> FilePath {
        FilePath::new(bytes.as_ref()).unwrap()
    }

    #[track_caller]
    fn check(from: &[u8], name: &[u8]) {
        assert_eq!(encode(&path(from)), name);
        assert_eq!(decode(name), Ok(path(from)));
        assert_eq!(kind(name), NameKind::Encoded);
        let stepwise = escape(&substitute(from));
        assert_eq!(stepwise, name, "both ways to encode agree");
    }

    /// The rows of the specification's tables, and its special characters in all places.
    #[test]
    fn paths_and_names_correspond() {
        check(b"/usr/bin/python3", b"~usr~bin~python3");
        check(
            b"/home/user_name/project_files",
            b"~home~user_name~project_files",
        );
        check(
            b"/normal/path/without/special",
            b"~normal~path~without~special",
        );
        check(b"/", b"~");
        check(b"/~", b"~##");
        check(b"/#", b"~#1");
        check(b"/#1", b"~#11");
        check(b"/~~", b"~####");
        check(b"/#~#", b"~#1###1");
        check(b"/##", b"~#1#1");
        check(b"/-a/_b", b"~-a~_b");
        check("/写真/東京.jpg".as_bytes(), "~写真~東京.jpg".as_bytes());
        check("/e\u{301}".as_bytes(), "~e\u{301}".as_bytes());
        check("/é".as_bytes(), "~é".as_bytes());
        check(b"/a\n\x1b[31m", b"~a\n\x1b[31m");
        check(b"/\xff\xfe", b"~\xff\xfe");
    }

    #[track_caller]
    fn check_malformed(name: &[u8], expected: MalformedName) {
        assert_eq!(decode(name), Err(expected));
        assert_eq!(kind(name), NameKind::Malformed);
    }

    #[test]
    fn names_without_a_path_are_malformed() {
        check_malformed(b"~a#", MalformedName::Escape(2));
        check_malformed(b"~a#2", MalformedName::Escape(2));
        check_malformed(b"~###", MalformedName::Escape(3));
        for unclean in ["~~a", "~a~", "~.", "~a~..~b", "~~"] {
            check_malformed(
                unclean.as_bytes(),
                MalformedName::Path(InvalidPath::Unclean),
            );
        }
        check_malformed(b"~a/b", MalformedName::Slash);
        check_malformed(b"~a\0", MalformedName::Path(InvalidPath::ZeroByte));
    }

    #[test]
    fn other_name_kinds_are_distinguished() {
        assert_eq!(kind(b"AbCdEf123456.json"), NameKind::Hashed);
        assert_eq!(kind(b"-_CdEf123456.json"), NameKind::Hashed);
        assert_eq!(kind(b"AbCdEf123456.sha256"), NameKind::Legacy);
        for name in [
            "",
            "a",
            "AbCdEf12345.json",
            "AbCdEf12345+.json",
            "notes.txt",
            "#1",
        ] {
            assert_eq!(kind(name.as_bytes()), NameKind::Foreign, "{name}");
        }
        assert_eq!(
            decode(b"AbCdEf123456.json"),
            Err(MalformedName::Irreversible)
        );
    }

    #[test]
    fn two_hundred_fifty_bytes_fit() {
        let long = |bytes: usize| path(format!("/{}", "a".repeat(bytes - 1)));
        assert!(!record_name(&long(250), MAX_NAME).1);
        let (name, is_short) = record_name(&long(251), MAX_NAME);
        assert!(is_short);
        assert_eq!(kind(&name), NameKind::Hashed);
        assert_eq!(record_name(&long(144), 143), (short_name(&long(144)), true));
        assert!(!record_name(&long(143), 143).1);
        // A file system that allows longer names changes nothing.
        assert!(record_name(&long(251), 255).1);
    }

    /// The specification gives 250 bytes as the length of its third example, which has 251. Of its two “real
    /// cases”, which it considers too long, the first has 97 bytes and the second 94 with the literal dots.
    #[test]
    fn the_specifications_examples_have_other_lengths() {
        let edge = path(format!("/{}/f", "a".repeat(248)));
        assert_eq!(encode(&edge).len(), 251);
        assert!(record_name(&edge, MAX_NAME).1);
        let real = [
            (
                "/home/user/project/node_modules/@org/very-long-package/dist/esm/components/ui/forms/validation.js",
                97,
            ),
            (
                "/var/lib/containers/storage/overlay/abc123.../merged/usr/share/app-with-very-long-name.desktop",
                94,
            ),
        ];
        for (text, length) in real {
            assert_eq!(encode(&path(text)).len(), length);
            assert!(!record_name(&path(text), MAX_NAME).1);
        }
        let long = path(format!(
            "{}/file.txt",
            "/very-long-directory-name".repeat(10)
        ));
        assert!(record_name(&long, MAX_NAME).1);
    }

    /// Replacing `##` in the whole name first and `#1` then, as in the specification, is right for every name
    /// that [`encode`] makes, and accepts others.
    #[test]
    fn decoding_in_two_passes_accepts_malformed_names() {
        let two_passes = |name: &str| {
            let text = name.replace("##", "/").replace("#1", "#");
            String::from_utf8(substitute(text.as_bytes())).unwrap()
        };
        let mut texts = vec![String::from("/")];
        for _ in 0..5 {
            let longer = texts
                .iter()
                .flat_map(|text| ["#", "1", "~", "a", "/a"].map(|more| format!("{text}{more}")));
            texts = longer.collect();
            for text in texts
                .iter()
                .filter(|text| FilePath::new(text.as_bytes()).is_ok())
            {
                let name = String::from_utf8(encode(&path(text))).unwrap();
                assert_eq!(two_passes(&name), *text);
            }
        }
        assert_eq!(two_passes("~a#2"), "/a#2");
        assert!(decode(b"~a#2").is_err());
    }

    /// The ratios of the lengths of encoded names and paths, in ascending order, and the number of names that are
    /// hashes.
    fn inflation(paths: impl Iterator<Item = FilePath>) -> (Vec<f64>, usize) {
        let mut ratios = Vec::new();
        let mut hashed = 0;
        for path in paths {
            ratios.push(encode(&path).len() as f64 / path.as_bytes().len() as f64);
            hashed += usize::from(record_name(&path, MAX_NAME).1);
        }
        ratios.sort_by(f64::total_cmp);
        (ratios, hashed)
    }

    /// The specification asks for the inflation over many files. docs/spec/hash-files.md has the figures.
    #[test]
    fn names_are_hardly_longer_than_paths() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = root.ancestors().nth(2).unwrap();
        let files = ignore::WalkBuilder::new(root).build().skip(1);
        let files = files.map(|entry| {
            let entry = entry.unwrap();
            let below = entry.path().strip_prefix(root).unwrap();
            FilePath::try_from(&*std::path::Path::new("/project").join(below)).unwrap()
        });
        let (ratios, hashed) = inflation(files);
        let at = |share: f64| ratios[(ratios.len() as f64 * share) as usize];
        let (median, p99) = (at(0.5), at(0.99));
        println!(
            "{} paths: median {median:.3}, p99 {p99:.3}, hashed {hashed}",
            ratios.len()
        );
        assert!(ratios.len() > 1000);
        assert!((median - 1.0).abs() < f64::EPSILON && p99 < 1.02);
    }

    fn component() -> impl Strategy<Value = Vec<u8>> {
        let byte = prop_oneof![Just(b'#'), Just(b'~'), Just(b'1'), 1..=255u8];
        prop::collection::vec(byte.prop_filter("a slash", |byte| *byte != b'/'), 1..12)
            .prop_filter("a dot", |name| !matches!(&name[..], b"." | b".."))
    }

    fn paths() -> impl Strategy<Value = FilePath> {
        prop::collection::vec(component(), 0..6).prop_map(|components| {
            let mut bytes = Vec::new();
            for component in components {
                bytes.push(b'/');
                bytes.extend(component);
            }
            path(if bytes.is_empty() {
                b"/".to_vec()
            } else {
                bytes
            })
        })
    }

    proptest! {
        #[test]
        fn every_path_round_trips(path in paths()) {
            prop_assert_eq!(decode(&encode(&path)), Ok(path));
        }

        #[test]
        fn every_name_is_malformed_or_canonical(name in prop::collection::vec(prop_oneof![Just(b'#'), Just(b'~'), Just(b'1'), any::<u8>()], 0..12)) {
            let name = [b"~", &name[..]].concat();
            if let Ok(path) = decode(&name) {
                prop_assert_eq!(encode(&path), name);
            }
        }

        #[test]
        fn different_paths_have_different_names(paths in prop::collection::vec(paths(), 2..40)) {
            let mut seen = HashMap::new();
            for path in paths {
                let name = encode(&path);
                let other = seen.insert(name, path.clone());
                prop_assert!(other.is_none_or(|other| other == path));
            }
        }
    }
}
