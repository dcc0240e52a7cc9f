//! The Redis backend on real servers: documented keys, and failing servers.

#![allow(clippy::unwrap_used, reason = "a failed step ends the test")]

mod common;

use std::net::TcpListener;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use common::fake::FakeRedis;
use common::proxy::Proxy;
use common::{RedisServer, client, memory, redis, redis_at, redis_or_cluster, until};
use fumikura_base::budget::Budget;
use fumikura_base::clock::{Clock, ManualClock};
use fumikura_base::entropy::SystemEntropy;
use fumikura_limits::{
    Backend, BackendError, BackendKind, Calendar, Decision, FailurePolicy, Limiter, Limits, Redis,
    RedisConfig, ReserveOutcome, Status, TimeSource, Usage,
};
use jiff::Timestamp;
use redis::Commands;

const LIMITS: Limits = Limits {
    per_minute: 3,
    daily: 5,
    daily_total: None,
};

fn clock() -> Arc<ManualClock> {
    let now: Timestamp = "2026-02-24T23:59:00.5Z".parse().unwrap();
    Arc::new(ManualClock::new(now))
}

#[track_caller]
fn granted(backend: &dyn Backend) -> fumikura_limits::RequestId {
    let outcome = backend.reserve(&client(1)).unwrap();
    let Decision::Granted(id) = outcome.decision else {
        panic!("{outcome:?}");
    };
    id
}

#[test]
fn keys_and_lifetimes_are_the_specified_ones() {
    let server = RedisServer::start();
    let mut connection = server.connection();
    let backend = redis_at(&server.url(), LIMITS, "UTC", &clock());
    let id = granted(&backend).to_string();
    let window = "rate:minute:10.0.0.1";
    let daily = "rate:daily:10.0.0.1:2026-02-24";
    let mut keys: Vec<String> = connection.keys("*").unwrap();
    keys.sort();
    assert_eq!(keys, [daily, window]);
    let entries: Vec<(String, f64)> = connection.zrange_withscores(window, 0, -1).unwrap();
    assert_eq!(entries, [(id, 1_771_977_540.5)]);
    assert_eq!(connection.get::<_, String>(daily).unwrap(), "1");
    let lifetime = |key: &str| -> i64 {
        redis::cmd("TTL")
            .arg(key)
            .query(&mut server.connection())
            .unwrap()
    };
    assert!((89..=90).contains(&lifetime(window)));
    // The day ends in 59.5 seconds.
    assert!((59..=60).contains(&lifetime(daily)));
}

#[test]
fn scores_have_microseconds() {
    let server = RedisServer::start();
    let backend = redis(&server.url(), LIMITS);
    granted(&backend);
    let entries: Vec<(String, String)> = server
        .connection()
        .zrange_withscores("rate:minute:10.0.0.1", 0, -1)
        .unwrap();
    let score = &entries[0].1;
    // A score has 10 digits, a point and up to 6 more digits: one in a million has none.
    assert!(score.len() > 12, "{score}");
}

#[test]
fn future_entries_are_pruned() {
    let server = RedisServer::start();
    let clock = clock();
    let backend = redis_at(&server.url(), LIMITS, "UTC", &clock);
    for _ in 0..3 {
        granted(&backend);
    }
    assert!(matches!(
        backend.reserve(&client(1)).unwrap().decision,
        Decision::MinuteLimit { .. }
    ));
    clock.put_back(Duration::from_secs(3600));
    let id = granted(&backend);
    assert_eq!(backend.usage(&client(1)).unwrap().minute_count, 1);
    clock.put_back(Duration::from_secs(1));
    assert_eq!(backend.release(&client(1), id), Ok(false));
}

#[test]
fn counter_never_loses_its_lifetime_at_midnight() {
    let server = RedisServer::start();
    let clock = clock();
    clock.advance(Duration::from_millis(59_400));
    let backend = redis_at(&server.url(), LIMITS, "UTC", &clock);
    granted(&backend);
    // A lifetime of 0 would have deleted the counter.
    assert_eq!(backend.usage(&client(1)).unwrap().daily_count, 1);
}

