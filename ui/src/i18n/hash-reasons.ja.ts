// Why files and hash records can't be used, in Japanese. The server's own text, in English, has the details.
import type { hashReasonsEn } from "./hash-reasons.en";
import type { CatalogueLike } from "./message";

export const hashReasonsJa: CatalogueLike<typeof hashReasonsEn> = {
  "hash_reason.file_missing": "ファイルがありません。",
  "hash_reason.no_record": "ファイルも記録もありません。",
  "hash_reason.link": "シンボリックリンクです。リンクは記録しません。リンク先のファイルを選んでください。",
  "hash_reason.not_regular": "通常のファイルではありません。",
  "hash_reason.changed_meanwhile": "読み取り中にファイルが変更されました。",
  "hash_reason.permission_denied": "読み取りの権限がありません。",
  "hash_reason.record_too_large": "記録が 128 MiB を超えています。",
  "hash_reason.record_empty": "記録が空です。",
  "hash_reason.foreign_name": "ハッシュ記録の名前ではありません。",
  "hash_reason.newer_record": "より新しい版のプログラムが書いた記録です。上書きはしません。",
  "hash_reason.program_of_others": "ほかのプログラムのハッシュフォルダーには、実行できるファイルを記録しません。解析結果のない記録は、そのプログラムの検査を弱めるためです。",
  "hash_reason.record_kept": "記録は変えていません。内容を承認するか、ファイルを復元してください。",
  "hash_reason.recorded_again": "記録し直しました。以前のハッシュは記録の履歴に残っています。",
  "hash_reason.invalid_path": "このパスのファイルは存在できません。",
  "hash_reason.no_column": "一覧に「sha256」の列がありません。",
  "hash_reason.columns": "列が一覧の見出しと合っていません。",
  "hash_reason.no_name": "ファイル名のない行です。",
  "hash_reason.standard_input": "ファイルではなく、標準入力のハッシュです。",
  "hash_reason.escape": "名前の中の「\\」の後に、「\\」「n」「r」以外の文字があります。",
  "hash_reason.unknown_line": "対応する形式のハッシュがない行です。",

  "hash_reason.unreadable": "読み取れません（{text}）",
  "hash_reason.record_not_json": "記録が JSON ではありません（{text}）",
  "hash_reason.record_field": "記録の項目が足りないか、読み取れません（{text}）",
  "hash_reason.invalid_name": "記録の名前からパスを読み取れません（{text}）",
  "hash_reason.other_path": "記録の名前が、記録にあるパスのものではありません（{text}）",
  "hash_reason.second_record": "同じパスの記録がもう一つあります（{text}）",
  "hash_reason.name_taken": "この記録の名前のファイルが、すでにハッシュフォルダーにあります（{text}）",
  "hash_reason.older_name": "記録の名前が以前の形式です（{text}）",
  "hash_reason.outside_folder": "フォルダーの外のファイルです（{text}）",
  "hash_reason.other_algorithm": "SHA-256 以外のハッシュです（{text}）",
};
