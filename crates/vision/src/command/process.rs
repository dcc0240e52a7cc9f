//! Runs a command with a deadline and an output limit, and ends all processes that it started.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::MAX_OUTPUT;
use super::folder::CommandFolder;
use super::limits::CommandLimits;
use crate::answer::line;
use crate::call::{Call, Cancel};
use crate::error::{CommandLimit, Error};

/// The interval at which the exit, the deadline, the cancellation and the limits are checked.
const INTERVAL: Duration = Duration::from_millis(20);
/// The time between two checks of the limits, as a multiple of the time that a check takes.
const REST: u32 = 10;
/// The time to wait for the rest of the output after the command has ended: a process that it left behind may
/// hold the output open.
const OUTPUT_GRACE: Duration = Duration::from_secs(1);
/// The number of bytes that are kept from the end of the standard error.
const MAX_ERRORS: usize = 4 << 10;
/// The maximum length of the standard error that an error quotes, in characters.
const MAX_QUOTE: usize = 300;

/// The reader of a command's standard error, which keeps its end.
type Errors = JoinHandle<Vec<u8>>;

/// The result of a command that succeeded.
#[derive(Debug)]
pub(super) struct CommandResult {
    pub(super) output: Vec<u8>,
    /// The end of its standard error, as one line.
    pub(super) message: String,
}

/// The reason why a command has no result.
#[derive(Debug)]
pub(super) enum Stop {
    NotStarted(io::Error),
    System(io::Error),
    Failed {
        status: Option<i32>,
        message: String,
    },
    Flooded {
        limit: u64,
    },
    OverLimit(CommandLimit),
    TimedOut,
    Cancelled,
}

impl Stop {
    pub(super) fn into_error(self, program: &str, call: &Call) -> Error {
        match self {
            Self::NotStarted(error) if error.kind() == io::ErrorKind::NotFound => {
                Error::CommandMissing {
                    program: program.to_owned(),
                }
            }
            Self::NotStarted(error) | Self::System(error) => super::system_error(error),
            Self::Failed { status, message } => Error::CommandFailed { status, message },
            Self::Flooded { limit } => Error::CommandFlooded { limit },
            Self::OverLimit(limit) => Error::CommandOverLimit(limit),
            Self::TimedOut => Error::TimedOut { after: call.budget },
            Self::Cancelled => Error::Cancelled,
        }
    }
}

/// The bounds of a run.
pub(super) struct Bounds<'a> {
    pub(super) folder: &'a CommandFolder,
    pub(super) limits: CommandLimits,
    pub(super) end: Instant,
    pub(super) cancel: &'a Cancel,
}

/// Runs the command until it ends, at most until the end of its bounds. All processes in its process group end with it.
pub(super) fn run(mut command: Command, bounds: &Bounds<'_>) -> Result<CommandResult, Stop> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut group = Group(Some(command.spawn().map_err(Stop::NotStarted)?));
    let (chunks, errors) = group.readers().map_err(Stop::System)?;
    let mut output = Output {
        chunks,
        bytes: Vec::new(),
        has_ended: false,
    };
    let mut exited: Option<Instant> = None;
    let mut next_check = Instant::now();
    while !exited.is_some_and(|at| output.has_ended || at.elapsed() > OUTPUT_GRACE) {
        output.read_some(bounds.cancel)?;
        if bounds.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        let now = Instant::now();
        if now >= bounds.end {
            return Err(Stop::TimedOut);
        }
        if now >= next_check {
            bounds.check(&group)?;
            next_check = Instant::now() + now.elapsed() * REST;
        }
        if exited.is_none() && group.has_exited().map_err(Stop::System)? {
            exited = Some(Instant::now());
        }
    }
    let status = group.end().map_err(Stop::System)?;
    bounds.check_files()?;
    let message = quote_errors(errors);
    match status {
        Some(status) if status.success() => Ok(CommandResult {
            output: output.bytes,
            message,
        }),
        status => Err(Stop::Failed {
            status: status.and_then(|status| status.code()),
            message,
        }),
    }
}

impl Bounds<'_> {
    fn check(&self, group: &Group) -> Result<(), Stop> {
        self.check_files()?;
        match self.limits.exceeded(group.pid()).map_err(Stop::System)? {
            Some(limit) => Err(Stop::OverLimit(limit)),
            None => Ok(()),
        }
    }

    fn check_files(&self) -> Result<(), Stop> {
        let limit = self.limits.files;
        match self.folder.exceeds(limit).map_err(Stop::System)? {
            true => Err(Stop::Flooded { limit }),
            false => Ok(()),
        }
    }
}

