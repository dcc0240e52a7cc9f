//! `/get` and `/queue`, for other programs on this machine.

use std::path::Path;
use std::time::Duration;

use fumikura_server::{PeerUser, Secret};

use crate::support::pictures::{png, sized_png};
use crate::support::wiki::encoded;
use crate::support::{TestApp, other_user};

const KEY: &str = "open sesame/+&";

fn app_with_key() -> TestApp {
    TestApp::with(|config| config.secret = Some(Secret::new(KEY.to_owned())))
}

/// Returns an app whose folder of pictures was allowed at the start, as any user of the machine may see.
fn app_allowing() -> TestApp {
    TestApp::with_allowed_pictures(|_| {})
}

fn source(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    format!("source={}", encoded(path.as_os_str().as_bytes()))
}

#[tokio::test]
async fn get_returns_the_thumbnail_path() {
    let app = app_allowing();
    let source = source(&app.file(b"b\xffd \xe6\x97\x85.png", &png([1, 2, 3])));
    for method in ["GET", "POST"] {
        let call = app.unauthenticated(method, &format!("/get?{source}&size=20x10&format=webp"));
        let answer = call.send().await;
        answer
            .is(200)
            .has("content-type", "text/plain; charset=utf-8");
        let path = Path::new(answer.text());
        let name = path.file_name().unwrap().to_str().unwrap();
        let (id, variant) = name.split_once('-').unwrap();
        assert_eq!(variant, "20x10-crop.webp");
        let folder = app.base_dir().join("cache/thumbs");
        let expected = folder.join(&id[..2]).join(&id[2..4]).join(name);
        assert_eq!(path, expected);
        assert!(std::fs::read(path).unwrap().starts_with(b"RIFF"));
    }
}

