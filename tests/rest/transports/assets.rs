//! The operations on files of pages.

use serde_json::json;

use super::Row;

pub(super) fn rows() -> Vec<Row> {
    let from_folder = json!({"page_id": "$page", "items": [{"root": "$root", "path": "a.png"}], "free_names": true});
    vec![
        (
            "asset_list",
            json!({"page_id": "$page", "with_deleted": true, "offset": 0, "limit": 9}),
            "ok",
        ),
        (
            "asset_list",
            json!({"page_id": "$page", "with_deleted": "yes"}),
            "bad_request",
        ),
        ("asset_add_files", from_folder, "ok"),
        (
            "asset_add_files",
            json!({"page_id": "$page", "grants": ["$file_grant", "$file_grant"]}),
            "ok",
        ),
        (
            "asset_add_files",
            json!({"page_id": "$page", "grant": "$file_grant"}),
            "invalid_body",
        ),
        ("asset_get", json!({"asset_id": "$asset"}), "ok"),
        (
            "asset_rename",
            json!({"asset_id": "$asset", "file_name": "名.txt"}),
            "ok",
        ),
        (
            "asset_rename",
            json!({"asset_id": "$asset", "file_name": "a\nb"}),
            "invalid_file_name",
        ),
        (
            "asset_rename",
            json!({"asset_id": "$asset"}),
            "invalid_body",
        ),
        (
            "asset_rename_in_text",
            json!({"asset_id": "$asset", "file_name": "京.txt"}),
            "ok",
        ),
        (
            "asset_rename_in_text",
            json!({"asset_id": "$unknown", "file_name": "京.txt"}),
            "asset_not_found",
        ),
        (
            "asset_remove",
            json!({"asset_id": "$asset", "hard": false}),
            "ok",
        ),
        ("asset_restore", json!({"asset_id": "$asset"}), "ok"),
        (
            "asset_restore",
            json!({"asset_id": "$unknown"}),
            "asset_not_found",
        ),
        ("asset_zombies", json!({"limit": 1}), "ok"),
        (
            "asset_set_owner",
            json!({"asset_id": "$asset", "page_id": "$other"}),
            "ok",
        ),
        (
            "asset_set_owner",
            json!({"asset_id": "$asset"}),
            "bad_request",
        ),
    ]
}
