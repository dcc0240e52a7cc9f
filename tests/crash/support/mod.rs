//! The program as a process, the folders that it works on, and a client.

mod client;
mod disk;
mod home;
mod pictures;
mod process;
mod random;
mod schema;
mod trace;

use std::time::{Duration, Instant};

use fumikura_base::entropy::{Entropy, SeededEntropy};

pub(crate) use client::{Client, ConnectionLost, Reply};
pub(crate) use disk::{Disk, ReadOnly, Unwritable};
pub(crate) use home::{Home, files};
pub(crate) use pictures::{check_thumbnails, with_a_picture, write_noise};
pub(crate) use process::{Outcome, Server, wait_for_exit};
pub(crate) use random::Random;
pub(crate) use schema::check_schema;
pub(crate) use trace::{Call, NameCall, Trace, Tracing};

/// Polls until a condition is true; fails if it never is.
#[track_caller]
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < end, "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns a text of `length` letters, which compresses to three quarters and no further.
pub(crate) fn incompressible(length: usize) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut bytes = vec![0; length];
    SeededEntropy::new(1).fill(&mut bytes);
    let letters = bytes
        .into_iter()
        .map(|byte| LETTERS[usize::from(byte) % LETTERS.len()]);
    letters.map(char::from).collect()
}
