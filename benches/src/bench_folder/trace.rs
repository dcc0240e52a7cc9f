//! Chromium's dropped frames, from its own trace.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fumikura_tests::wait;
use serde::Deserialize;

/// Returns the switches for a trace file that is written on exit, with frames and the page's marks.
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
struct TraceFile {
    #[serde(rename = "traceEvents")]
    events: Vec<Event>,
}

#[derive(Deserialize)]
struct Event {
    name: String,
    #[serde(default)]
    ph: String,
    /// The time in microseconds.
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
    /// True if the missing frame would have been visible.
    #[serde(default)]
    affects_smoothness: bool,
    /// True if a part of the page was not painted yet.
    #[serde(default)]
    has_missing_content: bool,
}

impl Reporter {
    fn is_dropped(&self) -> bool {
        self.state == "STATE_DROPPED" && self.affects_smoothness
    }
}

/// The frames of an interval.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Frames {
    pub(crate) seconds: f64,
    pub(crate) dropped: usize,
    /// The number of frames shown before the whole visible page was painted.
    pub(crate) incomplete: usize,
}

impl Frames {
    pub(crate) fn add(&mut self, other: Self) {
        self.seconds += other.seconds;
        self.dropped += other.dropped;
        self.incomplete += other.incomplete;
    }
}

/// The trace that the browser wrote.
pub(crate) struct Trace {
    events: Vec<Event>,
}

impl Trace {
    /// Reads the trace once it is complete.
    pub(crate) async fn read(file: &Path) -> Result<Self> {
        let TraceFile { events } = wait::until("the trace of the browser", async || {
            Ok(fs::read(file)
                .ok()
                .and_then(|bytes| serde_json::from_slice(&bytes).ok()))
        })
        .await?;
        Ok(Self { events })
    }

    /// Returns the frames of each interval between two marks of these names.
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
