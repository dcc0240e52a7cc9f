//! The page frames: `/wiki/`, `/edit/`, `/pictures/`, `/bin`, `/settings`.

use fumikura_server::SystemFont;
use serde_json::{Value, json};

use crate::support::{Answer, TestApp};

/// Returns the id and the revision that a frame names.
fn page_and_revision(answer: &Answer) -> Option<(String, String)> {
    let content = |name: &str| {
        let rest = answer
            .text()
            .split(&format!("<meta name=\"{name}\" content=\""))
            .nth(1)?;
        Some(rest.split('"').next().unwrap().to_owned())
    };
    Some((content("wiki-page-id")?, content("wiki-page-revision")?))
}

async fn check_named(app: &TestApp, address: &str, expected: Option<(&str, &str)>) {
    let answer = app.get(address).send().await;
    answer
        .is(200)
        .has("content-type", "text/html; charset=utf-8")
        .has("cache-control", "no-store");
    let expected = expected.map(|(id, revision)| (id.to_owned(), revision.to_owned()));
    assert_eq!(page_and_revision(&answer), expected, "{address}");
}

async fn check_redirect(app: &TestApp, address: &str, to: &str) {
    let answer = app.get(address).send().await;
    answer.is(302).has("cache-control", "no-store");
    assert_eq!(answer.header("location"), Some(to), "{address}");
}

#[tokio::test]
async fn settings_frame_has_the_expected_html() {
    let app = TestApp::new();
    let answer = app.get("/settings").send().await;
    // Without the embedded first answers, which have a test of their own.
    let frame = answer.is(200).text();
    let (before, rest) = frame.split_once("id=\"first-answers\">").unwrap();
    let (_, after) = rest.split_once("</script>").unwrap();
    // Also without the build's file names, which change with their contents, and the nonce (guard/headers.rs).
    let is_fixed = |line: &&str| !is_build_file(line) && !line.contains("csp-nonce");
    let before: Vec<_> = before.lines().filter(is_fixed).collect();
    let before = before.join("\n");
    insta::assert_snapshot!(format!("{before}id=\"first-answers\">…</script>{after}"));
}

fn is_build_file(line: &str) -> bool {
    ["chunks", "assets"]
        .iter()
        .any(|folder| line.contains(&format!("href=\"/static/{folder}/")))
}

#[tokio::test]
async fn frame_lists_build_files_of_its_view() {
    let app = TestApp::new();
    let list: Value = app.get("/static/views.json").send().await.json();
    let views = list["views"].as_array().unwrap();
    assert!(views.len() > 5, "{list}");
    for view in views {
        let address = view["address"].as_str().unwrap().trim_end_matches('*');
        let frame = app.get(address).send().await.text().to_owned();
        let named: Vec<_> = frame
            .lines()
            .filter(|line| is_build_file(line))
            .map(|line| line.split("/static/").nth(1).unwrap())
            .map(|rest| rest.split('"').next().unwrap())
            .collect();
        let needed: Vec<_> = ["scripts", "styles"]
            .iter()
            .flat_map(|kind| [&list["app"][kind], &view[kind]])
            .flat_map(|files| files.as_array().unwrap())
            .map(|name| name.as_str().unwrap())
            .collect();
        assert_eq!(named, needed, "{address}");
        for name in named {
            app.get(&format!("/static/{name}")).send().await.is(200);
        }
    }
}

/// Returns the requests that a frame makes the browser preload before the script runs.
fn preloads(frame: &Answer) -> Vec<&str> {
    let links = frame.text().split("<link rel=\"preload\" ").skip(1);
    links
        .map(|link| link.split("href=\"").nth(1).unwrap())
        .map(|rest| rest.split('"').next().unwrap())
        .collect()
}

#[tokio::test]
async fn reading_view_preloads_the_page_source() {
    let app = TestApp::new();
    let id = app.page("/a", "text").await;
    for (address, text) in [
        ("/wiki/a", Some(1)),
        ("/wiki/a?rev=1", Some(1)),
        ("/edit/a", None),
        ("/bin", None),
    ] {
        let frame = app.get(address).send().await;
        let source = text.map(|revision| format!("/api/pages/{id}/source?rev={revision}"));
        assert_eq!(
            preloads(&frame),
            source.iter().collect::<Vec<_>>(),
            "{address}"
        );
        if let Some(source) = &source {
            assert_eq!(app.get(source).send().await.is(200).text(), "text");
        }
    }
}

#[tokio::test]
async fn frame_names_desktop_font_once_known() {
    let app = TestApp::new();
    let style = async || {
        let frame = app.get("/settings").send().await;
        let style = frame
            .text()
            .split_once(">:root{")?
            .1
            .split_once("}</style>")?
            .0;
        Some(style.to_owned())
    };
    assert_eq!(style().await, None);
    for family in ["Cantarell", "Another"] {
        app.inner
            .set_system_font(SystemFont::of_desktop(Some(family)));
        assert_eq!(style().await.as_deref(), Some("--font-system:'Cantarell'"));
    }
}

