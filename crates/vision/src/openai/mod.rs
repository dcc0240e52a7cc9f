//! OpenAI's chat completions, which Ollama, LM Studio, llama.cpp and vLLM also support.

mod request;
mod response;

use std::sync::Arc;

use crate::address::Address;
use crate::answer::{Answer, BoxForm, parse};
use crate::call::{Call, SystemTimer, Timer};
use crate::error::{ApiKeyError, Error};
use crate::http::{ApiKey, Content, Http, KeyHeader};
use crate::picture::Picture;
use crate::question::Question;
use crate::retry::with_one_retry;
use crate::service::{Model, Recipient, Service};

/// A service that speaks OpenAI's API (`{address}/chat/completions`; the address usually ends in `/v1`).
#[derive(Debug, Clone)]
pub struct OpenAi {
    http: Http,
}

impl OpenAi {
    /// Creates a service at `address`.
    ///
    /// # Errors
    /// [`Error::NotConfigured`] if the key is missing and the address is not this machine's, or if the key
    /// would be sent unencrypted outside the local network.
    pub fn new(address: Address, key: Option<ApiKey>) -> Result<Self, Error> {
        Self::with_timer(address, key, Arc::new(SystemTimer::default()))
    }

    /// Creates a service on the local network that needs no key.
    ///
    /// # Errors
    /// [`Error::NotConfigured`] if the address is beyond the local network.
    pub fn without_key(address: Address) -> Result<Self, Error> {
        if !address.is_local() {
            return Err(ApiKeyError::Missing.into());
        }
        let timer = Arc::new(SystemTimer::default());
        let http = Http::new(address, None, KeyHeader::Bearer, timer)?;
        Ok(Self { http })
    }

    /// Creates a service with another clock.
    ///
    /// # Errors
    /// The same as for [`OpenAi::new`].
    pub fn with_timer(
        address: Address,
        key: Option<ApiKey>,
        timer: Arc<dyn Timer>,
    ) -> Result<Self, Error> {
        if key.is_none() && !address.is_loopback() {
            return Err(ApiKeyError::Missing.into());
        }
        let http = Http::new(address, key, KeyHeader::Bearer, timer)?;
        Ok(Self { http })
    }
}

impl Service for OpenAi {
    fn scan(&self, picture: &Picture, question: &Question, call: &Call) -> Result<Answer, Error> {
        let content = request::scan(picture, question);
        let result = with_one_retry(self.http.timer(), call, |left| {
            let content = Content::Json(&content);
            let reply = self.http.send(request::SCAN, content, call, left)?;
            if !reply.is_success() {
                return Err(response::failure(&reply, Some(&question.model)));
            }
            let written = response::content(&reply, &question.model)?;
            parse(question.mode, &written, BoxForm::Fields)
        });
        self.http.masked(result)
    }

    fn models(&self, call: &Call) -> Result<Vec<Model>, Error> {
        self.http.masked(self.list(call))
    }

    fn recipient(&self) -> Recipient {
        self.http.address().into()
    }
}

impl OpenAi {
    fn list(&self, call: &Call) -> Result<Vec<Model>, Error> {
        let reply = self
            .http
            .send(request::MODELS, Content::None, call, call.budget)?;
        if !reply.is_success() {
            return Err(response::failure(&reply, None));
        }
        response::models(&reply)
    }
}
