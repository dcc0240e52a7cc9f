//! `/api/vision`: pictures described by a local service, behind the rate limiter.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fumikura_server::{RateLimits, Secret, VisionDialect};
use fumikura_tests::vision_service::VisionService;
use serde_json::{Value, json};

use crate::support::pictures::{fixture, png};
use crate::support::{Answer, TestApp};

/// Returns a server that uses a local service, at most twice a minute.
fn app(service: &VisionService) -> TestApp {
    TestApp::with_allowed_pictures(|config| {
        config.vision.dialect = Some(VisionDialect::OpenAi);
        config.vision.url = Some(service.url().parse().unwrap());
        config.limiter.limits = RateLimits {
            per_minute: 2,
            daily: 10,
            daily_total: None,
        };
    })
}

async fn scan(app: &TestApp, root: &str, path: &str, mode: &str) -> Answer {
    let request = json!({"root": root, "path": path, "mode": mode});
    app.post("/api/vision/scan").json(request).send().await
}

async fn count(app: &TestApp) -> u64 {
    let usage = app.get("/api/config/usage").send().await.is(200).json();
    usage["daily_count"].as_u64().unwrap()
}

#[tokio::test]
async fn nothing_is_described_until_a_service_is_configured() {
    let app = TestApp::with_allowed_pictures(|_| ());
    app.file("a.png", &png([9, 9, 9]));
    let root = app.root();
    let answer = scan(&app, &root, "a.png", "describe").await;
    answer.refused(503, "not_configured");
    let models = app.get("/api/vision/models").send().await;
    models.refused(503, "not_configured");
    let state = app.get("/api/vision/settings").send().await.is(200).json();
    assert_eq!(
        (&state["configured"], &state["recipient"]),
        (&json!(false), &Value::Null)
    );
}

#[tokio::test]
async fn same_picture_is_asked_about_once() {
    let service = VisionService::start().unwrap();
    let app = app(&service);
    app.file("a.png", &png([9, 9, 9]));
    app.file("copy.png", &png([9, 9, 9]));
    let root = app.root();
    let first = scan(&app, &root, "a.png", "describe").await.is(200).json();
    let expected = json!({
        "mode": "describe", "model": "small-eye", "language": "en", "cached": false,
        "description": "A cat on a sofa.",
    });
    assert_eq!(first, expected);
    for path in ["a.png", "copy.png", "copy.png"] {
        let again = scan(&app, &root, path, "describe").await.is(200).json();
        assert_eq!(
            (&again["cached"], &again["description"]),
            (&json!(true), &expected["description"])
        );
    }
    assert_eq!((service.requests().len(), count(&app).await), (1, 1));
    service.set_content(&json!({"description": "A dog."}));
    let again = json!({"root": root, "path": "a.png", "mode": "describe", "again": true});
    let answer = app
        .post("/api/vision/scan")
        .json(again)
        .send()
        .await
        .is(200)
        .json();
    assert_eq!(answer["description"], "A dog.");
    let stored = scan(&app, &root, "copy.png", "describe")
        .await
        .is(200)
        .json();
    assert_eq!(
        stored["description"], "A cat on a sofa.",
        "that file's own answer stays"
    );
}

#[tokio::test]
async fn small_picture_without_metadata_is_sent() {
    let service = VisionService::start().unwrap();
    let app = app(&service);
    let photo = fixture("orientation/Landscape_6.jpg");
    assert!(photo.windows(4).any(|part| part == b"Exif"));
    app.file("photo.jpg", &photo);
    let root = app.root();
    scan(&app, &root, "photo.jpg", "describe").await.is(200);
    let request = &service.requests()[0];
    assert_eq!(request["model"], "small-eye");
    let text = request.to_string();
    let (_, picture) = text.split_once("data:image/jpeg;base64,").unwrap();
    let picture = STANDARD.decode(picture.split('"').next().unwrap()).unwrap();
    assert!(picture.starts_with(b"\xff\xd8"));
    assert!(!picture.windows(4).any(|part| part == b"Exif"));
}

