//! Tests of folders of Markdown.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use super::*;
use crate::link::{Meaning, Target, mend};
use crate::{detect, source::Role};

/// A source that was read, with its texts and links as a reader would see them.
struct ReadFolder {
    source: Source,
    spool: Spool,
    entries: usize,
    _parent: tempfile::TempDir,
}

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

fn read_files(files: &[(&str, &str)]) -> ReadFolder {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), files);
    read_folder(folder.path())
}

fn read_folder(folder: &Path) -> ReadFolder {
    let parent = tempfile::tempdir().unwrap();
    let spool = Spool::new(parent.path(), 1 << 30).unwrap();
    let mut go_on = |_, _| ControlFlow::Continue(());
    let tree = Tree::open(folder, &mut go_on).unwrap();
    let source = read(&tree, detect(&tree).unwrap(), &spool, &mut go_on).unwrap();
    let all = source.notes.len() + source.files.len() + source.skipped.len();
    let entries = tree.entries().len() + tree.skipped().len();
    assert_eq!(all, entries, "{source:?}");
    ReadFolder {
        source,
        spool,
        entries,
        _parent: parent,
    }
}

impl ReadFolder {
    fn note(&self, origin: &str) -> &Note {
        let found = self.source.notes.iter().find(|note| note.origin == origin);
        found.unwrap_or_else(|| panic!("no note {origin}"))
    }

    /// Returns a text with origins in place of targets: `→a.md`, and `∅a` for a note that is not there.
    fn text(&self, origin: &str) -> String {
        let text = self.spool.text(&self.note(origin).text).unwrap();
        mend(&text, &mut |target| {
            Some(match target {
                Target::To(origin) => Meaning::Page(format!("→{origin}")),
                Target::New(place) => Meaning::Page(format!("∅{place}")),
            })
        })
    }

    fn losses(&self, origin: &str) -> Vec<(LossKind, &str)> {
        let losses = &self.note(origin).losses;
        losses
            .iter()
            .map(|loss| (loss.kind, loss.detail.as_str()))
            .collect()
    }

    fn skipped(&self) -> BTreeMap<&str, SkipReason> {
        let skipped = self.source.skipped.iter();
        skipped
            .map(|skipped| (skipped.origin.as_str(), skipped.reason))
            .collect()
    }

    fn places(&self) -> BTreeMap<&str, (String, Role)> {
        let place = |note: &Note| (note.place.join("/"), note.role);
        let notes = self.source.notes.iter();
        notes
            .map(|note| (note.origin.as_str(), place(note)))
            .collect()
    }
}

/// Checks what a line of `here/Note.md` becomes in a vault.
#[track_caller]
fn check(written: &str, expected: &str) {
    let text = written.to_owned();
    let folder = read_files(&[
        (".obsidian/app.json", "{}"),
        ("here/Note.md", &text),
        ("Top.md", "---\naliases: [Other name, 別名]\n---\n"),
        ("here/Near.md", ""),
        ("there/Near.md", ""),
        ("there/deep/Far.md", ""),
        ("there/京都.md", ""),
        ("attachments/deer 1.png", "png"),
        ("attachments/paper.pdf", "pdf"),
    ]);
    assert_eq!(folder.text("here/Note.md"), expected, "{written}");
}

#[test]
fn wiki_links_mean_the_shortest_unique_name() {
    check("[[Top]]", "[[→Top.md]]");
    check("[[top]]", "[[→Top.md|top]]");
    check("[[Near]]", "[[→here/Near.md]]");
    check("[[there/Near|x]]", "[[→there/Near.md|x]]");
    check("[[Far#Head#Deeper]]", "[[→there/deep/Far.md#Deeper]]");
    check("[[deep/Far.md#^b1|x]]", "[[→there/deep/Far.md#^b1|x]]");
    check("[[Other name]]", "[[→Top.md|Other name]]");
    check("[[別名|x]] [[京都]]", "[[→Top.md|x]] [[→there/京都.md]]");
    check("[[Not yet/Page]]", "[[∅Not yet/Page]]");
    check("[[#Head]]", "[Head](<#Head>)");
    check(
        "| a |\n|---|\n| [[Top\\|x]] |",
        "| a |\n|---|\n| [x](→Top.md) |",
    );
}

