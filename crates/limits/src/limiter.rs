//! The limiter that callers use: a preferred backend, and a fallback.

use std::sync::Arc;
use std::time::Duration;

use fumikura_base::budget::Budget;
use fumikura_base::clock::Clock;
use parking_lot::{Mutex, MutexGuard};

use crate::{Backend, BackendError, ClientKey, Decision, Limits, Memory, Redis, RequestId, Usage};

/// The first pause before Redis is retried; each further one is twice as long.
const MIN_RETRY_DELAY: Duration = Duration::from_secs(1);
/// The maximum pause.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(30);
/// The time limit for deleting all counts.
const RESET_TIME_LIMIT: Duration = Duration::from_secs(60);

/// The behaviour while Redis is configured but cannot be used. While it works and is only busy, requests wait and
/// are then refused: a count in memory would exceed the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailurePolicy {
    /// Requests are counted in memory. In the minute of a switch, at most twice the limit is granted.
    FallBack,
    /// Requests are refused.
    Refuse,
}

/// A backend of the rate limiter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "wire", derive(serde::Serialize, utoipa::ToSchema))]
#[cfg_attr(feature = "wire", serde(rename_all = "snake_case"), schema(as = RateLimiterBackend))]
pub enum BackendKind {
    /// Redis, shared by several processes.
    Redis,
    /// The memory of this process.
    #[cfg_attr(feature = "wire", serde(rename = "in_memory"))]
    Memory,
}

/// A rate limiter on Redis, if configured, with a fallback in memory. The backend is chosen at the first
/// request.
pub struct Limiter {
    memory: Memory,
    redis: Option<RedisWithBreaker>,
}

/// Redis behind a circuit breaker: after a failure it is not used for a while, then one request probes it.
struct RedisWithBreaker {
    redis: Redis,
    on_failure: FailurePolicy,
    breaker: Mutex<Breaker>,
    clock: Arc<dyn Clock>,
}

#[derive(Debug, Clone)]
enum Breaker {
    Closed,
    Open {
        retry_at: Duration,
        pause: Duration,
        error: BackendError,
    },
}

/// The reason why a request may use Redis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Admission {
    Regular,
    /// The request that probes Redis after a pause.
    Probe,
}

/// A granted request. If the work fails, [`Limiter::release`] takes it back within 60 seconds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a reservation is released when the work fails"]
pub struct Reservation {
    pub client: ClientKey,
    pub id: RequestId,
    /// The backend that counted it.
    pub backend: BackendKind,
}

/// The result of a reservation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReserveOutcome {
    /// The request may proceed.
    Granted(Reservation, Usage),
    /// The request must wait; the decision holds the time.
    Refused(Decision, Usage),
}

/// The error if Redis cannot be used and there is no fallback, or if it is busy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the rate limiter can't be used: {0}")]
pub struct Unavailable(#[source] pub BackendError);

/// The state of the limiter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// The backend in use.
    pub backend: BackendKind,
    /// `false` if Redis is configured but not in use.
    pub is_ok: bool,
}

impl Limiter {
    /// Creates a limiter in memory only.
    #[must_use]
    pub fn in_memory(memory: Memory) -> Self {
        Self {
            memory,
            redis: None,
        }
    }

