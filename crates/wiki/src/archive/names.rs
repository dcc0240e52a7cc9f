//! The names of an archive's entries: readable, and distinct on every system that unpacks them.
//!
//! The page `/a/b` is `pages/a/b.md`, its files are in `pages/a/b.files/`, the pages beneath it in
//! `pages/a/b/`. No two entries share a name, because a segment of a path never ends in `.md` or `.files` here.
//! Names that are distinct only on some systems are numbered: `/Query` and `/query` become `pages/Query.md` and
//! `pages/query~2.md`. The manifest identifies the page of an entry, never the name. In a site, the extension is `.html`.

use std::collections::HashMap;
use std::fmt::Write;

use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

use super::export::ExportForm;
use crate::file_name::FileName;
use crate::path::PagePath;

/// The name of the manifest.
pub(super) const MANIFEST: &str = "fumikura.json";
const ROOT: &str = "pages";

/// The maximum length in bytes of one file or folder name: with additions it still fits the 255 that file
/// systems accept.
const MAX_NAME: usize = 200;
/// The number of bytes that are kept of a longer name.
const CUT_NAME: usize = 120;
/// The maximum length of an extension that a shortened name keeps.
const MAX_EXTENSION: usize = 20;

/// The page `/`, among the other pages of a vault.
const HOME: &str = "Home";

/// The names of one archive's entries. They depend on the order in which pages and files are named.
pub(crate) struct EntryNames {
    form: ExportForm,
    /// The entry of each path without its extension, including paths that only have pages beneath them.
    stems: HashMap<String, String>,
    /// The number of names that are equal on some system, by their folded form.
    used: HashMap<String, u32>,
}

impl EntryNames {
    pub(crate) fn new(form: ExportForm) -> Self {
        Self {
            form,
            stems: HashMap::new(),
            used: HashMap::new(),
        }
    }

    /// Returns the entry of a page's text.
    pub(crate) fn of_page(&mut self, path: &PagePath) -> String {
        let extension = match self.form {
            ExportForm::Archive | ExportForm::Vault | ExportForm::Full => "md",
            ExportForm::Site => "html",
        };
        format!("{}.{extension}", self.stem(path.as_str()))
    }

    /// Returns the entry of a page's file. Must be called once for each file.
    pub(crate) fn of_file(&mut self, page: &PagePath, name: &FileName) -> String {
        let folder = format!("{}.files/", self.stem(page.as_str()));
        let (stem, extension) = of_one_file(name.as_str(), self.form);
        self.distinct(&folder, &stem, &extension)
    }

    /// Returns the entry of a page without its extension, also of one that is not written.
    pub(super) fn stem(&mut self, path: &str) -> String {
        if let Some(stem) = self.stems.get(path) {
            return stem.clone();
        }
        let named = path.rsplit_once('/').filter(|(_, name)| !name.is_empty());
        let stem = match (named, self.form) {
            (None, ExportForm::Archive | ExportForm::Site | ExportForm::Full) => {
                return ROOT.to_owned();
            }
            (None, ExportForm::Vault) => self.distinct("", HOME, ""),
            (Some((parent, segment)), form) => {
                let folder = match (parent, form) {
                    ("", ExportForm::Vault) => String::new(),
                    (parent, _) => self.stem(parent) + "/",
                };
                self.distinct(&folder, &of_segment(segment, form), "")
            }
        };
        self.stems.insert(path.to_owned(), stem.clone());
        stem
    }

    /// Returns a name in this folder that every system distinguishes from the earlier ones. The number follows
    /// a tilde, which is in no other name.
    fn distinct(&mut self, folder: &str, stem: &str, extension: &str) -> String {
        let name = format!("{folder}{stem}{extension}");
        let number = self.used.entry(fold(&name)).or_default();
        *number += 1;
        match *number {
            1 => name,
            number => format!("{folder}{stem}~{number}{extension}"),
        }
    }
}

/// Folds a name: removes the differences that some file systems ignore, which are case, normalization, and
/// invisible characters.
pub(crate) fn fold(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    // Folded by way of capitals: “ß” and “SS”, “ſ” and “s” are equal on some systems.
    let capitals: String = name.nfd().flat_map(char::to_uppercase).collect();
    let small = capitals.nfd().flat_map(char::to_lowercase);
    small.nfd().filter(|c| !is_ignorable(*c)).collect()
}

/// True for characters that HFS+ ignores in names.
fn is_ignorable(character: char) -> bool {
    matches!(character, '\u{200C}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{206A}'..='\u{206F}' | '\u{FEFF}')
}

fn of_segment(segment: &str, form: ExportForm) -> String {
    let reserved = match form {
        ExportForm::Archive | ExportForm::Vault | ExportForm::Full => ".md",
        ExportForm::Site => ".html",
    };
    let ending = [reserved, ".files"].iter().find_map(|ending| {
        let at = segment.len().checked_sub(ending.len())?;
        let tail = segment.get(at..)?;
        tail.eq_ignore_ascii_case(ending).then_some(at)
    });
    shorten(safe(segment, ending, form), segment)
}