#[tokio::test]
async fn queued_thumbnail_is_made_eventually() {
    let app = app_allowing();
    let address = format!("/queue?{}", source(&app.file("a.png", &png([1, 2, 3]))));
    let first = app.unauthenticated("POST", &address).send().await;
    assert!([200, 202].contains(&first.status), "{first:?}");
    for _ in 0..6_000 {
        let answer = app.unauthenticated("GET", &address).send().await;
        if answer.status == 200 {
            assert!(Path::new(answer.text()).is_file());
            return;
        }
        assert!(answer.is(202).body.is_empty());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it was never made");
}

#[tokio::test]
async fn refusals_have_the_specified_codes() {
    let app = app_allowing();
    let good = source(&app.file("a.png", &png([1, 2, 3])));
    let broken = source(&app.file("b.gif", b"GIF89a"));
    let none = source(&app.pictures().join("none.png"));
    for (query, status, code) in [
        ("".to_owned(), 400, "bad_request"),
        ("source=relative.png".to_owned(), 400, "bad_request"),
        ("source=".to_owned(), 400, "bad_request"),
        (format!("{good}&size=0x0"), 400, "bad_request"),
        (format!("{good}&mode=x"), 400, "bad_request"),
        (format!("{good}&format=bmp"), 400, "bad_request"),
        (format!("{good}&priority=urgent"), 400, "bad_request"),
        ("source=/etc/passwd".to_owned(), 403, "outside_roots"),
        ("source=/none/at/all".to_owned(), 403, "outside_roots"),
        (none, 404, "not_found"),
        (broken, 422, "picture_undecodable"),
    ] {
        let get = app
            .unauthenticated("GET", &format!("/get?{query}"))
            .send()
            .await;
        assert_eq!(get.status, status, "{get:?}");
        get.refused(status, code);
        if status != 422 {
            let queue = app.unauthenticated("GET", &format!("/queue?{query}"));
            queue.send().await.refused(status, code);
        }
    }
}

#[tokio::test]
async fn unauthenticated_clients_cannot_probe_opened_folders() {
    let app = TestApp::new();
    let root = app.root();
    let there = app.file("a.png", &png([1, 2, 3]));
    let none = app.pictures().join("none.png");
    for path in ["/get", "/queue"] {
        let ask = async |query: &str| {
            let call = app.unauthenticated("GET", &format!("{path}?{query}"));
            call.send().await
        };
        for file in [&there, &none] {
            ask(&source(file)).await.refused(403, "outside_roots");
        }
        for file in ["a.png", "none.png"] {
            let named = format!("root={root}&path={file}");
            ask(&named).await.refused(403, "outside_roots");
        }
        // The user needs no key.
        let own = app.get(&format!("{path}?{}", source(&there)));
        assert!([200, 202].contains(&own.send().await.status));
    }
}

#[tokio::test]
async fn other_users_are_refused_unless_allowed() {
    for is_allowed in [false, true] {
        let app = TestApp::with_allowed_pictures(|config| config.other_users = is_allowed);
        let there = source(&app.file("a.png", &png([1, 2, 3])));
        let none = source(&app.pictures().join("none.png"));
        for by in [other_user(), PeerUser::UNKNOWN] {
            let ask = async |address: &str| {
                let call = app.unauthenticated("GET", address).by(by);
                call.send().await
            };
            for path in ["/get", "/queue"] {
                if is_allowed {
                    assert!([200, 202].contains(&ask(&format!("{path}?{there}")).await.status));
                    let missing = ask(&format!("{path}?{none}")).await;
                    missing.refused(404, "not_found");
                } else {
                    for query in [&there, &none, "source=/etc/passwd", "size=nonsense"] {
                        let refused = ask(&format!("{path}?{query}")).await;
                        refused.refused(403, "other_user");
                    }
                }
            }
        }
        // Credentials give access to any user.
        let own = app.get(&format!("/get?{there}")).by(other_user());
        own.send().await.is(200);
        let session = app.log_in().await;
        let browser = app.with_session(&session, "GET", &format!("/get?{there}"));
        browser.by(other_user()).send().await.is(200);
    }
}

#[tokio::test]
async fn key_admits_programs_of_other_users() {
    let app = app_with_key();
    app.root();
    let there = source(&app.file("a.png", &png([1, 2, 3])));
    let key = encoded(KEY.as_bytes());
    let keyed = app.stranger("GET", &format!("/get?{there}&key={key}"));
    keyed.send().await.is(200);
    let without = app.stranger("GET", &format!("/get?{there}"));
    without.send().await.refused(403, "key_invalid");
}

#[tokio::test]
async fn queued_thumbnail_of_a_stranger_is_made() {
    let app = TestApp::with_allowed_pictures(|config| config.other_users = true);
    let address = format!("/queue?{}", source(&app.file("a.png", &png([1, 2, 3]))));
    app.stranger("GET", &address).send().await.is(202);
    while app.stranger("GET", &address).send().await.status != 200 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn strangers_do_not_fill_the_queue() {
    let app = TestApp::with_allowed_pictures(|config| {
        config.other_users = true;
        config.queue_size = 1;
    });
    let slow = sized_png(3000, 3000, [1, 2, 3]);
    let mut refused = 0;
    for number in 0..80 {
        let source = source(&app.file(format!("{number}.png"), &slow));
        let call = app.stranger("GET", &format!("/queue?{source}&priority=visible"));
        let answer = call.send().await;
        if answer.status == 503 {
            answer.has("retry-after", "1").refused(503, "server_busy");
            refused += 1;
        }
    }
    assert!(refused > 0, "strangers may queue without end");
    // One of them is being made at most, so the queue has a place.
    let own = source(&app.file("own.png", &png([1, 2, 3])));
    let queued = app.get(&format!("/queue?{own}")).send().await;
    queued.is(202);
    app.get(&format!("/get?{own}")).send().await.is(200);
}

#[tokio::test]
async fn folder_within_an_allowed_one_is_served() {
    let app = app_allowing();
    let inner = app.pictures().join("inner");
    std::fs::create_dir(&inner).unwrap();
    app.inner.local_files().open_folder(&inner).unwrap();
    let there = source(&app.file("inner/a.png", &png([1, 2, 3])));
    let get = app.unauthenticated("GET", &format!("/get?{there}"));
    get.send().await.is(200);
    // A folder next to it is private.
    let private = app.base_dir().join("private");
    std::fs::create_dir(&private).unwrap();
    app.inner.local_files().open_folder(&private).unwrap();
    let climbing = app.pictures().join("../private/a.png");
    let get = app.unauthenticated("GET", &format!("/get?{}", source(&climbing)));
    get.send().await.refused(403, "outside_roots");
}

#[tokio::test]
async fn wrong_key_is_refused_before_anything_else() {
    let app = app_with_key();
    app.root();
    let there = source(&app.file("a.png", &png([1, 2, 3])));
    let none = source(&app.pictures().join("none.png"));
    for query in [
        String::new(),
        there.clone(),
        none,
        "source=/etc/passwd".to_owned(),
        "size=nonsense".to_owned(),
    ] {
        for key in ["", "&key=", "&key=wrong", "&key=open+sesame", "&key=%FF"] {
            for (method, path) in [("GET", "/get"), ("POST", "/get"), ("GET", "/queue")] {
                let address = format!("{path}?{query}{key}");
                let answer = app.unauthenticated(method, &address).send().await;
                let error = answer.refused(403, "key_invalid");
                assert!(!error.to_string().contains("sesame"), "{error}");
            }
        }
    }
    // The Bearer is for another API.
    let bearer = app.get(&format!("/get?{there}")).send().await;
    bearer.refused(403, "key_invalid");
    let cache = app.base_dir().join("cache/thumbs");
    let made: Vec<_> = std::fs::read_dir(cache).unwrap().collect();
    assert_eq!(made.len(), 1, "nothing but the tag: {made:?}");
}

#[tokio::test]
async fn valid_key_is_accepted() {
    let app = app_with_key();
    app.root();
    let there = source(&app.file("a.png", &png([1, 2, 3])));
    let key = encoded(KEY.as_bytes());
    for query in [format!("{there}&key={key}"), format!("key={key}&{there}")] {
        let answer = app
            .unauthenticated("GET", &format!("/get?{query}"))
            .send()
            .await;
        answer.is(200);
    }
    let wrong = format!("/get?key={key}&source=/etc/passwd");
    app.unauthenticated("GET", &wrong)
        .send()
        .await
        .refused(403, "outside_roots");
    // The page's own requests need no key.
    let page = app.get(&format!("/thumb?{there}")).send().await;
    page.is(200);
}

#[tokio::test]
async fn full_queue_is_reported_without_waiting() {
    let app = TestApp::with_allowed_pictures(|config| config.queue_size = 1);
    // One picture is being decoded for a while, one waits, and the queue has no room for more.
    let slow = sized_png(3000, 3000, [1, 2, 3]);
    let sources: Vec<_> = (0..6)
        .map(|number| source(&app.file(format!("{number}.png"), &slow)))
        .collect();
    let mut full = 0;
    for source in &sources {
        let call = app.unauthenticated("GET", &format!("/queue?{source}"));
        let answer = call.send().await;
        if answer.status == 503 {
            answer.refused(503, "queue_full");
            full += 1;
        }
    }
    assert!(full > 0, "the queue was never full");
    // Requests that wait are still served, and so is the page.
    for path in ["/get", "/thumb"] {
        let call = app.get(&format!("{path}?{}", sources[5]));
        call.send().await.is(200);
    }
}

#[tokio::test]
async fn cross_site_requests_are_refused() {
    let app = TestApp::new();
    for path in ["/get", "/queue"] {
        let call = app.unauthenticated("GET", path);
        let answer = call.header("sec-fetch-site", "cross-site").send().await;
        answer.refused(403, "cross_origin");
        let call = app.unauthenticated("POST", path);
        let answer = call.header("origin", "http://evil.example").send().await;
        answer.refused(403, "cross_origin");
    }
}
