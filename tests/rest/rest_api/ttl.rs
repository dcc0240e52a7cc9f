//! `/api/ttl`: policies, runs, and their removals.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::House;
use crate::support::pictures::{in_root, png};

const DAY: Duration = Duration::from_secs(86_400);

async fn state(house: &House) -> Value {
    house.get("/api/ttl").send().await.is(200).json()
}

async fn files(house: &House) -> u64 {
    let cache: Value = house.get("/api/cache").send().await.is(200).json();
    cache["files"].as_u64().unwrap()
}

/// Requests a thumbnail of a size.
async fn see(house: &House, root: &str, name: &str, size: u32) {
    let address = in_root("/thumb", root, name);
    let address = format!("{address}&size={size}x{size}");
    house.get(&address).send().await.is(200);
}

async fn set(house: &House, root: &str, policy: Value) {
    let address = format!("/api/roots/{root}/ttl-policy");
    house.put(&address).json(policy).send().await.is(200);
}

/// Runs the policies and returns the result.
async fn run(house: &House) -> Value {
    let job = house.run_job("/api/ttl/run", json!({})).await;
    assert_eq!(job["state"], "done", "{job}");
    job["result"].clone()
}

fn marked(result: &Value) -> [&Value; 4] {
    [
        "marked_blobs",
        "marked_manifests",
        "marked_gone",
        "artifacts",
    ]
    .map(|name| &result[name])
}

#[tokio::test]
async fn policies_are_kept_and_checked() {
    let house = House::new();
    let root = house.root();
    let address = format!("/api/roots/{root}/ttl-policy");
    let default =
        json!({"enabled": false, "ttl_days": 90, "remove_gone": false, "is_default": true});
    assert_eq!(house.get(&address).send().await.is(200).json(), default);
    assert_eq!(
        house.get("/api/ttl/default").send().await.is(200).json(),
        default
    );
    for (body, status, code) in [
        (
            json!({"enabled": true, "ttl_days": 0}),
            422,
            "invalid_value",
        ),
        (
            json!({"enabled": true, "ttl_days": 3651}),
            422,
            "invalid_value",
        ),
        (
            json!({"enabled": true, "ttl_days": -1}),
            400,
            "invalid_body",
        ),
        (
            json!({"enabled": true, "ttl_days": 1e300}),
            400,
            "invalid_body",
        ),
        (
            json!({"enabled": true, "ttl_days": "90"}),
            400,
            "invalid_body",
        ),
        (json!({"enabled": true}), 400, "invalid_body"),
    ] {
        for address in [&*address, "/api/ttl/default"] {
            let answer = house.put(address).json(body.clone()).send().await;
            answer.refused(status, code);
        }
    }
    set(&house, &root, json!({"enabled": true, "ttl_days": 3650})).await;
    let changed = json!({"enabled": true, "ttl_days": 7, "remove_gone": true});
    house
        .put("/api/ttl/default")
        .json(changed)
        .send()
        .await
        .is(200);
    let house = house.restarted(|_| {});
    let own = house.get(&address).send().await.is(200).json();
    assert_eq!(
        (&own["ttl_days"], &own["is_default"]),
        (&json!(3650), &json!(false))
    );
    house.delete(&address).send().await.is(204);
    let followed = house.get(&address).send().await.is(200).json();
    assert_eq!(
        (&followed["ttl_days"], &followed["is_default"]),
        (&json!(7), &json!(true))
    );
    let unknown = "/api/roots/01ARZ3NDEKTSV4RRFFQ69G5FAV/ttl-policy";
    house
        .get(unknown)
        .send()
        .await
        .refused(404, "root_not_found");
    house
        .delete(unknown)
        .send()
        .await
        .refused(404, "root_not_found");
}

