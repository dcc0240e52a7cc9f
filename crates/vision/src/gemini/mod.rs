//! Google's Gemini API: `generateContent`.

mod request;
mod response;

use std::sync::Arc;
use std::time::Duration;

use crate::address::Address;
use crate::answer::{Answer, BoxForm, parse};
use crate::call::{Call, SystemTimer, Timer};
use crate::error::Error;
use crate::http::{ApiKey, Content, Http, KeyHeader};
use crate::picture::Picture;
use crate::question::Question;
use crate::retry::with_one_retry;
use crate::service::{Model, Recipient, Service};

/// The maximum number of model pages that are read; Google lists fewer than one page.
const MAX_PAGES: usize = 10;

/// A service that speaks Google's Gemini API (`{address}/v1beta/models/{model}:generateContent`).
#[derive(Debug, Clone)]
pub struct Gemini {
    http: Http,
}

impl Gemini {
    /// Google's own address.
    pub const DEFAULT_ADDRESS: &str = "https://generativelanguage.googleapis.com";

    /// Creates a service at `address`.
    ///
    /// # Errors
    /// [`Error::NotConfigured`] if the key would be sent unencrypted outside the local network.
    pub fn new(address: Address, key: ApiKey) -> Result<Self, Error> {
        Self::with_timer(address, key, Arc::new(SystemTimer::default()))
    }

    /// Creates a service with another clock.
    ///
    /// # Errors
    /// The same as for [`Gemini::new`].
    pub fn with_timer(address: Address, key: ApiKey, timer: Arc<dyn Timer>) -> Result<Self, Error> {
        let http = Http::new(address, Some(key), KeyHeader::Google, timer)?;
        Ok(Self { http })
    }
}

impl Service for Gemini {
    fn scan(&self, picture: &Picture, question: &Question, call: &Call) -> Result<Answer, Error> {
        let path = request::scan_path(&question.model)?;
        let content = request::scan(picture, question);
        let result = with_one_retry(self.http.timer(), call, |left| {
            let content = Content::Json(&content);
            let reply = self.http.send(&path, content, call, left)?;
            if !reply.is_success() {
                return Err(response::failure(&reply, Some(&question.model)));
            }
            let written = response::content(&reply, &question.model)?;
            parse(question.mode, &written, BoxForm::Array)
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

impl Gemini {
    fn list(&self, call: &Call) -> Result<Vec<Model>, Error> {
        let timer = self.http.timer();
        let end = timer.monotonic() + call.budget;
        let mut models = Vec::new();
        let mut page = None;
        for _ in 0..MAX_PAGES {
            let left = end.saturating_sub(timer.monotonic());
            if left == Duration::ZERO {
                return Err(Error::TimedOut { after: call.budget });
            }
            let path = request::models_path(page.as_deref());
            let reply = self.http.send(&path, Content::None, call, left)?;
            if !reply.is_success() {
                return Err(response::failure(&reply, None));
            }
            let (found, next) = response::models(&reply)?;
            models.extend(found);
            page = next;
            if page.is_none() {
                break;
            }
        }
        Ok(models)
    }
}
