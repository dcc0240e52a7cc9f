//! `/api/events`: notifications of changes.

use std::time::Duration;

use axum::body::Body;
use fumikura_server::ErrorCode;
use http_body_util::BodyExt;
use serde_json::{Value, json};

use crate::support::TestApp;

/// The client's end of the stream.
pub(super) struct Stream {
    body: Body,
    unread: String,
}

/// An event.
pub(super) struct Frame {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) data: Value,
}

impl Stream {
    pub(super) async fn open(app: &TestApp, last_seen: Option<&str>) -> Self {
        Self::open_at(app, "/api/events", last_seen).await
    }

    async fn open_at(app: &TestApp, address: &str, last_seen: Option<&str>) -> Self {
        let call = app.get(address);
        let call = match last_seen {
            Some(id) => call.header("last-event-id", id),
            None => call,
        };
        Self {
            body: call.stream().await,
            unread: String::new(),
        }
    }

    pub(super) async fn next(&mut self) -> Frame {
        loop {
            if let Some((frame, rest)) = self.unread.split_once("\n\n") {
                let frame = Frame::read(frame);
                self.unread = rest.to_owned();
                return frame;
            }
            let part = tokio::time::timeout(Duration::from_secs(60), self.body.frame()).await;
            let part = part.expect("nothing came").expect("the stream ended");
            let bytes = part.unwrap().into_data().unwrap();
            self.unread.push_str(std::str::from_utf8(&bytes).unwrap());
        }
    }
}

impl Frame {
    fn read(text: &str) -> Self {
        let field = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap_or_else(|| panic!("no {name} in {text}"))
                .trim()
                .to_owned()
        };
        let data: Value = serde_json::from_str(&field("data:")).unwrap();
        let (id, name) = (field("id:"), field("event:"));
        assert_eq!(data["type"], name, "the name stands in both places");
        Self { id, name, data }
    }
}

async fn change_settings(app: &TestApp) {
    let patch = app.patch("/api/settings").json(json!({"theme": "dark"}));
    patch.send().await.is(200);
}

#[tokio::test]
async fn folder_opened_by_later_start_is_reported() {
    let app = TestApp::new();
    let mut stream = Stream::open(&app, None).await;
    let root = app
        .inner
        .local_files()
        .open_folder(&app.pictures())
        .unwrap();
    let told = stream.next().await;
    assert_eq!(
        told.data,
        json!({"type": "folder.changed", "root": root, "path": null}),
        "{}",
        told.name
    );
    let refused = app
        .inner
        .local_files()
        .open_folder(&app.pictures().join("gone"));
    assert_eq!(refused.unwrap_err().code, ErrorCode::FolderUnavailable);
}

#[tokio::test]
async fn events_since_the_frame_are_sent() {
    let app = TestApp::new();
    change_settings(&app).await;
    let frame = app.get("/settings").send().await;
    let frame = frame.is(200).text().to_owned();
    let (_, since) = frame.split_once("\"since\":\"").unwrap();
    let (since, _) = since.split_once('"').unwrap();
    let draft = app.draft("/旅").await;
    let address = format!("/api/events?since={since}");
    let mut stream = Stream::open_at(&app, &address, None).await;
    let told = stream.next().await;
    assert_eq!(told.data["page_id"], draft.id);
    // A client that reconnects to the same address continues after the last event.
    let mut again = Stream::open_at(&app, &address, Some(&told.id)).await;
    change_settings(&app).await;
    assert_eq!(again.next().await.name, "settings.changed");
    let nonsense = Stream::open_at(&app, "/api/events?since=yesterday", None);
    assert_eq!(nonsense.await.next().await.name, "resync");
}

#[tokio::test]
async fn each_step_of_writing_is_reported() {
    let app = TestApp::new();
    let mut stream = Stream::open(&app, None).await;
    let draft = app.draft("/旅").await;
    app.save(&draft, "one").await.is(200);
    let held = app.lock(&draft.id).await;
    app.save(&held, "two").await.is(200);
    let held = app.lock(&draft.id).await;
    app.delete(&crate::support::wiki::lock(&draft.id))
        .token(&held.token)
        .send()
        .await
        .is(204);
    change_settings(&app).await;
    let locked = json!({
        "type": "page.locked", "page_id": draft.id, "user_name": "Aya", "expire": draft.expire,
    });
    let unlocked = json!({"type": "page.unlocked", "page_id": draft.id});
    let changed = |revision: u64, kind: &str| {
        json!({
            "type": "page.changed", "page_id": draft.id, "path": "/旅",
            "revision": revision, "kind": kind,
        })
    };
    for expected in [
        locked.clone(),
        changed(1, "created"),
        unlocked.clone(),
        locked.clone(),
        changed(2, "saved"),
        unlocked.clone(),
        locked,
        unlocked,
        json!({"type": "settings.changed"}),
    ] {
        assert_eq!(stream.next().await.data, expected);
    }
}

