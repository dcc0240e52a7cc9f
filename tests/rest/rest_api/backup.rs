//! `/api/backup` into a folder that the user chose.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::rest_api::export::ended_job;
use crate::support::{Answer, HOST, TestApp};

async fn back_up(app: &TestApp, cookie: &str, grant: &str) -> Answer {
    app.unauthenticated("POST", "/api/backup")
        .header("cookie", cookie)
        .header("origin", &format!("http://{HOST}"))
        .json(json!({"grant": grant}))
        .send()
        .await
}

#[tokio::test]
async fn backup_goes_into_the_chosen_folder() {
    let app = TestApp::new();
    app.page("/a", "kept").await;
    let (window, cookie) = app.window().await;
    let (_, other) = app.window().await;
    let chosen = app.pictures();
    fs::write(chosen.join("mine.txt"), "mine").unwrap();
    let grant = app.inner.grant(chosen.clone(), window);
    let refused = back_up(&app, &other, &grant).await;
    refused.refused(403, "grant_invalid");
    let started = back_up(&app, &cookie, &grant).await.is(202).json();
    let job = ended_job(&app).await;
    assert_eq!(
        (&job["id"], &job["state"]),
        (&started["id"], &json!("done"))
    );
    let folder = chosen.join("fumikura-2026-11-18T120000Z");
    assert_eq!(job["result"]["folder"], folder.to_str().unwrap());
    assert_eq!(fs::read_dir(&chosen).unwrap().count(), 2);
    assert!(!app.base_dir().join("data/backups").exists());

    let copy = TestApp::with(|config| config.data_dir = folder);
    let page = copy.get("/api/pages/resolve?path=/a").send().await;
    let id = page.is(200).json()["id"].as_str().unwrap().to_owned();
    assert_eq!(copy.text(&id).await, "kept");
    let again = back_up(&app, &cookie, &grant).await;
    again.refused(403, "grant_invalid");
}

#[tokio::test]
async fn backup_needs_an_existing_folder() {
    let app = TestApp::new();
    let (window, cookie) = app.window().await;
    let file = app.pictures().join("file");
    fs::write(&file, "mine").unwrap();
    let give = |path| app.inner.grant(path, window.clone());
    let refused = back_up(&app, &cookie, &give(file.clone())).await;
    refused.refused(422, "not_a_folder");
    let refused = back_up(&app, &cookie, &give(app.base_dir().join("gone"))).await;
    refused.refused(404, "folder_unavailable");
    assert_eq!(fs::read_to_string(file).unwrap(), "mine");
    // The Bearer belongs to no window that could have chosen one.
    let call = app.post("/api/backup").json(json!({"grant": "x"}));
    call.send().await.refused(403, "grant_invalid");
    let call = app.post("/api/backup").json(json!({"folder": "/tmp"}));
    call.send().await.refused(400, "invalid_body");
    let jobs = app.get("/api/jobs").send().await.is(200).json();
    assert_eq!(jobs, json!([]));
}

/// Checks that a folder and its contents are accessible to the owner only. Returns the number of files and folders.
fn check_private(path: &Path) -> usize {
    let metadata = fs::symlink_metadata(path).unwrap();
    let expected = if metadata.is_dir() { 0o700 } else { 0o600 };
    let mode = metadata.permissions().mode() & 0o7777;
    assert_eq!(mode, expected, "{:o} of {}", mode, path.display());
    if !metadata.is_dir() {
        return 1;
    }
    let entries = fs::read_dir(path).unwrap();
    1 + entries
        .map(|entry| check_private(&entry.unwrap().path()))
        .sum::<usize>()
}

