//! The macro of the targets that decode pictures.

/// A target of pictures of one kind.
#[macro_export]
macro_rules! fuzz_thumbnails {
    ($kind:ident) => {
        libfuzzer_sys::fuzz_target!(|data: &[u8]| -> libfuzzer_sys::Corpus {
            match fumikura_properties::thumbnail(fumikura_image::PictureKind::$kind, data) {
                true => libfuzzer_sys::Corpus::Keep,
                false => libfuzzer_sys::Corpus::Reject,
            }
        });
    };
}
