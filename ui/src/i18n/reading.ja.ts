// What reading a page says in Japanese.
import type { CatalogueLike } from "./message";
import type { readingEn } from "./reading.en";

export const readingJa: CatalogueLike<typeof readingEn> = {
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
  "reading.left_out_nesting": "入れ子が深すぎる部分があります。内側の書式を省いて文字を表示しています。",

  "reading.link_deleted": "ごみ箱にあるページです。リンク先で元に戻せます",
  "reading.diagram": "図（続けてソース）",
  "reading.diagram_failed": "この図を描けませんでした: {reason}",
  "reading.math_failed": "この数式を表示できませんでした: {reason}",
};
