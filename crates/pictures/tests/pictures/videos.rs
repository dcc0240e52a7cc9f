//! Videos, which are listed among the pictures.

use std::sync::Arc;
use std::time::Duration;

use fumikura_image::{Head, InProcess, PictureKind};
use fumikura_library::{EntryKind, ListFilter, ListQuery};

use crate::test_app::{TestApp, open, png};

fn block(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(8 + body.len()).unwrap();
    [&length.to_be_bytes()[..], kind, body].concat()
}

/// Returns an MP4 of ten hours without a frame. Its header is at the end.
fn mp4() -> Vec<u8> {
    let numbers =
        |all: &[u32]| -> Vec<u8> { all.iter().flat_map(|one| one.to_be_bytes()).collect() };
    let mut track = numbers(&[0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    track.extend(numbers(&[
        0x1_0000,
        0,
        0,
        0,
        0x1_0000,
        0,
        0,
        0,
        0x4000_0000,
    ]));
    track.extend(numbers(&[640 << 16, 360 << 16]));
    let movie = [
        block(b"mvhd", &numbers(&[0, 0, 0, 1000, 36_000_000])),
        block(b"trak", &block(b"tkhd", &track)),
    ];
    [
        block(b"ftyp", b"isom\0\0\0\0mp42"),
        block(b"mdat", &[1; 3000]),
        block(b"moov", &movie.concat()),
    ]
    .concat()
}

#[test]
fn videos_are_listed_with_their_duration() {
    let app = TestApp::new();
    app.write("a.mp4", &mp4());
    app.write("b.mp4", &mp4()[..2000]);
    app.write("c.png", &png([1, 2, 3]));
    let listing = app.read_listing();
    assert_eq!((listing.total, listing.pictures), (3, 3));
    let [whole, cut, picture] = &listing.entries[..] else {
        panic!("{listing:?}");
    };
    assert!(whole.is_video && cut.is_video && !picture.is_video);
    assert_eq!(whole.kind, EntryKind::Picture);
    assert_eq!(whole.duration, Some(Duration::from_secs(36_000)));
    let size = |head: Head| (head.width, head.height);
    assert_eq!(whole.head.map(size), Some((640, 360)));
    assert_eq!((cut.duration, cut.head), (None, None));
    let query = ListQuery {
        filter: ListFilter {
            types: vec!["video".parse().unwrap()],
            ..ListFilter::default()
        },
        ..ListQuery::default()
    };
    let videos = app.pictures.list(app.root, b"", &query).unwrap();
    assert_eq!(videos.total, 2);
    let original = app.pictures.original(&app.source("b.mp4")).unwrap();
    assert_eq!(original.kind, PictureKind::Mp4);
}

#[test]
fn durations_are_known_after_a_restart() {
    let app = TestApp::new();
    app.write("a.mp4", &mp4());
    app.read_listing();
    app.wait_until_saved();
    let again = open(app.base_dir(), Arc::new(InProcess::default()), |_| {});
    let listing = again.list(app.root, b"", &ListQuery::default()).unwrap();
    assert_eq!(
        listing.entries[0].duration,
        Some(Duration::from_secs(36_000))
    );
}