#[tokio::test]
async fn failed_request_is_released() {
    let service = VisionService::start().unwrap();
    let app = app(&service);
    app.file("a.png", &png([9, 9, 9]));
    let root = app.root();
    let message = |text: &str| json!({"error": {"message": text}});
    for (status, body, code, expected, reason) in [
        (
            401,
            message("bad key"),
            "vision_failed",
            502,
            "unauthorized",
        ),
        (400, message("no"), "vision_failed", 502, "bad_request"),
        (404, message("no model"), "model_gone", 409, "model_gone"),
        (
            200,
            json!({"choices": []}),
            "vision_failed",
            502,
            "empty_answer",
        ),
    ] {
        service.set_answer(status, body);
        let answer = scan(&app, &root, "a.png", "describe").await;
        let answer = answer.is(expected).json();
        assert_eq!(
            (&answer["code"], &answer["reason"]),
            (&json!(code), &json!(reason))
        );
        // Only the service's own text; that of a rejected key is left out.
        let quoted = match reason {
            "bad_request" => json!("no"),
            "model_gone" => json!("no model"),
            _ => Value::Null,
        };
        assert_eq!(answer["service_message"], quoted, "{answer}");
        assert_eq!(count(&app).await, 0, "{reason}");
    }
    // The service's answer is not stored for later.
    service.set_content(&json!({"description": "A cat."}));
    scan(&app, &root, "a.png", "describe").await.is(200);
}

#[tokio::test]
async fn limit_is_answered_with_the_time_to_wait() {
    let service = VisionService::start().unwrap();
    let app = app(&service);
    let root = app.root();
    for number in 0..3 {
        app.file(format!("{number}.png"), &png([number * 80, 0, 0]));
    }
    for path in ["0.png", "1.png"] {
        scan(&app, &root, path, "describe").await.is(200);
    }
    let limited = scan(&app, &root, "2.png", "describe").await;
    limited.is(429).has("retry-after", "61").has(
        "ratelimit-policy",
        "\"minute\";q=2;w=60, \"day\";q=10;w=86400",
    );
    assert_eq!(limited.json()["code"], "rate_limited");
    // Stored answers cost nothing.
    scan(&app, &root, "0.png", "describe").await.is(200);
    app.advance(Duration::from_secs(60));
    scan(&app, &root, "2.png", "describe").await.is(200);
}

#[tokio::test]
async fn bad_requests_cost_nothing() {
    let service = VisionService::start().unwrap();
    let app = app(&service);
    app.file("broken.jpg", b"\xff\xd8\xff\xe0broken");
    app.file("text.txt", b"text");
    let root = app.root();
    scan(&app, &root, "nothing.png", "describe")
        .await
        .refused(404, "not_found");
    scan(&app, &root, "text.txt", "describe")
        .await
        .refused(422, "picture_undecodable");
    scan(&app, &root, "broken.jpg", "describe")
        .await
        .refused(422, "picture_undecodable");
    scan(&app, &root, "broken.jpg", "sing")
        .await
        .refused(400, "invalid_body");
    for request in [
        json!({"mode": "describe"}),
        json!({"root": root, "asset": "01JD0000000000000000000000", "path": "a", "mode": "describe"}),
    ] {
        app.post("/api/vision/scan")
            .json(request)
            .send()
            .await
            .refused(400, "bad_request");
    }
    let language = json!({"root": root, "path": "text.txt", "mode": "text", "language": "日本語"});
    app.post("/api/vision/scan")
        .json(language)
        .send()
        .await
        .refused(422, "invalid_value");
    assert_eq!((service.requests().len(), count(&app).await), (0, 0));
}

#[tokio::test]
async fn file_of_a_page_is_described() {
    let service = VisionService::start().unwrap();
    let app = app(&service);
    let page = app.root_page().await;
    let asset = app.add_asset(&page, "cat.png", &png([1, 2, 3])).await;
    let request = json!({"asset": asset, "mode": "describe", "language": "ja"});
    let answer = app
        .post("/api/vision/scan")
        .json(request)
        .send()
        .await
        .is(200)
        .json();
    assert_eq!(answer["language"], "ja");
}