/// Returns the first answers that the frame embeds.
fn first_answers(answer: &Answer) -> Value {
    let json = answer
        .text()
        .split("<script type=\"application/json\" id=\"first-answers\">")
        .nth(1)
        .unwrap();
    let json = json.split("</script>").next().unwrap();
    serde_json::from_str(json).unwrap()
}

#[tokio::test]
async fn frame_embeds_the_first_answers() {
    let app = TestApp::new();
    let id = app.page("/a", "[[/b]] of <script>").await;
    let ask = async |address: &str| app.get(address).send().await.is(200).json();
    let (settings, me) = (ask("/api/settings").await, ask("/api/users/me").await);
    let meta = ask(&format!("/api/pages/{id}/meta?rev=1")).await;
    for (address, page) in [
        ("/wiki/a", &meta),
        ("/wiki/a?rev=1", &meta),
        ("/edit/a", &meta),
        ("/edit/none", &Value::Null),
        ("/pictures/", &Value::Null),
        ("/settings", &Value::Null),
    ] {
        let mut answers = first_answers(app.get(address).send().await.is(200));
        let since = answers.as_object_mut().and_then(|it| it.remove("since"));
        assert!(since.is_some_and(|since| since.is_string()));
        let expected = json!({"settings": settings, "user": me, "page": page, "unsaved": false});
        assert_eq!(answers, expected, "{address}");
    }
    let text = json!({"path": "/a", "base_revision": 1, "source": "unsaved", "seq": 1});
    let put = app.put(&format!("/api/journal/{id}?tab=t")).json(text);
    put.send().await.is(204);
    let answers = app.get("/wiki/a").send().await;
    assert_eq!(first_answers(answers.is(200))["unsaved"], true);
    let gone = app.get("/wiki/a?rev=9").send().await;
    assert_eq!(first_answers(gone.is(404))["page"], Value::Null);
}

#[tokio::test]
async fn embedded_answers_are_escaped_and_exclude_page_text() {
    let name = "</script><b>&'";
    let app = TestApp::with(|config| config.user = crate::support::name(name));
    app.page("/a", "the text of the page").await;
    let frame = app.get("/wiki/a").send().await;
    assert!(!frame.text().contains("the text of the page"), "{frame:?}");
    assert_eq!(first_answers(&frame)["user"]["name"], name);
    assert!(!frame.text().contains("<b>"), "{frame:?}");
}

#[tokio::test]
async fn files_named_by_a_frame_exist() {
    let app = TestApp::new();
    for (address, room) in [
        ("/wiki/", "chunks/reading-"),
        ("/edit/", "chunks/editor-"),
        ("/pictures/", "chunks/folders-"),
    ] {
        let frame = app.get(address).send().await;
        let named: Vec<&str> = frame.text().split("=\"/static/").skip(1).collect();
        let named: Vec<&str> = named
            .iter()
            .map(|rest| rest.split('"').next().unwrap())
            .collect();
        assert!(named.iter().any(|file| file.starts_with(room)), "{named:?}");
        for file in named {
            app.get(&format!("/static/{file}")).send().await.is(200);
        }
    }
}

#[tokio::test]
async fn frame_names_its_page_and_revision() {
    let app = TestApp::new();
    let root = app.root_page().await;
    let id = app.page("/旅/京都 1+1?#%&\"'<b>", "one").await;
    let encoded = "%E6%97%85/%E4%BA%AC%E9%83%BD%201%2B1%3F%23%25%26%22%27%3Cb%3E";
    check_named(&app, "/wiki/", Some((&root, "1"))).await;
    check_named(&app, "/edit/", Some((&root, "1"))).await;
    for room in ["wiki", "edit"] {
        check_named(&app, &format!("/{room}/{encoded}"), Some((&id, "1"))).await;
    }
    let held = app.lock(&id).await;
    app.save(&held, "two").await.is(200);
    check_named(&app, &format!("/wiki/{encoded}"), Some((&id, "2"))).await;
    check_named(&app, &format!("/wiki/{encoded}?rev=1"), Some((&id, "1"))).await;
}

#[tokio::test]
async fn frame_of_missing_revision_is_not_found() {
    let app = TestApp::new();
    app.page("/a", "one").await;
    for revision in [0, 2, 9, u64::MAX] {
        let answer = app.get(&format!("/wiki/a?rev={revision}")).send().await;
        assert!(answer.is(404).text().contains("wiki-root"));
    }
    for nonsense in ["x", "-1", "", "18446744073709551616"] {
        let answer = app.get(&format!("/wiki/a?rev={nonsense}")).send().await;
        answer.refused(400, "bad_request");
    }
}

#[tokio::test]
async fn views_redirect_to_their_canonical_address() {
    let app = TestApp::new();
    for (address, to) in [
        ("/", "/wiki/"),
        ("/wiki", "/wiki/"),
        ("/edit", "/edit/"),
        ("/pictures", "/pictures/"),
    ] {
        check_redirect(&app, address, to).await;
    }
}

