//! The user on whose behalf requests act.

use std::future::Future;
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

tokio::task_local! {
    /// The user that the current request names.
    static REQUESTED: UserId;
}

/// The user that the current request names instead of the acting user, if it names one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestedUser(Option<UserId>);

impl RequestedUser {
    pub(crate) fn new(user: Option<UserId>) -> Self {
        Self(user)
    }

    /// Returns the user of the request that the task answers.
    pub(crate) fn current() -> Self {
        Self(REQUESTED.try_with(|user| *user).ok())
    }

    /// Answers a request as this user.
    pub(crate) async fn scope<T>(self, answer: impl Future<Output = T>) -> T {
        match self.0 {
            Some(user) => REQUESTED.scope(user, answer).await,
            None => answer.await,
        }
    }

    /// Does work of the request on another thread as this user.
    pub(crate) fn run<T>(self, work: impl FnOnce() -> T) -> T {
        match self.0 {
            Some(user) => REQUESTED.sync_scope(user, work),
            None => work(),
        }
    }
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

    /// Returns the user that the current request names, or else the acting user.
    pub(crate) fn get(&self) -> Result<User, ApiError> {
        let users = self.wiki.users().all()?;
        if let RequestedUser(Some(id)) = RequestedUser::current() {
            let user = users.into_iter().find(|user| user.id == id);
            return user.ok_or_else(|| ApiError::new(ErrorCode::NoUser, "the user is gone"));
        }
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
