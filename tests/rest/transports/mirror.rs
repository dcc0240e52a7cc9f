//! The operations on the mirror.

use serde_json::json;

use super::Row;

pub(super) fn rows() -> Vec<Row> {
    let entry = json!({"entry": "pages/a.md"});
    vec![
        ("mirror_state", json!({}), "ok"),
        ("mirror_update", json!({}), "ok"),
        ("mirror_forget", json!({}), "ok"),
        (
            "mirror_choose",
            json!({"grant": "$unknown"}),
            "grant_invalid",
        ),
        ("mirror_switch", json!({"is_on": true}), "mirror_not_set"),
        ("mirror_difference", entry.clone(), "mirror_not_set"),
        ("mirror_take_over", entry.clone(), "mirror_not_set"),
        ("mirror_write_again", entry.clone(), "mirror_not_set"),
        ("mirror_leave", entry, "mirror_not_set"),
    ]
}
