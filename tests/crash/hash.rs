//! `fumi hash` as a process: its exact output, and records that survive a kill.

use std::fs::{self, File, FileTimes, Permissions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::support::{Disk, Home, Random, Unwritable};

/// The output of a command, and its exit code.
struct CommandOutput {
    code: i32,
    output: String,
}

fn hash(home: &Home, arguments: &[&str]) -> CommandOutput {
    let mut all = vec!["hash"];
    all.extend(arguments);
    let output = home.fumi(&all).stdout(Stdio::piped()).output().unwrap();
    CommandOutput {
        code: output.status.code().unwrap(),
        output: String::from_utf8(output.stdout).unwrap(),
    }
}

#[track_caller]
fn check(home: &Home, arguments: &[&str], code: i32, output: &str) {
    let result = hash(home, arguments);
    assert_eq!(
        (result.code, result.output.as_str()),
        (code, output),
        "{}",
        home.stderr()
    );
}

/// Writes a file that was last modified an hour ago.
fn write(home: &Home, name: &str, contents: &str) -> PathBuf {
    let path = home.path().canonicalize().unwrap().join("files").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, contents).unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    let time = SystemTime::now() - Duration::from_secs(3600);
    file.set_times(FileTimes::new().set_modified(time)).unwrap();
    path
}