#[tokio::test]
async fn pages_redirect_to_their_canonical_address() {
    let app = TestApp::new();
    app.page("/旅/が", "text").await;
    let one = "%E6%97%85/%E3%81%8C";
    for (other, room) in [
        ("/wiki/%E6%97%85/%E3%81%8C/", "/wiki/"),
        ("/wiki//%E6%97%85//%E3%81%8C", "/wiki/"),
        ("/wiki/x/../%E6%97%85/%E3%81%8C", "/wiki/"),
        ("/wiki/%E6%97%85/%E3%81%8B%E3%82%99", "/wiki/"),
        ("/edit/%E6%97%85/./%E3%81%8C", "/edit/"),
    ] {
        check_redirect(&app, other, &format!("{room}{one}")).await;
    }
    // The query is preserved.
    let old = format!("/wiki/{one}/?rev=1");
    check_redirect(&app, &old, &format!("/wiki/{one}?rev=1")).await;
    for (elsewhere, to) in [
        ("/wiki//evil.example", "/wiki/evil.example"),
        ("/wiki///evil.example/", "/wiki/evil.example"),
        ("/edit//evil.example/..", "/edit/"),
    ] {
        check_redirect(&app, elsewhere, to).await;
    }
}

#[tokio::test]
async fn path_above_pages_gets_a_frame() {
    let app = TestApp::new();
    app.page("/travel/kyoto", "").await;
    check_named(&app, "/wiki/travel", None).await;
    check_redirect(&app, "/wiki/trave", "/edit/trave").await;
}

#[tokio::test]
async fn unknown_page_redirects_to_the_editor() {
    let app = TestApp::new();
    check_redirect(&app, "/wiki/none", "/edit/none").await;
    check_redirect(&app, "/wiki/%E6%97%85", "/edit/%E6%97%85").await;
    check_redirect(
        &app,
        "/wiki/a%22%0Ab".replace("%0A", "%3C").as_str(),
        "/edit/a%22%3Cb",
    )
    .await;
    check_named(&app, "/edit/none", None).await;
    let draft = app.draft("/begun").await;
    check_redirect(&app, "/wiki/begun", "/edit/begun").await;
    check_named(&app, "/edit/begun", None).await;
    app.save(&draft, "text").await.is(200);
    check_named(&app, "/wiki/begun", Some((&draft.id, "1"))).await;
}

#[tokio::test]
async fn frame_of_invalid_path_is_refused() {
    let app = TestApp::new();
    let long = format!("/wiki/{}", "a".repeat(1100));
    for (address, status) in [
        ("/wiki/a%0Ab", 422),
        ("/edit/%00", 422),
        ("/wiki/..", 422),
        ("/wiki/a/../..", 422),
        (&long, 422),
    ] {
        let answer = app.get(address).send().await;
        answer
            .is(status)
            .has("content-type", "text/html; charset=utf-8");
        assert_eq!(page_and_revision(&answer), None);
    }
    for address in ["/wiki/%FF", "/edit/%E6%97", "/wiki/%80%80"] {
        let answer = app.get(address).send().await;
        answer.refused(400, "bad_request");
    }
}

#[tokio::test]
async fn frames_name_no_page_before_registration() {
    let app = TestApp::empty();
    for address in [
        "/wiki/",
        "/wiki/none",
        "/edit/",
        "/pictures/",
        "/bin",
        "/cache",
        "/pages",
        "/settings",
        "/settings/files",
    ] {
        check_named(&app, address, None).await;
    }
    let call = app.post("/api/users").json(json!({"name": "Aya"}));
    call.send().await.is(201);
    let root = app.root_page().await;
    check_named(&app, "/wiki/", Some((&root, "1"))).await;
}

#[tokio::test]
async fn pictures_view_accepts_any_path() {
    let app = TestApp::new();
    for path in ["", "01JD/", "01JD/%FF%0A/x?view=a%FFb", "none/../.."] {
        check_named(&app, &format!("/pictures/{path}"), None).await;
    }
}

#[tokio::test]
async fn frame_uses_the_language_and_theme_settings() {
    let app = TestApp::new();
    for (patch, browser, html) in [
        (
            json!({}),
            "ja,en",
            "lang=\"ja\" data-language=\"system\" data-theme=\"system\"",
        ),
        (
            json!({}),
            "de,ja",
            "lang=\"en\" data-language=\"system\" data-theme=\"system\"",
        ),
        (
            json!({"language": "ja", "theme": "dark"}),
            "en",
            "lang=\"ja\" data-language=\"ja\" data-theme=\"dark\"",
        ),
        (
            json!({"language": "en", "theme": "light"}),
            "ja",
            "lang=\"en\" data-language=\"en\" data-theme=\"light\"",
        ),
    ] {
        app.patch("/api/settings").json(patch).send().await.is(200);
        let call = app.get("/wiki/").header("accept-language", browser);
        let answer = call.send().await;
        let frame = answer.is(200).text().to_owned();
        assert!(frame.contains(&format!("<html {html}>")), "{frame}");
    }
}
