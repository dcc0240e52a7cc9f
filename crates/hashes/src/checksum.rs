//! Hashes of contents by any algorithm that lists of other programs use.

use std::fmt;

use blake2::Blake2b512;
use md5::Md5;
use ring::digest::{Context, SHA256, SHA384, SHA512};
use sha1::Digest as _;
use sha1::Sha1;

use crate::digest::Digest;

/// The longest hash, in bytes.
const MAX_BYTES: usize = 64;

/// An algorithm whose hashes are compared with files. Records contain only SHA-256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Algorithm {
    /// CRC-32 of ISO 3309, as in SFV lists. It finds damage, not intent.
    Crc32,
    /// MD5. It finds damage, not intent.
    Md5,
    /// SHA-1. It finds damage, not intent.
    Sha1,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
    /// BLAKE2b with 512 bits, as `b2sum` writes it.
    Blake2b,
    /// BLAKE3 with 256 bits.
    Blake3,
}

/// A hash and its algorithm.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Checksum {
    algorithm: Algorithm,
    /// The bytes, followed by zeros.
    bytes: [u8; MAX_BYTES],
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Self; 8] = [
        Self::Crc32,
        Self::Md5,
        Self::Sha1,
        Self::Sha256,
        Self::Sha384,
        Self::Sha512,
        Self::Blake2b,
        Self::Blake3,
    ];

    /// Returns its name for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Crc32 => "CRC32",
            Self::Md5 => "MD5",
            Self::Sha1 => "SHA-1",
            Self::Sha256 => "SHA-256",
            Self::Sha384 => "SHA-384",
            Self::Sha512 => "SHA-512",
            Self::Blake2b => "BLAKE2b",
            Self::Blake3 => "BLAKE3",
        }
    }

    /// Returns its word in JSON and before the digits of a hash.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Crc32 => "crc32",
            Self::Md5 => "md5",
            Self::Sha1 => "sha1",
            Self::Sha256 => "sha256",
            Self::Sha384 => "sha384",
            Self::Sha512 => "sha512",
            Self::Blake2b => "blake2b",
            Self::Blake3 => "blake3",
        }
    }

    /// Returns the length of its hashes in bytes.
    #[must_use]
    pub fn length(self) -> usize {
        match self {
            Self::Crc32 => 4,
            Self::Md5 => 16,
            Self::Sha1 => 20,
            Self::Sha256 | Self::Blake3 => 32,
            Self::Sha384 => 48,
            Self::Sha512 | Self::Blake2b => 64,
        }
    }
}

impl Checksum {
    /// Creates a hash from its bytes. Returns `None` if the algorithm's hashes have another length.
    #[must_use]
    pub fn new(algorithm: Algorithm, digest: &[u8]) -> Option<Self> {
        if digest.len() != algorithm.length() {
            return None;
        }
        let mut bytes = [0; MAX_BYTES];
        bytes[..digest.len()].copy_from_slice(digest);
        Some(Self { algorithm, bytes })
    }

    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.algorithm.length()]
    }
}

impl From<Digest> for Checksum {
    fn from(digest: Digest) -> Self {
        let mut bytes = [0; MAX_BYTES];
        bytes[..digest.0.len()].copy_from_slice(&digest.0);
        Self {
            algorithm: Algorithm::Sha256,
            bytes,
        }
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}",
            self.algorithm.word(),
            hex::encode(self.as_bytes())
        )
    }
}

impl fmt::Debug for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A hash of bytes that arrive in pieces.
pub(crate) enum Hasher {
    Crc32(crc32fast::Hasher),
    Md5(Md5),
    Sha1(Sha1),
    Sha2(Algorithm, Context),
    Blake2b(Box<Blake2b512>),
    Blake3(Box<blake3::Hasher>),
}

impl Hasher {
    pub(crate) fn new(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::Crc32 => Self::Crc32(crc32fast::Hasher::new()),
            Algorithm::Md5 => Self::Md5(Md5::new()),
            Algorithm::Sha1 => Self::Sha1(Sha1::new()),
            Algorithm::Sha256 => Self::Sha2(algorithm, Context::new(&SHA256)),
            Algorithm::Sha384 => Self::Sha2(algorithm, Context::new(&SHA384)),
            Algorithm::Sha512 => Self::Sha2(algorithm, Context::new(&SHA512)),
            Algorithm::Blake2b => Self::Blake2b(Box::default()),
            Algorithm::Blake3 => Self::Blake3(Box::default()),
        }
    }

    pub(crate) fn update(&mut self, piece: &[u8]) {
        match self {
            Self::Crc32(hasher) => hasher.update(piece),
            Self::Md5(hasher) => hasher.update(piece),
            Self::Sha1(hasher) => hasher.update(piece),
            Self::Sha2(_, context) => context.update(piece),
            Self::Blake2b(hasher) => hasher.update(piece),
            Self::Blake3(hasher) => {
                hasher.update(piece);
            }
        }
    }

    pub(crate) fn finish(self) -> Checksum {
        let checksum = match self {
            Self::Crc32(hasher) => {
                Checksum::new(Algorithm::Crc32, &hasher.finalize().to_be_bytes())
            }
            Self::Md5(hasher) => Checksum::new(Algorithm::Md5, &hasher.finalize()),
            Self::Sha1(hasher) => Checksum::new(Algorithm::Sha1, &hasher.finalize()),
            Self::Sha2(algorithm, context) => Checksum::new(algorithm, context.finish().as_ref()),
            Self::Blake2b(hasher) => Checksum::new(Algorithm::Blake2b, &hasher.finalize()),
            Self::Blake3(hasher) => Checksum::new(Algorithm::Blake3, hasher.finalize().as_bytes()),
        };
        checksum.expect("BUG: each algorithm has one length")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published hashes of “abc”.
    #[test]
    fn each_algorithm_hashes_as_published() {
        let expected = [
            "crc32:352441c2",
            "md5:900150983cd24fb0d6963f7d28e17f72",
            "sha1:a9993e364706816aba3e25717850c26c9cd0d89d",
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "sha384:cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
            "sha512:ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
            "blake2b:ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
            "blake3:6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85",
        ];
        for (algorithm, expected) in Algorithm::ALL.into_iter().zip(expected) {
            let mut hasher = Hasher::new(algorithm);
            hasher.update(b"a");
            hasher.update(b"bc");
            assert_eq!(hasher.finish().to_string(), expected);
        }
    }

    #[test]
    fn hashes_of_other_lengths_are_refused() {
        assert!(Checksum::new(Algorithm::Md5, &[0; 16]).is_some());
        assert!(Checksum::new(Algorithm::Md5, &[0; 20]).is_none());
    }
}
