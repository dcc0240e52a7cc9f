//! The user on whose behalf requests act.

use std::sync::Arc;

use fumikura_wiki::{Template, User, UserId, UserName, Wiki};

use crate::error::{ApiError, ErrorCode};
use crate::start::StartError;

/// The acting user: that of `--user`, or else the first one registered.
pub(crate) struct ActingUser {
    wiki: Arc<Wiki>,
    /// The user that `--user` named, whose name may have changed since.
    named: Option<NamedUser>,
}

struct NamedUser {
    id: UserId,
    name: UserName,
}

impl ActingUser {
    /// Finds the user of `--user`, and registers it if there are no users.
    pub(crate) fn open(wiki: &Arc<Wiki>, name: Option<&UserName>) -> Result<Self, StartError> {
        let named = name.map(|name| {
            let id = find(wiki, name)?;
            let name = name.clone();
            Ok::<_, StartError>(NamedUser { id, name })
        });
        let named = named.transpose()?;
        Ok(Self {
            wiki: Arc::clone(wiki),
            named,
        })
    }

    pub(crate) fn get(&self) -> Result<User, ApiError> {
        let users = self.wiki.users().all()?;
        // The import of a full archive replaces all users.
        let of_name = |named: &NamedUser| {
            let by_id = users.iter().find(|user| user.id == named.id);
            by_id.or_else(|| users.iter().find(|user| user.name == named.name))
        };
        let user = self.named.as_ref().and_then(of_name).or(users.first());
        user.cloned()
            .ok_or_else(|| ApiError::new(ErrorCode::NoUser, "no user has been registered yet"))
    }
}

fn find(wiki: &Wiki, name: &UserName) -> Result<UserId, StartError> {
    if let Some(user) = wiki.users().named(name)? {
        return Ok(user.id);
    }
    if !wiki.users().all()?.is_empty() {
        return Err(StartError::UnknownUser(name.to_string()));
    }
    let registered = wiki
        .users()
        .register(name.clone(), Template::of_the_system())?;
    Ok(registered.user.id)
}
