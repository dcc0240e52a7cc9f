//! Describes pictures: asks a vision service or an OCR command that the person configured.
//!
//! A [`Service`] answers a [`Question`] about a [`Picture`]. There are three: [`Gemini`] and [`OpenAi`] speak HTTP,
//! [`OcrCommand`] runs a program. Everything here is synchronous, and nothing is sent before a caller calls
//! [`Service::scan`] or [`Service::models`]. The request forms, the errors and what leaves the machine are described in
//! docs/VISION.md.

mod address;
mod answer;
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
pub use answer::{Answer, BoundingBox, Object};
pub use call::{Call, Cancel, SystemTimer, Timer};
pub use command::{CommandTemplate, InvalidTemplate, OcrCommand, OutputFormat};
pub use error::{ApiKeyError, Error, MalformedReason};
pub use gemini::Gemini;
pub use http::ApiKey;
pub use openai::OpenAi;
pub use picture::{InvalidPicture, MAX_PICTURE_BYTES, MAX_PICTURE_EDGE, Picture, PictureFormat};
pub use question::{InvalidLanguage, Language, Mode, Question};
pub use retry::{DEFAULT_BUDGET, MAX_RETRY_DELAY};
pub use service::{Model, Recipient, Service};
