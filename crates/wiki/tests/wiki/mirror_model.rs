//! Random changes of a wiki, and of the files of its mirror by others: nothing of others is ever lost.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;

use fumikura_wiki::*;
use proptest::prelude::*;

use crate::mirror_support::TestMirror;
use crate::support::path;

const PATHS: [&str; 4] = ["/a", "/b", "/a/c", "/A"];
const ENTRIES: [&str; 7] = [
    "pages.md",
    "pages/a.md",
    "pages/b.md",
    "pages/a/c.md",
    "pages/A.md",
    "pages/a~2.md",
    "pages/a.files/f",
];

#[derive(Debug, Clone)]
enum Step {
    /// Creates or changes a page.
    Save(usize),
    Rename(usize, usize),
    Delete(usize),
    Upload(usize),
    /// Another program writes a file in place, or replaces it.
    Edit(usize, bool),
    Unlink(usize),
    MakeFolder(usize),
    MakeLink(usize),
    TakeOver(usize),
    /// The records are lost.
    LoseRecords,
    /// Time passes.
    Wait,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let (page, entry) = (0..PATHS.len(), 0..ENTRIES.len());
    let step = prop_oneof![
        5 => page.clone().prop_map(Step::Save),
        2 => (page.clone(), page.clone()).prop_map(|(from, to)| Step::Rename(from, to)),
        1 => page.clone().prop_map(Step::Delete),
        1 => page.prop_map(Step::Upload),
        5 => (entry.clone(), any::<bool>()).prop_map(|(entry, is_in_place)| Step::Edit(entry, is_in_place)),
        1 => entry.clone().prop_map(Step::Unlink),
        1 => entry.clone().prop_map(Step::MakeFolder),
        1 => entry.clone().prop_map(Step::MakeLink),
        2 => entry.prop_map(Step::TakeOver),
        1 => Just(Step::LoseRecords),
        2 => Just(Step::Wait),
    ];
    prop::collection::vec(step, 1..25)
}

struct Model {
    mirror: TestMirror,
    /// The files that others have put into the folder, and that were not taken over.
    theirs: BTreeMap<String, String>,
    count: u32,
}

impl Model {
    fn new() -> Self {
        Self {
            mirror: TestMirror::new(),
            theirs: BTreeMap::new(),
            count: 0,
        }
    }

    fn text(&mut self, kind: &str) -> String {
        self.count += 1;
        format!("{kind} {}", self.count)
    }

    fn page(&self, at: usize) -> Option<PageId> {
        let resolved = self.mirror.test.wiki.pages().resolve(&path(PATHS[at]));
        resolved.ok().map(|page| page.id)
    }

    fn apply(&mut self, step: &Step) {
        match *step {
            Step::Save(at) => {
                let text = self.text("ours");
                match self.page(at) {
                    Some(page) => self.mirror.rewrite(page, &text),
                    None => drop(self.mirror.test.page(PATHS[at], &text)),
                }
            }
            Step::Rename(from, to) => {
                if let (Some(page), None) = (self.page(from), self.page(to)) {
                    // A page can't become a child of its own.
                    let _may_be_refused = self.mirror.test.rename(page, PATHS[to], true);
                }
            }
            Step::Delete(at) => {
                if let Some(page) = self.page(at) {
                    self.mirror.test.delete(page, true).unwrap();
                }
            }
            Step::Upload(at) => {
                if let Some(page) = self.page(at) {
                    let text = self.text("file");
                    // A file may be there already.
                    let _may_be_refused = self.mirror.test.upload(page, "f", text.as_bytes());
                }
            }
            Step::TakeOver(at) => {
                let entry = ENTRIES[at];
                let taken = self.mirror.take_over(entry, None);
                if let Ok((page, _)) = taken
                    && let Some(text) = self.theirs.remove(entry)
                {
                    assert_eq!(self.mirror.test.text(page), text);
                }
            }
            Step::LoseRecords => fs::remove_file(self.mirror.data().join("mirror.redb")).unwrap(),
            Step::Wait => self.mirror.test.advance(11),
            Step::Edit(..) | Step::Unlink(_) | Step::MakeFolder(_) | Step::MakeLink(_) => {
                self.disturb(step);
            }
        }
    }

