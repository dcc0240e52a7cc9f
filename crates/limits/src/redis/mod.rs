//! The backend that several processes share.

mod failure;
mod pool;

use std::fmt;
use std::sync::Arc;

use fumikura_base::budget::Budget;
use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;
use jiff::Timestamp;
use parking_lot::{Mutex, RwLock};
use redis::{Cmd, Connection, RedisResult, Script, ScriptInvocation};

use self::pool::{Pool, Server};
use crate::calendar::Days;
use crate::{
    Backend, BackendError, Calendar, ClientKey, Decision, Limits, Outcome, RequestId, Usage,
};

/// The source of the time of a decision.
#[derive(Clone)]
pub enum TimeSource {
    /// Redis' own clock, so that all processes agree.
    Server,
    /// This clock's wall time, for tests that need an exact instant.
    Clock(Arc<dyn Clock>),
}

/// The configuration of Redis.
#[derive(Clone)]
pub struct RedisConfig {
    /// `redis://[user:password@]host[:port][/db]`, `rediss://…` for TLS, or `unix:///path/to/socket`.
    pub url: String,
    /// The prefix of every key: `rate` makes `rate:minute:…` and `rate:daily:…`.
    pub prefix: String,
    /// True if the server is a node of a cluster, whose other nodes may receive the password.
    pub is_cluster: bool,
    pub time: TimeSource,
}

/// An invalid URL. The URL itself may hold a password and is not shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the address of Redis can't be used: {0}")]
pub struct InvalidUrl(String);

/// Reservations on a Redis server, version 5 or newer, or Valkey.
pub struct Redis {
    limits: RwLock<Limits>,
    prefix: String,
    time: TimeSource,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    calendar: Mutex<Calendar>,
    pool: Pool,
    scripts: Scripts,
}

struct Scripts {
    reserve: Script,
    release: Script,
    usage: Script,
}

/// The return value of `reserve.lua`.
type ReserveReply = (u8, redis::Value, u64, u64, u64, u64, u64);
/// The return value of `usage.lua`.
type UsageReply = (u64, u64, u64, u64, u64);

impl Redis {
    /// Checks the form of a URL, without a connection.
    ///
    /// # Errors
    /// [`InvalidUrl`] if the URL is invalid or of an unsupported kind.
    pub fn check_url(url: &str) -> Result<(), InvalidUrl> {
        Pool::new(url, false).map(drop)
    }

    /// Prepares the backend; the first request connects.
    ///
    /// # Errors
    /// [`InvalidUrl`] if the URL is invalid or of an unsupported kind.
    pub fn new(
        config: RedisConfig,
        limits: Limits,
        calendar: Calendar,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, InvalidUrl> {
        Ok(Self {
            limits: RwLock::new(limits),
            prefix: config.prefix,
            time: config.time,
            clock,
            entropy,
            calendar: Mutex::new(calendar),
            pool: Pool::new(&config.url, config.is_cluster)?,
            scripts: Scripts {
                reserve: Script::new(include_str!("reserve.lua")),
                release: Script::new(include_str!("release.lua")),
                usage: Script::new(include_str!("usage.lua")),
            },
        })
    }

    /// Returns the days around now, by the clock of the scripts if that is a clock of this process.
    fn days(&self) -> Days {
        let now = match &self.time {
            TimeSource::Server => self.clock.now(),
            TimeSource::Clock(clock) => clock.now(),
        };
        self.calendar.lock().days_around(now)
    }

    /// Returns the first argument of the scripts.
    fn now(&self) -> String {
        match &self.time {
            TimeSource::Server => String::new(),
            TimeSource::Clock(clock) => seconds(clock.now()),
        }
    }

    fn limits(&self) -> Limits {
        *self.limits.read()
    }

    pub(crate) fn set_limits(&self, limits: Limits) {
        *self.limits.write() = limits;
    }

    fn total_limit(&self) -> u32 {
        self.limits().daily_total.map_or(0, std::num::NonZero::get)
    }

    fn invocation<'a>(
        &self,
        script: &'a Script,
        client: &ClientKey,
        days: &Days,
        server: Server,
    ) -> ScriptInvocation<'a> {
        let mut invocation = script.prepare_invoke();
        for key in self.keys(client, days, server) {
            invocation.key(key);
        }
        invocation.arg(self.now());
        invocation
    }

    /// Returns the keys of the window, and of the daily counts of the client and of all clients for three
    /// days.
    fn keys(&self, client: &ClientKey, days: &Days, server: Server) -> Vec<String> {
        let prefix = self.prefix(server);
        let mut keys = vec![format!("{prefix}:minute:{client}")];
        let dates = days.dates();
        keys.extend(dates.map(|date| format!("{prefix}:daily:{client}:{date}")));
        keys.extend(dates.map(|date| format!("{prefix}:total:{date}")));
        keys
    }

    /// Returns the prefix of the keys. A cluster keeps all keys with the same hash tag on one node, which
    /// scripts require.
    fn prefix(&self, server: Server) -> String {
        match server.is_cluster {
            true => format!("{{{}}}", self.prefix),
            false => self.prefix.clone(),
        }
    }
}

