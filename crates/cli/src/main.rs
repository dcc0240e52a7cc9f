//! `fumi` as a program of its own. In the packages it shares the code of the desktop program.

fn main() -> std::process::ExitCode {
    fumikura_cli::run()
}
