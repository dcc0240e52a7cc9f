//! Which frames Chromium dropped, by its own trace.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fumikura_tests::wait;
use serde::Deserialize;

/// Switches with which it writes its trace into a file when it ends: of its frames, and of the page's marks.
pub(crate) fn switches(file: &Path) -> Vec<String> {
    vec![
        "--trace-startup=-*,disabled-by-default-devtools.timeline.frame,blink.user_timing"
            .to_owned(),
        format!("--trace-startup-file={}", file.display()),
        "--trace-startup-format=json".to_owned(),
        // Until the end.
        "--trace-startup-duration=0".to_owned(),
    ]
}

#[derive(Deserialize)]
struct Written {
    #[serde(rename = "traceEvents")]
    events: Vec<Event>,
}

#[derive(Deserialize)]
struct Event {
    name: String,
    #[serde(default)]
    ph: String,
    /// Microseconds.
    #[serde(default)]
    ts: f64,
    #[serde(default)]
    args: Arguments,
}

#[derive(Deserialize, Default)]
struct Arguments {
    frame_reporter: Option<Reporter>,
}

#[derive(Deserialize)]
struct Reporter {
    state: String,
    /// Whether one could have seen that it was not there.
    #[serde(default)]
    affects_smoothness: bool,
    /// Whether a part of the page had still to be painted.
    #[serde(default)]
    has_missing_content: bool,
}

impl Reporter {
    fn is_dropped(&self) -> bool {
        self.state == "STATE_DROPPED" && self.affects_smoothness
    }
}

/// The frames of a stretch of time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Frames {
    pub(crate) seconds: f64,
    pub(crate) dropped: usize,
    /// Shown before all of the page that is seen was painted.
    pub(crate) incomplete: usize,
}

impl Frames {
    pub(crate) fn add(&mut self, other: Self) {
        self.seconds += other.seconds;
        self.dropped += other.dropped;
        self.incomplete += other.incomplete;
    }
}

/// What the browser has written.
pub(crate) struct Trace {
    events: Vec<Event>,
}

impl Trace {
    /// Reads it, when it is there whole.
    pub(crate) async fn read(file: &Path) -> Result<Self> {
        let Written { events } = wait::until("the trace of the browser", async || {
            Ok(fs::read(file)
                .ok()
                .and_then(|bytes| serde_json::from_slice(&bytes).ok()))
        })
        .await?;
        Ok(Self { events })
    }

    /// The frames of each stretch between two marks of these names.
    pub(crate) fn between(&self, begin: &str, end: &str) -> Result<Vec<Frames>> {
        let marks = |name: &str| -> Vec<f64> {
            let found = self.events.iter().filter(|event| event.name == name);
            found.map(|event| event.ts).collect()
        };
        let stretches: Vec<_> = marks(begin).into_iter().zip(marks(end)).collect();
        ensure!(!stretches.is_empty(), "the trace has no mark {begin}");
        stretches
            .into_iter()
            .map(|(from, to)| self.within(from, to).context("a trace without frames"))
            .collect()
    }

    fn within(&self, from: f64, to: f64) -> Option<Frames> {
        let reporters: Vec<&Reporter> = self
            .events
            .iter()
            .filter(|event| event.name == "PipelineReporter" && event.ph == "b")
            .filter(|event| (from..=to).contains(&event.ts))
            .filter_map(|event| event.args.frame_reporter.as_ref())
            .collect();
        let count = |is: fn(&Reporter) -> bool| reporters.iter().filter(|one| is(one)).count();
        (!reporters.is_empty()).then(|| Frames {
            seconds: (to - from) / 1e6,
            dropped: count(Reporter::is_dropped),
            incomplete: count(|one| !one.is_dropped() && one.has_missing_content),
        })
    }
}
