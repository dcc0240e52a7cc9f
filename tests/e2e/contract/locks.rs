//! Locks: acquired, renewed, taken over, released; every wrong token.

use serde_json::{Value, json};

use super::step::{Step, ask};

pub(super) fn table() -> Vec<Step> {
    let page = || json!({"page_id": "$page"});
    let with = |page: &str, token: &str| json!({"page_id": page, "token": token});
    let lock = || json!({"token": "*", "expire": "*"});
    let free = || json!({"locked": false, "user_name": null, "expire": null});
    let locked = || json!({"locked": true, "user_name": "花子", "expire": "*"});
    let over = |page: &str| json!({"page_id": page, "take_over": true});
    vec![
        ask("lock_status", page()).gives(free()),
        ask("lock_acquire", page())
            .gives(lock())
            .keeps("token", "first"),
        ask("lock_status", page()).gives(locked()),
        ask("lock_acquire", page()).refused("locked"),
        ask(
            "lock_acquire",
            json!({"page_id": "$page", "take_over": false}),
        )
        .refused("locked"),
        ask("lock_renew", with("$page", "$first"))
            .gives(lock())
            .keeps("token", "second"),
        // Replaced, of another page, of no page, not a token at all.
        ask("lock_renew", with("$page", "$first")).refused("lock_invalid"),
        ask("lock_release", with("$page", "$first")).refused("lock_invalid"),
        ask("lock_renew", with("$page", "$held_token")).refused("lock_invalid"),
        ask("lock_release", with("$held", "$second")).refused("lock_invalid"),
        ask("lock_renew", with("$page", "$unknown")).refused("lock_invalid"),
        ask("lock_release", with("$page", "nonsense")).refused("lock_invalid"),
        ask("lock_renew", with("$page", "")).refused("lock_invalid"),
        ask("lock_renew", page()).refused("lock_invalid"),
        ask("lock_release", page()).refused("lock_invalid"),
        // A user's own lock, after a crash.
        ask("lock_acquire", over("$page"))
            .gives(lock())
            .keeps("token", "third"),
        ask("lock_renew", with("$page", "$second")).refused("lock_invalid"),
        ask("lock_release", with("$page", "$third")).gives(Value::Null),
        ask("lock_release", with("$page", "$third")).refused("lock_invalid"),
        ask("lock_status", page()).gives(free()),
        ask("lock_acquire", over("$page"))
            .gives(lock())
            .keeps("token", "fourth"),
        ask("lock_release", with("$page", "$fourth")).gives(Value::Null),
        // A draft is removed with its lock.
        ask("lock_status", json!({"page_id": "$draft"})).gives(locked()),
        ask("lock_acquire", json!({"page_id": "$draft"})).refused("locked"),
        ask("lock_acquire", over("$draft"))
            .gives(lock())
            .keeps("token", "draft_over"),
        ask("lock_release", with("$draft", "$draft_token")).refused("lock_invalid"),
        ask("lock_release", with("$draft", "$draft_over")).gives(Value::Null),
        ask("lock_status", json!({"page_id": "$draft"})).refused("page_not_found"),
        ask("lock_acquire", over("$draft")).refused("page_not_found"),
        // A missing page, and an invalid id.
        ask("lock_acquire", json!({"page_id": "$deleted"})).refused("deleted"),
        ask("lock_status", json!({"page_id": "$unknown"})).refused("page_not_found"),
        ask("lock_acquire", json!({"page_id": "$unknown"})).refused("page_not_found"),
        ask("lock_renew", with("$unknown", "$third")).refused("page_not_found"),
        ask("lock_status", json!({"page_id": "nonsense"})).refused("bad_request"),
        ask(
            "lock_acquire",
            json!({"page_id": "01jd0000000000000000000000"}),
        )
        .refused("bad_request"),
        ask(
            "lock_acquire",
            json!({"page_id": "$page", "take_over": "perhaps"}),
        )
        .refused("bad_request"),
    ]
}