#[tokio::test]
async fn data_and_backup_are_private_to_owner() {
    let app = TestApp::new();
    let page = app.page("/a", "kept").await;
    app.add_asset(&page, "a.txt", b"kept").await;
    app.inner
        .local_files()
        .open_folder(&app.pictures())
        .unwrap();
    // `wiki.redb`, `roots.json`, and the file in two folders of `asset/`; the copy has its record and the ledger of its proof, too.
    let kept = check_private(&app.base_dir().join("data"));
    assert_eq!(kept, 1 + 2 + 4);
    app.post("/api/backup").send().await.is(202);
    let job = ended_job(&app).await;
    let copied = check_private(Path::new(job["result"]["folder"].as_str().unwrap()));
    assert_eq!(copied, kept + 2, "{job}");
    check_private(&app.base_dir().join("data"));
}

#[tokio::test]
async fn backups_are_listed_with_their_proof() {
    let app = TestApp::new();
    app.page("/a", "kept").await;
    let empty = app.get("/api/backups").send().await.is(200).json();
    assert_eq!(
        (&empty["last_proved"], &empty["backups"]),
        (&json!(null), &json!([]))
    );
    app.post("/api/backup").send().await.is(202);
    let job = ended_job(&app).await;
    assert_eq!(
        (&job["result"]["proved"], &job["result"]["faults"]),
        (&json!(true), &json!([]))
    );
    let list = app.get("/api/backups").send().await.is(200).json();
    assert_eq!(list["last_proved"], "2026-11-18T12:00:00Z");
    let backup = &list["backups"][0];
    assert_eq!(backup["name"], "fumikura-2026-11-18T120000Z");
    assert_eq!(
        (&backup["cause"], &backup["assets"]),
        (&json!("request"), &json!(0))
    );
    assert_eq!(
        backup["kept_by"],
        json!(["requested", "newest_proved", "daily", "weekly", "monthly"])
    );
}

#[tokio::test]
async fn backup_of_the_schedule_is_due_once_a_day() {
    let app = TestApp::new();
    let is_due = |app: &TestApp| app.inner.backup_is_due().unwrap();
    app.get("/wiki/").send().await.is(200);
    assert!(!is_due(&app), "the program is not idle");
    app.advance(Duration::from_secs(180));
    assert!(is_due(&app));
    app.post("/api/backup").send().await.is(202);
    ended_job(&app).await;
    app.advance(Duration::from_secs(19 * 3600));
    assert!(!is_due(&app), "the last one is younger than a day");
    app.advance(Duration::from_secs(3 * 3600));
    assert!(is_due(&app));
    let off = app
        .patch("/api/settings")
        .json(json!({"daily_backups": false}));
    off.send().await.is(200);
    app.advance(Duration::from_secs(180));
    assert!(!is_due(&app), "it is turned off");
}

const NAME: &str = "fumikura-2026-11-18T120000Z";

/// Backs up the data, and returns the address of the backup.
async fn backed_up(app: &TestApp) -> String {
    app.post("/api/backup").send().await.is(202);
    ended_job(app).await;
    format!("/api/backups/{NAME}")
}

#[tokio::test]
async fn page_is_brought_back_from_a_backup() {
    let app = TestApp::new();
    let id = app.page("/a", "# Old\n").await;
    let backup = backed_up(&app).await;
    let save = app.put(&format!("/api/pages/{id}/source"));
    let save = save.header("if-match", "*").markdown("# New\n");
    save.send().await.is(200);

    let list = app.get(&format!("{backup}/pages?q=old")).send().await;
    let list = list.is(200).json();
    let item = json!({
        "page_id": id, "path": "/a", "title": "Old", "saved_at": "2026-11-18T12:00:00Z",
        "present": "changed",
    });
    assert_eq!(list, json!({"items": [item], "has_more": false}));
    let at = app.get(&format!("{backup}/pages?path=/none")).send().await;
    at.refused(404, "page_not_found");

    let page = app.get(&format!("{backup}/pages/{id}")).send().await;
    let page = page.is(200).json();
    assert_eq!(
        (&page["text"], &page["present_path"], &page["added"]),
        (&json!("# Old\n"), &json!("/a"), &json!(1))
    );
    let restore = format!("{backup}/pages/{id}/restore");
    let restored = app.post(&restore).send().await.is(200).json();
    let expected = json!({
        "page_id": id, "path": "/a", "revision": 3, "way": "revised", "files": [], "damaged": [],
    });
    assert_eq!(restored, expected);
    assert_eq!(app.text(&id).await, "# Old\n");
    let again = app.post(&restore).send().await.is(200).json();
    assert_eq!(again["way"], "unchanged");
}

