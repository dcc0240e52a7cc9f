//! `/api/settings`.

use serde_json::{Value, json};

use crate::support::TestApp;

#[tokio::test]
async fn new_wiki_has_default_settings() {
    let app = TestApp::empty();
    let settings = app.get("/api/settings").send().await.is(200).json();
    insta::assert_json_snapshot!(settings);
}

#[tokio::test]
async fn unnamed_settings_are_unchanged() {
    let app = TestApp::new();
    let mut expected = app.get("/api/settings").send().await.json();
    for (name, value) in [
        ("language", json!("ja")),
        ("theme", json!("dark")),
        ("side_panel", json!({"open": false, "width": 160})),
        ("right_panel", json!({"open": true, "width": 640})),
        ("preview", json!({"open": false, "width": 8000})),
        ("preview", json!({"open": true, "width": null})),
        ("thumbnail_size", json!(512)),
        (
            "picture_order",
            json!({"sort": "modified", "order": "desc"}),
        ),
        ("picture_grouping", json!("month")),
        ("picture_layout", json!("list")),
        ("picture_columns", json!(["camera", "size"])),
        (
            "target_folders",
            json!({"recent": [{"root": "R", "path": "a%20b"}], "favourites": []}),
        ),
        ("join_picture_files", json!(false)),
        ("shortcuts", json!({"palette": "Mod+Shift+k"})),
        ("shortcuts", json!({})),
        ("editor_toolbar", json!(false)),
        ("daily_backups", json!(false)),
        ("folder_records_in_backups", json!(true)),
        (
            "spelling",
            json!({"enabled": false, "languages": ["en_GB", "de"]}),
        ),
        ("text_size", json!("large")),
        ("reading_width", json!("wide")),
        (
            "templates",
            json!({
                "daily_path": "/日記/{{date:YYYY/MM-DD}}",
                "daily_template": "/templates/daily",
                "folders": [{"folder": "/team", "template": "/templates/meeting"}],
            }),
        ),
    ] {
        let patch = app.patch("/api/settings").json(json!({name: value}));
        let changed = patch.send().await;
        expected[name] = value;
        assert_eq!(changed.is(200).json(), expected);
        assert_eq!(app.get("/api/settings").send().await.json(), expected);
    }
    let nothing = app.patch("/api/settings").json(json!({})).send().await;
    assert_eq!(nothing.is(200).json(), expected);
}

async fn check_refused(patch: Value, status: u16, code: &str) {
    let app = TestApp::new();
    let before = app.get("/api/settings").send().await.json();
    let mut with_another = patch.clone();
    if let Some(patch) = with_another.as_object_mut() {
        patch.entry("theme").or_insert(json!("dark"));
    }
    let answer = app.patch("/api/settings").json(with_another).send().await;
    answer.refused(status, code);
    let after = app.get("/api/settings").send().await.json();
    assert_eq!(after, before, "{patch}: half of it was taken");
}

#[tokio::test]
async fn invalid_value_changes_nothing() {
    let panel = |width| json!({"open": true, "width": width});
    for path in ["/daily", "/../{{date:YYYY-MM-DD}}", "/{{date:YYYY}}"] {
        let templates = json!({"daily_path": path, "daily_template": null, "folders": []});
        check_refused(json!({"templates": templates}), 422, "invalid_value").await;
    }
    for size in [0, 95, 513, u32::MAX] {
        check_refused(json!({"thumbnail_size": size}), 422, "invalid_value").await;
    }
    for width in [0, 159, 641] {
        check_refused(json!({"side_panel": panel(width)}), 422, "invalid_value").await;
        check_refused(json!({"right_panel": panel(width)}), 422, "invalid_value").await;
    }
    for width in [0, 159, 8_001] {
        check_refused(json!({"preview": panel(width)}), 422, "invalid_value").await;
    }
    let many = vec![json!({"root": "R", "path": ""}); 11];
    let targets = json!({"recent": many, "favourites": []});
    check_refused(json!({"target_folders": targets}), 422, "invalid_value").await;
    let twice = json!({"picture_columns": ["size", "size"]});
    check_refused(twice, 422, "invalid_value").await;
    let long = "k".repeat(41);
    for key in ["", "a\u{7}", &long] {
        let shortcuts = json!({"shortcuts": {"palette": key}});
        check_refused(shortcuts, 422, "invalid_value").await;
    }
    for unreadable in [
        json!({"theme": "blue"}),
        json!({"language": "de"}),
        json!({"thumbnail_size": -1}),
        json!({"thumbnail_size": "128"}),
        json!({"side_panel": {"open": true}}),
        json!({"preview": {"width": 300}}),
        json!({"picture_order": {"sort": "colour", "order": "asc"}}),
        json!({"picture_order": {"sort": "name"}}),
        json!({"picture_grouping": "week"}),
        json!({"picture_grouping": null}),
        json!({"picture_layout": "table"}),
        json!({"picture_columns": ["colour"]}),
        json!({"thumbnail_size": null}),
        json!({"preview": null}),
        json!({"unknown": 1}),
        json!([]),
        json!("dark"),
    ] {
        check_refused(unreadable, 400, "invalid_body").await;
    }
}
