//! The stored records, field by field (docs/STORAGE.md), and the notifications of their changes.

pub(crate) mod asset;
pub(crate) mod autosave;
pub(crate) mod change;
pub(crate) mod history;
pub(crate) mod link;
pub(crate) mod lock;
pub(crate) mod migration;
pub(crate) mod page;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod templates;
pub(crate) mod user;

/// Times as they are stored: microseconds since 1970-01-01T00:00:00Z.
pub(crate) mod micros {
    use jiff::Timestamp;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        moment: &Timestamp,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        moment.as_microsecond().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Timestamp, D::Error> {
        Timestamp::from_microsecond(i64::deserialize(deserializer)?)
            .map_err(serde::de::Error::custom)
    }
}
