//! OCR commands: successful ones, one that hangs, one that floods, one that is missing, and tesseract itself.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is missing"
)]

use std::fs;
use std::io::Cursor;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use fumikura_vision::{Answer, Call, CommandLimit, CommandLimits, CommandTemplate, Error};
use fumikura_vision::{MalformedReason, Mode, OcrCommand};
use fumikura_vision::{OutputFormat, Picture, Question, Recipient, Service};
use image::{ImageFormat, RgbImage};
use tempfile::TempDir;

fn picture(format: ImageFormat) -> Picture {
    let mut bytes = Cursor::new(Vec::new());
    RgbImage::new(3, 2).write_to(&mut bytes, format).unwrap();
    Picture::new(bytes.into_inner()).unwrap()
}

fn question(mode: Mode) -> Question {
    Question {
        mode,
        language: "ja".parse().unwrap(),
        model: String::new(),
    }
}

fn template(argv: &[&str], format: OutputFormat) -> CommandTemplate {
    let argv = argv.iter().map(|argument| (*argument).to_owned());
    CommandTemplate::new(argv, format).unwrap()
}

fn command(argv: &[&str], format: OutputFormat) -> OcrCommand {
    OcrCommand::new(template(argv, format))
}

fn scan(command: &OcrCommand, call: &Call) -> Result<Answer, Error> {
    command.scan(&picture(ImageFormat::Png), &question(Mode::Text), call)
}

/// Runs a shell script with the path of the picture as `$1`, the languages as `$2` and `$3`, and a folder as `$4`.
fn run(script: &str, format: OutputFormat) -> Result<Answer, Error> {
    scan(&shell(script, format), &Call::default())
}

/// Runs a shell script with other limits.
fn run_limited(script: &str, limits: CommandLimits) -> Result<Answer, Error> {
    let template = template(&argv(script), OutputFormat::Text);
    scan(&OcrCommand::with_limits(template, limits), &Call::default())
}

fn shell(script: &str, format: OutputFormat) -> OcrCommand {
    command(&argv(script), format)
}

fn argv(script: &str) -> Vec<&str> {
    let mut argv = vec![
        "sh",
        "-c",
        script,
        "ocr",
        "{picture}",
        "{language}",
        "{language3}",
    ];
    if script.contains("$4") {
        argv.push("{output}");
    }
    argv
}

fn text(text: &str) -> Result<Answer, Error> {
    Ok(Answer::Text(text.into()))
}

fn failed(status: Option<i32>, message: &str) -> Result<Answer, Error> {
    Err(Error::CommandFailed {
        status,
        message: message.into(),
    })
}

