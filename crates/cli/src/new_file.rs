//! Files that commands create: complete, or absent after an interruption.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use fumikura_base::durable::{Access, NewFile};
use fumikura_base::printable::Printable;

use crate::interruption::{Interrupted, SignalWatch};

/// Writes a file that does not exist yet. It gets its name once it is complete; if the command is interrupted
/// before, nothing remains.
pub(crate) fn write_new<T>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let couldnt_create = || format!("couldn't create {}", Printable(path.display()));
    let watch = SignalWatch::begin()?;
    let file = NewFile::create(path, Access::Default);
    let file = file.map_err(named_reason).with_context(couldnt_create)?;
    let mut out = Interruptible { file, watch };
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
    watch: SignalWatch,
}

impl Write for Interruptible {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // An error of the kind `Interrupted` would be retried.
        match self.watch.is_interrupted() {
            true => {
                let nothing = "nothing was written".to_owned();
                Err(io::Error::other(Interrupted(nothing)))
            }
            false => self.file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, thread};

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
        let message = "interrupted: nothing was written";
        assert_eq!(written.unwrap_err().to_string(), message);
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
