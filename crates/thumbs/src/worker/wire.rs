//! The protocol between a parent and its worker.
//!
//! Each message is a packet. The worker begins with its [`greeting`]; the parent answers with
//! [`Settings`], then sends one [`Job`] at a time, with two handles, the picture and an empty file,
//! and waits for its [`WorkerAnswer`]. A worker whose socket is closed ends.
//!
//! The greeting is text and never changes its form, so that each build can detect another one. All
//! other messages are postcard, and may change from build to build with [`PROTOCOL`].

use std::io;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use fumikura_image::{Crop, DecodeError, Limits, Rendition, Size, Turn, Variant};

/// The version of the messages below within one version of the program.
const PROTOCOL: u32 = 8;

/// The longest message, in bytes.
pub(super) const MAX_MESSAGE_BYTES: usize = 4096;

/// The maximum length of a text in a message, in characters.
const WORDS: usize = 256;

/// Returns the first message of a worker.
pub(super) fn greeting() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("fumikura thumb-worker {version} protocol {PROTOCOL}")
}

/// The settings for all jobs of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Settings {
    /// See [`Limits::pixels`].
    pub(super) pixels: u64,
    /// See [`Limits::side`].
    pub(super) side: u32,
    /// See [`Limits::file_bytes`].
    pub(super) file_bytes: u64,
    /// The maximum memory, in bytes.
    pub(super) memory: u64,
    /// The maximum processor time of a job, in seconds.
    pub(super) cpu_seconds: u64,
    /// The maximum size of a thumbnail, in bytes.
    pub(super) output: u64,
}

impl Settings {
    pub(super) fn limits(self) -> Limits {
        Limits {
            pixels: self.pixels,
            side: self.side,
            file_bytes: self.file_bytes,
        }
    }
}

/// A thumbnail to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Job {
    /// The number of the job, which the answer repeats.
    pub(super) number: u64,
    /// The length of the picture's file, in bytes.
    pub(super) length: u64,
    width: u16,
    height: u16,
    mode: Mode,
    format: Format,
    /// See [`Turn::number`].
    turn: u8,
    crop: Option<Crop>,
    /// The picture to make instead of a thumbnail.
    rendition: Option<Rendition>,
    /// The first of the frames to make instead of either.
    frames: Option<u32>,
}

/// The kind of result that a job asks for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Product {
    Thumbnail(Variant),
    Rendition(Rendition),
    /// Frames from this index on.
    Frames(u32),
}

impl Job {
    pub(super) fn new(number: u64, length: u64, variant: Variant) -> Self {
        Self {
            number,
            length,
            width: variant.size.width(),
            height: variant.size.height(),
            mode: variant.mode.into(),
            format: variant.format.into(),
            turn: variant.turn.number(),
            crop: variant.crop,
            rendition: None,
            frames: None,
        }
    }

    pub(super) fn of_rendition(number: u64, length: u64, rendition: Rendition) -> Self {
        Self {
            rendition: Some(rendition),
            ..Self::new(number, length, Variant::default())
        }
    }

    pub(super) fn of_frames(number: u64, length: u64, from: u32) -> Self {
        Self {
            frames: Some(from),
            ..Self::new(number, length, Variant::default())
        }
    }

    /// Returns what is to be made; `None` if a thumbnail's size or turn is invalid.
    pub(super) fn product(self) -> Option<Product> {
        match (self.frames, self.rendition) {
            (Some(from), _) => Some(Product::Frames(from)),
            (None, Some(rendition)) => Some(Product::Rendition(rendition)),
            (None, None) => self.variant().map(Product::Thumbnail),
        }
    }

    /// Returns the requested thumbnail; `None` if the size or the turn is invalid.
    fn variant(self) -> Option<Variant> {
        Some(Variant {
            size: Size::new(self.width, self.height)?,
            mode: self.mode.into(),
            format: self.format.into(),
            turn: Turn::of_number(self.turn)?,
            crop: self.crop,
        })
    }
}

/// The outcome of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WorkerAnswer {
    /// The number of the job.
    pub(super) number: u64,
    /// The thumbnail in the file of the job, or the failure.
    pub(super) outcome: Result<ThumbnailFile, Failure>,
}

/// A thumbnail in the file of its job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ThumbnailFile {
    /// Its length, in bytes.
    pub(super) length: u64,
    /// See [`PictureHash`](fumikura_image::PictureHash).
    pub(super) hash: Option<Vec<u8>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Mode {
    Crop,
    Shrink,
    Stretch,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Format {
    Jpg,
    Png,
    Webp,
}

/// A decoder's failure for a picture; see [`DecodeError`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Failure {
    NotAPicture,
    UnsupportedKind(String),
    FileTooLarge { bytes: u64, limit: u64 },
    TooManyPixels { width: u32, height: u32, limit: u64 },
    TooLarge(String),
    Damaged(String),
    Panicked,
    Io { code: Option<i32>, words: String },
    NoVideoDecoder(String),
}

