//! The shell's messages, in the languages of the interface. The page's messages are in `ui/src/i18n/`.

use fumikura_server::{ErrorBody, ErrorCode, HashesFound};

use crate::dialogs::{FilesFor, FolderFor};
use crate::language::Language::{self, English, Japanese};
use crate::missing_parts::MissingPart;

/// The application's name.
pub(crate) const APPLICATION: &str = "Fumikura";

pub(crate) fn pick_folder_title(language: Language, purpose: FolderFor) -> &'static str {
    match (language, purpose) {
        (English, FolderFor::Pictures) => "Choose a folder of pictures",
        (Japanese, FolderFor::Pictures) => "画像のフォルダーを選択",
        (English, FolderFor::Hashes) => "Choose a folder of hash records",
        (Japanese, FolderFor::Hashes) => "ハッシュ記録のフォルダーを選択",
        (English, FolderFor::Copies) => "Choose a folder with copies",
        (Japanese, FolderFor::Copies) => "コピーのあるフォルダーを選択",
        (English, FolderFor::Cache) => "Choose a folder for thumbnails",
        (Japanese, FolderFor::Cache) => "サムネイルの保存先を選択",
        (English, FolderFor::Mirror) => "Choose a folder for the mirror",
        (Japanese, FolderFor::Mirror) => "ミラーのフォルダーを選択",
        (English, FolderFor::Notes) => "Choose a folder of notes",
        (Japanese, FolderFor::Notes) => "ノートのフォルダーを選択",
        (English, FolderFor::Backup) => "Choose a folder for the backup",
        (Japanese, FolderFor::Backup) => "バックアップ先のフォルダーを選択",
    }
}

pub(crate) fn pick_files_title(language: Language, purpose: FilesFor) -> &'static str {
    match (language, purpose) {
        (English, FilesFor::Page) => "Choose files",
        (Japanese, FilesFor::Page) => "ファイルを選択",
        (English, FilesFor::Archive) => "Choose an archive",
        (Japanese, FilesFor::Archive) => "アーカイブを選択",
        (English, FilesFor::Notes) => "Choose a file of notes",
        (Japanese, FilesFor::Notes) => "ノートのファイルを選択",
    }
}

pub(crate) fn save_file_title(language: Language) -> &'static str {
    match language {
        English => "Save a copy",
        Japanese => "コピーを保存",
    }
}

/// Returns the label of a notification's action.
pub(crate) fn show(language: Language) -> &'static str {
    match language {
        English => "Show",
        Japanese => "表示",
    }
}

pub(crate) fn cannot_open(language: Language, name: &str) -> String {
    match language {
        English => format!("Couldn’t open “{name}”"),
        Japanese => format!("「{name}」を開けません"),
    }
}

/// Returns the heading and the text about a window that is drawn in another way.
pub(crate) fn rendering_changed(language: Language) -> (&'static str, &'static str) {
    match language {
        English => (
            "Fumikura draws its window more simply",
            "The window showed nothing, so Fumikura has started again without a part of the graphics acceleration, and \
             will do so from now on. To return to the usual way, for example after an update of the graphics driver, \
             delete the file “rendering” in the cache folder.",
        ),
        Japanese => (
            "ウィンドウの描き方を変えました",
            "ウィンドウに何も表示されなかったため、グラフィックスの高速化の一部を使わずに起動し直しました。次回からも同じです。\
             ドライバーの更新などのあとで元に戻すには、キャッシュのフォルダーのファイル「rendering」を消してください。",
        ),
    }
}

/// Returns the heading and the text about a part that a Japanese desktop lacks. Without a font, only English can be read.
pub(crate) fn missing_part(part: &MissingPart) -> (String, String) {
    match part {
        MissingPart::JapaneseFont => (
            "There is no font with Japanese letters".to_owned(),
            "Japanese text is shown as boxes, but is stored as it is. Install a font, such as the package \
             fonts-noto-cjk or google-noto-sans-cjk-fonts, and start Fumikura again."
                .to_owned(),
        ),
        MissingPart::InputMethod(name) => (
            format!("日本語入力「{name}」を使えません"),
            format!(
                "環境変数 GTK_IM_MODULE にある「{name}」の GTK 3 用の部品がないため、日本語を入力できません。\
                 fcitx5-frontend-gtk3 や ibus-gtk3 などのパッケージを入れて、Fumikura を起動し直してください。"
            ),
        ),
    }
}

