//! The policies of groups, in a file of the data folder.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use fumikura_ttl::Policy;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::error::ExpiryError;

/// The policies. If the file can't be read, nothing expires, and the file is not overwritten.
pub struct Policies {
    file: PathBuf,
    /// Held during a change.
    changing: Mutex<()>,
}

/// The contents of the file of policies.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredPolicies {
    /// The policy of groups without one of their own.
    #[serde(default)]
    pub default: Policy,
    /// The policies of roots, by root id.
    #[serde(default)]
    pub roots: BTreeMap<String, Policy>,
}

impl StoredPolicies {
    /// Returns the policy of a group.
    #[must_use]
    pub fn of(&self, group: &str) -> Policy {
        self.roots.get(group).copied().unwrap_or(self.default)
    }
}

impl Policies {
    pub(crate) fn new(file: PathBuf) -> Self {
        Self {
            file,
            changing: Mutex::new(()),
        }
    }

    /// Reads all policies.
    ///
    /// # Errors
    /// [`ExpiryError::PoliciesUnreadable`].
    pub fn read(&self) -> Result<StoredPolicies, ExpiryError> {
        let bytes = match own_file::read(&self.file, own_file::SETTINGS) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(StoredPolicies::default());
            }
            Err(error) => return Err(ExpiryError::PoliciesUnreadable(error)),
        };
        serde_json::from_slice(&bytes)
            .map_err(|error| ExpiryError::PoliciesUnreadable(error.into()))
    }

    /// Changes the policies durably.
    ///
    /// # Errors
    /// [`ExpiryError::PoliciesUnreadable`], [`ExpiryError::PoliciesUnwritable`].
    pub fn change(&self, change: impl FnOnce(&mut StoredPolicies)) -> Result<(), ExpiryError> {
        let _alone = self.changing.lock();
        let mut policies = self.read()?;
        let before = policies.clone();
        change(&mut policies);
        if policies == before && self.file.exists() {
            return Ok(());
        }
        let bytes = serde_json::to_vec_pretty(&policies)
            .map_err(|error| ExpiryError::PoliciesUnwritable(error.into()))?;
        durable::write_file(&self.file, &bytes, Access::Private)
            .map_err(ExpiryError::PoliciesUnwritable)
    }
}
