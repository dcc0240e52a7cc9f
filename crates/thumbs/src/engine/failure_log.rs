//! A log of the pictures that exhausted their decoder, in a file in the folder of the thumbnails. Without it,
//! each of them would cost half a minute of computing, or all memory, or a crash of the decoder again in the
//! next launch.
//!
//! Like everything in that folder, the file may be deleted at any time, and unreadable contents count as
//! missing: such a picture is simply tried again.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fumikura_base::own_file;
use fumikura_fs::PictureVersion;
use fumikura_image::DecodeError;

use crate::cache::Cache;

const NAME: &str = "failures.txt";
/// The number of bytes of the file that are read.
const MAX_BYTES: u64 = 4 << 20;

pub(super) struct FailureLog {
    cache: Arc<Cache>,
    heading: String,
}

impl FailureLog {
    /// Creates a log. `conditions` are the other causes of a failure: the program that decodes, and its
    /// limits. Failures under other conditions are not known.
    pub(super) fn new(cache: Arc<Cache>, conditions: &str) -> Self {
        Self {
            cache,
            heading: format!("# Pictures that were too much for their decoder; {conditions}\n"),
        }
    }

    /// Returns the failures, oldest first. At most `max` are kept.
    pub(super) fn read(&self, max: usize) -> Vec<(PictureVersion, DecodeError)> {
        let Some(path) = self.path() else {
            return Vec::new();
        };
        let (mut failures, is_ours) = match self.read_file(&path) {
            Ok(contents) => contents,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
            Err(error) => {
                tracing::warn!(%error, "the log of failed pictures can't be read");
                return Vec::new();
            }
        };
        let surplus = failures.len().saturating_sub(max);
        failures.drain(..surplus);
        if !is_ours || surplus > 0 {
            log_error(own_file::replace(&path, self.text(&failures).as_bytes()));
        }
        failures
    }

    /// Adds a failure, if it is of a stored kind.
    pub(super) fn add(&self, version: PictureVersion, error: &DecodeError) {
        let (Some(line), Some(path)) = (line(version, error), self.path()) else {
            return;
        };
        let append = || {
            let mut file = own_file::open_with(&path, File::options().append(true).create(true))?;
            let text = if file.metadata()?.len() == 0 {
                format!("{}{line}", self.heading)
            } else {
                line
            };
            // The text is written at once, as another launch may write to the file too.
            file.write_all(text.as_bytes())
        };
        log_error(append());
    }

    /// Returns the path of the file, or `None` if the folder is no longer ours.
    fn path(&self) -> Option<PathBuf> {
        Some(self.cache.folder()?.join(NAME))
    }

    /// Returns the failures in the file, and true if it was written under our conditions.
    fn read_file(&self, path: &Path) -> io::Result<(Vec<(PictureVersion, DecodeError)>, bool)> {
        let mut bytes = Vec::new();
        let file = own_file::open(path, own_file::ITEM)?;
        file.take(MAX_BYTES).read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        Ok(match text.strip_prefix(&self.heading) {
            Some(lines) => (lines.lines().filter_map(parse_line).collect(), true),
            None => (Vec::new(), false),
        })
    }

    fn text(&self, failures: &[(PictureVersion, DecodeError)]) -> String {
        let lines = failures
            .iter()
            .filter_map(|(version, error)| line(*version, error));
        lines.fold(self.heading.clone(), |mut text, line| {
            text.push_str(&line);
            text
        })
    }
}

fn log_error(written: io::Result<()>) {
    if let Err(error) = written {
        tracing::debug!(%error, "a failed picture can't be logged");
    }
}

/// Returns the line of a failure of a stored kind. All others cost little to detect again.
fn line(version: PictureVersion, error: &DecodeError) -> Option<String> {
    let mut line = match error {
        DecodeError::TimedOut(limit) => format!("{version} timed-out {}", limit.as_millis()),
        DecodeError::Crashed(words) => format!("{version} ended {words}"),
        DecodeError::Unintelligible(_) => format!("{version} ended {error}"),
        DecodeError::Panicked => format!("{version} panicked"),
        DecodeError::NotAPicture
        | DecodeError::UnsupportedKind(_)
        | DecodeError::FileTooLarge { .. }
        | DecodeError::TooManyPixels { .. }
        | DecodeError::TooLarge(_)
        | DecodeError::Damaged(_)
        // The picture may not be the cause.
        | DecodeError::Killed
        | DecodeError::Unanswered(_)
        | DecodeError::NoVideoDecoder(_)
        | DecodeError::NoDecoder(_)
        | DecodeError::Io(_) => return None,
    };
    line.retain(|letter| !letter.is_control());
    line.push('\n');
    Some(line)
}

fn parse_line(line: &str) -> Option<(PictureVersion, DecodeError)> {
    let (version, rest) = line.split_once(' ')?;
    let (kind, words) = rest.split_once(' ').unwrap_or((rest, ""));
    let error = match kind {
        "timed-out" => DecodeError::TimedOut(Duration::from_millis(words.parse().ok()?)),
        "ended" => DecodeError::Crashed(words.to_owned()),
        "panicked" => DecodeError::Panicked,
        _ => return None,
    };
    Some((version.parse().ok()?, error))
}
