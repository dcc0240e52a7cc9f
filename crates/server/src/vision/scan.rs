//! A question about one picture: resize, reserve, ask, and keep or release the reservation.

use std::sync::Arc;

use axum::body::Bytes;
use fumikura_fs::{RootId, SourceFile};
use fumikura_image::{Size, Variant};
use fumikura_limits::{ClientKey, Reservation};
use fumikura_thumbs::Priority;
use fumikura_vision::{Answer, AnswerFields, AnswerKey, Call, Language, Mode, Picture, Question};
use fumikura_wiki::AssetId;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::configured_service::ConfiguredService;
use super::state::Vision;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorCode};
use crate::limiters::Limiters;
use crate::names::bytes;
use crate::rest_api::{ThumbRequest, asset_picture};
use crate::services::Describer;
use crate::shares::WorkKind;

/// The longest edge of a picture that is sent, in pixels.
const EDGE: u16 = 1024;
/// The longest edge if details matter, for text and for positions of objects.
const DETAILED_EDGE: u16 = 2048;

/// A question about a picture.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScanRequest {
    /// The root's id.
    #[schema(value_type = Option<String>)]
    pub(crate) root: Option<RootId>,
    /// The picture's path, relative to the root.
    pub(crate) path: Option<String>,
    /// The path's bytes in base64, if they are not UTF-8.
    pub(crate) path_bytes: Option<String>,
    /// A file of a page, instead of `root` and `path`.
    #[schema(value_type = Option<String>)]
    pub(crate) asset: Option<AssetId>,
    /// The kind of answer.
    pub(crate) mode: Mode,
    /// The language of the answer, such as `ja`. The settings' language takes precedence; `en` is the
    /// default.
    pub(crate) language: Option<String>,
    /// True if the service is asked even if an answer is stored.
    #[serde(default)]
    pub(crate) again: bool,
}

/// An answer about a picture. Only the field of its mode is present.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ScanResult {
    mode: Mode,
    /// The model that answered; empty for an OCR command.
    model: String,
    /// The language of the answer.
    language: String,
    /// True if the answer was stored already, so that the service was not asked.
    pub(super) cached: bool,
    #[serde(flatten)]
    #[schema(value_type = AnswerFields)]
    answer: Answer,
}

/// Parses a language tag.
pub(super) fn language(tag: &str) -> Result<Language, ApiError> {
    tag.parse()
        .map_err(|error| ApiError::new(ErrorCode::InvalidValue, error))
}

/// A question that is ready to be asked.
struct PreparedQuestion {
    service: Arc<ConfiguredService>,
    question: Question,
    thumb: ThumbRequest,
    key: AnswerKey,
    stored: Option<Answer>,
}

impl Describer {
    /// Answers a question about a picture from the store, or by the service, which counts against the
    /// client's limits.
    pub(crate) async fn scan(
        self: &Arc<Self>,
        request: ScanRequest,
        client: ClientKey,
        call: Call,
    ) -> Result<ScanResult, ApiError> {
        let mode = request.mode;
        let again = request.again;
        let share = self.shares.current();
        // A stored answer needs no turn, unless the service is asked for its models first.
        let turn = match self.vision.has_service() {
            true => None,
            false => Some(share.turn(WorkKind::Question).await?),
        };
        let prepare = move |describer: &Self| Ok((describer.prepare_scan(&request)?, turn));
        let (prepared, turn) = blocking(self, prepare).await?;
        let PreparedQuestion {
            service,
            question,
            thumb,
            key,
            stored,
        } = prepared;
        let result = move |question: Question, answer, cached| ScanResult {
            mode,
            model: question.model,
            language: question.language.tag().to_owned(),
            cached,
            answer,
        };
        if let Some(answer) = stored {
            return Ok(result(question, answer, true));
        }
        let turn = match turn {
            Some(turn) => turn,
            None => share.turn(WorkKind::Question).await?,
        };
        let thumb_request = thumb.clone();
        let requested = blocking(&self.pictures, move |pictures| {
            Ok(thumb_request.request(pictures))
        })
        .await?;
        let (_, bytes) = thumb.bytes(&self.pictures, requested).await?;
        let pending = PendingQuestion {
            service,
            question,
            key,
            client,
            call,
            again,
        };
        blocking(&self.vision, move |vision| {
            let _turn = turn;
            let (answer, cached) = pending.ask(vision, &bytes)?;
            Ok(result(pending.question, answer, cached))
        })
        .await
    }

