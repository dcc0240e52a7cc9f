//! `cargo xtask`: every developer task of this repository, one command each.

mod advisories;
mod bench;
mod build;
mod check;
mod command;
mod dist;
mod fuzz;
mod generate;
mod install;
mod notices;
mod output;
mod paths;
mod phases;
mod run;
mod screenshots;
mod soak;
mod tally;
mod test;
mod tests_crate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The developers' commands of Fumikura.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what is missing, build, and open the window (without a display: serve)
    Run(run::RunTaskOptions),
    /// Install what the tests need, check, build, and run every test
    Test(test::TestTaskOptions),
    /// Format, lints, house rules, licences: everything that needs no running program
    Check,
    /// The house rules of the sources' text alone, in seconds
    Tidy,
    /// Compare all dependencies with the published advisories (needs the network)
    Advisories,
    /// Run only the end-to-end scenarios, in the real window and in Chromium
    E2e(test::E2eTaskOptions),
    /// Measure the application on this machine
    Bench(bench::BenchTaskOptions),
    /// Use a server continuously for hours, disturb it, and measure what grows
    Soak(soak::SoakTaskOptions),
    /// Fuzz the decoders and parsers, starting from samples (needs a nightly compiler)
    Fuzz(fuzz::FuzzTaskOptions),
    /// Build the packages: .deb, .rpm and an archive
    Dist(dist::DistTaskOptions),
    /// Write the OpenAPI document and the page's types from the server's code
    Gen(generate::GenerateTaskOptions),
    /// Take the pictures of the README and of every main screen
    Screenshots(screenshots::ScreenshotsTaskOptions),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Run(options) => run::run(&options),
        Task::Test(options) => test::run(&options),
        Task::Check => check::run(),
        Task::Tidy => check::house_rules(),
        Task::Advisories => advisories::run(),
        Task::E2e(options) => test::run_scenarios(&options),
        Task::Bench(options) => bench::run(&options),
        Task::Soak(options) => soak::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Dist(options) => dist::run(&options),
        Task::Gen(options) => generate::run(&options),
        Task::Screenshots(options) => screenshots::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::failure(&error);
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn contributing_lists_every_command() {
        let document = include_str!("../../CONTRIBUTING.md");
        let tells_of = |command: &str| {
            let begins = format!("| `cargo xtask {command}");
            document.lines().any(|line| line.starts_with(&begins))
        };
        for task in Arguments::command().get_subcommands() {
            let name = task.get_name();
            assert!(tells_of(name), "{name}");
            for subject in task.get_subcommands() {
                let subject = subject.get_name();
                assert!(tells_of(&format!("{name} {subject}")), "{name} {subject}");
            }
        }
    }
}
