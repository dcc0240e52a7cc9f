//! `/api/folders/overview`, `/api/folders/covers` and `/api/folders/counts`: what stands for folders.

use fumikura_tests::wait;
use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::pictures::{fixture, in_root, png};

/// Returns a photograph that was taken at a time, `2019:11:30 12:00:00`.
fn taken(time: &str) -> Vec<u8> {
    let mut notes =
        b"Exif\0\0II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x1a\0\0\0\0\0\0\0".to_vec();
    notes.extend(b"\x01\0\x03\x90\x02\0\x14\0\0\0\x2c\0\0\0\0\0\0\0");
    notes.extend(time.as_bytes());
    notes.push(0);
    let length = u16::try_from(notes.len() + 2).unwrap().to_be_bytes();
    let photograph = fixture("photographs/Cat.jpg");
    let (start, rest) = photograph.split_at(2);
    [start, &[0xFF, 0xE1], &length, &notes, rest].concat()
}

fn folder(app: &TestApp, name: &str) {
    std::fs::create_dir_all(app.pictures().join(name)).unwrap();
}

#[tokio::test]
async fn overview_has_counts_and_this_day() {
    let app = TestApp::new();
    folder(&app, "旅/京都");
    folder(&app, "empty");
    app.file("旅/京都/a.jpg", &taken("2019:11:30 12:00:00"));
    app.file("旅/京都/b.jpg", &taken("2019:11:30 08:00:00"));
    app.file("旅/c.jpg", &taken("2026:11:30 08:00:00"));
    app.file("d.png", &png([1, 2, 3]));
    let root = app.root();
    let read = async || {
        let address = "/api/folders/overview?day=2026-11-30";
        app.get(address).send().await.is(200).json()
    };
    // Headers are read in the background.
    let overview = wait::until("all headers to be read", async || {
        let overview: Value = read().await;
        Ok(overview["partial"].is_null().then_some(overview))
    });
    let overview = overview.await.unwrap();
    let counts = json!([{"root": root, "folders": 2, "pictures": 4}]);
    assert_eq!(overview["roots"], counts);
    let names = |pictures: &Value| {
        let pictures = pictures.as_array().unwrap().iter();
        let name = |picture: &Value| {
            assert_eq!(picture["root"], root);
            let entry = &picture["entry"];
            let folder = entry["folder"].as_str().unwrap_or_default().to_owned();
            (folder, entry["name"].as_str().unwrap().to_owned())
        };
        pictures.map(name).collect::<Vec<_>>()
    };
    let of = |folder: &str, name: &str| (folder.to_owned(), name.to_owned());
    let years = overview["years"].as_array().unwrap();
    assert_eq!(years.len(), 1);
    assert_eq!(
        (&years[0]["year"], &years[0]["count"]),
        (&json!(2019), &json!(2))
    );
    let of_year = [of("旅/京都", "b.jpg"), of("旅/京都", "a.jpg")];
    assert_eq!(names(&years[0]["pictures"]), of_year);
    let added = names(&overview["added"]);
    assert_eq!(added.len(), 4);
    assert_eq!(added[0], of("", "d.png"));
}

#[tokio::test]
async fn covers_are_entries_of_the_folder() {
    let app = TestApp::new();
    folder(&app, "in");
    app.file("in/a.png", &png([1, 2, 3]));
    let root = app.root();
    let address = in_root("/api/folders/covers", &root, "");
    let covers = app.get(&address).send().await.is(200).json();
    let [cover] = &covers.as_array().unwrap()[..] else {
        panic!("{covers}");
    };
    let of = ["folder", "name", "kind", "width"].map(|field| &cover[field]);
    assert_eq!(
        of,
        [&json!("in"), &json!("a.png"), &json!("picture"), &json!(40)]
    );
    let gone = in_root("/api/folders/covers", &root, "gone");
    app.get(&gone).send().await.refused(404, "not_found");
}

#[tokio::test]
async fn folders_are_counted_across_roots() {
    let app = TestApp::new();
    folder(&app, "旅/京都");
    folder(&app, "旅-2");
    app.file("旅/京都/a.png", &png([1, 2, 3]));
    app.file("旅/京都/b.png", &png([1, 2, 4]));
    app.file("旅/c.png", &png([1, 2, 5]));
    app.file("旅-2/d.png", &png([1, 2, 6]));
    let root = app.root();
    let files = app.inner.local_files();
    let inner = files.open_folder(&app.pictures().join("旅/京都")).unwrap();
    let counted = async |folders: &[(&str, &str)]| {
        let items = folders.iter();
        let items = items.map(|(root, path)| json!({"root": root, "path": path}));
        let body = json!({"items": items.collect::<Vec<_>>()});
        app.post("/api/folders/counts").json(body).send().await
    };
    let folders = [
        (&*root, ""),
        (&root, "旅"),
        (&root, "旅/京都"),
        (&inner, ""),
        (&root, "none"),
    ];
    let counts = wait::until("all folders to be listed", async || {
        let answer = counted(&folders).await.is(200).json();
        Ok((answer["partial"] == false).then(|| answer["counts"].clone()))
    });
    assert_eq!(counts.await.unwrap(), json!([4, 3, 2, 2, 0]));
    counted(&[]).await.refused(400, "bad_request");
    counted(&[(&*root, ""); 201])
        .await
        .refused(400, "bad_request");
}
