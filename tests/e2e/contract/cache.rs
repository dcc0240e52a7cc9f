//! The thumbnail cache: its contents, and making room in it.

use serde_json::{Value, json};

use super::step::{Step, ask};

pub(super) fn table() -> Vec<Step> {
    let state = json!({
        "used_bytes": 0, "files": 0, "folder": "*", "next_folder": null, "folder_fixed": "*",
        "limit_bytes": 1_073_741_824, "limit_fixed": false, "high": 0.9, "low": 0.75, "scanning": false,
        "queue": {"len": 0, "capacity": 1024, "workers": "*"},
        "counters": {"hits": 0, "misses": 0, "generated": 0, "failed": 0, "evicted": 0},
    });
    let (off, on) = (
        json!({"enabled": false, "ttl_days": 90, "remove_gone": false}),
        json!({"enabled": true, "ttl_days": 30, "remove_gone": false}),
    );
    let answer = |policy: &Value| {
        let mut answer = policy.clone();
        answer["is_default"] = true.into();
        answer
    };
    vec![
        ask("ttl_policy_get", json!({})).gives(answer(&off)),
        ask("ttl_policy_set", json!({"policy": on})).gives(answer(&on)),
        ask("ttl_policy_get", json!({})).gives(answer(&on)),
        ask(
            "ttl_policy_set",
            json!({"policy": {"enabled": true, "ttl_days": 0}}),
        )
        .refused("invalid_value"),
        ask(
            "ttl_policy_get",
            json!({"root": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}),
        )
        .refused("root_not_found"),
        ask("ttl_run", json!({})).gives(json!({"id": "*"})),
        ask("ttl_policy_set", json!({"policy": off})).gives(answer(&off)),
        ask("cache_stats", json!({})).gives(state.clone()),
        ask("cache_gc", json!({})).gives(json!({"id": "*"})),
        ask("cache_stats", json!({})).gives(state),
    ]
}