/// Encodes a message.
pub(super) fn encode(message: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(message).expect("BUG: a message has no part that can't be written")
}

/// Decodes a message; `None` if it is not of this type.
pub(super) fn decode<M: DeserializeOwned>(bytes: &[u8]) -> Option<M> {
    let (message, rest) = postcard::take_from_bytes(bytes).ok()?;
    rest.is_empty().then_some(message)
}

/// Returns the beginning of a text, as much as a message can hold.
pub(super) fn excerpt(text: &str) -> String {
    text.chars().take(WORDS).collect()
}

impl From<fumikura_image::Mode> for Mode {
    fn from(mode: fumikura_image::Mode) -> Self {
        match mode {
            fumikura_image::Mode::Crop => Self::Crop,
            fumikura_image::Mode::Shrink => Self::Shrink,
            fumikura_image::Mode::Stretch => Self::Stretch,
        }
    }
}

impl From<Mode> for fumikura_image::Mode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Crop => Self::Crop,
            Mode::Shrink => Self::Shrink,
            Mode::Stretch => Self::Stretch,
        }
    }
}

impl From<fumikura_image::Format> for Format {
    fn from(format: fumikura_image::Format) -> Self {
        match format {
            fumikura_image::Format::Jpg => Self::Jpg,
            fumikura_image::Format::Png => Self::Png,
            fumikura_image::Format::Webp => Self::Webp,
        }
    }
}

impl From<Format> for fumikura_image::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Jpg => Self::Jpg,
            Format::Png => Self::Png,
            Format::Webp => Self::Webp,
        }
    }
}

impl From<DecodeError> for Failure {
    fn from(error: DecodeError) -> Self {
        match error {
            DecodeError::NotAPicture => Self::NotAPicture,
            DecodeError::UnsupportedKind(kind) => Self::UnsupportedKind(excerpt(&kind)),
            DecodeError::NoVideoDecoder(words) => Self::NoVideoDecoder(excerpt(&words)),
            DecodeError::FileTooLarge { bytes, limit } => Self::FileTooLarge { bytes, limit },
            DecodeError::TooManyPixels {
                width,
                height,
                limit,
            } => Self::TooManyPixels {
                width,
                height,
                limit,
            },
            DecodeError::TooLarge(words) => Self::TooLarge(excerpt(&words)),
            DecodeError::Damaged(words) => Self::Damaged(excerpt(&words)),
            DecodeError::Panicked => Self::Panicked,
            DecodeError::Io(error) => Self::Io {
                code: error.raw_os_error(),
                words: excerpt(&error.to_string()),
            },
            // Only parents report these. A decoder that has workers in its turn blames no picture.
            error @ (DecodeError::Crashed(_)
            | DecodeError::Killed
            | DecodeError::TimedOut(_)
            | DecodeError::Unanswered(_)
            | DecodeError::Unintelligible(_)
            | DecodeError::NoDecoder(_)) => Self::Io {
                code: None,
                words: excerpt(&error.to_string()),
            },
        }
    }
}

