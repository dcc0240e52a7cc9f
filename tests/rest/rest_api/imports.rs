//! `/api/imports`.

use std::io::{Cursor, Write};
use std::path::Path;

use serde_json::{Value, json};
use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::support::TestApp;
use crate::support::wiki::at;

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

fn vault() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        &[
            (".obsidian/app.json", "{}"),
            (
                "Home.md",
                "---\ncreated: 2020-01-02\n---\n[[Kyoto|trip]] ![[deer.png|80]] [[Later]]\n",
            ),
            ("trips/Kyoto.md", "![[deer.png]] [[Home#Top]]\n"),
            ("files/deer.png", "not really a picture"),
        ],
    );
    folder
}

async fn preview(app: &TestApp, folder: &Path) -> Value {
    let path = folder.to_str().unwrap();
    let body = json!({"path": path, "into": "/vault"});
    result(&app.run_job("/api/imports", body).await)
}

#[track_caller]
fn result(job: &Value) -> Value {
    assert_eq!(job["state"], "done", "{job}");
    job["result"].clone()
}

async fn run(app: &TestApp, preview: &Value) -> Value {
    let id = preview["id"].as_str().unwrap();
    let path = format!("/api/imports/{id}/run");
    result(&app.run_job(&path, Value::Null).await)
}

async fn page(app: &TestApp, path: &str) -> String {
    let found = app.get(&at("/api/pages/resolve", path)).send().await;
    found.is(200).json()["id"].as_str().unwrap().to_owned()
}

async fn text(app: &TestApp, path: &str) -> String {
    app.text(&page(app, path).await).await
}

#[tokio::test]
async fn vault_is_previewed_imported_and_undone() {
    let (app, folder) = (TestApp::new(), vault());
    let shown = preview(&app, folder.path()).await;
    assert_eq!(shown["format"], "obsidian");
    assert_eq!(
        shown["counts"],
        json!({"created": 2, "updated": 0, "unchanged": 0, "kept": 0, "renamed": 0, "files": 1,
            "earlier_files": 0, "skipped": 1})
    );
    assert_eq!(shown["pages"][1]["path"], "/vault/trips/Kyoto");
    assert_eq!(
        shown["skipped"],
        json!([{"origin": ".obsidian/app.json", "reason": "settings"}])
    );
    assert_eq!(shown["losses"], json!({"unresolved_link": 1}));
    let nothing = app
        .get(&at("/api/pages/resolve", "/vault/Home"))
        .send()
        .await;
    nothing.refused(404, "page_not_found");
    let address = format!("/api/imports/{}/preview", shown["id"].as_str().unwrap());
    assert_eq!(app.get(&address).send().await.is(200).json(), shown);

    let done = run(&app, &shown).await;
    assert_eq!(done["counts"]["created"], 2);
    assert_eq!(done["counts"]["attached"], 1);
    assert_eq!(done["skipped"], 1);
    assert_eq!(
        text(&app, "/vault/Home").await,
        "---\ncreated: 2020-01-02\n---\n[[/vault/trips/Kyoto|trip]] ![deer|80](asset:deer.png) [[/vault/Later]]\n"
    );
    assert_eq!(
        text(&app, "/vault/trips/Kyoto").await,
        "![deer](asset:/vault/Home/deer.png) [[/vault/Home#Top]]\n"
    );
    let report = text(&app, done["report"].as_str().unwrap()).await;
    assert!(report.contains("[[/vault/Home]]: `Later`"), "{report}");
    assert!(report.contains("`.obsidian/app.json`"), "{report}");
    app.get(&address)
        .send()
        .await
        .refused(404, "import_not_found");

    let list = app.get("/api/imports").send().await.is(200).json();
    assert_eq!(list["items"][0]["counts"], done["counts"]);
    let undo = format!("/api/imports/{}/undo", done["id"].as_str().unwrap());
    let undone = app.post(&undo).send().await.is(200).json();
    assert_eq!(undone, json!({"trashed": 3, "restored": 0, "kept": []}));
    let gone = app
        .get(&at("/api/pages/resolve", "/vault/Home"))
        .send()
        .await;
    gone.refused(404, "page_not_found");
    app.post(&undo).send().await.refused(409, "import_undone");
}

