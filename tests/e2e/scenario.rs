//! Runs a scenario on a stage, and saves the evidence if it fails.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, resume_unwind};

use anyhow::Result;
use fumikura_tests::evidence;
use fumikura_tests::stage::{Kind, Stage};
use futures_util::FutureExt;

/// Runs `scenario` on a fresh stage.
pub(crate) async fn play(
    kind: Kind,
    name: &str,
    scenario: impl AsyncFnOnce(&mut Stage) -> Result<()>,
) -> Result<(), Reason> {
    let mut stage = Stage::new(kind).await?;
    let run = async {
        scenario(&mut stage).await?;
        check_integrity(&stage).await
    };
    let failure = match AssertUnwindSafe(run).catch_unwind().await {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(error)) => Failure::Error(error),
        Err(panic) => Failure::Panic(panic),
    };
    match evidence::save(&stage, name).await {
        Ok(dir) => eprintln!("The evidence is in {}", dir.display()),
        Err(error) => eprintln!("The evidence is incomplete: {error:#}"),
    }
    drop(stage);
    match failure {
        Failure::Error(error) => Err(error.into()),
        Failure::Panic(panic) => resume_unwind(panic),
    }
}

/// Runs the integrity check after the scenario, if the application is still running.
async fn check_integrity(stage: &Stage) -> Result<()> {
    let runs = stage.page_if_running().is_some();
    if runs && stage.home().data().join("server.json").exists() {
        stage.api().await?.check_integrity().await?;
    }
    Ok(())
}

/// The reason of a scenario's failure, as text only: a stack trace would obscure it.
pub(crate) struct Reason(anyhow::Error);

impl From<anyhow::Error> for Reason {
    fn from(error: anyhow::Error) -> Self {
        Self(error)
    }
}

impl fmt::Debug for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.0)
    }
}

/// The kind of a scenario's failure.
enum Failure {
    Error(anyhow::Error),
    Panic(Box<dyn Any + Send>),
}

/// A module of tests, one for each scenario, all on the same kind of stage.
macro_rules! stage {
    ($stage:ident on $kind:ident: $($module:ident::$name:ident),+ $(,)?) => {
        mod $stage {
            $(
                #[tokio::test]
                async fn $name() -> Result<(), crate::scenario::Reason> {
                    use fumikura_tests::stage::Kind;
                    crate::scenario::play(Kind::$kind, stringify!($name), crate::$module::$name).await
                }
            )+
        }
    };
}

/// Scenarios that run in the window and in the browser.
macro_rules! everywhere {
    ($($module:ident::$name:ident),+ $(,)?) => {
        stage!(window on Window: $($module::$name),+);
        stage!(browser on Browser: $($module::$name),+);
    };
}