#[tokio::test]
async fn thumbnail_expires_when_it_was_not_read_for_its_days() {
    let house = House::new();
    house.file("a.png", &png([1, 2, 3]));
    let root = house.root();
    see(&house, &root, "a.png", 20).await;
    see(&house, &root, "a.png", 30).await;
    set(&house, &root, json!({"enabled": true, "ttl_days": 10})).await;
    let preview = format!("/api/ttl/preview?root={root}&ttl_days=10");
    house.advance(DAY * 10 - Duration::from_secs(1));
    let none = house.get(&preview).send().await.is(200).json();
    assert_eq!(none["artifacts"], 0);
    assert_eq!(marked(&run(&house).await), [0, 0, 0, 0]);
    house.advance(Duration::from_secs(1));
    let both = house.get(&preview).send().await.is(200).json();
    assert_eq!(both["artifacts"], 2);
    assert!(both["bytes"].as_u64().unwrap() > 100);
    // A thumbnail that is read before the run stays.
    see(&house, &root, "a.png", 30).await;
    let result = run(&house).await;
    assert_eq!(marked(&result), [1, 0, 0, 1]);
    assert_eq!(files(&house).await, 1);
    let after = state(&house).await;
    assert_eq!(after["groups"][0]["blobs"]["artifacts"], 1);
    assert_eq!(after["groups"][0]["group"], json!(root));
    assert_eq!(after["removed"]["artifacts"], 1);
    assert_eq!(after["runs"][0]["trigger"], "request");
    assert_eq!(after["counts"]["expired_blobs"], 0);
    // Requested again: the period was too short.
    see(&house, &root, "a.png", 20).await;
    assert_eq!(
        state(&house).await["regrets"],
        json!({"evicted": 0, "expired": 1})
    );
}

#[tokio::test]
async fn only_reads_that_gave_something_keep_a_thumbnail() {
    let house = House::new();
    house.file("a.png", &png([1, 2, 3]));
    let root = house.root();
    for size in 20..25 {
        see(&house, &root, "a.png", size).await;
    }
    set(&house, &root, json!({"enabled": true, "ttl_days": 10})).await;
    house.advance(DAY * 9);
    let address = |size: u32, rest: &str| {
        let address = in_root("/thumb", &root, "a.png");
        format!("{address}&size={size}x{size}{rest}")
    };
    house.call("HEAD", &address(20, "")).send().await.is(200);
    house
        .get(&address(21, "&priority=background"))
        .send()
        .await
        .is(200);
    let queue = in_root("/queue", &root, "a.png");
    house
        .get(&format!("{queue}&size=22x22"))
        .send()
        .await
        .is(200);
    let get = in_root("/get", &root, "a.png");
    house.get(&format!("{get}&size=23x23")).send().await.is(200);
    see(&house, &root, "a.png", 24).await;
    house.advance(DAY);
    assert_eq!(marked(&run(&house).await), [3, 0, 0, 3]);
}