pub(crate) fn hashes_found_title(language: Language, found: HashesFound) -> &'static str {
    match (language, found.corrupt) {
        (English, 0) => "Files differ from their records",
        (Japanese, 0) => "記録と異なるファイルがあります",
        (English, _) => "Damaged files found",
        (Japanese, _) => "壊れたファイルが見つかりました",
    }
}

/// Returns the number of files in each state, as a sentence.
pub(crate) fn hashes_found(language: Language, found: HashesFound) -> String {
    let counts = [
        (found.corrupt, "damaged", "破損"),
        (found.changed, "changed", "変更"),
        (
            found.missing,
            "missing or unreadable",
            "見つからない、または読めない",
        ),
    ];
    let counts = counts.into_iter().filter(|(count, ..)| *count > 0);
    match language {
        English => {
            let parts: Vec<_> = counts
                .map(|(count, word, _)| format!("{count} {word}"))
                .collect();
            format!("{}. See Hash records.", parts.join(", "))
        }
        Japanese => {
            let parts: Vec<_> = counts
                .map(|(count, _, word)| format!("{word} {count} 件"))
                .collect();
            format!("{}。「ハッシュ記録」で確認できます。", parts.join("、"))
        }
    }
}

/// Returns the reason why a folder or picture cannot be opened.
pub(crate) fn place_failure(language: Language, error: ErrorBody) -> String {
    let known = PLACE_FAILURES.iter().find(|(code, _)| *code == error.code);
    match (language, known) {
        (Japanese, Some((_, sentence))) => (*sentence).to_owned(),
        (Japanese, None) => format!("開けません。（{}）", error.message),
        (English, _) => error.message,
    }
}

/// Messages that the server has only in English.
const PLACE_FAILURES: [(ErrorCode, &str); 10] = [
    (
        ErrorCode::NotFound,
        "この名前のファイルやフォルダーはありません。",
    ),
    (
        ErrorCode::NotAPicture,
        "Fumikura で表示できる画像ではありません。",
    ),
    (
        ErrorCode::NotPermitted,
        "このファイルを読む許可がありません。",
    ),
    (
        ErrorCode::FolderUnavailable,
        "フォルダーが見つからないか、今は読めません。",
    ),
    (ErrorCode::NotAFolder, "これはフォルダーではありません。"),
    (
        ErrorCode::OutsideRoots,
        "このフォルダーを読む許可がありません。",
    ),
    (
        ErrorCode::DiskFull,
        "ディスクがいっぱいのため、開いたフォルダーの一覧を書き込めません。",
    ),
    (
        ErrorCode::ReadOnly,
        "ディスクが読み取り専用のため、開いたフォルダーの一覧を書き込めません。",
    ),
    (
        ErrorCode::StorageFailed,
        "開いたフォルダーの一覧を書き込めません。",
    ),
    (ErrorCode::Internal, "Fumikura の側で問題が起こりました。"),
];

/// Returns the text with a capital letter and a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let text = text.trim();
    let mut letters = text.chars();
    let capital: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    let stop = if text.ends_with(['.', '!', '?', '。']) {
        ""
    } else {
        "."
    };
    format!("{capital}{}{stop}", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_becomes_a_sentence() {
        assert_eq!(sentence("the port is taken"), "The port is taken.");
        assert_eq!(sentence("It is done.\n"), "It is done.");
        assert_eq!(sentence("/data is in use"), "/data is in use.");
    }

    #[test]
    fn place_failure_is_translated() {
        let gone = || ErrorBody::new(ErrorCode::FolderUnavailable, "there is no such folder");
        let english = place_failure(English, gone());
        assert_eq!(english, "There is no such folder.");
        let japanese = place_failure(Japanese, gone());
        assert!(japanese.is_ascii().eq(&false) && japanese.ends_with('。'));
        assert!(!japanese.contains(&english), "{japanese}");
        let unforeseen = ErrorBody::new(ErrorCode::QueueFull, "too much waits");
        let told = place_failure(Japanese, unforeseen);
        assert!(told.contains("開けません") && told.contains("Too much waits."));
    }

    #[test]
    fn notification_counts_the_findings() {
        let found = HashesFound {
            corrupt: 1,
            changed: 0,
            missing: 2,
        };
        let english = hashes_found(English, found);
        assert_eq!(
            english,
            "1 damaged, 2 missing or unreadable. See Hash records."
        );
        let japanese = hashes_found(Japanese, found);
        assert!(japanese.starts_with("破損 1 件、"), "{japanese}");
    }
}
