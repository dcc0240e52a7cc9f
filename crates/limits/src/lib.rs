//! A rate limiter with reservations.
//!
//! A caller reserves a request before it does the work, and releases the reservation if the work fails. Two limits apply
//! to each client: a window of 60 seconds and a count of the local calendar day. A third, optional limit bounds the
//! daily count of all clients together. The rules are in `docs/spec/rate-limiter.md`.
//!
//! [`Memory`] and [`Redis`] implement [`Backend`]; [`Limiter`] chooses between them and falls back when Redis fails.

mod backend;
mod calendar;
mod client;
mod counts;
mod decision;
mod headers;
mod limiter;
mod limits;
mod memory;
mod redis;

pub use backend::{Backend, BackendError};
pub use calendar::Calendar;
pub use client::{ClientKey, InvalidProxy, KeyMode, Peer, Proxies};
pub use decision::{Decision, InvalidRequestId, Outcome, RequestId, Usage};
pub use headers::{policy_header, state_header};
pub use limiter::{
    BackendKind, FailurePolicy, Limiter, Reservation, ReserveOutcome, Status, Unavailable,
};
pub use limits::{Limits, WINDOW};
pub use memory::{MAX_CLIENTS, Memory};
pub use redis::{InvalidUrl, Redis, RedisConfig, TimeSource};
