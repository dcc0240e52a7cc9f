//! A cached thumbnail: the file system calls for a response.

use std::path::Path;

use rustix::process::Signal;

use crate::support::{Call, Place, Trace, with_a_picture};

const THUMBNAIL: &str = "&size=64x64";

/// The calls that stat or open a file.
const LOOKS: &[&str] = &[
    "stat",
    "lstat",
    "fstat",
    "newfstatat",
    "statx",
    "openat",
    "openat2",
];

/// The number of requests in a test, of which the first may make the thumbnail.
const ASKED: usize = 6;
/// The number of requests after the second response, when the thumbnail is known and all earlier work has ended.
const KNOWN: usize = ASKED - 2;

/// Returns the calls after the second response.
fn afterwards(trace: &Trace, status: u16) -> impl Iterator<Item = &Call> {
    let answers = trace.calls(&["write", "writev", "sendto"]);
    let status = format!("HTTP/1.1 {status}");
    let mut sent = answers.filter(|call| call.says.contains(&status));
    let second = sent.nth(1).unwrap();
    let looks = trace.calls(LOOKS);
    looks.filter(|call| second.began < call.began)
}

/// Checks that each such response costs one stat of the picture and nothing else.
fn check(place: &Place, trace: &Trace, status: u16) {
    let afterwards = || afterwards(trace, status);
    let picture = place.path().join("pictures/a.jpg");
    let of = |path: &Path| format!("<{}>", path.display());
    let looks =
        afterwards().filter(|call| call.name.contains("stat") && call.says.contains(&of(&picture)));
    assert_eq!(looks.count(), KNOWN);
    // By an `O_PATH` handle, but never opened for reading.
    let opened =
        afterwards().filter(|call| call.name.starts_with("open") && call.says.contains("a.jpg"));
    let opened: Vec<_> = opened.collect();
    assert_eq!(opened.len(), KNOWN, "{opened:?}");
    for call in opened {
        assert!(call.says.contains("O_PATH"), "{call:?}");
    }
    let thumbnails = place.path().join("cache/thumbs").display().to_string();
    let others: Vec<_> = afterwards()
        .filter(|call| call.says.contains(&thumbnails))
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn cached_thumbnail_costs_one_stat() {
    let (place, tracing) = Place::new().traced();
    let (server, query) = with_a_picture(&place);
    let pid = server.pid();
    let client = server.client();
    for _ in 0..ASKED {
        let answer = client.get_bytes(&format!("/thumb?{query}{THUMBNAIL}"));
        assert_eq!(answer, Ok(200));
    }
    server.end(Signal::TERM);
    check(&place, &tracing.ended(pid), 200);
}

#[test]
fn not_modified_answer_costs_one_stat() {
    let (place, tracing) = Place::new().traced();
    let (server, query) = with_a_picture(&place);
    let pid = server.pid();
    let client = server.client();
    let address = format!("/thumb?{query}{THUMBNAIL}");
    let tag = client.tag(&address).unwrap();
    for _ in 0..ASKED {
        assert_eq!(client.get_unless(&address, &tag), Ok(304));
    }
    server.end(Signal::TERM);
    check(&place, &tracing.ended(pid), 304);
}
