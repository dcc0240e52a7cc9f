//! Versions: a revision and the number of its amendments.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// Returns the first 16 hexadecimal digits of the SHA-256 of a text, which tell it from other texts of its version:
/// the paths in it may differ.
#[must_use]
pub fn text_digest(text: &str) -> String {
    hex::encode(&Sha256::digest(text.as_bytes())[..8])
}

/// A state of a page's text. Two texts of a page with the same tag are the same text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct VersionTag {
    pub revision: u64,
    /// The number of times that its author has overwritten it.
    pub amends: u32,
}

impl fmt::Display for VersionTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.revision, self.amends)
    }
}

/// The error for a text that is not a version tag.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a version is written REVISION.AMENDS")]
pub struct InvalidVersion;

impl FromStr for VersionTag {
    type Err = InvalidVersion;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (revision, amends) = text.split_once('.').ok_or(InvalidVersion)?;
        Ok(Self {
            revision: revision.parse().map_err(|_| InvalidVersion)?,
            amends: amends.parse().map_err(|_| InvalidVersion)?,
        })
    }
}

/// The versions on which a change may be based.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Precondition {
    /// Any version.
    Any,
    /// Any of these versions.
    OneOf(Vec<VersionTag>),
}

impl Precondition {
    /// Returns true if a page at `version` may be changed.
    #[must_use]
    pub fn allows(&self, version: VersionTag) -> bool {
        match self {
            Self::Any => true,
            Self::OneOf(versions) => versions.contains(&version),
        }
    }
}
