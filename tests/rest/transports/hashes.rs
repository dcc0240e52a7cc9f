//! The operations on hash records.

use serde_json::json;

use super::Row;

pub(super) fn rows() -> Vec<Row> {
    let place = json!({"root": "$root", "path": "a.png"});
    vec![
        ("hash_schedule_get", json!({}), "ok"),
        (
            "hash_schedule_set",
            json!({"enabled": false, "days": 30, "gib_a_day": 10}),
            "ok",
        ),
        ("hash_record", place.clone(), "ok"),
        ("hash_record", json!({"dir": "$unknown"}), "grant_invalid"),
        ("hash_verify", json!({"full": true}), "ok"),
        ("hash_list", json!({"state": "ok", "limit": 5}), "ok"),
        ("hash_list", json!({"limit": true}), "bad_request"),
        ("hash_detail", json!({"path": "$file"}), "ok"),
        ("hash_name", json!({"path": "/a/b"}), "ok"),
        ("hash_name", json!({"name_bytes": "/w=="}), "malformed_name"),
        ("hash_badges", json!({"root": "$root", "path": ""}), "ok"),
        ("hash_folders", json!({}), "ok"),
        ("hash_folders", json!({"dir": "$unknown"}), "grant_invalid"),
        ("hash_reports", json!({}), "ok"),
        ("hash_report", json!({"job": "$hash_verify"}), "ok"),
        ("hash_export", json!({"format": "sha256sums"}), "ok"),
        ("hash_accept", json!({"path": "$file"}), "ok"),
        (
            "hash_accept_move",
            json!({"path": "$file", "to": "/none"}),
            "changed_since",
        ),
        ("hash_restore", json!({"path": "$file"}), "intact"),
        ("hash_migrate", json!({"dry_run": true}), "ok"),
        ("hash_tidy", json!({"dry_run": true}), "ok"),
        ("hash_removed", json!({"limit": 1}), "ok"),
        ("hash_reinstate", json!({"all": true}), "ok"),
    ]
}
