//! `/api/users`.

use std::time::Duration;

use serde_json::json;

use crate::support::wiki::{HeldLock, lock, source};
use crate::support::{Call, TestApp, name};

#[tokio::test]
async fn first_registration_writes_root_page_in_browser_language() {
    for (language, begins) in [("ja", "# 文庫"), ("en", "# Welcome"), ("", "# Welcome")] {
        let app = TestApp::empty();
        assert_eq!(app.get("/api/users").send().await.is(200).json(), json!([]));
        app.get("/api/users/me")
            .send()
            .await
            .refused(404, "no_user");
        let registered = app
            .post("/api/users")
            .header("accept-language", language)
            .json(json!({"name": "  あや  "}))
            .send()
            .await;
        let user = registered.is(201).json();
        assert_eq!(user["name"], "あや");
        assert_eq!(user["created_at"], crate::support::NOON);
        let me = app.get("/api/users/me").send().await;
        assert_eq!(me.is(200).json(), user);
        let text = app.text(&app.root_page().await).await;
        assert!(text.starts_with(begins), "{language}: {text}");
    }
}

#[tokio::test]
async fn language_setting_overrides_the_browser() {
    let app = TestApp::empty();
    app.patch("/api/settings")
        .json(json!({"language": "ja"}))
        .send()
        .await
        .is(200);
    app.post("/api/users")
        .header("accept-language", "en")
        .json(json!({"name": "Aya"}))
        .send()
        .await
        .is(201);
    let text = app.text(&app.root_page().await).await;
    assert!(text.starts_with("# 文庫"), "{text}");
}

#[tokio::test]
async fn users_are_listed_by_registration_time() {
    let app = TestApp::new();
    for name in ["Zoë", "Ben"] {
        app.advance(Duration::from_secs(1));
        let registered = app.post("/api/users").json(json!({"name": name}));
        registered.send().await.is(201);
    }
    let users = app.get("/api/users").send().await.json();
    let names: Vec<_> = users.as_array().unwrap().iter().collect();
    let names: Vec<_> = names
        .iter()
        .map(|user| user["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Aya", "Zoë", "Ben"]);
}

#[tokio::test]
async fn invalid_and_taken_names_are_refused() {
    let app = TestApp::new();
    let long = "あ".repeat(65);
    for (name, status, code) in [
        ("Aya", 409, "name_taken"),
        ("", 422, "invalid_name"),
        (" \t", 422, "invalid_name"),
        ("a\u{202e}b", 422, "invalid_name"),
        ("a\nb", 422, "invalid_name"),
        (&long, 422, "invalid_name"),
    ] {
        let body = json!({"name": name});
        let registered = app.post("/api/users").json(body.clone()).send().await;
        registered.refused(status, code);
        if code == "invalid_name" {
            let renamed = app.patch("/api/users/me").json(body).send().await;
            renamed.refused(status, code);
        }
    }
    let most = app
        .post("/api/users")
        .json(json!({"name": &long[3..]}))
        .send()
        .await;
    most.is(201);
    let users = app.get("/api/users").send().await.json();
    assert_eq!(users.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn renamed_user_stays_the_same_user() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let before = app.get("/api/users/me").send().await.json();
    let renamed = app
        .patch("/api/users/me")
        .json(json!({"name": "あや"}))
        .send()
        .await;
    assert_eq!(renamed.is(200).json()["name"], "あや");
    let me = app.get("/api/users/me").send().await;
    let me = me.is(200).json();
    assert_eq!((&me["id"], &me["name"]), (&before["id"], &json!("あや")));
    // Older revisions keep the old name; new ones have the new name.
    let meta = app.get(&format!("/api/pages/{page}/meta")).send().await;
    assert_eq!(meta.json()["revision_info"]["user_name"], "Aya");
    let held = app.lock(&page).await;
    app.save(&held, "more").await.is(200);
    let meta = app.get(&format!("/api/pages/{page}/meta")).send().await;
    assert_eq!(meta.json()["revision_info"]["user_name"], "あや");
    app.post("/api/users")
        .json(json!({"name": "Aya"}))
        .send()
        .await
        .is(201);
    let back = app.patch("/api/users/me").json(json!({"name": "Aya"}));
    back.send().await.refused(409, "name_taken");
}

#[tokio::test]
async fn first_user_is_the_default() {
    let app = TestApp::empty();
    for name in ["First", "Second"] {
        app.advance(Duration::from_secs(1));
        app.post("/api/users")
            .json(json!({"name": name}))
            .send()
            .await
            .is(201);
    }
    let me = app.get("/api/users/me").send().await;
    assert_eq!(me.json()["name"], "First");
}

#[tokio::test]
async fn writing_needs_a_registered_user() {
    let app = TestApp::empty();
    for (method, path) in [
        ("POST", "/api/pages?path=/a"),
        ("GET", "/api/journals"),
        ("PATCH", "/api/users/me"),
    ] {
        let answer = app
            .call(method, path)
            .json(json!({"name": "Aya"}))
            .send()
            .await;
        answer.refused(404, "no_user");
    }
}

#[test]
fn unknown_user_prevents_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let open = |who: &str| {
        let mut config = crate::support::config(folder.path());
        config.user = name(who);
        fumikura_server::App::open(config)
    };
    drop(open("Aya").unwrap());
    let refused = open("Ben").err().unwrap().to_string();
    assert_eq!(refused, "there is no user named Ben");
    drop(open("Aya").unwrap());
}

