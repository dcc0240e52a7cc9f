//! Describes pictures by a vision service or an OCR command that the user configured.
//!
//! A [`Service`] answers a [`Question`] about a [`Picture`]. There are three: [`Gemini`] and [`OpenAi`] speak
//! HTTP, [`OcrCommand`] runs a program. The interface is synchronous, and nothing is sent before a caller
//! calls [`Service::scan`] or [`Service::models`]. docs/VISION.md describes the request forms, the errors and
//! the data that leaves the machine.

mod address;
mod answer;
mod answer_store;
mod call;
mod command;
mod error;
mod gemini;
mod http;
mod openai;
mod picture;
mod prompt;
mod question;
mod retry;
mod service;

pub use address::{Address, InvalidAddress};
#[cfg(feature = "wire")]
pub use answer::AnswerFields;
pub use answer::{Answer, BoundingBox, DetectedObject};
pub use answer_store::{AnswerKey, AnswerStore, QuestionLock};
pub use call::{Call, Cancel, SystemTimer, Timer};
pub use command::{CommandLimits, CommandTemplate, InvalidTemplate, OcrCommand, OutputFormat};
pub use error::{ApiKeyError, CommandLimit, Error, MalformedReason};
pub use gemini::Gemini;
pub use http::ApiKey;
pub use openai::OpenAi;
pub use picture::{InvalidPicture, MAX_PICTURE_BYTES, MAX_PICTURE_EDGE, Picture, PictureFormat};
pub use question::{InvalidLanguage, Language, Mode, Question};
pub use retry::{DEFAULT_BUDGET, MAX_RETRY_DELAY};
pub use service::{Model, Recipient, Service};
