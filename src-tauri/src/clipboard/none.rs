//! The clipboard on systems whose web view passes pasted contents to the page.

use tauri::WebviewWindow;

use super::Pasted;

/// Returns nothing, because the page has the contents already.
pub(crate) async fn read(_window: &WebviewWindow) -> tauri::Result<Pasted> {
    Ok(Pasted::Nothing)
}
