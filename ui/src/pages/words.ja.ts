// The words of the list of pages, in Japanese.
import type { CatalogueLike } from "../i18n/message";
import type { words as en } from "./words.en";

export const words: CatalogueLike<typeof en> = {
  "list.title": "すべてのページ",
  "list.show": "すべてのページを表示",
  "list.filter": "このパスで始まるページ",
  "list.filter_focus": "一覧の絞り込み",
  "list.before": "一覧の前の部分",
  "list.after": "一覧の次の部分",
  "list.before_short": "前へ",
  "list.after_short": "次へ",
  "list.loading": "ページの一覧を読み込み中",
  "list.failed_title": "ページの一覧を読み込めませんでした",
  "list.none_title": "このパスで始まるページはありません",
  "list.none": "「{prefix}」とその下にはページがありません。",
  "list.write": "「{path}」を作成",
  "list.count": { other: "{count} ページ" },
  "list.count_part": { other: "表示中 {count} ページ" },
};