#[test]
fn scripts_are_loaded_again_after_a_restart() {
    let mut server = RedisServer::start();
    let backend = redis(&server.url(), LIMITS);
    granted(&backend);
    redis::cmd("SCRIPT")
        .arg("FLUSH")
        .exec(&mut server.connection())
        .unwrap();
    granted(&backend);
    server.kill();
    assert!(matches!(
        backend.reserve(&client(1)),
        Err(BackendError::Unreachable(_))
    ));
    server.restart();
    // The data is lost, as configured.
    granted(&backend);
}

#[test]
fn reset_deletes_the_limiters_own_keys_only() {
    let server = RedisServer::start();
    let mut connection = server.connection();
    let _: () = connection.set("rated:minute:10.0.0.1", "mine").unwrap();
    let backend = redis(&server.url(), LIMITS);
    granted(&backend);
    backend.reset(&Budget::unlimited()).unwrap();
    assert_eq!(
        connection.keys::<_, Vec<String>>("*").unwrap(),
        ["rated:minute:10.0.0.1"]
    );
}

#[track_caller]
fn refused(server: &RedisServer, code: &str) {
    match redis(&server.url(), LIMITS).reserve(&client(1)) {
        Err(BackendError::Refused { code: found, .. }) => assert_eq!(found, code),
        other => panic!("{other:?}"),
    }
}

#[test]
fn redis_that_answers_errors_is_named() {
    refused(&RedisServer::with(&["--requirepass", "secret"]), "NOAUTH");
    let server = RedisServer::start();
    let _: () = server
        .connection()
        .set("rate:minute:10.0.0.1", "text")
        .unwrap();
    refused(&server, "WRONGTYPE");
}

#[test]
fn user_with_the_listed_commands_suffices() {
    // The list of docs/spec/rate-limiter.md; INFO and HELLO are not in it.
    let commands = "+evalsha +script|load +time +ping +scan +unlink +get +incr +decr +ttl +expire \
        +zadd +zrem +zcard +zcount +zscore +zrange +zrangebyscore +zremrangebyscore";
    let user = ["--user", "limiter", "on", ">secret", "~rate:*"];
    let options: Vec<&str> = user
        .into_iter()
        .chain(commands.split_whitespace())
        .collect();
    let server = RedisServer::on_a_port(&options);
    let url = format!("redis://limiter:secret@127.0.0.1:{}/", server.port());
    let limits = Limits {
        daily_total: NonZeroU32::new(9),
        ..LIMITS
    };
    let backend = redis(&url, limits);
    let id = granted(&backend);
    assert_eq!(backend.release(&client(1), id), Ok(true));
    granted(&backend);
    assert_eq!(backend.usage(&client(1)).unwrap().total_count, 1);
    backend.check().unwrap();
    backend.reset(&Budget::unlimited()).unwrap();
    assert_eq!(backend.usage(&client(1)).unwrap().total_count, 0);
}

#[test]
fn lost_answer_is_counted_once() {
    let server = RedisServer::start();
    let proxy = Proxy::start(server.socket(), Duration::ZERO);
    let backend = redis(&proxy.url(), LIMITS);
    granted(&backend);
    granted(&backend);
    // The third request is the last one of the minute, and sent twice.
    proxy.lose_next_answer();
    let outcome = backend.reserve(&client(1)).unwrap();
    assert!(proxy.has_lost_the_answer());
    assert!(matches!(outcome.decision, Decision::Granted(_)));
    let counts = |usage: Usage| (usage.minute_count, usage.daily_count);
    assert_eq!(counts(outcome.usage), (3, 3));
    assert_eq!(counts(backend.usage(&client(1)).unwrap()), (3, 3));
}

#[test]
fn full_redis_still_counts() {
    // The script begins with a deletion, so Redis lets it finish.
    let server = RedisServer::with(&["--maxmemory", "1"]);
    let full: redis::RedisResult<()> = server.connection().set("key", "value");
    assert_eq!(full.unwrap_err().code(), Some("OOM"));
    let backend = redis(&server.url(), LIMITS);
    for _ in 0..3 {
        granted(&backend);
    }
    let decision = backend.reserve(&client(1)).unwrap().decision;
    assert!(matches!(decision, Decision::MinuteLimit { .. }));
}

