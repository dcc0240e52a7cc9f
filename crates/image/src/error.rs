//! The errors of decoding a picture.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use image::ImageError;

/// A reason why a picture can't be decoded.
#[derive(Debug, Clone, thiserror::Error)]
pub enum DecodeError {
    /// The content of the file is not a known kind of picture.
    #[error("this file is not a picture of a known format")]
    NotAPicture,
    /// A picture of a kind that can't be decoded here.
    #[error("pictures of the kind {0} can't be decoded")]
    UnsupportedKind(Cow<'static, str>),
    /// No program of this system decodes the video. One may be installed at any time.
    #[error("nothing on this system decodes this video: {0}")]
    NoVideoDecoder(String),
    /// The file is too long.
    #[error("the file has {bytes} bytes; at most {limit} are read")]
    FileTooLarge {
        /// The file's length.
        bytes: u64,
        limit: u64,
    },
    /// The header claims more pixels than are decoded.
    #[error(
        "the picture claims to have {width} × {height} pixels; at most {limit} in total are decoded"
    )]
    TooManyPixels {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
        /// The maximum number of pixels in all.
        limit: u64,
    },
    /// Decoding needs more memory, or a longer side, than is allowed.
    #[error("the picture is too large to be decoded: {0}")]
    TooLarge(String),
    /// The content is damaged.
    #[error("the picture is damaged: {0}")]
    Damaged(String),
    /// The decoder panicked: this picture triggers a bug in it.
    #[error("the decoder failed on this picture")]
    Panicked,
    /// The decoder's process ended while it decoded the picture: it crashed, or ran out of memory.
    #[error("the decoder crashed on this picture ({0})")]
    Crashed(String),
    /// The decoder's process was killed while it decoded the picture: for example because the system is out of
    /// memory or shuts down, or by this program because the process had closed its socket.
    #[error("the decoder was killed while decoding this picture")]
    Killed,
    /// The decoder used too much processor time.
    #[error("the picture takes longer to decode than {} s", .0.as_secs_f32())]
    TimedOut(Duration),
    /// The decoder did not finish in time for any reason, for example on a busy machine.
    #[error("the picture was not decoded within {} s", .0.as_secs_f32())]
    Unanswered(Duration),
    /// The decoder's process sent an invalid answer: the picture may have compromised it.
    #[error("couldn't understand the decoder's answer: {0}")]
    Unintelligible(&'static str),
    /// No process is available for decoding. The picture is not at fault.
    #[error("the program that decodes pictures can't be used: {0}")]
    NoDecoder(#[source] Arc<dyn std::error::Error + Send + Sync>),
    /// The file can't be read. The picture is not at fault.
    #[error("the picture can't be read: {0}")]
    Io(#[source] Arc<io::Error>),
}

impl DecodeError {
    /// Returns true if the same file will fail in the same way again, so that a retry is useless.
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
            Self::NoVideoDecoder(_) | Self::NoDecoder(_) | Self::Io(_) => false,
        }
    }
}

impl DecodeError {
    /// Returns true if the picture was refused by its header alone, before a decoder worked on it.
    #[must_use]
    pub fn is_by_header(&self) -> bool {
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
            | Self::NoVideoDecoder(_)
            | Self::NoDecoder(_)
            | Self::Io(_) => false,
        }
    }
}

impl From<io::Error> for DecodeError {
    fn from(error: io::Error) -> Self {
        // The decoders report these kinds if the content ends too early or contradicts itself.
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