/// Returns the safe name of a file, split into stem and extension.
fn of_one_file(name: &str, form: ExportForm) -> (String, String) {
    let mut stem = safe(name, None, form);
    let extension = name.rfind('.').filter(|at| *at > 0).map(|at| &name[at..]);
    let extension = safe(extension.unwrap_or_default(), None, form);
    let is_one = extension.len() <= MAX_EXTENSION && stem.ends_with(&extension);
    let extension = if is_one { extension } else { String::new() };
    // The length of the whole name decides about shortening.
    if stem.len() <= MAX_NAME {
        stem.truncate(stem.len() - extension.len());
        return (stem, extension);
    }
    (shorten(stem, name), extension)
}

/// Percent-encodes the characters that some system does not allow in names, and the character at `also`. The
/// percent sign and the tilde, which have a meaning here, are encoded too, so that two names never become the
/// same. In a vault or a site, where links name the entries, these characters and those that end a link become hyphens.
fn safe(name: &str, also: Option<usize>, form: ExportForm) -> String {
    let last = name.char_indices().next_back().map(|(at, _)| at);
    let is_device = is_device(name);
    let mut safe = String::with_capacity(name.len());
    for (at, character) in name.char_indices() {
        let is_forbidden = match character {
            '<' | '>' | ':' | '"' | '\\' | '|' | '?' | '*' | '/' | '%' | '~' => true,
            '.' | ' ' => Some(at) == last,
            '#' | '^' | '[' | ']' => form != ExportForm::Archive,
            _ => character.is_control(),
        };
        let is_encoded = is_forbidden || Some(at) == also || (is_device && at == 0);
        if is_encoded && form != ExportForm::Archive {
            safe.push('-');
        } else if is_encoded {
            let mut bytes = [0; 4];
            for byte in character.encode_utf8(&mut bytes).bytes() {
                write!(safe, "%{byte:02X}").expect("BUG: a String takes everything");
            }
        } else {
            safe.push(character);
        }
    }
    safe
}

/// True for names that mean a device on Windows, with any extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let stem = stem.trim_end().to_ascii_uppercase();
    match stem.as_str() {
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" => true,
        stem => ["COM", "LPT"].iter().any(|port| {
            let number = stem.strip_prefix(port).map(|number| number.chars());
            number.is_some_and(|mut number| {
                matches!(number.next(), Some('0'..='9' | '¹' | '²' | '³'))
                    && number.next().is_none()
            })
        }),
    }
}

