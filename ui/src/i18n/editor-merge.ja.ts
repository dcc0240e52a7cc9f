// What the editor says in Japanese where two texts become one.
import type { editorMergeEn } from "./editor-merge.en";
import type { CatalogueLike } from "./message";

export const editorMergeJa: CatalogueLike<typeof editorMergeEn> = {
  "editor.merge": "統合",
  "editor.merge_title": "同じ行が両方で変更されています",
  "editor.merge_intro": {
    other: "ほかの部分はすでに統合しました。残りの {count} か所について、どちらを残すかを選んでください。まだ何も保存されていません。",
  },
  "editor.merge_place": "{count} か所中 {number} か所目",
  "editor.merge_mine": "自分の文章",
  "editor.merge_both": "両方を残す",
  "editor.merge_none": "こちらではこの部分が削除されています。",
  "editor.merge_left": { other: "未選択 {count} か所" },
  "editor.merge_ready": "すべて選びました",
  "editor.merge_done": "エディターに反映",
  "editor.merge_taken": "二つの文章を統合し、エディターに反映しました。確かめてから保存してください。",
};