#[tokio::test]
async fn run_is_due_once_a_day_and_its_artifacts_are_removed_by_workers() {
    let house = House::new();
    house.file("a.png", &png([1, 2, 3]));
    let root = house.root();
    see(&house, &root, "a.png", 20).await;
    set(&house, &root, json!({"enabled": true, "ttl_days": 1})).await;
    house.app.expire_if_due().await.unwrap();
    let first = state(&house).await;
    assert_eq!(first["runs"][0]["trigger"], "schedule");
    assert_eq!(first["runs"].as_array().unwrap().len(), 1);
    house.app.expire_if_due().await.unwrap();
    assert_eq!(state(&house).await["runs"].as_array().unwrap().len(), 1);
    house.advance(DAY);
    house.app.expire_if_due().await.unwrap();
    let second = state(&house).await;
    assert_eq!(second["runs"].as_array().unwrap().len(), 2);
    assert_eq!(second["runs"][0]["counts"]["expired_blobs"], 1);
    // Expired but not removed yet: it is served, and active again.
    see(&house, &root, "a.png", 20).await;
    let served = state(&house).await;
    assert_eq!(served["counts"]["expired_blobs"], 0);
    assert_eq!(files(&house).await, 1);
    // A launch makes up for a missed run only.
    let house = house.restarted(|_| {});
    assert_eq!(state(&house).await["runs"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn root_that_is_away_keeps_its_thumbnails() {
    let house = House::new();
    house.file("a.png", &png([1, 2, 3]));
    let root = house.root();
    see(&house, &root, "a.png", 20).await;
    set(
        &house,
        &root,
        json!({"enabled": true, "ttl_days": 1, "remove_gone": true}),
    )
    .await;
    let elsewhere = house.outside().join("elsewhere");
    std::fs::rename(house.pictures(), &elsewhere).unwrap();
    house.advance(DAY * 100);
    assert_eq!(marked(&run(&house).await), [0, 0, 0, 0]);
    assert_eq!(state(&house).await["groups"][0]["away"], true);
    // An empty folder may be the mount point of an unmounted disk.
    std::fs::create_dir(house.pictures()).unwrap();
    set(
        &house,
        &root,
        json!({"enabled": false, "ttl_days": 1, "remove_gone": true}),
    )
    .await;
    assert_eq!(marked(&run(&house).await), [0, 0, 0, 0]);
    std::fs::remove_dir(house.pictures()).unwrap();
    std::fs::rename(&elsewhere, house.pictures()).unwrap();
    set(&house, &root, json!({"enabled": true, "ttl_days": 1})).await;
    assert_eq!(marked(&run(&house).await), [1, 0, 0, 1]);
}

#[tokio::test]
async fn thumbnails_of_pictures_that_are_gone_are_removed_where_that_is_wanted() {
    let house = House::new();
    for name in ["a.png", "b.png"] {
        house.file(name, &png([1, 2, 3]));
    }
    let root = house.root();
    see(&house, &root, "a.png", 20).await;
    see(&house, &root, "b.png", 20).await;
    std::fs::remove_file(house.pictures().join("a.png")).unwrap();
    house.advance(Duration::from_secs(60));
    assert_eq!(marked(&run(&house).await), [0, 0, 0, 0]);
    set(
        &house,
        &root,
        json!({"enabled": false, "ttl_days": 90, "remove_gone": true}),
    )
    .await;
    assert_eq!(marked(&run(&house).await), [0, 0, 1, 1]);
    assert_eq!(files(&house).await, 1);
}

#[tokio::test]
async fn lost_index_is_made_anew_and_nothing_expires_by_that() {
    let house = House::new();
    house.file("a.png", &png([1, 2, 3]));
    let root = house.root();
    house
        .get(&in_root("/api/folders", &root, ""))
        .send()
        .await
        .is(200);
    see(&house, &root, "a.png", 20).await;
    let page = house.page("/p", "text").await;
    let asset = house.post(&format!("/api/pages/{page}/assets/c.png"));
    let asset = asset.body("image/png", png([7, 8, 9])).send().await;
    let id = asset.is(201).json()["id"].as_str().unwrap().to_owned();
    let small = house.get(&format!("/api/asset?id={id}&size=20x20"));
    small.send().await.is(200);
    set(&house, &root, json!({"enabled": true, "ttl_days": 10})).await;
    let house = house.restarted(|config| {
        let index = config.cache_dir.join("ttl/artifacts");
        std::fs::write(index, b"damaged").unwrap();
    });
    assert_eq!(state(&house).await["complete"], false);
    house.advance(DAY * 9);
    house.app.expire_if_due().await.unwrap();
    let found = state(&house).await;
    assert_eq!(found["complete"], true);
    let count = |group: &str| -> u64 {
        let groups = found["groups"].as_array().unwrap().iter();
        let of = groups.filter(|found| found["group"] == group);
        of.map(|found| found["blobs"]["artifacts"].as_u64().unwrap())
            .sum()
    };
    assert_eq!(
        (count(&root), count("assets"), count("unknown")),
        (1, 1, 0),
        "{found}"
    );
    house.advance(DAY);
    assert_eq!(marked(&run(&house).await)[0], 0);
    house.advance(DAY * 9);
    assert_eq!(marked(&run(&house).await)[0], 1);
}

#[tokio::test]
async fn failed_removal_is_listed_and_tried_again() {
    let house = House::new();
    house.file("a.png", &png([1, 2, 3]));
    let root = house.root();
    let address = in_root("/get", &root, "a.png");
    let path = house.get(&address).send().await;
    let path = std::path::PathBuf::from(path.is(200).text());
    set(&house, &root, json!({"enabled": true, "ttl_days": 1})).await;
    // Something else is in its place.
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    house.advance(DAY);
    let result = run(&house).await;
    assert_eq!(result["counts"]["error_blobs"], 1);
    let failed = state(&house).await["failures"][0].clone();
    assert_eq!(
        (&failed["attempts"], &failed["kind"]),
        (&json!(1), &json!("blob"))
    );
    assert!(
        failed["name"]
            .as_str()
            .unwrap()
            .ends_with("-85x85-crop.jpg")
    );
    let picture = json!({"root": root, "path": "a.png", "path_bytes": null});
    assert_eq!(failed["picture"], picture);
    std::fs::remove_dir(&path).unwrap();
    house
        .post("/api/ttl/retry")
        .json(json!({"key": "x"}))
        .send()
        .await
        .refused(400, "bad_request");
    let retry = json!({"key": failed["key"]});
    house
        .post("/api/ttl/retry")
        .json(retry)
        .send()
        .await
        .is(204);
    let result = run(&house).await;
    assert_eq!(result["counts"]["error_blobs"], 0);
    assert_eq!(state(&house).await["failures"], json!([]));
}

#[tokio::test]
async fn nothing_expires_for_an_hour_after_the_clock_jumped() {
    let house = House::new();
    house.file("a.png", &png([1, 2, 3]));
    let root = house.root();
    see(&house, &root, "a.png", 20).await;
    set(&house, &root, json!({"enabled": true, "ttl_days": 90})).await;
    house.clock.sleep(DAY * 365);
    let job = house.run_job("/api/ttl/run", json!({})).await;
    assert_eq!(
        (&job["state"], &job["error"]["code"]),
        (&json!("failed"), &json!("clock_jumped"))
    );
    house.app.expire_if_due().await.unwrap();
    let told = state(&house).await;
    assert_eq!(
        (&told["runs"], told["clock_jumped_until"].is_null()),
        (&json!([]), false)
    );
    house.advance(Duration::from_secs(3600));
    house.app.expire_if_due().await.unwrap();
    assert_eq!(state(&house).await["runs"][0]["marked_blobs"], 1);
    // This launch begins a year before the last one ended.
    let house = house.restarted(|_| {});
    assert!(!state(&house).await["clock_jumped_until"].is_null());
}

#[tokio::test]
async fn cache_of_a_root_is_cleared_and_all_of_it() {
    let house = House::new();
    house.file("a.png", &png([1, 2, 3]));
    let other = house.outside().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("b.png"), png([4, 5, 6])).unwrap();
    let (root, other) = (house.root(), house.app.open_folder(&other).unwrap());
    for size in 20..23 {
        see(&house, &root, "a.png", size).await;
        see(&house, &other, "b.png", size).await;
    }
    let job = house
        .run_job("/api/cache/clear", json!({"group": root}))
        .await;
    assert_eq!(
        (&job["result"]["files"], &job["result"]["failed"]),
        (&json!(3), &json!(0))
    );
    assert_eq!(files(&house).await, 3);
    house
        .run_job("/api/cache/clear", json!({"group": "nothing"}))
        .await;
    assert_eq!(files(&house).await, 3);
    house.run_job("/api/cache/clear", json!({})).await;
    assert_eq!(files(&house).await, 0);
    see(&house, &root, "a.png", 20).await;
}

#[tokio::test]
async fn damaged_policies_are_told_and_not_overwritten() {
    let house = House::new();
    let file = house.outside().join("data/ttl.json");
    std::fs::write(&file, "{\"default\": {\"enabled\": true, \"ttl_days\": 0}}").unwrap();
    house
        .get("/api/ttl")
        .send()
        .await
        .refused(500, "settings_damaged");
    let policy = json!({"enabled": true, "ttl_days": 5});
    house
        .put("/api/ttl/default")
        .json(policy)
        .send()
        .await
        .refused(500, "settings_damaged");
    assert!(
        std::fs::read_to_string(&file)
            .unwrap()
            .contains("\"ttl_days\": 0")
    );
    let job = house.run_job("/api/ttl/run", json!({})).await;
    assert_eq!(job["state"], "failed");
}
