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
    use fumikura_server::LockAcquire;
    use serde_json::{Value, json};

    use super::*;

    fn acquire(values: Value) -> Result<LockAcquire, CommandError> {
        read(&InvokeBody::Json(values))
    }

    #[test]
    fn arguments_have_the_names_of_the_contract() {
        let id = "01JD0000000000000000000000";
        let read = acquire(json!({ "page_id": id, "take_over": true })).unwrap();
        assert_eq!(
            (read.page_id.to_string().as_str(), read.take_over),
            (id, true)
        );
        assert!(!acquire(json!({ "page_id": id })).unwrap().take_over);
    }

    #[test]
    fn what_can_t_be_read_is_a_bad_request() {
        for values in [
            json!({}),
            json!({ "page_id": "nonsense" }),
            json!({ "page_id": "01jd0000000000000000000000" }),
            json!({ "page_id": 7 }),
            json!({ "page_id": "01JD0000000000000000000000", "more": 1 }),
            json!(null),
            json!([]),
        ] {
            let error = serde_json::to_value(acquire(values).unwrap_err()).unwrap();
            assert_eq!(error["code"], "bad_request");
        }
        let raw: Result<LockAcquire, _> = read(&InvokeBody::Raw(b"{}".to_vec()));
        assert!(raw.is_err());
    }
}
