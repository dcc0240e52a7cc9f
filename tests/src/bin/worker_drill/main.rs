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
    /// A worker that executes the command in a picture, and notes each picture in a file
    Child {
        /// The file of its notes
        #[arg(long)]
        notes: PathBuf,
        /// Enters the sandbox for videos
        #[arg(long)]
        videos: bool,
    },
    /// A worker that breaks the protocol
    Rogue {
        /// The way in which it breaks the protocol
        fault: child::Rogue,
    },
    /// A program with such workers
    Parent {
        mode: DrillMode,
        /// The file of its workers' notes
        #[arg(long)]
        notes: PathBuf,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum DrillMode {
    /// Decodes all kinds of pictures, and counts what it holds open before and after
    Count,
    /// Decodes a picture that hangs, until it is killed
    Hang,
}

fn main() -> Result<()> {
    match Options::parse().role {
        Role::Child { notes, videos } => child::obey(notes, videos),
        Role::Rogue { fault } => child::misbehave(fault),
        Role::Parent { mode, notes } => match mode {
            DrillMode::Count => parent::count(&notes),
            DrillMode::Hang => parent::hang(&notes),
        },
    }
}
