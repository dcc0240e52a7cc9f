//! Ids: ULIDs in distinct newtypes, so that a page's id is never taken for a user's.

/// An error for a text that is not a ULID.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is not an id: 26 letters and digits (a ULID) are expected")]
pub struct InvalidId(pub String);

/// Declares ids: each a newtype over a ULID.
///
/// An id is written as the ULID's 26 characters, and serialized so in readable formats; in binary
/// ones as its 16 bytes, big-endian, which sort like the text.
#[macro_export]
macro_rules! ulid_ids {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name($crate::id::Ulid);

        impl $name {
            /// Generates an id: `now` in milliseconds, and fresh randomness below it.
            pub fn generate(now: $crate::id::Timestamp, entropy: &dyn $crate::entropy::Entropy) -> Self {
                Self($crate::id::generate(now, entropy))
            }

            /// Creates the id with these 16 bytes.
            #[must_use]
            pub fn from_bytes(bytes: [u8; 16]) -> Self {
                Self($crate::id::Ulid::from_bytes(bytes))
            }

            /// Returns the id's 16 bytes, big-endian.
            #[must_use]
            pub fn to_bytes(self) -> [u8; 16] {
                self.0.to_bytes()
            }

            /// Returns the time at which the id was made, to the millisecond.
            #[must_use]
            pub fn timestamp(self) -> $crate::id::Timestamp {
                $crate::id::timestamp(self.0)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::id::InvalidId;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::id::parse(text).map(Self)
            }
        }

        impl $crate::id::serde::Serialize for $name {
            fn serialize<S: $crate::id::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::id::serialize(self.0, serializer)
            }
        }

        impl<'de> $crate::id::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::id::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::id::deserialize(deserializer).map(Self)
            }
        }
    )+};
}

#[doc(hidden)]
pub use jiff::Timestamp;
#[doc(hidden)]
pub use serde;
#[doc(hidden)]
pub use ulid::Ulid;

use crate::entropy::{Entropy, random_bytes};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[doc(hidden)]
pub fn generate(now: Timestamp, entropy: &dyn Entropy) -> Ulid {
    let milliseconds = u64::try_from(now.as_millisecond()).unwrap_or(0);
    let random: [u8; 10] = random_bytes(entropy);
    let mut wide = [0; 16];
    wide[6..].copy_from_slice(&random);
    Ulid::from_parts(milliseconds, u128::from_be_bytes(wide))
}

#[doc(hidden)]
pub fn timestamp(ulid: Ulid) -> Timestamp {
    let milliseconds = i64::try_from(ulid.timestamp_ms()).expect("BUG: 48 bits fit");
    // A foreign ULID may have a year beyond the range of a Timestamp. It counts as the last moment.
    Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::MAX)
}

#[doc(hidden)]
pub fn parse(text: &str) -> Result<Ulid, InvalidId> {
    let invalid = || InvalidId(text.chars().take(64).collect());
    let ulid = Ulid::from_string(text).map_err(|_| invalid())?;
    // Each id has one spelling: the decoder also accepts lower case, and letters that look like digits.
    if ulid.to_string() == text {
        Ok(ulid)
    } else {
        Err(invalid())
    }
}

#[doc(hidden)]
pub fn serialize<S: Serializer>(ulid: Ulid, serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        serializer.collect_str(&ulid)
    } else {
        ulid.to_bytes().serialize(serializer)
    }
}

#[doc(hidden)]
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Ulid, D::Error> {
    if deserializer.is_human_readable() {
        parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    } else {
        <[u8; 16]>::deserialize(deserializer).map(Ulid::from_bytes)
    }
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "the macro makes ids for whole crates")]
mod tests {
    use super::*;
    use crate::entropy::SeededEntropy;

    ulid_ids! {
        /// An id for the tests.
        ThingId;
    }

    #[test]
    fn id_round_trips_with_its_timestamp() {
        let now: Timestamp = "2026-11-18T12:04:05.678Z".parse().unwrap();
        let id = ThingId::generate(now, &SeededEntropy::new(1));
        assert_eq!(id.timestamp(), now);
        assert_eq!(id.to_string().parse::<ThingId>().unwrap(), id);
        assert_eq!(ThingId::from_bytes(id.to_bytes()), id);
    }

    #[test]
    fn only_the_canonical_spelling_is_an_id() {
        let id = ThingId::generate(
            "2026-11-18T12:04:05Z".parse().unwrap(),
            &SeededEntropy::new(1),
        );
        for text in [
            id.to_string().to_lowercase(),
            String::new(),
            format!("{id}0"),
            "日本".into(),
        ] {
            assert!(text.parse::<ThingId>().is_err(), "{text}");
        }
    }
}
