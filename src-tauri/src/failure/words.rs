//! The words of failures, in the languages of the interface.

use std::io;
use std::path::Path;

use fumikura_base::exposure::Exposure;
use fumikura_server::{ConfigError, StartError, StartFault};

use super::{Cause, RunFailure, ShellFailure};
use crate::language::Language::{self, English, Japanese};
use crate::messages::sentence;

/// Returns a text in the language.
fn either(language: Language, english: &'static str, japanese: &'static str) -> &'static str {
    match language {
        English => english,
        Japanese => japanese,
    }
}

pub(super) fn heading(language: Language) -> &'static str {
    either(
        language,
        "Fumikura couldn’t start",
        "Fumikura を開始できません",
    )
}

pub(super) fn unaffected(language: Language) -> &'static str {
    either(language, "Your data", "データの状態")
}

pub(super) fn what_to_do(language: Language) -> &'static str {
    either(language, "What you can do", "できること")
}

pub(super) fn try_again(language: Language) -> &'static str {
    either(language, "Try again", "もう一度試す")
}

pub(super) fn restore(language: Language) -> &'static str {
    either(language, "Restore", "復元")
}

pub(super) fn restoring(language: Language) -> &'static str {
    either(
        language,
        "The backup is being checked and copied…",
        "バックアップを確かめて、コピーしています…",
    )
}

pub(super) fn not_restored(language: Language, reason: &str) -> String {
    match language {
        English => format!("Couldn’t restore the backup: {}", sentence(reason)),
        Japanese => format!("バックアップを復元できません。（{reason}）"),
    }
}

/// Returns the label of a backup of this time.
pub(super) fn backup(language: Language, time: &str, pages: u64, is_proved: bool) -> String {
    match (language, is_proved) {
        (English, true) => format!("{time}, {pages} pages"),
        (English, false) => format!("{time}, {pages} pages, not checked"),
        (Japanese, true) => format!("{time}、{pages} ページ"),
        (Japanese, false) => format!("{time}、{pages} ページ、未検証"),
    }
}

pub(super) fn open_folder(language: Language) -> &'static str {
    either(language, "Open folder", "フォルダーを開く")
}

pub(super) fn not_opened(language: Language, folder: &Path, error: &io::Error) -> String {
    let folder = folder.display();
    match language {
        English => format!("Couldn’t open {folder}: {error}"),
        Japanese => format!("「{folder}」を開けません。（{error}）"),
    }
}

pub(super) fn choose_folder(language: Language) -> &'static str {
    either(
        language,
        "Choose another data folder…",
        "別のデータフォルダーを選択…",
    )
}

pub(super) fn choose_folder_title(language: Language) -> &'static str {
    either(
        language,
        "Choose a data folder for this start",
        "今回の起動に使うデータフォルダーを選択",
    )
}

pub(super) fn copy_diagnostics(language: Language) -> &'static str {
    either(language, "Copy diagnostics", "診断情報をコピー")
}

pub(super) fn copied(language: Language) -> &'static str {
    either(language, "Copied", "コピーしました")
}

pub(super) fn quit(language: Language) -> &'static str {
    either(language, "Quit", "終了")
}

/// Returns what is unaffected by the failure, or still works.
pub(super) fn safe(language: Language, cause: Cause) -> &'static str {
    let (english, japanese) = match cause {
        Cause::Start(StartFault::InUse) => (
            "Nothing was changed. The program that uses the data goes on working.",
            "何も変わっていません。データを使っているプログラムは、そのまま動いています。",
        ),
        Cause::Start(StartFault::Damaged) => (
            "The damaged file was left as it is. Your pictures and backups are not affected.",
            "壊れたファイルには手を付けていません。画像とバックアップには影響ありません。",
        ),
        Cause::Start(StartFault::Missing) => (
            "No empty wiki was put in its place. Everything else in the folder is still there.",
            "代わりに空のウィキを作ることはしていません。フォルダーのほかのものは残っています。",
        ),
        Cause::Start(StartFault::CacheDisk | StartFault::Thumbnails) => (
            "Your pages and pictures are not affected. Thumbnails can be made again at any time.",
            "ページと画像には影響ありません。サムネイルはいつでも作り直せます。",
        ),
        Cause::Start(StartFault::Roots) => (
            "Your pages and pictures are not affected. The file lists only the folders that were open.",
            "ページと画像には影響ありません。このファイルにあるのは、開いていたフォルダーの一覧だけです。",
        ),
        Cause::Window => (
            "Everything you saved is still there, and can be used in a browser.",
            "保存したものはそのまま残っていて、ブラウザーで使えます。",
        ),
        Cause::Start(_) | Cause::System => (
            "Nothing was changed. Everything you saved is still there.",
            "何も変わっていません。保存したものはそのまま残っています。",
        ),
    };
    either(language, english, japanese)
}

