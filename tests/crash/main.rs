//! Real processes: killed at any moment, ended, started twice, on full disks.
#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails fails the test that called it"
)]

mod binned;
mod commands;
mod connections;
mod crowded;
mod ending;
mod expiring;
mod found;
mod full_disk;
mod hash;
mod killed;
mod known;
mod limits;
mod listed;
mod marked;
mod populous;
mod read_only;
mod searched;
mod secrets;
mod shared_cache;
mod socket;
mod starting;
mod support;
mod sweeping;
mod synced;
mod uploads;
mod workers;
