//! `/thumb`: the response for browsers, and its caching.

use serde_json::Value;

use crate::support::pictures::{in_root, png};
use crate::support::{Answer, TestApp};

/// Returns an app with a picture, the picture's root, and the address of its thumbnail.
async fn a_picture() -> (TestApp, String, String) {
    let app = TestApp::new();
    let root = app.root();
    app.file("旅 1.png", &png([200, 0, 0]));
    let address = in_root("/thumb", &root, "旅 1.png");
    (app, root, address)
}

async fn entry(app: &TestApp, root: &str) -> Value {
    let listing = app.get(&format!("/api/folders?root={root}")).send().await;
    let listing: Value = listing.is(200).json();
    listing["entries"][0].clone()
}

async fn id(app: &TestApp, root: &str) -> String {
    let entry = entry(app, root).await;
    entry["id"].as_str().unwrap().to_owned()
}

async fn version(app: &TestApp, root: &str) -> String {
    let entry = entry(app, root).await;
    entry["version"].as_str().unwrap().to_owned()
}

#[track_caller]
fn check_caching(answer: &Answer, status: u16, for_a_year: bool) {
    let expected = match for_a_year {
        true => "private, max-age=31536000, immutable",
        false => "no-cache",
    };
    answer
        .is(status)
        .has("cache-control", expected)
        .has("content-security-policy", "sandbox; default-src 'none'");
}

#[tokio::test]
async fn thumbnail_has_the_requested_format() {
    let (app, root, address) = a_picture().await;
    let version = version(&app, &root).await;
    assert!(version.starts_with(&id(&app, &root).await));
    for (query, kind, begins, variant) in [
        ("", "image/jpeg", &b"\xff\xd8\xff"[..], "85x85-crop.jpg"),
        (
            "&format=jpg",
            "image/jpeg",
            b"\xff\xd8\xff",
            "85x85-crop.jpg",
        ),
        (
            "&size=20x10&mode=shrink&format=png",
            "image/png",
            b"\x89PNG",
            "20x10-shrink.png",
        ),
        (
            "&size=16x16&mode=stretch&format=webp",
            "image/webp",
            b"RIFF",
            "16x16-stretch.webp",
        ),
    ] {
        let answer = app.get(&format!("{address}{query}")).send().await;
        check_caching(&answer, 200, false);
        answer
            .has("content-type", kind)
            .has("etag", &format!("\"{version}-{variant}\""));
        assert!(answer.body.starts_with(begins), "{query}");
    }
}

#[tokio::test]
async fn versioned_thumbnail_is_cached_for_a_year() {
    let (app, root, address) = a_picture().await;
    for v in [id(&app, &root).await, version(&app, &root).await] {
        let versioned = format!("{address}&v={v}");
        check_caching(&app.get(&versioned).send().await, 200, true);
    }
    check_caching(&app.get(&address).send().await, 200, false);
}

#[tokio::test]
async fn unchanged_thumbnail_is_not_sent_again() {
    let (app, root, address) = a_picture().await;
    let versioned = format!("{address}&v={}", version(&app, &root).await);
    let tag = app.get(&address).send().await;
    let tag = tag.header("etag").unwrap();
    for (address, for_a_year) in [(&address, false), (&versioned, true)] {
        for (known, status) in [
            (tag.to_owned(), 304),
            (format!("W/{tag}"), 304),
            (format!("\"x\", {tag}"), 304),
            ("*".to_owned(), 304),
            ("\"another\"".to_owned(), 200),
        ] {
            let call = app.get(address).header("if-none-match", &known);
            let answer = call.send().await;
            check_caching(&answer, status, for_a_year);
            assert_eq!(answer.body.is_empty(), status == 304, "{known}");
        }
    }
}

#[tokio::test]
async fn not_modified_answer_makes_no_thumbnail() {
    let (app, root, address) = a_picture().await;
    let before = app.get("/api/cache").send().await.is(200).json();
    let tag = format!("\"{}-85x85-crop.jpg\"", version(&app, &root).await);
    let call = app.get(&address).header("if-none-match", &tag);
    call.send().await.is(304);
    let after = app.get("/api/cache").send().await.is(200).json();
    assert_eq!(after["counters"], before["counters"]);
    assert_eq!(after["files"], 0);
}

#[tokio::test]
async fn outdated_version_redirects_to_the_current() {
    let (app, root, address) = a_picture().await;
    let old = id(&app, &root).await;
    let stale = format!(
        "/thumb?v={old}&size=20x20&{}",
        address.split_once('?').unwrap().1
    );
    app.get(&stale).send().await.is(200);
    app.file("旅 1.png", &png([0, 0, 200]));
    let moved = app.get(&stale).send().await;
    moved.is(302).has("cache-control", "no-store");
    assert_ne!(id(&app, &root).await, old);
    let new = version(&app, &root).await;
    let location = moved.header("location").unwrap();
    assert!(location.ends_with(&format!("&v={new}")), "{location}");
    let answer = app.get(location).send().await;
    check_caching(&answer, 200, true);
    let tag = format!("\"{new}-20x20-crop.jpg\"");
    answer.has("etag", &tag);
    let unknown = format!("{address}&v={}", "0".repeat(40));
    app.get(&unknown).send().await.is(302);
}

/// Returns a picture of this colour, with the same length and modification time as all others.
fn twin(colour: [u8; 3]) -> Vec<u8> {
    let mut bytes = png(colour);
    // Bytes after the end of a PNG are ignored.
    bytes.resize(4096, 0);
    bytes
}

