//! Where pages stand, and stood: the tree of present paths, the bin, and the paths that were left.

mod bin;
mod children;
pub(crate) mod former;
mod path_at;
pub(crate) mod subtree;

pub use bin::DeletedPage;
pub use children::{Child, Children, Parent};

pub(crate) use path_at::path_at;
