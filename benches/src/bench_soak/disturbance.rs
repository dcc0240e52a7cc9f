//! What happens to a server that runs for weeks: its workers are killed, the machine sleeps, and the clock jumps.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result};
use fumikura_tests::stage::process_tree::descendants;
use rustix::process::{Pid, Signal, kill_process};
use tokio::time::sleep;

use crate::counters::Counters;

/// The duration of a suspension. The server's clocks go on meanwhile.
const SUSPENSION: Duration = Duration::from_secs(5);
/// The offsets of the clock, one after the other.
const OFFSETS: [&str; 6] = ["+5h", "+2h", "+0", "+31h", "-8h", "+0"];

/// The clock of the server, which is offset by libfaketime.
pub(crate) struct Clock {
    library: PathBuf,
    file: PathBuf,
}

impl Clock {
    pub(crate) fn new(library: &Path, folder: &Path) -> Result<Self> {
        let file = folder.join("clock");
        fs::write(&file, "+0")?;
        let library = library
            .canonicalize()
            .with_context(|| library.display().to_string())?;
        Ok(Self { library, file })
    }

    /// Returns the environment of the server. The monotonic clock is not offset, nor are the times of files.
    pub(crate) fn variables(&self) -> Vec<(&'static str, OsString)> {
        vec![
            ("LD_PRELOAD", self.library.clone().into()),
            ("FAKETIME_TIMESTAMP_FILE", self.file.clone().into()),
            ("FAKETIME_CACHE_DURATION", "1".into()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".into()),
            ("NO_FAKE_STAT", "1".into()),
        ]
    }

    fn jump(&self, offset: &str) -> Result<()> {
        // Another process reads it at any time.
        let next = self.file.with_extension("next");
        fs::write(&next, offset)?;
        Ok(fs::rename(next, &self.file)?)
    }
}

/// Disturbs the server until the end, once in each interval.
pub(crate) struct Disturbance {
    pub(crate) server: Pid,
    pub(crate) clock: Option<Clock>,
    pub(crate) interval: Duration,
    pub(crate) counters: Arc<Counters>,
}

impl Disturbance {
    pub(crate) async fn run(self) {
        for round in 0.. {
            sleep(self.interval).await;
            if self.counters.have_ended() {
                return;
            }
            let outcome = self.disturb(round).await;
            self.counters.note(outcome);
            self.counters.disturbances.fetch_add(1, Ordering::Relaxed);
        }
    }

    async fn disturb(&self, round: usize) -> Result<()> {
        match (round % 3, &self.clock) {
            (0, _) => {
                for worker in descendants(self.server) {
                    // It may have ended by itself.
                    let _ended = kill_process(worker, Signal::KILL);
                }
            }
            (1, _) => {
                kill_process(self.server, Signal::STOP)?;
                sleep(SUSPENSION).await;
                kill_process(self.server, Signal::CONT)?;
            }
            (_, Some(clock)) => clock.jump(OFFSETS[round / 3 % OFFSETS.len()])?,
            (_, None) => {}
        }
        Ok(())
    }
}
