//! The steps of users, drawn from small numbers so that they interact.

use proptest::prelude::*;

/// A step of a user. Pages, paths and texts are picked by number from the existing ones.
#[derive(Debug, Clone)]
pub(crate) enum ModelStep {
    Create {
        path: Path,
    },
    Lock {
        page: u8,
    },
    Renew {
        page: u8,
    },
    Release {
        page: u8,
    },
    TakeOver {
        page: u8,
    },
    /// Ends a lock without its token.
    Break {
        page: u8,
    },
    /// Saves by the lock's token, or by version; `stale` names a version other than the latest.
    Save {
        page: u8,
        text: Vec<StepPart>,
        amend: bool,
        stale: bool,
        tab: Option<u8>,
    },
    /// Stores an autosave entry.
    Autosave {
        page: u8,
        tab: u8,
        /// 0 for a new page.
        base: u8,
        count: u8,
    },
    /// Discards one of the autosave entries, possibly another user's.
    Discard {
        text: u8,
    },
    /// Renames the user.
    RenameUser {
        name: u8,
    },
    /// Creates a page and saves its text.
    Add {
        path: Path,
        text: Vec<StepPart>,
    },
    /// Locks a page and saves its text.
    Write {
        page: u8,
        text: Vec<StepPart>,
    },
    /// Keeps the text that is read.
    Read {
        page: u8,
    },
    /// Locks a page and saves the text that was kept.
    WriteRead {
        page: u8,
    },
    /// Saves the text that was read, unchanged.
    SaveAgain {
        page: u8,
    },
    Rename {
        page: u8,
        to: Path,
        recursive: bool,
        token: bool,
    },
    Delete {
        page: u8,
        recursive: bool,
        hard: bool,
        token: bool,
    },
    Restore {
        page: u8,
        to: Option<Path>,
        recursive: bool,
    },
    RollBack {
        page: u8,
        to: u8,
        token: bool,
    },
    Compact {
        page: u8,
        keep_from: u8,
        token: bool,
    },
    /// Uploads a file to a page.
    Upload {
        page: u8,
        name: u8,
    },
    File {
        file: u8,
        step: FileStep,
    },
    Wait {
        seconds: u16,
    },
    Sleep {
        seconds: u16,
    },
    Sweep,
    Reopen,
}

/// A step of a user with a file.
#[derive(Debug, Clone)]
pub(crate) enum FileStep {
    Rename { name: u8 },
    Delete { hard: bool },
    Restore,
    Give { page: u8 },
}

/// A path as its segments; an empty one is the root.
pub(crate) type Path = Vec<u8>;

/// A part of a text that a user writes.
#[derive(Debug, Clone)]
pub(crate) enum StepPart {
    Word(u8),
    /// A link by path.
    To(Path),
    /// A link by path, relative to the page's path.
    Beside(u8),
    /// A link by id.
    Id(u8),
    /// A link between double brackets, which shows the name of its page.
    Named(Path),
    /// The same to a page in the trash.
    InTrash(Path),
    /// The mark of a title, if it comes first.
    Title,
}

const NAMES: [&str; 4] = ["a", "b", "旅", "a@trash"];

/// The path as text.
pub(crate) fn path_text(path: &Path) -> String {
    let names: Vec<&str> = path.iter().map(|at| name(*at)).collect();
    format!("/{}", names.join("/"))
}

pub(crate) fn name(at: u8) -> &'static str {
    NAMES[usize::from(at) % NAMES.len()]
}

fn path() -> impl Strategy<Value = Path> {
    prop::collection::vec(0..3_u8, 0..4)
}

fn part() -> impl Strategy<Value = StepPart> {
    prop_oneof![
        3 => (0..9_u8).prop_map(StepPart::Word),
        3 => path().prop_map(StepPart::To),
        2 => (0..6_u8).prop_map(StepPart::Beside),
        1 => any::<u8>().prop_map(StepPart::Id),
        2 => path().prop_map(StepPart::Named),
    ]
}

/// A text, sometimes with a title.
fn text() -> impl Strategy<Value = Vec<StepPart>> {
    let parts = prop::collection::vec(part(), 1..6);
    (prop::bool::weighted(0.3), parts).prop_map(|(title, mut parts)| {
        if title {
            parts.insert(0, StepPart::Title);
        }
        parts
    })
}

fn file_step() -> impl Strategy<Value = FileStep> {
    prop_oneof![
        1 => (0..3_u8).prop_map(|name| FileStep::Rename { name }),
        2 => prop::bool::weighted(0.3).prop_map(|hard| FileStep::Delete { hard }),
        2 => Just(FileStep::Restore),
        1 => any::<u8>().prop_map(|page| FileStep::Give { page }),
    ]
}

