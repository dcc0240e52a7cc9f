//! `/api/backup` into a folder that the user chose.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::json;

use crate::rest_api::export::ended;
use crate::support::{Answer, HOST, House};

async fn back_up(house: &House, cookie: &str, grant: &str) -> Answer {
    house
        .stranger("POST", "/api/backup")
        .header("cookie", cookie)
        .header("origin", &format!("http://{HOST}"))
        .json(json!({"grant": grant}))
        .send()
        .await
}

#[tokio::test]
async fn a_backup_comes_to_lie_in_the_folder_that_the_person_chose() {
    let house = House::new();
    house.page("/a", "kept").await;
    let (window, cookie) = house.window().await;
    let (_, other) = house.window().await;
    let chosen = house.pictures();
    fs::write(chosen.join("mine.txt"), "mine").unwrap();
    let grant = house.app.grant(chosen.clone(), window);
    let refused = back_up(&house, &other, &grant).await;
    refused.refused(403, "grant_invalid");
    let started = back_up(&house, &cookie, &grant).await.is(202).json();
    let job = ended(&house).await;
    assert_eq!(
        (&job["id"], &job["state"]),
        (&started["id"], &json!("done"))
    );
    let folder = chosen.join("fumikura-2026-11-18T120000Z");
    assert_eq!(job["result"]["folder"], folder.to_str().unwrap());
    assert_eq!(fs::read_dir(&chosen).unwrap().count(), 2);
    assert!(!house.outside().join("data/backups").exists());

    let copy = House::with(|config| config.data_dir = folder);
    let page = copy.get("/api/pages/resolve?path=/a").send().await;
    let id = page.is(200).json()["id"].as_str().unwrap().to_owned();
    assert_eq!(copy.text(&id).await, "kept");
    let again = back_up(&house, &cookie, &grant).await;
    again.refused(403, "grant_invalid");
}

#[tokio::test]
async fn a_backup_needs_a_folder_that_is_there() {
    let house = House::new();
    let (window, cookie) = house.window().await;
    let file = house.pictures().join("file");
    fs::write(&file, "mine").unwrap();
    let give = |path| house.app.grant(path, window.clone());
    let refused = back_up(&house, &cookie, &give(file.clone())).await;
    refused.refused(422, "not_a_folder");
    let refused = back_up(&house, &cookie, &give(house.outside().join("gone"))).await;
    refused.refused(404, "folder_unavailable");
    assert_eq!(fs::read_to_string(file).unwrap(), "mine");
    // The Bearer belongs to no window that could have chosen one.
    let call = house.post("/api/backup").json(json!({"grant": "x"}));
    call.send().await.refused(403, "grant_invalid");
    let call = house.post("/api/backup").json(json!({"folder": "/tmp"}));
    call.send().await.refused(400, "invalid_body");
    let jobs = house.get("/api/jobs").send().await.is(200).json();
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
async fn what_is_kept_and_its_backup_are_for_the_owner_s_eyes_alone() {
    let house = House::new();
    let page = house.page("/a", "kept").await;
    house.brought(&page, "a.txt", b"kept").await;
    house.app.open_folder(&house.pictures()).unwrap();
    // `wiki.redb`, `roots.json`, and the file in two folders of `asset/`.
    let kept = check_private(&house.outside().join("data"));
    assert_eq!(kept, 1 + 2 + 4);
    house.post("/api/backup").send().await.is(202);
    let job = ended(&house).await;
    let copied = check_private(Path::new(job["result"]["folder"].as_str().unwrap()));
    assert_eq!(copied, kept, "{job}");
    check_private(&house.outside().join("data"));
}
