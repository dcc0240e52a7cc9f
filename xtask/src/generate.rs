//! `cargo xtask gen`: the server's code → `ui/openapi.json` → the page's types.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::build::{self, Profile};
use crate::install::node;
use crate::{command, install, place, say};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Write nothing; fail if what is there differs from the code
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    install::for_building()?;
    build::programs(Profile::Dev)?;
    if options.check { check() } else { write() }
}

fn write() -> Result<()> {
    let (document, types) = generated()?;
    fs::write(place::ui().join("openapi.json"), document)?;
    fs::write(place::ui().join("src/api/schema.ts"), types)?;
    say::step(
        "gen",
        "ui/openapi.json and ui/src/api/schema.ts are as the code says",
    );
    Ok(())
}

/// Fails if the files in the repository are not what the code gives; needs the built programs.
pub(crate) fn check() -> Result<()> {
    let (document, types) = generated()?;
    for (file, expected) in [("openapi.json", document), ("src/api/schema.ts", types)] {
        let there =
            fs::read_to_string(place::ui().join(file)).with_context(|| format!("ui/{file}"))?;
        if there != expected {
            bail!(
                "ui/{file} is not what the server's code says. `cargo xtask gen` writes it anew."
            );
        }
    }
    Ok(())
}

/// The OpenAPI document and the types, made in the build folder.
fn generated() -> Result<(String, String)> {
    let document =
        command::quiet(command::program(Profile::Dev.out_dir().join("fumi")).arg("openapi"))?;
    let dir = place::target().join("gen");
    fs::create_dir_all(&dir)?;
    let (source, types) = (dir.join("openapi.json"), dir.join("schema.ts"));
    fs::write(&source, &document)?;
    command::quiet(
        node::program("node")
            .arg(place::ui().join("node_modules/openapi-typescript/bin/cli.js"))
            .arg(&source)
            .arg("--output")
            .arg(&types),
    )?;
    Ok((document, read(&types)?))
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}
