//! `cargo xtask screenshots`: pictures of the real window, for the README and for inspection.

use anyhow::Result;

use crate::build::{self, Profile};
use crate::{install, output, paths, tests_crate};

#[derive(clap::Args)]
pub(crate) struct ScreenshotsTaskOptions {
    /// Use only this language (en, ja)
    #[arg(long)]
    language: Option<String>,
}

pub(crate) fn run(options: &ScreenshotsTaskOptions) -> Result<()> {
    install::for_testing()?;
    build::programs(Profile::Dev)?;
    let docs = paths::root().join("docs/pictures");
    let all = paths::target().join("screenshots");
    let (to_docs, to_all) = (docs.to_string_lossy(), all.to_string_lossy());
    let mut arguments = vec!["--readme", &*to_docs, "--all", &*to_all];
    if let Some(language) = &options.language {
        arguments.extend(["--language", language]);
    }
    tests_crate::program("screenshots", Profile::Dev, &arguments)?;
    output::step(
        "screenshots",
        format!("in {} and {}", docs.display(), all.display()),
    );
    Ok(())
}
