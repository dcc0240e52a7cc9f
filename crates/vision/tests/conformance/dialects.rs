//! Both dialects for the suite: the construction of a service, and its answers.

use std::sync::Arc;
use std::time::Duration;

use fumikura_base::clock::{Clock, ManualClock};
use fumikura_vision::{Answer, Service, Timer};
use fumikura_vision::{ApiKey, Call, Cancel, Error, Gemini, Mode, OpenAi, Picture, Question};
use jiff::Timestamp;
use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::server::{Reaction, Server, answer};

pub(crate) const KEY: &str = "AIzaSecretKeyOfTheTests";
pub(crate) const MODEL: &str = "test-model-1";

/// A clock that advances only by waits, and records them.
#[derive(Debug)]
pub(crate) struct TestTimer {
    clock: ManualClock,
    waits: Mutex<Vec<Duration>>,
}

impl TestTimer {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            clock: ManualClock::new(Timestamp::UNIX_EPOCH),
            waits: Mutex::default(),
        })
    }

    /// Returns the waits so far, in seconds.
    pub(crate) fn waits(&self) -> Vec<u64> {
        let waits = self.waits.lock();
        waits.iter().map(Duration::as_secs).collect()
    }
}

impl Clock for TestTimer {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn monotonic(&self) -> Duration {
        self.clock.monotonic()
    }
}

impl Timer for TestTimer {
    fn wait(&self, duration: Duration, _: &Cancel) {
        self.waits.lock().push(duration);
        self.clock.advance(duration);
    }
}

/// A dialect of the suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Gemini,
    OpenAi,
}

impl Dialect {
    pub(crate) const ALL: [Self; 2] = [Self::Gemini, Self::OpenAi];

    pub(crate) fn service(self, url: &str, timer: Arc<TestTimer>) -> Box<dyn Service> {
        let key = ApiKey::new(KEY).unwrap();
        match self {
            Self::Gemini => Box::new(Gemini::with_timer(url.parse().unwrap(), key, timer).unwrap()),
            Self::OpenAi => {
                let address = format!("{url}/v1").parse().unwrap();
                Box::new(OpenAi::with_timer(address, Some(key), timer).unwrap())
            }
        }
    }