#[tokio::test]
async fn settings_are_checked_and_overridden_by_environment() {
    let service = VisionService::start().unwrap();
    let app = TestApp::with_allowed_pictures(|config| {
        config.vision.model = Some("fixed".to_owned());
    });
    let settings =
        json!({"dialect": "openai", "url": service.url(), "model": "mine", "language": "ja"});
    let put = async |settings: Value| app.put("/api/vision/settings").json(settings).send().await;
    let state = put(settings.clone()).await.is(200).json();
    assert_eq!(state["configured"], true);
    assert_eq!(state["recipient"], json!({"kind": "this_machine"}));
    assert_eq!(
        (&state["settings"]["model"], &state["effective"]["model"]),
        (&json!("mine"), &json!("fixed"))
    );
    // Even if the settings have the same value.
    let same = json!({"dialect": "openai", "url": service.url(), "model": "fixed"});
    assert_eq!(put(same).await.is(200).json()["fixed"], json!(["model"]));
    put(settings).await.is(200);
    let models = app.get("/api/vision/models").send().await.is(200).json();
    assert_eq!(
        models["models"][1],
        json!({"id": "large-eye", "name": "large-eye"})
    );
    app.file("a.png", &png([9, 9, 9]));
    let root = app.root();
    let answer = scan(&app, &root, "a.png", "describe").await.is(200).json();
    assert_eq!(
        (&answer["model"], &answer["language"]),
        (&json!("fixed"), &json!("ja"))
    );

    for bad in [
        json!({"url": "ftp://host"}),
        json!({"language": "日本語"}),
        json!({"command": ["ocr"]}),
    ] {
        put(bad).await.refused(422, "invalid_value");
    }
    put(json!({"dialect": "other"}))
        .await
        .refused(400, "invalid_body");
    let away = json!({"dialect": "openai", "url": "https://vision.example/v1"});
    let state = put(away).await.is(200).json();
    // Without a key, the service on another machine is not used.
    assert_eq!(state["configured"], false);
    assert!(
        state["problem"].as_str().unwrap().contains("key"),
        "{state}"
    );
    assert_eq!(state["problem_reason"], "key_missing");
    let app = app.restart(|_| ());
    let state = app.get("/api/vision/settings").send().await.is(200).json();
    assert_eq!(state["settings"]["url"], "https://vision.example/v1");
}

#[tokio::test]
async fn key_of_the_environment_waits_for_permission() {
    let app = TestApp::with_allowed_pictures(|config| {
        config.vision.openai_api_key = Some(Secret::new("k".to_owned()));
    });
    let put = async |settings: Value| {
        let answer = app.put("/api/vision/settings").json(settings).send().await;
        answer.is(200).json()
    };
    let state = app.get("/api/vision/settings").send().await.is(200).json();
    assert_eq!(state["environment_keys"], json!(["openai"]));
    let is_off = (&state["configured"], &state["effective"]["dialect"]);
    assert_eq!(is_off, (&json!(false), &Value::Null));
    // The user may want the service, and another key.
    let state = put(json!({"dialect": "openai"})).await;
    assert_eq!(state["problem_reason"], "key_missing");
    let host = state["host"].as_str().unwrap();
    assert_eq!(host, "api.openai.com");
    let origin = state["origin"].as_str().unwrap();
    assert_eq!(origin, "https://api.openai.com");
    let state = put(json!({"dialect": "openai", "key_origin": origin})).await;
    assert_eq!(
        (&state["configured"], &state["key"]),
        (&json!(true), &json!("environment"))
    );
    // The permission is for one origin.
    for url in ["http://192.168.1.9/v1", "https://api.openai.com:8443/v1"] {
        let elsewhere = json!({"dialect": "openai", "key_origin": origin, "url": url});
        assert_ne!(put(elsewhere).await["key"], "environment");
    }
}

#[tokio::test]
async fn local_network_needs_a_permission_instead_of_a_key() {
    let app = TestApp::with_allowed_pictures(|_| ());
    let put = async |url: &str, keyless_origin: Option<&str>| {
        let settings = json!({"dialect": "openai", "url": url, "keyless_origin": keyless_origin});
        let answer = app.put("/api/vision/settings").json(settings).send().await;
        answer.is(200).json()
    };
    let address = "http://192.168.1.9:11434/v1";
    let state = put(address, None).await;
    assert_eq!(
        (&state["is_local"], &state["problem_reason"]),
        (&json!(true), &json!("key_missing"))
    );
    let state = put(address, Some("http://192.168.1.9:11434")).await;
    assert_eq!(
        state["recipient"],
        json!({"kind": "host", "host": "192.168.1.9"})
    );
    let other_port = put("http://192.168.1.9:80/v1", Some("http://192.168.1.9:11434")).await;
    assert_eq!(other_port["problem_reason"], "key_missing");
    let origin = "https://vision.example";
    let beyond = put("https://vision.example/v1", Some(origin)).await;
    assert_eq!(
        (&beyond["is_local"], &beyond["problem_reason"]),
        (&json!(false), &json!("key_missing"))
    );
}

