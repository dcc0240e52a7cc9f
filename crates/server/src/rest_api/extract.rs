//! Extractors for requests. Their rejections have the same form as all other errors.

use std::fmt;
use std::marker::PhantomData;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, JsonRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::header::{CONTENT_TYPE, HeaderMap};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::{Json, RequestExt};
use fumikura_wiki::{HeldLock, LockToken};
use percent_encoding::percent_decode_str;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, Visitor};

use crate::error::{ApiError, ErrorCode};

/// `X-Page-Lock`: a lock, as sent to its holder.
pub(crate) const PAGE_LOCK: HeaderName = HeaderName::from_static("x-page-lock");
/// `X-Lock-Authentication`: the proof that the caller holds a page's lock.
const LOCK_AUTHENTICATION: HeaderName = HeaderName::from_static("x-lock-authentication");

/// A query, deserialized as `T`.
pub(crate) struct ApiQuery<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for ApiQuery<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        // Lossy decoding would replace bytes that are not UTF-8, and change the meaning of the request.
        let query = percent_decode_str(parts.uri.query().unwrap_or_default());
        if let Err(error) = query.decode_utf8() {
            let message = format!("the query is not UTF-8: {error}");
            return Err(ApiError::new(ErrorCode::BadRequest, message));
        }
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(value)) => Ok(Self(value)),
            Err(rejection) => Err(ApiError::new(ErrorCode::BadRequest, rejection.body_text())),
        }
    }
}

/// A segment of the address, deserialized as `T`: an id.
pub(crate) struct ApiPath<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for ApiPath<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(value)) => Ok(Self(value)),
            Err(rejection) => Err(ApiError::new(ErrorCode::BadRequest, rejection.body_text())),
        }
    }
}

/// A JSON object in the body, deserialized as `T`.
pub(crate) struct ApiJson<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for ApiJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        match Json::<Object<T>>::from_request(request, state).await {
            Ok(Json(Object(value))) => Ok(Self(value)),
            Err(rejection) => Err(json_refusal(&rejection)),
        }
    }
}

/// A value that is read from a map only: serde also accepts an array for a struct.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(body: D) -> Result<Self, D::Error> {
        body.deserialize_map(ByName(PhantomData))
    }
}

struct ByName<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ByName<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(fields)).map(Object)
    }
}

fn json_refusal(rejection: &JsonRejection) -> ApiError {
    let text = rejection.body_text();
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::new(ErrorCode::TooLarge, text),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => ApiError::new(
            ErrorCode::UnsupportedMediaType,
            "the body must be application/json",
        ),
        _ => ApiError::new(ErrorCode::InvalidBody, text),
    }
}

/// A lock's token in the body, as `navigator.sendBeacon` sends it.
pub(crate) struct TokenBody(pub(crate) LockToken);

impl<S: Send + Sync> FromRequest<S> for TokenBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let body = Bytes::from_request(request, state)
            .await
            .map_err(|rejection| body_refusal(&rejection, "a token is shorter than that"))?;
        Ok(Self(token_sent(&String::from_utf8_lossy(&body))))
    }
}

/// Returns the error for a body that could not be read.
pub(super) fn body_refusal(rejection: &BytesRejection, too_large: &str) -> ApiError {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::new(ErrorCode::TooLarge, too_large),
        _ => ApiError::new(ErrorCode::InvalidBody, rejection.body_text()),
    }
}

/// A body of Markdown in UTF-8.
pub(crate) struct Markdown(pub(crate) String);

impl<S: Send + Sync> FromRequest<S> for Markdown {
    type Rejection = ApiError;

    async fn from_request(request: Request, _state: &S) -> Result<Self, ApiError> {
        let kind = request
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default();
        let essence = kind.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("text/markdown") {
            return Err(ApiError::new(
                ErrorCode::UnsupportedMediaType,
                "a page's source is text/markdown",
            ));
        }
        let body: Result<Bytes, BytesRejection> = request.extract().await;
        let too_large = "the text is too long: at most 10 MiB are allowed";
        let body = body.map_err(|rejection| body_refusal(&rejection, too_large))?;
        // Invalid bytes are not replaced: the saved text would differ from the sent one.
        match String::from_utf8(body.into()) {
            Ok(source) => Ok(Self(source)),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                Err(ApiError::new(
                    ErrorCode::NotUtf8,
                    format!("the text is not UTF-8 (at byte {at}); nothing was saved"),
                ))
            }
        }
    }
}

/// Parses a token of a request. A malformed token is treated like one that holds no lock.
fn token_sent(text: &str) -> LockToken {
    // No lock was ever taken in 1970.
    let holds_nothing = || LockToken::from_bytes([0; 16]);
    text.trim().parse().unwrap_or_else(|_| holds_nothing())
}

/// Returns the token of `X-Lock-Authentication: token=…`, if the header is present. A header in another form counts as
/// a wrong token.
pub(crate) fn lock_token(headers: &HeaderMap) -> Option<LockToken> {
    let value = headers.get(LOCK_AUTHENTICATION)?.to_str().ok();
    let token = value.and_then(|value| value.trim().strip_prefix("token="));
    Some(token_sent(token.unwrap_or_default()))
}

/// Returns the lock as the `X-Page-Lock` header.
pub(crate) fn page_lock(lock: &HeldLock) -> [(HeaderName, HeaderValue); 1] {
    let value = format!("expire={} token={}", lock.expire, lock.token);
    [(
        PAGE_LOCK,
        HeaderValue::try_from(value).expect("BUG: a time and a ULID are a header"),
    )]
}
