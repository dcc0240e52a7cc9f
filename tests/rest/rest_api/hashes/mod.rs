//! `/api/hashes`: recording, verifying, listing and repairing.

mod lists;
mod names;
mod wiki_files;

use std::fs::{self, File, FileTimes};
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::support::{HOST, TestApp};

pub(crate) const ABC: &str =
    "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

pub(crate) fn app() -> TestApp {
    TestApp::with_allowed_pictures(|_| ())
}

/// Writes a file into the pictures' folder, with an old modification time.
pub(crate) fn write(app: &TestApp, name: &str, contents: &str) {
    fs::create_dir_all(app.pictures().join(name).parent().unwrap()).unwrap();
    let path = app.file(name, contents.as_bytes());
    set_old(&path);
}

fn set_old(path: &Path) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let file = File::options().write(true).open(path).unwrap();
    file.set_times(FileTimes::new().set_modified(time)).unwrap();
}

/// Runs a job and returns its report.
pub(crate) async fn run(app: &TestApp, action: &str, body: Value) -> Value {
    let job = app.run_job(&format!("/api/hashes/{action}"), body).await;
    assert_eq!(job["state"], "done", "{job}");
    let id = job["id"].as_str().unwrap();
    app.get(&format!("/api/hashes/reports/{id}"))
        .send()
        .await
        .is(200)
        .json()
}

pub(crate) async fn record(app: &TestApp) -> Value {
    run(app, "record", json!({"root": app.root()})).await
}

async fn list(app: &TestApp, query: &str) -> Value {
    app.get(&format!("/api/hashes{query}"))
        .send()
        .await
        .is(200)
        .json()
}

