//! The application segments of a JPEG.

use fumikura_image::tiff::orientation_in;
use image::metadata::Orientation;

/// An application segment: its number (APP*n*) and content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marker {
    pub(super) number: u8,
    pub(super) content: Vec<u8>,
}

/// The number of the segment with Exif.
pub(super) const EXIF: u8 = 1;
/// The number of the segments with the parts of an ICC profile.
pub(super) const ICC: u8 = 2;
/// The number of Adobe's segment.
pub(super) const ADOBE: u8 = 14;

const EXIF_HEAD: &[u8] = b"Exif\0\0";
const ICC_HEAD: &[u8] = b"ICC_PROFILE\0";

/// Returns the orientation of the picture; upright if none can be read.
pub(super) fn orientation(markers: &[Marker]) -> Orientation {
    of(markers, EXIF, EXIF_HEAD)
        .find_map(orientation_in)
        .unwrap_or(Orientation::NoTransforms)
}

/// Returns the ICC profile, joined from its parts, or `None` if one is missing or duplicated.
pub(super) fn profile(markers: &[Marker]) -> Option<Vec<u8>> {
    let mut parts: Vec<(u8, u8, &[u8])> = of(markers, ICC, ICC_HEAD)
        .filter_map(|part| match part {
            [number, count, content @ ..] => Some((*number, *count, content)),
            _ => None,
        })
        .collect();
    parts.sort_by_key(|(number, _, _)| *number);
    let whole = !parts.is_empty()
        && parts
            .iter()
            .zip(1..=u8::MAX)
            .all(|((number, count, _), place)| {
                *number == place && usize::from(*count) == parts.len()
            });
    whole.then(|| {
        parts
            .iter()
            .flat_map(|(_, _, part)| *part)
            .copied()
            .collect()
    })
}

/// True if Adobe's marker is present.
pub(super) fn is_adobe(markers: &[Marker]) -> bool {
    of(markers, ADOBE, b"Adobe").next().is_some()
}

fn of<'a>(
    markers: &'a [Marker],
    number: u8,
    head: &'a [u8],
) -> impl Iterator<Item = &'a [u8]> + 'a {
    markers
        .iter()
        .filter(move |marker| marker.number == number)
        .filter_map(move |marker| marker.content.strip_prefix(head))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(number: u8, count: u8, content: &[u8]) -> Marker {
        let content = [ICC_HEAD, &[number, count], content].concat();
        Marker {
            number: ICC,
            content,
        }
    }

    #[test]
    fn profile_parts_are_joined_in_order() {
        let markers = [part(2, 2, b"cd"), part(1, 2, b"ab")];
        assert_eq!(profile(&markers).unwrap(), b"abcd");
    }

    #[test]
    fn profile_with_missing_or_repeated_part_is_rejected() {
        assert_eq!(profile(&[]), None);
        assert_eq!(profile(&[part(2, 2, b"cd")]), None);
        assert_eq!(profile(&[part(1, 2, b"ab")]), None);
        assert_eq!(profile(&[part(1, 2, b"ab"), part(1, 2, b"ab")]), None);
        assert_eq!(profile(&[part(0, 1, b"ab")]), None);
    }
}
