//! Saved metadata of folders: complete, damaged, and over the limits.

use std::time::UNIX_EPOCH;

use fumikura_fs::{Ctime, Mtime};
use fumikura_image::{CameraName, Head, LensName, PictureHash};
use fumikura_xmp::{CameraRawCrop, Marks, Rating, SidecarMarks, StatedMarks, Tag};
use jiff::civil::date;

use super::*;
use crate::header::HeaderMetadata;
use crate::read_state::{FileState, ReadState};

const CTIME: Ctime = Ctime {
    seconds: 1_700_000_000,
    nanoseconds: 1,
};

fn outcome(size: u64, head: Option<Head>) -> MetadataRead {
    let mtime = Mtime {
        seconds: -1,
        nanoseconds: 999_999_999,
    };
    let header = HeaderMetadata {
        head,
        taken: head.map(|_| date(2024, 5, 6).at(7, 8, 9, 250_000_000)),
        embeds: head.is_some(),
        camera: head.and_then(|_| CameraName::of_name("X-T30")),
        lens: head.and_then(|_| LensName::of_name("XF35mmF2")),
        is_incomplete: head.is_some(),
        duration: Some(Duration::from_millis(90_500)),
        embedded: head.map(|_| {
            Arc::new(Marks {
                rating: Some(Rating::Two),
                tags: vec![Tag::parse("海").unwrap()],
                ..Marks::default()
            })
        }),
    };
    MetadataRead {
        header: ReadState::Read(
            FileState {
                size,
                mtime,
                ctime: CTIME,
            },
            header,
        ),
        marks: ReadState::Unread,
        hash: match head {
            Some(_) => ReadState::Read(
                FileState {
                    size,
                    mtime,
                    ctime: CTIME,
                },
                PictureHash::from_bytes(&[7; 24]).unwrap(),
            ),
            None => ReadState::Unread,
        },
    }
}

fn marked(size: u64) -> MetadataRead {
    let mtime = Mtime {
        seconds: 1,
        nanoseconds: 0,
    };
    let marks = Marks {
        rating: Some(Rating::Rejected),
        tags: ["Places/京都", "a"]
            .map(|tag| Tag::parse(tag).unwrap())
            .into(),
        caption: Some("金閣寺".to_owned()),
        orientation: Some(8),
        crop: CameraRawCrop::new([0.1, 0.2, 0.9, 1.0], -1.5),
        taken: Some(date(2024, 5, 6).at(8, 8, 9, 0)),
    };
    MetadataRead {
        marks: ReadState::Read(
            FileState {
                size,
                mtime,
                ctime: CTIME,
            },
            Arc::new(SidecarMarks {
                marks,
                stated: StatedMarks {
                    rating: true,
                    tags: true,
                    caption: false,
                },
                title: None,
            }),
        ),
        header: ReadState::Unread,
        hash: ReadState::Unread,
    }
}

const SIZE: Head = Head {
    width: 4_000,
    height: 3_000,
    orientation: 6,
};

fn take(manifest: &mut Manifest, name: &[u8]) -> Option<MetadataRead> {
    manifest.take(&NaturalName::new(name))
}

/// Returns the sizes of the pictures that have metadata.
fn loaded_sizes(mut manifest: Manifest, names: &[&[u8]]) -> Vec<Option<u64>> {
    let size = |outcome: MetadataRead| outcome.header.of().map(|of| of.size);
    let of = |&name: &&[u8]| take(&mut manifest, name).and_then(size);
    names.iter().map(of).collect()
}

const ODD: &[u8] = b"\xff\n.jpg";

#[test]
fn saved_metadata_is_loaded_again() {
    let outer = tempfile::tempdir().unwrap();
    let manifests = Manifests::new(outer.path().join("folders"));
    assert_eq!(loaded_sizes(manifests.load(b"/a"), &[b"b.jpg"]), [None]);
    let known = [
        (&b"b.jpg"[..], outcome(1, Some(SIZE))),
        (b"c.jpg", marked(3)),
        (ODD, outcome(2, None)),
    ];
    let failed = MetadataRead {
        marks: ReadState::Failed(None),
        header: ReadState::Unread,
        hash: ReadState::Unread,
    };
    let mut with_failed = known.to_vec();
    with_failed.insert(2, (b"d.jpg", failed));
    manifests.save(b"/a", with_failed).unwrap();
    manifests.save(b"/b", []).unwrap();
    let mut found = manifests.load(b"/a");
    for (name, outcome) in &known {
        assert_eq!(take(&mut found, name).as_ref(), Some(outcome));
    }
    assert_eq!(found.at, found.bytes.len());
    assert_eq!(take(&mut manifests.load(b"/a"), b"d.jpg"), None);
    assert_eq!(loaded_sizes(manifests.load(b"/b"), &[b"b.jpg"]), [None]);
    manifests.save(b"/a", known[..1].to_vec()).unwrap();
    assert_eq!(
        loaded_sizes(manifests.load(b"/a"), &[b"b.jpg", ODD]),
        [Some(1), None]
    );
}

