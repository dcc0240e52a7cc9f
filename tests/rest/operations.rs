//! Operations of the window's commands that HTTP does not have: saving copies outside, and showing places in
//! the system.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fumikura_server::{ErrorCode, FileToSave, PlaceInRoot, WindowTab, WindowTabs, ZoomChange};
use serde_json::{Value, json};

use crate::support::{TestApp, name};

fn wanted(value: Value) -> FileToSave {
    serde_json::from_value(value).unwrap()
}

/// Returns the path of a place, or the error.
async fn place(app: &TestApp, value: Value) -> Result<std::path::PathBuf, ErrorCode> {
    let place: PlaceInRoot = serde_json::from_value(value).unwrap();
    let found = app.inner.local_files().place_in_root(place).await;
    found.map_err(|error| error.code)
}

#[tokio::test]
async fn file_or_text_is_saved_at_chosen_path() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let bytes: Vec<u8> = (0..700_000_u32).map(|at| at as u8).collect();
    let asset = app.add_asset(&page, "音.bin", &bytes).await;
    let outside = app.base_dir();

    let file = app
        .inner
        .local_files()
        .open_to_save(wanted(json!({"asset": asset})))
        .await;
    let file = file.unwrap();
    assert_eq!(file.name(), "音.bin");
    let target = outside.join("copy.bin");
    app.inner
        .local_files()
        .save(file, target.clone())
        .await
        .unwrap();
    assert_eq!(fs::read(&target).unwrap(), bytes);

    let text = json!({"text": {"name": "履歴.md", "text": "# 履歴\n"}});
    let file = app
        .inner
        .local_files()
        .open_to_save(wanted(text))
        .await
        .unwrap();
    assert_eq!(file.name(), "履歴.md");
    // An existing file is replaced: the dialog has asked for confirmation.
    app.inner
        .local_files()
        .save(file, target.clone())
        .await
        .unwrap();
    assert_eq!(fs::read_to_string(&target).unwrap(), "# 履歴\n");
}

#[tokio::test]
async fn failed_save_leaves_existing_target_intact() {
    let app = TestApp::new();
    let text = || wanted(json!({"text": {"name": "a.md", "text": "x"}}));
    let target = app.base_dir().join("folder");
    fs::create_dir_all(target.join("not empty")).unwrap();
    let file = app.inner.local_files().open_to_save(text()).await.unwrap();
    assert!(
        app.inner
            .local_files()
            .save(file, target.clone())
            .await
            .is_err()
    );
    assert!(target.join("not empty").is_dir());
    let file = app.inner.local_files().open_to_save(text()).await.unwrap();
    let nowhere = app.base_dir().join("missing/a.md");
    assert!(app.inner.local_files().save(file, nowhere).await.is_err());

    for (asked, code) in [
        (
            json!({"asset": "01JD0000000000000000000000"}),
            ErrorCode::AssetNotFound,
        ),
        (
            json!({"text": {"name": "../a.md", "text": ""}}),
            ErrorCode::InvalidFileName,
        ),
        (
            json!({"text": {"name": "", "text": ""}}),
            ErrorCode::InvalidFileName,
        ),
    ] {
        let refused = app
            .inner
            .local_files()
            .open_to_save(wanted(asked))
            .await
            .unwrap_err();
        assert_eq!(refused.code, code);
    }
    for malformed in [
        json!({}),
        json!({"path": "/etc/passwd"}),
        json!({"asset": "x"}),
    ] {
        assert!(serde_json::from_value::<FileToSave>(malformed).is_err());
    }
}

