//! A writer for an archive that can be shut: then it passes nothing more on.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A handle that shuts a [`Valve`] and counts the bytes that have passed.
#[derive(Debug, Clone, Default)]
pub(super) struct Handle(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_shut: AtomicBool,
    passed: AtomicU64,
}

impl Handle {
    pub(super) fn shut(&self) {
        self.0.is_shut.store(true, Ordering::Release);
    }

    fn is_shut(&self) -> bool {
        self.0.is_shut.load(Ordering::Acquire)
    }

    /// The number of bytes that have passed.
    pub(super) fn passed(&self) -> u64 {
        self.0.passed.load(Ordering::Relaxed)
    }
}

/// A writer that passes everything on until it is shut or fails. After that it discards its input: the zip
/// writer finishes even an abandoned archive, which would then look complete.
pub(super) struct Valve<W> {
    out: W,
    handle: Handle,
}

impl<W> Valve<W> {
    pub(super) fn new(out: W, handle: Handle) -> Self {
        Self { out, handle }
    }
}

impl<W: Write> Write for Valve<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.handle.is_shut() {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        if written
            .as_ref()
            .is_err_and(|error| error.kind() != io::ErrorKind::Interrupted)
        {
            self.handle.shut();
        }
        let passed = *written.as_ref().unwrap_or(&0) as u64;
        self.handle.0.passed.fetch_add(passed, Ordering::Relaxed);
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.handle.is_shut() {
            return Ok(());
        }
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_valve_discards_writes() {
        let (mut out, handle) = (Vec::new(), Handle::default());
        let mut valve = Valve::new(&mut out, handle.clone());
        valve.write_all(b"before").unwrap();
        handle.shut();
        valve.write_all(b"after").unwrap();
        assert_eq!(handle.passed(), 6);
        assert_eq!(out, b"before");
    }

    #[test]
    fn write_error_is_returned_once_and_closes_valve() {
        let mut room = [0; 3];
        let mut valve = Valve::new(&mut room[..], Handle::default());
        assert!(valve.write_all(b"four").is_err());
        // A full slice accepts nothing, which is not a failure of the valve.
        assert_eq!(valve.write(b"more").unwrap(), 0);

        struct Broken;
        impl Write for Broken {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut valve = Valve::new(Broken, Handle::default());
        assert!(valve.write(b"first").is_err());
        assert_eq!(valve.write(b"more").unwrap(), 4);
    }
}
