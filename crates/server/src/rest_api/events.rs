//! `/api/events`: a stream of server-sent events.

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::Extension;
use axum::http::HeaderMap;
use axum::response::sse::{Event as Frame, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde::Deserialize;
use utoipa_axum::routes;

use crate::auth::Auth;
use crate::events::{Event, EventHub};
use crate::guard::Caller;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiQuery;
use crate::shares::Share;
use crate::stopping::Stopping;

/// The interval of the comments that keep the stream alive.
const HEARTBEAT: Duration = Duration::from_secs(15);

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(event_stream))
}

/// The start of the stream.
#[derive(Deserialize)]
struct EventsQuery {
    since: Option<String>,
}

/// Streams events.
///
/// With `Last-Event-ID`, or else `since`, the stream starts after that event, or with `resync` if the event is too old.
/// Otherwise it starts with the next event. A client has at most 16 streams: another one closes the oldest.
#[utoipa::path(get, path = "/api/events", tag = "events",
    params(("since" = Option<String>, Query, description = "The id of an event, as in a frame's answers")),
    responses((status = 200, description = "A stream of events", body = Event, content_type = "text/event-stream")))]
async fn event_stream(
    Part(events): Part<EventHub>,
    Part(stopping): Part<Stopping>,
    Part(auth): Part<Auth>,
    Extension(caller): Extension<Caller>,
    Extension(share): Extension<Arc<Share>>,
    ApiQuery(query): ApiQuery<EventsQuery>,
    headers: HeaderMap,
) -> Sse<impl Stream<Item = Result<Frame, Infallible>>> {
    let last_seen = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let subscription = events.subscribe(last_seen.or(query.since.as_deref()));
    let slot = share.open_stream();
    let stream = unfold((subscription, slot), move |(mut subscription, slot)| {
        let (stopping, auth) = (Arc::clone(&stopping), Arc::clone(&auth));
        async move {
            let (id, event) = tokio::select! {
                next = subscription.next() => next?,
                // The stream ends when the server stops. Otherwise the server could not shut down.
                () = stopping.started() => return None,
                () = signed_out(&auth, caller) => return None,
                () = slot.replaced() => return None,
            };
            let data = serde_json::to_string(&*event).expect("BUG: an event is plain JSON");
            Some((
                Ok(Frame::default().id(id).event(event.name()).data(data)),
                (subscription, slot),
            ))
        }
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT))
}

/// Waits until the caller's session ends, or its access token is revoked.
async fn signed_out(auth: &Auth, caller: Caller) {
    match caller {
        Caller::Session(key) => auth.sessions.ended(key).await,
        Caller::Token(grant) => auth.tokens.revoked(grant.id).await,
        Caller::Bearer | Caller::Anyone => pending().await,
    }
}
