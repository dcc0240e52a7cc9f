//! Requests of the Gemini API.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::answer::BoxForm;
use crate::error::Error;
use crate::picture::Picture;
use crate::prompt;
use crate::question::{Mode, Question};

/// Returns the path of a question to `model`, with or without `models/` before its name.
pub(super) fn scan_path(model: &str) -> Result<String, Error> {
    let name = model.strip_prefix("models/").unwrap_or(model);
    let is_name = name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b));
    // No model has such a name, and the path would be a different one.
    if !is_name {
        return Err(Error::ModelGone {
            model: model.to_owned(),
            message: String::new(),
        });
    }
    Ok(format!("/v1beta/models/{name}:generateContent"))
}

/// Returns the path of a page of the list of models.
pub(super) fn models_path(page: Option<&str>) -> String {
    let path = "/v1beta/models?pageSize=1000";
    match page {
        Some(token) => format!("{path}&pageToken={}", percent_encoded(token)),
        None => path.to_owned(),
    }
}

fn percent_encoded(token: &str) -> String {
    let encoded = token.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        other => format!("%{other:02X}"),
    });
    encoded.collect()
}

/// Returns the body of a question.
pub(super) fn scan(picture: &Picture, question: &Question) -> Vec<u8> {
    let instructions = prompt::instructions(question.mode, &question.language, BoxForm::Array);
    let body = json!({
        "contents": [{
            "role": "user",
            "parts": [
                {
                    "inline_data": {
                        "mime_type": picture.format().media_type(),
                        "data": STANDARD.encode(picture.bytes()),
                    },
                },
                {"text": instructions},
            ],
        }],
        "generationConfig": {
            "responseMimeType": "application/json",
            "responseSchema": schema(question.mode),
        },
    });
    body.to_string().into_bytes()
}

/// Returns the schema of the answer, in the subset of OpenAPI that the API accepts.
fn schema(mode: Mode) -> Value {
    let (field, value) = match mode {
        Mode::Describe => ("description", json!({"type": "STRING"})),
        Mode::Text => ("text", json!({"type": "STRING"})),
        Mode::Tags => (
            "tags",
            json!({"type": "ARRAY", "items": {"type": "STRING"}}),
        ),
        Mode::Objects => (
            "objects",
            json!({
                "type": "ARRAY",
                "items": {
                    "type": "OBJECT",
                    "properties": {
                        "name": {"type": "STRING"},
                        "box_2d": {
                            "type": "ARRAY",
                            "items": {"type": "INTEGER"},
                            "minItems": 4,
                            "maxItems": 4,
                        },
                    },
                    "required": ["name", "box_2d"],
                },
            }),
        ),
    };
    json!({"type": "OBJECT", "properties": {field: value}, "required": [field]})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn model_is_one_segment_of_the_path() {
        for model in ["gemini-3.5-flash", "models/gemini-3.5-flash"] {
            assert_eq!(
                scan_path(model).unwrap(),
                "/v1beta/models/gemini-3.5-flash:generateContent"
            );
        }
        for model in [
            "",
            "..",
            "a/b",
            "a?b",
            "a b",
            "models/",
            "models/../a",
            "モデル",
        ] {
            assert_eq!(
                scan_path(model),
                Err(Error::ModelGone {
                    model: model.into(),
                    message: String::new(),
                })
            );
        }
    }

    #[test]
    fn page_token_is_encoded() {
        assert_eq!(
            models_path(Some("a/+=")),
            "/v1beta/models?pageSize=1000&pageToken=a%2F%2B%3D"
        );
    }
}
