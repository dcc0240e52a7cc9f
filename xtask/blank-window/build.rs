//! Reads `tauri.conf.json` for the blank window.

fn main() {
    tauri_build::build();
}
