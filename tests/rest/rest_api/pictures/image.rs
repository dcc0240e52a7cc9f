//! `/api/image`: a picture itself, whole or in part.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use crate::support::pictures::{fixture, in_root, png};
use crate::support::{Answer, TestApp};

async fn a_picture() -> (TestApp, String, Vec<u8>) {
    let app = TestApp::new();
    let root = app.root();
    let bytes = fixture("orientation/Landscape_1.jpg");
    app.file("a.png", &bytes);
    (app, in_root("/api/image", &root, "a.png"), bytes)
}

#[track_caller]
fn check_harmless(answer: &Answer) {
    answer
        .has("content-security-policy", "sandbox; default-src 'none'")
        .has("accept-ranges", "bytes")
        .has("cache-control", "no-cache");
}

#[tokio::test]
async fn picture_is_sent_unchanged_with_detected_type() {
    let (app, address, bytes) = a_picture().await;
    let answer = app.get(&address).send().await;
    check_harmless(answer.is(200));
    // The name suggests PNG; the bytes decide.
    answer
        .has("content-type", "image/jpeg")
        .has("content-length", &bytes.len().to_string());
    assert_eq!(answer.body, bytes);
    for (name, kind) in [
        ("broken/truncated.gif", "image/gif"),
        ("broken/1.webp", "image/webp"),
        ("broken/trans-x.png", "image/png"),
    ] {
        app.file("a.png", &fixture(name));
        let answer = app.get(&address).send().await;
        answer.is(200).has("content-type", kind);
    }
}

/// There is little that root may not read.
#[tokio::test]
async fn permission_errors_are_reported() {
    let app = TestApp::new();
    let (root, name) = if rustix::process::geteuid().is_root() {
        let folder = std::path::Path::new("/proc/sys/vm");
        (
            app.inner.local_files().open_folder(folder).unwrap(),
            "drop_caches",
        )
    } else {
        let path = app.file("closed.png", &png([1, 2, 3]));
        std::fs::set_permissions(path, Permissions::from_mode(0o000)).unwrap();
        (app.root(), "closed.png")
    };
    for address in ["/api/image", "/api/image/info"] {
        let answer = app.get(&in_root(address, &root, name)).send().await;
        answer.refused(403, "not_permitted");
    }
}

/// Decoded in-process, since the tests' server has no other decoders.
#[tokio::test]
async fn unsupported_format_is_converted_to_jpeg() {
    let (app, address, _) = a_picture().await;
    let tiff = fixture("samples/tiled.tiff");
    app.file("a.png", &tiff);
    let browser = "image/avif,image/webp,image/apng,image/*,*/*;q=0.8";
    let call = app.get(&address).header("accept", browser);
    let answer = call.send().await;
    answer
        .is(200)
        .has("content-type", "image/jpeg")
        .has("content-security-policy", "sandbox; default-src 'none'")
        .has("cache-control", "no-cache")
        .has("vary", "accept");
    assert_eq!(jpeg_size(&answer.body), (120, 80));
    let tag = answer.header("etag").unwrap();
    let again = app.get(&address).header("if-none-match", tag);
    assert_eq!(again.send().await.status, 304);
    // A client that accepts the format gets the file.
    let accept = "image/png, IMAGE/TIFF;q=0.5";
    let answer = app.get(&address).header("accept", accept).send().await;
    answer.is(200).has("content-type", "image/tiff");
    assert_eq!(answer.body, tiff);
}

#[tokio::test]
async fn avif_is_sent_unchanged_if_accepted() {
    let (app, address, _) = a_picture().await;
    let bytes = fixture("broken/17000x17000.avif");
    app.file("a.png", &bytes);
    let call = app.get(&address).header("accept", "image/avif,*/*");
    let answer = call.send().await;
    answer.is(200).has("content-type", "image/avif");
    assert_eq!(answer.body, bytes);
    let answer = app.get(&address).header("accept", "*/*").send().await;
    answer.refused(422, "picture_undecodable");
}

/// Converts what the engine shows on its side, or in other colours. The tests' server can't decode AVIF: that it tries
/// to is the answer.
#[tokio::test]
async fn engine_gets_what_it_shows_rightly() {
    let (app, address, _) = a_picture().await;
    let (webkit, other, none) = ("&engine=webkit", "&engine=other", "");
    for (name, engine, expected) in [
        ("turned-6.webp", none, "image/webp"),
        ("turned-6.webp", webkit, "image/jpeg"),
        ("turned-6.webp", other, "image/jpeg"),
        ("animated.webp", webkit, "image/webp"),
        ("turned-6.png", webkit, "image/jpeg"),
        ("turned-6.png", other, "image/png"),
        ("display-p3.png", webkit, "image/png"),
        ("display-p3.jpg", webkit, "image/jpeg"),
        ("scene.avif", webkit, "image/avif"),
        ("turned-6.avif", other, "image/avif"),
        ("turned-6.avif", webkit, "converted"),
        ("display-p3.avif", webkit, "converted"),
        ("bright.avif", webkit, "converted"),
    ] {
        let bytes = fixture(&format!("samples/{name}"));
        app.file("a.png", &bytes);
        let call = app.get(&format!("{address}{engine}"));
        let answer = call.header("accept", "image/avif,image/*").send().await;
        if expected == "converted" {
            answer.refused(422, "picture_undecodable");
            continue;
        }
        answer.is(200).has("content-type", expected);
        let extension = name.rsplit('.').next().unwrap().replace("jpg", "jpeg");
        let is_file = expected.ends_with(&extension);
        assert_eq!(answer.body == bytes, is_file, "{name}{engine}");
    }
    // The names of the engines are known.
    let answer = app.get(&format!("{address}&engine=trident")).send().await;
    answer.refused(400, "bad_request");
}

