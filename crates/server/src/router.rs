//! Builds the router of one address: all routes, behind the guard.

use std::any::Any;
use std::sync::Arc;

use axum::body::Body;
use axum::http::Uri;
use axum::response::{IntoResponse, Response};
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;

use crate::address::Address;
use crate::app::App;
use crate::error::{ApiError, ErrorCode};
use crate::guard::{self, Guard};
use crate::{frame, openapi, rest_api, static_files};

impl App {
    /// Builds the router of the whole HTTP interface at an address.
    pub fn router(self: &Arc<Self>, address: Address) -> Router {
        let address = Arc::new(address);
        let (api, _document) = openapi::routes().split_for_parts();
        let guard = Guard {
            app: Arc::clone(self),
            address,
        };
        Router::new()
            .merge(frame::routes())
            .merge(rest_api::login_page())
            .merge(static_files::routes())
            .merge(api)
            .fallback(not_found)
            .method_not_allowed_fallback(no_such_method)
            .layer(CatchPanicLayer::custom(panic_response))
            .layer(middleware::from_fn_with_state(guard, guard::check))
            .with_state(Arc::clone(self))
    }
}

async fn not_found(uri: Uri) -> ApiError {
    ApiError::new(ErrorCode::NotFound, format!("nothing is at {}", uri.path()))
}

async fn no_such_method() -> ApiError {
    ApiError::new(
        ErrorCode::MethodNotAllowed,
        "this address does not support that method",
    )
}

/// Converts a panic to a response, so that only the request that panicked fails. The panic hook has logged
/// the location.
fn panic_response(panic: Box<dyn Any + Send>) -> Response<Body> {
    fault(&*panic).into_response()
}

fn fault(panic: &(dyn Any + Send)) -> ApiError {
    let words = panic.downcast_ref::<String>().map(String::as_str);
    let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
    let panicked = RequestPanic(words.unwrap_or("no words").to_owned());
    let message = "Something went wrong inside the program";
    ApiError::internal(ErrorCode::Internal, message, &panicked)
}

/// The message of a request's panic.
#[derive(Debug, thiserror::Error)]
#[error("a request panicked: {0}")]
struct RequestPanic(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_answer_contains_only_the_request_id() {
        let panics: [Box<dyn Any + Send>; 3] = [
            Box::new("upside down"),
            Box::new("upside down".to_owned()),
            Box::new(7),
        ];
        for panic in panics {
            let answer = fault(&*panic);
            let message = &answer.body().message;
            let (_, id) = message.split_once("(request ").unwrap();
            let id = id.strip_suffix(')').or(id.strip_suffix(").")).unwrap();
            assert!(id.len() == 8 && id.bytes().all(|digit| digit.is_ascii_hexdigit()));
            assert!(!message.contains("upside down"), "{message}");
        }
    }
}
