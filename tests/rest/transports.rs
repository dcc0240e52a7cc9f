//! Every operation over both transports: the same arguments give the same answer or the same error over HTTP and by
//! the window's command.

mod albums;
mod assets;
mod backups;
mod hashes;
mod mirror;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use fumikura_server::{Client, openapi_document};
use serde_json::{Map, Value, json};

use crate::support::pictures::png;
use crate::support::wiki::encoded;
use crate::support::{Call, TestApp};

/// A row of the table: a command, its arguments, and `ok` or the code of the error. `$name` stands for a value of the
/// fixture, or for the `id` of an earlier answer.
type Row = (&'static str, Value, &'static str);

/// The operations in the order in which they run.
fn table() -> Vec<Row> {
    [
        wiki(),
        assets::rows(),
        files(),
        albums::rows(),
        hashes::rows(),
        backups::rows(),
        mirror::rows(),
        rest(),
    ]
    .concat()
}

fn wiki() -> Vec<Row> {
    let text = json!({"page_id": "$page", "text": "# A\n", "token": "$token"});
    let entry = json!({"page_id": "$page", "tab": "tab", "path": "/a", "base_revision": 1, "source": "x", "seq": 1});
    vec![
        ("page_create", json!({"path": "/new"}), "ok"),
        ("page_create", json!({"path": "/a"}), "path_taken"),
        ("page_list", json!({"prefix": "/", "limit": 2}), "ok"),
        ("page_children", json!({"path": "/"}), "ok"),
        ("page_resolve", json!({"path": "/a"}), "ok"),
        (
            "page_resolve",
            json!({"path": "/旅 & 茶"}),
            "page_not_found",
        ),
        (
            "page_resolve",
            json!({"path": "/a", "at": "2020-01-01"}),
            "page_not_found",
        ),
        (
            "page_resolve",
            json!({"path": "/a", "at": "soon"}),
            "invalid_time",
        ),
        (
            "page_children",
            json!({"path": "/", "at": "2020-01-01"}),
            "ok",
        ),
        ("page_search", json!({"q": "a"}), "ok"),
        ("page_show", json!({"id": "$page"}), "ok"),
        ("page_source", json!({"page_id": "$page", "rev": 1}), "ok"),
        (
            "page_source",
            json!({"page_id": "$page", "rev": 9}),
            "page_not_found",
        ),
        ("page_html", json!({"page_id": "$page"}), "ok"),
        (
            "page_html",
            json!({"page_id": "$page", "rev": 9}),
            "page_not_found",
        ),
        ("page_meta", json!({"page_id": "$page"}), "ok"),
        ("page_path", json!({"page_id": "$page"}), "ok"),
        ("page_parent", json!({"page_id": "$page"}), "ok"),
        ("page_links", json!({"page_id": "$page"}), "ok"),
        (
            "page_backlinks",
            json!({"page_id": "$page", "limit": 1}),
            "ok",
        ),
        ("page_mentions", json!({"page_id": "$page"}), "ok"),
        ("page_wanted", json!({}), "ok"),
        ("page_orphans", json!({}), "ok"),
        ("tag_list", json!({}), "ok"),
        ("tag_rename", json!({"from": "none", "to": "b"}), "ok"),
        ("tag_rename", json!({"from": "a", "to": "1"}), "invalid_tag"),
        ("tag_rename_undo", json!({"pages": []}), "ok"),
        ("property_list", json!({}), "ok"),
        ("task_list", json!({"sort": "page"}), "ok"),
        ("task_list", json!({"limit": 0}), "bad_request"),
        ("page_query", json!({"below": "/", "limit": 1}), "ok"),
        ("page_query", json!({"limit": 0}), "bad_request"),
        ("lock_status", json!({"page_id": "$page"}), "ok"),
        ("lock_status", json!({"page_id": "nonsense"}), "bad_request"),
        (
            "lock_status",
            json!({"page_id": "$unknown"}),
            "page_not_found",
        ),
        (
            "lock_acquire",
            json!({"page_id": "$locked", "take_over": false}),
            "locked",
        ),
        ("lock_acquire", json!({"page_id": "$other"}), "ok"),
        (
            "lock_renew",
            json!({"page_id": "$page", "token": "nonsense"}),
            "lock_invalid",
        ),
        ("lock_renew", json!({"page_id": "$page"}), "lock_invalid"),
        ("page_save", text, "lock_invalid"),
        (
            "page_save",
            json!({"page_id": "$locked", "text": "# B\n", "token": "$token", "keep_lock": true}),
            "ok",
        ),
        (
            "page_property",
            json!({"page_id": "$locked", "name": "a", "value": {"kind": "number", "values": ["1"]}, "token": "$token"}),
            "ok",
        ),
        (
            "page_property",
            json!({"page_id": "$locked", "name": "a", "value": {"kind": "number", "values": ["x"]}, "token": "$token"}),
            "invalid_value",
        ),
        (
            "lock_renew",
            json!({"page_id": "$locked", "token": "$token"}),
            "ok",
        ),
        (
            "lock_release",
            json!({"page_id": "$locked", "token": "$lock_renew"}),
            "ok",
        ),
        (
            "lock_release_beacon",
            json!({"page_id": "$locked", "text": "$token"}),
            "lock_invalid",
        ),
        ("lock_list", json!({}), "bearer_required"),
        ("lock_break", json!({"page_id": "$page"}), "bearer_required"),
        ("autosave_put", entry, "ok"),
        ("autosave_list", json!({"path": "/a"}), "ok"),
        (
            "autosave_get",
            json!({"journal_id": "$unknown"}),
            "not_found",
        ),
        (
            "autosave_remove",
            json!({"journal_id": "$unknown", "seq": 1}),
            "not_found",
        ),
        (
            "revision_list",
            json!({"page_id": "$page", "limit": 1, "before": null}),
            "ok",
        ),
        (
            "revision_list",
            json!({"page_id": "$page", "limit": 0}),
            "bad_request",
        ),
        (
            "revision_diff",
            json!({"page_id": "$page", "from": 1, "to": 2}),
            "ok",
        ),
        ("revision_history", json!({"page_id": "$page"}), "ok"),
        (
            "revision_rollback",
            json!({"page_id": "$page", "rollback_to": 1}),
            "ok",
        ),
        (
            "revision_rollback",
            json!({"page_id": "$page"}),
            "bad_request",
        ),
        (
            "revision_compact",
            json!({"page_id": "$page", "keep_from": 2}),
            "ok",
        ),
        (
            "revision_compact",
            json!({"page_id": "$page", "keep_from": 99}),
            "invalid_value",
        ),
        (
            "page_rename",
            json!({"page_id": "$page", "rename_to": "/b", "recursive": true}),
            "ok",
        ),
        (
            "page_rename",
            json!({"page_id": "$page", "rename_to": "b"}),
            "bad_request",
        ),
        ("page_duplicate", json!({"page_id": "$page"}), "ok"),
        (
            "page_duplicate",
            json!({"page_id": "$unknown"}),
            "page_not_found",
        ),
        (
            "page_extract",
            json!({"page_id": "$page", "path": "/part", "source": "part"}),
            "ok",
        ),
        (
            "page_extract",
            json!({"page_id": "$page", "path": "/part", "source": "part"}),
            "path_taken",
        ),
        (
            "page_merge",
            json!({"page_id": "$page", "into": "$page", "token": "$token"}),
            "into_itself",
        ),
        (
            "page_unmerge",
            json!({"page_id": "$page", "into": "$other", "path": "/c", "revision": 1, "files": [], "pages": []}),
            "not_deleted",
        ),
        ("page_delete", json!({"page_id": "$page"}), "ok"),
        ("page_deleted", json!({"limit": 3}), "ok"),
        (
            "page_restore",
            json!({"page_id": "$page", "restore_to": "/a"}),
            "ok",
        ),
        ("search_find", json!({"q": "moss", "kind": "page"}), "ok"),
        (
            "search_find",
            json!({"q": "moss", "kind": "none"}),
            "bad_request",
        ),
        ("search_folders", json!({"q": "pic"}), "ok"),
        ("search_pictures", json!({"q": "rating:9"}), "invalid_value"),
    ]
}

