//! `/api/hashes/import`, `export` and `schedule`.

use serde_json::json;

use super::{ABC, app, record, run, write};

#[tokio::test]
async fn lists_are_imported_and_exported() {
    let app = app();
    write(&app, "a.txt", "abc");
    write(&app, "b.txt", "def");
    let root = app.root();
    run(&app, "record", json!({"root": root, "path": "b.txt"})).await;
    let abc = &ABC["sha256:".len()..];
    let list = format!("{abc}  a.txt\n{abc} *./b.txt\n{abc}  ../out.txt\nnonsense\n");
    let address = format!("/api/hashes/import?root={root}");
    let imported = app
        .post(&address)
        .body("text/plain", list.clone())
        .send()
        .await
        .is(200)
        .json();
    assert_eq!(
        (&imported["imported"], &imported["format"]),
        (&json!(1), &json!("sha256sum"))
    );
    assert!(
        imported["conflicts"][0]["path"]
            .as_str()
            .unwrap()
            .ends_with("/b.txt")
    );
    assert_eq!(imported["conflicts"][0]["actual"], ABC);
    let lines: Vec<_> = imported["skipped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| json!([line["line"], line["reason_code"]]))
        .collect();
    assert_eq!(
        lines,
        [json!([3, "outside_folder"]), json!([4, "unknown_line"])]
    );
    let again = app
        .post(&address)
        .body("text/plain", list)
        .send()
        .await
        .is(200)
        .json();
    assert_eq!(
        (&again["imported"], &again["known"]),
        (&json!(0), &json!(1))
    );
    let verified = run(&app, "verify", json!({"root": root})).await;
    assert_eq!(
        verified["summary"],
        json!({"ok": 2, "read": 2, "unread": 0})
    );
    app.post(&address)
        .body("text/plain", "hello")
        .send()
        .await
        .refused(422, "invalid_value");

    let export = |query: String| app.get(&format!("/api/hashes/export?{query}"));
    let sums = export(format!("format=sha256sums&root={root}"))
        .send()
        .await;
    sums.is(200)
        .has("content-disposition", "attachment; filename=\"SHA256SUMS\"");
    assert!(
        sums.text().starts_with(&format!("{abc}  ./a.txt\n")),
        "{}",
        sums.text()
    );
    // A list's record has no size, which hashdeep needs.
    let deep = export(String::from("format=hashdeep")).send().await;
    deep.is(200).has("x-left-out", "1");
    let csv = export(String::from("format=csv")).send().await;
    csv.is(200).has("content-type", "text/csv; charset=utf-8");
    export(String::from("format=pdf"))
        .send()
        .await
        .refused(400, "bad_request");
    export(String::from("format=text&job=0"))
        .send()
        .await
        .refused(404, "job_not_found");
}

#[tokio::test]
async fn list_is_checked_without_records() {
    let app = app();
    write(&app, "a.txt", "abc");
    write(&app, "が.txt", "other");
    let abc = "900150983cd24fb0d6963f7d28e17f72";
    let list = format!("{abc}  a.txt\n{abc}  か\u{3099}.txt\n{abc}  none\nnonsense\n");
    let check = |list: &str| {
        let address = format!("/api/hashes/check?root={}", app.root());
        app.post(&address).body("text/plain", list.to_owned())
    };
    let started = check(&list).send().await.is(202).json();
    let id = started["id"].as_str().unwrap();
    app.job_end(id).await;
    let report = app.get(&format!("/api/hashes/reports/{id}")).send().await;
    let report = report.is(200).json();
    assert_eq!(report["kind"], "check_hashes");
    let summary = json!({"ok": 1, "differs": 1, "missing": 1, "read": 2, "unread": 0});
    assert_eq!(report["summary"], summary);
    let differs = &report["findings"][0];
    assert_eq!(differs["expected"], format!("md5:{abc}"));
    assert_eq!(differs["reason_code"], "other_form");
    assert_eq!(report["skipped"]["lines"][0]["line"], 4);
    check("hello").send().await.refused(422, "invalid_value");
    let reports = app.get("/api/hashes/reports").send().await.is(200).json();
    assert_eq!(reports["reports"][0]["job"], id);
    assert_eq!(reports["reports"][0]["summary"], summary);
    let records = app.get("/api/hashes").send().await.is(200).json();
    assert_eq!(records["total"], 0);
}

#[tokio::test]
async fn skipped_lines_are_counted_beyond_a_thousand() {
    let app = app();
    let abc = &ABC["sha256:".len()..];
    // Two bytes a line, which once cost three hundred in memory and a hundred in the answer.
    let list = format!("{abc}  a.txt\n{}", "x\n".repeat(1 << 20));
    let address = format!("/api/hashes/import?root={}", app.root());
    let call = app.post(&address).body("text/plain", list.clone());
    let answer = call.send().await.is(200).text().to_owned();
    assert!(answer.len() < 200_000, "{}", answer.len());
    let imported: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(imported["imported"], 1);
    assert_eq!(imported["skipped"].as_array().unwrap().len(), 1000);
    assert_eq!(imported["skipped"][999]["line"], 1001);
    assert_eq!(imported["skipped_total"], 1 << 20);

    let address = format!("/api/hashes/check?root={}", app.root());
    let call = app.post(&address).body("text/plain", list);
    let started = call.send().await.is(202).json();
    let id = started["id"].as_str().unwrap();
    app.job_end(id).await;
    let report = app.get(&format!("/api/hashes/reports/{id}")).send().await;
    let skipped = &report.is(200).json()["skipped"];
    assert_eq!(skipped["lines"].as_array().unwrap().len(), 1000);
    assert_eq!(skipped["lines_total"], 1 << 20);
}

#[tokio::test]
async fn schedule_is_stored_within_its_limits() {
    let app = app();
    write(&app, "a.txt", "abc");
    record(&app).await;
    let get = || app.get("/api/hashes/schedule");
    let at = get().send().await.is(200).json();
    assert_eq!(
        (&at["enabled"], &at["days"], &at["recorded"]),
        (&json!(false), &json!(30), &json!(1))
    );
    assert_eq!(at["oldest_verified_at"], "2026-11-18T12:00:00Z");
    let put = |days: u32, gib: u32| {
        let body = json!({"enabled": true, "days": days, "gib_a_day": gib});
        app.put("/api/hashes/schedule").json(body)
    };
    put(7, 5).send().await.is(200);
    let now = get().send().await.is(200).json();
    assert_eq!(
        (&now["enabled"], &now["days"], &now["gib_a_day"]),
        (&json!(true), &json!(7), &json!(5))
    );
    for (days, gib) in [(0, 1), (3651, 1), (1, 0), (1, 100_001)] {
        put(days, gib).send().await.refused(422, "invalid_value");
    }
}
