//! The arguments of a command, deserialized as one type, so that invalid arguments are reported like other
//! errors.

use serde::de::DeserializeOwned;
use tauri::Runtime;
use tauri::ipc::{CommandArg, CommandItem, InvokeBody, InvokeError};

use super::error::CommandError;

/// The arguments that the page passed to `invoke`, deserialized as `T`.
pub(crate) struct Args<T>(pub(crate) T);

impl<'de, T: DeserializeOwned, R: Runtime> CommandArg<'de, R> for Args<T> {
    fn from_command(command: CommandItem<'de, R>) -> Result<Self, InvokeError> {
        Ok(Self(read(command.message.payload())?))
    }
}

fn read<T: DeserializeOwned>(payload: &InvokeBody) -> Result<T, CommandError> {
    match payload {
        InvokeBody::Json(values) => serde_json::from_value(values.clone())
            .map_err(|error| CommandError::bad_request(error.to_string())),
        InvokeBody::Raw(_) => Err(CommandError::bad_request("The arguments are JSON.")),
    }
}

#[cfg(test)]
mod tests {
    use fumikura_server::AssetPaste;
    use serde_json::json;

    use super::*;

    #[test]
    fn invalid_arguments_are_a_bad_request() {
        let id = "01JD0000000000000000000000";
        let read = |payload| super::read::<AssetPaste>(&payload);
        let fitting = json!({ "page_id": id, "name": "image" });
        assert!(read(InvokeBody::Json(fitting)).is_ok());
        for payload in [
            InvokeBody::Json(json!({ "page_id": id })),
            InvokeBody::Raw(b"{}".to_vec()),
        ] {
            let error = serde_json::to_value(read(payload).err()).unwrap();
            assert_eq!(error["code"], "bad_request");
        }
    }
}
