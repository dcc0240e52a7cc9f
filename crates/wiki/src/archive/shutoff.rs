//! A writer for an archive that can be closed: it then discards its input.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A handle that closes a [`ShutoffWriter`] and counts the written bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct ShutoffHandle(Arc<ShutoffState>);

#[derive(Debug, Default)]
struct ShutoffState {
    is_closed: AtomicBool,
    bytes_written: AtomicU64,
}

impl ShutoffHandle {
    pub(super) fn close(&self) {
        self.0.is_closed.store(true, Ordering::Release);
    }

    fn is_closed(&self) -> bool {
        self.0.is_closed.load(Ordering::Acquire)
    }

    /// The number of written bytes.
    pub(super) fn bytes_written(&self) -> u64 {
        self.0.bytes_written.load(Ordering::Relaxed)
    }
}

/// A writer that passes everything on until it is closed or fails. After that it discards its input: the zip
/// writer finishes even an abandoned archive, which would then look complete.
pub(super) struct ShutoffWriter<W> {
    out: W,
    handle: ShutoffHandle,
}

impl<W> ShutoffWriter<W> {
    pub(super) fn new(out: W, handle: ShutoffHandle) -> Self {
        Self { out, handle }
    }
}

impl<W: Write> Write for ShutoffWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.handle.is_closed() {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        if written
            .as_ref()
            .is_err_and(|error| error.kind() != io::ErrorKind::Interrupted)
        {
            self.handle.close();
        }
        let bytes_written = *written.as_ref().unwrap_or(&0) as u64;
        self.handle
            .0
            .bytes_written
            .fetch_add(bytes_written, Ordering::Relaxed);
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.handle.is_closed() {
            return Ok(());
        }
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_writer_discards_writes() {
        let (mut out, handle) = (Vec::new(), ShutoffHandle::default());
        let mut writer = ShutoffWriter::new(&mut out, handle.clone());
        writer.write_all(b"before").unwrap();
        handle.close();
        writer.write_all(b"after").unwrap();
        assert_eq!(handle.bytes_written(), 6);
        assert_eq!(out, b"before");
    }

    #[test]
    fn write_error_is_returned_once_and_closes_writer() {
        let mut room = [0; 3];
        let mut writer = ShutoffWriter::new(&mut room[..], ShutoffHandle::default());
        assert!(writer.write_all(b"four").is_err());
        // A full slice accepts nothing, which is not a failure of the valve.
        assert_eq!(writer.write(b"more").unwrap(), 0);

        struct Broken;
        impl Write for Broken {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut writer = ShutoffWriter::new(Broken, ShutoffHandle::default());
        assert!(writer.write(b"first").is_err());
        assert_eq!(writer.write(b"more").unwrap(), 4);
    }
}
