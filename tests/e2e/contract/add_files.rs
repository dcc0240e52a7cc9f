//! Files that are added to a page: under their own names and under free ones, valid and invalid.

use serde_json::{Value, json};

use super::LIMIT;
use super::step::{Step, ask};

/// A PNG of two by one pixels, as another program would copy it.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGNQaHBoWGAAAAc3AjGexlFnAAAAAElFTkSuQmCC";

fn with_file(page: &str, name: &str, contents: &str) -> Value {
    json!({"page_id": page, "file": {"name": name, "contents": contents}})
}

fn with_free_name(name: &str, contents: &str) -> Value {
    let mut arguments = with_file("$page", name, contents);
    arguments["free_names"] = true.into();
    arguments
}

fn paste_arguments(page: &str, name: &str) -> Value {
    json!({"page_id": page, "name": name, "picture": PICTURE})
}

fn asset_named(name: &str, original: &str) -> Value {
    json!({"file_name": name, "original_name": original, "state": "live"})
}

pub(super) fn table() -> Vec<Step> {
    let parts = [
        under_own_names(),
        by_their_contents(),
        refusal_steps(),
        under_free_names(),
        pastes(),
    ];
    parts.into_iter().flatten().collect()
}

fn under_own_names() -> Vec<Step> {
    let own = |name: &str| {
        ask("asset_add_files", with_file("$page", name, "x")).gives(asset_named(name, name))
    };
    vec![
        ask("asset_add_files", with_file("$page", "京都 の地図.txt", "contents"))
            .gives(json!({
                "page_id": "$page", "file_name": "京都 の地図.txt", "original_name": "京都 の地図.txt",
                "mime": "text/plain; charset=utf-8", "size": 8,
                // `printf contents | sha256sum`
                "sha256": "d1b2a59fbea7e20077af9f91b27e95e865061b270be03ff539ab3b73587882e8",
                "created_at": "*", "user_name": "花子", "state": "live",
                "deleted_at": null, "last_path": null}))
            .keeps("id", "map"),
        ask("asset_add_files", with_file("$page", "京都 の地図.txt", "other")).refused("file_name_taken"),
        // A deleted file frees its name, and then can't get it back.
        ask("asset_remove", json!({"asset_id": "$map"})).gives(Value::Null),
        ask("asset_add_files", with_file("$page", "京都 の地図.txt", "other")).gives(json!({"size": 5})),
        ask("asset_restore", json!({"asset_id": "$map"})).refused("file_name_taken"),
        own("100% #1?&=+;.txt"),
        own("...a"),
        own("a\\b"),
        own(&"あ".repeat(85)),
        ask("asset_add_files", with_file("$page", "か\u{3099}", "x")).gives(asset_named("が", "が")),
        ask("asset_add_files", with_file("$page", "が", "x")).refused("file_name_taken"),
        // No lock is needed.
        ask("asset_add_files", with_file("$held", "a", "x")).gives(json!({"page_id": "$held"})),
        ask("asset_add_files", with_file("$begun", "a", "x")).gives(json!({"page_id": "$begun"})),
    ]
}

fn by_their_contents() -> Vec<Step> {
    let mime = |name: &str, contents: &str, mime: &str| {
        ask("asset_add_files", with_file("$page", name, contents))
            .gives(json!({"mime": mime, "size": contents.len()}))
    };
    vec![
        mime("empty.png", "", "text/plain; charset=utf-8"),
        mime("moss.txt", "GIF89a\u{2}\0\u{1}\0", "image/gif"),
        mime(
            "a.png",
            "<svg xmlns='http://www.w3.org/2000/svg'/>",
            "image/svg+xml",
        ),
        mime("largest", &"x".repeat(LIMIT), "text/plain; charset=utf-8"),
    ]
}