fn files() -> Vec<Row> {
    let place = |path: &str| json!({"root": "$root", "path": path});
    let picture = |extra: Value| {
        let mut all = json!({"items": [place("a.png")]});
        all.as_object_mut()
            .unwrap()
            .extend(extra.as_object().unwrap().clone());
        all
    };
    vec![
        ("root_list", json!({}), "ok"),
        ("root_add", json!({"grant": "$folder_grant"}), "ok"),
        ("root_add", json!({"path": "/"}), "outside_roots"),
        ("root_remove", json!({"root": "$root_add"}), "ok"),
        (
            "folder_list",
            json!({"root": "$root", "path": "", "sort": "name", "limit": 10}),
            "ok",
        ),
        (
            "folder_list",
            json!({"root": "$root", "path_bytes": "/w=="}),
            "not_found",
        ),
        (
            "folder_size",
            json!({"root": "$root", "path": "", "beneath": true}),
            "ok",
        ),
        ("folder_covers", json!({"root": "$root", "path": ""}), "ok"),
        ("folder_covers", place("none"), "not_found"),
        ("folder_counts", json!({"items": [place("")]}), "ok"),
        ("folder_counts", json!({"items": []}), "bad_request"),
        ("picture_overview", json!({"day": "2026-11-30"}), "ok"),
        ("picture_overview", json!({"day": "today"}), "bad_request"),
        (
            "folder_watch",
            json!({"root": "$root", "path": "", "beneath": true}),
            "ok",
        ),
        ("picture_info", place("a.png"), "ok"),
        (
            "mark_set",
            picture(json!({"rating": 4, "add_tags": ["moss"]})),
            "ok",
        ),
        ("mark_get", place("a.png"), "ok"),
        ("mark_tags", place(""), "ok"),
        (
            "picture_tags_effects",
            json!({"from": ["moss"], "to": ""}),
            "invalid_tag",
        ),
        (
            "picture_tags_rename",
            json!({"from": ["moss"], "to": ""}),
            "invalid_tag",
        ),
        ("file_pages", place("a.png"), "ok"),
        ("file_conflicts", picture(json!({"to": place("sub")})), "ok"),
        (
            "folder_create",
            json!({"parent": place(""), "name": "made"}),
            "ok",
        ),
        (
            "file_export",
            picture(
                json!({"to": place("sub"), "format": "png", "metadata": "none", "pattern": "x"}),
            ),
            "ok",
        ),
        (
            "file_contact_sheet",
            picture(
                json!({"to": place("sub"), "name": "x.pdf", "page": "a4", "columns": 2, "rows": 2, "captions": ["name"]}),
            ),
            "ok",
        ),
        ("file_copy", picture(json!({"to": place("sub")})), "ok"),
        (
            "file_move",
            json!({"items": [place("sub/a.png")], "to": place("none")}),
            "not_found",
        ),
        (
            "file_rename",
            json!({"root": "$root", "path": "sub", "names": [{"from": "a.png", "to": "b.png"}]}),
            "ok",
        ),
        ("duplicate_search", json!({"folder": place("sub")}), "ok"),
        (
            "duplicate_groups",
            json!({"id": "$unknown"}),
            "job_not_found",
        ),
        (
            "duplicate_bin",
            json!({"id": "$unknown", "items": [place("a.png")]}),
            "job_not_found",
        ),
        ("file_bin", json!({"items": [place("sub/b.png")]}), "ok"),
        (
            "file_rotate",
            json!({"item": place("a.png"), "turn": 6}),
            "not_rotatable",
        ),
        ("file_operations", json!({}), "ok"),
        (
            "file_undo",
            json!({"id": "$unknown", "partly": true}),
            "operation_not_found",
        ),
        ("visited_folder_add", place("sub"), "ok"),
        ("visited_folder_list", json!({}), "ok"),
        ("visited_folder_remove", place("sub"), "ok"),
    ]
}

