//! Users and their names. The registration of the first user creates the root page.

use std::ops::ControlFlow;
use std::time::Duration;

use jiff::Timestamp;

use crate::id::{PageId, UserId};
use crate::model::user::{User, UserName};
use crate::pages::first_revision;
use crate::parts::Users;
use crate::path::PagePath;
use crate::store::{Direction, PAGE_PATH, Read, ReadTxn, StorageError, USER, USER_NAME, WriteTxn};

/// The language of the root page of a new wiki.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    /// English.
    En,
    /// Japanese.
    Ja,
}

impl Template {
    /// The language of the environment in which the program was started.
    #[must_use]
    pub fn of_the_system() -> Self {
        let language = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
        if language.is_some_and(|language| language.starts_with("ja")) {
            Self::Ja
        } else {
            Self::En
        }
    }

    /// Root page texts of earlier versions.
    const EARLIER_TEMPLATES: [&'static str; 1] = [include_str!("../templates/root.en.1.md")];

    /// True if a text is that of a current or former template.
    pub(crate) fn is_template(text: &str) -> bool {
        [Self::En, Self::Ja].map(Self::source).contains(&text)
            || Self::EARLIER_TEMPLATES.contains(&text)
    }

    fn source(self) -> &'static str {
        match self {
            Self::En => include_str!("../templates/root.en.md"),
            Self::Ja => include_str!("../templates/root.ja.md"),
        }
    }
}

/// A registration or a rename of a user failed. Nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    /// Another user has this name.
    #[error("a user named {0} already exists")]
    NameTaken(UserName),
    /// No user has this id.
    #[error("no user has this id")]
    Unknown,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// The result of a registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// The new user.
    pub user: User,
    /// The root page, if this was the first user and the page was created (docs/spec/wiki.md, Deleting and restoring).
    pub root_page: Option<PageId>,
}

impl Users<'_> {
    /// Registers a user. The first registration creates the root page from the template.
    ///
    /// # Errors
    /// [`RegisterError::NameTaken`] if another user has that name.
    pub fn register(
        &self,
        name: UserName,
        template: Template,
    ) -> Result<Registration, RegisterError> {
        self.store.write(|txn| {
            if txn.get(USER_NAME, name.as_str())?.is_some() {
                return Err(RegisterError::NameTaken(name));
            }
            let now = self.clock.now();
            let user = User {
                id: UserId::generate(now, self.entropy),
                name,
                created_at: later_than_all(&all_users(txn)?, now),
            };
            put_user(txn, &user)?;
            let root = PagePath::root();
            let root_page = match txn.get(PAGE_PATH, root.as_str())? {
                Some(_) => None,
                None => {
                    let page_id = PageId::generate(now, self.entropy);
                    first_revision(txn, page_id, root, &user, now, template.source().to_owned())?;
                    Some(page_id)
                }
            };
            Ok(Registration { user, root_page })
        })
    }

    /// Renames a user. Existing revisions keep the old name.
    ///
    /// # Errors
    /// [`RegisterError::NameTaken`] if another user has that name.
    pub fn rename(&self, id: UserId, name: UserName) -> Result<User, RegisterError> {
        self.store.write(|txn| {
            let mut user = txn
                .get(USER, &id.to_bytes())?
                .ok_or(RegisterError::Unknown)?;
            match txn.get(USER_NAME, name.as_str())? {
                Some(owner) if owner != id.to_bytes() => {
                    return Err(RegisterError::NameTaken(name));
                }
                Some(_) | None => {}
            }
            txn.remove(USER_NAME, user.name.as_str())?;
            user.name = name;
            put_user(txn, &user)?;
            Ok(user)
        })
    }

    /// All users, in the order of their registration.
    ///
    /// # Errors
    /// If the database fails.
    pub fn all(&self) -> Result<Vec<User>, StorageError> {
        self.store.read(|txn: &ReadTxn| all_users(txn))
    }

    /// The user with this name.
    ///
    /// # Errors
    /// If the database fails.
    pub fn named(&self, name: &UserName) -> Result<Option<User>, StorageError> {
        self.store
            .read(|txn| match txn.get(USER_NAME, name.as_str())? {
                Some(id) => txn.get(USER, &id),
                None => Ok(None),
            })
    }
}

fn all_users(txn: &impl Read) -> Result<Vec<User>, StorageError> {
    let mut users = Vec::new();
    txn.scan::<_, User, &[u8; 16]>(USER, .., Direction::Ascending, |_, user| {
        users.push(user);
        ControlFlow::Continue(())
    })?;
    users.sort_by_key(|user| user.created_at);
    Ok(users)
}

/// The current time, or just after the last registration if the clock was set back since. These times
/// define the order of users, and a window acts for the first one.
fn later_than_all(users: &[User], now: Timestamp) -> Timestamp {
    let Some(last) = users.last() else {
        return now;
    };
    // Times are stored to the microsecond.
    now.max(last.created_at + Duration::from_micros(1))
}

fn put_user(txn: &WriteTxn, user: &User) -> Result<(), StorageError> {
    txn.put(USER_NAME, user.name.as_str(), &user.id.to_bytes())?;
    txn.put(USER, &user.id.to_bytes(), user)
}