#[test]
fn embeds_keep_their_sizes() {
    check(
        "![[deer 1.png|300]]",
        "![deer 1|300](<→attachments/deer 1.png>)",
    );
    check(
        "![[deer 1.png|a deer|30x40]]",
        "![a deer|30x40](<→attachments/deer 1.png>)",
    );
    check(
        "![[attachments/deer 1.png]]",
        "![deer 1](<→attachments/deer 1.png>)",
    );
    check("[[deer 1.png]]", "[deer 1.png](<→attachments/deer 1.png>)");
    check(
        "![[paper.pdf#page=3]]",
        "[paper.pdf](→attachments/paper.pdf)",
    );
    check("![[Far#Head]]", "![[→there/deep/Far.md#Head]]");
    check("![[gone.png]]", "![[gone.png]]");
}

#[test]
fn links_of_markdown_are_relative() {
    check("[x](Near.md#a%20b)", "[x](<→here/Near.md#a b>)");
    check("[x](../there/Near.md \"t\")", "[x](→there/Near.md \"t\")");
    check(
        "[x](<../attachments/deer 1.png>)",
        "[x](<→attachments/deer 1.png>)",
    );
    check(
        "![a](../attachments/deer%201.png)",
        "![a](<→attachments/deer 1.png>)",
    );
    check(
        "![](../attachments/paper.pdf)",
        "[paper.pdf](→attachments/paper.pdf)",
    );
    check("[x][r]\n\n[r]: ../Top.md", "[x][r]\n\n[r]: →Top.md");
    check(
        "[x](https://a.b/Top.md) [y](#z)",
        "[x](https://a.b/Top.md) [y](#z)",
    );
    check(
        "[![a](../attachments/deer%201.png)](../Top.md)",
        "[![a](<→attachments/deer 1.png>)](→Top.md)",
    );
    check("[x](Missing.md)", "[x](∅here/Missing)");
}

#[test]
fn code_formulas_and_callouts_stay() {
    for text in [
        "`[[Top]]`",
        "```\n[[Top]] %%a%%\n```\n",
        "    [[Top]]\n",
        "$[[Top]]$",
        "> [!note]- Title\n> text\n",
        "- [ ] task #nested/tag ^id\n",
        "==mark== ~~gone~~ [^1]\n\n[^1]: note\n",
    ] {
        check(text, text);
    }
    check(
        "> [[Top]]\n> ![[Far]]",
        "> [[→Top.md]]\n> ![[→there/deep/Far.md]]",
    );
    check("a %%hidden%% b", "a <!--hidden--> b");
}

#[test]
fn properties_keep_their_links() {
    check(
        "---\nup: \"[[Top]]\"\ntags: [a/b]\n---\ntext",
        "---\nup: \"[[→Top.md]]\"\ntags: [a/b]\n---\ntext",
    );
    check("---\nbroken: [a\n---\ntext", "---\nbroken: [a\n---\ntext");
}

