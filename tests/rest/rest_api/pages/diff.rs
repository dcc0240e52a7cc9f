//! `GET /api/pages/{id}/diff`.

use serde_json::{Value, json};

use super::UNKNOWN_ID;
use super::revisions::page_with;
use crate::support::TestApp;

fn diff(id: &str, from: impl std::fmt::Display, to: impl std::fmt::Display) -> String {
    format!("/api/pages/{id}/diff?from={from}&to={to}")
}

/// Returns the lines of all hunks in unified form.
fn diff_lines(diff: &Value) -> Vec<String> {
    let lines = diff["hunks"].as_array().unwrap().iter();
    let lines = lines.flat_map(|hunk| hunk["lines"].as_array().unwrap());
    lines
        .map(|line| {
            let sign = match line["kind"].as_str().unwrap() {
                "context" => " ",
                "removed" => "-",
                "added" => "+",
                other => panic!("{other}"),
            };
            let spans = line["spans"].as_array().unwrap().iter();
            let text: String = spans.map(|span| span["text"].as_str().unwrap()).collect();
            format!("{sign}{text}")
        })
        .collect()
}

#[tokio::test]
async fn diff_has_lines_with_changed_words() {
    let app = TestApp::new();
    let id = page_with(&app, &["題\n\n京都へ行く\n", "題\n\n奈良へ行く\n追伸"]).await;
    let answer = app.get(&diff(&id, 1, 2)).send().await;
    insta::assert_json_snapshot!(answer.is(200).json());
}

#[tokio::test]
async fn diff_works_both_ways_and_may_be_empty() {
    let app = TestApp::new();
    let id = page_with(&app, &["a\nb\n", "a\r\nb\n", "", "x"]).await;
    for (from, to, expected) in [
        (1, 2, vec!["-a", "+a", " b"]),
        (2, 3, vec!["-a", "-b"]),
        (3, 2, vec!["+a", "+b"]),
        (3, 4, vec!["+x"]),
        (4, 4, vec![]),
    ] {
        let answer = app.get(&diff(&id, from, to)).send().await.is(200).json();
        assert_eq!(diff_lines(&answer), expected, "{from} → {to}");
        assert_eq!(
            (&answer["from"]["revision"], &answer["to"]["revision"]),
            (&json!(from), &json!(to))
        );
        assert_eq!(answer["rename"], json!([]));
    }
    let ends = app.get(&diff(&id, 1, 2)).send().await.json();
    let end = |at: usize| ends["hunks"][0]["lines"][at]["end"].clone();
    assert_eq!([end(0), end(1), end(2)], ["lf", "crlf", "lf"]);
}

#[tokio::test]
async fn longest_texts_are_compared() {
    let app = TestApp::new();
    let old = "あいうえお\n".repeat(10 * 1024 * 1024 / 16);
    let new = old.replacen("う", "x", 1);
    let id = page_with(&app, &[&old, &new]).await;
    let answer = app.get(&diff(&id, 1, 2)).send().await;
    let answer = answer.is(200).json();
    assert_eq!(
        (&answer["added"], &answer["removed"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(diff_lines(&answer)[..2], ["-あいうえお", "+あいxえお"]);
}

#[tokio::test]
async fn invalid_diffs_are_refused() {
    let app = TestApp::new();
    let id = page_with(&app, &["1", "2", "3"]).await;
    let compacted = app.post(&format!("/api/pages/{id}/revision?keep_from=2"));
    compacted.send().await.is(204);
    let draft = app.draft("/b").await;
    for (address, status, code) in [
        (diff(UNKNOWN_ID, 1, 1), 404, "page_not_found"),
        (diff(&draft.id, 1, 1), 404, "draft"),
        (diff("x", 1, 1), 400, "bad_request"),
        (diff(&id, 0, 3), 404, "page_not_found"),
        (diff(&id, 3, 0), 404, "page_not_found"),
        (diff(&id, 2, u64::MAX), 404, "page_not_found"),
        (diff(&id, 2, "18446744073709551616"), 400, "bad_request"),
        (diff(&id, "x", 2), 400, "bad_request"),
        (diff(&id, 2, "-1"), 400, "bad_request"),
        (diff(&id, 1, 3), 410, "gone"),
        (diff(&id, 3, 1), 410, "gone"),
        (format!("/api/pages/{id}/diff?from=2"), 400, "bad_request"),
        (format!("/api/pages/{id}/diff"), 400, "bad_request"),
    ] {
        app.get(&address).send().await.refused(status, code);
    }
}
