//! The `Host` header must name this server.

use crate::support::{HOST, House};

/// Sends a request that needs only the right host.
async fn check(house: &House, hosts: &[&str], uri: &str, is_let_in: bool) {
    let call = house.bare("GET", uri);
    let call = hosts
        .iter()
        .fold(call, |call, host| call.header("host", host));
    let answer = call.send().await;
    if is_let_in {
        assert_eq!(answer.status, 200, "{hosts:?} {uri}: {answer:?}");
    } else {
        assert_eq!(answer.status, 403, "{hosts:?} {uri}: {answer:?}");
        answer.refused(403, "host_not_allowed");
    }
}

#[tokio::test]
async fn only_the_bound_address_is_answered_to() {
    let house = House::new();
    for own in [
        "127.0.0.1:4321",
        "localhost:4321",
        "[::1]:4321",
        "LocalHost:4321",
    ] {
        check(&house, &[own], "/healthz", true).await;
    }
    for foreign in [
        "",
        "127.0.0.1",
        "localhost",
        "[::1]",
        "127.0.0.1:4322",
        "127.0.0.1:43210",
        "127.0.0.2:4321",
        "localhost.:4321",
        "evil.example",
        "evil.example:4321",
        "127.0.0.1.evil.example:4321",
        "user@127.0.0.1:4321",
        "127.0.0.1:4321@evil.example",
        "127.0.0.1:4321, evil.example",
        "fumikura.example",
    ] {
        check(&house, &[foreign], "/healthz", false).await;
    }
}

#[tokio::test]
async fn a_host_that_is_missing_or_named_twice_is_refused() {
    let house = House::new();
    check(&house, &[], "/healthz", false).await;
    check(&house, &[HOST, HOST], "/healthz", false).await;
    check(&house, &[HOST, "evil.example"], "/healthz", false).await;
    check(&house, &["evil.example", HOST], "/healthz", false).await;
}

#[tokio::test]
async fn an_address_in_the_request_line_must_say_the_same() {
    let house = House::new();
    check(&house, &[HOST], "http://127.0.0.1:4321/healthz", true).await;
    check(&house, &[HOST], "http://evil.example/healthz", false).await;
    check(&house, &[HOST], "http://localhost:4321/healthz", false).await;
    check(
        &house,
        &["evil.example"],
        "http://127.0.0.1:4321/healthz",
        false,
    )
    .await;
    check(&house, &[], "http://127.0.0.1:4321/healthz", false).await;
    check(&house, &[HOST], "http://x@127.0.0.1:4321/healthz", false).await;
}

#[tokio::test]
async fn a_host_that_was_allowed_is_answered_to_as_it_was_named() {
    let house = House::with(|config| {
        config.hosts = vec!["fumikura.example".into(), "wiki.example:8443".into()];
    });
    check(&house, &["fumikura.example"], "/healthz", true).await;
    check(&house, &["Fumikura.Example"], "/healthz", true).await;
    check(&house, &["wiki.example:8443"], "/healthz", true).await;
    check(&house, &[HOST], "/healthz", true).await;
    check(&house, &["wiki.example"], "/healthz", false).await;
    check(&house, &["fumikura.example:4321"], "/healthz", false).await;
    check(&house, &["a.fumikura.example"], "/healthz", false).await;
}

#[tokio::test]
async fn the_host_is_asked_before_everything_else() {
    let house = House::with(|config| config.secret = None);
    for (method, path) in [
        ("GET", "/"),
        ("GET", "/wiki/"),
        ("GET", "/static/app.js"),
        ("GET", "/api/events"),
        ("GET", "/api/users"),
        ("POST", "/api/users"),
        ("GET", "/get?source=/etc/passwd"),
        ("GET", "/no/such/address"),
        ("PUT", "/healthz"),
    ] {
        let bearer = format!("Bearer {}", house.app.bearer());
        let answer = house
            .bare(method, path)
            .header("host", "evil.example")
            .header("authorization", &bearer)
            .header("sec-fetch-site", "cross-site")
            .send()
            .await;
        answer.refused(403, "host_not_allowed");
    }
    let login = house.login_path();
    let stolen = house
        .bare("GET", &login)
        .header("host", "evil.example")
        .send()
        .await;
    stolen.refused(403, "host_not_allowed");
    // The refused requests have not used up the one-time address.
    house.stranger("GET", &login).send().await.is(200);
}
