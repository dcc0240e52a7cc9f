// The words of the reading view of pages, in Japanese.
import type { CatalogueLike } from "../i18n/message";
import type { words as en } from "./words.en";

export const words: CatalogueLike<typeof en> = {
  "wiki.title": "ウィキ",
  "wiki.go": "ウィキへ移動",
  "wiki.edit": "編集",
  "wiki.loading": "ページを読み込んでいます",
  "wiki.revision": "第 {revision} 版",
  "wiki.by": "{time} · {user}",
  "wiki.characters": { other: "{count} 文字" },
  "wiki.waiting": "書きかけで、まだ保存していないページがあります。",
  "wiki.state_unsaved": "未保存の下書きあり",
  "wiki.state_deleted": "ごみ箱の中",
  "wiki.being_edited": "「{user}」さんが編集中",
  "wiki.being_edited_own": "自分のほかのウィンドウで編集中",

  "wiki.panel": "目次と情報",
  "wiki.contents": "目次",
  "wiki.contents_empty": "見出しはありません。",
  "wiki.about": "このページ",
  "wiki.id": "ID",
  "wiki.copy_id": "ページ ID をコピー",
  "wiki.print": "印刷",
  "wiki.copy_link": "固定リンクをコピー",
  "wiki.copy_hint": "ページを移動しても使えます",
  "wiki.copied": "コピーしました: {text}",

  "wiki.not_found_title": "まだないページです",
  "wiki.not_found": "「{path}」にページはありません。",
  "wiki.write": "ページを作成",
  "wiki.draft": "今、「{user}」さんが書いています。",
  "wiki.draft_own": "自分のほかのウィンドウで書いています。",
  "wiki.moved_title": "ページは移動しました",
  "wiki.moved": "今は「{path}」にあります。",
  "wiki.moved_go": "移動先を開く",
  "wiki.failed_title": "ページを表示できませんでした",

  "wiki.old_revision": "第 {revision} 版を表示しています。最新は第 {latest} 版です。",
  "wiki.newest": "最新の版を表示",
  "wiki.deleted": "このページは削除されています。表示しているのは最後の本文です。",

  "wiki.edit_here": "ここで編集する",

  "wiki.link_unknown": "まだないページです",
  "wiki.picture_remote": "ネットワーク上の画像（読み込んでいません）",
  "wiki.picture_unknown": "見つからない画像",

  "reading.metadata_syntax": "本文の前の項目を読み取れません。{line} 行目: {reason}",
  "reading.metadata_no_fields": "--- で囲まれた部分が「名前: 値」の一覧ではないため、そのまま表示しています。",
  "reading.metadata_unread": "本文の前の項目を確認できなかったため、そのまま表示しています。",

  "reading.task_moved_on": "そのあいだにページが変更されていました。チェックは付けず、最新の本文を表示しています。",
  "reading.task_failed": "{reason}チェックは変更していません。",

  "reading.backlinks": "このページへのリンク",
  "reading.backlinks_loading": "このページへのリンクを読み込み中",
  "reading.backlinks_empty": "まだありません。",
  "reading.backlinks_failed": "リンクを読み込めませんでした。",
  "reading.backlinks_more": "さらに表示",
  "reading.key_backlinks_more": "リンク元をさらに表示",

  "reading.map": "リンクの図",
  "reading.map_show": "リンクの図を表示／隠す",
  "reading.map_loading": "リンクの図を読み込み中",
  "reading.map_empty": "リンク元もリンク先もありません。",
  "reading.map_incoming": "リンク元",
  "reading.map_outgoing": "リンク先",
  "reading.map_mutual": "相互にリンクしています",
  "reading.map_more": { other: "ほか {count} ページ" },
  "reading.map_rest": "ほかのページ",

  "reading.mentions": "リンクのない言及",
  "reading.mentions_loading": "言及を読み込み中",
  "reading.mentions_empty": "まだありません。",
  "reading.mentions_failed": "言及を読み込めませんでした。",
  "reading.mentions_more": "さらに表示",

  "reading.anchor_copy": "この見出しへのリンクをコピー",
  "reading.picture_open": "ブラウザーで開く",
  "reading.left_out_columns": { other: "この表には {count} 列あります。最初の {shown} 列を表示しています。" },
  "reading.left_out_notes": { other: "このページには脚注が {count} 件あります。最初の {shown} 件を表示しています。" },
  "reading.left_out_mentions": { other: "脚注への参照が {count} 件あります。最初の {shown} 件だけがリンクです。" },
  "reading.left_out_nesting": "入れ子が深すぎる部分があります。内側の書式を省いて文字を表示しています。",

  "reading.link_deleted": "ごみ箱にあります（開いて元に戻せます）",
  "reading.diagram": "図（続けてソース）",
  "reading.diagram_too_large": "時間がかかりすぎるため、この図は描きません。",
  "reading.diagram_failed": "この図を描けませんでした: {reason}",
  "reading.math_failed": "この数式を表示できませんでした: {reason}",
};