    /// Changes a file as another program does, if its folder exists.
    fn disturb(&mut self, step: &Step) {
        let (Step::Edit(at, _) | Step::Unlink(at) | Step::MakeFolder(at) | Step::MakeLink(at)) =
            *step
        else {
            return;
        };
        let (entry, file) = (ENTRIES[at], self.mirror.at(ENTRIES[at]));
        if !file.parent().unwrap().is_dir() {
            return;
        }
        if let Step::Edit(_, true) = step
            && file.is_file()
            && !file.is_symlink()
        {
            let text = self.text("theirs, in place,");
            fs::write(&file, &text).unwrap();
            self.theirs.insert(entry.to_owned(), text);
            return;
        }
        // What others remove themselves is not lost by the mirror.
        self.theirs.remove(entry);
        if file.is_dir() && !file.is_symlink() {
            fs::remove_dir_all(&file).unwrap();
        } else if file.is_symlink() || file.exists() {
            fs::remove_file(&file).unwrap();
        }
        match step {
            Step::Edit(..) => {
                let text = self.text("theirs");
                fs::write(&file, &text).unwrap();
                self.theirs.insert(entry.to_owned(), text);
            }
            Step::MakeFolder(_) => fs::create_dir(&file).unwrap(),
            Step::MakeLink(_) => symlink(self.mirror.data(), &file).unwrap(),
            Step::Unlink(_)
            | Step::Save(_)
            | Step::Rename(..)
            | Step::Delete(_)
            | Step::Upload(_)
            | Step::TakeOver(_)
            | Step::LoseRecords
            | Step::Wait => {}
        }
    }

    /// Checks that what others wrote is where they wrote it, and that everything else is as the wiki has it.
    fn check(&mut self) {
        for (entry, text) in &self.theirs {
            assert_eq!(self.mirror.read(entry), *text, "{entry}");
        }
        let data: Vec<_> = fs::read_dir(self.mirror.data()).unwrap().collect();
        assert!(data.len() <= 2, "{data:?}");
    }

    fn check_complete(&mut self) {
        self.mirror.update();
        self.check();
        assert_eq!(self.mirror.update(), 0);
        let outside = &self.mirror.report.outside;
        for (entry, text) in &self.theirs {
            let is_known = ENTRIES.contains(&entry.as_str());
            assert!(is_known && !text.is_empty());
        }
        // The texts of all pages are there, but for those whose places are taken.
        let mut missing = 0;
        let files = self.mirror.all_files();
        for at in 0..PATHS.len() {
            if let Some(page) = self.page(at) {
                let text = self.mirror.test.text(page);
                let is_there = files.values().any(|contents| *contents == text.as_bytes());
                missing += usize::from(!is_there);
            }
        }
        let taken = outside
            .values()
            .filter(|file| file.kind != OutsideKind::Left);
        assert!(missing <= taken.count(), "{missing} of {outside:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn what_others_write_is_never_lost(steps in steps()) {
        let mut model = Model::new();
        for step in &steps {
            model.apply(step);
            model.mirror.follow();
            model.check();
        }
        model.check_complete();
    }
}

#[test]
fn edits_during_passes_are_never_lost() {
    let mut mirror = TestMirror::new();
    let page = mirror.test.page("/a", "ours");
    mirror.update();
    let (file, beside) = (mirror.at("pages/a.md"), mirror.at(".editor"));
    for round in 0..60 {
        let last = format!("theirs {round}");
        let (file, beside, text) = (&file, &beside, &last);
        std::thread::scope(|scope| {
            let editor = scope.spawn(move || {
                for part in 0..5 {
                    let text = match part {
                        4 => text.clone(),
                        _ => format!("{text}, part {part}"),
                    };
                    if round % 2 == 0 {
                        fs::write(file, text).unwrap();
                    } else {
                        fs::write(beside, text).unwrap();
                        fs::rename(beside, file).unwrap();
                    }
                }
            });
            for save in 0..5 {
                mirror.rewrite(page, &format!("ours {round} {save}"));
                mirror.follow();
            }
            editor.join().unwrap();
        });
        mirror.update();
        mirror.test.advance(11);
        mirror.update();
        let files = mirror.all_files();
        let is_there = files.values().any(|contents| *contents == last.as_bytes());
        assert!(is_there, "{last} is lost: {:?}", files.keys());
        let edited: Vec<String> = mirror.report.outside.keys().cloned().collect();
        for entry in edited {
            mirror.write_again(&entry, None).unwrap();
        }
        assert_eq!(mirror.outside(), []);
    }
}
