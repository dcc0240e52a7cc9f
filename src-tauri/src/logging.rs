//! The log: on standard error, and in files of the cache folder, from which a report of a problem takes it.

use std::io;
use std::path::PathBuf;

use fumikura_base::{exposure, own_file};
use fumikura_server::RotatingLog;

use crate::arguments::ShellArguments;

/// The log filter unless `FUMIKURA_LOG` is set, as in `fumi`. tao warns of keys that are pressed after its
/// end.
const USUALLY: &str = "warn,fumikura_expiry::run=info,fumikura_shell=info,tao=error";
/// The largest size of a file of the log, in bytes, and the number of files.
const LIMIT: u64 = 2_000_000;
const FILES: usize = 5;

/// Starts logging. Without a folder for the files, events are on standard error alone.
pub(crate) fn start(arguments: &ShellArguments) {
    let opened = folder(arguments).map(|folder| {
        exposure::check(&folder).map_err(io::Error::other)?;
        RotatingLog::open(&folder, LIMIT, FILES)
    });
    let (log, failure) = match opened.transpose() {
        Ok(log) => (log, None),
        Err(error) => (None, Some(error)),
    };
    fumikura_server::start_logging_to(USUALLY, log);
    if let Some(error) = failure {
        tracing::warn!(%error, "the log can't be written to a file");
    }
    tracing::info!("Fumikura {} starts", env!("CARGO_PKG_VERSION"));
}

/// Returns the last lines of the log.
pub(crate) fn tail(arguments: &ShellArguments, lines: usize) -> String {
    let Some(folder) = folder(arguments) else {
        return String::new();
    };
    let files = [1, 0].map(|number| RotatingLog::file(&folder, number));
    let texts = files.map(|file| own_file::read(&file, own_file::SETTINGS).unwrap_or_default());
    let text = String::from_utf8_lossy(&texts.concat()).into_owned();
    let all: Vec<&str> = text.lines().collect();
    let last = &all[all.len().saturating_sub(lines)..];
    last.iter().map(|line| format!("{line}\n")).collect()
}

/// Returns the folder of the log. None if the environment names no home folder.
fn folder(arguments: &ShellArguments) -> Option<PathBuf> {
    Some(arguments.cache_folder()?.join("log"))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn tail_continues_in_the_earlier_file() {
        let cache = tempfile::tempdir().unwrap();
        let arguments = ShellArguments {
            cache: Some(cache.path().to_owned()),
            ..ShellArguments::default()
        };
        assert_eq!(tail(&arguments, 3), "");
        let mut log = RotatingLog::open(&cache.path().join("log"), 16, FILES).unwrap();
        for line in ["one\n", "two\n", "three\n", "four\n", "five\n"] {
            log.write_all(line.as_bytes()).unwrap();
        }
        assert_eq!(tail(&arguments, 3), "three\nfour\nfive\n");
    }
}
