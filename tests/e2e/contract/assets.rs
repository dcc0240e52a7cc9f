//! Files of pages: listed, renamed, deleted, restored, given away.

use serde_json::{Value, json};

use super::step::{Step, ask};

pub(super) fn table() -> Vec<Step> {
    let list = |page: &str| json!({"page_id": page});
    let file = |id: &str, name: &str| {
        json!({"id": id, "page_id": "$page", "file_name": name, "original_name": "a.txt",
        "mime": "*", "size": 5, "sha256": "*", "created_at": "*", "user_name": "花子", "state": "live", "deleted_at": null, "last_path": null})
    };
    let rename = |id: &str, name: &str| json!({"asset_id": id, "file_name": name});
    let of = |id: &str| json!({"asset_id": id});
    let owner = |id: &str, page: &str| json!({"asset_id": id, "page_id": page});
    vec![
        ask("asset_list", list("$page"))
            .gives(json!([file("$asset", "a.txt"), {"id": "$second", "file_name": "b.txt"}])),
        ask("asset_list", list("$begun")).gives(json!([])),
        ask("asset_list", list("$nobody")).refused("page_not_found"),
        ask("asset_list", list("nonsense")).refused("bad_request"),
        ask("asset_rename", rename("$asset", "b.txt")).refused("file_name_taken"),
        ask("asset_rename", rename("$asset", "京都.txt")).gives(file("$asset", "京都.txt")),
        ask("asset_rename", rename("$asset", "京都.txt")).gives(file("$asset", "京都.txt")),
        ask("asset_rename", rename("$asset", "a/b.txt")).refused("invalid_file_name"),
        ask("asset_rename", rename("$asset", "a\nb")).refused("invalid_file_name"),
        ask("asset_rename", rename("$asset", "a\u{202e}b")).refused("invalid_file_name"),
        ask("asset_rename", rename("$asset", "..")).refused("invalid_file_name"),
        ask("asset_rename", rename("$asset", "")).refused("invalid_file_name"),
        ask("asset_rename", rename("$asset", &"あ".repeat(86))).refused("invalid_file_name"),
        ask("asset_rename", rename("$nobody", "c.txt")).refused("asset_not_found"),
        ask("asset_rename", rename("nonsense", "c.txt")).refused("bad_request"),
        ask("asset_rename", rename("$zombie", "c.txt")).refused("asset_orphaned"),
        ask("asset_restore", of("$asset")).refused("not_deleted"),
        ask("asset_remove", of("$asset")).gives(Value::Null),
        ask("asset_remove", of("$asset")).refused("deleted"),
        ask("asset_rename", rename("$asset", "c.txt")).refused("deleted"),
        ask("asset_list", list("$page")).gives(json!([{"id": "$second"}])),
        ask("asset_list", json!({"page_id": "$page", "with_deleted": true}))
            .gives(json!([{"id": "$second"}, {"id": "$asset", "state": "deleted", "deleted_at": "*"}])),
        ask("asset_rename", rename("$second", "京都.txt")).gives(json!({"file_name": "京都.txt"})),
        ask("asset_restore", of("$asset")).refused("file_name_taken"),
        ask("asset_rename", rename("$second", "b.txt")).gives(json!({"file_name": "b.txt"})),
        ask("asset_restore", of("$asset")).gives(Value::Null),
        ask("asset_restore", of("$asset")).refused("not_deleted"),
        ask("asset_restore", of("$nobody")).refused("asset_not_found"),
        ask("asset_restore", of("$zombie")).refused("asset_orphaned"),
        ask("asset_remove", json!({"asset_id": "$second", "hard": true})).gives(Value::Null),
        ask("asset_remove", of("$second")).refused("asset_not_found"),
        ask("asset_remove", of("$zombie")).refused("asset_orphaned"),
        ask("asset_remove", of("nonsense")).refused("bad_request"),
        ask("asset_zombies", json!({}))
            .gives(json!([{"id": "$zombie", "page_id": null, "state": "zombie", "deleted_at": "*", "last_path": "*"}])),
        ask("asset_set_owner", owner("$zombie", "$nobody")).refused("page_not_found"),
        ask("asset_set_owner", owner("$zombie", "$deleted")).refused("deleted"),
        ask("asset_set_owner", owner("$zombie", "$begun")).refused("draft"),
        ask("asset_set_owner", owner("$nobody", "$page")).refused("asset_not_found"),
        ask("asset_set_owner", owner("$zombie", "nonsense")).refused("bad_request"),
        ask("asset_set_owner", owner("$zombie", "$page")).gives(Value::Null),
        ask("asset_zombies", json!({})).gives(json!([])),
        ask("asset_list", list("$page"))
            .gives(json!([{"id": "$zombie", "file_name": "zombie.txt", "state": "live"}, {"id": "$asset", "file_name": "京都.txt"}])),
    ]
}