/// Returns what the user can do.
pub(super) fn remedy(language: Language, cause: Cause, has_backups: bool) -> &'static str {
    let (english, japanese) = match cause {
        Cause::Start(fault) => start_remedy(fault, has_backups),
        Cause::Window => (
            "Run “fumi serve” in a terminal, and open the link that “fumi login” prints.",
            "端末で fumi serve を実行し、fumi login が表示するリンクを開いてください。",
        ),
        Cause::System => (
            "Try again. If that doesn’t help, restart the computer.",
            "もう一度試してください。直らなければ、コンピューターを再起動してください。",
        ),
    };
    either(language, english, japanese)
}

fn start_remedy(fault: StartFault, has_backups: bool) -> (&'static str, &'static str) {
    match fault {
        StartFault::Setting => (
            "Correct the value where it is set: on the command line, in the environment, or in config.toml.",
            "コマンドライン、環境変数、config.toml のうち、指定した場所で値を直してください。",
        ),
        StartFault::SettingsFile => (
            "Correct the file. If you move it away, Fumikura starts with the usual settings.",
            "ファイルを直してください。別の場所に移せば、標準の設定で起動します。",
        ),
        StartFault::NoHome => (
            "Set the variable HOME, or choose the folders with --data and --cache.",
            "環境変数 HOME を設定するか、--data と --cache でフォルダーを指定してください。",
        ),
        StartFault::InUse => (
            "Close the other window, or stop “fumi serve”. Or run “fumi login”, and open the link in a browser.",
            "もう一つのウィンドウを閉じるか、fumi serve を止めてください。fumi login が表示するリンクをブラウザーで開くこともできます。",
        ),
        StartFault::NoLocks => (
            "Choose a data folder on a disk of this computer. To move your data there, copy the whole folder first.",
            "このコンピューターのディスクにあるデータフォルダーを選んでください。データを移すときは、先にフォルダー全体をコピーしてください。",
        ),
        StartFault::DiskFull => (
            "Free some space on this disk, for example by emptying its trash. Then try again.",
            "ゴミ箱を空にするなどして、このディスクの空きを増やしてから、もう一度試してください。",
        ),
        StartFault::ReadOnly => (
            "Make the folder writable, or connect its disk again. Then try again.",
            "フォルダーに書き込めるようにするか、ディスクを接続し直してから、もう一度試してください。",
        ),
        StartFault::Folder => (
            "Check that the folder’s disk is connected, and that nothing else has its name. Then try again.",
            "フォルダーのあるディスクが接続されているか、同じ名前のものがほかにないか確かめて、もう一度試してください。",
        ),
        StartFault::Exposed => (
            "Correct the owner or the permissions of the folder, or choose another one.",
            "フォルダーの所有者か許可を直すか、別のフォルダーを選んでください。",
        ),
        StartFault::TooNew => (
            "Install that version or a later one.",
            "その版か、それより新しい版を入れてください。",
        ),
        StartFault::TooOld => (
            "Export the pages with the earlier version, and import the archive into a new data folder.",
            "前の版でページを書き出し、そのアーカイブを新しいデータフォルダーに読み込んでください。",
        ),
        StartFault::Damaged | StartFault::Missing | StartFault::DiskFailed => {
            data_remedy(fault, has_backups)
        }
        StartFault::CacheDisk => (
            "Check that the folder’s disk is connected, writable and not full, or choose another folder with --cache.",
            "フォルダーのあるディスクが接続されていて、書き込めて、空きがあるか確かめてください。--cache で別のフォルダーを指定することもできます。",
        ),
        StartFault::Thumbnails => (
            "Move the other files away, or choose another folder with --cache.",
            "ほかのファイルを別の場所に移すか、--cache で別のフォルダーを指定してください。",
        ),
        StartFault::Roots => (
            "Move roots.json away, and open the folders again.",
            "roots.json を別の場所に移し、フォルダーを開き直してください。",
        ),
        StartFault::Address => (
            "Close the program that uses the address, or correct it in config.toml.",
            "そのアドレスを使っているプログラムを終わらせるか、config.toml のアドレスを直してください。",
        ),
        StartFault::User => (
            "Correct the name that is given with --user.",
            "--user に指定した名前を直してください。",
        ),
        StartFault::Threads => (
            "Close some programs, and try again.",
            "ほかのプログラムをいくつか終わらせて、もう一度試してください。",
        ),
    }
}