#[test]
fn manifest_applies_to_a_changed_folder() {
    let outer = tempfile::tempdir().unwrap();
    let manifests = Manifests::new(outer.path().to_owned());
    let names: [&[u8]; 5] = [
        b"img2.jpg",
        b"img10.jpg",
        b"img11.jpg",
        "猫.jpg".as_bytes(),
        ODD,
    ];
    let known = names.into_iter().zip(1..);
    let known = known.map(|(name, size)| (name, outcome(size, Some(SIZE))));
    manifests.save(b"/a", known).unwrap();
    let loaded_sizes = |names: &[&[u8]]| loaded_sizes(manifests.load(b"/a"), names);
    assert_eq!(loaded_sizes(&names), [1, 2, 3, 4, 5].map(Some));
    // Some names were added, some removed.
    let now: [&[u8]; 5] = [b"img1.jpg", b"img3.jpg", b"img10.jpg", b"img12.jpg", ODD];
    assert_eq!(loaded_sizes(&now), [None, None, Some(2), None, Some(5)]);
    assert_eq!(loaded_sizes(&[ODD, "犬.jpg".as_bytes()]), [Some(5), None]);
}

#[test]
fn damaged_or_foreign_files_are_ignored() {
    let outer = tempfile::tempdir().unwrap();
    let manifests = Manifests::new(outer.path().to_owned());
    let known = [(&b"b.jpg"[..], outcome(1, Some(SIZE)))];
    let loaded_sizes = |folder: &[u8]| loaded_sizes(manifests.load(folder), &[b"b.jpg"]);
    manifests.save(b"/a", known).unwrap();
    let path = manifests.path_of(b"/a");
    let whole = fs::read(&path).unwrap();
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 1;
    for bytes in [&whole[..whole.len() - 1], &flipped, b"", MAGIC, b"notes"] {
        fs::write(&path, bytes).unwrap();
        assert_eq!(loaded_sizes(b"/a"), [None], "{bytes:?}");
    }
    // This is like two paths with the same SHA-1.
    fs::write(manifests.path_of(b"/b"), &whole).unwrap();
    assert_eq!(loaded_sizes(b"/b"), [None]);
    fs::write(&path, &whole).unwrap();
    assert_eq!(loaded_sizes(b"/a"), [Some(1)]);
    fs::remove_file(manifests.path_of(b"/b")).unwrap();
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    assert_eq!(loaded_sizes(b"/a"), [None]);
    manifests
        .each_manifest(&mut |_, _, _| panic!("a link is no index"))
        .unwrap();
    manifests
        .save(b"/a", [(&b"b.jpg"[..], outcome(1, Some(SIZE)))])
        .unwrap();
    assert_eq!(loaded_sizes(b"/a"), [Some(1)]);
}

#[test]
fn least_recently_used_files_are_evicted_first() {
    let file = |name: &str, bytes, second| ManifestFile {
        path: name.into(),
        bytes,
        used: UNIX_EPOCH + Duration::from_secs(second),
    };
    let files = || {
        vec![
            file("old", 10, 1),
            file("new", 10, 3),
            file("middle", 10, 2),
        ]
    };
    let gone = |most, bytes| files_to_evict(files(), Budget { files: most, bytes });
    assert!(gone(3, 30).is_empty());
    assert_eq!(gone(2, 30), [PathBuf::from("old")]);
    assert_eq!(gone(3, 29), [PathBuf::from("old")]);
    assert_eq!(gone(0, 0), ["middle", "old"].map(PathBuf::from));
}

#[test]
fn only_manifest_files_are_recognized() {
    let id = "0123456789abcdef0123456789abcdef01234567";
    assert!(is_ours(Path::new(&format!("/x/{id}.folder"))));
    for name in [
        format!("{id}.txt"),
        format!("{}.folder", &id[1..]),
        id.to_uppercase(),
        "notes.folder".into(),
    ] {
        assert!(!is_ours(Path::new(&name)), "{name}");
    }
}
