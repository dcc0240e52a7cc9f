//! Both backends make the same decisions: docs/spec/rate-limiter.md.

#![allow(clippy::unwrap_used, reason = "a failed step ends the test")]

mod common;

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use common::{RedisServer, client, memory, redis_at};
use fumikura_base::budget::Budget;
use fumikura_base::clock::ManualClock;
use fumikura_limits::{Backend, ClientKey, Decision, Limits, Outcome, RequestId, Usage};
use jiff::Timestamp;
use proptest::prelude::*;

/// A backend on a manual clock.
struct Subject {
    backend: Box<dyn Backend>,
    clock: Arc<ManualClock>,
    _server: Option<RedisServer>,
}

const NOON: &str = "2026-02-24T12:00:00.000003Z";
const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const MICROSECOND: Duration = Duration::from_micros(1);

impl Subject {
    /// Returns a subject for each backend.
    fn both(limits: Limits, zone: &str, now: &str) -> [Self; 2] {
        let now: Timestamp = now.parse().unwrap();
        let clocks = [(); 2].map(|()| Arc::new(ManualClock::new(now)));
        let server = RedisServer::start();
        let [first, second] = clocks;
        [
            Self {
                backend: Box::new(memory(limits, zone, &first)),
                clock: first,
                _server: None,
            },
            Self {
                backend: Box::new(redis_at(&server.url(), limits, zone, &second)),
                clock: second,
                _server: Some(server),
            },
        ]
    }

    fn reserve(&self, client: &ClientKey) -> Outcome {
        self.backend.reserve(client).unwrap()
    }

    #[track_caller]
    fn grant(&self) -> RequestId {
        let outcome = self.reserve(&client(1));
        let Decision::Granted(id) = outcome.decision else {
            panic!("{outcome:?}");
        };
        id
    }

    fn decide(&self) -> Decision {
        self.reserve(&client(1)).decision
    }

    fn usage(&self) -> Usage {
        self.backend.usage(&client(1)).unwrap()
    }

    fn counts(&self) -> (u64, u64) {
        let usage = self.usage();
        (usage.minute_count, usage.daily_count)
    }

    fn release(&self, id: RequestId) -> bool {
        self.backend.release(&client(1), id).unwrap()
    }
}

fn limits(per_minute: u32, daily: u32) -> Limits {
    Limits {
        per_minute,
        daily,
        daily_total: None,
    }
}

const fn minute(retry_after: u64) -> Decision {
    Decision::MinuteLimit { retry_after }
}

const fn daily(retry_after: u64) -> Decision {
    Decision::DailyLimit { retry_after }
}

#[test]
fn entry_leaves_the_window_after_exactly_60_seconds() {
    for subject in Subject::both(limits(1, 10), "UTC", NOON) {
        subject.grant();
        subject.clock.advance(MINUTE - MICROSECOND);
        assert_eq!(subject.decide(), minute(1));
        assert_eq!(subject.counts(), (1, 1));
        subject.clock.advance(MICROSECOND);
        assert_eq!(subject.counts(), (0, 1));
        subject.grant();
        subject.clock.advance(MINUTE + MICROSECOND);
        subject.grant();
    }
}

#[test]
fn wait_is_rounded_up_past_the_second() {
    for subject in Subject::both(limits(2, 10), "UTC", NOON) {
        subject.grant();
        assert_eq!(subject.usage().minute_reset, 61);
        subject.grant();
        assert_eq!(subject.decide(), minute(61));
        subject.clock.advance(MICROSECOND);
        assert_eq!(subject.decide(), minute(60));
        subject.clock.advance(SECOND * 30);
        assert_eq!(subject.decide(), minute(30));
        subject.clock.advance(SECOND * 30 - MICROSECOND);
        assert!(matches!(subject.decide(), Decision::Granted(_)));
    }
}

#[test]
fn daily_limit_is_checked_before_the_minute_limit() {
    for subject in Subject::both(limits(1, 1), "UTC", NOON) {
        subject.grant();
        // The rest is 43,200 s minus 3 µs.
        assert_eq!(subject.decide(), daily(43_200));
        subject.clock.advance(SECOND * 43_199);
        assert_eq!(subject.decide(), daily(1));
        subject.clock.advance(SECOND);
        subject.grant();
    }
}

#[test]
fn limit_of_zero_refuses_without_a_count() {
    for subject in Subject::both(limits(0, 10), "UTC", NOON) {
        assert_eq!(subject.decide(), minute(60));
        assert_eq!(subject.counts(), (0, 0));
    }
    for subject in Subject::both(limits(0, 0), "UTC", NOON) {
        assert_eq!(subject.decide(), daily(43_200));
    }
}

#[test]
fn release_credits_once_within_60_seconds() {
    for subject in Subject::both(limits(3, 10), "UTC", NOON) {
        let [first, second, third] = [(); 3].map(|()| subject.grant());
        assert!(subject.release(second));
        assert!(!subject.release(second));
        assert_eq!(subject.counts(), (2, 2));
        // Another client's id is unknown.
        assert!(!subject.backend.release(&client(2), first).unwrap());
        subject.clock.advance(MINUTE - MICROSECOND);
        assert!(subject.release(first));
        subject.clock.advance(MICROSECOND);
        assert!(!subject.release(third));
        assert_eq!(subject.counts(), (0, 1));
    }
}

#[test]
fn release_after_midnight_credits_the_day_before() {
    for subject in Subject::both(limits(5, 2), "Asia/Tokyo", "2026-02-24T14:59:59.5Z") {
        let [first, _] = [(); 2].map(|()| subject.grant());
        subject.clock.advance(SECOND);
        subject.grant();
        assert!(subject.release(first));
        assert_eq!(subject.counts(), (2, 1));
        // The clock is set back over midnight: that day has one request left.
        subject.clock.put_back(SECOND);
        subject.grant();
        assert!(matches!(subject.decide(), Decision::DailyLimit { .. }));
    }
}

