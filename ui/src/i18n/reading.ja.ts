// What reading a page says in Japanese.
import type { CatalogueLike } from "./message";
import type { readingEn } from "./reading.en";

export const readingJa: CatalogueLike<typeof readingEn> = {
  "reading.task_moved_on": "そのあいだにページが変更されていました。印は付けず、最新の本文を表示しています。",
  "reading.task_failed": "{reason}印は付けていません。",

  "reading.backlinks": "このページへのリンク",
  "reading.backlinks_loading": "このページへのリンクを調べています",
  "reading.backlinks_empty": "まだありません。",
  "reading.backlinks_failed": "リンクを調べられませんでした。",
  "reading.backlinks_more": "さらに表示",
  "reading.key_backlinks_more": "リンク元をさらに表示",

  "reading.anchor_copy": "この見出しへの固定リンクをコピー",
  "reading.picture_open": "ブラウザーで開く",

  "reading.link_deleted": "ごみ箱にあるページです。リンク先で元に戻せます",
  "reading.diagram": "図（続けて元の文章）",
  "reading.diagram_failed": "この図は描けません: {reason}",
  "reading.math_failed": "この数式は組めません: {reason}",
};
