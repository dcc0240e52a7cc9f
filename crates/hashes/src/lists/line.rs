//! Lines of `sha256sum`, BSD and RHash: a hash and a name.

use super::escape::unescape;
use super::{ListFormat, SkipReason};
use crate::checksum::{Algorithm, Checksum};

/// The digits of MD5, the shortest hash that is written before a name.
const MIN_LEADING_DIGITS: usize = 32;
/// The algorithms whose hashes have this number of hexadecimal digits, the usual one first.
const LENGTHS: [(usize, Algorithm, Option<Algorithm>); 6] = [
    (8, Algorithm::Crc32, None),
    (32, Algorithm::Md5, None),
    (40, Algorithm::Sha1, None),
    (64, Algorithm::Sha256, Some(Algorithm::Blake3)),
    (96, Algorithm::Sha384, None),
    (128, Algorithm::Sha512, Some(Algorithm::Blake2b)),
];
/// Lengths that only unsupported algorithms have.
const UNSUPPORTED_LENGTHS: [(usize, &str); 2] = [(48, "Tiger"), (56, "SHA-224")];
/// The tags of algorithms, in upper case.
const TAGS: [(&str, Algorithm); 17] = [
    ("CRC32", Algorithm::Crc32),
    ("MD5", Algorithm::Md5),
    ("SHA1", Algorithm::Sha1),
    ("SHA-1", Algorithm::Sha1),
    ("SHA256", Algorithm::Sha256),
    ("SHA-256", Algorithm::Sha256),
    ("SHA2-256", Algorithm::Sha256),
    ("SHA384", Algorithm::Sha384),
    ("SHA-384", Algorithm::Sha384),
    ("SHA2-384", Algorithm::Sha384),
    ("SHA512", Algorithm::Sha512),
    ("SHA-512", Algorithm::Sha512),
    ("SHA2-512", Algorithm::Sha512),
    ("BLAKE2B", Algorithm::Blake2b),
    ("BLAKE2B-512", Algorithm::Blake2b),
    ("BLAKE2B512", Algorithm::Blake2b),
    ("BLAKE3", Algorithm::Blake3),
];
/// The beginnings of other tags, in upper case.
const UNSUPPORTED_TAGS: [(&str, &str); 12] = [
    ("BLAKE2", "a short BLAKE2"),
    ("EDON", "EDON-R"),
    ("GOST", "GOST"),
    ("RIPEMD", "RIPEMD-160"),
    ("RMD160", "RIPEMD-160"),
    ("SHA224", "SHA-224"),
    ("SHA2-224", "SHA-224"),
    ("SHA3", "SHA-3"),
    ("SM3", "SM3"),
    ("TIGER", "Tiger"),
    ("TTH", "TTH"),
    ("WHIRLPOOL", "Whirlpool"),
];

/// The hash and the name of a line.
pub(super) struct LineParts {
    pub(super) format: ListFormat,
    pub(super) hash: Hash,
    pub(super) path: Vec<u8>,
}

/// A hash, and the other algorithm that it may be of if the line names none.
#[derive(Clone, Copy)]
pub(super) struct Hash {
    pub(super) checksum: Checksum,
    pub(super) alternative: Option<Algorithm>,
}

/// The form, the hash and the name as written.
type Split<'a> = (ListFormat, Hash, &'a [u8]);

/// Reads a line without its end.
pub(super) fn read(line: &[u8]) -> Result<LineParts, SkipReason> {
    let line = line.trim_ascii_start();
    let (is_escaped, line) = match line.strip_prefix(b"\\") {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let (format, hash, name) = split(line)?;
    if name.is_empty() {
        return Err(SkipReason::NoName);
    }
    let path = if is_escaped {
        unescape(name).ok_or(SkipReason::Escape)?
    } else {
        name.to_vec()
    };
    // The marker for standard input can't be distinguished from a file named `-`.
    if path == b"-" {
        return Err(SkipReason::StandardInput);
    }
    if path.contains(&0) {
        return Err(SkipReason::ZeroByte);
    }
    Ok(LineParts { format, hash, path })
}

fn split(line: &[u8]) -> Result<Split<'_>, SkipReason> {
    let digits = hex_length(line);
    // Words such as “facade” would otherwise count as shorter hashes.
    if digits >= MIN_LEADING_DIGITS && line.get(digits).is_none_or(|next| is_blank(*next)) {
        match hash_of_length(&line[..digits]) {
            Err(SkipReason::Unknown) => {}
            hash => {
                return Ok((
                    ListFormat::Sha256sum,
                    hash?,
                    name_after_hash(&line[digits..]),
                ));
            }
        }
    }
    split_tagged(line).unwrap_or_else(|| split_backward(line))
}

