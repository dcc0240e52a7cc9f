//! A thumbnail that is there: what answering with it asks of the disk.

use std::path::Path;

use rustix::process::Signal;

use crate::support::{Call, Place, Trace, with_a_picture};

const THUMBNAIL: &str = "&size=64x64";

/// The calls that look at a file or open it.
const LOOKS: &[&str] = &[
    "stat",
    "lstat",
    "fstat",
    "newfstatat",
    "statx",
    "openat",
    "openat2",
];

/// How often it is asked for, where it is sent first when it is not there yet.
const ASKED: usize = 6;
/// How often of these all is known, and what came before is over.
const KNOWN: usize = ASKED - 2;

/// The calls that come after this was answered for the second time.
fn afterwards(trace: &Trace, status: u16) -> impl Iterator<Item = &Call> {
    let answers = trace.calls(&["write", "writev", "sendto"]);
    let status = format!("HTTP/1.1 {status}");
    let mut sent = answers.filter(|call| call.says.contains(&status));
    let second = sent.nth(1).unwrap();
    let looks = trace.calls(LOOKS);
    looks.filter(|call| second.began < call.began)
}

/// Each such answer costs one look at the picture and nothing else.
fn check(place: &Place, trace: &Trace, status: u16) {
    let afterwards = || afterwards(trace, status);
    let picture = place.path().join("pictures/a.jpg");
    let of = |path: &Path| format!("<{}>", path.display());
    let looks =
        afterwards().filter(|call| call.name.contains("stat") && call.says.contains(&of(&picture)));
    assert_eq!(looks.count(), KNOWN);
    // Named, but never opened to be read.
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
fn what_is_sent_costs_one_look_at_the_picture_and_nothing_else() {
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
fn what_somebody_has_already_costs_one_look_at_the_picture_and_nothing_else() {
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
