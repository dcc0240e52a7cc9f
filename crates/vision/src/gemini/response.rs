//! Answers of the Gemini API.

use std::time::Duration;

use serde::Deserialize;

use crate::error::{Error, MalformedReason};
use crate::http::Reply;
use crate::service::Model;

/// The values of `finishReason` that are refusals.
const REFUSALS: &[&str] = &[
    "SAFETY",
    "RECITATION",
    "LANGUAGE",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION",
];
const METHOD: &str = "generateContent";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GenerateResponse {
    #[serde(default)]
    candidates: Vec<GeminiCandidate>,
    prompt_feedback: Option<PromptFeedback>,
    /// An error that was sent with a status of success.
    error: Option<Status>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GeminiCandidate {
    #[serde(default)]
    content: Content,
    finish_reason: Option<String>,
}

#[derive(Deserialize, Default)]
struct Content {
    #[serde(default)]
    parts: Vec<GeminiPart>,
}

#[derive(Deserialize)]
struct GeminiPart {
    text: Option<String>,
    /// True for a summary of the model's thoughts.
    #[serde(default)]
    thought: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PromptFeedback {
    block_reason: Option<String>,
}

/// Returns the text that the model wrote as its answer.
pub(super) fn content(reply: &Reply, model: &str) -> Result<String, Error> {
    let generated: GenerateResponse = reply.json()?;
    if let Some(error) = &generated.error {
        return Err(described(reply, error, Some(model)));
    }
    let blocked = generated.prompt_feedback.and_then(|it| it.block_reason);
    if let Some(reason) = blocked {
        return Err(refused(reply, &reason));
    }
    let candidate = generated.candidates.into_iter().next();
    let candidate = candidate.ok_or(Error::EmptyAnswer)?;
    let reason = candidate.finish_reason.as_deref().unwrap_or_default();
    if REFUSALS.contains(&reason) {
        return Err(refused(reply, reason));
    }
    let parts = candidate.content.parts.into_iter();
    let written: String = parts
        .filter(|part| !part.thought)
        .filter_map(|part| part.text)
        .collect();
    if reason == "MAX_TOKENS" && !written.trim().is_empty() {
        return Err(Error::MalformedAnswer(MalformedReason::CutShort));
    }
    Ok(written)
}

fn refused(reply: &Reply, reason: &str) -> Error {
    Error::Refused {
        reason: reply.quote(reason),
    }
}

#[derive(Deserialize, Default)]
struct FailureBody {
    #[serde(default)]
    error: Status,
}

/// A `google.rpc.Status`, with the relevant details.
#[derive(Deserialize, Default)]
struct Status {
    code: Option<u64>,
    #[serde(default)]
    message: String,
    #[serde(default)]
    details: Vec<Detail>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Detail {
    /// The reason of a `google.rpc.ErrorInfo`.
    #[serde(default)]
    reason: String,
    /// The delay of a `google.rpc.RetryInfo`.
    retry_delay: Option<String>,
    /// The violations of a `google.rpc.QuotaFailure`.
    #[serde(default)]
    violations: Vec<Violation>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Violation {
    #[serde(default)]
    quota_id: String,
}

/// Returns the error of an answer with another status than 2xx.
pub(super) fn failure(reply: &Reply, model: Option<&str>) -> Error {
    let FailureBody { error } = reply.failure();
    described(reply, &error, model)
}

fn described(reply: &Reply, error: &Status, model: Option<&str>) -> Error {
    let status = reply.failure_status(error.code);
    let details = &error.details;
    if let (404, Some(model)) = (status, model) {
        return Error::ModelGone {
            model: model.to_owned(),
            message: reply.quote(&error.message),
        };
    }
    // Google answers an unknown key with 400.
    if details.iter().any(|it| it.reason == "API_KEY_INVALID") {
        return Error::Unauthorized {
            message: String::new(),
        };
    }
    if status == 429 {
        let delay = details.iter().find_map(|it| it.retry_delay.as_deref());
        let mut violations = details.iter().flat_map(|it| &it.violations);
        return Error::RateLimited {
            retry_after: delay.and_then(seconds).or(reply.retry_after),
            per_day: violations.any(|it| it.quota_id.contains("PerDay")),
        };
    }
    reply.error(status, &error.message)
}

/// Parses a `google.protobuf.Duration` in JSON, such as `37s` or `0.5s`.
fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GeminiPage {
    /// An error that was sent with a status of success.
    error: Option<Status>,
    #[serde(default)]
    models: Vec<ModelEntry>,
    next_page_token: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ModelEntry {
    name: String,
    display_name: Option<String>,
    #[serde(default)]
    supported_generation_methods: Vec<String>,
}

/// Returns the models on a page that generate content, and the token of the next page.
pub(super) fn models(reply: &Reply) -> Result<(Vec<Model>, Option<String>), Error> {
    let page: GeminiPage = reply.json()?;
    if let Some(error) = &page.error {
        return Err(described(reply, error, None));
    }
    let models = page
        .models
        .into_iter()
        .filter(|it| {
            it.supported_generation_methods
                .iter()
                .any(|it| it == METHOD)
        })
        .map(|it| {
            let id = it.name.strip_prefix("models/").unwrap_or(&it.name);
            Model {
                id: id.to_owned(),
                name: reply.quote(it.display_name.as_deref().unwrap_or(id)),
            }
        });
    let next = page.next_page_token.filter(|token| !token.is_empty());
    Ok((models.collect(), next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_of_protobuf_are_read() {
        assert_eq!(seconds("37s"), Some(Duration::from_secs(37)));
        assert_eq!(seconds("0.25s"), Some(Duration::from_millis(250)));
        for text in ["", "37", "-1s", "xs", "1e300s", "NaNs"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
