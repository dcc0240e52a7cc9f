//! Interruptions by Ctrl C and other signals: long commands end in order, and say what they did.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use parking_lot::Mutex;
use tokio::signal::unix::{SignalKind, signal};

/// The exit code of a program that ends by SIGINT.
pub(crate) const EXIT_INTERRUPTED: u8 = 130;

/// A command was interrupted. The message says what was done.
#[derive(Debug, thiserror::Error)]
#[error("interrupted: {0}")]
pub(crate) struct Interrupted(pub(crate) String);

/// True if an error is an interruption.
pub(crate) fn is_interruption(error: &anyhow::Error) -> bool {
    let is_interrupted = |cause: &(dyn std::error::Error + 'static)| {
        let inner = cause.downcast_ref::<io::Error>();
        let inner = inner.and_then(|error| error.get_ref());
        cause.is::<Interrupted>() || inner.is_some_and(|inner| inner.is::<Interrupted>())
    };
    error.chain().any(is_interrupted)
}

/// A watch for the signals that ask the program to end. From the first one on, the first signal only sets a flag, and the
/// second one ends the program at once.
#[derive(Clone)]
pub(crate) struct SignalWatch(Arc<AtomicBool>);

/// The flag of all watches.
static WATCH: Mutex<Option<SignalWatch>> = Mutex::new(None);

impl SignalWatch {
    pub(crate) fn begin() -> io::Result<Self> {
        let mut begun = WATCH.lock();
        if let Some(watch) = &*begun {
            return Ok(watch.clone());
        }
        let watch = Self(Arc::default());
        set_on_signal(Arc::clone(&watch.0))?;
        *begun = Some(watch.clone());
        Ok(watch)
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns an error with these words about what was done, if the command was interrupted.
    pub(crate) fn check(&self, done: impl FnOnce() -> String) -> Result<(), Interrupted> {
        match self.is_interrupted() {
            true => Err(Interrupted(done())),
            false => Ok(()),
        }
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
                    std::process::exit(EXIT_INTERRUPTED.into());
                }
            }
        });
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interruption_is_recognized_in_a_chain() {
        let interrupted = || Interrupted("nothing was done".to_owned());
        let outer = anyhow::Error::new(interrupted()).context("while copying");
        assert!(is_interruption(&outer));
        assert!(is_interruption(&io::Error::other(interrupted()).into()));
        assert!(!is_interruption(&io::Error::other("interrupted").into()));
    }
}
