//! The parts of the application, as arguments of handlers.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

/// An application that has a part.
pub(crate) trait HasPart<T: ?Sized> {
    /// Returns the part.
    fn part(&self) -> &Arc<T>;
}

/// A part of the application. A handler that takes its parts reaches nothing else.
pub(crate) struct Part<T: ?Sized>(pub(crate) Arc<T>);

impl<A, T> FromRequestParts<Arc<A>> for Part<T>
where
    A: HasPart<T> + Send + Sync,
    T: Send + Sync + ?Sized + 'static,
{
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, app: &Arc<A>) -> Result<Self, Infallible> {
        Ok(Self(Arc::clone(app.part())))
    }
}

/// Names the parts of an application by their types.
macro_rules! parts {
    ($app:ty: $($field:ident: $part:ty,)+) => {
        $(impl $crate::part::HasPart<$part> for $app {
            fn part(&self) -> &Arc<$part> {
                &self.$field
            }
        })+
    };
}

pub(crate) use parts;
