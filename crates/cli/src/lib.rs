//! `fumi`, the headless program: serves without a window, and administers the data.

mod backup;
mod client;
mod columns;
mod doctor;
mod events;
mod files;
mod formats;
mod hash;
mod import;
mod interruption;
mod limits;
mod login;
mod maintenance;
mod mcp;
mod mirror;
mod new_file;
mod open;
mod openapi;
mod output;
mod page;
mod pdf;
mod progress;
mod schema;
mod search;
mod serve;
mod session;
mod thumb_worker;
mod token;
mod ttl;
mod wiki;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use fumikura_base::error_chain::error_chain;
use fumikura_server::start_logging;

use interruption::{EXIT_INTERRUPTED, is_interruption};

/// The exit code when the reader of standard output has closed it: that of a program that ends by SIGPIPE.
const EXIT_OUTPUT_CLOSED: u8 = 141;

/// Fumikura without a window.
#[derive(Parser)]
#[command(name = "fumi", version, about)]
struct Cli {
    /// Separate the columns of lists by tabs, as for other programs, on a terminal as well
    #[arg(long, global = true)]
    porcelain: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start the server without a window
    Serve(serve::ServeArguments),
    /// Print a one-time sign-in link for a browser
    Login(login::LoginArguments),
    /// Name, record and verify files with hash records
    #[command(subcommand)]
    Hash(hash::HashCommand),
    /// List, show, write, compare, link, tag, move and delete pages
    Page(page::PageArguments),
    /// Search the texts of all pages
    Search(search::SearchArguments),
    /// List revisions, restore an old one, remove old ones
    Revision(wiki::WikiArguments<wiki::Revision>),
    /// List the pages that are being edited, and end edit locks
    Lock(wiki::WikiArguments<wiki::Lock>),
    /// List, add, get, rename, move and delete files of pages
    Asset(wiki::WikiArguments<wiki::Asset>),
    /// List, open and close folders of pictures, and list their files
    Folder(files::FolderArguments),
    /// List, show, create, fill and delete albums of pictures
    Album(files::AlbumArguments),
    /// Rate pictures
    Rate(files::RateArguments),
    /// Show the marks of pictures, or change their tags
    Tag(files::TagArguments),
    /// Move files and folders in open folders, or rename one
    Mv(files::TransferArguments),
    /// Copy files and folders in open folders
    Cp(files::TransferArguments),
    /// Move files and folders in open folders to the trash
    Trash(files::TrashArguments),
    /// Undo moves, copies, renames and deletions of files, also those of the window
    Undo(files::UndoArguments),
    /// Describe pictures by the service or command of the settings
    Describe(files::DescribeArguments),
    /// Show a page, folder or picture in the window
    Open(open::OpenArguments),
    /// Check the surroundings of Fumikura, and say what to do
    Doctor(doctor::DoctorArguments),
    /// List browser sessions and sign browsers out
    Session(session::SessionArguments),
    /// Create, list and revoke access tokens of other programs
    Token(token::TokenArguments),
    /// Print changes as lines of JSON, as long as the server runs
    Events(events::EventsArguments),
    /// List, register and rename the people who write here
    User(wiki::WikiArguments<wiki::User>),
    /// Show and clean up the thumbnails
    Thumbs(maintenance::Thumbs),
    /// Show and change the number of days after which unread thumbnails expire
    Ttl(ttl::TtlArguments),
    /// Check the integrity of all data, and repair it
    Check(maintenance::Check),
    /// Back up all data
    Backup(backup::Backup),
    /// Export all pages as a zip of Markdown or HTML
    Export(maintenance::Export),
    /// Import notes of other programs, or an archive of `fumi export`
    Import(import::Import),
    /// Keep a folder with the pages as Markdown up to date
    Mirror(mirror::Mirror),
    /// Give an assistant access to pages and pictures, by the Model Context Protocol
    Mcp(mcp::McpArguments),
    /// Print the JSON Schema of what commands print with --json
    Schema(schema::SchemaArguments),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages of all commands into a folder
    #[command(hide = true)]
    Man {
        /// The folder
        folder: PathBuf,
    },
    /// Show or reset the counts of the rate limiter
    #[command(subcommand)]
    Limits(limits::LimitsCommand),
    /// Print the table of picture formats
    #[command(hide = true)]
    Formats(formats::Formats),
    /// Print the OpenAPI document
    #[command(hide = true)]
    Openapi(openapi::Openapi),
    /// Decode pictures for the program that started this one
    #[command(hide = true)]
    ThumbWorker,
    /// Decode frames of videos for the program that started this one
    #[command(hide = true)]
    VideoWorker,
}

