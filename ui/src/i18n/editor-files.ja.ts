// What the editor says in Japanese about pictures and files that are brought to a page.
import type { CatalogueLike } from "./message";
import type { editorFilesEn } from "./editor-files.en";

export const editorFilesJa: CatalogueLike<typeof editorFilesEn> = {
  "editor.add_file": "画像やファイルの追加",
  "editor.picture_name": "画像",
  "editor.bringing": "「{name}」を追加しています…",
  "editor.bringing_many": "「{name}」を追加しています…（残り {count} 件）",
  "editor.bring_clipboard": "クリップボードの内容",
  "editor.bring_failed": "「{name}」を追加できませんでした。{reason}本文はそのままです。",
  "editor.bring_unlinked": "「{name}」をページのファイルに追加しましたが、先にエディターが閉じられたため、本文にリンクは入っていません。",
  "editor.leave_bringing_title": "追加中のファイルがあります",
  "editor.leave_bringing": "ここを離れると、「{name}」がページのファイルに追加されても、本文にリンクは入りません。",
};
