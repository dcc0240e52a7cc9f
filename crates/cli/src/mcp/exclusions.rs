//! The pages and folders that are hidden from an assistant.

use std::path::{Component, Path, PathBuf};

use anyhow::Context;
use fumikura_wiki::PagePath;

/// The pages and folders that are hidden, each with everything below it.
pub(super) struct Exclusions {
    pages: Vec<PagePath>,
    folders: Vec<PathBuf>,
}

impl Exclusions {
    /// # Errors
    /// If a folder can't be found: a mistyped name would hide nothing.
    pub(super) fn new(pages: Vec<PagePath>, folders: Vec<PathBuf>) -> anyhow::Result<Self> {
        let mut excluded = Vec::new();
        for folder in folders {
            let real = folder
                .canonicalize()
                .with_context(|| format!("couldn't find the folder {}", folder.display()))?;
            excluded.push(std::path::absolute(&folder)?);
            excluded.push(real);
        }
        Ok(Self {
            pages,
            folders: excluded,
        })
    }

    /// Returns true if no page is hidden.
    pub(super) fn has_no_pages(&self) -> bool {
        self.pages.is_empty()
    }

    /// Returns true if a page is hidden. A path that can't be read is.
    pub(super) fn hide_page(&self, path: &str) -> bool {
        match PagePath::new(path) {
            Ok(path) => self.pages.iter().any(|page| is_at_or_below(&path, page)),
            Err(_) => !self.pages.is_empty(),
        }
    }

    /// Returns true if a file or folder is hidden, by its path or by that to which its links lead.
    pub(super) fn hide_file(&self, path: &Path) -> bool {
        let below = |path: &Path| self.folders.iter().any(|folder| path.starts_with(folder));
        if self.folders.is_empty() {
            return false;
        }
        let is_plain = path
            .components()
            .all(|part| matches!(part, Component::RootDir | Component::Normal(_)));
        if !is_plain || below(path) {
            return true;
        }
        // The nearest folder that exists decides for a file that does not.
        let real = path.ancestors().find_map(|path| path.canonicalize().ok());
        real.is_none_or(|real| below(&real))
    }
}

fn is_at_or_below(path: &PagePath, page: &PagePath) -> bool {
    let (path, page) = (path.as_str(), page.as_str());
    let below = |rest: &str| rest.is_empty() || rest.starts_with('/');
    page == "/" || path.strip_prefix(page).is_some_and(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_hidden_with_those_below() {
        let pages = vec![PagePath::new("/a/private/").unwrap()];
        let exclusions = Exclusions::new(pages, Vec::new()).unwrap();
        for hidden in ["/a/private", "/a/private/b", "/a/./b/../private", "no path"] {
            assert!(exclusions.hide_page(hidden), "{hidden}");
        }
        for shown in ["/", "/a", "/a/private-not", "/private"] {
            assert!(!exclusions.hide_page(shown), "{shown}");
        }
        let root = Exclusions::new(vec![PagePath::root()], Vec::new()).unwrap();
        assert!(root.hide_page("/a"));
    }

    #[test]
    fn links_into_hidden_folders_are_hidden() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(base.join("private/deep")).unwrap();
        std::fs::create_dir(base.join("shown")).unwrap();
        std::os::unix::fs::symlink(base.join("private/deep"), base.join("shown/link")).unwrap();
        let exclusions = Exclusions::new(Vec::new(), vec![base.join("private")]).unwrap();
        let hidden = |path: &str| exclusions.hide_file(&base.join(path));
        for path in [
            "private",
            "private/deep/a.jpg",
            "shown/link",
            "shown/link/a.jpg",
            "shown/../private",
        ] {
            assert!(hidden(path), "{path}");
        }
        for path in ["", "shown", "shown/a.jpg", "private.jpg"] {
            assert!(!hidden(path), "{path}");
        }
    }

    #[test]
    fn missing_folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("privat");
        assert!(Exclusions::new(Vec::new(), vec![missing]).is_err());
    }
}