/// Runs the command of the command line.
#[must_use]
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    output::set_porcelain(cli.porcelain);
    start_logging(log_filter(&cli.command));
    let outcome = execute(cli.command);
    // Errors of the last bytes would be lost at the exit.
    let flushed = output::stdout().flush();
    match outcome.and_then(|code| Ok(flushed.map(|()| code)?)) {
        Ok(code) => code,
        Err(error) if output::is_closed(&error) => EXIT_OUTPUT_CLOSED.into(),
        Err(error) if is_interruption(&error) => {
            output::notice(&error_chain(error.as_ref()));
            EXIT_INTERRUPTED.into()
        }
        Err(error) => {
            output::notice(&error_chain(error.as_ref()));
            ExitCode::FAILURE
        }
    }
}

/// Returns the messages that are logged while a command runs.
fn log_filter(command: &Command) -> &'static str {
    match command {
        // Libraries log text from the picture itself, which is untrusted.
        Command::ThumbWorker | Command::VideoWorker => {
            "off,fumikura_codecs=warn,fumikura_image=warn,fumikura_thumbs=warn"
        }
        Command::Serve(_) => fumikura_server::LOG_FILTER,
        Command::Login(_)
        | Command::Hash(_)
        | Command::Limits(_)
        | Command::Page(_)
        | Command::Search(_)
        | Command::Revision(_)
        | Command::Lock(_)
        | Command::Asset(_)
        | Command::Folder(_)
        | Command::Album(_)
        | Command::Rate(_)
        | Command::Tag(_)
        | Command::Mv(_)
        | Command::Cp(_)
        | Command::Trash(_)
        | Command::Undo(_)
        | Command::Describe(_)
        | Command::Open(_)
        | Command::Doctor(_)
        | Command::Session(_)
        | Command::Token(_)
        | Command::Events(_)
        | Command::User(_)
        | Command::Thumbs(_)
        | Command::Ttl(_)
        | Command::Check(_)
        | Command::Backup(_)
        | Command::Export(_)
        | Command::Import(_)
        | Command::Mirror(_)
        | Command::Mcp(_)
        | Command::Schema(_)
        | Command::Completions { .. }
        | Command::Man { .. }
        | Command::Formats(_)
        | Command::Openapi(_) => "warn",
    }
}

fn execute(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Serve(arguments) => serve::run(arguments).map(|()| ExitCode::SUCCESS),
        Command::Login(arguments) => login::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Hash(command) => hash::run(command),
        Command::Page(arguments) => page::run(arguments).map(|()| ExitCode::SUCCESS),
        Command::Search(arguments) => search::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Revision(arguments) => wiki::revision(arguments).map(|()| ExitCode::SUCCESS),
        Command::Lock(arguments) => wiki::lock(arguments).map(|()| ExitCode::SUCCESS),
        Command::Asset(arguments) => wiki::asset(arguments).map(|()| ExitCode::SUCCESS),
        Command::Folder(arguments) => files::folder(arguments).map(|()| ExitCode::SUCCESS),
        Command::Album(arguments) => files::album(arguments).map(|()| ExitCode::SUCCESS),
        Command::Rate(arguments) => files::rate(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Tag(arguments) => files::tag(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Mv(arguments) => files::move_files(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Cp(arguments) => files::copy(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Trash(arguments) => files::trash(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Undo(arguments) => files::undo(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Describe(arguments) => files::describe(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Open(arguments) => open::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Session(arguments) => session::run(arguments).map(|()| ExitCode::SUCCESS),
        Command::Token(arguments) => token::run(arguments).map(|()| ExitCode::SUCCESS),
        Command::Events(arguments) => events::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::User(arguments) => wiki::user(arguments).map(|()| ExitCode::SUCCESS),
        Command::Thumbs(arguments) => maintenance::thumbs(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Ttl(arguments) => ttl::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Check(arguments) => maintenance::check(&arguments),
        Command::Backup(arguments) => backup::backup(&arguments),
        Command::Export(arguments) => maintenance::export(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Import(arguments) => import::import(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Mirror(arguments) => mirror::run(&arguments),
        Command::Mcp(arguments) => mcp::run(arguments).map(|()| ExitCode::SUCCESS),
        Command::Schema(arguments) => schema::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Completions { shell } => {
            let mut command = <Cli as clap::CommandFactory>::command();
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command, "fumi", &mut script);
            let printed = output::stdout().write_all(&script);
            printed.map(|()| ExitCode::SUCCESS).map_err(Into::into)
        }
        Command::Man { folder } => {
            let command = <Cli as clap::CommandFactory>::command();
            let written = clap_mangen::generate_to(command, folder);
            written.map(|()| ExitCode::SUCCESS).map_err(Into::into)
        }
        Command::Limits(command) => limits::run(&command).map(|()| ExitCode::SUCCESS),
        Command::Formats(options) => formats::run(&options).map(|()| ExitCode::SUCCESS),
        Command::Openapi(options) => openapi::run(&options).map(|()| ExitCode::SUCCESS),
        Command::ThumbWorker => thumb_worker::run().map(|()| ExitCode::SUCCESS),
        Command::VideoWorker => thumb_worker::run_for_videos().map(|()| ExitCode::SUCCESS),
    }
}