#[tokio::test]
async fn limits_of_a_local_service_are_settings() {
    let service = VisionService::start().unwrap();
    let settings = |url: &str, per_minute: u32| json!({"dialect": "openai", "url": url, "local_limits": {"per_minute": per_minute, "daily": 5000}});
    let put = async |app: &TestApp, settings: Value| {
        app.put("/api/vision/settings").json(settings).send().await
    };
    let limits = async |app: &TestApp| {
        let usage = app.get("/api/config/usage").send().await.is(200).json();
        (
            usage["per_minute_limit"].as_u64(),
            usage["daily_limit"].as_u64(),
        )
    };
    let app = TestApp::with_allowed_pictures(|_| ());
    put(&app, settings(&service.url(), 600)).await.is(200);
    assert_eq!(limits(&app).await, (Some(600), Some(5000)));
    put(&app, settings(&service.url(), 0))
        .await
        .refused(422, "invalid_value");
    let app = app.restart(|_| ());
    assert_eq!(limits(&app).await, (Some(600), Some(5000)));
    // A service elsewhere may cost something.
    put(&app, settings("https://vision.example/v1", 600))
        .await
        .is(200);
    assert_eq!(limits(&app).await, (Some(20), Some(1000)));

    let app = TestApp::with_allowed_pictures(|config| config.limiter.is_fixed = true);
    let state = put(&app, settings(&service.url(), 600))
        .await
        .is(200)
        .json();
    assert_eq!(state["fixed"], json!(["local_limits"]));
    assert_eq!(limits(&app).await, (Some(20), Some(1000)));
}

