//! `/api/folders`: the contents of a folder.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::rest_api::events::Stream;
use crate::support::pictures::{fixture, in_root, png};
use crate::support::{TestApp, redacted};

fn names(listing: &Value) -> Vec<&str> {
    let entries = listing["entries"].as_array().unwrap();
    let names = entries.iter().map(|entry| entry["name"].as_str().unwrap());
    names.collect()
}

async fn list(app: &TestApp, root: &str, query: &str) -> Value {
    let path = format!("/api/folders?root={root}{query}");
    app.get(&path).send().await.is(200).json()
}

#[tokio::test]
async fn folder_lists_its_entries() {
    let app = TestApp::new();
    let root = app.root();
    std::fs::create_dir(app.pictures().join("旅")).unwrap();
    app.file("a.txt", b"text");
    let png = png([1, 2, 3]);
    app.file("p.png", &png);
    app.file("turned.jpg", &fixture("orientation/Portrait_6.jpg"));
    // A picture by its name until its header is read: listing a folder opens no file.
    app.file("fake.jpg", b"no picture");
    let mut stream = Stream::open(&app, None).await;
    let first = list(&app, &root, "").await;
    assert_eq!(
        (&first["root"], &first["unread"]),
        (&json!(root), &json!(3))
    );
    let told = stream.next().await.data;
    assert_eq!(
        told,
        json!({"type": "folder.read", "root": root, "path": "", "unread": 0})
    );
    let of = first["listing"].as_str().unwrap();
    let listing = list(&app, &root, &format!("&listing={of}")).await;
    assert_eq!(listing["listing"], of);
    let picture = listing["entries"].as_array().unwrap().iter();
    let picture = picture.clone().find(|entry| entry["name"] == "p.png");
    assert_eq!(picture.unwrap()["id"].as_str().unwrap().len(), 40);
    let mut listing = listing;
    // The size of a folder depends on the file system, and that of a compressed picture on its encoder.
    listing["entries"][0]["size"] = json!(0);
    for entry in listing["entries"].as_array_mut().unwrap() {
        if entry["name"] == "p.png" {
            assert_eq!(entry["size"], png.len());
            entry["size"] = json!(99);
        }
    }
    insta::assert_json_snapshot!(redacted(
        listing,
        &["root", "id", "version", "mtime", "listing"]
    ));
}

#[tokio::test]
async fn entry_has_preview_and_thumbhash() {
    let app = TestApp::new();
    let root = app.root();
    app.file("a.jpg", &fixture("samples/embedded.jpg"));
    let told = async || {
        let entry = list(&app, &root, "").await["entries"][0].take();
        let told = |name: &str| entry.get(name).cloned();
        (told("embeds"), told("thumbhash"))
    };
    let mut stream = Stream::open(&app, None).await;
    assert_eq!(told().await, (None, None));
    assert_eq!(stream.next().await.data["type"], "folder.read");
    assert_eq!(told().await, (Some(json!(true)), None));
    let address = in_root("/thumb", &root, "a.jpg");
    let address = format!("{address}&size=64x64&mode=shrink&format=jpg");
    app.get(&address).send().await.is(200);
    let (_, hash) = told().await;
    let bytes = STANDARD.decode(hash.unwrap().as_str().unwrap()).unwrap();
    assert!((5..=25).contains(&bytes.len()), "{bytes:?}");
}

#[tokio::test]
async fn truncated_pictures_are_marked() {
    let app = TestApp::new();
    let root = app.root();
    app.file("cut.jpg", &fixture("broken/truncated.jpg"));
    app.file("whole.png", &png([1, 2, 3]));
    let mut stream = Stream::open(&app, None).await;
    list(&app, &root, "").await;
    assert_eq!(stream.next().await.data["unread"], 0);
    let listing = list(&app, &root, "").await;
    let marks = [0, 1].map(|at: usize| listing["entries"][at].get("is_incomplete"));
    assert_eq!(marks, [Some(&json!(true)), None]);
}

#[tokio::test]
async fn subfolder_is_named_by_its_path() {
    let app = TestApp::new();
    let root = app.root();
    std::fs::create_dir_all(app.pictures().join("旅/京都 1+1")).unwrap();
    std::fs::write(app.pictures().join("旅/京都 1+1/x"), b"").unwrap();
    for path in ["旅/京都 1+1", "旅/京都 1+1/", "./旅//京都 1+1"] {
        let answer = app.get(&in_root("/api/folders", &root, path)).send().await;
        let listing = answer.is(200).json();
        assert_eq!(names(&listing), ["x"]);
        assert_eq!(listing["path"], "旅/京都 1+1");
    }
}

