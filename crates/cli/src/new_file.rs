//! Files that commands create: complete, or absent after an interruption.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::Context;
use fumikura_base::durable::{Access, NewFile};
use fumikura_base::printable::Printable;
use tokio::signal::unix::{SignalKind, signal};

/// The exit code of a program that ends by SIGINT.
const EXIT_INTERRUPTED: i32 = 130;

/// Writes a file that does not exist yet. It gets its name once it is complete; if the command is interrupted
/// before, nothing remains.
pub(crate) fn write_new<T>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let couldnt_create = || format!("couldn't create {}", Printable(path.display()));
    let is_interrupted = Arc::new(AtomicBool::new(false));
    set_on_signal(Arc::clone(&is_interrupted))?;
    let file = NewFile::create(path, Access::Default);
    let file = file.map_err(named_reason).with_context(couldnt_create)?;
    let mut out = Interruptible {
        file,
        is_interrupted,
    };
    let filled = fill(&mut out)?;
    let committed = out.file.commit();
    committed
        .map_err(named_reason)
        .with_context(couldnt_create)?;
    Ok(filled)
}

/// Replaces the standard library's words, which speak of an “entity”.
fn named_reason(error: io::Error) -> anyhow::Error {
    match error.kind() == io::ErrorKind::AlreadyExists {
        true => anyhow::anyhow!("the file exists"),
        false => error.into(),
    }
}

/// A file that accepts nothing more after a signal, so that the caller gives it up.
struct Interruptible {
    file: NewFile,
    is_interrupted: Arc<AtomicBool>,
}

impl Write for Interruptible {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // An error of the kind `Interrupted` would be retried.
        match self.is_interrupted.load(Ordering::Relaxed) {
            true => Err(io::Error::other("interrupted")),
            false => self.file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Sets the flag on the first signal that asks the program to end. The second one ends it at once.
fn set_on_signal(flag: Arc<AtomicBool>) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    let entered = runtime.enter();
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    drop(entered);
    thread::spawn(move || {
        runtime.block_on(async {
            loop {
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                    _ = hangup.recv() => {}
                }
                if flag.swap(true, Ordering::Relaxed) {
                    std::process::exit(EXIT_INTERRUPTED);
                }
            }
        });
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rustix::process::{Signal, getpid, kill_process};

    use super::*;

    #[test]
    fn interrupted_file_is_not_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.zip");
        let written = write_new(&path, |out| {
            out.write_all(b"half")?;
            kill_process(getpid(), Signal::INT)?;
            // The signal arrives on another thread.
            while out.write_all(b".").is_ok() {
                thread::yield_now();
            }
            Ok(out.write_all(b".")?)
        });
        assert_eq!(written.unwrap_err().to_string(), "interrupted");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn refused_name_is_in_the_message() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.zip");
        fs::write(&path, "other").unwrap();
        let error = write_new(&path, |_out| Ok(())).unwrap_err();
        let message = format!("couldn't create {}: the file exists", path.display());
        assert_eq!(format!("{error:#}"), message);
    }
}
