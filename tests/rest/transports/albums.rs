//! The operations on albums.

use serde_json::json;

use super::Row;

pub(super) fn rows() -> Vec<Row> {
    let items = json!([{"root": "$root", "path": "a.png"}]);
    let id = json!({"id": "$album_create"});
    let with = |more: serde_json::Value| {
        let mut args = id.as_object().unwrap().clone();
        args.extend(more.as_object().unwrap().clone());
        serde_json::Value::Object(args)
    };
    vec![
        ("album_create", json!({"name": " "}), "invalid_name"),
        ("album_create", json!({"name": "旅"}), "ok"),
        (
            "album_create",
            json!({"name": "best", "search": "rating:9"}),
            "invalid_value",
        ),
        ("album_list", json!({}), "ok"),
        ("album_add", with(json!({"items": items})), "ok"),
        (
            "album_containing",
            json!({"root": "$root", "path": "a.png"}),
            "ok",
        ),
        (
            "album_favourites",
            json!({"items": items, "name": "F"}),
            "ok",
        ),
        ("album_change", with(json!({"name": "海"})), "ok"),
        ("album_arrange", with(json!({"items": []})), "ok"),
        ("album_remove", with(json!({})), "bad_request"),
        ("album_remove", with(json!({"places": items})), "ok"),
        ("album_get", id.clone(), "ok"),
        ("album_get", json!({"id": "$unknown"}), "album_not_found"),
        ("album_delete", id.clone(), "ok"),
        ("album_restore", id, "ok"),
        ("album_find", json!({}), "ok"),
    ]
}
