// What the wiki says in Japanese.
import type { CatalogueLike } from "./message";
import type { wikiEn } from "./wiki.en";

export const wikiJa: CatalogueLike<typeof wikiEn> = {
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
};
