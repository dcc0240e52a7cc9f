//! XMP sidecars: what is read of them, and what a change makes of them.

use fumikura_xmp::{
    CameraRawCrop, CaptionChange, CropChange, Marks, MarksChange, OrientationChange, Rating,
    RatingChange, Tag, TagsChange, TakenChange, edit, read,
};
use jiff::civil::date;

const CAPTION: &str = "夕方の庭 <&>\"'\n2";
const TAGS: [&str; 4] = ["Places/Japan/Kyoto", "Kyoto", "<&>\"'", "ル"];

/// Checks one input.
pub fn sidecar(data: &[u8]) {
    // The last byte chooses, so that a sidecar is a sample of the target.
    let choice = data.last().copied().unwrap_or_default();
    let tags = (0..TAGS.len())
        .filter(|index| choice >> index & 1 == 1)
        .map(|index| Tag::parse(TAGS[index]).expect("it is one"))
        .collect();
    let rating = usize::from(choice >> 4);
    let change = MarksChange {
        rating: match Rating::ALL.get(rating) {
            Some(&rating) => RatingChange::Set(rating),
            None if rating == Rating::ALL.len() => RatingChange::Clear,
            None => RatingChange::Keep,
        },
        tags: if choice.is_multiple_of(7) {
            TagsChange::Each {
                add: tags,
                remove: Vec::new(),
            }
        } else {
            TagsChange::Set(tags)
        },
        caption: match data.len() % 4 {
            0 => CaptionChange::Keep,
            1 => CaptionChange::Clear,
            2 => CaptionChange::Set(CAPTION.to_owned()),
            _ => CaptionChange::SetIfAbsent(CAPTION.to_owned()),
        },
        orientation: match choice % 5 {
            0 => OrientationChange::Keep,
            _ => OrientationChange::Map([choice % 9; 9]),
        },
        crop: match choice % 4 {
            0 => CropChange::Keep,
            1 => CropChange::Clear,
            _ => CameraRawCrop::new([0.1, 0.2, 0.9, 0.8], f64::from(choice % 40))
                .map_or(CropChange::Clear, CropChange::Set),
        },
        taken: match choice % 6 {
            0 => TakenChange::Keep,
            1 => TakenChange::Clear,
            day => TakenChange::Set(
                date(2026, 11, i8::try_from(day).expect("it is small")).at(9, 0, 0, 0),
            ),
        },
        discards_empty: false,
    };
    let Ok(before) = read(data) else {
        assert!(edit(Some(data), &change, &Marks::default()).is_err());
        return;
    };
    // The picture itself may have marks, which the sidecar hides.
    let embedded = match choice % 3 {
        0 => Marks::default(),
        _ => Marks {
            rating: Some(Rating::Two),
            tags: vec![Tag::parse("sea").expect("it is one")],
            caption: Some(CAPTION.to_owned()),
            orientation: None,
            crop: None,
            taken: None,
        },
    };
    let before = before.over(&embedded);
    let unchanged = edit(Some(data), &MarksChange::default(), &embedded);
    assert_eq!(unchanged.expect("it can be read"), data);
    if let Ok(edited) = edit(Some(data), &change, &embedded) {
        let now = read(&edited).expect("it was written").over(&embedded);
        assert_eq!(now, change.apply_to(&before));
        assert_eq!(
            edit(Some(&edited), &change, &embedded).expect("it was written"),
            edited
        );
    }
}
