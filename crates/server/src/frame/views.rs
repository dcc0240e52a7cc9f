//! The views of the application, and the files of their code.

use std::collections::HashMap;

use serde::Deserialize;

use crate::static_files;

/// A view: the first part of a page's address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    Wiki,
    Edit,
    Pictures,
}

/// The files of a view, or those that every view needs, as listed by `ui/build/view-files.ts`: names beneath
/// `/static/`.
#[derive(Default, Deserialize)]
pub(super) struct ViewFiles {
    pub(super) scripts: Vec<String>,
    pub(super) styles: Vec<String>,
}

impl View {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Wiki => "wiki",
            Self::Edit => "edit",
            Self::Pictures => "pictures",
        }
    }
}

/// Returns the files that every view needs in addition to the entry files, and then those of this view. Empty
/// if the client has not been built.
pub(super) fn files(view: Option<View>) -> ViewFiles {
    let Some(list) = static_files::read("rooms.json") else {
        return ViewFiles::default();
    };
    let mut views: HashMap<String, ViewFiles> =
        serde_json::from_slice(&list).expect("BUG: the build writes the list of views");
    let mut files = views.remove("app").unwrap_or_default();
    let own = view
        .and_then(|view| views.remove(view.name()))
        .unwrap_or_default();
    files.scripts.extend(own.scripts);
    files.styles.extend(own.styles);
    files
}
