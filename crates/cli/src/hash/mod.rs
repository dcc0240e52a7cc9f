//! `fumi hash`: names, records and verification, with or without a running server: both write into the hash folder
//! under its lock.

mod folder;
mod list;
mod name;
mod paths;
mod repair;
mod runs;

use std::process::ExitCode;

use clap::Subcommand;

/// The exit code for something that a person should look at.
const EXIT_FINDINGS: u8 = 3;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Print the name of a file's record
    Name(name::NameArguments),
    /// Print the path that a record's name stands for
    Decode(name::DecodeArguments),
    /// Record what files are now
    Record(runs::RecordArguments),
    /// Compare files with their records
    Verify(runs::VerifyArguments),
    /// List the records
    List(list::Arguments),
    /// Give records with older names the encoded one
    Migrate(runs::MigrateArguments),
    /// Put aside the records of files that are gone
    Tidy(runs::TidyArguments),
    /// Take files as they are: their hashes become the recorded ones
    Accept(repair::AcceptArguments),
    /// Bring the recorded contents of a file back from a good copy
    Restore(repair::RestoreArguments),
    /// Record what a list of hashes says (SHA256SUMS, hashdeep, RHash)
    Import(list::ImportArguments),
    /// Print the records as a list of hashes
    Export(list::ExportArguments),
}

pub(crate) fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Name(arguments) => name::name(&arguments),
        Command::Decode(arguments) => name::decode(&arguments),
        Command::Record(arguments) => runs::record(&arguments),
        Command::Verify(arguments) => runs::verify(&arguments),
        Command::List(arguments) => list::list(&arguments),
        Command::Migrate(arguments) => runs::migrate(&arguments),
        Command::Tidy(arguments) => runs::tidy(&arguments),
        Command::Accept(arguments) => repair::accept(&arguments),
        Command::Restore(arguments) => repair::restore(&arguments),
        Command::Import(arguments) => list::import(&arguments),
        Command::Export(arguments) => list::export(&arguments),
    }
}
