//! `fumi hash`: names, records and verification. The commands work with or without a running server: both write
//! to the hash folder under its lock.

mod folder;
mod list;
mod name;
mod paths;
mod removed;
mod repair;
mod runs;

use std::process::ExitCode;

use clap::Subcommand;

/// The exit code for findings that need a user's attention.
const EXIT_FINDINGS: u8 = 3;

#[derive(Subcommand)]
pub(crate) enum HashCommand {
    /// Print the name of a file's record
    Name(name::NameArguments),
    /// Print the path that the name of a record encodes
    Decode(name::DecodeArguments),
    /// Record the current contents of files
    Record(runs::RecordArguments),
    /// Compare files with their records
    Verify(runs::VerifyArguments),
    /// List the records
    List(list::HashListArguments),
    /// Rename records with older names to encoded names
    Migrate(runs::MigrateArguments),
    /// Set aside the records of deleted files
    Tidy(runs::TidyArguments),
    /// List the records that `tidy` set aside
    Removed(removed::RemovedArguments),
    /// Bring back records that `tidy` set aside
    Reinstate(removed::ReinstateArguments),
    /// Accept files as they are: their hashes become the recorded ones
    Accept(repair::AcceptArguments),
    /// Accept that a file or folder moved: its records get the new paths
    AcceptMove(repair::AcceptMoveArguments),
    /// Restore the recorded contents of a file from a good copy
    Restore(repair::RestoreArguments),
    /// Record the hashes in a list (SHA256SUMS, hashdeep, RHash)
    Import(list::ImportArguments),
    /// Compare files with the hashes in a list (SHA256SUMS, MD5, SFV, b2sum, b3sum, hashdeep, RHash)
    Check(list::CheckArguments),
    /// Print the records as a list of hashes
    Export(list::ExportArguments),
}

pub(crate) fn run(command: HashCommand) -> anyhow::Result<ExitCode> {
    match command {
        HashCommand::Name(arguments) => name::name(&arguments),
        HashCommand::Decode(arguments) => name::decode(&arguments),
        HashCommand::Record(arguments) => runs::record(&arguments),
        HashCommand::Verify(arguments) => runs::verify(&arguments),
        HashCommand::List(arguments) => list::list(&arguments),
        HashCommand::Migrate(arguments) => runs::migrate(&arguments),
        HashCommand::Tidy(arguments) => runs::tidy(&arguments),
        HashCommand::Removed(arguments) => removed::removed(&arguments),
        HashCommand::Reinstate(arguments) => removed::reinstate(&arguments),
        HashCommand::Accept(arguments) => repair::accept(&arguments),
        HashCommand::AcceptMove(arguments) => repair::accept_move(&arguments),
        HashCommand::Restore(arguments) => repair::restore(&arguments),
        HashCommand::Import(arguments) => list::import(&arguments),
        HashCommand::Check(arguments) => list::check(&arguments),
        HashCommand::Export(arguments) => list::export(&arguments),
    }
}
