// What full-text search says in Japanese.
import type { CatalogueLike } from "./message";
import type { searchEn } from "./search.en";

export const searchJa: CatalogueLike<typeof searchEn> = {
  "search.title": "検索",
  "search.title_of": "検索: {query}",
  "search.go": "全ページの本文を検索",
  "search.field": "本文の語句",
  "search.focus": "検索欄に移動",
  "search.begin": "ページに書かれた語句を入力してください。「」や \"\" で囲むと語句全体、-語句 で除外、title: path: tag: で絞り込みができます。",
  "search.tags": "タグ",
  "search.wanted": "リンクされているが存在しないページ",
  "search.wanted_links": { other: "{count} ページからのリンク" },
  "search.orphans": "どこからもリンクされていないページ",
  "search.overview_failed": "タグとリンクを読み込めませんでした",
  "search.loading": "検索中",
  "search.none_title": "見つかりませんでした",
  "search.none": "「{query}」を含むページはありません。",
  "search.failed_title": "検索できませんでした",
  "search.pages": "ページ",
  "search.count": { other: "{count} ページ" },
  "search.more": "さらに表示",
  "search.moved_from": "移動前のパス: {path}",
  "search.indexing": "索引を作成しています。これまでに {of} ページ中 {indexed} ページを検索しました。",
  "search.index_failed": "検索の索引を使用できません。{of} ページ中 {indexed} ページを検索しました。索引は作り直されます。",

  "palette.texts": "本文",
  "palette.all_texts": "「{query}」を全ページの本文から検索",

  "found.label": "このページの検索結果",
  "found.place": "{count} 件中 {at} 件目",
  "found.none": "このページに一致箇所はありません",
  "found.next": "次の一致箇所",
  "found.previous": "前の一致箇所",
  "found.close": "強調表示を消す",
};
