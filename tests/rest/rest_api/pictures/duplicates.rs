//! `/api/duplicates`: pictures with the same contents, or that look alike.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::pictures::png;
use crate::support::{Answer, TestApp};

struct Search {
    app: TestApp,
    root: String,
}

impl Search {
    /// Two copies of a picture, another picture of the same size, and one copy in a folder of its own.
    fn new() -> Self {
        let app = TestApp::new();
        let root = app.root();
        fs::create_dir(app.pictures().join("sub")).unwrap();
        for name in ["a.png", "a (2).png", "sub/b.png"] {
            app.file(name, &png([1, 0, 0]));
        }
        app.file("c.png", &png([2, 0, 0]));
        Self { app, root }
    }

    fn places(&self, names: &[&str]) -> Value {
        let places = names.iter();
        places
            .map(|name| json!({"root": self.root, "path": name}))
            .collect()
    }

    async fn find(&self, folder: Value) -> String {
        self.find_by(json!({"folder": folder})).await
    }

    async fn find_by(&self, search: Value) -> String {
        let job = self.app.run_job("/api/duplicates", search).await;
        assert_eq!(job["kind"], "find_duplicates");
        assert_eq!(job["state"], "done");
        job["id"].as_str().unwrap().to_owned()
    }

    async fn groups(&self, id: &str) -> Value {
        let address = format!("/api/duplicates/{id}");
        self.app.get(&address).send().await.is(200).json()
    }

    /// Returns the pictures of the first group, each with what is proposed.
    async fn proposal(&self, id: &str) -> Vec<String> {
        let groups = self.groups(id).await;
        let members = groups["groups"][0]["members"].as_array().unwrap().iter();
        let words = |member: &Value| {
            let name = member["entry"]["name"].as_str().unwrap();
            let [keep, stays] = ["keep", "stays"].map(|field| member[field].as_str());
            format!(
                "{name} {}{}",
                keep.unwrap_or("-"),
                stays.unwrap_or_default()
            )
        };
        members.map(words).collect()
    }

    async fn bin(&self, id: &str, names: &[&str]) -> Answer {
        let body = json!({"items": self.places(names)});
        let address = format!("/api/duplicates/{id}/bin");
        self.app.post(&address).json(body).send().await
    }

    fn exists(&self, name: &str) -> bool {
        self.app.pictures().join(name).exists()
    }
}

#[tokio::test]
async fn copies_are_grouped_below_a_folder() {
    let search = Search::new();
    let id = search.find(Value::Null).await;
    let groups = search.groups(&id).await;
    assert_eq!(groups["likeness"], "identical");
    for (field, count) in [
        ("total", 1),
        ("pictures", 4),
        ("unreadable", 0),
        ("left_out", 0),
    ] {
        assert_eq!(groups[field], count, "{field}");
    }
    let member = &groups["groups"][0]["members"][2];
    assert_eq!(member["entry"]["folder"], format!("{}/sub", search.root));
    assert_eq!(member["folder"], "pictures/sub");
    assert_eq!(
        search.proposal(&id).await.len(),
        3,
        "copies of one picture in two folders"
    );
    let below = json!({"root": search.root, "path": "sub"});
    let id = search.find(below).await;
    assert_eq!(search.groups(&id).await["total"], 0);
    let unknown = json!({"folder": {"root": "01JD0000000000000000000000", "path": ""}});
    let unknown = search
        .app
        .post("/api/duplicates")
        .json(unknown)
        .send()
        .await;
    unknown.refused(404, "root_not_found");
    let gone = search.app.get("/api/duplicates/1").send().await;
    gone.refused(404, "job_not_found");
    let many = format!("/api/duplicates/{id}?limit=101");
    search
        .app
        .get(&many)
        .send()
        .await
        .refused(400, "bad_request");
}

#[tokio::test]
async fn marked_copy_is_kept() {
    let search = Search::new();
    let id = search.find(Value::Null).await;
    let mut change = json!({"rating": 5, "add_tags": ["海"]});
    change["items"] = search.places(&["sub/b.png"]);
    search
        .app
        .post("/api/files/marks")
        .json(change)
        .send()
        .await
        .is(200);
    let first = ["a (2).png -", "a.png -", "b.png marks"];
    assert_eq!(search.proposal(&id).await, first);
    let mut change = json!({"add_tags": ["山"]});
    change["items"] = search.places(&["a.png"]);
    search
        .app
        .post("/api/files/marks")
        .json(change)
        .send()
        .await
        .is(200);
    let second = ["a (2).png -", "a.png -marks", "b.png marks"];
    assert_eq!(search.proposal(&id).await, second);
}

#[tokio::test]
async fn trashed_duplicates_can_be_restored() {
    let search = Search::new();
    let id = search.find(Value::Null).await;
    let done = search
        .bin(&id, &["a (2).png", "sub/b.png"])
        .await
        .is(200)
        .json();
    assert_eq!((&done["done"], &done["failed"]), (&json!(2), &json!([])));
    assert!(search.exists("a.png") && !search.exists("a (2).png"));
    assert_eq!(search.proposal(&id).await, [""; 0]);
    let operation = done["operation"].as_str().unwrap();
    let undo = format!("/api/files/operations/{operation}/undo");
    search.app.post(&undo).send().await.is(200);
    assert_eq!(search.proposal(&id).await.len(), 3);
}