#[test]
fn entries_of_a_vault_are_sorted() {
    let folder = read_files(&[
        (
            ".obsidian/daily-notes.json",
            r#"{"folder":"Days","format":"YYYY/MM-DD"}"#,
        ),
        (".obsidian/templates.json", r#"{"folder":"Meta/Templates"}"#),
        (".trash/old.md", ""),
        (".git/config", ""),
        ("Days/2026/11-29.md", "day"),
        ("Meta/Templates/Meeting.md", "# {{title}} {{date:YYYY}}"),
        ("Board.canvas", "{}"),
        (
            "Drawing.excalidraw.md",
            "---\nexcalidraw-plugin: parsed\n---\n",
        ),
        (
            "a/A.md",
            "---\ncreated: 2019-03-04\nupdated: 2020-05-06T07:08:09+09:00\n---\n![[x.png]] [[Board.canvas]]",
        ),
        ("b/B.md", "![[x.png]]\n```dataview\nLIST\n```\n"),
        ("x.png", "png"),
        ("unused.bin", "x"),
    ]);
    assert_eq!(folder.entries, 12);
    assert_eq!(
        folder.skipped(),
        BTreeMap::from([
            (".git/config", SkipReason::Hidden),
            (".obsidian/daily-notes.json", SkipReason::Settings),
            (".obsidian/templates.json", SkipReason::Settings),
            (".trash/old.md", SkipReason::Deleted),
        ])
    );
    let day = Role::Daily(jiff::civil::date(2026, 11, 29));
    assert_eq!(
        folder.places(),
        BTreeMap::from([
            ("Days/2026/11-29.md", ("Days/2026/11-29".to_owned(), day)),
            (
                "Meta/Templates/Meeting.md",
                ("Meeting".to_owned(), Role::Template)
            ),
            ("a/A.md", ("a/A".to_owned(), Role::Page)),
            ("b/B.md", ("b/B".to_owned(), Role::Page)),
        ])
    );
    let owners: BTreeMap<&str, Option<&str>> = folder
        .source
        .files
        .iter()
        .map(|file| (file.origin.as_str(), file.owner.as_deref()))
        .collect();
    assert_eq!(
        owners,
        BTreeMap::from([
            ("Board.canvas", Some("a/A.md")),
            ("Drawing.excalidraw.md", None),
            ("unused.bin", None),
            ("x.png", Some("a/A.md")),
        ])
    );
    let note = folder.note("a/A.md");
    assert_eq!(note.created.unwrap().to_string(), "2019-03-04T00:00:00Z");
    assert_eq!(note.changed.unwrap().to_string(), "2020-05-05T22:08:09Z");
    let query = folder.losses("b/B.md");
    assert_eq!(query, [(LossKind::Query, "```dataview\nLIST\n```")]);
}

#[test]
fn faults_of_texts_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        &[
            (
                "a.md",
                "---\nx: [1\n---\n[[Same]] [[Nowhere]] ![[gone.png]]\n[f](gone.pdf)",
            ),
            ("x/Same.md", ""),
            ("y/Same.md", ""),
        ],
    );
    let shift_jis = encoding_rs::SHIFT_JIS
        .encode("日本語で書かれた長い文章です。これは試験です。")
        .0;
    std::fs::write(folder.path().join("sjis.md"), &shift_jis).unwrap();
    let long = format!("{}.md", "長".repeat(84));
    std::fs::write(folder.path().join(&long), "long").unwrap();
    let folder = read_folder(folder.path());
    let losses = folder.losses("a.md");
    let kinds: Vec<LossKind> = losses.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(
        kinds,
        [
            LossKind::FrontMatter,
            LossKind::AmbiguousLink,
            LossKind::UnresolvedLink,
            LossKind::MissingFile,
            LossKind::MissingFile,
        ]
    );
    assert_eq!(
        folder.losses("sjis.md"),
        [(LossKind::Encoding, "Shift_JIS")]
    );
    assert_eq!(
        folder.text("sjis.md"),
        "日本語で書かれた長い文章です。これは試験です。"
    );
    assert_eq!(folder.text(&long), "long");
}

#[test]
fn names_in_different_normal_forms_are_one() {
    let folder = read_files(&[
        ("が.md", "[[か\u{3099}]] [[B]]"),
        ("b.md", "lower"),
        ("B.md", "![[が]]"),
        ("loop.md", "![[loop]]"),
    ]);
    assert_eq!(folder.source.notes.len(), 4);
    assert!(folder.text("が.md").starts_with("[[→が.md]]"));
    assert_eq!(folder.text("loop.md"), "![[→loop.md]]");
}