fn rest() -> Vec<Row> {
    let policy = json!({"enabled": true, "ttl_days": 30});
    vec![
        ("user_me", json!({}), "ok"),
        ("user_rename", json!({"name": "彩"}), "ok"),
        ("user_create", json!({"name": "Ben"}), "ok"),
        ("user_list", json!({}), "ok"),
        ("visit_add", json!({"page_id": "$other"}), "ok"),
        ("visit_list", json!({}), "ok"),
        ("pin_add", json!({"page_id": "$other"}), "ok"),
        ("pin_add", json!({"page_id": "$unknown"}), "page_not_found"),
        ("pin_list", json!({}), "ok"),
        ("pin_remove", json!({"page_id": "$other"}), "ok"),
        (
            "tree_view_set",
            json!({"sort": "path", "open": ["/a"], "scroll": 9}),
            "ok",
        ),
        ("tree_view_get", json!({}), "ok"),
        ("about_show", json!({}), "ok"),
        ("settings_get", json!({}), "ok"),
        ("settings_set", json!({"theme": "dark"}), "ok"),
        ("settings_set", json!({"theme": "red"}), "invalid_body"),
        ("cache_stats", json!({}), "ok"),
        ("cache_stats", json!({"more": 1}), "bad_request"),
        ("cache_gc", json!({}), "ok"),
        (
            "cache_set_limit",
            json!({"limit_bytes": 1}),
            "invalid_value",
        ),
        (
            "cache_set_folder",
            json!({"grant": "$unknown"}),
            "grant_invalid",
        ),
        ("ttl_default_get", json!({}), "ok"),
        ("ttl_default_set", json!({"policy": policy}), "ok"),
        (
            "ttl_policy_set",
            json!({"root": "$root", "policy": policy}),
            "ok",
        ),
        (
            "ttl_policy_set",
            json!({"policy": {"enabled": true, "ttl_days": 0}}),
            "invalid_value",
        ),
        ("ttl_policy_get", json!({"root": "$root"}), "ok"),
        ("ttl_policy_get", json!({}), "ok"),
        ("ttl_policy_remove", json!({"root": "$root"}), "ok"),
        ("ttl_preview", json!({"ttl_days": 1}), "ok"),
        ("ttl_retry", json!({"key": "?"}), "bad_request"),
        ("ttl_run", json!({}), "ok"),
        ("job_list", json!({}), "ok"),
        ("cache_clear", json!({"group": null}), "ok"),
        // The size of a folder index differs by the times of its files.
        ("ttl_state", json!({}), "ok"),
        ("job_get", json!({"id": "$ttl_run"}), "ok"),
        (
            "job_pause",
            json!({"id": "$unknown", "paused": true}),
            "job_not_found",
        ),
        ("job_cancel", json!({"id": "$unknown"}), "job_not_found"),
        ("wiki_check", json!({}), "ok"),
        ("wiki_check", json!({"repair": true}), "ok"),
        ("wiki_check", json!({"repair": "perhaps"}), "bad_request"),
        (
            "wiki_import",
            json!({"grant": "$unknown", "on_conflict": "skip"}),
            "grant_invalid",
        ),
        ("imported_text_list", json!({}), "ok"),
        (
            "imported_text_difference",
            json!({"id": "$unknown"}),
            "import_not_found",
        ),
        (
            "imported_text_take_over",
            json!({"id": "$unknown"}),
            "import_not_found",
        ),
        (
            "imported_text_keep",
            json!({"id": "$unknown"}),
            "import_not_found",
        ),
        ("notes_import_list", json!({}), "ok"),
        (
            "notes_import_read",
            json!({"grant": "$unknown"}),
            "grant_invalid",
        ),
        (
            "notes_import_preview",
            json!({"id": "$unknown"}),
            "import_not_found",
        ),
        (
            "notes_import_run",
            json!({"id": "$unknown"}),
            "import_not_found",
        ),
        (
            "notes_import_undo",
            json!({"id": "$unknown"}),
            "import_not_found",
        ),
        ("limit_usage", json!({}), "ok"),
        ("limit_reset", json!({}), "bearer_required"),
        ("vision_settings_get", json!({}), "ok"),
        ("vision_settings_set", json!({"language": "ja"}), "ok"),
        ("vision_key_set", json!({"dialect": "none"}), "invalid_body"),
        ("vision_models", json!({}), "not_configured"),
        (
            "vision_scan",
            json!({"root": "$root", "path": "a.png", "mode": "text"}),
            "not_configured",
        ),
        (
            "vision_describe",
            json!({"root": "$root", "paths": ["a.png"], "mode": "text"}),
            "not_configured",
        ),
        ("metrics_key_get", json!({}), "bearer_required"),
        ("metrics_key_renew", json!({}), "bearer_required"),
        ("login_link_create", json!({}), "unauthenticated"),
        ("api_document", json!({}), "ok"),
        (
            "token_create",
            json!({"name": "script", "scopes": ["read"], "days": 30}),
            "ok",
        ),
        (
            "token_create",
            json!({"name": "script", "scopes": [], "days": 30}),
            "invalid_value",
        ),
        ("token_list", json!({}), "ok"),
        ("token_revoke", json!({"id": "$unknown"}), "token_not_found"),
        ("session_list", json!({}), "ok"),
        (
            "session_end",
            json!({"id": "$unknown"}),
            "session_not_found",
        ),
        ("session_end_others", json!({}), "ok"),
        // The window has no session from here on.
        ("session_sign_out", json!({}), "ok"),
        ("cache_stats", json!({}), "unauthenticated"),
    ]
}

