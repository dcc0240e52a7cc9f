//! The workspace according to cargo: its packages, their dependencies and targets.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::command;

/// The workspace's own packages.
pub(crate) struct Metadata {
    packages: Vec<Value>,
}

/// A package of the workspace.
#[derive(Clone, Copy)]
pub(crate) struct Package<'a>(&'a Value);

/// Runs `cargo metadata` for the workspace.
pub(crate) fn read() -> Result<Metadata> {
    let text =
        command::quiet(command::cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let mut value: Value = serde_json::from_str(&text).context("cargo metadata")?;
    let packages = value["packages"]
        .as_array_mut()
        .map(std::mem::take)
        .context("cargo metadata names no packages")?;
    Ok(Metadata { packages })
}

impl Metadata {
    #[cfg(test)]
    pub(crate) fn of(packages: Vec<Value>) -> Self {
        Self { packages }
    }

    pub(crate) fn packages(&self) -> impl Iterator<Item = Package<'_>> {
        self.packages.iter().map(Package)
    }

    pub(crate) fn package(&self, name: &str) -> Option<Package<'_>> {
        self.packages().find(|package| package.name() == name)
    }
}

impl<'a> Package<'a> {
    pub(crate) fn name(self) -> &'a str {
        self.0["name"].as_str().unwrap_or_default()
    }

    /// Returns the names of the dependencies, without those that only the tests use.
    pub(crate) fn dependencies(self) -> impl Iterator<Item = &'a str> {
        self.list("dependencies")
            .filter(|dependency| dependency["kind"].as_str() != Some("dev"))
            .filter_map(|dependency| dependency["name"].as_str())
    }

    /// Returns the names by which the code knows all dependencies.
    pub(crate) fn all_dependencies(self) -> impl Iterator<Item = &'a str> {
        self.list("dependencies").filter_map(|dependency| {
            let rename = dependency["rename"].as_str();
            rename.or_else(|| dependency["name"].as_str())
        })
    }

    /// Returns the folders of the targets' main files.
    pub(crate) fn source_folders(self) -> impl Iterator<Item = &'a Path> {
        let files = self
            .list("targets")
            .filter_map(|target| target["src_path"].as_str());
        files.filter_map(|file| Path::new(file).parent())
    }

    /// Returns true if a dependency, other than one of the tests, is built without any feature.
    pub(crate) fn requires(self, dependency: &str) -> bool {
        self.list("dependencies").any(|required| {
            required["name"].as_str() == Some(dependency)
                && required["kind"].as_str() != Some("dev")
                && required["optional"].as_bool() == Some(false)
        })
    }

    /// Returns the names of the declared integration tests.
    pub(crate) fn test_targets(self) -> impl Iterator<Item = &'a str> {
        self.list("targets")
            .filter(|target| target["kind"][0].as_str() == Some("test"))
            .filter_map(|target| target["name"].as_str())
    }

    fn list(self, field: &str) -> impl Iterator<Item = &'a Value> {
        self.0[field].as_array().into_iter().flatten()
    }
}