#[tokio::test]
async fn edit_with_restored_mtime_is_another_version() {
    let app = TestApp::new();
    let root = app.root();
    let put = |colour| {
        let path = app.file("a.png", &twin(colour));
        let then = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
        let file = std::fs::File::open(path).unwrap();
        file.set_modified(then).unwrap();
    };
    put([200, 0, 0]);
    let (old_id, old) = (id(&app, &root).await, version(&app, &root).await);
    let addresses = ["/thumb", "/api/image"].map(|path| in_root(path, &root, "a.png"));
    let mut before = Vec::new();
    for address in &addresses {
        before.push(app.get(address).send().await);
    }
    put([0, 0, 200]);
    let new = version(&app, &root).await;
    assert_eq!(id(&app, &root).await, old_id);
    assert_ne!(new, old);
    for (address, before) in addresses.iter().zip(before) {
        let tag = before.header("etag").unwrap();
        assert!(tag.starts_with(&format!("\"{old_id}-")), "{tag}");
        let call = app.get(address).header("if-none-match", tag);
        let now = call.send().await;
        assert_ne!(now.is(200).header("etag"), Some(tag));
        assert_ne!(now.body, before.body, "{address}");
    }
    let moved = app.get(&format!("{}&v={old}", addresses[0])).send().await;
    let location = moved.is(302).header("location").unwrap();
    assert!(location.ends_with(&format!("&v={new}")), "{location}");
    check_caching(&app.get(location).send().await, 200, true);
}

#[tokio::test]
async fn invalid_parameters_are_refused_before_file_access() {
    let (app, root, address) = a_picture().await;
    let none = in_root("/thumb", &root, "none.png");
    for wrong in [
        "&size=0x10",
        "&size=10x0",
        "&size=4097x1",
        "&size=10",
        "&size=10x",
        "&size=-1x5",
        "&size=99999999999999999999x1",
        "&size=",
        "&mode=fit",
        "&format=gif",
        "&format=svg",
        "&v=nonsense",
        "&priority=soon",
        "&priority=",
        "&v=%FF",
        "&size=%FF",
    ] {
        for address in [&address, &none] {
            let answer = app.get(&format!("{address}{wrong}")).send().await;
            assert_eq!(answer.status, 400, "{answer:?}");
            answer.refused(400, "bad_request");
        }
    }
    app.get("/thumb").send().await.refused(400, "bad_request");
    app.get(&format!("{address}&source=/etc/passwd"))
        .send()
        .await
        .refused(400, "bad_request");
}

#[tokio::test]
async fn files_outside_the_roots_are_refused() {
    let (app, root, _) = a_picture().await;
    let secret = app.base_dir().join("secret.png");
    std::fs::write(&secret, png([1, 1, 1])).unwrap();
    std::os::unix::fs::symlink(&secret, app.pictures().join("out.png")).unwrap();
    std::os::unix::fs::symlink("旅 1.png", app.pictures().join("in.png")).unwrap();
    std::fs::create_dir(app.pictures().join("folder")).unwrap();
    let status = rustix::fs::mknodat(
        rustix::fs::CWD,
        app.pictures().join("pipe.png"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RWXU,
        0,
    );
    status.unwrap();
    for address in ["/thumb", "/api/image"] {
        for (path, status, code) in [
            ("none.png", 404, "not_found"),
            ("out.png", 403, "outside_roots"),
            ("folder", 403, "outside_roots"),
            ("pipe.png", 403, "outside_roots"),
            ("../secret.png", 403, "outside_roots"),
            ("/etc/passwd", 400, "bad_request"),
        ] {
            let answer = app.get(&in_root(address, &root, path)).send().await;
            assert_eq!(answer.status, status, "{answer:?}");
            answer.refused(status, code);
        }
        let inside = app.get(&in_root(address, &root, "in.png")).send().await;
        inside.is(200);
    }
    for source in [secret.to_str().unwrap(), "/etc/passwd", "/none"] {
        let answer = app.get(&format!("/thumb?source={source}")).send().await;
        answer.refused(403, "outside_roots");
    }
    let by_source = format!("source={}", app.pictures().join("in.png").display());
    app.get(&format!("/thumb?{by_source}")).send().await.is(200);
    // The picture itself can be requested by its root only.
    let answer = app.get(&format!("/api/image?{by_source}")).send().await;
    answer.refused(400, "bad_request");
}

#[tokio::test]
async fn turned_thumbnail_is_another_one() {
    let (app, root, address) = a_picture().await;
    let version = version(&app, &root).await;
    let shrunk = format!("{address}&size=20x20&mode=shrink&format=png&v={version}");
    let sides = |answer: &Answer| {
        let picture = image::load_from_memory(&answer.body).unwrap();
        (picture.width(), picture.height())
    };
    let upright = app.get(&shrunk).send().await;
    assert_eq!(sides(&upright), (20, 15));
    let turned = app.get(&format!("{shrunk}&turn=6")).send().await;
    check_caching(&turned, 200, true);
    assert_eq!(sides(&turned), (15, 20));
    turned.has("etag", &format!("\"{version}-20x20-shrink-6.png\""));
    let crop = "crop=0.5,0.5,0.5,1,0";
    let cropped = app.get(&format!("{shrunk}&{crop}")).send().await;
    check_caching(&cropped, 200, true);
    assert_eq!(sides(&cropped), (13, 20));
    cropped.has(
        "etag",
        &format!("\"{version}-20x20-shrink.png-0.5,0.5,0.5,1,0\""),
    );
    for invalid in ["crop=0.5", "crop=0.5,0.5,0.5,1,60", "crop=a,0.5,0.5,1,0"] {
        let refused = app.get(&format!("{shrunk}&{invalid}")).send().await;
        refused.refused(400, "bad_request");
    }
    let unknown = app.get(&format!("{shrunk}&turn=9")).send().await;
    unknown.refused(400, "bad_request");
}
