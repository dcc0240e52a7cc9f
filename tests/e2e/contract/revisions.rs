//! Revisions: listed, compared, rolled back, discarded.

use serde_json::{Value, json};

use super::step::{Step, ask};

pub(super) fn table() -> Vec<Step> {
    let diff =
        |page: &str, from: Value, to: Value| json!({"page_id": page, "from": from, "to": to});
    let back = |page: &str, to: u64| json!({"page_id": page, "rollback_to": to});
    let keep = |page: &str, from: u64| json!({"page_id": page, "keep_from": from});
    let revision = |number: u64| json!({"revision": number, "timestamp": "*", "user_name": "花子", "path": "*", "bytes": "*"});
    // JSON's numbers are JavaScript's in the page: this one arrives as another u64, and the next one is no u64.
    let (most, too_much) = (
        json!(u64::MAX - 2047),
        json!(18_446_744_073_709_551_616_f64),
    );
    vec![
        ask("revision_list", json!({"page_id": "$page"})).gives(json!({
            "items": [revision(3), revision(2), revision(1)], "has_more": false, "oldest": 1})),
        ask("revision_list", json!({"page_id": "$page", "before": 3, "limit": 1}))
            .gives(json!({"items": [revision(2)], "has_more": true, "oldest": 1})),
        ask("revision_list", json!({"page_id": "$page", "before": 1}))
            .gives(json!({"items": [], "has_more": false})),
        ask("revision_list", json!({"page_id": "$deleted"})).gives(json!({"items": [revision(1)]})),
        ask("revision_list", json!({"page_id": "$begun"})).refused("draft"),
        ask("revision_list", json!({"page_id": "$unknown"})).refused("page_not_found"),
        ask("revision_list", json!({"page_id": "nonsense"})).refused("bad_request"),
        ask("revision_list", json!({"page_id": "$page", "limit": 0})).refused("bad_request"),
        ask("revision_list", json!({"page_id": "$page", "limit": 1001})).refused("bad_request"),
        ask("revision_list", json!({"page_id": "$page", "before": -1})).refused("bad_request"),
        ask("revision_list", json!({"page_id": "$page", "before": "x"})).refused("bad_request"),
        ask("revision_list", json!({"page_id": "$page", "before": most, "limit": 1}))
            .gives(json!({"items": [revision(3)], "has_more": true, "oldest": 1})),
        ask("revision_list", json!({"page_id": "$page", "before": too_much})).refused("bad_request"),
        ask("revision_diff", diff("$page", most.clone(), json!(1))).refused("page_not_found"),
        ask("revision_rollback", json!({"page_id": "$page", "rollback_to": most})).refused("page_not_found"),
        ask("revision_rollback", json!({"page_id": "$page", "rollback_to": too_much})).refused("bad_request"),
        ask("revision_compact", json!({"page_id": "$page", "keep_from": most})).refused("invalid_value"),
        ask("revision_compact", json!({"page_id": "$page", "keep_from": too_much})).refused("bad_request"),
        ask("revision_diff", diff("$page", json!(1), json!(3)))
            .gives(json!({"from": {"revision": 1}, "to": {"revision": 3}, "rename": [], "added": 2, "removed": 0})),
        ask("revision_diff", diff("$page", json!(3), json!(2)))
            .gives(json!({"from": {"revision": 3}, "to": {"revision": 2}, "added": 1, "removed": 2})),
        ask("revision_diff", diff("$page", json!(2), json!(2)))
            .gives(json!({"hunks": [], "added": 0, "removed": 0})),
        ask("revision_diff", diff("$page", json!(0), json!(2))).refused("page_not_found"),
        ask("revision_diff", diff("$page", json!(1), json!(9_007_199_254_740_991_u64))).refused("page_not_found"),
        ask("revision_diff", diff("$begun", json!(1), json!(1))).refused("draft"),
        ask("revision_diff", json!({"page_id": "$page", "from": 1})).refused("bad_request"),
        ask("revision_diff", diff("$page", json!("x"), json!(1))).refused("bad_request"),
        ask("revision_rollback", back("$page", 1)).gives(json!({"revision": 4, "warnings": []})),
        ask("revision_rollback", back("$page", 4)).gives(json!({"revision": 4})),
        ask("revision_rollback", back("$page", 0)).refused("page_not_found"),
        ask("revision_rollback", back("$page", 99)).refused("page_not_found"),
        ask("revision_rollback", back("$deleted", 1)).refused("deleted"),
        ask("revision_rollback", back("$begun", 1)).refused("draft"),
        ask("revision_rollback", back("$unknown", 1)).refused("page_not_found"),
        ask("revision_rollback", json!({"page_id": "$page", "rollback_to": "x"})).refused("bad_request"),
        // The holder of the lock changes the page, and keeps the lock.
        ask("revision_rollback", back("$held", 1)).refused("lock_required"),
        ask("revision_rollback", json!({"page_id": "$held", "rollback_to": 1, "token": "$draft_token"})).refused("lock_invalid"),
        ask("revision_rollback", json!({"page_id": "$held", "rollback_to": 1, "token": "nonsense"})).refused("lock_invalid"),
        ask("revision_compact", keep("$held", 2)).refused("lock_required"),
        ask("revision_rollback", json!({"page_id": "$held", "rollback_to": 1, "token": "$held_token"})).gives(json!({"revision": 3})),
        ask("revision_compact", json!({"page_id": "$held", "keep_from": 2, "token": "$held_token"})).gives(Value::Null),
        ask("lock_renew", json!({"page_id": "$held", "token": "$held_token"})).gives(json!({"token": "*"})),
        ask("revision_compact", keep("$page", 5)).refused("invalid_value"),
        ask("revision_compact", keep("$page", 3)).gives(Value::Null),
        ask("revision_compact", keep("$page", 2)).gives(Value::Null),
        ask("revision_compact", keep("$deleted", 1)).refused("deleted"),
        ask("revision_compact", keep("$begun", 1)).refused("draft"),
        ask("revision_compact", keep("$unknown", 1)).refused("page_not_found"),
        ask("revision_list", json!({"page_id": "$page"}))
            .gives(json!({"items": [revision(4), revision(3)], "has_more": false, "oldest": 3})),
        ask("revision_diff", diff("$page", json!(1), json!(4))).refused("gone"),
        ask("revision_rollback", back("$page", 2)).refused("gone"),
    ]
}
