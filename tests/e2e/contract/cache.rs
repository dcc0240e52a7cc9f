//! The thumbnails' cache: what it holds, and making room in it.

use serde_json::json;

use super::step::{Step, ask};

pub(super) fn table() -> Vec<Step> {
    let state = json!({
        "used_bytes": 0, "files": 0, "limit_bytes": 1_073_741_824, "high": 0.9, "low": 0.75, "scanning": false,
        "queue": {"len": 0, "capacity": 1024, "workers": "*"},
        "counters": {"hits": 0, "misses": 0, "generated": 0, "failed": 0, "evicted": 0},
    });
    vec![
        ask("cache_stats", json!({})).gives(state.clone()),
        ask("cache_gc", json!({})).gives(json!({"id": "*"})),
        ask("cache_stats", json!({})).gives(state),
    ]
}