#[tokio::test]
async fn part_around_an_entry_is_returned() {
    let app = TestApp::new();
    let root = app.root();
    for number in 0..10 {
        app.file(format!("{number}.txt"), b"");
    }
    app.file(b"9\xff.txt", b"");
    for (around, offset, first) in [
        ("7.txt", 6, "6.txt"),
        ("0.txt", 0, "0.txt"),
        ("9%FF.txt", 9, "9.txt"),
        ("gone.txt", 3, "3.txt"),
        ("", 3, "3.txt"),
    ] {
        let query = format!("&limit=3&offset=3&around={around}");
        let listing = list(&app, &root, &query).await;
        assert_eq!(listing["offset"], offset, "{around}");
        assert_eq!(names(&listing)[0], first, "{around}");
        assert_eq!(listing["total"], 11);
    }
    let backwards = list(&app, &root, "&limit=3&order=desc&around=0.txt").await;
    assert_eq!(
        (&backwards["offset"], names(&backwards).len()),
        (&json!(9), 2)
    );
}

#[tokio::test]
async fn entries_are_filtered_by_name_and_kind() {
    let app = TestApp::new();
    let root = app.root();
    std::fs::create_dir(app.pictures().join("カメラ")).unwrap();
    for name in ["ｶﾒﾗ1.png", "かめら.txt", "b.png"] {
        app.file(name, b"");
    }
    for (query, expected, pictures) in [
        ("&filter=カメ", &["カメラ", "かめら.txt", "ｶﾒﾗ1.png"][..], 1),
        ("&filter=カメ&kind=folder", &["カメラ"], 1),
        ("&kind=folder", &["カメラ"], 2),
        ("&kind=picture", &["b.png", "ｶﾒﾗ1.png"], 2),
        ("&kind=other&filter=", &["かめら.txt"], 2),
        ("&filter=none", &[], 0),
    ] {
        let listing = list(&app, &root, query).await;
        let counts = (listing["total"].as_u64(), listing["pictures"].as_u64());
        assert_eq!(names(&listing), expected, "{query}");
        let total = u64::try_from(expected.len()).unwrap();
        assert_eq!(counts, (Some(total), Some(pictures)), "{query}");
    }
}

#[tokio::test]
async fn parts_of_a_listing_stay_consistent() {
    let app = TestApp::new();
    let root = app.root();
    for number in 1..=4 {
        app.file(format!("{number}.txt"), b"");
    }
    let first = list(&app, &root, "&limit=2").await;
    app.file("0.txt", b"");
    let of = first["listing"].as_str().unwrap();
    let second = list(&app, &root, &format!("&limit=2&offset=2&listing={of}")).await;
    assert_eq!(names(&second), ["3.txt", "4.txt"]);
    assert_eq!(
        (&second["total"], &second["listing"]),
        (&json!(4), &json!(of))
    );
    let fresh = list(&app, &root, "&limit=2").await;
    assert_eq!(names(&fresh), ["0.txt", "1.txt"]);
    assert_ne!(fresh["listing"], of);
    // An unknown listing is replaced by a new one.
    let again = list(&app, &root, "&listing=0123456789abcdef").await;
    assert_eq!(again["total"], 5);
    assert_ne!(again["listing"], "0123456789abcdef");
}

#[tokio::test]
async fn non_utf8_names_are_listed_and_served() {
    let app = TestApp::new();
    let root = app.root();
    for name in [&b"b\xffd.png"[..], b"new\nline.png", b"esc\x1b[31m.png"] {
        app.file(name, &png([1, 2, 3]));
    }
    let listing = list(&app, &root, "").await;
    assert_eq!(
        (&listing["total"], &listing["pictures"]),
        (&json!(3), &json!(3))
    );
    for entry in listing["entries"].as_array().unwrap() {
        let name = match entry["name_bytes"].as_str() {
            Some(bytes) => STANDARD.decode(bytes).unwrap(),
            None => entry["name"].as_str().unwrap().as_bytes().to_vec(),
        };
        let id = entry["id"].as_str().unwrap();
        let address = format!("{}&v={id}", in_root("/thumb", &root, &name));
        app.get(&address).send().await.is(200);
        app.get(&in_root("/api/image", &root, &name))
            .send()
            .await
            .is(200);
    }
    let entries = listing["entries"].as_array().unwrap();
    let odd = entries
        .iter()
        .find(|entry| entry.get("name_bytes").is_some());
    assert_eq!(odd.unwrap()["name"], "b\u{fffd}d.png");
}

