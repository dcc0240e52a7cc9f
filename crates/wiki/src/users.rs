//! People: registration, which for the first one makes the root page, and their names.

use std::ops::ControlFlow;
use std::time::Duration;

use jiff::Timestamp;

use crate::id::{PageId, UserId};
use crate::model::user::{User, UserName};
use crate::pages::first_revision;
use crate::path::PagePath;
use crate::store::{Direction, PAGE_PATH, Read, ReadTxn, StorageError, USER, USER_NAME, WriteTxn};
use crate::wiki::Wiki;

/// The language of the page that a new wiki begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    /// English.
    En,
    /// Japanese.
    Ja,
}

impl Template {
    /// The language of the environment that the program was started in.
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

    /// Texts that earlier versions gave the root page.
    const FORMER: [&'static str; 1] = [include_str!("../templates/root.en.1.md")];

    /// Whether a text is that of one of the templates, or was.
    pub(crate) fn is(text: &str) -> bool {
        [Self::En, Self::Ja].map(Self::source).contains(&text) || Self::FORMER.contains(&text)
    }

    fn source(self) -> &'static str {
        match self {
            Self::En => include_str!("../templates/root.en.md"),
            Self::Ja => include_str!("../templates/root.ja.md"),
        }
    }
}

/// A registration or a change of name failed. Nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    /// Someone here has that name.
    #[error("a user named {0} already exists")]
    NameTaken(UserName),
    /// Nobody has this id.
    #[error("no user has this id")]
    Unknown,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// What a registration did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registered {
    /// The new person.
    pub user: User,
    /// The root page, when this was the first person and it was made (docs/spec/wiki.md, Deleting and restoring).
    pub root_page: Option<PageId>,
}

impl Wiki {
    /// Registers a person. The first one's registration makes the root page from the template.
    ///
    /// # Errors
    /// [`RegisterError::NameTaken`] when someone has that name.
    pub fn register(
        &self,
        name: UserName,
        template: Template,
    ) -> Result<Registered, RegisterError> {
        self.store.write(|txn| {
            if txn.get(USER_NAME, name.as_str())?.is_some() {
                return Err(RegisterError::NameTaken(name));
            }
            let now = self.clock.now();
            let user = User {
                id: UserId::generate(now, &*self.entropy),
                name,
                created_at: after_all(&everyone(txn)?, now),
            };
            put_user(txn, &user)?;
            let root = PagePath::root();
            let root_page = match txn.get(PAGE_PATH, root.as_str())? {
                Some(_) => None,
                None => {
                    let page_id = PageId::generate(now, &*self.entropy);
                    txn.put(PAGE_PATH, root.as_str(), &page_id.to_bytes())?;
                    first_revision(txn, page_id, root, &user, now, template.source().to_owned())?;
                    Some(page_id)
                }
            };
            Ok(Registered { user, root_page })
        })
    }

    /// Gives a person another name. What was written under the old one keeps it.
    ///
    /// # Errors
    /// [`RegisterError::NameTaken`] when someone else has that name.
    pub fn rename_user(&self, id: UserId, name: UserName) -> Result<User, RegisterError> {
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

    /// Everyone, in the order of their registration.
    ///
    /// # Errors
    /// When the database fails.
    pub fn users(&self) -> Result<Vec<User>, StorageError> {
        self.store.read(|txn: &ReadTxn| everyone(txn))
    }

    /// The person with this name.
    ///
    /// # Errors
    /// When the database fails.
    pub fn user_named(&self, name: &UserName) -> Result<Option<User>, StorageError> {
        self.store
            .read(|txn| match txn.get(USER_NAME, name.as_str())? {
                Some(id) => txn.get(USER, &id),
                None => Ok(None),
            })
    }
}

fn everyone(txn: &impl Read) -> Result<Vec<User>, StorageError> {
    let mut users = Vec::new();
    txn.scan::<_, User, &[u8; 16]>(USER, .., Direction::Ascending, |_, user| {
        users.push(user);
        ControlFlow::Continue(())
    })?;
    users.sort_by_key(|user| user.created_at);
    Ok(users)
}

/// Now, or a moment after the last registration where the clock was put back since: these times say who
/// came first, and who came first is whom a window acts for.
fn after_all(users: &[User], now: Timestamp) -> Timestamp {
    let Some(last) = users.last() else {
        return now;
    };
    // It is kept to the microsecond.
    now.max(last.created_at + Duration::from_micros(1))
}

fn put_user(txn: &WriteTxn, user: &User) -> Result<(), StorageError> {
    txn.put(USER_NAME, user.name.as_str(), &user.id.to_bytes())?;
    txn.put(USER, &user.id.to_bytes(), user)
}