#[tokio::test]
async fn job_waits_for_the_limiter_and_continues() {
    let service = VisionService::start().unwrap();
    let app = app(&service);
    let root = app.root();
    let paths: Vec<_> = (0..4).map(|number| format!("{number}.png")).collect();
    for (number, path) in paths.iter().enumerate() {
        app.file(path, &png([number as u8 * 60, 0, 0]));
    }
    let mut asked = paths.clone();
    asked.insert(1, "nothing.png".to_owned());
    let request = json!({"root": root, "paths": asked, "mode": "tags"});
    service.set_content(&json!({"tags": ["猫", "cat"]}));
    let started = app.post("/api/vision/describe").json(request).send().await;
    let id = started.is(202).json()["id"].as_str().unwrap().to_owned();
    let address = format!("/api/jobs/{id}");
    let mut seconds = 0;
    let job = loop {
        let job = app.get(&address).send().await.is(200).json();
        if !job["ended_at"].is_null() {
            break job;
        }
        // The limit of two a minute is used up: only waiting helps.
        if count(&app).await >= 2 {
            app.advance(Duration::from_secs(1));
            seconds += 1;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(
        (&job["state"], seconds >= 60),
        (&json!("done"), true),
        "{job}"
    );
    let result = &job["result"];
    assert_eq!(
        (&result["described"], &result["failed"]),
        (&json!(4), &json!(1))
    );
    assert_eq!(result["failures"][0]["path"], "nothing.png");
    assert_eq!(result["failures"][0]["error"]["code"], "not_found");
    let empty = json!({"root": root, "paths": [], "mode": "tags"});
    app.post("/api/vision/describe")
        .json(empty)
        .send()
        .await
        .refused(422, "invalid_value");
}

/// Changes settings as a browser with a session.
async fn put_as(app: &TestApp, cookie: &str, settings: &Value) -> Answer {
    let put = app.unauthenticated("PUT", "/api/vision/settings");
    put.header("cookie", cookie)
        .json(settings.clone())
        .send()
        .await
}

#[tokio::test]
async fn browser_can_not_set_programs_or_addresses() {
    let service = VisionService::start().unwrap();
    let app = TestApp::with_allowed_pictures(|_| ());
    app.file("a.png", &png([9, 9, 9]));
    let root = app.root();
    let proof = app.base_dir().join("proof");
    let script = format!("touch '{}'", proof.display());
    let program = json!(["/bin/sh", "-c", script, "ocr", "{picture}"]);
    let cookie = app.log_in().await;
    for (settings, name) in [
        (json!({"dialect": "command", "command": program}), "command"),
        (json!({"command_output": "json"}), "command_output"),
        (json!({"dialect": "openai", "url": service.url()}), "url"),
        (json!({"url": service.url()}), "url"),
        (
            json!({"dialect": "openai", "key_origin": "https://api.openai.com"}),
            "key_origin",
        ),
        (
            json!({"keyless_origin": "http://192.168.1.9"}),
            "keyless_origin",
        ),
        (
            json!({"dialect": "openai", "agreed_origin": "https://evil.example"}),
            "agreed_origin",
        ),
    ] {
        let refusal = put_as(&app, &cookie, &settings).await;
        let refusal = refusal.refused(403, "window_required");
        assert_eq!(refusal["reason"], name, "{settings}");
    }
    for value in [json!("mine"), Value::Null] {
        let body = json!({"dialect": "openai", "key": value});
        let put = app.unauthenticated("PUT", "/api/vision/key");
        let put = put.header("cookie", &cookie).json(body).send().await;
        put.refused(403, "window_required");
    }
    let state = app.get("/api/vision/settings").send().await.is(200).json();
    assert_eq!(
        (&state["settings"]["dialect"], &state["settings"]["command"]),
        (&Value::Null, &Value::Null)
    );
    scan(&app, &root, "a.png", "text")
        .await
        .refused(503, "not_configured");
    assert!(!proof.exists() && service.heads().is_empty());
}

#[tokio::test]
async fn browser_chooses_among_what_is_set() {
    let service = VisionService::start().unwrap();
    let app = TestApp::with_allowed_pictures(|_| ());
    app.file("a.png", &png([9, 9, 9]));
    let root = app.root();
    // The window, unlike another session, sets the service.
    let (_client, window) = app.window().await;
    let command = json!(["sh", "-c", "echo cat", "ocr", "{picture}"]);
    let settings = json!({"dialect": "openai", "url": service.url(), "command": command});
    let state = put_as(&app, &window, &settings).await.is(200).json();
    assert_eq!(state["can_set_service"], true);
    let cookie = app.log_in().await;
    let off = json!({"command": command, "model": "large-eye"});
    let state = put_as(&app, &cookie, &off).await.is(200).json();
    assert_eq!(
        (
            &state["can_set_service"],
            &state["configured"],
            &state["addresses"]
        ),
        (
            &json!(false),
            &json!(false),
            &json!({"gemini": null, "openai": service.url()})
        )
    );
    let chosen = json!({"dialect": "command", "command": command, "language": "ja"});
    put_as(&app, &cookie, &chosen).await.is(200);
    let answer = scan(&app, &root, "a.png", "text").await.is(200).json();
    assert_eq!(answer["text"], "cat");
    put_as(&app, &cookie, &settings).await.is(200);
    scan(&app, &root, "a.png", "describe").await.is(200);
    // What was set for one kind of service is not set for another.
    let mixed = json!({"dialect": "gemini", "url": service.url(), "command": command});
    let refusal = put_as(&app, &cookie, &mixed).await;
    refusal.refused(403, "window_required");
    let other = json!({"dialect": "openai", "url": service.url(), "command": ["sh", "{picture}"]});
    let refusal = put_as(&app, &cookie, &other).await;
    refusal.refused(403, "window_required");
}

#[tokio::test]
async fn key_is_sent_to_its_own_origin_only() {
    let service = VisionService::start().unwrap();
    let app = TestApp::with_allowed_pictures(|config| {
        config.vision.dialect = Some(VisionDialect::OpenAi);
        config.vision.openai_api_key = Some(Secret::new(KEY.to_owned()));
    });
    let cookie = app.log_in().await;
    let settings = json!({"url": service.url()});
    let refusal = put_as(&app, &cookie, &settings).await;
    refusal.refused(403, "window_required");
    // Even the owner's new address does not get it.
    let put = app.put("/api/vision/settings").json(settings).send().await;
    assert_ne!(put.is(200).json()["key"], "environment");
    app.get("/api/vision/models").send().await.is(200);
    let permitted = json!({"url": service.url(), "key_origin": "http://127.0.0.1"});
    app.put("/api/vision/settings")
        .json(permitted)
        .send()
        .await
        .is(200);
    app.get("/api/vision/models").send().await.is(200);
    let heads = service.heads();
    assert_eq!(heads.len(), 2);
    assert!(!heads.concat().contains(KEY), "{heads:?}");
}

#[tokio::test]
async fn nothing_is_sent_without_consent() {
    let app = TestApp::with_allowed_pictures(|_| ());
    app.file("a.png", &png([9, 9, 9]));
    let root = app.root();
    let origin = "http://192.168.1.9:11434";
    let mut settings = json!({
        "dialect": "openai", "url": format!("{origin}/v1"), "model": "m",
        "keyless_origin": origin, "agreed_origin": "http://192.168.1.9",
    });
    let put = app.put("/api/vision/settings").json(settings.clone());
    put.send().await.is(200);
    scan(&app, &root, "a.png", "describe")
        .await
        .refused(403, "consent_required");
    let job = json!({"root": root, "paths": ["a.png"], "mode": "tags"});
    let job = app.post("/api/vision/describe").json(job).send().await;
    job.refused(403, "consent_required");
    assert_eq!(count(&app).await, 0);
    // Anyone who is let in can agree to the service that the owner has set, and to no other.
    let cookie = app.log_in().await;
    settings["agreed_origin"] = json!("https://evil.example");
    let refusal = put_as(&app, &cookie, &settings).await;
    refusal.refused(403, "window_required");
    settings["agreed_origin"] = json!(origin);
    let state = put_as(&app, &cookie, &settings).await.is(200).json();
    assert_eq!(state["settings"]["agreed_origin"], origin);
}

/// A key that the service sends back.
const KEY: &str = "sk-Echo_a1B2c3D4e5F6g7H8";

#[tokio::test]
async fn echoed_key_is_masked_everywhere() {
    let service = VisionService::start().unwrap();
    service.set_models(&[KEY, "sk-Echo_a1B2c3", "D4e5F6g7H8"]);
    let app = TestApp::with_allowed_pictures(|config| {
        config.vision.dialect = Some(VisionDialect::OpenAi);
        config.vision.url = Some(service.url().parse().unwrap());
        config.vision.openai_api_key = Some(Secret::new(KEY.to_owned()));
    });
    let root = app.root();
    let mut answers = vec![
        app.get("/api/vision/models")
            .send()
            .await
            .is(200)
            .text()
            .to_owned(),
    ];
    let model = json!({"model": "small-eye"});
    app.put("/api/vision/settings")
        .json(model)
        .send()
        .await
        .is(200);
    let encoded = STANDARD.encode(format!("key={KEY}"));
    let spaced: Vec<String> = KEY.chars().map(String::from).collect();
    for (number, (mode, content)) in [
        (
            "describe",
            json!({"description": format!("The key is {KEY}.")}),
        ),
        (
            "describe",
            json!({"description": format!("The key is {encoded}.")}),
        ),
        ("text", json!({"text": spaced.join(" ")})),
        (
            "tags",
            json!({"tags": ["sk-Echo", "a1B2c3", "D4e5F6", "g7H8"]}),
        ),
        (
            "objects",
            json!({"objects": [{"name": KEY, "left": 0, "top": 0, "right": 9, "bottom": 9}]}),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("{number}.png");
        app.file(&name, &png([number as u8 * 40, 0, 0]));
        service.set_content(&content);
        let answer = scan(&app, &root, &name, mode).await;
        assert!(answer.is(200).text().contains("[key]"), "{}", answer.text());
        answers.push(answer.text().to_owned());
    }
    app.file("failing.png", &png([0, 99, 0]));
    for (status, words) in [(400, KEY), (403, &encoded), (500, &spaced.join("."))] {
        service.set_answer(status, json!({"error": {"message": words}}));
        answers.push(
            scan(&app, &root, "failing.png", "describe")
                .await
                .text()
                .to_owned(),
        );
        let job = json!({"root": root, "paths": ["failing.png"], "mode": "tags"});
        answers.push(app.run_job("/api/vision/describe", job).await.to_string());
    }
    let heads = service.heads();
    assert!(
        heads.iter().all(|head| head.contains(KEY)),
        "it was sent: {heads:?}"
    );
    for stored in files_below(&app.base_dir().join("data/vision")) {
        answers.push(std::fs::read_to_string(stored).unwrap());
    }
    assert!(answers.len() > 12, "{answers:?}");
    for answer in answers {
        let letters: String = answer.chars().filter(char::is_ascii_alphanumeric).collect();
        for part in ["skEcho", "a1B2c3", "D4e5F6", "g7H8", &encoded[8..24]] {
            assert!(!letters.contains(part), "{part} of {answer}");
        }
    }
}

fn files_below(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let deeper = folders.iter().flat_map(|folder| files_below(folder));
    deeper.chain(files).collect()
}
