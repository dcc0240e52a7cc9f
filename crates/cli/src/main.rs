//! `fumi`, the headless binary: serves without a window, and administers what is there.

mod login;
mod openapi;
mod serve;
mod thumb_worker;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use fumikura_base::story::story;
use tracing_subscriber::EnvFilter;

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
    /// Print the OpenAPI document
    #[command(hide = true)]
    Openapi,
    /// Decode pictures for the program that started this
    #[command(hide = true)]
    ThumbWorker,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let filter = EnvFilter::try_from_env("FUMIKURA_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
    let outcome = match cli.command {
        Command::Serve(arguments) => serve::run(arguments),
        Command::Login(arguments) => login::run(&arguments),
        Command::Openapi => openapi::run(),
        Command::ThumbWorker => thumb_worker::run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fumi: {}", story(error.as_ref()));
            ExitCode::FAILURE
        }
    }
}
