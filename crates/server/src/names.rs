//! Names and paths of files in JSON: text, and the bytes in base64 if they are not UTF-8.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::error::{ApiError, ErrorCode};

/// Returns a name for JSON: text to display, and the bytes in base64 if they are not UTF-8.
pub(crate) fn name_in_json(bytes: &[u8]) -> (String, Option<String>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), None),
        Err(_) => (
            String::from_utf8_lossy(bytes).into_owned(),
            Some(STANDARD.encode(bytes)),
        ),
    }
}

/// Returns the bytes of a name or path in JSON. The base64 form takes precedence.
pub(crate) fn bytes(text: Option<&str>, base64: Option<&str>) -> Result<Vec<u8>, ApiError> {
    match (text, base64) {
        (_, Some(base64)) => STANDARD.decode(base64).map_err(|error| {
            let message = format!("the bytes of a name are base64: {error}");
            ApiError::new(ErrorCode::BadRequest, message)
        }),
        (Some(text), None) => Ok(text.as_bytes().to_vec()),
        (None, None) => Err(ApiError::new(ErrorCode::BadRequest, "a name is missing")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn non_utf8_names_include_their_bytes() {
        assert_eq!(name_in_json(b"a\xff").1.as_deref(), Some("Yf8="));
        assert_eq!(name_in_json("写真".as_bytes()), ("写真".to_owned(), None));
    }
}
