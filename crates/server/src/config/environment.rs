//! The environment variables of the process, including those of the thumbnail server
//! (docs/spec/thumbnails.md, Access, Capacity).

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;

use super::range::{QUEUE, Range, TTL_WORKERS, WORKERS};
use super::{ConfigError, Listen, Secret, amount};

/// The variables of a process.
pub(super) struct Environment(HashMap<String, OsString>);

impl Environment {
    pub(super) fn of_the_process() -> Self {
        Self(
            std::env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
                .collect(),
        )
    }

    pub(super) fn listen(&self) -> Result<Option<Listen>, ConfigError> {
        self.text("ESTELLE_ADDR")
            .map(|value| {
                value
                    .parse()
                    .map_err(|_| ConfigError::bad("ESTELLE_ADDR", &value, super::ADDRESS_FORM))
            })
            .transpose()
    }

    pub(super) fn allowed_dirs(&self) -> Vec<PathBuf> {
        let list = self.0.get("ESTELLE_ALLOWED_DIRS");
        list.into_iter()
            .flat_map(std::env::split_paths)
            .filter(|path| !path.as_os_str().is_empty())
            .collect()
    }

    pub(super) fn cache_dir(&self) -> Option<PathBuf> {
        self.0
            .get("ESTELLE_CACHE_DIR")
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    }

    pub(super) fn secret(&self) -> Option<Secret> {
        self.text("ESTELLE_SECRET").map(Secret::new)
    }

    pub(super) fn workers(&self) -> Result<Option<usize>, ConfigError> {
        self.number("ESTELLE_WORKERS", &WORKERS)
    }

    pub(super) fn queue_size(&self) -> Result<Option<usize>, ConfigError> {
        self.number("ESTELLE_QUEUE_SIZE", &QUEUE)
    }

    pub(super) fn ttl_workers(&self) -> Result<Option<usize>, ConfigError> {
        self.number("FUMIKURA_TTL_WORKERS", &TTL_WORKERS)
    }

    pub(super) fn cache_limit(&self) -> Result<Option<u64>, ConfigError> {
        let Some(value) = self.text("ESTELLE_CACHE_LIMIT") else {
            return Ok(None);
        };
        amount::bytes("ESTELLE_CACHE_LIMIT", &value).map(Some)
    }

    pub(super) fn gc_high(&self) -> Result<Option<f64>, ConfigError> {
        self.ratio("ESTELLE_GC_HIGH_RATIO")
    }

    pub(super) fn gc_low(&self) -> Result<Option<f64>, ConfigError> {
        self.ratio("ESTELLE_GC_LOW_RATIO")
    }

    fn ratio(&self, name: &str) -> Result<Option<f64>, ConfigError> {
        let Some(value) = self.text(name) else {
            return Ok(None);
        };
        amount::ratio(name, &value).map(Some)
    }

    fn number(&self, name: &str, range: &Range) -> Result<Option<usize>, ConfigError> {
        let Some(value) = self.text(name) else {
            return Ok(None);
        };
        match value.trim().parse() {
            Ok(number) => range.check(name, number).map(Some),
            Err(_) => Err(ConfigError::bad(name, value, range.allowed)),
        }
    }

    /// Returns the value, if it is set and not empty.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.0
            .get(name)
            .map(|value| value.to_string_lossy().into_owned())
            .filter(|value| !value.is_empty())
    }
}

#[cfg(test)]
impl<const N: usize> From<[(&str, &str); N]> for Environment {
    fn from(variables: [(&str, &str); N]) -> Self {
        Self(
            variables
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value.into()))
                .collect(),
        )
    }
}
