//! `/readyz`, `/api/config/usage`, `/api/limits/reset`, and the guard of `/login`.

use std::time::Duration;

use fumikura_server::{RateLimits, Secret, VisionDialect};
use serde_json::{Value, json};

use crate::support::TestApp;

/// Returns a server whose Redis is unavailable.
fn without_redis() -> TestApp {
    TestApp::with(|config| {
        config.limiter.redis_url = Some(Secret::new("unix:///nowhere/redis.sock".to_owned()));
    })
}

async fn readyz(app: &TestApp) -> Value {
    app.unauthenticated("GET", "/readyz")
        .send()
        .await
        .is(200)
        .json()
}

#[tokio::test]
async fn readiness_needs_no_session() {
    let app = TestApp::with(|config| {
        config.vision.dialect = Some(VisionDialect::Gemini);
        config.vision.gemini_api_key = Some(Secret::new("k".to_owned()));
    });
    let checks = json!({
        "api_key_configured": true,
        "rate_limiter_backend": "in_memory",
        "rate_limiter_ok": true,
    });
    assert_eq!(
        readyz(&app).await,
        json!({"status": "ok", "checks": checks})
    );
}

#[tokio::test]
async fn missing_redis_is_reported_as_degraded() {
    let app = without_redis();
    let checks = json!({
        "api_key_configured": false,
        "rate_limiter_backend": "in_memory",
        "rate_limiter_ok": false,
    });
    assert_eq!(
        readyz(&app).await,
        json!({"status": "degraded", "checks": checks})
    );
    let usage = app.get("/api/config/usage").send().await.is(200).json();
    assert_eq!(usage["backend"], "in_memory");
}

#[tokio::test]
async fn usage_names_counts_and_limits() {
    let app = TestApp::with(|config| {
        config.limiter.limits = RateLimits {
            per_minute: 3,
            daily: 7,
            daily_total: std::num::NonZeroU32::new(9),
        };
    });
    let mut usage = app.get("/api/config/usage").send().await.is(200).json();
    let daily_reset = usage["daily_reset"].take();
    assert!((1..=90_000).contains(&daily_reset.as_u64().unwrap()));
    let expected = json!({
        "daily_count": 0, "daily_limit": 7, "minute_count": 0, "per_minute_limit": 3,
        "total_count": 0, "total_limit": 9, "minute_reset": 0, "daily_reset": null,
        "backend": "in_memory",
    });
    assert_eq!(usage, expected);
}

async fn fail_to_log_in(app: &TestApp) {
    for _ in 0..20 {
        let call = app.unauthenticated("GET", "/login?token=wrong");
        call.send().await.is(401);
    }
}

#[tokio::test]
async fn failed_logins_are_limited() {
    let app = TestApp::new();
    fail_to_log_in(&app).await;
    for language in ["en", "ja"] {
        let call = app
            .unauthenticated("GET", "/login?token=wrong")
            .header("accept-language", language);
        let refused = call.send().await;
        refused
            .is(429)
            .has("retry-after", "61")
            .has(
                "ratelimit-policy",
                "\"minute\";q=20;w=60, \"day\";q=1000;w=86400",
            )
            .has("cache-control", "no-store");
        assert!(
            refused
                .header("ratelimit")
                .unwrap()
                .starts_with("\"minute\";r=0;t=61")
        );
        assert!(
            refused
                .text()
                .contains(&format!("<html lang=\"{language}\""))
        );
        assert!(refused.text().contains("61"));
    }
    app.advance(Duration::from_secs(60));
    fail_to_log_in(&app).await;
}

#[tokio::test]
async fn wrong_guesses_never_delay_others() {
    let app = TestApp::new();
    for number in 0..30 {
        let guess = app.stranger("GET", "/login?token=wrong").send().await;
        guess.is(if number < 20 { 401 } else { 429 });
    }
    // A wrong token of another user has its own count, and a right one is never delayed.
    let other = app.unauthenticated("GET", "/login?token=wrong");
    other.send().await.is(401);
    let right = app.login_path();
    app.stranger("GET", &right).send().await.is(200);
    for _ in 0..30 {
        let guess = app.unauthenticated("GET", "/login?token=wrong");
        guess.send().await;
    }
    app.log_in().await;
}

#[tokio::test]
async fn clients_of_a_trusted_proxy_are_counted_separately() {
    let app = TestApp::with(|config| config.limiter.proxies = "unix".parse().unwrap());
    let guess = async |client: &str| {
        let call = app.unauthenticated("GET", "/login?token=wrong");
        call.header("x-forwarded-for", client).send().await
    };
    for _ in 0..20 {
        guess("198.51.100.7").await.is(401);
    }
    guess("198.51.100.7").await.is(429);
    guess("198.51.100.8").await.is(401);
}

#[tokio::test]
async fn successful_logins_are_not_limited() {
    let app = TestApp::new();
    for _ in 0..30 {
        app.log_in().await;
    }
}

#[tokio::test]
async fn reset_needs_the_bearer_token() {
    let app = TestApp::new();
    let cookie = app.log_in().await;
    fail_to_log_in(&app).await;
    let session = app
        .unauthenticated("POST", "/api/limits/reset")
        .header("cookie", &cookie);
    session.send().await.refused(403, "bearer_required");
    let guess = || app.unauthenticated("GET", "/login?token=wrong");
    guess().send().await.is(429);
    app.post("/api/limits/reset").send().await.is(204);
    guess().send().await.is(401);
}

#[tokio::test]
async fn wrong_logins_are_refused_while_redis_is_missing() {
    let app = without_redis();
    let wrong = app.unauthenticated("GET", "/login?token=wrong");
    assert!(wrong.send().await.is(503).text().contains("REDIS_URL"));
    app.log_in().await;
    app.post("/api/limits/reset")
        .send()
        .await
        .refused(503, "limiter_unavailable");
}
