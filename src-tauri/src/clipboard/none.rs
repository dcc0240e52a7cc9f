//! Systems whose web view gives the page what is pasted.

use tauri::WebviewWindow;

use super::Pasted;

/// Nothing that the page would not have already.
pub(crate) async fn read(_window: &WebviewWindow) -> tauri::Result<Pasted> {
    Ok(Pasted::Nothing)
}
