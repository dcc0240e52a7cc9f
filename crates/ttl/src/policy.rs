//! The policy of a group.

use serde::{Deserialize, Serialize};

/// The number of days without a read after which the artifacts of a group expire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedPolicy")]
pub struct Policy {
    enabled: bool,
    ttl_days: u32,
    remove_gone: bool,
}

// A policy from a request or a file, not validated yet.
/// The expiry policy of a root's thumbnails and folder indexes, by the time since their last read.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = TtlPolicy))]
#[serde(deny_unknown_fields)]
pub struct UncheckedPolicy {
    /// True if artifacts expire.
    pub enabled: bool,
    /// Days of 86,400 seconds, 1 to 3650.
    #[cfg_attr(feature = "wire", schema(minimum = 1, maximum = 3650))]
    pub ttl_days: u32,
    /// True if every run removes thumbnails of missing pictures.
    #[serde(default)]
    pub remove_gone: bool,
}

/// The number of days is out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("ttl_days is {0}, but must be 1 to {max}", max = Policy::MAX_DAYS)]
pub struct InvalidPolicy(u32);

impl Policy {
    /// The maximum number of days.
    pub const MAX_DAYS: u32 = 3650;
    /// Disabled, with 90 days as a suggestion.
    pub const DEFAULT: Self = Self {
        enabled: false,
        ttl_days: 90,
        remove_gone: false,
    };

    /// Creates a policy.
    ///
    /// # Errors
    /// [`InvalidPolicy`] if `ttl_days` is 0 or more than [`MAX_DAYS`](Self::MAX_DAYS).
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

    /// Returns the same policy, with the removal of thumbnails of missing pictures enabled or disabled.
    #[must_use]
    pub fn with_remove_gone(self, remove_gone: bool) -> Self {
        Self {
            remove_gone,
            ..self
        }
    }

    /// Returns true if thumbnails of missing pictures are removed, at any age.
    #[must_use]
    pub fn removes_gone(self) -> bool {
        self.remove_gone
    }

    /// Returns true if artifacts expire.
    #[must_use]
    pub fn is_enabled(self) -> bool {
        self.enabled
    }

    /// Returns the number of days, of 86,400 seconds each.
    #[must_use]
    pub fn ttl_days(self) -> u32 {
        self.ttl_days
    }

    /// Returns the time in seconds.
    pub(crate) fn ttl_seconds(self) -> i64 {
        i64::from(self.ttl_days) * 86_400
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl TryFrom<UncheckedPolicy> for Policy {
    type Error = InvalidPolicy;

    fn try_from(policy: UncheckedPolicy) -> Result<Self, InvalidPolicy> {
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
