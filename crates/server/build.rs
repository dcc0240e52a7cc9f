//! Checks that the client has been built. The program embeds it; without it, every page would be empty.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let manifest =
        env::var_os("CARGO_MANIFEST_DIR").expect("BUG: cargo names the package's folder");
    let page = Path::new(&manifest).join("../../ui/dist");
    if !page.join("app.js").is_file() {
        println!(
            "cargo::error=the page has not been built: ui/dist/app.js is missing. “cargo xtask run” builds it and the \
             programs, and opens the window; “npm ci && npm run build” in ui/ builds the page alone."
        );
        return;
    }
    // A release program embeds the client. A development program reads it from ui/dist on request, and need
    // not be compiled again for each change of the client.
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed={}", page.display());
    }
}
