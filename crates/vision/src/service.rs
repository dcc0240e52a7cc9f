//! The trait that all services implement.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::address::Address;
use crate::answer::Answer;
use crate::call::Call;
use crate::error::Error;
use crate::picture::Picture;
use crate::question::Question;

/// Answers questions about pictures.
pub trait Service: fmt::Debug + Send + Sync {
    /// Asks one question about one picture, with at most one retry, within the budget of the call.
    ///
    /// # Errors
    /// Every variant of [`Error`]; none of them means that the answer was stored or paid for twice.
    fn scan(&self, picture: &Picture, question: &Question, call: &Call) -> Result<Answer, Error>;

    /// Lists the models that the service offers; empty for a service without models.
    ///
    /// # Errors
    /// The errors of a request; never [`Error::ModelGone`].
    fn models(&self, call: &Call) -> Result<Vec<Model>, Error>;

    /// Returns the recipient of the pictures.
    fn recipient(&self) -> Recipient;
}

/// A model that the service offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = VisionModel))]
pub struct Model {
    /// The identifier for settings and requests.
    pub id: String,
    /// The display name; the id if the service names none.
    pub name: String,
}

/// The recipient of pictures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case", tag = "kind", content = "host")]
pub enum Recipient {
    /// Pictures stay on this machine.
    ThisMachine,
    /// Another machine, by its name or address.
    Host(String),
}

impl From<&Address> for Recipient {
    fn from(address: &Address) -> Self {
        match address.is_loopback() {
            true => Self::ThisMachine,
            false => Self::Host(address.host().to_owned()),
        }
    }
}