#[test]
fn wrong_password_is_refused_and_never_shown() {
    let server = RedisServer::on_a_port(&["--requirepass", "secret"]);
    let url = |password: &str| format!("redis://:{password}@127.0.0.1:{}/", server.port());
    granted(&redis(&url("secret"), LIMITS));
    let backend = redis(&url("mistaken"), LIMITS);
    let error = backend.reserve(&client(1)).unwrap_err();
    assert!(!format!("{error} {error:?} {backend:?}").contains("mistaken"));
}

/// The answer to a command for which a test has no other.
fn ordinary(command: &[String]) -> String {
    match &*command[0] {
        "INFO" => bulk("redis_version:7.0.0\r\n"),
        _ => "+OK\r\n".to_owned(),
    }
}

fn bulk(text: &str) -> String {
    format!("${}\r\n{text}\r\n", text.len())
}

#[test]
fn server_that_repeats_the_password_is_not_quoted() {
    let password = "hunter2";
    let encoded = "aHVudGVyMg==";
    for name in ["AUTH", "INFO", "EVALSHA", "PING"] {
        for answer in [
            format!("-{password} {password}\r\n"),
            format!("-ERR no such user {password}\r\n"),
            format!("-WRONGPASS {encoded}\r\n"),
            format!("-NOPERM {password}\r\n"),
            format!("-MOVED 1 {password}:6379\r\n"),
            format!("+{password}\r\n"),
            format!("{password}\r\n"),
            bulk(&format!("redis_version:{password}\r\n")),
            bulk(&format!("redis_version:4.{password}\r\n")),
            format!("*2\r\n{}{}", bulk(password), bulk(encoded)),
        ] {
            let given = answer.clone();
            let server = FakeRedis::start(move |command| match command[0] == name {
                true => given.clone(),
                false => ordinary(command),
            });
            let backend = redis(&server.url(password), LIMITS);
            let errors = [backend.reserve(&client(1)).err(), backend.check().err()];
            let words = format!(
                "{errors:?} {}",
                errors
                    .iter()
                    .flatten()
                    .map(ToString::to_string)
                    .collect::<String>()
            );
            assert!(errors[0].is_some(), "{name}: {answer}");
            for secret in [password, encoded] {
                assert!(!words.contains(secret), "{name}: {answer}: {words}");
            }
        }
    }
}

#[test]
fn redirect_outside_a_cluster_is_not_followed() {
    for redirect in ["MOVED", "ASK"] {
        let other = TcpListener::bind("127.0.0.1:0").unwrap();
        other.set_nonblocking(true).unwrap();
        let address = other.local_addr().unwrap();
        let server = FakeRedis::start(move |command| match &*command[0] {
            // It claims to be a cluster.
            "INFO" => bulk("redis_version:7.0.0\r\ncluster_enabled:1\r\n"),
            "EVALSHA" => format!("-{redirect} 1 {address}\r\n"),
            _ => ordinary(command),
        });
        let reserved = redis(&server.url("secret"), LIMITS).reserve(&client(1));
        assert_eq!(reserved, Err(BackendError::Redirected));
        let connection = other.accept().map(drop);
        assert_eq!(
            connection.unwrap_err().kind(),
            std::io::ErrorKind::WouldBlock
        );
    }
}

/// A server whose keys never end, among them one that is not the limiter's.
fn endless(then: impl Fn() + Send + Sync + 'static) -> FakeRedis {
    FakeRedis::start(move |command| match &*command[0] {
        "SCAN" => {
            then();
            format!(
                "*2\r\n{}*2\r\n{}{}",
                bulk("7"),
                bulk("rate:a"),
                bulk("rated:b")
            )
        }
        "UNLINK" => ":1\r\n".to_owned(),
        _ => ordinary(command),
    })
}

#[test]
fn endless_keys_end_with_the_budget() {
    let server = endless(|| ());
    let backend = redis(&server.url("secret"), LIMITS);
    let reset = backend.reset(&Budget::of_steps(5));
    assert_eq!(reset, Err(BackendError::Incomplete));
    assert_eq!(server.commands("SCAN").len(), 5);
    assert_eq!(server.commands("UNLINK"), vec![["rate:a"]; 5]);
}

#[test]
fn reset_ends_when_its_client_leaves() {
    let budget = Budget::unlimited();
    let request = budget.clone();
    let server = endless(move || request.cancel());
    let backend = redis(&server.url("secret"), LIMITS);
    assert_eq!(backend.reset(&budget), Err(BackendError::Incomplete));
    assert_eq!(server.commands("SCAN").len(), 1);
}