#[tokio::test]
async fn entries_are_sorted_as_requested() {
    let app = TestApp::new();
    let root = app.root();
    std::fs::create_dir(app.pictures().join("folder")).unwrap();
    for (number, (name, size)) in [("a10.txt", 5), ("a9.zip", 30), ("B1.jpg", 1)]
        .into_iter()
        .enumerate()
    {
        let path = app.file(name, &vec![b'x'; size]);
        let file = std::fs::File::options().write(true).open(path).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1000 * (3 - number as u64));
        file.set_modified(time).unwrap();
    }
    for (query, order) in [
        ("", ["folder", "a9.zip", "a10.txt", "B1.jpg"]),
        (
            "&sort=name&order=desc",
            ["folder", "B1.jpg", "a10.txt", "a9.zip"],
        ),
        ("&sort=size", ["folder", "B1.jpg", "a10.txt", "a9.zip"]),
        ("&sort=modified", ["folder", "B1.jpg", "a9.zip", "a10.txt"]),
        (
            "&sort=modified&order=desc",
            ["folder", "a10.txt", "a9.zip", "B1.jpg"],
        ),
        ("&sort=type", ["folder", "B1.jpg", "a10.txt", "a9.zip"]),
    ] {
        assert_eq!(names(&list(&app, &root, query).await), order, "{query}");
    }
}

#[tokio::test]
async fn size_of_a_folder_is_the_sum() {
    let app = TestApp::new();
    let root = app.root();
    std::fs::create_dir(app.pictures().join("sub")).unwrap();
    app.file("a.txt", b"12345");
    app.file("b.jpg", b"123");
    app.file("sub/c.jpg", b"1234567");
    let size = async |query: &str| {
        let address = format!("/api/folders/size?root={root}{query}");
        app.get(&address).send().await.is(200).json()
    };
    for (query, files, bytes) in [("", 2, 8), ("&path=sub", 1, 7), ("&beneath=true", 3, 15)] {
        let size = size(query).await;
        assert_eq!(
            (&size["files"], &size["bytes"]),
            (&json!(files), &json!(bytes))
        );
        assert!(size["free"].as_u64().unwrap() > 0);
    }
    let missing = format!("/api/folders/size?root={root}&path=none");
    app.get(&missing).send().await.refused(404, "not_found");
}

#[tokio::test]
async fn part_has_the_total_count() {
    let app = TestApp::new();
    let root = app.root();
    for number in 0..10 {
        app.file(format!("{number}.txt"), b"");
    }
    for (query, expected) in [
        ("&limit=3", &["0.txt", "1.txt", "2.txt"][..]),
        ("&offset=8", &["8.txt", "9.txt"]),
        ("&offset=4&limit=1", &["4.txt"]),
        ("&offset=10", &[]),
        ("&offset=4000000000", &[]),
    ] {
        let listing = list(&app, &root, query).await;
        assert_eq!(
            (&names(&listing)[..], &listing["total"]),
            (expected, &json!(10))
        );
    }
}

#[tokio::test]
async fn subtree_is_listed_grouped_by_folder() {
    let app = TestApp::new();
    let root = app.root();
    std::fs::create_dir_all(app.pictures().join("旅/京都")).unwrap();
    let odd = Path::new(OsStr::from_bytes(b"z\xff"));
    std::fs::create_dir(app.pictures().join(odd)).unwrap();
    for path in ["a.png", "旅/b.png", "旅/京都/c.png", "旅/京都/d.txt"] {
        std::fs::write(app.pictures().join(path), png([1, 2, 3])).unwrap();
    }
    std::fs::write(app.pictures().join(odd).join("e.png"), b"no picture").unwrap();
    let listing = list(&app, &root, "&group=folder").await;
    assert_eq!(
        names(&listing),
        ["a.png", "e.png", "b.png", "c.png", "d.txt"]
    );
    let bytes = STANDARD.encode(b"z\xff");
    let folders = listing["entries"].as_array().unwrap().iter();
    let folders = folders.map(|entry| {
        let told = |key: &str| entry.get(key).and_then(Value::as_str);
        (told("folder"), told("folder_bytes"))
    });
    let none = (None, None);
    let expected = [
        none,
        (Some("z\u{fffd}"), Some(&*bytes)),
        (Some("旅"), None),
        (Some("旅/京都"), None),
        (Some("旅/京都"), None),
    ];
    assert!(folders.eq(expected), "{listing}");
    assert_eq!(
        listing["groups"],
        json!([
            {"key": "", "first": 0, "count": 1},
            {"key": "z\u{fffd}", "key_bytes": bytes, "first": 1, "count": 1},
            {"key": "旅", "first": 2, "count": 1},
            {"key": "旅/京都", "first": 3, "count": 2},
        ])
    );
    let counts = ["total", "pictures", "left_out"].map(|key| listing[key].as_u64());
    assert_eq!(counts, [Some(5), Some(4), None]);
    let around = "&group=folder&path=%E6%97%85&around=%E4%BA%AC%E9%83%BD/d.txt&limit=1";
    let part = list(&app, &root, around).await;
    assert_eq!((names(&part), &part["offset"]), (vec!["d.txt"], &json!(2)));
    // The id of another listing does not apply to this one.
    let of = listing["listing"].as_str().unwrap();
    let plain = list(&app, &root, &format!("&listing={of}")).await;
    assert_eq!(names(&plain), ["z\u{fffd}", "旅", "a.png"]);
}

