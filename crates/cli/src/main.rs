//! `fumi`, the headless binary: serves without a window, and administers what is there.

mod hash;
mod limits;
mod login;
mod openapi;
mod running;
mod serve;
mod thumb_worker;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use fumikura_base::printable::Printable;
use fumikura_base::story::story;
use fumikura_server::start_logging;

/// Fumikura without a window.
#[derive(Parser)]
#[command(name = "fumi", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start the server without a window
    Serve(serve::Arguments),
    /// Print a one-time sign-in link for a browser
    Login(login::Arguments),
    /// Name, record and verify files by hash records
    #[command(subcommand)]
    Hash(hash::Command),
    /// Show or reset the counts of the rate limiter
    #[command(subcommand)]
    Limits(limits::Command),
    /// Print the OpenAPI document
    #[command(hide = true)]
    Openapi,
    /// Decode pictures for the program that started this
    #[command(hide = true)]
    ThumbWorker,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    start_logging(match cli.command {
        // What libraries say of a picture is the picture's own text.
        Command::ThumbWorker => "off,fumikura_codecs=warn,fumikura_thumbs=warn",
        Command::Serve(_)
        | Command::Login(_)
        | Command::Hash(_)
        | Command::Limits(_)
        | Command::Openapi => "warn",
    });
    let outcome = match cli.command {
        Command::Serve(arguments) => serve::run(arguments).map(|()| ExitCode::SUCCESS),
        Command::Login(arguments) => login::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Hash(command) => hash::run(command),
        Command::Limits(command) => limits::run(&command).map(|()| ExitCode::SUCCESS),
        Command::Openapi => openapi::run().map(|()| ExitCode::SUCCESS),
        Command::ThumbWorker => thumb_worker::run().map(|()| ExitCode::SUCCESS),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            let story = story(error.as_ref());
            let lines: Vec<_> = story
                .lines()
                .map(|line| Printable(line).to_string())
                .collect();
            eprintln!("fumi: {}", lines.join("\n"));
            ExitCode::FAILURE
        }
    }
}
