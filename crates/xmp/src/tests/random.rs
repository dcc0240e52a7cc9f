//! Tests with random marks and sidecars.

use std::ops::Range;

use jiff::SignedDuration;
use jiff::civil::date;
use proptest::prelude::*;

use super::samples::{ALL, DARKTABLE, DIGIKAM, EXIFTOOL, LIGHTROOM};
use super::*;
use crate::packet::{self, Packet, Place};
use crate::schema::{
    CAPTION_COPIES, CATEGORIES, CREATED, CROP_ANGLE, CROP_BOTTOM, CROP_LEFT, CROP_RIGHT, CROP_TOP,
    DESCRIPTION, HAS_CROP, ORIENTATION, PATHS, RATING, RATING_OF_ACDSEE, RATING_PERCENT, SUBJECT,
    TAKEN,
};

fn any_tag() -> impl Strategy<Value = Tag> {
    // Few letters, so that levels and keywords coincide.
    let few = "[ab](/[abc]){0,3}";
    let any = "[^\\p{C}]{1,12}(/[^\\p{C}]{0,5}){0,3}";
    prop_oneof![few, any].prop_filter_map("no tag", |text| Tag::parse(&text).ok())
}

fn any_marks() -> impl Strategy<Value = Marks> {
    let rating = prop::option::of(prop::sample::select(&Rating::ALL[..]));
    let caption = prop::option::of("[a<&\"' \\n\u{3042}]{0,8}");
    let orientation = prop::option::of(1..=8_u8);
    let tags = prop::collection::vec(any_tag(), 0..6);
    let seconds = prop::option::of(0..4_000_000_000_i64);
    let crop = (0.0..0.4_f64, 0.6..1.0_f64, -45.0..45.0_f64);
    let crop = prop::option::of(crop.prop_filter_map("no crop", |(start, end, angle)| {
        CameraRawCrop::new([start, start / 2.0, end, end], angle)
    }));
    let marks = (rating, tags, caption, orientation, crop, seconds);
    marks.prop_map(|(rating, tags, caption, orientation, crop, seconds)| {
        let after = |seconds| date(1970, 1, 1).at(0, 0, 0, 0) + SignedDuration::from_secs(seconds);
        let change = to(&Marks {
            rating,
            tags,
            caption,
            orientation,
            crop,
            taken: seconds.map(after),
        });
        change.apply_to(&Marks::default())
    })
}

/// Generates a sidecar with known properties in any form and order, and with others between them.
fn any_sidecar() -> impl Strategy<Value = String> {
    let texts = prop::collection::vec("[ab](\\|[abc]){0,2}|[a-c]/[a-c]| x ", 0..4);
    let name = prop::sample::select(vec![
        "dk:TagsList",
        "lr:hierarchicalSubject",
        "dc:subject",
        "lr:HierarchicalSubject",
    ]);
    let space = prop::sample::select(vec!["", " ", "\n  ", "<!-- c -->", "\n<xmp:x>y</xmp:x>"]);
    let array = prop::sample::select(vec!["Bag", "Seq", "Alt"]);
    let property = (name, texts, space.clone(), array).prop_map(|(name, texts, space, array)| {
        let items: String = texts
            .iter()
            .map(|text| format!("{space}<r:li>{text}</r:li>"))
            .collect();
        match texts.as_slice() {
            [text] if array == "Alt" => format!("<{name}>{text}</{name}>"),
            _ if space.contains("<xmp") => format!("{space}<{name}><r:{array}/></{name}>"),
            _ => format!("<{name}>{space}<r:{array}>{items}{space}</r:{array}></{name}>{space}"),
        }
    });
    let rating = prop::sample::select(vec![
        "",
        "<xmp:Rating>3</xmp:Rating>",
        "<xmp:Rating/>\n",
        "<xmp:Rating>-1.0</xmp:Rating>",
    ]);
    let caption = prop::sample::select(vec![
        "",
        "<dc:description>a &amp; b</dc:description>",
        "<dc:description><r:Alt><r:li xml:lang='de'>b</r:li><r:li xml:lang='x-default'>a</r:li></r:Alt></dc:description>",
        "<dc:description><r:Alt/></dc:description>",
    ]);
    let captioned = prop::sample::select(vec!["", " dc:description='c'"]);
    let description = (
        prop::collection::vec(property, 0..4),
        rating,
        space,
        any::<bool>(),
        caption,
        captioned,
    )
        .prop_map(|(properties, rating, space, rated, caption, captioned)| {
            let attribute = if rated { " xmp:Rating = \"2\"" } else { "" };
            let properties = properties.concat();
            format!("<r:Description{attribute}{captioned}>{space}{properties}{rating}{caption}{space}</r:Description>")
        });
    prop::collection::vec(description, 1..3).prop_map(|all| packet(&all.concat()))
}

