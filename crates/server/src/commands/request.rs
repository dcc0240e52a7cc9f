//! The request of a command, and the answer of the request.

use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode};
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde_json::{Map, Value};

use super::table::{
    BodyArguments, Command, LOCK_AUTHENTICATION, PAGE_LOCK, Parameter, ParameterKind,
    ParameterPlace,
};
use crate::error::{ApiError, ErrorCode};

/// The characters to percent-encode in a segment of a path, or a value of a query.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// Builds the request of a command.
///
/// # Errors
/// `bad_request` for an unknown argument, a missing part of the path, and a value of the wrong type.
pub(super) fn request(
    command: &Command,
    mut args: Map<String, Value>,
) -> Result<Request<Body>, ApiError> {
    let mut path = command.path.clone();
    let mut query: Vec<String> = Vec::new();
    let mut headers = HeaderMap::new();
    for parameter in &command.parameters {
        let value = take(&mut args, parameter)?;
        match (parameter.place, value) {
            (ParameterPlace::Path, Some(value)) if !value.is_empty() => {
                path = path.replace(&format!("{{{}}}", parameter.name), &encoded(&value));
            }
            (ParameterPlace::Path, Some(_) | None) => {
                return Err(bad(format!(
                    "the argument {} is missing",
                    parameter.argument
                )));
            }
            (ParameterPlace::Query, Some(value)) => {
                query.push(format!("{}={}", parameter.name, encoded(&value)));
            }
            (ParameterPlace::Header, Some(value)) => {
                headers.insert(header_name(parameter)?, header_value(parameter, &value)?);
            }
            (ParameterPlace::Query | ParameterPlace::Header, None) => {}
        }
    }
    if !query.is_empty() {
        path = format!("{path}?{}", query.join("&"));
    }
    let (body, media_type) = body(&command.body, &mut args)?;
    if let Some(name) = args.keys().next() {
        return Err(bad(format!("there is no argument {name}")));
    }
    let request = Request::builder()
        .method(command.method.as_str())
        .uri(path)
        .header(HOST, "localhost")
        .body(body);
    let mut request = request.map_err(bad)?;
    request.headers_mut().extend(headers);
    if let Some(media_type) = media_type {
        request.headers_mut().insert(CONTENT_TYPE, media_type);
    }
    Ok(request)
}

/// Takes the value of a parameter as the request's bytes. Null counts as absent. A text that is not UTF-8 is in
/// `NAME_bytes`, in base64.
fn take(args: &mut Map<String, Value>, parameter: &Parameter) -> Result<Option<Vec<u8>>, ApiError> {
    let Parameter { argument, kind, .. } = parameter;
    if *kind == ParameterKind::Text
        && let Some(bytes) = args.remove(&format!("{argument}_bytes"))
    {
        let bytes = bytes.as_str().map(|text| STANDARD.decode(text));
        return match (bytes, args.contains_key(argument)) {
            (Some(Ok(bytes)), false) => Ok(Some(bytes)),
            _ => Err(bad(format!(
                "{argument}_bytes is not base64, or {argument} is given too"
            ))),
        };
    }
    match (args.remove(argument), kind) {
        (None | Some(Value::Null), _) => Ok(None),
        (Some(Value::String(text)), ParameterKind::Text) => Ok(Some(text.into_bytes())),
        (Some(value @ Value::Number(_)), ParameterKind::Number)
        | (Some(value @ Value::Bool(_)), ParameterKind::Flag) => {
            Ok(Some(value.to_string().into_bytes()))
        }
        (Some(_), _) => Err(bad(format!("the argument {argument} has another type"))),
    }
}

fn body(
    arguments: &BodyArguments,
    args: &mut Map<String, Value>,
) -> Result<(Body, Option<HeaderValue>), ApiError> {
    let json = |value: &Value| {
        let media_type = HeaderValue::from_static("application/json");
        (Body::from(value.to_string()), Some(media_type))
    };
    let argument = arguments.argument().map(|name| (name, args.remove(name)));
    match (arguments, argument) {
        (BodyArguments::Fields { is_required }, _) if *is_required || !args.is_empty() => {
            Ok(json(&Value::Object(std::mem::take(args))))
        }
        (BodyArguments::Whole(_), Some((_, Some(value)))) => Ok(json(&value)),
        (BodyArguments::Text(media_type), Some((_, Some(Value::String(text))))) => {
            let media_type = HeaderValue::try_from(media_type.as_str()).map_err(bad)?;
            Ok((Body::from(text), Some(media_type)))
        }
        (_, Some((name, _))) => Err(bad(format!("the argument {name} is missing"))),
        (_, None) => Ok((Body::empty(), None)),
    }
}

fn header_name(parameter: &Parameter) -> Result<axum::http::HeaderName, ApiError> {
    parameter.name.parse().map_err(bad)
}

fn header_value(parameter: &Parameter, value: &[u8]) -> Result<HeaderValue, ApiError> {
    let value = match parameter.name == LOCK_AUTHENTICATION {
        true => HeaderValue::from_bytes(&[b"token=", value].concat()),
        false => HeaderValue::from_bytes(value),
    };
    value.map_err(bad)
}

fn encoded(value: &[u8]) -> String {
    percent_encode(value, RESERVED).to_string()
}

pub(super) fn bad(message: impl std::fmt::Display) -> ApiError {
    ApiError::new(ErrorCode::BadRequest, message)
}

/// Returns the answer of a command as JSON: the body, or null; a text as a string. A lock's header is added to it as
/// `token` and `expire`. An error is the body of an error.
pub(super) async fn answer(response: Response) -> Result<String, Value> {
    let (parts, body) = response.into_parts();
    let bytes = match to_bytes(body, usize::MAX).await {
        Ok(bytes) => bytes,
        Err(error) => return Err(internal(&error)),
    };
    let text = match String::from_utf8(bytes.into()) {
        Ok(text) => text,
        Err(error) => return Err(internal(&error)),
    };
    if !parts.status.is_success() {
        return Err(error_body(parts.status, &text));
    }
    if let Some(lock) = parts.headers.get(PAGE_LOCK) {
        return Ok(with_lock(&text, lock.to_str().unwrap_or_default()));
    }
    Ok(match text.is_empty() {
        true => "null".to_owned(),
        false if is_json(&parts.headers) => text,
        false => Value::String(text).to_string(),
    })
}

fn is_json(headers: &HeaderMap) -> bool {
    let media_type = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    media_type.is_some_and(|kind| kind.starts_with(b"application/json"))
}

fn with_lock(body: &str, lock: &str) -> String {
    let body = serde_json::from_str(body).ok();
    let mut answer = body.and_then(super::table::fields).unwrap_or_default();
    for (name, value) in lock.split(' ').filter_map(|field| field.split_once('=')) {
        answer.insert(name.to_owned(), value.into());
    }
    Value::Object(answer).to_string()
}

fn error_body(status: StatusCode, text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| internal(&format!("{status} without a reason")))
}

fn internal(error: &dyn std::fmt::Display) -> Value {
    tracing::error!(%error, "a command has no answer");
    error_value(ApiError::new(
        ErrorCode::Internal,
        "Something went wrong inside the program",
    ))
}

/// Returns the body of an error in JSON.
pub(super) fn error_value(error: ApiError) -> Value {
    serde_json::to_value(error.into_body()).expect("BUG: an error is plain JSON")
}