#[tokio::test]
async fn file_changes_are_reported() {
    let app = TestApp::new();
    let (page, other) = (app.page("/a", "text").await, app.page("/b", "text").await);
    let mut stream = Stream::open(&app, None).await;
    let upload = app.post(&format!("/api/pages/{page}/assets/a.txt"));
    let upload = upload.body("text/plain", "x").send().await;
    let id = upload.is(201).json()["id"].as_str().unwrap().to_owned();
    let one = format!("/api/assets/{id}");
    let rename = app.patch(&one).json(json!({"file_name": "b.txt"}));
    rename.send().await.is(200);
    app.delete(&one).send().await.is(204);
    let restore = app.post(&format!("{one}/restore"));
    restore.send().await.is(204);
    for _ in 0..2 {
        // A transfer to the present owner causes no event.
        let give = app.post(&format!("{one}/owner?page_id={other}"));
        give.send().await.is(204);
    }
    let purge = app.delete(&format!("{one}?hard=true"));
    purge.send().await.is(204);
    let refused = app.delete(&one).send().await;
    refused.refused(404, "asset_not_found");
    change_settings(&app).await;
    for (page, kind) in [
        (&page, "added"),
        (&page, "renamed"),
        (&page, "deleted"),
        (&page, "restored"),
        (&page, "moved"),
        (&other, "moved"),
        (&other, "purged"),
    ] {
        let expected =
            json!({"type": "asset.changed", "page_id": page, "asset_id": id, "kind": kind});
        assert_eq!(stream.next().await.data, expected);
    }
    assert_eq!(stream.next().await.name, "settings.changed");
}

#[tokio::test]
async fn page_moves_deletions_and_restores_are_reported() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let below = app.page("/a/x", "two").await;
    let mut stream = Stream::open(&app, None).await;
    let held = app.lock(&below).await;
    let moved = app.post(&format!("/api/pages/{id}/path?rename_to=/b&recursive=true"));
    moved.token(&held.token).send().await.is(200);
    let deleted = app.delete(&format!("/api/pages/{id}?recursive=true"));
    deleted.token(&held.token).send().await.is(204);
    let restored = app.post(&format!("/api/pages/{below}/path?restore_to=/c"));
    restored.send().await.is(204);
    let changed = |page_id: &str, path: &str, kind: &str| {
        json!({
            "type": "page.changed", "page_id": page_id, "path": path,
            "revision": 2, "kind": kind,
        })
    };
    assert_eq!(stream.next().await.name, "page.locked");
    for expected in [
        changed(&id, "/b", "renamed"),
        changed(&below, "/b/x", "renamed"),
        changed(&id, "/b", "deleted"),
        changed(&below, "/b/x", "deleted"),
        json!({"type": "page.unlocked", "page_id": below}),
        changed(&below, "/c", "restored"),
    ] {
        assert_eq!(stream.next().await.data, expected);
    }
}

#[tokio::test]
async fn compaction_and_file_changes_with_page_are_reported() {
    let app = TestApp::new();
    let page = app.page("/a", "one").await;
    let held = app.lock(&page).await;
    app.save(&held, "two").await.is(200);
    let upload = app.post(&format!("/api/pages/{page}/assets/a.txt"));
    let upload = upload.body("text/plain", "x").send().await;
    let file = upload.is(201).json()["id"].as_str().unwrap().to_owned();
    let mut stream = Stream::open(&app, None).await;
    let compact = app.post(&format!("/api/pages/{page}/revision?keep_from=2"));
    compact.send().await.is(204);
    let one = format!("/api/pages/{page}");
    app.delete(&one).send().await.is(204);
    let restore = app.post(&format!("{one}/path?restore_to=/a"));
    restore.send().await.is(204);
    app.delete(&format!("{one}?hard=true")).send().await.is(204);
    let changed = |kind: &str| {
        json!({
            "type": "page.changed", "page_id": page, "path": "/a",
            "revision": 2, "kind": kind,
        })
    };
    let asset = |page_id: Option<&str>, kind: &str| json!({"type": "asset.changed", "page_id": page_id, "asset_id": file, "kind": kind});
    for expected in [
        changed("compacted"),
        changed("deleted"),
        asset(Some(&page), "deleted"),
        changed("restored"),
        asset(Some(&page), "restored"),
        changed("deleted"),
        asset(None, "deleted"),
    ] {
        assert_eq!(stream.next().await.data, expected);
    }
}

