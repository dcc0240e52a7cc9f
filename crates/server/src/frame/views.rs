//! The views of the application: their addresses, and the files of their code.

use serde::Deserialize;

use crate::static_files;

/// The views, as listed by `ui/build/view-files.ts`.
#[derive(Default, Deserialize)]
pub(crate) struct ViewList {
    app: ViewFiles,
    views: Vec<View>,
}

#[derive(Deserialize)]
pub(crate) struct View {
    /// `/bin`, or `/wiki/*` for all addresses below.
    address: String,
    #[serde(flatten)]
    files: ViewFiles,
}

/// Files of the client: names below `/static/`.
#[derive(Default, Deserialize)]
pub(super) struct ViewFiles {
    pub(super) scripts: Vec<String>,
    pub(super) styles: Vec<String>,
}

impl ViewList {
    /// Reads the list. Empty if the client has not been built.
    pub(crate) fn read() -> Self {
        static_files::read("views.json").map_or_else(Self::default, |list| {
            serde_json::from_slice(&list).expect("BUG: the build writes the list of views")
        })
    }

    /// Returns true if the path is the address of a view.
    pub(crate) fn contains(&self, path: &str) -> bool {
        self.views.iter().any(|view| match view.base() {
            Some(base) => path
                .strip_prefix(base)
                .is_some_and(|rest| rest.starts_with('/')),
            None => path == view.address,
        })
    }

    pub(super) fn into_views(self) -> Vec<View> {
        self.views
    }

    /// Returns the files that every view needs in addition to the entry files, and then those of the view at
    /// this address.
    pub(super) fn into_files(self, address: &str) -> ViewFiles {
        let mut files = self.app;
        if let Some(view) = self.views.into_iter().find(|view| view.address == address) {
            files.scripts.extend(view.files.scripts);
            files.styles.extend(view.files.styles);
        }
        files
    }
}

impl View {
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Returns `/wiki` for `/wiki/*`.
    pub(super) fn base(&self) -> Option<&str> {
        self.address.strip_suffix("/*")
    }
}