fn lines(result: &CommandOutput) -> Vec<Value> {
    result
        .output
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn name_and_decode_print_one_line() {
    let home = Home::new();
    check(&home, &["name", "/nowhere/a#/~b"], 0, "~nowhere~a#1~##b\n");
    check(
        &home,
        &["decode", "~nowhere~a#1~##b"],
        0,
        "/nowhere/a#/~b\n",
    );
    for refused in [
        "~a#",
        "~~a",
        "AbCdEf123456.json",
        "-bCdEf123456.json",
        "notes.txt",
        "",
    ] {
        check(&home, &["decode", refused], 1, "");
    }
    for refused in ["", "a", "/a/", "/a//b", "/../a"] {
        check(&home, &["name", refused], 1, "");
    }
    let long = format!("/{}", "a".repeat(250));
    let result = hash(&home, &["name", &long]);
    assert!(result.code == 0 && result.output.len() == 18 && result.output.ends_with(".json\n"));
    check(&home, &["verify", "--dir", "/nowhere"], 1, "");
    assert_eq!(hash(&home, &["record"]).code, 2);
}

#[test]
fn verification_reports_by_exit_code() {
    let home = Home::new();
    let path = write(&home, "a.txt", "abc");
    write(&home, "写真/b.txt", "def");
    let files = path.parent().unwrap().to_str().unwrap().to_owned();
    let dir = home.path().join("h");
    let dir = dir.to_str().unwrap();
    check(&home, &["record", "--dir", dir, &files], 0, "2 ok\n");
    check(&home, &["verify", "--dir", dir], 0, "2 ok\n");
    check(
        &home,
        &["verify", "--dir", dir, "--json", &files],
        0,
        "{\"summary\":{\"ok\":2,\"read\":2,\"unread\":0},\"skipped\":{\"links\":0,\"special\":0,\"left_out\":0,\"file_systems\":[]}}\n",
    );
    fs::write(&path, "xyz!").unwrap();
    let result = hash(
        &home,
        &["verify", "--dir", dir, "--json", path.to_str().unwrap()],
    );
    let lines = lines(&result);
    assert_eq!((result.code, lines.len()), (3, 2));
    let expected = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let finding = &lines[0];
    assert_eq!(
        (&finding["path"], &finding["state"]),
        (&json!(path), &json!("changed"))
    );
    assert_eq!(
        (&finding["expected"], &finding["size"]),
        (&json!(expected), &json!(4))
    );
    assert!(finding["actual"].is_string() && finding["mtime"].is_string());
    assert_eq!(
        lines[1]["summary"],
        json!({"changed": 1, "ok": 0, "read": 1, "unread": 0})
    );
    check(
        &home,
        &["verify", "--dir", dir, "/nowhere/at/all"],
        3,
        "missing    /nowhere/at/all: the file does not exist and has no record\n0 ok, 1 missing\n",
    );
}

#[test]
fn data_folder_contains_the_own_records() {
    let home = Home::new();
    let path = write(&home, "a.txt", "abc");
    let data = home.data().to_str().unwrap().to_owned();
    check(
        &home,
        &["record", "--data", &data, path.to_str().unwrap()],
        0,
        "1 ok\n",
    );
    assert!(home.data().join("hashes/.fumikura").is_dir());
    let result = hash(&home, &["list", "--data", &data, "--json"]);
    assert_eq!(lines(&result)[0]["path"], json!(path));
}

#[test]
fn tidied_records_are_brought_back() {
    let home = Home::new();
    let path = write(&home, "a.txt", "abc");
    write(&home, "b.txt", "def");
    let file = path.to_str().unwrap();
    let files = path.parent().unwrap().to_str().unwrap();
    let dir = home.path().join("h");
    let dir = dir.to_str().unwrap();
    check(&home, &["record", "--dir", dir, files], 0, "2 ok\n");
    fs::remove_file(&path).unwrap();
    let orphan = format!("orphan     {file}\n0 ok, 1 orphan\n");
    check(&home, &["tidy", "--dir", dir], 0, &orphan);
    let listed = hash(&home, &["removed", "--dir", dir]);
    assert!(listed.output.contains(file), "{}", listed.output);
    let listed = lines(&hash(&home, &["removed", "--dir", dir, "--json"]));
    assert_eq!(listed[0]["path"], json!(file));
    assert_eq!(hash(&home, &["reinstate", "--dir", dir]).code, 2);
    let back = ["reinstate", "--dir", dir, file, "/nowhere"];
    check(&home, &back, 3, "1 brought back\n");
    let stderr = home.stderr();
    assert!(stderr.contains("/nowhere: no record"), "{stderr}");
    check(
        &home,
        &["removed", "--dir", dir],
        0,
        "0 records set aside\n",
    );
    let missing = format!("missing    {file}\n1 ok, 1 missing\n");
    check(&home, &["verify", "--dir", dir], 3, &missing);
}

/// Names with control characters are always escaped on a terminal; programs get them in JSON.
#[test]
fn hostile_names_are_escaped() {
    let home = Home::new();
    let path = write(&home, "a\n\u{1b}[31m.txt", "abc");
    let dir = home.path().join("h");
    let dir = dir.to_str().unwrap();
    check(
        &home,
        &["record", "--dir", dir, path.to_str().unwrap()],
        0,
        "1 ok\n",
    );
    fs::remove_file(&path).unwrap();
    let result = hash(&home, &["verify", "--dir", dir]);
    assert!(
        result.output.contains("a\\n\\u{1b}[31m.txt"),
        "{}",
        result.output
    );
    assert_eq!(result.output.lines().count(), 2);
    let result = hash(&home, &["verify", "--dir", dir, "--json"]);
    assert_eq!(lines(&result)[0]["path"], json!(path));
}

#[test]
fn kill_leaves_complete_records() {
    const FILES: usize = 400;
    let home = Home::new();
    for number in 0..FILES {
        write(
            &home,
            &format!("{number}.txt"),
            &format!("contents {number}"),
        );
    }
    let files = home.path().join("files");
    let dir = home.path().join("h");
    let arguments = [
        "record",
        "--full",
        "--dir",
        dir.to_str().unwrap(),
        files.to_str().unwrap(),
    ];
    let random = Random::new(7);
    for _ in 0..12 {
        let mut all = vec!["hash"];
        all.extend(arguments);
        let mut child = home.fumi(&all).stdout(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_micros(random.below(60_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        let Ok(entries) = fs::read_dir(&dir) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_file() {
                fumikura_hashes::load(&path).unwrap();
            }
        }
    }
    check(&home, &arguments, 0, &format!("{FILES} ok\n"));
    check(
        &home,
        &["verify", "--dir", dir.to_str().unwrap()],
        0,
        &format!("{FILES} ok\n"),
    );
    let remaining = fs::read_dir(dir.join(".fumikura")).unwrap();
    let remaining: Vec<_> = remaining
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name.to_string_lossy().ends_with(".tmp"))
        .collect();
    assert!(remaining.is_empty(), "{remaining:?}");
}

/// A file system in a file, mounted. Mounting needs a privilege.
struct Image {
    file: PathBuf,
    folder: PathBuf,
}

impl Image {
    fn mounted(home: &Home, folder: &str) -> Option<Self> {
        let (file, folder) = (home.path().join("image"), home.path().join(folder));
        File::create(&file).unwrap().set_len(16 << 20).unwrap();
        fs::create_dir_all(&folder).unwrap();
        let made = Command::new("/sbin/mkfs.ext4")
            .args(["-q", "-F"])
            .arg(&file)
            .status();
        let image = Self { file, folder };
        (made.is_ok_and(|made| made.success()) && image.mount()).then_some(image)
    }

    fn mount(&self) -> bool {
        let mount = Command::new("mount")
            .args(["-o", "loop"])
            .args([&self.file, &self.folder])
            .stderr(Stdio::null())
            .status();
        mount.unwrap().success()
    }

    fn unmount(&self) {
        assert!(
            Command::new("umount")
                .arg(&self.folder)
                .status()
                .unwrap()
                .success()
        );
    }

    /// Flips a bit of the only occurrence of these bytes.
    fn damage(&self, bytes: &[u8]) {
        self.unmount();
        let mut file = File::options()
            .read(true)
            .write(true)
            .open(&self.file)
            .unwrap();
        let mut contents = Vec::new();
        file.read_to_end(&mut contents).unwrap();
        let at = contents
            .windows(bytes.len())
            .position(|part| part == bytes)
            .unwrap();
        file.seek(SeekFrom::Start(at as u64)).unwrap();
        file.write_all(&[bytes[0] ^ 1]).unwrap();
        file.sync_all().unwrap();
        drop(file);
        assert!(self.mount());
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        let _already = Command::new("umount")
            .arg(&self.folder)
            .stderr(Stdio::null())
            .status();
    }
}

/// If nothing can be mounted, `crates/hashes/tests/runs/repair.rs` tests the same with records that match such damage.
#[test]
fn damage_below_the_file_system_is_reported() {
    let home = Home::new();
    let Some(image) = Image::mounted(&home, "disk") else {
        return check_restored_mtime(&home);
    };
    let folder = image.folder.canonicalize().unwrap();
    for name in ["whole.txt", "rotten.txt"] {
        let contents = format!("the only bytes like this: {name}").repeat(20);
        fs::write(folder.join(name), contents).unwrap();
        set_old(&folder.join(name));
    }
    let dir = home.path().join("h");
    let dir = dir.to_str().unwrap();
    let disk = folder.to_str().unwrap();
    check(&home, &["record", "--dir", dir, disk], 0, "2 ok\n");
    // A record is trusted once it is older than the possible error of the file system's clock.
    thread::sleep(Duration::from_millis(2100));
    check(&home, &["verify", "--dir", dir], 0, "2 ok\n");
    image.damage(b"the only bytes like this: rotten.txt");
    // The times do not reveal the damage, and the output says so.
    let unread = "0 ok; 2 unchanged by their times, not read; 0 read\n";
    check(&home, &["verify", "--quick", "--dir", dir], 0, unread);
    let expected = format!("corrupt    {disk}/rotten.txt\n1 ok, 1 corrupt\n");
    check(&home, &["verify", "--dir", dir], 3, &expected);
    let result = hash(&home, &["record", "--full", "--dir", dir, disk]);
    assert!(
        result.code == 3 && result.output.starts_with("corrupt "),
        "{}",
        result.output
    );
    check(&home, &["verify", "--dir", dir], 3, &expected);
    image.unmount();
    let expected = format!("root_away  {disk} (2 files)\n0 ok, 2 root_away\n");
    check(&home, &["verify", "--dir", dir], 3, &expected);
}

#[test]
fn nested_file_systems_are_named_and_keep_records() {
    let home = Home::new();
    let dir = home.path().join("h");
    let dir = dir.to_str().unwrap();
    let files = write(&home, "a.txt", "abc").parent().unwrap().to_owned();
    let image = Image::mounted(&home, "files/disk");
    let disk = write(&home, "disk/b.txt", "def")
        .parent()
        .unwrap()
        .to_owned();
    let (disk, files) = (disk.to_str().unwrap(), files.to_str().unwrap());
    if let Some(image) = &image {
        fs::remove_dir(image.folder.join("lost+found")).unwrap();
        let summary = "1 ok; passed by: 1 folders on other file systems";
        let left_out = format!("left out   {disk}: on another file system\n{summary}\n");
        check(&home, &["record", "--dir", dir, files], 0, &left_out);
        let stderr = home.stderr();
        assert!(stderr.contains("--cross-devices"), "{stderr}");
        let report = hash(&home, &["verify", "--dir", dir, "--json"]);
        let skipped = &lines(&report)[0]["skipped"];
        assert_eq!(skipped["file_systems"], json!([disk]));
        let all = ["record", "--cross-devices", "--full", "--dir", dir, files];
        check(&home, &all, 0, "2 ok\n");
    } else {
        // Without the right to mount, a folder that was recorded by itself is emptied instead.
        check(&home, &["record", "--dir", dir, disk], 0, "1 ok\n");
        check(
            &home,
            &["record", "--full", "--dir", dir, files],
            0,
            "2 ok\n",
        );
    }
    // What was recorded on the other file system is verified there.
    check(&home, &["verify", "--dir", dir], 0, "2 ok\n");
    match &image {
        Some(image) => image.unmount(),
        None => fs::remove_file(Path::new(disk).join("b.txt")).unwrap(),
    }
    let away = format!("root_away  {disk} (1 files)\n1 ok, 1 root_away\n");
    check(&home, &["verify", "--dir", dir], 3, &away);
    check(&home, &["tidy", "--dir", dir], 0, "0 ok\n");
    let listed = hash(&home, &["list", "--dir", dir]);
    assert!(listed.output.ends_with("2 records, 0 problems\n"));
}

#[test]
fn closed_folder_keeps_its_records() {
    let home = Home::new().run_under(Unwritable::starter());
    write(&home, "a.txt", "abc");
    let closed = write(&home, "closed/b.txt", "def");
    let closed = closed.parent().unwrap();
    let dir = home.path().join("h");
    let dir = dir.to_str().unwrap();
    let files = closed.parent().unwrap().to_str().unwrap();
    check(&home, &["record", "--dir", dir, files], 0, "2 ok\n");
    fs::set_permissions(closed, Permissions::from_mode(0o000)).unwrap();
    let denied = format!(
        "unreadable {} (1 files): Permission denied (os error 13)\n",
        closed.display()
    );
    let verified = format!("{denied}1 ok, 1 unreadable\n");
    check(&home, &["verify", "--dir", dir], 3, &verified);
    let tidied = format!("{denied}0 ok, 1 unreadable\n");
    check(&home, &["tidy", "--dir", dir], 3, &tidied);
    fs::set_permissions(closed, Permissions::from_mode(0o700)).unwrap();
    check(&home, &["verify", "--dir", dir], 0, "2 ok\n");
}

fn set_old(path: &Path) {
    let file = File::options().write(true).open(path).unwrap();
    let time = SystemTime::now() - Duration::from_secs(3600);
    file.set_times(FileTimes::new().set_modified(time)).unwrap();
}

/// Checks at least that a restored modification time is noticed.
fn check_restored_mtime(home: &Home) {
    let path = write(home, "a.txt", "abc");
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    let dir = home.path().join("h");
    let dir = dir.to_str().unwrap();
    check(
        home,
        &["record", "--dir", dir, path.to_str().unwrap()],
        0,
        "1 ok\n",
    );
    fs::write(&path, "xyz").unwrap();
    File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_times(FileTimes::new().set_modified(before))
        .unwrap();
    let expected = format!("altered    {}\n0 ok, 1 altered\n", path.display());
    check(home, &["verify", "--dir", dir], 3, &expected);
}

/// Existing records stay, and once there is room again the rest follows.
#[test]
fn full_disk_is_reported_and_keeps_complete_records() {
    let Some(disk) = Disk::mounted() else {
        // Without the right to mount there is no disk to fill; a folder that can't be written is reported all
        // the same.
        let home = Home::new();
        let path = write(&home, "a.txt", "abc");
        check(
            &home,
            &["record", "--dir", "/sys/hashes", path.to_str().unwrap()],
            1,
            "",
        );
        return;
    };
    let home = Home::new();
    let path = write(&home, "a.txt", "abc");
    let dir = disk.path().join("h");
    let dir = dir.to_str().unwrap();
    check(
        &home,
        &["record", "--dir", dir, path.to_str().unwrap()],
        0,
        "1 ok\n",
    );
    disk.fill();
    for number in 0..50 {
        write(&home, &format!("{number}.txt"), "def");
    }
    let files = path.parent().unwrap().to_str().unwrap();
    let result = hash(&home, &["record", "--dir", dir, files]);
    assert_eq!((result.code, result.output.as_str()), (1, ""));
    assert!(home.stderr().contains("No space left"), "{}", home.stderr());
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fumikura_hashes::load(&path).unwrap();
        }
    }
    disk.empty();
    let counts = "50 ok; 1 unchanged by their times, not read; 50 read\n";
    check(&home, &["record", "--dir", dir, files], 0, counts);
}
