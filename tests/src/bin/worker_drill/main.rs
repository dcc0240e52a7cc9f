//! The processes that the tests of thumbnail workers need: misbehaving workers (`child`), and a program that
//! has such workers (`parent`).

mod child;
mod parent;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand, ValueEnum};

#[derive(Parser)]
struct Options {
    #[command(subcommand)]
    role: Role,
}

#[derive(Subcommand)]
enum Role {
    /// A worker that does what the picture says, and notes each picture in a file
    Child {
        /// Where it notes what it was asked
        #[arg(long)]
        notes: PathBuf,
    },
    /// A worker that does not keep to the protocol
    Rogue {
        /// How it does not
        how: child::Rogue,
    },
    /// A program with such workers
    Parent {
        what: Mode,
        /// Where its workers note what they were asked
        #[arg(long)]
        notes: PathBuf,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum Mode {
    /// Decodes all kinds of pictures, and counts what it holds open before and after
    Count,
    /// Decodes a picture that hangs, until it is killed
    Hang,
}

fn main() -> Result<()> {
    match Options::parse().role {
        Role::Child { notes } => child::obey(notes),
        Role::Rogue { how } => child::misbehave(how),
        Role::Parent { what, notes } => match what {
            Mode::Count => parent::count(&notes),
            Mode::Hang => parent::hang(&notes),
        },
    }
}
