//! The check of the `Host` header. It must name this server, so that a page of another site whose name
//! resolves to this machine (DNS rebinding) gets nothing.

use axum::extract::Request;
use axum::http::header::HOST;

use crate::address::Address;
use crate::error::{ApiError, ErrorCode};

/// Returns the host that the request names, if it is this server's.
pub(super) fn check<'r>(request: &'r Request, address: &Address) -> Result<&'r str, ApiError> {
    let refused = || {
        ApiError::new(
            ErrorCode::HostNotAllowed,
            "this server does not answer to that name",
        )
    };
    let mut named = request.headers().get_all(HOST).iter();
    let host = named
        .next()
        .and_then(|host| host.to_str().ok())
        .ok_or_else(refused)?;
    if named.next().is_some() {
        return Err(refused());
    }
    // An authority in the request line takes precedence over the header, so both must agree.
    if request
        .uri()
        .authority()
        .is_some_and(|authority| !authority.as_str().eq_ignore_ascii_case(host))
    {
        return Err(refused());
    }
    if address.answers_to(host) {
        Ok(host)
    } else {
        Err(refused())
    }
}
