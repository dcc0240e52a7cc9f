//! Clients that open connections and never send a request.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::support::{Home, Server};

/// The number of files that may be open. The server uses half of them for connections.
const HANDLES: usize = 128;

fn connect(server: &Server, sent: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    stream.write_all(sent.as_bytes()).unwrap();
    stream
}

#[test]
fn incomplete_requests_block_no_client() {
    let limit = format!("--nofile={HANDLES}:{HANDLES}");
    let home = Home::new().run_under(&["prlimit", &limit, "--"]);
    let server = Server::start(&home);
    let mut half: Vec<_> = (0..3 * HANDLES)
        .map(|_| connect(&server, "GET / HTTP/1.1\r\n"))
        .collect();
    // An active connection stays, and every request is answered.
    let events = format!(
        "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n\r\n",
        server.port(),
        server.token()
    );
    let mut events = connect(&server, &events);
    let mut begin = [0; 12];
    events.read_exact(&mut begin).unwrap();
    assert_eq!(&begin, b"HTTP/1.1 200");
    half.extend((0..HANDLES).map(|_| connect(&server, "GET")));
    let client = server.client();
    client.get("/api/settings").unwrap().is(200);
    let draft = client.post("/api/pages?path=/a").unwrap().is(201);
    let id = draft.json()["id"].as_str().unwrap().to_owned();
    let path = format!("/api/pages/{id}/source");
    client.save(&path, &draft.lock(), "text").unwrap().is(200);
    let mut heard = [0; 1024];
    assert!(events.read(&mut heard).unwrap() > 0, "the stream was ended");
    let stderr = home.stderr();
    assert!(!stderr.contains("no handle is left"), "{stderr}");
    assert!(!stderr.contains("can't be accepted"), "{stderr}");
}
