//! What a process takes of the machine's memory.

use std::fs;

use anyhow::{Context, Result};
use rustix::process::Pid;

/// In bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// Now.
    pub resident: u64,
    /// Of it what is not of files.
    pub anonymous: u64,
    /// At any time since it started.
    pub peak: u64,
}

impl Memory {
    /// Of a process that runs.
    ///
    /// # Errors
    /// Fails if it does not.
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
