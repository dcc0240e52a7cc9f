//! Encoding of values as bytes, and names of rows for messages.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::tables::IdKey;
use crate::id::PageId;

/// A value of a table.
pub(crate) trait Record: Sized {
    /// Encodes the value.
    ///
    /// # Errors
    /// Returns the reason, for the message that names the row.
    fn encode(&self) -> Result<Vec<u8>, String>;

    /// Decodes a value, and returns the bytes after it: the leading fields of a record can be read as a type of
    /// their own.
    ///
    /// # Errors
    /// Returns the reason, for the message that names the row.
    fn decode_leading(bytes: &[u8]) -> Result<(Self, &[u8]), String>;

    /// Decodes a value, and ignores the bytes after it.
    ///
    /// # Errors
    /// Returns the reason, for the message that names the row.
    fn decode(bytes: &[u8]) -> Result<Self, String> {
        Ok(Self::decode_leading(bytes)?.0)
    }

    /// Decodes a whole row. Writing a row with more fields than this program knows would lose them.
    ///
    /// # Errors
    /// Returns the reason, for the message that names the row.
    fn decode_whole(bytes: &[u8]) -> Result<Self, String> {
        match Self::decode_leading(bytes)? {
            (value, []) => Ok(value),
            (_, _) => Err("it has fields of a later version of the program".to_owned()),
        }
    }
}

impl<T: Serialize + DeserializeOwned> Record for T {
    fn encode(&self) -> Result<Vec<u8>, String> {
        postcard::to_stdvec(self).map_err(|error| error.to_string())
    }

    fn decode_leading(bytes: &[u8]) -> Result<(Self, &[u8]), String> {
        postcard::take_from_bytes(bytes).map_err(|error| error.to_string())
    }
}

/// A key of a table.
pub(crate) trait Key: redb::Key + 'static {
    /// Returns the name of the row at this key, for messages.
    fn row_name(key: &Self::SelfType<'_>) -> String;
}

impl Key for &'static str {
    fn row_name(key: &Self::SelfType<'_>) -> String {
        format!("{key:?}")
    }
}

impl Key for IdKey {
    fn row_name(key: &Self::SelfType<'_>) -> String {
        id(key)
    }
}

impl Key for (IdKey, u64) {
    fn row_name((page, revision): &Self::SelfType<'_>) -> String {
        format!("revision {revision} of {}", id(page))
    }
}

impl Key for (IdKey, &'static str) {
    fn row_name((page, name): &Self::SelfType<'_>) -> String {
        format!("{name:?} of {}", id(page))
    }
}

impl Key for (IdKey, IdKey, &'static str) {
    fn row_name((page, user, tab): &Self::SelfType<'_>) -> String {
        format!("{} of {} in {tab:?}", id(page), id(user))
    }
}

/// The hash of a secret.
impl Key for &'static [u8; 32] {
    fn row_name(key: &Self::SelfType<'_>) -> String {
        hex::encode(key)
    }
}

/// Formats an id. All kinds of ids have the same format.
fn id(bytes: &[u8; 16]) -> String {
    PageId::from_bytes(*bytes).to_string()
}
