//! The proposals which picture of a group of duplicates to keep.

use std::sync::Arc;

use fumikura_fs::{ContentStat, Mtime, NodeKind, RelPath, Root, Source};
use fumikura_image::CompanionKind;
use fumikura_library::{KeepReason, StayReason};
use fumikura_pictures::{ComparedFile, DuplicatePicture, MemberFacts, propose};
use fumikura_xmp::{Marks, Rating, Tag};

fn file(path: &str, size: u64, changed: i64) -> ComparedFile {
    let root = Arc::new(Root::own(b"/pictures".to_vec()));
    ComparedFile {
        source: Source::new(root, RelPath::parse(path.as_bytes()).unwrap()),
        stat: ContentStat {
            kind: NodeKind::File,
            size,
            mtime: Mtime {
                seconds: changed,
                nanoseconds: 0,
            },
        },
        hash: Some([1; 32]),
    }
}

fn picture(path: &str, size: u64, changed: i64) -> DuplicatePicture {
    DuplicatePicture {
        file: file(path, size, changed),
        companions: Vec::new(),
        look: None,
    }
}

fn with_raw(mut picture: DuplicatePicture, hash: u8) -> DuplicatePicture {
    let raw = ComparedFile {
        hash: Some([hash; 32]),
        ..file("raw.nef", 9, 9)
    };
    picture.companions.push((CompanionKind::Raw, raw));
    picture
}

fn member(picture: &DuplicatePicture) -> MemberFacts<'_> {
    MemberFacts {
        picture,
        is_unchanged: true,
        marks: Some(Marks::default()),
        pixels: Some(100),
    }
}

fn rated<'a>(member: MemberFacts<'a>, rating: Rating, tags: &[&str]) -> MemberFacts<'a> {
    let marks = Marks {
        rating: Some(rating),
        tags: tags.iter().map(|tag| Tag::parse(tag).unwrap()).collect(),
        ..Marks::default()
    };
    MemberFacts {
        marks: Some(marks),
        ..member
    }
}

#[track_caller]
fn check(members: &[MemberFacts<'_>], keep: usize, reason: KeepReason) {
    let proposal = propose(members).unwrap();
    assert_eq!((proposal.keep, proposal.reason), (keep, reason));
}

#[test]
fn better_picture_is_kept() {
    let (old, new) = (picture("a.jpg", 5, 1), picture("b.jpg", 5, 2));
    check(&[member(&new), member(&old)], 1, KeepReason::Older);
    let copy = picture("a (2).jpg", 5, 1);
    check(&[member(&copy), member(&old)], 1, KeepReason::Name);
    let large = picture("large name.jpg", 6, 3);
    check(&[member(&large), member(&old)], 0, KeepReason::Bytes);
    let png = picture("c.png", 4, 3);
    check(&[member(&large), member(&png)], 1, KeepReason::Format);
    let more = MemberFacts {
        pixels: Some(200),
        ..member(&new)
    };
    check(&[member(&png), more], 1, KeepReason::Pixels);
    let raw = with_raw(picture("z.jpg", 1, 9), 7);
    check(&[member(&png), member(&raw)], 1, KeepReason::Files);
    let marked = rated(member(&new), Rating::Two, &[]);
    check(&[member(&raw), marked], 1, KeepReason::Marks);
    let rejected = rated(member(&old), Rating::Rejected, &["tag"]);
    check(&[rejected, member(&new)], 1, KeepReason::Marks);
    let changed = MemberFacts {
        is_unchanged: false,
        ..rated(member(&old), Rating::Five, &[])
    };
    check(&[changed, member(&new)], 1, KeepReason::Unchanged);
    assert_eq!(propose(&[member(&old)]), None);
}

#[test]
fn pictures_with_something_of_their_own_stay() {
    let (a, b) = (picture("a.jpg", 5, 1), picture("b.jpg", 5, 2));
    let stays = |members: &[MemberFacts<'_>]| propose(members).unwrap().stays;
    assert_eq!(stays(&[member(&a), member(&b)]), [None, None]);
    let best = || rated(member(&a), Rating::Five, &["x", "y"]);
    let others = [
        (rated(member(&b), Rating::Five, &["y"]), None),
        (rated(member(&b), Rating::Rejected, &[]), None),
        (
            rated(member(&b), Rating::Four, &[]),
            Some(StayReason::Marks),
        ),
        (
            rated(member(&b), Rating::Five, &["z"]),
            Some(StayReason::Marks),
        ),
    ];
    for (other, expected) in others {
        assert_eq!(stays(&[best(), other])[1], expected);
    }
    let (raw, other_raw) = (with_raw(a.clone(), 7), with_raw(b.clone(), 8));
    let same_raw = with_raw(b.clone(), 7);
    assert_eq!(stays(&[member(&raw), member(&same_raw)])[1], None);
    let files = Some(StayReason::Files);
    assert_eq!(stays(&[member(&raw), member(&other_raw)])[1], files);
    let unread = MemberFacts {
        marks: None,
        ..member(&b)
    };
    assert_eq!(stays(&[best(), unread])[1], Some(StayReason::Unreadable));
    let changed = MemberFacts {
        is_unchanged: false,
        ..member(&b)
    };
    assert_eq!(stays(&[best(), changed])[1], Some(StayReason::Changed));
}