#[tokio::test]
async fn last_copy_stays() {
    let search = Search::new();
    let id = search.find(Value::Null).await;
    let all = ["a.png", "a (2).png", "sub/b.png"];
    let failed = search.bin(&id, &all).await.is(200).json()["failed"].clone();
    let codes = failed.as_array().unwrap().iter();
    assert!(codes.clone().all(|one| one["error"]["code"] == "last_copy"));
    assert_eq!(codes.count(), 3);
    assert!(all.iter().all(|name| search.exists(name)));
    // The other copy is not the same any more.
    search.app.file("a.png", &png([9, 9, 9]));
    let rest = search
        .bin(&id, &["a (2).png", "sub/b.png"])
        .await
        .is(200)
        .json();
    assert_eq!(rest["failed"].as_array().unwrap().len(), 2);
    assert!(all.iter().all(|name| search.exists(name)));
}

#[tokio::test]
async fn changed_pictures_stay() {
    let search = Search::new();
    let id = search.find(Value::Null).await;
    search.app.file("a (2).png", b"another picture");
    let proposal = search.proposal(&id).await;
    assert!(
        proposal[0].starts_with("a (2).png -changed"),
        "{proposal:?}"
    );
    let names = ["a (2).png", "sub/b.png", "c.png"];
    let done = search.bin(&id, &names).await.is(200).json();
    assert_eq!(done["done"], 1);
    let failed = done["failed"].as_array().unwrap().iter();
    let failed = failed.map(|one| (&one["name"], &one["error"]["code"]));
    let changed = json!("duplicate_changed");
    let expected = [json!("a (2).png"), json!("c.png")];
    assert!(failed.eq(expected.iter().map(|name| (name, &changed))));
    assert!(search.exists("a (2).png") && !search.exists("sub/b.png"));
}

/// Returns a picture of this size that shows stripes, at an angle that depends on the motif.
fn motif(width: u32, height: u32, motif: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    let pixel = |x: u32, y: u32| {
        let at = 700 * x / width + (motif * 300) * y / height;
        u8::try_from((at % 400).abs_diff(200)).unwrap()
    };
    let rows = (0..height).flat_map(|y| (0..width).map(move |x| pixel(x, y)));
    writer.write_image_data(&rows.collect::<Vec<_>>()).unwrap();
    drop(writer);
    bytes
}

#[tokio::test]
async fn similar_pictures_are_trashed_and_restored() {
    let app = TestApp::new();
    let root = app.root();
    app.file("large.png", &motif(180, 120, 1));
    app.file("small.png", &motif(90, 60, 1));
    app.file("other.png", &motif(180, 120, 2));
    let search = Search { app, root };
    let id = search.find(Value::Null).await;
    assert_eq!(search.groups(&id).await["total"], 0);
    let id = search.find_by(json!({"likeness": "close"})).await;
    let groups = search.groups(&id).await;
    assert_eq!(
        (&groups["likeness"], &groups["total"]),
        (&json!("close"), &json!(1))
    );
    let proposal = ["large.png pixels", "small.png -"];
    assert_eq!(search.proposal(&id).await, proposal);
    // One that has changed stays.
    search.app.file("small.png", &motif(90, 60, 2));
    let failed = search.bin(&id, &["small.png"]).await.is(200).json()["failed"].clone();
    assert_eq!(failed[0]["error"]["code"], "duplicate_changed");
    search.app.file("small.png", &motif(90, 60, 1));
    let id = search.find_by(json!({"likeness": "similar"})).await;
    let done = search.bin(&id, &["small.png"]).await.is(200).json();
    assert_eq!(done["done"], 1);
    assert!(!search.exists("small.png"));
    let operation = done["operation"].as_str().unwrap();
    let undo = format!("/api/files/operations/{operation}/undo");
    search.app.post(&undo).send().await.is(200);
    assert!(search.exists("small.png"));
    let unknown = json!({"likeness": "equal"});
    let unknown = search.app.post("/api/duplicates").json(unknown);
    unknown.send().await.refused(400, "invalid_body");
}

#[tokio::test]
async fn fresh_hash_records_replace_reading() {
    let app = TestApp::new();
    let root = app.root();
    // Of equal size, and different only where no sample is taken.
    let long = |middle: u8| [vec![7; 8000], vec![middle], vec![7; 22_000]].concat();
    let paths = [app.file("a.jpg", &long(1)), app.file("b.jpg", &long(2))];
    crate::rest_api::hashes::record(&app).await;
    let records = paths.each_ref().map(|path| {
        let name = path.to_str().unwrap().replace('/', "~");
        app.base_dir().join("data/hashes").join(name)
    });
    let read =
        |path: &PathBuf| -> Value { serde_json::from_slice(&fs::read(path).unwrap()).unwrap() };
    // The record of the second file states the hash of the first one, long after its last change.
    let [first, mut second] = records.each_ref().map(read);
    second["content_hash"] = first["content_hash"].clone();
    for field in ["recorded_at", "verified_at"] {
        second["fumikura"][field] = json!("2100-01-01T00:00:00Z");
    }
    fs::write(&records[1], second.to_string()).unwrap();
    let search = Search { app, root };
    let id = search.find(Value::Null).await;
    assert_eq!(search.groups(&id).await["total"], 1);
    // A record of another state of the file is not used.
    fs::write(&paths[1], long(3)).unwrap();
    let id = search.find(Value::Null).await;
    assert_eq!(search.groups(&id).await["total"], 0);
}