/// An application with pages and files, and its window.
struct Side {
    app: TestApp,
    window: Client,
    cookie: String,
    document: Value,
    values: BTreeMap<String, String>,
}

impl Side {
    async fn new() -> Self {
        let app = TestApp::new();
        let page = app.page("/a", "# A\n\nmoss [](/wanted) #tag\n").await;
        let held = app.lock(&page).await;
        app.save(&held, "# A\n\nmoss and ferns\n").await.is(200);
        let other = app.page("/c", "[a](/a)\n").await;
        let locked = app.page("/locked", "# Locked\n").await;
        let held = app.lock(&locked).await;
        let asset = app.add_asset(&page, "a.txt", b"contents").await;
        let picture = app.file("a.png", &png([1, 2, 3]));
        std::fs::create_dir(app.pictures().join("sub")).unwrap();
        for path in [&picture, &app.pictures().join("sub"), &app.pictures()] {
            set_time(path);
        }
        let root = app.root();
        let folder = app.base_dir().join("Album");
        std::fs::create_dir(&folder).unwrap();
        let (window, cookie) = app.window().await;
        let grant = |path: &Path| app.inner.grant(path.to_owned(), window.clone());
        let values = [
            ("file_grant", grant(&picture)),
            ("folder_grant", grant(&folder)),
            ("file", picture.to_str().unwrap().to_owned()),
            ("page", page),
            ("other", other),
            ("locked", locked),
            ("token", held.token),
            ("asset", asset),
            ("root", root),
            ("unknown", "01JD0000000000000000000000".to_owned()),
        ];
        let values = values.map(|(name, value)| (name.to_owned(), value));
        Self {
            app,
            window,
            cookie,
            document: serde_json::from_str(&openapi_document()).unwrap(),
            values: values.into(),
        }
    }

