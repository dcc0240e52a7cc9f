//! Errors of workers for which the picture is not at fault.

use std::io;
use std::time::Duration;

/// A reason why no worker is available.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The program can't be started, for example because it is missing.
    #[error("it can't be started: {0}")]
    Start(#[source] io::Error),
    /// The program ended before its greeting.
    #[error("it exited at once ({0})")]
    EndedAtOnce(String),
    /// The program sent no greeting in time.
    #[error("it did not answer within {} s", .0.as_secs())]
    Silent(Duration),
    /// The program is from another build.
    #[error("it is of another build: it reports “{says}” instead of “{expected}”")]
    OtherBuild {
        /// The greeting that was received.
        says: String,
        /// The greeting of a worker of this build.
        expected: String,
    },
    /// Several workers in a row died before they accepted the picture.
    #[error("it exits repeatedly before it accepts a picture")]
    Dying,
    /// The system can't pass the picture to the worker.
    #[error("a picture can't be passed to it: {0}")]
    HandingOver(#[source] io::Error),
    /// The workers were shut down.
    #[error("it was stopped because the program is closing")]
    ShutDown,
}

/// A reason why a worker can't go on.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The worker was started by hand.
    #[error("this command is only for Fumikura itself")]
    ByHand,
    /// The parent process does not follow the protocol.
    #[error("the program that started this worker is of another build")]
    OtherBuild,
    /// The system refuses a call that it needs.
    #[error("the system refused: {0}")]
    System(#[from] io::Error),
    /// This system does not fully support workers; pictures are decoded in the program itself.
    #[error("there are no workers on this system")]
    NotHere,
}