/// Returns what the user can do if the database is damaged or lost, or its disk has failed.
fn data_remedy(fault: StartFault, has_backups: bool) -> (&'static str, &'static str) {
    match (fault, has_backups) {
        (_, true) => (
            "Restore a backup. What is left of the present data is kept in a folder of its own.",
            "バックアップを復元してください。今あるデータの残りは、別のフォルダーに残ります。",
        ),
        (StartFault::Missing, false) => (
            "Put the file back, or choose another folder. An empty folder becomes a new wiki.",
            "ファイルを元に戻すか、別のフォルダーを選んでください。空のフォルダーを選ぶと、新しいウィキになります。",
        ),
        (StartFault::DiskFailed, false) => (
            "The disk may be failing. Copy the folder to another disk, and choose the copy.",
            "ディスクが壊れかけているおそれがあります。フォルダーを別のディスクにコピーして、そのコピーを選んでください。",
        ),
        (_, false) => (
            "There are no backups in this folder. If there is a copy of the folder elsewhere, choose it.",
            "このフォルダーにはバックアップがありません。別の場所にフォルダーのコピーがあれば、それを選んでください。",
        ),
    }
}

/// The words of a failure of the running application.
pub(super) struct RunWords {
    pub(super) heading: &'static str,
    pub(super) reason: &'static str,
    pub(super) safe: &'static str,
    pub(super) remedy: &'static str,
    pub(super) again: &'static str,
}

