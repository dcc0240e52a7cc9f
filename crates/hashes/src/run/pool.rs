//! The reading threads: as many as there are processors, but one for a disk whose head has to move.

use std::collections::BTreeMap;
use std::fs;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::RunError;

pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs `work` for each item, disk by disk, with as many threads as the disk supports. Items of a rotating
/// disk keep the given order.
pub(super) fn for_each<T: Send>(
    items: Vec<(u64, T)>,
    work: impl Fn(T) + Sync,
) -> Result<(), RunError> {
    let mut by_device: BTreeMap<u64, Vec<T>> = BTreeMap::new();
    for (device, item) in items {
        by_device.entry(device).or_default().push(item);
    }
    let pool = new(processors())?;
    for (device, items) in by_device {
        if is_rotational(device) {
            items.into_iter().for_each(&work);
        } else {
            pool.install(|| items.into_par_iter().with_max_len(16).for_each(&work));
        }
    }
    Ok(())
}

/// Returns a pool of this many threads.
pub(super) fn new(threads: usize) -> Result<ThreadPool, RunError> {
    let builder = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|number| format!("hash {number}"));
    builder.build().map_err(RunError::Threads)
}

/// Returns true if the kernel considers the disk a rotating one. The disk of a partition is its parent folder.
fn is_rotational(device: u64) -> bool {
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    let disk = format!("/sys/dev/block/{major}:{minor}");
    ["queue/rotational", "../queue/rotational"]
        .iter()
        .any(|flag| {
            fs::read_to_string(format!("{disk}/{flag}")).is_ok_and(|flag| flag.trim() == "1")
        })
}