    /// Replaces `$name` by its value.
    fn filled(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => match text.strip_prefix('$') {
                Some(name) => json!(self.values[name]),
                None => value.clone(),
            },
            Value::Array(items) => items.iter().map(|item| self.filled(item)).collect(),
            Value::Object(fields) => {
                let fields = fields.iter();
                let fields = fields.map(|(name, value)| (name.clone(), self.filled(value)));
                Value::Object(fields.collect())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    /// Keeps the id of a new thing, or the token of a lock, under the name of the command.
    fn keep(&mut self, name: &str, answer: &Value) {
        let new = answer["token"].as_str().or(answer["id"].as_str());
        if let Some(new) = new {
            self.values.insert(name.to_owned(), new.to_owned());
        }
    }

    /// Waits until the answer does not depend on running jobs.
    async fn settle(&self) {
        loop {
            let jobs = self.app.get("/api/jobs").send().await.is(200).json();
            let jobs = jobs.as_array().unwrap().clone();
            if jobs.iter().all(|job| !job["ended_at"].is_null()) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    async fn by_command(&self, name: &str, args: Value) -> Result<Value, Value> {
        self.app.command(&self.window, name, args).await
    }

    /// Sends the request that the document describes for the arguments of a command.
    async fn over_http(&self, name: &str, args: &Value) -> Result<Value, Value> {
        let args = args.as_object().unwrap();
        let Some(call) = self.request(name, args.clone()) else {
            return Err(json!({"code": "bad_request"}));
        };
        let answer = call.header("cookie", &self.cookie).send().await;
        let body = match answer.body.is_empty() {
            true => Value::Null,
            false => serde_json::from_slice(&answer.body).unwrap_or_else(|_| json!(answer.text())),
        };
        if answer.status >= 400 {
            return Err(body);
        }
        let Some(lock) = answer.header("x-page-lock") else {
            return Ok(body);
        };
        let mut fields = body.as_object().cloned().unwrap_or_default();
        for field in lock.split(' ') {
            let (name, value) = field.split_once('=').unwrap();
            fields.insert(name.to_owned(), json!(value));
        }
        Ok(Value::Object(fields))
    }

    /// Returns the request, or `None` if the address has no place for an argument.
    fn request(&self, name: &str, mut args: Map<String, Value>) -> Option<Call> {
        let id = match name {
            "page_rename" | "page_restore" => "page_move",
            "revision_rollback" | "revision_compact" => "revision_change",
            "ttl_policy_get" if !args.contains_key("root") => "ttl_default_get",
            "ttl_policy_set" if !args.contains_key("root") => "ttl_default_set",
            other => other,
        };
        let (path, method, operation) = self.operation(id);
        let (mut path, mut query, mut headers) = (path.to_owned(), Vec::new(), Vec::new());
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let (name, place) = (parameter["name"].as_str()?, parameter["in"].as_str()?);
            let argument = match name {
                "X-Lock-Authentication" => "token".to_owned(),
                name => name.to_lowercase().replace('-', "_"),
            };
            let value = match (
                args.remove(&argument),
                args.remove(&format!("{argument}_bytes")),
            ) {
                (Some(Value::String(text)), None) => encoded(text.as_bytes()),
                (None, Some(_)) => "%FF".to_owned(),
                (None | Some(Value::Null), None) => continue,
                (Some(value), _) => value.to_string(),
            };
            match place {
                "path" => path = path.replace(&format!("{{{name}}}"), &value),
                "query" => query.push(format!("{name}={value}")),
                _ => headers.push((name.to_owned(), format!("token={value}"))),
            }
        }
        let body = &operation["requestBody"];
        let address = format!("{path}?{}", query.join("&"));
        let call = self.app.unauthenticated(&method.to_uppercase(), &address);
        let call = headers
            .iter()
            .fold(call, |call, (name, value)| call.header(name, value));
        if let Some(Value::String(text)) = args.remove("text") {
            let content = body["content"].as_object().unwrap();
            return Some(call.body(content.keys().next().unwrap(), text));
        }
        match args.remove("policy") {
            Some(policy) => Some(call.json(policy)),
            None if !body.is_null() => Some(call.json(Value::Object(args))),
            None => args.is_empty().then_some(call),
        }
    }

    fn operation(&self, id: &str) -> (&str, &str, &Value) {
        let paths = self.document["paths"].as_object().unwrap();
        let mut operations = paths.iter().flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().iter();
            methods.map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
        });
        operations
            .find(|(_, _, operation)| operation["operationId"] == id)
            .unwrap()
    }

    /// Returns an answer without the values that differ from launch to launch: paths, ids, times of the disk.
    fn comparable(&self, answer: &Value) -> String {
        let base = self.app.base_dir();
        let name = base.file_name().unwrap().to_str().unwrap();
        let mut answer = answer.clone();
        // Pictures are read at the same time. Waiting for that would take a number of requests that differs, and so would
        // all ids afterwards.
        if answer["partial"]["reason"] == "reading_pictures" {
            answer["partial"] = Value::Null;
        }
        let text = answer.to_string().replace(name, "BASE");
        let parts = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
        let parts = parts.map(|part| {
            let (token, rest) = match part.chars().next_back() {
                Some(last) if !last.is_ascii_alphanumeric() => {
                    part.split_at(part.len() - last.len_utf8())
                }
                _ => (part, ""),
            };
            [if is_different(token) { "ID" } else { token }, rest].concat()
        });
        parts.collect()
    }
}

/// Returns true for a ULID, a hash, the time of a change in nanoseconds, and the number of an inode.
fn is_different(token: &str) -> bool {
    let is_hash = token.len() >= 16 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_number = token.len() >= 6 && token.bytes().all(|byte| byte.is_ascii_digit());
    token.len() == 26 || is_hash || is_number
}

/// The same time for the files of both sides.
fn set_time(path: &Path) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    File::open(path).unwrap().set_modified(time).unwrap();
}

