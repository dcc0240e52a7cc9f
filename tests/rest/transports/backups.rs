//! The operations on backups.

use serde_json::json;

use super::Row;

pub(super) fn rows() -> Vec<Row> {
    vec![
        ("wiki_backup", json!({"grant": "$unknown"}), "grant_invalid"),
        ("backup_list", json!({}), "ok"),
        (
            "backup_pages",
            json!({"name": "none", "q": "a"}),
            "backup_not_found",
        ),
        (
            "backup_page",
            json!({"name": "none", "page_id": "$page"}),
            "backup_not_found",
        ),
        (
            "backup_page_restore",
            json!({"name": "none", "page_id": "$page"}),
            "backup_not_found",
        ),
        (
            "backup_records",
            json!({"name": "none", "limit": 1}),
            "backup_not_found",
        ),
        (
            "backup_records_restore",
            json!({"name": "none"}),
            "backup_not_found",
        ),
        (
            "backup_go_back",
            json!({"name": "none"}),
            "backup_not_found",
        ),
        ("backup_go_back_cancel", json!({}), "ok"),
        (
            "backup_place_set",
            json!({"grant": "$unknown"}),
            "grant_invalid",
        ),
        ("backup_place_forget", json!({}), "ok"),
        ("backup_place_copy", json!({}), "ok"),
        (
            "backup_file_restore",
            json!({"name": "none", "asset_id": "$asset"}),
            "backup_not_found",
        ),
    ]
}