#[test]
fn silent_redis_costs_one_timeout() {
    let server = RedisServer::start();
    let backend = redis(&server.url(), LIMITS);
    granted(&backend);
    server.stop("-STOP");
    assert_eq!(
        backend.reserve(&client(1)),
        Err(BackendError::TimedOut(500))
    );
    server.stop("-CONT");
    // The late answer is not mistaken for another one's.
    until("Redis to answer", || backend.reserve(&client(2)).is_ok());
    // This listener accepts connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("redis://{}/", silent.local_addr().unwrap());
    let error = redis(&url, LIMITS).reserve(&client(1));
    assert_eq!(error, Err(BackendError::TimedOut(500)));
}

#[test]
fn cluster_keeps_all_keys_on_one_node() {
    let options = [
        "--cluster-enabled",
        "yes",
        "--cluster-config-file",
        "nodes.conf",
    ];
    let nodes = [(); 2].map(|()| RedisServer::on_a_port(&options));
    // Each node has half of the slots.
    for (node, (first, last)) in nodes.iter().zip([(0, 8191), (8192, 16383)]) {
        let add = redis::cmd("CLUSTER")
            .arg("ADDSLOTSRANGE")
            .arg(first)
            .arg(last)
            .to_owned();
        add.exec(&mut node.connection()).unwrap();
    }
    let meet = redis::cmd("CLUSTER")
        .arg("MEET")
        .arg("127.0.0.1")
        .arg(nodes[1].port())
        .to_owned();
    meet.exec(&mut nodes[0].connection()).unwrap();
    let is_up = |node: &RedisServer| {
        let info: String = redis::cmd("CLUSTER")
            .arg("INFO")
            .query(&mut node.connection())
            .unwrap();
        info.contains("cluster_state:ok")
    };
    until("the cluster", || nodes.iter().all(is_up));
    // One of the two nodes answers MOVED.
    let backends = nodes
        .each_ref()
        .map(|node| redis_or_cluster(&node.url(), LIMITS, true));
    granted(&backends[0]);
    granted(&backends[1]);
    granted(&backends[0]);
    for backend in &backends {
        let decision = backend.reserve(&client(1)).unwrap().decision;
        assert!(matches!(decision, Decision::MinuteLimit { .. }));
        assert!(matches!(
            backend.reserve(&client(2)).unwrap().decision,
            Decision::Granted(_)
        ));
    }
}

#[test]
fn cluster_is_recognized_without_info() {
    let options = "--cluster-enabled yes --cluster-config-file nodes.conf --rename-command INFO";
    let options: Vec<&str> = options.split(' ').chain([""]).collect();
    let node = RedisServer::on_a_port(&options);
    let mut connection = node.connection();
    let mut cluster = |words: &[&str]| -> String {
        let command = redis::cmd("CLUSTER").arg(words).to_owned();
        command.query(&mut connection).unwrap()
    };
    cluster(&["ADDSLOTSRANGE", "0", "16383"]);
    until("the cluster", || {
        cluster(&["INFO"]).contains("cluster_state:ok")
    });
    granted(&redis(&node.url(), LIMITS));
}

#[test]
fn clocks_that_differ_by_days_are_an_error() {
    let server = RedisServer::start();
    let clock = Arc::new(ManualClock::new("2020-01-01T00:00:00Z".parse().unwrap()));
    let config = RedisConfig {
        url: server.url(),
        prefix: "rate".to_owned(),
        is_cluster: false,
        time: TimeSource::Server,
    };
    let calendar = Calendar::system();
    let backend = Redis::new(config, LIMITS, calendar, clock, Arc::new(SystemEntropy)).unwrap();
    assert_eq!(backend.reserve(&client(1)), Err(BackendError::ClocksDiffer));
}

#[test]
fn bad_urls_are_refused_at_once() {
    for url in [
        "",
        "redis",
        "http://127.0.0.1/",
        "redis://:pw@",
        "rediss://127.0.0.1/#insecure",
        "redis://127.0.0.1:port/",
    ] {
        let config = RedisConfig {
            url: url.to_owned(),
            prefix: "rate".to_owned(),
            is_cluster: false,
            time: TimeSource::Server,
        };
        let (clock, entropy) = (clock(), Arc::new(SystemEntropy));
        let error = Redis::new(config, LIMITS, Calendar::system(), clock, entropy).unwrap_err();
        assert!(!error.to_string().contains("pw"), "{error}");
    }
}

