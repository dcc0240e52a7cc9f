//! The files of one picture: a raw file with its JPEG or HEIC, and the parts of a Live Photo.
//!
//! Only names are compared, so that a folder can be listed without opening a file. Files belong together if their names
//! without extension are equal; Unicode normalization does not matter, and case matters only outside the extension.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Serialize;
use unicode_normalization::UnicodeNormalization;

use crate::formats::{FORMATS, PictureKind};

/// The part of a file in the picture of another file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum CompanionKind {
    /// The camera's sensor data of a JPEG or HEIC.
    Raw,
    /// The movie of a Live Photo.
    Motion,
    /// Apple's description of edits (`.aae`).
    Edits,
}

/// A picture of several files, by their indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinedFiles {
    /// The file that is shown, and by which the picture is sorted.
    pub shown: usize,
    /// The other files, by kind.
    pub companions: Vec<(CompanionKind, usize)>,
}

/// The role that a name allows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Still,
    Companion(CompanionKind),
}

impl Role {
    fn of(extension: &[u8]) -> Option<Self> {
        let is_one_of = |extensions: &[&str]| {
            let mut each = extensions.iter();
            each.any(|one| extension.eq_ignore_ascii_case(one.as_bytes()))
        };
        let is = |kind: PictureKind| is_one_of(FORMATS[kind as usize].extensions);
        if is(PictureKind::Jpeg) || is(PictureKind::Heif) {
            Some(Self::Still)
        } else if is(PictureKind::Raw) {
            Some(Self::Companion(CompanionKind::Raw))
        } else if is_one_of(&["mov"]) {
            Some(Self::Companion(CompanionKind::Motion))
        } else if is_one_of(&["aae"]) {
            Some(Self::Companion(CompanionKind::Edits))
        } else {
            None
        }
    }
}

/// The files of one name without extension.
#[derive(Default)]
struct Namesakes {
    stills: Vec<usize>,
    companions: Vec<(CompanionKind, usize)>,
}

impl Namesakes {
    /// Returns the picture that these files are. `None` if there is only one, or if it is uncertain which file the
    /// others belong to: two JPEG or HEIC files may be two pictures.
    fn join(self) -> Option<JoinedFiles> {
        let Self {
            stills,
            mut companions,
        } = self;
        let raws = companions
            .iter()
            .filter(|(kind, _)| *kind == CompanionKind::Raw);
        let shown = match (&stills[..], raws.count()) {
            ([still], _) => *still,
            // A movie beside a raw file is no Live Photo.
            ([], 1) => {
                companions.retain(|(kind, _)| *kind != CompanionKind::Motion);
                let raw = companions
                    .iter()
                    .position(|(kind, _)| *kind == CompanionKind::Raw)?;
                companions.remove(raw).1
            }
            _ => return None,
        };
        companions.sort_unstable();
        (!companions.is_empty()).then_some(JoinedFiles { shown, companions })
    }
}

/// Returns the pictures of several files among the files of one folder, which are given with their indices. Hidden
/// files are ignored. A folder without raw files, movies and edits costs one look at each extension.
pub fn join_files<'a>(files: impl Iterator<Item = (usize, &'a [u8])> + Clone) -> Vec<JoinedFiles> {
    let mut by_stem: HashMap<Cow<'a, [u8]>, Namesakes> = HashMap::new();
    for (index, name) in files.clone() {
        if let Some((stem, Role::Companion(kind))) = role_of(name) {
            let namesakes = by_stem.entry(normalized(stem)).or_default();
            namesakes.companions.push((kind, index));
        }
    }
    if by_stem.is_empty() {
        return Vec::new();
    }
    for (index, name) in files {
        if let Some((stem, Role::Still)) = role_of(name)
            && let Some(namesakes) = by_stem.get_mut(&normalized(stem))
        {
            namesakes.stills.push(index);
        }
    }
    by_stem.into_values().filter_map(Namesakes::join).collect()
}

