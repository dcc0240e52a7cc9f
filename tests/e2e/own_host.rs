//! The server's own host for browsers.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use fumikura_tests::stage::Stage;
use fumikura_tests::wait;
use parking_lot::Mutex;
use reqwest::Method;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::steps;

const ANSWER: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 5\r\nconnection: close\r\n\r\nHello";

/// The heads of the requests that another program has received.
type RequestHeads = Arc<Mutex<Vec<String>>>;

pub(crate) async fn no_other_port_gets_the_cookie(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    // The login links for programs lead to the bound address.
    page.client().delete_all_cookies().await?;
    let api = stage.api().await?;
    let made = api.send(Method::POST, "api/login-links", &[], String::new());
    let made: Value = made.await?.error_for_status()?.json().await?;
    let login = made["browser_login"].as_str().context("no login")?;
    page.go(login).await?;
    page.wait_for("page-body").await?;
    let own = page.client().current_url().await?;
    let host = own.host_str().context("a page has a host")?;
    ensure!(
        host.starts_with("fumikura-") && host.ends_with(".localhost"),
        "the browser is at {own}"
    );
    let cookies = page.client().get_all_cookies().await?;
    let mut names = cookies.iter().map(|cookie| cookie.name());
    ensure!(
        names.any(|name| name.starts_with("fumikura_session")),
        "the browser has no session"
    );

    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let port = listener.local_addr()?.port();
    let heads = RequestHeads::default();
    let answering = tokio::spawn(listen(listener, Arc::clone(&heads)));
    for name in ["127.0.0.1", "localhost"] {
        page.go(&format!("http://{name}:{port}/{name}")).await?;
        let request_line = format!("GET /{name} ");
        let head = wait::until("the other program to be asked", async || {
            let heads = heads.lock();
            let head = heads.iter().find(|head| head.starts_with(&request_line));
            Ok(head.cloned())
        })
        .await?;
        let head = head.to_ascii_lowercase();
        ensure!(!head.contains("\ncookie:"), "it gets a cookie: {head}");
        ensure!(!head.contains(host), "it is told of the own host: {head}");
    }
    answering.abort();
    page.go(own.as_str()).await?;
    page.wait_for("page-body").await?;
    Ok(())
}

/// Answers every request, and records it.
async fn listen(listener: TcpListener, heads: RequestHeads) -> Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        let heads = Arc::clone(&heads);
        tokio::spawn(async move {
            // A connection that the browser opens in advance may stay empty.
            let _ = answer(stream, &heads).await;
        });
    }
}

async fn answer(stream: TcpStream, heads: &RequestHeads) -> Result<()> {
    let mut stream = BufReader::new(stream);
    let mut head = String::new();
    while stream.read_line(&mut head).await? > 0 && !head.ends_with("\r\n\r\n") {}
    heads.lock().push(head);
    stream.get_mut().write_all(ANSWER).await?;
    Ok(())
}
