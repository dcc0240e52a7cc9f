//! The desktop application, and with the feature `fumi` also the headless program: the packages contain both in one link.

use std::process::ExitCode;

/// The name of the program that this file is. `xtask/src/build/headless.rs` changes it in the copy that is `fumi`.
#[cfg(feature = "fumi")]
#[used]
static PROGRAM: [u8; 30] = *b"program of this file: fumikura";

/// Returns true if this file is the copy that runs without the libraries of the desktop.
#[cfg(feature = "fumi")]
fn is_headless() -> bool {
    // The file was changed after the compiler had seen the name.
    !std::hint::black_box(&PROGRAM).ends_with(b"fumikura")
}

fn main() -> ExitCode {
    #[cfg(feature = "fumi")]
    if is_headless() {
        return fumikura_cli::run();
    }
    fumikura_shell::run()
}
