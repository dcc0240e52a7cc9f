//! Names of cameras and lenses. Each is stored once for the program, since thousands of pictures come from a few of
//! them.

use std::collections::HashMap;
use std::num::NonZeroU16;

use parking_lot::Mutex;

/// The longest name, in bytes.
const MAX_NAME_LENGTH: usize = 64;

static NAMES: Mutex<Names> = Mutex::new(Names {
    all: Vec::new(),
    numbers: None,
});

struct Names {
    all: Vec<&'static str>,
    /// The numbers of the names; `None` until there is a name.
    numbers: Option<HashMap<&'static str, NonZeroU16>>,
}

/// The name of a camera, with its maker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CameraName(NonZeroU16);

/// The name of a lens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LensName(NonZeroU16);

impl LensName {
    /// Returns a name as a picture or an index has it. `None` if it is empty, or there are too many names to store.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        number_of(name.trim()).map(Self)
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        name_of(self.0)
    }
}

impl CameraName {
    /// Returns the name of the camera that took a picture. `None` without a name, and if there are too many
    /// names to store.
    pub(crate) fn new(make: Option<&str>, model: Option<&str>) -> Option<Self> {
        let (make, model) = (make.unwrap_or_default(), model.unwrap_or_default());
        let first = make.split_whitespace().next().unwrap_or_default();
        // Many models begin with the maker's name.
        let begins = model.get(..first.len());
        let name = match begins.is_some_and(|begin| begin.eq_ignore_ascii_case(first)) {
            true => model.to_owned(),
            false => format!("{make} {model}"),
        };
        Self::of_name(name.trim())
    }

    /// Returns the name that is stored in an index. `None` if it is empty, or there are too many names to store.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        number_of(name).map(Self)
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        name_of(self.0)
    }
}

/// Returns the number of a name, which is stored if it is new.
fn number_of(name: &str) -> Option<NonZeroU16> {
    let ends = name.char_indices().map(|(at, c)| at + c.len_utf8());
    let end = ends
        .take_while(|end| *end <= MAX_NAME_LENGTH)
        .last()
        .unwrap_or(0);
    let name = &name[..end];
    if name.is_empty() {
        return None;
    }
    let mut names = NAMES.lock();
    if let Some(number) = names.numbers.get_or_insert_default().get(name) {
        return Some(*number);
    }
    let number = NonZeroU16::new(u16::try_from(names.all.len() + 1).ok()?)?;
    // At most 65,535 names are leaked.
    let name: &'static str = Box::leak(name.into());
    names.all.push(name);
    names.numbers.get_or_insert_default().insert(name, number);
    Some(number)
}

fn name_of(number: NonZeroU16) -> &'static str {
    NAMES.lock().all[usize::from(number.get()) - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makers_are_named_once() {
        let name = |make, model| CameraName::new(make, model).map(CameraName::as_str);
        assert_eq!(
            name(Some("FUJIFILM"), Some("X-T30")),
            Some("FUJIFILM X-T30")
        );
        assert_eq!(
            name(Some("Canon"), Some("Canon EOS R6")),
            Some("Canon EOS R6")
        );
        assert_eq!(
            name(Some("NIKON CORPORATION"), Some("NIKON D5")),
            Some("NIKON D5")
        );
        assert_eq!(name(None, Some("Pixel 8")), Some("Pixel 8"));
        assert_eq!(name(Some("Leica"), None), Some("Leica"));
        assert_eq!(name(None, None), None);
        let long = "写".repeat(100);
        assert_eq!(name(None, Some(&long)).unwrap().len(), 63);
        assert_eq!(
            CameraName::of_name("Pixel 8"),
            CameraName::new(None, Some("Pixel 8"))
        );
        assert_eq!(
            LensName::of_name(" 50 mm ").map(LensName::as_str),
            Some("50 mm")
        );
        assert_eq!(LensName::of_name(" "), None);
    }
}
