//! Commands that work on the data: with a server that has it open, and without one.

use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Stdio;

use fumikura_tests::stage::programs;
use rustix::process::Signal;
use serde_json::Value;

use crate::support::{Home, Outcome, Server, wait_for_exit};
use crate::terminal::Terminal;

/// Runs a command on the data of a home.
fn fumi(home: &Home, words: &[&str], input: &str) -> Outcome {
    let mut command = home.fumi(words);
    command.arg("--data").arg(home.data()).stdin(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    wait_for_exit(&mut child)
}

#[track_caller]
fn ok(home: &Home, words: &[&str], input: &str) -> String {
    let outcome = fumi(home, words, input);
    assert_eq!(outcome.code, Some(0), "{words:?}: {}", home.stderr());
    outcome.output
}

#[track_caller]
fn fails(home: &Home, words: &[&str], part: &str) {
    let outcome = fumi(home, words, "");
    let stderr = home.stderr();
    assert_eq!(
        (outcome.code, outcome.output.as_str()),
        (Some(1), ""),
        "{stderr}"
    );
    assert!(stderr.contains(part), "{stderr}");
}

/// Edits a page with a script as the editor. `$page` is the page; `theirs TEXT` makes the text a revision of the page
/// meanwhile, although it is locked.
fn edit(home: &Home, page: &str, script: &str) -> Outcome {
    let editor = home.path().join("editor.sh");
    let program = programs::headless().unwrap();
    let theirs = format!(
        "page='{page}'\nfumi() {{ '{}' \"$@\" --data '{}'; }}\ntheirs() {{ fumi lock release \"$page\" && \
         fumi page append \"$page\" --text \"$1\"; }}\n{script}\n",
        program.display(),
        home.data().display()
    );
    std::fs::write(&editor, theirs).unwrap();
    let mut command = home.fumi(&["page", "edit", page]);
    command.arg("--data").arg(home.data());
    command.env("EDITOR", format!("sh {}", editor.display()));
    wait_for_exit(&mut command.spawn().unwrap())
}

#[track_caller]
fn edits(home: &Home, page: &str, script: &str, expected: &str) {
    let outcome = edit(home, page, script);
    assert_eq!(outcome.code, Some(0), "{}", home.stderr());
    assert_eq!(ok(home, &["page", "show", page], ""), expected);
    assert_eq!(ok(home, &["lock", "list"], ""), "");
}

/// Checks commands that depend on what runs in their own process without a server.
fn check_alone(home: &Home) {
    ok(
        home,
        &["page", "append", "/new", "--create"],
        "first\n\nlast\n",
    );
    let merged = "theirs added && sed -i 's/first/mine/' \"$1\"";
    edits(home, "/new", merged, "mine\n\nlast\nadded\n");
    let photos = home.path().join("mine");
    std::fs::create_dir(&photos).unwrap();
    std::fs::write(photos.join("a.jpg"), "no picture").unwrap();
    ok(home, &["folder", "add", photos.to_str().unwrap()], "");
    ok(home, &["rate", "4", "mine/a.jpg"], "");
    let best = ok(
        home,
        &["folder", "ls", "mine", "--rating", "3", "--null"],
        "",
    );
    assert_eq!(best, "mine/a.jpg\0");
    ok(home, &["folder", "remove", "mine"], "");
}

/// Checks the commands that change texts.
fn check_texts(home: &Home, folder: &str) {
    let page = format!("/{folder}/苔 庭");
    edits(home, &page, "echo first > \"$1\"", "first\n");
    ok(home, &["page", "append", &page, "-"], "last");
    let merged = "theirs added && sed -i 's/first/mine/' \"$1\"";
    edits(home, &page, merged, "mine\nlast\nadded\n");
    let settled = "if grep -q '<<<<<<< your text' \"$1\"; then echo settled > \"$1\"; \
        else theirs added && echo other >> \"$1\"; fi";
    edits(home, &page, settled, "settled\n");
    assert_eq!(edit(home, &page, "exit 3").code, Some(1));
    let unsettled = edit(
        home,
        &page,
        "grep -q '<<<<' \"$1\" || { theirs a; echo b >> \"$1\"; }",
    );
    assert_eq!(unsettled.code, Some(1), "{}", unsettled.output);
    let stderr = home.stderr();
    let kept = stderr.rsplit("your text is in ").next().unwrap().lines();
    let kept = Path::new(kept.take(1).collect::<String>().trim()).to_owned();
    assert!(std::fs::read_to_string(&kept).unwrap().contains("b\n"));
    std::fs::remove_dir_all(kept.parent().unwrap()).unwrap();
    assert_eq!(ok(home, &["lock", "list"], ""), "");

    let newest = ok(home, &["page", "history", &page, "--limit", "1"], "");
    assert!(newest.ends_with(&format!("\t{page}\n")), "{newest}");
    let newest: u64 = newest.split('\t').next().unwrap().parse().unwrap();
    let diff = ok(home, &["page", "diff", &page], "");
    assert!(diff.ends_with("@@ -1,1 +1,2 @@\n settled\n+a\n"), "{diff}");
    let diff = ok(home, &["page", "diff", &page, "1", "2", "--json"], "");
    let diff: Value = serde_json::from_str(&diff).unwrap();
    assert_eq!((&diff["added"], newest > 5), (&1.into(), true));
    fails(
        home,
        &["page", "diff", &page, "0", "1"],
        "no revision before",
    );

    let links = format!("[[/{folder}/none]] [[/]] #inline\n");
    ok(home, &["page", "append", &page, "--text", &links], "");
    let listed = ok(home, &["page", "links", &page], "");
    assert!(
        listed.starts_with(&format!("/{folder}/none\tmissing\t\n/\tpage\t")),
        "{listed}"
    );
    let back = ok(home, &["page", "links", "/", "--back", "--null"], "");
    assert!(back.split('\0').any(|path| path == page), "{back:?}");
    ok(
        home,
        &["page", "tag", &page, "--add", "#庭", "--add", "Kyoto"],
        "",
    );
    let tagged = ok(home, &["page", "tag", &page, "--remove", "kyoto"], "");
    assert_eq!(tagged, "庭\ninline\n");
    fails(
        home,
        &["page", "tag", &page, "--remove", "inline"],
        "in the text",
    );
    ok(
        home,
        &["page", "append", &format!("/{folder}/new"), "--create"],
        "new",
    );
}

/// Checks the commands that work on files in open folders.
fn check_files(home: &Home, folder: &str) {
    let photos = home.path().join("photos");
    let sub = photos.join(OsStr::from_bytes(b"caf\xe9"));
    std::fs::create_dir_all(&sub).unwrap();
    let picture = |name: &str| {
        let picture = photos.join(name);
        std::fs::write(&picture, format!("no picture, {folder}")).unwrap();
        picture.to_str().unwrap().to_owned()
    };
    let (a, b) = (picture("a.jpg"), picture("b.jpg"));
    let photos = photos.to_str().unwrap();
    fails(home, &["folder", "ls", photos], "no open folder");
    ok(home, &["folder", "add", photos], "");
    let listed = ok(home, &["folder", "list"], "");
    assert!(
        listed.starts_with(&format!("{photos}\tavailable\t")),
        "{listed}"
    );

    let rated = ok(home, &["rate", "4", &a], "");
    assert_eq!(rated, format!("{a}\t4\t\t\n"));
    ok(
        home,
        &["tag", "-", "--add", "Places/Kyoto"],
        &format!("{a}\n{b}\n"),
    );
    ok(home, &["rate", "rejected", &b], "");
    assert_eq!(
        ok(home, &["tag", &b], ""),
        format!("{b}\trejected\tPlaces/Kyoto\t\n")
    );
    let best = ok(home, &["folder", "ls", photos, "--rating", "3"], "");
    let fields: Vec<_> = best.trim_end().split('\t').collect();
    assert_eq!(
        [fields[0], fields[1], fields[4], fields[5]],
        [&a, "picture", "4", "Places/Kyoto"]
    );
    assert_eq!(
        ok(
            home,
            &["folder", "ls", photos, "--tag", "kyoto", "--null"],
            ""
        ),
        format!("{a}\0{b}\0")
    );

    check_albums(home, &a, &b);

    // Below a folder with a name that is not UTF-8.
    let mut moved = home.fumi(&["mv", &a, &b]);
    moved.arg(&sub).arg("--data").arg(home.data());
    let moved = wait_for_exit(&mut moved.spawn().unwrap());
    assert!(
        moved.output.starts_with("Moved 2 files to "),
        "{}",
        home.stderr()
    );
    assert!(sub.join("a.jpg").exists() && sub.join("a.jpg.xmp").exists());
    let below = ok(home, &["folder", "ls", photos, "-r", "--json"], "");
    assert_eq!(
        below
            .lines()
            .filter(|line| line.contains("path_bytes"))
            .count(),
        2,
        "{below}"
    );
    ok(home, &["undo"], "");
    assert!(Path::new(&a).exists() && Path::new(&b).exists());
    let renamed = format!("{photos}/c.jpg");
    ok(home, &["mv", &a, &renamed], "");
    fails(home, &["mv", &b, &renamed], "c.jpg");
    fails(
        home,
        &["mv", &b, &format!("{photos}/none/b.jpg")],
        "is not a folder",
    );
    ok(home, &["cp", &b, photos, "--existing", "keep-both"], "");
    ok(
        home,
        &["trash", &format!("{photos}/b (2).jpg"), &renamed],
        "",
    );
    assert!(!Path::new(&renamed).exists());
    let listed = ok(home, &["undo", "--list"], "");
    let kinds = listed.lines().map(|line| line.split('\t').nth(1).unwrap());
    assert_eq!(
        kinds.take(4).collect::<Vec<_>>(),
        ["bin", "copy", "rename", "move"]
    );
    fails(home, &["describe", &b], "");
    ok(home, &["folder", "remove", photos], "");
    assert_eq!(ok(home, &["folder", "list"], ""), "");
    std::fs::remove_dir_all(photos).unwrap();
}

/// Checks the commands of albums, with two pictures.
fn check_albums(home: &Home, a: &str, b: &str) {
    ok(home, &["album", "create", "苔"], "");
    ok(home, &["album", "add", "苔", "-"], &format!("{a}\n{b}\n"));
    let added = ok(home, &["album", "add", "苔", b], "");
    assert_eq!(added, "Added 0 pictures to 苔\n");
    let shown = ok(home, &["album", "show", "苔", "--null"], "");
    assert_eq!(shown, format!("{a}\0{b}\0"));
    ok(home, &["album", "rename", "苔", "moss"], "");
    ok(home, &["album", "remove", "moss", a], "");
    fails(home, &["album", "remove", "moss", a], "is not in moss");
    let shown = ok(home, &["album", "show", "moss"], "");
    assert_eq!(shown, format!("{b}\tpresent\trejected\tPlaces/Kyoto\n"));
    ok(
        home,
        &["album", "create", "Best", "--search", "rating:5"],
        "",
    );
    fails(home, &["album", "add", "Best", b], "what a search finds");
    let listed = ok(home, &["album", "list"], "");
    let fields = listed.lines().map(|line| line.split('\t').take(3));
    let fields: Vec<_> = fields.map(|line| line.collect::<Vec<_>>()).collect();
    assert_eq!(fields, [["Best", "", "search"], ["moss", "1", "list"]]);
    ok(home, &["album", "delete", "moss"], "");
    ok(home, &["album", "delete", "Best"], "");
    fails(home, &["album", "show", "moss"], "no album");
}

/// Checks the commands, with or without a server.
fn check_commands(home: &Home, folder: &str) {
    let path = |name: &str| format!("/{folder}/{name}");
    let (page, moved) = (path("旅"), path("moved"));
    ok(home, &["page", "add", &page], "# 旅\n\ntext\n");
    fails(home, &["page", "add", &page], "page");
    assert_eq!(ok(home, &["page", "show", &page], ""), "# 旅\n\ntext\n");
    let page_json = ok(home, &["page", "show", &page, "--json"], "");
    let page_json: Value = serde_json::from_str(&page_json).unwrap();
    assert_eq!(
        (&page_json["path"], &page_json["revision"]),
        (&page.as_str().into(), &1.into())
    );
    let written = jiff::Timestamp::now().to_string();
    ok(home, &["page", "move", &page, &moved], "");
    let then = |words: &[&str]| ok(home, &[words, &["--at", &written]].concat(), "");
    assert_eq!(then(&["page", "show", &page]), "# 旅\n\ntext\n");
    assert_eq!(
        then(&["page", "list", &format!("/{folder}")]),
        format!("{page}\n")
    );
    let html = then(&["page", "show", &page, "--html"]);
    assert!(html.contains("<h1 id=\"旅\">旅</h1>"), "{html}");
    let archive = home.path().join(format!("{folder}-then.zip"));
    then(&["export", archive.to_str().unwrap()]);
    let archive = zip::ZipArchive::new(std::fs::File::open(archive).unwrap()).unwrap();
    assert!(archive.index_for_name(&format!("pages{page}.md")).is_some());
    fails(
        home,
        &["page", "show", &moved, "--at", &written],
        "There was no page",
    );
    fails(home, &["page", "list", "--at", "tomorrow"], "is not a time");
    fails(home, &["page", "show", &path("nothing")], "nothing");
    let listed = ok(home, &["page", "list", &format!("/{folder}")], "");
    assert_eq!(listed, format!("{moved}\n"));

    let file = home.path().join("notes.txt");
    std::fs::write(&file, "in a file").unwrap();
    ok(home, &["asset", "add", &moved, file.to_str().unwrap()], "");
    assert!(ok(home, &["asset", "list", &moved], "").starts_with("notes.txt\t9\t"));
    assert_eq!(
        ok(home, &["asset", "get", &moved, "notes.txt"], ""),
        "in a file"
    );
    ok(home, &["asset", "rename", &moved, "notes.txt", "n.txt"], "");
    ok(home, &["asset", "move", &moved, "n.txt", "/"], "");
    ok(home, &["asset", "delete", "/", "n.txt"], "");
    assert_eq!(ok(home, &["asset", "list", &moved], ""), "");

    let revisions = ok(home, &["revision", "list", &moved], "");
    assert_eq!(revisions.lines().count(), 2, "{revisions}");
    ok(home, &["revision", "rollback", &moved, "1"], "");
    ok(home, &["page", "delete", &moved], "");
    fails(home, &["page", "show", &moved], "page");
    ok(home, &["page", "undelete", &moved], "");
    ok(home, &["page", "delete", &moved, "--hard"], "");

    assert!(ok(home, &["doctor"], "").contains("ok\tdata\tthe database opens"));
    assert!(ok(home, &["user", "list"], "").starts_with("Aya\t"));
    ok(home, &["user", "add", folder], "");
    fails(home, &["user", "add", folder], "name");
    ok(home, &["user", "rename", "Mori"], "");
    assert_eq!(
        ok(home, &["user", "rename", "Aya"], ""),
        "Renamed Mori to Aya\n"
    );
    assert_eq!(ok(home, &["lock", "list"], ""), "");
    assert!(ok(home, &["thumbs", "stats"], "").contains("thumbnails"));
    ok(home, &["thumbs", "gc"], "");
    assert_eq!(
        ok(home, &["ttl", "set", "default", "--days", "30"], ""),
        "30 days\n"
    );
    assert!(ok(home, &["ttl", "list"], "").starts_with("default\t30 days\t"));
    assert!(ok(home, &["ttl", "run", "--dry-run"], "").starts_with("0 files, 0 bytes"));
    assert!(ok(home, &["ttl", "run"], "").starts_with("Removed 0 files"));
    assert_eq!(ok(home, &["ttl", "set", "default", "--off"], ""), "off\n");
    fails(home, &["ttl", "set", "/nowhere", "--off"], "is not open");
    assert!(ok(home, &["check"], "").contains(" 0 faults"));
    ok(home, &["backup"], "");
    let archive = home.path().join(format!("{folder}.zip"));
    let archive = archive.to_str().unwrap();
    ok(home, &["export", archive], "");
    assert!(std::fs::read(archive).unwrap().starts_with(b"PK"));
    fails(home, &["export", archive], "couldn't create");
}

#[test]
fn commands_work_with_and_without_a_server() {
    let home = Home::new();
    fails(&home, &["page", "list"], "there is no data");
    let server = Server::start(&home);
    check_commands(&home, "served");
    check_texts(&home, "served");
    check_files(&home, "served");
    server.stop(Signal::TERM);
    check_commands(&home, "alone");
    check_alone(&home);
    check_thumbnails(&home);
}

#[test]
fn doctor_reports_faults() {
    let home = Home::new().with_config("adr = \"127.0.0.1:0\"\n");
    let outcome = fumi(&home, &["doctor"], "");
    assert_eq!(outcome.code, Some(3), "{}", home.stderr());
    assert!(
        outcome.output.contains("\nfault\tconfiguration\t"),
        "{}",
        outcome.output
    );
    let lines = fumi(&home, &["doctor", "--json"], "").output;
    let parsed = lines.lines().map(serde_json::from_str::<Value>);
    let states: Vec<_> = parsed.map(|line| line.unwrap()["state"].clone()).collect();
    assert!(states.contains(&"fault".into()) && states.contains(&"ok".into()));
}

#[test]
fn backup_restore_goes_back_to_all() {
    let home = Home::new();
    Server::start(&home).stop(Signal::TERM);
    ok(&home, &["page", "add", "/a"], "old\n");
    let made = ok(&home, &["backup", "--json"], "");
    let made: Value = serde_json::from_str(&made).unwrap();
    let folder = std::path::Path::new(made["folder"].as_str().unwrap());
    let backup = folder.file_name().unwrap().to_str().unwrap();
    let all = ["backup", "restore", backup, "--all"];
    let change = || ok(&home, &["page", "move", "/a", "/b"], "");
    change();
    let said = ok(&home, &all, "");
    assert!(said.starts_with("The data are those of the backup now: "));
    assert_eq!(ok(&home, &["page", "show", "/a"], ""), "old\n");
    fails(&home, &["page", "show", "/b"], "page");

    change();
    let server = Server::start(&home);
    let said = ok(&home, &all, "");
    assert!(said.contains("starts the next time"), "{said}");
    assert_eq!(ok(&home, &["page", "show", "/b"], ""), "old\n");
    server.stop(Signal::TERM);
    assert_eq!(ok(&home, &["page", "show", "/a"], ""), "old\n");
    fails(&home, &["page", "show", "/b"], "page");
    // The data before are a backup, to which one can go back too.
    let listed = ok(&home, &["backup", "list"], "");
    assert_eq!(listed.lines().count(), 3, "{listed}");
    fails(
        &home,
        &["backup", "restore", "none", "--all"],
        "There is no backup none",
    );
}

#[test]
fn backup_restore_replaces_damaged_data() {
    let home = Home::new();
    Server::start(&home).stop(Signal::TERM);
    ok(&home, &["page", "add", "/a"], "old\n");
    let made = ok(&home, &["backup", "--json"], "");
    let made: Value = serde_json::from_str(&made).unwrap();
    let folder = std::path::Path::new(made["folder"].as_str().unwrap());
    let backup = folder.file_name().unwrap().to_str().unwrap();
    let all = ["backup", "restore", backup, "--all", "--json"];
    let database = home.data().join("wiki.redb");

    std::fs::write(&database, "damaged").unwrap();
    let offered = format!("run “fumi backup restore {backup} --all --data '");
    fails(&home, &["page", "list"], &offered);
    fails(
        &home,
        &["backup", "restore", "none", "--all"],
        "no backup none",
    );
    assert_eq!(std::fs::read(&database).unwrap(), b"damaged");
    let said = ok(&home, &all, "");
    let said: Value = serde_json::from_str(&said).unwrap();
    let kept = home.data().join(said["kept_as"].as_str().unwrap());
    assert_eq!(std::fs::read(kept.join("wiki.redb")).unwrap(), b"damaged");
    assert_eq!(ok(&home, &["page", "show", "/a"], ""), "old\n");

    std::fs::remove_file(&database).unwrap();
    let said = ok(&home, &all, "");
    assert!(said.contains("\"is_in_place\":true"), "{said}");
    assert_eq!(ok(&home, &["page", "show", "/a"], ""), "old\n");
    // Without a backup nothing is offered.
    std::fs::remove_dir_all(home.data().join("backups")).unwrap();
    std::fs::write(&database, "damaged").unwrap();
    fails(&home, &["page", "list"], "no database of Fumikura");
}

/// Checks thumbnails, in folders that an environment variable opens.
fn check_thumbnails(home: &Home) {
    let folder = home.path().join("photos");
    std::fs::create_dir_all(folder.join("below")).unwrap();
    let photo = fumikura_tests::seed::fixture("images/orientation/Landscape_1.jpg");
    for name in ["a.jpg", "below/b.jpg"] {
        std::fs::copy(&photo, folder.join(name)).unwrap();
    }
    std::fs::write(folder.join("damaged.jpg"), "nothing").unwrap();
    let thumbs = |words: &[&str]| {
        let mut command = home.fumi(&["thumbs"]);
        let command = command
            .args(words)
            .env("ESTELLE_ALLOWED_DIRS", &folder)
            .arg("--data")
            .arg(home.data());
        let outcome = wait_for_exit(&mut command.spawn().unwrap());
        assert_eq!(outcome.code, Some(0), "{words:?}: {}", home.stderr());
        outcome.output
    };
    let warmed = thumbs(&["warm", "photos", "--size", "64x64"]);
    assert_eq!(
        warmed,
        "2 thumbnails are there, 1 could not be made\n",
        "{}",
        home.stderr()
    );
    assert!(home.stderr().contains("damaged.jpg"));
    let path = thumbs(&["get", "photos/a.jpg", "--size", "64x64"]);
    let thumbnail = std::fs::read(path.trim_end()).unwrap();
    assert!(thumbnail.starts_with(b"\xff\xd8"));
    assert!(thumbs(&["stats"]).starts_with("2 thumbnails"));
}

#[test]
fn completions_are_printed() {
    let home = Home::new();
    // Longer than a pipe's buffer.
    let printed = home.fumi(&["completions", "bash"]).output().unwrap();
    assert!(printed.status.success());
    let script = String::from_utf8(printed.stdout).unwrap();
    assert!(script.contains("complete ") && script.contains("undelete"));
}

/// Starts a command on the data of a home, with this standard output.
fn print_to(home: &Home, words: &[&str], output: impl Into<Stdio>) -> Outcome {
    let mut command = home.fumi(words);
    if words[0] != "completions" {
        command.arg("--data").arg(home.data());
    }
    wait_for_exit(&mut command.stdout(output).spawn().unwrap())
}

/// Returns a home with data that no server has open.
fn home_with_data() -> Home {
    let home = Home::new();
    Server::start(&home).stop(Signal::TERM);
    home
}

const PRINTING: [&[&str]; 9] = [
    &["page", "list"],
    &["page", "list", "--json"],
    &["page", "show", "/"],
    &["search", "the"],
    &["user", "list"],
    &["check"],
    &["thumbs", "stats", "--json"],
    &["hash", "list", "--json"],
    &["completions", "bash"],
];

#[test]
fn closed_output_ends_commands_quietly() {
    let home = home_with_data();
    let file = home.path().join("a.txt");
    std::fs::write(&file, "a").unwrap();
    ok(&home, &["hash", "record", file.to_str().unwrap()], "");
    for words in PRINTING {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let outcome = print_to(&home, words, writer);
        assert_eq!(outcome.code, Some(141), "{words:?}");
        let stderr = home.stderr();
        let is_quiet = !stderr.contains("fumi: ") && !stderr.contains("panicked");
        assert!(is_quiet, "{words:?}: {stderr}");
    }
}

#[test]
fn full_disk_is_an_error_of_each_command() {
    let home = home_with_data();
    let file = home.path().join("a.txt");
    std::fs::write(&file, "a").unwrap();
    ok(&home, &["hash", "record", file.to_str().unwrap()], "");
    for words in PRINTING {
        let full = std::fs::File::create("/dev/full").unwrap();
        let outcome = print_to(&home, words, full);
        let stderr = home.stderr();
        assert_eq!(outcome.code, Some(1), "{words:?}: {stderr}");
        let message = "fumi: couldn't write to standard output: No space left on device";
        let last = stderr.lines().last().unwrap_or_default();
        assert!(last.starts_with(message), "{words:?}: {stderr}");
    }
}

#[test]
fn terminal_gets_no_commands_from_a_page() {
    let home = home_with_data();
    let text = "# \u{1b}]0;title\u{7}\n\u{9b}31m red\n";
    ok(&home, &["page", "add", "/red"], text);
    assert_eq!(ok(&home, &["page", "show", "/red"], ""), text);
    let (title, line) = ("\\u001b]0;title\\u0007", "\\u009b31m red");
    for (words, expected) in [
        (&["page", "show", "/red"][..], &[title, line][..]),
        (&["page", "show", "/red", "--json"][..], &[title, line][..]),
        (&["search", "title", "--json"][..], &[title][..]),
    ] {
        let terminal = Terminal::new();
        let outcome = print_to(&home, words, terminal.device());
        assert_eq!(outcome.code, Some(0), "{}", home.stderr());
        let shown = terminal.rest();
        for text in expected {
            assert!(shown.contains(text), "{shown:?}");
        }
        let is_command = |letter: char| letter.is_control() && letter != '\n';
        assert!(!shown.contains(is_command), "{shown:?}");
    }
}

#[test]
fn file_names_need_not_be_utf8() {
    let home = home_with_data();
    let archive = home.path().join(OsStr::from_bytes(b"a\xff.zip"));
    for further in [&["--json"][..], &[]] {
        let mut command = home.fumi(&["export", "--data"]);
        let command = command.arg(home.data()).arg(&archive).args(further);
        let outcome = wait_for_exit(&mut command.spawn().unwrap());
        assert_eq!(outcome.code, Some(0), "{}", home.stderr());
        if further.is_empty() {
            assert!(
                outcome.output.contains("a\u{fffd}.zip"),
                "{}",
                outcome.output
            );
        } else {
            let printed: Value = serde_json::from_str(&outcome.output).unwrap();
            let name = printed["file_bytes"].as_str().unwrap();
            assert!(!name.is_empty(), "{printed}");
        }
        std::fs::remove_file(&archive).unwrap();
    }
}

#[test]
fn data_is_free_while_a_text_is_typed() {
    let home = home_with_data();
    let mut adding = home.fumi(&["page", "add", "/typed/../page"]);
    let adding = adding.arg("--data").arg(home.data()).stdin(Stdio::piped());
    let mut adding = adding.spawn().unwrap();
    let mut stdin = adding.stdin.take().unwrap();
    stdin.write_all(b"# Typed").unwrap();
    ok(&home, &["page", "list"], "");
    drop(stdin);
    let added = wait_for_exit(&mut adding);
    assert_eq!(added.code, Some(0), "{}", home.stderr());
    assert_eq!(added.output, "Created /page\n");
    assert_eq!(ok(&home, &["page", "show", "/page"], ""), "# Typed");
}
