//! The page to compare with: one line of text in plain HTML, served from an address of this machine.

use anyhow::Result;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A line to read, and a field whose contents are echoed as they are typed.
const HTML: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Blank</title>\
    <p>One line of text.</p><textarea autofocus></textarea><output></output>";

/// A server that answers every request with this page, until dropped.
pub struct BlankPage {
    url: String,
    task: JoinHandle<()>,
}

impl BlankPage {
    /// Starts listening.
    ///
    /// # Errors
    /// Fails if no port is free.
    pub async fn serve() -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let url = format!("http://{}/", listener.local_addr()?);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    // A client that disconnects before the answer needs none.
                    let _ = answer(stream).await;
                });
            }
        });
        Ok(Self { url, task })
    }

    /// Returns the address.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for BlankPage {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(stream: TcpStream) -> Result<()> {
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    // The head of the request ends with an empty line.
    while stream.read_line(&mut line).await? > 0 && !line.trim_end().is_empty() {
        line.clear();
    }
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        HTML.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(HTML.as_bytes()).await?;
    stream.shutdown().await?;
    Ok(())
}
