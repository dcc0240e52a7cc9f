//! `/api/roots`: folders are opened by a grant, or by a path below an `--allow`.

use serde_json::{Value, json};

use crate::support::pictures::in_root;
use crate::support::{Answer, House};

async fn open(house: &House, body: Value) -> Answer {
    house.post("/api/roots").json(body).send().await
}

/// Opens a folder by a grant, in a window with this cookie.
async fn open_in(house: &House, cookie: &str, grant: &str) -> Answer {
    house
        .stranger("POST", "/api/roots")
        .header("cookie", cookie)
        .json(json!({"grant": grant}))
        .send()
        .await
}

async fn roots(house: &House) -> Vec<Value> {
    let list = house.get("/api/roots").send().await;
    list.is(200).json().as_array().unwrap().clone()
}

#[tokio::test]
async fn a_grant_opens_a_folder_once() {
    let house = House::new();
    assert_eq!(roots(&house).await, Vec::<Value>::new());
    let (window, cookie) = house.window().await;
    let grant = house.app.grant(house.pictures(), window);
    let opened = open_in(&house, &cookie, &grant).await;
    let root = opened.is(201).json();
    let expected = json!({
        "id": root["id"], "name": "pictures", "path": house.pictures(), "available": true,
    });
    assert_eq!(root, expected);
    assert_eq!(roots(&house).await, [root]);
    let again = open_in(&house, &cookie, &grant).await;
    again.refused(403, "grant_invalid");
}

#[tokio::test]
async fn a_grant_is_of_use_to_no_other_window() {
    let house = House::new();
    let (window, cookie) = house.window().await;
    let grant = house.app.grant(house.pictures(), window);
    let (_, other) = house.window().await;
    let browser = house.log_in().await;
    for stranger in [&other, &browser] {
        let answer = open_in(&house, stranger, &grant).await;
        answer.refused(403, "grant_invalid");
    }
    let program = open(&house, json!({"grant": grant})).await;
    program.refused(403, "grant_invalid");
    assert_eq!(roots(&house).await.len(), 0);
    // None of these requests has used it up.
    open_in(&house, &cookie, &grant).await.is(201);
}

#[tokio::test]
async fn a_window_that_has_not_entered_yet_can_use_no_grant() {
    let house = House::new();
    let (entrance, window) = house.app.entrance("/");
    let grant = house.app.grant(house.pictures(), window);
    let browser = house.log_in().await;
    let answer = open_in(&house, &browser, &grant).await;
    answer.refused(403, "grant_invalid");
    house.stranger("GET", &entrance).send().await.is(200);
    let late = open_in(&house, &browser, &grant).await;
    late.refused(403, "grant_invalid");
}

#[tokio::test]
async fn a_grant_that_nobody_gave_opens_nothing() {
    let house = House::new();
    let (_, cookie) = house.window().await;
    for grant in ["", "x", "/etc", &"0".repeat(32)] {
        let answer = open_in(&house, &cookie, grant).await;
        answer.refused(403, "grant_invalid");
    }
    assert_eq!(roots(&house).await.len(), 0);
}

#[tokio::test]
async fn a_folder_that_is_open_stays_the_root_it_is() {
    let house = House::new();
    let (window, cookie) = house.window().await;
    let grant = || house.app.grant(house.pictures(), window.clone());
    let (one, two) = (grant(), grant());
    let first = open_in(&house, &cookie, &one).await.is(201).json();
    let second = open_in(&house, &cookie, &two).await.is(201).json();
    assert_eq!(first, second);
    assert_eq!(roots(&house).await.len(), 1);
}

#[tokio::test]
async fn a_path_is_taken_beneath_an_allowed_folder_only() {
    let house = House::new();
    let (allowed, beneath) = (house.pictures(), house.pictures().join("2026/旅"));
    std::fs::create_dir_all(&beneath).unwrap();
    std::fs::write(allowed.join("file"), b"").unwrap();
    std::fs::create_dir(house.outside().join("pictures-too")).unwrap();
    std::os::unix::fs::symlink("/etc", allowed.join("out")).unwrap();
    let unallowed = open(&house, json!({"path": beneath})).await;
    unallowed.refused(403, "outside_roots");
    let folder = allowed.clone();
    let house = house.restarted(|config| config.allow = vec![folder]);
    let opened = open(&house, json!({"path": beneath})).await;
    assert_eq!(opened.is(201).json()["name"], "旅");
    let at = |name: &str| json!({"path": allowed.join(name)});
    for (body, status, code) in [
        (at("none"), 404, "folder_unavailable"),
        (at("file"), 422, "not_a_folder"),
        (at("out"), 403, "outside_roots"),
        (at("../pictures-too"), 403, "outside_roots"),
        (at(".."), 403, "outside_roots"),
        (json!({"path": "/etc"}), 403, "outside_roots"),
        (json!({"path": "/none/at/all"}), 403, "outside_roots"),
        (json!({"path": "/"}), 403, "outside_roots"),
        (json!({"path": "relative"}), 400, "bad_request"),
        (json!({"path": ""}), 400, "bad_request"),
    ] {
        open(&house, body).await.refused(status, code);
    }
}

#[tokio::test]
async fn a_folder_that_only_a_person_opened_allows_nothing_beneath_it() {
    let house = House::new();
    house.root();
    let beneath = house.pictures().join("beneath");
    std::fs::create_dir(&beneath).unwrap();
    let answer = open(&house, json!({"path": beneath})).await;
    answer.refused(403, "outside_roots");
}

#[tokio::test]
async fn a_request_names_one_folder_in_one_way() {
    let house = House::new();
    for body in [
        json!({}),
        json!({"grant": "a", "path": "/b"}),
        json!({"grant": 1}),
        json!({"folder": "/etc"}),
        json!("/etc"),
        json!(null),
    ] {
        open(&house, body).await.refused(400, "invalid_body");
    }
}

#[tokio::test]
async fn a_root_outlives_the_launch_and_tells_when_its_folder_is_away() {
    let house = House::new();
    let id = house.root();
    std::fs::rename(house.pictures(), house.outside().join("away")).unwrap();
    let house = house.restarted(|_| {});
    let there = roots(&house).await;
    assert_eq!(
        (&there[0]["id"], &there[0]["available"]),
        (&json!(id), &json!(false))
    );
    for address in ["/api/folders", "/thumb", "/api/image"] {
        let answer = house.get(&in_root(address, &id, "a.png")).send().await;
        answer.refused(404, "folder_unavailable");
    }
    let (window, cookie) = house.window().await;
    let grant = house.app.grant(house.pictures(), window);
    let gone = open_in(&house, &cookie, &grant).await;
    gone.refused(404, "folder_unavailable");
}

#[tokio::test]
async fn a_closed_root_is_no_root_and_its_files_stay() {
    let house = House::new();
    let id = house.root();
    let file = house.file("a.txt", b"text");
    let path = format!("/api/roots/{id}");
    house.delete(&path).send().await.is(204);
    house
        .delete(&path)
        .send()
        .await
        .refused(404, "root_not_found");
    house
        .delete("/api/roots/nonsense")
        .send()
        .await
        .refused(400, "bad_request");
    house
        .get(&in_root("/api/folders", &id, ""))
        .send()
        .await
        .refused(404, "root_not_found");
    assert!(file.exists());
    assert_eq!(roots(&house).await.len(), 0);
}
