//! The least that a preview would take if the local server rendered it: the page sends the whole text, the server parses
//! it and answers with as many bytes, and the page reads them. The HTML, which is longer, and its painting come on top.

use std::sync::Arc;

use anyhow::{Context, Result};
use axum::Router;
use axum::extract::State;
use axum::response::Html;
use axum::routing::{get, post};
use fumikura_tests::page::Page;
use fumikura_tests::times::Times;
use pulldown_cmark::{Options, Parser};
use tokio::net::TcpListener;

/// The first rounds warm up the connection and the browser's code.
const WARM_UP: usize = 20;
const ROUNDS: usize = 100;

const SCRIPT: &str =
    "<!doctype html><meta charset=\"utf-8\"><title>Remote</title><script type=\"module\">
    const text = await (await fetch('/text')).text();
    const times = [];
    for (let round = 0; round < ROUNDS; round++) {
        const start = performance.now();
        const answer = await fetch('/parsed', { method: 'POST', body: text });
        await answer.text();
        times.push(performance.now() - start);
    }
    window.times = times;
</script>";

/// Measures the exchange in this tab, and prints it.
pub(crate) async fn measure(page: &Page, text: String) -> Result<()> {
    let length = text.len();
    let script = SCRIPT.replace("ROUNDS", &(WARM_UP + ROUNDS).to_string());
    let parse_times = Arc::new(parking_lot::Mutex::new(Times::default()));
    let server = Router::new()
        .route("/", get(|| async { Html(script) }))
        .route("/text", get(|| async { text }))
        .route("/parsed", post(parsed))
        .with_state(Arc::clone(&parse_times));
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let url = format!("http://{}/", listener.local_addr()?);
    let task = tokio::spawn(axum::serve(listener, server).into_future());
    page.go(&url).await?;
    page.wait_until("all exchanges", "return Array.isArray(window.times)")
        .await?;
    let times = page.execute("return window.times").await?;
    task.abort();
    let mut exchange = Times::default();
    for time in times.as_array().context("no times")?.iter().skip(WARM_UP) {
        exchange.push(time.as_f64().context("a time is a number")?);
    }
    let parse = parse_times.lock().clone();
    println!(
        "rendered by the local server, at least: {:.1} ({:.1}), with {:.1} of parsing {} KiB",
        exchange.median(),
        exchange.percentile(95),
        parse.median(),
        length >> 10,
    );
    Ok(())
}

async fn parsed(State(times): State<Arc<parking_lot::Mutex<Times>>>, text: String) -> String {
    let mut time = Times::default();
    let count = time.measure(|| Parser::new_ext(&text, Options::all()).count());
    times.lock().extend(&time);
    debug_assert!(count > 0, "a text has events");
    text
}
