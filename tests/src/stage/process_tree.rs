//! Processes from the kernel's point of view: descent and memory.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use rustix::process::Pid;

/// Returns all descendants of `root`, parents first.
#[must_use]
pub fn descendants(root: Pid) -> Vec<Pid> {
    let mut children: HashMap<Pid, Vec<Pid>> = HashMap::new();
    for (pid, parent) in all() {
        children.entry(parent).or_default().push(pid);
    }
    let mut processes = Vec::new();
    let mut next = vec![root];
    while let Some(pid) = next.pop() {
        for child in children.remove(&pid).unwrap_or_default() {
            processes.push(child);
            next.push(child);
        }
    }
    processes
}

/// Returns the program that a process runs.
#[must_use]
pub fn program(pid: Pid) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{}/exe", pid.as_raw_nonzero())).ok()
}

/// Returns true if the process is gone, or is a zombie.
#[must_use]
pub fn has_ended(pid: Pid) -> bool {
    stat(pid).is_none_or(|(state, _)| state == 'Z' || state == 'X')
}

/// Returns the process's proportional share of memory (PSS), in KiB.
#[must_use]
pub fn proportional_kib(pid: Pid) -> u64 {
    fs::read_to_string(format!("/proc/{}/smaps_rollup", pid.as_raw_nonzero()))
        .ok()
        .and_then(|rollup| {
            let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
            line.split_whitespace().next()?.parse().ok()
        })
        .unwrap_or(0)
}

fn all() -> Vec<(Pid, Pid)> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
        .filter_map(|pid| Some((pid, stat(pid)?.1)))
        .collect()
}

/// Returns state and parent, which follow the name in parentheses; the name may contain any character.
fn stat(pid: Pid) -> Option<(char, Pid)> {
    let text = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?.chars().next()?;
    let parent = Pid::from_raw(fields.next()?.parse().ok()?)?;
    Some((state, parent))
}