/// Returns the words of a failure of the running application.
pub(super) fn run_failure(language: Language, failure: RunFailure) -> RunWords {
    match (language, failure) {
        (English, RunFailure::EndedPage) => RunWords {
            heading: "The page has stopped again",
            reason: "The part of the system that shows the page ended twice within a short time.",
            safe: "Everything you saved is safe. Text that you typed is stored, and offered when the page is back.",
            remedy: "Load the page again. If it stops again, quit, and run “fumi serve” in a terminal to use a browser.",
            again: "Load again",
        },
        (Japanese, RunFailure::EndedPage) => RunWords {
            heading: "ページがまた止まりました",
            reason: "ページを表示するシステムの部品が、短い間に二度終了しました。",
            safe: "保存したものは無事です。入力した文章も保管されていて、ページが戻ると続きを書けます。",
            remedy: "ページを読み込み直してください。また止まるときは終了し、端末で fumi serve を実行すると、ブラウザーで使えます。",
            again: "読み込み直す",
        },
        (English, RunFailure::BlankWindow) => RunWords {
            heading: "The window shows nothing",
            reason: "The page was loaded, but nothing has been drawn, even without graphics acceleration.",
            safe: "Everything you saved is safe.",
            remedy: "Wait if the computer is busy. Otherwise quit, and run “fumi serve” in a terminal to use a browser.",
            again: "Wait",
        },
        (Japanese, RunFailure::BlankWindow) => RunWords {
            heading: "ウィンドウに何も表示されません",
            reason: "ページは読み込まれましたが、グラフィックスの高速化を使わなくても、何も描かれていません。",
            safe: "保存したものは無事です。",
            remedy: "コンピューターが忙しいときは、お待ちください。そうでなければ終了し、端末で fumi serve を実行すると、ブラウザーで使えます。",
            again: "待つ",
        },
        (English, RunFailure::Panic) => RunWords {
            heading: "Fumikura has stopped",
            reason: "A fault in Fumikura ended it.",
            safe: "Everything you saved is safe. Text that you typed is stored, and offered when you open the page.",
            remedy: "Start again. To report the fault, copy the diagnostics.",
            again: "Start again",
        },
        (Japanese, RunFailure::Panic) => RunWords {
            heading: "Fumikura が止まりました",
            reason: "Fumikura の側の問題で終了しました。",
            safe: "保存したものは無事です。入力した文章も保管されていて、ページを開くと続きを書けます。",
            remedy: "もう一度起動してください。問題を報告するには、診断情報をコピーしてください。",
            again: "もう一度起動",
        },
        (English, RunFailure::BackgroundFault) => RunWords {
            heading: "A background task has failed",
            reason: "A fault in Fumikura ended one of its tasks. The rest goes on.",
            safe: "Everything you saved is safe. Text that you typed is stored, too.",
            remedy: "Go on. If something no longer works, start Fumikura again. To report the fault, copy the diagnostics.",
            again: "Continue",
        },
        (Japanese, RunFailure::BackgroundFault) => RunWords {
            heading: "裏で動いていた処理が失敗しました",
            reason: "Fumikura の側の問題で、処理の一つが終了しました。ほかの処理は続いています。",
            safe: "保存したものは無事です。入力した文章も保管されています。",
            remedy: "このまま続けられます。動かないところがあれば、Fumikura を起動し直してください。問題を報告するには、診断情報をコピーしてください。",
            again: "続ける",
        },
    }
}

/// Returns the reason of the failure, in a sentence or two.
pub(super) fn reason(language: Language, failure: &ShellFailure) -> String {
    match (language, failure) {
        // The window has a button for what the command does.
        (English, ShellFailure::Start(StartError::Damaged { source, .. })) => {
            sentence(&source.to_string())
        }
        (English, ShellFailure::Start(StartError::Missing { database, .. })) => format!(
            "{} is missing, but other data of a wiki are there.",
            database.display()
        ),
        (English, _) => sentence(&failure.to_string()),
        (Japanese, ShellFailure::Start(error)) => start_error_in_japanese(error),
        (Japanese, ShellFailure::NoDisplay(_)) => {
            "ウィンドウを表示する画面がありません。".to_owned()
        }
        (Japanese, ShellFailure::Window(error)) => {
            format!("ウィンドウを開けません。（{error}）")
        }
        (Japanese, ShellFailure::System(error)) => {
            format!("システムの呼び出しに失敗しました。（{error}）")
        }
    }
}