impl From<Failure> for DecodeError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NotAPicture => Self::NotAPicture,
            Failure::UnsupportedKind(kind) => Self::UnsupportedKind(kind.into()),
            Failure::NoVideoDecoder(words) => Self::NoVideoDecoder(words),
            Failure::FileTooLarge { bytes, limit } => Self::FileTooLarge { bytes, limit },
            Failure::TooManyPixels {
                width,
                height,
                limit,
            } => Self::TooManyPixels {
                width,
                height,
                limit,
            },
            Failure::TooLarge(words) => Self::TooLarge(words),
            Failure::Damaged(words) => Self::Damaged(words),
            Failure::Panicked => Self::Panicked,
            Failure::Io { code, words } => {
                let error =
                    code.map_or_else(|| io::Error::other(words), io::Error::from_raw_os_error);
                Self::Io(Arc::new(error))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn thumbnail_file(hash: Option<Vec<u8>>) -> ThumbnailFile {
        ThumbnailFile { length: 300, hash }
    }

    /// The bytes are the contract between two processes. A change of them requires a new
    /// [`PROTOCOL`].
    #[test]
    fn message_encoding_is_stable() {
        assert_eq!(PROTOCOL, 8);
        let settings = Settings {
            pixels: 1,
            side: 2,
            file_bytes: 3,
            memory: 4,
            cpu_seconds: 5,
            output: 300,
        };
        assert_eq!(encode(&settings), [1, 2, 3, 4, 5, 0xac, 2]);
        let variant = Variant::parse(Some("85x300"), Some("shrink"), Some("webp")).unwrap();
        let variant = variant.turned(Some("6")).unwrap();
        let job = Job::new(7, 1000, variant);
        assert_eq!(encode(&job), [7, 0xe8, 7, 85, 0xac, 2, 1, 2, 6, 0, 0, 0]);
        let variant = variant.cropped(Some("0,0.0000001,0.0000002,0.0000003,-0.000002"));
        let job = Job::new(7, 1000, variant.unwrap());
        // Integers of postcard are zigzag-encoded.
        let crop = [1, 0, 2, 4, 6, 3];
        let expected = [&[7, 0xe8, 7, 85, 0xac, 2, 1, 2, 6][..], &crop, &[0, 0]].concat();
        assert_eq!(encode(&job), expected);
        for (outcome, bytes) in [
            (Ok(thumbnail_file(None)), &[0, 0xac, 2, 0][..]),
            (
                Ok(thumbnail_file(Some(vec![9; 5]))),
                &[0, 0xac, 2, 1, 5, 9, 9, 9, 9, 9],
            ),
            (Err(Failure::NotAPicture), &[1, 0]),
            (Err(Failure::UnsupportedKind("a".into())), &[1, 1, 1, b'a']),
            (
                Err(Failure::FileTooLarge { bytes: 9, limit: 8 }),
                &[1, 2, 9, 8],
            ),
            (
                Err(Failure::TooManyPixels {
                    width: 3,
                    height: 2,
                    limit: 5,
                }),
                &[1, 3, 3, 2, 5],
            ),
            (Err(Failure::TooLarge("a".into())), &[1, 4, 1, b'a']),
            (Err(Failure::Damaged("a".into())), &[1, 5, 1, b'a']),
            (Err(Failure::Panicked), &[1, 6]),
            (
                Err(Failure::Io {
                    code: Some(5),
                    words: "a".into(),
                }),
                &[1, 7, 1, 10, 1, b'a'],
            ),
            (Err(Failure::NoVideoDecoder("a".into())), &[1, 8, 1, b'a']),
        ] {
            let answer = WorkerAnswer { number: 7, outcome };
            assert_eq!(encode(&answer), [&[7][..], bytes].concat());
        }
    }

    #[test]
    fn greeting_names_the_build() {
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            greeting(),
            format!("fumikura thumb-worker {version} protocol 8")
        );
    }

    #[test]
    fn longest_message_fits_the_limit() {
        let words = excerpt(&"𩸽".repeat(5000));
        assert_eq!(words.len(), 4 * WORDS);
        let answer = WorkerAnswer {
            number: u64::MAX,
            outcome: Err(Failure::Io {
                code: Some(i32::MIN),
                words,
            }),
        };
        assert!(encode(&answer).len() < MAX_MESSAGE_BYTES);
    }

    #[test]
    fn messages_of_wrong_length_are_rejected() {
        let mut bytes = encode(&Job::new(7, 1000, Variant::default()));
        assert!(decode::<Job>(&bytes).is_some());
        bytes.push(0);
        assert!(decode::<Job>(&bytes).is_none());
        bytes.truncate(3);
        assert!(decode::<Job>(&bytes).is_none());
    }

    #[test]
    fn job_with_invalid_size_is_rejected() {
        let mut job = Job::new(7, 1000, Variant::default());
        job.width = 4097;
        assert_eq!(job.variant(), None);
    }

    #[test]
    fn decode_failure_round_trips() {
        for error in [
            DecodeError::NotAPicture,
            DecodeError::UnsupportedKind("image/avif".into()),
            DecodeError::NoVideoDecoder("video/x-h264".into()),
            DecodeError::FileTooLarge { bytes: 9, limit: 8 },
            DecodeError::TooManyPixels {
                width: 3,
                height: 2,
                limit: 5,
            },
            DecodeError::TooLarge("side".into()),
            DecodeError::Damaged("end".into()),
            DecodeError::Panicked,
            DecodeError::Io(Arc::new(io::Error::from_raw_os_error(5))),
            DecodeError::Io(Arc::new(io::Error::other("words"))),
        ] {
            let bytes = encode(&Failure::from(error.clone()));
            let back = DecodeError::from(decode::<Failure>(&bytes).unwrap());
            assert_eq!(back.to_string(), error.to_string());
            assert_eq!(back.is_lasting(), error.is_lasting());
        }
    }

    proptest! {
        #[test]
        fn job_round_trips(
            number: u64, length: u64, width in 1..=4096_u16, height in 1..=4096_u16,
            mode in prop::sample::select(vec!["crop", "shrink", "stretch"]),
            format in prop::sample::select(vec!["jpg", "png", "webp"]),
        ) {
            let size = format!("{width}x{height}");
            let variant = Variant::parse(Some(&size), Some(mode), Some(format)).unwrap();
            let job = decode::<Job>(&encode(&Job::new(number, length, variant))).unwrap();
            prop_assert_eq!((job.number, job.length), (number, length));
            prop_assert_eq!(job.variant(), Some(variant));
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
            let _ = decode::<Settings>(&bytes);
            let _ = decode::<Job>(&bytes);
            if let Some(answer) = decode::<WorkerAnswer>(&bytes) {
                let _ = answer.outcome.map_err(DecodeError::from);
            }
        }
    }
}
