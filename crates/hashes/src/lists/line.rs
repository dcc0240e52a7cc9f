//! Lines of `sha256sum`, BSD and RHash: a hash and a name.

use super::escape::unescape;
use super::{ListFormat, SkipReason};
use crate::digest::Digest;

const DIGITS: usize = 64;
/// The digits of MD5, the shortest hash that is written before a name.
const MIN_LEADING_DIGITS: usize = 32;
/// The algorithms that a number of hexadecimal digits suggests.
const LENGTHS: [(usize, &str); 7] = [
    (8, "CRC32"),
    (32, "MD5"),
    (40, "SHA-1"),
    (48, "Tiger"),
    (56, "SHA-224"),
    (96, "SHA-384"),
    (128, "SHA-512"),
];
/// Tags of other algorithms, in upper case.
const TAGS: [(&str, &str); 13] = [
    ("MD5", "MD5"),
    ("TTH", "TTH"),
    ("TIGER", "Tiger"),
    ("SHA1", "SHA-1"),
    ("SHA224", "SHA-224"),
    ("SHA384", "SHA-384"),
    ("SHA512", "SHA-512"),
    ("SHA2-512", "SHA-512"),
    ("SHA-512", "SHA-512"),
    ("CRC32", "CRC32"),
    ("BLAKE2B", "BLAKE2b"),
    ("BLAKE3", "BLAKE3"),
    ("SM3", "SM3"),
];

/// The hash and the name of a line.
pub(super) struct Parts {
    pub(super) format: ListFormat,
    pub(super) digest: Digest,
    pub(super) path: Vec<u8>,
}

/// The form, the hash and the name as written.
type Split<'a> = (ListFormat, Digest, &'a [u8]);

/// Reads a line without its end.
pub(super) fn read(line: &[u8]) -> Result<Parts, SkipReason> {
    let line = line.trim_ascii_start();
    let (is_escaped, line) = match line.strip_prefix(b"\\") {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let (format, digest, name) = split(line)?;
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
    Ok(Parts {
        format,
        digest,
        path,
    })
}

fn split(line: &[u8]) -> Result<Split<'_>, SkipReason> {
    let digits = hex_length(line);
    if digits > 0 && line.get(digits).is_none_or(|next| is_blank(*next)) {
        if digits == DIGITS {
            let name = name_after_hash(&line[digits..]);
            return Ok((ListFormat::Sha256sum, hex_digest(&line[..digits])?, name));
        }
        // Words such as “facade” would otherwise count as shorter hashes.
        if digits >= MIN_LEADING_DIGITS
            && let Some(algorithm) = algorithm_of_length(digits)
        {
            return Err(SkipReason::OtherAlgorithm(algorithm));
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
    if !matches!(&*tag, "SHA256" | "SHA-256" | "SHA2-256") {
        let (_, algorithm) = TAGS.iter().find(|(name, _)| *name == tag)?;
        return Some(Err(SkipReason::OtherAlgorithm(algorithm)));
    }
    Some(hex_digest(digits).map(|digest| (ListFormat::Bsd, digest, name)))
}

/// Reads `name hex`, the order of SFV files.
fn split_backward(line: &[u8]) -> Result<Split<'_>, SkipReason> {
    let line = line.trim_ascii_end();
    let blank = line.iter().rposition(|byte| is_blank(*byte));
    let blank = blank.ok_or(SkipReason::Unknown)?;
    let (name, digits) = (line[..blank].trim_ascii_end(), &line[blank + 1..]);
    if hex_length(digits) != digits.len() || name.is_empty() {
        return Err(SkipReason::Unknown);
    }
    if digits.len() == DIGITS {
        return Ok((ListFormat::Rhash, hex_digest(digits)?, name));
    }
    match algorithm_of_length(digits.len()) {
        Some(algorithm) => Err(SkipReason::OtherAlgorithm(algorithm)),
        None => Err(SkipReason::Unknown),
    }
}

fn hex_length(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|byte| !byte.is_ascii_hexdigit());
    end.unwrap_or(bytes.len())
}

fn algorithm_of_length(digits: usize) -> Option<&'static str> {
    let suggested = LENGTHS.iter().find(|(length, _)| *length == digits);
    suggested.map(|(_, name)| *name)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Reads digits in either case: other programs write both.
pub(super) fn hex_digest(digits: &[u8]) -> Result<Digest, SkipReason> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(digits, &mut bytes).map_err(|_| SkipReason::Unknown)?;
    Ok(Digest(bytes))
}
