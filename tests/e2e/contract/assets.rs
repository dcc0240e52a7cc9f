//! Files of pages: listed, renamed, deleted, restored, given to other pages.

use serde_json::{Value, json};

use super::step::{Step, ask};

fn list(page: &str) -> Value {
    json!({"page_id": page})
}

fn file(id: &str, name: &str) -> Value {
    json!({"id": id, "page_id": "$page", "file_name": name, "original_name": "a.txt",
        "mime": "*", "size": 5, "sha256": "*", "created_at": "*", "user_name": "花子", "state": "live",
        "deleted_at": null, "last_path": null})
}

fn rename(id: &str, name: &str) -> Value {
    json!({"asset_id": id, "file_name": name})
}

fn of(id: &str) -> Value {
    json!({"asset_id": id})
}

pub(super) fn table() -> Vec<Step> {
    let parts = [list_steps(), rename_steps(), removal_steps(), owner_steps()];
    parts.into_iter().flatten().collect()
}

/// Returns steps for the parts of a list of two files with these ids.
fn in_parts(operation: &'static str, more: &Value, [one, other]: [&str; 2]) -> Vec<Step> {
    let ask_part = |offset: Value, limit: Value| {
        let mut arguments = more.clone();
        arguments["offset"] = offset;
        arguments["limit"] = limit;
        ask(operation, arguments)
    };
    let (one, other) = (json!({"id": one}), json!({"id": other}));
    // As a JavaScript number: the largest possible offset.
    let most = json!(u64::MAX - 2047);
    let too_much = json!(18_446_744_073_709_551_616_f64);
    vec![
        ask_part(json!(0), json!(1)).gives(json!([one])),
        ask_part(json!(1), json!(1)).gives(json!([other])),
        ask_part(json!(1), json!(1000)).gives(json!([other])),
        ask_part(json!(0), json!(2)).gives(json!([one, other])),
        ask_part(json!(2), json!(1)).gives(json!([])),
        ask_part(json!(3), json!(1000)).gives(json!([])),
        ask_part(most, json!(1000)).gives(json!([])),
        ask_part(too_much, json!(1)).refused("bad_request"),
        ask_part(json!(0), json!(0)).refused("bad_request"),
        ask_part(json!(0), json!(1001)).refused("bad_request"),
        ask_part(json!(0), json!(-1)).refused("bad_request"),
        ask_part(json!(-1), json!(1)).refused("bad_request"),
        ask_part(json!("x"), json!(1)).refused("bad_request"),
        ask_part(json!(0), json!("x")).refused("bad_request"),
        ask_part(json!(0.5), json!(1)).refused("bad_request"),
    ]
}

fn list_steps() -> Vec<Step> {
    let mut steps = vec![
        ask("asset_list", list("$page"))
            .gives(json!([file("$asset", "a.txt"), {"id": "$second", "file_name": "b.txt"}])),
        ask("asset_list", list("$begun")).gives(json!([])),
        ask("asset_list", list("$unknown")).refused("page_not_found"),
        ask("asset_list", list("nonsense")).refused("bad_request"),
    ];
    steps.extend(in_parts(
        "asset_list",
        &list("$page"),
        ["$asset", "$second"],
    ));
    steps
}

fn rename_steps() -> Vec<Step> {
    vec![
        ask("asset_rename", rename("$asset", "b.txt")).refused("file_name_taken"),
        ask("asset_rename", rename("$asset", "京都.txt")).gives(file("$asset", "京都.txt")),
        ask("asset_rename", rename("$asset", "京都.txt")).gives(file("$asset", "京都.txt")),
        ask("asset_rename", rename("$asset", "a/b.txt")).refused("invalid_file_name"),
        ask("asset_rename", rename("$asset", "a\nb")).refused("invalid_file_name"),
        ask("asset_rename", rename("$asset", "a\u{202e}b")).refused("invalid_file_name"),
        ask("asset_rename", rename("$asset", "..")).refused("invalid_file_name"),
        ask("asset_rename", rename("$asset", "")).refused("invalid_file_name"),
        ask("asset_rename", rename("$asset", &"あ".repeat(86))).refused("invalid_file_name"),
        ask("asset_rename", rename("$unknown", "c.txt")).refused("asset_not_found"),
        ask("asset_rename", rename("nonsense", "c.txt")).refused("bad_request"),
        ask("asset_rename", rename("$zombie", "c.txt")).refused("asset_orphaned"),
    ]
}

fn removal_steps() -> Vec<Step> {
    vec![
        ask("asset_restore", of("$asset")).refused("not_deleted"),
        ask("asset_remove", of("$asset")).gives(Value::Null),
        ask("asset_remove", of("$asset")).refused("deleted"),
        ask("asset_rename", rename("$asset", "c.txt")).refused("deleted"),
        ask("asset_list", list("$page")).gives(json!([{"id": "$second"}])),
        ask(
            "asset_list",
            json!({"page_id": "$page", "with_deleted": true}),
        )
        .gives(json!([{"id": "$second"}, {"id": "$asset", "state": "deleted", "deleted_at": "*"}])),
        ask("asset_rename", rename("$second", "京都.txt")).gives(json!({"file_name": "京都.txt"})),
        ask("asset_restore", of("$asset")).refused("file_name_taken"),
        ask("asset_rename", rename("$second", "b.txt")).gives(json!({"file_name": "b.txt"})),
        ask("asset_restore", of("$asset")).gives(Value::Null),
        ask("asset_restore", of("$asset")).refused("not_deleted"),
        ask("asset_restore", of("$unknown")).refused("asset_not_found"),
        ask("asset_restore", of("$zombie")).refused("asset_orphaned"),
        ask("asset_remove", json!({"asset_id": "$second", "hard": true})).gives(Value::Null),
        ask("asset_remove", of("$second")).refused("asset_not_found"),
        ask("asset_remove", of("$zombie")).refused("asset_orphaned"),
        ask("asset_remove", of("nonsense")).refused("bad_request"),
    ]
}

fn owner_steps() -> Vec<Step> {
    let owner = |id: &str, page: &str| json!({"asset_id": id, "page_id": page});
    let zombie = |id: &str| json!({"id": id, "page_id": null, "state": "zombie", "deleted_at": "*", "last_path": "*"});
    let mut steps =
        vec![ask("asset_zombies", json!({})).gives(json!([zombie("$zombie"), zombie("$lost")]))];
    steps.extend(in_parts("asset_zombies", &json!({}), ["$zombie", "$lost"]));
    steps.extend([
        ask("asset_set_owner", owner("$zombie", "$unknown")).refused("page_not_found"),
        ask("asset_set_owner", owner("$zombie", "$deleted")).refused("deleted"),
        ask("asset_set_owner", owner("$zombie", "$begun")).refused("draft"),
        ask("asset_set_owner", owner("$unknown", "$page")).refused("asset_not_found"),
        ask("asset_set_owner", owner("$zombie", "nonsense")).refused("bad_request"),
        ask("asset_set_owner", owner("$zombie", "$page")).gives(Value::Null),
        ask("asset_zombies", json!({})).gives(json!([zombie("$lost")])),
        ask("asset_set_owner", owner("$lost", "$page")).gives(Value::Null),
        ask("asset_zombies", json!({})).gives(json!([])),
        ask("asset_list", list("$page")).gives(json!([
            {"id": "$lost", "file_name": "lost.txt", "state": "live"},
            {"id": "$zombie", "file_name": "zombie.txt", "state": "live"},
            {"id": "$asset", "file_name": "京都.txt"},
        ])),
    ]);
    steps
}
