//! Reads the marks in a sidecar.

use roxmltree::NS_XML_URI;

use super::crop::CameraRawCrop;
use super::marks::{read_date, read_orientation};
use super::packet::{Form, Item, Packet, Place};
use super::schema::{
    CREATED, DESCRIPTION, ORIENTATION, PATHS, RATING, RATING_OF_ACDSEE, RATING_PERCENT, SUBJECT,
    TAKEN, TITLE,
};
use super::tag::{Keywords, Tag, without_duplicates};
use super::{Encoding, Marks, Rating, SidecarError, SidecarMarks, StatedMarks, packet};

const MAX_TAGS: usize = 10_000;

/// Reads the marks in a sidecar, or in an XMP packet.
///
/// The tags are those of all properties together, since each program writes only some of them: first the paths,
/// in the order in which digiKam reads them, then the keywords that no path covers.
///
/// # Errors
/// [`SidecarError`] if the bytes are not XMP, or exceed the bounds.
pub fn read(sidecar: &[u8]) -> Result<SidecarMarks, SidecarError> {
    let (text, _) = Encoding::decode(sidecar)?;
    let document = packet::parse(&text)?;
    marks_of(&Packet::of(&document)?)
}

pub(super) fn marks_of(packet: &Packet<'_, '_>) -> Result<SidecarMarks, SidecarError> {
    let (rating, has_rating) = rating_in(packet);
    let places: Vec<_> = PATHS
        .iter()
        .flat_map(|paths| packet.places(&paths.property))
        .collect();
    let paths = without_duplicates(tags_at(&places)?);
    let subjects = packet.places(&SUBJECT);
    let keywords = tags_at(&subjects)?;
    let accounted = Keywords::of(&paths);
    let others: Vec<Tag> = keywords
        .into_iter()
        .filter(|keyword| !accounted.covers(keyword))
        .collect();
    let tags = without_duplicates(paths.into_iter().chain(others));
    let descriptions = packet.places(&DESCRIPTION);
    let caption = descriptions.iter().find_map(text_at);
    let orientation = packet
        .places(&ORIENTATION)
        .iter()
        .flat_map(Place::texts)
        .find_map(read_orientation);
    let dates = [&TAKEN, &CREATED].map(|property| packet.places(property));
    let mut dates = dates.iter().flatten().flat_map(Place::texts);
    let taken = dates.find_map(read_date);
    Ok(SidecarMarks {
        stated: StatedMarks {
            rating: has_rating,
            tags: !places.is_empty() || !subjects.is_empty(),
            caption: !descriptions.is_empty(),
        },
        marks: Marks {
            rating,
            tags,
            caption,
            orientation,
            crop: CameraRawCrop::read(packet),
            taken,
        },
        title: packet.places(&TITLE).iter().find_map(text_at),
    })
}

/// Returns the rating, and true if it is stated, even as none: by `xmp:Rating`, or else by the copies of other programs.
fn rating_in(packet: &Packet<'_, '_>) -> (Option<Rating>, bool) {
    let read_percent: fn(&str) -> _ = |text| Rating::of_percent(text.trim().parse().ok()?);
    let readers = [
        (&RATING, Rating::read as fn(&str) -> _),
        (&RATING_OF_ACDSEE, Rating::read),
        (&RATING_PERCENT, read_percent),
    ];
    for (property, read) in readers {
        let places = packet.places(property);
        if !places.is_empty() {
            return (places.iter().flat_map(Place::texts).find_map(read), true);
        }
    }
    (None, false)
}

/// Returns the text in the default language, or else the first one.
pub(super) fn text_at(place: &Place<'_, '_>) -> Option<String> {
    let text = match place {
        Place::Element(_, Form::Array(_, items)) => main_item(items)?.text.as_deref()?,
        Place::Attribute(_) | Place::Element(_, Form::Text(_) | Form::Foreign) => {
            *place.texts().first()?
        }
    };
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Returns the relevant item of an `rdf:Alt`: the one in the default language, or else the first one with a text.
pub(super) fn main_item<'a, 'n, 'input>(
    items: &'a [Item<'n, 'input>],
) -> Option<&'a Item<'n, 'input>> {
    let is_default = |item: &&Item<'_, '_>| {
        let language = item.node.attribute((NS_XML_URI, "lang"));
        item.text.is_some() && language == Some("x-default")
    };
    let default = items.iter().find(is_default);
    default.or_else(|| items.iter().find(|item| item.text.is_some()))
}

pub(super) fn tags_at(places: &[Place<'_, '_>]) -> Result<Vec<Tag>, SidecarError> {
    let tags = places.iter().flat_map(Place::texts).filter_map(Tag::read);
    let tags: Vec<Tag> = tags.take(MAX_TAGS + 1).collect();
    if tags.len() > MAX_TAGS {
        Err(SidecarError::TooMuch("tags"))
    } else {
        Ok(tags)
    }
}