fn start_error_in_japanese(error: &StartError) -> String {
    match error {
        StartError::Config(error) => config_error_in_japanese(error),
        StartError::DataInUse(path) => {
            format!(
                "「{}」は使用中です。Fumikura がすでに動いています。",
                path.display()
            )
        }
        StartError::Folder { path, source } => {
            format!("フォルダー「{}」を使えません。（{source}）", path.display())
        }
        StartError::Exposed(Exposure::Owner { folder, owner }) => format!(
            "フォルダー「{}」は、別の利用者（{owner}）のものです。chown で自分のものにするか、別のフォルダーを使ってください。",
            folder.display()
        ),
        StartError::Exposed(Exposure::Writable { folder, mode }) => format!(
            "フォルダー「{}」は、ほかの利用者も書き込めます（モード {mode:04o}）。chmod go-w を実行するか、別のフォルダーを使ってください。",
            folder.display()
        ),
        StartError::Database(source) => database_error_in_japanese(error.fault(), source),
        StartError::Damaged { source, .. } => database_error_in_japanese(error.fault(), source),
        StartError::Missing { database, .. } => format!(
            "ウィキのデータベース「{}」がありません。ウィキのほかのデータは残っています。",
            database.display()
        ),
        StartError::Thumbnails(source) if error.fault() == StartFault::Roots => {
            format!("開いていたフォルダーの一覧を読めません。（{source}）")
        }
        StartError::Cache { path, source } => format!(
            "キャッシュのフォルダー「{}」を使えません。（{source}）",
            path.display()
        ),
        StartError::Thumbnails(source) => {
            format!("サムネイルの保存場所を使えません。（{source}）")
        }
        StartError::Albums(error) => format!("アルバムのフォルダーを使えません。（{error}）"),
        StartError::Allow { path, source } => {
            format!("フォルダー「{}」を開けません。（{source}）", path.display())
        }
        StartError::User(error) => format!("利用者を登録できません。（{error}）"),
        StartError::UnknownUser(name) => format!("「{name}」という利用者はいません。"),
        StartError::Runtime(error) => format!("スレッドを開始できません。（{error}）"),
        StartError::Storage(error) => format!("ウィキを読み込めません。（{error}）"),
        StartError::AddressTaken(address) => {
            format!("アドレス {address} は、ほかのプログラムが使用中です。")
        }
        StartError::Listen { address, source } => {
            format!("{address} で待ち受けできません。（{source}）")
        }
    }
}

const DATABASE_FAULTS: [(StartFault, &str); 6] = [
    (
        StartFault::NoLocks,
        "データフォルダーのあるファイルシステムではロックを使えないため、二つのプログラムがデータベースを壊すおそれがあります。",
    ),
    (
        StartFault::DiskFull,
        "ディスクがいっぱいのため、ウィキのデータベースを使えません。",
    ),
    (
        StartFault::ReadOnly,
        "ウィキのデータベースに書き込めません。読み取り専用です。",
    ),
    (
        StartFault::TooNew,
        "ウィキのデータベースは、もっと新しい版のものです。",
    ),
    (
        StartFault::TooOld,
        "ウィキのデータベースは、前の版のものです。",
    ),
    (
        StartFault::Damaged,
        "ウィキのデータベースが壊れているか、Fumikura のデータベースではありません。",
    ),
];

/// Returns the reason why the database can't be used, with the details in English.
fn database_error_in_japanese(fault: StartFault, error: &dyn std::fmt::Display) -> String {
    let known = DATABASE_FAULTS.iter().find(|(known, _)| *known == fault);
    let reason = known.map_or("ウィキのデータベースを使えません。", |(_, reason)| reason);
    format!("{reason}（{error}）")
}

fn config_error_in_japanese(error: &ConfigError) -> String {
    match error {
        ConfigError::BadValue {
            name,
            value,
            allowed,
        } => {
            format!("{name} の値「{value}」は使えません。（使える値: {allowed}）")
        }
        ConfigError::BadFile { path, reason } => {
            format!(
                "設定ファイル「{}」を読み込めません。（{reason}）",
                path.display()
            )
        }
        ConfigError::NoHome(_) => {
            "ホームフォルダーがわからないため、データの置き場所を決められません。".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_failure_is_translated() {
        let error = ConfigError::BadValue {
            name: "ESTELLE_WORKERS".to_owned(),
            value: "0".to_owned(),
            allowed: "a whole number from 1 to 256",
        };
        let failed = ShellFailure::from(error);
        for language in [English, Japanese] {
            let told = reason(language, &failed);
            assert!(
                told.contains("ESTELLE_WORKERS") && told.contains('0'),
                "{told}"
            );
            assert!(told.contains("1 to 256"), "{told}");
        }
    }

    #[test]
    fn missing_database_is_named_in_both_languages() {
        let failed = ShellFailure::Start(StartError::Missing {
            database: "/data/wiki.redb".into(),
            command: Some("fumi backup restore a".to_owned()),
        });
        for language in [English, Japanese] {
            let told = reason(language, &failed);
            assert!(told.contains("/data/wiki.redb"), "{told}");
            assert!(!told.contains("fumi backup"), "a button does it: {told}");
        }
    }
}
