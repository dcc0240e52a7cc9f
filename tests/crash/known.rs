//! A thumbnail that is there: what answering with it asks of the disk.

use std::path::Path;

use rustix::process::Signal;

use crate::support::{Call, Place, Trace, with_a_picture};

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

/// How often it is asked for, first when it is not there yet.
const ASKED: usize = 6;
/// How often of these all is known, and what came before is over.
const KNOWN: usize = ASKED - 2;

/// The calls that come after a thumbnail was sent for the second time.
fn afterwards(trace: &Trace) -> impl Iterator<Item = &Call> {
    let answers = trace.calls(&["write", "writev", "sendto"]);
    let mut sent = answers.filter(|call| call.says.contains("HTTP/1.1 200"));
    let second = sent.nth(1).unwrap();
    let looks = trace.calls(LOOKS);
    looks.filter(|call| second.began < call.began)
}

#[test]
fn one_look_at_the_picture_and_nothing_else() {
    let (place, tracing) = Place::new().traced();
    let (server, query) = with_a_picture(&place);
    let pid = server.pid();
    let client = server.client();
    for _ in 0..ASKED {
        let answer = client.get_bytes(&format!("/thumb?{query}&size=64x64"));
        assert_eq!(answer, Ok(200));
    }
    server.end(Signal::TERM);
    let trace = tracing.ended(pid);
    let picture = place.path().join("pictures/a.jpg");
    let of = |path: &Path| format!("<{}>", path.display());
    let looks = afterwards(&trace)
        .filter(|call| call.name.contains("stat") && call.says.contains(&of(&picture)));
    assert_eq!(looks.count(), KNOWN);
    // Named, but never opened to be read.
    let opened = afterwards(&trace)
        .filter(|call| call.name.starts_with("open") && call.says.contains("a.jpg"));
    let opened: Vec<_> = opened.collect();
    assert_eq!(opened.len(), KNOWN, "{opened:?}");
    for call in opened {
        assert!(call.says.contains("O_PATH"), "{call:?}");
    }
    let thumbnails = place.path().join("cache/thumbs").display().to_string();
    let others: Vec<_> = afterwards(&trace)
        .filter(|call| call.says.contains(&thumbnails))
        .collect();
    assert!(others.is_empty(), "{others:?}");
}