#[tokio::test]
async fn folder_is_recorded_verified_and_listed() {
    let app = app();
    write(&app, "a.txt", "abc");
    write(&app, "写真/東京.txt", "def");
    let report = record(&app).await;
    assert_eq!(
        (&report["written"], &report["summary"]),
        (&json!(2), &json!({"ok": 2, "read": 2, "unread": 0}))
    );
    fs::write(app.pictures().join("a.txt"), "changed").unwrap();
    let report = run(&app, "verify", json!({})).await;
    assert_eq!(
        report["summary"],
        json!({"ok": 1, "changed": 1, "read": 2, "unread": 0})
    );
    assert_eq!(
        (&report["kind"], &report["dir"], &report["path"]),
        (&json!("verify_hashes"), &json!("own"), &Value::Null)
    );
    assert_eq!(report["dry_run"], false);
    assert!(report["started_at"].is_string());
    let finding = &report["findings"][0];
    assert_eq!(
        (&finding["state"], &finding["expected"]),
        (&json!("changed"), &json!(ABC))
    );
    assert!(finding["path"].as_str().unwrap().ends_with("/a.txt"));

    let all = list(&app, "").await;
    assert_eq!((&all["total"], &all["matching"]), (&json!(2), &json!(2)));
    assert_eq!(all["states"], json!({"changed": 1, "ok": 1}));
    assert_eq!(
        (&all["folder"]["id"], &all["folder"]["own"]),
        (&json!("own"), &json!(true))
    );
    let folders = app.get("/api/hashes/folders").send().await.is(200).json();
    let states = |at: usize| folders["items"][at]["states"].clone();
    assert_eq!(
        (states(0), states(1)),
        (json!({"changed": 1}), json!({"ok": 1}))
    );
    let path = folders["items"][1]["path"].as_str().unwrap();
    assert!(path.ends_with("/写真"), "{path}");
    assert_eq!(folders["truncated"], false);
    let none = app.get("/api/hashes/folders?dir=wiki").send().await;
    assert_eq!(none.is(200).json()["items"], json!([]));
    let item = &all["items"][0];
    assert_eq!(
        (&item["kind"], &item["content_hash"], &item["size"]),
        (&json!("encoded"), &json!(ABC), &json!(3))
    );
    assert!(item["name"].as_str().unwrap().ends_with("~a.txt"));
    let found = list(&app, "?q=%E6%9D%B1%E4%BA%AC").await;
    assert_eq!(
        (&found["total"], &found["matching"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(list(&app, "?state=changed").await["matching"], 1);
    assert_eq!(list(&app, "?kind=legacy").await["matching"], 0);
    let second = list(&app, "?offset=1&limit=1").await;
    assert_eq!(
        (
            second["items"].as_array().unwrap().len(),
            &second["matching"]
        ),
        (1, &json!(2))
    );
    let within = list(
        &app,
        &format!("?root={}&path=%E5%86%99%E7%9C%9F", app.root()),
    )
    .await;
    assert_eq!(within["matching"], 1);
}

#[tokio::test]
async fn quick_verification_counts_unread_files() {
    let app = app();
    for name in ["a.txt", "b.txt"] {
        write(&app, name, "abc");
    }
    record(&app).await;
    fs::write(app.pictures().join("b.txt"), "changed").unwrap();
    let quick = json!({"ok": 0, "changed": 1, "read": 1, "unread": 1});
    let all = json!({"ok": 1, "changed": 1, "read": 2, "unread": 0});
    for (body, expected) in [
        (json!({"quick": true}), &quick),
        (json!({"full": false}), &quick),
        (json!({"full": true}), &all),
        (json!({}), &all),
    ] {
        assert_eq!(run(&app, "verify", body).await["summary"], *expected);
    }
    app.post("/api/hashes/verify")
        .json(json!({"quick": true, "full": true}))
        .send()
        .await
        .refused(400, "bad_request");
}

#[tokio::test]
async fn left_out_files_are_counted() {
    let app = app();
    write(&app, "cache/a.txt", "abc");
    write(&app, "b.txt", "def");
    record(&app).await;
    let body = json!({"root": app.root(), "ignore": ["cache/"]});
    let report = run(&app, "verify", body).await;
    assert_eq!(report["summary"]["ok"], 1);
    let skipped = json!({"links": 0, "special": 0, "left_out": 1, "file_systems": [],
        "lines": [], "lines_total": 0});
    assert_eq!(
        (&report["skipped"], &report["total"]),
        (&skipped, &json!(0))
    );
}

#[tokio::test]
async fn single_file_is_recorded_by_its_path() {
    let app = app();
    write(&app, "a.txt", "abc");
    write(&app, "b.txt", "def");
    let report = run(&app, "record", json!({"root": app.root(), "path": "a.txt"})).await;
    assert_eq!(report["written"], 1);
    assert!(report["path"].as_str().unwrap().ends_with("/a.txt"));
    let report = run(&app, "verify", json!({"root": app.root()})).await;
    assert_eq!(
        report["summary"],
        json!({"new": 1, "ok": 1, "read": 1, "unread": 0})
    );
    for (body, code) in [
        (json!({}), "bad_request"),
        (json!({"path": "a.txt"}), "bad_request"),
        (
            json!({"root": "01JD0000000000000000000000"}),
            "root_not_found",
        ),
        (json!({"root": app.root(), "path": "../x"}), "outside_roots"),
        (
            json!({"root": app.root(), "dir": "nonsense"}),
            "grant_invalid",
        ),
    ] {
        let refused = app.post("/api/hashes/record").json(body).send().await;
        assert_eq!(refused.json()["code"], code);
    }
}

#[tokio::test]
async fn badges_follow_the_files_of_a_folder() {
    let app = app();
    write(&app, "a.txt", "abc");
    let badges = || app.get(&format!("/api/hashes/badges?root={}", app.root()));
    let none = badges().send().await.is(200).json();
    assert_eq!(none, json!({"states": {}, "new": 0, "recorded": 0}));
    write(&app, "b.txt", "def");
    record(&app).await;
    write(&app, "c.txt", "new");
    fs::write(app.pictures().join("b.txt"), "changed").unwrap();
    let badges = badges().send().await.is(200).json();
    let states = json!({"a.txt": "ok", "b.txt": "changed", "c.txt": "new"});
    assert_eq!(badges, json!({"states": states, "new": 1, "recorded": 2}));
}

#[tokio::test]
async fn edited_file_is_recorded_again_and_counted() {
    let app = app();
    write(&app, "a.txt", "abc");
    record(&app).await;
    fs::write(app.pictures().join("a.txt"), "edited").unwrap();
    let report = record(&app).await;
    assert_eq!(
        (&report["written"], &report["replaced"], &report["summary"]),
        (
            &json!(1),
            &json!(1),
            &json!({"ok": 1, "read": 1, "unread": 0})
        )
    );
    assert_eq!(report["findings"][0]["state"], "changed");
}

#[tokio::test]
async fn missing_file_is_restored_from_found_copy() {
    let app = app();
    for name in ["a.txt", "b.txt"] {
        write(&app, name, "abc");
    }
    record(&app).await;
    fs::rename(app.pictures().join("a.txt"), app.pictures().join("c.txt")).unwrap();
    fs::remove_file(app.pictures().join("b.txt")).unwrap();
    let missing = app
        .pictures()
        .canonicalize()
        .unwrap()
        .join("b.txt")
        .to_str()
        .unwrap()
        .to_owned();
    let restore = || {
        app.post("/api/hashes/restore")
            .json(json!({"path": missing, "create": true}))
    };
    app.post("/api/hashes/restore")
        .json(json!({"path": missing}))
        .send()
        .await
        .refused(409, "file_missing");
    restore().send().await.refused(404, "no_good_copy");
    run(&app, "verify", json!({"root": app.root()})).await;
    let restored = restore().send().await.is(200).json();
    assert!(
        restored["restored_from"]
            .as_str()
            .unwrap()
            .ends_with("/c.txt")
    );
    assert_eq!(restored["kept_as"], Value::Null);
}

/// A script in the page of a browser must not put a file where it wants one.
#[tokio::test]
async fn browser_restores_no_missing_or_hidden_file() {
    let app = app();
    for name in ["copy.txt", "a.txt", "gone.txt", ".ssh/keys"] {
        write(&app, name, "abc");
    }
    record(&app).await;
    let folder = app.pictures().canonicalize().unwrap();
    let list = format!("{}  listed.txt\n", &ABC["sha256:".len()..]);
    let address = format!("/api/hashes/import?root={}", app.root());
    let imported = app.post(&address).body("text/plain", list).send().await;
    assert_eq!(imported.is(200).json()["imported"], 1);
    fs::remove_file(folder.join("gone.txt")).unwrap();
    for name in ["a.txt", ".ssh/keys"] {
        fs::write(folder.join(name), "damaged").unwrap();
    }
    let restore = |cookie: &str, name: &str| {
        app.unauthenticated("POST", "/api/hashes/restore")
            .header("cookie", cookie)
            .header("origin", &format!("http://{HOST}"))
            .json(json!({"path": folder.join(name), "create": true}))
            .send()
    };
    let browser = app.log_in().await;
    for (name, status, code) in [
        ("gone.txt", 403, "creation_refused"),
        (".ssh/keys", 403, "creation_refused"),
        ("listed.txt", 409, "record_imported"),
    ] {
        restore(&browser, name).await.refused(status, code);
    }
    assert!(!folder.join("gone.txt").exists() && !folder.join("listed.txt").exists());
    restore(&browser, "a.txt").await.is(200);
    let (_client, window) = app.window().await;
    restore(&window, "listed.txt")
        .await
        .refused(409, "record_imported");
    restore(&window, "gone.txt").await.is(200);
    restore(&window, ".ssh/keys").await.is(200);
    assert_eq!(fs::read(folder.join("gone.txt")).unwrap(), b"abc");
}

/// A script in the page of a browser repairs nothing outside the open folders, and learns nothing about what is there.
#[tokio::test]
async fn browser_repairs_no_file_outside_open_folders() {
    let app = app();
    for name in ["open/copy.txt", "closed/damaged.txt", "closed/moved.txt"] {
        write(&app, name, "abc");
    }
    record(&app).await;
    let folder = app.pictures().canonicalize().unwrap();
    let (open, elsewhere) = (folder.join("open"), folder.join("closed"));
    fs::write(elsewhere.join("damaged.txt"), "damaged").unwrap();
    fs::rename(elsewhere.join("moved.txt"), elsewhere.join("new.txt")).unwrap();
    let opened = app.post("/api/roots").json(json!({"path": open}));
    opened.send().await.is(201);
    let closed = app.delete(&format!("/api/roots/{}", app.root()));
    closed.send().await.is(204);
    let (damaged, inside) = (elsewhere.join("damaged.txt"), open.join("copy.txt"));
    let (moved, new) = (elsewhere.join("moved.txt"), elsewhere.join("new.txt"));
    let repairs = [
        ("accept", json!({"path": damaged})),
        ("accept", json!({"path": elsewhere.join("none")})),
        ("restore", json!({"path": damaged})),
        ("restore", json!({"path": elsewhere.join("none")})),
        ("accept-move", json!({"path": moved, "to": new})),
        ("accept-move", json!({"path": inside, "to": new})),
        (
            "accept-move",
            json!({"path": inside, "to": elsewhere.join("none")}),
        ),
        ("accept-move", json!({"path": moved, "to": inside})),
    ];
    let browser = app.log_in().await;
    let (_client, window) = app.window().await;
    let send = |cookie: &str, name: &str, body: &Value| {
        app.unauthenticated("POST", &format!("/api/hashes/{name}"))
            .header("cookie", cookie)
            .header("origin", &format!("http://{HOST}"))
            .json(body.clone())
            .send()
    };
    for (name, body) in &repairs {
        send(&browser, name, body)
            .await
            .refused(403, "outside_roots");
    }
    assert_eq!(fs::read(&damaged).unwrap(), b"damaged");
    send(&window, "restore", &json!({"path": damaged}))
        .await
        .is(200);
    send(&window, "accept-move", &json!({"path": moved, "to": new}))
        .await
        .is(200);
    send(&browser, "accept", &json!({"path": inside}))
        .await
        .is(200);
    assert_eq!(fs::read(&damaged).unwrap(), b"abc");
}

#[tokio::test]
async fn links_lead_no_list_or_run_outside() {
    use std::os::unix::fs::symlink;
    let app = app();
    write(&app, "a.txt", "abc");
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().canonicalize().unwrap().join("secret");
    fs::write(&secret, "abc").unwrap();
    symlink("/", app.pictures().join("slash")).unwrap();
    let hash = &ABC["sha256:".len()..];
    let list = format!("{hash}  slash{0}\n{hash}  {0}\n", secret.display());
    let query = format!("root={}", app.root());
    let imported = app
        .post(&format!("/api/hashes/import?{query}"))
        .body("text/plain", list.clone())
        .send()
        .await
        .is(200)
        .json();
    assert_eq!(imported["imported"], 0);
    let started = app
        .post(&format!("/api/hashes/check?{query}"))
        .body("text/plain", list)
        .send()
        .await
        .is(202)
        .json();
    let job = app.job_end(started["id"].as_str().unwrap()).await;
    assert_eq!(job["result"]["files_read"], 0, "{job}");
    app.post("/api/hashes/record")
        .json(json!({"root": app.root(), "path": format!("slash{}", secret.display())}))
        .send()
        .await
        .refused(403, "outside_roots");
}

#[tokio::test]
async fn changed_file_is_accepted_or_restored() {
    let app = app();
    write(&app, "a.txt", "abc");
    write(&app, "copy.txt", "abc");
    write(&app, "b.txt", "def");
    record(&app).await;
    for name in ["a.txt", "b.txt"] {
        fs::write(app.pictures().join(name), "xyz").unwrap();
    }
    let path = |name: &str| {
        app.pictures()
            .canonicalize()
            .unwrap()
            .join(name)
            .to_str()
            .unwrap()
            .to_owned()
    };
    let restored = app
        .post("/api/hashes/restore")
        .json(json!({"path": path("a.txt")}))
        .send()
        .await;
    let restored = restored.is(200).json();
    assert_eq!(restored["restored_from"], path("copy.txt"));
    assert_eq!(
        fs::read_to_string(restored["kept_as"].as_str().unwrap()).unwrap(),
        "xyz"
    );
    assert_eq!(fs::read_to_string(path("a.txt")).unwrap(), "abc");
    let restore = |name: &str| {
        app.post("/api/hashes/restore")
            .json(json!({"path": path(name)}))
    };
    restore("a.txt").send().await.refused(409, "intact");
    restore("b.txt").send().await.refused(404, "no_good_copy");
    restore("none")
        .send()
        .await
        .refused(404, "record_not_found");
    let accepted = app
        .post("/api/hashes/accept")
        .json(json!({"path": path("b.txt")}))
        .send()
        .await;
    assert_eq!(accepted.is(200).json()["state"], "ok");
    let verified = run(&app, "verify", json!({})).await;
    assert_eq!(
        verified["summary"],
        json!({"ok": 3, "new": 1, "read": 3, "unread": 0})
    );
}

#[tokio::test]
async fn copy_is_verified_and_move_accepted() {
    let app = app();
    write(&app, "old/a.txt", "abc");
    record(&app).await;
    let folder = app.pictures().canonicalize().unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    write(&app, "copy/a.txt", "abd");
    let body = json!({"root": app.root(), "path": "copy", "original": path("old")});
    let report = run(&app, "verify", body).await;
    assert_eq!(
        report["summary"],
        json!({"ok": 0, "differs": 1, "read": 1, "unread": 0})
    );
    assert_eq!(
        (&report["path"], &report["original"]),
        (&json!(path("copy")), &json!(path("old")))
    );
    let accept = || {
        let body = json!({"path": path("old"), "to": path("new")});
        app.post("/api/hashes/accept-move").json(body)
    };
    accept().send().await.refused(409, "changed_since");
    fs::rename(path("old"), path("new")).unwrap();
    let accepted = accept().send().await.is(200).json();
    assert_eq!(accepted, json!({"records": 1}));
    accept().send().await.refused(404, "record_not_found");
    let listed = list(&app, "").await;
    assert_eq!(listed["items"][0]["path"], path("new/a.txt"));
}

#[tokio::test]
async fn wiki_file_serves_as_a_good_copy() {
    let app = app();
    let page = app.page("/p", "text").await;
    let held = app.lock(&page).await;
    let address = format!("/api/pages/{page}/assets/kept.bin");
    app.post(&address)
        .token(&held.token)
        .body("application/octet-stream", "abc")
        .send()
        .await
        .is(201);
    write(&app, "a.txt", "abc");
    record(&app).await;
    let path = app.pictures().canonicalize().unwrap().join("a.txt");
    fs::write(&path, "xyz").unwrap();
    app.post("/api/hashes/restore")
        .json(json!({"path": path.to_str()}))
        .send()
        .await
        .is(200);
    assert_eq!(fs::read_to_string(path).unwrap(), "abc");
}

#[tokio::test]
async fn record_shows_its_history_and_place() {
    let app = app();
    write(&app, "写真/a.txt", "abc");
    record(&app).await;
    let path = app.pictures().canonicalize().unwrap().join("写真/a.txt");
    fs::write(&path, "xyz").unwrap();
    let body = json!({"path": path.to_str()});
    app.post("/api/hashes/accept")
        .json(body)
        .send()
        .await
        .is(200);
    let address = format!("/api/hashes/record?path={}", path.to_str().unwrap());
    let detail = app.get(&address).send().await.is(200).json();
    assert_eq!(detail["history"][0]["content_hash"], ABC);
    assert_eq!(detail["history"][0]["state"], "changed");
    let place = json!([{"root": app.root(), "path": "写真/a.txt"}]);
    assert_eq!(
        (&detail["places"], &detail["format"]),
        (&place, &json!("schema 23"))
    );
    let record: Value = serde_json::from_str(detail["record"].as_str().unwrap()).unwrap();
    assert_eq!(record["file_path"], path.to_str().unwrap());
    app.get("/api/hashes/record?path=/none")
        .send()
        .await
        .refused(404, "record_not_found");
    app.get("/api/hashes/record?path=none")
        .send()
        .await
        .refused(422, "invalid_path");
}

#[tokio::test]
async fn foreign_hash_folder_is_read_by_grant() {
    let app = app();
    write(&app, "a.txt", "abc");
    let path = app.pictures().canonicalize().unwrap().join("a.txt");
    let other = app.base_dir().join("records");
    fs::create_dir_all(&other).unwrap();
    let record = json!({"schema_version": 23, "file_path": path.to_str(), "content_hash": ABC});
    let name = path.to_str().unwrap().replace('/', "~");
    fs::write(other.join(&name), record.to_string()).unwrap();
    let (client, cookie) = app.window().await;
    let grant = app.inner.grant(other.clone(), client);
    let address = format!("/api/hashes?dir={grant}");
    app.get(&address).send().await.refused(403, "grant_invalid");
    let ask = || {
        app.unauthenticated("GET", &address)
            .header("cookie", &cookie)
    };
    let listed = ask().send().await.is(200).json();
    assert_eq!(
        (&listed["folder"]["own"], &listed["total"]),
        (&json!(false), &json!(1))
    );
    assert_eq!(listed["items"][0]["name"], name);
    ask().send().await.is(200);
    let body = json!({"dir": grant, "root": app.root()});
    app.post("/api/hashes/record")
        .json(body.clone())
        .send()
        .await
        .refused(409, "foreign_folder");
    let report = run(&app, "verify", body).await;
    assert_eq!(report["summary"], json!({"ok": 1, "read": 1, "unread": 0}));
    assert_eq!(
        fs::read_dir(&other).unwrap().count(),
        1,
        "nothing was written"
    );
}

#[tokio::test]
async fn orphans_are_previewed_then_removed_by_tidy() {
    let app = app();
    write(&app, "a.txt", "abc");
    write(&app, "b.txt", "def");
    record(&app).await;
    fs::remove_file(app.pictures().join("a.txt")).unwrap();
    let preview = run(&app, "tidy", json!({"dry_run": true})).await;
    assert_eq!(
        (&preview["summary"], &preview["written"]),
        (&json!({"ok": 0, "orphan": 1}), &json!(0))
    );
    let done = run(&app, "tidy", json!({})).await;
    assert_eq!(done["written"], 1);
    assert_eq!(list(&app, "").await["total"], 1);
    let migrated = run(&app, "migrate", json!({})).await;
    assert_eq!(
        (&migrated["written"], &migrated["total"]),
        (&json!(0), &json!(0))
    );
    app.get("/api/hashes/reports/0")
        .send()
        .await
        .refused(404, "job_not_found");
}

#[tokio::test]
async fn removed_records_are_listed_and_brought_back() {
    let app = app();
    write(&app, "a.txt", "abc");
    write(&app, "b.txt", "def");
    record(&app).await;
    fs::remove_file(app.pictures().join("a.txt")).unwrap();
    run(&app, "tidy", json!({})).await;
    let removed = async || {
        let answer = app.get("/api/hashes/removed").send().await;
        answer.is(200).json()
    };
    let reinstate = |body: Value| app.post("/api/hashes/reinstate").json(body).send();
    let listed = removed().await;
    assert_eq!(
        (&listed["total"], &listed["unusable"]),
        (&json!(1), &json!([]))
    );
    let item = &listed["items"][0];
    assert_eq!(
        (&item["content_hash"], &item["size"]),
        (&json!(ABC), &json!(3))
    );
    assert!(item["removed_at"].is_string() && item["recorded_at"].is_string());
    for wrong in [json!({}), json!({"all": true, "files": [{"path": "/a"}]})] {
        reinstate(wrong).await.refused(400, "bad_request");
    }
    let back = reinstate(json!({"files": [{"path": item["path"]}]})).await;
    assert_eq!(back.is(200).json(), json!({"reinstated": 1, "refused": []}));
    assert_eq!(list(&app, "").await["total"], 2);
    assert_eq!(removed().await["total"], 0);
    // A file that is recorded anew keeps its record.
    run(&app, "tidy", json!({})).await;
    write(&app, "a.txt", "new");
    record(&app).await;
    let refused = reinstate(json!({"all": true})).await.is(200).json();
    assert_eq!(refused["reinstated"], 0);
    assert_eq!(refused["refused"][0]["reason_code"], "has_record");
}

#[tokio::test]
async fn world_writable_hash_folder_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let app = app();
    write(&app, "a.txt", "abc");
    record(&app).await;
    let hashes = app.base_dir().join("data/hashes");
    fs::set_permissions(&hashes, fs::Permissions::from_mode(0o777)).unwrap();
    app.get("/api/hashes")
        .send()
        .await
        .refused(422, "unsafe_folder");
}
