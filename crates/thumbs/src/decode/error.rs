//! Why a picture can't be decoded.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use image::ImageError;

use crate::worker::WorkerError;

/// Why a picture can't be decoded.
#[derive(Debug, Clone, thiserror::Error)]
pub enum DecodeError {
    /// By its content the file is no picture that is known.
    #[error("this file is not a picture that is known")]
    NotAPicture,
    /// A picture of a kind that can't be decoded here.
    #[error("pictures of the kind {0} can't be decoded")]
    UnsupportedKind(Cow<'static, str>),
    /// The file is too long.
    #[error("the file has {bytes} bytes; at most {limit} are read")]
    FileTooLarge {
        /// The file's length.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// The header claims more pixels than are decoded.
    #[error("the picture claims {width} × {height} pixels; at most {limit} in all are decoded")]
    TooManyPixels {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
        /// Pixels in all.
        limit: u64,
    },
    /// Decoding needs more memory, or a longer side, than is allowed.
    #[error("the picture is too large to be decoded: {0}")]
    TooLarge(String),
    /// The content is damaged.
    #[error("the picture is damaged: {0}")]
    Damaged(String),
    /// The decoder panicked; a fault of the decoder that the picture brought to light.
    #[error("the decoder failed on this picture")]
    Panicked,
    /// The decoder's process ended over the picture: it crashed, or had not enough memory.
    #[error("the decoder ended over this picture ({0})")]
    Crashed(String),
    /// The decoder's process was ended over the picture: by the system, say, which had no more memory for
    /// anybody or shuts down, or here, as it had closed its socket.
    #[error("the decoder was killed over this picture")]
    Killed,
    /// The decoder computed for too long.
    #[error("the picture takes longer to decode than {} s", .0.as_secs_f32())]
    TimedOut(Duration),
    /// The decoder had not finished in time, whatever it waited for: a busy machine, say.
    #[error("the picture was not decoded within {} s", .0.as_secs_f32())]
    Unanswered(Duration),
    /// The decoder's process answered what it never should: the picture has taken it over, say.
    #[error("couldn't understand the decoder's answer: {0}")]
    Unintelligible(&'static str),
    /// There is no process to decode in. Says nothing about the picture.
    #[error("the program that decodes pictures can't be used: {0}")]
    NoDecoder(#[source] Arc<WorkerError>),
    /// The file can't be read. Says nothing about the picture.
    #[error("the picture can't be read: {0}")]
    Io(#[source] Arc<io::Error>),
}

impl DecodeError {
    /// Whether the same file will fail in the same way again, so that trying again is of no use.
    #[must_use]
    pub fn is_lasting(&self) -> bool {
        match self {
            Self::NotAPicture
            | Self::UnsupportedKind(_)
            | Self::FileTooLarge { .. }
            | Self::TooManyPixels { .. }
            | Self::TooLarge(_)
            | Self::Damaged(_)
            | Self::Panicked
            | Self::Crashed(_)
            | Self::Killed
            | Self::TimedOut(_)
            | Self::Unanswered(_)
            | Self::Unintelligible(_) => true,
            Self::NoDecoder(_) | Self::Io(_) => false,
        }
    }
}

impl DecodeError {
    /// True if the picture was refused by its header alone, before a decoder worked on it.
    pub(crate) fn is_by_header(&self) -> bool {
        match self {
            Self::NotAPicture
            | Self::UnsupportedKind(_)
            | Self::FileTooLarge { .. }
            | Self::TooManyPixels { .. } => true,
            Self::TooLarge(_)
            | Self::Damaged(_)
            | Self::Panicked
            | Self::Crashed(_)
            | Self::Killed
            | Self::TimedOut(_)
            | Self::Unanswered(_)
            | Self::Unintelligible(_)
            | Self::NoDecoder(_)
            | Self::Io(_) => false,
        }
    }
}

impl From<io::Error> for DecodeError {
    fn from(error: io::Error) -> Self {
        // The decoders say so when the content ends too early or contradicts itself.
        let damaged = matches!(
            error.kind(),
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput
        );
        if damaged {
            Self::Damaged(error.to_string())
        } else {
            Self::Io(Arc::new(error))
        }
    }
}

impl From<ImageError> for DecodeError {
    fn from(error: ImageError) -> Self {
        match error {
            ImageError::IoError(error) => error.into(),
            ImageError::Limits(error) => Self::TooLarge(error.to_string()),
            error @ (ImageError::Decoding(_)
            | ImageError::Encoding(_)
            | ImageError::Parameter(_)
            | ImageError::Unsupported(_)) => Self::Damaged(error.to_string()),
        }
    }
}
