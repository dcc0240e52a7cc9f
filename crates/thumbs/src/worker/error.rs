//! Why there is no worker. None of this says anything about a picture.

use std::io;
use std::time::Duration;

/// There is no worker for a picture.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The program can't be started: it is missing, say.
    #[error("it can't be started: {0}")]
    Start(#[source] io::Error),
    /// The program ended before it said what it is.
    #[error("it ended at once ({0})")]
    EndedAtOnce(String),
    /// The program did not say what it is.
    #[error("it did not answer within {} s", .0.as_secs())]
    Silent(Duration),
    /// The program is not of this build.
    #[error("it is of another build: it says “{says}” where “{expected}” is expected")]
    OtherBuild {
        /// How it greets.
        says: String,
        /// How a worker of this build greets.
        expected: String,
    },
    /// Worker after worker died before it took the picture.
    #[error("it ends again and again before it takes a picture")]
    Dying,
    /// The system can't hand the picture over.
    #[error("a picture can't be handed over to it: {0}")]
    HandingOver(#[source] io::Error),
    /// The workers were ended.
    #[error("it was stopped because the program is closing")]
    ShutDown,
}

/// A worker can't go on.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Somebody started it who does not know what it is for.
    #[error("this is started by Fumikura itself, and of no use by hand")]
    ByHand,
    /// Whoever started it does not talk as expected.
    #[error("the program that started this worker is of another build")]
    OtherBuild,
    /// The system refuses something that it needs.
    #[error("the system refused: {0}")]
    System(#[from] io::Error),
    /// This system has what workers need only in part; pictures are decoded in the program itself.
    #[error("there are no workers on this system")]
    NotHere,
}
