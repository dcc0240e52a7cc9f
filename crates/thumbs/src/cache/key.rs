//! The ids of thumbnails of cropped pictures.

use fumikura_fs::{PictureVersion, ThumbId};
use fumikura_image::Variant;

/// Returns the id and the variant under which a thumbnail is stored: the crop of a picture is part of the id.
#[must_use]
pub fn stored_key(id: ThumbId, variant: Variant) -> (ThumbId, Variant) {
    let Some(crop) = variant.crop else {
        return (id, variant);
    };
    let whole = Variant {
        crop: None,
        ..variant
    };
    (id.derived(crop.to_string().as_bytes()), whole)
}

/// Returns the same of a version.
pub(super) fn stored_version(
    version: PictureVersion,
    variant: Variant,
) -> (PictureVersion, Variant) {
    let (id, variant) = stored_key(version.id, variant);
    (PictureVersion { id, ..version }, variant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crops_are_stored_apart() {
        let id = ThumbId::from_bytes([7; 20]);
        let of = |crop| Variant::default().cropped(crop).unwrap();
        let one = of(Some("0.5,0.5,0.5,0.5,0"));
        let other = of(Some("0.5,0.5,0.5,0.5,1"));
        assert_eq!(stored_key(id, of(None)), (id, of(None)));
        let (one, variant) = stored_key(id, one);
        let (other, _) = stored_key(id, other);
        assert_eq!(variant, of(None));
        assert!(one != id && other != id && one != other);
        assert_eq!(stored_key(one, variant), (one, variant));
    }
}