/// Cuts a name that is too long, and distinguishes it from similar ones by the hash of the full name.
fn shorten(safe: String, name: &str) -> String {
    if safe.len() <= MAX_NAME {
        return safe;
    }
    let mut end = CUT_NAME;
    // A cut never splits a character or an encoded byte.
    while !safe.is_char_boundary(end) || safe[..end].bytes().rev().take(2).any(|byte| byte == b'%')
    {
        end -= 1;
    }
    let hash = Sha256::digest(name.as_bytes());
    format!("{}~{}", &safe[..end], hex::encode(&hash[..16]))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(path: &str, expected: &str) {
        let entry = EntryNames::new(ExportForm::Archive).of_page(&PagePath::new(path).unwrap());
        assert_eq!(entry, expected, "{path}");
    }

    #[track_caller]
    fn check_file(page: &str, name: &str, expected: &str) {
        let (page, name) = (PagePath::new(page).unwrap(), FileName::new(name).unwrap());
        assert_eq!(
            EntryNames::new(ExportForm::Archive).of_file(&page, &name),
            expected
        );
    }

    #[test]
    fn entries_are_named_after_pages_and_files() {
        check("/", "pages.md");
        check("/旅行/京都 2026", "pages/旅行/京都 2026.md");
        check_file("/", "a.png", "pages.files/a.png");
        check_file("/a/b", "図 1.png", "pages/a/b.files/図 1.png");
    }

    #[test]
    fn names_invalid_on_some_system_are_encoded() {
        check("/a:b\\c*?/<d>|\"", "pages/a%3Ab%5Cc%2A%3F/%3Cd%3E%7C%22.md");
        check("/100%/~x", "pages/100%25/%7Ex.md");
        check("/end./blank ", "pages/end%2E/blank%20.md");
        check("/.../.hidden", "pages/..%2E/.hidden.md");
        check("/con/Nul.txt/com1", "pages/%63on/%4Eul.txt/%63om1.md");
        check("/console/com10/lpt²", "pages/console/com10/%6Cpt².md");
        check_file("/a", "aux.c", "pages/a.files/%61ux.c");
    }

    #[test]
    fn page_names_never_collide_with_file_folders() {
        check("/a.files/x", "pages/a%2Efiles/x.md");
        check("/a.md/x", "pages/a%2Emd/x.md");
        check("/a.MD", "pages/a%2EMD.md");
        check("/a.mdx", "pages/a.mdx.md");
    }

    #[test]
    fn long_names_are_cut_and_stay_unique() {
        let mut names = EntryNames::new(ExportForm::Archive);
        let mut page = |end: char| {
            names.of_page(&PagePath::new(&format!("/{}{end}", "あ".repeat(90))).unwrap())
        };
        let (one, other) = (page('x'), page('y'));
        assert_ne!(one, other);
        assert!(one.len() < 255 && one.starts_with("pages/あ"), "{one}");
        let name = FileName::new(&format!("{}.png", ":".repeat(100))).unwrap();
        let file = names.of_file(&PagePath::root(), &name);
        assert!(file.ends_with(".png") && file.contains("%3A~"), "{file}");
        assert!(file.len() < 255);
    }

    /// Checks the entries of pages and of their files, named in this order.
    #[track_caller]
    fn check_together(named: &[(&str, Option<&str>, &str)]) {
        let mut names = EntryNames::new(ExportForm::Archive);
        for (page, file, expected) in named {
            let page = PagePath::new(page).unwrap();
            let entry = match file {
                None => names.of_page(&page),
                Some(file) => names.of_file(&page, &FileName::new(file).unwrap()),
            };
            assert_eq!(entry, *expected);
        }
    }

    #[test]
    fn names_that_differ_by_case_alone_are_numbered() {
        check_together(&[
            ("/Query", None, "pages/Query.md"),
            ("/query", None, "pages/query~2.md"),
            ("/query/below", None, "pages/query~2/below.md"),
            ("/Query/below", None, "pages/Query/below.md"),
            ("/QUERY/below", None, "pages/QUERY~3/below.md"),
            ("/query", Some("a.PNG"), "pages/query~2.files/a.PNG"),
            ("/query", Some("A.png"), "pages/query~2.files/A~2.png"),
            ("/query", Some("a"), "pages/query~2.files/a"),
            ("/Query", Some("a.PNG"), "pages/Query.files/a.PNG"),
            ("/query~2", None, "pages/query%7E2.md"),
        ]);
    }

    #[test]
    fn names_equal_on_some_system_are_numbered() {
        check_together(&[
            ("/É", None, "pages/É.md"),
            ("/é", None, "pages/é~2.md"),
            ("/Straße", None, "pages/Straße.md"),
            ("/STRASSE", None, "pages/STRASSE~2.md"),
            ("/ΌΣ", None, "pages/ΌΣ.md"),
            ("/ός", None, "pages/ός~2.md"),
            ("/όσ", None, "pages/όσ~3.md"),
            ("/Ａ", None, "pages/Ａ.md"),
            ("/ａ", None, "pages/ａ~2.md"),
            ("/か\u{200D}", None, "pages/か\u{200D}.md"),
            ("/か", None, "pages/か~2.md"),
            ("/が", None, "pages/が.md"),
        ]);
    }

    #[test]
    fn vault_names_can_stand_in_links() {
        let mut names = EntryNames::new(ExportForm::Vault);
        let mut page = |path: &str| names.of_page(&PagePath::new(path).unwrap());
        assert_eq!(page("/"), "Home.md");
        assert_eq!(page("/home"), "home~2.md");
        assert_eq!(page("/旅行/C# [1]"), "旅行/C- -1-.md");
        assert_eq!(page("/旅行/C- -1-"), "旅行/C- -1-~2.md");
        assert_eq!(page("/100%/a.md"), "100-/a-md.md");
        let (root, name) = (PagePath::root(), FileName::new("a #1.png").unwrap());
        assert_eq!(names.of_file(&root, &name), "Home.files/a -1.png");
    }

    proptest! {
        /// Pages and files with arbitrary names get entries that can all be unpacked.
        #[test]
        fn entries_are_safe_and_unique(
            paths in prop::collection::btree_set("(/[aAbé2.:%~]{1,3}(\\.md|\\.files|\\.MD)?){1,3}", 1..12),
            names in prop::collection::btree_set("[aAbÉé2.:%~]{1,3}(\\.md|\\.MD|\\.files)?", 1..4),
            form in prop::sample::select(vec![ExportForm::Archive, ExportForm::Vault]),
        ) {
            let pages: BTreeSet<PagePath> =
                paths.iter().filter_map(|path| PagePath::new(path).ok()).collect();
            let names: BTreeSet<FileName> =
                names.iter().filter_map(|name| FileName::new(name).ok()).collect();
            let (mut named, mut entries) = (EntryNames::new(form), BTreeSet::new());
            let mut insert = |entry: String| entries.insert(fold(&entry));
            for page in &pages {
                prop_assert!(insert(named.of_page(page)));
                for name in &names {
                    prop_assert!(insert(named.of_file(page, name)));
                }
            }
            for entry in &entries {
                for (at, _) in entry.match_indices('/') {
                    prop_assert!(!entries.contains(&entry[..at]), "{entry} lies in a file");
                }
                for part in entry.split('/') {
                    prop_assert!(!part.is_empty() && !part.ends_with(['.', ' ']), "{entry}");
                    prop_assert!(!part.contains([':', '\\', '*']), "{entry}");
                }
            }
        }
    }
}
