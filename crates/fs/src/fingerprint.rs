//! The fingerprint of a picture, and the id derived from it (docs/spec/thumbnails.md, Fingerprint, Id).

use std::fmt;
use std::str::FromStr;

use sha1::{Digest, Sha1};

use crate::{Ctime, Stat};

/// The data that distinguishes one state of a file from another without reading it.
///
/// It contains no inode and no device: the former changes when an editor saves atomically, the latter from
/// mount to mount.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    /// The absolute path, lexically cleaned, not resolved, in the file system's own bytes.
    pub path: Vec<u8>,
    /// The size in bytes.
    pub size: u64,
    /// Seconds since 1970, negative before.
    pub mtime_seconds: i64,
    /// Nanoseconds, 0…999,999,999. File systems without nanoseconds report 0: two changes within one second
    /// that keep the size can't be distinguished there.
    pub mtime_nanoseconds: u32,
}

impl Fingerprint {
    /// Creates the fingerprint of a file at an absolute, lexically cleaned path.
    #[must_use]
    pub fn new(path: Vec<u8>, stat: Stat) -> Self {
        Self {
            path,
            size: stat.size,
            mtime_seconds: stat.mtime.seconds,
            mtime_nanoseconds: stat.mtime.nanoseconds,
        }
    }

    /// Returns the SHA-1 over the path, one zero byte, the size as u64, the seconds as i64 and the
    /// nanoseconds as u32, all little-endian. (A key for a cache, not a secret: SHA-1 is enough.)
    #[must_use]
    pub fn id(&self) -> ThumbId {
        let mut hash = Sha1::new();
        hash.update(&self.path);
        hash.update([0]);
        hash.update(self.size.to_le_bytes());
        hash.update(self.mtime_seconds.to_le_bytes());
        hash.update(self.mtime_nanoseconds.to_le_bytes());
        ThumbId(hash.finalize().into())
    }
}

/// An error for a text that is not a [`ThumbId`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a thumbnail's id is 40 hexadecimal digits in lower case")]
pub struct InvalidThumbId;

/// The id of a picture in one state, written as 40 hexadecimal digits in lower case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThumbId([u8; 20]);

impl ThumbId {
    /// Creates the id with these 20 bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }

    /// Returns the id of something that was made of the picture: the SHA-1 over the id and a label.
    #[must_use]
    pub fn derived(self, label: &[u8]) -> Self {
        let hash = Sha1::new().chain_update(self.0).chain_update(label);
        Self(hash.finalize().into())
    }

    /// Returns the id's 20 bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 20] {
        self.0
    }
}

impl fmt::Display for ThumbId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for ThumbId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ThumbId({self})")
    }
}

impl FromStr for ThumbId {
    type Err = InvalidThumbId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bytes = [0; 20];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| InvalidThumbId)?;
        // Each id has one spelling: the decoder accepts capitals as well.
        if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(InvalidThumbId);
        }
        Ok(Self(bytes))
    }
}

/// A picture in one state, identified as exactly as possible without reading it: by its id and the time of its
/// last status change. The id alone is not enough, since files of equal size and modification time can take
/// over each other's name, and with it the id.
///
/// Written as the id, `-`, and the nanoseconds since 1970 as 16 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PictureVersion {
    pub id: ThumbId,
    /// The last change of the file's status.
    pub ctime: Ctime,
}

/// An error for a text that is not a [`PictureVersion`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a picture's version is its id, or that with 16 hexadecimal digits behind a hyphen")]
pub struct InvalidPictureVersion;

const NANOSECONDS: i64 = 1_000_000_000;

impl fmt::Display for PictureVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Times beyond the year 2262 overflow. The lowest digits still distinguish two changes.
        let seconds = self.ctime.seconds.wrapping_mul(NANOSECONDS);
        let time = seconds.wrapping_add(self.ctime.nanoseconds.into());
        write!(f, "{}-{time:016x}", self.id)
    }
}

