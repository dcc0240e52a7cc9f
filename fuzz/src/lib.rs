//! The macros of the targets. Under `cargo xtask fuzz` a target is called by libFuzzer; built as any other program, it
//! runs on the files that its arguments name, which shows a failure again without a nightly compiler.

use std::sync::LazyLock;
use std::{env, fs, io};

use fumikura_image::{FORMATS, PictureKind};

/// The name in the environment.
const EXTENSION: &str = "FUMIKURA_FUZZ_EXTENSION";

#[cfg(fuzzing)]
#[doc(hidden)]
pub use libfuzzer_sys;

/// A target whose input is bytes.
#[macro_export]
macro_rules! bytes {
    ($check:path) => {
        $crate::target!(|input: &[u8]| $check(input));
    };
}

/// A target whose input is text.
#[macro_export]
macro_rules! text {
    ($check:path) => {
        $crate::target!(|input: &[u8]| {
            if let Ok(text) = ::std::str::from_utf8(input) {
                $check(text);
            }
        });
    };
}

/// A target of pictures.
#[macro_export]
macro_rules! thumbnails {
    () => {
        $crate::target!(|input: &[u8]| -> bool {
            ::fumikura_properties::thumbnail($crate::fuzzed_kind(), input)
        });
    };
}

/// Returns the kind of pictures whose names have the extension in the environment; `None` for all kinds if there is
/// none.
#[doc(hidden)]
pub fn fuzzed_kind() -> Option<PictureKind> {
    static KIND: LazyLock<Option<PictureKind>> = LazyLock::new(|| {
        let extension = env::var(EXTENSION).ok()?;
        let format = FORMATS
            .iter()
            .find(|format| format.extensions.contains(&extension.as_str()));
        Some(format.expect("an extension of a format").kind)
    });
    *KIND
}

/// A target of a closure, which may return whether the input is of its kind. Others aren't worth varying.
#[cfg(fuzzing)]
#[doc(hidden)]
#[macro_export]
macro_rules! target {
    (|$input:ident: &[u8]| -> bool $check:block) => {
        $crate::libfuzzer_sys::fuzz_target!(|$input: &[u8]| -> $crate::libfuzzer_sys::Corpus {
            match $check {
                true => $crate::libfuzzer_sys::Corpus::Keep,
                false => $crate::libfuzzer_sys::Corpus::Reject,
            }
        });
    };
    (|$input:ident: &[u8]| $check:expr) => {
        $crate::libfuzzer_sys::fuzz_target!(|$input: &[u8]| $check);
    };
}

#[cfg(not(fuzzing))]
#[doc(hidden)]
#[macro_export]
macro_rules! target {
    (|$input:ident: &[u8]| -> bool $check:block) => {
        $crate::target!(|$input: &[u8]| {
            let _: bool = $check;
        });
    };
    (|$input:ident: &[u8]| $check:expr) => {
        fn main() -> ::std::io::Result<()> {
            $crate::for_each_file(|$input: &[u8]| $check)
        }
    };
}

/// Runs a target on each file that the program's arguments name.
#[doc(hidden)]
pub fn for_each_file(target: impl Fn(&[u8])) -> io::Result<()> {
    env::args_os()
        .skip(1)
        .try_for_each(|file| fs::read(file).map(|input| target(&input)))
}