    /// Finds the service, the picture and a stored answer.
    fn prepare_scan(&self, request: &ScanRequest) -> Result<PreparedQuestion, ApiError> {
        let service = self.vision.service()?;
        let tag = service.language.as_deref().or(request.language.as_deref());
        let question = Question {
            mode: request.mode,
            language: language(tag.unwrap_or("en"))?,
            model: service.model.clone(),
        };
        let source_file = self.scanned(request)?;
        let key = AnswerKey::new(source_file.version().to_string().as_bytes(), &question);
        let stored = (!request.again)
            .then(|| self.vision.answers.load(key))
            .flatten();
        let edge = match question.mode {
            Mode::Describe | Mode::Tags => EDGE,
            Mode::Text | Mode::Objects => DETAILED_EDGE,
        };
        let size = Size::new(edge, edge).expect("BUG: the size is allowed");
        let thumb = ThumbRequest {
            source_file,
            variant: Variant {
                size,
                mode: fumikura_image::Mode::Shrink,
                format: fumikura_image::Format::Jpg,
                ..Variant::default()
            },
            priority: Priority::Next,
        };
        Ok(PreparedQuestion {
            service,
            question,
            thumb,
            key,
            stored,
        })
    }

    fn scanned(&self, request: &ScanRequest) -> Result<SourceFile, ApiError> {
        match (request.root, request.asset) {
            (None, Some(asset)) => Ok(asset_picture(&self.wiki, asset)?.1),
            (Some(root), None) => {
                let path = bytes(request.path.as_deref(), request.path_bytes.as_deref())?;
                Ok(self.pictures.roots().source(root, &path)?.find()?)
            }
            (Some(_), Some(_)) | (None, None) => Err(ApiError::new(
                ErrorCode::BadRequest,
                "a picture is named by root and path, or by asset",
            )),
        }
    }
}

/// A question with its picture.
struct PendingQuestion {
    service: Arc<ConfiguredService>,
    question: Question,
    key: AnswerKey,
    client: ClientKey,
    call: Call,
    again: bool,
}

impl PendingQuestion {
    /// Returns the answer, and true if it was stored. A picture that is known under another name is not asked
    /// about again.
    fn ask(&self, vision: &Vision, sent: &Bytes) -> Result<(Answer, bool), ApiError> {
        let answers = &vision.answers;
        let by_contents = AnswerKey::new(&Sha256::digest(sent), &self.question);
        let _lock = answers.lock_question(by_contents);
        if !self.again {
            // Another request may have asked meanwhile.
            if let Some(answer) = answers.load(self.key) {
                return Ok((answer, true));
            }
            if let Some(answer) = answers.load(by_contents) {
                self.store(vision, &[self.key], &answer)?;
                return Ok((answer, true));
            }
        }
        self.service.require_consent()?;
        let picture = Picture::new(sent.to_vec())?;
        let reservation = ReservationGuard::new(&vision.limiters, &self.client)?;
        let answer = self
            .service
            .service
            .scan(&picture, &self.question, &self.call)?;
        reservation.keep();
        self.store(vision, &[by_contents, self.key], &answer)?;
        Ok((answer, false))
    }

    fn store(&self, vision: &Vision, keys: &[AnswerKey], answer: &Answer) -> Result<(), ApiError> {
        for key in keys {
            let stored = vision.answers.store(*key, &self.question, answer);
            // The answer was paid for, so it is returned even if it can't be stored.
            if let Err(error) = stored {
                tracing::error!("an answer about a picture can't be stored: {error}");
            }
        }
        Ok(())
    }
}

/// A reservation that is released on drop unless it is kept, also if the work panics.
struct ReservationGuard<'a> {
    limiters: &'a Limiters,
    reservation: Option<Reservation>,
}

impl<'a> ReservationGuard<'a> {
    fn new(limiters: &'a Limiters, client: &ClientKey) -> Result<Self, ApiError> {
        let reservation = limiters.reserve(client)?;
        Ok(Self {
            limiters,
            reservation: Some(reservation),
        })
    }

    fn keep(mut self) {
        self.reservation = None;
    }
}

impl Drop for ReservationGuard<'_> {
    fn drop(&mut self) {
        let Some(reservation) = &self.reservation else {
            return;
        };
        if let Err(error) = self.limiters.requests.release(reservation) {
            tracing::warn!("a failed request stays counted: {error}");
        }
    }
}