#[tokio::test]
async fn subtree_reading_is_reported_for_its_folder() {
    let app = TestApp::new();
    let root = app.root();
    std::fs::create_dir_all(app.pictures().join("a/b")).unwrap();
    for path in ["a/b/c.png", "a/d.png"] {
        std::fs::write(app.pictures().join(path), png([1, 2, 3])).unwrap();
    }
    let mut stream = Stream::open(&app, None).await;
    let first = list(&app, &root, "&path=a&group=folder").await;
    assert_eq!(first["unread"], 2);
    let told = stream.next().await.data;
    assert_eq!(
        told,
        json!({"type": "folder.read", "root": root, "path": "a", "beneath": true, "unread": 0})
    );
    for (query, count) in [("", 0), ("&beneath=false", 0), ("&beneath=true", 1)] {
        let items = json!([{"root": root, "path": "a/b/c.png"}]);
        let body = json!({"items": items, "add_tags": ["Sea"], "remove_tags": []});
        app.post("/api/files/marks").json(body).send().await.is(200);
        let address = format!("/api/files/tags?root={root}&path=a{query}");
        let tags = app.get(&address).send().await.is(200).json();
        assert_eq!(tags["tags"].as_array().unwrap().len(), count, "{query}");
    }
}

#[tokio::test]
async fn invalid_requests_are_refused() {
    let app = TestApp::new();
    let root = app.root();
    app.file("file", b"");
    std::os::unix::fs::symlink("/etc", app.pictures().join("out")).unwrap();
    let asked = |query: &str| format!("/api/folders?root={root}{query}");
    let unknown_root = "/api/folders?root=01JD0000000000000000000000";
    for (address, status, code) in [
        ("/api/folders".to_owned(), 400, "bad_request"),
        ("/api/folders?root=nonsense".to_owned(), 400, "bad_request"),
        ("/api/folders?root=%FF".to_owned(), 400, "bad_request"),
        (unknown_root.to_owned(), 404, "root_not_found"),
        (asked("&sort=colour"), 400, "bad_request"),
        (asked("&order=up"), 400, "bad_request"),
        (asked("&limit=0"), 400, "bad_request"),
        (asked("&limit=1001"), 400, "bad_request"),
        (asked("&limit=-1"), 400, "bad_request"),
        (asked("&offset=x"), 400, "bad_request"),
        (asked("&kind=film"), 400, "bad_request"),
        (asked("&group=week"), 400, "bad_request"),
        (asked("&may_grow=perhaps"), 400, "bad_request"),
        (asked("&filter=%FF"), 400, "bad_request"),
        (asked("&listing=1"), 400, "bad_request"),
        (asked("&listing=ABCDEF0123456789"), 400, "bad_request"),
        (asked("&path=none"), 404, "not_found"),
        (asked("&path=file"), 422, "not_a_folder"),
        (asked("&path=file/x"), 404, "not_found"),
        (asked("&path=out"), 403, "outside_roots"),
        (asked("&path=.."), 403, "outside_roots"),
        (asked("&path=a/../../.."), 403, "outside_roots"),
        (asked("&path=/etc"), 400, "bad_request"),
        (asked("&path=a%00b"), 400, "bad_request"),
    ] {
        let answer = app.get(&address).send().await;
        assert_eq!(answer.status, status, "{answer:?}");
        answer.refused(status, code);
    }
}
