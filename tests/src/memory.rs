//! The memory of a process.

use std::fs;

use anyhow::{Context, Result};
use rustix::process::Pid;

/// Sizes in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// The current resident memory.
    pub resident: u64,
    /// The part of it that is not backed by files.
    pub anonymous: u64,
    /// The peak since the process started.
    pub peak: u64,
}

impl Memory {
    /// Reads the memory of a running process.
    ///
    /// # Errors
    /// Fails if the process does not run.
    pub fn of(process: Pid) -> Result<Self> {
        let status = fs::read_to_string(format!("/proc/{}/status", process.as_raw_nonzero()))?;
        let field = |name: &str| -> Result<u64> {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|line| line.split_whitespace().next());
            let kibibytes: u64 = number
                .with_context(|| format!("the kernel tells no {name}"))?
                .parse()?;
            Ok(kibibytes * 1024)
        };
        Ok(Self {
            resident: field("VmRSS:")?,
            anonymous: field("RssAnon:")?,
            peak: field("VmHWM:")?,
        })
    }
}
