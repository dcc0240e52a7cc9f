//! SHA-256 digests in the form used in records.

use std::fmt;
use std::str::FromStr;

/// The prefix of the digits.
const PREFIX: &str = "sha256:";

/// The SHA-256 of a file's contents.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct Digest(pub [u8; 32]);

/// The reason why a text is not a digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDigest {
    /// Another algorithm, or none.
    #[error("the hash is not “sha256:…”")]
    Algorithm,
    /// Not 64 lower-case hexadecimal digits.
    #[error("the hash is not 64 lower-case hexadecimal digits")]
    Digits,
}

impl Digest {
    /// Reads 64 lower-case hexadecimal digits.
    ///
    /// # Errors
    /// [`InvalidDigest::Digits`].
    pub fn from_hex(digits: &str) -> Result<Self, InvalidDigest> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if !digits.bytes().all(is_digit) {
            return Err(InvalidDigest::Digits);
        }
        let mut bytes = [0; 32];
        hex::decode_to_slice(digits, &mut bytes).map_err(|_| InvalidDigest::Digits)?;
        Ok(Self(bytes))
    }

    /// The digits without the algorithm.
    #[must_use]
    pub fn to_hex(self) -> String {
        hex::encode(self.0)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.to_hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Digest {
    type Err = InvalidDigest;

    fn from_str(text: &str) -> Result<Self, InvalidDigest> {
        let digits = text.strip_prefix(PREFIX).ok_or(InvalidDigest::Algorithm)?;
        Self::from_hex(digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lower_case_sha256_is_read() {
        let digits = "ab".repeat(32);
        let text = format!("sha256:{digits}");
        assert_eq!(text.parse::<Digest>().unwrap().to_string(), text);
        for (text, error) in [
            (format!("sha512:{digits}"), InvalidDigest::Algorithm),
            (digits.clone(), InvalidDigest::Algorithm),
            (
                format!("sha256:{}", digits.to_uppercase()),
                InvalidDigest::Digits,
            ),
            (format!("sha256:{}", &digits[..62]), InvalidDigest::Digits),
            (format!("sha256:{digits}00"), InvalidDigest::Digits),
            (format!("sha256:{}", "é".repeat(32)), InvalidDigest::Digits),
        ] {
            assert_eq!(text.parse::<Digest>(), Err(error), "{text}");
        }
    }
}
