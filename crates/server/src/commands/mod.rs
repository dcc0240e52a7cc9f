//! The commands of a window: operations by name, with arguments and answers in JSON. The REST interface calls
//! the same operations ([ADR 0005](../../../docs/adr/0005-two-transports.md)).

use std::sync::Arc;

use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use crate::app::App;
use crate::auth::Client;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::operations;

/// Derives the names of the commands and their execution from the table.
macro_rules! commands {
    ($($name:ident($args:ty) => |$app:ident, $read:ident, $window:ident| $run:expr;)*) => {
        use super::*;

        /// The names of the commands.
        pub const COMMANDS: &[&str] = &[$(stringify!($name)),*];

        impl App {
            /// Runs a command of a window. Returns the answer in JSON.
            ///
            /// # Errors
            /// `bad_request` for an unknown command and for arguments that do not fit; otherwise the errors
            /// of the operation.
            pub async fn command(
                self: &Arc<Self>,
                name: &str,
                args: Value,
                window: Client,
            ) -> Result<String, ErrorBody> {
                match name {
                    $(stringify!($name) => {
                        let ($app, $read, $window) = (self, read::<$args>(args)?, window);
                        let ran: Result<_, ErrorBody> = $run;
                        Ok(answer(&ran?)?)
                    })*
                    _ => {
                        let message = format!("there is no command {name}");
                        Err(ErrorBody::new(ErrorCode::BadRequest, message))
                    }
                }
            }
        }
    };
}

mod table;

pub use table::COMMANDS;

/// Reads the arguments of a command.
fn read<T: DeserializeOwned>(args: Value) -> Result<T, ApiError> {
    serde_json::from_value(args).map_err(|error| ApiError::new(ErrorCode::BadRequest, error))
}

/// Writes the answer of a command.
fn answer<T: Serialize>(answer: &T) -> Result<String, ApiError> {
    let message = "The answer can't be written";
    serde_json::to_string(answer)
        .map_err(|error| ApiError::internal(ErrorCode::Internal, message, &error))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::operations::LockAcquire;

    #[test]
    fn arguments_have_the_documented_names() {
        let id = "01JD0000000000000000000000";
        let acquire: LockAcquire = read(json!({ "page_id": id, "take_over": true })).unwrap();
        assert_eq!(
            (acquire.page_id.to_string().as_str(), acquire.take_over),
            (id, true)
        );
        let usual: LockAcquire = read(json!({ "page_id": id })).unwrap();
        assert!(!usual.take_over);
    }

    #[test]
    fn invalid_arguments_are_a_bad_request() {
        for args in [
            json!({}),
            json!({ "page_id": "nonsense" }),
            json!({ "page_id": "01jd0000000000000000000000" }),
            json!({ "page_id": 7 }),
            json!({ "page_id": "01JD0000000000000000000000", "more": 1 }),
            json!(null),
            json!([]),
        ] {
            let error = read::<LockAcquire>(args).unwrap_err();
            assert_eq!(error.code(), ErrorCode::BadRequest);
        }
    }
}