/// A picture in four inks has the type of its conversion, but not its bytes.
#[tokio::test]
async fn webkit_gets_inks_as_colours() {
    let (app, address, _) = a_picture().await;
    let bytes = fixture("samples/cmyk.jpg");
    app.file("a.png", &bytes);
    for (engine, is_file) in [("other", true), ("webkit", false)] {
        let answer = app.get(&format!("{address}&engine={engine}")).send().await;
        answer.is(200).has("content-type", "image/jpeg");
        assert_eq!(answer.body == bytes, is_file);
    }
}

/// Returns the size in the frame's header.
fn jpeg_size(bytes: &[u8]) -> (u16, u16) {
    let frame = bytes.windows(2).position(|marker| marker == [0xFF, 0xC0]);
    let frame = &bytes[frame.unwrap() + 5..];
    let [high, low, wide, narrow] = *frame.first_chunk().unwrap();
    (
        u16::from_be_bytes([wide, narrow]),
        u16::from_be_bytes([high, low]),
    )
}

#[tokio::test]
async fn svg_is_sent_as_an_attachment() {
    let (app, address, _) = a_picture().await;
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    app.file("a.png", svg);
    let answer = app.get(&address).send().await;
    check_harmless(answer.is(200));
    answer
        .has("content-type", "image/svg+xml")
        .has("content-disposition", "attachment");
}

#[tokio::test]
async fn ranges_return_parts() {
    let (app, address, bytes) = a_picture().await;
    let size = bytes.len();
    let last = size - 1;
    for (range, start, end) in [
        ("bytes=0-0".to_owned(), 0, 0),
        ("bytes=10-19".to_owned(), 10, 19),
        ("bytes=0-".to_owned(), 0, last),
        (format!("bytes={last}-"), last, last),
        (format!("bytes=5-{}", size + 10), 5, last),
        ("bytes=-1".to_owned(), last, last),
        ("bytes=-100".to_owned(), size - 100, last),
        (format!("bytes=-{size}"), 0, last),
        (format!("bytes=-{}", size + 1), 0, last),
    ] {
        let answer = app.get(&address).header("range", &range).send().await;
        assert_eq!(answer.status, 206, "{range}: {answer:?}");
        check_harmless(&answer);
        answer
            .has("content-range", &format!("bytes {start}-{end}/{size}"))
            .has("content-length", &(end - start + 1).to_string());
        assert_eq!(answer.body, bytes[start..=end], "{range}");
    }
}

#[tokio::test]
async fn range_beyond_the_end_is_refused() {
    let (app, address, bytes) = a_picture().await;
    let size = bytes.len();
    for range in [
        format!("bytes={size}-"),
        format!("bytes={size}-{}", size + 5),
        "bytes=99999999-".to_owned(),
    ] {
        let answer = app.get(&address).header("range", &range).send().await;
        assert_eq!(answer.status, 416, "{range}: {answer:?}");
        answer.has("content-range", &format!("bytes */{size}"));
        assert!(answer.body.is_empty());
    }
}

#[tokio::test]
async fn invalid_range_is_ignored() {
    let (app, address, bytes) = a_picture().await;
    for range in [
        "",
        "bytes",
        "bytes=",
        "bytes=-0",
        "bytes=x-y",
        "lines=1-2",
        "1-2",
    ] {
        let answer = app.get(&address).header("range", range).send().await;
        assert_eq!(answer.status, 200, "{range}: {answer:?}");
        assert_eq!(answer.body, bytes);
    }
}

#[tokio::test]
async fn range_of_another_version_returns_the_whole() {
    let (app, address, bytes) = a_picture().await;
    let tag = app.get(&address).send().await;
    let tag = tag.header("etag").unwrap();
    for (version, status) in [
        (tag, 206),
        ("\"another\"", 200),
        (&format!("W/{tag}"), 200),
        ("Wed, 21 Oct 2026 07:28:00 GMT", 200),
    ] {
        let call = app.get(&address).header("range", "bytes=0-9");
        let answer = call.header("if-range", version).send().await;
        assert_eq!(answer.status, status, "{version}");
        let expected = if status == 206 { 10 } else { bytes.len() };
        assert_eq!(answer.body.len(), expected);
    }
}

#[tokio::test]
async fn unchanged_picture_is_not_sent_again() {
    let (app, address, _) = a_picture().await;
    let tag = app.get(&address).send().await;
    let tag = tag.header("etag").unwrap();
    for known in [tag.to_owned(), format!("W/{tag}"), format!("\"x\", {tag}")] {
        let call = app.get(&address).header("if-none-match", &known);
        let answer = call.header("range", "bytes=0-9").send().await;
        check_harmless(answer.is(304));
        assert!(answer.body.is_empty());
    }
    app.file("a.png", &png([1, 2, 3]));
    let call = app.get(&address).header("if-none-match", tag);
    let changed = call.send().await;
    assert_ne!(changed.is(200).header("etag"), Some(tag));
}

#[tokio::test]
async fn head_has_the_length() {
    let (app, address, bytes) = a_picture().await;
    let head = app.call("HEAD", &address).send().await;
    head.is(200).has("content-length", &bytes.len().to_string());
    assert!(head.body.is_empty());
}

#[tokio::test]
async fn video_is_sent_in_parts() {
    let (app, address, _) = a_picture().await;
    let bytes = [&b"\0\0\0\x18ftypmp42\0\0\0\0isommp42"[..], &[7; 5000]].concat();
    app.file("a.png", &bytes);
    let request = app.get(&address).header("range", "bytes=4-7");
    let answer = request.send().await;
    check_harmless(answer.is(206));
    answer
        .has("content-type", "video/mp4")
        .has("content-range", "bytes 4-7/5024");
    assert_eq!(&answer.body[..], b"ftyp");
}