fn refusal_steps() -> Vec<Step> {
    let refused = |page: &str, name: &str, code: &'static str| {
        ask("asset_add_files", with_file(page, name, "x")).refused(code)
    };
    let too_large = "x".repeat(LIMIT + 1);
    vec![
        ask("asset_add_files", with_file("$page", "larger", &too_large)).refused("too_large"),
        refused("$page", "a\nb", "invalid_file_name"),
        refused("$page", "a\u{1b}[31m", "invalid_file_name"),
        refused("$page", "gnp.\u{202e}exe", "invalid_file_name"),
        refused("$deleted", "a", "deleted"),
        refused("$unknown", "a", "page_not_found"),
        refused("nonsense", "a", "bad_request"),
        refused("01jd0000000000000000000000", "a", "bad_request"),
        ask(
            "asset_add_files",
            json!({"page_id": "$page", "free_names": "perhaps", "file": {"name": "a", "contents": "x"}}),
        )
        .refused("bad_request"),
        // Refused files are not there.
        ask("asset_list", json!({"page_id": "$deleted", "with_deleted": true})).gives(json!([])),
        ask("asset_list", json!({"page_id": "$page", "with_deleted": true, "limit": 1, "offset": 13}))
            .gives(json!([])),
    ]
}

fn under_free_names() -> Vec<Step> {
    let free = |name: &str, expected: &str| {
        ask("asset_add_files", with_free_name(name, "x")).gives(asset_named(expected, name))
    };
    let long = "あ".repeat(85);
    vec![
        free("a.txt", "a-2.txt"),
        free("a.txt", "a-3.txt"),
        free("a-3.txt", "a-3-2.txt"),
        free("free.tar.gz", "free.tar.gz"),
        free("free.tar.gz", "free.tar-2.gz"),
        free(&long, &format!("{}-2", "あ".repeat(84))),
        ask("asset_add_files", with_free_name("a\nb", "x")).refused("invalid_file_name"),
        ask("asset_add_files", with_free_name("larger", &"x".repeat(LIMIT + 1))).refused("too_large"),
        ask(
            "asset_add_files",
            json!({"page_id": "$page", "free_names": false, "file": {"name": "a.txt", "contents": "x"}}),
        )
        .refused("file_name_taken"),
    ]
}

fn pastes() -> Vec<Step> {
    let files = |page: &str, name: &str| {
        json!({"page_id": page, "name": name, "files": [
            {"name": "a.txt", "contents": "first"},
            {"name": "bad\nname", "contents": "x"},
            {"name": "copied.txt", "contents": "last"},
        ]})
    };
    let added_file = |name: &str, expected: &str| json!({"name": name, "asset": asset_named(expected, name), "error": null});
    let bad = json!({"name": "bad\nname", "asset": null, "error": {"code": "invalid_file_name"}});
    let of_page = |code: &str| json!({"asset": null, "error": {"code": code}});
    vec![
        ask("asset_paste", paste_arguments("$page", "写真")).gives(
            json!({"page_id": "$page", "file_name": "写真.png", "mime": "image/png", "size": 72}),
        ),
        ask("asset_paste", paste_arguments("$page", "写真"))
            .gives(asset_named("写真-2.png", "写真.png")),
        ask("asset_paste", paste_arguments("$page", "a/b")).refused("invalid_file_name"),
        ask("asset_paste", paste_arguments("$page", "a\nb")).refused("invalid_file_name"),
        ask("asset_paste", paste_arguments("$page", &"あ".repeat(84))).refused("invalid_file_name"),
        ask("asset_paste", paste_arguments("$begun", "picture"))
            .gives(json!({"page_id": "$begun"})),
        ask("asset_paste", paste_arguments("$deleted", "picture")).refused("deleted"),
        ask("asset_paste", paste_arguments("$unknown", "picture")).refused("page_not_found"),
        ask("asset_paste", paste_arguments("nonsense", "picture")).refused("bad_request"),
        // A refused file does not prevent others.
        ask("asset_paste", files("$page", "one")).gives(json!([
            added_file("a.txt", "a-4.txt"),
            bad,
            added_file("copied.txt", "copied.txt")
        ])),
        ask("asset_paste", files("$deleted", "two")).gives(json!([
            of_page("deleted"),
            bad,
            of_page("deleted")
        ])),
    ]
}
