//! Uploads over a real connection: refused, interrupted, and on a full disk.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::support::{Client, Disk, Home, Server, until};

/// More than a connection's buffers hold, and than the disk of the tests has left when it is full.
const LARGE: usize = 24 << 20;

fn page(client: &Client, path: &str) -> String {
    let draft = client.post(&format!("/api/pages?path={path}")).unwrap();
    let draft = draft.is(201);
    let id = draft.json()["id"].as_str().unwrap().to_owned();
    let saved = client.save(&format!("/api/pages/{id}/source"), &draft.lock(), "text");
    saved.unwrap().is(200);
    id
}

/// Begins a raw upload.
fn begin(server: &Server, page: &str, length: u64) -> TcpStream {
    begin_with(server, page, length, "")
}

/// Begins a raw upload with an additional header.
fn begin_with(server: &Server, page: &str, length: u64, further: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
    let head = format!(
        "POST /api/pages/{page}/assets/a.bin HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\
         Authorization: Bearer {}\r\n{further}Content-Length: {length}\r\n\r\n",
        server.port(),
        server.token(),
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

#[test]
fn refused_upload_is_answered_despite_unsent_body() {
    let home = Home::new().with_config("asset_limit_bytes = 1000000");
    let server = Server::start(&home);
    let client = server.client();
    let page = page(&client, "/a");
    let contents = vec![7; LARGE];
    let too_large = client.upload(&page, "a", &contents);
    too_large.unwrap().refused(413, "too_large");
    let nowhere = "01JD0000000000000000000000";
    let unknown = client.upload(nowhere, "a", &contents[..900_000]);
    unknown.unwrap().refused(404, "page_not_found");
    let name = client.upload(&page, "%0A", &contents);
    name.unwrap().refused(422, "invalid_file_name");
    assert!(home.assets().is_empty());
    client
        .upload(&page, "a", &contents[..1_000_000])
        .unwrap()
        .is(201);
}

#[test]
fn too_large_upload_is_refused_by_header() {
    let home = Home::new();
    let server = Server::start(&home);
    let page = page(&server.client(), "/a");
    for further in ["", "Expect: 100-continue\r\n"] {
        let mut stream = begin_with(&server, &page, (100 << 20) + 1, further);
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 413");
    }
    // The server asks for the body of an upload that it does not refuse.
    let mut stream = begin_with(&server, &page, 2, "Expect: 100-continue\r\n");
    let mut answer = [0; 25];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(b"ab").unwrap();
    stream.read_exact(&mut answer[..12]).unwrap();
    assert_eq!(&answer[..12], b"HTTP/1.1 201");
}

#[test]
fn abandoned_upload_leaves_nothing() {
    let home = Home::new();
    let server = Server::start(&home);
    let client = server.client();
    let page = page(&client, "/a");
    for sent in [0, 1, 300_000, 2_000_000] {
        let mut stream = begin(&server, &page, 3_000_000);
        stream.write_all(&vec![7; sent]).unwrap();
        if sent > 0 {
            until("it is begun", || home.assets().len() == 1);
        }
        drop(stream);
        until("it is gone", || home.assets().is_empty());
    }
    // An upload does not block other writers.
    let _slow = begin(&server, &page, 3_000_000);
    until("it is begun", || home.assets().len() == 1);
    client.upload(&page, "b.bin", b"x").unwrap().is(201);
    let listed = client.get(&format!("/api/pages/{page}/assets?with_deleted=true"));
    let listed = listed.unwrap().is(200).json();
    assert_eq!(listed.as_array().unwrap().len(), 1);
}

#[test]
fn shutdown_during_upload_leaves_nothing() {
    let home = Home::new();
    let server = Server::start(&home);
    let page = page(&server.client(), "/a");
    let mut stream = begin(&server, &page, 3_000_000);
    stream.write_all(&vec![7; 1_000_000]).unwrap();
    until("it is begun", || home.assets().len() == 1);
    let outcome = server.stop(rustix::process::Signal::TERM);
    assert_eq!(outcome.code, Some(0), "{}", home.stderr());
    assert!(outcome.took < Duration::from_secs(15), "{:?}", outcome.took);
    assert!(home.assets().is_empty());
}

#[test]
fn full_disk_keeps_no_partial_upload() {
    let Some(disk) = Disk::mounted() else {
        // Without the right to mount, only the other test is possible.
        return file_size_limit_keeps_no_partial_upload();
    };
    let home = Home::new().with_data(&disk.path().join("data"));
    let server = Server::start(&home);
    let client = server.client();
    let page = page(&client, "/a");
    let small = client
        .upload(&page, "small", b"small")
        .unwrap()
        .is(201)
        .json();
    disk.fill();
    let full = client.upload(&page, "large", &vec![7; LARGE]);
    full.unwrap().refused(507, "disk_full");
    assert_eq!(home.assets().len(), 1);
    let address = format!("/api/asset?id={}", small["id"].as_str().unwrap());
    assert_eq!(client.bytes(&address).unwrap(), b"small");
    disk.empty();
    let large = vec![7; LARGE];
    let brought = client
        .upload(&page, "large", &large)
        .unwrap()
        .is(201)
        .json();
    let address = format!("/api/asset?id={}", brought["id"].as_str().unwrap());
    server.kill();
    let server = Server::start(&home);
    assert!(server.client().bytes(&address).unwrap() == large);
}

#[test]
fn file_size_limit_keeps_no_partial_upload() {
    // The signal that comes with it would end the program; a full disk sends none.
    let home = Home::new().run_under(&["env", "--ignore-signal=XFSZ"]);
    let server = Server::start(&home);
    let client = server.client();
    let page = page(&client, "/a");
    let pid = server.pid().as_raw_nonzero().to_string();
    let limit = |limit: &str| {
        let status = std::process::Command::new("prlimit")
            .args(["--pid", &pid, &format!("--fsize={limit}:")])
            .status();
        assert!(status.unwrap().success());
    };
    limit("4000000");
    let full = client.upload(&page, "large", &vec![7; LARGE]);
    full.unwrap().refused(507, "disk_full");
    assert!(home.assets().is_empty());
    limit("unlimited");
    client
        .upload(&page, "large", &vec![7; LARGE])
        .unwrap()
        .is(201);
}
