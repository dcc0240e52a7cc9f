//! The limits of a command and of all processes that it starts.
//!
//! The process limits itself between fork and exec, so that it never runs without limits, and its descendants inherit
//! them. A filter of system calls keeps them all in one process group, which is counted while the command runs, and
//! killed when it ends.
#![expect(
    unsafe_code,
    reason = "a process can limit itself only between fork and exec, where the code must not allocate or lock"
)]

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

use rustix::process::{
    Pid, Resource, Rlimit, Signal, getrlimit, set_parent_process_death_signal, setrlimit,
};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter};

use crate::error::CommandLimit;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandLimits {
    /// The memory of all processes together, and of each one, in bytes.
    pub memory: u64,
    /// The number of processes at the same time.
    pub processes: usize,
    /// The size of all files in the command's folder, in bytes.
    pub files: u64,
}

impl Default for CommandLimits {
    fn default() -> Self {
        Self {
            memory: 4 << 30,
            processes: 64,
            files: 64 << 20,
        }
    }
}

/// The maximum size of a file anywhere, in bytes. Some programs download the data of a language once.
const MAX_FILE: u64 = 1 << 30;

impl CommandLimits {
    /// Makes a command limit itself before it starts, for a run of at most `budget`.
    pub(super) fn apply(self, command: &mut Command, budget: Duration) -> io::Result<()> {
        let processors = std::thread::available_parallelism()?.get() as u64;
        let seconds = (budget.as_secs() + 1) * processors;
        let limits = [
            (Resource::Core, 0),
            (Resource::Cpu, seconds),
            (Resource::Data, self.memory),
            (Resource::Fsize, MAX_FILE),
        ];
        let group = stay_in_group().map_err(io::Error::other)?;
        let limit = move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            for (resource, limit) in limits {
                lower(resource, limit)?;
            }
            apply_filter(&group).map_err(|_| io::Error::last_os_error())
        };
        // SAFETY: between fork and exec only system calls are made; everything was allocated before.
        unsafe { command.pre_exec(limit) };
        command.process_group(0);
        Ok(())
    }

    /// Returns the limit that the processes of a group exceed.
    pub(super) fn exceeded(self, group: Pid) -> io::Result<Option<CommandLimit>> {
        let (mut processes, mut memory) = (0, 0);
        for entry in fs::read_dir("/proc")? {
            let name = entry?.file_name();
            let Some(id) = name.to_str().filter(|name| name.parse::<u32>().is_ok()) else {
                continue;
            };
            if group_of(id) == Some(group.as_raw_nonzero().get()) {
                processes += 1;
                memory += own_memory(id);
            }
        }
        Ok(if processes > self.processes {
            Some(CommandLimit::Processes(self.processes))
        } else if memory > self.memory {
            Some(CommandLimit::Memory(self.memory))
        } else {
            None
        })
    }
}

/// Lowers a limit of this process, never above that of the parent.
fn lower(resource: Resource, to: u64) -> io::Result<()> {
    let allowed = getrlimit(resource).maximum;
    let limit = Some(allowed.map_or(to, |allowed| allowed.min(to)));
    let (current, maximum) = (limit, limit);
    Ok(setrlimit(resource, Rlimit { current, maximum })?)
}

/// Returns a filter that refuses to leave the process group. The kernel inherits it to all descendants, and lets
/// none of them gain privileges.
fn stay_in_group() -> Result<BpfProgram, seccompiler::BackendError> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    let calls = [libc::SYS_setpgid, libc::SYS_setsid].map(|call| (call, Vec::new()));
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    let filter = SeccompFilter::new(
        BTreeMap::from(calls),
        SeccompAction::Allow,
        refused,
        architecture,
    )?;
    filter.try_into()
}

/// Returns the process group of a process; `None` if it has ended.
fn group_of(id: &str) -> Option<i32> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program, in parentheses, may contain anything.
    let (_, fields) = stat.rsplit_once(") ")?;
    fields.split(' ').nth(2)?.parse().ok()
}

/// Returns the memory of a process in bytes, without that of files; 0 if it has ended.
fn own_memory(id: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let kibibytes = |line: &str| {
        let (name, value) = line.split_once(':')?;
        let is_own = ["RssAnon", "RssShmem"].contains(&name);
        let number = value.trim().strip_suffix(" kB")?;
        is_own.then(|| number.parse::<u64>().ok()).flatten()
    };
    status.lines().filter_map(kibibytes).sum::<u64>() << 10
}
