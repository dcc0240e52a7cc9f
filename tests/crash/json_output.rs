//! The output of the commands with `--json`, compared with the published schema.

use std::fs;

use serde_json::Value;

use crate::support::{Home, Server, check_schema, wait_for_exit};

/// Runs a command, and returns its output, which must fit the schema. The exit code 3 means findings.
#[track_caller]
fn run(home: &Home, words: &[&str]) -> String {
    let mut command = home.fumi(words);
    command.arg("--json").arg("--data").arg(home.data());
    let outcome = wait_for_exit(&mut command.spawn().unwrap());
    let is_done = matches!(outcome.code, Some(0 | 3));
    assert!(is_done, "{words:?}: {}", home.stderr());
    check_schema(words, &outcome.output);
    outcome.output
}

#[track_caller]
fn field(output: &str, name: &str) -> String {
    let value: Value = serde_json::from_str(output.lines().next().unwrap()).unwrap();
    value[name].as_str().unwrap().to_owned()
}

#[test]
fn output_about_pages_fits_the_schema() {
    let home = Home::new();
    let _server = Server::start(&home);
    let file = home.path().join("notes.txt");
    fs::write(&file, "# 庭\n\n[[/none]] #moss\n").unwrap();
    let file = file.to_str().unwrap();
    run(&home, &["page", "add", "/a", file]);
    run(&home, &["page", "append", "/a", "--text", "[[/]]"]);
    run(
        &home,
        &["page", "append", "/new", "--create", "--text", "[[/a]]"],
    );
    for words in [
        &["page", "list"][..],
        &["page", "show", "/a"],
        &["page", "show", "/a", "--html"],
        &["page", "history", "/a"],
        &["page", "diff", "/a"],
        &["page", "links", "/a"],
        &["page", "links", "/a", "--back"],
        &["page", "tag", "/a", "--add", "kyoto"],
        &["revision", "list", "/a"],
        &["revision", "rollback", "/a", "1"],
        &["revision", "compact", "/a", "2"],
        &["search", "moss"],
        &["page", "move", "/new", "/moved"],
        &["page", "duplicate", "/a"],
        &["page", "merge", "/moved", "/a"],
        &["asset", "add", "/a", file],
        &["asset", "list", "/a"],
        &["asset", "rename", "/a", "notes.txt", "n.txt"],
        &["asset", "move", "/a", "n.txt", "/"],
        &["asset", "delete", "/", "n.txt"],
        &["page", "delete", "/a"],
        &["page", "undelete", "/a"],
        &["user", "list"],
        &["user", "add", "Mori"],
        &["user", "rename", "Aki"],
    ] {
        run(&home, words);
    }
    run(&home, &["token", "create", "script", "--scope", "read"]);
    let tokens = run(&home, &["token", "list"]);
    run(&home, &["token", "revoke", &field(&tokens, "id")]);
    run(&home, &["login"]);
    run(&home, &["session", "end", "--all"]);
    run(&home, &["limits", "status"]);
    run(&home, &["limits", "reset"]);
}

#[test]
fn output_about_files_fits_the_schema() {
    let home = Home::new();
    let _server = Server::start(&home);
    let photos = home.path().join("photos");
    fs::create_dir(&photos).unwrap();
    for name in ["a.jpg", "b.jpg"] {
        fs::write(photos.join(name), "no picture").unwrap();
    }
    let (a, b) = (photos.join("a.jpg"), photos.join("b.jpg"));
    let [photos, a, b] = [&photos, &a, &b].map(|path| path.to_str().unwrap());
    let renamed = format!("{photos}/c.jpg");
    for words in [
        &["folder", "add", photos][..],
        &["folder", "list"],
        &["rate", "4", a],
        &["tag", a, "--add", "Places/Kyoto"],
        &["tag", a],
        &["folder", "ls", photos],
        &["mv", a, &renamed],
        &["undo"],
        &["cp", b, photos, "--existing", "keep-both"],
        &["undo", "--list"],
        &["trash", b],
        &["ttl", "list"],
        &["ttl", "set", photos, "--days", "30"],
        &["ttl", "set", "default", "--off"],
        &["ttl", "run", "--dry-run"],
        &["ttl", "run"],
        &["thumbs", "stats"],
        &["thumbs", "gc"],
        &["thumbs", "warm", photos],
        &["album", "create", "moss"],
        &["album", "add", "moss", a],
        &["album", "show", "moss"],
        &["album", "list"],
        &["album", "rename", "moss", "Moss"],
        &["album", "remove", "Moss", a],
        &["album", "delete", "Moss"],
        &["hash", "record", photos],
        &["hash", "verify"],
        &["hash", "list"],
        &["hash", "tidy", "--dry-run"],
        &["doctor"],
    ] {
        run(&home, words);
    }
    run(&home, &["folder", "remove", photos]);
    let mut name = home.fumi(&["hash", "name", a, "--json"]);
    let name = wait_for_exit(&mut name.spawn().unwrap()).output;
    check_schema(&["hash", "name"], &name);
}

#[test]
fn output_about_backups_fits_the_schema() {
    let home = Home::new();
    let _server = Server::start(&home);
    let [second, vault, archive] =
        ["second", "vault", "all.zip"].map(|name| home.path().join(name));
    fs::create_dir(&second).unwrap();
    fs::create_dir(&vault).unwrap();
    fs::write(vault.join("moss.md"), "# Moss\n").unwrap();
    let [second, vault, archive] = [&second, &vault, &archive].map(|path| path.to_str().unwrap());
    let made = field(&run(&home, &["backup"]), "folder");
    let backup = made.rsplit('/').next().unwrap();
    run(&home, &["backup", "list"]);
    run(&home, &["backup", "show", backup]);
    run(&home, &["backup", "show", backup, "/"]);
    run(&home, &["backup", "restore", backup, "--page", "/"]);
    run(&home, &["backup", "copy", second]);
    run(&home, &["check"]);
    run(&home, &["export", archive]);
    run(&home, &["import", archive, "--on-conflict", "skip"]);
    run(&home, &["import", vault, "--dry-run"]);
    let imported = run(&home, &["import", vault]);
    run(&home, &["import", "--list"]);
    run(&home, &["import", "--undo", &field(&imported, "id")]);
    fs::create_dir(home.path().join("mirror")).unwrap();
    let mirror = home.path().join("mirror");
    for words in [
        &["mirror", "set", mirror.to_str().unwrap()][..],
        &["mirror", "status"],
        &["mirror", "off"],
        &["mirror", "forget"],
    ] {
        run(&home, words);
    }
    run(&home, &["backup", "restore", backup, "--all"]);
}