pub(crate) fn step() -> impl Strategy<Value = ModelStep> {
    let page = any::<u8>();
    let flag = any::<bool>();
    prop_oneof![
        5 => path().prop_map(|path| ModelStep::Create { path }),
        4 => page.prop_map(|page| ModelStep::Lock { page }),
        1 => page.prop_map(|page| ModelStep::Renew { page }),
        1 => page.prop_map(|page| ModelStep::Release { page }),
        1 => page.prop_map(|page| ModelStep::TakeOver { page }),
        1 => page.prop_map(|page| ModelStep::Break { page }),
        10 => (
            page,
            text(),
            prop::bool::weighted(0.2),
            prop::bool::weighted(0.1),
            prop::option::weighted(0.3, 0..2_u8),
        )
            .prop_map(|(page, text, amend, stale, tab)| ModelStep::Save { page, text, amend, stale, tab }),
        3 => (page, 0..2_u8, 0..4_u8, 0..5_u8)
            .prop_map(|(page, tab, base, count)| ModelStep::Autosave { page, tab, base, count }),
        1 => any::<u8>().prop_map(|text| ModelStep::Discard { text }),
        1 => (0..3_u8).prop_map(|name| ModelStep::RenameUser { name }),
        1 => page.prop_map(|page| ModelStep::SaveAgain { page }),
        6 => (page, path(), flag, flag)
            .prop_map(|(page, to, recursive, token)| ModelStep::Rename { page, to, recursive, token }),
        4 => (page, flag, prop::bool::weighted(0.2), flag).prop_map(
            |(page, recursive, hard, token)| ModelStep::Delete { page, recursive, hard, token }
        ),
        5 => (page, prop::option::weighted(0.7, path()), flag)
            .prop_map(|(page, to, recursive)| ModelStep::Restore { page, to, recursive }),
        2 => (page, 0..6_u8, flag).prop_map(|(page, to, token)| ModelStep::RollBack { page, to, token }),
        2 => (page, 0..6_u8, flag)
            .prop_map(|(page, keep_from, token)| ModelStep::Compact { page, keep_from, token }),
        5 => (page, 0..3_u8).prop_map(|(page, name)| ModelStep::Upload { page, name }),
        5 => (any::<u8>(), file_step()).prop_map(|(file, step)| ModelStep::File { file, step }),
        2 => (1..400_u16).prop_map(|seconds| ModelStep::Wait { seconds }),
        1 => (1..4000_u16).prop_map(|seconds| ModelStep::Sleep { seconds }),
        2 => Just(ModelStep::Sweep),
        1 => Just(ModelStep::Reopen),
    ]
}

/// Steps around the links to a few pages, at paths that several of them have in turn.
pub(crate) fn link_steps() -> impl Strategy<Value = ModelStep> {
    let page = 0..6_u8;
    let flag = any::<bool>();
    let path = || prop_oneof![8 => 0..2_u8, 1 => Just(3_u8)].prop_map(|name| vec![name]);
    let part = prop_oneof![
        3 => path().prop_map(StepPart::Named),
        2 => path().prop_map(StepPart::To),
        1 => path().prop_map(StepPart::InTrash),
        1 => (0..3_u8).prop_map(StepPart::Word),
        1 => (0..6_u8).prop_map(StepPart::Id),
    ];
    let text = prop::collection::vec(part, 1..4);
    prop_oneof![
        6 => (path(), text.clone()).prop_map(|(path, text)| ModelStep::Add { path, text }),
        4 => (page.clone(), text).prop_map(|(page, text)| ModelStep::Write { page, text }),
        3 => page.clone().prop_map(|page| ModelStep::Read { page }),
        4 => page.clone().prop_map(|page| ModelStep::WriteRead { page }),
        2 => page.clone().prop_map(|page| ModelStep::SaveAgain { page }),
        2 => (page.clone(), path()).prop_map(|(page, to)| ModelStep::Rename {
            page,
            to,
            recursive: false,
            token: false,
        }),
        6 => (page.clone(), prop::bool::weighted(0.2)).prop_map(|(page, hard)| ModelStep::Delete {
            page,
            recursive: false,
            hard,
            token: false,
        }),
        3 => (page.clone(), prop::option::weighted(0.5, path())).prop_map(|(page, to)| {
            ModelStep::Restore {
                page,
                to,
                recursive: false,
            }
        }),
        1 => (page, 1..4_u8, flag)
            .prop_map(|(page, to, token)| ModelStep::RollBack { page, to, token }),
        3 => prop_oneof![Just(1), Just(90), Just(40_000)]
            .prop_map(|seconds| ModelStep::Wait { seconds }),
    ]
}

/// Steps around the files of a few pages, which interact more often than unrestricted steps.
pub(crate) fn file_steps() -> impl Strategy<Value = ModelStep> {
    let page = 1..4_u8;
    let flag = any::<bool>();
    prop_oneof![
        4 => (page.clone(), 0..3_u8).prop_map(|(page, name)| ModelStep::Upload { page, name }),
        6 => (0..6_u8, file_step()).prop_map(|(file, step)| ModelStep::File { file, step }),
        3 => (page.clone(), flag, prop::bool::weighted(0.2), prop::bool::weighted(0.2)).prop_map(
            |(page, recursive, hard, token)| ModelStep::Delete { page, recursive, hard, token }
        ),
        4 => (page.clone(), flag)
            .prop_map(|(page, recursive)| ModelStep::Restore { page, to: None, recursive }),
        2 => path().prop_map(|path| ModelStep::Create { path }),
        2 => page.clone().prop_map(|page| ModelStep::Save {
            page,
            text: vec![StepPart::Word(1)],
            amend: false,
            stale: false,
            tab: None,
        }),
        1 => page.clone().prop_map(|page| ModelStep::Release { page }),
        1 => (page, path()).prop_map(|(page, to)| ModelStep::Rename {
            page,
            to,
            recursive: false,
            token: false,
        }),
        1 => (200..400_u16).prop_map(|seconds| ModelStep::Wait { seconds }),
        1 => Just(ModelStep::Sweep),
        1 => Just(ModelStep::Reopen),
    ]
}

/// Steps that create two pages, one beneath the other, and a draft.
pub(crate) fn initial_pages() -> Vec<ModelStep> {
    let create = |path| ModelStep::Create { path };
    let save = |page| ModelStep::Save {
        page,
        text: vec![StepPart::Word(0)],
        amend: false,
        stale: false,
        tab: None,
    };
    vec![
        create(vec![0]),
        save(1),
        create(vec![0, 1]),
        save(2),
        create(vec![2]),
    ]
}