/// The standard output that has been read.
struct Output {
    chunks: Receiver<Vec<u8>>,
    bytes: Vec<u8>,
    has_ended: bool,
}

impl Output {
    /// Reads the output that arrives within an interval.
    fn read_some(&mut self, cancel: &Cancel) -> Result<(), Stop> {
        if self.has_ended {
            cancel.wait(INTERVAL);
            return Ok(());
        }
        match self.chunks.recv_timeout(INTERVAL) {
            Ok(chunk) => self.bytes.extend(chunk),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.has_ended = true,
        }
        if self.bytes.len() as u64 > MAX_OUTPUT {
            return Err(Stop::Flooded { limit: MAX_OUTPUT });
        }
        Ok(())
    }
}

/// A process and its descendants. All of them are killed on drop.
struct Group(Option<Child>);

impl Group {
    /// Reads both outputs in separate threads, so that neither blocks the command.
    fn readers(&mut self) -> io::Result<(Receiver<Vec<u8>>, Errors)> {
        let child = self.0.as_mut().expect("BUG: the command was ended before");
        let stdout = child.stdout.take().expect("BUG: stdout is piped");
        let stderr = child.stderr.take().expect("BUG: stderr is piped");
        let (sender, chunks) = sync_channel(4);
        thread::Builder::new().spawn(move || forward(stdout, &sender))?;
        let errors = thread::Builder::new().spawn(move || last_bytes(stderr))?;
        Ok((chunks, errors))
    }

    /// Returns true if the process has exited. It is not reaped, so that the id of its group stays in use.
    fn has_exited(&mut self) -> io::Result<bool> {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let pid = self.pid();
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        Ok(waitid(WaitId::Pid(pid), options)?.is_some())
    }

    /// Kills the rest of the group and reaps the process.
    fn end(mut self) -> io::Result<Option<ExitStatus>> {
        self.kill();
        self.reap()
    }

    fn kill(&mut self) {
        // This fails if all of them have ended already, which is the goal.
        let _ = rustix::process::kill_process_group(self.pid(), rustix::process::Signal::KILL);
    }

    fn pid(&self) -> rustix::process::Pid {
        let child = self.0.as_ref().expect("BUG: the command was ended before");
        rustix::process::Pid::from_child(child)
    }

    /// Returns the exit status; `None` for a process that uninterruptible disk I/O keeps alive after the
    /// kill, which a thread then reaps.
    fn reap(&mut self) -> io::Result<Option<ExitStatus>> {
        let mut child = self.0.take().expect("BUG: the command was ended before");
        let end = Instant::now() + OUTPUT_GRACE;
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            if Instant::now() >= end {
                thread::Builder::new().spawn(move || child.wait())?;
                return Ok(None);
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.0.is_some() {
            self.kill();
            // The command is dead, so the loss of its status changes nothing.
            let _ = self.reap();
        }
    }
}

fn forward(mut stdout: impl Read, sender: &SyncSender<Vec<u8>>) {
    let mut buffer = [0; 64 << 10];
    // A failed pipe has ended, and the receiver is gone once the command was stopped.
    while let Ok(length @ 1..) = stdout.read(&mut buffer) {
        if sender.send(buffer[..length].to_vec()).is_err() {
            return;
        }
    }
}

fn last_bytes(mut stderr: impl Read) -> Vec<u8> {
    let mut last = Vec::new();
    let mut buffer = [0; MAX_ERRORS];
    while let Ok(length @ 1..) = stderr.read(&mut buffer) {
        last.extend(&buffer[..length]);
        last.drain(..last.len().saturating_sub(MAX_ERRORS));
    }
    last
}

/// Returns the end of the standard error, unless a process that was left behind holds it open.
fn quote_errors(errors: Errors) -> String {
    let end = Instant::now() + OUTPUT_GRACE;
    while !errors.is_finished() {
        if Instant::now() >= end {
            return String::new();
        }
        thread::sleep(Duration::from_millis(1));
    }
    let bytes = errors.join().unwrap_or_default();
    let whole = line(&String::from_utf8_lossy(&bytes), MAX_ERRORS);
    let skipped = whole.chars().count().saturating_sub(MAX_QUOTE);
    whole.chars().skip(skipped).collect()
}
