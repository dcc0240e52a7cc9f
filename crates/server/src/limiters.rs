//! The rate limiters of the server, and the clients that they count.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use fumikura_base::budget::Budget;
use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;
use fumikura_limits::{
    BackendError, BackendKind, Calendar, ClientKey, Decision, FailurePolicy, KeyMode, Limiter,
    Limits, Memory, Peer, Redis, RedisConfig, Reservation, ReserveOutcome, TimeSource, Unavailable,
    Usage,
};

use crate::config::LimiterConfig;
use crate::connections::PeerUser;
use crate::error::{ApiError, ErrorCode};

/// The prefix of keys on Redis.
const PREFIX: &str = "rate";
/// The prefix of keys for attempts to log in.
const LOGIN_PREFIX: &str = "rate:login";
/// The seconds after which a client may retry if the limiter is busy.
const BUSY_DELAY: u64 = 1;

/// The limiters.
pub(crate) struct Limiters {
    /// The limiter of costly requests, such as descriptions of pictures.
    pub(crate) requests: Limiter,
    /// The limiter of failed logins. Its limits are fixed, and it does not fall back if Redis fails.
    logins: Limiter,
    granted: AtomicU64,
    refused: AtomicU64,
    config: LimiterConfig,
}

impl Limiters {
    pub(crate) fn new(
        config: LimiterConfig,
        clock: &Arc<dyn Clock>,
        entropy: &Arc<dyn Entropy>,
    ) -> Self {
        let limiter = |prefix: &str, limits: Limits, on_failure| {
            let shared = || (Arc::clone(clock), Arc::clone(entropy));
            let (time, random) = shared();
            let memory = Memory::new(limits, Calendar::system(), time, random);
            let Some(url) = &config.redis_url else {
                return Limiter::in_memory(memory);
            };
            let redis = RedisConfig {
                url: url.expose().to_owned(),
                prefix: prefix.to_owned(),
                is_cluster: config.is_redis_cluster,
                time: TimeSource::Server,
            };
            let (time, random) = shared();
            let redis = Redis::new(redis, limits, Calendar::system(), time, random);
            let redis = redis.expect("BUG: the configuration was checked");
            Limiter::on_redis(redis, memory, on_failure, Arc::clone(clock))
        };
        Self {
            requests: limiter(PREFIX, config.limits, FailurePolicy::FallBack),
            logins: limiter(LOGIN_PREFIX, Limits::DEFAULT, FailurePolicy::Refuse),
            granted: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            config,
        }
    }

    /// Counts a costly request, or returns the time after which the client may retry.
    pub(crate) fn reserve(&self, client: &ClientKey) -> Result<Reservation, ApiError> {
        let reserved = reserve(&self.requests, client);
        let counter = match reserved {
            Ok(_) => &self.granted,
            Err(_) => &self.refused,
        };
        counter.fetch_add(1, Ordering::Relaxed);
        reserved
    }

    /// Returns the numbers of granted and refused requests since the start.
    pub(crate) fn decided(&self) -> (u64, u64) {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        (count(&self.granted), count(&self.refused))
    }

    /// Counts a failed login, or returns the time after which the client may try again.
    pub(crate) fn count_failed_login(&self, client: &ClientKey) -> Result<(), ApiError> {
        reserve(&self.logins, client).map(drop)
    }

    /// Resets all counts.
    pub(crate) fn reset(&self, budget: &Budget) -> Result<(), ApiError> {
        // Both are reset, even if the first fails.
        let results = [self.requests.reset(budget), self.logins.reset(budget)];
        results
            .into_iter()
            .collect::<Result<(), _>>()
            .map_err(|error| unusable(&error))
    }

    /// Returns the client's counts, and the backend that holds them.
    pub(crate) fn usage(&self, client: &ClientKey) -> Result<(BackendKind, Usage), ApiError> {
        let usage = self.requests.usage(client);
        usage.map_err(|Unavailable(error)| unusable(&error))
    }

    /// Returns the client of a request: its address and its user agent, as far as the configuration counts
    /// them.
    pub(crate) fn client(&self, parts: &Parts) -> ClientKey {
        let agent = parts.headers.get(header::USER_AGENT);
        let agent = agent.map_or(&b""[..], |agent| agent.as_bytes());
        ClientKey::new(self.peer(parts), agent, self.config.key)
    }

    /// Returns the client of an attempt to log in: the user at the other end of the connection, or the address behind
    /// a trusted proxy.
    pub(crate) fn login_client(&self, parts: &Parts) -> ClientKey {
        let user: PeerUser = parts.extensions.get().copied().unwrap_or_default();
        let client = self.peer(parts);
        match user.uid() {
            Some(uid) if client == direct_peer(parts) => ClientKey::of_user(uid),
            Some(_) | None => ClientKey::new(client, b"", KeyMode::Ip),
        }
    }

    fn peer(&self, parts: &Parts) -> Peer {
        let forwarded = forwarded(&parts.headers);
        self.config
            .proxies
            .client_of(direct_peer(parts), &forwarded)
    }
}

/// Returns the other end of the connection.
fn direct_peer(parts: &Parts) -> Peer {
    // Without a connection, as in tests, there is no address.
    parts.extensions.get().copied().unwrap_or(Peer::Unix)
}

fn forwarded(headers: &HeaderMap) -> Vec<&str> {
    // A value that is not text is read as an invalid address, which ends the search.
    let values = headers.get_all("x-forwarded-for").into_iter();
    values
        .map(|value| value.to_str().unwrap_or_default())
        .collect()
}

fn unusable(error: &BackendError) -> ApiError {
    match error {
        BackendError::Busy => ApiError::new(ErrorCode::LimiterBusy, error).retry_after(BUSY_DELAY),
        BackendError::Unreachable(_)
        | BackendError::TimedOut(_)
        | BackendError::Refused { .. }
        | BackendError::Redirected
        | BackendError::NotUnderstood
        | BackendError::Incomplete
        | BackendError::Unsupported { .. }
        | BackendError::ClocksDiffer => ApiError::new(ErrorCode::LimiterUnavailable, error),
    }
}

/// Counts a request of a client, or returns the time after which it may retry.
fn reserve(limiter: &Limiter, client: &ClientKey) -> Result<Reservation, ApiError> {
    let reserved = limiter
        .reserve(client)
        .map_err(|Unavailable(error)| unusable(&error))?;
    let (decision, usage) = match reserved {
        ReserveOutcome::Granted(reservation, _) => return Ok(reservation),
        ReserveOutcome::Refused(decision, usage) => (decision, usage),
    };
    let (code, words, retry_after) = match decision {
        Decision::DailyLimit { retry_after } => (
            ErrorCode::DailyLimitReached,
            "today’s requests are used up",
            retry_after,
        ),
        Decision::TotalLimit { retry_after } => (
            ErrorCode::DailyLimitReached,
            "today’s requests of all clients together are used up",
            retry_after,
        ),
        Decision::MinuteLimit { retry_after } => (
            ErrorCode::RateLimited,
            "too many requests in a minute",
            retry_after,
        ),
        Decision::Granted(_) => unreachable!("BUG: a refusal that grants"),
    };
    let words = format!("{words}; try again in {retry_after} s");
    Err(ApiError::new(code, words).limited(&limiter.limits(), &usage, retry_after))
}
