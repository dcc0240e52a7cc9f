//! Paths in JSON: text, or the bytes in base64 if they are not UTF-8.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum PathInJson {
    Text(String),
    Bytes { base64: String },
}

pub(crate) fn serialize<S: Serializer>(path: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    let path = match std::str::from_utf8(path) {
        Ok(text) => PathInJson::Text(text.to_owned()),
        Err(_) => PathInJson::Bytes {
            base64: STANDARD.encode(path),
        },
    };
    path.serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    match PathInJson::deserialize(deserializer)? {
        PathInJson::Text(text) => Ok(text.into_bytes()),
        PathInJson::Bytes { base64 } => STANDARD.decode(base64).map_err(D::Error::custom),
    }
}