fn limiter(server: &RedisServer, clock: &Arc<ManualClock>, on_failure: FailurePolicy) -> Limiter {
    let backend = redis_at(&server.url(), LIMITS, "UTC", clock);
    let memory = memory(LIMITS, "UTC", clock);
    Limiter::on_redis(
        backend,
        memory,
        on_failure,
        Arc::clone(clock) as Arc<dyn Clock>,
    )
}

#[track_caller]
fn backend_of(limiter: &Limiter) -> BackendKind {
    match limiter.reserve(&client(1)).unwrap() {
        ReserveOutcome::Granted(reservation, _) => reservation.backend,
        refused @ ReserveOutcome::Refused(..) => panic!("{refused:?}"),
    }
}

#[test]
fn limiter_falls_back_and_returns_to_redis() {
    let mut server = RedisServer::start();
    let clock = clock();
    let limiter = limiter(&server, &clock, FailurePolicy::FallBack);
    assert_eq!(backend_of(&limiter), BackendKind::Redis);
    server.kill();
    for _ in 0..3 {
        assert_eq!(backend_of(&limiter), BackendKind::Memory);
    }
    // In memory the limit holds as well.
    assert!(matches!(
        limiter.reserve(&client(1)),
        Ok(ReserveOutcome::Refused(Decision::MinuteLimit { .. }, _))
    ));
    assert_eq!(
        limiter.status(),
        Status {
            backend: BackendKind::Memory,
            is_ok: false
        }
    );
    // A pause of one second ended in a failure; the next pause is two seconds.
    clock.advance(Duration::from_secs(1));
    assert!(!limiter.status().is_ok);
    server.restart();
    clock.advance(Duration::from_secs(1));
    assert!(!limiter.status().is_ok);
    clock.advance(Duration::from_secs(1));
    assert_eq!(backend_of(&limiter), BackendKind::Redis);
    assert_eq!(
        limiter.status(),
        Status {
            backend: BackendKind::Redis,
            is_ok: true
        }
    );
}

#[test]
fn changed_limits_apply_to_existing_counts() {
    let server = RedisServer::start();
    let clock = clock();
    let on_redis = limiter(&server, &clock, FailurePolicy::FallBack);
    let in_memory = Limiter::in_memory(memory(LIMITS, "UTC", &clock));
    for limiter in [on_redis, in_memory] {
        let is_granted = || {
            let outcome = limiter.reserve(&client(1)).unwrap();
            matches!(outcome, ReserveOutcome::Granted(..))
        };
        assert_eq!([(); 4].map(|()| is_granted()), [true, true, true, false]);
        let more = Limits {
            per_minute: 5,
            daily: 9,
            ..LIMITS
        };
        limiter.set_limits(more);
        assert_eq!(limiter.limits(), more);
        assert_eq!([(); 3].map(|()| is_granted()), [true, true, false]);
    }
}

#[test]
fn limiter_releases_where_it_reserved() {
    let mut server = RedisServer::start();
    let clock = clock();
    let limiter = limiter(&server, &clock, FailurePolicy::FallBack);
    let reserve = || match limiter.reserve(&client(1)).unwrap() {
        ReserveOutcome::Granted(reservation, _) => reservation,
        refused @ ReserveOutcome::Refused(..) => panic!("{refused:?}"),
    };
    let on_redis = reserve();
    server.kill();
    let in_memory = reserve();
    assert!(limiter.release(&on_redis).is_err());
    assert_eq!(limiter.release(&in_memory), Ok(true));
    assert_eq!(limiter.usage(&client(1)).unwrap().1.minute_count, 0);
    assert!(limiter.reset(&Budget::unlimited()).is_err());
}

#[test]
fn limiter_that_must_not_fall_back_refuses() {
    let mut server = RedisServer::start();
    let limiter = limiter(&server, &clock(), FailurePolicy::Refuse);
    assert_eq!(backend_of(&limiter), BackendKind::Redis);
    server.kill();
    for _ in 0..2 {
        let error = limiter.reserve(&client(1)).unwrap_err();
        assert!(matches!(error.0, BackendError::Unreachable(_)), "{error:?}");
    }
}
