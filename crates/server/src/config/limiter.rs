//! The environment variables of the rate limiter (docs/spec/rate-limiter.md).

use std::num::NonZeroU32;

use fumikura_limits::{KeyMode, Limits, Proxies, Redis};

use super::environment::Environment;
use super::{ConfigError, Secret};

/// The settings of the rate limiter.
#[derive(Debug, Clone, Default)]
pub struct LimiterConfig {
    /// The address of Redis, which may contain a password. None counts in memory.
    pub redis_url: Option<Secret>,
    /// True if Redis is a cluster, whose other nodes may receive the password.
    pub is_redis_cluster: bool,
    /// The limits.
    pub limits: Limits,
    /// True if the environment sets the limit per minute or per day, so that the settings can't change it.
    pub is_fixed: bool,
    /// The rule that identifies clients.
    pub key: KeyMode,
    /// The proxies whose `X-Forwarded-For` is trusted.
    pub proxies: Proxies,
}

impl Environment {
    pub(super) fn limiter(&self) -> Result<LimiterConfig, ConfigError> {
        let default = Limits::DEFAULT;
        let limit = |name, default| Ok::<_, ConfigError>(self.limit(name)?.unwrap_or(default));
        Ok(LimiterConfig {
            redis_url: self.redis_url()?,
            is_redis_cluster: self.is_redis_cluster()?,
            is_fixed: ["RATE_LIMIT_PER_MINUTE", "RATE_LIMIT_DAILY"]
                .iter()
                .any(|name| self.text(name).is_some()),
            limits: Limits {
                per_minute: limit("RATE_LIMIT_PER_MINUTE", default.per_minute)?,
                daily: limit("RATE_LIMIT_DAILY", default.daily)?,
                daily_total: NonZeroU32::new(limit("RATE_LIMIT_DAILY_TOTAL", 0)?),
            },
            key: self.client_key()?,
            proxies: self.proxies()?,
        })
    }

    fn redis_url(&self) -> Result<Option<Secret>, ConfigError> {
        let Some(url) = self.text("REDIS_URL") else {
            return Ok(None);
        };
        Redis::check_url(&url).map_err(|_| {
            let allowed =
                "redis://[user:password@]host[:port][/db], rediss:// for TLS, or unix:///path";
            // The value may contain a password.
            ConfigError::bad("REDIS_URL", "(not shown)", allowed)
        })?;
        Ok(Some(Secret::new(url)))
    }

    fn is_redis_cluster(&self) -> Result<bool, ConfigError> {
        match self.text("REDIS_CLUSTER").as_deref() {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(other) => Err(ConfigError::bad("REDIS_CLUSTER", other, "true or false")),
        }
    }

    /// Returns a limit. A negative limit allows nothing, as 0 does.
    fn limit(&self, name: &str) -> Result<Option<u32>, ConfigError> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let number: Result<i64, _> = text.trim().parse();
        let limit = number.ok().and_then(|number| number.max(0).try_into().ok());
        let bad = || ConfigError::bad(name, text, "a whole number up to 4294967295");
        limit.ok_or_else(bad).map(Some)
    }

    fn client_key(&self) -> Result<KeyMode, ConfigError> {
        match self.text("RATE_LIMIT_KEY").as_deref() {
            None | Some("ip") => Ok(KeyMode::Ip),
            Some("ip_ua") => Ok(KeyMode::IpAndAgent),
            Some(other) => Err(ConfigError::bad("RATE_LIMIT_KEY", other, "ip or ip_ua")),
        }
    }

    fn proxies(&self) -> Result<Proxies, ConfigError> {
        let name = "RATE_LIMIT_TRUSTED_PROXIES";
        let text = self.text(name).unwrap_or_default();
        let allowed = "addresses, networks such as 10.0.0.0/8, or unix, separated by commas";
        text.parse()
            .map_err(|_| ConfigError::bad(name, text, allowed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn limiter(name: &str, value: &str) -> Result<LimiterConfig, ConfigError> {
        Environment::from([(name, value)]).limiter()
    }

    #[test]
    fn limits_are_read_from_the_environment() {
        let limits = |name, value| limiter(name, value).unwrap().limits;
        assert_eq!(limits("RATE_LIMIT_PER_MINUTE", "5").per_minute, 5);
        assert_eq!(limits("RATE_LIMIT_PER_MINUTE", "-1").per_minute, 0);
        assert_eq!(limits("RATE_LIMIT_DAILY", "7").daily, 7);
        assert_eq!(limits("RATE_LIMIT_DAILY_TOTAL", "0").daily_total, None);
        assert_eq!(
            limits("RATE_LIMIT_DAILY_TOTAL", "9").daily_total,
            NonZeroU32::new(9)
        );
        assert_eq!(limits("OTHER", "1"), Limits::DEFAULT);
        let is_fixed = |name| limiter(name, "1").unwrap().is_fixed;
        let fixed = ["RATE_LIMIT_DAILY", "RATE_LIMIT_DAILY_TOTAL"].map(is_fixed);
        assert_eq!(fixed, [true, false]);
        assert_eq!(
            limiter("RATE_LIMIT_KEY", "ip_ua").unwrap().key,
            KeyMode::IpAndAgent
        );
    }

    #[test]
    fn bad_limiter_values_are_named() {
        for (name, value) in [
            ("RATE_LIMIT_PER_MINUTE", "many"),
            ("RATE_LIMIT_DAILY", "5000000000"),
            ("RATE_LIMIT_KEY", "agent"),
            ("REDIS_CLUSTER", "maybe"),
            ("RATE_LIMIT_TRUSTED_PROXIES", "proxy.example"),
        ] {
            let message = limiter(name, value).unwrap_err().to_string();
            assert!(
                message.contains(name) && message.contains(value),
                "{message}"
            );
        }
        let message = limiter("REDIS_URL", "http://:secret@host/")
            .unwrap_err()
            .to_string();
        assert!(
            message.contains("REDIS_URL") && !message.contains("secret"),
            "{message}"
        );
    }
}