#[test]
fn command_gets_a_png_and_the_language() {
    let script = r#"head -c 8 "$1" | tail -c 7 | head -c 3; echo " $2 $3 $#"; stat -c %a ."#;
    assert_eq!(run(script, OutputFormat::Text), text("PNG ja jpn 3\n700"));
    let jpeg = picture(ImageFormat::Jpeg);
    let command = shell(r#"head -c 4 "$1" | tail -c 3"#, OutputFormat::Text);
    let answer = command.scan(&jpeg, &question(Mode::Text), &Call::default());
    assert_eq!(answer, text("PNG"));
}

#[test]
fn answer_may_be_json_or_a_file() {
    assert_eq!(
        run(r#"echo '{"text":"東京"}'"#, OutputFormat::Json),
        text("東京")
    );
    assert_eq!(
        run(
            r#"echo noise; printf 東京 > "$4/picture.txt""#,
            OutputFormat::Text
        ),
        text("東京")
    );
    let lines = r#"echo '{"contents":[[{"text":"東京"},{"text":"大阪"}]]}' > "$4/picture.json""#;
    assert_eq!(run(lines, OutputFormat::Json), text("東京\n大阪"));
    assert_eq!(run("true", OutputFormat::Text), text(""));
    assert_eq!(
        run("true", OutputFormat::Json),
        Err(Error::MalformedAnswer(MalformedReason::NotJson))
    );
}

#[test]
fn failure_quotes_the_end_of_the_standard_error() {
    let script = r"yes noise | head -c 9000 >&2; printf '\033 cannot\nread it\n' >&2; exit 3";
    let Err(Error::CommandFailed { status, message }) = run(script, OutputFormat::Text) else {
        panic!("the command failed");
    };
    assert_eq!(status, Some(3));
    assert!(message.ends_with("noise cannot read it"), "{message}");
    assert_eq!(message.chars().count(), 300);
    assert_eq!(run("kill -9 $$", OutputFormat::Text), failed(None, ""));
    let forgot = r#"echo "Images are not found." >&2; : "$4""#;
    assert_eq!(
        run(forgot, OutputFormat::Text),
        failed(Some(0), "Images are not found.")
    );
}

#[test]
fn missing_command_is_named() {
    let missing = command(&["no-such-ocr-program", "{picture}"], OutputFormat::Text);
    assert_eq!(
        scan(&missing, &Call::default()),
        Err(Error::CommandMissing {
            program: "no-such-ocr-program".into()
        })
    );
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("ocr");
    fs::write(&file, "no program").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let unusable = command(&[file.to_str().unwrap(), "{picture}"], OutputFormat::Text);
    let result = scan(&unusable, &Call::default());
    // The system's message is not the command's.
    let error = result.unwrap_err();
    assert!(matches!(&error, Error::CommandNotRun { .. }), "{error:?}");
    assert_eq!(error.service_message(), None);
}

#[test]
fn flood_is_stopped() {
    let flooded = |limit| Err(Error::CommandFlooded { limit });
    assert_eq!(run("yes", OutputFormat::Text), flooded(1 << 20));
    assert_eq!(
        run("head -c 1048577 /dev/zero", OutputFormat::Text),
        flooded(1 << 20)
    );
    let file = r#"head -c 1048577 /dev/zero > "$4/picture.txt""#;
    assert_eq!(run(file, OutputFormat::Text), flooded(1 << 20));
    let folder = r#"yes > "$4/pages""#;
    assert_eq!(run(folder, OutputFormat::Text), flooded(64 << 20));
    let subfolder = r#"mkdir -p "$4/a/b"; yes > "$4/a/b/pages""#;
    assert_eq!(run(subfolder, OutputFormat::Text), flooded(64 << 20));
    let entries = r#"i=0; while :; do i=$((i + 1)); : > "$4/$i"; done"#;
    assert_eq!(run(entries, OutputFormat::Text), flooded(64 << 20));
    // A flood of messages is not an answer, and is not kept.
    assert_eq!(
        run("yes | head -c 50000000 >&2; echo a", OutputFormat::Text),
        text("a")
    );
}

/// Waits until the file holds this number of lines, each of them the id of a process.
fn ids(file: &Path, count: usize) -> Vec<String> {
    loop {
        if let Some(ids) = ids_so_far(file, count) {
            return ids;
        }
        thread::yield_now();
    }
}

/// Returns the ids if the file holds this number of them.
fn ids_so_far(file: &Path, count: usize) -> Option<Vec<String>> {
    let ids = fs::read_to_string(file).unwrap_or_default();
    let is_whole = ids.ends_with('\n') && ids.lines().count() == count;
    is_whole.then(|| ids.lines().map(str::to_owned).collect())
}

/// Waits until the processes have ended; zombies count as ended.
fn wait_for_end(ids: &[String]) {
    let lives = |id: &String| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        stat.rsplit_once(") ")
            .is_some_and(|(_, rest)| !rest.starts_with('Z'))
    };
    while ids.iter().any(lives) {
        thread::yield_now();
    }
}

/// A command that hangs with a child; both write their ids to the file.
fn hanging(file: &Path) -> OcrCommand {
    let script = format!(
        "sleep 600 & echo $! >> '{0}'; echo $$ >> '{0}'; wait",
        file.display()
    );
    shell(&script, OutputFormat::Text)
}

fn id_file() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("ids");
    (folder, file)
}

#[test]
fn hanging_command_ends_with_its_children() {
    // On a busy machine, the first budgets may end before both processes have noted their ids.
    let ids = [500, 5_000, 50_000].into_iter().find_map(|budget| {
        let (_folder, file) = id_file();
        let call = Call {
            budget: Duration::from_millis(budget),
            ..Call::default()
        };
        let result = scan(&hanging(&file), &call);
        assert_eq!(result, Err(Error::TimedOut { after: call.budget }));
        ids_so_far(&file, 2)
    });
    wait_for_end(&ids.unwrap());
}

#[test]
fn cancelled_command_ends_with_its_children() {
    let (_folder, file) = id_file();
    let command = hanging(&file);
    let call = Call::default();
    let scanning = thread::spawn({
        let call = call.clone();
        move || scan(&command, &call)
    });
    let ids = ids(&file, 2);
    call.cancel.cancel();
    assert_eq!(scanning.join().unwrap(), Err(Error::Cancelled));
    wait_for_end(&ids);
    let result = scan(&hanging(&file), &call);
    assert_eq!(result, Err(Error::Cancelled));
}

#[test]
fn child_left_behind_neither_delays_nor_survives() {
    let (_folder, file) = id_file();
    let script = format!("sleep 600 & echo $! >> '{}'; echo 東京", file.display());
    assert_eq!(run(&script, OutputFormat::Text), text("東京"));
    wait_for_end(&ids(&file, 1));
}

#[test]
fn command_can_not_leave_its_group() {
    let script = "setsid sleep 600 2>/dev/null || echo stays";
    assert_eq!(run(script, OutputFormat::Text), text("stays"));
}