/// Returns the name without its extension of a file that is joined with a JPEG or HEIC of that name; `None` for other
/// files.
#[must_use]
pub fn companion_stem(name: &[u8]) -> Option<Cow<'_, [u8]>> {
    let (stem, role) = role_of(name)?;
    (role != Role::Still).then(|| normalized(stem))
}

/// Returns the name without its extension of a JPEG or HEIC, to compare it with that of a companion.
#[must_use]
pub fn still_stem(name: &[u8]) -> Option<Cow<'_, [u8]>> {
    let (stem, role) = role_of(name)?;
    (role == Role::Still).then(|| normalized(stem))
}

/// Returns a name without its extension, and its role.
fn role_of(name: &[u8]) -> Option<(&[u8], Role)> {
    let dot = name.iter().rposition(|&byte| byte == b'.')?;
    let role = Role::of(&name[dot + 1..])?;
    (name[0] != b'.').then_some((&name[..dot], role))
}

fn normalized(stem: &[u8]) -> Cow<'_, [u8]> {
    match std::str::from_utf8(stem) {
        Ok(text) if !text.is_ascii() => Cow::Owned(text.nfc().collect::<String>().into_bytes()),
        _ => Cow::Borrowed(stem),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks which names are joined, the shown one first.
    #[track_caller]
    fn check(names: &[&str], expected: &[&[&str]]) {
        let files = names.iter().map(|name| name.as_bytes()).enumerate();
        let mut joined: Vec<Vec<&str>> = join_files(files)
            .into_iter()
            .map(|JoinedFiles { shown, companions }| {
                let others = companions.iter().map(|(_, index)| names[*index]);
                std::iter::once(names[shown]).chain(others).collect()
            })
            .collect();
        joined.sort_unstable();
        assert_eq!(joined, expected);
    }

    #[test]
    fn raw_files_join_their_jpeg_or_heic() {
        check(&["a.cr3", "a.jpg", "b.jpg"], &[&["a.jpg", "a.cr3"]]);
        check(&["a.HEIC", "a.DNG", "b.dng"], &[&["a.HEIC", "a.DNG"]]);
        check(&["a.b.jpg", "a.b.nef", "a.nef"], &[&["a.b.jpg", "a.b.nef"]]);
        // Developed files and others are pictures of their own.
        check(&["a.cr3", "a.png", "a.tif", "a.jpg.xmp"], &[]);
        check(&["a.jpg", "b.jpg", "a.txt"], &[]);
    }

    #[test]
    fn parts_of_a_live_photo_are_one() {
        check(
            &["i.AAE", "i.HEIC", "i.MOV"],
            &[&["i.HEIC", "i.MOV", "i.AAE"]],
        );
        check(&["i.jpg", "i.mov"], &[&["i.jpg", "i.mov"]]);
        check(&["i.mov", "i.aae"], &[]);
        check(&["i.mp4", "i.jpg"], &[]);
        check(&["i.dng", "i.aae", "i.mov"], &[&["i.dng", "i.aae"]]);
    }

    #[test]
    fn uncertain_files_stay_apart() {
        check(
            &["a.cr2", "a.dng", "a.jpg"],
            &[&["a.jpg", "a.cr2", "a.dng"]],
        );
        check(&["a.cr2", "a.dng", "a.aae"], &[]);
        check(&["a.jpg", "a.heic", "a.cr3"], &[]);
        check(&["a.jpg", "a.JPG", "a.cr3"], &[]);
        check(&["a.jpg", "A.cr3"], &[]);
        check(&[".a.jpg", ".a.cr3", ".jpg", ".cr3", "cr3"], &[]);
        let files: [&[u8]; 2] = [b"\xff.jpg", b"\xff.CR3"];
        assert_eq!(join_files(files.into_iter().enumerate()).len(), 1);
    }

    #[test]
    fn normalization_of_names_does_not_matter() {
        check(
            &["cafe\u{301}.jpg", "caf\u{e9}.cr3"],
            &[&["cafe\u{301}.jpg", "caf\u{e9}.cr3"]],
        );
    }
}
