//! The responses that are embedded in a frame: those that every page requests first.

use fumikura_wiki::{PagePath, Settings, UserId};
use serde::Serialize;

use super::system_font::SystemFont;
use crate::error::{ApiError, ErrorCode};
use crate::rest_api::{PageMetaDto, SettingsDto, UserDto};
use crate::services::FrameParts;

/// The responses of `/api/settings`, of `/api/users/me`, and of the `meta` of the frame's page. Never a
/// page's text (docs/spec/wiki.md, Reading).
#[derive(Serialize)]
pub(super) struct Answers {
    /// The id of the last event before the data was read. The client subscribes from there on.
    since: String,
    settings: SettingsDto,
    /// Null if no user is registered yet.
    user: Option<UserDto>,
    /// Null if the page, or this revision of it, does not exist.
    page: Option<Box<PageMetaDto>>,
    /// True if the user has an autosave entry for this page, which needs a place above the text.
    unsaved: bool,
    #[serde(skip)]
    person: Option<UserId>,
    /// The same settings, for the frame's own attributes.
    #[serde(skip)]
    pub(super) look: Settings,
    #[serde(skip)]
    pub(super) system_font: Option<SystemFont>,
}

impl Answers {
    /// Reads the responses for any address.
    pub(super) fn find(parts: &FrameParts) -> Result<Box<Self>, ApiError> {
        let since = parts.events.now();
        let look = parts.wiki.settings()?;
        let user = match parts.acting.get() {
            Ok(user) => Some(user),
            Err(error) if error.code() == ErrorCode::NoUser => None,
            Err(error) => return Err(error),
        };
        Ok(Box::new(Self {
            since,
            settings: look.clone().into(),
            person: user.as_ref().map(|user| user.id),
            user: user.map(UserDto::from),
            page: None,
            unsaved: false,
            look,
            system_font: parts.system_font.get().cloned(),
        }))
    }

    pub(super) fn with_page(
        mut self: Box<Self>,
        parts: &FrameParts,
        path: &PagePath,
        meta: PageMetaDto,
    ) -> Box<Self> {
        self.page = Some(Box::new(meta));
        if let Some(person) = self.person {
            // Optional: if the entries can't be listed, the page requests them again, and is shown without
            // them.
            self.unsaved = match parts.wiki.autosave().entries(person, Some(path)) {
                Ok(texts) => !texts.is_empty(),
                Err(error) => {
                    tracing::warn!("unsaved texts can't be listed: {error}");
                    false
                }
            };
        }
        self
    }

    /// Returns true if no user is registered yet.
    pub(super) fn is_greeting(&self) -> bool {
        self.user.is_none()
    }

    /// Returns JSON that can be embedded in HTML: nothing in it ends the element around it.
    pub(super) fn to_json(&self) -> String {
        let json = serde_json::to_string(self).expect("BUG: answers are plain JSON");
        json.replace('<', "\\u003c")
    }
}