/// Returns `ok`, or the code of the error.
fn end(outcome: &Result<Value, Value>) -> &str {
    match outcome {
        Ok(_) => "ok",
        Err(error) => error["code"].as_str().unwrap_or("an error without a code"),
    }
}

#[tokio::test]
async fn both_transports_give_the_same_answer() {
    let (mut http, mut commands) = (Side::new().await, Side::new().await);
    let mut faults = Vec::new();
    for (name, args, expected) in table() {
        let over_http = http.over_http(name, &http.filled(&args)).await;
        let by_command = commands.by_command(name, commands.filled(&args)).await;
        for (transport, outcome) in [("HTTP", &over_http), ("command", &by_command)] {
            if end(outcome) != expected {
                faults.push(format!(
                    "{name} {args} by {transport}: {outcome:?}, not {expected}"
                ));
            }
        }
        if let (Ok(one), Ok(other)) = (&over_http, &by_command) {
            let (one, other) = (http.comparable(one), commands.comparable(other));
            if one != other {
                faults.push(format!("{name} {args} differs:\n  {one}\n  {other}"));
            }
            http.keep(name, over_http.as_ref().unwrap());
            commands.keep(name, by_command.as_ref().unwrap());
        }
        http.settle().await;
        commands.settle().await;
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_command_is_in_the_table() {
    let document: Value = serde_json::from_str(&openapi_document()).unwrap();
    let paths = document["paths"].as_object().unwrap().values();
    let operations = paths.flat_map(|path| path.as_object().unwrap().values());
    let named = operations.filter_map(|operation| operation["x-commands"].as_object());
    let commands: BTreeSet<&str> = named.flatten().map(|(name, _)| name.as_str()).collect();
    let rows = table();
    let tested: BTreeSet<&str> = rows.iter().map(|row| row.0).collect();
    assert_eq!(tested, commands);
}
