//! Explanation of a record's name.

use std::sync::Arc;

use fumikura_hashes::{Explanation, FilePath, explain_name, explain_path};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::item::HashRecordKind;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::names::name_in_json;
use crate::services::Hashes;

/// A path or a name, as bytes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HashName {
    /// The path of a file.
    #[serde(deserialize_with = "text_bytes")]
    Path(Vec<u8>),
    /// The name of a record.
    #[serde(deserialize_with = "text_bytes")]
    Name(Vec<u8>),
}

fn text_bytes<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    Ok(String::deserialize(deserializer)?.into_bytes())
}

/// A request to explain a name.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct HashNameRequest {
    /// The path or the name.
    #[serde(flatten)]
    pub name: HashName,
    /// The hash folder: `own`, or a grant.
    #[serde(default)]
    pub dir: Option<String>,
}

/// A path, its record's name, and the steps of the conversion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct HashNameSteps {
    /// The path; null if the name is a hash of it.
    path: Option<String>,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    /// The name.
    name: String,
    /// The name's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    name_bytes: Option<String>,
    kind: HashRecordKind,
    /// The length of the encoded path in bytes.
    encoded_bytes: Option<usize>,
    /// The length of the longest name in the hash folder, in bytes: 250, or less on some file systems.
    name_limit: usize,
    steps: Vec<HashNameStep>,
}

/// A step of the conversion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct HashNameStep {
    /// `path`, `substitute`, `escape`, `too_long`, `fallback`; backwards `name`, `unescape`, `substitute`,
    /// `irreversible`.
    step: &'static str,
    /// The text after the step.
    text: String,
}

impl HashName {
    /// Explains the conversion of the path to a name of at most `limit` bytes, or of the name to a path. No file is
    /// read.
    ///
    /// # Errors
    /// `invalid_path`, `malformed_name`.
    pub fn explain(&self, limit: usize) -> Result<HashNameSteps, Box<ErrorBody>> {
        explain(self, limit).map_err(|error| Box::new(error.into_body()))
    }
}

fn explain(name: &HashName, limit: usize) -> Result<HashNameSteps, ApiError> {
    let explanation = match name {
        HashName::Path(path) => explain_path(&FilePath::new(path.clone())?, limit),
        HashName::Name(name) => explain_name(name)?,
    };
    Ok(HashNameSteps::new(explanation, limit))
}

/// Explains a name in a hash folder, whose file system may limit the length of names.
///
/// # Errors
/// `invalid_path`, `malformed_name`, and those of opening the folder.
pub(crate) async fn hash_name(
    hashes: &Arc<Hashes>,
    request: HashNameRequest,
    caller: Caller,
) -> Result<HashNameSteps, ErrorBody> {
    let work = move |hashes: &Hashes| {
        let folder = hashes.hash_folder(request.dir.as_deref(), caller)?;
        explain(&request.name, folder.name_limit())
    };
    Ok(blocking(hashes, work).await?)
}

impl HashNameSteps {
    fn new(explanation: Explanation, name_limit: usize) -> Self {
        let path = explanation
            .path
            .as_ref()
            .map(|path| name_in_json(path.as_bytes()));
        let (path, path_bytes) = path.unzip();
        let (name, name_bytes) = name_in_json(&explanation.name);
        let steps = explanation.steps.iter().map(|step| HashNameStep {
            step: step.kind.word(),
            text: name_in_json(&step.bytes).0,
        });
        Self {
            kind: match (explanation.is_hashed, path.is_some()) {
                (false, _) => HashRecordKind::Encoded,
                (true, true) => HashRecordKind::Fallback,
                (true, false) => HashRecordKind::Hashed,
            },
            path,
            path_bytes: path_bytes.flatten(),
            name,
            name_bytes,
            encoded_bytes: explanation.encoded_bytes,
            name_limit,
            steps: steps.collect(),
        }
    }
}