    /// Creates a limiter on Redis. Both backends must have the same limits.
    #[must_use]
    pub fn on_redis(
        redis: Redis,
        memory: Memory,
        on_failure: FailurePolicy,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            memory,
            redis: Some(RedisWithBreaker {
                redis,
                on_failure,
                breaker: Mutex::new(Breaker::Closed),
                clock,
            }),
        }
    }

    #[must_use]
    pub fn limits(&self) -> Limits {
        self.memory.limits()
    }

    /// Changes the limits. The counts stay.
    pub fn set_limits(&self, limits: Limits) {
        self.memory.set_limits(limits);
        if let Some(guarded) = &self.redis {
            guarded.redis.set_limits(limits);
        }
    }

    /// Counts a request before its work is done.
    ///
    /// # Errors
    /// [`Unavailable`] if Redis cannot be used and [`FailurePolicy::Refuse`] is set, and with
    /// [`BackendError::Busy`] if it has too many other requests.
    pub fn reserve(&self, client: &ClientKey) -> Result<ReserveOutcome, Unavailable> {
        let (backend, outcome) = self.ask(|backend| backend.reserve(client))?;
        let usage = outcome.usage;
        Ok(match outcome.decision {
            Decision::Granted(id) => {
                let client = client.clone();
                ReserveOutcome::Granted(
                    Reservation {
                        client,
                        id,
                        backend,
                    },
                    usage,
                )
            }
            refused @ (Decision::MinuteLimit { .. }
            | Decision::DailyLimit { .. }
            | Decision::TotalLimit { .. }) => ReserveOutcome::Refused(refused, usage),
        })
    }

    /// Releases a request whose work failed. Returns true if it was credited.
    ///
    /// # Errors
    /// [`BackendError`] if the backend that counted the request cannot be used; the request stays counted.
    pub fn release(&self, reservation: &Reservation) -> Result<bool, BackendError> {
        let Reservation {
            client,
            id,
            backend,
        } = reservation;
        match (backend, &self.redis) {
            (BackendKind::Redis, Some(guarded)) => guarded.redis.release(client, *id),
            (BackendKind::Memory | BackendKind::Redis, _) => self.memory.release(client, *id),
        }
    }

    /// Returns the client's counts, and the backend that holds them.
    ///
    /// # Errors
    /// The same as for [`reserve`](Self::reserve).
    pub fn usage(&self, client: &ClientKey) -> Result<(BackendKind, Usage), Unavailable> {
        self.ask(|backend| backend.usage(client))
    }

    /// Deletes all counts, in both backends, within a minute.
    ///
    /// # Errors
    /// [`BackendError`] if Redis cannot be used or the budget is spent; the counts in memory are deleted anyway.
    pub fn reset(&self, budget: &Budget) -> Result<(), BackendError> {
        let budget = &budget.within(RESET_TIME_LIMIT);
        self.memory.reset(budget)?;
        self.redis
            .as_ref()
            .map_or(Ok(()), |guarded| guarded.redis.reset(budget))
    }

    /// Returns the backend in use. Queries Redis, unless it failed a moment ago.
    pub fn status(&self) -> Status {
        let backend = match self.ask(|backend| backend.check()) {
            Ok((backend, ())) => backend,
            Err(Unavailable(BackendError::Busy)) => BackendKind::Redis,
            Err(Unavailable(_)) => BackendKind::Memory,
        };
        Status {
            backend,
            is_ok: self.redis.is_none() || backend == BackendKind::Redis,
        }
    }

    fn ask<T>(
        &self,
        question: impl Fn(&dyn Backend) -> Result<T, BackendError>,
    ) -> Result<(BackendKind, T), Unavailable> {
        let memory = || {
            Ok((
                BackendKind::Memory,
                question(&self.memory).map_err(Unavailable)?,
            ))
        };
        let Some(guarded) = &self.redis else {
            return memory();
        };
        match (guarded.ask(&question), guarded.on_failure) {
            (Ok(answer), _) => Ok((BackendKind::Redis, answer)),
            (Err(error @ BackendError::Busy), _) => Err(Unavailable(error)),
            (Err(_), FailurePolicy::FallBack) => memory(),
            (Err(error), FailurePolicy::Refuse) => Err(Unavailable(error)),
        }
    }
}

impl RedisWithBreaker {
    fn ask<T>(
        &self,
        question: impl Fn(&dyn Backend) -> Result<T, BackendError>,
    ) -> Result<T, BackendError> {
        let admission = self.admit()?;
        let answer = question(&self.redis);
        match &answer {
            Ok(_) => self.succeeded(),
            Err(BackendError::Busy) => return Err(self.busy()),
            Err(error) => self.failed(admission, error),
        }
        answer
    }

    /// Returns the reason of a busy pool: Redis failed, or it only has too many requests.
    fn busy(&self) -> BackendError {
        match &*self.breaker() {
            Breaker::Closed => BackendError::Busy,
            Breaker::Open { error, .. } => error.clone(),
        }
    }

    /// Admits a request to Redis: any while the breaker is closed, one after each pause while it is open.
    fn admit(&self) -> Result<Admission, BackendError> {
        let now = self.clock.monotonic();
        match &mut *self.breaker() {
            Breaker::Closed => Ok(Admission::Regular),
            Breaker::Open {
                retry_at, error, ..
            } if now < *retry_at => Err(error.clone()),
            Breaker::Open {
                retry_at, pause, ..
            } => {
                *retry_at = now + *pause;
                Ok(Admission::Probe)
            }
        }
    }

    fn succeeded(&self) {
        let mut breaker = self.breaker();
        if matches!(*breaker, Breaker::Open { .. }) {
            tracing::info!("the rate limiter uses Redis again");
            *breaker = Breaker::Closed;
        }
    }

    fn failed(&self, admission: Admission, error: &BackendError) {
        let now = self.clock.monotonic();
        let mut breaker = self.breaker();
        let pause = match (&*breaker, admission) {
            (Breaker::Closed, _) => {
                let effect = match self.on_failure {
                    FailurePolicy::FallBack => "counted in memory",
                    FailurePolicy::Refuse => "refused",
                };
                tracing::warn!("requests are {effect}: {error}");
                MIN_RETRY_DELAY
            }
            (Breaker::Open { pause, .. }, Admission::Probe) => (*pause * 2).min(MAX_RETRY_DELAY),
            // Requests that were in flight when the first one failed change nothing.
            (Breaker::Open { .. }, Admission::Regular) => return,
        };
        *breaker = Breaker::Open {
            retry_at: now + pause,
            pause,
            error: error.clone(),
        };
    }

    fn breaker(&self) -> MutexGuard<'_, Breaker> {
        self.breaker.lock()
    }
}
