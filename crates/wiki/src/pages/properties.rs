//! Changes of one property of a page, saved as any other text.

use crate::id::{LockToken, PageId, UserId};
use crate::pages::{PageError, Precondition, SaveError, SaveOutcome, SaveRequest, text_digest};
use crate::parts::Pages;
use crate::properties::{InvalidProperty, PropertyChange, PropertyValue, check_new_tags, edited};

/// A request to change a property.
#[derive(Debug, Clone)]
pub struct PropertyRequest {
    pub page_id: PageId,
    pub user: UserId,
    pub name: String,
    /// The new value; `None` removes the property.
    pub value: Option<PropertyValue>,
    /// The lock token, required if the page is locked. The lock stays.
    pub token: Option<LockToken>,
    /// The versions to which the change may be made. Required if the page is not locked.
    pub if_match: Option<Precondition>,
}

/// The reason why a property was not changed.
#[derive(Debug, thiserror::Error)]
pub enum PropertyError {
    #[error(transparent)]
    Page(#[from] PageError),
    #[error(transparent)]
    Invalid(#[from] InvalidProperty),
    #[error(transparent)]
    Save(#[from] SaveError),
}

impl Pages<'_> {
    /// Changes one property in the text of a page, and saves the text.
    ///
    /// # Errors
    /// [`PropertyError`]; nothing has changed then.
    pub fn change_property(&self, request: PropertyRequest) -> Result<SaveOutcome, PropertyError> {
        let PropertyRequest {
            page_id,
            user,
            name,
            value,
            token,
            if_match,
        } = request;
        let text = self.source(page_id, None)?;
        if text.deleted {
            return Err(SaveError::Deleted.into());
        }
        match if_match {
            Some(based_on) if !based_on.allows(text.version) => {
                return Err(SaveError::PreconditionFailed(text.version).into());
            }
            None if token.is_none() => return Err(SaveError::PreconditionRequired.into()),
            Some(_) | None => {}
        }
        if let Some(value) = &value {
            check_new_tags(&text.source, &name, value)?;
        }
        let change = value.map_or(PropertyChange::Remove, PropertyChange::Put);
        let source = edited(&text.source, &name, &change)?;
        Ok(self.save(SaveRequest {
            page_id,
            user,
            source,
            token,
            // Another save in between would be lost otherwise.
            if_match: Some(Precondition::OneOf(vec![text.version])),
            amend: false,
            keep_lock: token.is_some(),
            tab: None,
            read: Some(text_digest(&text.source)),
        })?)
    }
}
