//! The name of the colour profile that comes with a picture.

use std::fs::File;
use std::io::BufReader;

use image::{ImageDecoder, ImageReader};
use moxcms::{ColorProfile, ProfileText};

use super::{BUDGET, STEP};
use crate::decode::Limits;
use crate::decode::source::{format_of, guarded, kind_of};
use crate::decode::window::Window;

/// What the profile calls itself; `None` where there is none that can be read cheaply.
pub(crate) fn profile(file: File, length: u64) -> Option<String> {
    let bytes = guarded(|| {
        let mut file = Window::new(file, length, BUDGET);
        let format = format_of(kind_of(&mut file)?)?;
        let file = BufReader::with_capacity(STEP, file);
        let mut reader = ImageReader::with_format(file, format);
        reader.limits(Limits::default().for_decoder());
        Ok(reader.into_decoder()?.icc_profile()?)
    });
    let profile = ColorProfile::new_from_slice(&bytes.ok()??).ok()?;
    let name = match profile.description? {
        ProfileText::PlainString(name) => name,
        ProfileText::Localizable(names) => {
            let english = names.iter().position(|name| name.language == "en");
            names.into_iter().nth(english.unwrap_or(0))?.value
        }
        ProfileText::Description(name) => name.ascii_string,
    };
    let name = name.trim_matches(|character: char| character == '\0' || character.is_whitespace());
    (!name.is_empty()).then(|| name.to_owned())
}