/// Returns the rest of a sidecar without the known properties, and without the white space before
/// them.
fn others(sidecar: &[u8]) -> String {
    let text = str::from_utf8(sidecar).unwrap();
    let document = packet::parse(text).unwrap();
    let packet = Packet::of(&document).unwrap();
    let properties = PATHS.iter().map(|paths| &paths.property);
    let mut ranges: Vec<Range<usize>> = properties
        .chain([
            &RATING,
            &RATING_OF_ACDSEE,
            &RATING_PERCENT,
            &SUBJECT,
            &CATEGORIES,
            &DESCRIPTION,
            &ORIENTATION,
            &TAKEN,
            &CREATED,
            &HAS_CROP,
            &CROP_TOP,
            &CROP_LEFT,
            &CROP_BOTTOM,
            &CROP_RIGHT,
            &CROP_ANGLE,
        ])
        .chain(&CAPTION_COPIES)
        .flat_map(|property| packet.places(property))
        .map(|place| match place {
            Place::Attribute(attribute) => attribute.range(),
            Place::Element(element, _) => element.range(),
        })
        .collect();
    ranges.sort_by_key(|range| range.start);
    let mut rest = String::new();
    let mut at = 0;
    for range in ranges {
        rest.push_str(text[at..range.start].trim_end());
        at = range.end;
    }
    rest + &text[at..]
}

proptest! {
    #[test]
    fn written_marks_are_read_back(before in any_marks(), after in any_marks()) {
        let sidecar = edit(None, &to(&before)).unwrap();
        prop_assert_eq!(read(&sidecar).unwrap(), before);
        let sidecar = edit(Some(&sidecar), &to(&after)).unwrap();
        prop_assert_eq!(read(&sidecar).unwrap(), after);
    }

    #[test]
    fn only_our_properties_change(sidecar in any_sidecar(), marks in any_marks()) {
        let after = edit(Some(sidecar.as_bytes()), &to(&marks)).unwrap();
        prop_assert_eq!(read(&after).unwrap(), marks);
        prop_assert_eq!(others(&after), others(sidecar.as_bytes()));
    }

    #[test]
    fn content_of_other_programs_survives(
        sample in prop::sample::select(vec![DIGIKAM, DARKTABLE, LIGHTROOM, EXIFTOOL]),
        marks in any_marks(),
    ) {
        let after = edit(Some(sample), &to(&marks)).unwrap();
        prop_assert_eq!(read(&after).unwrap(), marks.clone());
        prop_assert_eq!(others(&after), others(sample));
        let again = edit(Some(&after), &to(&marks)).unwrap();
        prop_assert_eq!(again, after);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = (read(&bytes), edit(Some(&bytes), &tagged(&["a"])));
    }

    #[test]
    fn damaged_sidecars_never_panic(
        sample in prop::sample::select(ALL.to_vec()),
        at in any::<prop::sample::Index>(),
        length in 0usize..30,
        new in "[<>/&;\"'=a:]{0,4}",
        marks in any_marks(),
    ) {
        let mut damaged = sample.to_vec();
        let start = at.index(damaged.len());
        let end = (start + length).min(damaged.len());
        damaged.splice(start..end, new.into_bytes());
        if let Ok(after) = edit(Some(&damaged), &to(&marks)) {
            prop_assert_eq!(read(&after).unwrap(), marks);
        }
    }
}
