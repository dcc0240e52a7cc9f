//! A cached thumbnail: the file system calls for a response.

use std::path::Path;

use rustix::process::Signal;

use crate::support::{Call, Client, Home, Trace, until, with_a_picture};

const THUMBNAIL: &str = "&size=64x64";

/// The calls that stat or open a file.
const STATS_AND_OPENS: &[&str] = &[
    "stat",
    "lstat",
    "fstat",
    "newfstatat",
    "statx",
    "openat",
    "openat2",
];

/// The number of requests in a test, of which the first may make the thumbnail.
const REQUESTS: usize = 6;
/// The number of requests after the second response, when the thumbnail is known and all earlier work has ended.
const CACHED_REQUESTS: usize = REQUESTS - 2;

/// Returns the calls after the second response.
fn afterwards(trace: &Trace, status: u16) -> impl Iterator<Item = &Call> {
    let answers = trace.calls(&["write", "writev", "sendto"]);
    let status = format!("HTTP/1.1 {status}");
    let sent: Vec<_> = answers.filter(|call| call.text.contains(&status)).collect();
    // Those before were about other things.
    let second = sent[sent.len() - CACHED_REQUESTS - 1];
    let calls = trace.calls(STATS_AND_OPENS);
    calls.filter(|call| second.start < call.start)
}

/// Checks that each such response costs one stat of the picture and nothing else.
fn check(home: &Home, trace: &Trace, status: u16) {
    let afterwards = || afterwards(trace, status);
    let picture = home.path().join("pictures/a.jpg");
    let of = |path: &Path| format!("<{}>", path.display());
    let calls =
        afterwards().filter(|call| call.name.contains("stat") && call.text.contains(&of(&picture)));
    assert_eq!(calls.count(), CACHED_REQUESTS);
    // By an `O_PATH` handle, but never opened for reading.
    let opened =
        afterwards().filter(|call| call.name.starts_with("open") && call.text.contains("a.jpg"));
    let opened: Vec<_> = opened.collect();
    assert_eq!(opened.len(), CACHED_REQUESTS, "{opened:?}");
    for call in opened {
        assert!(call.text.contains("O_PATH"), "{call:?}");
    }
    let thumbnails = home.path().join("cache/thumbs").display().to_string();
    let others: Vec<_> = afterwards()
        .filter(|call| call.text.contains(&thumbnails))
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

/// Waits until the cache is counted, for which its folder is read.
fn until_counted(client: &Client) {
    until("the cache is counted", || {
        let cache = client.get("/api/cache").unwrap().is(200).json();
        cache["scanning"] == false
    });
}

#[test]
fn cached_thumbnail_costs_one_stat() {
    let (home, tracing) = Home::new().with_tracing();
    let (server, query) = with_a_picture(&home);
    let pid = server.pid();
    let client = server.client();
    until_counted(&client);
    for _ in 0..REQUESTS {
        let answer = client.get_bytes(&format!("/thumb?{query}{THUMBNAIL}"));
        assert_eq!(answer, Ok(200));
    }
    server.stop(Signal::TERM);
    check(&home, &tracing.of_process(pid), 200);
}

#[test]
fn not_modified_answer_costs_one_stat() {
    let (home, tracing) = Home::new().with_tracing();
    let (server, query) = with_a_picture(&home);
    let pid = server.pid();
    let client = server.client();
    until_counted(&client);
    let address = format!("/thumb?{query}{THUMBNAIL}");
    let tag = client.tag(&address).unwrap();
    for _ in 0..REQUESTS {
        assert_eq!(client.get_if_none_match(&address, &tag), Ok(304));
    }
    server.stop(Signal::TERM);
    check(&home, &tracing.of_process(pid), 304);
}
