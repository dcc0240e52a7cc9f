//! The desktop application.

fn main() -> std::process::ExitCode {
    fumikura_shell::run()
}
