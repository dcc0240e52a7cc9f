//! The policy of a group.

use serde::{Deserialize, Serialize};

/// After how many days without a read the artifacts of a group expire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Policy {
    enabled: bool,
    ttl_days: u32,
    remove_gone: bool,
}

/// A policy as a request or a file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    enabled: bool,
    ttl_days: u32,
    #[serde(default)]
    remove_gone: bool,
}

/// The number of days is out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("ttl_days is {0}, but must be 1 to {max}", max = Policy::MAX_DAYS)]
pub struct InvalidPolicy(u32);

impl Policy {
    /// The longest time.
    pub const MAX_DAYS: u32 = 3650;
    /// Off; 90 days are offered.
    pub const DEFAULT: Self = Self {
        enabled: false,
        ttl_days: 90,
        remove_gone: false,
    };

    /// A policy.
    ///
    /// # Errors
    /// [`InvalidPolicy`] when `ttl_days` is 0 or more than [`MAX_DAYS`](Self::MAX_DAYS).
    pub fn new(enabled: bool, ttl_days: u32) -> Result<Self, InvalidPolicy> {
        match ttl_days {
            1..=Self::MAX_DAYS => Ok(Self {
                enabled,
                ttl_days,
                remove_gone: false,
            }),
            other => Err(InvalidPolicy(other)),
        }
    }

    /// The same policy, with thumbnails of pictures that are gone removed or kept.
    #[must_use]
    pub fn with_remove_gone(self, remove_gone: bool) -> Self {
        Self {
            remove_gone,
            ..self
        }
    }

    /// Returns whether thumbnails of missing pictures are removed, at any age.
    #[must_use]
    pub fn removes_gone(self) -> bool {
        self.remove_gone
    }

    /// Whether artifacts expire at all.
    #[must_use]
    pub fn is_enabled(self) -> bool {
        self.enabled
    }

    /// Days of 86,400 seconds.
    #[must_use]
    pub fn ttl_days(self) -> u32 {
        self.ttl_days
    }

    /// The time in seconds.
    pub(crate) fn ttl_seconds(self) -> i64 {
        i64::from(self.ttl_days) * 86_400
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl TryFrom<Unchecked> for Policy {
    type Error = InvalidPolicy;

    fn try_from(policy: Unchecked) -> Result<Self, InvalidPolicy> {
        let checked = Self::new(policy.enabled, policy.ttl_days)?;
        Ok(checked.with_remove_gone(policy.remove_gone))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_checked() {
        for days in [0, 3651, u32::MAX] {
            assert_eq!(Policy::new(true, days), Err(InvalidPolicy(days)));
        }
        assert_eq!(Policy::new(true, 3650).unwrap().ttl_seconds(), 315_360_000);
        let read = |text| serde_json::from_str::<Policy>(text);
        assert_eq!(
            read(r#"{"enabled":true,"ttl_days":1}"#).unwrap().ttl_days(),
            1
        );
        for bad in [
            r#"{"enabled":true,"ttl_days":0}"#,
            r#"{"enabled":true,"ttl_days":-1}"#,
            r#"{"enabled":true,"ttl_days":"90"}"#,
            r#"{"enabled":true}"#,
            r#"{"enabled":true,"ttl_days":1,"other":1}"#,
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