impl Backend for Redis {
    fn reserve(&self, client: &ClientKey) -> Result<Outcome, BackendError> {
        let days = self.days();
        let day_left = days.left(self.clock.now());
        let limits = self.limits();
        if let Some(decision) = limits.refusal(day_left) {
            let usage = Usage {
                daily_reset: day_left,
                ..Usage::default()
            };
            return Ok(Outcome { decision, usage });
        }
        let id = RequestId::random(&*self.entropy);
        let reserved: ReserveReply = self.pool.with(|connection, server| {
            let script = &self.scripts.reserve;
            let mut invocation = self.invocation(script, client, &days, server);
            invocation.arg(id.to_string()).arg(limits.per_minute);
            invocation.arg(limits.daily).arg(self.total_limit());
            invocation.arg(days.starts().as_slice()).invoke(connection)
        })?;
        outcome(id, reserved)
    }

    fn release(&self, client: &ClientKey, id: RequestId) -> Result<bool, BackendError> {
        let days = self.days();
        self.pool.with(|connection, server| {
            let script = &self.scripts.release;
            let mut invocation = self.invocation(script, client, &days, server);
            invocation.arg(id.to_string());
            invocation.arg(days.starts().as_slice());
            invocation.arg(self.total_limit()).invoke(connection)
        })
    }

    fn usage(&self, client: &ClientKey) -> Result<Usage, BackendError> {
        let days = self.days();
        let counts: UsageReply = self.pool.with(|connection, server| {
            let script = &self.scripts.usage;
            let mut invocation = self.invocation(script, client, &days, server);
            invocation.arg(days.starts().as_slice()).invoke(connection)
        })?;
        let (minute_count, daily_count, total_count, minute_reset, daily_reset) = counts;
        Ok(Usage {
            minute_count,
            daily_count,
            total_count: self.limits().daily_total.map_or(0, |_| total_count),
            minute_reset,
            daily_reset,
        })
    }

    fn reset(&self, budget: &Budget) -> Result<(), BackendError> {
        let is_complete = self.pool.with(|connection, server| {
            let prefix = format!("{}:", self.prefix(server));
            delete_all(connection, &prefix, budget)
        })?;
        is_complete.then_some(()).ok_or(BackendError::Incomplete)
    }

    fn check(&self) -> Result<(), BackendError> {
        self.pool
            .with(|connection, _| redis::cmd("PING").exec(connection))
    }
}

impl fmt::Debug for Redis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The URL may hold a password.
        f.debug_struct("Redis")
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}

fn outcome(id: RequestId, reserved: ReserveReply) -> Result<Outcome, BackendError> {
    let (status, payload, minute_count, daily_count, total_count, minute_reset, daily_reset) =
        reserved;
    let usage = Usage {
        minute_count,
        daily_count,
        total_count,
        minute_reset,
        daily_reset,
    };
    let is_total = matches!(&payload, redis::Value::BulkString(text) if text == b"total");
    let decision = match status {
        0 => Decision::Granted(id),
        1 => Decision::MinuteLimit {
            retry_after: minute_reset,
        },
        2 if is_total => Decision::TotalLimit {
            retry_after: daily_reset,
        },
        2 => Decision::DailyLimit {
            retry_after: daily_reset,
        },
        _ => return Err(BackendError::NotUnderstood),
    };
    Ok(Outcome { decision, usage })
}

/// Returns the seconds since 1970 with six decimals.
fn seconds(now: Timestamp) -> String {
    // Exact: microseconds of this age have 51 bits.
    let seconds = now.as_microsecond() as f64 / 1e6;
    format!("{seconds:.6}")
}

/// Returns a pattern that matches only this text.
fn glob(text: &str) -> String {
    let escaped = text.chars().flat_map(|one| {
        let is_special = matches!(one, '*' | '?' | '[' | ']' | '\\');
        is_special.then_some('\\').into_iter().chain([one])
    });
    escaped.collect()
}

/// Deletes the keys with a prefix step by step, so that a large database is never blocked. Returns false if the budget
/// is spent first: a server may have any number of keys, or never end.
fn delete_all(connection: &mut Connection, prefix: &str, budget: &Budget) -> RedisResult<bool> {
    let pattern = format!("{}*", glob(prefix));
    let mut cursor = 0_u64;
    while budget.spend().is_ok() {
        let scan = Cmd::new()
            .arg("SCAN")
            .arg(cursor)
            .arg("MATCH")
            .arg(&pattern)
            .arg("COUNT")
            .arg(1000)
            .to_owned();
        let (next, mut keys): (u64, Vec<Vec<u8>>) = scan.query(connection)?;
        // A server may name other keys.
        keys.retain(|key| key.starts_with(prefix.as_bytes()));
        if !keys.is_empty() {
            redis::cmd("UNLINK").arg(keys).exec(connection)?;
        }
        if next == 0 {
            return Ok(true);
        }
        cursor = next;
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_written_exactly() {
        let text = |text: &str| seconds(text.parse().unwrap());
        assert_eq!(text("2026-02-24T00:00:00.000001Z"), "1771891200.000001");
        assert_eq!(text("1969-12-31T23:59:58.25Z"), "-1.750000");
    }

    #[test]
    fn prefixes_are_matched_literally() {
        assert_eq!(glob("{a*b?[c]\\}"), "{a\\*b\\?\\[c\\]\\\\}");
    }
}
