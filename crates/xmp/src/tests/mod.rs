//! Tests with sidecars as programs write them, and with any that could be written.

mod disk;
mod forms;
mod random;
mod samples;

use super::{
    CameraRawCrop, CaptionChange, CropChange, Marks, MarksChange, OrientationChange, Rating,
    RatingChange, SidecarError, Tag, TagsChange, TakenChange,
};

fn read(sidecar: &[u8]) -> Result<Marks, SidecarError> {
    crate::read(sidecar).map(|sidecar| sidecar.marks)
}

/// Changes the sidecar of a picture that has no marks of its own.
fn edit(existing: Option<&[u8]>, change: &MarksChange) -> Result<Vec<u8>, SidecarError> {
    crate::edit(existing, change, &Marks::default())
}

fn tags(names: &[&str]) -> Vec<Tag> {
    names.iter().map(|name| Tag::parse(name).unwrap()).collect()
}

fn marks(rating: Option<Rating>, names: &[&str]) -> Marks {
    Marks {
        rating,
        tags: tags(names),
        ..Marks::default()
    }
}

/// Returns the change that results in these marks from any others.
fn to(marks: &Marks) -> MarksChange {
    MarksChange {
        rating: marks.rating.map_or(RatingChange::Clear, RatingChange::Set),
        tags: TagsChange::Set(marks.tags.clone()),
        caption: match &marks.caption {
            Some(caption) => CaptionChange::Set(caption.clone()),
            None => CaptionChange::Clear,
        },
        orientation: OrientationChange::Map([marks.orientation.unwrap_or(0); 9]),
        crop: marks.crop.map_or(CropChange::Clear, CropChange::Set),
        taken: marks.taken.map_or(TakenChange::Clear, TakenChange::Set),
        discards_empty: false,
    }
}

fn rated(rating: RatingChange) -> MarksChange {
    MarksChange {
        rating,
        ..MarksChange::default()
    }
}

/// Returns the change to an orientation; 0 for none.
fn oriented(orientation: u8) -> MarksChange {
    MarksChange {
        orientation: OrientationChange::Map([orientation; 9]),
        ..MarksChange::default()
    }
}

fn cropped(crop: Option<CameraRawCrop>) -> MarksChange {
    MarksChange {
        crop: crop.map_or(CropChange::Clear, CropChange::Set),
        ..MarksChange::default()
    }
}

fn dated(taken: Option<&str>) -> MarksChange {
    MarksChange {
        taken: taken.map_or(TakenChange::Clear, |taken| {
            TakenChange::Set(taken.parse().unwrap())
        }),
        ..MarksChange::default()
    }
}

fn tagged(names: &[&str]) -> MarksChange {
    MarksChange {
        tags: TagsChange::Set(tags(names)),
        ..MarksChange::default()
    }
}

#[track_caller]
fn edited(sidecar: &str, change: &MarksChange) -> String {
    String::from_utf8(edit(Some(sidecar.as_bytes()), change).unwrap()).unwrap()
}

/// Wraps the properties of a description in a packet without white space.
fn packet(properties: &str) -> String {
    format!(
        "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
         xmlns:xmp='http://ns.adobe.com/xap/1.0/' \
         xmlns:dc='http://purl.org/dc/elements/1.1/' \
         xmlns:dk='http://www.digikam.org/ns/1.0/' \
         xmlns:lr='http://ns.adobe.com/lightroom/1.0/'>{properties}</r:RDF>"
    )
}