    /// Returns the address of a question.
    pub(crate) fn scan_target(self) -> &'static str {
        match self {
            Self::Gemini => "/v1beta/models/test-model-1:generateContent",
            Self::OpenAi => "/v1/chat/completions",
        }
    }

    /// Returns a successful answer with the text that the model wrote.
    pub(crate) fn written(self, text: &str) -> Value {
        match self {
            Self::Gemini => self.ended(text, "STOP"),
            Self::OpenAi => self.ended(text, "stop"),
        }
    }

    /// Returns the same answer with another reason for its end.
    pub(crate) fn ended(self, text: &str, reason: &str) -> Value {
        match self {
            Self::Gemini => json!({
                "candidates": [{
                    "content": {"role": "model", "parts": [
                        {"text": "{\"description\":\"a thought\"}", "thought": true},
                        {"text": text},
                    ]},
                    "finishReason": reason,
                    "index": 0,
                }],
                "usageMetadata": {"totalTokenCount": 300},
                "modelVersion": MODEL,
            }),
            Self::OpenAi => json!({
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "choices": [{
                    "index": 0,
                    "message": {"role": "assistant", "content": text, "refusal": null, "reasoning_content": "a thought"},
                    "finish_reason": reason,
                }],
                "usage": {"total_tokens": 300},
            }),
        }
    }

    pub(crate) fn length_reason(self) -> &'static str {
        match self {
            Self::Gemini => "MAX_TOKENS",
            Self::OpenAi => "length",
        }
    }

    /// Returns answers that refuse, and the reasons in the errors.
    pub(crate) fn refusals(self) -> Vec<(Value, &'static str)> {
        match self {
            Self::Gemini => vec![
                (
                    json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}),
                    "PROHIBITED_CONTENT",
                ),
                (
                    json!({"candidates": [{"finishReason": "SAFETY", "index": 0}]}),
                    "SAFETY",
                ),
            ],
            Self::OpenAi => {
                let mut refused = self.written("");
                refused["choices"][0]["message"]["content"] = Value::Null;
                refused["choices"][0]["message"]["refusal"] = "I can't\nhelp.".into();
                vec![
                    (refused, "I can't help."),
                    (self.ended("", "content_filter"), "content_filter"),
                ]
            }
        }
    }

    /// Returns answers without content.
    pub(crate) fn empty(self) -> Vec<Value> {
        match self {
            Self::Gemini => vec![
                json!({}),
                json!({"candidates": []}),
                json!({"candidates": [{"finishReason": "MAX_TOKENS", "content": {"role": "model"}}]}),
                json!({"candidates": [{"finishReason": "STOP", "content": {"parts": [{"text": "hm", "thought": true}]}}]}),
                self.written(""),
            ],
            Self::OpenAi => {
                let mut null = self.written("");
                null["choices"][0]["message"]["content"] = Value::Null;
                vec![
                    json!({"choices": []}),
                    json!({"choices": [{"message": {}}]}),
                    null,
                    self.ended("", "length"),
                    self.written(" \n"),
                ]
            }
        }
    }

    /// Returns the body of a failure with the service's message.
    pub(crate) fn failure(self, status: u16, message: &str) -> Reaction {
        let body = match self {
            Self::Gemini => {
                json!({"error": {"code": status, "message": message, "status": "SAID"}})
            }
            Self::OpenAi => {
                json!({"error": {"message": message, "type": "said", "param": null, "code": null}})
            }
        };
        answer(status, &body)
    }

    /// Returns a 429 that requests a wait.
    pub(crate) fn minute_limit(self, seconds: u64) -> Reaction {
        match self {
            Self::Gemini => gemini_limit("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", seconds),
            Self::OpenAi => Reaction::Answer {
                status: 429,
                headers: vec![("Retry-After", seconds.to_string())],
                body: br#"{"error":{"message":"Rate limit reached: requests per min (RPM)","code":"rate_limit_exceeded"}}"#.to_vec(),
            },
        }
    }

    /// Returns a 429 because of a daily limit that still suggests a short wait.
    pub(crate) fn day_limit(self) -> Reaction {
        match self {
            Self::Gemini => gemini_limit("GenerateRequestsPerDayPerProjectPerModel-FreeTier", 3),
            Self::OpenAi => Reaction::Answer {
                status: 429,
                headers: vec![("Retry-After", "3".to_owned())],
                body: br#"{"error":{"message":"Rate limit reached: requests per day (RPD)","code":"rate_limit_exceeded"}}"#.to_vec(),
            },
        }
    }

    /// Returns the models `a` and `b` on two pages, if the dialect has pages.
    pub(crate) fn models(self) -> Vec<Reaction> {
        match self {
            Self::Gemini => vec![
                answer(
                    200,
                    &json!({
                        "models": [
                            {"name": "models/a", "displayName": "Model A", "supportedGenerationMethods": ["generateContent", "countTokens"]},
                            {"name": "models/embedding", "displayName": "Embedding", "supportedGenerationMethods": ["embedContent"]},
                        ],
                        "nextPageToken": "page/2",
                    }),
                ),
                answer(
                    200,
                    &json!({"models": [
                        {"name": "models/b", "supportedGenerationMethods": ["generateContent"]},
                    ]}),
                ),
            ],
            Self::OpenAi => vec![answer(
                200,
                &json!({
                    "object": "list",
                    "data": [{"id": "a", "object": "model"}, {"id": "b", "object": "model"}],
                }),
            )],
        }
    }
}

fn gemini_limit(quota: &str, seconds: u64) -> Reaction {
    let prefix = "type.googleapis.com/google.rpc";
    answer(
        429,
        &json!({"error": {
            "code": 429,
            "message": "You exceeded your current quota.",
            "status": "RESOURCE_EXHAUSTED",
            "details": [
                {"@type": format!("{prefix}.QuotaFailure"), "violations": [{
                    "quotaMetric": "generativelanguage.googleapis.com/generate_content_free_tier_requests",
                    "quotaId": quota,
                    "quotaDimensions": {"model": MODEL, "location": "global"},
                    "quotaValue": "20",
                }]},
                {"@type": format!("{prefix}.Help"), "links": [{"description": "Learn more", "url": "https://example.org"}]},
                {"@type": format!("{prefix}.RetryInfo"), "retryDelay": format!("{seconds}s")},
            ],
        }}),
    )
}

pub(crate) fn picture() -> Picture {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(2, 2)
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    Picture::new(bytes.into_inner()).unwrap()
}

pub(crate) fn question(mode: Mode) -> Question {
    Question {
        mode,
        language: "ja".parse().unwrap(),
        model: MODEL.to_owned(),
    }
}

/// The result of a service that asked a server with `reactions` to describe a picture.
pub(crate) struct Outcome {
    pub(crate) result: Result<Answer, Error>,
    pub(crate) waits: Vec<u64>,
    pub(crate) server: Server,
}

pub(crate) fn ask(dialect: Dialect, reactions: Vec<Reaction>) -> Outcome {
    let server = Server::start(reactions);
    let timer = TestTimer::new();
    let service = dialect.service(&server.url(), Arc::clone(&timer));
    let result = service.scan(&picture(), &question(Mode::Describe), &Call::default());
    Outcome {
        result,
        waits: timer.waits(),
        server,
    }
}
