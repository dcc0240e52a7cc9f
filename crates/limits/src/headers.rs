//! Values of the `RateLimit-Policy` and `RateLimit` header fields (draft-ietf-httpapi-ratelimit-headers-11).

use crate::{Limits, Usage, WINDOW};

const DAY: u64 = 24 * 60 * 60;

/// Returns the value of `RateLimit-Policy`: each limit with its quota and its window in seconds.
#[must_use]
pub fn policy_header(limits: &Limits) -> String {
    let mut items = vec![
        format!("\"minute\";q={};w={}", limits.per_minute, WINDOW.as_secs()),
        format!("\"day\";q={};w={DAY}", limits.daily),
    ];
    items.extend(
        limits
            .daily_total
            .map(|total| format!("\"total\";q={total};w={DAY}")),
    );
    items.join(", ")
}

/// Returns the value of `RateLimit`: the rest of each limit, and the seconds until the rest grows.
#[must_use]
pub fn state_header(limits: &Limits, usage: &Usage) -> String {
    let left = |limit: u32, count: u64| u64::from(limit).saturating_sub(count);
    let minute = left(limits.per_minute, usage.minute_count);
    let daily = left(limits.daily, usage.daily_count);
    let mut items = vec![
        format!("\"minute\";r={minute};t={}", usage.minute_reset),
        format!("\"day\";r={daily};t={}", usage.daily_reset),
    ];
    items.extend(limits.daily_total.map(|total| {
        let total = left(total.get(), usage.total_count);
        format!("\"total\";r={total};t={}", usage.daily_reset)
    }));
    items.join(", ")
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    #[test]
    fn header_values_follow_the_draft() {
        let limits = Limits::DEFAULT;
        let usage = Usage {
            minute_count: 3,
            daily_count: 1001,
            total_count: 7,
            minute_reset: 42,
            daily_reset: 3600,
        };
        assert_eq!(
            policy_header(&limits),
            r#""minute";q=20;w=60, "day";q=1000;w=86400"#
        );
        assert_eq!(
            state_header(&limits, &usage),
            r#""minute";r=17;t=42, "day";r=0;t=3600"#
        );
        let limits = Limits {
            daily_total: NonZeroU32::new(10),
            ..limits
        };
        assert!(policy_header(&limits).ends_with(r#", "total";q=10;w=86400"#));
        assert!(state_header(&limits, &usage).ends_with(r#", "total";r=3;t=3600"#));
    }
}
