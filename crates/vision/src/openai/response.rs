//! Answers of OpenAI's API.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, MalformedReason};
use crate::http::Reply;
use crate::service::Model;

#[derive(Deserialize)]
struct Completion {
    #[serde(default)]
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<MessageContent>,
    refusal: Option<String>,
}

/// The content of a message; some servers split it into parts.
#[derive(Deserialize)]
#[serde(untagged)]
enum MessageContent {
    Text(String),
    Parts(Vec<ContentPart>),
}

#[derive(Deserialize)]
struct ContentPart {
    text: Option<String>,
}

/// Returns the text that the model wrote as its answer.
pub(super) fn content(reply: &Reply, model: &str) -> Result<String, Error> {
    let completion: Completion = success(reply, "choices", Some(model))?;
    let choice = completion.choices.into_iter().next();
    let choice = choice.ok_or(Error::EmptyAnswer)?;
    if let Some(refusal) = choice.message.refusal.filter(|it| !it.trim().is_empty()) {
        return Err(Error::Refused {
            reason: reply.quote(&refusal),
        });
    }
    let reason = choice.finish_reason.as_deref().unwrap_or_default();
    if reason == "content_filter" {
        return Err(Error::Refused {
            reason: reply.quote(reason),
        });
    }
    let written = match choice.message.content {
        Some(MessageContent::Text(text)) => text,
        Some(MessageContent::Parts(parts)) => {
            parts.into_iter().filter_map(|part| part.text).collect()
        }
        None => String::new(),
    };
    if reason == "length" && !written.trim().is_empty() {
        return Err(Error::MalformedAnswer(MalformedReason::CutShort));
    }
    Ok(written)
}

/// Parses an answer with a status of success. Some servers send an error with such a status.
fn success<T: DeserializeOwned>(
    reply: &Reply,
    field: &str,
    model: Option<&str>,
) -> Result<T, Error> {
    let body: Value = reply.json()?;
    if let Some(error) = error_in(&body, field) {
        return Err(described(reply, error, model));
    }
    let parsed = Some(body).filter(Value::is_object);
    let parsed = parsed.and_then(|body| serde_json::from_value(body).ok());
    parsed.ok_or(Error::MalformedAnswer(MalformedReason::WrongFields))
}

/// Returns the error of an answer with another status than 2xx.
pub(super) fn failure(reply: &Reply, model: Option<&str>) -> Error {
    let body: Value = reply.failure();
    described(reply, error_in(&body, "").unwrap_or(&Value::Null), model)
}

/// Returns the description of an error: `{"error": …}`, or, as of vLLM, the body itself. A successful answer has
/// `field` instead.
fn error_in<'a>(body: &'a Value, field: &str) -> Option<&'a Value> {
    let nested = body.get("error").filter(|error| !error.is_null());
    let is_flat =
        body["object"] == "error" || body.get(field).is_none() && !message_in(body).is_empty();
    nested.or(is_flat.then_some(body))
}

fn described(reply: &Reply, error: &Value, model: Option<&str>) -> Error {
    let status = reply.failure_status(error["code"].as_u64());
    let quoted = message_in(error);
    if let (404, Some(model)) = (status, model) {
        return Error::ModelGone {
            model: model.to_owned(),
            message: reply.quote(quoted),
        };
    }
    // The status is 429 too, but waiting does not help.
    if status == 429 && error["code"] == "insufficient_quota" {
        return Error::OutOfCredit {
            message: reply.quote(quoted),
        };
    }
    if status == 429 {
        return Error::RateLimited {
            retry_after: reply.retry_after,
            // OpenAI names the limit in the message only: "requests per day (RPD)".
            per_day: quoted.contains("per day"),
        };
    }
    reply.error(status, quoted)
}

/// Returns the text of `{"message": …}` or `{"detail": …}`, or the value itself if it is a text.
fn message_in(error: &Value) -> &str {
    let detail = &error["detail"];
    let texts = [error, &error["message"], detail, &detail[0]["msg"]];
    texts
        .into_iter()
        .find_map(Value::as_str)
        .unwrap_or_default()
}

#[derive(Deserialize)]
struct List {
    /// The models. Ollama answers null if it has none.
    data: Option<Vec<ModelEntry>>,
}

#[derive(Deserialize)]
struct ModelEntry {
    id: String,
}

pub(super) fn models(reply: &Reply) -> Result<Vec<Model>, Error> {
    let list: List = success(reply, "data", None)?;
    let models = list.data.unwrap_or_default().into_iter().map(|it| Model {
        name: reply.quote(&it.id),
        id: it.id,
    });
    Ok(models.collect())
}
