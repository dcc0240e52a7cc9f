//! The parts of the application, as arguments of handlers.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use fumikura_pictures::Pictures;
use fumikura_searcher::Search;
use fumikura_wiki::Wiki;

use crate::acting_user::ActingUser;
use crate::app::App;
use crate::limiters::Limiters;
use crate::vision::Vision;

/// A part of the application. A handler that takes its parts reaches nothing else.
pub(crate) struct Part<T>(pub(crate) Arc<T>);

impl<T: Send + Sync + 'static> FromRequestParts<Arc<App>> for Part<T>
where
    App: AsRef<Arc<T>>,
{
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        Ok(Self(Arc::clone((**app).as_ref())))
    }
}

/// Names the parts of the application by their types.
macro_rules! parts {
    ($($field:ident: $part:ty,)+) => {
        $(impl AsRef<Arc<$part>> for App {
            fn as_ref(&self) -> &Arc<$part> {
                &self.$field
            }
        })+
    };
}

parts! {
    vision: Vision,
    acting: ActingUser,
    limiters: Limiters,
    pictures: Pictures,
    search: Search,
    wiki: Wiki,
}