#[tokio::test]
async fn damaged_backup_is_reported() {
    let app = TestApp::new();
    let backup = backed_up(&app).await;
    let database = app.base_dir().join("data/backups").join(NAME);
    fs::write(database.join("wiki.redb"), "no database").unwrap();
    let pages = app.get(&format!("{backup}/pages")).send().await;
    pages.refused(422, "backup_unreadable");
}

#[tokio::test]
async fn data_go_back_at_the_next_start() {
    let app = TestApp::new();
    let id = app.page("/a", "old").await;
    let backup = backed_up(&app).await;
    app.advance(Duration::from_secs(60));
    let save = app.put(&format!("/api/pages/{id}/source"));
    let save = save.header("if-match", "*").markdown("new");
    save.send().await.is(200);
    let none = app.post("/api/backups/none/go-back").send().await;
    none.refused(404, "backup_not_found");

    let go_back = format!("{backup}/go-back");
    app.post(&go_back).send().await.is(202);
    let job = ended_job(&app).await;
    assert_eq!(
        (&job["kind"], &job["state"]),
        (&json!("go_back"), &json!("done"))
    );
    let list = app.get("/api/backups").send().await.is(200).json();
    assert_eq!(list["pending"]["name"], NAME);
    assert_eq!(list["backups"].as_array().unwrap().len(), 2);
    app.delete("/api/backups/go-back").send().await.is(204);
    let list = app.get("/api/backups").send().await.is(200).json();
    assert_eq!(list["pending"], json!(null));

    app.post(&go_back).send().await.is(202);
    ended_job(&app).await;
    assert_eq!(app.text(&id).await, "new");
    let app = app.restart(|_| {});
    assert_eq!(app.text(&id).await, "old");
    let list = app.get("/api/backups").send().await.is(200).json();
    assert_eq!(list["pending"], json!(null));
    let newest = list["backups"][0]["name"].as_str().unwrap();
    let page = app.get(&format!("/api/backups/{newest}/pages/{id}"));
    assert_eq!(page.send().await.is(200).json()["text"], "new");
}

#[tokio::test]
async fn backups_are_copied_to_the_second_place() {
    let app = TestApp::new();
    let disk = app.pictures();
    let (window, cookie) = app.window().await;
    let set = |body: serde_json::Value| {
        app.unauthenticated("PUT", "/api/backups/place")
            .header("cookie", &cookie)
            .header("origin", &format!("http://{HOST}"))
            .json(body)
    };
    let path = set(json!({"path": disk})).send().await;
    path.refused(403, "bearer_required");
    let grant = app.inner.grant(disk.clone(), window);
    let place = set(json!({"grant": grant})).send().await.is(200).json();
    let expected = json!({
        "folder": disk, "is_reachable": true, "last_copied": null, "failure": null,
    });
    assert_eq!(place, expected);

    let list = backed_up(&app).await;
    assert!(disk.join(NAME).join("wiki.redb").exists(), "{list}");
    let list = app.get("/api/backups").send().await.is(200).json();
    assert_eq!(list["place"]["last_copied"], "2026-11-18T12:00:00Z");
    app.post("/api/backups/place/copy").send().await.is(202);
    let job = ended_job(&app).await;
    assert_eq!(job["result"], json!({"folder": null}));

    fs::remove_file(disk.join("fumikura-backups.json")).unwrap();
    app.post("/api/backups/place/copy").send().await.is(202);
    let job = ended_job(&app).await;
    assert_eq!(job["error"]["code"], "folder_unavailable", "{job}");
    app.delete("/api/backups/place").send().await.is(204);
    let list = app.get("/api/backups").send().await.is(200).json();
    assert_eq!(list["place"], json!(null));
}
