//! Tests of operations and their undo in real folders.

mod companions;
mod folders;
mod protected_paths;
mod redo;
mod renames;
mod sidecars;
mod transfers;
mod undo_conflicts;

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use fumikura_base::clock::SystemClock;
use fumikura_base::entropy::SeededEntropy;

use super::*;
use crate::given_file;

struct FolderFixture {
    outer: tempfile::TempDir,
    roots: Arc<Roots>,
    root: Arc<fumikura_fs::Root>,
    files: Files,
    picture_files: PictureFiles,
}

impl FolderFixture {
    fn new() -> Self {
        let outer = tempfile::tempdir().unwrap();
        // The trash records canonical paths.
        let top = outer.path().canonicalize().unwrap();
        for folder in ["pictures", "pictures/inner", "bin"] {
            fs::create_dir(top.join(folder)).unwrap();
        }
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
        let entropy: Arc<dyn Entropy> = Arc::new(SeededEntropy::new(7));
        let list = top.join("roots.json");
        let roots = Roots::open(list, Arc::clone(&clock), Arc::clone(&entropy)).unwrap();
        let roots = Arc::new(roots);
        let root = roots.add(&top.join("pictures")).unwrap();
        let trash = Some(top.join("bin"));
        let files = Files::new(Arc::clone(&roots), top.join("undo"), trash, clock, entropy);
        Self {
            outer,
            roots,
            root,
            files,
            picture_files: PictureFiles::Apart,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.outer.path().join("pictures").join(name)
    }

    fn write(&self, names: &[&str]) {
        for name in names {
            fs::write(self.path(name), name).unwrap();
            let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
            let file = File::options().write(true).open(self.path(name)).unwrap();
            file.set_modified(old).unwrap();
        }
    }

    fn source(&self, path: &str) -> Source {
        let path = RelPath::parse(path.as_bytes()).unwrap();
        Source::new(Arc::clone(&self.root), path)
    }

    fn rename(&self, names: &[(&str, &str)]) -> Result<FilesOutcome, FileError> {
        let names = names
            .iter()
            .map(|(old, new)| (old.as_bytes().to_vec(), (*new).to_owned()));
        self.files.rename(
            &self.source(""),
            &names.collect::<Vec<_>>(),
            self.picture_files,
        )
    }

    fn move_items(
        &self,
        items: &[&str],
        to: &Source,
        existing: ExistingPolicy,
    ) -> Result<FilesOutcome, FileError> {
        let items: Vec<_> = items.iter().map(|item| self.source(item)).collect();
        self.files
            .move_to(to, &items, existing, self.picture_files, &mut |_, _| true)
    }

    fn copy_items(
        &self,
        items: &[&str],
        to: &str,
        existing: ExistingPolicy,
    ) -> Result<FilesOutcome, FileError> {
        let items: Vec<_> = items.iter().map(|item| self.source(item)).collect();
        let to = self.source(to);
        self.files
            .copy_to(&to, &items, existing, self.picture_files, &mut |_, _| true)
    }

    fn trash_items(&self, items: &[&str]) -> FilesOutcome {
        let items: Vec<_> = items.iter().map(|item| self.source(item)).collect();
        self.files
            .trash(&items, self.picture_files, &mut |_, _| true)
            .unwrap()
    }

    fn undo(&self, done: &FilesOutcome, partly: bool) -> Result<FilesOutcome, FileError> {
        self.files.undo(done.id.unwrap(), partly, &mut |_, _| true)
    }

    /// Returns the entries in the trash, by their notes: the file, and its original path.
    fn trash_entries(&self) -> Vec<(PathBuf, String)> {
        let trash = self.outer.path().join("bin");
        let notes = fs::read_dir(trash.join("info")).into_iter().flatten();
        let mut found: Vec<_> = notes
            .map(|note| {
                let note = note.unwrap().path();
                let text = fs::read_to_string(&note).unwrap();
                let path = text.lines().find_map(|line| line.strip_prefix("Path="));
                let file = trash.join("files").join(note.file_stem().unwrap());
                assert!(file.exists(), "{text}");
                (file, path.unwrap().to_owned())
            })
            .collect();
        found.sort();
        found
    }

    /// Checks the path of every file, and its content, which is its first name.
    #[track_caller]
    fn check_files(&self, expected: &[(&str, &str)]) {
        let mut found = Vec::new();
        for folder in ["", "inner/"] {
            for entry in fs::read_dir(self.path(folder)).unwrap() {
                let entry = entry.unwrap();
                if entry.file_type().unwrap().is_file() {
                    let name = entry.file_name().into_string().unwrap();
                    let contents = fs::read_to_string(entry.path()).unwrap();
                    found.push((format!("{folder}{name}"), contents));
                }
            }
        }
        found.sort();
        let expected = expected
            .iter()
            .map(|(name, was)| ((*name).to_owned(), (*was).to_owned()));
        assert_eq!(found, expected.collect::<Vec<_>>());
    }
}
