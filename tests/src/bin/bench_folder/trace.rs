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
struct Trace {
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
    frame_reporter: Option<Frame>,
}

#[derive(Deserialize)]
struct Frame {
    state: String,
    /// Whether one could have seen that it was not there.
    #[serde(default)]
    affects_smoothness: bool,
}

/// Reads it, when it is there whole: of each stretch between two marks of these names how many frames a second were
/// dropped.
pub(crate) async fn dropped(file: &Path, begin: &str, end: &str) -> Result<Vec<f64>> {
    let trace: Trace = wait::until("the trace of the browser", async || {
        Ok(fs::read(file)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    })
    .await?;
    let marks = |name: &str| -> Vec<f64> {
        let found = trace.events.iter().filter(|event| event.name == name);
        found.map(|event| event.ts).collect()
    };
    let stretches = marks(begin).into_iter().zip(marks(end));
    let dropped = |event: &&Event| {
        let frame = event.args.frame_reporter.as_ref();
        frame.is_some_and(|frame| frame.state == "STATE_DROPPED" && frame.affects_smoothness)
    };
    let counted: Vec<_> = stretches
        .map(|(from, to)| {
            let within = trace.events.iter().filter(|event| {
                event.name == "PipelineReporter"
                    && event.ph == "b"
                    && (from..=to).contains(&event.ts)
            });
            (
                within.clone().count(),
                within.filter(dropped).count(),
                to - from,
            )
        })
        .collect();
    ensure!(!counted.is_empty(), "the trace has no mark {begin}");
    counted
        .into_iter()
        .map(|(all, dropped, time)| {
            (all > 0)
                .then(|| dropped as f64 / (time / 1e6))
                .context("a trace without frames")
        })
        .collect()
}