#[tokio::test]
async fn recently_read_pages_are_stored_per_user() {
    let app = TestApp::empty();
    let visits = "/api/users/me/visits";
    app.get(visits).send().await.refused(404, "no_user");
    let app = TestApp::new();
    assert_eq!(app.get(visits).send().await.is(200).json(), json!([]));
    let [plain, titled] = [app.page("/a", "").await, app.page("/b", "# Beta").await];
    let read = |id: &str| app.post(&format!("{visits}?page_id={id}")).send();
    read(&plain).await.is(204);
    read(&titled).await.is(204);
    read(&plain).await.is(204);
    let first = json!({"page_id": plain, "path": "/a"});
    let second = json!({"page_id": titled, "path": "/b", "title": "Beta"});
    let told = app.get(visits).send().await;
    assert_eq!(told.is(200).json(), json!([first, second]));
    app.delete(&format!("/api/pages/{plain}"))
        .send()
        .await
        .is(204);
    assert_eq!(app.get(visits).send().await.json(), json!([second]));
    read(&plain).await.refused(410, "deleted");
    let nothing = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    read(nothing).await.refused(404, "page_not_found");
    read("x").await.refused(400, "bad_request");
}

#[tokio::test]
async fn pinned_pages_are_stored_per_user() {
    let pins = "/api/users/me/pins";
    TestApp::empty()
        .get(pins)
        .send()
        .await
        .refused(404, "no_user");
    let app = TestApp::new();
    let page = app.page("/b", "# Beta").await;
    let of = |id: &str| format!("{pins}?page_id={id}");
    app.post(&of(&page)).send().await.is(204);
    let pinned = json!([{"page_id": page, "path": "/b", "title": "Beta"}]);
    assert_eq!(app.get(pins).send().await.is(200).json(), pinned);
    app.delete(&of(&page)).send().await.is(204);
    app.delete(&of(&page)).send().await.is(204);
    assert_eq!(app.get(pins).send().await.json(), json!([]));
    let nothing = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    app.post(&of(nothing))
        .send()
        .await
        .refused(404, "page_not_found");
    app.post(&of("x")).send().await.refused(400, "bad_request");
}

#[tokio::test]
async fn tree_view_is_stored_per_user() {
    let tree = "/api/users/me/tree";
    let app = TestApp::new();
    let initial = json!({"sort": "title", "open": [], "scroll": 0});
    assert_eq!(app.get(tree).send().await.is(200).json(), initial);
    let put = |view: serde_json::Value| app.put(tree).json(view).send();
    let view = json!({"sort": "changed", "open": ["/旅"], "scroll": 56});
    put(view.clone()).await.is(204);
    assert_eq!(app.get(tree).send().await.json(), view);
    put(json!({"sort": "size"}))
        .await
        .refused(400, "invalid_body");
    put(json!({"open": ["no path"]}))
        .await
        .refused(400, "invalid_body");
    let many: Vec<_> = (0..1_001).map(|at| format!("/{at}")).collect();
    put(json!({"open": many}))
        .await
        .refused(422, "invalid_value");
    assert_eq!(app.get(tree).send().await.json(), view);
}

#[tokio::test]
async fn bearer_names_the_acting_user() {
    let app = TestApp::new();
    let registered = app.post("/api/users").json(json!({"name": "あい"}));
    registered.send().await.is(201);
    let page = app.page("/a", "text").await;
    let on_behalf = |call: Call| call.header("x-acting-user", "%E3%81%82%E3%81%84");
    let me = on_behalf(app.get("/api/users/me")).send().await;
    assert_eq!(me.is(200).json()["name"], "あい");
    let taken = on_behalf(app.post(&lock(&page))).send().await;
    let held = HeldLock::new(page.clone(), taken.is(204));
    let refused = app.post(&lock(&page)).send().await;
    assert_eq!(refused.refused(409, "locked")["user_name"], "あい");
    let saved = on_behalf(app.put(&source(&page)));
    let saved = saved.token(&held.token).markdown("more").send().await;
    saved.is(200);
    let revisions = app.get(&format!("/api/pages/{page}/revisions"));
    let revisions = revisions.send().await.is(200).json();
    let author = |index: usize| &revisions["items"][index]["user_name"];
    assert_eq!((author(0), author(1)), (&json!("あい"), &json!("Aya")));
    let me = app.get("/api/users/me").send().await;
    assert_eq!(me.json()["name"], "Aya");
}

#[tokio::test]
async fn named_user_must_exist_and_have_bearer() {
    let app = TestApp::new();
    for (name, status, code) in [("Ben", 404, "no_user"), ("%0A", 422, "invalid_name")] {
        let call = app.get("/api/users/me").header("x-acting-user", name);
        call.send().await.refused(status, code);
    }
    let (_, cookie) = app.window().await;
    let call = app.with_session(&cookie, "GET", "/api/users/me");
    let call = call.header("x-acting-user", "Aya").send().await;
    call.refused(403, "bearer_required");
}