#[test]
fn sites_have_indexes_titles_and_shortcodes() {
    let folder = read_files(&[
        (
            "content/posts/first/index.md",
            "+++\ntitle = \"First: post\"\ndate = 2020-01-02T03:04:05Z\ntags = [\"a\", \"b c\"]\n[extra]\nnum = 1\n+++\n\
             [next]({{< ref \"second.md\" >}}) ![](pic.png) {{< youtube id >}}\n",
        ),
        ("content/posts/first/pic.png", "png"),
        (
            "content/posts/second.md",
            "---\ntitle: Second\n---\n# Own heading\n[up](../) [first](/posts/first/)\n",
        ),
        ("README.md", "[posts](content/posts/second.md)"),
    ]);
    assert_eq!(folder.places()["README.md"].0, "");
    assert_eq!(
        folder.places()["content/posts/first/index.md"].0,
        "content/posts/first"
    );
    assert_eq!(
        folder.text("content/posts/first/index.md"),
        "---\ntitle: \"First: post\"\ndate: 2020-01-02T03:04:05Z\ntags: [a, b c]\nextra: {num: 1}\n---\n\
         # First: post\n\n[next](→content/posts/second.md) ![](→content/posts/first/pic.png) {{< youtube id >}}\n"
    );
    assert_eq!(
        folder.losses("content/posts/first/index.md")[0].0,
        LossKind::Markup
    );
    assert!(
        folder
            .text("content/posts/second.md")
            .contains("[first](→content/posts/first/index.md)")
    );
    let created = folder.note("content/posts/first/index.md").created.unwrap();
    assert_eq!(created.to_string(), "2020-01-02T03:04:05Z");
}

#[test]
fn logseq_blocks_stay_readable() {
    let id = "65a1b2c3-0000-4000-8000-0123456789ab";
    let page = format!(
        "title:: A/B\ntags:: x, [[z]]\n\n- LATER task\n  id:: {id}\n  collapsed:: true\n\t- child\n- ![p](../assets/p.png){{:height 30, :width 40}}\n"
    );
    let journal =
        format!("- see (({id})) and [[A/B]] {{{{embed [[A/B]]}}}}\n  :LOGBOOK:\n  x\n  :END:\n");
    let folder = read_files(&[
        ("logseq/config.edn", "{}"),
        ("pages/A___B.md", &page),
        ("journals/2026_11_29.md", &journal),
        ("assets/p.png", "png"),
    ]);
    assert_eq!(folder.places()["pages/A___B.md"].0, "A/B");
    let day = Role::Daily(jiff::civil::date(2026, 11, 29));
    assert_eq!(folder.places()["journals/2026_11_29.md"].1, day);
    assert_eq!(
        folder.text("pages/A___B.md"),
        format!(
            "---\ntitle: A/B\ntags: [x, z]\n---\n# A/B\n\n- [ ] task ^{id}\n  - child\n- ![p|40x30](→assets/p.png)\n"
        )
    );
    assert_eq!(
        folder.text("journals/2026_11_29.md"),
        format!(
            "- see [[→pages/A___B.md#^{id}|LATER task]] and [[→pages/A___B.md]] ![[→pages/A___B.md]]\n"
        )
    );
}

#[test]
fn dendron_dots_become_folders() {
    let folder = read_files(&[
        ("dendron.yml", ""),
        ("vault/root.md", "---\nid: root\ntitle: Root\n---\n"),
        ("vault/root.schema.yml", ""),
        (
            "vault/lang.rust.md",
            "---\ntitle: Rust\ncreated: 1608518909864\n---\n[[text|lang.rust.async]] ![[root]] [[no.such]]\n",
        ),
        ("vault/lang.rust.async.md", ""),
    ]);
    assert_eq!(
        folder.places()["vault/lang.rust.async.md"].0,
        "lang/rust/async"
    );
    assert_eq!(
        folder.text("vault/lang.rust.md"),
        "---\ntitle: Rust\ncreated: 1608518909864\n---\n# Rust\n\n[[→vault/lang.rust.async.md|text]] ![[→vault/root.md]] [[∅no/such|no.such]]\n"
    );
    let created = folder.note("vault/lang.rust.md").created.unwrap();
    assert_eq!(created.to_string(), "2020-12-21T02:48:29.864Z");
}

