//! Pictures that kill their decoding process, and a missing decoding program.

use fumikura_server::WorkerConfig;
use serde_json::Value;

use crate::support::TestApp;
use crate::support::pictures::{in_root, png};

/// Returns an app whose pictures are decoded by that program.
fn app(program: &str, arguments: &[&str]) -> TestApp {
    TestApp::with(|config| {
        config.worker = Some(WorkerConfig {
            arguments: arguments.iter().map(Into::into).collect(),
            ..WorkerConfig::new(program.into())
        });
    })
}

/// Returns the listed state of the only picture.
async fn state(app: &TestApp, root: &str) -> Option<String> {
    let listing = app.get(&format!("/api/folders?root={root}")).send().await;
    let listing: Value = listing.is(200).json();
    let state = listing["entries"][0].get("state").and_then(Value::as_str);
    state.map(ToOwned::to_owned)
}

#[tokio::test]
async fn picture_that_crashes_its_decoder_is_tried_once() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes");
    let arguments = ["child", "--notes", notes.to_str().unwrap()];
    let app = app(env!("CARGO_BIN_EXE_worker_drill"), &arguments);
    let root = app.root();
    app.file("a.png", b"abort");
    for size in ["85x85", "300x200"] {
        let address = format!("{}&size={size}", in_root("/thumb", &root, "a.png"));
        let answer = app.get(&address).send().await;
        let error = answer.refused(422, "picture_undecodable");
        assert!(error["message"].as_str().unwrap().contains("SIGABRT"));
    }
    let tried = std::fs::read_to_string(&notes).unwrap();
    assert_eq!(tried.matches("abort").count(), 1, "{tried}");
    assert_eq!(state(&app, &root).await.as_deref(), Some("undecodable"));

    app.file("b.png", &png([1, 2, 3]));
    let next = app.get(&in_root("/thumb", &root, "b.png")).send().await;
    next.is(200);
    // After a change it is another picture.
    app.file("a.png", &png([3, 2, 1]));
    let changed = app.get(&in_root("/thumb", &root, "a.png")).send().await;
    changed.is(200);
}

#[tokio::test]
async fn missing_decoder_blames_no_picture() {
    let app = app("/nowhere/fumi", &["thumb-worker"]);
    let root = app.root();
    let path = app.file("a.png", &png([1, 2, 3]));
    let source = format!("source={}", path.display());
    for address in [
        in_root("/thumb", &root, "a.png"),
        format!("/get?{source}"),
        in_root("/thumb", &root, "a.png"),
    ] {
        let answer = app.get(&address).send().await;
        let error = answer.refused(503, "decoder_unavailable");
        assert!(!error["message"].as_str().unwrap().contains("nowhere"));
    }
    assert_eq!(state(&app, &root).await, None);
    let image = app.get(&in_root("/api/image", &root, "a.png")).send();
    image.await.is(200);
}
