//! Answers of OpenAI's API.

use serde::Deserialize;
use serde_json::Value;

use crate::error::{Error, MalformedReason};
use crate::http::{Reply, message};
use crate::service::Model;

#[derive(Deserialize)]
struct Completion {
    #[serde(default)]
    choices: Vec<Choice>,
    /// The error. LM Studio answers an unknown path with 200 and an error.
    error: Option<Value>,
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
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
}

/// Returns the text that the model wrote as its answer.
pub(super) fn content(reply: &Reply) -> Result<String, Error> {
    let completion: Completion = reply.json()?;
    if let Some(error) = completion.error.filter(|error| !error.is_null()) {
        return Err(Error::BadRequest {
            status: reply.status,
            message: reply.quote(&message_in(&error)),
        });
    }
    let choice = completion.choices.into_iter().next();
    let choice = choice.ok_or(Error::EmptyAnswer)?;
    if let Some(refusal) = choice.message.refusal.filter(|it| !it.trim().is_empty()) {
        return Err(Error::Refused {
            reason: message(&refusal),
        });
    }
    let reason = choice.finish_reason.as_deref().unwrap_or_default();
    if reason == "content_filter" {
        return Err(Error::Refused {
            reason: message(reason),
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

#[derive(Deserialize, Default)]
struct FailureBody {
    #[serde(default)]
    error: Value,
}

/// Returns the error of an answer with another status than 2xx.
pub(super) fn failure(reply: &Reply, model: Option<&str>) -> Error {
    let FailureBody { error } = reply.failure();
    if let (404, Some(model)) = (reply.status, model) {
        return Error::ModelGone {
            model: model.to_owned(),
        };
    }
    let quoted = message_in(&error);
    // The status is 429 too, but waiting does not help.
    if reply.status == 429 && error["code"] == "insufficient_quota" {
        return Error::OutOfCredit {
            message: reply.quote(&quoted),
        };
    }
    if reply.status == 429 {
        return Error::RateLimited {
            retry_after: reply.retry_after,
            // OpenAI names the limit in the message only: "requests per day (RPD)".
            per_day: quoted.contains("per day"),
        };
    }
    reply.error(&quoted)
}

/// Returns the text of `{"message": …}`, or the value itself if it is a text.
fn message_in(error: &Value) -> String {
    let message = error["message"].as_str().or_else(|| error.as_str());
    message.unwrap_or_default().to_owned()
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

/// Returns the models.
pub(super) fn models(reply: &Reply) -> Result<Vec<Model>, Error> {
    let list: List = reply.json()?;
    let models = list.data.unwrap_or_default().into_iter().map(|it| Model {
        name: message(&it.id),
        id: it.id,
    });
    Ok(models.collect())
}