#[tokio::test]
async fn second_import_spares_changes_made_here() {
    let (app, folder) = (TestApp::new(), vault());
    let first = preview(&app, folder.path()).await;
    run(&app, &first).await;
    let id = page(&app, "/vault/Home").await;
    let held = app.lock(&id).await;
    app.save(&held, "mine\n").await.is(200);
    write(
        folder.path(),
        &[
            ("Home.md", "theirs\n"),
            ("trips/Kyoto.md", "theirs\n"),
            ("new.md", "new\n"),
        ],
    );
    let shown = preview(&app, folder.path()).await;
    let counts = &shown["counts"];
    let numbers = ["created", "updated", "kept", "earlier_files"].map(|name| counts[name].clone());
    assert_eq!(numbers, [1, 1, 1, 1].map(|number| json!(number)));
    assert_eq!(shown["kept"][0]["action"], "changed_here");
    let done = run(&app, &shown).await;
    assert_eq!(text(&app, "/vault/Home").await, "mine\n");
    assert_eq!(text(&app, "/vault/trips/Kyoto").await, "theirs\n");
    assert_eq!(text(&app, "/vault/new").await, "new\n");

    let report = text(&app, done["report"].as_str().unwrap()).await;
    let line = "- [[/vault/Home]]: `Home.md` – [imported text](<asset:Home.md>)";
    assert!(report.contains(line), "{report}");
    let again = preview(&app, folder.path()).await;
    let again = run(&app, &again).await;
    assert_eq!(
        [&again["id"], &again["report"]],
        [&Value::Null, &Value::Null]
    );
    assert_eq!(again["counts"]["unchanged"], 2);

    let waiting = app.get("/api/imported-texts").send().await.is(200).json();
    let item = &waiting["items"][0];
    assert_eq!(item["path"], "/vault/Home");
    let address = format!("/api/imported-texts/{}", item["id"].as_str().unwrap());
    let compared = app.get(&address).send().await.is(200).json();
    assert_eq!(compared["text"], "theirs\n");
    let take = format!("{address}/take-over");
    let stale = app.post(&take).json(json!({"version": "1.0"})).send().await;
    stale.refused(412, "precondition_failed");
    let lock = app.lock(&id).await;
    let held = app.post(&take).json(json!({})).send().await;
    held.refused(423, "lock_required");
    app.save(&lock, "mine again\n").await.is(200);
    let taken = app.post(&take).json(json!({})).send().await.is(200).json();
    assert_eq!(taken["path"], "/vault/Home");
    assert_eq!(text(&app, "/vault/Home").await, "theirs\n");
    app.post(&format!("{address}/keep"))
        .send()
        .await
        .refused(404, "import_not_found");
}

#[tokio::test]
async fn sources_are_refused_with_reasons() {
    let (app, folder) = (TestApp::new(), tempfile::tempdir().unwrap());
    let path = folder.path().to_str().unwrap().to_owned();
    let started = app
        .post("/api/imports")
        .json(json!({"path": path}))
        .send()
        .await;
    let id = started.is(202).json()["id"].as_str().unwrap().to_owned();
    let job = app.job_end(&id).await;
    assert_eq!(job["error"]["code"], "unknown_source", "{job}");

    let post = |body: Value| app.post("/api/imports").json(body).send();
    post(json!({})).await.refused(400, "bad_request");
    post(json!({"path": path, "into": "x"}))
        .await
        .refused(400, "bad_request");
    post(json!({"grant": "x"}))
        .await
        .refused(403, "grant_invalid");
    let cookie = app.log_in().await;
    let call = app.with_session(&cookie, "POST", "/api/imports");
    call.json(json!({"path": path}))
        .send()
        .await
        .refused(403, "bearer_required");
    app.post("/api/imports/x/run")
        .send()
        .await
        .refused(404, "import_not_found");
}

#[tokio::test]
async fn unusable_items_are_skipped_with_reasons() {
    let (app, folder) = (TestApp::new(), tempfile::tempdir().unwrap());
    let path = folder.path().join("notes.zip");
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let long = "long ".repeat(3 << 20);
    let small = "[[long]] [p](p.bin) [q](q.bin)\n";
    for (name, text) in [
        ("a.md", small),
        ("long.md", &long),
        ("p.bin", "picture"),
        ("q.bin", "damaged"),
    ] {
        zip.start_file(name, stored).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    let mut bytes = zip.finish().unwrap().into_inner();
    let damaged = bytes.windows(7).position(|at| at == b"damaged").unwrap();
    bytes[damaged] = b'D';
    std::fs::write(&path, bytes).unwrap();
    let shown = preview(&app, &path).await;
    let mut skipped = shown["skipped"].as_array().unwrap().clone();
    skipped.sort_by_key(|item| item["origin"].to_string());
    assert_eq!(
        skipped,
        [
            json!({"origin": "long.md", "reason": "too_large"}),
            json!({"origin": "q.bin", "reason": "unreadable"})
        ]
    );
    let id = shown["id"].as_str().unwrap();
    let address = format!("/api/imports/{id}/run?into=/elsewhere");
    let done = result(&app.run_job(&address, Value::Null).await);
    assert_eq!(done["skipped"], 2);
    assert_eq!(
        text(&app, "/elsewhere/a").await,
        "[[/elsewhere/long]] [p](asset:p.bin) [q](asset:q.bin)\n"
    );
}

#[tokio::test]
async fn window_imports_what_its_user_chose() {
    let (app, folder) = (TestApp::new(), vault());
    let (window, cookie) = app.window().await;
    let grant = app.inner.grant(folder.path().to_owned(), window);
    let call = app.with_session(&cookie, "POST", "/api/imports");
    let started = call.json(json!({"grant": grant})).send().await;
    let id = started.is(202).json()["id"].as_str().unwrap().to_owned();
    let job = app.job_end(&id).await;
    assert_eq!(job["kind"], "read_notes");
    let name = folder.path().file_name().unwrap().to_str().unwrap();
    assert_eq!(job["result"]["into"], format!("/{name}"));
}
