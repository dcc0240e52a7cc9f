//! Running a scenario on a stage, and keeping the evidence when it fails.

use std::panic::{AssertUnwindSafe, resume_unwind};

use anyhow::Result;
use fumikura_tests::evidence;
use fumikura_tests::stage::{Kind, Stage};
use futures_util::FutureExt;

/// Plays `scenario` on a fresh stage.
pub(crate) async fn play(
    kind: Kind,
    name: &str,
    scenario: impl AsyncFnOnce(&mut Stage) -> Result<()>,
) {
    let mut stage = Stage::new(kind).await.unwrap();
    let outcome = AssertUnwindSafe(scenario(&mut stage)).catch_unwind().await;
    if let Ok(Ok(())) = outcome {
        return;
    }
    match evidence::save(&stage, name).await {
        Ok(dir) => eprintln!("What was seen is in {}", dir.display()),
        Err(error) => eprintln!("Nothing of what was seen could be kept: {error:#}"),
    }
    drop(stage);
    match outcome {
        Ok(failure) => panic!("{:#}", failure.unwrap_err()),
        Err(panic) => resume_unwind(panic),
    }
}