#[test]
fn processes_are_limited_and_killed_together() {
    let (_folder, file) = id_file();
    let script = format!(
        "for i in $(seq 100); do sleep 600 & echo $! >> '{}'; done; wait",
        file.display()
    );
    let limits = CommandLimits {
        processes: 16,
        ..CommandLimits::default()
    };
    let limit = CommandLimit::Processes(16);
    let result = run_limited(&script, limits);
    assert_eq!(result, Err(Error::CommandOverLimit(limit)));
    let ids = fs::read_to_string(&file).unwrap();
    let ids: Vec<String> = ids.lines().map(str::to_owned).collect();
    // The shell is one of the 17 that were too many, and the last may not have been noted.
    assert!(ids.len() >= 15, "{ids:?}");
    wait_for_end(&ids);
}

#[test]
fn memory_is_limited_alone_and_together() {
    let limits = CommandLimits {
        memory: 100 << 20,
        ..CommandLimits::default()
    };
    // Asks for all of it at once, so that the sum of all processes never comes near the limit.
    let alone = "dd if=/dev/zero bs=300000000 count=1 2>/dev/null | wc -c";
    assert_eq!(run_limited(alone, limits), text("0"));
    let together = "for i in 1 2 3 4; do \
        (head -c 40000000 /dev/zero; sleep 600) | tail -c 40000000 & done; wait";
    let limit = CommandLimit::Memory(100 << 20);
    let result = run_limited(together, limits);
    assert_eq!(result, Err(Error::CommandOverLimit(limit)));
}

#[test]
fn answer_is_read_without_links() {
    for script in [
        r#"ln -s /etc/passwd "$4/picture.txt""#,
        r#"mkfifo "$4/picture.txt""#,
        r#"mkdir "$4/picture.txt""#,
        r#"ln -s /dev/zero "$4/picture.txt""#,
    ] {
        let error = run(script, OutputFormat::Text).unwrap_err();
        let is_refused = matches!(&error, Error::CommandNotRun { .. });
        assert!(is_refused, "{script}: {error:?}");
    }
}

#[test]
fn folder_put_in_place_is_not_read() {
    let (elsewhere, _) = id_file();
    let elsewhere = elsewhere.path();
    fs::create_dir(elsewhere.join("secret")).unwrap();
    fs::write(elsewhere.join("secret/picture.txt"), "secret").unwrap();
    let script = format!(
        r#"echo own > "$4/picture.txt"; mv "$4" '{0}/moved'; ln -s '{0}/secret' "$4""#,
        elsewhere.display()
    );
    assert_eq!(run(&script, OutputFormat::Text), text("own"));
    assert!(elsewhere.join("secret/picture.txt").exists());
}

#[test]
fn folder_of_the_picture_is_deleted() {
    let (_folder, file) = id_file();
    let script = format!(
        "pwd > '{}'; test \"$TMPDIR\" = \"$PWD\" && mkdir -p inner; echo a > inner/b",
        file.display()
    );
    assert_eq!(run(&script, OutputFormat::Text), text(""));
    let used = fs::read_to_string(&file).unwrap();
    assert!(!Path::new(used.trim()).exists(), "{used}");
}

#[test]
fn command_reads_text_only_and_sends_nothing() {
    let command = command(&["no-such-ocr-program", "{picture}"], OutputFormat::Text);
    for mode in [Mode::Describe, Mode::Objects, Mode::Tags] {
        let result = command.scan(
            &picture(ImageFormat::Png),
            &question(mode),
            &Call::default(),
        );
        assert_eq!(result, Err(Error::ModeNotSupported(mode)));
    }
    assert_eq!(command.models(&Call::default()), Ok(Vec::new()));
    assert_eq!(command.recipient(), Recipient::ThisMachine);
}

const LIBRARY: &str = "東京都の図書館は\n午前九時に開館する";

/// Returns the text that tesseract reads in a picture.
fn tesseract(picture: &[u8], arguments: &[&str]) -> String {
    // Without this option there are spaces between the letters.
    let spaces = ["-c", "preserve_interword_spaces=1"];
    let argv = [&["tesseract", "{picture}", "-"], arguments, &spaces].concat();
    let command = command(&argv, OutputFormat::Text);
    let picture = Picture::new(picture.to_vec()).unwrap();
    match command.scan(&picture, &question(Mode::Text), &Call::default()) {
        Ok(Answer::Text(text)) => text,
        other => panic!("tesseract-ocr, -jpn and -jpn-vert are needed: {other:?}"),
    }
}

#[test]
fn tesseract_reads_japanese_text() {
    let picture = include_bytes!("fixtures/horizontal.png");
    assert_eq!(tesseract(picture, &["-l", "{language3}"]), LIBRARY);
}

#[test]
fn tesseract_reads_vertical_japanese_text() {
    let picture = include_bytes!("fixtures/vertical.png");
    let arguments = ["-l", "{language3}_vert", "--psm", "5"];
    assert_eq!(tesseract(picture, &arguments), LIBRARY);
}