#[test]
fn clock_set_back_never_lengthens_the_wait() {
    for subject in Subject::both(limits(1, 10), "UTC", NOON) {
        subject.grant();
        subject.clock.put_back(SECOND * 3600);
        match subject.decide() {
            Decision::Granted(_) => {}
            Decision::MinuteLimit { retry_after } => assert!(retry_after <= 61),
            refused @ (Decision::DailyLimit { .. } | Decision::TotalLimit { .. }) => {
                panic!("{refused:?}")
            }
        }
    }
}

#[test]
fn days_follow_the_local_calendar() {
    // Each row holds the zone, the last instant of a day, and the length of the next day in hours, which is
    // not always 24.
    for (zone, last, length) in [
        ("Asia/Tokyo", "2026-01-31T14:59:59Z", 24),
        ("Asia/Tokyo", "2028-02-28T14:59:59Z", 24),
        ("Europe/Berlin", "2026-03-28T22:59:59Z", 23),
        ("Europe/Berlin", "2026-10-24T21:59:59Z", 25),
        ("America/Santiago", "2026-09-06T03:59:59Z", 23),
    ] {
        for subject in Subject::both(limits(9, 1), zone, last) {
            subject.grant();
            assert_eq!(subject.decide(), daily(1), "{zone} {last}");
            subject.clock.advance(SECOND);
            subject.grant();
            assert_eq!(subject.decide(), daily(length * 3600), "{zone} {last}");
        }
    }
}

#[test]
fn total_limit_bounds_all_clients_together() {
    let limits = Limits {
        daily_total: NonZeroU32::new(2),
        ..limits(5, 5)
    };
    for subject in Subject::both(limits, "UTC", NOON) {
        let id = subject.grant();
        assert!(matches!(
            subject.reserve(&client(2)).decision,
            Decision::Granted(_)
        ));
        let refused = subject.reserve(&client(3));
        assert_eq!(
            refused.decision,
            Decision::TotalLimit {
                retry_after: 43_200
            }
        );
        assert_eq!(
            (refused.usage.total_count, refused.usage.daily_count),
            (2, 0)
        );
        assert!(subject.release(id));
        assert_eq!(subject.usage().total_count, 1);
        assert!(matches!(
            subject.reserve(&client(3)).decision,
            Decision::Granted(_)
        ));
        subject.backend.reset(&Budget::unlimited()).unwrap();
        assert_eq!(subject.usage().total_count, 0);
        subject.grant();
    }
}

#[test]
fn clients_have_their_own_counts() {
    for subject in Subject::both(limits(1, 10), "UTC", NOON) {
        subject.grant();
        assert!(matches!(
            subject.reserve(&client(2)).decision,
            Decision::Granted(_)
        ));
        assert_eq!(subject.decide(), minute(61));
        subject.backend.reset(&Budget::unlimited()).unwrap();
        subject.backend.check().unwrap();
        assert_eq!(subject.counts(), (0, 0));
        subject.grant();
    }
}

/// A step of a random history.
#[derive(Debug, Clone)]
enum LimitStep {
    Advance(Duration),
    Reserve(u8),
    /// Releases one of the earlier ids; often it is old, released or another client's.
    Release(u8, prop::sample::Index),
}

fn step() -> impl Strategy<Value = LimitStep> {
    let millis = prop_oneof![Just(0), 1..2_000_u64, 20_000..61_000_u64, Just(60_000)];
    prop_oneof![
        2 => millis.prop_map(|millis| LimitStep::Advance(Duration::from_millis(millis))),
        5 => (1..4_u8).prop_map(LimitStep::Reserve),
        3 => (1..4_u8, any::<prop::sample::Index>()).prop_map(|(client, id)| LimitStep::Release(client, id)),
    ]
}

#[test]
fn backends_agree_on_random_histories() {
    let limits = Limits {
        daily_total: NonZeroU32::new(25),
        ..limits(3, 12)
    };
    let config = ProptestConfig::with_cases(60);
    let server = RedisServer::start();
    proptest!(config, |(steps in prop::collection::vec(step(), 1..60))| {
        // Midnight falls within the history.
        let now: Timestamp = "2026-02-24T23:58:00Z".parse().unwrap();
        let clock = Arc::new(ManualClock::new(now));
        let backends: [Box<dyn Backend>; 2] = [
            Box::new(memory(limits, "UTC", &clock)),
            Box::new(redis_at(&server.url(), limits, "UTC", &clock)),
        ];
        backends[1].reset(&Budget::unlimited()).unwrap();
        let mut ids = Vec::new();
        for step in steps {
            match step {
                LimitStep::Advance(by) => clock.advance(by),
                LimitStep::Reserve(number) => {
                    let [memory, redis] = [0, 1].map(|at| backends[at].reserve(&client(number)).unwrap());
                    prop_assert_eq!(memory.usage, redis.usage);
                    match (memory.decision, redis.decision) {
                        (Decision::Granted(first), Decision::Granted(second)) => ids.push([first, second]),
                        (memory, redis) => prop_assert_eq!(memory, redis),
                    }
                }
                LimitStep::Release(number, index) => {
                    if ids.is_empty() {
                        continue;
                    }
                    let pair = index.get(&ids);
                    let [memory, redis] = [0, 1].map(|at| backends[at].release(&client(number), pair[at]).unwrap());
                    prop_assert_eq!(memory, redis);
                }
            }
            let usage = [0, 1].map(|at| backends[at].usage(&client(1)).unwrap());
            prop_assert_eq!(usage[0], usage[1]);
        }
    });
}
