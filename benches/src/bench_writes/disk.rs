//! The bytes that a disk has taken, as the kernel's block layer counts them. Other programs' bytes count as well: `TMPDIR` may
//! name a folder on a disk of its own. A program's own account (`/proc/PID/io`) counts whole folios of the page cache.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::fs::{major, minor};
use tokio::time::{Instant, sleep};

/// The size of the units of the kernel's counters, on every disk, in bytes.
const SECTOR: u64 = 512;
/// The field of the counters with the sectors that were written.
const WRITTEN: usize = 6;
/// The time after which deferred work is done: the search index, and what the kernel writes by itself.
const SETTLING: Duration = Duration::from_secs(6);

/// The disk with a folder.
pub(crate) struct Disk {
    counters: PathBuf,
}

/// The bytes that were written, and what became of them.
pub(crate) struct Taken {
    pub(crate) bytes: usize,
    pub(crate) by_disk: u64,
}

impl Disk {
    /// Finds the disk with a folder.
    pub(crate) fn of(folder: &Path) -> Result<Self> {
        let device = fs::metadata(folder)?.dev();
        let name = format!("/sys/dev/block/{}:{}/stat", major(device), minor(device));
        let counters = PathBuf::from(name);
        let without = || format!("the file system of {} has no disk", folder.display());
        fs::metadata(&counters).with_context(without)?;
        Ok(Self { counters })
    }

    /// Counts what the disk takes for some work, which returns its bytes. What it takes in the same time without the work is
    /// not counted.
    pub(crate) async fn count(&self, work: impl AsyncFnOnce() -> Result<usize>) -> Result<Taken> {
        self.settled().await?;
        let (before, begin) = (self.written()?, Instant::now());
        let bytes = work().await?;
        let after = self.settled().await?;
        let duration = begin.elapsed();
        sleep(duration.saturating_sub(SETTLING)).await;
        let idle = self.settled().await? - after;
        Ok(Taken {
            bytes,
            by_disk: (after - before).saturating_sub(idle),
        })
    }

    /// Waits for deferred work. Returns the bytes that the disk has taken.
    async fn settled(&self) -> Result<u64> {
        sleep(SETTLING).await;
        tokio::task::spawn_blocking(rustix::fs::sync).await?;
        self.written()
    }

    fn written(&self) -> Result<u64> {
        let counters = fs::read_to_string(&self.counters)?;
        let written = counters.split_whitespace().nth(WRITTEN);
        let written = written.context("the kernel counts no sectors")?;
        Ok(written.parse::<u64>()? * SECTOR)
    }
}