/// Returns the name after `hex`: behind a blank and the mark of text or binary, or a single blank.
fn name_after_hash(rest: &[u8]) -> &[u8] {
    match rest {
        [_, b' ' | b'*', name @ ..] => name,
        [_, name @ ..] => name,
        [] => rest,
    }
}

/// Reads `SHA256 (name) = hex` and OpenSSL's `SHA2-256(name)= hex`. Returns `None` if the line has another form.
fn split_tagged(line: &[u8]) -> Option<Result<Split<'_>, SkipReason>> {
    let is_of_tag = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'/');
    let end = line.iter().position(|byte| !is_of_tag(byte))?;
    let (tag, rest) = line.split_at(end);
    let rest = rest.strip_prefix(b" ").unwrap_or(rest);
    let rest = rest.strip_prefix(b"(")?;
    let equals = rest.iter().rposition(|byte| *byte == b'=')?;
    let name = rest[..equals].strip_suffix(b" ").unwrap_or(&rest[..equals]);
    let name = name.strip_suffix(b")")?;
    let digits = rest[equals + 1..].trim_ascii();
    let tag = String::from_utf8_lossy(tag).to_ascii_uppercase();
    let Some((_, algorithm)) = TAGS.iter().find(|(name, _)| *name == tag) else {
        let mut others = UNSUPPORTED_TAGS.iter();
        let (_, name) = others.find(|(beginning, _)| tag.starts_with(beginning))?;
        return Some(Err(SkipReason::OtherAlgorithm(name)));
    };
    let hash = checksum(*algorithm, digits).map(|checksum| Hash {
        checksum,
        alternative: None,
    });
    Some(hash.map(|hash| (ListFormat::Bsd, hash, name)))
}

/// Reads `name hex`, the order of SFV files.
fn split_backward(line: &[u8]) -> Result<Split<'_>, SkipReason> {
    let line = line.trim_ascii_end();
    let blank = line.iter().rposition(|byte| is_blank(*byte));
    let blank = blank.ok_or(SkipReason::Unknown)?;
    let (name, digits) = (line[..blank].trim_ascii_end(), &line[blank + 1..]);
    if name.is_empty() {
        return Err(SkipReason::Unknown);
    }
    Ok((ListFormat::Rhash, hash_of_length(digits)?, name))
}

fn hex_length(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|byte| !byte.is_ascii_hexdigit());
    end.unwrap_or(bytes.len())
}

/// Reads a hash whose algorithm is known by its length alone.
fn hash_of_length(digits: &[u8]) -> Result<Hash, SkipReason> {
    if hex_length(digits) != digits.len() {
        return Err(SkipReason::Unknown);
    }
    let mut lengths = LENGTHS.iter();
    if let Some((_, algorithm, alternative)) = lengths.find(|(length, ..)| *length == digits.len())
    {
        return Ok(Hash {
            checksum: checksum(*algorithm, digits)?,
            alternative: *alternative,
        });
    }
    let mut others = UNSUPPORTED_LENGTHS.iter();
    match others.find(|(length, _)| *length == digits.len()) {
        Some((_, name)) => Err(SkipReason::OtherAlgorithm(name)),
        None => Err(SkipReason::Unknown),
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Reads digits in either case: other programs write both.
pub(super) fn checksum(algorithm: Algorithm, digits: &[u8]) -> Result<Checksum, SkipReason> {
    let bytes = hex::decode(digits).map_err(|_| SkipReason::Unknown)?;
    Checksum::new(algorithm, &bytes).ok_or(SkipReason::Unknown)
}
