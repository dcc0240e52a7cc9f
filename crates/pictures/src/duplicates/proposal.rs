//! The proposal which picture of a group to keep, and which ones to move to the trash.

use std::cmp::Ordering;

use fumikura_library::{KeepReason, PictureType, StayReason};
use fumikura_xmp::{Marks, Rating};

use super::DuplicatePicture;

/// A picture of a group, with what is known of it now.
pub struct MemberFacts<'a> {
    pub picture: &'a DuplicatePicture,
    /// True if its files are as they were when they were compared.
    pub is_unchanged: bool,
    /// The marks that it is shown with; `None` if they can't be read.
    pub marks: Option<Marks>,
    /// The number of pixels; `None` if the header can't be read.
    pub pixels: Option<u64>,
}

/// The proposal for the pictures of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The index of the picture to keep.
    pub keep: usize,
    pub reason: KeepReason,
    /// For each picture, the reason why it is not proposed for the trash.
    pub stays: Vec<Option<StayReason>>,
}

/// Proposes which picture of a group to keep. Returns `None` for a group of fewer than two.
#[must_use]
pub fn propose(members: &[MemberFacts<'_>]) -> Option<Proposal> {
    let better = |&a: &usize, &b: &usize| compare(&members[a], &members[b]).0;
    let keep = (0..members.len()).max_by(better)?;
    let next = (0..members.len()).filter(|&at| at != keep).max_by(better)?;
    let kept = &members[keep];
    let stays = members
        .iter()
        .map(|member| match (&member.marks, &kept.marks) {
            _ if !member.is_unchanged || !kept.is_unchanged => Some(StayReason::Changed),
            (None, _) => Some(StayReason::Unreadable),
            (Some(marks), of_kept) if lacks_marks(of_kept.as_ref(), marks) => {
                Some(StayReason::Marks)
            }
            _ if lacks_files(kept.picture, member.picture) => Some(StayReason::Files),
            _ if differs(kept.picture, member.picture) => Some(StayReason::Differs),
            _ => None,
        });
    Some(Proposal {
        keep,
        reason: compare(kept, &members[next]).1,
        stays: stays.collect(),
    })
}

/// Compares two pictures: the greater one is to be kept. Also returns the property in which they differ.
fn compare(a: &MemberFacts<'_>, b: &MemberFacts<'_>) -> (Ordering, KeepReason) {
    let (file, other) = (&a.picture.file, &b.picture.file);
    let names = (file.source.path().name(), other.source.path().name());
    let by_name = || {
        let (name, other_name) = names;
        let length = other_name.len().cmp(&name.len());
        let path = || other.source.absolute().cmp(&file.source.absolute());
        length.then_with(path)
    };
    let each: [(KeepReason, &dyn Fn() -> Ordering); 9] = [
        (KeepReason::Unchanged, &|| {
            a.is_unchanged.cmp(&b.is_unchanged)
        }),
        (KeepReason::Marks, &|| worth(a).cmp(&worth(b))),
        (KeepReason::Files, &|| {
            let (own, others) = (&a.picture.companions, &b.picture.companions);
            own.len().cmp(&others.len())
        }),
        (KeepReason::Pixels, &|| a.pixels.cmp(&b.pixels)),
        (KeepReason::Sharpness, &|| {
            by_sharpness(a.picture, b.picture)
        }),
        (KeepReason::Format, &|| {
            fidelity(names.0).cmp(&fidelity(names.1))
        }),
        (KeepReason::Bytes, &|| file.stat.size.cmp(&other.stat.size)),
        (KeepReason::Older, &|| {
            other.stat.mtime.cmp(&file.stat.mtime)
        }),
        (KeepReason::Name, &by_name),
    ];
    let mut differing = each.iter().map(|(reason, order)| (order(), *reason));
    let found = differing.find(|(order, _)| order.is_ne());
    found.unwrap_or((Ordering::Equal, KeepReason::Name))
}

/// Compares the sharpness of two pictures. They are equal unless one is visibly sharper.
fn by_sharpness(a: &DuplicatePicture, b: &DuplicatePicture) -> Ordering {
    let of = |picture: &DuplicatePicture| picture.look.as_ref()?.sharpness;
    match of(a).zip(of(b)) {
        Some((one, other)) if one.exceeds(other) => Ordering::Greater,
        Some((one, other)) if other.exceeds(one) => Ordering::Less,
        _ => Ordering::Equal,
    }
}

/// Returns the number of marks, then the stars. A rejected picture is worth least.
fn worth(member: &MemberFacts<'_>) -> (i8, usize, i8) {
    let Some(marks) = &member.marks else {
        return (0, 0, 0);
    };
    let stars = marks.rating.map_or(0, Rating::number);
    let own = [
        stars > 0,
        marks.caption.is_some(),
        marks.orientation.is_some(),
        marks.taken.is_some(),
        marks.crop.is_some(),
    ];
    let count = marks.tags.len() + own.into_iter().filter(|&is_set| is_set).count();
    (stars.min(0), count, stars)
}

/// True if a picture has marks that the kept one lacks.
fn lacks_marks(kept: Option<&Marks>, other: &Marks) -> bool {
    let none = Marks::default();
    let kept = kept.unwrap_or(&none);
    let rating = other.rating.filter(|&rating| rating != Rating::Rejected);
    let lacks_rating = rating.is_some() && kept.rating != rating;
    let lacks_tag = other.tags.iter().any(|tag| !kept.tags.contains(tag));
    let lacks_caption = other.caption.is_some() && kept.caption != other.caption;
    let lacks_date = other.taken.is_some() && kept.taken.is_none();
    let lacks_turn = other.orientation.is_some() && kept.orientation.is_none();
    let lacks_crop = other.crop.is_some() && kept.crop != other.crop;
    lacks_rating || lacks_tag || lacks_caption || lacks_date || lacks_turn || lacks_crop
}

/// True if a picture has a companion whose contents the kept one lacks.
fn lacks_files(kept: &DuplicatePicture, other: &DuplicatePicture) -> bool {
    let has = |hash| kept.companions.iter().any(|(_, file)| file.hash == hash);
    let mut companions = other.companions.iter();
    companions.any(|(_, file)| file.hash.is_none() || !has(file.hash))
}

/// True if a picture is perhaps another shot than the kept one.
fn differs(kept: &DuplicatePicture, other: &DuplicatePicture) -> bool {
    let looks = kept.look.as_ref().zip(other.look.as_ref());
    looks.is_some_and(|(kept, other)| !kept.is_same_shot(other))
}

/// Returns how little a format loses.
fn fidelity(name: &[u8]) -> u8 {
    match PictureType::name_of_file(name) {
        Some("raw") => 4,
        Some("tiff" | "png" | "psd" | "svg") => 3,
        Some("jpeg" | "heic" | "avif" | "jxl") => 2,
        Some("gif" | "ico") => 0,
        Some(_) | None => 1,
    }
}