#[test]
fn addresses_of_sites_lead_to_their_notes() {
    let folder = read_files(&[
        (
            "a/note.md",
            "[p](/docs/setup/) [q](/news/2019/05/02/first/) [h](/help) [t]({{ '/docs/setup/' | relative_url }}) \
             [b]({{ site.baseurl }}/docs/setup/) [x](../b/other.html#part) [c](b/other.md) [o](only.md) [g](g) [top](/)\n\n[r]: ../b/other.html\n",
        ),
        ("README.md", "top"),
        ("_docs/setup.md", "s"),
        ("_posts/2019-05-02-first.md", "f"),
        ("assist.md", "---\npermalink: /help/\n---\n"),
        ("b/other.md", "o"),
        ("c/d/only.md", "only"),
        ("c/g.md", "a word is no name of a file"),
    ]);
    assert_eq!(
        folder.text("a/note.md"),
        "[p](<→_docs/setup.md>) [q](<→_posts/2019-05-02-first.md>) [h](→assist.md) [t](<→_docs/setup.md>) \
         [b](<→_docs/setup.md>) [x](→b/other.md#part) [c](→b/other.md) [o](→c/d/only.md) [g](∅a/g) [top](→README.md)\n\n[r]: →b/other.md\n"
    );
}

#[test]
fn pictures_of_html_show() {
    let folder = read_files(&[
        (
            "a.md",
            "<p align=\"center\"><img src=\"i/p 1.png\" width=\"300\"></p>\n\nsee <a href=\"b.md\">b</a>\n",
        ),
        ("b.md", ""),
        ("i/p 1.png", "png"),
    ]);
    assert_eq!(
        folder.text("a.md"),
        "![|300](<→i/p 1.png>)\n\nsee [b](→b.md)\n"
    );
    assert_eq!(folder.source.files[0].owner.as_deref(), Some("a.md"));
}

#[test]
fn dendron_links_name_vaults_and_ids() {
    let folder = read_files(&[
        ("dendron.yml", ""),
        ("v/root.md", "---\nid: root\n---\n"),
        (
            "v/a.md",
            "[[B|dendron://v/b.c]] ![[dendron://v/b.c#*]] ![[|b.c#one:#two]] [i](/notes/k9x2)\n",
        ),
        ("v/b.c.md", "---\nid: k9x2\n---\n"),
    ]);
    assert_eq!(
        folder.text("v/a.md"),
        "[[→v/b.c.md|B]] ![[→v/b.c.md]] ![[→v/b.c.md#one]] [i](→v/b.c.md)\n"
    );
}

#[test]
fn logseq_aliases_and_labels_are_resolved() {
    let id = "65a1b2c3-0000-4000-8000-0123456789ab";
    let gone = "65a1b2c3-0000-4000-8000-00000000dead";
    let other = format!("alias:: Others, second name\n\n- block\n  id:: {id}\n");
    let note = format!(
        "- [[Others]] [[second name]] [label]((({id}))) [t]([[Other]]) (({gone})) {{{{embed (({gone}))}}}}\n"
    );
    let folder = read_files(&[
        ("logseq/config.edn", "{}"),
        ("pages/Other.md", &other),
        ("pages/Note.md", &note),
    ]);
    assert_eq!(
        folder.text("pages/Note.md"),
        format!(
            "- [[→pages/Other.md|Others]] [[→pages/Other.md|second name]] [[→pages/Other.md#^{id}|label]] [[→pages/Other.md|t]] (({gone})) {{{{embed (({gone}))}}}}\n"
        )
    );
}

#[test]
fn expressions_of_silverbullet_become_code() {
    let folder = read_files(&[
        (
            "a.md",
            "x ${query[[from p = index.pages() limit 3]]} [[b@L12c4]] [[^b]] costs ${HOME}\n",
        ),
        ("b.md", ""),
    ]);
    assert_eq!(
        folder.text("a.md"),
        "x `${query[[from p = index.pages() limit 3]]}` [[→b.md]] [[→b.md]] costs ${HOME}\n"
    );
    assert_eq!(folder.losses("a.md")[0].0, LossKind::Query);
}