impl FromStr for PictureVersion {
    type Err = InvalidPictureVersion;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (id, digits) = text.split_once('-').ok_or(InvalidPictureVersion)?;
        let id = id.parse().map_err(|_| InvalidPictureVersion)?;
        let mut time = [0; 8];
        hex::decode_to_slice(digits, &mut time).map_err(|_| InvalidPictureVersion)?;
        let time = i64::from_be_bytes(time);
        let version = Self {
            id,
            ctime: Ctime {
                seconds: time.div_euclid(NANOSECONDS),
                nanoseconds: u32::try_from(time.rem_euclid(NANOSECONDS))
                    .expect("BUG: a remainder is less than a second"),
            },
        };
        // Each version has one spelling.
        (version.to_string() == text)
            .then_some(version)
            .ok_or(InvalidPictureVersion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(path: &[u8], size: u64, seconds: i64, nanoseconds: u32, expected: &str) {
        let fingerprint = Fingerprint {
            path: path.to_vec(),
            size,
            mtime_seconds: seconds,
            mtime_nanoseconds: nanoseconds,
        };
        assert_eq!(fingerprint.id().to_string(), expected);
    }

    /// The expected ids were computed with Python: `hashlib.sha1(path + b"\0" +
    /// struct.pack("<Q", size) + struct.pack("<q", seconds) + struct.pack("<I", nanoseconds))`.
    #[test]
    fn ids_match_the_specification() {
        check(
            b"/pictures/a.jpg",
            12_345,
            1_700_000_000,
            123_456_789,
            "18e3535bf4abb25b893ad492a4fb85efe91345c5",
        );
        check(b"/", 0, 0, 0, "941091a5aa37db68dd6c01091ed6ae2b8d3c4281");
        check(
            "/写真/夏.png".as_bytes(),
            (1 << 40) + 7,
            1,
            999_999_999,
            "8ebc169bf98cdb86f139e93b4507e37c678fae69",
        );
        check(
            b"/old/\xff\xfe\n.gif",
            1,
            -1,
            500_000_000,
            "b5eb1ea274b49300988bbcc8a772848a2d41669b",
        );
    }

    #[test]
    fn nanoseconds_change_the_id() {
        check(
            b"/pictures/a.jpg",
            12_345,
            1_700_000_000,
            0,
            "a39c572193c9d432e0ef03787e9abaf53b04e923",
        );
    }

    #[test]
    fn only_canonical_ids_are_parsed() {
        let id = "18e3535bf4abb25b893ad492a4fb85efe91345c5";
        assert_eq!(id.parse::<ThumbId>().unwrap().to_string(), id);
        for text in [&id.to_uppercase(), &id[1..], "", "z", &format!("{id}00")] {
            assert!(text.parse::<ThumbId>().is_err(), "{text}");
        }
    }

    #[test]
    fn version_is_the_id_and_the_time() {
        let version = |seconds, nanoseconds| PictureVersion {
            id: ThumbId::from_bytes([0xab; 20]),
            ctime: Ctime {
                seconds,
                nanoseconds,
            },
        };
        let id = "ab".repeat(20);
        for (version, digits) in [
            (version(0, 0), "0000000000000000"),
            (version(1_700_000_000, 123_456_789), "17979cfe3d85cd15"),
            (version(-1, 999_999_999), "ffffffffffffffff"),
        ] {
            let text = format!("{id}-{digits}");
            assert_eq!(version.to_string(), text);
            assert_eq!(text.parse(), Ok(version));
        }
        for text in [
            &*id,
            "-0000000000000000",
            &format!("{id}-1"),
            &format!("{id}-000000000000000A"),
        ] {
            assert_eq!(text.parse::<PictureVersion>(), Err(InvalidPictureVersion));
        }
    }

    proptest! {
        #[test]
        fn id_round_trips(bytes: [u8; 20]) {
            let id = ThumbId::from_bytes(bytes);
            prop_assert_eq!(id.to_string().parse::<ThumbId>().unwrap().to_bytes(), bytes);
        }
    }
}