#[tokio::test]
async fn only_paths_in_roots_are_resolved() {
    let app = TestApp::new();
    let pictures = app.pictures();
    fs::create_dir(pictures.join("旅")).unwrap();
    fs::write(pictures.join("旅/a.jpg"), b"x").unwrap();
    let latin = std::ffi::OsStr::from_bytes(b"\xe9.jpg");
    fs::write(pictures.join(latin), b"x").unwrap();
    fs::write(app.base_dir().join("secret"), b"x").unwrap();
    symlink(app.base_dir(), pictures.join("out")).unwrap();
    let root = app.inner.local_files().open_folder(&pictures).unwrap();

    for (path, expected) in [
        ("旅/a.jpg", Ok(pictures.join("旅/a.jpg"))),
        ("旅", Ok(pictures.join("旅"))),
        ("", Ok(pictures.clone())),
        ("gone.jpg", Err(ErrorCode::NotFound)),
        ("out/secret", Err(ErrorCode::OutsideRoots)),
        ("../secret", Err(ErrorCode::OutsideRoots)),
        ("/etc/passwd", Err(ErrorCode::BadRequest)),
    ] {
        let found = place(&app, json!({"root": root, "path": path})).await;
        assert_eq!(found, expected, "{path}");
    }
    let bytes = STANDARD.encode(b"\xe9.jpg");
    let found = place(&app, json!({"root": root, "path_bytes": bytes})).await;
    assert_eq!(found, Ok(pictures.join(latin)));
    for (asked, code) in [
        (
            json!({"root": root, "path_bytes": "?"}),
            ErrorCode::BadRequest,
        ),
        (json!({"root": root}), ErrorCode::BadRequest),
        (
            json!({"root": root, "path": "a", "path_bytes": "YQ=="}),
            ErrorCode::BadRequest,
        ),
        (
            json!({"root": "01JD0000000000000000000000", "path": "a"}),
            ErrorCode::RootNotFound,
        ),
    ] {
        assert_eq!(place(&app, asked).await, Err(code));
    }
}

/// Opens a place as the command line does. Returns the address of its page, or the error.
#[track_caller]
fn check_place(app: &TestApp, path: &std::path::Path, expected: Result<String, ErrorCode>) {
    let opened = app
        .inner
        .local_files()
        .open_place(path)
        .map_err(|error| error.code);
    assert_eq!(opened, expected, "{}", path.display());
}

