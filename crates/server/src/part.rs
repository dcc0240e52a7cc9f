//! The parts of the application, as arguments of handlers.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use fumikura_base::clock::Clock;
use fumikura_expiry::Expiry;
use fumikura_pictures::Pictures;
use fumikura_searcher::Search;
use fumikura_watch::Watcher;
use fumikura_wiki::Wiki;

use crate::acting_user::ActingUser;
use crate::app::App;
use crate::auth::Auth;
use crate::config::Config;
use crate::events::EventHub;
use crate::frame::FrameParts;
use crate::grants::Grants;
use crate::identity::Launch;
use crate::job_runner::JobRunner;
use crate::limiters::Limiters;
use crate::operations::{Hashes, PageFiles};
use crate::picture_sizes::PictureSizes;
use crate::rest_api::{
    Backup, FileOperations, Import, Metrics, SearchedParts, SignIn, ThumbCache, Thumbnails,
};
use crate::shares::Shares;
use crate::stopping::Stopping;
use crate::vision::{Describer, Vision};

/// A part of the application. A handler that takes its parts reaches nothing else.
pub(crate) struct Part<T: ?Sized>(pub(crate) Arc<T>);

impl<T: Send + Sync + ?Sized + 'static> FromRequestParts<Arc<App>> for Part<T>
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
    acting: ActingUser,
    auth: Auth,
    backup: Backup,
    clock: dyn Clock,
    config: Config,
    describer: Describer,
    events: EventHub,
    expiry: Expiry,
    file_operations: FileOperations,
    frame_parts: FrameParts,
    grants: Grants,
    hashes: Hashes,
    import: Import,
    launch: Launch,
    limiters: Limiters,
    metrics: Metrics,
    page_files: PageFiles,
    picture_sizes: PictureSizes,
    pictures: Pictures,
    runner: JobRunner,
    search: Search,
    searched: SearchedParts,
    shares: Shares,
    sign_in: SignIn,
    stopping: Stopping,
    thumb_cache: ThumbCache,
    thumbnails: Thumbnails,
    vision: Vision,
    watcher: Watcher,
    wiki: Wiki,
}
