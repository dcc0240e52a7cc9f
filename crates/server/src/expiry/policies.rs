//! The policies of groups, in a file of the data folder.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use fumikura_ttl::Policy;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::error::{ApiError, ErrorCode};

/// The policies. If the file can't be read, nothing expires, and the file is not overwritten.
pub(crate) struct Policies {
    file: PathBuf,
    /// Held during a change.
    changing: Mutex<()>,
}

/// The contents of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredPolicies {
    /// The policy of groups without one of their own.
    #[serde(default)]
    pub(crate) default: Policy,
    /// The policies of roots, by root id.
    #[serde(default)]
    pub(crate) roots: BTreeMap<String, Policy>,
}

impl StoredPolicies {
    /// Returns the policy of a group.
    pub(crate) fn of(&self, group: &str) -> Policy {
        self.roots.get(group).copied().unwrap_or(self.default)
    }
}

impl Policies {
    pub(super) fn new(data: &Path) -> Self {
        Self {
            file: data.join("ttl.json"),
            changing: Mutex::new(()),
        }
    }

    /// Reads all policies.
    pub(crate) fn read(&self) -> Result<StoredPolicies, ApiError> {
        let bytes = match own_file::read(&self.file, own_file::SETTINGS) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(StoredPolicies::default());
            }
            Err(error) => return Err(unreadable(&error)),
        };
        serde_json::from_slice(&bytes).map_err(|error| unreadable(&error))
    }

    /// Changes the policies durably.
    pub(crate) fn change(&self, change: impl FnOnce(&mut StoredPolicies)) -> Result<(), ApiError> {
        let _alone = self.changing.lock();
        let mut policies = self.read()?;
        let before = policies.clone();
        change(&mut policies);
        if policies == before && self.file.exists() {
            return Ok(());
        }
        let bytes = serde_json::to_vec_pretty(&policies).map_err(|error| unreadable(&error))?;
        durable::write_file(&self.file, &bytes, Access::Private).map_err(|error| {
            let message = "The expiry settings can't be written";
            ApiError::internal(ErrorCode::StorageFailed, message, &error)
        })
    }
}

fn unreadable(error: &(dyn std::error::Error + 'static)) -> ApiError {
    let message = "The expiry settings (ttl.json) can't be read; nothing expires until the file is repaired or deleted";
    ApiError::internal(ErrorCode::SettingsDamaged, message, error)
}