/// Returns the folders that are open.
async fn open_folders(app: &TestApp) -> Vec<String> {
    let roots = app.get("/api/roots").send().await.is(200).json();
    let roots = roots.as_array().unwrap().iter();
    roots
        .map(|root| root["path"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn named_picture_is_shown_in_its_folder() {
    let app = TestApp::new();
    let pictures = app.pictures();
    fs::create_dir(pictures.join("旅 1")).unwrap();
    fs::write(pictures.join("旅 1/a#1.jpg"), b"x").unwrap();
    let latin = std::ffi::OsStr::from_bytes(b"\xe9.jpg");
    fs::write(pictures.join(latin), b"x").unwrap();
    let root = app.root();
    let address = |rest: &str| Ok(format!("/pictures/{root}/{rest}"));
    check_place(&app, &pictures, address(""));
    let inside = pictures.join("旅 1/a#1.jpg");
    check_place(&app, &inside, address("%E6%97%85%201?view=a%231.jpg"));
    check_place(&app, &pictures.join(latin), address("?view=%E9.jpg"));
    assert_eq!(open_folders(&app).await.len(), 1);
}

#[tokio::test]
async fn named_picture_opens_its_folder_for_this_launch() {
    let app = TestApp::new();
    let outside = app.base_dir().join("Downloads");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("a.jpg"), b"x").unwrap();
    fs::write(outside.join("b.jpg"), b"x").unwrap();
    let linked = app.pictures().join("link.jpg");
    symlink(outside.join("b.jpg"), &linked).unwrap();
    app.root();
    let opened = app
        .inner
        .local_files()
        .open_place(&outside.join("a.jpg"))
        .unwrap();
    let folder = opened.strip_suffix("?view=a.jpg").unwrap();
    // A link that leads out of the folder with its name is shown at its target.
    check_place(&app, &linked, Ok(format!("{folder}?view=b.jpg")));
    let listed = open_folders(&app).await;
    assert_eq!(listed.len(), 2);
    assert_eq!(listed[1], outside.to_str().unwrap());
    let app = app.restart(|config| config.user = name("Aya"));
    assert_eq!(open_folders(&app).await.len(), 1);
}

#[tokio::test]
async fn place_that_cannot_be_shown_is_refused() {
    let app = TestApp::new();
    let text = app.base_dir().join("notes.txt");
    fs::write(&text, b"x").unwrap();
    check_place(&app, &text, Err(ErrorCode::NotAPicture));
    let gone = app.base_dir().join("gone.jpg");
    check_place(&app, &gone, Err(ErrorCode::NotFound));
    assert_eq!(open_folders(&app).await, Vec::<String>::new());
}

/// Records the view of the window, and returns the one that the next start opens.
async fn next_view(app: &TestApp, address: &str) -> String {
    app.inner
        .window()
        .note_view(address.to_owned())
        .await
        .unwrap();
    app.inner.window().last_view()
}

#[tokio::test]
async fn next_start_opens_last_view() {
    let app = TestApp::new();
    assert_eq!(app.inner.window().last_view(), "/wiki/");
    app.page("/旅", "text").await;
    let root = app.root();
    for view in [
        "/wiki/%E6%97%85?q=x",
        "/pictures/",
        &format!("/pictures/{root}/a?view=b.jpg"),
        "/search?q=%E5%BA%AD",
        "/settings",
    ] {
        assert_eq!(next_view(&app, view).await, view);
    }
    let app = app.restart(|config| config.user = name("Aya"));
    assert_eq!(app.inner.window().last_view(), "/settings");
}

#[tokio::test]
async fn view_that_is_gone_is_replaced_by_nearest() {
    let app = TestApp::new();
    assert_eq!(next_view(&app, "/wiki/never/written").await, "/wiki/");
    let closed = "/pictures/01JD0000000000000000000000/a?view=b.jpg";
    assert_eq!(next_view(&app, closed).await, "/pictures/");
    for address in ["https://example.org/", "//example.org/", "", "wiki"] {
        let refused = app
            .inner
            .window()
            .note_view(address.to_owned())
            .await
            .unwrap_err();
        assert_eq!(refused.code, ErrorCode::BadRequest, "{address}");
    }
}

/// Tabs of a window with these addresses.
fn tabs_of(addresses: &[&str], active: usize) -> WindowTabs {
    let tab = |address: &&str| WindowTab {
        address: (*address).to_owned(),
        title: "旅".to_owned(),
        scroll: 120,
    };
    WindowTabs {
        tabs: addresses.iter().map(tab).collect(),
        active,
        beside: addresses.last().map(tab),
        share: 60,
    }
}

#[tokio::test]
async fn tabs_of_the_window_are_stored() {
    let app = TestApp::new();
    assert_eq!(app.inner.window().tabs(), None);
    let tabs = tabs_of(&["/wiki/gone", "/settings"], 0);
    let window = app.inner.window();
    window.note_tabs(tabs.clone()).await.unwrap();
    let app = app.restart(|config| config.user = name("Aya"));
    assert_eq!(app.inner.window().tabs(), Some(tabs));
    // A tab shows why its page is gone.
    assert_eq!(next_view(&app, "/wiki/gone").await, "/wiki/gone");
    assert_eq!(next_view(&app, "/wiki/never").await, "/wiki/");
}

#[tokio::test]
async fn impossible_tabs_are_refused() {
    let app = TestApp::new();
    for tabs in [
        tabs_of(&[], 0),
        tabs_of(&["/settings"], 1),
        tabs_of(&["//example.org/"], 0),
        tabs_of(&["/settings"; 201], 0),
    ] {
        let refused = app.inner.window().note_tabs(tabs).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::BadRequest);
    }
    assert_eq!(app.inner.window().tabs(), None);
}

#[tokio::test]
async fn zoom_of_the_window_is_stored() {
    let app = TestApp::new();
    for percent in [110, 125] {
        assert_eq!(
            app.inner.window().change_zoom(ZoomChange::In).await,
            Ok(percent)
        );
    }
    let app = app.restart(|config| config.user = name("Aya"));
    assert_eq!(app.inner.window().zoom(), 125);
    assert_eq!(
        app.inner.window().change_zoom(ZoomChange::Reset).await,
        Ok(100)
    );
}
