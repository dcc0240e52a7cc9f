//! `/api/files/marks`, `/api/files/tags`, `/api/files/export`, and the marks in a listing.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::pictures::{fixture, png};
use crate::support::{Answer, TestApp};

struct Album {
    app: TestApp,
    root: String,
}

impl Album {
    fn with(names: &[&str]) -> Self {
        let app = TestApp::new();
        let root = app.root();
        for name in names {
            app.file(name, name.as_bytes());
        }
        Self { app, root }
    }

    async fn mark(&self, names: &[&str], mut change: Value) -> Answer {
        let places = names
            .iter()
            .map(|name| json!({"root": self.root, "path": name}));
        change["items"] = places.collect();
        self.app.post("/api/files/marks").json(change).send().await
    }

    async fn export(&self, names: &[&str], more: Value) -> Answer {
        let places = names
            .iter()
            .map(|name| json!({"root": self.root, "path": name}));
        let mut body = json!({"to": {"root": self.root, "path": ""}, "format": "jpeg", "metadata": "without_place"});
        body["items"] = places.collect();
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        self.app.post("/api/files/export").json(body).send().await
    }

    /// Cancels the job of this kind as soon as there is one.
    async fn cancel(&self, kind: &str) {
        let job = loop {
            let jobs = self.app.get("/api/jobs").send().await.is(200).json();
            if let Some(id) = jobs[0]["id"].as_str() {
                assert_eq!(jobs[0]["kind"], kind);
                break format!("/api/jobs/{id}");
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        };
        self.app.delete(&job).send().await.is(204);
    }

    async fn marks(&self, name: &str) -> Answer {
        let address = format!("/api/files/marks?root={}&path={name}", self.root);
        self.app.get(&address).send().await
    }

    /// Polls a listing until all headers are read, and returns its names.
    async fn listed(&self, query: &str) -> Vec<Value> {
        let began = Instant::now();
        loop {
            let address = format!("/api/folders?root={}&{query}", self.root);
            let listing = self.app.get(&address).send().await.is(200).json();
            if listing["unread"] == 0 {
                return listing["entries"].as_array().unwrap().clone();
            }
            assert!(began.elapsed() < Duration::from_secs(60), "never read");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    async fn names(&self, query: &str) -> Vec<String> {
        let entries = self.listed(query).await;
        let name = |entry: &Value| entry["name"].as_str().unwrap().to_owned();
        entries.iter().map(name).collect()
    }
}

#[tokio::test]
async fn pictures_are_rated_tagged_and_filtered() {
    let album = Album::with(&["a.jpg", "b.jpg", "c.png", "d.txt"]);
    let change = json!({"rating": 4, "add_tags": ["Places / Kyoto", "sea"]});
    let marked = album.mark(&["a.jpg", "b.jpg"], change).await.is(200).json();
    let tags = json!(["Places/Kyoto", "sea"]);
    let nothing = json!({"tags": []});
    let told = |path| json!({"root": album.root, "path": path, "rating": 4, "tags": tags, "before": nothing});
    assert_eq!(
        marked,
        json!({"marked": [told("a.jpg"), told("b.jpg")], "skipped": 0, "failed": []})
    );
    assert_eq!(
        fs::read(album.app.pictures().join("a.jpg")).unwrap(),
        b"a.jpg"
    );
    let change = json!({"rating": -1, "remove_tags": ["sea"]});
    let marked = album.mark(&["b.jpg"], change).await.is(200).json();
    let before = &marked["marked"][0]["before"];
    assert_eq!(before, &json!({"rating": 4, "tags": tags}));
    let marks = album.marks("b.jpg").await.is(200).json();
    let origins = json!({"rating": "sidecar", "tags": "sidecar"});
    assert_eq!(
        marks,
        json!({"rating": -1, "tags": ["Places/Kyoto"], "origins": origins})
    );
    let none = album.marks("c.png").await.is(200).json();
    assert_eq!(none, json!({"tags": [], "origins": {}}));

    let all = album.listed("").await;
    assert_eq!(all.len(), 4);
    assert_eq!((&all[0]["rating"], &all[0]["tags"]), (&json!(4), &tags));
    assert_eq!(all[2].get("rating").or(all[2].get("tags")), None);
    assert_eq!(album.names("rating=3").await, ["a.jpg"]);
    assert_eq!(album.names("rating=rejected").await, ["b.jpg"]);
    assert_eq!(album.names("rating=unrated").await, ["c.png"]);
    assert_eq!(album.names("tag=kyoto").await, ["a.jpg", "b.jpg"]);
    assert_eq!(album.names("tag=sea&type=png").await, [""; 0]);
    assert_eq!(album.names("type=png,gif").await, ["c.png"]);
    assert_eq!(album.names("taken_to=1999-12-31").await, [""; 0]);
    let address = format!("/api/files/tags?root={}", album.root);
    let tags = album.app.get(&address).send().await.is(200).json();
    let expected =
        json!({"tags": [{"tag": "Places/Kyoto", "count": 2}, {"tag": "sea", "count": 1}]});
    assert_eq!(tags, expected);

    let change = json!({"rating": 0});
    album.mark(&["a.jpg"], change).await.is(200);
    assert_eq!(album.names("rating=unrated").await, ["a.jpg", "c.png"]);
}

#[tokio::test]
async fn tags_are_renamed_with_smart_albums() {
    let album = Album::with(&["a.jpg", "b.jpg"]);
    let change = json!({"add_tags": ["Places/Norway/Oslo", "sea"]});
    album.mark(&["a.jpg", "b.jpg"], change).await.is(200);
    let app = &album.app;
    let smart = json!({"name": "North", "search": "tag:places/norway -tag:sea"});
    let smart = app.post("/api/albums").json(smart).send().await;
    let smart = smart.is(201).json();
    let id = &smart["id"];
    let search = || async {
        let albums = app.get("/api/albums").send().await.is(200).json();
        albums[0]["search"].clone()
    };

    let all_tags = || async {
        let began = Instant::now();
        loop {
            let all = app.get("/api/files/tags").send().await.is(200).json();
            if all["unread"] == 0 {
                return all["tags"].clone();
            }
            assert!(began.elapsed() < Duration::from_secs(60), "never read");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let count = |tag: &str| json!({"tag": tag, "count": 2});
    assert_eq!(
        all_tags().await,
        json!([count("Places/Norway/Oslo"), count("sea")])
    );
    let mut rename = json!({"from": ["Places/Norway"], "to": "Places/Norge"});
    let effects = app.post("/api/files/tags/effects").json(rename.clone());
    let effects = effects.send().await.is(200).json();
    let renamed = "tag:Places/Norge -tag:sea";
    let naming = json!({"id": id, "name": "North", "search": "tag:places/norway -tag:sea", "renamed": renamed});
    assert_eq!(
        effects,
        json!({"pictures": 2, "unread": 0, "unavailable": 0, "albums": [naming]})
    );
    rename["albums"] = json!([id]);
    let job = app.run_job("/api/files/tags/rename", rename).await;
    let result = &job["result"];
    assert_eq!(
        (&result["changed"], &result["failed"], &result["albums"]),
        (&json!(2), &json!(0), &json!(1))
    );
    assert_eq!(search().await, renamed);
    assert_eq!(
        all_tags().await,
        json!([count("Places/Norge/Oslo"), count("sea")])
    );

    let operations = app.get("/api/files/operations").send().await;
    let operations = operations.is(200).json();
    assert_eq!(operations[0]["kind"], "tags");
    assert_eq!(operations[0]["id"], result["operation"]);
    let undo = format!(
        "/api/files/operations/{}/undo",
        operations[0]["id"].as_str().unwrap()
    );
    let undone = app.post(&undo).send().await.is(200).json();
    assert_eq!(undone["done"], 2);
    assert_eq!(search().await, "tag:places/norway -tag:sea");
    let marks = album.marks("a.jpg").await.is(200).json();
    assert_eq!(marks["tags"], json!(["Places/Norway/Oslo", "sea"]));
}

#[tokio::test]
async fn cancelled_marking_reports_skipped_pictures() {
    const PICTURES: usize = 2000;
    let names: Vec<String> = (0..PICTURES)
        .map(|number| format!("{number}.jpg"))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let album = Album::with(&names);
    let (answer, ()) = tokio::join!(
        album.mark(&names, json!({"rating": 5})),
        album.cancel("mark_files")
    );
    let answer = answer.is(200).json();
    let marked = answer["marked"].as_array().unwrap().len();
    assert!(marked < PICTURES);
    assert_eq!(answer["skipped"], PICTURES - marked);
    assert_eq!(answer["failed"], json!([]));
    let files = fs::read_dir(album.app.pictures()).unwrap().count();
    assert_eq!(files, PICTURES + marked);
}

#[tokio::test]
async fn listing_is_grouped_by_month() {
    let album = Album::with(&["a.jpg", "b.jpg"]);
    fs::create_dir(album.app.pictures().join("inner")).unwrap();
    let address = format!("/api/folders?root={}&group=month", album.root);
    let listing = album.app.get(&address).send().await.is(200).json();
    let groups = listing["groups"].as_array().unwrap();
    assert_eq!(groups[0], json!({"first": 0, "count": 1}));
    assert_eq!(
        (&groups[1]["first"], &groups[1]["count"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(groups[1]["key"].as_str().unwrap().len(), "2026-11".len());
    let plain = format!("/api/folders?root={}", album.root);
    let listing = album.app.get(&plain).send().await.is(200).json();
    assert_eq!(listing.get("groups"), None);
}

#[tokio::test]
async fn unmarkable_files_are_reported_and_unchanged() {
    let album = Album::with(&["a.jpg", "b.jpg", "d.txt", "a.jpg.xmp"]);
    let change = || json!({"rating": 1});
    album
        .mark(&["a.jpg"], change())
        .await
        .refused(422, "sidecar_damaged");
    album.marks("a.jpg").await.refused(422, "sidecar_damaged");
    let done = album
        .mark(&["a.jpg", "b.jpg"], change())
        .await
        .is(200)
        .json();
    assert_eq!(done["marked"][0]["path"], "b.jpg");
    assert_eq!(done["failed"][0]["name"], "a.jpg");
    assert_eq!(done["failed"][0]["error"]["code"], "sidecar_damaged");
    let kept = fs::read(album.app.pictures().join("a.jpg.xmp")).unwrap();
    assert_eq!(kept, b"a.jpg.xmp");
    album
        .mark(&["b.jpg"], json!({"rating": 6}))
        .await
        .refused(422, "invalid_value");
    album
        .mark(&["b.jpg"], json!({"add_tags": [" / "]}))
        .await
        .refused(422, "invalid_tag");
    album
        .mark(&["z.jpg"], change())
        .await
        .refused(404, "not_found");
    let done = album
        .mark(&["d.txt", "b.jpg"], change())
        .await
        .is(200)
        .json();
    assert_eq!(done["failed"][0]["error"]["code"], "not_a_picture");
    album
        .mark(&["d.txt"], change())
        .await
        .refused(415, "not_a_picture");
    assert!(!album.app.pictures().join("d.txt.xmp").exists());
    album.mark(&[], change()).await.refused(400, "bad_request");
    for query in [
        "rating=0",
        "rating=6",
        "type=mp3",
        "group=week",
        "taken_from=soon",
        "has_caption=maybe",
    ] {
        let address = format!("/api/folders?root={}&{query}", album.root);
        let answer = album.app.get(&address).send().await;
        answer.refused(400, "bad_request");
    }
}

#[tokio::test]
async fn captions_are_written_and_found() {
    let album = Album::with(&["a.jpg", "b.jpg"]);
    let caption = json!({"caption": "金閣寺の Café"});
    let marked = album.mark(&["a.jpg"], caption).await.is(200).json();
    assert_eq!(marked["marked"][0]["caption"], "金閣寺の Café");
    assert_eq!(album.names("caption=CAFE").await, Vec::<String>::new());
    assert_eq!(album.names("caption=caf%C3%A9").await, ["a.jpg"]);
    assert_eq!(
        album.listed("caption=%E9%87%91%E9%96%A3").await[0]["caption"],
        "金閣寺の Café"
    );
    assert_eq!(album.names("has_caption=true").await, ["a.jpg"]);
    assert_eq!(album.names("has_caption=false").await, ["b.jpg"]);
    // A machine's text never replaces a person's.
    let machine = json!({"caption": "A temple.", "caption_if_absent": true});
    let marked = album
        .mark(&["a.jpg", "b.jpg"], machine)
        .await
        .is(200)
        .json();
    let captions = [0, 1].map(|at| marked["marked"][at]["caption"].clone());
    assert_eq!(captions, ["金閣寺の Café", "A temple."]);
    let cleared = album
        .mark(&["a.jpg"], json!({"caption": ""}))
        .await
        .is(200)
        .json();
    assert_eq!(cleared["marked"][0]["before"]["caption"], "金閣寺の Café");
    assert_eq!(
        album.marks("a.jpg").await.is(200).json(),
        json!({"tags": [], "origins": {}})
    );
}

/// Builds the start of a JPEG with this packet.
fn jpeg_with(packet: &str) -> Vec<u8> {
    let content = [b"http://ns.adobe.com/xap/1.0/\0", packet.as_bytes()].concat();
    let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
    [
        b"\xff\xd8\xff\xe1",
        &length[..],
        &content,
        b"\xff\xda\0\x02",
    ]
    .concat()
}

#[tokio::test]
async fn sidecar_hides_marks_in_the_picture() {
    let packet = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description \
        xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmlns:dc='http://purl.org/dc/elements/1.1/' xmp:Rating='3'>\
        <dc:title>Garden</dc:title><dc:subject><rdf:Bag><rdf:li>sea</rdf:li><rdf:li>red</rdf:li></rdf:Bag>\
        </dc:subject></rdf:Description></rdf:RDF>";
    let album = Album::with(&[]);
    let bytes = jpeg_with(packet);
    album.app.file("a.jpg", &bytes);
    let listed = album.listed("").await;
    let (rating, tags) = (&listed[0]["rating"], &listed[0]["tags"]);
    assert_eq!((rating, tags), (&json!(3), &json!(["sea", "red"])));
    assert_eq!(album.names("rating=3").await, ["a.jpg"]);
    let address = format!("/api/files/tags?root={}", album.root);
    let known = album.app.get(&address).send().await.is(200).json();
    assert_eq!(known["tags"][0], json!({"tag": "red", "count": 1}));

    let change = json!({"add_tags": ["blue"], "remove_tags": ["sea"]});
    let marked = album.mark(&["a.jpg"], change).await.is(200).json();
    let before = &marked["marked"][0]["before"];
    assert_eq!(before, &json!({"rating": 3, "tags": ["sea", "red"]}));
    let origins = json!({"rating": "xmp", "tags": "sidecar", "title": "xmp"});
    assert_eq!(
        album.marks("a.jpg").await.is(200).json(),
        json!({"rating": 3, "tags": ["red", "blue"], "title": "Garden", "origins": origins})
    );
    let listed = album.listed("").await;
    assert_eq!(listed[0]["tags"], json!(["red", "blue"]));
    assert_eq!(fs::read(album.app.pictures().join("a.jpg")).unwrap(), bytes);

    let sidecar = packet.replace("Garden", "Roses");
    album.app.file("a.jpg.xmp", sidecar.as_bytes());
    let marks = album.marks("a.jpg").await.is(200).json();
    let title = (&marks["title"], &marks["origins"]["title"]);
    assert_eq!(title, (&json!("Roses"), &json!("sidecar")));
}

#[tokio::test]
async fn pictures_are_turned_in_their_sidecars() {
    let album = Album::with(&["d.txt", "e.jpg"]);
    album.app.file("a.png", &png([9, 9, 9]));
    let original = fixture("orientation/Landscape_6.jpg");
    album.app.file("b.jpg", &original);
    let right = || json!({"turn": 6});
    let names = ["a.png", "b.jpg"];
    let marked = album.mark(&names, right()).await.is(200).json();
    let stated = [0, 1].map(|at| marked["marked"][at]["orientation"].clone());
    assert_eq!(stated, [json!(6), json!(3)]);
    assert_eq!(marked["marked"][1]["before"], json!({"tags": []}));
    assert_eq!(album.marks("b.jpg").await.is(200).json()["orientation"], 3);
    let entries = album.listed("").await;
    let facts = |at: usize| {
        ["width", "height", "orientation", "turn"].map(|name| entries[at][name].clone())
    };
    assert_eq!(facts(0), [30, 40, 1, 6].map(|number| json!(number)));
    assert_eq!(facts(1), [1200, 1800, 6, 6].map(|number| json!(number)));

    let back = json!({"turn": 8, "discard_empty": true});
    let marked = album.mark(&names, back).await.is(200).json();
    assert_eq!(marked["marked"][1].get("orientation"), None);
    assert_eq!(album.listed("").await[1].get("turn"), None);
    let folder = album.app.pictures();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 4);
    assert_eq!(fs::read(folder.join("b.jpg")).unwrap(), original);

    album
        .mark(&["a.png"], json!({"turn": 9}))
        .await
        .refused(422, "invalid_value");
    for unreadable in ["d.txt", "e.jpg"] {
        let turned = album.mark(&[unreadable], right()).await;
        turned.refused(415, "not_a_picture");
    }
}

#[tokio::test]
async fn pictures_are_cropped_in_their_sidecars() {
    let album = Album::with(&["d.txt"]);
    album.app.file("a.png", &png([9, 9, 9]));
    let original = fixture("orientation/Landscape_6.jpg");
    album.app.file("b.jpg", &original);
    let area = |x: f64, width: f64, angle: f64| json!({"x": x, "y": 0.5, "width": width, "height": 0.5, "angle": angle});
    let part = || json!({"crop": area(0.25, 0.5, 0.0), "turn": 6});
    let marked = album.mark(&["a.png", "b.jpg"], part()).await.is(200).json();
    for at in [0, 1] {
        assert_eq!(marked["marked"][at]["crop"], area(0.25, 0.5, 0.0));
        assert_eq!(marked["marked"][at]["before"], json!({"tags": []}));
    }
    let marks = album.marks("b.jpg").await.is(200).json();
    assert_eq!(marks["crop"], area(0.25, 0.5, 0.0));
    // The sidecar is about the picture as it is stored: upright, it is rotated to the right.
    let sidecar = fs::read_to_string(album.app.pictures().join("b.jpg.xmp")).unwrap();
    for (name, value) in [
        ("HasCrop", "True"),
        ("CropTop", "0.5"),
        ("CropLeft", "0.25"),
        ("CropBottom", "1"),
        ("CropRight", "0.75"),
        ("CropAngle", "0"),
    ] {
        let property = format!("<crs:{name}>{value}</crs:{name}>");
        assert!(sidecar.contains(&property), "{property} in {sidecar}");
    }
    let entries = album.listed("").await;
    assert_eq!(entries[0]["crop"], area(0.25, 0.5, 0.0));
    let sizes = |at: usize| ["width", "height"].map(|name| entries[at][name].clone());
    assert_eq!(sizes(0), [json!(15), json!(20)]);
    assert_eq!(sizes(1), [json!(600), json!(900)]);

    let whole = json!({"crop": {"x": 0.5, "y": 0.5, "width": 1, "height": 1, "angle": 0}, "turn": 8, "discard_empty": true});
    let marked = album.mark(&["a.png", "b.jpg"], whole).await.is(200).json();
    assert_eq!(marked["marked"][1]["before"]["crop"], area(0.25, 0.5, 0.0));
    assert_eq!(marked["marked"][1].get("crop"), None);
    let folder = album.app.pictures();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
    assert_eq!(fs::read(folder.join("b.jpg")).unwrap(), original);

    for invalid in [
        area(0.1, 0.5, 0.0),
        area(0.5, 0.0, 0.0),
        area(0.5, -1.0, 0.0),
        area(1.5, 0.5, 0.0),
        area(0.5, 0.5, 46.0),
        area(0.5, 1.0, 5.0),
    ] {
        let refused = album.mark(&["a.png"], json!({"crop": invalid})).await;
        refused.refused(422, "invalid_value");
    }
    let unreadable = album.mark(&["d.txt"], part()).await;
    unreadable.refused(415, "not_a_picture");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
}

#[tokio::test]
async fn file_is_rotated_and_restored() {
    let album = Album::with(&["d.txt"]);
    album.app.file("a.png", &png([9, 9, 9]));
    let original = fixture("orientation/Landscape_1.jpg");
    album.app.file("b.jpg", &original);
    let rotate = async |name: &str, turn: u8| {
        let body = json!({"item": {"root": album.root, "path": name}, "turn": turn});
        album.app.post("/api/files/rotate").json(body).send().await
    };
    album
        .mark(&["b.jpg"], json!({"turn": 6, "rating": 4}))
        .await;
    let done = rotate("b.jpg", 1).await.is(200).json();
    assert_eq!(done["done"], 1);
    // The file has the turn of the sidecar now.
    let path = album.app.pictures().join("b.jpg");
    let rotated = fs::read(&path).unwrap();
    assert_ne!(rotated, original);
    let entry = &album.listed("").await[1];
    let facts = ["width", "orientation", "rating"].map(|name| entry[name].clone());
    assert_eq!(facts, [json!(1200), json!(6), json!(4)]);
    assert_eq!(entry.get("turn"), None);

    let done = rotate("b.jpg", 6).await.is(200).json();
    let entry = &album.listed("").await[1];
    let facts = ["width", "orientation", "rating"].map(|name| entry[name].clone());
    assert_eq!(facts, [json!(1800), json!(3), json!(4)]);
    let undo = format!(
        "/api/files/operations/{}/undo",
        done["operation"].as_str().unwrap()
    );
    album.app.post(&undo).send().await.is(200);
    assert_eq!(fs::read(&path).unwrap(), rotated);
    assert_eq!(album.listed("").await[1]["orientation"], 6);

    rotate("a.png", 6).await.refused(422, "not_rotatable");
    rotate("b.jpg", 9).await.refused(422, "invalid_value");
    rotate("d.txt", 6).await.refused(415, "not_a_picture");
    rotate("gone.jpg", 6).await.refused(404, "not_found");
    assert_eq!(fs::read_dir(album.app.pictures()).unwrap().count(), 4);
}

#[tokio::test]
async fn dates_are_set_shifted_and_restored() {
    let album = Album::with(&["b.jpg"]);
    album.app.file("a.png", &png([9, 9, 9]));
    let set = json!({"taken": "2026-11-20T23:30:00"});
    let marked = album.mark(&["a.png"], set).await.is(200).json();
    assert_eq!(marked["marked"][0]["taken"], "2026-11-20T23:30:00");
    assert_eq!(marked["marked"][0]["before"], json!({"tags": []}));
    let shift = json!({"taken_shift": 3600});
    let marked = album.mark(&["a.png", "b.jpg"], shift).await.is(200).json();
    let after = "2026-11-21T00:30:00";
    assert_eq!(marked["marked"][0]["taken"], after);
    assert_eq!(marked["marked"][1].get("taken"), None);
    assert_eq!(album.marks("a.png").await.is(200).json()["taken"], after);
    let entries = album.listed("").await;
    assert_eq!(entries[0]["taken"], after);
    assert_eq!(entries[0]["taken_in_sidecar"], true);
    assert_eq!(entries[0].get("taken_in_file"), None);
    let restored = json!({"taken": "", "discard_empty": true});
    album.mark(&["a.png"], restored).await.is(200);
    assert_eq!(album.listed("").await[0].get("taken"), None);

    for invalid in [
        json!({"taken": "yesterday"}),
        json!({"taken": "2026-02-30T00:00:00"}),
        json!({"taken_shift": i64::MAX}),
        json!({"taken_shift": i64::MIN}),
        json!({"taken_shift": 1, "taken": ""}),
    ] {
        let refused = album.mark(&["a.png"], invalid).await;
        refused.refused(422, "invalid_value");
    }
}

#[tokio::test]
async fn contact_sheet_is_a_new_pdf() {
    let album = Album::with(&["broken.png"]);
    album.app.file("a.png", &png([9, 9, 9]));
    album.app.file("旅.png", &png([8, 8, 8]));
    let make = async |names: &[&str], more: Value| {
        let places = names
            .iter()
            .map(|name| json!({"root": album.root, "path": name}));
        let mut body = json!({"to": {"root": album.root, "path": ""}, "name": "sheet.pdf", "page": "a4", "columns": 1, "rows": 2});
        body["items"] = places.collect();
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        let request = album.app.post("/api/files/contact-sheet");
        request.json(body).send().await
    };
    let shown = json!({"captions": ["name", "date", "rating", "caption"], "title": "旅", "page_numbers": true});
    let made = make(&["a.png", "broken.png", "旅.png"], shown).await;
    let made = made.is(200).json();
    assert_eq!(
        (&made["name"], &made["pages"]),
        (&json!("sheet.pdf"), &json!(2))
    );
    assert_eq!(made["failed"][0]["name"], "broken.png");
    assert_eq!(made["failed"][0]["error"]["code"], "picture_undecodable");
    let path = album.app.pictures().join("sheet.pdf");
    let pdf = std::fs::read(&path).unwrap();
    assert!(pdf.starts_with(b"%PDF-1.7") && pdf.ends_with(b"%%EOF\n"));
    let count = |wanted: &[u8]| {
        pdf.windows(wanted.len())
            .filter(|part| part == &wanted)
            .count()
    };
    assert_eq!((count(b"/DCTDecode"), count(b"/MediaBox")), (2, 2));

    let taken = make(&["a.png"], json!({})).await;
    taken.refused(409, "file_name_taken");
    let numbered = make(&["a.png"], json!({"numbered": true})).await;
    assert_eq!(numbered.is(200).json()["name"], "sheet (2).pdf");
    assert_eq!(std::fs::read(&path).unwrap(), pdf);
    for (invalid, status, code) in [
        (json!({"columns": 0}), 422, "invalid_value"),
        (json!({"margin": 51}), 422, "invalid_value"),
        (json!({"columns": 12, "margin": 50}), 422, "invalid_value"),
        (json!({"name": "sheet.txt"}), 422, "invalid_value"),
        (json!({"name": "x/y.pdf"}), 422, "invalid_file_name"),
        (json!({"title": "x".repeat(201)}), 422, "invalid_value"),
        (json!({"page": "b5"}), 400, "invalid_body"),
    ] {
        let refused = make(&["a.png"], invalid).await;
        refused.refused(status, code);
    }
    let all_failed = make(&["broken.png"], json!({"name": "none.pdf"})).await;
    all_failed.refused(422, "picture_undecodable");
    let left: Vec<_> = std::fs::read_dir(album.app.pictures()).unwrap().collect();
    // Three pictures and two sheets: nothing is left of those that failed.
    assert_eq!(left.len(), 5);
}

#[tokio::test]
async fn pictures_are_exported_as_new_files() {
    let album = Album::with(&["broken.png"]);
    album.app.file("a.png", &png([9, 9, 9]));
    album.app.file("b.png", &png([8, 8, 8]));
    let named = json!({"edge": 20, "pattern": "trip {number} {name}", "sharpen": true});
    let done = album.export(&["a.png", "broken.png", "b.png"], named).await;
    let done = done.is(200).json();
    assert_eq!(
        (&done["exported"], &done["skipped"]),
        (&json!(2), &json!(0))
    );
    assert_eq!(done["failed"][0]["name"], "broken.png");
    assert_eq!(done["failed"][0]["error"]["code"], "picture_undecodable");
    let made = image::open(album.app.pictures().join("trip 3 b.jpg")).unwrap();
    assert_eq!((made.width(), made.height()), (20, 15));

    let onto_itself = json!({"format": "png"});
    let taken = album.export(&["a.png"], onto_itself).await;
    taken.refused(409, "file_name_taken");
    let numbered = album
        .export(&["a.png"], json!({"format": "png", "numbered": true}))
        .await;
    assert_eq!(numbered.is(200).json()["exported"], 1);
    assert!(album.app.pictures().join("a (2).png").exists());
    for (invalid, status, code) in [
        (json!({"quality": 0}), 422, "invalid_value"),
        (json!({"edge": 70_000}), 422, "invalid_value"),
        (json!({"pattern": "x/{name}"}), 422, "invalid_file_name"),
        (json!({"format": "gif"}), 400, "invalid_body"),
        (
            json!({"to": {"root": album.root, "path": "b.png"}}),
            422,
            "not_a_folder",
        ),
        (
            json!({"to": {"root": album.root, "path": "gone"}}),
            404,
            "not_found",
        ),
    ] {
        let refused = album.export(&["a.png"], invalid).await;
        refused.refused(status, code);
    }
    assert_eq!(fs::read_dir(album.app.pictures()).unwrap().count(), 6);
}

#[tokio::test]
async fn cancelled_export_keeps_finished_files() {
    const PICTURES: usize = 500;
    let album = Album::with(&[]);
    album.app.file("a.png", &png([9, 9, 9]));
    let numbered = json!({"format": "png", "numbered": true});
    let (answer, ()) = tokio::join!(
        album.export(&["a.png"; PICTURES], numbered),
        album.cancel("export_pictures")
    );
    let answer = answer.is(200).json();
    let exported = answer["exported"].as_u64().unwrap() as usize;
    assert!(exported < PICTURES);
    assert_eq!(answer["skipped"], PICTURES - exported);
    assert_eq!(answer["failed"], json!([]));
    let mut files = 0;
    for file in fs::read_dir(album.app.pictures()).unwrap() {
        image::open(file.unwrap().path()).unwrap();
        files += 1;
    }
    assert_eq!(files, 1 + exported);
}
