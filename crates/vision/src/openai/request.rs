//! Requests of OpenAI's API.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::answer::BoxForm;
use crate::picture::Picture;
use crate::prompt;
use crate::question::{Mode, Question};

/// The path of a question.
pub(super) const SCAN: &str = "/chat/completions";
/// The path of the list of models.
pub(super) const MODELS: &str = "/models";

/// Returns the body of a question, with only those fields that all programs with this API accept.
pub(super) fn scan(picture: &Picture, question: &Question) -> Vec<u8> {
    let instructions = prompt::instructions(question.mode, &question.language, BoxForm::Fields);
    let url = format!(
        "data:{};base64,{}",
        picture.format().media_type(),
        STANDARD.encode(picture.bytes())
    );
    let body = json!({
        "model": question.model,
        "messages": [{
            "role": "user",
            "content": [
                {"type": "text", "text": instructions},
                {"type": "image_url", "image_url": {"url": url}},
            ],
        }],
        "response_format": {
            "type": "json_schema",
            "json_schema": {
                "name": question.mode.name(),
                "strict": true,
                "schema": schema(question.mode),
            },
        },
        "stream": false,
    });
    body.to_string().into_bytes()
}

/// Returns the JSON schema of the answer, with everything that strict schemas require.
fn schema(mode: Mode) -> Value {
    match mode {
        Mode::Describe => object(&json!({"description": {"type": "string"}})),
        Mode::Text => object(&json!({"text": {"type": "string"}})),
        Mode::Tags => object(&json!({"tags": {"type": "array", "items": {"type": "string"}}})),
        Mode::Objects => {
            let edge = json!({"type": "integer"});
            let item = object(&json!({
                "name": {"type": "string"},
                "left": edge,
                "top": edge,
                "right": edge,
                "bottom": edge,
            }));
            object(&json!({"objects": {"type": "array", "items": item}}))
        }
    }
}

fn object(properties: &Value) -> Value {
    let names: Vec<&String> = properties
        .as_object()
        .map(|fields| fields.keys().collect())
        .unwrap_or_default();
    json!({
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": false,
    })
}
