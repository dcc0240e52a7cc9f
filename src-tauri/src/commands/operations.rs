//! Operations of the server as commands of the page.

use tauri::Manager;
use tauri::ipc::{Invoke, InvokeBody, InvokeError, InvokeResponseBody};

use super::error::CommandError;
use crate::backend::Backend;

/// Runs a command of the server's table, and answers it.
pub(super) fn run(invoke: Invoke) {
    let Invoke {
        message, resolver, ..
    } = invoke;
    resolver.respond_async_serialized(async move {
        let args = match message.payload() {
            InvokeBody::Json(args) => args.clone(),
            InvokeBody::Raw(_) => {
                let error = CommandError::bad_request("The arguments are JSON.");
                return Err(InvokeError::from(error));
            }
        };
        let backend = message.webview_ref().state::<Backend>();
        let ran = backend.run(message.command(), args);
        let answer = ran.await.map_err(CommandError::from)?;
        Ok(InvokeResponseBody::Json(answer))
    });
}
