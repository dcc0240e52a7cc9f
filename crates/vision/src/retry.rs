//! A single retry within the budget of a call.

use std::time::Duration;

use crate::call::{Call, Timer};
use crate::error::Error;

/// The default budget of a call: a reservation of a rate limiter can be released within 60 seconds, and the
/// call must have ended by then.
pub const DEFAULT_BUDGET: Duration = Duration::from_secs(50);
/// The maximum wait before a retry.
pub const MAX_RETRY_DELAY: Duration = Duration::from_secs(15);

/// The wait before a retry if the service names none.
const UNNAMED_DELAY: Duration = Duration::from_secs(2);
/// The wait after a failure of the service or of the network.
const FAILURE_DELAY: Duration = Duration::from_secs(1);
/// The minimum time for a second attempt to be worthwhile.
const MIN_ATTEMPT: Duration = Duration::from_secs(1);

/// Runs `attempt` with the remaining time, and once more if that may help and there is enough time.
pub(crate) fn with_one_retry<T>(
    timer: &dyn Timer,
    call: &Call,
    mut attempt: impl FnMut(Duration) -> Result<T, Error>,
) -> Result<T, Error> {
    let end = timer.monotonic() + call.budget;
    let error = match attempt(call.budget) {
        Ok(answer) => return Ok(answer),
        Err(error) => error,
    };
    let left = end.saturating_sub(timer.monotonic());
    let Some(delay) = delay(&error).filter(|delay| *delay + MIN_ATTEMPT <= left) else {
        return Err(error);
    };
    timer.wait(delay, &call.cancel);
    if call.cancel.is_cancelled() {
        return Err(Error::Cancelled);
    }
    match end.saturating_sub(timer.monotonic()) {
        Duration::ZERO => Err(error),
        left => attempt(left),
    }
}

/// Returns the wait before a retry, if one may help.
fn delay(error: &Error) -> Option<Duration> {
    match error {
        Error::RateLimited {
            retry_after,
            per_day: false,
        } => Some(retry_after.unwrap_or(UNNAMED_DELAY)).filter(|delay| *delay <= MAX_RETRY_DELAY),
        Error::ServiceError { .. } | Error::Unreachable { .. } => Some(FAILURE_DELAY),
        Error::RateLimited { per_day: true, .. }
        | Error::NotConfigured(_)
        | Error::Unauthorized { .. }
        | Error::BadRequest { .. }
        | Error::ModelGone { .. }
        | Error::OutOfCredit { .. }
        | Error::Refused { .. }
        | Error::EmptyAnswer
        | Error::MalformedAnswer(_)
        | Error::AnswerTooLarge { .. }
        | Error::Redirected { .. }
        | Error::UntrustedCertificate { .. }
        | Error::TimedOut { .. }
        | Error::Cancelled
        | Error::ModeNotSupported(_)
        | Error::CommandMissing { .. }
        | Error::CommandFailed { .. }
        | Error::CommandNotRun { .. }
        | Error::CommandFlooded { .. }
        | Error::CommandOverLimit(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use fumikura_base::clock::{Clock, ManualClock};
    use jiff::Timestamp;

    use super::*;
    use crate::call::Cancel;

    /// A timer that advances by each wait, and by the duration of each attempt.
    #[derive(Debug)]
    struct TestTimer(ManualClock);

    impl Clock for TestTimer {
        fn now(&self) -> Timestamp {
            self.0.now()
        }

        fn monotonic(&self) -> Duration {
            self.0.monotonic()
        }
    }

    impl Timer for TestTimer {
        fn wait(&self, duration: Duration, _: &Cancel) {
            self.0.advance(duration);
        }
    }

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn limited(retry_after: Option<u64>) -> Error {
        Error::RateLimited {
            retry_after: retry_after.map(Duration::from_secs),
            per_day: false,
        }
    }

    fn failure() -> Error {
        Error::ServiceError {
            status: 500,
            message: String::new(),
        }
    }

    /// Makes a call whose attempts fail with `error` after `each`, and compares the start times of the
    /// attempts.
    #[track_caller]
    fn check(error: &Error, each: Duration, expected: &[u64]) {
        let timer = TestTimer(ManualClock::new(Timestamp::UNIX_EPOCH));
        let mut begun = Vec::new();
        let result = with_one_retry(&timer, &Call::default(), |left| {
            begun.push(timer.monotonic().as_secs());
            assert_eq!(left, DEFAULT_BUDGET.checked_sub(timer.monotonic()).unwrap());
            timer.0.advance(each.min(left));
            Err::<(), _>(error.clone())
        });
        assert_eq!(result.as_ref(), Err(error));
        assert_eq!(begun, expected);
        assert!(timer.monotonic() <= DEFAULT_BUDGET);
    }

    #[test]
    fn retried_once_after_the_delay() {
        check(&failure(), seconds(3), &[0, 4]);
        check(&limited(Some(7)), seconds(0), &[0, 7]);
        check(&limited(None), seconds(0), &[0, 2]);
    }

    #[test]
    fn long_waits_and_daily_limits_are_not_retried() {
        check(&limited(Some(16)), seconds(0), &[0]);
        let per_day = Error::RateLimited {
            retry_after: Some(seconds(1)),
            per_day: true,
        };
        check(&per_day, seconds(0), &[0]);
        check(&Error::EmptyAnswer, seconds(0), &[0]);
    }

    #[test]
    fn retry_never_exceeds_the_budget() {
        check(&failure(), seconds(48), &[0, 49]);
        check(&failure(), seconds(49), &[0]);
        check(&limited(Some(15)), seconds(35), &[0]);
    }

    #[test]
    fn cancelled_while_waiting() {
        let timer = TestTimer(ManualClock::new(Timestamp::UNIX_EPOCH));
        let call = Call::default();
        let mut attempts = 0;
        let result = with_one_retry(&timer, &call, |_| {
            attempts += 1;
            call.cancel.cancel();
            Err::<(), _>(failure())
        });
        assert_eq!((result, attempts), (Err(Error::Cancelled), 1));
    }
}
