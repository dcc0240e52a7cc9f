//! A window that shows one word, and nothing else.

fn main() {
    tauri::Builder::default()
        .run(tauri::generate_context!())
        .expect("a blank window opens");
}