#[tokio::test]
async fn draft_moves_and_ends_are_reported() {
    let app = TestApp::new();
    let page = app.page("/a", "one").await;
    let draft = app.draft("/a/x").await;
    let upload = app.post(&format!("/api/pages/{}/assets/a.txt", draft.id));
    let upload = upload.body("text/plain", "x").send().await;
    let file = upload.is(201).json()["id"].as_str().unwrap().to_owned();
    let mut stream = Stream::open(&app, None).await;
    let moved = app.post(&format!(
        "/api/pages/{page}/path?rename_to=/b&recursive=true"
    ));
    moved.token(&draft.token).send().await.is(200);
    app.delete(&crate::support::wiki::lock(&draft.id))
        .token(&draft.token)
        .send()
        .await
        .is(204);
    let changed = |page_id: &str, path: &str, revision: u64| {
        json!({
            "type": "page.changed", "page_id": page_id, "path": path,
            "revision": revision, "kind": "renamed",
        })
    };
    for expected in [
        changed(&draft.id, "/b/x", 0),
        changed(&page, "/b", 2),
        json!({"type": "asset.changed", "page_id": draft.id, "asset_id": file, "kind": "purged"}),
        json!({"type": "page.unlocked", "page_id": draft.id}),
    ] {
        assert_eq!(stream.next().await.data, expected);
    }
}

#[tokio::test]
async fn too_many_changes_become_one_resync() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    for n in 0..100 {
        app.page(&format!("/a/{n}"), "x").await;
    }
    let mut stream = Stream::open(&app, None).await;
    let deleted = app.delete(&format!("/api/pages/{id}?recursive=true"));
    deleted.send().await.is(204);
    change_settings(&app).await;
    assert_eq!(stream.next().await.name, "resync");
    assert_eq!(stream.next().await.name, "settings.changed");
}

#[tokio::test]
async fn unchanged_save_reports_only_the_unlock() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let mut stream = Stream::open(&app, None).await;
    let held = app.lock(&page).await;
    app.save(&held, "text").await.is(200);
    assert_eq!(stream.next().await.name, "page.locked");
    assert_eq!(stream.next().await.name, "page.unlocked");
    change_settings(&app).await;
    assert_eq!(stream.next().await.name, "settings.changed");
}

#[tokio::test]
async fn events_contain_no_lock_token() {
    let app = TestApp::new();
    let mut stream = Stream::open(&app, None).await;
    let draft = app.draft("/a").await;
    let told = stream.next().await.data.to_string();
    assert!(!told.contains(&draft.token), "{told}");
}

#[tokio::test]
async fn reconnect_replays_missed_events() {
    let app = TestApp::new();
    let mut first = Stream::open(&app, None).await;
    change_settings(&app).await;
    let seen = first.next().await.id;
    drop(first);
    app.draft("/a").await;
    app.draft("/b").await;
    let mut again = Stream::open(&app, Some(&seen)).await;
    for _ in 0..2 {
        let frame = again.next().await;
        assert_eq!(frame.name, "page.locked");
        assert_ne!(frame.id, seen);
    }
    change_settings(&app).await;
    assert_eq!(again.next().await.name, "settings.changed");
}

#[tokio::test]
async fn first_connection_gets_only_new_events() {
    let app = TestApp::new();
    change_settings(&app).await;
    let mut stream = Stream::open(&app, None).await;
    app.draft("/a").await;
    assert_eq!(stream.next().await.name, "page.locked");
}

#[tokio::test]
async fn roots_and_registrations_are_reported() {
    let app = TestApp::empty();
    let mut stream = Stream::open(&app, None).await;
    app.post("/api/users")
        .json(json!({"name": "Aya"}))
        .send()
        .await
        .is(201);
    let told = stream.next().await.data;
    assert_eq!(
        (&told["type"], &told["path"], &told["kind"]),
        (&json!("page.changed"), &json!("/"), &json!("created"))
    );
    let (window, cookie) = app.window().await;
    let grant = app.inner.grant(app.pictures(), window);
    let root = app
        .unauthenticated("POST", "/api/roots")
        .header("cookie", &cookie)
        .json(json!({"grant": grant}))
        .send()
        .await;
    let id = root.is(201).json()["id"].clone();
    let told = stream.next().await.data;
    assert_eq!(
        told,
        json!({"type": "folder.changed", "root": id, "path": null})
    );
}

#[tokio::test]
async fn stream_is_not_cached() {
    let app = TestApp::new();
    let head = app.call("HEAD", "/api/events").send().await;
    head.is(200)
        .has("content-type", "text/event-stream")
        .has("cache-control", "no-cache");
}
